package drawing

import (
	"fmt"
	"slices"

	"tapwise/solvers"
)

// differencesGap is the room between two pictures of one board, in pitches.
const differencesGap = 1

// Differences is the puzzle of two solutions twice, side by side or, when it is wide,
// one above the other: each with the steps of one solution that the other lacks. What
// they have in common is left out.
func Differences(a, b solvers.Solution) solvers.Picture {
	p := lacking(a, b)
	right, down := p.Width+differencesGap, 0.0
	if p.Width > p.Height {
		right, down = 0, p.Height+differencesGap
	}
	for _, s := range lacking(b, a).Shapes {
		s.Points = slices.Clone(s.Points)
		for i := range s.Points {
			s.Points[i][0] += right
			s.Points[i][1] += down
		}
		p.Shapes = append(p.Shapes, s)
	}
	p.Width += right
	p.Height += down
	return p
}

// lacking is the puzzle with those steps of a solution that another one lacks.
func lacking(s, other solvers.Solution) solvers.Picture {
	p := s.Picture(0, 0)
	puzzle := map[string]bool{}
	for _, shape := range p.Shapes {
		puzzle[fmt.Sprint(shape)] = true
	}
	theirs := map[string]bool{}
	for _, step := range other.Steps(nil) {
		theirs[fmt.Sprint(step)] = true
	}
	// The picture of one step is the puzzle and, somewhere in between, what the step
	// draws: the same place for each step.
	var drawn []solvers.Shape
	at := len(p.Shapes)
	for i, step := range s.Steps(nil) {
		if theirs[fmt.Sprint(step)] {
			continue
		}
		for place, shape := range s.Picture(i, i+1).Shapes {
			if !puzzle[fmt.Sprint(shape)] {
				at = min(at, place)
				drawn = append(drawn, shape)
			}
		}
	}
	p.Shapes = slices.Insert(slices.Clip(p.Shapes), at, drawn...)
	return p
}
