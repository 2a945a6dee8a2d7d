package solvers

import (
	"context"
	"math/big"

	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// The interfaces below are abilities that only some games, puzzles or solutions
// have. A caller finds them with a type assertion. The package comment lists them.

// Splitter is a Game in whose notation a block of lines may hold several
// puzzles.
type Splitter interface {
	Game
	// Split separates the puzzles of a block of lines that has no blank line. A block that
	// holds one puzzle, or none that it recognises, is returned whole.
	Split(block string) []string
}

// Voucher is a Game whose levels have one solution, and that can say whether a board was seen
// clearly enough to be believed with several: some apps have such levels.
type Voucher interface {
	Game
	// Vouch fails with a *ReadError that names what was not clear enough.
	Vouch(*screen.Observation) error
}

// Distinguisher is a Puzzle whose board another game may also draw. One is needed when
// TestSimulatedScreens of cmd/internal/eyes/recognise, which shows the boards of each game to all
// others, finds two games that read one board.
type Distinguisher interface {
	Puzzle
	// Distinguish fails with a *ReadError when the board that was seen, and read as this
	// puzzle, may be one of another game.
	Distinguish(*screen.Observation) error
}

// Filler is a Puzzle that can tell how far it is played on the screen.
type Filler interface {
	Puzzle
	// Fill returns what is drawn already, as a partial solution in the puzzle's
	// notation; it is empty when nothing is drawn. It fails with a *ReadError when the
	// board on the screen is not this puzzle's, or when what is drawn on it makes no sense.
	Fill(*screen.Observation) (string, error)
}

// Grader is a Game with grades of difficulty of its own.
type Grader interface {
	Game
	// Grades are the grades' names, the easiest first. One of them, joined by
	// '-' to another variant if there is one, is a variant for Generate.
	Grades() []string
}

// Explainer is a Puzzle that may know in words why it has no solution.
type Explainer interface {
	Puzzle
	// Reason is a short reason why the puzzle cannot have a solution, found without a search.
	// If it is empty, there may be a solution or not.
	Reason() string
}

// Irregular is a Puzzle that may break the usual form of its game's boards without breaking its
// rules. Such a board is solved if somebody wrote it; Read refuses it.
type Irregular interface {
	Puzzle
	// Irregularity is in short what was found and what is usual; empty for the usual form.
	Irregularity() string
}

// Irregularity is that of a puzzle, empty for those that have none.
func Irregularity(p Puzzle) string {
	if i, ok := p.(Irregular); ok {
		return i.Irregularity()
	}
	return ""
}

// Adviser is a Puzzle that can tell which step must be made next, and why.
type Adviser interface {
	Puzzle
	// Advise returns a step that every solution takes and that is not drawn, by the simplest
	// rule that forces one, without a search. Drawn is how far the level is played, nil for
	// nothing; it may be wrong. Solved is a solution of the puzzle, nil if it is to be found. Nil
	// is returned where no known rule forces a step, or where there is no solution.
	Advise(drawn, solved Solution) *Advice
}

// Coverer is a Puzzle with the rule that every cell is covered, which can be
// left out.
type Coverer interface {
	Puzzle
	// WithoutCover is the same puzzle without that rule.
	WithoutCover() Puzzle
}

// Tidier is a Puzzle to which the rule of contests can be added that no path of a solution is
// longer than it need be.
type Tidier interface {
	Puzzle
	// OnlyTidy is the same puzzle with that rule: between its ends, no path over its own cells
	// and those that no path uses is shorter. So none runs beside itself, either.
	OnlyTidy() Puzzle
}

// Editable is a Puzzle of a game with several notations, of which the game's drawing on
// the page knows one.
type Editable interface {
	Puzzle
	// Editable is the same puzzle in that notation.
	Editable() Puzzle
}

// Counter is a Puzzle that can count its solutions without listing them.
type Counter interface {
	Puzzle
	// Count is the exact number of solutions. It fails with ErrNotCounted where
	// that takes too much memory, or with the context's error. A patient count may take minutes
	// and gigabytes, any other a second or two and 100 MB.
	Count(ctx context.Context, patient bool) (*big.Int, Stats, error)
}

// Annotator is a Puzzle that can name what is in each cell, for pictures.
type Annotator interface {
	Puzzle
	// Annotations is a short text for each cell of the layout that the puzzle
	// was read from, in its order; empty for none.
	Annotations() []string
}

// Pather is a Solution that consists of paths.
type Pather interface {
	Solution
	// Paths are the cells of each path from end to end, in the order of the
	// clues. A solution that breaks the rules may have none: then they are nil.
	Paths() [][]board.Cell
}

// Mover is a Solution that is a list of moves.
type Mover interface {
	Solution
	// Moves are the moves in order, each in the game's notation.
	Moves() []string
}

// Retractor is a Solution whose gestures can be taken back one by one, so that
// they can be tried on a level without harm.
type Retractor interface {
	Solution
	// Retract takes back what a gesture of the plan drew.
	Retract(screen.Gesture) screen.Gesture
}
