package adrift

import (
	"math"

	"tapwise/solvers/board"
)

// HalfRoot3 is the distance of two opposite sides of a cell, in pitches: the cube is seen along its
// diagonal, so that all edges are equally long.
const HalfRoot3 = 0.8660254037844386

// Face is a face of the cube as it is seen: its corner at row 0 and column 0, and the steps from a
// column to the next and from a row to the next.
type Face struct{ corner, col, row [2]float64 }

// At is a place on the face, in rows and columns from its corner.
func (f Face) At(row, col float64) [2]float64 {
	return [2]float64{f.corner[0] + row*f.row[0] + col*f.col[0], f.corner[1] + row*f.row[1] + col*f.col[1]}
}

// Place is the inverse of At.
func (f Face) Place(x, y float64) (row, col float64) {
	x, y = x-f.corner[0], y-f.corner[1]
	area := f.col[0]*f.row[1] - f.col[1]*f.row[0]
	return (f.col[0]*y - f.col[1]*x) / area, (x*f.row[1] - y*f.row[0]) / area
}

// View is the cube as it is seen, in the app and in pictures.
type View struct {
	*Puzzle
	Faces [3]Face // top, left, right
}

// See is the view with the faces' common corner at a place, and sides of cells of a length.
func (p *Puzzle) See(x, y, pitch float64) View {
	n, wide := float64(p.side), HalfRoot3*pitch
	down := [2]float64{0, pitch}
	leftwards, rightwards, up := [2]float64{-wide, pitch / 2}, [2]float64{wide, pitch / 2}, [2]float64{wide, -pitch / 2}
	return View{p, [3]Face{
		{[2]float64{x, y - n*pitch}, rightwards, leftwards},
		{[2]float64{x - n*wide, y - n*pitch/2}, rightwards, down},
		{[2]float64{x, y}, up, down},
	}}
}

// Spot is a place of a cell: down and across are 0.5 at its middle, 0 and 1 on its sides.
func (v View) Spot(c board.Cell, down, across float64) [2]float64 {
	face, row, col := v.place(c)
	return v.Faces[face].At(float64(row)+down, float64(col)+across)
}

// Middle is the middle of a cell.
func (v View) Middle(c board.Cell) [2]float64 { return v.Spot(c, 0.5, 0.5) }

// Between is the middle of the side that two neighbouring cells share: the two nearest of the
// middles of their sides.
func (v View) Between(a, b board.Cell) [2]float64 {
	sides := [4][2]float64{{0, 0.5}, {0.5, 1}, {1, 0.5}, {0.5, 0}}
	best, nearest := [2]float64{}, math.Inf(1)
	for _, s := range sides {
		for _, t := range sides {
			p, q := v.Spot(a, s[0], s[1]), v.Spot(b, t[0], t[1])
			if apart := math.Hypot(p[0]-q[0], p[1]-q[1]); apart < nearest {
				best, nearest = p, apart
			}
		}
	}
	return best
}
