package asteroid

import (
	"errors"
	"os"
	"strings"
	"testing"

	"tapwise/solvers"
)

// sample is a case of a file in testdata: what is expected, and a text.
type sample struct{ want, text string }

func samples(t testing.TB, file string) []sample {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var all []sample
	for _, part := range strings.Split(string(data), "\n= ")[1:] {
		want, text, _ := strings.Cut(part, "\n")
		all = append(all, sample{want, strings.TrimRight(text, "\n")})
	}
	return all
}

// TestCheck has the cases of testdata/check.txt judged.
func TestCheck(t *testing.T) {
	for _, c := range samples(t, "check.txt") {
		puzzle, solution, _ := strings.Cut(c.text, "\n--\n")
		t.Run(c.want, func(t *testing.T) {
			p, err := Parse(puzzle)
			if err != nil {
				t.Fatal(err)
			}
			s, err := p.ParseSolution(solution)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.String(); got != solution {
				t.Errorf("printed back\n%s\nexpected\n%s", got, solution)
			}
			err = s.Check()
			if c.want == "right" {
				if err != nil {
					t.Errorf("%v\n%s\n%s", err, p, s)
				}
				return
			}
			rule, detail, _ := strings.Cut(c.want, ": ")
			var broken *solvers.RuleError
			if !errors.As(err, &broken) || broken.Rule != rule || !strings.Contains(broken.Detail, detail) {
				t.Errorf("got %v, expected rule %q with %q\n%s\n%s", err, rule, detail, p, s)
			}
		})
	}
}

// TestParseRefuses tries what is no puzzle.
func TestParseRefuses(t *testing.T) {
	for _, c := range samples(t, "refused.txt") {
		if p, err := Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("\n%s\ngot %v, %v, expected an error with %q", c.text, p, err, c.want)
		}
	}
	for _, text := range []string{"", "\n\n", "\xff\xfe", strings.Repeat("+--+--+--+\n", 10), strings.Repeat("A", 300)} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%q: accepted as\n%s", text, p)
		}
	}
}

// TestParseSolutionRefuses tries what is no solution.
func TestParseSolutionRefuses(t *testing.T) {
	p, err := Parse(strings.Split(samples(t, "check.txt")[0].text, "\n--\n")[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"", "2,1", "2,1 ", "2,1  exit", "2,1 exit ", "2,1 exit\r", "3,1 up", "0,3 up", "-1,0 up", "0,-1 up",
		"1,1 north", "1,1 Up", "1;1 up", "01,1 up", "1,1 up 2", "2,1 exit\n\n2,1 exit", "\n2,1 exit",
	} {
		if s, err := p.ParseSolution(text); err == nil || !strings.Contains(err.Error(), "solution line ") {
			t.Errorf("%q: got %v, %v, expected an error that names the line", text, s, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{"check.txt", "refused.txt", "unsolvable.txt"} {
		for _, c := range samples(f, file) {
			puzzle, solution, _ := strings.Cut(c.text, "\n--\n")
			f.Add(puzzle, solution)
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
		s, err := p.ParseSolution(solution)
		if err != nil {
			return
		}
		if got := s.String(); got != strings.TrimRight(solution, "\n") {
			t.Fatalf("solution %q printed %q", solution, got)
		}
		_ = s.Check()
		s.(*Solution).Animation()
	})
}
