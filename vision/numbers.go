package vision

import (
	"image"
	"image/draw"
	"slices"

	"tapwise/solvers/screen"
	"tapwise/vision/internal/glyphs"
)

// tracesDoubt is what is said of a board on which a number stays unclear under traces.
const tracesDoubt = "thin lines are drawn over the board, as by the developer option \"Pointer location\""

// readNumbers reads the number in each cell of the board that was found, where the spec
// asks for numbers. A cell that is not clear with thin lines over it is looked at without
// them, its measures too.
func (v *view) readNumbers(spec screen.Spec, seen *screen.Observation) {
	if !spec.Numbers {
		return
	}
	side := seen.Layout.Pitch
	seen.Numbers = nil
	var bare *view // without what is drawn over cells
	var covered []int
	for i, at := range seen.Layout.Centres {
		x, y := float64(at.X), float64(at.Y)
		cell := image.Rect(round(x-side/2), round(y-side/2), round(x+side/2), round(y+side/2))
		n := glyphs.Read(v.pixels, cell)
		if n.Seen == screen.UnclearNumber {
			without, clean := glyphs.ReadUncovered(v.pixels, cell)
			switch {
			case clean == nil:
			case without.Seen == screen.UnclearNumber:
				if !slices.Contains(seen.Doubts, tracesDoubt) {
					seen.Doubts = append(seen.Doubts, tracesDoubt)
				}
			default:
				if bare == nil {
					bare = &view{pixels: image.NewRGBA(v.pixels.Rect), dark: v.dark}
					copy(bare.pixels.Pix, v.pixels.Pix)
				}
				draw.Draw(bare.pixels, clean.Rect, clean, clean.Rect.Min, draw.Src)
				n, covered = without, append(covered, i)
			}
		}
		seen.Numbers = append(seen.Numbers, n)
	}
	if bare == nil || len(seen.Readings) != len(seen.Layout.Centres) {
		return
	}
	readings := bare.measure(seen.Layout, spec.Measures)
	for _, i := range covered {
		seen.Readings[i] = readings[i]
	}
}
