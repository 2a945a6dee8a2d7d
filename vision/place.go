package vision

import (
	"fmt"
	"image"

	"tapwise/solvers/screen"
)

// leastCell is the least width and height of a cell whose place is given, in pixels.
const leastCell = 4

// ObserveAt is Observe for a board of squares whose place is known: its rows and
// columns fill an area of the frame. Nothing is searched for: the cells and the lines
// around them are measured where they have to be, whatever is there. The confidence is the share of the cells' sides on which lines were seen, or on a walled board
// of those that are clearly walls, dotted lines or gaps.
// The observation has no boxes.
func ObserveAt(frame image.Image, on screen.Frame, spec screen.Spec, area image.Rectangle, rows, cols int) (*screen.Observation, error) {
	if err := checkFrame(frame, on); err != nil {
		return nil, err
	}
	size := on.Size
	if rows < 1 || cols < 1 || rows > mostSide || cols > mostSide || area.Dx() < leastCell*cols || area.Dy() < leastCell*rows || !area.In(image.Rectangle{Max: size}) {
		return nil, fmt.Errorf("vision: a board of %d rows and %d columns at %v, expected 1 to %d of them, of at least %d pixels each, within %dx%d", rows, cols, area, mostSide, leastCell, size.X, size.Y)
	}
	// The area ends at the last line, which is one pixel wide.
	l := lattice{
		x0: float64(area.Min.X), y0: float64(area.Min.Y), rows: rows, cols: cols,
		px: float64(area.Dx()-1) / float64(cols), py: float64(area.Dy()-1) / float64(rows),
	}
	v := (&Frame{pixels: unnoised(toRGBA(frame))}).view(spec)
	seen := &screen.Observation{On: on, Layout: l.layout(on)}
	switch {
	case spec.Walled:
		l.contrast = v.rimContrast(l)
		seen.Horizontal, seen.Vertical = v.sides(l)
		seen.Confidence = decided(seen.Horizontal, seen.Vertical, l)
	case spec.Panes:
		h := (&search{view: v, spec: spec, on: on}).withPaneLines(hypothesis{lattice: l, confidence: 1})
		seen.Horizontal, seen.Vertical, seen.Confidence = h.horizontal, h.vertical, h.confidence
	default:
		seen.Horizontal, seen.Vertical = v.lines(l)
		seen.Confidence = supported(seen.Horizontal, seen.Vertical)
	}
	seen.Readings = v.measure(seen.Layout, spec.Measures)
	v.readNumbers(spec, seen)
	return seen, nil
}

// rimContrast is how much the posts in the rim of a lattice stand out.
func (v *view) rimContrast(l lattice) int {
	var contrasts []int
	for r := range l.rows + 1 {
		for c := range l.cols + 1 {
			if r%l.rows == 0 || c%l.cols == 0 {
				contrast, _ := v.post(l, r, c)
				contrasts = append(contrasts, round(contrast))
			}
		}
	}
	return median(contrasts)
}

// Measure takes measures at the centres of a layout of the frame, wherever they lie: the
// readings cell by cell, in the order of the measures. Pixels outside the frame do not count; a
// measure without any others is black, with the greatest spread.
func Measure(frame image.Image, l screen.Layout, measures []screen.Measure) ([][]screen.Reading, error) {
	if err := checkPicture(frame); err != nil {
		return nil, err
	}
	size := frame.Bounds().Size()
	if l.On.Size != size || len(l.Centres) != l.Cells() {
		return nil, fmt.Errorf("vision: a layout of %d cells on %s, expected %d on a frame of %dx%d pixels", len(l.Centres), l.On, l.Cells(), size.X, size.Y)
	}
	v := &view{pixels: toRGBA(frame)}
	return v.measure(l, measures), nil
}
