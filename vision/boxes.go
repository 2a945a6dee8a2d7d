package vision

import (
	"image"
	"image/color"
	"math"
	"slices"

	"tapwise/solvers/screen"
)

// findBoxes finds the upright rectangles that are surrounded by lines, the largest
// first, but not the cells of the lattice.
func findBoxes(v *view, m *masks, l lattice) ([]screen.Box, error) {
	const leastFull = 0.9 // of a box's bounds: its corners may be round
	shorter := min(m.size.X, m.size.Y)
	var boxes []screen.Box
	// Lines that hardly stand out hang together with noise; bright ones do not.
	for _, least := range []float32{lineContrast, fullContrast} {
		gaps, err := m.gaps(least)
		if err != nil {
			return nil, err
		}
		for _, hole := range gaps.holes(image.Pt(shorter/8-2, shorter/25-2), m.size) {
			around := hole.bounds.Inset(-1) // with the lines around it
			bounds := image.Rectangle{around.Min.Mul(m.factor), around.Max.Mul(m.factor)}
			if l.ok() && l.encloses(bounds) || slices.ContainsFunc(boxes, func(b screen.Box) bool { return alike(b.Bounds, bounds) }) {
				continue
			}
			if gaps.fullRows(hole) >= leastFull && gaps.fullColumns(hole) >= leastFull {
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
// lattice: it is a cell, or several with something drawn over the lines between.
func (l lattice) encloses(r image.Rectangle) bool {
	on := func(at, origin, pitch float64, n int) bool {
		k := math.Round((at - origin) / pitch)
		return k >= 0 && int(k) <= n && math.Abs(at-origin-k*pitch) < max(4, 0.12*pitch)
	}
	return on(float64(r.Min.X), l.x0, l.px, l.cols) && on(float64(r.Max.X), l.x0, l.px, l.cols) &&
		on(float64(r.Min.Y), l.y0, l.py, l.rows) && on(float64(r.Max.Y), l.y0, l.py, l.rows)
}

// box looks closer at an outlined rectangle.
func (v *view) box(r image.Rectangle) screen.Box {
	b := screen.Box{Bounds: r}
	reach := max(3, min(v.size().X, v.size().Y)/200)
	var line []color.RGBA
	for i := range 32 {
		part := 0.03 + 0.94*float64(i)/31
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
	margin := min(r.Dx(), r.Dy()) / 8
	b.Fill = v.median(r.Inset(margin))
	b.Title, b.Bar = v.title(b)
	return b
}

// panel is the area of one colour around a box, where that is a rectangle
// within the frame: what the box stands on. Its outline need not be seen as a
// line, because what it covers may be as bright.
func (v *view) panel(b screen.Box) (screen.Box, bool) {
	gap := max(3, min(v.size().X, v.size().Y)/80)
	r := b.Bounds.Inset(-gap) // beyond the box's own outline
	if !r.In(v.pixels.Rect) {
		return screen.Box{}, false
	}
	ground := v.median(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1))
	reach := func(x, y, dx, dy int) int {
		n := 0
		for p := image.Pt(x, y); p.In(v.pixels.Rect) && screen.Contrast(v.pixels.RGBAAt(p.X, p.Y), ground) <= 16; p = p.Add(image.Pt(dx, dy)) {
			n++
		}
		return n
	}
	var left, right, up, down []int
	for k := 1; k < 8; k++ {
		y := r.Min.Y + r.Dy()*k/8
		left = append(left, reach(r.Min.X, y, -1, 0))
		right = append(right, reach(r.Max.X-1, y, 1, 0))
	}
	r.Min.X -= median(left)
	r.Max.X += median(right)
	// Above and below the box there may be words and other boxes, in the
	// margins beside it there are none.
	margin := min(b.Bounds.Min.X-gap-r.Min.X, r.Max.X-b.Bounds.Max.X-gap)
	if margin < 4 {
		return screen.Box{}, false
	}
	for k := 1; k < 8; k++ {
		for _, x := range []int{r.Min.X + margin*k/8, r.Max.X - 1 - margin*k/8} {
			up = append(up, reach(x, b.Bounds.Min.Y, 0, -1))
			down = append(down, reach(x, b.Bounds.Max.Y, 0, 1))
		}
	}
	r.Min.Y = b.Bounds.Min.Y - median(up) + 1
	r.Max.Y = b.Bounds.Max.Y + median(down)
	if r.Min.X <= 0 || r.Min.Y <= 0 || r.Max.X >= v.size().X || r.Max.Y >= v.size().Y || !b.Bounds.In(r) {
		return screen.Box{}, false
	}
	return v.box(r), true
}

// alike reports whether two rectangles are about the same.
func alike(a, b image.Rectangle) bool {
	slack := max(4, b.Dx()/40)
	near := func(a, b int) bool { return a-b <= slack && b-a <= slack }
	return near(a.Min.X, b.Min.X) && near(a.Min.Y, b.Min.Y) && near(a.Max.X, b.Max.X) && near(a.Max.Y, b.Max.Y)
}

// highest is the colour that stands out most from the background, at most
// reach pixels to either side.
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
	step := max(1, min(r.Dx(), r.Dy())/20)
	var colours screen.ColourHistogram
	for y := r.Min.Y; y < r.Max.Y; y += step {
		for x := r.Min.X; x < r.Max.X; x += step {
			colours.Add(v.pixels.RGBAAt(x, y))
		}
	}
	return colours.Median()
}

// title finds the bar right above a box: rows of one colour, as wide as the
// box, that differs from the colour inside it.
func (v *view) title(b screen.Box) (image.Rectangle, color.RGBA) {
	r := b.Bounds
	row := func(y int) color.RGBA {
		return v.median(image.Rect(r.Min.X+r.Dx()/50, y, r.Max.X-r.Dx()/50, y+1))
	}
	shorter := min(v.size().X, v.size().Y)
	inside := r.Min.Y - shorter/50 // above the line between the bar and the box
	if inside < 0 || r.Dx() < shorter/3 {
		return image.Rectangle{}, color.RGBA{}
	}
	fill := row(inside)
	top, bottom := inside, inside
	for top > 0 && inside-top < r.Dx()/3 && screen.Contrast(row(top-1), fill) <= 12 {
		top--
	}
	for bottom < r.Min.Y && screen.Contrast(row(bottom), fill) <= 12 {
		bottom++
	}
	height := bottom - top
	if screen.Contrast(fill, b.Fill) <= 16 || height < r.Dx()/25 || height >= r.Dx()/3 {
		return image.Rectangle{}, color.RGBA{}
	}
	return image.Rect(r.Min.X, top, r.Max.X, bottom), fill
}
