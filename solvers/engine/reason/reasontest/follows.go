// Package reasontest tries reasons out by plain evaluation, without the engine.
package reasontest

import (
	"slices"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/reason"
)

// mostWays bounds the ways to fill the variables of a reason.
const mostWays = 300_000

// Board is a board whose variables can be filled in all ways.
type Board struct {
	Values []int                                    // the solution, by variable
	Domain func(v int) []int                        // the values that a variable can have
	Holds  func(g reason.Ground, values []int) bool // whether a condition of a rule holds
	Says   func(v int) string
}

// Follows fills the variables that a reason is about in all ways, and fails the test unless
// variable v is as in the solution wherever all grounds hold, and may be otherwise without any
// one of them. It reports false where there are too many ways.
func (b Board) Follows(t *testing.T, v int, why []reason.Ground) bool {
	t.Helper()
	variables := []int{v}
	for _, g := range why {
		if g.Scope == nil {
			variables = variables[:0]
			for v := range b.Values {
				variables = append(variables, v)
			}
			break
		}
		variables = append(variables, g.Scope...)
	}
	slices.Sort(variables)
	variables = slices.Compact(variables)
	ways := 1
	for _, v := range variables {
		if ways *= len(b.Domain(v)); ways > mostWays {
			return false
		}
	}
	values := slices.Clone(b.Values)
	otherwise := make([]bool, len(why)) // with all grounds but one
	var fill func(i int)
	fill = func(i int) {
		if i < len(variables) {
			for _, values[variables[i]] = range b.Domain(variables[i]) {
				fill(i + 1)
			}
			return
		}
		if values[v] == b.Values[v] {
			return
		}
		broken, which := 0, 0
		for k, g := range why {
			holds := g.Known() && g.Of == nil && values[g.Scope[0]] == b.Values[g.Scope[0]]
			if g.Of != nil {
				holds = b.Holds(g, values)
			}
			if !holds {
				broken, which = broken+1, k
			}
		}
		switch broken {
		case 0:
			t.Fatalf("%s can be otherwise: %+v", b.Says(v), why)
		case 1:
			otherwise[which] = true
		}
	}
	fill(0)
	for k, needed := range otherwise {
		if !needed {
			t.Fatalf("%s follows without %+v of %+v", b.Says(v), why[k], why)
		}
	}
	return true
}

// Solution is one of which there may be a part only.
type Solution interface {
	solvers.Solution
	solvers.Parter
}

// Tell tells all steps of a solution, each by an answer to a question about what is told already,
// and tries the reasons out. Cells are those of a variable.
func (b Board) Tell(t *testing.T, s Solution, cells func(v int) []board.Cell, ask func(drawn solvers.Solution) reason.Question) (told, tried int) {
	t.Helper()
	steps := s.Steps(nil)
	var done []int
	for len(done) < len(steps) {
		part := s.Part(done)
		before := len(done)
		for i, step := range s.Steps(part) {
			if step.Drawn && !slices.Contains(done, i) {
				done = append(done, i) // it is there with the others
			}
		}
		if len(done) > before {
			continue
		}
		v, why := ask(part).Answer()
		if why == nil {
			t.Fatalf("no reason is told for any step beside %d of\n%s", done, s)
		}
		told++
		if b.Follows(t, v, why) {
			tried++
		}
		at := slices.IndexFunc(steps, func(step solvers.Step) bool {
			return !slices.ContainsFunc(cells(v), func(c board.Cell) bool { return !slices.Contains(step.Cells, c) })
		})
		if at < 0 || slices.Contains(done, at) {
			t.Fatalf("%s is told, which is of no step that is missing", b.Says(v))
		}
		done = append(done, at)
	}
	return told, tried
}
