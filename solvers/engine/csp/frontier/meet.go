package frontier

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"sync"
	"time"
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
	graph    Graph
	limits   Limits
	stats    Stats
	progress *Progress // nil when nobody wants to know
}

// chooseAt is the states of each order after which only the one goes on that has decided the
// most edges: they take a tenth of a second, and of two orders of a square board both would
// go all the way.
const chooseAt = 1_000_000

// run counts.
func (r *race) run(ctx context.Context, orders [][]int) (*big.Int, error) {
	var meetings []*meeting
	for _, order := range orders {
		m, width, err := r.graph.meeting(order, &r.limits)
		if err == nil {
			meetings = append(meetings, m)
			r.stats.Width = max(r.stats.Width, width)
		}
	}
	began := time.Now()
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
		if m.work > chooseAt && len(meetings) > 1 {
			meetings = []*meeting{slices.MaxFunc(meetings, func(a, b *meeting) int { return cmp.Compare(a.decided(), b.decided()) })}
			continue
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
		r.stats.Widest = max(r.stats.Widest, m.head.now.states, m.tail.now.states)
		if r.limits.Work > 0 && r.stats.States > r.limits.Work {
			break
		}
		r.progress.tell(m, r.stats.Width, time.Since(began))
	}
	return nil, ErrTooWide
}

func (g Graph) meeting(order []int, l *Limits) (*meeting, int, error) {
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
	m.head = newSweep(there, width, l)
	m.tail = newSweep(backSteps, backWidth, l)
	return m, max(width, backWidth), nil
}

// decided is the number of edges that are decided in one of the sweeps.
func (m *meeting) decided() int { return m.head.level + m.tail.level }

// met reports whether each edge is decided in one of the sweeps.
func (m *meeting) met() bool { return m.decided() == len(m.order) }

// togetherFrom is the states of a level from which on both sweeps advance at once: they take
// about a millisecond.
const togetherFrom = 10_000

// advance decides an edge in the sweep that has fewer states, or one in each at the same time
// where both have many. It returns how many states there are then where an edge was decided, 0
// when one of the sweeps has none.
func (m *meeting) advance(ctx context.Context) (states int, err error) {
	few, many := m.head, m.tail
	if many.now.states < few.now.states {
		few, many = many, few
	}
	if few.now.states < togetherFrom || many.now.states > 2*few.now.states || m.decided()+2 > len(m.order) {
		err = few.advance(ctx)
		states = few.now.states
	} else {
		var other error
		var both sync.WaitGroup
		both.Go(func() { other = many.advance(ctx) })
		err = few.advance(ctx)
		both.Wait()
		err = cmp.Or(err, other)
		if states = few.now.states + many.now.states; many.now.states == 0 {
			states = 0
		}
	}
	m.work += int64(states)
	return states, err
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
