package alcazar

import (
	"math/rand/v2"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// TestAdviseAgainstAllSolutions wants each door that is advised to be used in every
// solution of random small boards, with a random part of a solution drawn or nothing.
func TestAdviseAgainstAllSolutions(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	rules := map[string]int{}
	for i := range 1500 {
		p := randomBoard(random)
		var all []*Solution
		_, err := p.Enumerate(t.Context(), solvers.EnumerateOptions{}, func(s solvers.Solution) bool {
			all = append(all, s.(*Solution))
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		var drawn solvers.Solution
		part := &Solution{puzzle: p, used: make([]bool, len(p.open))}
		if len(all) > 0 && random.IntN(2) == 0 {
			for b, used := range all[0].used {
				part.used[b] = used && random.IntN(2) == 0
			}
			drawn = part
		}
		advice := p.Advise(drawn, nil)
		if advice == nil {
			continue
		}
		rules[advice.Rule]++
		for _, s := range all {
			if !uses(s, advice.Cells) {
				t.Fatalf("board %d\n%s\nadvice %+v, not in the solution\n%s", i, p, advice, s)
			}
		}
		if len(advice.Cells) == 2 && uses(part, advice.Cells) {
			t.Fatalf("board %d\n%s\nadvice %+v, which is drawn", i, p, advice)
		}
	}
	t.Logf("advice by rule: %v", rules)
	if rules[ruleTwoDoors] < 100 || rules[ruleNeeded] < 20 {
		t.Errorf("advice by rule: %v: too little to tell anything", rules)
	}
}

// uses reports whether a path joins two rooms, or leads from one room out of the board.
func uses(s *Solution, cells []board.Cell) bool {
	p := s.puzzle
	for d := range board.Dir(4) {
		n := p.neighbour(cells[0], d)
		if s.used[border(p.size, cells[0], d)] && (len(cells) == 1 && n == board.None || len(cells) == 2 && n == cells[1]) {
			return true
		}
	}
	return false
}
