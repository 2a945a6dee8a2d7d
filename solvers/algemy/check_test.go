package algemy

import (
	"errors"
	"os"
	"strings"
	"testing"

	"tapwise/solvers"
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

// TestMixing compares the solver's mixing table with the checker's for every
// set of colours, and sees that every set suits exactly one crystal.
func TestMixing(t *testing.T) {
	for _, hard := range []bool{false, true} {
		for seen := range hardColours + 1 {
			if !hard && seen&^easyColours != 0 {
				continue
			}
			letters := ""
			for c := Red; c <= Violet; c++ {
				if seen.Has(c) {
					letters += c.String()
				}
			}
			right := ""
			for _, crystal := range crystalLetters {
				rule := mixing(Crystal(crystal), hard)
				got, want := rule.allows(seen), suits(Crystal(crystal), letters, hard)
				if got != want {
					t.Errorf("hard %v: %c sees %q: the solver says %v, the checker %v", hard, crystal, letters, got, want)
				}
				needed := seen&rule.never == 0
				for _, need := range rule.needs() {
					needed = needed && seen&need != 0
				}
				if needed != got {
					t.Errorf("hard %v: %c sees %q: the clauses say %v, the table %v", hard, crystal, letters, needed, got)
				}
				if got {
					right += string(crystal)
				}
			}
			if len(right) != 1 {
				t.Errorf("hard %v: the colours %q suit the crystals %q, expected exactly one", hard, letters, right)
			}
		}
	}
}

// TestParseRefuses tries what is no puzzle.
func TestParseRefuses(t *testing.T) {
	for _, c := range readCases(t, "testdata/refused.txt") {
		if p, err := Parse(c.puzzle); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, %v, expected an error with %q", c.puzzle, p, err, c.want)
		}
	}
	for _, text := range []string{"", "\n\n", "- - -\x00", "\xff\xfe - -", strings.Repeat("- ", 300), "- - -\r\n- - -\r\n- - -"} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%q: accepted as\n%s", text, p)
		}
	}
}

// TestNewRefuses tries givens that are no puzzle.
func TestNewRefuses(t *testing.T) {
	nine := []Crystal("---------")
	for want, b := range map[string]Board{
		"shape 7":                    {Shape: 7, Side: 3, Crystals: nine},
		"side of 2 cells":            {Side: 2, Crystals: nine},
		"side of 8 cells":            {Side: 8, Crystals: nine},
		"9 cells given, expected 19": {Shape: Hexagon, Side: 3, Crystals: nine},
		"row 3 column 1: 'Z'":        {Side: 3, Crystals: []Crystal("------Z--")},
	} {
		if p, err := New(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, %v, expected an error with %q", b, p, err, want)
		}
	}
}

// TestParseSolutionRefuses tries what is no solution of a board of 3×3 cells.
func TestParseSolutionRefuses(t *testing.T) {
	p, err := Parse("- - -\n- R -\n- - -")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                        "the solution has 1 rows, expected 3",
		"- - -\n- - -":            "the solution has 2 rows, expected 3",
		"- - -\n- - -\n- - - -":   "solution line 3: the row has 4 cells, expected 3",
		"- - -\n- W -\n- - -":     `solution line 2: cell 2 is "W", expected one of -ROYGBV`,
		"easy\n- - -\n- - -":      `solution line 1: cell 1 is "easy"`,
		"- - -\n- - -\n- - -\n#1": "the solution has 4 rows",
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
		_ = s.Check()
	})
}
