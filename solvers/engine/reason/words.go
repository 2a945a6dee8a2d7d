package reason

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// solutionConflicts bounds the search for the solution, in conflicts of the engine.
const solutionConflicts = 500_000

// Solution is that of a puzzle: the known one if it is not nil, and nil if none is found soon enough.
func Solution(p solvers.Puzzle, known solvers.Solution) solvers.Solution {
	if known != nil {
		return known
	}
	bounded, release := csp.WithBudget(context.Background(), solutionConflicts)
	defer release()
	s, err := p.Solve(bounded)
	if err != nil {
		return nil
	}
	return s
}

// mostNamed is the most rules, and the most things that are known, that a sentence names.
const mostNamed = 6

// Words are how a game talks of its variables.
type Words struct {
	Cells func(scope []int) []board.Cell  // that variables are about
	Says  func(v int) string              // what a variable is
	Names func(cells []board.Cell) string // cells for people
}

// OfCells are the words of a game whose variables are its cells.
func OfCells(name func(board.Cell) string, says func(c board.Cell) string) Words {
	return Words{
		Cells: func(scope []int) (cells []board.Cell) {
			for _, c := range scope {
				cells = append(cells, board.Cell(c))
			}
			return cells
		},
		Says: func(v int) string { return says(board.Cell(v)) },
		Names: func(cells []board.Cell) string {
			var names []string
			for _, c := range cells {
				names = append(names, name(c))
			}
			return listed(names, ", ")
		},
	}
}

// Advise puts the answer in words: which conditions leave nothing else, and what is known. The rule
// is the first condition's; empty when there is none. Without an answer there is no advice.
func (q Question) Advise(words Words) *solvers.Advice {
	v, why := q.Answer()
	if why == nil {
		return nil
	}
	step := words.Says(v)
	a := &solvers.Advice{Cells: words.Cells([]int{v})}
	var rules, sets, known []string
	at := map[string][]string{} // by rule: what names its conditions, if anything does
	conditions := 0
	for _, g := range why {
		cells := g.At
		if cells == nil {
			cells = sorted(words.Cells(g.Scope))
		}
		a.Look = append(a.Look, cells...)
		if g.Known() && words.Says(g.Scope[0]) != step {
			known = append(known, cmp.Or(g.Text, words.Says(g.Scope[0])))
			continue
		}
		if a.Rule == "" {
			a.Rule = g.Rule
		}
		if g.Text != "" {
			sets = append(sets, g.Text)
			continue
		}
		if !slices.Contains(rules, g.Rule) {
			rules = append(rules, g.Rule)
		}
		if conditions++; g.Name != "" {
			at[g.Rule] = append(at[g.Rule], g.Name)
		} else if g.Scope != nil {
			at[g.Rule] = append(at[g.Rule], words.Names(cells))
		}
	}
	for i, rule := range rules {
		rules[i] = fmt.Sprintf("%q", rule)
		if places := at[rule]; places != nil {
			rules[i] += " at " + listed(places, " and ")
		}
	}
	if conditions == 0 {
		rules, sets, conditions = sets, nil, len(sets)
	}
	a.Text = step + ": "
	if len(rules) > 0 {
		a.Text += listed(rules, " and ") + " "
	}
	a.Text += map[bool]string{true: "leave", false: "leaves"}[conditions > 1] + " nothing else"
	if len(sets) > 0 {
		a.Text += ", since " + listed(sets, " and ")
	}
	if len(known) > 0 {
		slices.Sort(known)
		a.Text += ", with " + listed(slices.Compact(known), ", ")
	}
	a.Look = sorted(a.Look)
	return a
}

// sorted are the cells in order, each once.
func sorted(cells []board.Cell) []board.Cell {
	slices.Sort(cells)
	return slices.Compact(cells)
}

// listed joins the first of some texts, and says how many more there are.
func listed(texts []string, between string) string {
	if more := len(texts) - mostNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:mostNamed], between), more)
	}
	return strings.Join(texts, between)
}
