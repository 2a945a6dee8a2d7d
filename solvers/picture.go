package solvers

import (
	"image/color"
	"math"
	"slices"

	"tapwise/solvers/board"
)

// Step is a stroke or a move of a solution.
type Step struct {
	Text  string       // what to do, in the game's terms
	Cells []board.Cell // the cells it touches, in order
	Drawn bool         // it is on the board already
}

// PathSteps are the steps of a solution made of paths, each a stroke. Drawn reports whether a
// path is on the board; nil means that nothing is drawn. A path between neighbouring ends looks
// the same whether drawn or not: it counts as drawn as long as another one is missing.
func PathSteps(paths [][]board.Cell, text func(path int) string, drawn func(path int) bool) []Step {
	steps := make([]Step, len(paths))
	missing := drawn == nil
	for i, path := range paths {
		steps[i] = Step{Text: text(i), Cells: path, Drawn: drawn != nil && drawn(i)}
		missing = missing || !steps[i].Drawn
	}
	if !missing {
		for i := range steps {
			steps[i].Drawn = len(steps[i].Cells) > 2
		}
	}
	return steps
}

// Some are the paths from one index up to, but without, another; the others are nil.
func Some(paths [][]board.Cell, from, to int) [][]board.Cell {
	some := make([][]board.Cell, len(paths))
	for i := max(from, 0); i < min(to, len(paths)); i++ {
		some[i] = paths[i]
	}
	return some
}

// Picture is a drawing as plain data. Lengths are in pitches, the distance between
// the centres of neighbouring cells; x leads to the right, y down, and 0,0 is the
// top left corner. The paper is white.
type Picture struct {
	Width, Height float64
	Shapes        []Shape // the first lies below the others
}

// ShapeKind says what a shape is.
type ShapeKind int

// The kinds of shape.
const (
	LineShape    ShapeKind = iota // through the points, Size wide, its ends and corners round
	DiscShape                     // around the only point, with Size as its radius
	PolygonShape                  // filled, with the points as its corners
	TextShape                     // a word with its middle at the only point, its letters Size high
)

// Shape is a part of a picture.
type Shape struct {
	Kind   ShapeKind
	Points [][2]float64
	Size   float64
	Text   string
	Colour color.NRGBA
}

// Line adds a line through points.
func (p *Picture) Line(width float64, c color.NRGBA, points ...[2]float64) {
	p.Shapes = append(p.Shapes, Shape{Kind: LineShape, Points: points, Size: width, Colour: c})
}

// Disc adds a disc.
func (p *Picture) Disc(at [2]float64, radius float64, c color.NRGBA) {
	p.Shapes = append(p.Shapes, Shape{Kind: DiscShape, Points: [][2]float64{at}, Size: radius, Colour: c})
}

// ring is a thin circle.
func ring(at [2]float64, radius float64, c color.NRGBA) Shape {
	const width, corners = 0.06, 32
	s := Shape{Kind: LineShape, Size: width, Colour: c}
	for i := range corners + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		s.Points = append(s.Points, [2]float64{at[0] + radius*cos, at[1] + radius*sin})
	}
	return s
}

// Polygon adds a filled polygon.
func (p *Picture) Polygon(c color.NRGBA, corners ...[2]float64) {
	p.Shapes = append(p.Shapes, Shape{Kind: PolygonShape, Points: corners, Colour: c})
}

// Label adds a word; a long one is written smaller.
func (p *Picture) Label(at [2]float64, height float64, text string, c color.NRGBA) {
	if n := len([]rune(text)); n > 1 {
		height *= 1.6 / (0.6 + float64(n)) // about as wide as one letter and a half
	}
	p.Write(at, height, text, c)
}

// Write adds a word of any length.
func (p *Picture) Write(at [2]float64, height float64, text string, c color.NRGBA) {
	p.Shapes = append(p.Shapes, Shape{Kind: TextShape, Points: [][2]float64{at}, Size: height, Text: text, Colour: c})
}

// The colours of what is printed. Opaque greys, white among them, are those of light paper: on dark paper
// they are others. All other colours, and black, are what they are.
var (
	Paper      = color.NRGBA{255, 255, 255, 255}
	Ink        = color.NRGBA{30, 32, 38, 255}
	faint      = color.NRGBA{176, 180, 188, 255}
	noteColour = color.NRGBA{0, 0, 0, 150}
	black      = color.NRGBA{30, 32, 38, 254} // on colours, whatever the paper is
	white      = color.NRGBA{255, 255, 255, 254}
)

// OfPaper reports whether a colour depends on that of the paper.
func OfPaper(c color.NRGBA) bool {
	const dark = 28 // up to which a colour is black
	return c.A == 255 && !coloured(c) && max(c.R, c.G, c.B) > dark
}

// coloured reports whether a colour is none of black, greys and white.
func coloured(c color.NRGBA) bool { return max(c.R, c.G, c.B)-min(c.R, c.G, c.B) > 20 }

// Grounds are the colours of cells: where some are coloured, as regions are, the greys among them are
// what they are, whatever the paper is; all reports that.
func Grounds(colours []color.NRGBA) (grounds []color.NRGBA, all bool) {
	all = slices.ContainsFunc(colours, func(c color.NRGBA) bool { return c.A > 0 && coloured(c) })
	for _, c := range colours {
		if all && OfPaper(c) {
			c.A = white.A
		}
		grounds = append(grounds, c)
	}
	return grounds, all
}

// Darkened is what a colour is on dark paper.
func Darkened(c color.NRGBA) color.NRGBA {
	if !OfPaper(c) {
		return c
	}
	light, paper := [3]float64{236, 240, 244}, [3]float64{70, 82, 96} // for ink, and for white
	part := max(0, float64(max(c.R, c.G, c.B))-float64(Ink.B)) / float64(255-Ink.B)
	mix := func(i int) uint8 { return uint8(light[i] + part*(paper[i]-light[i])) }
	return color.NRGBA{mix(0), mix(1), mix(2), c.A}
}

// StrokeWidth is the width of the strokes that join cells, in pitches.
const StrokeWidth = 1.0 / 3

// The other measures of the drawing, in pitches.
const (
	strokeRim  = 0.03 // around strokes and discs, so that light colours show
	thinLine   = 0.025
	wallLine   = 0.09
	noteLine   = 0.05
	endRadius  = 0.34
	letter     = 0.42 // the height of a letter on an end
	headLength = 0.34
	headWidth  = 0.42
)

// Thin adds a thin grey line, such as those between cells.
func (p *Picture) Thin(points ...[2]float64) { p.Line(thinLine, faint, points...) }

// Wall adds a thick dark line that nothing crosses.
func (p *Picture) Wall(points ...[2]float64) { p.Line(wallLine, Ink, points...) }

// Note adds a line of what a player notes, which decides nothing.
func (p *Picture) Note(points ...[2]float64) { p.Line(noteLine, noteColour, points...) }

// Stroke adds a line as wide as a third of a cell, with a rim that makes light
// colours show on paper.
func (p *Picture) Stroke(c color.NRGBA, points ...[2]float64) {
	p.Line(StrokeWidth+2*strokeRim, Ink, points...)
	p.Line(StrokeWidth, c, points...)
}

// End adds a disc with a letter or number on it, as a clue.
func (p *Picture) End(at [2]float64, text string, c color.NRGBA) {
	p.Disc(at, endRadius+strokeRim, Ink)
	p.Disc(at, endRadius, c)
	p.Label(at, letter, text, OnColour(c))
}

// Arrow adds the head of an arrow with its tip at a point. The length of the
// direction does not matter.
func (p *Picture) Arrow(tip, direction [2]float64, c color.NRGBA) {
	length := math.Hypot(direction[0], direction[1])
	if length == 0 {
		return
	}
	x, y := direction[0]/length, direction[1]/length
	head := func(grown float64) [][2]float64 {
		back, side := headLength+2*grown, headWidth/2+1.4*grown
		front := [2]float64{tip[0] + 1.6*grown*x, tip[1] + 1.6*grown*y}
		base := [2]float64{front[0] - (back+0.6*grown)*x, front[1] - (back+0.6*grown)*y}
		return [][2]float64{front, {base[0] - side*y, base[1] + side*x}, {base[0] + side*y, base[1] - side*x}}
	}
	p.Polygon(Ink, head(strokeRim)...)
	p.Polygon(c, head(0)...)
}

// Crown is the corners of a crown of three spikes around a place, 0.6 of a pitch wide.
func Crown(at [2]float64, pitch float64) [][2]float64 {
	var points [][2]float64
	for _, p := range [][2]float64{{-0.24, 0.24}, {-0.3, -0.16}, {-0.14, 0.03}, {0, -0.26}, {0.14, 0.03}, {0.3, -0.16}, {0.24, 0.24}} {
		points = append(points, [2]float64{at[0] + p[0]*pitch, at[1] + p[1]*pitch})
	}
	return points
}

// OnColour returns black or white, whichever is easier to read on a colour; on one of the paper's,
// ink or paper.
func OnColour(c color.NRGBA) color.NRGBA {
	// The weights are those of the eye for red, green and blue.
	dark, light := black, white
	if OfPaper(c) {
		dark, light = Ink, Paper
	}
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) > 140*1000 {
		return dark
	}
	return light
}
