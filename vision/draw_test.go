package vision

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"testing"

	"tapwise/solvers/screen"
)

// scene is a board to draw, in plain Go: a dark screen with glow, thin lines,
// discs, and words above and below.
type scene struct {
	size       image.Point
	rows, cols int
	x0, y0     float64
	pitch      float64
	line       color.RGBA
	discs      map[[2]int]color.RGBA // by row and column
	walls      [][3]int              // row, column, 0 above or 1 left of it
	holes      [][2]int              // without thin lines around
	light      bool                  // dark lines on a light screen
}

// board is a scene of a board that fills the width of a frame.
func board(size image.Point, rows, cols int) scene {
	width := 0.99 * float64(size.X)
	pitch := min(width/float64(cols), 0.7*float64(size.Y)/float64(rows))
	return scene{
		size: size, rows: rows, cols: cols, pitch: pitch,
		x0:   (float64(size.X) - pitch*float64(cols)) / 2,
		y0:   (0.97*float64(size.Y) - pitch*float64(rows)) / 2,
		line: color.RGBA{63, 109, 63, 255},
		discs: map[[2]int]color.RGBA{
			{0, 0}: {255, 0, 0, 255}, {rows - 1, cols - 1}: {255, 0, 0, 255},
			{0, cols - 1}: {8, 24, 159, 255}, {rows / 2, cols / 2}: {8, 24, 159, 255},
		},
	}
}

func (s scene) draw() *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: s.size})
	thin := math.Max(1, float64(min(s.size.X, s.size.Y))/360)
	hole := map[[2]int]bool{}
	for _, h := range s.holes {
		hole[h] = true
	}
	inside := func(r, c int) bool { return r >= 0 && c >= 0 && r < s.rows && c < s.cols && !hole[[2]int{r, c}] }
	for y := range s.size.Y {
		for x := range s.size.X {
			glow := uint8(18 + 15*math.Sin(float64(x)/190)*math.Cos(float64(y)/140))
			m.SetRGBA(x, y, color.RGBA{glow / 2, glow, glow / 3, 255})
		}
	}
	fill := func(x0, y0, x1, y1 float64, c color.RGBA) {
		for y := round(y0); y < round(y1); y++ {
			for x := round(x0); x < round(x1); x++ {
				m.SetRGBA(x, y, c)
			}
		}
	}
	for r := 0; r <= s.rows; r++ {
		for c := 0; c <= s.cols; c++ {
			x, y := s.x0+float64(c)*s.pitch, s.y0+float64(r)*s.pitch
			if c < s.cols && (inside(r, c) || inside(r-1, c)) {
				fill(x, y-thin/2, x+s.pitch, y+thin/2, s.line)
			}
			if r < s.rows && (inside(r, c) || inside(r, c-1)) {
				fill(x-thin/2, y, x+thin/2, y+s.pitch, s.line)
			}
		}
	}
	for _, w := range s.walls {
		x, y := s.x0+float64(w[1])*s.pitch, s.y0+float64(w[0])*s.pitch
		light := color.RGBA{152, 254, 152, 255}
		if w[2] == 0 {
			fill(x, y-1.5*thin, x+s.pitch, y+1.5*thin, light)
		} else {
			fill(x-1.5*thin, y, x+1.5*thin, y+s.pitch, light)
		}
	}
	for at, c := range s.discs {
		cx, cy := s.x0+(float64(at[1])+0.5)*s.pitch, s.y0+(float64(at[0])+0.5)*s.pitch
		for y := round(cy - s.pitch/2); y < round(cy+s.pitch/2); y++ {
			for x := round(cx - s.pitch/2); x < round(cx+s.pitch/2); x++ {
				if math.Hypot(float64(x)-cx, float64(y)-cy) <= 0.352*s.pitch {
					m.SetRGBA(x, y, c)
				}
			}
		}
	}
	// Something like words above the board and buttons below it.
	for i := range 12 {
		x := float64(s.size.X) * (0.02 + 0.08*float64(i))
		fill(x, s.y0-0.03*float64(s.size.X), x+0.015*float64(s.size.X), s.y0-0.012*float64(s.size.X), color.RGBA{255, 255, 255, 255})
		fill(x, 0.92*float64(s.size.Y), x+0.05*float64(s.size.X), 0.94*float64(s.size.Y), color.RGBA{200, 180, 40, 255})
	}
	if s.light {
		for i := range m.Pix {
			if i%4 != 3 {
				m.Pix[i] = 255 - m.Pix[i]
			}
		}
	}
	return m
}

func dimmed(m *image.RGBA, by float64) *image.RGBA {
	out := *m
	out.Pix = bytes.Clone(m.Pix)
	for i := range out.Pix {
		if i%4 != 3 {
			out.Pix[i] = uint8(by * float64(out.Pix[i]))
		}
	}
	return &out
}

func noisy(m *image.RGBA, sigma float64) *image.RGBA {
	out := *m
	out.Pix = bytes.Clone(m.Pix)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range out.Pix {
		if i%4 != 3 {
			out.Pix[i] = uint8(max(0, min(255, float64(out.Pix[i])+sigma*random.NormFloat64())))
		}
	}
	return &out
}

func compressed(t testing.TB, m *image.RGBA, quality int) *image.RGBA {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	out, err := Decode(t.Context(), b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var testSpec = screen.Spec{
	Topologies: []screen.Topology{screen.Square},
	MinSide:    3,
	MaxSide:    20,
	Dark:       true,
	Measures: []screen.Measure{
		{Name: "centre", Radius: 0.1},
		{Name: "ring", Inner: 0.23, Radius: 0.31},
		{Name: "right", X: 0.42, Radius: 0.06},
	},
	Boxes: true,
}

func observe(t testing.TB, m image.Image, spec screen.Spec) *screen.Observation {
	t.Helper()
	seen, err := Observe(m, screen.Frame{Size: m.Bounds().Size(), Rotation: -1}, spec)
	if err != nil {
		t.Fatal(err)
	}
	return seen
}
