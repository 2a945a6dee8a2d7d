package adrift

import (
	"fmt"

	"tapwise/solvers"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
)

// Game is Adrift.
type Game struct{}

var (
	_ solvers.Game          = Game{}
	_ solvers.Distinguisher = Game{}
	_ solvers.Filler        = Game{}
	_ solvers.Simulator     = Game{}
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

// Simulate is an app of the game, offering the levels in order. The options'
// Style is words: dark (a starry night; the usual one) or light (a bright day),
// and thick or thin lines, thin when it is dark and thick when it is light
// unless said otherwise. The seed places what floats around the cube. It fails
// without levels, with puzzles of another game and with a style of other words.
func (Game) Simulate(levels []solvers.Puzzle, o solvers.SimulateOptions) (screen.App, error) {
	if _, err := parseSimStyle(o.Style); err != nil {
		return nil, err
	}
	if len(levels) == 0 {
		return nil, fmt.Errorf("adrift: no levels for the simulated app, expected at least one")
	}
	puzzles, err := simapp.Levels[*Puzzle](Game{}, levels)
	if err != nil {
		return nil, err
	}
	return newApp(puzzles, o), nil
}
