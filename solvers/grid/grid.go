package grid

import (
	"image"
	"image/color"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// leastSure is the least confidence in a lattice that is believed, 0 to 1.
const leastSure = 0.9

// Check refuses, with a *ReadError, an observation that lacks what a spec asked for: a
// board of squares of its sizes with all its readings, lines and numbers.
func Check(spec screen.Spec, seen *screen.Observation) error {
	return CheckSure(spec, seen, "the lines between the cells", leastSure)
}

// SizeOf is the size of the board that was seen.
func SizeOf(seen *screen.Observation) board.Size {
	return board.Size{Rows: seen.Layout.Rows, Cols: seen.Layout.Cols}
}

// LineBetween is the line seen between two neighbouring cells of squares, which must be
// those of an edge.
func LineBetween(seen *screen.Observation, e board.Edge) screen.Line {
	s := SizeOf(seen)
	if s.Row(e.A) == s.Row(e.B) {
		return seen.Vertical[s.Row(e.B)*(s.Cols+1)+s.Col(e.B)]
	}
	return seen.Horizontal[e.B]
}

// Touch is a tap on a cell, or a stroke through cells. There is none where the layout has
// no such cell.
func Touch(l screen.Layout, note string, cells ...board.Cell) []screen.Gesture {
	points := make([]image.Point, len(cells))
	for i, c := range cells {
		if c < 0 || int(c) >= len(l.Centres) {
			return nil
		}
		points[i] = l.Centres[c]
	}
	return []screen.Gesture{{On: l.On, Points: points, Note: note}}
}

// Same is one colour for each gesture of a plan.
func Same(plan []screen.Gesture, c color.NRGBA) []color.NRGBA {
	return slices.Repeat([]color.NRGBA{c}, len(plan))
}

// Margin is the paper around a board, in pitches.
const Margin = 0.2

// Picture is an empty board of squares in a picture.
type Picture struct {
	solvers.Picture
	Size board.Size
}

// NewPicture draws the cells in their colours, thin lines between them, walls and the
// outline.
func NewPicture(size board.Size, ground func(board.Cell) color.NRGBA, walls []board.Edge) *Picture {
	rows, cols := float64(size.Rows), float64(size.Cols)
	d := &Picture{solvers.Picture{Width: cols + 2*Margin, Height: rows + 2*Margin}, size}
	grounds := make([]color.NRGBA, size.Cells())
	for c := range grounds {
		grounds[c] = ground(board.Cell(c))
	}
	grounds, coloured := solvers.Grounds(grounds)
	for i, colour := range grounds {
		if c := board.Cell(i); colour.A > 0 {
			d.Polygon(colour, d.corner(c, 0, 0), d.corner(c, 0, 1), d.corner(c, 1, 1), d.corner(c, 1, 0))
		}
	}
	for _, e := range size.Edges() {
		d.Thin(d.side(e)...)
	}
	for _, e := range walls {
		d.Wall(d.side(e)...)
	}
	d.Wall([2]float64{Margin, Margin}, [2]float64{Margin + cols, Margin}, [2]float64{Margin + cols, Margin + rows}, [2]float64{Margin, Margin + rows}, [2]float64{Margin, Margin})
	for i := range d.Shapes {
		if coloured && d.Shapes[i].Colour == solvers.Ink {
			d.Shapes[i].Colour = color.NRGBA{A: 255} // on any paper
		}
	}
	return d
}

// At is the middle of a cell.
func (d *Picture) At(c board.Cell) [2]float64 { return d.corner(c, 0.5, 0.5) }

// corner is a place in a cell, 0 to 1 down and to the right.
func (d *Picture) corner(c board.Cell, down, right float64) [2]float64 {
	return [2]float64{Margin + float64(d.Size.Col(c)) + right, Margin + float64(d.Size.Row(c)) + down}
}

// side is the ends of the border of two neighbours.
func (d *Picture) side(e board.Edge) [][2]float64 {
	if d.Size.Row(e.A) == d.Size.Row(e.B) {
		return [][2]float64{d.corner(e.B, 0, 0), d.corner(e.B, 1, 0)}
	}
	return [][2]float64{d.corner(e.B, 0, 0), d.corner(e.B, 0, 1)}
}
