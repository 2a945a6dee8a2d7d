package flow

// A bend is two of a node's steps, by their places in the list of its steps, the
// smaller first.
type bend struct{ node, first, second int }

// What is known of a bend while addBends looks at them.
const (
	bendUnknown uint8 = iota
	bendLeads         // being followed, or may be
	bendCannot
)

// mostSteps is the most steps from a node, those of a hexagon.
const mostSteps = 6

// addBends makes the literal tidy forbid the bends that no tidy pipes which cover
// the board can have. Where a pipe bends at v, between the cells x and y, the
// cell u that closes the square cannot be joined to x or to y, because that
// would be the long way around. So u bends the same way, and so does the next cell
// on the diagonal, up to an end. A bend from which the diagonal leads to the rim
// instead cannot be. Propagation finds that out only after both edges of the
// bend are chosen, with a conflict for each. addBends returns the number of bends that
// it forbids.
func (m *model) addBends() (forbidden int) { return m.forbidBends(false) }

// addPushedBends is addBends for pipes that may leave cells out: only cells of smaller
// numbers than the bend before are sure to be used (see routings).
func (m *model) addPushedBends() (forbidden int) { return m.forbidBends(true) }

// forbidBends is addBends, or addPushedBends.
func (m *model) forbidBends(pushed bool) (forbidden int) {
	f := follower{model: m, pushed: pushed, steps: m.steps(), known: make([][mostSteps * mostSteps]uint8, len(m.cells))}
	for v, steps := range f.steps {
		if m.end[v] {
			continue
		}
		for j := range steps {
			for i := range j {
				if f.cannot(bend{v, i, j}) {
					forbidden++
					m.AddClause(m.tidy.Not(), m.edges[steps[i].edge].Not(), m.edges[steps[j].edge].Not())
				}
			}
		}
	}
	return forbidden
}

// follower follows bends along their diagonals.
type follower struct {
	*model
	pushed bool // cells of larger numbers than the bend before may be left out
	steps  [][]step
	known  [][mostSteps * mostSteps]uint8 // by node and pair of steps
	way    []bend
}

// known notes of a bend.
func (f *follower) note(b bend) *uint8 { return &f.known[b.node][mostSteps*b.first+b.second] }

// cannot reports whether the bends that a bend implies come to a cell that cannot
// bend so.
func (f *follower) cannot(b bend) bool {
	f.way = f.way[:0]
	for *f.note(b) == bendUnknown {
		*f.note(b) = bendLeads // a diagonal that comes back to itself may be
		f.way = append(f.way, b)
		next, possible := f.next(b)
		if !possible {
			for _, b := range f.way {
				*f.note(b) = bendCannot
			}
			return true
		}
		if next == b {
			return false
		}
		b = next
	}
	if *f.note(b) == bendLeads {
		return false
	}
	for _, b := range f.way {
		*f.note(b) = bendCannot
	}
	return true
}

// next is the bend that a bend implies, or the same when it implies none. It is not
// possible when the next cell has no two steps left.
func (f *follower) next(b bend) (next bend, possible bool) {
	x, y := f.steps[b.node][b.first].to, f.steps[b.node][b.second].to
	u := -1
	for _, s := range f.steps[x] {
		if _, beside := find(f.steps[y], s.to); !beside || s.to == b.node {
			continue
		}
		if u >= 0 {
			return b, true // two squares: either may be closed
		}
		u = s.to
	}
	if u < 0 || f.end[u] || f.pushed && u > b.node {
		return b, true
	}
	next = bend{node: u, first: -1, second: -1}
	for i, s := range f.steps[u] {
		switch {
		case s.to == x || s.to == y:
		case next.first < 0:
			next.first = i
		case next.second < 0:
			next.second = i
		default:
			return b, true // a choice is left
		}
	}
	return next, next.second >= 0
}
