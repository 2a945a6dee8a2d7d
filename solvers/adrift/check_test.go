package adrift

import (
	"errors"
	"os"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// testCase is a case of a file of testdata: what is expected, a puzzle and
// maybe a solution.
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
		puzzle, solution, _ := strings.Cut(strings.TrimRight(body, "\n"), "\n--\n")
		cases = append(cases, testCase{want, puzzle, solution})
	}
	return cases
}

// TestCheck has the cases of testdata/check.txt judged.
func TestCheck(t *testing.T) {
	for _, c := range readCases(t, "testdata/check.txt") {
		t.Run(c.want, func(t *testing.T) {
			p, err := Parse(c.puzzle)
			if err != nil {
				t.Fatal(err)
			}
			s, err := p.ParseSolution(c.solution)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.String(); got != c.solution {
				t.Errorf("printed back\n%s\nexpected\n%s", got, c.solution)
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
	for _, c := range readCases(t, "testdata/refused.txt") {
		if p, err := Parse(c.puzzle); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, %v, expected an error with %q", c.puzzle, p, err, c.want)
		}
	}
	for _, text := range []string{"", "\n\n", "A A\x00", "\xff\xfe . .", strings.Repeat(". ", 300), "A A\r\n. .\r\n. .\r\n. .\r\n. .\r\n. ."} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%q: accepted as\n%s", text, p)
		}
	}
}

type pairs = [][2]board.Cell

// TestNewRefuses tries givens that are no puzzle.
func TestNewRefuses(t *testing.T) {
	for want, b := range map[string]Board{
		"faces of 1 rows":                         {Side: 1, Ends: pairs{{0, 1}}},
		"faces of 8 rows":                         {Side: 8, Ends: pairs{{0, 1}}},
		"no ends":                                 {Side: 2},
		"2 letters for 1 colours":                 {Side: 2, Ends: pairs{{0, 1}}, Labels: "AB"},
		"expected a letter other than X":          {Side: 2, Ends: pairs{{0, 1}}, Labels: "X"},
		"two colours A":                           {Side: 2, Ends: pairs{{0, 1}, {2, 3}}, Labels: "AA"},
		"an end of A on cell 12":                  {Side: 2, Ends: pairs{{0, 12}}},
		"a stone on cell -1":                      {Side: 2, Ends: pairs{{0, 1}}, Stones: []board.Cell{-1}},
		"top row 1 column 1: an end of B":         {Side: 2, Ends: pairs{{0, 1}, {2, 0}}},
		"left row 1 column 1: an end of A on a":   {Side: 2, Ends: pairs{{4, 1}}, Stones: []board.Cell{4}},
		"52 colours, expected at most 51":         {Side: 7, Ends: make(pairs, 52)},
		"right row 2 column 2: a stone on a cell": {Side: 2, Ends: pairs{{4, 1}}, Stones: []board.Cell{11, 11}},
	} {
		if p, err := New(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, %v, expected an error with %q", b, p, err, want)
		}
	}
}

// TestParseSolutionRefuses tries what is no solution of a small board.
func TestParseSolutionRefuses(t *testing.T) {
	p, err := Parse("A B\n. .\n. .\nA B\nX .\n. .")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                             "the solution has 1 rows, expected 6",
		"A B\nA B\nA B\nA B\nX B":      "the solution has 5 rows, expected 6",
		"A B\nA B\nA B\nA B\nX B\nB":   "solution line 6: the row has 1 cells, expected 2",
		"A B\nA B\nA B\nA B\nX B\nB *": `solution line 6: cell 2 is "*"`,
		"A B\nA B\nA B\nA B\nX B\nB C": `right row 2 column 2: 'C', which is no colour`,
		"A B\nA B\nA B\nA B\nX B\nB X": "right row 2 column 2: 'X', expected stones where the puzzle has them",
		"A B\nA B\nA B\nA B\nA B\nB B": "right row 1 column 1: 'A', expected stones where the puzzle has them",
	} {
		if s, err := p.ParseSolution(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, %v, expected an error with %q", text, s, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{"testdata/check.txt", "testdata/refused.txt", "testdata/unsolvable.txt"} {
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
		s, err := p.ParseSolution(solution)
		if err != nil {
			return
		}
		if got := s.String(); got != strings.TrimRight(solution, "\n") {
			t.Fatalf("solution %q printed %q", solution, got)
		}
		right := s.Check() == nil
		if paths := s.(*Solution).Paths(); right && paths == nil {
			t.Fatalf("a right solution without chains\n%s\n%s", p, s)
		}
	})
}
