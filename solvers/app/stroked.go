package app

import (
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/grid"
)

// Stroked is a level on which a finger draws one path through all cells: what a
// [GridLevel] does under a finger. The path begins at the first stop. A finger that comes
// down on it goes on from there, and cuts off what follows; it enters free neighbours, and
// stops in their order only.
type Stroked struct {
	grid.Through
	Drawn []board.Cell // from the first stop on
	moves int
}

// NewStroked is a level on which nothing is drawn.
func NewStroked(p grid.Through) Stroked { return Stroked{Through: p, Drawn: p.Stops[:1:1]} }

// Begin takes hold of the path.
func (t *Stroked) Begin(c board.Cell) bool {
	if !slices.Contains(t.Drawn, c) {
		return false
	}
	t.Enter(c)
	t.moves++
	return true
}

// Enter draws on, or back to a cell of the path.
func (t *Stroked) Enter(c board.Cell) {
	if i := slices.Index(t.Drawn, c); i >= 0 {
		t.Drawn = t.Drawn[: i+1 : i+1]
		return
	}
	stop := slices.Index(t.Stops, c)
	if t.Open(t.Drawn[len(t.Drawn)-1], c) && (stop < 0 || slices.Contains(t.Drawn, t.Stops[stop-1])) {
		t.Drawn = append(t.Drawn, c)
	}
}

// Lift leaves the path as it is.
func (t *Stroked) Lift() {}

// Picture is the board as it stands.
func (t *Stroked) Picture() solvers.Picture { return t.Along(t.Drawn).Picture(0, len(t.Stops)) }

// Moves is the number of strokes.
func (t *Stroked) Moves() int { return t.moves }

// String is the order of the cells on the path.
func (t *Stroked) String() string { return t.Along(t.Drawn).String() }
