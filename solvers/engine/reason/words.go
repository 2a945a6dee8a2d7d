package reason

import (
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// mostNamed is the most rules, and the most things that are known, that a sentence names.
const mostNamed = 6

// Advice puts a reason in words: which conditions leave nothing else, and what is known. cellsOf
// are the cells that variables are about, says tells what one is. The rule is the first
// condition's; empty when there is none.
func Advice(v int, why []Ground, size board.Size, cellsOf func(scope []int) []board.Cell, says func(v int) string) *solvers.Advice {
	step := says(v)
	a := &solvers.Advice{Cells: cellsOf([]int{v})}
	var rules, known []string
	for _, g := range why {
		cells := sorted(cellsOf(g.Scope))
		a.Look = append(a.Look, cells...)
		if g.Known() && says(g.Scope[0]) != step {
			known = append(known, says(g.Scope[0]))
			continue
		}
		if a.Rule == "" {
			a.Rule = g.Rule
		}
		said := fmt.Sprintf("%q", g.Rule)
		if g.Scope != nil {
			said += " at " + size.Names(cells)
		}
		rules = append(rules, said)
	}
	a.Text = step + ": "
	if len(rules) > 0 {
		a.Text += listed(rules, " and ") + " "
	}
	a.Text += map[bool]string{true: "leave", false: "leaves"}[len(rules) > 1] + " nothing else"
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
