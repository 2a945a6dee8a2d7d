package calibrate

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"tapwise/calibration"
	"tapwise/cmd/internal/calibrate/fit"
	"tapwise/cmd/internal/console/cause"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// Result is a profile with which every picture was read, with exactly one solution if the app's
// levels have one. It is not written yet.
type Result struct {
	File    string
	Known   *calibration.Profile // the one that is there, refined by Profile; nil for none
	Profile *calibration.Profile
	Fitted  []fit.Fitted // the pictures, by the profile
}

// Changes tells what is otherwise than in the profile that is there, line by line.
func (r *Result) Changes() []string { return calibration.Diff(r.Known, r.Profile) }

// Write writes the profile to its file, whole or not at all.
func (r *Result) Write() error { return cause.Input(r.Profile.WriteTo(r.File)) }

// Draw draws over the i-th picture the lattice, the area that boards fill, the
// residuals in pixels where they are, and the buttons.
func (r *Result) Draw(i int) (image.Image, error) {
	f := r.Fitted[i]
	size := f.Frame.Bounds().Size()
	cyan, yellow, white := color.RGBA{0, 255, 255, 255}, color.RGBA{255, 255, 0, 255}, color.RGBA{255, 255, 255, 255}
	seen := *f.Seen
	seen.Boxes = []screen.Box{{Bounds: r.Profile.Board.In(size)}}
	var marks []vision.Mark
	down := int(0.2 * seen.Layout.Pitch) // from a residual's place to its number
	for _, residual := range f.Residuals {
		at := image.Pt(int(math.Round(residual.X)), int(math.Round(residual.Y)))
		marks = append(marks,
			vision.Mark{Colour: white, Points: []image.Point{at}, Label: "+"},
			vision.Mark{Colour: yellow, Points: []image.Point{at.Add(image.Pt(0, down))}, Label: fmt.Sprintf("%.1f", residual.Off)})
	}
	for name, at := range r.Profile.Buttons {
		marks = append(marks, vision.Mark{Colour: cyan, Points: []image.Point{at.In(size)}, Label: name})
	}
	return vision.Overlay(f.Frame, &seen, marks)
}
