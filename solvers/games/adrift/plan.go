package adrift

import (
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// Plan is one stroke for each chain, from its first end through every cell to the
// other. The layout has a centre for each cell: row by row those of the top
// face, then of the left one, then of the right. A layout of another number of
// centres gives no plan, nor does a solution that breaks the rules.
func (s *Solution) Plan(l screen.Layout) []screen.Gesture {
	if len(l.Centres) != len(s.colour) {
		return nil
	}
	var gestures []screen.Gesture
	for i, path := range s.Paths() {
		gestures = append(gestures, grid.Touch(l, chainNote+s.puzzle.Label(i), path...)...)
	}
	return gestures
}
