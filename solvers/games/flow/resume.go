package flow

import (
	"slices"

	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// Remaining is one stroke for each pipe that is not drawn on the screen as in the solution. A
// stroke from an end clears its pipe first, and cuts the pipes in its way. A pipe between two
// neighbouring ends looks the same whether it is drawn or not: if no other is missing, all such
// pipes are drawn. On a board of signs it is visible where a pipe leads from cell to cell, so
// that one that lacks its last step is not taken for whole.
func (s *Solution) Remaining(seen *screen.Observation) ([]screen.Gesture, error) {
	drawn, err := fill(seen, s.puzzle)
	if err != nil {
		return nil, err
	}
	differs := grid.Differing(len(s.puzzle.ends), drawn.pipe, s.pipe)
	rest := !slices.Contains(differs, true)
	var gestures []screen.Gesture
	bySigns := len(seen.Signs) > 0
	for i, path := range s.Paths() {
		switch {
		case differs[i], bySigns && !s.puzzle.leads(seen, path):
			gestures = append(gestures, s.puzzle.strokes(seen.Layout, i, path)...)
		case len(path) == 2 && rest && !bySigns:
			for _, g := range s.puzzle.strokes(seen.Layout, i, path) {
				g.Unseen = true
				gestures = append(gestures, g)
			}
		}
	}
	return gestures, nil
}

// leads reports whether a pipe leads along a whole path on a board of signs.
func (p *Puzzle) leads(seen *screen.Observation, path []board.Cell) bool {
	for i, to := range path[1:] {
		if !p.joined(seen, path[i], to) && !p.joined(seen, to, path[i]) {
			return false
		}
	}
	return true
}

// joined reports whether a pipe leads from a cell of a board of signs to its neighbour.
func (p *Puzzle) joined(seen *screen.Observation, from, to board.Cell) bool {
	for d, linked := range seen.Signs[from].Links {
		if linked && p.beside(from, board.Dir(d)) == to {
			return true
		}
	}
	return false
}

// Fill is the part of a solution that is drawn on the screen, in the notation of a
// solution; empty when nothing is drawn.
func (p *Puzzle) Fill(seen *screen.Observation) (string, error) {
	drawn, err := fill(seen, p)
	if err != nil {
		return "", err
	}
	for c, i := range drawn.pipe {
		if i >= 0 && p.pipe[board.Cell(c)] < 0 {
			return drawn.String(), nil
		}
	}
	return "", nil
}

// Retract is a tap on the end where a stroke began, which clears its pipe.
func (s *Solution) Retract(stroke screen.Gesture) screen.Gesture {
	return screen.Gesture{On: stroke.On, Points: stroke.Points[:1], Note: "take back " + stroke.Note}
}
