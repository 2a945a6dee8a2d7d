package gametest

import (
	"testing"

	"tapwise/solvers"
)

// Parse parses puzzles in a game's notation.
func Parse(t testing.TB, game solvers.Game, texts ...string) []solvers.Puzzle {
	t.Helper()
	var levels []solvers.Puzzle
	for _, text := range texts {
		p, err := game.Parse(text)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		levels = append(levels, p)
	}
	return levels
}
