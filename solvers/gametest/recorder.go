package gametest

import (
	"fmt"
	"image"
	"image/color"
	"math"

	simapp "tapwise/solvers/app"
)

// Recorder is a canvas that only notes what is drawn.
type Recorder struct {
	Shapes   []Shape
	Texts    []string
	Words    []Word // the same, and where
	Pictures []*image.NRGBA
	Odd      string // the first call with numbers that make no sense

	size image.Point
}

// Shape is something drawn.
type Shape struct {
	Kind   string     // rect, roundrect, circle, polygon or polyline
	Bounds simapp.Box // what is around it
	Points [][2]float64
	Colour color.NRGBA
	Width  float64 // of a polyline
}

// Word is a text on the screen.
type Word struct {
	X, Y, Size float64
	Text       string
}

// NewRecorder is a canvas of a size.
func NewRecorder(size image.Point) *Recorder { return &Recorder{size: size} }

// Top is the shape of a kind that was drawn last over a place.
func (r *Recorder) Top(kind string, x, y float64) (top Shape, found bool) {
	for _, s := range r.Shapes {
		if s.Kind == kind && s.Covers(x, y) {
			top, found = s, true
		}
	}
	return top, found
}

// Covers reports whether a place is in a shape, of which the corners may be round.
func (s Shape) Covers(x, y float64) bool {
	switch s.Kind {
	case "polyline":
		for i, p := range s.Points[1:] {
			q := s.Points[i]
			dx, dy := p[0]-q[0], p[1]-q[1]
			along := min(max(((x-q[0])*dx+(y-q[1])*dy)/max(dx*dx+dy*dy, 1e-9), 0), 1)
			if math.Hypot(x-q[0]-along*dx, y-q[1]-along*dy) <= s.Width/2 {
				return true
			}
		}
		return false
	case "polygon":
		return Inside(s.Points, x, y)
	case "circle":
		cx, cy := s.Bounds.Centre()
		return math.Hypot(x-cx, y-cy) <= s.Bounds.Width()/2
	}
	return s.Bounds.Contains(x, y)
}

// Inside reports whether a place lies in a polygon: a ray from it crosses the
// outline an odd number of times.
func Inside(polygon [][2]float64, x, y float64) bool {
	in := false
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		if (p[1] > y) != (q[1] > y) && x < p[0]+(y-p[1])/(q[1]-p[1])*(q[0]-p[0]) {
			in = !in
		}
	}
	return in
}

func (r *Recorder) check(what string, numbers ...float64) {
	for _, n := range numbers {
		if (math.IsNaN(n) || math.IsInf(n, 0)) && r.Odd == "" {
			r.Odd = fmt.Sprint(what, numbers)
		}
	}
}

func (r *Recorder) note(kind string, x0, y0, x1, y1 float64, c color.NRGBA, points ...[2]float64) {
	r.check(kind, x0, y0, x1, y1)
	r.Shapes = append(r.Shapes, Shape{kind, simapp.NewBox(x0, y0, x1, y1), points, c, 0})
}

// Size is the canvas's.
func (r *Recorder) Size() image.Point { return r.size }

// Fill notes nothing.
func (r *Recorder) Fill(color.NRGBA) {}

// Rect notes a rectangle.
func (r *Recorder) Rect(x0, y0, x1, y1 float64, c color.NRGBA) {
	if (x1 < x0 || y1 < y0) && r.Odd == "" {
		r.Odd = fmt.Sprint("rect inside out ", x0, y0, x1, y1)
	}
	r.note("rect", x0, y0, x1, y1, c)
}

// RoundRect notes a rectangle.
func (r *Recorder) RoundRect(x0, y0, x1, y1, radius float64, c color.NRGBA) {
	r.check("roundrect", radius)
	r.note("roundrect", x0, y0, x1, y1, c)
}

// Circle notes a disc.
func (r *Recorder) Circle(x, y, radius float64, c color.NRGBA) {
	r.note("circle", x-radius, y-radius, x+radius, y+radius, c)
}

// Polygon notes a polygon.
func (r *Recorder) Polygon(points [][2]float64, c color.NRGBA) {
	b := around(points)
	r.note("polygon", b.X0, b.Y0, b.X1, b.Y1, c, points...)
}

// around is the box around points.
func around(points [][2]float64) simapp.Box {
	if len(points) == 0 {
		return simapp.Box{}
	}
	b := simapp.NewBox(points[0][0], points[0][1], points[0][0], points[0][1])
	for _, p := range points {
		b = simapp.NewBox(min(b.X0, p[0]), min(b.Y0, p[1]), max(b.X1, p[0]), max(b.Y1, p[1]))
	}
	return b
}

// Polyline notes a line.
func (r *Recorder) Polyline(points [][2]float64, width float64, c color.NRGBA) {
	b := around(points)
	r.check("polyline", b.X0, b.Y0, b.X1, b.Y1, width)
	if len(points) > 0 {
		r.Shapes = append(r.Shapes, Shape{"polyline", simapp.NewBox(b.X0-width, b.Y0-width, b.X1+width, b.Y1+width), points, c, width})
	}
}

// Text notes a text.
func (r *Recorder) Text(x, y, size, align float64, s string, _ color.NRGBA) {
	r.check("text", x, y, size, align)
	r.Texts = append(r.Texts, s)
	r.Words = append(r.Words, Word{x, y, size, s})
}

// Picture notes a picture.
func (r *Recorder) Picture(_, _ int, m *image.NRGBA) { r.Pictures = append(r.Pictures, m) }
