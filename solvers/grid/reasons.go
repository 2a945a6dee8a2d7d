package grid

import (
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/reason"
)

// Words are what a OneEach's rules and things are called.
type Words struct {
	Kinds []string                 // the rules, by kind of unit
	Apart string                   // the rule of cells that must not both be chosen
	Unit  func(kind, i int) string // a unit
	Cell  func(board.Cell) string
}

// Advise finds a thing that must be put next, with the smallest reason that the rules give for it.
// Of each kind of unit, the rule is that one cell of each is chosen.
func (o OneEach) Advise(p solvers.Puzzle, size board.Size, names Words, drawn, solved solvers.Solution) *solvers.Advice {
	found := reason.Solution(p, solved)
	if found == nil {
		return nil
	}
	said := make([]string, o.Cells)
	for _, step := range found.Steps(nil) {
		said[step.Cells[0]] = step.Text
	}
	words := reason.OfCells(size.Name, func(c board.Cell) string { return said[c] })
	words.Names = size.Names
	return o.Question(found, drawn, names).Advise(words)
}

// beside is that no cell that is apart from another is chosen with it.
type beside board.Cell

// crowd is some units of one kind whose cells lie in as many of another.
type crowd [][]board.Cell

// starve is that one cell of a unit is chosen, none that another cell rules out if that is.
type starve struct {
	by   board.Cell
	unit []board.Cell
}

// mostCrowded is the most units of a crowd: people see no more.
const mostCrowded = 3

// Question asks what must be put next. The variables are the cells. What something that is drawn
// rules out is known with it.
func (o OneEach) Question(found, drawn solvers.Solution, names Words) reason.Question {
	chosen := make([]bool, o.Cells)
	q := reason.Question{Size: o.Cells}
	known := map[int]bool{}
	for _, step := range found.Steps(drawn) {
		at := step.Cells[0]
		chosen[at] = true
		if !step.Drawn {
			q.Wanted = append(q.Wanted, int(at))
			continue
		}
		for c := range board.Cell(o.Cells) {
			if !known[int(c)] && (c == at || o.excludes(at, c)) {
				known[int(c)] = true
				q.Grounds = append(q.Grounds, reason.Ground{Scope: []int{int(c)}, At: step.Cells, Text: step.Text})
			}
		}
	}
	units, apart := o.members()
	for i, unit := range units {
		side := len(units) / len(o.Units)
		q.Grounds = append(q.Grounds, reason.Ground{Rule: names.Kinds[i/side], Scope: board.Indices(unit), Of: crowd{unit}, Name: names.Unit(i/side, i%side)})
	}
	for c, others := range apart {
		if len(others) > 0 {
			q.Grounds = append(q.Grounds, reason.Ground{Rule: names.Apart, Scope: sortedIndices(append(others, board.Cell(c))), Of: beside(c), At: []board.Cell{board.Cell(c)}, Open: true})
		}
	}
	q.Sets = func(known func(v int) bool) []reason.Ground {
		return append(o.crowds(units, names, known, chosen), o.starves(units, names, known)...)
	}
	q.Post = func(grounds []reason.Ground) (*csp.Model, func(int) []csp.BoolVar) {
		m := csp.NewModel(csp.Config{})
		at := m.NewBoolVars(o.Cells)
		of := func(c int) []csp.BoolVar { return reason.As(at[c], chosen[c]) }
		for _, g := range grounds {
			switch is := g.Of.(type) {
			case crowd:
				for _, unit := range is {
					var literals []csp.BoolVar
					for _, c := range unit {
						literals = append(literals, at[c])
					}
					m.AddExactlyOne(literals...)
				}
			case beside:
				for _, c := range g.Scope {
					if c != int(is) {
						m.AddAtMostOne(at[is], at[c])
					}
				}
			case starve:
				var literals []csp.BoolVar
				for _, c := range is.unit {
					literals = append(literals, at[c])
					if o.excludes(is.by, c) {
						m.AddAtMostOne(at[is.by], at[c])
					}
				}
				m.AddExactlyOne(literals...)
			default:
				m.AddClause(of(g.Scope[0])[0])
			}
		}
		return m, of
	}
	return q
}

func sortedIndices(cells []board.Cell) []int {
	indices := board.Indices(cells)
	slices.Sort(indices)
	return slices.Compact(indices)
}

// excludes reports whether one cell's choice forbids another's.
func (o OneEach) excludes(a, b board.Cell) bool {
	return o.Apart(a, b) || slices.ContainsFunc(o.Units, func(kind []int) bool { return kind[a] == kind[b] })
}

// crowds are a few units of a kind whose cells, except for those that are known to be empty, lie in as
// many units of another, which have none left for others.
func (o OneEach) crowds(units [][]board.Cell, names Words, known func(v int) bool, chosen []bool) (grounds []reason.Ground) {
	side := len(units) / len(o.Units)
	named := func(kind int, of []int) (text []string) {
		for _, u := range of {
			text = append(text, names.Unit(kind, u))
		}
		return text
	}
	var look func(a, b int, of, in []int)
	look = func(a, b int, of, in []int) {
		if len(of) > 0 && len(of) == len(in) {
			in = slices.Sorted(slices.Values(in))
			if g := o.crowd(units, a, b, of, in, known); g.Scope != nil {
				g.Rule, g.Text = names.Kinds[a], strings.Join(named(a, of), " and ")+map[bool]string{true: " lies", false: " lie"}[len(of) == 1]+" within "+strings.Join(named(b, in), " and ")
				grounds = append(grounds, g)
			}
		}
		from := 0
		if len(of) > 0 {
			from = of[len(of)-1] + 1
		}
		for u := from; u < side && len(of) < mostCrowded; u++ {
			covers, done := slices.Clone(in), false
			for _, c := range units[a*side+u] {
				done = done || known(int(c)) && chosen[c]
				if k := o.Units[b][c]; !known(int(c)) && !slices.Contains(covers, k) {
					covers = append(covers, k)
				}
			}
			if !done && len(covers) <= mostCrowded {
				look(a, b, append(slices.Clone(of), u), covers)
			}
		}
	}
	for a := range o.Units {
		for b := range o.Units {
			if a != b {
				look(a, b, nil, nil)
			}
		}
	}
	return grounds
}

// crowd is the condition of some units of kind a that lie within as many of kind b; it is about
// nothing where it leaves no cell of those to others anyway.
func (o OneEach) crowd(units [][]board.Cell, a, b int, of, in []int, known func(v int) bool) (g reason.Ground) {
	side := len(units) / len(o.Units)
	var all crowd
	var scope []int
	for _, u := range of {
		all, scope = append(all, units[a*side+u]), append(scope, board.Indices(units[a*side+u])...)
	}
	lies := len(scope)
	for _, u := range in {
		all, scope = append(all, units[b*side+u]), append(scope, board.Indices(units[b*side+u])...)
	}
	if slices.ContainsFunc(scope[lies:], func(c int) bool { return !known(c) && !slices.Contains(scope[:lies], c) }) {
		slices.Sort(scope)
		g.Of, g.Scope = all, slices.Compact(scope)
	}
	return g
}

// starves are cells whose choice would leave a unit none.
func (o OneEach) starves(units [][]board.Cell, names Words, known func(v int) bool) (grounds []reason.Ground) {
	side := len(units) / len(o.Units)
	for by := range board.Cell(o.Cells) {
		for i, unit := range units {
			if known(int(by)) || slices.ContainsFunc(unit, func(c board.Cell) bool { return c == by || !known(int(c)) && !o.excludes(by, c) }) {
				continue
			}
			grounds = append(grounds, reason.Ground{Rule: names.Kinds[i/side], Scope: sortedIndices(append(slices.Clone(unit), by)), Of: starve{by, unit},
				Text: names.Cell(by) + " would leave " + names.Unit(i/side, i%side) + " none"})
		}
	}
	return grounds
}

// Part is the board with some of the things only.
func (s Placed) Part(steps []int) Placed {
	on, things := s.Empty(), s.Things()
	for _, i := range steps {
		on.Cells[things[i]] = s.Cells[things[i]]
	}
	return on
}
