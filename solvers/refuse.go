package solvers

import (
	"fmt"

	"tapwise/solvers/board"
)

// Refuse returns a *ReadError with a reason.
func Refuse(format string, a ...any) error {
	return &ReadError{Reason: fmt.Sprintf(format, a...)}
}

// RefuseAt returns a *ReadError with a reason, about one cell.
func RefuseAt(c board.Cell, format string, a ...any) error {
	return &ReadError{Reason: fmt.Sprintf(format, a...), Cells: []board.Cell{c}}
}

// RefuseBoth returns a *ReadError with a reason, about two cells that do not go
// together.
func RefuseBoth(a, b board.Cell, format string, args ...any) error {
	return &ReadError{Reason: fmt.Sprintf(format, args...), Cells: []board.Cell{a, b}}
}

// Broken returns a *RuleError with a detail.
func Broken(rule, format string, a ...any) error {
	return &RuleError{Rule: rule, Detail: fmt.Sprintf(format, a...)}
}
