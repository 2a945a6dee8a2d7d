package alcazar

import (
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Game is Alcazar.
type Game struct{}

var (
	_ solvers.Game   = Game{}
	_ solvers.Filler = Game{}
	_ solvers.Puzzle = (*Puzzle)(nil)
	_ solvers.Pather = (*Solution)(nil)
)

// Name is "alcazar".
func (Game) Name() string { return "alcazar" }

// Spec is a walled board of squares on a ground of any brightness, and where
// in a room to look for the path, the floor and the posts of openings.
func (Game) Spec() screen.Spec { return spec() }

// Parse reads a puzzle in any of the forms of the package comment.
func (Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(Parse(text)) }

// Likeness is how much of a text looks like the notation.
func (Game) Likeness(text string) float64 { return likeness(text) }

// Familiarity is how much of what was seen looks like a board of the game.
func (Game) Familiarity(seen *screen.Observation) float64 { return familiarity(seen) }

// Read makes a puzzle of a board on the screen, written as a grid of characters.
func (Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	return solvers.AsPuzzle(read(seen))
}

// Locate tells a level from its completion panel.
func (Game) Locate(seen *screen.Observation) screen.Place { return locate(seen) }
