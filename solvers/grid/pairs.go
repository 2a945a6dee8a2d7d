package grid

import (
	"image/color"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// Every other end is leastRivalRatio times as far away in colour as an end's mate, and
// leastRivalMargin further on a screen whose brightest end has a channel of 255.
const (
	leastRivalRatio  = 2
	leastRivalMargin = 16
)

// PairByColour finds the two ends of each colour, in the order of the first ones. No palette
// is known: two ends form a pair when each is the other's nearest, off by at most most, and
// every other end is far. Colours are those of all cells; distances are for a screen whose
// brightest end has a channel of 255, and shrink with its brightness. It refuses, with a
// *ReadError, ends that do not form pairs.
func PairByColour(ends []board.Cell, colours []color.RGBA, most float64, name func(board.Cell) string) ([][2]board.Cell, error) {
	if len(ends) < 2 {
		return nil, solvers.Refuse("%s found, expected at least one pair", board.Count(len(ends), "end"))
	}
	shown, brightest := ColoursOf(ends, colours)
	scale := float64(brightest) / 255
	mates := make(map[board.Cell]board.Cell, len(ends))
	for i, c := range ends {
		other, nearest, next := screen.NearestColour(shown, i)
		mate := ends[other]
		if nearest > most*scale {
			return nil, solvers.RefuseBoth(c, mate, "the end at %s has no other of its colour: the nearest, at %s, is off by %.0f", name(c), name(mate), nearest)
		}
		if next < leastRivalRatio*nearest+leastRivalMargin*scale {
			return nil, solvers.RefuseAt(c, "the end at %s has two others of about its colour, off by %.0f and %.0f", name(c), nearest, next)
		}
		mates[c] = mate
	}
	var pairs [][2]board.Cell
	for _, c := range ends {
		mate := mates[c]
		if mates[mate] != c {
			return nil, solvers.RefuseAt(c, "the end at %s has no other of its colour", name(c))
		}
		if c < mate {
			pairs = append(pairs, [2]board.Cell{c, mate})
		}
	}
	return pairs, nil
}

// ColoursOf are the colours of some cells, and the brightest channel of any.
func ColoursOf(cells []board.Cell, all []color.RGBA) (colours []color.RGBA, brightest uint8) {
	for _, c := range cells {
		colours = append(colours, all[c])
		brightest = max(brightest, screen.Value(all[c]))
	}
	return colours, brightest
}

// Differing reports, for each of n paths, whether its drawn cells differ from those it should
// have. Both arguments give the path of each cell; negative is none.
func Differing(n int, drawn, want []int) []bool {
	differs := make([]bool, n)
	for c, i := range want {
		if got := drawn[c]; got != i {
			for _, path := range []int{got, i} {
				if path >= 0 {
					differs[path] = true
				}
			}
		}
	}
	return differs
}
