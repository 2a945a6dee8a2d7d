package frontier

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// grid is the nodes of a rectangle, row by row, with edges between neighbours.
func grid(rows, cols int) Graph {
	g := Graph{Nodes: rows * cols}
	for v := range g.Nodes {
		if v%cols+1 < cols {
			g.Edges = append(g.Edges, [2]int{v, v + 1})
		}
		if v+cols < g.Nodes {
			g.Edges = append(g.Edges, [2]int{v, v + cols})
		}
	}
	return g
}

// leaky lets paths leave out any node.
func (g Graph) leaky() Graph {
	g.Optional = make([]bool, g.Nodes)
	for v := range g.Optional {
		g.Optional[v] = true
	}
	return g
}

func (g Graph) between(pairs ...[2]int) Graph {
	g.Pairs = pairs
	return g
}

func count(t testing.TB, g Graph, l Limits) *big.Int {
	t.Helper()
	n, _, err := g.Count(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPublished compares with sequences of the On-Line Encyclopedia of Integer
// Sequences (oeis.org).
func TestPublished(t *testing.T) {
	sequences := []struct {
		name  string
		graph func(n int) Graph
		first int
		want  []string
	}{
		{
			"A007764, self-avoiding walks between opposite corners of n×n nodes",
			func(n int) Graph { return grid(n, n).leaky().between([2]int{0, n*n - 1}) },
			2, []string{
				"2", "12", "184", "8512", "1262816", "575780564", "789360053252", "3266598486981642", "41044208702632496804",
				"1568758030464750013214100", "182413291514248049241470885236",
			},
		},
		{
			"A000532, Hamiltonian paths between adjacent corners of n×n nodes",
			func(n int) Graph { return grid(n, n).between([2]int{0, n - 1}) },
			2, []string{"1", "2", "8", "86", "1770", "88418", "8934966", "2087813834", "1013346943033"},
		},
		{
			"A001184, Hamiltonian paths between opposite corners of (2n+1)×(2n+1) nodes",
			func(n int) Graph { return grid(2*n+1, 2*n+1).between([2]int{0, 4*n*n + 4*n}) },
			1, []string{"2", "104", "111712", "2688307514", "1445778936756068", "17337631013706758184626"},
		},
		{
			"A003763, Hamiltonian cycles of 2n×2n nodes",
			func(n int) Graph { return grid(2*n, 2*n).between([2]int{0, 0}) },
			1, []string{"1", "6", "1072", "4638576", "467260456608"},
		},
	}
	for _, s := range sequences {
		for i, want := range s.want {
			if got := count(t, s.graph(s.first+i), Limits{}).String(); got != want {
				t.Errorf("%s, n = %d: %s, published %s", s.name, s.first+i, got, want)
			}
		}
	}
}

// randomGraph is any graph of a few nodes, with several edges between the same nodes now
// and then, isolated nodes, closed paths and edges that must be used.
func randomGraph(r *rand.Rand) Graph {
	g := Graph{Nodes: 2 + r.IntN(6)}
	for range r.IntN(12) {
		a, b := r.IntN(g.Nodes), r.IntN(g.Nodes)
		if a != b {
			g.Edges = append(g.Edges, [2]int{a, b})
		}
	}
	nodes := r.Perm(g.Nodes)
	for range r.IntN(4) {
		if len(nodes) < 2 {
			break
		}
		if r.IntN(4) == 0 {
			g.Pairs = append(g.Pairs, [2]int{nodes[0], nodes[0]})
		} else {
			g.Pairs = append(g.Pairs, [2]int{nodes[0], nodes[1]})
		}
		nodes = nodes[2:]
	}
	if r.IntN(2) == 0 {
		g.Optional = make([]bool, g.Nodes)
		for v := range g.Optional {
			g.Optional[v] = r.IntN(2) == 0
		}
	}
	if r.IntN(3) == 0 && len(g.Edges) > 0 {
		g.Used = make([]bool, len(g.Edges))
		g.Used[r.IntN(len(g.Edges))] = true
	}
	return g
}

// ways tries all sets of edges. It calls visit with each that is a way to draw the paths.
func ways(g Graph, visit func(chosen int)) {
	for chosen := range 1 << len(g.Edges) {
		if isWay(g, chosen) {
			visit(chosen)
		}
	}
}

// isWay walks from one end of each pair along chosen edges, and wants to have come by
// all chosen edges and all nodes that may not be left out.
func isWay(g Graph, chosen int) bool {
	visited := make([]bool, g.Nodes)
	left := chosen
	for _, pair := range g.Pairs {
		at, steps := pair[0], 0
		for {
			if visited[at] {
				return false
			}
			visited[at] = true
			if at == pair[1] && steps > 0 {
				break
			}
			if pair[0] == pair[1] && at == pair[0] {
				visited[at] = false // to come back to
			}
			var onward []int
			for i, e := range g.Edges {
				if left>>i&1 != 0 && (e[0] == at || e[1] == at) {
					onward = append(onward, i)
				}
			}
			if len(onward) == 0 {
				return false
			}
			e := g.Edges[onward[0]]
			left &^= 1 << onward[0]
			at = e[0] + e[1] - at
			steps++
		}
		if steps == 1 && pair[0] == pair[1] {
			return false
		}
	}
	if left != 0 {
		return false // loops, branches, loose pieces
	}
	for v, seen := range visited {
		if !seen && (g.Optional == nil || !g.Optional[v]) {
			return false
		}
	}
	for i, used := range g.Used {
		if used && chosen>>i&1 == 0 {
			return false
		}
	}
	return true
}

func TestAgainstAllSets(t *testing.T) {
	n := uint64(6000)
	if testing.Short() {
		n = 1000
	}
	possible, several := 0, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 3))
		g := randomGraph(r)
		want := 0
		ways(g, func(int) { want++ })
		if want > 0 {
			possible++
		}
		if want > 1 {
			several++
		}
		if got := count(t, g, Limits{}); got.Cmp(big.NewInt(int64(want))) != 0 {
			t.Fatalf("seed %d, %+v: %v ways, expected %d", seed, g, got, want)
		}
		if got := count(t, g, Limits{Enough: 2}); got.Cmp(big.NewInt(int64(min(want, 2)))) != 0 {
			t.Fatalf("seed %d, %+v: %v ways of at most 2, expected %d", seed, g, got, min(want, 2))
		}
		got, _, err := g.Count(t.Context(), Limits{}, r.Perm(len(g.Edges)), r.Perm(len(g.Edges)))
		if err != nil || got.Cmp(big.NewInt(int64(want))) != 0 {
			t.Fatalf("seed %d, edges in other orders, %+v: %v ways, %v, expected %d", seed, g, got, err, want)
		}
	}
	t.Logf("%d graphs, %d possible, %d in several ways", n, possible, several)
	if possible*5 < int(n) || several*20 < int(n) {
		t.Errorf("%d of %d graphs possible, %d in several ways: too few to tell anything", possible, n, several)
	}
}

// TestAllowed wants what is true of all ways to change nothing.
func TestAllowed(t *testing.T) {
	saved := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 4))
		g := grid(4, 4)
		at := r.Perm(16)
		g.Pairs = [][2]int{{at[0], at[1]}, {at[2], at[3]}}
		g = g.leaky()
		want, plain, err := g.Count(t.Context(), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		g.Allowed = allowed(g)
		got, known, err := g.Count(t.Context(), Limits{})
		if err != nil || got.Cmp(want) != 0 {
			t.Fatalf("seed %d, pairs %v: %v ways (%v), expected %v", seed, g.Pairs, got, err, want)
		}
		if known.States < plain.States {
			saved++
		}
	}
	if saved < 100 {
		t.Errorf("states saved on %d boards, expected at least 100", saved)
	}
}

// allowed finds out which pairs' paths go through each node in any way.
func allowed(g Graph) []uint64 {
	on := make([]uint64, g.Nodes)
	// Small boards only: one node is taken out at a time, or given to one pair.
	for k, pair := range g.Pairs {
		for v := range g.Nodes {
			if v == pair[0] || v == pair[1] {
				on[v] |= 1 << k
				continue
			}
			// A way through v is a way from one end to v and from there to the other
			// end that do not meet: with v as the node of both paths.
			h := g
			h.Nodes++
			h.Optional = append(append([]bool(nil), g.Optional...), false)
			h.Edges = append([][2]int(nil), g.Edges...)
			twin := g.Nodes
			for _, e := range g.Edges {
				switch v {
				case e[0]:
					h.Edges = append(h.Edges, [2]int{twin, e[1]})
				case e[1]:
					h.Edges = append(h.Edges, [2]int{e[0], twin})
				}
			}
			h.Pairs = append([][2]int(nil), g.Pairs...)
			taken := false
			for other, p := range g.Pairs {
				taken = taken || other != k && (p[0] == v || p[1] == v)
			}
			if taken {
				continue
			}
			h.Pairs[k] = [2]int{pair[0], v}
			h.Pairs = append(h.Pairs, [2]int{twin, pair[1]})
			if n, _, err := h.Count(context.Background(), Limits{Enough: 1}); err == nil && n.Sign() > 0 {
				on[v] |= 1 << k
			}
		}
	}
	return on
}

func TestLimits(t *testing.T) {
	g := grid(12, 12).leaky().between([2]int{0, 143})
	for name, l := range map[string]Limits{"states": {States: 1000}, "work": {Work: 10_000}} {
		if n, _, err := g.Count(t.Context(), l); !errors.Is(err, ErrTooWide) {
			t.Errorf("%s: %v, %v, expected %v", name, n, err, ErrTooWide)
		}
	}
	if _, _, err := grid(40, 40).between([2]int{0, 1599}).Count(t.Context(), Limits{}); !errors.Is(err, ErrTooWide) {
		t.Errorf("40×40: %v, expected %v", err, ErrTooWide)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := g.Count(ended, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestProgress wants a count to tell how far it is.
func TestProgress(t *testing.T) {
	var p Progress
	g := grid(9, 9).between([2]int{0, 80})
	if _, _, err := g.Count(WithProgress(t.Context(), &p), Limits{}); err != nil {
		t.Fatal(err)
	}
	if decided, edges := p.Part(); decided != int64(len(g.Edges)) || edges != decided {
		t.Errorf("%d of %d edges decided at the end, expected all %d", decided, edges, len(g.Edges))
	}
}

// TestTurns wants the better of two orders to win, also where both have more states than are
// needed to choose.
func TestTurns(t *testing.T) {
	g := grid(10, 14).leaky().between([2]int{0, 139})
	long := g.InOrder(func(node int) int { return node%14*10 + node/14 })
	want, alone, err := g.Count(t.Context(), Limits{}, long)
	if err != nil {
		t.Fatal(err)
	}
	got, both, err := g.Count(t.Context(), Limits{States: ManyStates}, g.own(), long)
	if err != nil || got.Cmp(want) != 0 || both.States > alone.States+3*chooseAt/2 {
		t.Errorf("%v ways, %+v, %v; expected %v, %+v", got, both, err, want, alone)
	}
}

func TestRefused(t *testing.T) {
	for i, g := range []Graph{
		{Nodes: 2, Edges: [][2]int{{0, 2}}},
		{Nodes: 2, Edges: [][2]int{{1, 1}}},
		{Nodes: 2, Pairs: [][2]int{{0, -1}}},
		{Nodes: 3, Pairs: [][2]int{{0, 1}, {1, 2}}},
		{Nodes: 3, Pairs: [][2]int{{0, 1}, {2, 2}, {2, 2}}},
		{Nodes: 500, Pairs: make([][2]int, MaxPairs+1)},
		{Nodes: 2, Optional: make([]bool, 1)},
		{Nodes: 2, Used: make([]bool, 1)},
		{Nodes: 2, Allowed: make([]uint64, 1)},
	} {
		if n, _, err := g.Count(t.Context(), Limits{}); err == nil || errors.Is(err, ErrTooWide) {
			t.Errorf("graph %d: %v, %v, expected an error", i, n, err)
		}
	}
}

// TestInOrder wants the edges of a shuffled grid back in an order with a narrow frontier.
func TestInOrder(t *testing.T) {
	g := grid(9, 6).between([2]int{0, 53})
	want, narrow, err := g.Count(t.Context(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(g.Edges), func(i, k int) { g.Edges[i], g.Edges[k] = g.Edges[k], g.Edges[i] })
	got, stats, err := g.Count(t.Context(), Limits{}, g.InOrder(func(node int) int { return node }))
	if err != nil || got.Cmp(want) != 0 || stats != narrow {
		t.Errorf("%v ways, %+v, %v; expected %v, %+v", got, stats, err, want, narrow)
	}
}

// BenchmarkLarge counts on the largest boards, and compares with what is published in the same
// sequences. They take seconds to minutes each: choose one by -bench.
func BenchmarkLarge(b *testing.B) {
	for _, test := range []struct {
		name  string
		graph Graph
		want  string
	}{
		{"covering-15", grid(15, 15).between([2]int{0, 224}), "4628650743368437273677525554148"},
		{"covering-17", grid(17, 17).between([2]int{0, 288}), "27478778338807945303765092195103685118924"},
		{"free-14", grid(14, 14).leaky().between([2]int{0, 195}), "69450664761521361664274701548907358996488"},
		{"free-16", grid(16, 16).leaky().between([2]int{0, 255}), "2266745568862672746374567396713098934866324885408319028"},
	} {
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				n, stats, err := test.graph.Count(b.Context(), Limits{States: ManyStates})
				if err != nil || n.String() != test.want {
					b.Fatalf("%v, %v, expected %s", n, err, test.want)
				}
				b.ReportMetric(float64(stats.States), "states")
				b.ReportMetric(float64(stats.Widest), "widest")
			}
		})
	}
}

func BenchmarkCount(b *testing.B) {
	for _, n := range []int{8, 10, 12, 14} {
		for name, g := range map[string]Graph{
			"walks":       grid(n+1, n+1).leaky().between([2]int{0, (n+1)*(n+1) - 1}),
			"hamiltonian": grid(n, n).between([2]int{0, n - 1}),
		} {
			b.Run(fmt.Sprintf("%s-%d", name, n), func(b *testing.B) {
				var stats Stats
				for b.Loop() {
					var err error
					if _, stats, err = g.Count(b.Context(), Limits{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(stats.States), "states")
				b.ReportMetric(float64(stats.Widest), "widest")
			})
		}
	}
}
