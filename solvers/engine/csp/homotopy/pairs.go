package homotopy

import "tapwise/solvers/engine/csp"

// pairs tells whose path is the nth across an edge, counted from either of its ends. Its
// variables follow from the numbers; but a search that learns from "the third path here is
// that of pair 5" learns more than from all the crossings by which that path has come.
type pairs struct {
	*model
	names map[place][]csp.BoolVar // by pair
}

// place is that of a path which crosses an edge, counted from 1 at a side of it. If there are
// fewer crossings than that, its names mean nothing.
type place struct{ side, nth int }

// clauses is about how many addPairs makes: nearly all of them count edges from both ends.
func (m *model) clauses() int {
	n := 0
	for i := range m.edges {
		if m.first(i) == i {
			_, most := m.Bounds(m.crossings[i])
			n += most * (most + 1) * (m.ends / 2)
		}
	}
	return n
}

// addPairs follows all paths from their ends. One that comes to another end contradicts, since
// two pairs would be at one place.
func (m *model) addPairs() {
	p := pairs{m, map[place][]csp.BoolVar{}}
	for i := range m.edges {
		if m.first(i) == i {
			p.addEdge(i)
		}
	}
	for k := range m.triangles {
		for i := range 3 {
			p.addAround(k, i)
			if m.begins[k][i] != m.False() {
				p.addBegin(k, i)
			}
		}
	}
	p.addSides()
}

// at is who crosses an edge as the nth from one of its ends, by pair.
func (p *pairs) at(edge, end, nth int) []csp.BoolVar {
	key := place{p.like[edge][p.side(edge, end)%2], nth}
	if p.names[key] == nil {
		names := p.NewBoolVars(p.ends / 2)
		p.AddAtMostOne(names...)
		p.Defer(names...)
		p.names[key] = names
	}
	return p.names[key]
}

// addSame states that one pair's path is at two places, unless a literal holds.
func (p *pairs) addSame(a, b []csp.BoolVar, unless ...csp.BoolVar) {
	for i := range a {
		p.AddClause(append(unless, a[i].Not(), b[i])...)
		p.AddClause(append(unless, b[i].Not(), a[i])...)
	}
}

// addEdge counts the crossings of an edge from both ends.
func (p *pairs) addEdge(edge int) {
	n, ends := p.crossings[edge], p.edges[edge].ends
	_, most := p.Bounds(n)
	for all := 1; all <= most; all++ {
		for nth := 1; nth <= all; nth++ {
			p.addSame(p.at(edge, ends[0], nth), p.at(edge, ends[1], all+1-nth), p.AtMost(n, all-1), p.AtLeast(n, all+1))
		}
	}
}

// addAround leads paths around a corner of a triangle, from one edge at it to the other.
func (p *pairs) addAround(triangle, corner int) {
	t, n := p.triangles[triangle], p.around[triangle][corner]
	a, b := t.edges[(corner+1)%3], t.edges[(corner+2)%3]
	if p.first(a) == p.first(b) {
		return
	}
	_, most := p.Bounds(n)
	for nth := 1; nth <= most; nth++ {
		p.addSame(p.at(a, t.corners[corner], nth), p.at(b, t.corners[corner], nth), p.AtMost(n, nth-1))
	}
}

// addBegin has the path that begins at a corner cross the edge opposite between those that go
// around the other two corners.
func (p *pairs) addBegin(triangle, corner int) {
	t := p.triangles[triangle]
	edge := t.edges[corner]
	_, room := p.Bounds(p.crossings[edge])
	for side := 1; side <= 2; side++ {
		beside := (corner + side) % 3
		around := p.around[triangle][beside]
		_, most := p.Bounds(around)
		for n := 0; n <= min(most, room-1); n++ {
			own := p.at(edge, t.corners[beside], n+1)[t.corners[corner]/2]
			p.AddClause(own, p.begins[triangle][corner].Not(), p.AtMost(around, n-1), p.AtLeast(around, n+1))
		}
	}
}
