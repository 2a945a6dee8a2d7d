package adrift

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
	size     image.Point
	polygons []drawnPolygon
	texts    []string
	pictures []*image.NRGBA
	odd      string // the first call with numbers that make no sense
}

type drawnPolygon struct {
	points [][2]float64
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
func (r *recorder) Rect(x0, y0, x1, y1 float64, _ color.NRGBA) {
	r.note("rect", x0, y0, x1, y1)
	if x1 < x0 || y1 < y0 {
		r.odd = fmt.Sprint("rect inside out ", x0, y0, x1, y1)
	}
}
func (r *recorder) RoundRect(x0, y0, x1, y1, radius float64, _ color.NRGBA) {
	r.note("round rect", x0, y0, x1, y1, radius)
}
func (r *recorder) Circle(x, y, radius float64, _ color.NRGBA) { r.note("circle", x, y, radius) }
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
func (r *recorder) Picture(_, _ int, m *image.NRGBA) { r.pictures = append(r.pictures, m) }

// inside reports whether a place lies in a polygon: a ray from it crosses the
// outline an odd number of times.
func inside(polygon [][2]float64, x, y float64) bool {
	in := false
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		if (p[1] > y) != (q[1] > y) && x < p[0]+(y-p[1])/(q[1]-p[1])*(q[0]-p[0]) {
			in = !in
		}
	}
	return in
}

// simSizes are screens upright; each is also tried lying.
var simSizes = []image.Point{{480, 800}, {720, 1280}, {720, 1480}, {1080, 1920}, {1080, 2340}, {1080, 2400}, {1440, 2560}, {1440, 3200}, {1536, 2048}, {1600, 2560}, {320, 320}}

// simPuzzles are boards of different sizes.
var simPuzzles = []string{
	"R X X\n. . .\nB . .\nX X .\nX X .\nB . .\nX . X\nX . X\nX . R",
	"A .\nA .\nX X\nX X\nX X\nX X",
	"A .\nX A\nX X\nX X\nX X\nX X",
	"A .\n. .\n. .\nX .\n. .\n. A",
	"A . . . B C D\n. . X . . . .\n" + strings.Repeat(". . . . . . .\n", 17) + ". . . . X . .\nA . . B C . D",
}

// TestSimGeometry draws boards on every size of screen: nothing lies over
// anything else, each cell is where it is touched, and lines, stones and ends
// are drawn where they are.
func TestSimGeometry(t *testing.T) {
	for i, upright := range simSizes {
		for turn, size := range []image.Point{upright, {upright.Y, upright.X}} {
			for k, text := range simPuzzles {
				if k > 0 && (k%3 != i%3 || testing.Short()) {
					continue
				}
				style := []string{"", "light", "thick", "light thin"}[(i+k+turn)%4]
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
	if b := l.board; b.X0 < 0 || b.X1 > float64(size.X) || b.Y0 < l.Content.Y0-1 || b.Y1 > l.Content.Y1+1 {
		t.Errorf("board %v outside the content %v", b, l.Content)
	}
	boxes := []simapp.Box{l.header, l.board}
	for b := simapp.PreviousButton; b <= simapp.HintButton; b++ {
		boxes = append(boxes, l.Buttons[b])
	}
	for i, b := range boxes {
		if b.X0 < 0 || b.X1 > float64(size.X) || b.Y0 < l.Content.Y0-1 || b.Y1 > l.Content.Y1+1 {
			t.Errorf("box %d at %v is outside the content", i, b)
		}
		for k, o := range boxes[:i] {
			if b.X0 < o.X1 && o.X0 < b.X1 && b.Y0 < o.Y1 && o.Y0 < b.Y1 {
				t.Errorf("boxes %d and %d overlap", k, i)
			}
		}
	}
	cube := r.pictures[0]
	pixel := func(at [2]float64) color.NRGBA { return cube.NRGBAAt(int(at[0]), int(at[1])) }
	for c := range board.Cell(p.cells()) {
		middle := pixel(l.centre(c))
		face, _, _ := p.place(c)
		if off := difference(middle, a.look.stones[face]); p.Stone(c) && off > 0 || !p.Stone(c) && off < 40 {
			t.Errorf("%s: its middle is %v, a stone: %v", p.Name(c), middle, p.Stone(c))
		}
		for _, n := range p.Neighbours(c) {
			line := pixel(l.between(c, n))
			if difference(line, pixel(l.centre(c))) < 20 && !p.Stone(c) {
				t.Errorf("between %s and %s: %v, expected a line", p.Name(c), p.Name(n), line)
			}
			if back := l.between(n, c); math.Hypot(back[0]-l.between(c, n)[0], back[1]-l.between(c, n)[1]) > 1e-6 {
				t.Errorf("%s and %s do not share a side", p.Name(c), p.Name(n))
			}
		}
	}
	for colour := range p.Colours() {
		for _, end := range p.Ends(colour) {
			at := l.centre(end)
			if !slices.ContainsFunc(r.polygons, func(d drawnPolygon) bool { return d.colour == a.colours[colour] && inside(d.points, at[0], at[1]) }) {
				t.Errorf("%s: no disc of %s", p.Name(end), p.Label(colour))
			}
		}
	}
	// Which cell is touched, by the corners of all.
	random := rand.New(rand.NewPCG(2, 3))
	b := l.board
	for range 200 {
		x, y := b.X0+(1.1*random.Float64()-0.05)*b.Width(), b.Y0+(1.1*random.Float64()-0.05)*b.Height()
		want := board.None
		for c := range board.Cell(p.cells()) {
			if inside([][2]float64{l.at(c, 0, 0), l.at(c, 0, 1), l.at(c, 1, 1), l.at(c, 1, 0)}, x, y) {
				want = c
			}
		}
		if got := l.cellAt(x, y); got != want {
			t.Errorf("at %g,%g is cell %d, expected %d", x, y, got, want)
		}
		if out := l.outside(x, y); (out > 0) != (want == board.None) {
			t.Errorf("at %g,%g is %g outside of the cube, in cell %d", x, y, out, want)
		}
	}
}

// difference is the largest of two colours' channels.
func difference(a, b color.NRGBA) int {
	d := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return max(d(a.R, b.R), d(a.G, b.G), d(a.B, b.B))
}

// TestSimScreens draws everything else once on every size, and touches wildly.
func TestSimScreens(t *testing.T) {
	p, err := Parse(simPuzzles[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, upright := range append(simSizes, image.Pt(100, 150), image.Pt(1, 1), image.Pt(0, 0), image.Pt(1, 4000)) {
		for _, size := range []image.Point{upright, {upright.Y, upright.X}} {
			a := newApp([]*Puzzle{p, p}, solvers.SimulateOptions{Style: "light", Seed: 3, Pack: "Sample"})
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
		"plaid":       `adrift: style "plaid", expected dark, light, thick or thin`,
		"dark Thin":   `adrift: style "Thin", expected dark, light, thick or thin`,
	} {
		got := ""
		if _, err := (Game{}).Simulate([]solvers.Puzzle{level}, solvers.SimulateOptions{Style: style}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("style %q: %q, expected %q", style, got, want)
		}
	}
	for style, want := range map[string]float64{"": thinLine, "light": thickLine, "thick": thickLine, "thin light": thinLine} {
		if look, _ := parseSimStyle(style); look.lineWidth != want {
			t.Errorf("style %q: lines of %g pitches, expected %g", style, look.lineWidth, want)
		}
	}
	for _, levels := range [][]solvers.Puzzle{nil, {level, nil}} {
		if app, err := (Game{}).Simulate(levels, solvers.SimulateOptions{}); err == nil {
			t.Errorf("an app of the levels %v: %v, expected an error", levels, app)
		}
	}
}

// TestSimColours: every chain's colour is its own, and that of its letter where
// every letter has one.
func TestSimColours(t *testing.T) {
	for _, look := range []simLook{darkLook, lightLook} {
		for _, n := range []int{1, 7, 12, 13, MostColours} {
			b := Board{Side: 7}
			for i := range n {
				b.Ends = append(b.Ends, [2]board.Cell{board.Cell(2 * i), board.Cell(2*i + 1)})
			}
			p, err := New(b)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[color.NRGBA]int{}
			for i, c := range look.coloursOf(p) {
				if j, ok := seen[c]; ok {
					t.Errorf("%d chains: %d and %d are both %v", n, j, i, c)
				}
				seen[c] = i
			}
		}
	}
	p, err := Parse("Y R\nY R\nX X\nX X\nX X\nX X")
	if err != nil {
		t.Fatal(err)
	}
	if got := lightLook.coloursOf(p); got[0] != (color.NRGBA{250, 204, 0, 255}) || got[1] != (color.NRGBA{229, 45, 45, 255}) {
		t.Errorf("the colours of Y and R are %v", got)
	}
}

// TestSimCube: the cube is painted once for a layout.
func TestSimCube(t *testing.T) {
	p, err := Parse(simPuzzles[0])
	if err != nil {
		t.Fatal(err)
	}
	a := newApp([]*Puzzle{p, p}, solvers.SimulateOptions{})
	r := &recorder{size: image.Pt(480, 800)}
	a.Draw(r, 0)
	a.Draw(r, time.Second)
	r.size = image.Pt(800, 480)
	a.Draw(r, time.Second)
	if r.pictures[0] != r.pictures[1] {
		t.Error("the cube was painted twice for the same screen")
	}
	if r.pictures[2] == r.pictures[0] {
		t.Error("the cube was not painted anew when the screen was turned")
	}
}

// TestSimLevels plays generated levels of every size by the strokes planned for
// their solutions, on the layout that the app has them on, to the next level.
func TestSimLevels(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	each := 8
	if testing.Short() {
		each = 2
	}
	n := 0
	for side := MinSide; side <= MaxSide; side++ {
		for range each {
			size := simSizes[n%len(simSizes)]
			if n%2 == 1 {
				size.X, size.Y = size.Y, size.X
			}
			playLevel(t, side, size, random)
			n++
		}
	}
}

func playLevel(t *testing.T, side int, size image.Point, random *rand.Rand) {
	t.Helper()
	p, err := Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: side, Colours: 1 + random.IntN(side)}, random)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(context.Background())
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	a := newApp([]*Puzzle{p.(*Puzzle), p.(*Puzzle)}, solvers.SimulateOptions{})
	a.Draw(&recorder{size: size}, 0)
	play(a, s)
	if got, want := a.Board(), s.String(); got != want || !a.Won() || a.Moves() != p.(*Puzzle).Colours() {
		t.Fatalf("%v: won %v in %d moves, the board is\n%s\nexpected\n%s", size, a.Won(), a.Moves(), got, want)
	}
	r := &recorder{size: size}
	a.Draw(r, time.Second)
	if texts := strings.Join(r.texts, "|"); a.Screen() != "complete" || !strings.Contains(texts, "filled 100%") || !strings.Contains(texts, "Level complete!|You joined all chains|in "+simapp.Count(a.Moves(), "move")+".|next level") {
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
func play(a *simApp, s solvers.Solution) {
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
	p, err := Parse(simPuzzles[len(simPuzzles)-1])
	if err != nil {
		b.Fatal(err)
	}
	a := newApp([]*Puzzle{p}, solvers.SimulateOptions{})
	for b.Loop() {
		a.Draw(&recorder{size: image.Pt(1080, 2340)}, 0)
	}
}

// BenchmarkSimCube paints an empty cube.
func BenchmarkSimCube(b *testing.B) {
	p, err := Parse(simPuzzles[len(simPuzzles)-1])
	if err != nil {
		b.Fatal(err)
	}
	l := newSimLayout(image.Pt(1080, 2340), p)
	for b.Loop() {
		paintCube(l, darkLook)
	}
}
