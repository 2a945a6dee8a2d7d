package vision

import (
	"image"
	"image/color"
	"math"
	"slices"

	"tapwise/solvers/screen"
	"tapwise/vision/internal/cells"
)

// paneLimits bound what counts as a line between two panes. Colours are compared in all
// three channels, so that lines may be darker or brighter than the panes, or both.
var paneLimits = struct {
	groundFrom, groundTo, search float64
	contrast                     int
	seen, beyond                 float64
}{
	groundFrom: 0.19, // pitches: the grounds on both sides of a line are looked at from this far
	groundTo:   0.26, // pitches: to this far; a wall takes a quarter of a cell, a number's disc leaves as much beside it
	search:     0.1,  // pitches: a line is at most this far from its place in the lattice
	contrast:   6,    // brightness levels: a line differs from both grounds by at least this
	seen:       0.5,  // support: a side with at least this has a line
	beyond:     0.75, // share of the sides of one more row or column: the board goes on there if lines are seen on at least this many
}

// alongPane are the places at which a side between two panes is sampled, in pitches from
// its middle: a number's disc is as wide as 0.71 of a cell, and thick lines that cross
// at the ends reach 0.12 into the side.
var alongPane = [...]float64{-0.36, -0.34, -0.31, -0.28, 0.28, 0.31, 0.34, 0.36}

// byPanes is the finder of squares that are flat areas between lines of any width.
const byPanes = "panes between lines of any width"

// findPanes looks for a board of flat squares between lines of any width, and measures
// the lines of all boards found so far in the same way.
func (s *search) findPanes() ([]hypothesis, error) {
	var found []hypothesis
	if p, ok := cells.Panes(s.pixels, s.spec.MinSide, s.spec.MaxSide); ok {
		l := lattice{x0: p.X - p.Across/2, y0: p.Y - p.Down/2, px: p.Across, py: p.Down, rows: p.Rows, cols: p.Cols}
		l = s.withPanesBeyond(l)
		h := hypothesis{finder: byPanes, lattice: l, layout: l.layout(s.on), fit: 1, confidence: 1}
		found = append(found, s.withPaneLines(h))
	} else {
		found = append(found, lacking(byPanes, "no flat squares in rows and columns"))
	}
	for _, h := range s.found {
		if h.ok() && h.lattice.ok() {
			found = append(found, s.withPaneLines(h))
		}
	}
	return found, nil
}

// withPanesBeyond is a lattice with the rows and columns beside it that have lines as its
// own: what is drawn on their cells may hide that they are panes.
func (s *search) withPanesBeyond(l lattice) lattice {
	for side := 0; side < len(sideNames); {
		wider := l.beyond(side)
		if wider.within(s.spec) && s.goesOn(wider, side) {
			l, side = wider, 0
		} else {
			side++
		}
	}
	return l
}

// goesOn reports whether lines are seen around the cells in the rim of a lattice.
func (s *search) goesOn(l lattice, side int) bool {
	sides, seen := 0, 0
	count := func(line screen.Line) {
		sides++
		if line.Support >= paneLimits.seen {
			seen++
		}
	}
	at, rim := [...]int{upper: 0, lower: l.rows - 1, left: 0, right: l.cols - 1}[side], [...]int{upper: 0, lower: l.rows, left: 0, right: l.cols}[side]
	if side == upper || side == lower {
		for c := range l.cols {
			count(s.paneLine(l.x(float64(c)+0.5), l.y(float64(rim)), l.px, l.py, false))
			if c > 0 {
				count(s.paneLine(l.x(float64(c)), l.y(float64(at)+0.5), l.py, l.px, true))
			}
		}
	} else {
		for r := range l.rows {
			count(s.paneLine(l.x(float64(rim)), l.y(float64(r)+0.5), l.py, l.px, true))
			if r > 0 {
				count(s.paneLine(l.x(float64(at)+0.5), l.y(float64(r)), l.px, l.py, false))
			}
		}
	}
	return atLeast(seen, sides, paneLimits.beyond)
}

// withPaneLines is a hypothesis with its lines measured as those between panes. It is as
// sure as the share of its inner sides on which a line is seen, and no surer than before.
func (s *search) withPaneLines(h hypothesis) hypothesis {
	l := h.lattice
	h.horizontal = make([]screen.Line, 0, l.rows*l.cols+l.cols)
	h.vertical = make([]screen.Line, 0, l.rows*l.cols+l.rows)
	inner, seen := 0, 0
	count := func(is bool, line screen.Line) {
		if is {
			inner++
			if line.Support >= paneLimits.seen {
				seen++
			}
		}
	}
	for r := range l.rows + 1 {
		for c := range l.cols {
			line := s.paneLine(l.x(float64(c)+0.5), l.y(float64(r)), l.px, l.py, false)
			count(r > 0 && r < l.rows, line)
			h.horizontal = append(h.horizontal, line)
		}
	}
	for r := range l.rows {
		for c := range l.cols + 1 {
			line := s.paneLine(l.x(float64(c)), l.y(float64(r)+0.5), l.py, l.px, true)
			count(c > 0 && c < l.cols, line)
			h.vertical = append(h.vertical, line)
		}
	}
	h.confidence = min(h.confidence, float64(seen)/float64(max(inner, 1)))
	return h
}

// paneLine measures the line around a side's middle. Along and across are the pitches
// in the side's direction and across it.
func (v *view) paneLine(x, y, along, across float64, vertical bool) screen.Line {
	var widths []float64
	var colours []color.RGBA
	for _, t := range alongPane {
		at := func(k float64) (int, int) {
			if vertical {
				return round(x + k), round(y + t*along)
			}
			return round(x + t*along), round(y + k)
		}
		if width, colour, ok := v.paneCut(at, across); ok {
			widths = append(widths, width)
			colours = append(colours, colour)
		}
	}
	if len(widths) == 0 {
		return screen.Line{}
	}
	slices.Sort(widths)
	return screen.Line{Support: float64(len(widths)) / float64(len(alongPane)), Width: widths[len(widths)/2], Colour: screen.MedianColour(colours)}
}

// paneCut looks at the pixels across a side, at so many pixels from it: how wide a line
// is there that differs from the grounds on both sides, and which colour it has.
func (v *view) paneCut(at func(float64) (x, y int), pitch float64) (width float64, colour color.RGBA, ok bool) {
	low := v.paneGround(at, pitch, -1)
	high := v.paneGround(at, pitch, 1)
	grounds := slices.DeleteFunc([]color.RGBA{low, high}, func(c color.RGBA) bool { return c.A == 0 })
	if len(grounds) == 0 {
		return 0, colour, false
	}
	reach := round(paneLimits.groundFrom * pitch)
	peak, sum := 0, 0
	for k := -reach; k <= reach; k++ {
		x, y := at(float64(k))
		if !image.Pt(x, y).In(v.pixels.Rect) {
			continue
		}
		c := v.pixels.RGBAAt(x, y)
		contrast := math.MaxInt
		for _, ground := range grounds {
			contrast = min(contrast, screen.Contrast(c, ground))
		}
		sum += contrast
		if math.Abs(float64(k)) <= max(1, paneLimits.search*pitch) && contrast > peak {
			peak, colour = contrast, c
		}
	}
	if peak < paneLimits.contrast {
		return 0, colour, false
	}
	return float64(sum) / float64(peak), colour, true
}

// paneGround is the median colour beside a side's line, towards one of its sides; it is
// not opaque beyond the frame.
func (v *view) paneGround(at func(float64) (x, y int), pitch, sign float64) color.RGBA {
	var seen []color.RGBA
	for k := math.Round(paneLimits.groundFrom * pitch); k <= math.Ceil(paneLimits.groundTo*pitch); k++ {
		if x, y := at(sign * k); image.Pt(x, y).In(v.pixels.Rect) {
			seen = append(seen, v.pixels.RGBAAt(x, y))
		}
	}
	if len(seen) == 0 {
		return color.RGBA{}
	}
	return screen.MedianColour(seen)
}
