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
// asks for numbers. On a board that shows some, a cell that is not clear with thin lines over it
// is looked at without them, its measures too.
func (v *view) readNumbers(spec screen.Spec, seen *screen.Observation) {
	if !spec.Numbers {
		return
	}
	side := seen.Layout.Pitch
	cells := make([]image.Rectangle, len(seen.Layout.Centres))
	seen.Numbers = make([]screen.Number, len(cells))
	shown := false
	for i, at := range seen.Layout.Centres {
		x, y := float64(at.X), float64(at.Y)
		cells[i] = image.Rect(round(x-side/2), round(y-side/2), round(x+side/2), round(y+side/2))
		seen.Numbers[i] = glyphs.Read(v.pixels, cells[i])
		shown = shown || seen.Numbers[i].Seen == screen.ReadNumber
	}
	if !shown {
		return // what is not clear is no number
	}
	var bare *view // without what is drawn over cells
	var covered []int
	for i, cell := range cells {
		if seen.Numbers[i].Seen != screen.UnclearNumber {
			continue
		}
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
			seen.Numbers[i], covered = without, append(covered, i)
		}
	}
	if bare == nil || len(seen.Readings) != len(seen.Layout.Centres) {
		return
	}
	readings := bare.measure(seen.Layout, spec.Measures)
	for _, i := range covered {
		seen.Readings[i] = readings[i]
	}
}
