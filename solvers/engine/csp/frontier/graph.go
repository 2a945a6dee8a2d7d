package frontier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
)

// Graph is a graph in which paths are drawn: one between the two nodes of each pair,
// which do not meet, and nothing else.
type Graph struct {
	Nodes int      // nodes are numbered from 0
	Edges [][2]int // several may join the same nodes
	// Pairs are the ends of each path. A pair of a node with itself is a closed path
	// through it, of at least two edges. No node is in two pairs.
	Pairs [][2]int
	// Optional tells by node which nodes may be on no path. Nil means that every node
	// must be on one.
	Optional []bool
	// Used tells by edge which edges must be on a path. Nil is none.
	Used []bool
	// Allowed says for each node what is already known about all ways: on the paths of which
	// pairs the node may be, as bits, pair k as 1<<k. It saves states, and changes the count
	// only if it is wrong. Nil means that nothing is known. It is possible for up to 64 pairs.
	Allowed []uint64
}

// Limits bound the effort. Zero values mean the usual ones.
type Limits struct {
	// States is the most states of one level, which bounds the memory: a state takes
	// 30 to 100 bytes. The usual is half a million.
	States int
	// Work is the most states of all levels together, which bounds the time: a million
	// take about 0.1 s. Zero means no limit.
	Work int64
	// Enough is a number of ways beyond which an exact count is of no use: counts stop there,
	// and are cheaper. Zero means no such number.
	Enough uint64
}

// ManyStates keeps the tables of an order within about 4 GB, which is enough for boards of 17×17.
// The last levels before it take a few seconds.
const ManyStates = 16_000_000

// StatesFor is the limit of states for a count by its patience.
func StatesFor(patient bool) int {
	if patient {
		return ManyStates
	}
	return usualStates
}

// usualStates keeps the tables of an order, four of them, within about 100 MB.
const usualStates = 500_000

// Stats tells what a count took.
type Stats struct {
	Width  int   // most nodes of the frontier
	Widest int   // most states of a level
	States int64 // of all levels
}

// ErrTooWide means that a limit was reached: the frontier is too wide for the count to
// be made this way.
var ErrTooWide = errors.New("the frontier is too wide")

// MaxPairs is the most pairs that a graph may have: what a frontier node is fits in a byte.
const MaxPairs = twice - firstPair

// Count returns the number of ways to draw the paths, or Limits.Enough if there are at least
// that many. Each order is a list of all edges' indices in the order in which they are decided;
// none is that of Edges. Several orders take turns until it shows which goes faster. Where there
// are many states, two processors are used. It fails with ErrTooWide at a limit, with the context's error, or when
// the graph is not as its fields say.
func (g Graph) Count(ctx context.Context, l Limits, orders ...[]int) (*big.Int, Stats, error) {
	if err := g.check(); err != nil {
		return nil, Stats{}, err
	}
	if l.States == 0 {
		l.States = usualStates
	}
	if len(orders) == 0 {
		orders = [][]int{g.own()}
	}
	for v, n := range g.degrees(g.own()) {
		if n == 0 && !g.optional(v) {
			return new(big.Int), Stats{}, nil
		}
	}
	r := race{graph: g, limits: l, progress: progressOf(ctx)}
	n, err := r.run(ctx, orders)
	if err != nil {
		r.progress.end()
	}
	return n, r.stats, err
}

// optional reports whether a node may be on no path; the end of a pair may not.
func (g Graph) optional(v int) bool {
	return g.Optional != nil && g.Optional[v] && !slices.ContainsFunc(g.Pairs, func(pair [2]int) bool { return pair[0] == v || pair[1] == v })
}

// degrees are the numbers of edges by node.
func (g Graph) degrees(edges []int) []int {
	degrees := make([]int, g.Nodes)
	for _, e := range edges {
		degrees[g.Edges[e][0]]++
		degrees[g.Edges[e][1]]++
	}
	return degrees
}

// InOrder returns the indices of the edges in the order of the places of their nodes:
// each edge is decided when the earlier of its nodes has its turn. rank is the place of
// a node.
func (g Graph) InOrder(rank func(node int) int) []int {
	order := g.own()
	slices.SortStableFunc(order, func(a, b int) int {
		a0, a1 := rank(g.Edges[a][0]), rank(g.Edges[a][1])
		b0, b1 := rank(g.Edges[b][0]), rank(g.Edges[b][1])
		return cmp.Or(cmp.Compare(min(a0, a1), min(b0, b1)), cmp.Compare(max(a0, a1), max(b0, b1)))
	})
	return order
}

// own is the order of the edges in Edges.
func (g Graph) own() []int {
	order := make([]int, len(g.Edges))
	for i := range order {
		order[i] = i
	}
	return order
}

// check refuses a graph whose fields do not fit together.
func (g Graph) check() error {
	for i, e := range g.Edges {
		if !g.inside(e[0]) || !g.inside(e[1]) || e[0] == e[1] {
			return fmt.Errorf("frontier: edge %d joins %d and %d, expected two nodes below %d", i, e[0], e[1], g.Nodes)
		}
	}
	if len(g.Pairs) > MaxPairs {
		return fmt.Errorf("frontier: %d pairs, expected at most %d", len(g.Pairs), MaxPairs)
	}
	paired := map[int]bool{}
	for k, pair := range g.Pairs {
		for i, v := range pair {
			if !g.inside(v) {
				return fmt.Errorf("frontier: pair %d has node %d, expected one below %d", k, v, g.Nodes)
			}
			if paired[v] && (i == 0 || pair[0] != v) {
				return fmt.Errorf("frontier: node %d is in several pairs", v)
			}
			paired[v] = true
		}
	}
	switch {
	case g.Optional != nil && len(g.Optional) != g.Nodes:
		return fmt.Errorf("frontier: %d nodes are optional or not, expected %d", len(g.Optional), g.Nodes)
	case g.Used != nil && len(g.Used) != len(g.Edges):
		return fmt.Errorf("frontier: %d edges are used or not, expected %d", len(g.Used), len(g.Edges))
	case g.Allowed != nil && (len(g.Allowed) != g.Nodes || len(g.Pairs) > maxAllowed):
		return fmt.Errorf("frontier: pairs are allowed at %d nodes, expected %d nodes and at most %d pairs", len(g.Allowed), g.Nodes, maxAllowed)
	}
	return nil
}

// maxAllowed is the most pairs that fit in the bits of Allowed.
const maxAllowed = 64

func (g Graph) inside(v int) bool { return v >= 0 && v < g.Nodes }
