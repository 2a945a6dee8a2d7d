package app

import (
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// puzzles are one board of each kind.
var puzzles = []string{
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

// TestGeometry draws every kind of board on every size of screen, and
// compares with the proportions measured on screenshots.
func TestGeometry(t *testing.T) {
	styles := []string{"", "adfree"}
	for i, size := range gametest.Sizes() {
		for k, text := range puzzles {
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
	p, err := flow.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	a := suite.New(t, size, simapp.Options{Style: style}, p)
	r := gametest.Draw(t, a, size, 0, "level")
	l := a.Layout()
	w, h := float64(size.X), float64(size.Y)
	gametest.Apart(t, "board", l.Content, l.board)
	gametest.Apart(t, "screen", simapp.NewBox(0, 0, w, h), append(slices.Collect(maps.Values(l.Buttons)), l.board)...)
	if len(l.Buttons) != 9 {
		t.Errorf("%d buttons, expected 9", len(l.Buttons))
	}
	// The board is as large as its room allows: on an upright phone 0.99 of the
	// width, or the height between counters and footer.
	if size.X < size.Y {
		reach := 0.0
		if p.Topology() == flow.Warp {
			reach = 2 * (rimReach*l.Pitch + margin*l.Unit)
		}
		wide := l.board.Width()+reach >= 0.985*w
		high := l.board.Height()+reach >= l.Content.Height()-0.44*l.Unit
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
	if p.Topology() == flow.Hex {
		scale = hexScale
	}
	for pipe := range p.Pipes() {
		for _, end := range p.Ends(pipe) {
			at := l.centres[end]
			if !slices.ContainsFunc(r.Shapes, func(s gametest.Shape) bool {
				x, y := s.Bounds.Centre()
				return s.Kind == "circle" && s.Colour == a.colours[pipe] && math.Hypot(x-at[0], y-at[1]) < 0.001 && math.Abs(s.Bounds.Width()/2-0.352*scale*l.Pitch) < 0.01
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

// TestScreens draws everything else once on every size.
func TestScreens(t *testing.T) {
	p, err := flow.Parse("A.B\n+..\nA.B")
	if err != nil {
		t.Fatal(err)
	}
	suite.Screens(t, simapp.Options{Style: "red checks letters", Seed: 3, Pack: "Sample"}, slices.Repeat([]solvers.Puzzle{p}, 61),
		gametest.Show[*app]{
			Name: "notice", Says: "Title|one line|ok",
			Set: func(a *app) { a.Notice("Title", "one line") },
			Box: func(a *app) simapp.Box { return a.Layout().Panel(a.Panel).Box },
		},
		gametest.Show[*app]{Name: "levels", Says: "61", Set: func(a *app) { a.list(); a.page = 2 }},
		gametest.Show[*app]{Name: "level", Set: func(a *app) { a.Show(1) }})
}

// TestGreen compares a look with a screenshot.
func TestGreen(t *testing.T) {
	look, _ := parseStyle("green", 5)
	if got, want := look.lineColour(), (color.NRGBA{63, 109, 63, 255}); got != want {
		t.Errorf("the green pack's lines are %v, expected %v", got, want)
	}
}

// TestGlow: the background is the same each time, painted once, and dark
// enough behind the board.
func TestGlow(t *testing.T) {
	p, err := flow.Parse("A.\n.A")
	if err != nil {
		t.Fatal(err)
	}
	options := simapp.Options{Seed: 11}
	size := image.Pt(480, 800)
	a, b := suite.New(t, size, options, p), suite.New(t, size, options, p)
	backdrop := func(a *app) *image.NRGBA {
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

// TestOfficial plays levels of the real game by the strokes planned for the
// designer's answer, and expects each to be won in as many moves as it has pipes.
func TestOfficial(t *testing.T) {
	const folder = "../../../../../shared/data/flow/official"
	files, err := filepath.Glob(folder + "/*.txt")
	if err != nil || len(files) == 0 {
		t.Skipf("the real levels of %s are not here", folder)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.FieldsSeq(string(text)) {
			playOfficial(t, filepath.Base(file), line)
		}
	}
}

// playOfficial plays a level that is written with its answer.
func playOfficial(t *testing.T, name, line string) {
	p, err := flow.Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := p.ParseSolution(line)
	if err != nil {
		t.Fatal(err)
	}
	made, err := New([]solvers.Puzzle{p}, simapp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := made.(*app)
	a.Size = image.Pt(1080, 2340) // without drawing it, which takes long
	gametest.Play(a, 0, answer.Plan(a.Layout().screen())...)
	if !a.Won() || a.Moves() != p.Pipes() {
		t.Errorf("%s: %.60s: won %v in %d moves, expected %d\n%s", name, line, a.Won(), a.Moves(), p.Pipes(), a.Board())
	}
}

// TestWholeLevel plays one level on several screens from the first stroke
// to the next level.
func TestWholeLevel(t *testing.T) {
	p, err := flow.Parse("5,0,1,5;0,5,10,15,20,21,22,17;3,2,1,6;4,9,8,13,18,23;7,12,11,16;14,19,24")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := p.Grid().Solve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range gametest.Sizes() {
		a := suite.New(t, size, simapp.Options{}, p, p)
		suite.Win(t, a, size, a.Layout().screen(), answer, 5, "Perfect!|You completed the level in|5 moves.|next level")
	}
}

// BenchmarkDraw is the app's own part of drawing a full board.
func BenchmarkDraw(b *testing.B) {
	p, err := flow.Parse(strings.Repeat("..............\n", 13) + "A............A")
	if err != nil {
		b.Fatal(err)
	}
	size := image.Pt(1080, 2340)
	a := suite.New(b, size, simapp.Options{}, p)
	for b.Loop() {
		a.Draw(gametest.NewRecorder(size), 0)
	}
}

// BenchmarkGlow paints a new background.
func BenchmarkGlow(b *testing.B) {
	for b.Loop() {
		glow(image.Pt(1080, 2000), 1080, 1, 2)
	}
}

// screen is the board's layout as an eye would measure it.
func (l *layout) screen() screen.Layout {
	size := l.puzzle.Size()
	s := gametest.BoardLayout(l.Size, size.Rows, size.Cols, l.Pitch, l.board, size.Cells(), func(c board.Cell) [2]float64 { return l.centres[c] })
	if l.puzzle.Topology() == flow.Hex {
		s.Topology = screen.Hex
	}
	return s
}
