package app

import (
	"testing"

	"tapwise/solvers/games/asteroid"
	"tapwise/solvers/gametest"
)

// TestApp runs the suite that every simulated app passes.
func TestApp(t *testing.T) { gametest.RunApp(t, asteroid.Game{}, New, "../testdata/cases/*.txt") }
