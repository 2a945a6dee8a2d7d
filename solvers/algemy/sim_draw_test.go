package algemy

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
	size     image.Point
	polygons []drawnPolygon
	circles  []drawnCircle
	texts    []string
	shapes   int
	odd      string // the first call with numbers that make no sense
}

type drawnPolygon struct {
	points [][2]float64
	colour color.NRGBA
}

type drawnCircle struct {
	x, y, radius float64
	colour       color.NRGBA
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
	if (x1 < x0 || y1 < y0) && r.odd == "" {
		r.odd = fmt.Sprint("rect inside out ", x0, y0, x1, y1)
	}
}
func (r *recorder) RoundRect(x0, y0, x1, y1, radius float64, _ color.NRGBA) {
	r.note("round rect", x0, y0, x1, y1, radius)
}
func (r *recorder) Circle(x, y, radius float64, c color.NRGBA) {
	r.note("circle", x, y, radius)
	r.circles = append(r.circles, drawnCircle{x, y, radius, c})
}
func (r *recorder) Polygon(points [][2]float64, c color.NRGBA) {
	for _, p := range points {
		r.note("polygon", p[0], p[1])
	}
	r.polygons = append(r.polygons, drawnPolygon{points, c})
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

// simulate is an app with one level, drawn once.
func simulate(t testing.TB, size image.Point, style string, levels ...solvers.Puzzle) *simApp {
	t.Helper()
	app, err := Game{}.Simulate(levels, solvers.SimulateOptions{Style: style})
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{size: size}
	app.Draw(r, 0)
	if r.odd != "" {
		t.Fatalf("%v %s: drew %s", size, style, r.odd)
	}
	return app.(*simApp)
}

// empty is a board without crystals.
func empty(t testing.TB, shape Shape, side int) *Puzzle {
	t.Helper()
	p, err := New(Board{Shape: shape, Side: side, Hard: true, Crystals: []Crystal(strings.Repeat("-", newGrid(shape, side).cells()))})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSimGeometry lays out every board on every size of screen: everything is
// on the screen, nothing in another's way, and every colour of every wheel can
// be reached.
func TestSimGeometry(t *testing.T) {
	for _, upright := range append(simSizes, image.Pt(320, 320)) {
		for _, size := range []image.Point{upright, {upright.Y, upright.X}} {
			for _, shape := range []Shape{Square, Hexagon} {
				for side := MinSide; side <= MaxSide; side++ {
					t.Run(fmt.Sprintf("%v %v %d", size, shape, side), func(t *testing.T) {
						checkGeometry(t, simulate(t, size, "", empty(t, shape, side)))
					})
				}
			}
		}
	}
}

func checkGeometry(t *testing.T, a *simApp) {
	l := a.lay()
	boxes := append([]simapp.Box{l.board, l.banner}, l.buttons[homeButton:]...)
	w, h := float64(l.size.X), float64(l.size.Y)
	for i, b := range boxes {
		if !(b.X0 >= 0 && b.X1 <= w && b.Y0 >= 0 && b.Y1 <= h && b.Width() > 0 && b.Height() > 0) {
			t.Errorf("box %d at %v is not on the screen", i, b)
		}
		for k, o := range boxes[i+1:] {
			if b.X0 < o.X1 && o.X0 < b.X1 && b.Y0 < o.Y1 && o.Y0 < b.Y1 {
				t.Errorf("boxes %d and %d overlap: %v, %v", i, i+1+k, b, o)
			}
		}
	}
	p := a.board.puzzle
	for c := range board.Cell(p.cells()) {
		at := l.centres[c]
		if got := l.cellAt(at[0], at[1]); got != c {
			t.Errorf("%s: the cell under its centre is %d, expected %d", p.Name(c), got, c)
		}
		for colour := Red; colour <= Violet; colour++ {
			s := &Solution{puzzle: p, sources: make([]Colour, p.cells())}
			for i := range s.sources {
				s.sources[i] = noSource
			}
			s.sources[c] = colour
			tap := s.Plan(l.screen())[1].Points[0]
			if x, y := float64(tap.X), float64(tap.Y); x < 1 || x > w-1 || y < 1 || y > h-1 || l.colourAt(c, x, y) != colour || !l.onWheel(c, x, y) {
				t.Errorf("%s: %v at %v is %v", p.Name(c), colour, tap, l.colourAt(c, x, y))
			}
		}
	}
}

// TestSimMeasured compares with what was measured on a screen of 1080×1920.
func TestSimMeasured(t *testing.T) {
	for side, want := range map[int]simapp.Box{
		4: simapp.NewBox(139, 605, 951, 1417), 5: simapp.NewBox(112, 580, 960, 1428),
		6: simapp.NewBox(102, 570, 980, 1448), 7: simapp.NewBox(92, 560, 987, 1455),
	} {
		a := simulate(t, image.Pt(1080, 1920), "", empty(t, Square, side))
		got := a.lay().board
		for i, d := range []float64{got.X0 - want.X0, got.Y0 - want.Y0, got.X1 - want.X1, got.Y1 - want.Y1} {
			if math.Abs(d) > 1e-6 {
				t.Errorf("side %d: the board is at %v, expected %v (number %d)", side, got, want, i)
			}
		}
		if x, y := a.lay().buttons[nextButton].Centre(); math.Abs(x-475) > 1e-6 || math.Abs(y-380) > 1e-6 {
			t.Errorf("next is at %g,%g, expected 475,380", x, y)
		}
	}
}

// TestSimWholeLevels plays generated levels of every kind by the planned taps,
// from the first to the message after the last.
func TestSimWholeLevels(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	var levels []solvers.Puzzle
	for _, pack := range Packs() {
		if pack.Row == Medium { // looks like a thin one
			continue
		}
		for range 3 {
			p, err := Game{}.Generate(context.Background(), solvers.GenerateOptions{
				Rows: pack.Side, Variant: fmt.Sprintf("%s-%s", pack.Shape, pack.Row), Unique: pack.Side < 6,
			}, random)
			if err != nil {
				t.Fatal(err)
			}
			levels = append(levels, p)
		}
	}
	a := simulate(t, simSizes[0], "", levels...)
	now := time.Duration(0)
	for i, p := range levels {
		size := simSizes[i%len(simSizes)]
		if i%3 == 1 {
			size.X, size.Y = size.Y, size.X
		}
		a.Draw(&recorder{size: size}, now)
		s, err := p.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		plan := s.Plan(a.lay().screen())
		for k, g := range plan {
			if a.Won() {
				t.Fatalf("level %d is won after %d of %d taps", i+1, k, len(plan))
			}
			now += 50 * time.Millisecond
			tap(a, float64(g.Points[0].X), float64(g.Points[0].Y), now)
			a.Draw(&recorder{size: size}, now)
		}
		if !a.Won() || a.Board() != s.String() || a.Level() != i+1 || a.Moves() != len(plan)/2 {
			t.Fatalf("level %d: %d, won %v in %d moves; the board is\n%s\nexpected\n%s", i+1, a.Level(), a.Won(), a.Moves(), a.Board(), s)
		}
		now += time.Second
		r := &recorder{size: size}
		a.Draw(r, now)
		want := fmt.Sprintf("%d/%d|solved", i+1, len(levels))
		if texts := strings.Join(r.texts, "|"); texts != want {
			t.Errorf("level %d: the screen says %q, expected %q", i+1, texts, want)
		}
		x, y := a.lay().buttons[nextButton].Centre()
		tap(a, x, y, now)
	}
	if a.Screen(now) != "end" {
		t.Errorf("after the last level the screen is %s, expected end", a.Screen(now))
	}
}

// tap is one finger, down and up.
func tap(a *simApp, x, y float64, now time.Duration) {
	a.Touch(screen.TouchDown, x, y, now)
	a.Touch(screen.TouchUp, x, y, now)
}

// TestSimScreens draws every screen once in every style and size, however odd.
func TestSimScreens(t *testing.T) {
	p, err := Parse("hard\nR O Y G\nB V W X\n- - - -\n- - - -")
	if err != nil {
		t.Fatal(err)
	}
	for _, style := range []string{"day", "night"} {
		for _, upright := range append(simSizes, image.Pt(100, 150), image.Pt(1, 1), image.Pt(0, 0), image.Pt(1, 4000)) {
			for _, size := range []image.Point{upright, {upright.Y, upright.X}} {
				a := simulate(t, size, style, p)
				draw := func(what string) *recorder {
					r := &recorder{size: size}
					a.Draw(r, time.Hour)
					if r.odd != "" {
						t.Errorf("%v %s: %s: drew %s", size, style, what, r.odd)
					}
					return r
				}
				a.board.put(8, Red)
				a.board.put(9, Green) // which sees it
				a.wheel = 15
				draw("wheel")
				a.wheel = board.None
				a.solved = true
				draw("solved")
				a.ended = true
				if r := draw("end"); size.X > 0 && r.texts[len(r.texts)-1] != "ok" {
					t.Errorf("%v: the message says %q", size, r.texts)
				}
				a.ended, a.home, a.title = false, true, "Sample"
				if r := draw("home"); size.X > 0 && strings.Join(r.texts, "|") != "ALGEMY|Sample" {
					t.Errorf("%v: the start page says %q", size, r.texts)
				}
				a.Touch(screen.TouchDown, 1e300, math.Inf(1), 0)
				a.Touch(screen.TouchMove, math.NaN(), 0, 0)
				a.Touch(screen.TouchUp, -1e300, 1e300, 0)
				draw("after wild touches")
			}
		}
	}
	none := simulate(t, image.Pt(480, 800), "")
	for y := 0.0; y < 800; y += 20 {
		tap(none, 240, y, 0)
	}
	none.Back(0)
	if none.Board() != "" || none.Won() || none.Moves() != 0 || none.Level() != 0 || none.Screen(0) != "home" {
		t.Errorf("an app without levels says %q %v %d %d", none.Board(), none.Won(), none.Moves(), none.Level())
	}
}

// TestSimCrystals looks at the colours of cubes: which faces carry them, and
// that a crystal that is right is full.
func TestSimCrystals(t *testing.T) {
	p, err := Parse("R O Y G\nB V W X\n- - - -\n- - - -")
	if err != nil {
		t.Fatal(err)
	}
	a := simulate(t, image.Pt(1080, 1920), "day", p)
	faces := map[Crystal]string{'R': "top", 'O': "top right", 'Y': "right", 'G': "right left", 'B': "left", 'V': "top left", 'W': "", 'X': "top right left"}
	draw := func() *recorder {
		r := &recorder{size: a.size}
		a.Draw(r, 0)
		return r
	}
	r := draw()
	l := a.lay()
	for c, k := range p.crystals {
		if k == Empty {
			continue
		}
		at := l.centres[c]
		inner := 0.1 * l.pitch // a place inside a face of the small cube
		var got []string
		for _, face := range []struct {
			name string
			x, y float64
		}{{"top", 0, -inner}, {"right", inner, 0.6 * inner}, {"left", -inner, 0.6 * inner}} {
			if colour := r.at(at[0]+face.x, at[1]+face.y); colour != dayLook.ground {
				got = append(got, face.name)
				if colour != dayLook.colour(k) {
					t.Errorf("%c: the face %s is %v, expected %v", k, face.name, colour, dayLook.colour(k))
				}
			}
		}
		if strings.Join(got, " ") != faces[k] {
			t.Errorf("%c: coloured are %q, expected %q", k, got, faces[k])
		}
	}
	// A blue source below the blue crystal fills it, outside its small cube too.
	a.board.put(8, Blue)
	at := l.centres[4]
	if got := draw().at(at[0], at[1]-0.35*l.pitch); got != dayLook.colour('B') {
		t.Errorf("the blue crystal that is right is %v, expected %v", got, dayLook.colour('B'))
	}
}

// at is the colour of the polygon drawn last at a place.
func (r *recorder) at(x, y float64) color.NRGBA {
	found := color.NRGBA{}
	for _, p := range r.polygons {
		inside := false
		for i, a := range p.points {
			b := p.points[(i+1)%len(p.points)]
			if (a[1] > y) != (b[1] > y) && x < a[0]+(y-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
				inside = !inside
			}
		}
		if inside {
			found = p.colour
		}
	}
	return found
}

// TestSimSources: a source is a disc of its colour, and the two looks differ.
func TestSimSources(t *testing.T) {
	p := empty(t, Square, 5)
	discs := map[color.NRGBA]bool{}
	for _, style := range []string{"day", "night"} {
		a := simulate(t, image.Pt(1080, 1920), style, p)
		for colour := Red; colour <= Violet; colour++ {
			a.board.put(12, colour)
			r := &recorder{size: a.size}
			a.Draw(r, 0)
			at := a.lay().centres[12]
			for _, c := range r.circles {
				if c.x == at[0] && c.y == at[1] && c.radius > 0.25*a.lay().pitch && c.colour != dayLook.engraved && c.colour != nightLook.engraved {
					discs[c.colour] = true
				}
			}
		}
	}
	if len(discs) != 12 {
		t.Errorf("%d colours of sources, expected 6 in each of two styles: %v", len(discs), discs)
	}
}

// TestSimStyle reads styles, and refuses what is no level.
func TestSimStyle(t *testing.T) {
	for style, want := range map[string]string{
		"":      "",
		"day":   "",
		"night": "",
		"Night": `algemy: style "Night", expected day or night`,
		"day ":  `algemy: style "day ", expected day or night`,
		"green": `algemy: style "green", expected day or night`,
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
		t.Error("a level that is no algemy puzzle was accepted")
	}
}

// BenchmarkSimDraw is the app's own part of drawing a full board.
func BenchmarkSimDraw(b *testing.B) {
	p, err := Parse(strings.TrimSuffix(strings.Repeat("X - X - X - X\n- X - X - X -\n", 3)+"X - X - X - X", "\n"))
	if err != nil {
		b.Fatal(err)
	}
	a := simulate(b, image.Pt(1080, 2340), "night", p)
	for b.Loop() {
		a.Draw(&recorder{size: a.size}, 0)
	}
}
