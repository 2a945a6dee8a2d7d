package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/asteroid"
	"tapwise/solvers/gametest"
)

// suite is the app as the suite touches it. Points are rows and columns of
// places, and parts of them; the fact offset-R,C is how far the tile there is
// from its place, in rows and columns.
var suite = gametest.Sim[*app]{
	Game: asteroid.Game{},
	Make: New,
	Place: func(a *app, name string) (x, y float64, ok bool) {
		l := a.lay()
		if row, col, ok := gametest.Point(name); ok {
			return l.centres[0][0] + col*l.Pitch, l.centres[0][1] + row*l.Pitch, true
		}
		if x, y, ok := gametest.SimappPlace(&a.App, name); ok {
			return x, y, true
		}
		panel := l.Panel(simapp.Panel{Buttons: make([]string, 2)})
		box, ok := map[string]simapp.Box{
			"play": l.Buttons[playButton], "android-back": l.Buttons[simapp.BackKey],
			"next-level": panel.Buttons[0], "ok": panel.Buttons[0], "again": panel.Buttons[1],
		}[name]
		x, y = box.Centre()
		return x, y, ok
	},
	Fact: func(a *app, name string, now time.Duration) any {
		if place, ok := strings.CutPrefix(name, "offset-"); ok {
			row, col, _ := gametest.Point(place)
			x, y := a.motion.offset(asteroid.Size().At(int(row), int(col)), now)
			return fmt.Sprintf("%.2f,%.2f", y+0, x+0)
		}
		if name == "screen" {
			return a.Screen()
		}
		return nil
	},
}

// TestTouch shows how tiles slide, and where buttons lead.
func TestTouch(t *testing.T) { suite.Scripts(t, "testdata/touch/*.txt") }

// FuzzTouch expects that every slide is one that the solver knows.
func FuzzTouch(f *testing.F) {
	puzzles := []string{"+--+--+--+\n|a |aa|  |\n|  |  |A |\n+--+--+--+\n|  |  |  |\n|a |  | a|\n+--+--+--+\n|a |SS|  |\n|  |  | a|\n+--+--+--+"}
	f.Add(uint8(0), []byte{0, 128, 189, 2, 128, 221, 0, 63, 63, 1, 96, 63, 2, 96, 63})
	f.Add(uint8(0), []byte{4, 60, 90, 6, 60, 90, 3, 0, 0, 0, 128, 128, 2, 128, 128, 0, 128, 205, 1, 128, 234, 2, 128, 234})
	suite.FuzzTouch(f, puzzles, func(a *app) simapp.Box { return a.lay().board }, func(t *testing.T, a *app, touch func()) {
		before, moves, level := a.tiles, a.moves, a.Shown
		touch()
		if a.Shown == level && a.moves == moves+1 {
			checkSlide(t, before, a.tiles, a.escaped)
		} else if start := a.levels[a.Shown].Tiles(); a.tiles != before && a.tiles != start {
			t.Fatalf("without a move the board changed from\n%s\nto\n%s", before, a.tiles)
		}
	})
}

// checkSlide looks for the slide that leads from one board to the other.
func checkSlide(t *testing.T, before, after asteroid.Tiles, escaped bool) {
	if escaped {
		if !before.CanLeave(asteroid.Exit) || before.Clear(asteroid.Exit, board.South) < 3 || after != before.Slid(asteroid.Exit, board.None) {
			t.Fatalf("the spacecraft left from\n%s\nto\n%s", before, after)
		}
		return
	}
	for from := range board.Cell(asteroid.Size().Cells()) {
		for d := range board.Dir(4) {
			if to := beside(from, d); to != board.None && before.Hole(to) && before.Clear(from, d) == 3 && after == before.Slid(from, to) {
				return
			}
		}
	}
	t.Fatalf("no slide leads from\n%s\nto\n%s", before, after)
}
