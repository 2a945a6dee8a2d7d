package app

import (
	"testing"

	"tapwise/solvers/games/adrift"
	"tapwise/solvers/gametest"
)

// TestApp runs the suite that every simulated app passes.
func TestApp(t *testing.T) { gametest.RunApp(t, adrift.Game{}, New, "../testdata/cases/*.txt") }
