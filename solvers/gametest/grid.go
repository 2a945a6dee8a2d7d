package gametest

import (
	"context"
	"image"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/screen"
)

// GridSim is an app of a board of squares that the suite touches. Places are row,column from 0,
// at a cell's middle; 0.5 is half a cell.
func GridSim(game solvers.Game, maker simapp.Maker) Sim[*simapp.Grid] {
	return Sim[*simapp.Grid]{
		Game: game,
		Make: maker,
		Place: func(a *simapp.Grid, name string) (x, y float64, ok bool) {
			if row, col, ok := Point(name); ok {
				l := a.Layout()
				return l.Board.X0 + (col+0.5)*l.Pitch, l.Board.Y0 + (row+0.5)*l.Pitch, true
			}
			return SimappPlace(&a.App, name)
		},
		Fact: func(a *simapp.Grid, name string, _ time.Duration) any {
			if name == "screen" {
				return a.Screen()
			}
			return nil
		},
	}
}

// GridLayout is an app's board as an eye would measure it.
func GridLayout(a *simapp.Grid) screen.Layout {
	l := a.Layout()
	return BoardLayout(l.Size, l.Cells.Rows, l.Cells.Cols, l.Pitch, l.Board, l.Cells.Cells(), l.Centre)
}

// Grid shows every screen of an app of squares in every size, and wins a level by the plan
// of its solution. The levels are the solved cases in files.
func Grid(t *testing.T, game solvers.Game, maker simapp.Maker, pattern string) {
	sim := GridSim(game, maker)
	var levels []solvers.Puzzle
	for _, c := range Cases(t, pattern, "solved") {
		levels = append(levels, parse(t, game, c.Parts[0]))
	}
	sim.Screens(t, simapp.Options{}, levels,
		Show[*simapp.Grid]{Name: "level", Set: func(*simapp.Grid) {}},
		Notice(func(a *simapp.Grid) *simapp.App { return &a.App }))
	for _, size := range Sizes() {
		a := sim.New(t, size, simapp.Options{}, levels[0], levels[0])
		s, err := levels[0].Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		layout := GridLayout(a)
		if layout.Pitch < 1 || !image.Rect(0, 0, size.X, size.Y).Overlaps(layout.Board) {
			continue
		}
		plan := s.Plan(layout)
		if got := strings.Count(a.Board(), "\n"); got != strings.Count(s.String(), "\n") {
			t.Fatalf("the board is\n%s\nexpected rows as in\n%s", a.Board(), s)
		}
		sim.Win(t, a, size, layout, s, len(plan), "Level complete!")
		if none := s.Plan(screen.Layout{}); len(none) != 0 {
			t.Errorf("%d gestures on a layout without cells, expected none", len(none))
		}
	}
}
