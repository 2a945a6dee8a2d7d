package vision

import (
	"fmt"
	"image"

	"tapwise/solvers/screen"
)

// ObserveAt is Observe for a board of squares whose place is known: so many
// rows and columns that fill an area of the frame. Nothing is searched for: the
// cells and the lines around them are measured where they have to be, whatever
// is there. The confidence is the share of the cells' sides on which lines were
// seen. There are no boxes.
func ObserveAt(frame image.Image, on screen.Frame, spec screen.Spec, area image.Rectangle, rows, cols int) (*screen.Observation, error) {
	if frame == nil {
		return nil, fmt.Errorf("vision: no frame")
	}
	size := frame.Bounds().Size()
	if err := checkSize(size); err != nil {
		return nil, err
	}
	if on.Size != size {
		return nil, fmt.Errorf("vision: frame of %dx%d pixels, described as %s", size.X, size.Y, on)
	}
	const least = 4 // pixels, of a cell's side
	if rows < 1 || cols < 1 || rows > 64 || cols > 64 || area.Dx() < least*cols || area.Dy() < least*rows || !area.In(image.Rectangle{Max: size}) {
		return nil, fmt.Errorf("vision: a board of %d rows and %d columns at %v, expected 1 to 64 of them, of at least %d pixels each, within %dx%d", rows, cols, area, least, size.X, size.Y)
	}
	// The area ends at the last line, which is one pixel wide.
	l := lattice{
		x0: float64(area.Min.X), y0: float64(area.Min.Y), rows: rows, cols: cols,
		px: float64(area.Dx()-1) / float64(cols), py: float64(area.Dy()-1) / float64(rows),
	}
	v := &view{pixels: toRGBA(frame), dark: spec.Dark}
	if spec.Either {
		v.dark = v.looksDark()
	}
	seen := &screen.Observation{On: on, Layout: l.layout(on)}
	if spec.Walled {
		seen.Horizontal, seen.Vertical = v.sides(l)
	} else {
		seen.Horizontal, seen.Vertical = v.lines(l)
	}
	sides := 0
	for _, lines := range [][]screen.Line{seen.Horizontal, seen.Vertical} {
		for _, line := range lines {
			sides++
			if line.Support >= 0.5 {
				seen.Confidence++
			}
		}
	}
	seen.Confidence /= float64(sides)
	seen.Readings = v.measure(seen.Layout, spec.Measures)
	return seen, nil
}

// Measure takes measures at the centres of a layout of the frame,
// wherever they lie; those beyond its rim measure the rim.
func Measure(frame image.Image, l screen.Layout, measures []screen.Measure) ([][]screen.Reading, error) {
	if frame == nil {
		return nil, fmt.Errorf("vision: no frame")
	}
	size := frame.Bounds().Size()
	if err := checkSize(size); err != nil {
		return nil, err
	}
	if l.On.Size != size || len(l.Centres) != l.Cells() {
		return nil, fmt.Errorf("vision: a layout of %d cells on %s, expected %d on a frame of %dx%d pixels", len(l.Centres), l.On, l.Cells(), size.X, size.Y)
	}
	v := &view{pixels: toRGBA(frame)}
	return v.measure(l, measures), nil
}
