package simapp

import (
	"fmt"

	"tapwise/solvers"
)

// Levels are the puzzles of one game, which the error names.
func Levels[P solvers.Puzzle](game solvers.Game, levels []solvers.Puzzle) ([]P, error) {
	puzzles := make([]P, len(levels))
	for i, level := range levels {
		p, ok := level.(P)
		if !ok {
			return nil, fmt.Errorf("%s: level %d is a puzzle of another game", game.Name(), i+1)
		}
		puzzles[i] = p
	}
	return puzzles, nil
}
