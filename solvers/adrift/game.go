package adrift

import (
	"fmt"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Game is Adrift.
type Game struct{}

var (
	_ solvers.Game          = Game{}
	_ solvers.Distinguisher = Game{}
	_ solvers.Filler        = Game{}
	_ solvers.Annotator     = (*Puzzle)(nil)
	_ solvers.Pather        = (*Solution)(nil)
	_ solvers.Retractor     = (*Solution)(nil)
)

// Name is "adrift".
func (Game) Name() string { return "adrift" }

// Spec is a cube on a ground of any brightness, and where in a cell to look for
// ends, chains and stones.
func (Game) Spec() screen.Spec { return spec() }

// Parse reads the notation of the package comment.
func (Game) Parse(text string) (solvers.Puzzle, error) { return solvers.AsPuzzle(Parse(text)) }

// Likeness is how much of a text looks like the notation.
func (Game) Likeness(text string) float64 { return likeness(text) }

// Familiarity is how much of what was seen looks like a board of the game.
func (Game) Familiarity(seen *screen.Observation) float64 { return familiarity(seen) }

// Read makes a puzzle of a board on the screen, with letters from A on.
func (Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	return solvers.AsPuzzle(read(seen))
}

// Distinguish wants stones, or light that falls on the cube from above: others
// draw chains on a cube of bare lines, too.
func (Game) Distinguish(seen *screen.Observation, puzzle solvers.Puzzle) error {
	p, ok := puzzle.(*Puzzle)
	if !ok {
		return fmt.Errorf("adrift: a puzzle of another game")
	}
	return distinguish(seen, p)
}

// Locate tells a level from its completion panel.
func (Game) Locate(seen *screen.Observation) screen.Place { return locate(seen) }
