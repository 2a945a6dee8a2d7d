package algemy

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Steps are the light sources, row by row. A source is drawn when the board has it
// on the same cell in the same colour.
func (s *Solution) Steps(drawn solvers.Solution) []solvers.Step {
	on, _ := drawn.(*Solution)
	var steps []solvers.Step
	for c, colour := range s.sources {
		if colour == noSource {
			continue
		}
		steps = append(steps, solvers.Step{
			Text:  sourceNote(colour, s.puzzle.Name(board.Cell(c))),
			Cells: []board.Cell{board.Cell(c)},
			Drawn: on != nil && len(on.sources) == len(s.sources) && on.sources[c] == colour,
		})
	}
	return steps
}
