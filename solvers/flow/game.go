package flow

import (
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Game is Flow.
type Game struct{}

var (
	_ solvers.Game      = Game{}
	_ solvers.Splitter  = Game{}
	_ solvers.Voucher   = Game{}
	_ solvers.Filler    = Game{}
	_ solvers.Explainer = (*Puzzle)(nil)
	_ solvers.Coverer   = (*Puzzle)(nil)
	_ solvers.Annotator = (*Puzzle)(nil)
	_ solvers.Pather    = (*Solution)(nil)
	_ solvers.Retractor = (*Solution)(nil)
)

// Name is "flow".
func (Game) Name() string { return "flow" }

// Spec is a dark board of squares with bright lines, and where in a cell to
// look for ends and pipes.
func (Game) Spec() screen.Spec { return spec() }

// Parse reads any of the notations.
func (Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(Parse(text)) }

// Likeness is how much of a text looks like the notation.
func (Game) Likeness(text string) float64 { return likeness(text) }

// Familiarity is how much of what was seen looks like a board of the game.
func (Game) Familiarity(seen *screen.Observation) float64 { return familiarity(seen) }

// Split separates the levels of a pack, which stand one a line.
func (Game) Split(block string) []string { return split(block) }

// Vouch tells whether a board was seen clearly enough to be believed although it
// has several solutions.
func (Game) Vouch(seen *screen.Observation) error { return vouch(seen) }

// Read makes a puzzle of a board on the screen.
func (Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	return solvers.AsPuzzle(read(seen))
}

// Locate tells a level from its completion panel.
func (Game) Locate(seen *screen.Observation) screen.Place {
	place := locate(seen)
	if list, ok := locateList(seen); ok && place.Kind == screen.Elsewhere {
		return list
	}
	return place
}
