package app

import (
	"fmt"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Maker makes the simulated app of a game, which offers the levels in order,
// from the first. It fails with puzzles of another game and with options that
// the app does not know. Without levels it fails, or makes an app that shows no level: its
// Level is 0, its Board empty, and nothing happens when it is touched.
type Maker func(levels []solvers.Puzzle, o Options) (screen.App, error)

// Options choose how a simulated app looks and behaves; zero values give the
// usual look.
type Options struct {
	Style string // a name that the app documents
	Pack  string // the pack's name, shown by the app
	Seed  uint64 // of everything random about the look
	Theme *Theme // another look altogether; nil is the game's own
	Bare  bool   // no panel comes over a completed level, which stays as it is
}

// Puzzles are levels as puzzles of one game, which the error names.
func Puzzles[P solvers.Puzzle](game solvers.Game, levels []solvers.Puzzle) ([]P, error) {
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
