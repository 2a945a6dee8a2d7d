package flow

import (
	"errors"
	"os"
	"strings"
	"testing"

	"tapwise/solvers"
)

// TestCheck has the cases of testdata/check.txt judged.
func TestCheck(t *testing.T) {
	data, err := os.ReadFile("testdata/check.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(string(data), "\n= ")
	for _, text := range cases[1:] {
		want, body, _ := strings.Cut(text, "\n")
		body, _, _ = strings.Cut(body, "\n\n")
		puzzle, solution, _ := strings.Cut(body, "\n--\n")
		t.Run(want, func(t *testing.T) {
			p, err := Parse(puzzle)
			if err != nil {
				t.Fatal(err)
			}
			s, err := p.ParseSolution(solution)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.String(); got != strings.TrimSpace(solution) {
				t.Errorf("printed back\n%s\nexpected\n%s", got, solution)
			}
			err = s.Check()
			if want == "right" {
				if err != nil {
					t.Errorf("%v\n%s\n%s", err, p, s)
				}
				return
			}
			rule, detail, _ := strings.Cut(want, ": ")
			var broken *solvers.RuleError
			if !errors.As(err, &broken) || broken.Rule != rule || !strings.Contains(broken.Detail, detail) {
				t.Errorf("got %v, expected rule %q with %q\n%s\n%s", err, rule, detail, p, s)
			}
		})
	}
}

// TestParseRefuses tries what is no puzzle.
func TestParseRefuses(t *testing.T) {
	data, err := os.ReadFile("testdata/refused.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Split(string(data), "\n= ")[1:] {
		want, body, _ := strings.Cut(text, "\n")
		puzzle, _, _ := strings.Cut(body, "\n\n")
		if p, err := Parse(puzzle); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, %v, expected an error with %q", puzzle, p, err, want)
		}
	}
	for _, text := range []string{"", "\n\n", "A\x00A", "\xff\xfe", strings.Repeat("A", 300)} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%q: accepted as\n%s", text, p)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{"testdata/check.txt", "testdata/refused.txt"} {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, text := range strings.Split(string(data), "\n= ")[1:] {
			_, body, _ := strings.Cut(text, "\n")
			body, _, _ = strings.Cut(body, "\n\n")
			puzzle, solution, _ := strings.Cut(body, "\n--\n")
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
	})
}
