package alcazar

import (
	"fmt"
	"image"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Remaining is the whole stroke, or nothing when the path is drawn already. Where
// part of a path is drawn, a tap on the first room clears it first: otherwise a
// stroke from the opening where it left the board would go on with it.
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
		tap := screen.Gesture{On: seen.Layout.On, Points: []image.Point{seen.Layout.Centres[from.Room]}, Note: "begin anew"}
		gestures = slices.Insert(gestures, 0, tap)
	}
	return gestures, nil
}

// Fill is the part of the path that is drawn on the screen, in the notation of a
// solution; empty when nothing is drawn.
func (Game) Fill(seen *screen.Observation, puzzle solvers.Puzzle) (string, error) {
	p, ok := puzzle.(*Puzzle)
	if !ok {
		return "", fmt.Errorf("alcazar: the puzzle is one of another game")
	}
	drawn, err := fill(seen, p)
	if err != nil {
		return "", err
	}
	if !slices.Contains(drawn.used, true) {
		return "", nil
	}
	return drawn.String(), nil
}
