package gametest

import (
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// App is what the suite asks of a simulated app.
type App interface {
	screen.App
	Level() int    // the number of the level on the screen, from 1; 0 when there is none
	Won() bool     // the level is complete
	Moves() int    // made on the level
	Board() string // what is played on it
}

// Sim is a game's simulated app, of type A, as the suite touches it.
type Sim[A App] struct {
	Game solvers.Game
	Make simapp.Maker
	// Place is where on the screen something is that a script names: a point of the board, or a
	// button, enabled or not.
	Place func(a A, name string) (x, y float64, ok bool)
	// Fact is what the app says of itself, beyond level, won and moves; nil
	// when the name is not known.
	Fact func(a A, name string, now time.Duration) any
}

// Sizes are sizes of screens, upright and lying.
func Sizes() []image.Point {
	return turned(image.Pt(480, 800), image.Pt(720, 1280), image.Pt(720, 1480), image.Pt(1080, 1920), image.Pt(1080, 2340), image.Pt(1080, 2400),
		image.Pt(1440, 2560), image.Pt(1440, 3200), image.Pt(1536, 2048), image.Pt(1600, 2560), image.Pt(320, 320))
}

// oddSizes are sizes of screens that no phone has.
func oddSizes() []image.Point {
	return turned(image.Pt(100, 150), image.Pt(1, 1), image.Pt(0, 0), image.Pt(1, 4000))
}

func turned(upright ...image.Point) []image.Point {
	var sizes []image.Point
	for _, s := range upright {
		sizes = append(sizes, s, image.Pt(s.Y, s.X))
	}
	return sizes
}

// New is an app of levels, drawn once.
func (s Sim[A]) New(t testing.TB, size image.Point, o simapp.Options, levels ...solvers.Puzzle) A {
	t.Helper()
	app, err := s.Make(levels, o)
	if err != nil {
		t.Fatal(err)
	}
	Draw(t, app, size, 0, "the first screen")
	return app.(A)
}

// Draw draws an app, and wants numbers that make sense.
func Draw(t testing.TB, app screen.App, size image.Point, now time.Duration, what string) *Recorder {
	t.Helper()
	r := NewRecorder(size)
	app.Draw(r, now)
	if r.Odd != "" {
		t.Errorf("%v: %s: drew %s", size, what, r.Odd)
	}
	return r
}

// Touch moves one finger through places, down at the first and up at the last.
func Touch(app screen.App, now time.Duration, places ...[2]float64) {
	app.Touch(screen.TouchDown, places[0][0], places[0][1], now)
	for _, at := range places[1:] {
		app.Touch(screen.TouchMove, at[0], at[1], now)
	}
	last := places[len(places)-1]
	app.Touch(screen.TouchUp, last[0], last[1], now)
}

// Play makes gestures.
func Play(app screen.App, now time.Duration, gestures ...screen.Gesture) {
	for _, g := range gestures {
		var places [][2]float64
		for _, at := range g.Points {
			places = append(places, [2]float64{float64(at.X), float64(at.Y)})
		}
		Touch(app, now, places...)
	}
}

// touchWildly touches where there is no screen.
func touchWildly(app screen.App) {
	app.Touch(screen.TouchDown, 1e300, math.Inf(1), 0)
	app.Touch(screen.TouchMove, math.NaN(), 0, 0)
	app.Touch(screen.TouchUp, -1e300, 1e300, 0)
}

// Show is something to be seen in an app.
type Show[A App] struct {
	Name string
	Set  func(a A)
	Says string               // the last texts, separated by "|"; empty for any
	Box  func(a A) simapp.Box // must be on the screen; nil for none
}

// Screens shows one thing after the other on screens of every size, however
// odd, and touches wildly.
func (s Sim[A]) Screens(t *testing.T, o simapp.Options, levels []solvers.Puzzle, shows ...Show[A]) {
	for _, size := range append(Sizes(), oddSizes()...) {
		a := s.New(t, size, o, levels...)
		for _, show := range shows {
			show.Set(a)
			texts := strings.Join(Draw(t, a, size, time.Hour, show.Name).Texts, "|")
			if size.X <= 0 || size.Y <= 0 {
				continue
			}
			if !strings.Contains("|"+texts+"|", "|"+show.Says+"|") && show.Says != "" {
				t.Errorf("%v %s: %s says %q, expected %q", size, o.Style, show.Name, texts, show.Says)
			}
			if show.Box == nil {
				continue
			}
			if box := show.Box(a); box.Y0 < 0 || box.Y1 > float64(size.Y)+1 {
				t.Errorf("%v %s: %s at %v is off the screen", size, o.Style, show.Name, box)
			}
		}
		says := fmt.Sprintf("level %d, %d moves\n%s", a.Level(), a.Moves(), a.Board())
		touchWildly(a)
		Draw(t, a, size, time.Hour, "after wild touches")
		if got := fmt.Sprintf("level %d, %d moves\n%s", a.Level(), a.Moves(), a.Board()); got != says {
			t.Errorf("%v %s: after wild touches %s\nexpected %s", size, o.Style, got, says)
		}
	}
}

// Notice shows the notice of an app of levels.
func Notice[A App](app func(a A) *simapp.App) Show[A] {
	return Show[A]{
		Name: "notice",
		Set:  func(a A) { app(a).Push(simapp.HintButton) },
		Says: "Hints|You have no hints left.|ok",
		Box: func(a A) simapp.Box {
			in := app(a)
			return in.Stage.Frame().Panel(in.Panel).Box
		},
	}
}

// Win plays a solution's plan on a layout, and goes to the next level by the
// panel's first button.
func (s Sim[A]) Win(t *testing.T, a A, size image.Point, layout screen.Layout, solution solvers.Solution, moves int, says ...string) {
	t.Helper()
	Play(a, 0, solution.Plan(layout)...)
	if got, want := a.Board(), solution.String(); got != want || !a.Won() || a.Moves() != moves {
		t.Fatalf("%v: won %v in %d moves, expected %d, the board is\n%s\nexpected\n%s", size, a.Won(), a.Moves(), moves, got, want)
	}
	texts := strings.Join(Draw(t, a, size, time.Second, "panel").Texts, "|")
	for _, part := range says {
		if shown := s.Fact(a, "screen", time.Second); shown != "complete" || !strings.Contains(texts, part) {
			t.Fatalf("%v: the screen is %s and says %q, expected %q", size, shown, texts, part)
		}
	}
	x, y, _ := s.Place(a, "panel-1")
	Touch(a, time.Second, [2]float64{x, y})
	if a.Level() != 2 || a.Won() {
		t.Errorf("%v: level %d, won %v, expected level 2, not won", size, a.Level(), a.Won())
	}
}

// Apart wants boxes that lie within another, none over another.
func Apart(t *testing.T, what string, within simapp.Box, boxes ...simapp.Box) {
	t.Helper()
	const rounding = 1e-6
	for i, b := range boxes {
		if !(b.X0 >= within.X0-rounding && b.X1 <= within.X1+rounding && b.Y0 >= within.Y0-rounding && b.Y1 <= within.Y1+rounding && b.Width() > 0 && b.Height() > 0) {
			t.Errorf("%s: box %d at %v, expected it within %v", what, i, b, within)
		}
		for k, o := range boxes[:i] {
			if b.X0 < o.X1 && o.X0 < b.X1 && b.Y0 < o.Y1 && o.Y0 < b.Y1 {
				t.Errorf("%s: boxes %d and %d overlap: %v, %v", what, k, i, o, b)
			}
		}
	}
}

// SimappPlace is where a button of an app of levels lies: previous, restart,
// next, hint, and those of its panel: close, panel-1, panel-2, ….
func SimappPlace(a *simapp.App, name string) (x, y float64, ok bool) {
	l := a.Stage.Frame()
	boxes := l.Boxes()
	buttons := map[string]simapp.Box{
		"previous": boxes[simapp.PreviousButton], "restart": boxes[simapp.RestartButton],
		"next": boxes[simapp.NextButton], "hint": boxes[simapp.HintButton],
	}
	if a.Panel.Kind != simapp.NoPanel {
		place := l.Panel(a.Panel)
		buttons["close"] = place.Close
		for i, b := range place.Buttons {
			buttons["panel-"+strconv.Itoa(i+1)] = b
		}
	}
	box, ok := buttons[name]
	x, y = box.Centre()
	return x, y, ok
}

// BoardLayout is a board of squares as an eye would measure it; centre is the
// middle of each of its cells.
func BoardLayout(size image.Point, rows, cols int, pitch float64, b simapp.Box, cells int, centre func(board.Cell) [2]float64) screen.Layout {
	whole := func(x, y float64) image.Point { return image.Pt(int(math.Round(x)), int(math.Round(y))) }
	l := screen.Layout{
		On:    screen.Frame{Size: size, Rotation: -1},
		Rows:  rows,
		Cols:  cols,
		Pitch: pitch,
		Board: image.Rectangle{Min: whole(b.X0, b.Y0), Max: whole(b.X1, b.Y1)},
	}
	for c := range board.Cell(cells) {
		at := centre(c)
		l.Centres = append(l.Centres, whole(at[0], at[1]))
	}
	return l
}
