package alcazar

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"tapwise/solvers"
)

// testCase is a case of a file in testdata: what is expected, a puzzle, and
// in some files a solution.
type testCase struct{ want, puzzle, solution string }

func readCases(t testing.TB, file string) []testCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []testCase
	for _, text := range strings.Split(string(data), "\n= ")[1:] {
		want, body, _ := strings.Cut(text, "\n")
		body, _, _ = strings.Cut(body, "\n\n")
		puzzle, solution, _ := strings.Cut(body, "\n--")
		cases = append(cases, testCase{want, strings.Trim(puzzle, "\n"), strings.Trim(solution, "\n")})
	}
	return cases
}

// TestCheck has the cases of testdata/check.txt judged.
func TestCheck(t *testing.T) {
	for _, c := range readCases(t, "testdata/check.txt") {
		t.Run(c.want, func(t *testing.T) {
			p, err := Parse(c.puzzle)
			if err != nil {
				t.Fatalf("%v\n%s", err, c.puzzle)
			}
			if got := p.String(); got != c.puzzle {
				t.Errorf("printed back\n%s\nexpected\n%s", got, c.puzzle)
			}
			s, err := p.ParseSolution(c.solution)
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, c.puzzle, c.solution)
			}
			if got := s.String(); got != c.solution {
				t.Errorf("printed back\n%s\nexpected\n%s", got, c.solution)
			}
			for _, f := range []Form{p.form, Grid, Box, Plain} {
				s := s.(*Solution).As(f)
				again, err := p.As(f).ParseSolution(s.String())
				if err != nil {
					t.Fatalf("as %v: %v\n%s", f, err, s)
				}
				judge(t, c.want, again)
			}
		})
	}
}

// TestForms writes boards of testdata/forms.txt in each form.
func TestForms(t *testing.T) {
	for _, c := range readCases(t, "testdata/forms.txt") {
		box, plain, _ := strings.Cut(c.solution, "\n--\n")
		texts := []string{Grid: c.puzzle, Box: box, Plain: plain}
		for from, text := range texts {
			p, err := Parse(text)
			if err != nil {
				t.Errorf("%s: %v\n%s", c.want, err, text)
				continue
			}
			for to, want := range texts {
				if got := p.As(Form(to)).String(); got != want {
					t.Errorf("%s: from %v to %v: got\n%s\nexpected\n%s", c.want, Form(from), Form(to), got, want)
				}
			}
		}
	}
}

// judge compares what Check says with what is wanted.
func judge(t *testing.T, want string, s solvers.Solution) {
	t.Helper()
	err := s.Check()
	if want == "right" {
		if err != nil {
			t.Errorf("%v\n%s", err, s)
		}
		return
	}
	rule, detail, _ := strings.Cut(want, ": ")
	var broken *solvers.RuleError
	if !errors.As(err, &broken) || broken.Rule != rule || !strings.Contains(broken.Detail, detail) {
		t.Errorf("got %v, expected rule %q with %q\n%s", err, rule, detail, s)
	}
}

// TestRefuses tries what is no puzzle, and what is no solution.
func TestRefuses(t *testing.T) {
	for _, c := range readCases(t, "testdata/refused.txt") {
		if p, err := Parse(c.puzzle); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, %v, expected an error with %q\n%s", p, err, c.want, c.puzzle)
		}
	}
	long := strings.Repeat("xx", MaxSide+1) + "x"
	for _, text := range []string{"", "\n\n", "x", "+", "xxx\nx0x\nx\xffx", "xxx\r\nx0x\r\nx x",
		long + "\n" + strings.Repeat("x0", MaxSide+1) + "x\n" + long, strings.Repeat("xxx\nx0x\n", MaxSide+1) + "xxx"} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%q: accepted as\n%s", text, p)
		}
	}
	for _, c := range readCases(t, "testdata/refused_solution.txt") {
		p, err := Parse(c.puzzle)
		if err != nil {
			t.Fatalf("%v\n%s", err, c.puzzle)
		}
		if s, err := p.ParseSolution(c.solution); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, %v, expected an error with %q\n%s\n%s", s, err, c.want, c.puzzle, c.solution)
		}
	}
}

// TestReasons wants the reason in words for boards without a solution.
func TestReasons(t *testing.T) {
	for _, c := range readCases(t, "testdata/unsolvable.txt") {
		p, err := Parse(c.puzzle)
		if err != nil {
			t.Fatalf("%v\n%s", err, c.puzzle)
		}
		_, err = p.Solve(context.Background())
		var reason *solvers.NoSolutionError
		if !errors.Is(err, solvers.ErrNoSolution) || !errors.As(err, &reason) || !strings.Contains(reason.Reason, c.want) {
			t.Errorf("got %v, expected a reason with %q\n%s", err, c.want, p)
		}
		m, err := p.model()
		if err != nil {
			t.Fatal(err)
		}
		if m.Solve(context.Background()).String() != "infeasible" {
			t.Errorf("the search finds a solution, %q says that there is none\n%s\n%s", c.want, p, m.solution())
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{"testdata/check.txt", "testdata/refused.txt", "testdata/refused_solution.txt"} {
		for _, c := range readCases(f, file) {
			f.Add(c.puzzle, c.solution)
		}
	}
	f.Fuzz(func(t *testing.T, puzzle, solution string) {
		p, err := Parse(puzzle)
		if err != nil {
			return
		}
		if got := p.String(); got != strings.TrimRight(puzzle, "\n") {
			t.Fatalf("read %q, printed %q", puzzle, got)
		}
		for _, form := range []Form{Grid, Box, Plain} {
			q := p.As(form)
			again, err := Parse(q.String())
			if err != nil || again.String() != q.String() {
				t.Fatalf("%q as %v: %v\n%s\nread again\n%v", puzzle, form, err, q, again)
			}
			s, err := q.ParseSolution(solution)
			if err != nil {
				continue
			}
			if got := s.String(); got != strings.TrimRight(solution, "\n") {
				t.Fatalf("solution %q printed %q", solution, got)
			}
			_ = s.Check()
		}
	})
}
