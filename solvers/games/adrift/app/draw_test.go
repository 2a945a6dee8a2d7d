package app

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/adrift"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// puzzles are boards of different sizes.
var puzzles = []string{
	"R X X\n. . .\nB . .\nX X .\nX X .\nB . .\nX . X\nX . X\nX . R",
	"A .\nA .\nX X\nX X\nX X\nX X",
	"A .\nX A\nX X\nX X\nX X\nX X",
	"A .\n. .\n. .\nX .\n. .\n. A",
	"A . . . B C D\n. . X . . . .\n" + strings.Repeat(". . . . . . .\n", 17) + ". . . . X . .\nA . . B C . D",
}

// TestGeometry draws boards on every size of screen: nothing lies over
// anything else, each cell is where it is touched, and lines, stones and ends
// are drawn where they are.
func TestGeometry(t *testing.T) {
	for i, size := range gametest.Sizes() {
		for k, text := range puzzles {
			if k > 0 && (k%3 != i/2%3 || testing.Short()) {
				continue
			}
			style := []string{"", "light", "thick", "light thin"}[(i+k)%4]
			t.Run(fmt.Sprintf("%v %d %s", size, k, style), func(t *testing.T) { checkGeometry(t, size, text, style) })
		}
	}
}

func checkGeometry(t *testing.T, size image.Point, text, style string) {
	p, err := adrift.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	a := suite.New(t, size, simapp.Options{Style: style}, p)
	r := gametest.Draw(t, a, size, 0, "level")
	l := a.Layout()
	gametest.Apart(t, "screen", l.Content, append(slices.Collect(maps.Values(l.Buttons)), l.header, l.board)...)
	cube := r.Pictures[0]
	pixel := func(at [2]float64) color.NRGBA { return cube.NRGBAAt(int(at[0]), int(at[1])) }
	for c := range board.Cell(p.Cells()) {
		middle := pixel(l.view.Middle(c))
		face, _, _ := p.Place(c)
		if off := difference(middle, a.look.Stones[face]); p.Stone(c) && off > 0 || !p.Stone(c) && off < 40 {
			t.Errorf("%s: its middle is %v, a stone: %v", p.Name(c), middle, p.Stone(c))
		}
		for _, n := range p.Neighbours(c) {
			line := pixel(l.view.Between(c, n))
			if difference(line, pixel(l.view.Middle(c))) < 20 && !p.Stone(c) {
				t.Errorf("between %s and %s: %v, expected a line", p.Name(c), p.Name(n), line)
			}
			if back := l.view.Between(n, c); math.Hypot(back[0]-l.view.Between(c, n)[0], back[1]-l.view.Between(c, n)[1]) > 1e-6 {
				t.Errorf("%s and %s do not share a side", p.Name(c), p.Name(n))
			}
		}
	}
	for colour := range p.Colours() {
		for _, end := range p.Ends(colour) {
			at := l.view.Middle(end)
			if !slices.ContainsFunc(r.Shapes, func(s gametest.Shape) bool {
				return s.Kind == "polygon" && s.Colour == a.Play.colours[colour] && s.Covers(at[0], at[1])
			}) {
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
		for c := range board.Cell(p.Cells()) {
			if gametest.Inside([][2]float64{l.view.Spot(c, 0, 0), l.view.Spot(c, 0, 1), l.view.Spot(c, 1, 1), l.view.Spot(c, 1, 0)}, x, y) {
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

// TestScreens draws everything else once on every size.
func TestScreens(t *testing.T) {
	p, err := adrift.Parse(puzzles[0])
	if err != nil {
		t.Fatal(err)
	}
	suite.Screens(t, simapp.Options{Style: "light", Seed: 3, Pack: "Sample"}, []solvers.Puzzle{p, p}, gametest.Notice(func(a *app) *simapp.App { return &a.App }))
}

// TestStyle looks at the width of lines.
func TestStyle(t *testing.T) {
	for style, want := range map[string]float64{"": thinLine, "light": thickLine, "thick": thickLine, "thin light": thinLine} {
		if look, _ := parseStyle(style); look.lineWidth != want {
			t.Errorf("style %q: lines of %g pitches, expected %g", style, look.lineWidth, want)
		}
	}
}

// TestCube: the cube is painted once for a layout.
func TestCube(t *testing.T) {
	p, err := adrift.Parse(puzzles[0])
	if err != nil {
		t.Fatal(err)
	}
	size := image.Pt(480, 800)
	a := suite.New(t, size, simapp.Options{}, p, p)
	cube := func(size image.Point) *image.NRGBA {
		return gametest.Draw(t, a, size, time.Second, "level").Pictures[0]
	}
	first, second, lying := cube(size), cube(size), cube(image.Pt(800, 480))
	if first != second {
		t.Error("the cube was painted twice for the same screen")
	}
	if lying == first {
		t.Error("the cube was not painted anew when the screen was turned")
	}
}

// TestLevels plays generated levels of every size by the strokes planned for
// their solutions, on the layout that the app has them on, to the next level.
func TestLevels(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	each := 8
	if testing.Short() {
		each = 2
	}
	n := 0
	for side := adrift.MinSide; side <= adrift.MaxSide; side++ {
		for range each {
			sizes := gametest.Sizes()
			playLevel(t, side, sizes[n%len(sizes)], random)
			n++
		}
	}
}

func playLevel(t *testing.T, side int, size image.Point, random *rand.Rand) {
	t.Helper()
	p, err := adrift.Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: side, Colours: 1 + random.IntN(side)}, random)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(context.Background())
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	a := suite.New(t, size, simapp.Options{}, p, p)
	moves := p.(*adrift.Puzzle).Colours()
	says := "Level complete!|You joined all chains|in " + board.Count(moves, "move") + ".|next level"
	suite.Win(t, a, size, a.Layout().screen(), s, moves, "filled 100%", says)
}

// BenchmarkDraw is the app's own part of drawing a board.
func BenchmarkDraw(b *testing.B) {
	p, err := adrift.Parse(puzzles[len(puzzles)-1])
	if err != nil {
		b.Fatal(err)
	}
	size := image.Pt(1080, 2340)
	a := suite.New(b, size, simapp.Options{}, p)
	for b.Loop() {
		a.Draw(gametest.NewRecorder(size), 0)
	}
}

// BenchmarkCube paints an empty cube.
func BenchmarkCube(b *testing.B) {
	p, err := adrift.Parse(puzzles[len(puzzles)-1])
	if err != nil {
		b.Fatal(err)
	}
	l := newLayout(image.Pt(1080, 2340), p)
	for b.Loop() {
		paintCube(l, darkLook)
	}
}

// screen is the board's layout as an eye would measure it: the rows of the
// three faces below each other.
func (l *layout) screen() screen.Layout {
	side := l.view.Side()
	return gametest.BoardLayout(l.Size, 3*side, side, l.Pitch, l.board, l.view.Cells(), l.view.Middle)
}
