package app

import (
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/asteroid"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// firstLevel is the start of a level.
func firstLevel(t testing.TB) *asteroid.Puzzle {
	t.Helper()
	p, err := asteroid.Parse("+--+--+--+\n|AA|  | a|\n|  |a |a |\n+--+--+--+\n|SS|  |  |\n|  |A | a|\n+--+--+--+\n|a |  | a|\n|a |  |  |\n+--+--+--+")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGeometry lays every size of screen out: everything is on the screen,
// and nothing in another's way.
func TestGeometry(t *testing.T) {
	for _, s := range gametest.Sizes() {
		l := suite.New(t, s, simapp.Options{}, firstLevel(t)).lay()
		out := l.Pitch / 3 // what sticks out of the outer tiles
		around := simapp.NewBox(l.board.X0-out, l.board.Y0-out, l.board.X1+out, l.board.Y1+out)
		within := simapp.NewBox(0, 0, float64(s.X), float64(s.Y))
		b, panel := l.Buttons, l.Panel(simapp.Completed("Escaped."))
		gametest.Apart(t, fmt.Sprint(s, " level"), within, around, b[simapp.PreviousButton], b[simapp.RestartButton], b[simapp.NextButton], b[simapp.BackKey])
		gametest.Apart(t, fmt.Sprint(s, " panel's buttons"), within, append(panel.Buttons, panel.Close, b[simapp.BackKey])...)
		gametest.Apart(t, fmt.Sprint(s, " panel"), within, panel.Box, b[simapp.BackKey])
		gametest.Apart(t, fmt.Sprint(s, " start"), within, b[playButton], b[simapp.BackKey])
		for c := range board.Cell(asteroid.Size().Cells()) {
			if got := l.cellAt(l.centres[c][0], l.centres[c][1]); got != c {
				t.Errorf("%v: %s: the place under its centre is %d, expected %d", s, asteroid.Size().Name(c), got, c)
			}
		}
	}
}

// TestWholeLevels plays generated levels of every difficulty by the planned
// swipes, from the first to the message after the last, and each once more by
// taps.
func TestWholeLevels(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	var levels []solvers.Puzzle
	for range 4 {
		for _, grade := range (asteroid.Game{}).Grades() {
			p, err := asteroid.Game{}.Generate(context.Background(), solvers.GenerateOptions{Variant: grade}, random)
			if err != nil {
				t.Fatal(err)
			}
			levels = append(levels, p)
		}
	}
	sizes := gametest.Sizes()
	a := suite.New(t, sizes[0], simapp.Options{}, levels...)
	now := time.Duration(0)
	for i, p := range levels {
		s := sizes[i%len(sizes)]
		found, err := p.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, taps := range []bool{true, false} {
			gametest.Draw(t, a, s, now, "level")
			plan := found.Plan(a.lay().screen())
			boards := found.(*asteroid.Solution).Animation()
			for k, g := range plan {
				now += 150 * time.Millisecond
				if taps {
					g.Points = g.Points[:1]
				}
				gametest.Play(a, now, g)
				gametest.Draw(t, a, s, now, "after a move")
				if a.Board() != boards[k+1] || a.Moves() != k+1 || a.Won() != (k == len(plan)-1) {
					t.Fatalf("level %d, move %d (%s): %d moves, won %v; the board is\n%s\nexpected\n%s", i+1, k+1, g.Note, a.Moves(), a.Won(), a.Board(), boards[k+1])
				}
			}
			now += time.Second
			want := fmt.Sprintf("Level %d|moves: %d|Level complete!|Escaped in %d moves.|next level|again", i+1, len(plan), len(plan))
			if texts := strings.Join(gametest.Draw(t, a, s, now, "panel").Texts, "|"); texts != want || a.Screen() != "complete" {
				t.Fatalf("level %d: the screen is %s and says %q, expected %q", i+1, a.Screen(), texts, want)
			}
			button := 0 // next level
			if taps {
				button = 1 // again
			}
			x, y := a.lay().Panel(a.Panel).Buttons[button].Centre()
			gametest.Touch(a, now, [2]float64{x, y})
		}
	}
	if a.Screen() != "pack complete" {
		t.Errorf("after the last level the screen is %s, expected pack complete", a.Screen())
	}
}

// TestScreens draws every screen once in every style and size, however odd.
func TestScreens(t *testing.T) {
	for _, style := range []string{"space", "flat"} {
		suite.Screens(t, simapp.Options{Style: style, Seed: 1, Pack: "Sample"}, []solvers.Puzzle{firstLevel(t)},
			gametest.Show[*app]{Name: "slide", Says: "moves: 1", Set: func(a *app) { a.Now = time.Hour; a.move(4, board.South) }},
			gametest.Show[*app]{Name: "escape", Says: "moves: 1", Set: func(a *app) {
				a.motion = motion{kind: escape, cell: asteroid.Exit, dir: board.South, start: time.Hour - escapeTime/2}
			}},
			gametest.Show[*app]{Name: "panel", Says: "again", Set: func(a *app) { a.Panel = a.Stage.Completed() }},
			gametest.Show[*app]{Name: "end", Says: "ok", Set: func(a *app) { a.Panel = a.Stage.Ended() }},
			gametest.Show[*app]{Name: "home", Says: "play", Set: func(a *app) { a.GoHome() }},
			gametest.Show[*app]{Name: "level", Says: "moves: 1", Set: func(a *app) { a.Home = false }})
	}
}

// BenchmarkDraw is the app's own part of drawing a board.
func BenchmarkDraw(b *testing.B) {
	a := suite.New(b, image.Pt(1080, 2340), simapp.Options{Style: "space"}, firstLevel(b))
	for b.Loop() {
		a.Draw(gametest.NewRecorder(a.Size), 0)
	}
}

// screen is the board's layout as an eye would measure it.
func (l *layout) screen() screen.Layout {
	size := asteroid.Size()
	return gametest.BoardLayout(l.Size, size.Rows, size.Cols, l.Pitch, l.board, size.Cells(), func(c board.Cell) [2]float64 { return l.centres[c] })
}
