package frontier

import (
	"context"
	"slices"
)

// maxWidth is the most nodes that a frontier may have. On a board there are hopelessly
// many states long before; it bounds the size of a state.
const maxWidth = 32

// What a frontier node is, one byte each. Nodes keep their places in a state as long as
// they are on the frontier; a place without a node is fresh, so that states that are
// alike are equal.
const (
	fresh     = 0                    // no edge of it is used
	done      = 1                    // as many are used as a path can use
	firstMate = 2                    // the end of a piece whose other end is in this place
	firstPair = firstMate + maxWidth // the end of a piece that begins at an end of this pair
	twice     = 255                  // the node of a closed path, no edge of it used
)

// state is what the decisions up to an edge leave on the frontier.
type state [maxWidth]uint8

// step is the decision about one edge.
type step struct {
	at      [2]int    // the places of its nodes
	enter   [2]uint8  // what they become first, when they come to the frontier; fresh: no change
	label   [2]uint8  // for a node that may be twice: what it is when one of its edges is used
	rest    [2]int    // the edges that they have after this one
	skip    [2]bool   // they may be on no path
	allowed [2]uint64 // the pairs on whose paths they may be
	used    bool      // the edge must be used
}

// sweep is a frontier that moves over the edges in one direction, from the first
// level, before any edge, to the last.
type sweep struct {
	steps     []step
	level     int // the number of edges that are decided
	now, next *table
	seen      []int // by level, the states
	limits    *Limits
}

// steps are the decisions about edges in an order. It fails with ErrTooWide. width is
// the number of places of a state that they use.
func (g Graph) steps(order []int) (steps []step, width int, err error) {
	pair := slices.Repeat([]int{-1}, g.Nodes) // by node, or -1
	for k, ends := range g.Pairs {
		pair[ends[0]], pair[ends[1]] = k, k
	}
	rest := g.degrees(order)
	place := slices.Repeat([]int{-1}, g.Nodes) // by node; -1 before it comes
	var free []int                             // places that nodes have left
	steps = make([]step, len(order))
	for i, edge := range order {
		e, s := g.Edges[edge], &steps[i]
		s.used = g.Used != nil && g.Used[edge]
		for side, v := range e {
			k := pair[v]
			if place[v] < 0 {
				if len(free) == 0 {
					free = append(free, width)
					width++
				}
				if width > maxWidth {
					return nil, 0, ErrTooWide
				}
				place[v], free = free[len(free)-1], free[:len(free)-1]
				switch {
				case k >= 0 && g.Pairs[k][0] == g.Pairs[k][1]:
					s.enter[side] = twice
				case k >= 0:
					s.enter[side] = uint8(firstPair + k)
				}
			}
			rest[v]--
			s.at[side], s.rest[side] = place[v], rest[v]
			s.skip[side] = k < 0 && g.optional(v)
			if k >= 0 {
				s.label[side] = uint8(firstPair + k)
			}
			s.allowed[side] = ^uint64(0)
			if g.Allowed != nil {
				s.allowed[side] = g.Allowed[v]
			}
		}
		for side, v := range e {
			if rest[v] == 0 {
				free = append(free, s.at[side])
			}
		}
	}
	return steps, width, nil
}

// newSweep is at the first level, with one state that one way leads to.
func newSweep(steps []step, width int, l *Limits) *sweep {
	stride := (width + 7) / 8
	s := &sweep{steps: steps, now: newTable(stride), next: newTable(stride), seen: []int{1}, limits: l}
	_ = s.now.add(&state{}, []uint64{1}, &Limits{States: 1}) // there is room, and nothing to sum up
	return s
}

// contextEvery is the number of states after which the context is looked at: they take
// about a tenth of a millisecond.
const contextEvery = 1024

// advance decides the next edge in all states.
func (w *sweep) advance(ctx context.Context) error {
	s := &w.steps[w.level]
	w.next.reset(w.now.states, w.now.words)
	var from, to state
	for n := range w.now.states {
		if n%contextEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		w.now.load(n, &from)
		for side, code := range s.enter {
			if code != fresh {
				from[s.at[side]] = code
			}
		}
		ways := w.now.ways(n)
		if !s.used {
			to = from
			if s.leave(&to) {
				if err := w.next.add(&to, ways, w.limits); err != nil {
					return err
				}
			}
		}
		if s.join(&from) && s.leave(&from) {
			if err := w.next.add(&from, ways, w.limits); err != nil {
				return err
			}
		}
	}
	if err := w.next.settle(w.limits); err != nil {
		return err
	}
	w.now, w.next = w.next, w.now
	w.level++
	w.seen = append(w.seen, w.now.states)
	return nil
}

// join uses the edge, and reports whether that is possible.
func (s *step) join(t *state) bool {
	u, v := s.at[0], s.at[1]
	a, b := t[u], t[v]
	if a == done || b == done {
		return false
	}
	a, b = s.open(t, 0), s.open(t, 1)
	switch {
	case a >= firstPair && b >= firstPair:
		return a == b
	case a >= firstPair:
		return s.lead(t, b, a)
	case b >= firstPair:
		return s.lead(t, a, b)
	case a == uint8(firstMate+v) && b == uint8(firstMate+u):
		return false // a loop
	}
	t[a-firstMate], t[b-firstMate] = b, a
	return true
}

// open returns what the piece is that ends at one node of the edge, as seen from there:
// its pair, or the place of its other end, which is the node itself when no edge of it
// is used. It leaves the node as it is when the edge is used.
func (s *step) open(t *state, side int) uint8 {
	at := s.at[side]
	switch code := t[at]; code {
	case fresh:
		return uint8(firstMate + at) // it remains an end
	case twice:
		t[at] = s.label[side]
		return s.label[side]
	default:
		t[at] = done
		return code
	}
}

// lead makes a piece, given by its far end, lead to an end of a pair.
func (s *step) lead(t *state, far, pair uint8) bool {
	bit := uint64(1) << (pair - firstPair)
	if pair-firstPair < maxAllowed && (s.allowed[0]&bit == 0 || s.allowed[1]&bit == 0) {
		return false
	}
	t[far-firstMate] = pair
	return true
}

// leave looks at what the edge's nodes can still become, and takes away those that have
// no edges left. It reports false where a path cannot be completed any more.
func (s *step) leave(t *state) bool {
	for side, at := range s.at {
		switch code := t[at]; code {
		case done:
		case fresh, twice:
			switch {
			case s.rest[side] > 1:
				continue
			case code == twice || !s.skip[side]:
				return false
			}
			t[at] = done // no path can go through it any more
		default:
			if s.rest[side] == 0 {
				return false
			}
		}
		if s.rest[side] == 0 {
			t[at] = fresh
		}
	}
	return true
}
