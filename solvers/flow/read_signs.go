package flow

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
)

// readSigns finds out what is on each cell of a board of another look, whose cells
// are told by which of them look alike: ends are marks, a band of one colour from cell
// to cell is a pipe. Such a board is taken to have no walls and no holes.
func (v *picture) readSigns() error {
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
	return nil
}

// pairSigns pairs the ends whose marks look alike.
func (v *picture) pairSigns() ([][2]board.Cell, error) {
	first := map[int]board.Cell{}
	var groups []int // in the order of their first ends
	pairs := map[int][2]board.Cell{}
	for c, m := range v.seen.Signs {
		cell := board.Cell(c)
		other, known := first[m.Group]
		_, paired := pairs[m.Group]
		switch {
		case m.Group == 0:
		case paired:
			return nil, solvers.RefuseAt(cell, "%s: a third end that looks like two others", v.size.Name(cell))
		case known:
			pairs[m.Group] = [2]board.Cell{other, cell}
		default:
			first[m.Group] = cell
			groups = append(groups, m.Group)
		}
	}
	var list [][2]board.Cell
	for _, g := range groups {
		pair, ok := pairs[g]
		if !ok {
			return nil, solvers.RefuseAt(first[g], "the end at %s has no other that looks alike", v.size.Name(first[g]))
		}
		list = append(list, pair)
	}
	if len(list) == 0 {
		return nil, solvers.Refuse("no ends found, expected at least one pair")
	}
	return list, nil
}
