package app

import (
	"testing"

	"tapwise/solvers/games/algemy"
	"tapwise/solvers/gametest"
)

// TestApp runs the suite that every simulated app passes.
func TestApp(t *testing.T) { gametest.RunApp(t, algemy.Game{}, New, "../testdata/cases/*.txt") }
