package vision

import (
	"fmt"

	"tapwise/solvers/screen"
)

// rimLimits bound which rows and columns at a board's rim are doubtful.
var rimLimits = struct {
	seen, supported float64
}{
	seen:      0.6, // support: a side of a cell with at least this has a line
	supported: 0.4, // fit times support: a board with one row or column more or less has at least this
}

// byRim is the finder of boards with one row or column more or less than another.
const byRim = "another rim"

// rims are the boards that have one row or column more, or one less, than a board of
// squares that was found. A row may be missing because only few of its cells exist: then
// one that lies beyond the rim has lines on all its sides. A row may be too many because
// something that looks like lines lies a pitch from the board: then no cell in it has
// lines on all its sides. A row between the two is not doubted, so that no part of a
// board is read as the whole.
func (s *search) rims() ([]hypothesis, error) {
	var all []hypothesis
	for _, base := range s.found {
		if !base.lattice.ok() || !base.ok() || s.spec.Walled {
			continue
		}
		wider := base
		sides := 0
		for side := range sideNames {
			if n := s.cellsBeyond(base.lattice, side); n > 0 {
				more := s.withRim(base, base.lattice.beyond(side), fmt.Sprintf("with one more at the %s side, of which %d cells are seen", sideNames[side], n))
				all = append(all, more...)
				if len(more) > 0 {
					wider.lattice = wider.lattice.beyond(side)
					sides++
				}
			}
			if less := base.lattice.without(side); less.within(s.spec) && s.cellsBeyond(less, side) == 0 {
				all = append(all, s.withRim(base, less, "without the "+sideNames[side]+" row or column, of which no cell is seen")...)
			}
		}
		if sides > 1 {
			all = append(all, s.withRim(base, wider.lattice, fmt.Sprintf("with one more at %d sides", sides))...)
		}
	}
	return all, nil
}

// withRim is the hypothesis that the board is that of another, with another rim; none
// where lines are seen on too few of its sides.
func (s *search) withRim(base hypothesis, l lattice, what string) []hypothesis {
	if !l.within(s.spec) {
		return nil
	}
	l.several = base.lattice.several
	c := candidate{lattice: l, fit: base.fit}
	c.horizontal, c.vertical = s.view.lines(l)
	if c.support() < rimLimits.supported {
		return nil
	}
	h := s.squares(fmt.Sprintf("%s of %s: %s", byRim, base.finder, what), c)
	h.lesser = true
	h.figures = []screen.Figure{rectangle("the board with this rim", l.bounds())}
	return []hypothesis{h}
}

// cellsBeyond is the number of cells right beyond a side of a lattice that have lines
// on all their sides: on the three that are not the lattice's, and on that which is.
func (s *search) cellsBeyond(l lattice, side int) int {
	more := l.beyond(side)
	if b := more.bounds(); b.Min.X < -1 || b.Min.Y < -1 || b.Max.X > s.size().X+1 || b.Max.Y > s.size().Y+1 {
		return 0
	}
	n := 0
	count := more.cols
	if side >= left {
		count = more.rows
	}
	for k := range count {
		row, col := k, k
		switch side {
		case upper:
			row = 0
		case lower:
			row = more.rows - 1
		case left:
			col = 0
		case right:
			col = more.cols - 1
		}
		if s.enclosed(more, row, col) {
			n++
		}
	}
	return n
}

// enclosed reports whether there are lines on all sides of a cell.
func (s *search) enclosed(l lattice, row, col int) bool {
	for _, side := range [4]struct {
		row, col int
		vertical bool
	}{{row, col, false}, {row + 1, col, false}, {row, col, true}, {row, col + 1, true}} {
		n := 0
		for _, c := range s.view.line(l, side.row, side.col, side.vertical) {
			if c.isLine(l) {
				n++
			}
		}
		if !atLeast(n, len(samplesAlong), rimLimits.seen) {
			return false
		}
	}
	return true
}
