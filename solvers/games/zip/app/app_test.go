package app

import (
	"testing"

	"tapwise/solvers/games/zip"
	"tapwise/solvers/gametest"
)

// TestApp runs the suite that every simulated app passes.
func TestApp(t *testing.T) { gametest.RunApp(t, zip.Game{}, New, "../testdata/cases/*.txt") }

// TestTouch shows how a finger draws the path, and where buttons lead.
func TestTouch(t *testing.T) {
	gametest.GridSim(zip.Game{}, New).Scripts(t, "testdata/touch/*.txt")
}

// TestGrid shows every screen in every size, and plays plans.
func TestGrid(t *testing.T) { gametest.Grid(t, zip.Game{}, New, "../testdata/cases/*.txt") }
