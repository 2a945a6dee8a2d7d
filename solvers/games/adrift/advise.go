package adrift

import (
	"context"
	"fmt"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/reason"
)

// Advise returns a cell whose chain the rules force, with the smallest reason that is found for it;
// see package reason. What is drawn wrong is not taken for known.
func (p *Puzzle) Advise(drawn, solved solvers.Solution) *solvers.Advice {
	found, ok := reason.Solution(p, solved).(*Solution)
	if !ok {
		return nil
	}
	return p.question(found, drawn).Advise(reason.OfCells(p.Name, func(c board.Cell) string {
		what := "chain"
		if p.colour[c] >= 0 {
			what = "end"
		}
		return fmt.Sprintf("%s %s at %s", what, p.Label(found.colour[c]), p.Name(c))
	}))
}

// Grade is how hard the puzzle is.
func (p *Puzzle) Grade(ctx context.Context) (solvers.Grade, error) {
	found, err := p.Solve(ctx)
	if err != nil {
		return solvers.Grade{}, err
	}
	return p.question(found.(*Solution), nil).Grade(ctx)
}

// Part is the solution with some of its chains only; the ends are there in any case.
func (s *Solution) Part(chains []int) solvers.Solution {
	part, paths := *s, s.Paths()
	part.colour = slices.Clone(s.puzzle.colour)
	for _, i := range chains {
		for _, c := range paths[i] {
			part.colour[c] = s.colour[c]
		}
	}
	return &part
}

// The conditions of the rules: what a cell touches, and that a colour's cells are connected.
type (
	touchAt board.Cell
	chainOf int
)

// question asks which cell's colour follows. The variables are the cells.
func (p *Puzzle) question(found *Solution, drawn solvers.Solution) reason.Question {
	q := reason.Question{Size: p.cells()}
	on, _ := drawn.(*Solution)
	for c, k := range found.colour {
		switch {
		case k == stone:
			continue
		case p.colour[c] >= 0 || on != nil && len(on.colour) == len(found.colour) && on.colour[c] == k:
			q.Grounds = append(q.Grounds, reason.Ground{Scope: []int{c}})
		default:
			q.Wanted = append(q.Wanted, c)
		}
		scope := []board.Cell{board.Cell(c)}
		for _, n := range p.neighbours(board.Cell(c)) {
			if !p.Stone(n) {
				scope = append(scope, n)
			}
		}
		q.Grounds = append(q.Grounds, reason.Ground{Rule: "touch", Scope: board.Indices(scope), Of: touchAt(c), At: []board.Cell{board.Cell(c)}})
	}
	for k, ends := range p.ends {
		q.Grounds = append(q.Grounds, reason.Ground{Rule: "chain", Of: chainOf(k), At: ends[:]})
	}
	var touching [][2]int
	for c := range p.cells() {
		for _, n := range p.neighbours(board.Cell(c)) {
			if int(n) > c {
				touching = append(touching, [2]int{c, int(n)})
			}
		}
	}
	q.Post = func(grounds []reason.Ground) (*csp.Model, func(int) []csp.BoolVar) {
		post := poster{Model: csp.NewModel(csp.Config{}), puzzle: p, touching: touching, colours: map[board.Cell][]csp.BoolVar{}}
		for _, g := range grounds {
			post.add(g, found)
		}
		return post.Model, func(c int) []csp.BoolVar {
			if p.Stone(board.Cell(c)) {
				return nil
			}
			return reason.Only(post.at(board.Cell(c)), found.colour[c])
		}
	}
	return q
}

// poster posts conditions, each of which stands for itself, unlike those of csp.Paths.
type poster struct {
	*csp.Model
	puzzle   *Puzzle
	touching [][2]int                     // cells
	colours  map[board.Cell][]csp.BoolVar // by colour
}

// at are the literals of the colours of a cell that is no stone, one of which it has (the
// rule cover).
func (m *poster) at(c board.Cell) []csp.BoolVar {
	of := m.colours[c]
	if of != nil {
		return of
	}
	of = m.NewBoolVars(len(m.puzzle.ends))
	m.AddExactlyOne(of...)
	m.colours[c] = of
	return of
}

func (m *poster) add(g reason.Ground, found *Solution) {
	switch of := g.Of.(type) {
	case touchAt:
		c, wanted := board.Cell(of), 2
		if m.puzzle.colour[c] >= 0 {
			wanted = 1
		}
		for k, here := range m.at(c) {
			var beside csp.LinearExpr
			for _, n := range m.puzzle.neighbours(c) {
				if !m.puzzle.Stone(n) {
					beside.Add(m.at(n)[k])
				}
			}
			m.AddLinearConstraint(&beside, wanted, wanted, here)
		}
	case chainOf:
		var nodes []csp.BoolVar
		for c := range board.Cell(m.puzzle.cells()) {
			if m.puzzle.Stone(c) {
				nodes = append(nodes, m.False())
			} else {
				nodes = append(nodes, m.at(c)[of])
			}
		}
		_ = m.AddConnected(nodes, m.touching) // it fails for other nodes only
	default: // it is drawn, or an end
		c := board.Cell(g.Scope[0])
		m.AddClause(m.at(c)[found.colour[c]])
	}
}
