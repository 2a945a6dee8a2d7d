package flow

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
)

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
