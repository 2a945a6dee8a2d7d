package asteroid

import (
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Game is Asteroid.
type Game struct{}

var (
	_ solvers.Game      = Game{}
	_ solvers.Grader    = Game{}
	_ solvers.Rater     = (*Puzzle)(nil)
	_ solvers.Annotator = (*Puzzle)(nil)
	_ solvers.Mover     = (*Solution)(nil)
)

// Name is "asteroid".
func (Game) Name() string { return "asteroid" }

// Spec is a board of 3×3 squares, dark or light, and where to look on a tile.
func (Game) Spec() screen.Spec { return spec() }

// Parse reads the notation of the package comment.
func (Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(Parse(text)) }

// Likeness is how much of a text looks like the notation.
func (Game) Likeness(text string) float64 { return likeness(text) }

// Familiarity is how much of what was seen looks like a board of the game.
func (Game) Familiarity(seen *screen.Observation) float64 { return familiarity(seen) }

// Read makes a puzzle of the position on the screen.
func (Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	return solvers.AsPuzzle(read(seen))
}

// Locate tells a level from the panel of a won one and from messages.
func (Game) Locate(seen *screen.Observation) screen.Place { return locate(seen) }
