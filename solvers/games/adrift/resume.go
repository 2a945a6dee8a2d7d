package adrift

import (
	"slices"

	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// Remaining is one stroke for each chain that is not drawn on the screen as in the
// solution. A stroke from an end clears its chain first, and cuts the chains in its
// way.
func (s *Solution) Remaining(seen *screen.Observation) ([]screen.Gesture, error) {
	drawn, begun, err := fill(seen, s.puzzle)
	if err != nil {
		return nil, err
	}
	differs := grid.Differing(len(s.puzzle.ends), drawn.colour, s.colour)
	for i, pair := range s.puzzle.ends {
		differs[i] = differs[i] || !begun[pair[0]] || !begun[pair[1]]
	}
	var gestures []screen.Gesture
	for i, gesture := range s.Plan(seen.Layout) {
		if differs[i] {
			gestures = append(gestures, gesture)
		}
	}
	return gestures, nil
}

// Fill is the part of a solution that is drawn on the screen, in the notation of a
// solution; empty when nothing is drawn.
func (p *Puzzle) Fill(seen *screen.Observation) (string, error) {
	drawn, begun, err := fill(seen, p)
	if err != nil {
		return "", err
	}
	if !slices.Contains(begun, true) && slices.Equal(drawn.colour, p.colour) {
		return "", nil
	}
	return drawn.String(), nil
}

// Annotations are the letters of ends and stones by cell, empty elsewhere.
func (p *Puzzle) Annotations() []string {
	names := make([]string, p.cells())
	for c, k := range p.colour {
		switch {
		case k >= 0:
			names[c] = p.Label(k)
		case k == stone:
			names[c] = "X"
		}
	}
	return names
}

// Retract is a tap on the end where a stroke began, which clears its chain.
func (s *Solution) Retract(stroke screen.Gesture) screen.Gesture {
	return screen.Gesture{On: stroke.On, Points: stroke.Points[:1], Note: "take back " + stroke.Note}
}
