package flow

import (
	"fmt"
	"image"
	"image/color"
	"math"
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
	for i, size := range gametest.Sizes() {
		for k, text := range simPuzzles {
			if i > 1 && k%10 != i/2 { // every board on the first screen only
				continue
			}
			style := styles[(i+k)%2]
			t.Run(fmt.Sprintf("%v %q %s", size, text, style), func(t *testing.T) {
				checkGeometry(t, size, text, style)
			})
		}
	}
}

func checkGeometry(t *testing.T, size image.Point, text, style string) {
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	a := simTest.New(t, size, solvers.SimulateOptions{Style: style}, p)
	r := gametest.Draw(t, a, size, 0, "level")
	l := a.lay()
	w, h := float64(size.X), float64(size.Y)
	gametest.Apart(t, "board", l.content, l.board)
	var boxes []simapp.Box
	for b := backButton; b < closeButton; b++ {
		boxes = append(boxes, l.buttons[b])
	}
	gametest.Apart(t, "screen", simapp.NewBox(0, 0, w, h), append(boxes, l.board)...)
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
			if !slices.ContainsFunc(r.Shapes, func(s gametest.Shape) bool {
				x, y := s.Bounds.Centre()
				return s.Kind == "circle" && s.Colour == a.colours[pipe] && math.Hypot(x-at[0], y-at[1]) < 0.001 && math.Abs(s.Bounds.Width()/2-0.352*scale*l.pitch) < 0.01
			}) {
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
	simTest.Screens(t, solvers.SimulateOptions{Style: "red checks letters", Seed: 3, Pack: "Sample"}, slices.Repeat([]solvers.Puzzle{p}, 61),
		gametest.Show[*simApp]{
			Name: "notice", Says: "Title|one line|ok",
			Set: func(a *simApp) { a.notice("Title", "one line") },
			Box: func(a *simApp) simapp.Box { return a.lay().panel(a.panel).Box },
		},
		gametest.Show[*simApp]{Name: "levels", Says: "61", Set: func(a *simApp) { a.list(); a.page = 2 }},
		gametest.Show[*simApp]{Name: "level", Set: func(a *simApp) { a.open(0) }})
}

// TestSimGreen compares a look with a screenshot.
func TestSimGreen(t *testing.T) {
	look, _ := parseSimStyle("green", 5)
	if got, want := look.lineColour(), (color.NRGBA{63, 109, 63, 255}); got != want {
		t.Errorf("the green pack's lines are %v, expected %v", got, want)
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
	size := image.Pt(480, 800)
	a, b := simTest.New(t, size, options, p), simTest.New(t, size, options, p)
	backdrop := func(a *simApp) *image.NRGBA {
		return gametest.Draw(t, a, size, time.Second, "level").Pictures[0]
	}
	first, second, other := backdrop(a), backdrop(a), backdrop(b)
	if first != second {
		t.Error("the background was painted twice")
	}
	if string(first.Pix) != string(other.Pix) {
		t.Error("the same seed gave two backgrounds")
	}
	brightest := uint8(0)
	for i, v := range first.Pix {
		if i%4 != 3 {
			brightest = max(brightest, v)
		}
	}
	if brightest > glowLimit || brightest < 20 {
		t.Errorf("the brightest glow is %d, expected 20 to %d", brightest, glowLimit)
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
		a.size = image.Pt(1080, 2340) // without drawing it, which takes long
		gametest.Play(a, 0, newSolution(p, p.form.paths).Plan(a.lay().screen())...)
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
	for _, size := range gametest.Sizes() {
		a := simTest.New(t, size, solvers.SimulateOptions{}, p, p)
		simTest.Win(t, a, size, a.lay().screen(), newSolution(p.Grid(), p.form.paths), 5, "Perfect!|You completed the level in|5 moves.|next level")
	}
}

// BenchmarkSimDraw is the app's own part of drawing a full board.
func BenchmarkSimDraw(b *testing.B) {
	p, err := Parse(strings.Repeat("..............\n", 13) + "A............A")
	if err != nil {
		b.Fatal(err)
	}
	size := image.Pt(1080, 2340)
	a := simTest.New(b, size, solvers.SimulateOptions{}, p)
	for b.Loop() {
		a.Draw(gametest.NewRecorder(size), 0)
	}
}

// BenchmarkSimGlow paints a new background.
func BenchmarkSimGlow(b *testing.B) {
	for b.Loop() {
		glow(image.Pt(1080, 2000), 1080, 1, 2)
	}
}

// screen is the board's layout as an eye would measure it.
func (l *simLayout) screen() screen.Layout {
	size := l.puzzle.Size()
	s := gametest.BoardLayout(l.size, size.Rows, size.Cols, l.pitch, l.board, size.Cells(), func(c board.Cell) [2]float64 { return l.centres[c] })
	if l.puzzle.Topology() == Hex {
		s.Topology = screen.Hex
	}
	return s
}
