package homotopy

import (
	"slices"

	"tapwise/solvers/csp"
)

// tracer is the propagator that follows each path from its ends, as far as the
// numbers that are known tell where it goes. It keeps no state between calls.
type tracer struct {
	*model
	id      csp.PropagatorID
	most    int           // a path has no more crossings than there are
	because []csp.BoolVar // what told where the path goes
}

func (m *model) addTracer() {
	t := &tracer{model: m}
	t.id = m.AddPropagator(t)
	watch := func(b csp.BoolVar) {
		if b != m.True() && b != m.False() {
			m.Watch(t.id, b, 0)
			m.Watch(t.id, b.Not(), 0)
		}
	}
	for _, b := range m.counts() {
		watch(b)
	}
	for k := range m.triangles {
		for i := range 3 {
			watch(m.begins[k][i])
			for _, b := range m.Literals(m.around[k][i]) {
				watch(b)
			}
		}
	}
	for _, e := range m.edges {
		t.most += e.room
	}
}

func (t *tracer) Assigned(s *csp.Search, _ csp.BoolVar, _ int32) bool {
	s.Schedule(t.id)
	return true
}

func (t *tracer) Unassigned(*csp.Search, csp.BoolVar, int32) {}

func (t *tracer) Explain(_ *csp.Search, _ csp.BoolVar, _ int32, reason []csp.BoolVar) []csp.BoolVar {
	return reason // it implies nothing
}

func (t *tracer) Propagate(s *csp.Search) bool {
	for k, tri := range t.triangles {
		for i, v := range tri.corners {
			if b := t.begins[k][i]; b != t.False() && s.IsTrue(b) && !t.arrives(s, v, k, i) {
				return s.Conflict(t.because...)
			}
		}
	}
	return true
}

// lower is the least value that x can have.
func (t *tracer) lower(s *csp.Search, x csp.IntVar) int {
	n := 0
	for _, b := range t.Literals(x) {
		if !s.IsTrue(b) {
			break
		}
		n++
	}
	return n
}

// fixed is the value of x where it is known.
func (t *tracer) fixed(s *csp.Search, x csp.IntVar) (value int, known bool) {
	literals, n := t.Literals(x), t.lower(s, x)
	return n, n == len(literals) || s.IsFalse(literals[n])
}

// note notes literals as causes.
func (t *tracer) note(literals ...csp.BoolVar) {
	for _, b := range literals {
		if b != t.True() {
			t.because = append(t.because, b)
		}
	}
}

func (t *tracer) noteFixed(x csp.IntVar, value int) {
	t.note(t.AtLeast(x, value), t.AtMost(x, value))
}

// crossing is where a path crosses an edge: as which of the paths there, counted from 1
// from the edge's end at each of two points. 0 is not known.
type crossing struct {
	edge  int
	from  [2]int
	place [2]int
}

// arrives follows the path that begins at an end, the corner of a triangle, over the edge
// opposite. It reports false if it comes to an end that is not its other one.
func (t *tracer) arrives(s *csp.Search, end, in, corner int) bool {
	t.because = t.because[:0]
	t.note(t.begins[in][corner])
	at := crossing{edge: t.triangles[in].edges[corner]}
	for side := range 2 {
		beside := (corner + 1 + side) % 3
		at.from[side] = t.triangles[in].corners[beside]
		if n, known := t.fixed(s, t.around[in][beside]); known && at.place[0] == 0 {
			at.place[side] = n + 1
			t.noteFixed(t.around[in][beside], n)
		}
	}
	for range t.most + 1 {
		e := t.edges[at.edge]
		if in == e.sides[0] {
			in = e.sides[1]
		} else {
			in = e.sides[0]
		}
		to, goes := t.onward(s, &at, in)
		if !goes && t.count(s, &at) {
			to, goes = t.onward(s, &at, in)
		}
		switch {
		case !goes:
			return true
		case to >= 0:
			return to == mate(end)
		}
	}
	return false // it goes around for ever
}

// onward goes through a triangle from a crossing to the next, or to an end, which it
// returns, else -1. It reports whether it is known where the path goes.
func (t *tracer) onward(s *csp.Search, at *crossing, in int) (end int, known bool) {
	tri, around := &t.triangles[in], &t.around[in]
	far := slices.Index(tri.edges[:], at.edge)
	for side, place := range at.place {
		if place == 0 {
			continue
		}
		near := slices.Index(tri.corners[:], at.from[side])
		n := t.lower(s, around[near])
		if n >= place {
			t.note(t.AtLeast(around[near], place))
			*at = crossing{tri.edges[3-near-far], [2]int{tri.corners[near], tri.corners[far]}, [2]int{place, 0}}
			return -1, true
		}
		if b := t.begins[in][far]; n == place-1 && b != t.False() && s.IsTrue(b) && s.IsTrue(t.AtMost(around[near], n)) {
			t.note(b)
			t.noteFixed(around[near], n)
			return tri.corners[far], true
		}
	}
	return -1, false
}

// count counts a crossing from both sides, where it is known how many there are.
func (t *tracer) count(s *csp.Search, at *crossing) bool {
	n, known := t.fixed(s, t.crossings[at.edge])
	if !known {
		return false
	}
	for side := range 2 {
		if at.place[side] > 0 && at.place[1-side] == 0 && at.place[side] <= n {
			at.place[1-side] = n + 1 - at.place[side]
			t.noteFixed(t.crossings[at.edge], n)
			return true
		}
	}
	return false
}
