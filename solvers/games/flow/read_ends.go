package flow

import (
	"tapwise/solvers/board"
	"tapwise/solvers/grid"
)

// mostPairDistance is the most distance of the colours of a pair's ends, on a screen whose
// brightest end has a channel of 255.
const mostPairDistance = 40

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

// pairUp finds the two ends of each colour.
func (v *picture) pairUp() ([][2]board.Cell, error) {
	return grid.PairByColour(v.ends(), v.colour, mostPairDistance, v.size.Name)
}
