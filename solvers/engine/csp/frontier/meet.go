package frontier

import (
	"cmp"
	"context"
	"math/big"
	"slices"
)

// meeting is one order of the edges, swept from both of its ends until the sweeps meet.
// There are fewest states where few edges are decided; where the two meet, each state
// of the one is compared with those of the other that it may fit.
type meeting struct {
	graph      Graph
	order      []int
	head, tail *sweep // from the first edge on, and from the last edge back
	work       int64  // states so far
}

// race is several orders of one graph.
type race struct {
	graph  Graph
	limits Limits
	stats  Stats
}

// run counts with a number of words for each count.
func (r *race) run(ctx context.Context, orders [][]int, words int) (*big.Int, error) {
	var meetings []*meeting
	for _, order := range orders {
		m, width, err := r.graph.meeting(order, words, &r.limits)
		if err == nil {
			meetings = append(meetings, m)
			r.stats.Width = max(r.stats.Width, width)
		}
	}
	// An order that comes to a limit is given up; the others go on.
	for len(meetings) > 0 {
		least := 0
		for i, m := range meetings {
			if m.work < meetings[least].work {
				least = i
			}
		}
		m := meetings[least]
		if m.met() {
			return m.count(ctx)
		}
		states, err := m.advance(ctx)
		switch {
		case err == ErrTooWide:
			meetings = slices.Delete(meetings, least, least+1)
		case err != nil:
			return nil, err
		case states == 0:
			return new(big.Int), nil
		}
		r.stats.States += int64(states)
		r.stats.Widest = max(r.stats.Widest, states)
		if r.limits.Work > 0 && r.stats.States > r.limits.Work {
			break
		}
	}
	return nil, ErrTooWide
}

func (g Graph) meeting(order []int, words int, l *Limits) (*meeting, int, error) {
	back := slices.Clone(order)
	slices.Reverse(back)
	there, width, err := g.steps(order)
	if err != nil {
		return nil, 0, err
	}
	backSteps, backWidth, err := g.steps(back)
	if err != nil {
		return nil, 0, err
	}
	m := &meeting{graph: g, order: order}
	m.head = newSweep(there, width, words, l)
	m.tail = newSweep(backSteps, backWidth, words, l)
	return m, max(width, backWidth), nil
}

// met reports whether each edge is decided in one of the sweeps.
func (m *meeting) met() bool { return m.head.level+m.tail.level == len(m.order) }

// advance decides an edge in the sweep that has fewer states, and returns how many it
// has then.
func (m *meeting) advance(ctx context.Context) (int, error) {
	s := m.head
	if m.tail.now.states < s.now.states {
		s = m.tail
	}
	if err := s.advance(ctx); err != nil {
		return 0, err
	}
	m.work += int64(s.now.states)
	return s.now.states, nil
}

// border is a node with edges on both sides of where the sweeps met.
type border struct {
	at     [2]int // its place in the states of head and tail
	kind   borderKind
	single bool // it has one edge on each side
}

type borderKind uint8

const (
	must    borderKind = iota // a path goes through it
	may                       // a path may go through it
	end                       // it is an end of a path
	closing                   // a closed path goes through it
)

// borders lists the nodes with edges on both sides.
func (m *meeting) borders() []border {
	at := [2][]int{slices.Repeat([]int{-1}, m.graph.Nodes), slices.Repeat([]int{-1}, m.graph.Nodes)}
	last := len(m.order) - 1
	for i := range m.head.level {
		for side, v := range m.graph.Edges[m.order[i]] {
			at[0][v] = m.head.steps[i].at[side]
		}
	}
	for i := range m.tail.level {
		for side, v := range m.graph.Edges[m.order[last-i]] {
			at[1][v] = m.tail.steps[i].at[side]
		}
	}
	before, behind := m.graph.degrees(m.order[:m.head.level]), m.graph.degrees(m.order[m.head.level:])
	kinds := make([]borderKind, m.graph.Nodes)
	for v := range kinds {
		if m.graph.Optional != nil && m.graph.Optional[v] {
			kinds[v] = may
		}
	}
	for _, pair := range m.graph.Pairs {
		kinds[pair[0]], kinds[pair[1]] = end, end
		if pair[0] == pair[1] {
			kinds[pair[0]] = closing
		}
	}
	var borders []border
	for v, kind := range kinds {
		if before[v] > 0 && behind[v] > 0 {
			borders = append(borders, border{at: [2]int{at[0][v], at[1][v]}, kind: kind, single: before[v] == 1 && behind[v] == 1})
		}
	}
	return borders
}

// count sums up the products of the ways to states that fit together.
func (m *meeting) count(ctx context.Context) (*big.Int, error) {
	f := newFit(m.borders())
	type open struct {
		mask  uint64
		state int
	}
	var tails []open
	var s state
	for n := range m.tail.now.states {
		m.tail.now.load(n, &s)
		tails = append(tails, open{f.open(&s, 1), n})
	}
	slices.SortFunc(tails, func(a, b open) int { return cmp.Compare(a.mask, b.mask) })
	sum := new(big.Int)
	part := make([]uint64, m.tail.now.words+1) // the ways to the tails that fit one head
	enough := new(big.Int).SetUint64(m.head.limits.Enough)
	for n := range m.head.now.states {
		if n%contextEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.head.now.load(n, &f.states[0])
		mask := f.open(&f.states[0], 0)
		from, _ := slices.BinarySearchFunc(tails, mask, func(t open, mask uint64) int { return cmp.Compare(t.mask, mask) })
		clear(part)
		fitting := false
		for _, t := range tails[from:] {
			if t.mask != mask {
				break
			}
			m.tail.now.load(t.state, &f.states[1])
			if f.fits() {
				fitting = true
				addWords(part, m.tail.now.ways(t.state))
			}
		}
		if !fitting {
			continue
		}
		ways := number(part)
		sum.Add(sum, ways.Mul(ways, number(m.head.now.ways(n))))
		if enough.Sign() > 0 && sum.Cmp(enough) >= 0 {
			return enough, nil
		}
	}
	return sum, nil
}

// fit tells whether two states, one of each side, together make paths.
type fit struct {
	borders []border
	states  [2]state
	owner   [2][maxWidth]int // by place: the border node there
	walked  [maxWidth]int    // by border node: when a walk came by
	clock   int
}

func newFit(borders []border) *fit {
	f := &fit{borders: borders}
	for i, b := range borders {
		f.owner[0][b.at[0]], f.owner[1][b.at[1]] = i, i
	}
	return f
}

// open tells, as bits, at which nodes that are no ends of paths a piece ends. Two states
// that fit have the same.
func (f *fit) open(s *state, side int) uint64 {
	mask := uint64(0)
	for i, b := range f.borders {
		if code := s[b.at[side]]; b.kind <= may && code >= firstMate {
			mask |= 1 << i
		}
	}
	return mask
}

// fits reports whether the states, whose pieces end at the same nodes, together make
// paths.
func (f *fit) fits() bool {
	for _, b := range f.borders {
		if !b.meets(f.states[0][b.at[0]], f.states[1][b.at[1]]) {
			return false
		}
	}
	// Walk along the pieces, from each that leads to an end of a pair.
	f.clock++
	for i, b := range f.borders {
		for side := range f.states {
			if code := f.states[side][b.at[side]]; b.kind <= may && code >= firstPair && f.walked[i] != f.clock {
				if !f.walk(i, 1-side, code) {
					return false
				}
			}
		}
	}
	for i, b := range f.borders {
		if b.kind <= may && f.states[0][b.at[0]] >= firstMate && f.walked[i] != f.clock {
			return false // a loop
		}
	}
	return true
}

// walk goes on in the states of one side from a node that a piece of the other leads to
// from an end of a pair, and reports whether it comes to the same pair's other end.
func (f *fit) walk(at, side int, pair uint8) bool {
	for {
		f.walked[at] = f.clock
		code := f.states[side][f.borders[at].at[side]]
		if code >= firstPair {
			return code == pair
		}
		at = f.owner[side][code-firstMate]
		f.walked[at] = f.clock
		side = 1 - side
	}
}

// meets reports whether what a node is on each side goes together.
func (b border) meets(head, tail uint8) bool {
	switch b.kind {
	case end: // one edge on one side
		return (head == done) != (tail == done)
	case closing:
		return head == twice && tail == done || head == done && tail == twice || head != twice && head != done && tail != twice && tail != done
	}
	switch {
	case head >= firstMate: // then tail is, too
		return true
	case head == fresh && tail == fresh:
		return b.kind == may
	case head == done && tail == done:
		// A node that may be left out is done too when a side leaves it too few edges;
		// with one edge on each side it cannot be otherwise.
		return b.single
	}
	return true
}
