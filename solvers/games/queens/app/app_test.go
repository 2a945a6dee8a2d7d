package app

import (
	"testing"

	"tapwise/solvers/games/queens"
	"tapwise/solvers/gametest"
)

// TestApp runs the suite that every simulated app passes.
func TestApp(t *testing.T) { gametest.RunApp(t, queens.Game{}, New, "../testdata/cases/*.txt") }

// TestTouch shows what taps do, and where buttons lead.
func TestTouch(t *testing.T) {
	gametest.GridSim(queens.Game{}, New).Scripts(t, "testdata/touch/*.txt")
}

// TestGrid shows every screen in every size, and plays plans.
func TestGrid(t *testing.T) { gametest.Grid(t, queens.Game{}, New, "../testdata/cases/*.txt") }
