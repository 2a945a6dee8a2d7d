package cells

import (
	"image"
	"math"
	"slices"
)

// Boards returns the boards on a frame all of whose cells are clear, the surest first:
// each cell is empty, has a pipe, or shows one of two marks that look alike. Mostly
// there is one. What is known of the board narrows the search; where all of it is known,
// the board lies there and nowhere else.
func Boards(frame *image.RGBA, known Known) []Board {
	if known.all() {
		return given(frame, known)
	}
	var found []Board
	// Cells that differ by a faint change of shade only are areas of their own when
	// pixels must be nearly equal to belong together.
	for _, step := range []uint8{usualStep, faintStep} {
		for _, l := range find(frame, step) {
			b, ok := sortCells(frame, l)
			if ok {
				b.join(Known{Colours: known.Colours})
			}
			if !ok || !b.clear() || !known.fits(b.Lattice) || slices.ContainsFunc(found, func(other Board) bool { return other.holds(b) }) {
				continue
			}
			found = slices.DeleteFunc(found, b.holds)
			found = append(found, b)
		}
		if len(found) > 0 {
			break
		}
	}
	return found
}

const (
	leastPairs = 2   // of ends on a board
	emptySeen  = 0.3 // least share of a board's empty cells whose areas were seen
)

// clear reports whether every cell of a board is clear. Cells that are empty must
// have been seen as areas: a lattice of ends alone does not tell where its board ends.
func (b Board) clear() bool {
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
	return pairs >= leastPairs && float64(seen) >= emptySeen*float64(empty)
}

// surePairs is how much more than its mate every other mark has to differ from a mark
// for full confidence.
const surePairs = 60

// Confidence is how clearly the board was seen, 0 to 1: by the share of its cells
// that were areas, and by how well its marks are told apart.
func (b Board) Confidence() float64 {
	return 0.5 + 0.25*float64(b.count)/float64(len(b.Cells)) + 0.25*min(1, float64(b.Margin)/surePairs)
}

// holds reports whether the other board is this one or a part of it: its lattice
// covers no more. Ends of one size have a lattice of their own, within the cells'.
func (b Board) holds(other Board) bool {
	slack := b.Pitch / 2
	return math.Abs(b.Pitch-other.Pitch) <= slack/float64(max(b.Rows, b.Cols)) &&
		other.X >= b.X-slack && other.Y >= b.Y-slack &&
		other.X+float64(other.Cols)*other.Pitch <= b.X+float64(b.Cols)*b.Pitch+slack &&
		other.Y+float64(other.Rows)*other.Pitch <= b.Y+float64(b.Rows)*b.Pitch+slack
}

func abs(x int) int { return max(x, -x) }
