package cells

import (
	"image"
	"math"
	"slices"
)

// Boards returns the boards on a frame all of whose cells are clear, the surest first: each
// cell is empty, has a pipe, or shows one of two marks that look alike. Mostly there is one.
// What is known about the board narrows the search; if everything is known, the board lies
// there and nowhere else.
func Boards(frame *image.RGBA, known Known) []Board {
	if known.all() {
		return given(frame, known)
	}
	var found []Board
	// Cells that differ by a faint change of shade only are areas of their own when
	// pixels must be nearly equal to belong together.
	var tried []Lattice
	for _, step := range []uint8{usualStep, faintStep} {
		lattices := find(frame, step)
		for _, l := range lattices {
			for _, l := range known.extended(l.joined(lattices)) {
				if !slices.ContainsFunc(tried, l.equals) {
					tried = append(tried, l)
					found = added(frame, found, l, known)
				}
			}
		}
		if len(found) > 0 {
			break
		}
	}
	return found
}

// added adds the board on a lattice to those found, if it is clear and none of them holds
// it. Those that it holds or outweighs are left out.
func added(frame *image.RGBA, found []Board, l Lattice, known Known) []Board {
	holder := func(l Lattice) bool {
		return slices.ContainsFunc(found, func(b Board) bool { return b.holds(l) || b.outweighs(l) })
	}
	if holder(l) {
		return found
	}
	b, ok := whole(frame, l, known)
	if !ok || !known.fits(b.Lattice) || holder(b.Lattice) {
		return found
	}
	found = slices.DeleteFunc(found, func(other Board) bool { return b.holds(other.Lattice) || b.outweighs(other.Lattice) })
	return append(found, b)
}

// whole returns the board on a lattice, with the rows and columns that merge with the
// page, if all of it is clear.
func whole(frame *image.RGBA, l Lattice, known Known) (Board, bool) {
	l, patches := grown(frame, l)
	b, ok := sortCells(frame, l, patches)
	if !ok {
		return b, false
	}
	b.join(Known{Colours: known.Colours})
	return b, b.clear()
}

const (
	leastPairs = 2   // of ends on a board
	emptySeen  = 0.3 // least share of a board's empty cells whose areas were seen,
	turnSeen   = 0.1 // and of one with two grounds in turn, of which one may be the page's
)

// clear reports whether every cell of a board is clear. Cells that are empty must
// have been seen as areas: a lattice of ends alone does not tell where its board ends, and
// where cells seem to have another shade there may be none.
func (b Board) clear() bool {
	if slices.ContainsFunc(b.sorter.tinted, func(cell int) bool { return !b.Seen[cell] }) {
		return false
	}
	pairs, empty, seen := 0, 0, 0
	for i, c := range b.Cells {
		switch {
		case c.Mark == Unclear:
			return false
		case c.Mark == Empty:
			empty++
			if b.Seen[i] {
				seen++
			}
		}
		pairs = max(pairs, int(c.Mark-Alike))
	}
	least := emptySeen
	if b.inTurn {
		least = turnSeen
	}
	return pairs >= leastPairs && (b.framed || float64(seen) >= least*float64(empty))
}

// outweighs reports whether a lattice lies over this board, and far fewer of its cells
// were seen, or a far smaller share of smaller ones: it is made of parts of this one's.
func (b Board) outweighs(l Lattice) bool {
	const times = 2 // as many cells
	right, bottom := b.Centre(b.Rows, b.Cols)
	x, y := l.Centre(l.Rows, l.Cols)
	over := l.X < right-b.Pitch/2 && x-l.Pitch/2 > b.X && l.Y < bottom-b.Pitch/2 && y-l.Pitch/2 > b.Y
	return over && (b.count >= times*l.count || b.Pitch > l.Pitch && b.share() >= times*l.share())
}

// share is the share of a lattice's cells whose areas were seen.
func (l Lattice) share() float64 { return float64(l.count) / float64(l.Rows*l.Cols) }

// holds reports whether a lattice is this board's or a part of it. Ends of one size have a lattice of their own, within the cells'.
func (b Board) holds(other Lattice) bool {
	slack := b.Pitch / 2
	return math.Abs(b.Pitch-other.Pitch) <= slack/float64(max(b.Rows, b.Cols)) &&
		other.X >= b.X-slack && other.Y >= b.Y-slack &&
		other.X+float64(other.Cols)*other.Pitch <= b.X+float64(b.Cols)*b.Pitch+slack &&
		other.Y+float64(other.Rows)*other.Pitch <= b.Y+float64(b.Rows)*b.Pitch+slack
}

func abs(x int) int { return max(x, -x) }
