package algemy

import (
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Game is Algemy.
type Game struct{}

var (
	_ solvers.Game      = Game{}
	_ solvers.Filler    = Game{}
	_ solvers.Grader    = Game{}
	_ solvers.Annotator = (*Puzzle)(nil)
	_ solvers.Solution  = (*Solution)(nil)
)

// Name is "algemy".
func (Game) Name() string { return "algemy" }

// Spec is a board of squares or a hexagon, dark or light, and where in a cell
// to look for crystals, light sources and beams.
func (Game) Spec() screen.Spec { return spec() }

// Parse reads the notation of the package comment.
func (Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(Parse(text)) }

// Likeness is how much of a text looks like the notation.
func (Game) Likeness(text string) float64 { return likeness(text) }

// Familiarity is how much of what was seen looks like a board of the game.
func (Game) Familiarity(seen *screen.Observation) float64 { return familiarity(seen) }

// Read makes a puzzle of a board on the screen, with light sources on it or
// not.
func (Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	return solvers.AsPuzzle(read(seen))
}

// Locate tells a level from a complete one and from what covers it.
func (Game) Locate(seen *screen.Observation) screen.Place { return locate(seen) }
