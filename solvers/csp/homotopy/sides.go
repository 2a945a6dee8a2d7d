package homotopy

import (
	"math"

	"tapwise/solvers/csp"
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
type sides struct {
	pairs
	encloses [][]csp.BoolVar        // by pair and end; none for its own
	apart    map[[3]int]csp.BoolVar // by pair and two ends: whether it encloses one of them only
}

// addSides adds the sides and states which crossings make them.
func (p pairs) addSides() {
	s := sides{pairs: p, apart: map[[3]int]csp.BoolVar{}}
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
	for i, e := range s.edges {
		if s.first(i) == i && !e.hull {
			s.addOdd(i)
		}
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
// Those of its own ends are left out: a path that begins at an edge's end may leave it on either side.
func (s *sides) addOdd(edge int) {
	n, ends := s.crossings[edge], s.edges[edge].ends
	_, most := s.Bounds(n)
	known := csp.NewLinearExpr()
	for pair := range s.ends / 2 {
		if ends[0]/2 == pair || ends[1]/2 == pair {
			continue
		}
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

// odd is whether a pair's path, which has neither end there, crosses an edge an odd number of times.
func (s *sides) odd(pair, edge int) csp.BoolVar {
	ends := s.edges[edge].ends
	odd := s.enclosedApart(pair, ends[0], ends[1])
	for _, end := range []int{2 * pair, 2*pair + 1} {
		if s.rayCrosses(s.points[end], s.points[ends[0]], s.points[ends[1]]) {
			odd = odd.Not()
		}
	}
	return odd
}

// enclosedApart is whether a pair's curve encloses one of two points and not the other, neither of
// which is an end of its own.
func (s *sides) enclosedApart(pair, u, v int) csp.BoolVar {
	switch {
	case v < u:
		return s.enclosedApart(pair, v, u)
	case v < s.ends:
		key := [3]int{pair, u, v}
		if _, known := s.apart[key]; !known {
			s.apart[key] = s.NewBoolVar()
			s.addEven(s.apart[key], s.encloses[pair][u], s.encloses[pair][v])
		}
		return s.apart[key]
	case u < s.ends && s.wallEnclosed(pair, v):
		return s.encloses[pair][u].Not()
	case u < s.ends:
		return s.encloses[pair][u]
	case s.wallEnclosed(pair, u) != s.wallEnclosed(pair, v):
		return s.True()
	}
	return s.False()
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
