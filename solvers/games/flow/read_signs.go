package flow

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// The least size of a board whose cells are told by which look alike, in parts of the
// screen's shorter side. Other programs' boards need not fill the screen, but a finger
// needs four millimetres a cell: 26 of the 360 to 412 CSS pixels across a phone.
const (
	leastSignPitch = 0.045
	leastSignBoard = 0.2 // the longer side: a smaller one is in a picture
)

// checkSigns refuses a board of signs that is too small for a finger.
func checkSigns(seen *screen.Observation) error {
	l := seen.Layout
	shorter := float64(min(seen.On.Size.X, seen.On.Size.Y))
	if l.Pitch < leastSignPitch*shorter {
		return solvers.Refuse("the board's cells of %.0f pixels are too small for a finger, expected %.0f at least", l.Pitch, leastSignPitch*shorter)
	}
	if longer := max(l.Board.Dx(), l.Board.Dy()); float64(longer) < leastSignBoard*shorter {
		return solvers.Refuse("the board at %v is too small to be played on, expected %.0f pixels at least", l.Board, leastSignBoard*shorter)
	}
	return nil
}

// readSigns finds out what is on each cell of a board of another look, whose cells
// are told by which of them look alike: ends are marks, a band of one colour from cell
// to cell is a pipe. Such a board is taken to have no walls and no holes.
func (v *picture) readSigns() {
	for c, m := range v.seen.Signs {
		v.look[c], v.colour[c] = empty, m.Colour
		for d, linked := range m.Links {
			v.links[c][d] = linked
			if linked {
				v.look[c] = pipe
			}
		}
		if m.Group > 0 {
			v.look[c] = end
		}
	}
	// An end's mean colour need not be its pipe's: labels count too.
	for c, m := range v.seen.Signs {
		for d, linked := range m.Links {
			if n := v.grid.beside(board.Cell(c), board.Dir(d)); linked && n != board.None && v.look[c] == end && v.look[n] == pipe {
				v.colour[c] = v.colour[n]
			}
		}
	}
}

// pairSigns pairs the ends whose marks look alike.
func (v *picture) pairSigns() ([][2]board.Cell, error) {
	alike := map[int][]board.Cell{}
	var groups []int // in the order of their first ends
	for c, m := range v.seen.Signs {
		if m.Group == 0 {
			continue
		}
		switch len(alike[m.Group]) {
		case 0:
			groups = append(groups, m.Group)
		case 2:
			return nil, solvers.RefuseAt(board.Cell(c), "%s: a third end that looks like two others", v.size.Name(board.Cell(c)))
		}
		alike[m.Group] = append(alike[m.Group], board.Cell(c))
	}
	var pairs [][2]board.Cell
	for _, g := range groups {
		ends := alike[g]
		if len(ends) == 1 {
			return nil, solvers.RefuseAt(ends[0], "the end at %s has no other that looks alike", v.size.Name(ends[0]))
		}
		pairs = append(pairs, [2]board.Cell(ends))
	}
	if len(pairs) == 0 {
		return nil, solvers.Refuse("no ends found, expected at least one pair")
	}
	return pairs, nil
}
