package sabr

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tapwise/solvers"
)

func TestCheckRefuses(t *testing.T) {
	for _, c := range sections(t, "testdata/check.txt") {
		rule, _, _ := strings.Cut(c[0], ":")
		program, result, _ := strings.Cut(c[1], "\n--\n")
		err := parseText(t, program).Check(strings.ReplaceAll(result, "~\n", " \n") + "\n")
		var broken *solvers.RuleError
		if !errors.As(err, &broken) || broken.Rule != rule {
			t.Errorf("%s: %v for\n%s\n%s", c[0], err, program, result)
		}
	}
}

// Where a program has one result, every change to what is printed is wrong.
func TestCheckChanged(t *testing.T) {
	for _, file := range []string{"adrift.tb", "einstein.tb", "schedule.tb", "sudoku-hard.tb", "hanoi.tb", "eight-puzzle.tb"} {
		p := parseFile(t, "testdata/"+file)
		r, err := p.Solve(context.Background(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for stage, board := range r.Boards {
			for c := range board {
				right := board[c]
				for _, w := range p.lists[p.board[c].list].symbols {
					if w.text == right {
						continue
					}
					board[c] = w.text
					if p.Check(r.String()) == nil {
						t.Fatalf("%s: stage %d cell %s: %s in the place of %s is not noticed:\n%s", file, stage, r.Cells[c], w.text, right, r)
					}
				}
				board[c] = right
			}
		}
		for _, steps := range r.Steps {
			right := steps[0]
			for _, m := range newUnrolling(context.Background(), p, mostMemory).moves {
				if steps[0] = m.name; m.name != right && p.Check(r.String()) == nil {
					t.Fatalf("%s: step %s in the place of %s is not noticed", file, m.name, right)
				}
			}
			steps[0] = right
		}
		if err := p.Check(r.String()); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
