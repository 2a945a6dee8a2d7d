package flow

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// TestAdviseAgainstAllSolutions wants each step that is advised to be in every solution of
// random small boards: on the empty board, and again with all the steps drawn that were
// advised before.
func TestAdviseAgainstAllSolutions(t *testing.T) {
	n := uint64(1500)
	if testing.Short() {
		n = 300
	}
	rules := map[string]int{}
	for seed := range n {
		p := randomPuzzle(rand.New(rand.NewPCG(seed, 21)))
		var solutions []*Solution
		_, err := p.Search(t.Context(), SearchOptions{Strict: true}, func(s *Solution) bool {
			solutions = append(solutions, s)
			return len(solutions) < 300
		})
		if err != nil {
			t.Fatal(err)
		}
		advice := p.Advise(nil, nil)
		if advice == nil {
			continue
		}
		rules[advice.Rule]++
		for _, s := range solutions {
			if !takes(s, advice.Cells) {
				t.Fatalf("seed %d, covering %v, %v\n%s\nadvice %+v, not in the solution\n%s", seed, p.covering, p.topology, p, advice, s)
			}
		}
		if len(solutions) == 0 {
			continue
		}
		// With a solution's cells drawn nothing is left to be advised.
		if again := p.Advise(solutions[0], nil); again != nil && solutions[0].pipe[again.Cells[0]] >= 0 && solutions[0].pipe[again.Cells[0]] == solutions[0].pipe[again.Cells[1]] {
			t.Fatalf("seed %d\n%s\nadvice %+v, which is drawn", seed, p, again)
		}
	}
	t.Logf("advice by rule: %v", rules)
	for _, rule := range []string{ruleEnd, ruleCorner, ruleTwoWays, ruleWayOut, ruleCut} {
		if rules[rule] == 0 {
			t.Errorf("no advice by the rule %q: %v", rule, rules)
		}
	}
}

// takes reports whether a pipe steps between two cells.
func takes(s *Solution, cells []board.Cell) bool {
	return slices.ContainsFunc(s.Paths(), func(path []board.Cell) bool {
		for i, c := range path[1:] {
			if c == cells[0] && path[i] == cells[1] || c == cells[1] && path[i] == cells[0] {
				return true
			}
		}
		return false
	})
}

// TestAdviseLeadsOn follows the advice on boards with one solution, each step drawn on its
// cells, and counts how far it leads.
func TestAdviseLeadsOn(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for range 10 {
		made, err := Game{}.Generate(t.Context(), solvers.GenerateOptions{Rows: 7, Cols: 7, Unique: true}, random)
		if err != nil {
			t.Fatal(err)
		}
		p := made.(*Puzzle)
		solved, err := p.Solve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s := solved.(*Solution)
		drawn := newSolution(p, nil)
		for step := 0; ; step++ {
			advice := p.Advise(drawn, nil)
			if advice == nil {
				break
			}
			if !takes(s, advice.Cells) {
				t.Fatalf("%s\nadvice %+v, not in the solution\n%s", p, advice, s)
			}
			if step > 2*p.size.Cells() {
				t.Fatalf("%s\nadvice %+v again and again", p, advice)
			}
			for _, c := range advice.Cells {
				drawn.pipe[c] = s.pipe[c]
			}
		}
	}
}
