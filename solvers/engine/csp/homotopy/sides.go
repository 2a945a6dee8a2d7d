package homotopy

import (
	"math"
	"slices"

	"tapwise/solvers/engine/csp"
)

// sides tells which ends a path has on its one side and which on its other. The clauses of pairs
// follow each path from crossing to crossing; that two paths do not cross anywhere on the board is
// a fact about them as wholes, which a search learns from those clauses only case by case.
//
// A pair's path is closed to a curve: from each of its ends a ray leads straight up, a little to the
// right, across the wall, and the rays meet far above. The curve encloses an end, or not. It crosses a
// line between two points an odd number of times if it encloses one of them only; those of the
// rays are known, the others are the path's. Two closed curves cross an even number of times. So if
// neither the paths cross nor a path its own ray, one path's curve encloses as many ends of the
// other, the other's as many of the one, and the rays cross as often far above, as together is even.
//
// An edge at an end of the path itself begins within the curve or outside of it, by the sector that it
// lies in: the ray and the path part the surroundings of the end in two.
type sides struct {
	pairs
	encloses [][]csp.BoolVar        // by pair and end; none for its own
	within   map[[2]int]csp.BoolVar // by end and edge there: the edge begins within the curve of the end's pair
}

// addSides adds the sides and states which crossings make them.
func (p pairs) addSides() {
	s := sides{pairs: p, within: map[[2]int]csp.BoolVar{}}
	for pair := range p.ends / 2 {
		encloses := make([]csp.BoolVar, p.ends)
		for v := range encloses {
			if v/2 != pair {
				encloses[v] = p.NewBoolVar()
			}
		}
		s.encloses = append(s.encloses, encloses)
		for other := range pair {
			s.addDisjoint(pair, other)
		}
	}
	for end, edges := range s.clockwise() {
		s.addSectors(end, edges)
	}
	for i, e := range s.edges {
		if s.first(i) == i && !e.hull {
			s.addOdd(i)
		}
	}
}

// addSectors tells which of the edges at an end, clockwise from its ray on, begin within the curve of
// its pair. Between two that do not begin alike the path leads away; one that runs along
// an edge is taken to be on that side of it which is clockwise from its first end.
func (s *sides) addSectors(end int, edges []int) {
	for i, edge := range edges {
		s.within[[2]int{end, edge}] = s.NewBoolVar()
		if i == 0 {
			continue // the ray lies between the last and the first
		}
		last := edges[i-1]
		parity := []csp.BoolVar{s.within[[2]int{end, last}], s.within[[2]int{end, edge}]}
		if s.edges[last].ends[0] == end {
			parity = append(parity, s.along[last])
		}
		if s.edges[edge].ends[1] == end {
			parity = append(parity, s.along[edge])
		}
		t := s.triangleOf(last, edge)
		s.addEven(append(parity, s.begins[t][slices.Index(s.triangles[t].corners[:], end)])...)
	}
}

// addDisjoint states that two paths do not cross.
func (s *sides) addDisjoint(p, q int) {
	a, b := s.encloses[p][2*q], s.encloses[p][2*q+1]
	c, d := s.encloses[q][2*p], s.encloses[q][2*p+1]
	if s.right(2*p, 2*q) == s.right(2*p, 2*q+1) != (s.right(2*p+1, 2*q) == s.right(2*p+1, 2*q+1)) {
		d = d.Not() // the rays cross
	}
	s.addEven(a, b, c, d)
}

// right reports whether the ray of one end is, far above, to the right of that of another.
func (s *sides) right(than, end int) bool {
	u, v := s.points[than], s.points[end]
	return v.X > u.X || v.X == u.X && v.Y > u.Y
}

// addEven states that an even number of literals hold.
func (s *sides) addEven(literals ...csp.BoolVar) {
	for set := range 1 << len(literals) {
		odd, clause := false, make([]csp.BoolVar, len(literals))
		for i, b := range literals {
			if clause[i] = b; set>>i&1 == 1 {
				clause[i], odd = b.Not(), !odd
			}
		}
		if odd {
			s.AddClause(clause...)
		}
	}
}

// addOdd tells for an edge which pairs cross it an odd number of times, by sides and by names.
func (s *sides) addOdd(edge int) {
	n, ends := s.crossings[edge], s.edges[edge].ends
	_, most := s.Bounds(n)
	known := csp.NewLinearExpr()
	for pair := range s.ends / 2 {
		odd := s.odd(pair, edge)
		known.AddTerm(odd, -1)
		s.AddImplication(odd, s.AtLeast(n, 1))
		so := s.False() // whether it is the pair of an odd number of places up to one
		for nth := 1; nth <= most; nth++ {
			next := s.NewBoolVar()
			s.Defer(next)
			s.addEven(next, so, s.at(edge, ends[0], nth)[pair])
			so = next
			fewer, more := s.AtMost(n, nth-1), s.AtLeast(n, nth+1)
			s.AddClause(fewer, more, so.Not(), odd)
			s.AddClause(fewer, more, so, odd.Not())
		}
	}
	s.AddLinearConstraint(known.Add(n), 0, math.MaxInt)
}

// odd is whether a pair's path crosses an edge an odd number of times.
func (s *sides) odd(pair, edge int) csp.BoolVar {
	ends := s.edges[edge].ends
	own := ends[0]/2 == pair || ends[1]/2 == pair
	odd := s.differ(s.enclosed(pair, edge, ends[0]), s.enclosed(pair, edge, ends[1]), !own)
	for _, end := range []int{2 * pair, 2*pair + 1} {
		if !slices.Contains(ends[:], end) && s.rayCrosses(s.points[end], s.points[ends[0]], s.points[ends[1]]) {
			odd = odd.Not()
		}
	}
	return odd
}

// enclosed is whether a pair's curve encloses a point, or where that is an end of its own the beginning
// of an edge there.
func (s *sides) enclosed(pair, edge, point int) csp.BoolVar {
	switch {
	case point >= s.ends:
		return s.Constant(s.wallEnclosed(pair, point))
	case point/2 == pair:
		return s.within[[2]int{point, edge}]
	}
	return s.encloses[pair][point]
}

// differ is whether one of two literals holds and the other does not, a new literal if neither is
// known, which may be deferred. For an edge at an end of the path itself it is better not: of 32 lists
// of eight boards two were not done in 20 s then, and all without.
func (s *sides) differ(a, b csp.BoolVar, deferred bool) csp.BoolVar {
	switch {
	case b == s.True():
		return a.Not()
	case b == s.False():
		return a
	case a == s.True() || a == s.False():
		return s.differ(b, a, deferred)
	}
	d := s.NewBoolVar()
	if deferred {
		s.Defer(d)
	}
	s.addEven(d, a, b)
	return d
}

// wallEnclosed reports whether a pair's curve encloses a place on the wall: one above the board, between
// its rays.
func (s *sides) wallEnclosed(pair, place int) bool {
	at := s.points[place]
	return at.Y < 0 && (at.X > s.points[2*pair].X) != (at.X > s.points[2*pair+1].X)
}

// rayCrosses reports whether the ray of an end crosses the line between two points, neither of which
// is the end itself.
func (s *sides) rayCrosses(end, a, b Point) bool {
	if a.X > b.X {
		a, b = b, a
	}
	return a.X <= end.X && end.X < b.X && turn(a, b, end) > 0
}
