package drawing

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
)

// solve makes a solution that can be drawn.
func solve(t *testing.T, game solvers.Game, text string) solvers.Solution {
	t.Helper()
	p, err := game.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSVG reads the output as XML: any label stays the text of one element.
func TestSVG(t *testing.T) {
	hostile := solvers.Picture{Width: 2, Height: 2}
	texts := []string{"<script>", "&amp;", `"'`, "]]>", "\x00\x1b\ufffe", "\xff"}
	for _, text := range texts {
		hostile.Write([2]float64{1, 1}, 0.5, text, color.NRGBA{1, 2, 3, 40})
	}
	hostile.Line(0.1, color.NRGBA{A: 255}, [2]float64{1, 1})
	pictures := map[string]solvers.Picture{
		"hostile": hostile, "empty": {}, "odd names": solve(t, flow.Game{}, "<<\n>>\n&&").Picture(0, 3),
	}
	for _, game := range all.Games() {
		s := solve(t, game, gametest.Levels(t, game)[0].String())
		pictures[game.Name()] = s.Picture(0, len(s.Steps(nil)))
	}
	for name, picture := range pictures {
		var out bytes.Buffer
		if err := SVG(&out, picture); err != nil {
			t.Fatal(err)
		}
		words := 0
		decoder := xml.NewDecoder(&out)
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				if e.Name.Local == "text" {
					words++
				}
				if !strings.Contains(" svg rect g polyline circle polygon text ", " "+e.Name.Local+" ") {
					t.Errorf("%s: element %s", name, e.Name.Local)
				}
			}
		}
		want := 0
		for _, s := range picture.Shapes {
			if s.Kind == solvers.TextShape {
				want++
			}
		}
		if words != want {
			t.Errorf("%s: %d texts, expected %d", name, words, want)
		}
	}
}

// TestRaster looks at pixels: white paper, pipes in their colours, smooth edges.
func TestRaster(t *testing.T) {
	s := solve(t, flow.Game{}, "RG\n..\nRG")
	m := Raster(s.Picture(0, 2))
	if c := m.RGBAAt(0, 0); c != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("the paper is %v", c)
	}
	middle := func(row, col float64) color.RGBA {
		return m.RGBAAt(int((0.4+col+0.5)*printPitch), int((0.4+row+0.5)*printPitch))
	}
	red := color.RGBA{255, 0, 0, 255}
	if got := middle(1, 0); got != red {
		t.Errorf("the pipe R is %v, expected %v", got, red)
	}
	if alone := Raster(s.Picture(0, 0)); alone.RGBAAt(int(0.9*printPitch), int(1.9*printPitch)) == red {
		t.Error("the puzzle alone has a pipe")
	}
	grey := 0
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			if c := m.RGBAAt(x, y); c.R > 60 && c.R < 160 && c.G >= c.R && c.G < c.R+8 && c.B >= c.G && c.B < c.G+8 {
				grey++
			}
		}
	}
	if grey == 0 {
		t.Error("no pixel between ink and paper: edges are not smooth")
	}
	wide := solve(t, flow.Game{}, strings.Repeat("A"+strings.Repeat(".", 254)+"A\n", 1))
	if size := Raster(wide.Picture(0, 1)).Rect.Size(); size.X > printSide+1 || size.Y < leastPixels {
		t.Errorf("a picture of %v, expected at most %d", size, printSide)
	}
}

// TestGIF lays the frames over each other: the last one is the solution.
func TestGIF(t *testing.T) {
	movies := map[string]solvers.Solution{"slow": slow{solve(t, flow.Game{}, "A..\nBB.\nCCA")}}
	for _, game := range all.Games() {
		movies[game.Name()] = solve(t, game, gametest.Levels(t, game)[0].String())
	}
	for name, s := range movies {
		steps := len(s.Steps(nil))
		var out bytes.Buffer
		if err := GIF(&out, s, steps); err != nil {
			t.Fatal(err)
		}
		movie, err := gif.DecodeAll(&out)
		if err != nil {
			t.Fatal(err)
		}
		frames := min(steps+1, movieFrames)
		if len(movie.Image) != frames || max(movie.Config.Width, movie.Config.Height) > movieSide+1 {
			t.Errorf("%s: %d frames of %dx%d for %d steps, expected %d of at most %d", name, len(movie.Image), movie.Config.Width, movie.Config.Height, steps, frames, movieSide)
		}
		shown := image.NewRGBA(image.Rect(0, 0, movie.Config.Width, movie.Config.Height))
		for _, frame := range movie.Image {
			draw.Draw(shown, frame.Rect, frame, frame.Rect.Min, draw.Over)
		}
		scene := s.Scene(steps)
		last := Paletted(raster(scene, scale(scene, moviePitch, movieSide)))
		if wrong := differing(shown, last); wrong > 0 {
			t.Errorf("%s: %d pixels of the last frame differ from the solution", name, wrong)
		}
	}
}

// differing counts the pixels whose colours clearly differ.
func differing(a, b image.Image) (n int) {
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r, g, bl, _ := a.At(x, y).RGBA()
			r2, g2, bl2, _ := b.At(x, y).RGBA()
			const far = 24 << 8 // rarer colours are rounded in each frame
			if max(r, r2)-min(r, r2) > far || max(g, g2)-min(g, g2) > far || max(bl, bl2)-min(bl, bl2) > far {
				n++
			}
		}
	}
	return n
}

// slow is a solution of more steps than a movie has frames: most of them do nothing.
type slow struct{ solvers.Solution }

const slowness = movieFrames

func (s slow) Steps(drawn solvers.Solution) []solvers.Step {
	var steps []solvers.Step
	for _, step := range s.Solution.Steps(drawn) {
		steps = append(steps, slices.Repeat([]solvers.Step{step}, slowness)...)
	}
	return steps
}

func (s slow) Scene(done int) solvers.Picture { return s.Solution.Scene(done / slowness) }

// TestDifferences wants two solutions side by side, each with the paths that the other
// lacks, and nothing of the path that they share.
func TestDifferences(t *testing.T) {
	p, err := flow.Parse("A..B\n...B\nA..C\n...C")
	if err != nil {
		t.Fatal(err)
	}
	var all []solvers.Solution
	if _, err := p.WithoutCover().Enumerate(t.Context(), solvers.EnumerateOptions{}, func(s solvers.Solution) bool {
		all = append(all, s)
		return true
	}); err != nil || len(all) < 2 {
		t.Fatalf("%d solutions, %v; expected several", len(all), err)
	}
	a := all[0]
	for _, b := range all[1:] {
		both, alone := Differences(a, b), a.Picture(0, 0)
		same := Differences(a, a)
		if len(same.Shapes) != 2*len(alone.Shapes) {
			t.Errorf("a solution beside itself has %d shapes, expected %d", len(same.Shapes), 2*len(alone.Shapes))
		}
		if len(both.Shapes) <= len(same.Shapes) || both.Width <= 2*alone.Width {
			t.Errorf("%d shapes, %g wide, expected more than %d and than %g", len(both.Shapes), both.Width, len(same.Shapes), 2*alone.Width)
		}
	}
}
