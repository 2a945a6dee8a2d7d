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
	_ solvers.Simulator = Game{}
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

// Simulate is an app like the real game, offering the levels in order. Its bar
// has home, previous, next, the level's number and a switch between day and
// night. A tap on an empty cell or on a light source opens the wheel of six
// colours, of which an easy level has three; a tap on one puts a source there,
// a tap on the wheel's middle takes it away, and any other closes the wheel.
// When all rules hold, the crystals are full of colour, the next button too,
// and "solved" stands below the board.
//
// The options' Style is one of
//
//	day    white, with thin black lines, as the real game is drawn (or empty)
//	night  dark, with thick light lines and crystals of other proportions
func (Game) Simulate(levels []solvers.Puzzle, o solvers.SimulateOptions) (screen.App, error) {
	a, err := newApp(levels, o)
	if err != nil {
		return nil, err
	}
	return a, nil
}
