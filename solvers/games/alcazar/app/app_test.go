package app

import (
	"testing"

	"tapwise/solvers/games/alcazar"
	"tapwise/solvers/gametest"
)

// TestApp runs the suite that every simulated app passes.
func TestApp(t *testing.T) { gametest.RunApp(t, alcazar.Game{}, New, "../testdata/cases/*.txt") }
