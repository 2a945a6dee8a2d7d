package adrift

import (
	"image"
	"math"

	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// simButton is something to tap.
type simButton int

const (
	noButton simButton = iota
	previousButton
	restartButton
	nextButton
	hintButton
	closeButton // the X of a panel
	panelButton // the first button of a panel; more follow
)

// simBox is an upright rectangle in pixels.
type simBox struct{ x0, y0, x1, y1 float64 }

func (b simBox) centre() (x, y float64) { return (b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2 }
func (b simBox) width() float64         { return b.x1 - b.x0 }
func (b simBox) height() float64        { return b.y1 - b.y0 }

func (b simBox) contains(x, y float64) bool {
	return x >= b.x0 && x < b.x1 && y >= b.y0 && y < b.y1
}

func boxAround(x, y, halfWidth, halfHeight float64) simBox {
	return simBox{x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight}
}

// halfRoot3 is the distance of two opposite sides of a cell, in pitches.
var halfRoot3 = math.Sqrt(3) / 2

// simFace is a face of the cube as it is seen: its corner at row 0 and column
// 0, and the steps from a column and from a row to the next.
type simFace struct{ corner, col, row [2]float64 }

// at is a place on the face, in rows and columns from its corner.
func (f simFace) at(row, col float64) [2]float64 {
	return [2]float64{f.corner[0] + row*f.row[0] + col*f.col[0], f.corner[1] + row*f.row[1] + col*f.col[1]}
}

// place is the inverse of at.
func (f simFace) place(x, y float64) (row, col float64) {
	x, y = x-f.corner[0], y-f.corner[1]
	area := f.col[0]*f.row[1] - f.col[1]*f.row[0]
	return (f.col[0]*y - f.col[1]*x) / area, (x*f.row[1] - y*f.row[0]) / area
}

// simLayout is where everything lies on a screen of one size with one level.
type simLayout struct {
	size      image.Point
	landscape bool
	unit      float64 // the width of an upright phone's screen; most sizes are parts of it

	status, content, navigation simBox
	header                      simBox                 // title and progress
	buttons                     [hintButton + 1]simBox // by simButton
	board                       simBox                 // around the cube

	puzzle *Puzzle
	pitch  float64    // the length of a cell's sides
	faces  [3]simFace // top, left, right
}

// newSimLayout lays out a screen.
func newSimLayout(size image.Point, p *Puzzle) *simLayout {
	w, h := float64(size.X), float64(size.Y)
	l := &simLayout{size: size, puzzle: p, landscape: w > h}
	const r = 0.06  // of buttons, in units
	var room simBox // what the cube may fill
	if l.landscape {
		l.unit = min(h, w/1.5)
		u := l.unit
		l.status = simBox{0, 0, w, 0.055 * u}
		l.navigation = simBox{0, h - 0.04*u, w, h}
		l.content = simBox{0, l.status.y1, w, l.navigation.y0}
		l.header = simBox{0.03 * u, l.content.y0 + 0.03*u, 0.33 * u, l.content.y0 + 0.3*u}
		room = simBox{0.35 * u, l.content.y0 + 0.01*u, w - 0.2*u, l.content.y1 - 0.01*u}
		step := l.content.height() / 4
		for i, b := range []simButton{hintButton, restartButton, nextButton, previousButton} {
			l.buttons[b] = boxAround(w-0.1*u, l.content.y0+(float64(i)+0.5)*step, r*u, r*u)
		}
	} else {
		l.unit = min(w, h/1.5)
		u := l.unit
		l.status = simBox{0, 0, w, 0.07 * u}
		l.navigation = simBox{0, h - 0.055*u, w, h}
		l.content = simBox{0, l.status.y1, w, l.navigation.y0}
		l.header = simBox{0.05 * u, l.content.y0 + 0.02*u, w - 0.05*u, l.content.y0 + 0.2*u}
		y := l.content.y1 - 0.09*u
		for b, x := range map[simButton]float64{previousButton: 0.11 * u, restartButton: w/2 - 0.11*u, hintButton: w/2 + 0.11*u, nextButton: w - 0.11*u} {
			l.buttons[b] = boxAround(x, y, r*u, r*u)
		}
		room = simBox{0.02 * w, l.header.y1 + 0.01*u, 0.98 * w, y - 0.09*u}
	}
	// The cube is seen along its diagonal: all edges are equally long.
	n := float64(p.side)
	l.pitch = max(min(room.width()/(2*n*halfRoot3), room.height()/(2*n)), 1)
	x, y := room.centre()
	l.board = boxAround(x, y, n*halfRoot3*l.pitch, n*l.pitch)
	down := [2]float64{0, l.pitch}
	leftwards, rightwards := [2]float64{-halfRoot3 * l.pitch, l.pitch / 2}, [2]float64{halfRoot3 * l.pitch, l.pitch / 2}
	up := [2]float64{halfRoot3 * l.pitch, -l.pitch / 2}
	l.faces[top] = simFace{[2]float64{x, l.board.y0}, rightwards, leftwards}
	l.faces[left] = simFace{[2]float64{l.board.x0, l.board.y0 + n*l.pitch/2}, rightwards, down}
	l.faces[right] = simFace{[2]float64{x, y}, up, down}
	return l
}

// at is a place of a cell: down and across are 0.5 at its middle, 0 and 1 on
// its sides.
func (l *simLayout) at(c board.Cell, down, across float64) [2]float64 {
	face, row, col := l.puzzle.place(c)
	return l.faces[face].at(float64(row)+down, float64(col)+across)
}

// centre is the middle of a cell.
func (l *simLayout) centre(c board.Cell) [2]float64 { return l.at(c, 0.5, 0.5) }

// between is the middle of the side that two neighbouring cells share.
func (l *simLayout) between(a, b board.Cell) [2]float64 {
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

// cellAt is the cell under the finger, board.None beside the cube.
func (l *simLayout) cellAt(x, y float64) board.Cell {
	n := l.puzzle.side
	for f, face := range l.faces {
		row, col := face.place(x, y)
		if r, c := math.Floor(row), math.Floor(col); r >= 0 && c >= 0 && int(r) < n && int(c) < n {
			return l.puzzle.at(f, int(r), int(c))
		}
	}
	return board.None
}

// screen is the board's layout as an eye would measure it: the rows of the
// three faces below each other.
func (l *simLayout) screen() screen.Layout {
	b := l.board
	s := screen.Layout{
		On:    screen.Frame{Size: l.size, Rotation: -1},
		Rows:  3 * l.puzzle.side,
		Cols:  l.puzzle.side,
		Pitch: l.pitch,
		Board: image.Rect(int(math.Round(b.x0)), int(math.Round(b.y0)), int(math.Round(b.x1)), int(math.Round(b.y1))),
	}
	for c := range board.Cell(l.puzzle.cells()) {
		at := l.centre(c)
		s.Centres = append(s.Centres, image.Pt(int(math.Round(at[0])), int(math.Round(at[1]))))
	}
	return s
}
