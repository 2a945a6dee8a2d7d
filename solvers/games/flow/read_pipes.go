package flow

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// The limits of the pipes that are drawn.
const (
	mostDrift = 60 // distance of a pipe's colour on a cell from that of the end where it begins

	// A finished pipe of leastFinished cells or more dyes its cells: most of them
	// are at least this bright beside the pipe, 0 to 255.
	leastFinished = 3
	leastDye      = 20
)

// drawn follows the pipes from the ends. Each must lead from cell to cell as
// the game draws it: a board with anything else on it was not understood.
func (v *picture) drawn(p *Puzzle, played bool) (*Solution, error) {
	if err := v.checkLinks(); err != nil {
		return nil, err
	}
	s := newSolution(p, nil)
	var finished []board.Cell // the cells of finished pipes except for their second ends
	for _, pair := range p.ends {
		way, err := v.follow(s, pair[0])
		if err != nil {
			return nil, err
		}
		if last := len(way) - 1; way[last] == pair[1] {
			finished = append(finished, way[:last]...)
		}
		if _, err := v.follow(s, pair[1]); err != nil {
			return nil, err
		}
	}
	if !played && v.undyed(finished) {
		return nil, solvers.Refuse("finished pipes do not dye their cells: a drawing of a board, not the game's")
	}
	for c, l := range v.look {
		if l == pipe && s.pipe[c] < 0 {
			return nil, solvers.RefuseAt(board.Cell(c), "%s: a pipe that leads to no end", v.size.Name(board.Cell(c)))
		}
	}
	return s, nil
}

// checkLinks refuses pipes that break off, that fork, and that lead to an end
// from two sides.
func (v *picture) checkLinks() error {
	for c := range board.Cell(v.size.Cells()) {
		links := 0
		for d := range board.Dir(v.grid.Dirs()) {
			if !v.links[c][d] {
				continue
			}
			links++
			n := v.across(c, d)
			if n == board.None || !v.links[n][v.grid.Opposite(d)] {
				return solvers.RefuseAt(c, "%s: a pipe breaks off at the cell's side", v.size.Name(c))
			}
		}
		switch {
		case v.look[c] == end && links > 1:
			return solvers.RefuseAt(c, "%s: %d pipes lead to one end", v.size.Name(c), links)
		case v.look[c] == pipe && (links == 0 || links > 2):
			return solvers.RefuseAt(c, "%s: a pipe over %d of the cell's sides", v.size.Name(c), links)
		}
	}
	return nil
}

// follow follows a pipe from one of its ends as far as it is drawn, marks its
// cells in the solution and returns them in order. No cell has more than two
// links and an end not more than one, so that there is one way on and it comes
// back to no cell.
func (v *picture) follow(s *Solution, from board.Cell) ([]board.Cell, error) {
	i := s.puzzle.pipe[from]
	var way []board.Cell
	for at, came := from, board.Dir(-1); at != board.None; at, came = v.onward(at, came) {
		if v.look[at] == end && s.puzzle.pipe[at] != i {
			return nil, solvers.RefuseAt(at, "%s: a pipe of another colour leads to this end", v.size.Name(at))
		}
		if screen.Distance(v.colour[at], v.colour[from]) > mostDrift {
			return nil, solvers.RefuseAt(at, "%s: a pipe changes its colour", v.size.Name(at))
		}
		s.pipe[at] = i
		way = append(way, at)
	}
	return way, nil
}

// onward is the next cell of a pipe, board.None at its tip, and the direction
// that leads there. came is the direction of the last step, negative at the
// first cell.
func (v *picture) onward(at board.Cell, came board.Dir) (board.Cell, board.Dir) {
	for d := range board.Dir(v.grid.Dirs()) {
		if v.links[at][d] && (came < 0 || d != v.grid.Opposite(came)) {
			return v.across(at, d), d
		}
	}
	return board.None, came
}

// across is the cell to which a pipe leads over a side: over bridges it goes
// straight on.
func (v *picture) across(c board.Cell, d board.Dir) board.Cell {
	n := v.grid.beside(c, d)
	for n != board.None && v.look[n] == crossing {
		n = v.grid.beside(n, d)
	}
	return n
}

// undyed reports whether most of the cells, of at least leastFinished, are as
// dark as if nothing were drawn on them.
func (v *picture) undyed(cells []board.Cell) bool {
	dark := 0
	for _, c := range cells {
		if v.rim[c] < leastDye {
			dark++
		}
	}
	return len(cells) >= leastFinished && 2*dark > len(cells)
}
