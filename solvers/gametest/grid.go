package gametest

import (
	"context"
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/grid"
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

// Grid shows every screen of an app of squares in every size, reads what it shows of each level, in
// all its looks, and wins the levels by the plans of their solutions. The levels are the solved cases
// in files and those that come along with the game.
func Grid(t *testing.T, game solvers.Game, maker simapp.Maker, pattern string) {
	sim := GridSim(game, maker)
	var levels []solvers.Puzzle
	for _, c := range Cases(t, pattern, "solved") {
		levels = append(levels, parse(t, game, c.Parts[0]))
	}
	sim.Screens(t, simapp.Options{}, levels,
		Show[*simapp.Grid]{Name: "level", Set: func(*simapp.Grid) {}},
		Notice(func(a *simapp.Grid) *simapp.App { return &a.App }))
	if g, ok := game.(*grid.Game); ok {
		turn := func(c color.RGBA) color.RGBA { return color.RGBA{c.G, c.B, c.R, c.A} }
		for _, own := range g.Panels {
			if own.Like(screen.PanelLook{Bar: turn(own.Bar), Fill: turn(own.Fill), Button: turn(own.Button)}) {
				t.Errorf("the panel of a won level has a grey accent, %v: expected a colour that tells it from other panels", own.Button)
			}
		}
	}
	for _, size := range Sizes() {
		winGrid(t, sim, size, levels[0])
	}
	for _, level := range levels {
		winGrid(t, sim, Sizes()[0], level)
	}
	for _, level := range Levels(t, game) {
		winGrid(t, sim, Sizes()[0], level)
		for _, style := range game.About().Styles {
			readGrid(t, sim, level, style)
		}
	}
}

// winGrid wins a level.
func winGrid(t *testing.T, sim Sim[*simapp.Grid], size image.Point, level solvers.Puzzle) {
	t.Helper()
	a := sim.New(t, size, simapp.Options{}, level, level)
	s, err := level.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	layout := GridLayout(a)
	if layout.Pitch < 1 || !image.Rect(0, 0, size.X, size.Y).Overlaps(layout.Board) {
		return
	}
	if got := strings.Count(a.Board(), "\n"); got != strings.Count(s.String(), "\n") {
		t.Fatalf("the board is\n%s\nexpected rows as in\n%s", a.Board(), s)
	}
	sim.Win(t, a, size, layout, s, len(s.Plan(layout)), "Level complete!")
	if none := s.Plan(screen.Layout{}); len(none) != 0 {
		t.Errorf("%d gestures on a layout without cells, expected none", len(none))
	}
}

// readGrid reads a level as its app shows it, and once more when it is played in part: then it
// is the same, and so is what is played.
func readGrid(t *testing.T, sim Sim[*simapp.Grid], level solvers.Puzzle, style string) {
	t.Helper()
	a := sim.New(t, image.Pt(1080, 2340), simapp.Options{Style: style}, level)
	p, err := sim.Game.Read(GridSeen(t, a, sim.Game.Spec()))
	if err != nil || !SameBoard(sim.Game, p, level) {
		t.Errorf("a level of About().Pack, shown by the app in the look %q, is read as %v, %v, expected\n%s", style, p, err, level)
		return
	}
	s, err := level.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	filler, ok := p.(solvers.Filler)
	plan := s.Plan(GridLayout(a))
	if !ok || len(plan) < 2 {
		return
	}
	Play(a, 0, plan[:len(plan)/2]...)
	seen := GridSeen(t, a, sim.Game.Spec())
	fill, err := filler.Fill(seen)
	if err != nil || fill != "" && fill != a.Board() {
		t.Errorf("a level that is played in part, in the look %q: played\n%s, %v\nexpected\n%s", style, fill, err, a.Board())
	}
	if rest, err := s.Remaining(seen); err != nil || len(rest) == 0 || len(rest) > len(plan) {
		t.Errorf("%d gestures remain of %d, half of which are made: %v", len(rest), len(plan), err)
	}
}
