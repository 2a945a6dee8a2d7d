package alcazar

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/gametest"
)

// TestGame runs the suite that every game passes.
func TestGame(t *testing.T) { gametest.Run(t, Game{}, "testdata/cases/*.txt") }

// FuzzParse writes each puzzle in each form.
func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, Game{}, "testdata/cases/*.txt", func(t *testing.T, p solvers.Puzzle, solution string) {
		for _, form := range []Form{Grid, Box, Plain} {
			q := p.(*Puzzle).As(form)
			again, err := Parse(q.String())
			if err != nil || again.String() != q.String() {
				t.Fatalf("%q as %v: %v\n%s\nread again\n%v", p, form, err, q, again)
			}
			s, err := q.ParseSolution(solution)
			if err != nil {
				continue
			}
			if again, err := q.ParseSolution(s.String()); err != nil || again.String() != s.String() {
				t.Fatalf("solution %q printed %q (%v)", solution, s, err)
			}
			_ = s.Check()
		}
	})
}

// TestForms writes boards of testdata/forms.txt in each form.
func TestForms(t *testing.T) {
	for _, c := range gametest.Cases(t, "testdata/forms.txt") {
		for from, text := range c.Parts {
			p, err := Parse(text)
			if err != nil {
				t.Errorf("%s: %v\n%s", c.Where, err, text)
				continue
			}
			for to, want := range c.Parts {
				if got := p.As(Form(to)).String(); got != want {
					t.Errorf("%s: from %v to %v: got\n%s\nexpected\n%s", c.Where, Form(from), Form(to), got, want)
				}
			}
		}
	}
}

// TestPadded reads boards without the blanks at the end of lines, and their
// solutions.
func TestPadded(t *testing.T) {
	for _, c := range gametest.Cases(t, "testdata/padded.txt") {
		p, err := Parse(c.Parts[0])
		if err != nil {
			t.Errorf("%s: %v\n%s", c.Where, err, c.Parts[0])
			continue
		}
		if got := p.String(); got != c.Parts[1] {
			t.Errorf("%s: read as\n%q\nexpected\n%q", c.Where, got, c.Parts[1])
		}
		if _, err := p.ParseSolution(c.Parts[2]); err != nil {
			t.Errorf("%s: %v", c.Where, err)
		}
	}
}

// TestSolutionForms has solutions judged in each form as in their own.
func TestSolutionForms(t *testing.T) {
	for _, c := range gametest.Cases(t, "testdata/cases/*.txt", "solved", "right", "wrong") {
		p, err := Parse(c.Parts[0])
		if err != nil {
			t.Fatal(err)
		}
		own, err := p.ParseSolution(c.Parts[1])
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprint(own.Check())
		for _, f := range []Form{Grid, Box, Plain} {
			s := own.(*Solution).As(f)
			again, err := p.As(f).ParseSolution(s.String())
			if err != nil {
				t.Errorf("%s as %v: %v\n%s", c.Where, f, err, s)
			} else if got := fmt.Sprint(again.Check()); got != want {
				t.Errorf("%s as %v: %s, expected %s\n%s", c.Where, f, got, want, s)
			}
		}
	}
}

// TestTooLarge tries boards of one more row or column than there may be.
func TestTooLarge(t *testing.T) {
	long := strings.Repeat("xx", MaxSide+1) + "x"
	for want, text := range map[string]string{
		"expected 1 to 128":    long + "\n" + strings.Repeat("x0", MaxSide+1) + "x\n" + long,
		"expected at most 257": strings.Repeat("xxx\nx0x\n", MaxSide+1) + "xxx",
	} {
		if p, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, %v, expected an error with %q", p, err, want)
		}
	}
}

// TestUnsolvable searches boards for which a reason says that there is no solution.
func TestUnsolvable(t *testing.T) {
	for _, c := range gametest.Cases(t, "testdata/cases/*.txt", "unsolvable") {
		p, err := Parse(c.Parts[0])
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.model(true)
		if err != nil {
			t.Fatal(err)
		}
		if m.Solve(context.Background()).String() != "infeasible" {
			t.Errorf("the search finds a solution, %q says that there is none\n%s\n%s", c.Want, p, m.solution())
		}
	}
}
