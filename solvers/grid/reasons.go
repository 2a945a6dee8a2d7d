package grid

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/reason"
)

// Words are what a OneEach's rules and things are called.
type Words struct {
	Kinds []string // the rules, by kind of unit
	Apart string   // the rule of cells that must not both be chosen
}

// Advise finds a thing that must be put next, with the smallest reason that the rules give for it.
// Of each kind of unit, the rule is that one cell of each is chosen.
func (o OneEach) Advise(p solvers.Puzzle, size board.Size, names Words, drawn solvers.Solution) *solvers.Advice {
	found := reason.Solution(p)
	if found == nil {
		return nil
	}
	chosen := make([]bool, o.Cells)
	said := make([]string, o.Cells)
	q := reason.Question{Size: o.Cells}
	for _, step := range found.Steps(drawn) {
		c := int(step.Cells[0])
		chosen[c], said[c] = true, step.Text
		if step.Drawn {
			q.Grounds = append(q.Grounds, reason.Ground{Scope: []int{c}})
		} else {
			q.Wanted = append(q.Wanted, c)
		}
	}
	units, apart := o.members()
	for i, unit := range units {
		q.Grounds = append(q.Grounds, reason.Ground{Rule: names.Kinds[i*len(o.Units)/len(units)], Scope: board.Indices(unit)})
	}
	for _, pair := range apart {
		q.Grounds = append(q.Grounds, reason.Ground{Rule: names.Apart, Scope: board.Indices(pair[:]), Of: pair})
	}
	q.Post = func(grounds []reason.Ground) (*csp.Model, func(int) csp.BoolVar) {
		m := csp.NewModel(csp.Config{})
		at := m.NewBoolVars(o.Cells)
		for _, g := range grounds {
			var literals []csp.BoolVar
			for _, c := range g.Scope {
				literals = append(literals, at[c])
			}
			if g.Of != nil {
				m.AddAtMostOne(literals...)
			} else {
				m.AddExactlyOne(literals...) // what is drawn is one of one
			}
		}
		return m, func(c int) csp.BoolVar {
			if chosen[c] {
				return at[c]
			}
			return at[c].Not()
		}
	}
	words := reason.OfCells(size.Name, func(c board.Cell) string { return said[c] })
	words.Names = size.Names
	return q.Advise(words)
}

// Part is the board with some of the things only.
func (s Placed) Part(steps []int) Placed {
	on, things := s.Empty(), s.Things()
	for _, i := range steps {
		on.Cells[things[i]] = s.Cells[things[i]]
	}
	return on
}
