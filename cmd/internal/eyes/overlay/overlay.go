package overlay

import (
	"errors"
	"image"
	"image/color"

	"tapwise/solvers"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// Widths of what is drawn, in pitches.
const (
	strokeWidth = solvers.StrokeWidth
	faultWidth  = 0.8
	startRadius = 0.42
)

// faultColour marks where a reading failed.
var faultColour = color.RGBA{255, 0, 0, 255}

// Draw returns a copy of a frame with what was seen, the content of each cell, and
// the path of the finger, in the colours of the board; a white ring is where its first stroke
// begins, such as the tile that moves next. The puzzle, the plan and
// the failure may be nil. A failure that refuses the board is marked in the cells
// that it names.
func Draw(frame *image.RGBA, seen *screen.Observation, puzzle solvers.Puzzle, plan []screen.Gesture, failure error) (image.Image, error) {
	white := color.RGBA{255, 255, 255, 255}
	colours := paint(puzzle, plan)
	var marks []vision.Mark
	for i, g := range plan {
		if g.On != seen.On {
			continue
		}
		mark := vision.Mark{Points: g.Points, Colour: white}
		if c := colours[i]; c.A > 0 {
			mark.Colour, mark.Width = color.RGBA{c.R, c.G, c.B, 255}, strokeWidth*seen.Layout.Pitch
		}
		marks = append(marks, mark)
	}
	if a, ok := puzzle.(solvers.Annotator); ok {
		for i, text := range a.Annotations() {
			if text != "" && i < len(seen.Layout.Centres) {
				marks = append(marks, vision.Mark{Points: seen.Layout.Centres[i : i+1], Label: text, Colour: white})
			}
		}
	}
	if len(plan) > 0 && plan[0].On == seen.On && len(plan[0].Points) > 1 {
		marks = append(marks, vision.Mark{Points: plan[0].Points[:1], Radius: startRadius * seen.Layout.Pitch, Colour: white})
	}
	return vision.Overlay(frame, seen, append(marks, faults(seen, failure)...))
}

// paint returns the colour of what each gesture draws, transparent where the game
// does not tell it.
func paint(puzzle solvers.Puzzle, plan []screen.Gesture) []color.NRGBA {
	if puzzle != nil {
		if colours := puzzle.Paint(plan); len(colours) == len(plan) {
			return colours
		}
	}
	return make([]color.NRGBA, len(plan))
}

// faults marks the cells that a refusal names. A refusal that names none is about
// the whole board: the board is crossed out or, where none was seen, the frame.
func faults(seen *screen.Observation, failure error) []vision.Mark {
	var refusal *solvers.ReadError
	switch {
	case errors.As(failure, &refusal):
	case errors.Is(failure, solvers.ErrNoSolution), errors.Is(failure, solvers.ErrSeveral):
		refusal = &solvers.ReadError{} // it was misread, and nobody knows where
	default:
		return nil
	}
	mark := vision.Mark{Colour: faultColour, Width: faultWidth * seen.Layout.Pitch, Fault: true}
	for _, c := range refusal.Cells {
		if c >= 0 && int(c) < len(seen.Layout.Centres) {
			mark.Points = append(mark.Points, seen.Layout.Centres[c])
		}
	}
	if len(mark.Points) == 0 {
		area := image.Rectangle{Max: seen.On.Size}
		if seen.Layout.Rows > 0 {
			area = seen.Layout.Board
		}
		mark.Points = []image.Point{area.Min.Add(area.Max).Div(2)}
		mark.Width = 0.9 * float64(min(area.Dx(), area.Dy()))
	}
	return []vision.Mark{mark}
}
