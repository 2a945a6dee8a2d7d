package app

import (
	"image"
	"math"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/adrift"
)

// The faces, in Adrift's order.
const (
	top = iota
	left
	right
)

// layout is where everything lies on a screen of one size with one level. Its pitch is the
// length of a cell's sides.
type layout struct {
	simapp.Layout
	header simapp.Box // title and progress
	board  simapp.Box // around the cube

	view adrift.View
	cube *image.NRGBA // the empty cube; nil until it is painted
}

// newLayout lays out a screen.
func newLayout(size image.Point, p *adrift.Puzzle) *layout {
	l := &layout{Layout: simapp.NewLayout(size)}
	var room simapp.Box // what the cube may fill
	l.header, room = l.BoardRoom()
	n := float64(p.Side())
	l.Pitch = max(min(room.Width()/(2*n*adrift.HalfRoot3), room.Height()/(2*n)), 1)
	x, y := room.Centre()
	l.board = simapp.BoxAround(x, y, n*adrift.HalfRoot3*l.Pitch, n*l.Pitch)
	l.view = p.See(x, y, l.Pitch)
	return l
}

// Under is cellAt for simapp.
func (l *layout) Under(x, y float64) (board.Cell, bool) {
	c := l.cellAt(x, y)
	return c, c != board.None
}

// cellAt is the cell under the finger, board.None beside the cube.
func (l *layout) cellAt(x, y float64) board.Cell {
	n := l.view.Side()
	for f, face := range l.view.Faces {
		row, col := face.Place(x, y)
		if r, c := math.Floor(row), math.Floor(col); r >= 0 && c >= 0 && int(r) < n && int(c) < n {
			return l.view.At(f, int(r), int(c))
		}
	}
	return board.None
}

// Corner is where the picture's would be.
func (l *layout) Corner() (x, y float64) {
	return l.board.X0 - adrift.Margin*l.Pitch, l.board.Y0 - adrift.Margin*l.Pitch
}

// Places are the cells.
func (l *layout) Places() []simapp.Place {
	var middles [][2]float64
	for c := range board.Cell(l.view.Cells()) {
		middles = append(middles, l.view.Middle(c))
	}
	return simapp.CellPlaces(l.view.Name, middles, nil)
}
