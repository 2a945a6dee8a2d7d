package homotopy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tapwise/solvers/engine/csp"
)

// Cut is an edge of the triangulation in a class of routings.
type Cut struct {
	From, To Point
	Pairs    []int // whose paths cross it when they are pulled tight, in this order
	Room     int   // how many can
	ends     map[Point]bool
}

// Full reports whether the paths of Pairs use the cells along the cut, in their order.
func (c Cut) Full() bool { return c.Room > 0 && len(c.Pairs) == c.Room }

// Cells are, by path of Pairs, the cells that it uses if the cut is full, and places on the wall
// that the cut comes by. Any shortest way of a king from From to To with no end between it and the
// straight line is crossed by as many paths as it has cells, so that the nth path uses the nth cell
// of each.
func (c Cut) Cells() [][]Point {
	dx, dy := c.To.X-c.From.X, c.To.Y-c.From.Y
	steps, aside := abs(dx), dy // the king's steps, and how far they lead aside
	if abs(dy) > steps {
		steps, aside = abs(dy), dx
	}
	at := func(step, aside int) Point {
		if steps == abs(dx) {
			return Point{c.From.X + step*dx/steps, c.From.Y + aside}
		}
		return Point{c.From.X + aside, c.From.Y + step*dy/steps}
	}
	straight := func(step int) int { return nearest(step*aside, steps) }
	// open reports whether there is no end between the straight line and the way nearest to it
	// that goes through a cell.
	open := func(through, beside int) bool {
		for step := 1; step < steps; step++ {
			way := min(max(straight(step), beside-abs(step-through)), beside+abs(step-through))
			for b := straight(step); b != way; b += sign(way - b) {
				if c.ends[at(step, b)] {
					return false
				}
			}
		}
		return true
	}
	cells := make([][]Point, max(0, steps-1))
	for i := range cells {
		step := i + 1
		for b := max(min(0, aside), -step, aside-(steps-step)); b <= min(max(0, aside), step, aside+steps-step); b++ {
			if open(step, b) {
				cells[i] = append(cells[i], at(step, b))
			}
		}
	}
	return cells
}

// nearest is the integer nearest to n/d, the greater of two.
func nearest(n, d int) int { return int(math.Floor(float64(2*n+d) / float64(2*d))) }

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

// Classes lists the classes of routings of a board that the model allows.
type Classes struct {
	model    *model
	searches []*csp.Model // that of model and its twin, to be searched at the same time
}

// ErrTooLarge is the error for boards whose list would take too much memory or time.
var ErrTooLarge = errors.New("the board has too many pairs, or too much room, for a list of classes")

const (
	// mostPairs bounds the time to triangulate a board to about a second.
	mostPairs = 100
	// mostClauses bounds the clauses of addPairs, and with them those of addSides, which are not
	// counted and about as many. The hardest of Numberlink's boards, 35×48 with 40 pairs, has 270,000,
	// boards of 50×50 with 50 pairs up to 440,000, which take 250 MB.
	mostClauses = 500_000
)

// Classes returns a list of the board's classes. The error is for pairs outside the board or
// on one cell, or ErrTooLarge.
func (b Board) Classes(c csp.Config) (*Classes, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	if n := len(b.Pairs); n > mostPairs {
		return nil, fmt.Errorf("homotopy: %d pairs, at most %d: %w", n, mostPairs, ErrTooLarge)
	}
	t, err := b.triangulate()
	if err != nil {
		return nil, err
	}
	c.BumpReasons = true
	m := &model{Model: csp.NewModel(c), triangulation: t}
	m.addCrossings()
	if n := m.clauses(); n > mostClauses {
		return nil, fmt.Errorf("homotopy: %d clauses, at most %d: %w", n, mostClauses, ErrTooLarge)
	}
	m.addRoutings()
	twin, err := m.Twin(c.Seed + 1)
	return &Classes{m, []*csp.Model{m.Model, twin}}, err
}

// Next returns the cuts of a class that it has not returned before, with csp.Feasible;
// csp.Infeasible when there are no further ones: each routing of the board is of one of the
// classes returned; and csp.Unknown when ctx was done, after which it may be called again and
// continues with what it has learned.
func (l *Classes) Next(ctx context.Context) ([]Cut, csp.Status) {
	found := *l.model
	for {
		status, by := csp.SolveTogether(ctx, l.searches...)
		if status != csp.Feasible {
			return nil, status
		}
		found.Model = l.searches[by]
		cuts, open := found.cuts()
		var other []csp.BoolVar
		for _, b := range found.counts() {
			if found.Value(b) {
				b = b.Not()
			}
			other = append(other, b)
		}
		for _, m := range l.searches {
			m.AddClause(other...)
		}
		if open { // closed curves are no paths
			return cuts, csp.Feasible
		}
	}
}

// Stats tells what the list has taken so far.
func (l *Classes) Stats() csp.Stats {
	var sum csp.Stats
	for _, m := range l.searches {
		sum = sum.Add(m.Stats())
	}
	return sum
}

// model is the numbers of crossings.
type model struct {
	*csp.Model
	*triangulation
	like      [][2]int         // by edge and side, see alike
	crossings []csp.IntVar     // by edge; edges that are crossed alike have one
	around    [][3]csp.IntVar  // by triangle and corner: paths around the corner
	begins    [][3]csp.BoolVar // by triangle and corner: a path begins there and crosses the edge opposite
	along     []csp.BoolVar    // by edge: a path runs along it, from one end to the other
}

// addRoutings states that the crossings are those of a routing.
func (m *model) addRoutings() {
	starts := make([][]csp.BoolVar, m.ends) // by end: the ways in which its path may begin
	m.along = make([]csp.BoolVar, len(m.edges))
	for i, e := range m.edges {
		m.along[i] = m.False()
		if u, v := e.ends[0], e.ends[1]; u < m.ends && v == mate(u) {
			m.along[i] = m.NewBoolVar()
			m.AddImplication(m.along[i], m.AtMost(m.crossings[i], 0))
			starts[u], starts[v] = append(starts[u], m.along[i]), append(starts[v], m.along[i])
		}
	}
	for _, tri := range m.triangles {
		m.addTriangle(tri, starts)
	}
	for _, ways := range starts {
		m.AddExactlyOne(ways...)
	}
	m.addDiagonals()
	m.addPairs()
}

// addCrossings makes the numbers of crossings.
func (m *model) addCrossings() {
	m.like = m.alike()
	room := make([]int, len(m.edges))
	for i := range room {
		room[i] = math.MaxInt
	}
	for i, e := range m.edges {
		room[m.first(i)] = min(room[m.first(i)], e.room)
	}
	m.crossings = make([]csp.IntVar, len(m.edges))
	for i := range m.edges {
		if m.first(i) == i {
			m.crossings[i] = m.NewIntVar(0, room[i])
		}
	}
	for i := range m.edges {
		m.crossings[i] = m.crossings[m.first(i)]
	}
}

// first is the edge that stands for all that are crossed as an edge is.
func (m *model) first(edge int) int { return m.like[edge][0] / 2 }

// addTriangle makes the paths within a triangle.
func (m *model) addTriangle(t triangle, starts [][]csp.BoolVar) {
	var around [3]csp.IntVar
	var begins [3]csp.BoolVar
	most := func(corner int) int {
		_, hi := m.Bounds(m.crossings[t.edges[corner%3]])
		return hi
	}
	for i, v := range t.corners {
		begins[i] = m.False()
		if m.edges[t.edges[i]].hull { // all paths through the triangle go around this corner
			around[i] = m.crossings[t.edges[(i+1)%3]]
		} else {
			around[i] = m.NewIntVar(0, min(most(i+1), most(i+2)))
		}
		if v < m.ends && most(i) > 0 {
			begins[i] = m.NewBoolVar()
			starts[v] = append(starts[v], begins[i])
			m.AddImplication(begins[i], m.AtMost(around[i], 0))
		}
	}
	m.AddAtMostOne(begins[:]...)
	for i, e := range t.edges {
		if around[(i+1)%3] == m.crossings[e] || around[(i+2)%3] == m.crossings[e] {
			continue
		}
		m.AddEquality(csp.NewLinearExpr().AddSum(around[(i+1)%3], around[(i+2)%3], begins[i]), m.crossings[e])
	}
	m.around, m.begins = append(m.around, around), append(m.begins, begins)
}

// addDiagonals states the room of the line between the far corners A and D of two triangles
// ABC and DBC, which crosses BC. It is crossed by the paths around A and around D, by those that
// begin at B or C and do not cross BC, and by those from AB over BC to CD and from AC over
// BC to BD.
func (m *model) addDiagonals() {
	for i, e := range m.edges {
		if e.hull {
			continue
		}
		s, t := e.sides[0], e.sides[1]
		a, d := slices.Index(m.triangles[s].edges[:], i), slices.Index(m.triangles[t].edges[:], i)
		b, c := (a+1)%3, (a+2)%3
		b2 := slices.Index(m.triangles[t].corners[:], m.triangles[s].corners[b])
		c2 := 3 - d - b2
		from, to := m.points[m.triangles[s].corners[a]], m.points[m.triangles[t].corners[d]]
		if !crosses(from, to, m.points[e.ends[0]], m.points[e.ends[1]]) {
			continue
		}
		base := func() *csp.LinearExpr {
			return csp.NewLinearExpr().AddSum(m.around[s][a], m.begins[s][b], m.begins[s][c], m.around[t][d], m.begins[t][b2], m.begins[t][c2])
		}
		most := room(from, to)
		m.AddLinearConstraint(base(), math.MinInt, most)
		m.AddLinearConstraint(base().Add(m.around[s][b]).AddTerm(m.around[t][b2], -1).AddTerm(m.begins[t][d], -1), math.MinInt, most)
		m.AddLinearConstraint(base().Add(m.around[s][c]).AddTerm(m.around[t][c2], -1).AddTerm(m.begins[t][d], -1), math.MinInt, most)
	}
}

// counts are the literals that tell the class.
func (m *model) counts() []csp.BoolVar {
	var literals []csp.BoolVar
	seen := map[csp.IntVar]bool{}
	for _, n := range m.crossings {
		if !seen[n] {
			seen[n] = true
			literals = append(literals, m.Literals(n)...)
		}
	}
	return literals
}

// cuts are the edges within the wall in the class found last. It reports false if some of
// its curves are closed.
func (m *model) cuts() (cuts []Cut, open bool) {
	pairs := make([][]int, len(m.edges)) // by edge: the pairs whose paths cross it, or -1
	for i := range pairs {
		pairs[i] = slices.Repeat([]int{-1}, m.IntValue(m.crossings[i]))
	}
	for k, t := range m.triangles {
		for i, v := range t.corners {
			if m.Value(m.begins[k][i]) && v < mate(v) {
				m.walk(v/2, k, i, pairs)
			}
		}
	}
	ends := map[Point]bool{}
	for _, p := range m.points[:m.ends] {
		ends[p] = true
	}
	for i, e := range m.edges {
		if slices.Contains(pairs[i], -1) {
			return nil, false
		}
		if !e.hull {
			cuts = append(cuts, Cut{m.points[e.ends[0]], m.points[e.ends[1]], pairs[i], e.room, ends})
		}
	}
	return cuts, true
}

// walk notes a pair at the edges that its path crosses, which begins at a corner of a triangle.
func (m *model) walk(pair, in, corner int, pairs [][]int) {
	edge, from := m.triangles[in].edges[corner], m.triangles[in].corners[(corner+1)%3]
	place := m.IntValue(m.around[in][(corner+1)%3]) // of those that cross, counted from 0 at from
	for {
		if from == m.edges[edge].ends[1] {
			from, place = m.edges[edge].ends[0], len(pairs[edge])-1-place
		}
		pairs[edge][place] = pair
		sides := m.edges[edge].sides
		in = sides[0] + sides[1] - in
		t := m.triangles[in]
		far := slices.Index(t.edges[:], edge)
		near := slices.Index(t.corners[:], from)
		other := 3 - near - far
		around := m.IntValue(m.around[in][near])
		switch {
		case place < around:
			edge = t.edges[other]
		case place == around && m.Value(m.begins[in][far]):
			return
		default:
			edge, from, place = t.edges[near], t.corners[other], len(pairs[edge])-1-place
		}
	}
}
