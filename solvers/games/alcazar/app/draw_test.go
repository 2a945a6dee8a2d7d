package app

import (
	"context"
	"fmt"
	"image"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/alcazar"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// puzzles are boards of different kinds.
var puzzles = []string{
	"xxxxx x\nx0 0 0x\nx xxx x\nx0 0 0x\nx x x x\nx0 0 0x\nx xxxxx",
	"x x\nx0x\nx x\nx0x\nx x",
	"x x x\n 0 0 \nx   x\n 0 0 \nx x x",
	"x x x x x x x\nx0 0 0 0 0 0x\nxxxxxxxxxxxxx",
	"xxx xxx\nx#x0 0x\nxxx x x\nx0 0x#x\nx x x x\nx0 0 0x\nxxx xxx",
	"xxxxx x\nx0 0 0x\nx x x x\nx0x# 0x\nx xxx x\nx0 0 0x\nxxxxxxx",
	"+---+---+   +\n|           |\n+   +---+   +\n|           |\n+   +---+---+",
}

// TestGeometry draws boards on every size of screen: nothing lies over
// anything else, and walls are drawn where there are walls, and nowhere else.
func TestGeometry(t *testing.T) {
	for i, size := range gametest.Sizes() {
		for k, text := range puzzles {
			style := []string{"", "dark", "thin", "dark thick"}[(i+k)%4]
			t.Run(fmt.Sprintf("%v %d %s", size, k, style), func(t *testing.T) { checkGeometry(t, size, text, style) })
		}
	}
}

func checkGeometry(t *testing.T, size image.Point, text, style string) {
	p, err := alcazar.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	a := suite.New(t, size, simapp.Options{Style: style}, p)
	r := gametest.Draw(t, a, size, 0, "level")
	l := a.Layout()
	walled := func(x, y float64) bool {
		return slices.ContainsFunc(r.Shapes, func(s gametest.Shape) bool { return s.Kind == "rect" && s.Colour == a.look.wall && s.Covers(x, y) })
	}
	reach := l.board
	reach.X0, reach.Y0, reach.X1, reach.Y1 = reach.X0-porch*l.Pitch, reach.Y0-porch*l.Pitch, reach.X1+porch*l.Pitch, reach.Y1+porch*l.Pitch
	gametest.Apart(t, "screen", l.Content, append(slices.Collect(maps.Values(l.Buttons)), reach)...)
	for c := range board.Cell(p.Size().Cells()) {
		at := l.centre(c)
		if !p.IsRoom(c) {
			if got := l.placeAt(at[0], at[1]); got.room != board.None || walled(at[0], at[1]) {
				t.Errorf("%s: at its centre is %+v, expected no room and no wall", p.Size().Name(c), got)
			}
			continue
		}
		if got := l.placeAt(at[0], at[1]); got.room != c || got.outside >= 0 {
			t.Errorf("%s: at its centre is %+v", p.Size().Name(c), got)
		}
		if walled(at[0], at[1]) {
			t.Errorf("%s: a wall over its centre", p.Size().Name(c))
		}
		for d := range board.Dir(4) {
			x, y := l.side(c, d).Centre()
			if wall := walled(x, y); wall == p.Open(c, d) {
				t.Errorf("%s, side %d: a wall is drawn: %v, expected %v", p.Size().Name(c), d, wall, !wall)
			}
		}
	}
	for i, o := range l.openings {
		for _, pitches := range []float64{0.5, 0.6, 0.9} {
			at := l.beyond(o, pitches)
			if got := l.placeAt(at[0], at[1]); got.outside != i {
				t.Errorf("%s, side %d: %g pitches out is %+v", p.Size().Name(o.Room), o.Side, pitches, got)
			}
		}
	}
}

// TestScreens draws everything else once on every size.
func TestScreens(t *testing.T) {
	p, err := alcazar.Parse(puzzles[0])
	if err != nil {
		t.Fatal(err)
	}
	suite.Screens(t, simapp.Options{Style: "dark", Seed: 3, Pack: "Sample"}, []solvers.Puzzle{p, p}, gametest.Notice(func(a *app) *simapp.App { return &a.App }))
}

// TestStyle looks at the width of walls.
func TestStyle(t *testing.T) {
	for style, want := range map[string]float64{"": thickWall, "dark": thinWall, "thin": thinWall, "thick dark": thickWall} {
		if look, _ := parseStyle(style, 0); look.wallWidth != want {
			t.Errorf("style %q: walls of %g pitches, expected %g", style, look.wallWidth, want)
		}
	}
}

// TestLevels plays generated levels of many sizes by the strokes planned for
// their solutions, on the layout that the app has them on, to the next level.
func TestLevels(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	n := 0
	for rows := 1; rows <= 9; rows++ {
		for cols := 1; cols <= 9; cols++ {
			playLevel(t, rows, cols, n, random)
			n++
		}
	}
	for _, side := range []int{12, 16, 25, 40, 64} {
		for range len(gametest.Sizes()) / 2 {
			playLevel(t, side, side-side/5, n, random)
			n++
		}
	}
}

func playLevel(t *testing.T, rows, cols, n int, random *rand.Rand) {
	t.Helper()
	variant := []string{"grid", "box", "plain"}[n%3]
	if n%4 == 3 && rows*cols > 1 {
		variant += " holes"
	}
	p, err := alcazar.Game{}.Generate(t.Context(), solvers.GenerateOptions{Rows: rows, Cols: cols, Variant: variant}, random)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(t.Context())
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	sizes := gametest.Sizes()
	size := sizes[n%len(sizes)]
	a := suite.New(t, size, simapp.Options{}, p, p)
	suite.Win(t, a, size, a.Layout().screen(), s, 1, "Level complete!|You crossed the palace|in 1 stroke.|next level")
}

// BenchmarkDraw is the app's own part of drawing a board.
func BenchmarkDraw(b *testing.B) {
	p, err := alcazar.Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: 20}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		b.Fatal(err)
	}
	size := image.Pt(1080, 2340)
	a := suite.New(b, size, simapp.Options{}, p)
	for b.Loop() {
		a.Draw(gametest.NewRecorder(size), 0)
	}
}

// screen is the board's layout as an eye would measure it.
func (l *layout) screen() screen.Layout {
	size := l.puzzle.Size()
	return gametest.BoardLayout(l.Size, size.Rows, size.Cols, l.Pitch, l.board, size.Cells(), l.centre)
}
