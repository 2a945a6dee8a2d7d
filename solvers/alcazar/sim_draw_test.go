package alcazar

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
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
	size  image.Point
	rects []drawnRect
	texts []string
	odd   string // the first call with numbers that make no sense
}

type drawnRect struct {
	box    simapp.Box
	colour color.NRGBA
}

func (r *recorder) note(what string, numbers ...float64) {
	for _, n := range numbers {
		if (math.IsNaN(n) || math.IsInf(n, 0)) && r.odd == "" {
			r.odd = fmt.Sprint(what, numbers)
		}
	}
}

func (r *recorder) Size() image.Point { return r.size }
func (r *recorder) Fill(color.NRGBA)  {}
func (r *recorder) Rect(x0, y0, x1, y1 float64, c color.NRGBA) {
	r.note("rect", x0, y0, x1, y1)
	if x1 < x0 || y1 < y0 {
		r.odd = fmt.Sprint("rect inside out ", x0, y0, x1, y1)
	}
	r.rects = append(r.rects, drawnRect{simapp.NewBox(x0, y0, x1, y1), c})
}
func (r *recorder) RoundRect(x0, y0, x1, y1, radius float64, _ color.NRGBA) {
	r.note("round rect", x0, y0, x1, y1, radius)
}
func (r *recorder) Circle(x, y, radius float64, _ color.NRGBA) { r.note("circle", x, y, radius) }
func (r *recorder) Polygon(points [][2]float64, _ color.NRGBA) {
	for _, p := range points {
		r.note("polygon", p[0], p[1])
	}
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
func (r *recorder) Picture(int, int, *image.NRGBA) {}

// covered reports whether a rectangle of a colour lies over a point.
func (r *recorder) covered(x, y float64, c color.NRGBA) bool {
	return slices.ContainsFunc(r.rects, func(d drawnRect) bool { return d.colour == c && d.box.Contains(x, y) })
}

// simSizes are screens upright; each is also tried lying.
var simSizes = []image.Point{{480, 800}, {720, 1280}, {720, 1480}, {1080, 1920}, {1080, 2340}, {1080, 2400}, {1440, 2560}, {1440, 3200}, {1536, 2048}, {1600, 2560}, {320, 320}}

// simPuzzles are boards of different kinds.
var simPuzzles = []string{
	"xxxxx x\nx0 0 0x\nx xxx x\nx0 0 0x\nx x x x\nx0 0 0x\nx xxxxx",
	"x x\nx0x\nx x\nx0x\nx x",
	"x x x\n 0 0 \nx   x\n 0 0 \nx x x",
	"x x x x x x x\nx0 0 0 0 0 0x\nxxxxxxxxxxxxx",
	"+---+---+   +\n|           |\n+   +---+   +\n|           |\n+   +---+---+",
}

// TestSimGeometry draws boards on every size of screen: nothing lies over
// anything else, and walls are drawn where there are walls, and nowhere else.
func TestSimGeometry(t *testing.T) {
	for i, upright := range simSizes {
		for turn, size := range []image.Point{upright, {upright.Y, upright.X}} {
			for k, text := range simPuzzles {
				style := []string{"", "dark", "thin", "dark thick"}[(i+k+turn)%4]
				t.Run(fmt.Sprintf("%v %d %s", size, k, style), func(t *testing.T) { checkGeometry(t, size, text, style) })
			}
		}
	}
}

func checkGeometry(t *testing.T, size image.Point, text, style string) {
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	a := newApp([]*Puzzle{p}, solvers.SimulateOptions{Style: style})
	r := &recorder{size: size}
	a.Draw(r, 0)
	if r.odd != "" {
		t.Fatalf("drew %s", r.odd)
	}
	l := a.lay()
	reach := l.board
	reach.X0, reach.Y0, reach.X1, reach.Y1 = reach.X0-simPorch*l.pitch, reach.Y0-simPorch*l.pitch, reach.X1+simPorch*l.pitch, reach.Y1+simPorch*l.pitch
	if reach.X0 < 0 || reach.X1 > float64(size.X) || reach.Y0 < l.Content.Y0-1 || reach.Y1 > l.Content.Y1+1 {
		t.Errorf("board with porch %v outside the content %v", reach, l.Content)
	}
	for b := simapp.PreviousButton; b <= simapp.HintButton; b++ {
		box := l.Buttons[b]
		if box.X0 < 0 || box.X1 > float64(size.X) || box.Y0 < l.Content.Y0 || box.Y1 > l.Content.Y1 {
			t.Errorf("button %d at %v is outside the content", b, box)
		}
		for other := b + 1; other <= simapp.HintButton; other++ {
			if o := l.Buttons[other]; box.X0 < o.X1 && o.X0 < box.X1 && box.Y0 < o.Y1 && o.Y0 < box.Y1 {
				t.Errorf("buttons %d and %d overlap", b, other)
			}
		}
		if box.X0 < reach.X1 && reach.X0 < box.X1 && box.Y0 < reach.Y1 && reach.Y0 < box.Y1 {
			t.Errorf("button %d at %v lies on the board %v", b, box, reach)
		}
	}
	for c := range board.Cell(p.size.Cells()) {
		at := l.centre(c)
		if got := l.placeAt(at[0], at[1]); got.room != c || got.outside >= 0 {
			t.Errorf("%s: at its centre is %+v", p.size.Name(c), got)
		}
		if r.covered(at[0], at[1], a.look.wall) {
			t.Errorf("%s: a wall over its centre", p.size.Name(c))
		}
		for d := range board.Dir(4) {
			x, y := l.side(c, d).Centre()
			if wall := r.covered(x, y, a.look.wall); wall == p.Open(c, d) {
				t.Errorf("%s, side %d: a wall is drawn: %v, expected %v", p.size.Name(c), d, wall, !wall)
			}
		}
	}
	for i, o := range l.openings {
		for _, pitches := range []float64{0.5, 0.6, 0.9} {
			at := l.beyond(o, pitches)
			if got := l.placeAt(at[0], at[1]); got.outside != i {
				t.Errorf("%s: %g pitches out is %+v", p.name(o), pitches, got)
			}
		}
	}
}

// TestSimScreens draws everything else once on every size, and touches wildly.
func TestSimScreens(t *testing.T) {
	p, err := Parse(simPuzzles[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, upright := range append(simSizes, image.Pt(100, 150), image.Pt(1, 1), image.Pt(0, 0), image.Pt(1, 4000)) {
		for _, size := range []image.Point{upright, {upright.Y, upright.X}} {
			a := newApp([]*Puzzle{p, p}, solvers.SimulateOptions{Style: "dark", Seed: 3, Pack: "Sample"})
			draw := func(what string) {
				r := &recorder{size: size}
				a.Draw(r, time.Hour)
				if r.odd != "" {
					t.Errorf("%v: %s: drew %s", size, what, r.odd)
				}
			}
			draw("level")
			a.Push(simapp.HintButton)
			draw("notice")
			if size.X > 0 && size.Y > 0 {
				if box := a.lay().Panel(a.Panel).Box; box.Y0 < 0 || box.Y1 > float64(size.Y)+1 {
					t.Errorf("%v: the panel %v is off the screen", size, box)
				}
			}
			a.Back(0)
			a.Touch(screen.TouchDown, 1e300, math.Inf(1), 0)
			a.Touch(screen.TouchMove, math.NaN(), 0, 0)
			a.Touch(screen.TouchUp, -1e300, 1e300, 0)
			draw("after wild touches")
		}
	}
}

// TestSimStyle reads styles, and refuses what cannot be simulated.
func TestSimStyle(t *testing.T) {
	level, err := Parse(simPuzzles[0])
	if err != nil {
		t.Fatal(err)
	}
	for style, want := range map[string]string{
		"":            "",
		"light":       "",
		"thick  dark": "",
		"thin":        "",
		"plaid":       `alcazar: style "plaid", expected light, dark, thick or thin`,
		"dark Thin":   `alcazar: style "Thin", expected light, dark, thick or thin`,
	} {
		got := ""
		if _, err := (Game{}).Simulate([]solvers.Puzzle{level}, solvers.SimulateOptions{Style: style}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("style %q: %q, expected %q", style, got, want)
		}
	}
	for style, want := range map[string]float64{"": thickWall, "dark": thinWall, "thin": thinWall, "thick dark": thickWall} {
		if look, _ := parseSimStyle(style, 0); look.wallWidth != want {
			t.Errorf("style %q: walls of %g pitches, expected %g", style, look.wallWidth, want)
		}
	}
	for _, levels := range [][]solvers.Puzzle{nil, {level, nil}} {
		if app, err := (Game{}).Simulate(levels, solvers.SimulateOptions{}); err == nil {
			t.Errorf("an app of the levels %v: %v, expected an error", levels, app)
		}
	}
}

// TestSimLevels plays generated levels of many sizes by the strokes planned for
// their solutions, on the layout that the app has them on, to the next level.
func TestSimLevels(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	n := 0
	for rows := 1; rows <= 9; rows++ {
		for cols := 1; cols <= 9; cols++ {
			playLevel(t, rows, cols, n, random)
			n++
		}
	}
	for _, side := range []int{12, 16, 25, 40, 64} {
		for range len(simSizes) {
			playLevel(t, side, side-side/5, n, random)
			n++
		}
	}
}

func playLevel(t *testing.T, rows, cols, n int, random *rand.Rand) {
	t.Helper()
	// The path that a board was generated around is one of its solutions.
	g := generator{size: board.Size{Rows: rows, Cols: cols}, random: random}
	if err := g.findPath(context.Background()); err != nil {
		t.Fatal(err)
	}
	g.start(false)
	p := (&Puzzle{size: g.size, open: g.open, form: Plain}).As([]Form{Grid, Box, Plain}[n%3])
	s := &Solution{puzzle: p, used: g.used}
	if err := s.Check(); err != nil {
		t.Fatalf("%v\n%s", err, s)
	}
	size := simSizes[n%len(simSizes)]
	if n/len(simSizes)%2 == 1 {
		size.X, size.Y = size.Y, size.X
	}
	a := newApp([]*Puzzle{p, p}, solvers.SimulateOptions{})
	a.Draw(&recorder{size: size}, 0)
	play(a, s)
	if got, want := a.Board(), s.String(); got != want || !a.Won() || a.Moves() != 1 {
		t.Fatalf("%v: won %v in %d strokes, the board is\n%s\nexpected\n%s", size, a.Won(), a.Moves(), got, want)
	}
	r := &recorder{size: size}
	a.Draw(r, time.Second)
	if texts := strings.Join(r.texts, "|"); a.Screen() != "complete" || !strings.Contains(texts, "Level complete!|You crossed the palace|in 1 stroke.|next level") {
		t.Fatalf("%v: the screen is %s and says %q", size, a.Screen(), texts)
	}
	x, y := a.lay().Panel(a.Panel).Buttons[0].Centre()
	a.Touch(screen.TouchDown, x, y, time.Second)
	a.Touch(screen.TouchUp, x, y, time.Second)
	if a.Level() != 2 || a.Won() {
		t.Errorf("%v: level %d, won %v, expected level 2, not won", size, a.Level(), a.Won())
	}
}

// play makes the strokes of a solution.
func play(a *simApp, s *Solution) {
	for _, g := range s.Plan(a.lay().screen()) {
		for i, at := range g.Points {
			action := screen.TouchMove
			if i == 0 {
				action = screen.TouchDown
			}
			a.Touch(action, float64(at.X), float64(at.Y), 0)
		}
		last := g.Points[len(g.Points)-1]
		a.Touch(screen.TouchUp, float64(last.X), float64(last.Y), 0)
	}
}

// BenchmarkSimDraw is the app's own part of drawing a board.
func BenchmarkSimDraw(b *testing.B) {
	p, err := Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: 20}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		b.Fatal(err)
	}
	a := newApp([]*Puzzle{p.(*Puzzle)}, solvers.SimulateOptions{})
	for b.Loop() {
		a.Draw(&recorder{size: image.Pt(1080, 2340)}, 0)
	}
}
