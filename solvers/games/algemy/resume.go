package algemy

import (
	"slices"

	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// Remaining is the taps for the light sources that are not on the screen as in
// the solution. A source that should not be there is removed by a tap on the middle
// of the wheel.
func (s *Solution) Remaining(seen *screen.Observation) ([]screen.Gesture, error) {
	on, err := shown(seen, s.puzzle)
	if err != nil {
		return nil, err
	}
	missing := &Solution{puzzle: s.puzzle, sources: slices.Clone(s.sources)}
	var gestures []screen.Gesture
	for c, have := range on.sources {
		switch want := s.sources[c]; {
		case have == want:
			missing.sources[c] = noSource
		case want == noSource:
			name := s.puzzle.Name(board.Cell(c))
			gestures = append(gestures, openWheel(seen.Layout, board.Cell(c), name)...)
			gestures = append(gestures, grid.Touch(seen.Layout, "no source at "+name, board.Cell(c))...)
		}
	}
	return append(gestures, missing.Plan(seen.Layout)...), nil
}

// Fill is the light sources on the screen, in the notation of a solution; empty
// when there are none.
func (p *Puzzle) Fill(seen *screen.Observation) (string, error) {
	on, err := shown(seen, p)
	if err != nil {
		return "", err
	}
	if !slices.ContainsFunc(on.sources, func(c Colour) bool { return c != noSource }) {
		return "", nil
	}
	return on.String(), nil
}

// Annotations are the crystals' letters by cell, empty elsewhere.
func (p *Puzzle) Annotations() []string {
	texts := make([]string, p.cells())
	for c, k := range p.crystals {
		if k != Empty {
			texts[c] = k.String()
		}
	}
	return texts
}
