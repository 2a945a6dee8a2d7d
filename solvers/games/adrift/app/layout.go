package app

import (
	"image"
	"math"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/adrift"
)

// halfRoot3 is the distance of two opposite sides of a cell, in pitches.
var halfRoot3 = math.Sqrt(3) / 2

// The faces, in Adrift's order.
const (
	top = iota
	left
	right
)

// face is a face of the cube as it is seen: its corner at row 0 and column 0, and
// the steps from a column to the next and from a row to the next.
type face struct{ corner, col, row [2]float64 }

// at is a place on the face, in rows and columns from its corner.
func (f face) at(row, col float64) [2]float64 {
	return [2]float64{f.corner[0] + row*f.row[0] + col*f.col[0], f.corner[1] + row*f.row[1] + col*f.col[1]}
}

// place is the inverse of at.
func (f face) place(x, y float64) (row, col float64) {
	x, y = x-f.corner[0], y-f.corner[1]
	area := f.col[0]*f.row[1] - f.col[1]*f.row[0]
	return (f.col[0]*y - f.col[1]*x) / area, (x*f.row[1] - y*f.row[0]) / area
}

// layout is where everything lies on a screen of one size with one level. Its pitch is the
// length of a cell's sides.
type layout struct {
	simapp.Layout
	header simapp.Box // title and progress
	board  simapp.Box // around the cube

	puzzle *adrift.Puzzle
	faces  [3]face      // top, left, right
	cube   *image.NRGBA // the empty cube; nil until it is painted
}

// newLayout lays out a screen.
func newLayout(size image.Point, p *adrift.Puzzle) *layout {
	l := &layout{Layout: simapp.NewLayout(size), puzzle: p}
	var room simapp.Box // what the cube may fill
	l.header, room = l.BoardRoom()
	// The cube is seen along its diagonal: all edges are equally long.
	n := float64(p.Side())
	l.Pitch = max(min(room.Width()/(2*n*halfRoot3), room.Height()/(2*n)), 1)
	x, y := room.Centre()
	l.board = simapp.BoxAround(x, y, n*halfRoot3*l.Pitch, n*l.Pitch)
	down := [2]float64{0, l.Pitch}
	leftwards, rightwards := [2]float64{-halfRoot3 * l.Pitch, l.Pitch / 2}, [2]float64{halfRoot3 * l.Pitch, l.Pitch / 2}
	up := [2]float64{halfRoot3 * l.Pitch, -l.Pitch / 2}
	l.faces[top] = face{[2]float64{x, l.board.Y0}, rightwards, leftwards}
	l.faces[left] = face{[2]float64{l.board.X0, l.board.Y0 + n*l.Pitch/2}, rightwards, down}
	l.faces[right] = face{[2]float64{x, y}, up, down}
	return l
}

// at is a place of a cell: down and across are 0.5 at its middle, 0 and 1 on
// its sides.
func (l *layout) at(c board.Cell, down, across float64) [2]float64 {
	face, row, col := l.puzzle.Place(c)
	return l.faces[face].at(float64(row)+down, float64(col)+across)
}

// centre is the middle of a cell.
func (l *layout) centre(c board.Cell) [2]float64 { return l.at(c, 0.5, 0.5) }

// between is the middle of the side that two neighbouring cells share.
func (l *layout) between(a, b board.Cell) [2]float64 {
	best, nearest := [2]float64{}, math.Inf(1)
	for _, s := range [4][2]float64{{0, 0.5}, {0.5, 1}, {1, 0.5}, {0.5, 0}} {
		p := l.at(a, s[0], s[1])
		for _, t := range [4][2]float64{{0, 0.5}, {0.5, 1}, {1, 0.5}, {0.5, 0}} {
			q := l.at(b, t[0], t[1])
			if apart := math.Hypot(p[0]-q[0], p[1]-q[1]); apart < nearest {
				best, nearest = p, apart
			}
		}
	}
	return best
}

// Under is cellAt for simapp.
func (l *layout) Under(x, y float64) (board.Cell, bool) {
	c := l.cellAt(x, y)
	return c, c != board.None
}

// cellAt is the cell under the finger, board.None beside the cube.
func (l *layout) cellAt(x, y float64) board.Cell {
	n := l.puzzle.Side()
	for f, face := range l.faces {
		row, col := face.place(x, y)
		if r, c := math.Floor(row), math.Floor(col); r >= 0 && c >= 0 && int(r) < n && int(c) < n {
			return l.puzzle.At(f, int(r), int(c))
		}
	}
	return board.None
}
