package grid

import (
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// CheckBoard refuses, with a *ReadError, an observation that has not what a spec asked for:
// a board of one of its arrangements and sizes, with the readings of all cells, the lines
// around them and their numbers. How sure the board was seen does not matter.
func CheckBoard(spec screen.Spec, seen *screen.Observation) error {
	l := seen.Layout
	if l.Rows <= 0 || l.Cols <= 0 {
		if len(seen.Doubts) == 0 {
			return solvers.Refuse("no board on the screen")
		}
		return solvers.Refuse("no board on the screen: %s", strings.Join(seen.Doubts, "; "))
	}
	if !slices.Contains(spec.Topologies, l.Topology) {
		return solvers.Refuse("cells arranged as %s, expected %s", l.Topology, spec.Topologies[0])
	}
	if rows, cols := l.Sides(); min(rows, cols) < spec.MinSide || max(rows, cols) > spec.MaxSide {
		return solvers.Refuse("a board of %d columns and %d rows, expected %d to %d", cols, rows, spec.MinSide, spec.MaxSide)
	}
	if err := seen.Complete(); err != nil {
		return solvers.Refuse("the observation is not complete: %v", err)
	}
	if spec.Numbers && len(seen.Numbers) == 0 {
		return solvers.Refuse("the observation has no numbers, expected those of %d cells", len(seen.Readings))
	}
	for _, readings := range seen.Readings {
		if len(readings) != len(spec.Measures) {
			return solvers.Refuse("the observation has %d measures of a cell, expected %d", len(readings), len(spec.Measures))
		}
	}
	return nil
}

// CheckSure is CheckBoard for a board that was seen with at least some confidence, 0 to 1.
// Lines is what the message calls the lines seen: "the cube's lines".
func CheckSure(spec screen.Spec, seen *screen.Observation, lines string, least float64) error {
	err := CheckBoard(spec, seen)
	switch {
	case err != nil || seen.Confidence >= least:
		return err
	case len(seen.Doubts) == 0:
		return solvers.Refuse("%s are not clear (confidence %.2f, expected %.2f)", lines, seen.Confidence, least)
	}
	return solvers.Refuse("%s", strings.Join(seen.Doubts, "; "))
}

// CheckUncovered refuses, with a *ReadError, a place at which a panel covers the board.
func CheckUncovered(place screen.Place) error {
	if place.Kind == screen.Won || place.Kind == screen.Popup {
		return solvers.Refuse("the board is covered: %s", place.Reason)
	}
	return nil
}

// LocateBoard is the usual Locate: a panel, of which the game's own looks are known, else a
// level where a board was seen with at least some confidence, 0 to 1.
func LocateBoard(seen *screen.Observation, least float64, own ...screen.PanelLook) screen.Place {
	if panel, ok := seen.Panel(); ok {
		return panel.Place(own...)
	}
	return locateLevel(seen, least)
}

// Locate is LocateBoard for boards that may look like panels: a panel in another look
// than the game's own is none, and a box of the board below a panel may be as wide as its buttons.
func Locate(seen *screen.Observation, own ...screen.PanelLook) screen.Place {
	var best screen.Panel
	for _, last := range seen.Boxes {
		panel, ok := seen.PanelOf(func(b screen.Box) bool { return b.Bounds.Max.Y <= last.Bounds.Max.Y })
		if ok && len(panel.Buttons) > len(best.Buttons) && slices.ContainsFunc(own, panel.Look.Like) {
			best = panel
		}
	}
	if len(best.Buttons) > 0 {
		return best.Place(own...)
	}
	return locateLevel(seen, 0)
}

// locateLevel is a level where a board was seen.
func locateLevel(seen *screen.Observation, least float64) screen.Place {
	if seen.Layout.Rows <= 0 || seen.Confidence < least {
		return screen.Place{Kind: screen.Elsewhere, Reason: "no board and no panel"}
	}
	rows, cols := seen.Layout.Sides()
	return screen.Place{Kind: screen.Level, Reason: fmt.Sprintf("a board of %d columns and %d rows", cols, rows)}
}

// ReadCells finds out of what kind each cell is, or fails with the error of the first cell
// that is of none: RefuseAt names it and what was expected there.
func ReadCells[Kind any](seen *screen.Observation, kindOf func(c board.Cell, readings []screen.Reading) (Kind, error)) ([]Kind, error) {
	kinds := make([]Kind, len(seen.Readings))
	for c, readings := range seen.Readings {
		var err error
		if kinds[c], err = kindOf(board.Cell(c), readings); err != nil {
			return nil, err
		}
	}
	return kinds, nil
}
