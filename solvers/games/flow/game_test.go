package flow

import (
	"testing"

	"tapwise/solvers/gametest"
)

// TestGame runs the suite that every game passes.
func TestGame(t *testing.T) { gametest.Run(t, Game{}, "testdata/cases/*.txt") }

func FuzzParse(f *testing.F) { gametest.FuzzParse(f, Game{}, "testdata/cases/*.txt", nil) }
