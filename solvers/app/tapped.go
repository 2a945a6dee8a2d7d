package app

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/grid"
)

// Tapped is a level on which taps lead cells through a cycle: what a [GridLevel] does
// under a finger. A finger that leaves the cell where it came down makes no tap, nor does one
// on what is given.
type Tapped struct {
	grid.Placed
	moves int
	down  board.Cell // under the finger
	held  bool       // the finger is still there
}

// Begin is a finger that comes down.
func (t *Tapped) Begin(c board.Cell) bool {
	t.down, t.held = c, !t.Fixed(c)
	return true
}

// Enter forgets the tap of a finger that leaves its cell.
func (t *Tapped) Enter(c board.Cell) { t.held = t.held && c == t.down }

// Lift makes the tap.
func (t *Tapped) Lift() {
	if t.held {
		t.Cells[t.down] = t.Next(t.Cells[t.down])
		t.moves++
	}
	t.held = false
}

// Picture is the board as it stands.
func (t *Tapped) Picture() solvers.Picture { return t.Sketch() }

// Moves is the number of taps.
func (t *Tapped) Moves() int { return t.moves }
