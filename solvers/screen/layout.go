package screen

import (
	"fmt"
	"image"
	"math"
)

// Frame identifies the screen on which pixels were measured.
type Frame struct {
	Size     image.Point // width and height of the captured frame, in pixels
	Rotation int         // quarter turns from the phone's natural orientation, 0 to 3; -1 unknown
}

func (f Frame) String() string {
	return fmt.Sprintf("%dx%d rotation %d", f.Size.X, f.Size.Y, f.Rotation)
}

// Topology is the arrangement of a board's cells.
type Topology int

// The arrangements of cells.
const (
	Square Topology = iota // rows and columns of squares
	Hex                    // columns of hexagons, odd columns half a cell higher
	// HexRows is a hexagon of n cells a side: 2n-1 rows of n, n+1, … 2n-1, … n
	// hexagons that stand on a corner. A layout has 2n-1 rows and columns.
	HexRows
	// Cube is the top, the left and the right face of a cube seen along its
	// diagonal, each of n rows and columns of rhombi. A layout has their rows
	// below each other: 3n rows of n columns. Rows of the top lead down to the
	// left, its columns down to the right; rows of the others lead down, their
	// columns to the right.
	Cube
)

func (t Topology) String() string {
	switch t {
	case Square:
		return "square"
	case Hex:
		return "hex"
	case HexRows:
		return "hexrows"
	case Cube:
		return "cube"
	}
	return fmt.Sprintf("topology %d", int(t))
}

// Layout is the places of a board's cells on a frame.
type Layout struct {
	On       Frame
	Topology Topology
	Rows     int
	Cols     int
	Board    image.Rectangle // the board's bounding box, in pixels
	Pitch    float64         // distance between neighbouring cells' centres, in pixels
	// Centres holds the centre of each cell in pixels, row by row: cell row*Cols+col.
	// A place of the lattice without a cell has its centre, too. A board of HexRows
	// has only its cells' centres.
	Centres []image.Point
}

// Cells is the number of centres that a layout has.
func (l Layout) Cells() int {
	if l.Topology == HexRows {
		side := (l.Rows + 1) / 2
		return 3*side*(side-1) + min(side, 1)
	}
	return l.Rows * l.Cols
}

// Axes are the steps from a row's cells to the next column and to the next row, in
// pixels: x to the right, y down. Cells of a cube lie aslant.
func (l Layout) Axes(row int) (col, next [2]float64) {
	if l.Topology != Cube || l.Cols <= 0 {
		return [2]float64{l.Pitch, 0}, [2]float64{0, l.Pitch}
	}
	wide, half := math.Sqrt(3)/2*l.Pitch, l.Pitch/2
	switch row / l.Cols {
	case 0:
		return [2]float64{wide, half}, [2]float64{-wide, half}
	case 1:
		return [2]float64{wide, half}, [2]float64{0, l.Pitch}
	default:
		return [2]float64{wide, -half}, [2]float64{0, l.Pitch}
	}
}

// Sides are the rows and columns of a board as a Spec counts them: of HexRows the cells of
// a side, of a cube those of a face.
func (l Layout) Sides() (rows, cols int) {
	switch l.Topology {
	case HexRows:
		return (l.Rows + 1) / 2, (l.Cols + 1) / 2
	case Cube:
		return l.Rows / 3, l.Cols
	}
	return l.Rows, l.Cols
}

// checkShape fails for rows and columns that no board of the topology has.
func (l Layout) checkShape() error {
	switch {
	case l.Topology == HexRows && (l.Rows != l.Cols || l.Rows%2 == 0):
		return fmt.Errorf("hexrows of %d rows and %d columns, expected an odd number of both", l.Rows, l.Cols)
	case l.Topology == Cube && l.Rows != 3*l.Cols:
		return fmt.Errorf("a cube of %d rows and %d columns, expected three times as many rows", l.Rows, l.Cols)
	}
	return nil
}

// lines are the numbers of horizontal and vertical lines of an observation: each face
// of a cube has lines of its own on all its sides.
func (l Layout) lines() (horizontal, vertical int) {
	cells := l.Cells()
	switch {
	case cells == 0 || l.Topology == HexRows || l.Topology == Hex:
		return 0, 0
	case l.Topology == Cube:
		return cells + 3*l.Cols, cells + l.Rows
	}
	return cells + l.Cols, cells + l.Rows
}

// Gesture is one finger from down to up, through Points in order, in pixels: one
// point is a tap, more are a stroke.
type Gesture struct {
	On     Frame
	Points []image.Point
	// Note says what the gesture does, for people: "pipe R".
	Note string
	// Unseen: the board may look the same whether the gesture was made or not.
	Unseen bool
}

// Tap reports whether the gesture is a tap.
func (g Gesture) Tap() bool { return len(g.Points) == 1 }
