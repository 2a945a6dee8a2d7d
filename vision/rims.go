package vision

import (
	"fmt"

	"tapwise/solvers/screen"
)

// rimLimits bound which rows and columns at a board's rim are doubtful.
var rimLimits = struct {
	surplus         int
	seen, supported float64
}{
	surplus:   2,   // rows or columns: this many at one side may be none of the board's
	seen:      0.6, // support: a side of a cell with at least this has a line
	supported: 0.4, // confidence: a board with another rim has at least this
}

// rims are the boards that have one row or column more, or one less, than a board of
// squares that was found. A row may be missing because only few of its cells exist: then
// one that lies beyond the rim has lines on all its sides. A row may be too many because
// something that looks like lines lies a pitch from the board: then no cell in it has
// lines on all its sides. A row between the two is not doubted, so that no part of a
// board is read as the whole.
func (s *search) rims() ([]hypothesis, error) {
	var all []hypothesis
	for _, base := range s.found {
		if !base.lattice.ok() || !base.ok() || base.lesser || s.spec.Walled {
			continue
		}
		wider, sides := base.lattice, 0
		for side := range sideNames {
			if n := s.cellsBeyond(base.lattice, side, lineLimits.beyondPart); n > 0 {
				all = append(all, s.withRim(base, base.lattice.beyond(side), fmt.Sprintf("with one more at the %s side, where lines enclose %d cells", sideNames[side], n))...)
				wider = wider.beyond(side)
				sides++
			}
			less := base.lattice
			for n := 1; n <= rimLimits.surplus; n++ {
				if less = less.without(side); !less.within(s.spec) || s.cellsBeyond(less, side, lineLimits.dimmedPart) > 0 {
					break
				}
				all = append(all, s.withRim(base, less, fmt.Sprintf("without the outermost %d at the %s side, where lines enclose no cell", n, sideNames[side]))...)
			}
		}
		if sides > 1 {
			all = append(all, s.withRim(base, wider, fmt.Sprintf("with one more at each of %d sides", sides))...)
		}
	}
	return all, nil
}

// withCells is a lattice with the rows and columns in which cells lie right beyond its
// rim. Only where lines lead out of it may there be any: strips are the shares of the
// lines that do.
func (s *search) withCells(l lattice, strips [4]float64) (lattice, int) {
	n := 0
	for side := range sideNames {
		if strips[side] == 0 {
			continue
		}
		if more := l.beyond(side); more.within(s.spec) && s.cellsBeyond(l, side, lineLimits.beyondPart) > 0 {
			l = more
			n++
		}
	}
	return l, n
}

// withRim is the hypothesis that the board is that of another, with another rim; none
// where lines are seen on too few of its sides.
func (s *search) withRim(base hypothesis, l lattice, what string) []hypothesis {
	if !l.within(s.spec) {
		return nil
	}
	l.several = base.lattice.several
	c := candidate{lattice: l, fit: base.fit}
	if l.faint {
		c.horizontal, c.vertical = s.linesCloselyOf(l)
	} else {
		c.horizontal, c.vertical = s.view.lines(l)
	}
	h := s.squares(base.finder+", "+what, c)
	if h.confidence < rimLimits.supported {
		return nil
	}
	h.lesser, h.rim = true, true
	// It is read, but not believed where only clear sight would tell that it is right.
	h.doubts = append(h.doubts, "the lines show another rim than this board has")
	h.figures = []screen.Figure{rectangle("the board with this rim", l.bounds())}
	return []hypothesis{h}
}

// cellsBeyond is the number of cells right beyond a side of a lattice that have lines
// on all their sides: on the three that are not the lattice's, and on that which is. The
// lines stand out by at least 1/part of what the lattice's do.
func (s *search) cellsBeyond(l lattice, side, part int) int {
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
		if s.enclosed(more, row, col, part) {
			n++
		}
	}
	return n
}

// enclosed reports whether there are lines on all sides of a cell that stand out by at
// least 1/part of what the lattice's do.
func (s *search) enclosed(l lattice, row, col, part int) bool {
	for _, side := range [4]struct {
		row, col int
		vertical bool
	}{{row, col, false}, {row + 1, col, false}, {row, col, true}, {row, col + 1, true}} {
		n := 0
		for _, c := range s.view.line(l, side.row, side.col, side.vertical) {
			if c.isLine(l) && c.contrast >= l.contrast/part {
				n++
			}
		}
		if !atLeast(n, len(samplesAlong), rimLimits.seen) {
			return false
		}
	}
	return true
}
