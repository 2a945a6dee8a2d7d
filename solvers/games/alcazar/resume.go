package alcazar

import (
	"slices"

	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// Remaining is the whole stroke, or nothing if the path is drawn already. If part of a path is
// drawn, a tap on the first room clears it first: otherwise a stroke from the opening where it
// left the board would continue it.
func (s *Solution) Remaining(seen *screen.Observation) ([]screen.Gesture, error) {
	drawn, err := fill(seen, s.puzzle)
	if err != nil {
		return nil, err
	}
	if slices.Equal(drawn.used, s.used) {
		return nil, nil
	}
	gestures := s.Plan(seen.Layout)
	if from, _, _, ok := s.Path(); ok && slices.Contains(drawn.used, true) {
		gestures = append(grid.Touch(seen.Layout, "begin anew", from.Room), gestures...)
	}
	return gestures, nil
}

// Fill is the part of the path that is drawn on the screen, in the notation of a
// solution; empty when nothing is drawn.
func (p *Puzzle) Fill(seen *screen.Observation) (string, error) {
	drawn, err := fill(seen, p)
	if err != nil {
		return "", err
	}
	if !slices.Contains(drawn.used, true) {
		return "", nil
	}
	return drawn.String(), nil
}
