package solvers

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"math/rand/v2"
	"strings"

	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// Game is one kind of puzzle: how it is written, how it looks on a screen.
// Implementations are stateless values, safe for concurrent use. Name, Spec, Parse
// and Read are its core; Locate, Likeness, Familiarity and Generate were abilities
// of some games until every game had them.
type Game interface {
	// Name is the game's folder, command-line and configuration name.
	Name() string
	// About is what commands, pages and tests need to know of the game.
	About() About
	// Spec tells the eyes what to look for.
	Spec() screen.Spec
	// Parse reads one puzzle in the game's notation. It is strict: what it
	// accepts, String gives back byte for byte, less trailing newlines.
	Parse(text string) (Puzzle, error)
	// Read makes a puzzle of what was seen. It refuses, with a *ReadError,
	// whatever it is not sure of: a wrong board is worse than none.
	Read(*screen.Observation) (Puzzle, error)
	// Locate tells which place of the app is on the screen. A board is a level though
	// Read refuses it, unless something that the game knows lies over it: who plays
	// then tells Read's reason. From elsewhere the BACK key leads away.
	Locate(*screen.Observation) screen.Place
	// Likeness is how much a text looks like this game's notation, 0 to 1: the
	// share of its cells that the notation has, and less when there are not as
	// many as a board of the game has. It finds the game in whose words a
	// mistake is reported.
	Likeness(text string) float64
	// Familiarity is how much of what was seen looks like a board of this game,
	// 0 to 1: the share of its cells that could be read, each by itself.
	Familiarity(*screen.Observation) float64
	// Generate makes one puzzle, the same one for the same options and the
	// same state of the random source. It fails when the options make no
	// sense, or with the context's error.
	Generate(ctx context.Context, o GenerateOptions, random *rand.Rand) (Puzzle, error)
}

// Puzzle is one level's givens. It does not change. Its core is String,
// ParseSolution and Solve; the others were added when every game had them.
type Puzzle interface {
	// String is the puzzle in its notation, without a trailing newline.
	String() string
	// ParseSolution reads a solution of this puzzle. The solution may break
	// the rules; that is Check's business.
	ParseSolution(text string) (Solution, error)
	// Solve finds a solution, or fails with ErrNoSolution when it has proved
	// that there is none, or with the context's error.
	Solve(context.Context) (Solution, error)
	// Enumerate calls yield with each solution once, until yield returns
	// false, the context ends (its error is returned) or there are no more
	// (nil is returned: the list was complete). Stats tells the effort so far.
	// It fails with ErrNoMoves when the options do not suit the game.
	Enumerate(ctx context.Context, o EnumerateOptions, yield func(Solution) bool) (Stats, error)
	// Picture is the puzzle, to be printed, and Spot where on it the middle of a cell is.
	Picture() Picture
	Spot(c board.Cell) [2]float64
	// Grade is how hard the puzzle is. It fails with ErrNoSolution or the context's error.
	Grade(context.Context) (Grade, error)
	// Paint returns the colour of what each gesture of a plan draws: as it was
	// seen where the puzzle was read from a screen, else the game's own. The
	// colour of a gesture that draws nothing where it touches is not opaque.
	Paint(plan []screen.Gesture) []color.NRGBA
}

// Solution is a puzzle with everything decided. Its core is String, Check and
// Plan; the other methods were added when every game had them.
type Solution interface {
	// String is the solution in the game's notation, without a trailing newline.
	String() string
	// Check tests every rule of the game and shares no code with Solve. A
	// broken rule is a *RuleError.
	Check() error
	// Plan returns the gestures that play the solution, in order, on the screen
	// that the layout was measured on.
	Plan(screen.Layout) []screen.Gesture
	// Remaining returns the gestures still to be made, given the board as it
	// now stands: none when nothing is missing, and never more than the plan has,
	// except for those that take back what is in the way. Where moves change the givens,
	// the board that Read would make of the screen is another puzzle than this one, and
	// one that is won may be none at all: then Remaining goes by what the moves lead to.
	// It fails with a *ReadError when the board on the screen is not this puzzle's.
	Remaining(*screen.Observation) ([]screen.Gesture, error)
	// Steps are the strokes or moves in the order in which they are made.
	// Drawn is how far the level is played, a partial solution of the same
	// puzzle; nil says that nothing is drawn.
	Steps(drawn Solution) []Step
	// Picture is the puzzle with the steps from one index up to, but without,
	// another, to be printed. A solution without steps gives the puzzle alone.
	Picture(from, to int) Picture
	// Scene shows the puzzle after the first steps, done of them. The scenes of
	// a solution are all of one size: shown one after the other they are an
	// animation.
	Scene(done int) Picture
	// Animation is the board from the beginning to the end as text, one
	// character for each place; all its pictures have the same size.
	Animation() []string
	// Tints are the colours of the animation's characters; a character that has
	// none is no part of the solution.
	Tints() map[rune]color.NRGBA
}

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

// Advice is a step that must be made, and the rule that forces it.
type Advice struct {
	Rule  string       `json:"rule"`  // its name, such as "corner"
	Text  string       `json:"text"`  // what must be done and why, in words
	Cells []board.Cell `json:"cells"` // the cells that the step joins; one when it leads off the board
	// Look are the cells that the reason is about, in order, where they are known.
	Look []board.Cell `json:"look,omitempty"`
}

// Because is why a step must be made, without the words of the step that come first.
func (a *Advice) Because(step string) string { return strings.TrimPrefix(a.Text, step+": ") }

// GenerateOptions describe the puzzle wanted; zero values leave it to the game.
type GenerateOptions struct {
	Rows, Cols int
	Colours    int    // the number of pipes, sources, …
	Unique     bool   // exactly one solution
	Variant    string // a name the game documents
}

// EnumerateOptions choose which solutions are listed; the zero value lists all
// of them.
type EnumerateOptions struct {
	// MaxMoves is the most moves of a solution; 0 is any number.
	MaxMoves int
}

// ErrNoMoves means: solutions of at most some number of moves were wanted of a
// game whose solutions are not lists of moves.
var ErrNoMoves = errors.New("the game's solutions are not lists of moves")

// ErrNotCounted means: the solutions were not counted, since that would take more
// memory than is allowed. They may still be listed one by one.
var ErrNotCounted = errors.New("too many cases to count the solutions without listing them")

// ErrNoSolution means: proved to have no solution. It is an answer, not a failure.
var ErrNoSolution = errors.New("no solution exists")

// NoSolutionError is ErrNoSolution with a short reason in words.
type NoSolutionError struct {
	Reason string // for example "the ends of A are cut off from each other"
}

func (e *NoSolutionError) Error() string { return ErrNoSolution.Error() + ": " + e.Reason }

// Is makes errors.Is(err, ErrNoSolution) hold.
func (e *NoSolutionError) Is(target error) bool { return target == ErrNoSolution }

// NoSolution is ErrNoSolution, with a reason where there is one.
func NoSolution(reason string) error {
	if reason == "" {
		return ErrNoSolution
	}
	return &NoSolutionError{Reason: reason}
}

// RuleError names the rule that a solution breaks, and where.
type RuleError struct {
	Rule   string // the rule's name as the game's doc.go states it
	Detail string // which cell or clue, and what was expected there
}

func (e *RuleError) Error() string { return fmt.Sprintf("rule %q broken: %s", e.Rule, e.Detail) }

// AsPuzzle turns the results of a game's own function into a Puzzle, which is nil
// when there is an error.
func AsPuzzle[P Puzzle](p P, err error) (Puzzle, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

// ReadError says why a screen was refused.
type ReadError struct {
	Reason string // lower case, names the thing seen and what was expected
	// Cells are the cells that could not be read, by their index in the layout's
	// centres. There are none when it is the whole board, or there is no board.
	Cells []board.Cell
}

func (e *ReadError) Error() string { return e.Reason }
