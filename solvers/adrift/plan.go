package adrift

import (
	"image"

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
		points := make([]image.Point, len(path))
		for k, c := range path {
			points[k] = l.Centres[c]
		}
		gestures = append(gestures, screen.Gesture{On: l.On, Points: points, Note: chainNote + s.puzzle.Label(i)})
	}
	return gestures
}
