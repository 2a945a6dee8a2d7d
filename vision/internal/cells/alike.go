package cells

import (
	"image"
	"image/color"
	"slices"
)

// sameColour is the most that a mark's mean colour differs in any channel from the one
// that it is known by, 0 to 255.
const sameColour = 16

// join pairs marks that belong together though they do not look alike: those in the
// cells that are known to, and then those that have no mate and the colours of two that
// are known to.
func (b *Board) join(known Known) {
	for _, pair := range known.Alike {
		if pair[0] == pair[1] || !b.isEnd(pair[0]) || !b.isEnd(pair[1]) {
			continue
		}
		for _, cell := range pair { // who looked like it is alone now
			if group := b.Cells[cell].Mark; group > Alike {
				for i := range b.Cells {
					if b.Cells[i].Mark == group {
						b.Cells[i].Mark = Unclear
					}
				}
			}
		}
		b.pairUp(pair)
	}
	for _, pair := range b.byColours(known.Colours) {
		b.pairUp(pair)
	}
}

// isEnd reports whether a cell shows a mark, be it one that has no mate.
func (b *Board) isEnd(cell int) bool {
	return cell >= 0 && cell < len(b.Cells) && (b.Cells[cell].Mark > Alike || b.alone(cell))
}

// alone reports whether a cell shows a single mark that looks like no other.
func (b *Board) alone(cell int) bool {
	c := b.Cells[cell]
	return c.Mark == Unclear && c.Links == [4]bool{} && c.Colour.A > 0
}

// pairUp gives two cells a group of their own.
func (b *Board) pairUp(pair [2]int) {
	next := Alike
	for _, c := range b.Cells {
		next = max(next, c.Mark)
	}
	for _, cell := range pair {
		b.Cells[cell].Mark = next + 1
	}
	b.Margin = 0 // their looks do not tell them from others
}

// byColours returns the marks without a mate that have the colours of two marks that
// belong together. Where a colour is that of several marks, it tells nothing.
func (b *Board) byColours(colours [][2]color.RGBA) [][2]int {
	var found [][2]int
	taken := map[int]int{}
	for _, pair := range colours {
		var cells [2]int
		ok := true
		for i, c := range pair {
			var like []int
			for cell := range b.Cells {
				if b.alone(cell) && colourDistance(b.Cells[cell].Colour, c) <= sameColour {
					like = append(like, cell)
				}
			}
			if ok = ok && len(like) == 1; ok {
				cells[i] = like[0]
			}
		}
		if ok && cells[0] != cells[1] {
			found = append(found, cells)
			taken[cells[0]]++
			taken[cells[1]]++
		}
	}
	return slices.DeleteFunc(found, func(c [2]int) bool { return taken[c[0]] > 1 || taken[c[1]] > 1 })
}

func colourDistance(a, b color.RGBA) int {
	return max(abs(int(a.R)-int(b.R)), abs(int(a.G)-int(b.G)), abs(int(a.B)-int(b.B)))
}

// Unpaired returns the cells with marks that look like no other, on a board whose lattice is
// known, if nothing else on it is unclear.
func Unpaired(frame *image.RGBA, known Known) []int {
	if !known.all() {
		return nil
	}
	var best []int
	for l := range knownLattices(frame, known) {
		b, ok := sortCells(frame, l, nil)
		if !ok {
			continue
		}
		b.join(known)
		var alone []int
		clear := true
		for cell, c := range b.Cells {
			if b.alone(cell) {
				alone = append(alone, cell)
			} else if c.Mark == Unclear {
				clear = false
			}
		}
		if clear && len(alone) > 0 && (best == nil || len(alone) < len(best)) {
			best = alone
		}
	}
	return best
}
