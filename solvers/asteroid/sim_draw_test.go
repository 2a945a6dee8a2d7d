package asteroid

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
)

// recorder is a canvas that only notes what is drawn.
type recorder struct {
	size   image.Point
	texts  []string
	boxes  []drawnBox // rounded rectangles, circles and polygons by their bounds
	shapes int
	odd    string // the first call with numbers that make no sense
}

type drawnBox struct {
	simapp.Box
	colour color.NRGBA
}

func (r *recorder) note(what string, numbers ...float64) {
	r.shapes++
	for _, n := range numbers {
		if (math.IsNaN(n) || math.IsInf(n, 0)) && r.odd == "" {
			r.odd = fmt.Sprint(what, numbers)
		}
	}
}

func (r *recorder) Size() image.Point { return r.size }
func (r *recorder) Fill(color.NRGBA)  { r.note("fill") }
func (r *recorder) Rect(x0, y0, x1, y1 float64, _ color.NRGBA) {
	r.note("rect", x0, y0, x1, y1)
	if (x1 < x0 || y1 < y0) && r.odd == "" && r.size.X > 20 && r.size.Y > 20 {
		r.odd = fmt.Sprint("rect inside out ", x0, y0, x1, y1)
	}
}
func (r *recorder) RoundRect(x0, y0, x1, y1, radius float64, c color.NRGBA) {
	r.note("round rect", x0, y0, x1, y1, radius)
	r.boxes = append(r.boxes, drawnBox{simapp.NewBox(x0, y0, x1, y1), c})
}
func (r *recorder) Circle(x, y, radius float64, c color.NRGBA) {
	r.RoundRect(x-radius, y-radius, x+radius, y+radius, radius, c)
}
func (r *recorder) Polygon(points [][2]float64, c color.NRGBA) {
	bounds := simapp.NewBox(math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1))
	for _, p := range points {
		r.note("polygon", p[0], p[1])
		bounds = simapp.NewBox(min(bounds.X0, p[0]), min(bounds.Y0, p[1]), max(bounds.X1, p[0]), max(bounds.Y1, p[1]))
	}
	r.boxes = append(r.boxes, drawnBox{bounds, c})
}
func (r *recorder) Polyline(points [][2]float64, width float64, _ color.NRGBA) {
	for _, p := range points {
		r.note("polyline", p[0], p[1], width)
	}
}
func (r *recorder) Text(x, y, size, align float64, s string, _ color.NRGBA) {
	r.note("text", x, y, size, align)
	r.texts = append(r.texts, s)
}
func (r *recorder) Picture(int, int, *image.NRGBA) { r.note("picture") }

// simSizes are screens upright; each is also tried lying.
var simSizes = []image.Point{{480, 800}, {720, 1280}, {720, 1480}, {1080, 1920}, {1080, 2340}, {1080, 2400}, {1440, 2560}, {1440, 3200}, {1536, 2048}, {1600, 2560}}

// simulate is an app drawn once.
func simulate(t testing.TB, s image.Point, style string, levels ...solvers.Puzzle) *simApp {
	t.Helper()
	app, err := Game{}.Simulate(levels, solvers.SimulateOptions{Style: style, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{size: s}
	app.Draw(r, 0)
	if r.odd != "" {
		t.Fatalf("%v %s: drew %s", s, style, r.odd)
	}
	return app.(*simApp)
}

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
	for _, upright := range append(simSizes, image.Pt(320, 320)) {
		for _, s := range []image.Point{upright, {upright.Y, upright.X}} {
			l := simulate(t, s, "", firstLevel(t)).lay()
			out := l.pitch / 3 // what sticks out of the outer tiles
			around := simapp.NewBox(l.board.X0-out, l.board.Y0-out, l.board.X1+out, l.board.Y1+out)
			on := func(groups ...simapp.Box) {
				for i, b := range groups {
					if b.X0 < 0 || b.Y0 < 0 || b.X1 > float64(s.X) || b.Y1 > float64(s.Y) || b.Width() <= 0 || b.Height() <= 0 {
						t.Errorf("%v: box %d at %v is not on the screen", s, i, b)
					}
					for k, o := range groups[i+1:] {
						if b.X0 < o.X1 && o.X0 < b.X1 && b.Y0 < o.Y1 && o.Y0 < b.Y1 {
							t.Errorf("%v: boxes %d and %d overlap: %v, %v", s, i, i+1+k, b, o)
						}
					}
				}
			}
			b := l.buttons
			on(around, b[previousButton], b[restartButton], b[nextButton], b[androidBackButton])
			on(b[closeButton], b[nextLevelButton], b[againButton], b[androidBackButton])
			on(l.panel, b[androidBackButton])
			on(b[playButton], b[androidBackButton])
			for c := range board.Cell(cells) {
				if got := l.cellAt(l.centres[c][0], l.centres[c][1]); got != c {
					t.Errorf("%v: %s: the place under its centre is %d, expected %d", s, size.Name(c), got, c)
				}
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
			r := &recorder{size: image.Pt(900, 900)}
			d := simDrawing{Canvas: r, look: style, l: &simLayout{pitch: 300}}
			d.piece(p, 450, 450)
			covered := units(p, 0, 0)
			for _, u := range covered {
				x, y := 450+100*float64(u.x), 450+100*float64(u.y)
				found := false
				for _, b := range r.boxes {
					found = found || b.Contains(x, y)
				}
				if !found {
					t.Errorf("%q: nothing is drawn at unit %d,%d", p, u.y, u.x)
				}
			}
			within := simapp.NewBox(450, 450, 450, 450)
			for _, u := range covered {
				within.X0, within.X1 = min(within.X0, 400+100*float64(u.x)), max(within.X1, 500+100*float64(u.x))
				within.Y0, within.Y1 = min(within.Y0, 400+100*float64(u.y)), max(within.Y1, 500+100*float64(u.y))
			}
			for _, b := range r.boxes {
				if b.X0 < within.X0 || b.X1 > within.X1 || b.Y0 < within.Y0 || b.Y1 > within.Y1 {
					t.Errorf("%q: drawn at %v, expected within %v", p, b.Box, within)
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
	a := simulate(t, simSizes[0], "", levels...)
	now := time.Duration(0)
	for i, p := range levels {
		s := simSizes[i%len(simSizes)]
		if i%3 == 1 {
			s.X, s.Y = s.Y, s.X
		}
		found, err := p.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, taps := range []bool{true, false} {
			a.Draw(&recorder{size: s}, now)
			plan := found.Plan(a.lay().screen())
			boards := found.(*Solution).Animation()
			for k, g := range plan {
				now += 150 * time.Millisecond
				points := g.Points
				if taps {
					points = points[:1]
				}
				touch(a, points, now)
				a.Draw(&recorder{size: s}, now)
				if a.Board() != boards[k+1] || a.Moves() != k+1 || a.Won() != (k == len(plan)-1) {
					t.Fatalf("level %d, move %d (%s): %d moves, won %v; the board is\n%s\nexpected\n%s", i+1, k+1, g.Note, a.Moves(), a.Won(), a.Board(), boards[k+1])
				}
			}
			now += time.Second
			r := &recorder{size: s}
			a.Draw(r, now)
			want := fmt.Sprintf("Level %d|moves: %d|Level complete!|Escaped in %d moves.|next level|again", i+1, len(plan), len(plan))
			if texts := strings.Join(r.texts, "|"); texts != want || a.Screen() != "escaped" {
				t.Fatalf("level %d: the screen is %s and says %q, expected %q", i+1, a.Screen(), texts, want)
			}
			button := nextLevelButton
			if taps {
				button = againButton
			}
			x, y := a.lay().buttons[button].Centre()
			touch(a, []image.Point{{int(x), int(y)}}, now)
		}
	}
	if a.Screen() != "end" {
		t.Errorf("after the last level the screen is %s, expected end", a.Screen())
	}
}

// touch is one finger from the first point to the last.
func touch(a *simApp, points []image.Point, now time.Duration) {
	for i, at := range points {
		action := screen.TouchMove
		if i == 0 {
			action = screen.TouchDown
		}
		a.Touch(action, float64(at.X), float64(at.Y), now)
	}
	last := points[len(points)-1]
	a.Touch(screen.TouchUp, float64(last.X), float64(last.Y), now)
}

// TestSimScreens draws every screen once in every style and size, however odd.
func TestSimScreens(t *testing.T) {
	for _, style := range []string{"space", "flat"} {
		for _, upright := range append(simSizes, image.Pt(100, 150), image.Pt(1, 1), image.Pt(0, 0), image.Pt(1, 4000)) {
			for _, s := range []image.Point{upright, {upright.Y, upright.X}} {
				a := simulate(t, s, style, firstLevel(t))
				check := func(what, last string) {
					r := &recorder{size: s}
					a.Draw(r, time.Hour)
					if r.odd != "" {
						t.Errorf("%v %s: %s: drew %s", s, style, what, r.odd)
					}
					if s.X > 0 && r.texts[len(r.texts)-1] != last {
						t.Errorf("%v %s: %s says %q, expected %q last", s, style, what, r.texts, last)
					}
				}
				a.move(4, board.South, time.Hour)
				check("slide", "moves: 1")
				a.motion = simMotion{kind: escape, cell: door, dir: board.South, start: time.Hour - escapeTime/2}
				check("escape", "moves: 1")
				a.panel = escapedPanel
				check("panel", "again")
				a.panel = endPanel
				check("end", "ok")
				a.panel, a.home, a.title = noPanel, true, "Sample"
				check("home", "play")
				a.home = false
				a.Touch(screen.TouchDown, 1e300, math.Inf(1), 0)
				a.Touch(screen.TouchMove, math.NaN(), 0, 0)
				a.Touch(screen.TouchUp, -1e300, 1e300, 0)
				check("wild touches", "moves: 1")
			}
		}
	}
	none := simulate(t, image.Pt(480, 800), "")
	for y := 0; y < 800; y += 20 {
		touch(none, []image.Point{{240, y}}, 0)
	}
	none.Back(0)
	if none.Board() != "" || none.Won() || none.Moves() != 0 || none.Level() != 0 || none.Screen() != "home" {
		t.Errorf("an app without levels says %q %v %d %d", none.Board(), none.Won(), none.Moves(), none.Level())
	}
}

// TestSimStyle reads styles, and refuses what is no level.
func TestSimStyle(t *testing.T) {
	for style, want := range map[string]string{
		"":      "",
		"space": "",
		"flat":  "",
		"Flat":  `asteroid: style "Flat", expected space or flat`,
		"flat ": `asteroid: style "flat ", expected space or flat`,
	} {
		got := ""
		if _, err := (Game{}).Simulate(nil, solvers.SimulateOptions{Style: style}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("style %q: %q, expected %q", style, got, want)
		}
	}
	if _, err := (Game{}).Simulate([]solvers.Puzzle{nil}, solvers.SimulateOptions{}); err == nil {
		t.Error("a level that is no asteroid puzzle was accepted")
	}
}

// BenchmarkSimDraw is the app's own part of drawing a board.
func BenchmarkSimDraw(b *testing.B) {
	a := simulate(b, image.Pt(1080, 2340), "space", firstLevel(b))
	for b.Loop() {
		a.Draw(&recorder{size: a.size}, 0)
	}
}
