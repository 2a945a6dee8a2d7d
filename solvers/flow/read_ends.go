package flow

import (
	"math"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// The limits of which ends form pairs: distances of colours, on a screen whose
// brightest end has a channel of 255. They shrink with its brightness.
const (
	mostPairDistance = 40 // the two ends of a pair
	// Every other end is so many times further away than an end's mate, and so
	// much more.
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

// brightest is the brightest channel of the colours of ends.
func (v *picture) brightest(ends []board.Cell) uint8 {
	var brightest uint8
	for _, c := range ends {
		brightest = max(brightest, screen.Value(v.colour[c]))
	}
	return brightest
}

// nearestColour is, of some ends, the one whose colour is nearest to that of the
// end on a cell, the distance of the two colours, and that of the next nearest
// end's. Distances are infinite where there is no such end.
func (v *picture) nearestColour(c board.Cell, ends []board.Cell) (mate board.Cell, nearest, next float64) {
	mate, nearest, next = board.None, math.Inf(1), math.Inf(1)
	for _, other := range ends {
		if other == c {
			continue
		}
		d := screen.Distance(v.colour[c], v.colour[other])
		if d < nearest {
			mate, nearest, next = other, d, nearest
		} else if d < next {
			next = d
		}
	}
	return mate, nearest, next
}

// pairUp finds the two ends of each colour. No palette is known: two ends form a
// pair when each is the other's nearest and every other end is far.
func (v *picture) pairUp() ([][2]board.Cell, error) {
	ends := v.ends()
	if len(ends) < 2 {
		return nil, solvers.Refuse("%s found, expected at least one pair", board.Count(len(ends), "end"))
	}
	scale := float64(v.brightest(ends)) / 255
	var pairs [][2]board.Cell
	for _, c := range ends {
		mate, nearest, next := v.nearestColour(c, ends)
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
