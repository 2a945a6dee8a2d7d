package sabr

import (
	"errors"
	"fmt"

	"tapwise/solvers"
)

// Error is a fault in the text of a program: where it is and what is wrong, in
// the words of the language.
type Error struct {
	File   string `json:"file"`   // the name given to Parse; may be empty
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, in characters
	Word   string `json:"word"`   // the word at fault, as it stands in the text; empty at the end of the text
	Reason string `json:"reason"` // what is wrong; it quotes the word
}

// Error returns "FILE:LINE:COLUMN: REASON".
func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Reason)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Reason)
}

// Unsatisfiable is what is printed in place of a result when there is none.
const Unsatisfiable = "UNSATISFIABLE"

// ErrUnsatisfiable means: proved to have no result. Every UnsatisfiableError is
// this error, and is solvers.ErrNoSolution.
var ErrUnsatisfiable = errors.New("unsatisfiable")

// UnsatisfiableError is ErrUnsatisfiable with what was proved.
type UnsatisfiableError struct {
	// Stages is the most stages a result was looked for with.
	Stages int
	// Exactly is true when none was looked for with fewer.
	Exactly bool
	// Ever is true when more stages cannot help either.
	Ever bool
	// Stats is the effort of the proof.
	Stats Stats
}

// Error says for how many stages there is no result.
func (e *UnsatisfiableError) Error() string {
	switch {
	case e.Ever:
		return "unsatisfiable, with any number of stages"
	case e.Stages == 1:
		return "unsatisfiable with one stage"
	case e.Exactly:
		return fmt.Sprintf("unsatisfiable with exactly %d stages", e.Stages)
	}
	return fmt.Sprintf("unsatisfiable with at most %d stages", e.Stages)
}

// Is makes errors.Is hold for ErrUnsatisfiable and solvers.ErrNoSolution.
func (e *UnsatisfiableError) Is(target error) bool {
	return target == ErrUnsatisfiable || target == solvers.ErrNoSolution
}
