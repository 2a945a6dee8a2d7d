package solvers

import (
	"context"
	"errors"
	"math/rand/v2"

	"tapwise/solvers/screen"
)

// The interfaces below are abilities that a game, puzzle or solution may have
// beyond the basic ones. A caller finds them with a type assertion.

// Stats is the effort a search took.
type Stats struct {
	Seconds   float64 `json:"seconds"`
	Nodes     int64   `json:"nodes"`     // decisions of the search
	Conflicts int64   `json:"conflicts"` // dead ends of the search
}

// Add returns the sum of two efforts.
func (s Stats) Add(t Stats) Stats {
	return Stats{s.Seconds + t.Seconds, s.Nodes + t.Nodes, s.Conflicts + t.Conflicts}
}

// Enumerator is a Puzzle that can list its solutions.
type Enumerator interface {
	Puzzle
	// Enumerate calls yield with each solution once, until yield returns
	// false, the context ends (its error is returned) or there are no more
	// (nil is returned: the list was complete). Stats tells the effort so far.
	// It fails with ErrNoMoves when the options are not for this game.
	Enumerate(ctx context.Context, o EnumerateOptions, yield func(Solution) bool) (Stats, error)
}

// EnumerateOptions choose which solutions are listed; the zero value is all of
// them.
type EnumerateOptions struct {
	// MaxMoves is the most moves of a solution; 0 is any number. Solutions are
	// then listed the shortest first.
	MaxMoves int
}

// ErrNoMoves means: solutions of at most some number of moves were wanted of a
// game whose solutions are not lists of moves.
var ErrNoMoves = errors.New("the game's solutions are not lists of moves")

// Explainer is a Puzzle that may know in words why it has no solution.
type Explainer interface {
	Puzzle
	// Reason is a short reason why the puzzle cannot have a solution, found
	// without a search. Empty says nothing: there may be one or not.
	Reason() string
}

// Generator is a Game that can make new puzzles.
type Generator interface {
	Game
	// Generate makes one puzzle, the same one for the same options and the
	// same state of the random source. It fails when the options make no
	// sense, or with the context's error.
	Generate(ctx context.Context, o GenerateOptions, random *rand.Rand) (Puzzle, error)
}

// GenerateOptions describe the puzzle wanted; zero values leave it to the game.
type GenerateOptions struct {
	Rows, Cols int
	Colours    int    // of pipes, sources, …
	Unique     bool   // exactly one solution
	Variant    string // a name the game documents
}

// Simulator is a Game that brings an app for the simulated phone.
type Simulator interface {
	Game
	// Simulate is an app that offers the levels in order, from the first.
	Simulate(levels []Puzzle, o SimulateOptions) (screen.App, error)
}

// SimulateOptions choose how the simulated app looks and behaves; zero values
// give the usual look.
type SimulateOptions struct {
	Style string // a name the game documents
	Pack  string // the pack's name, shown by the app
	Seed  uint64 // for what is random about the look
	Theme *Theme // another look altogether; nil is the game's own
}

// Navigator is a Game that knows its app's screens.
type Navigator interface {
	Game
	// Locate tells where in the app the phone is.
	Locate(*screen.Observation) screen.Place
}

// Resumer is a Solution that can go on from a half-played board.
type Resumer interface {
	Solution
	// Remaining are the gestures still to be made, given the board as it now
	// stands: none when nothing is missing. It fails with a *ReadError when
	// the board on the screen is not this puzzle's.
	Remaining(*screen.Observation) ([]screen.Gesture, error)
}

// Retractor is a Solution whose gestures can be taken back one by one, so that
// they can be tried on a level without harm.
type Retractor interface {
	Solution
	// Retract takes back what a gesture of the plan drew.
	Retract(screen.Gesture) screen.Gesture
}

// Splitter is a Game in whose notation a block of lines may hold several
// puzzles.
type Splitter interface {
	Game
	// Split separates the puzzles of a block of lines that has no blank line.
	// A block that holds one puzzle, or none that it knows, comes back whole.
	Split(block string) []string
}

// Voucher is a Game whose levels have one solution, and that can tell whether a
// board was seen so clearly that it is believed with several: some apps have
// such levels.
type Voucher interface {
	Game
	// Vouch fails with a *ReadError that names what was not clear enough.
	Vouch(*screen.Observation) error
}

// Filler is a Game that can tell how far a level on the screen is played.
type Filler interface {
	Game
	// Fill is what is drawn already, as a partial solution in the puzzle's
	// notation; empty when nothing is.
	Fill(*screen.Observation, Puzzle) (string, error)
}

// Coverer is a Puzzle whose rule that every cell must be covered can be left
// out.
type Coverer interface {
	Puzzle
	WithoutCover() Puzzle
}

// Annotator is a Puzzle that can name what is in each cell, for pictures.
type Annotator interface {
	Puzzle
	// Annotations is a short text for each cell of the layout that the puzzle
	// was read from, in its order; empty for none.
	Annotations() []string
}

// Animator is a Solution that can show how it comes about.
type Animator interface {
	Solution
	// Animation is the board from the beginning to the end, a character a
	// place, each picture of the same size.
	Animation() []string
}

// Distinguisher is a Game whose boards another game may draw as well.
type Distinguisher interface {
	Game
	// Distinguish fails with a *ReadError when the board that was seen, read
	// as this puzzle, may be one of another game.
	Distinguish(*screen.Observation, Puzzle) error
}

// Recogniser is a Game that can tell what is probably its own although it cannot
// read it, so that a mistake is reported in the words of the right game.
type Recogniser interface {
	Game
	// Likeness is how much of a text looks like this game's notation, 0 to 1:
	// the share of its cells that the notation has, and less when they are not
	// as many as a board of the game has.
	Likeness(text string) float64
	// Familiarity is how much of what was seen looks like a board of this game,
	// 0 to 1: the share of its cells that could be read each for itself.
	Familiarity(*screen.Observation) float64
}

// Grader is a Generator with grades of difficulty of its own.
type Grader interface {
	Generator
	// Grades are the grades' names, the easiest first. One of them, joined by
	// '-' to another variant if there is one, is a variant for Generate.
	Grades() []string
}

// Rater is a Puzzle with a measure of difficulty that says more than the
// effort of the solver's search.
type Rater interface {
	Puzzle
	// Effort is a number that grows with difficulty, such as the fewest moves.
	Effort(context.Context) (float64, error)
}
