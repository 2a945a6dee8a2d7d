package algemy

import (
	"context"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/reason"
)

// Advise returns a light source that the rules force, with the smallest reason that is found for
// it; see package reason. What is drawn wrong is not taken for known.
func (p *Puzzle) Advise(drawn, solved solvers.Solution) *solvers.Advice {
	found, ok := reason.Solution(p, solved).(*Solution)
	if !ok {
		return nil
	}
	return p.question(found, drawn).Advise(reason.OfCells(p.Name, func(c board.Cell) string {
		return sourceNote(found.sources[c], p.Name(c))
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

// Part is the solution with some of its light sources only.
func (s *Solution) Part(steps []int) solvers.Solution {
	part, all := *s, s.Steps(nil)
	part.sources = slices.Repeat([]Colour{noSource}, len(s.sources))
	for _, i := range steps {
		c := all[i].Cells[0]
		part.sources[c] = s.sources[c]
	}
	return &part
}

// The conditions of the rules: two sources on a sight-line, what an empty cell needs, and what a
// crystal does.
type (
	apartOn  int // a sight-line
	litAt    board.Cell
	mixingAt board.Cell
)

// question asks which source follows. The variables are the cells.
func (p *Puzzle) question(found *Solution, drawn solvers.Solution) reason.Question {
	q := reason.Question{Size: p.cells()}
	for _, step := range found.Steps(drawn) {
		if c := int(step.Cells[0]); step.Drawn {
			q.Grounds = append(q.Grounds, reason.Ground{Scope: []int{c}})
		} else {
			q.Wanted = append(q.Wanted, c)
		}
	}
	lines := p.lines()
	for c, crystal := range p.crystals {
		var scope []board.Cell
		for _, l := range lines.at[c] {
			scope = append(scope, lines.cells[l]...)
		}
		g := reason.Ground{Rule: "mixing", Scope: board.Indices(scope), Of: mixingAt(c), At: []board.Cell{board.Cell(c)}, Open: true}
		if crystal == Empty {
			g.Rule, g.Of = "lit", litAt(c)
		}
		q.Grounds = append(q.Grounds, g)
	}
	for l, cells := range lines.cells {
		if len(cells) > 1 {
			q.Grounds = append(q.Grounds, reason.Ground{Rule: "apart", Scope: board.Indices(cells), Of: apartOn(l)})
		}
	}
	q.Post = func(grounds []reason.Ground) (*csp.Model, func(int) []csp.BoolVar) {
		post := poster{Model: csp.NewModel(csp.Config{}), puzzle: p, sources: map[int][Violet + 1]csp.BoolVar{}}
		for _, g := range grounds {
			post.add(g, found)
		}
		return post.Model, func(c int) []csp.BoolVar {
			of := post.at(c)
			return reason.Only(of[:], int(found.sources[c]))
		}
	}
	return q
}

// poster posts conditions. They are said without sight-lines' literals, unlike model, so that each
// stands for itself.
type poster struct {
	*csp.Model
	puzzle  *Puzzle
	sources map[int][Violet + 1]csp.BoolVar // by cell and colour
}

// at are the literals of the sources that may be on a cell, at most one of which is.
func (m *poster) at(c int) [Violet + 1]csp.BoolVar {
	of, ok := m.sources[c]
	if !ok {
		var possible []csp.BoolVar
		for k := range Violet + 1 {
			of[k] = m.False()
			if m.puzzle.crystals[c] == Empty && m.puzzle.Colours().Has(k) {
				of[k] = m.NewBoolVar()
				possible = append(possible, of[k])
			}
		}
		m.AddAtMostOne(possible...)
		m.sources[c] = of
	}
	return of
}

// of are the literals of sources of some colours on some cells.
func (m *poster) of(cells []int, colours ColourSet) (literals []csp.BoolVar) {
	for _, c := range cells {
		for k, literal := range m.at(c) {
			if colours.Has(Colour(k)) {
				literals = append(literals, literal)
			}
		}
	}
	return literals
}

func (m *poster) add(g reason.Ground, found *Solution) {
	switch of := g.Of.(type) {
	case apartOn:
		m.AddAtMostOne(m.of(g.Scope, hardColours)...)
	case litAt:
		m.AddClause(m.of(g.Scope, hardColours)...)
	case mixingAt:
		rule := mixing(m.puzzle.crystals[of], m.puzzle.hard)
		for _, literal := range m.of(g.Scope, rule.never) {
			m.AddClause(literal.Not())
		}
		for _, need := range rule.needs() {
			m.AddClause(m.of(g.Scope, need)...)
		}
	default: // it is drawn
		m.AddClause(m.at(g.Scope[0])[found.sources[g.Scope[0]]])
	}
}
