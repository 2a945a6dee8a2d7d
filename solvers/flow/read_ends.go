package flow

import (
	"image/color"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// The limits of pairs: distances of colours, on a screen whose brightest end has a
// channel of 255. They shrink with its brightness.
const (
	mostPairDistance = 40 // the two ends of a pair
	// Every other end is at least leastRivalRatio times as far away as an end's mate,
	// and leastRivalMargin further.
	leastRivalRatio  = 2
	leastRivalMargin = 16
)

// ends are the cells with an end on them.
func (v *picture) ends() []board.Cell {
	var ends []board.Cell
	for c, l := range v.look {
		if l == end {
			ends = append(ends, board.Cell(c))
		}
	}
	return ends
}

// coloursOf are the colours of ends, and the brightest channel of any.
func (v *picture) coloursOf(ends []board.Cell) (colours []color.RGBA, brightest uint8) {
	for _, c := range ends {
		colours = append(colours, v.colour[c])
		brightest = max(brightest, screen.Value(v.colour[c]))
	}
	return colours, brightest
}

// pairUp finds the two ends of each colour. No palette is known: two ends form a
// pair when each is the other's nearest and every other end is far.
func (v *picture) pairUp() ([][2]board.Cell, error) {
	ends := v.ends()
	if len(ends) < 2 {
		return nil, solvers.Refuse("%s found, expected at least one pair", board.Count(len(ends), "end"))
	}
	colours, brightest := v.coloursOf(ends)
	scale := float64(brightest) / 255
	var pairs [][2]board.Cell
	for i, c := range ends {
		other, nearest, next := screen.NearestColour(colours, i)
		mate := ends[other]
		if nearest > mostPairDistance*scale {
			return nil, solvers.RefuseBoth(c, mate, "the end at %s has no other of its colour: the nearest, at %s, is off by %.0f", v.size.Name(c), v.size.Name(mate), nearest)
		}
		if next < leastRivalRatio*nearest+leastRivalMargin*scale {
			return nil, solvers.RefuseAt(c, "the end at %s has two others of about its colour, off by %.0f and %.0f", v.size.Name(c), nearest, next)
		}
		switch {
		case mate > c:
			pairs = append(pairs, [2]board.Cell{c, mate})
		case !slices.Contains(pairs, [2]board.Cell{mate, c}):
			return nil, solvers.RefuseAt(c, "the end at %s has no other of its colour", v.size.Name(c))
		}
	}
	if 2*len(pairs) != len(ends) {
		return nil, solvers.Refuse("%s, which do not form pairs", board.Count(len(ends), "end"))
	}
	return pairs, nil
}
