package asteroid

import (
	"regexp"
	"strconv"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/gametest"
)

// TestAdvise tells all moves of levels. Each number of moves that are left is that of a solution
// of the board after the move, which is solved by itself; what is said to be in the way fails
// Check, and what may slide does not.
func TestAdvise(t *testing.T) {
	left := regexp.MustCompile(`(\d+) moves? (?:is|are) left (?:then|after "([^"]*)")`)
	told, others := 0, 0
	for _, level := range gametest.Levels(t, Game{})[:3] {
		p := level.(*Puzzle)
		found, err := p.Solve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s := found.(*Solution)
		at := &Puzzle{at: p.at}
		var done []int
		for i, m := range s.moves {
			next, why := solvers.NextStep(p, s, nil, done)
			if next != i || why == nil || why.Text[:len(m.words())] != m.words() {
				t.Fatalf("after %d moves, step %d is told: %+v", i, next, why)
			}
			slides := map[string]*Puzzle{}
			for d := range board.Dir(4) {
				for c := range board.Cell(cells) {
					try := Move{From: c, Dir: d}
					one := &Solution{puzzle: at, moves: []Move{try}}
					if after, ok := one.slide(); ok {
						slides[try.words()] = after
					}
				}
			}
			counts := left.FindAllStringSubmatch(why.Text, -1)
			if m.Exit {
				break
			}
			if len(counts) != len(slides) {
				t.Errorf("%q tells of %d slides, expected %d", why.Text, len(counts), len(slides))
			}
			for _, count := range counts {
				name := count[2]
				if name == "" {
					name = m.words()
				}
				rest, err := slides[name].Solve(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if n, _ := strconv.Atoi(count[1]); n != len(rest.(*Solution).moves) {
					t.Errorf("%q, expected %d moves after %q", why.Text, len(rest.(*Solution).moves), name)
				}
				told++
			}
			others += len(why.Look)
			at, done = slides[m.words()], append(done, i)
		}
	}
	if told < 20 || others == 0 {
		t.Errorf("%d numbers of moves are told, and %d tiles that cannot slide", told, others)
	}
}

// slide is the board after a slide; ok is false where Check refuses it.
func (s *Solution) slide() (p *Puzzle, ok bool) {
	rule := ""
	if broken, is := s.Check().(*solvers.RuleError); is {
		rule = broken.Rule
	}
	m := s.moves[0]
	to := size.Beside(m.From, m.Dir)
	if rule != "exit" || to == board.None { // it ends before the exit, and breaks nothing else
		return nil, false
	}
	p = &Puzzle{at: s.puzzle.at}
	p.at[to], p.at[m.From] = p.at[m.From], hole
	return p, true
}
