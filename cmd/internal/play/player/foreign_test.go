package player_test

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

var (
	foreign     = flag.Int("foreign", 4, "on how many screens of each game TestForeign lays each kind of foreign thing over the board")
	foreignSeed = flag.Uint64("foreign-seed", 7, "the seed of which TestForeign draws them")
	foreignOnly = flag.String("foreign-only", "", "have TestForeign read boards of this game only")
)

// foreignThing lies over a part of a board, which is in a frame. Its place and colours are
// drawn from random.
type foreignThing struct {
	name string
	lay  func(frame *image.RGBA, board image.Rectangle, pitch float64, random *rand.Rand)
}

// foreignThings are what phones show over apps. Most lie over one side of the board,
// where a thing that is not seen has a meaning in some games.
var foreignThings = []foreignThing{
	{"a banner of its own colours", func(f *image.RGBA, b image.Rectangle, pitch float64, r *rand.Rand) {
		ground, ink := color.RGBA{236, 236, 240, 255}, color.RGBA{60, 60, 66, 255}
		if r.IntN(2) == 0 {
			ground, ink = color.RGBA{44, 44, 48, 255}, color.RGBA{225, 225, 230, 255}
		}
		at := stripOver(b, pitch, 0.5+2*r.Float64(), r)
		fill(f, at, ground)
		for i := range 3 {
			line := image.Rect(at.Min.X+at.Dx()/12, at.Min.Y+(2*i+1)*at.Dy()/7, at.Max.X-at.Dx()/(3+r.IntN(5)), at.Min.Y+(2*i+2)*at.Dy()/7)
			fill(f, line, ink)
		}
	}},
	{"a strip of a colour on the screen", func(f *image.RGBA, b image.Rectangle, pitch float64, r *rand.Rand) {
		fill(f, stripOver(b, pitch, 0.1+r.Float64(), r), someColour(f, b, r))
	}},
	{"a rectangle of a colour on the screen", func(f *image.RGBA, b image.Rectangle, pitch float64, r *rand.Rand) {
		fill(f, overRim(b, pitch, r), someColour(f, b, r))
	}},
	{"a rectangle with a shadow", func(f *image.RGBA, b image.Rectangle, pitch float64, r *rand.Rand) {
		at := overRim(b, pitch, r)
		c := someColour(f, b, r)
		for i := max(2, int(pitch/10)); i > 0; i-- {
			draw.Draw(f, at.Inset(-i), image.NewUniform(color.RGBA{A: 24}), image.Point{}, draw.Over)
		}
		fill(f, at, c)
	}},
	{"a finger's bubble", func(f *image.RGBA, b image.Rectangle, pitch float64, r *rand.Rand) {
		disc(f, someWhere(b, r), pitch*(0.15+0.6*r.Float64()), someColour(f, b, r))
	}},
	{"a dialog over a corner", func(f *image.RGBA, b image.Rectangle, pitch float64, r *rand.Rand) {
		c := someColour(f, b, r)
		at := image.Rectangle{Max: b.Size()}.Add(someWhere(b, r))
		if r.IntN(2) == 0 {
			at = at.Sub(b.Size())
		}
		fill(f, at, c)
	}},
}

// stripOver is a strip as long as the board and longer, so many pitches wide, over one of
// its sides or near it.
func stripOver(b image.Rectangle, pitch, wide float64, r *rand.Rand) image.Rectangle {
	w, out := int(math.Ceil(wide*pitch)), int(pitch*r.Float64())
	from := r.IntN(w+1) - w
	switch r.IntN(4) {
	case 0:
		return image.Rect(b.Min.X-out, b.Min.Y+from, b.Max.X+out, b.Min.Y+from+w)
	case 1:
		return image.Rect(b.Min.X-out, b.Max.Y+from, b.Max.X+out, b.Max.Y+from+w)
	case 2:
		return image.Rect(b.Min.X+from, b.Min.Y-out, b.Min.X+from+w, b.Max.Y+out)
	}
	return image.Rect(b.Max.X+from, b.Min.Y-out, b.Max.X+from+w, b.Max.Y+out)
}

// overRim is a rectangle of up to two pitches over a point of the board's rim.
func overRim(b image.Rectangle, pitch float64, r *rand.Rand) image.Rectangle {
	side := func() int { return int(pitch * (0.1 + 1.9*r.Float64())) }
	size := image.Pt(side(), side())
	return image.Rectangle{Max: size}.Add(someWhere(b, r)).Sub(image.Pt(r.IntN(size.X+1), r.IntN(size.Y+1)))
}

// someWhere is a point on the board's rim or, once in three times, on the board.
func someWhere(b image.Rectangle, r *rand.Rand) image.Point {
	at := b.Min.Add(image.Pt(r.IntN(b.Dx()), r.IntN(b.Dy())))
	switch r.IntN(6) {
	case 0:
		at.X = b.Min.X
	case 1:
		at.X = b.Max.X
	case 2:
		at.Y = b.Min.Y
	case 3:
		at.Y = b.Max.Y
	}
	return at
}

// someColour is a colour of the screen on the board or near it.
func someColour(f *image.RGBA, b image.Rectangle, r *rand.Rand) color.RGBA {
	near := b.Inset(-b.Dx() / 8).Intersect(f.Rect)
	return f.RGBAAt(near.Min.X+r.IntN(near.Dx()), near.Min.Y+r.IntN(near.Dy()))
}

// disc fills a disc.
func disc(f *image.RGBA, at image.Point, radius float64, c color.RGBA) {
	reach := int(math.Ceil(radius))
	for y := -reach; y <= reach; y++ {
		if half := math.Sqrt(max(0, radius*radius-float64(y*y))); half > 0 {
			fill(f, image.Rect(at.X-int(half), at.Y+y, at.X+int(half)+1, at.Y+y+1), c)
		}
	}
}

// TestForeign lays foreign things over the rims and other parts of boards of all games.
// What they hide cannot be seen, and nothing that is missing may be given a meaning: such
// a board is refused or read right. With many more screens than by default some games are
// still read wrongly on a few (docs/robustness.md).
func TestForeign(t *testing.T) {
	for _, of := range readGames {
		if *foreignOnly != "" && of.game.Name() != *foreignOnly {
			continue
		}
		t.Run(of.game.Name(), func(t *testing.T) {
			t.Parallel()
			var verdicts talliesOf
			random := rand.New(rand.NewPCG(*foreignSeed, 3))
			for i := range *foreign {
				layForeign(t, of, i, random, &verdicts)
			}
			t.Logf("\n%s", &verdicts)
		})
	}
}

// layForeign lays things of each kind over a board of a game, and reads it.
func layForeign(t *testing.T, of readGame, i int, random *rand.Rand, verdicts *talliesOf) {
	t.Helper()
	o := of.options[i%len(of.options)]
	if o.Rows > 8 { // larger boards take longer and show the same
		return
	}
	level, err := of.game.Generate(t.Context(), o, random)
	if err != nil {
		t.Fatal(err)
	}
	style, size := of.styles[random.IntN(len(of.styles))], screenSizes[random.IntN(4)]
	app, err := all.Simulate(of.game, []solvers.Puzzle{level}, simapp.Options{Seed: random.Uint64(), Style: style})
	if err != nil {
		t.Fatal(err)
	}
	clean := simphone.Render(app, size, 2*time.Second)
	seen, err := vision.Observe(clean, screen.Frame{Size: size, Rotation: -1}, of.game.Spec())
	if err != nil || seen.Layout.Rows == 0 {
		return
	}
	for k, thing := range foreignThings {
		frame := &image.RGBA{Pix: slices.Clone(clean.Pix), Stride: clean.Stride, Rect: clean.Rect}
		thing.lay(frame, seen.Layout.Board, seen.Layout.Pitch, random)
		p, err := readSolved(frame, of.game)
		switch {
		case err != nil:
			verdicts.add(of.game.Name(), thing.name, tally{refused: 1})
		case gametest.SameBoard(of.game, p, level):
			verdicts.add(of.game.Name(), thing.name, tally{right: 1})
		default:
			verdicts.add(of.game.Name(), thing.name, tally{wrong: 1})
			t.Errorf("%s %s, style %s, %v, %s: read as\n%v\nexpected\n%v", of.game.Name(), boardName(o), style, size, thing.name, p, level)
			if *keepRobustness != "" {
				keepFrame(t, filepath.Join(*keepRobustness, fmt.Sprintf("foreign-%s-%d-%d-%d.png", of.game.Name(), *foreignSeed, i, k)), frame)
			}
		}
	}
}

// TestHiddenRim lays things over a side of boards that would be other boards with one
// solution, too, if what is not seen there were not there.
func TestHiddenRim(t *testing.T) {
	const (
		alcazar = `x xxxxxxxxxxxxx
 0 0 0 0 0 0 0x
x x x x xxx x x
x0 0 0 0 0x0 0 
x x xxx x x x x
x0 0 0 0x0 0 0 
x x x xxx xxx x
x0 0 0 0 0 0 0x
xxx x x x x x x
x0 0 0 0x0 0 0x
x x x x x xxx x
x0 0 0 0 0 0 0x
x x xxx x x x x
x0 0 0 0 0x0 0x
x xxxxxxxxxxxxx
`
	)
	for _, c := range []struct {
		name, game, level, style string
		// The rectangle that lies over the board, in pitches from its upper left corner.
		x0, y0, x1, y1 float64
		colour         color.RGBA
	}{
		{"a line over an opening", "alcazar", alcazar, "light", -1, -0.1, 1, 0.04, color.RGBA{74, 48, 33, 255}},
		{"a line of a banner over an opening", "alcazar", alcazar, "light", -1, -0.06, 1, 0.06, color.RGBA{60, 60, 66, 255}},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := slices.IndexFunc(readGames, func(of readGame) bool { return of.game.Name() == c.game })
			game := readGames[i].game
			level, err := game.Parse(c.level)
			if err != nil {
				t.Fatal(err)
			}
			size := image.Pt(720, 1280)
			app, err := all.Simulate(game, []solvers.Puzzle{level}, simapp.Options{Seed: 3, Style: c.style})
			if err != nil {
				t.Fatal(err)
			}
			frame := simphone.Render(app, size, 2*time.Second)
			seen, err := vision.Observe(frame, screen.Frame{Size: size, Rotation: -1}, game.Spec())
			if err != nil {
				t.Fatal(err)
			}
			if p, err := game.Read(seen); err != nil || !gametest.SameBoard(game, p, level) {
				t.Fatalf("without anything over it read as\n%v\n%v", p, err)
			}
			at := func(col, row float64) image.Point {
				return seen.Layout.Board.Min.Add(image.Pt(int(math.Round(col*seen.Layout.Pitch)), int(math.Round(row*seen.Layout.Pitch))))
			}
			fill(frame, image.Rectangle{Min: at(c.x0, c.y0), Max: at(c.x1, c.y1)}, c.colour)
			if p, err := readSolved(frame, game); err == nil && !gametest.SameBoard(game, p, level) {
				t.Errorf("read as\n%v\nexpected\n%v", p, level)
			}
		})
	}
}
