package solvers

import (
	"fmt"
	"strings"

	"tapwise/solvers/board"
	"tapwise/solvers/screen"
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

// CheckBoard refuses, with a *ReadError, an observation without a board.
func CheckBoard(seen *screen.Observation) error {
	switch {
	case seen.Layout.Rows > 0 && seen.Layout.Cols > 0:
		return nil
	case len(seen.Doubts) == 0:
		return Refuse("no board on the screen")
	}
	return Refuse("no board on the screen: %s", strings.Join(seen.Doubts, "; "))
}

// CheckCells refuses, with a *ReadError, an observation whose cells do not have
// the number of measures that was asked for, or whose confidence, 0 to 1, is below
// least. Lines is what the message calls the lines seen.
func CheckCells(seen *screen.Observation, measures int, lines string, least float64) error {
	for _, readings := range seen.Readings {
		if len(readings) != measures {
			return Refuse("the observation has %d measures of a cell, expected %d", len(readings), measures)
		}
	}
	switch {
	case seen.Confidence >= least:
		return nil
	case len(seen.Doubts) == 0:
		return Refuse("%s are not clear (confidence %.2f, expected %.2f)", lines, seen.Confidence, least)
	}
	return Refuse("%s", strings.Join(seen.Doubts, "; "))
}
