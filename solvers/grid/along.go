package grid

import (
	"context"
	"fmt"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/reason"
)

// Rules are what the rules of a Through are called.
type Rules struct {
	Cover string // it visits every cell once
	Step  string // it is in one piece
	Order string // it passes the stops in order
}

// Part is the path with some of its parts only.
func (s Passed) Part(steps []int) Passed {
	part, all := s.Along(nil), s.Steps(nil)
	for _, i := range steps {
		for _, c := range all[i].Cells {
			part.Order[c] = s.Order[c]
		}
	}
	return part
}

// Advise finds a step of the path that the rules force, with the smallest reason that is found for
// it. What is drawn wrong is not taken for known.
func (p Through) Advise(found Passed, names Rules, drawn solvers.Solution) *solvers.Advice {
	w := p.way(names)
	return w.question(found, drawn).Advise(reason.Words{
		Cells: func(scope []int) (cells []board.Cell) {
			for _, v := range scope {
				cells = append(cells, w.sides[v].A, w.sides[v].B)
			}
			return cells
		},
		Says: func(v int) string {
			return fmt.Sprintf("from %s to %s", p.Size.Name(w.sides[v].A), p.Size.Name(w.sides[v].B))
		},
		Names: p.Size.Names,
	})
}

// Grade is how hard the puzzle is whose path was found.
func (p Through) Grade(ctx context.Context, found Passed) (solvers.Grade, error) {
	return p.way(Rules{}).question(found, nil).Grade(ctx)
}

func (p Through) way(names Rules) way {
	w := way{Through: p, names: names}
	for _, side := range p.Size.Edges() {
		if p.Open(side.A, side.B) {
			w.sides = append(w.sides, side)
		}
	}
	return w
}

// way is a path whose next step is looked for. The variables are the sides that it may cross.
type way struct {
	Through
	names Rules
	sides []board.Edge
}

// The conditions of the rules beside those of single cells.
type (
	inOnePiece struct{}
	inOrder    struct{}
	coverAt    board.Cell
)

func (w way) question(found Passed, drawn solvers.Solution) reason.Question {
	on := w.Along(nil)
	if d, ok := drawn.(interface{ passed() Passed }); ok && d.passed().Size == w.Size {
		on = d.passed()
	}
	crosses := make([]bool, len(w.sides))
	q := reason.Question{Size: len(w.sides), Post: func(grounds []reason.Ground) (*csp.Model, func(v int) []csp.BoolVar) {
		m, crossed := w.post(grounds)
		return m, func(v int) []csp.BoolVar { return reason.As(crossed[v], crosses[v]) }
	}}
	for v, side := range w.sides {
		a, b := found.Order[side.A], found.Order[side.B]
		crosses[v] = a-b == 1 || b-a == 1
		switch {
		case !crosses[v]:
		case on.Order[side.A] == a && on.Order[side.B] == b:
			q.Grounds = append(q.Grounds, reason.Ground{Scope: []int{v}})
		default:
			q.Wanted = append(q.Wanted, v)
		}
	}
	for c := range board.Cell(w.Size.Cells()) {
		q.Grounds = append(q.Grounds, reason.Ground{Rule: w.names.Cover, Scope: w.at(c), Of: coverAt(c), At: []board.Cell{c}})
	}
	q.Grounds = append(q.Grounds, reason.Ground{Rule: w.names.Step, Of: inOnePiece{}, At: []board.Cell{}},
		reason.Ground{Rule: w.names.Order, Of: inOrder{}, At: w.Stops})
	return q
}

// at are the sides of a cell.
func (w way) at(c board.Cell) (scope []int) {
	for v, side := range w.sides {
		if side.A == c || side.B == c {
			scope = append(scope, v)
		}
	}
	return scope
}

// post makes a model of conditions, each of which stands for itself, unlike those of csp.Paths.
func (w way) post(grounds []reason.Ground) (m *csp.Model, crossed []csp.BoolVar) {
	m = csp.NewModel(csp.Config{})
	crossed = m.NewBoolVars(len(w.sides))
	for _, g := range grounds {
		switch of := g.Of.(type) {
		case coverAt:
			ways := 2
			if c := board.Cell(of); c == w.Stops[0] || c == w.Stops[len(w.Stops)-1] {
				ways = 1
			}
			var sides []csp.BoolVar
			for _, v := range g.Scope {
				sides = append(sides, crossed[v])
			}
			m.AddExactlyK(ways, sides...)
		case inOnePiece:
			var joined [][2]int
			for c := range board.Cell(w.Size.Cells()) {
				at := w.at(c)
				for i, v := range at {
					for _, u := range at[:i] {
						joined = append(joined, [2]int{u, v})
					}
				}
			}
			_ = m.AddConnected(crossed, joined) // it fails for other nodes only
		case inOrder:
			w.order(m, crossed)
		default: // it is drawn
			m.AddClause(crossed[g.Scope[0]])
		}
	}
	return m, crossed
}

// order has each side that is crossed be of the part of the path between one stop and the next.
// The sides at a stop are of the parts before and after it, one of each.
func (w way) order(m *csp.Model, crossed []csp.BoolVar) {
	parts := len(w.Stops) - 1
	of := make([][]csp.BoolVar, len(w.sides)) // by side and part
	for v := range of {
		of[v] = m.NewBoolVars(parts)
		m.AddExactlyOne(of[v]...)
	}
	stop := make([]int, w.Size.Cells())
	for i, c := range w.Stops {
		stop[c] = i + 1
	}
	for c := range board.Cell(w.Size.Cells()) {
		at := w.at(c)
		for i, v := range at {
			for k := range parts {
				if stop[c] > 0 && k != stop[c]-1 && k != stop[c]-2 {
					m.AddClause(crossed[v].Not(), of[v][k].Not())
				}
				for _, u := range at[:i] {
					both := []csp.BoolVar{crossed[u].Not(), crossed[v].Not(), of[u][k].Not()}
					if stop[c] > 0 {
						m.AddClause(append(both, of[v][k].Not())...)
					} else {
						m.AddClause(append(both, of[v][k])...)
						m.AddClause(crossed[u].Not(), crossed[v].Not(), of[v][k].Not(), of[u][k]) // not only by all others
					}
				}
			}
		}
	}
}
