package app

import (
	"testing"

	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
)

// TestApp runs the suite that every simulated app passes.
func TestApp(t *testing.T) { gametest.RunApp(t, flow.Game{}, New, "../testdata/cases/*.txt") }
