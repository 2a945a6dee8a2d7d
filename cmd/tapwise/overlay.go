package main

import (
	"image"
	"image/color"
	"math"

	"tapwise/solvers"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// drawOverlay draws over a frame what was seen, what is in each cell, and
// where the finger would go.
func drawOverlay(frame *image.RGBA, seen *screen.Observation, puzzle solvers.Puzzle, plan []screen.Gesture) (image.Image, error) {
	var marks []vision.Mark
	for i, g := range plan {
		if g.On == seen.On {
			marks = append(marks, vision.Mark{Points: g.Points, Colour: hue(i, len(plan))})
		}
	}
	if a, ok := puzzle.(solvers.Annotator); ok {
		for i, text := range a.Annotations() {
			if text != "" && i < len(seen.Layout.Centres) {
				marks = append(marks, vision.Mark{Points: seen.Layout.Centres[i : i+1], Label: text, Colour: color.RGBA{255, 255, 255, 255}})
			}
		}
	}
	return vision.Overlay(frame, seen, marks)
}

// hue is the i-th of n light colours around the colour wheel.
func hue(i, n int) color.RGBA {
	channel := func(shift float64) uint8 {
		return uint8(170 + 85*math.Cos(2*math.Pi*(float64(i)/float64(n)-shift)))
	}
	return color.RGBA{channel(0), channel(1.0 / 3), channel(2.0 / 3), 255}
}
