package asteroid

import (
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
)

// firstLevel is the start of a level.
func firstLevel(t testing.TB) *Puzzle {
	t.Helper()
	p, err := Parse("+--+--+--+\n|AA|  | a|\n|  |a |a |\n+--+--+--+\n|SS|  |  |\n|  |A | a|\n+--+--+--+\n|a |  | a|\n|a |  |  |\n+--+--+--+")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSimGeometry lays every size of screen out: everything is on the screen,
// and nothing in another's way.
func TestSimGeometry(t *testing.T) {
	for _, s := range gametest.Sizes() {
		l := simTest.New(t, s, solvers.SimulateOptions{}, firstLevel(t)).lay()
		out := l.pitch / 3 // what sticks out of the outer tiles
		around := simapp.NewBox(l.board.X0-out, l.board.Y0-out, l.board.X1+out, l.board.Y1+out)
		within := simapp.NewBox(0, 0, float64(s.X), float64(s.Y))
		b := l.buttons
		gametest.Apart(t, fmt.Sprint(s, " level"), within, around, b[previousButton], b[restartButton], b[nextButton], b[androidBackButton])
		gametest.Apart(t, fmt.Sprint(s, " panel's buttons"), within, b[closeButton], b[nextLevelButton], b[againButton], b[androidBackButton])
		gametest.Apart(t, fmt.Sprint(s, " panel"), within, l.panel, b[androidBackButton])
		gametest.Apart(t, fmt.Sprint(s, " start"), within, b[playButton], b[androidBackButton])
		for c := range board.Cell(cells) {
			if got := l.cellAt(l.centres[c][0], l.centres[c][1]); got != c {
				t.Errorf("%v: %s: the place under its centre is %d, expected %d", s, size.Name(c), got, c)
			}
		}
	}
}

// TestSimPieces compares what is drawn of each piece with the units it covers:
// it lies within them, but for a big asteroid's part on its own tile, and each
// unit's middle is covered.
func TestSimPieces(t *testing.T) {
	for _, style := range []*simLook{&spaceLook, &flatLook} {
		for p := spacecraft; p < pieces; p++ {
			r := gametest.NewRecorder(image.Pt(900, 900))
			d := simDrawing{Canvas: r, look: style, l: &simLayout{pitch: 300}}
			d.piece(p, 450, 450)
			covered := units(p, 0, 0)
			for _, u := range covered {
				x, y := 450+100*float64(u.x), 450+100*float64(u.y)
				if !slices.ContainsFunc(r.Shapes, func(s gametest.Shape) bool { return s.Bounds.Contains(x, y) }) {
					t.Errorf("%q: nothing is drawn at unit %d,%d", p, u.y, u.x)
				}
			}
			within := simapp.NewBox(450, 450, 450, 450)
			for _, u := range covered {
				within.X0, within.X1 = min(within.X0, 400+100*float64(u.x)), max(within.X1, 500+100*float64(u.x))
				within.Y0, within.Y1 = min(within.Y0, 400+100*float64(u.y)), max(within.Y1, 500+100*float64(u.y))
			}
			for _, s := range r.Shapes {
				if b := s.Bounds; b.X0 < within.X0 || b.X1 > within.X1 || b.Y0 < within.Y0 || b.Y1 > within.Y1 {
					t.Errorf("%q: drawn at %v, expected within %v", p, b, within)
				}
			}
		}
	}
}

// TestSimWholeLevels plays generated levels of every difficulty by the planned
// swipes, from the first to the message after the last, and each once more by
// taps.
func TestSimWholeLevels(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	var levels []solvers.Puzzle
	for range 4 {
		for _, d := range difficulties {
			p, err := Game{}.Generate(context.Background(), solvers.GenerateOptions{Variant: d.name}, random)
			if err != nil {
				t.Fatal(err)
			}
			levels = append(levels, p)
		}
	}
	sizes := gametest.Sizes()
	a := simTest.New(t, sizes[0], solvers.SimulateOptions{}, levels...)
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
			boards := found.(*Solution).Animation()
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
			if texts := strings.Join(gametest.Draw(t, a, s, now, "panel").Texts, "|"); texts != want || a.Screen() != "escaped" {
				t.Fatalf("level %d: the screen is %s and says %q, expected %q", i+1, a.Screen(), texts, want)
			}
			button := nextLevelButton
			if taps {
				button = againButton
			}
			x, y := a.lay().buttons[button].Centre()
			gametest.Touch(a, now, [2]float64{x, y})
		}
	}
	if a.Screen() != "end" {
		t.Errorf("after the last level the screen is %s, expected end", a.Screen())
	}
}

// TestSimScreens draws every screen once in every style and size, however odd.
func TestSimScreens(t *testing.T) {
	for _, style := range []string{"space", "flat"} {
		simTest.Screens(t, solvers.SimulateOptions{Style: style, Seed: 1, Pack: "Sample"}, []solvers.Puzzle{firstLevel(t)},
			gametest.Show[*simApp]{Name: "slide", Says: "moves: 1", Set: func(a *simApp) { a.move(4, board.South, time.Hour) }},
			gametest.Show[*simApp]{Name: "escape", Says: "moves: 1", Set: func(a *simApp) {
				a.motion = simMotion{kind: escape, cell: door, dir: board.South, start: time.Hour - escapeTime/2}
			}},
			gametest.Show[*simApp]{Name: "panel", Says: "again", Set: func(a *simApp) { a.panel = escapedPanel }},
			gametest.Show[*simApp]{Name: "end", Says: "ok", Set: func(a *simApp) { a.panel = endPanel }},
			gametest.Show[*simApp]{Name: "home", Says: "play", Set: func(a *simApp) { a.panel, a.home = noPanel, true }},
			gametest.Show[*simApp]{Name: "level", Says: "moves: 1", Set: func(a *simApp) { a.home = false }})
	}
}

// BenchmarkSimDraw is the app's own part of drawing a board.
func BenchmarkSimDraw(b *testing.B) {
	a := simTest.New(b, image.Pt(1080, 2340), solvers.SimulateOptions{Style: "space"}, firstLevel(b))
	for b.Loop() {
		a.Draw(gametest.NewRecorder(a.size), 0)
	}
}

// screen is the board's layout as an eye would measure it.
func (l *simLayout) screen() screen.Layout {
	return gametest.BoardLayout(l.size, size.Rows, size.Cols, l.pitch, l.board, cells, func(c board.Cell) [2]float64 { return l.centres[c] })
}
