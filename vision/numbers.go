package vision

import (
	"image"

	"tapwise/solvers/screen"
	"tapwise/vision/internal/glyphs"
)

// readNumbers reads the number in each cell of the board that was found, where the spec
// asks for numbers.
func (v *view) readNumbers(spec screen.Spec, seen *screen.Observation) {
	if !spec.Numbers {
		return
	}
	side := seen.Layout.Pitch
	seen.Numbers = nil
	for _, at := range seen.Layout.Centres {
		x, y := float64(at.X), float64(at.Y)
		cell := image.Rect(round(x-side/2), round(y-side/2), round(x+side/2), round(y+side/2))
		seen.Numbers = append(seen.Numbers, glyphs.Read(v.pixels, cell))
	}
}
