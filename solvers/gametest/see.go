package gametest

import (
	"image/color"
	"math"
	"strconv"
	"testing"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// GridSeen is what eyes would see of an app of squares, as a [screen.Spec] asks for it. It is made of
// what the app draws, without eyes: a test tells in no time whether a game reads its own levels.
func GridSeen(t testing.TB, a *simapp.Grid, spec screen.Spec) *screen.Observation {
	t.Helper()
	r := Draw(t, a, a.Layout().Size, 0, "a board to be read")
	l := GridLayout(a)
	o := &screen.Observation{On: l.On, Layout: l, Confidence: 1}
	size := board.Size{Rows: l.Rows, Cols: l.Cols}
	within := size.Rows >= spec.MinSide && size.Cols >= spec.MinSide && size.Rows <= spec.MaxSide && size.Cols <= spec.MaxSide
	if !within || spec.Equal && size.Rows != size.Cols {
		return &screen.Observation{On: l.On} // no such board is looked for
	}
	for c := range board.Cell(size.Cells()) {
		at := a.Layout().Centre(c)
		near := r.near(at, l.Pitch)
		var readings []screen.Reading
		for _, m := range spec.Measures {
			readings = append(readings, near.measured(at, l.Pitch, m))
		}
		o.Readings = append(o.Readings, readings)
		if spec.Numbers {
			o.Numbers = append(o.Numbers, r.number(a.Layout().Cell(c)))
		}
	}
	for row := range size.Rows + 1 {
		for col := range size.Cols {
			o.Horizontal = append(o.Horizontal, r.line(a.Layout(), float64(row), float64(col)+0.25, true))
		}
	}
	for row := range size.Rows {
		for col := range size.Cols + 1 {
			o.Vertical = append(o.Vertical, r.line(a.Layout(), float64(row)+0.25, float64(col), false))
		}
	}
	return o
}

// near is what is drawn around a place.
func (r *Recorder) near(at [2]float64, pitch float64) *Recorder {
	found := &Recorder{}
	for _, s := range r.Shapes {
		if b := s.Bounds; b.X0 <= at[0]+pitch && b.X1 >= at[0]-pitch && b.Y0 <= at[1]+pitch && b.Y1 >= at[1]-pitch {
			found.Shapes = append(found.Shapes, s)
		}
	}
	return found
}

// colour is that of a pixel, without what is written there.
func (r *Recorder) colour(x, y float64) color.RGBA {
	colour := color.NRGBA{A: 255}
	for _, s := range r.Shapes {
		if s.Colour.A > 0 && s.Covers(x, y) {
			over := s.Colour
			over.A = 255
			colour = simapp.Mix(colour, over, float64(s.Colour.A)/255)
		}
	}
	return color.RGBA(colour)
}

// measured is what is read at a measure's place.
func (r *Recorder) measured(at [2]float64, pitch float64, m screen.Measure) screen.Reading {
	const samples = 5 // to each side
	var colours []color.RGBA
	for i := -samples; i <= samples; i++ {
		for k := -samples; k <= samples; k++ {
			x, y := m.Radius*float64(i)/samples, m.Radius*float64(k)/samples
			if far := math.Hypot(x, y); far <= m.Radius && far >= m.Inner {
				colours = append(colours, r.colour(at[0]+(m.X+x)*pitch, at[1]+(m.Y+y)*pitch))
			}
		}
	}
	reading := screen.Reading{Colour: screen.MedianColour(colours)}
	for _, c := range colours {
		for _, d := range []int{int(c.R) - int(reading.Colour.R), int(c.G) - int(reading.Colour.G), int(c.B) - int(reading.Colour.B)} {
			reading.Spread += math.Abs(float64(d)) / float64(3*len(colours))
		}
	}
	return reading
}

// line is the one across which a place of the board lies, in rows and columns.
func (r *Recorder) line(l *simapp.GridLayout, row, col float64, across bool) screen.Line {
	x, y := l.Board.X0+col*l.Pitch, l.Board.Y0+row*l.Pitch
	near := r.near([2]float64{x, y}, l.Pitch)
	at := func(off float64) color.RGBA {
		if across {
			return near.colour(x, y+off)
		}
		return near.colour(x+off, y)
	}
	const step = 0.5 // pixels
	beside := [2]color.RGBA{at(-0.25 * l.Pitch), at(0.25 * l.Pitch)}
	var line screen.Line
	for off := -0.25 * l.Pitch; off <= 0.25*l.Pitch; off += step {
		if c := at(off); c != beside[0] && c != beside[1] {
			line.Width += step
			line.Colour, line.Support = c, 1
		}
	}
	return line
}

// number is the one that is written in a box.
func (r *Recorder) number(b simapp.Box) screen.Number {
	for _, w := range r.Words {
		n, err := strconv.Atoi(w.Text)
		switch {
		case !b.Contains(w.X, w.Y):
		case err != nil || n > 99:
			return screen.Number{Seen: screen.UnclearNumber}
		default:
			return screen.Number{Seen: screen.ReadNumber, Value: n, Confidence: 1}
		}
	}
	return screen.Number{}
}
