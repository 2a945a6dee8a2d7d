package solvers

import (
	"context"
	"errors"
	"fmt"

	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// Game is one kind of puzzle: how it is written, how it looks on a screen.
// Implementations are stateless values, safe for concurrent use.
type Game interface {
	// Name is the game's folder, command-line and configuration name.
	Name() string
	// Spec tells the eyes what to look for.
	Spec() screen.Spec
	// Parse reads one puzzle in the game's notation. It is strict: what it
	// accepts, String gives back byte for byte, less trailing newlines.
	Parse(text string) (Puzzle, error)
	// Read makes a puzzle of what was seen. It refuses, with a *ReadError,
	// whatever it is not sure of: a wrong board is worse than none.
	Read(*screen.Observation) (Puzzle, error)
}

// Puzzle is one level's givens. It does not change.
type Puzzle interface {
	// String is the puzzle in its notation, without a trailing newline.
	String() string
	// ParseSolution reads a solution of this puzzle. The solution may break
	// the rules; that is Check's business.
	ParseSolution(text string) (Solution, error)
	// Solve finds a solution, or fails with ErrNoSolution when it has proved
	// that there is none, or with the context's error.
	Solve(context.Context) (Solution, error)
}

// Solution is a puzzle with everything decided.
type Solution interface {
	// String is the solution in the game's notation, without a trailing newline.
	String() string
	// Check tests every rule of the game and shares no code with Solve. A
	// broken rule is a *RuleError.
	Check() error
	// Plan turns the solution into what a finger does, in order, on the
	// screen that the layout was measured on.
	Plan(screen.Layout) []screen.Gesture
}

// ErrNoSolution means: proved to have no solution. It is an answer, not a failure.
var ErrNoSolution = errors.New("no solution exists")

// NoSolutionError is ErrNoSolution with a short reason in words.
type NoSolutionError struct {
	Reason string // for example "the ends of A are cut off from each other"
}

func (e *NoSolutionError) Error() string { return ErrNoSolution.Error() + ": " + e.Reason }

// Is makes errors.Is(err, ErrNoSolution) hold.
func (e *NoSolutionError) Is(target error) bool { return target == ErrNoSolution }

// RuleError names the rule that a solution breaks, and where.
type RuleError struct {
	Rule   string // the rule's name as the game's doc.go states it
	Detail string // which cell or clue, and what was expected there
}

func (e *RuleError) Error() string { return fmt.Sprintf("rule %q broken: %s", e.Rule, e.Detail) }

// AsPuzzle is what a game's own function made, as a Puzzle: nil with an error.
func AsPuzzle[P Puzzle](p P, err error) (Puzzle, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

// ReadError says why a screen was refused.
type ReadError struct {
	Reason string // lower case, names the thing seen and what was expected
	// Cells are where it went wrong, as the layout counts its centres; none when
	// it is the whole board, or there is no board.
	Cells []board.Cell
}

func (e *ReadError) Error() string { return e.Reason }
