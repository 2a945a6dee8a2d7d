package flow

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// squares are the sides of a board of squares.
type squares struct {
	*picture
	thin thinLine
}

// readSquares finds walls and places without a cell. Cells are separated by thin
// dim lines; walls and the outlines of irregular boards are thick and bright;
// between two places without a cell there is no line.
func (v *picture) readSquares() error {
	thin, err := v.thinLine()
	if err != nil {
		return err
	}
	s := squares{v, thin}
	if err := s.readRim(); err != nil {
		return err
	}
	s.findOutside()
	for c := range board.Cell(v.size.Cells()) {
		if v.outside[c] {
			continue
		}
		for d := range board.Dir(4) {
			if err := s.readSide(c, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// isThick reports whether there is a wall or an outline on a side. The step
// between a cell that a pipe dyes and one that is black is neither.
func (s squares) isThick(c board.Cell, d board.Dir) bool {
	beside := s.rim[c]
	if n := s.size.Beside(c, d); n != board.None {
		beside = max(beside, s.rim[n])
	}
	line := s.side(c, d)
	return s.thin.isWide(line) && s.standsOut(line, beside)
}

// standsOut reports whether a line is as bright as a wall beside cells of a brightness.
func (s squares) standsOut(line screen.Line, beside uint8) bool {
	bright := brightness(line)
	return bright >= leastWallBright*s.thin.bright && bright >= float64(beside)+leastWallStep
}

// isUneven reports whether something as wide and bright as a wall lies on part of a
// side, as the rim of a finger's halo does. It may hide whether there is a wall.
func (s squares) isUneven(c board.Cell, d board.Dir) bool {
	line := s.side(c, d)
	return line.Support > mostGap && line.Support < leastLine && s.thin.hasWidth(line) && s.standsOut(line, s.rim[c])
}

// readSide finds out whether there is a wall on the side of a cell, and refuses
// sides that no board has.
func (s squares) readSide(c board.Cell, d board.Dir) error {
	n := s.grid.beside(c, d)
	beyond := n == board.None || s.outside[n]
	switch {
	case s.isThick(c, d):
		if n != board.None {
			s.walls[board.EdgeOf(c, n)] = true
		}
		if s.links[c][d] {
			return s.refuseSide(c, d, "a pipe goes through a wall")
		}
	case s.look[c] == empty && s.isUneven(c, d):
		return s.refuseSide(c, d, "something lies on part of it, a wall or a finger's halo")
	case beyond && n != board.None:
		return s.refuseSide(c, d, "the board ends without an outline")
	case s.lacksLine(c, n, d):
		return s.refuseSide(c, d, "no line, expected one")
	case beyond && s.links[c][d]:
		return s.refuseSide(c, d, "a pipe leaves the board")
	}
	return nil
}

// lacksLine reports whether there is no line on a side of a cell, where neither a
// pipe nor the frame's rim hides it. n is the cell beyond the side.
func (s squares) lacksLine(c, n board.Cell, d board.Dir) bool {
	if s.side(c, d).Support >= leastLine || s.look[c] != empty {
		return false
	}
	if n == board.None {
		return !s.cutOff(d)
	}
	return s.look[n] == empty
}

// cutOff reports whether a side of the board lies so near to the frame's rim
// that its line may be cut off.
func (v *picture) cutOff(d board.Dir) bool {
	b, size := v.seen.Layout.Board, v.seen.On.Size
	room := [...]int{b.Min.Y, size.X - b.Max.X, size.Y - b.Max.Y, b.Min.X}[d]
	return float64(room) < mostCutOff*v.seen.Layout.Pitch
}

// readRim finds out whether the board is a warp: over each side in its rim that
// is no wall the lines of the lattice reach a little, at both ends of a row or
// column. Where they reach over some sides only, the board goes on, except for blurred frames:
// where they reach over at least half of each of the board's four sides, some may be too
// faint to be seen.
func (s squares) readRim() error {
	open, uneven := 0, 0
	blurred := s.mostReach()
	check := func(a, b board.Cell, d board.Dir) {
		first, second := s.isOpen(a, d), s.isOpen(b, d.Opposite())
		faint := blurred && s.isThin(a, d) && s.isThin(b, d.Opposite())
		switch {
		case first && second, faint:
			open++
		case first != second || !s.isThick(a, d) || !s.isThick(b, d.Opposite()):
			uneven++
		}
	}
	for col := range s.size.Cols {
		check(s.size.At(0, col), s.size.At(s.size.Rows-1, col), board.North)
	}
	for row := range s.size.Rows {
		check(s.size.At(row, 0), s.size.At(row, s.size.Cols-1), board.West)
	}
	if open == 0 {
		return nil
	}
	if uneven > 0 {
		return solvers.Refuse("the lattice reaches over parts of the board's rim: it goes on there")
	}
	// Nobody knows how far a board goes on that is cut off on all sides.
	b, size := s.seen.Layout.Board, s.seen.On.Size
	if least := leastRoom * s.seen.Layout.Pitch; float64(min(b.Min.Y, size.Y-b.Max.Y)) < least && float64(min(b.Min.X, size.X-b.Max.X)) < least {
		return solvers.Refuse("the lattice reaches to the frame's rim: the board goes on there")
	}
	s.grid.topology = Warp
	return nil
}

// isOpen reports whether the lines of the lattice reach over a side in the rim.
func (s squares) isOpen(c board.Cell, d board.Dir) bool {
	return s.isThin(c, d) && s.side(c, d).Ends >= leastReach
}

// isThin reports whether a side of a cell has a line and no wall.
func (s squares) isThin(c board.Cell, d board.Dir) bool {
	return s.side(c, d).Support >= leastLine && !s.isThick(c, d)
}

// mostReach reports whether the lines of the lattice reach over at least half of each of
// the board's sides.
func (s squares) mostReach() bool {
	var reach, all [4]int
	for c := range board.Cell(s.size.Cells()) {
		for d := range board.Dir(4) {
			if s.size.Beside(c, d) != board.None {
				continue
			}
			all[d]++
			if s.isOpen(c, d) {
				reach[d]++
			}
		}
	}
	for d := range all {
		if 2*reach[d] < all[d] {
			return false
		}
	}
	return true
}

// findOutside marks the places without a cell: empty ones that have no thin line
// on any side but the board's rim, and either an outline or no line at all.
func (s squares) findOutside() {
	for c := range board.Cell(s.size.Cells()) {
		hole := s.look[c] == empty
		outlines, lines := 0, 0
		for d := range board.Dir(4) {
			switch {
			case s.isThick(c, d):
				outlines++
			case s.side(c, d).Support > mostGap:
				lines++
				hole = hole && s.size.Beside(c, d) == board.None
			}
		}
		s.outside[c] = hole && (outlines > 0 || lines == 0)
	}
}
