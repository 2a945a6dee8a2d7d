package flow

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// recorder is a canvas that only notes what is drawn.
type recorder struct {
	size     image.Point
	circles  []drawnCircle
	texts    []string
	shapes   int
	pictures []*image.NRGBA
	odd      string // the first call with numbers that make no sense
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
	if x1 < x0 || y1 < y0 {
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
func (r *recorder) Picture(x, y int, m *image.NRGBA) {
	r.note("picture")
	r.pictures = append(r.pictures, m)
}

// simSizes are screens upright; each is also tried lying.
var simSizes = []image.Point{{480, 800}, {720, 1280}, {720, 1480}, {1080, 1920}, {1080, 2340}, {1080, 2400}, {1440, 2560}, {1440, 3200}, {1536, 2048}, {1600, 2560}}

// simPuzzles are one board of each kind.
var simPuzzles = []string{
	"A....\n.....\n..B..\n.....\nA...B",
	"A.......\n........\n........\n........\n........\n........\n........\n........\n.......A",
	strings.Repeat("..............\n", 13) + "A............A",
	"##A##\n#...#\nB...B\n#...#\n##A##",
	"walls 0,0|0,1 1,1|2,1\nA..\n...\n..A",
	"A....\n.+.+.\n.....\n.+.+.\n....A",
	"warp\nA..\n...\n..A",
	"warp\nwalls 0,0|0,2\nA#.\n...\n..A",
	"hex\n#.A.#\n.....\n..B..\nA...B\n#...#",
	"AA",
	"A\nA",
}

// TestSimGeometry draws every kind of board on every size of screen, and
// compares with the proportions measured on screenshots.
func TestSimGeometry(t *testing.T) {
	styles := []string{"", "adfree"}
	for i, upright := range simSizes {
		for turn, size := range []image.Point{upright, {upright.Y, upright.X}} {
			for k, text := range simPuzzles {
				if i > 0 && k%len(simSizes) != i { // every board on the first screen only
					continue
				}
				style := styles[(i+k+turn)%2]
				t.Run(fmt.Sprintf("%v %q %s", size, text, style), func(t *testing.T) {
					checkGeometry(t, size, text, style)
				})
			}
		}
	}
}

func checkGeometry(t *testing.T, size image.Point, text, style string) {
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	a := newApp([]*Puzzle{p}, solvers.SimulateOptions{Style: style}).(*simApp)
	r := &recorder{size: size}
	a.Draw(r, 0)
	if r.odd != "" {
		t.Fatalf("drew %s", r.odd)
	}
	l := a.lay()
	w, h := float64(size.X), float64(size.Y)
	if l.board.X0 < 0 || l.board.X1 > w || l.board.Y0 < l.content.Y0 || l.board.Y1 > l.content.Y1 {
		t.Errorf("board %v outside the content %v", l.board, l.content)
	}
	for b := backButton; b < closeButton; b++ {
		box := l.buttons[b]
		if box.X0 < 0 || box.X1 > w || box.Y0 < 0 || box.Y1 > h {
			t.Errorf("button %d at %v is off the screen", b, box)
		}
		for other := b + 1; other < closeButton; other++ {
			if o := l.buttons[other]; box.X0 < o.X1 && o.X0 < box.X1 && box.Y0 < o.Y1 && o.Y0 < box.Y1 {
				t.Errorf("buttons %d and %d overlap", b, other)
			}
		}
		if box.X0 < l.board.X1 && l.board.X0 < box.X1 && box.Y0 < l.board.Y1 && l.board.Y0 < box.Y1 {
			t.Errorf("button %d at %v lies on the board %v", b, box, l.board)
		}
	}
	// The board is as large as its room allows: on an upright phone 0.99 of the
	// width, or the height between counters and footer.
	if size.X < size.Y {
		reach := 0.0
		if p.Topology() == Warp {
			reach = 2 * (simRim*l.pitch + simMargin*l.unit)
		}
		wide := l.board.Width()+reach >= 0.985*w
		high := l.board.Height()+reach >= l.content.Height()-0.44*l.unit
		if !wide && !high {
			t.Errorf("board %v is too small on %v", l.board, size)
		}
		if x, _ := l.board.Centre(); math.Abs(x-w/2) > 0.01 {
			t.Errorf("board's centre is at x %g, expected %g", x, w/2)
		}
		if _, y := l.board.Centre(); h/w > 1.7 && (y < 0.45*h || y > 0.51*h) {
			t.Errorf("board's centre is at %.3f of the height, expected 0.45 to 0.51", y/h)
		}
	}
	// Dots lie on the ends' centres, in their colours.
	scale := 1.0
	if p.Topology() == Hex {
		scale = hexScale
	}
	for pipe := range p.Pipes() {
		for _, end := range p.Ends(pipe) {
			at := l.centres[end]
			found := false
			for _, c := range r.circles {
				found = found || c.x == at[0] && c.y == at[1] && math.Abs(c.radius-0.352*scale*l.pitch) < 0.01 && c.colour == a.colours[pipe]
			}
			if !found {
				t.Errorf("no dot of pipe %s at %v", p.Label(pipe), at)
			}
		}
	}
	for c := range board.Cell(p.Size().Cells()) {
		want := c
		if p.Hole(c) {
			want = board.None
		}
		if got := l.cellAt(l.centres[c][0], l.centres[c][1]); got != want {
			t.Errorf("%s: the cell under its centre is %d, expected %d", p.Size().Name(c), got, want)
		}
	}
}

// TestSimScreens draws everything else once on every size.
func TestSimScreens(t *testing.T) {
	p, err := Parse("A.B\n+..\nA.B")
	if err != nil {
		t.Fatal(err)
	}
	levels := make([]*Puzzle, 61)
	for i := range levels {
		levels[i] = p
	}
	for _, upright := range append(simSizes, image.Pt(100, 150), image.Pt(1, 1), image.Pt(0, 0), image.Pt(1, 4000)) {
		for _, size := range []image.Point{upright, {upright.Y, upright.X}} {
			a := newApp(levels, solvers.SimulateOptions{Style: "red checks letters", Seed: 3, Pack: "Sample"}).(*simApp)
			draw := func(what string) *recorder {
				r := &recorder{size: size}
				a.Draw(r, time.Hour)
				if r.odd != "" {
					t.Errorf("%v: %s: drew %s", size, what, r.odd)
				}
				return r
			}
			draw("level")
			a.notice("Title", "one line")
			draw("notice")
			if size.X > 0 {
				place := a.lay().panel(a.panel)
				if place.box.Y0 < 0 || place.box.Y1 > float64(size.Y)+1 {
					t.Errorf("%v: the panel %v is off the screen", size, place.box)
				}
			}
			a.list()
			a.page = 2
			if r := draw("levels"); size.X > 0 && r.texts[len(r.texts)-2] != "61" && !strings.Contains(strings.Join(r.texts, " "), " 61 ") {
				t.Errorf("%v: the last page shows %q, expected level 61", size, r.texts)
			}
			a.open(0)
			a.Touch(screen.TouchDown, 1e300, math.Inf(1), 0)
			a.Touch(screen.TouchMove, math.NaN(), 0, 0)
			a.Touch(screen.TouchUp, -1e300, 1e300, 0)
			draw("after wild touches")
		}
	}
	empty := newApp(nil, solvers.SimulateOptions{})
	empty.Draw(&recorder{size: image.Pt(480, 800)}, 0)
	empty.Touch(screen.TouchDown, 240, 400, 0)
	empty.Touch(screen.TouchUp, 240, 400, 0)
	empty.Back(0)
	if a := empty.(*simApp); a.Board() != "" || a.Won() || a.Moves() != 0 || a.Level() != 0 {
		t.Errorf("an app without levels says %q %v %d %d", a.Board(), a.Won(), a.Moves(), a.Level())
	}
}

// TestSimGlow: the background is the same each time, painted once, and dark
// enough behind the board.
func TestSimGlow(t *testing.T) {
	p, err := Parse("A.\n.A")
	if err != nil {
		t.Fatal(err)
	}
	options := solvers.SimulateOptions{Seed: 11}
	a, b := newApp([]*Puzzle{p}, options), newApp([]*Puzzle{p}, options)
	r := &recorder{size: image.Pt(480, 800)}
	a.Draw(r, 0)
	a.Draw(r, time.Second)
	b.Draw(r, 0)
	if r.pictures[0] != r.pictures[1] {
		t.Error("the background was painted twice")
	}
	if string(r.pictures[0].Pix) != string(r.pictures[2].Pix) {
		t.Error("the same seed gave two backgrounds")
	}
	brightest := uint8(0)
	for i, v := range r.pictures[0].Pix {
		if i%4 != 3 {
			brightest = max(brightest, v)
		}
	}
	if brightest > glowLimit || brightest < 20 {
		t.Errorf("the brightest glow is %d, expected 20 to %d", brightest, glowLimit)
	}
}

// TestSimStyle reads styles.
func TestSimStyle(t *testing.T) {
	for style, want := range map[string]string{
		"":                     "",
		"green":                "",
		"blue  checks letters": "",
		"adfree":               "",
		"plaid":                `flow: style "plaid", expected a colour, adfree, checks or letters`,
		"green Checks":         `flow: style "Checks", expected a colour, adfree, checks or letters`,
	} {
		got := ""
		if _, err := parseSimStyle(style, 1); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("style %q: %q, expected %q", style, got, want)
		}
	}
	look, _ := parseSimStyle("green", 5)
	if got, want := look.lineColour(), (color.NRGBA{63, 109, 63, 255}); got != want {
		t.Errorf("the green pack's lines are %v, expected %v", got, want)
	}
}

// TestSimColours: every pipe's colour is its own.
func TestSimColours(t *testing.T) {
	for _, n := range []int{1, 16, 17, 40} {
		var b Board
		b.Rows, b.Cols = n, 2
		for i := range n {
			b.Ends = append(b.Ends, [2]board.Cell{board.Cell(2 * i), board.Cell(2*i + 1)})
		}
		p, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[color.NRGBA]int{}
		for i, c := range coloursOf(p) {
			if j, ok := seen[c]; ok {
				t.Errorf("%d pipes: %d and %d are both %v", n, j, i, c)
			}
			seen[c] = i
		}
	}
	p, err := Parse("YW\nYW")
	if err != nil {
		t.Fatal(err)
	}
	if got := coloursOf(p); got[0] != (color.NRGBA{234, 224, 0, 255}) || got[1] != white {
		t.Errorf("the colours of Y and W are %v", got)
	}
	if got := colourLetter(coloursOf(p)[0], 0); got != "D" {
		t.Errorf("the letter of yellow is %s, expected D", got)
	}
}

// TestSimOfficial plays levels of the real game by the strokes planned for the
// designer's answer, and expects each to be won in as many moves as it has pipes.
func TestSimOfficial(t *testing.T) {
	forEachLevel(t, sharedData(t, "flow/official"), func(name, text string) {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		a := newApp([]*Puzzle{p}, solvers.SimulateOptions{}).(*simApp)
		a.size = image.Pt(1080, 2340)
		play(a, newSolution(p, p.form.paths))
		if !a.Won() || a.Moves() != p.Pipes() {
			t.Errorf("%s: %.60s: won %v in %d moves, expected %d\n%s", name, text, a.Won(), a.Moves(), p.Pipes(), a.Board())
		}
	})
}

// TestSimWholeLevel plays one level on several screens from the first stroke
// to the next level.
func TestSimWholeLevel(t *testing.T) {
	p, err := Parse("5,0,1,5;0,5,10,15,20,21,22,17;3,2,1,6;4,9,8,13,18,23;7,12,11,16;14,19,24")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []image.Point{{480, 800}, {1080, 2340}, {2340, 1080}, {1440, 3200}} {
		a := newApp([]*Puzzle{p, p}, solvers.SimulateOptions{}).(*simApp)
		a.Draw(&recorder{size: size}, 0)
		play(a, newSolution(p, p.form.paths))
		if got, want := a.Board(), "ABBBC\nABDCC\nADDCE\nADACE\nAAACE"; got != want || !a.Won() {
			t.Fatalf("%v: the board is\n%s\nexpected\n%s", size, got, want)
		}
		r := &recorder{size: size}
		a.Draw(r, time.Second)
		if texts := strings.Join(r.texts, "|"); a.Screen() != "complete" || !strings.Contains(texts, "Perfect!|You completed the level in|5 moves.|next level") {
			t.Fatalf("%v: the screen is %s and says %q", size, a.Screen(), texts)
		}
		x, y := a.lay().panel(a.panel).buttons[0].Centre()
		a.Touch(screen.TouchDown, x, y, time.Second)
		a.Touch(screen.TouchUp, x, y, time.Second)
		if a.Level() != 2 || a.Won() {
			t.Errorf("%v: level %d, won %v, expected level 2, not won", size, a.Level(), a.Won())
		}
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

// BenchmarkSimDraw is the app's own part of drawing a full board.
func BenchmarkSimDraw(b *testing.B) {
	p, err := Parse(strings.Repeat("..............\n", 13) + "A............A")
	if err != nil {
		b.Fatal(err)
	}
	a := newApp([]*Puzzle{p}, solvers.SimulateOptions{})
	for b.Loop() {
		a.Draw(&recorder{size: image.Pt(1080, 2340)}, 0)
	}
}

// BenchmarkSimGlow paints a new background.
func BenchmarkSimGlow(b *testing.B) {
	for b.Loop() {
		glow(image.Pt(1080, 2000), 1080, 1, 2)
	}
}
