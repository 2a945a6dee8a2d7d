package grid

import (
	"image/color"
	"math"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// Mark is what a cell may hold, or the border of two cells, and how it looks: in the app, on the
// page, in pictures and to the eyes.
type Mark struct {
	Char   byte            // in the notation
	Name   string          // of a thing: "sun"
	Ground color.NRGBA     // of the cell; where it is not opaque, that of the first mark
	Shapes []solvers.Shape // below each other; a cell's middle, or a border's, is 0,0 and a pitch is 1
}

// Disc is a disc in the middle, for a Mark.
func Disc(radius float64, c color.NRGBA) solvers.Shape {
	return solvers.Shape{Kind: solvers.DiscShape, Points: [][2]float64{{0, 0}}, Size: radius, Colour: c}
}

// Line is a line through points, for a Mark.
func Line(width float64, c color.NRGBA, points ...[2]float64) solvers.Shape {
	return solvers.Shape{Kind: solvers.LineShape, Points: points, Size: width, Colour: c}
}

// square is a whole cell.
func square(c color.NRGBA) solvers.Shape {
	return solvers.Shape{Kind: solvers.PolygonShape, Points: [][2]float64{{-.5, -.5}, {.5, -.5}, {.5, .5}, {-.5, .5}}, Colour: c}
}

// Moved are shapes around a place, where a pitch is so long.
func Moved(shapes []solvers.Shape, x, y, pitch float64) []solvers.Shape {
	var moved []solvers.Shape
	for _, s := range shapes {
		points := make([][2]float64, len(s.Points))
		for i, p := range s.Points {
			points[i] = [2]float64{x + pitch*p[0], y + pitch*p[1]}
		}
		s.Points, s.Size = points, pitch*s.Size
		moved = append(moved, s)
	}
	return moved
}

// covers reports whether a shape lies over a place. A word lies nowhere: the eyes read it.
func covers(s solvers.Shape, x, y float64) bool {
	last := len(s.Points) - 1
	switch s.Kind {
	case solvers.DiscShape:
		return math.Hypot(x-s.Points[0][0], y-s.Points[0][1]) <= s.Size
	case solvers.LineShape:
		for i, a := range s.Points[:last] {
			b := s.Points[i+1]
			dx, dy := b[0]-a[0], b[1]-a[1]
			along := min(max(((x-a[0])*dx+(y-a[1])*dy)/(dx*dx+dy*dy), 0), 1)
			if math.Hypot(x-a[0]-along*dx, y-a[1]-along*dy) <= s.Size/2 {
				return true
			}
		}
	case solvers.PolygonShape:
		inside := false
		for i, a := range s.Points {
			b := s.Points[(i+last)%len(s.Points)]
			if (a[1] > y) != (b[1] > y) && x < a[0]+(b[0]-a[0])*(y-a[1])/(b[1]-a[1]) {
				inside = !inside
			}
		}
		return inside
	}
	return false
}

// expected is the colour that an eye measures on shapes over a ground.
func expected(shapes []solvers.Shape, ground color.NRGBA, m screen.Measure) color.RGBA {
	const samples = 4 // to each side
	var colours []color.RGBA
	for i := -samples; i <= samples; i++ {
		for k := -samples; k <= samples; k++ {
			x, y := m.Radius*float64(i)/samples, m.Radius*float64(k)/samples
			if far := math.Hypot(x, y); far > m.Radius || far < m.Inner {
				continue
			}
			colour := ground
			for _, s := range shapes {
				if covers(s, m.X+x, m.Y+y) {
					colour = s.Colour
				}
			}
			colours = append(colours, color.RGBA(colour))
		}
	}
	return screen.MedianColour(colours)
}

// nearColour is the largest contrast, 0 to 255, of a colour with what is expected.
const nearColour = 40

// fits reports whether readings are what is expected of shapes over a ground.
func fits(readings []screen.Reading, measures []screen.Measure, shapes []solvers.Shape, ground color.NRGBA) bool {
	for i, m := range measures {
		if screen.Contrast(readings[i].Colour, expected(shapes, ground, m)) > nearColour {
			return false
		}
	}
	return true
}

// signMeasures are taken on the right border of a cell and then on the lower one: the middle,
// and places around it.
func signMeasures() []screen.Measure {
	const off, small = 0.1, 0.03
	var measures []screen.Measure
	for _, at := range []screen.Measure{{Name: "right", X: 0.5}, {Name: "below", Y: 0.5}} {
		for _, m := range []screen.Measure{{}, {Name: "north", Y: -off}, {Name: "south", Y: off}, {Name: "west", X: -off}, {Name: "east", X: off}} {
			measures = append(measures, screen.Measure{Name: at.Name + m.Name, X: at.X + m.X, Y: at.Y + m.Y, Radius: small})
		}
	}
	return measures
}

// signs are the marks on the borders of cells; a border without one has the cells' grounds
// beside its line.
func (g *Game) signs(seen *screen.Observation) (board.Signs, error) {
	signs, size, side := board.Signs{}, SizeOf(seen), len(signMeasures())/2
	for _, e := range size.Edges() {
		vertical := size.Row(e.A) == size.Row(e.B)
		readings, measures, beside := seen.Readings[e.A][len(PaneMeasures()):], signMeasures()[:side], [2]int{3, 4}
		if vertical {
			readings = readings[:side]
		} else {
			readings, beside = readings[side:], [2]int{1, 2}
		}
		found := 0
		for i := range measures {
			measures[i].X -= 0.5 // around the border's middle
		}
		for _, mark := range g.Signs {
			if fits(readings, measures, mark.Shapes, color.NRGBA{}) {
				signs[e] = mark.Char
				found++
			}
		}
		a, _ := Ground(seen.Readings[e.A])
		b, _ := Ground(seen.Readings[e.B])
		plain := screen.Contrast(readings[beside[0]].Colour, a) <= nearColour && screen.Contrast(readings[beside[1]].Colour, b) <= nearColour
		if found > 1 || (found == 0) != plain {
			return nil, solvers.RefuseBoth(e.A, e.B, "what stands between %s and %s is no sign", size.Name(e.A), size.Name(e.B))
		}
	}
	return signs, nil
}
