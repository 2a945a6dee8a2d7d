package algemy

import (
	"fmt"
	"image"
	"math"

	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// wheelRadius is how far from a cell's centre the colours of its wheel lie, in
// pitches.
const wheelRadius = 0.75

// Plan is two taps for each light source: one on its cell, which opens a wheel
// of the six colours around it, and one on its colour there. The layout has a
// centre for each cell, row by row; the rows of a hexagon have n, n+1, … 2n-1, … n
// of them. A layout with another number of centres gives no plan.
func (s *Solution) Plan(l screen.Layout) []screen.Gesture {
	if len(l.Centres) != len(s.sources) {
		return nil
	}
	var gestures []screen.Gesture
	for c, colour := range s.sources {
		if colour == noSource {
			continue
		}
		at := l.Centres[c]
		// Clockwise from the top, a sixth of a turn apart.
		sin, cos := math.Sincos(float64(colour) * math.Pi / 3)
		radius := wheelRadius * l.Pitch
		onWheel := at.Add(image.Pt(int(math.Round(radius*sin)), int(math.Round(-radius*cos))))
		name := s.puzzle.Name(board.Cell(c))
		gestures = append(gestures, openWheel(l, board.Cell(c), name)...)
		gestures = append(gestures, screen.Gesture{On: l.On, Points: []image.Point{onWheel}, Note: sourceNote(colour, name)})
	}
	return gestures
}

// openWheel is a tap on a cell. The board shows it once the wheel is closed by the tap after it.
func openWheel(l screen.Layout, c board.Cell, name string) []screen.Gesture {
	taps := grid.Touch(l, "open the wheel at "+name, c)
	for i := range taps {
		taps[i].Unseen = true
	}
	return taps
}

// sourceNote says which light source is put where.
func sourceNote(colour Colour, name string) string {
	return fmt.Sprintf("source %s at %s", colour, name)
}
