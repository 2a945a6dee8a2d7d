package alcazar

import (
	"testing"

	"tapwise/solvers/gametest"
)

// TestRead reads kept observations of the simulated app.
func TestRead(t *testing.T) {
	gametest.Observations(t, Game{}, "testdata/read/*.txt", gametest.NoLines, gametest.HalfALine, gametest.FirstPaintOver, gametest.LastPaintOver)
}

func FuzzRead(f *testing.F) { gametest.FuzzRead(f, Game{}, "testdata/read/*.txt") }
