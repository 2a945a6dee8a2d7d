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
)

func (t Topology) String() string {
	switch t {
	case Square:
		return "square"
	case Hex:
		return "hex"
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
	// A place of the lattice where there is no cell still has its centre.
	Centres []image.Point
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
