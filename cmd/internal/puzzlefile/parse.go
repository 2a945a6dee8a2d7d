package puzzlefile

import (
	"tapwise/cmd/internal/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

// Parse reads a puzzle's text in the notation of a game. With a nil game it is
// the first game that can read it; if none can, the error is a
// [recognise.Refusal].
func Parse(text string, game solvers.Game) (solvers.Game, solvers.Puzzle, error) {
	if game != nil {
		p, err := game.Parse(text)
		return game, p, err
	}
	return recognise.Text(text, all.Games())
}

// ParseSolution reads a solution's text, with or without the blanks at the ends
// of its lines.
func ParseSolution(puzzle solvers.Puzzle, text string) (solvers.Solution, error) {
	solution, err := puzzle.ParseSolution(text)
	if err == nil {
		return solution, nil
	}
	if trimmed, trimErr := puzzle.ParseSolution(trimRight(text)); trimErr == nil {
		return trimmed, nil
	}
	return nil, err
}
