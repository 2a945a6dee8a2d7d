package asteroid

import (
	"fmt"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Check plays the moves by the rules of the package comment, unit by unit. The error is a
// *solvers.RuleError. Check finds the units that pieces cover from their notation, with
// independent code, so that a mistake in the solver cannot hide.
func (s *Solution) Check() error {
	at := s.puzzle.at
	for i, m := range s.moves {
		last := i == len(s.moves)-1
		where := fmt.Sprintf("move %d (%s)", i+1, m)
		if at[m.From] == hole {
			return solvers.Broken("tile", "%s: the hole is there, expected a tile", where)
		}
		row, col := m.Dir.Step()
		to := size.At(size.Row(m.From)+row, size.Col(m.From)+col)
		switch {
		case m.Exit && at[m.From] != spacecraft:
			return solvers.Broken("exit", "%s: that is not the spacecraft", where)
		case m.Exit && m.From != door:
			return solvers.Broken("exit", "%s: the spacecraft leaves from %s", where, size.Name(door))
		case m.Exit && !last:
			return solvers.Broken("exit", "%s: expected as the last of the %d moves", where, len(s.moves))
		case !m.Exit && to == board.None:
			return solvers.Broken("hole", "%s: the tile would leave the board", where)
		case !m.Exit && at[to] != hole:
			return solvers.Broken("hole", "%s: there is a tile at %s", where, size.Name(to))
		}
		for third := 1; third <= 3; third++ {
			if other := met(at, m.From, third*row, third*col); other != board.None {
				return solvers.Broken("clear", "%s: it meets the tile at %s after %d of 3 units", where, size.Name(other), third)
			}
		}
		if last && !m.Exit {
			return solvers.Broken("exit", "the last move is %q, expected \"2,1 exit\"", m)
		}
		if !m.Exit {
			at[to] = at[m.From]
			at[m.From] = hole
		}
	}
	return nil
}

// unit is a third of a tile, counted on the whole board.
type unit struct{ y, x int }

// units are the units that a piece covers, on a tile with its centre at y, x.
func units(p piece, y, x int) []unit {
	text := corners[p]
	if p == spacecraft {
		return []unit{{y + 1, x}, {y - 1, x - 2}, {y - 1, x - 1}, {y - 1, x + 1}, {y - 1, x + 2}}
	}
	var covered []unit
	for i, sides := range [4][2]int{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}} {
		down, right := sides[0], sides[1]
		switch text[i] {
		case 'a':
			covered = append(covered, unit{y + down, x + right})
		case 'A':
			// Two units wide and high, of which one is on the tile. Two along
			// an edge fill the gap between them and stick out there only.
			covered = append(covered, unit{y + down, x + right})
			if text[i^1] == 'A' { // along the top or the bottom
				covered = append(covered, unit{y + down, x}, unit{y + 2*down, x}, unit{y + 2*down, x + right})
			} else if text[i^2] == 'A' { // along the left or the right
				covered = append(covered, unit{y, x + right}, unit{y, x + 2*right}, unit{y + down, x + 2*right})
			} else {
				covered = append(covered, unit{y + 2*down, x + right}, unit{y + down, x + 2*right}, unit{y + 2*down, x + 2*right})
			}
		}
	}
	return covered
}

// met is a tile that the one at from meets when it is moved by numbers of units, or
// board.None.
func met(at [cells]piece, from board.Cell, down, right int) board.Cell {
	covered := units(at[from], 3*size.Row(from)+down, 3*size.Col(from)+right)
	for other := range board.Cell(cells) {
		if other == from {
			continue
		}
		for _, u := range units(at[other], 3*size.Row(other), 3*size.Col(other)) {
			if slices.Contains(covered, u) {
				return other
			}
		}
	}
	return board.None
}

// touching are two tiles that overlap, or board.None twice.
func touching(at [cells]piece) (board.Cell, board.Cell) {
	for c := range board.Cell(cells) {
		if other := met(at, c, 0, 0); other != board.None {
			return c, other
		}
	}
	return board.None, board.None
}
