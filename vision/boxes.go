package vision

import (
	"image"
	"image/color"
	"math"
	"slices"

	"tapwise/solvers/screen"
)

// boxLimits bound what counts as an outlined box, the panel that it stands on, and
// the title above it.
var boxLimits = struct {
	leastFull                                 float64
	widePart, highPart                        int
	onLinePixels                              int
	onLine                                    float64
	outlineLeast, outlinePart                 int
	outlineFrom, outlineLength                float64
	insidePart, samplesPart                   int
	samePixels, samePart                      int
	panelGap, panelGapPart, panelMargin       int
	panelContrast                             int
	titleAbovePart, titleWidePart             int
	titleRimPart, titleLowPart, titleHighPart int
	titleContrast, titleFill                  int
}{
	leastFull:      0.9,  // share of the bounds: a box fills at least this much of them; its corners may be round
	widePart:       8,    // 1/n of the shorter side: a box is at least this wide
	highPart:       25,   // 1/n of the shorter side: a box is at least this high
	onLinePixels:   4,    // pixels: a cell's side is less than this far from a line of the lattice, or
	onLine:         0.12, // pitches: less than this far, whichever is more
	outlineLeast:   3,    // pixels: the outline is looked for this far to either side, or
	outlinePart:    200,  // 1/n of the shorter side: this far, whichever is more
	outlineFrom:    0.03, // share of a side: its outline is sampled from here,
	outlineLength:  0.94, // share of a side: over this length
	insidePart:     8,    // 1/n of the shorter side of a box: the fill is measured at least this far inside
	samplesPart:    20,   // 1/n of the shorter side of an area: one pixel in this many is sampled
	samePixels:     4,    // pixels: the sides of two equal boxes differ by at most this, or
	samePart:       40,   // 1/n of the width: by at most this, whichever is more
	panelGap:       3,    // pixels: a panel's fill is looked for this far outside of a box, or
	panelGapPart:   80,   // 1/n of the shorter side: this far, whichever is more
	panelMargin:    4,    // pixels: a panel reaches at least this far beyond the box on both sides
	panelContrast:  16,   // brightness levels: the fill of a panel varies by at most this
	titleAbovePart: 50,   // 1/n of the shorter side: a title is looked for this far above its box
	titleWidePart:  3,    // 1/n of the shorter side: a box with a title is at least this wide
	titleRimPart:   50,   // 1/n of the width: this much of a title is left out at either end
	titleLowPart:   25,   // 1/n of the width: a title is at least this high
	titleHighPart:  3,    // 1/n of the width: a title is less than this high
	titleContrast:  12,   // brightness levels: the rows of a title differ by at most this
	titleFill:      16,   // brightness levels: a title differs from the fill of its box by more than this
}

// findBoxes finds the upright rectangles that lines surround, the largest first.
// The cells of the lattice are not among them.
func findBoxes(v *view, m *masks, l lattice) ([]screen.Box, error) {
	shorter := min(m.size.X, m.size.Y)
	var boxes []screen.Box
	// Lines that hardly stand out are connected with noise; bright ones are not.
	for _, least := range []int{maskLimits.lineContrast, maskLimits.fullContrast} {
		gaps, err := m.gaps(float32(least))
		if err != nil {
			return nil, err
		}
		for _, hole := range gaps.holes(image.Pt(shorter/boxLimits.widePart-2, shorter/boxLimits.highPart-2), m.size) {
			around := hole.bounds.Inset(-1) // with the lines around it
			bounds := image.Rectangle{around.Min.Mul(m.factor), around.Max.Mul(m.factor)}
			if l.ok() && l.encloses(bounds) || slices.ContainsFunc(boxes, func(b screen.Box) bool { return alike(b.Bounds, bounds) }) {
				continue
			}
			if gaps.fullRows(hole) >= boxLimits.leastFull && gaps.fullColumns(hole) >= boxLimits.leastFull {
				boxes = append(boxes, v.box(bounds))
			}
		}
	}
	for _, b := range boxes {
		if panel, ok := v.panel(b); ok && !slices.ContainsFunc(boxes, func(o screen.Box) bool { return alike(o.Bounds, panel.Bounds) }) {
			boxes = append(boxes, panel)
		}
	}
	slices.SortStableFunc(boxes, func(a, b screen.Box) int {
		return b.Bounds.Dx()*b.Bounds.Dy() - a.Bounds.Dx()*a.Bounds.Dy()
	})
	return boxes, nil
}

// encloses reports whether all four sides of a rectangle lie on lines of the
// lattice. Then it is a cell, or several cells with something drawn over the lines
// between them.
func (l lattice) encloses(r image.Rectangle) bool {
	on := func(at, origin, pitch float64, n int) bool {
		k := math.Round((at - origin) / pitch)
		return k >= 0 && int(k) <= n && math.Abs(at-origin-k*pitch) < max(float64(boxLimits.onLinePixels), boxLimits.onLine*pitch)
	}
	return on(float64(r.Min.X), l.x0, l.px, l.cols) && on(float64(r.Max.X), l.x0, l.px, l.cols) &&
		on(float64(r.Min.Y), l.y0, l.py, l.rows) && on(float64(r.Max.Y), l.y0, l.py, l.rows)
}

// box measures the colours of an outlined rectangle and looks for its title.
func (v *view) box(r image.Rectangle) screen.Box {
	b := screen.Box{Bounds: r}
	const samples = 32 // on each side
	reach := max(boxLimits.outlineLeast, min(v.size().X, v.size().Y)/boxLimits.outlinePart)
	var line []color.RGBA
	for i := range samples {
		part := boxLimits.outlineFrom + boxLimits.outlineLength*float64(i)/(samples-1)
		x := r.Min.X + round(part*float64(r.Dx()))
		y := r.Min.Y + round(part*float64(r.Dy()))
		for _, at := range [][2]image.Point{
			{{X: x, Y: r.Min.Y}, {X: 0, Y: 1}}, {{X: x, Y: r.Max.Y - 1}, {X: 0, Y: 1}},
			{{X: r.Min.X, Y: y}, {X: 1, Y: 0}}, {{X: r.Max.X - 1, Y: y}, {X: 1, Y: 0}},
		} {
			if c, ok := v.highest(at[0], at[1], reach); ok {
				line = append(line, c)
			}
		}
	}
	b.Line = screen.MedianColour(line)
	margin := min(r.Dx(), r.Dy()) / boxLimits.insidePart
	b.Fill = v.median(r.Inset(margin))
	b.Title, b.Bar = v.title(b)
	return b
}

// panel is the area of one colour around a box, on which the box stands. It reports
// whether that is a rectangle within the frame. The panel's outline need not be
// seen as a line, because what the panel covers may be as bright.
func (v *view) panel(b screen.Box) (screen.Box, bool) {
	const samples = 8 // parts of a side, between which it is sampled
	gap := max(boxLimits.panelGap, min(v.size().X, v.size().Y)/boxLimits.panelGapPart)
	r := b.Bounds.Inset(-gap) // beyond the box's own outline
	if !r.In(v.pixels.Rect) {
		return screen.Box{}, false
	}
	ground := v.median(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1))
	var left, right, up, down []int
	for k := 1; k < samples; k++ {
		y := r.Min.Y + r.Dy()*k/samples
		left = append(left, v.ofColour(ground, r.Min.X, y, -1, 0))
		right = append(right, v.ofColour(ground, r.Max.X-1, y, 1, 0))
	}
	r.Min.X -= median(left)
	r.Max.X += median(right)
	// There may be words and other boxes above and below the box, but none in the
	// margins beside it.
	margin := min(b.Bounds.Min.X-gap-r.Min.X, r.Max.X-b.Bounds.Max.X-gap)
	if margin < boxLimits.panelMargin {
		return screen.Box{}, false
	}
	for k := 1; k < samples; k++ {
		for _, x := range []int{r.Min.X + margin*k/samples, r.Max.X - 1 - margin*k/samples} {
			up = append(up, v.ofColour(ground, x, b.Bounds.Min.Y, 0, -1))
			down = append(down, v.ofColour(ground, x, b.Bounds.Max.Y, 0, 1))
		}
	}
	r.Min.Y = b.Bounds.Min.Y - median(up) + 1
	r.Max.Y = b.Bounds.Max.Y + median(down)
	if r.Min.X <= 0 || r.Min.Y <= 0 || r.Max.X >= v.size().X || r.Max.Y >= v.size().Y || !b.Bounds.In(r) {
		return screen.Box{}, false
	}
	return v.box(r), true
}

// ofColour is the number of pixels of one colour from x,y on in a direction.
func (v *view) ofColour(ground color.RGBA, x, y, dx, dy int) int {
	n := 0
	for p := image.Pt(x, y); p.In(v.pixels.Rect) && screen.Contrast(v.pixels.RGBAAt(p.X, p.Y), ground) <= boxLimits.panelContrast; p = p.Add(image.Pt(dx, dy)) {
		n++
	}
	return n
}

// alike reports whether two rectangles are about equal.
func alike(a, b image.Rectangle) bool {
	slack := max(boxLimits.samePixels, b.Dx()/boxLimits.samePart)
	near := func(a, b int) bool { return a-b <= slack && b-a <= slack }
	return near(a.Min.X, b.Min.X) && near(a.Min.Y, b.Min.Y) && near(a.Max.X, b.Max.X) && near(a.Max.Y, b.Max.Y)
}

// highest is the colour that stands out most from the background at most reach
// pixels from a place, along a step. It reports whether any of them is on the frame.
func (v *view) highest(at, step image.Point, reach int) (color.RGBA, bool) {
	best := -1
	var found color.RGBA
	for k := -reach; k <= reach; k++ {
		p := at.Add(step.Mul(k))
		if !p.In(v.pixels.Rect) {
			continue
		}
		if level := v.level(p.X, p.Y); level > best {
			best, found = level, v.pixels.RGBAAt(p.X, p.Y)
		}
	}
	return found, best >= 0
}

// median is the median colour of a part of the frame.
func (v *view) median(r image.Rectangle) color.RGBA {
	r = r.Intersect(v.pixels.Rect)
	step := max(1, min(r.Dx(), r.Dy())/boxLimits.samplesPart)
	var colours screen.ColourHistogram
	for y := r.Min.Y; y < r.Max.Y; y += step {
		for x := r.Min.X; x < r.Max.X; x += step {
			colours.Add(v.pixels.RGBAAt(x, y))
		}
	}
	return colours.Median()
}

// title finds the bar right above a box, and its colour: rows of one colour, as
// wide as the box, that differs from the colour inside the box. The colour is not
// opaque where there is no bar.
func (v *view) title(b screen.Box) (image.Rectangle, color.RGBA) {
	r := b.Bounds
	row := func(y int) color.RGBA {
		return v.median(image.Rect(r.Min.X+r.Dx()/boxLimits.titleRimPart, y, r.Max.X-r.Dx()/boxLimits.titleRimPart, y+1))
	}
	shorter := min(v.size().X, v.size().Y)
	inside := r.Min.Y - shorter/boxLimits.titleAbovePart // above the line between the bar and the box
	if inside < 0 || r.Dx() < shorter/boxLimits.titleWidePart {
		return image.Rectangle{}, color.RGBA{}
	}
	fill := row(inside)
	top, bottom := inside, inside
	for top > 0 && inside-top < r.Dx()/boxLimits.titleHighPart && screen.Contrast(row(top-1), fill) <= boxLimits.titleContrast {
		top--
	}
	for bottom < r.Min.Y && screen.Contrast(row(bottom), fill) <= boxLimits.titleContrast {
		bottom++
	}
	height := bottom - top
	if screen.Contrast(fill, b.Fill) <= boxLimits.titleFill || height < r.Dx()/boxLimits.titleLowPart || height >= r.Dx()/boxLimits.titleHighPart {
		return image.Rectangle{}, color.RGBA{}
	}
	return image.Rect(r.Min.X, top, r.Max.X, bottom), fill
}
