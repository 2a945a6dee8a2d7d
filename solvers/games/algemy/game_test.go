package algemy

import (
	"strings"
	"testing"

	"tapwise/solvers/gametest"
)

// TestGame runs the suite that every game passes.
func TestGame(t *testing.T) { gametest.Run(t, Game{}, "testdata/cases/*.txt") }

func FuzzParse(f *testing.F) { gametest.FuzzParse(f, Game{}, "testdata/cases/*.txt", nil) }

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
