package asteroid

import "tapwise/solvers/board"

// Size is the size of every board.
func Size() board.Size { return size }

// Exit is the place above the exit.
const Exit = door

// Tiles are the tiles of a board and where they lie. Unlike a puzzle's, they need
// not have the spacecraft: it may have left.
type Tiles struct {
	at [cells]piece // of each cell
}

// Tiles are the tiles at the start.
func (p *Puzzle) Tiles() Tiles { return Tiles{p.at} }

// String is the board in the notation of puzzles; a spacecraft that has left has
// left a blank place.
func (t Tiles) String() string { return draw(t.at) }

// Hole reports whether no tile lies at a place.
func (t Tiles) Hole(c board.Cell) bool { return t.at[c] == hole }

// CanLeave reports whether a place is the one above the exit and the spacecraft
// lies there.
func (t Tiles) CanLeave(c board.Cell) bool { return c == door && t.at[c] == spacecraft }

// Clear is how many thirds of a slide, up to 3, a tile can go in a direction
// until it meets another. It looks at other pieces only, not at whether there is
// a hole.
func (t Tiles) Clear(c board.Cell, dir board.Dir) int {
	row, col := dir.Step()
	for third := 1; third <= 3; third++ {
		if met(t.at, c, third*row, third*col) != board.None {
			return third - 1
		}
	}
	return 3
}

// Slid are the tiles after one has slid to another place, or has left the board
// when that is board.None.
func (t Tiles) Slid(from, to board.Cell) Tiles {
	if to != board.None {
		t.at[to] = t.at[from]
	}
	t.at[from] = hole
	return t
}
