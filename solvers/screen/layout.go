package screen

import (
	"fmt"
	"image"
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
)

func (t Topology) String() string {
	switch t {
	case Square:
		return "square"
	case Hex:
		return "hex"
	case HexRows:
		return "hexrows"
	}
	return fmt.Sprintf("topology %d", int(t))
}

// Layout is where the cells of a board lie on a frame.
type Layout struct {
	On       Frame
	Topology Topology
	Rows     int
	Cols     int
	Board    image.Rectangle // the board's bounding box, in pixels
	Pitch    float64         // distance of neighbouring cells' centres, in pixels
	// Centres holds the centre of each cell, row by row: cell row*Cols+col.
	// A place of the lattice where there is no cell still has its centre. A
	// board of HexRows has only its cells' centres.
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

// Gesture is one finger from down to up, through Points in order: one point is
// a tap, more are a stroke.
type Gesture struct {
	On     Frame
	Points []image.Point
	// Note says what the gesture does, for people: "pipe R".
	Note string
}

// Tap reports whether the gesture is a tap.
func (g Gesture) Tap() bool { return len(g.Points) == 1 }
