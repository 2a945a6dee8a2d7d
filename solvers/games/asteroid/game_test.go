package asteroid

import (
	"testing"

	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// TestGame runs the suite that every game passes.
func TestGame(t *testing.T) { gametest.Run(t, Game{}, "testdata/cases/*.txt") }

func FuzzParse(f *testing.F) { gametest.FuzzParse(f, Game{}, "testdata/cases/*.txt", nil) }

func TestSpec(t *testing.T) {
	if s := (Game{}).Spec(); s.MinSide != 3 || s.MaxSide != 3 || len(s.Topologies) != 1 || s.Topologies[0] != screen.Square {
		t.Errorf("spec %+v, expected squares, 3 by 3", s)
	}
}

// example is the puzzle of the first case.
func example(t testing.TB) *Puzzle {
	t.Helper()
	p, err := Parse(gametest.Cases(t, "testdata/cases/*.txt", "solved")[0].Parts[0])
	if err != nil {
		t.Fatal(err)
	}
	return p
}
