package vision

import (
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
	edge                         int
	corner                       float64
}{
	groundFrom: 0.19, // pitches: the grounds on both sides of a line are looked at from this far
	groundTo:   0.26, // pitches: to this far; a wall takes a quarter of a cell, a number's disc leaves as much beside it
	search:     0.1,  // pitches: a line is at most this far from its place in the lattice
	contrast:   6,    // brightness levels: a line differs from both grounds by at least this
	seen:       0.5,  // support: a side with at least this has a line
	edge:       60,   // brightness levels: two grounds that differ by at least this need no line between them
	corner:     0.33, // pitches: a ground is looked at this far from its cell's middle, both ways
	beyond:     0.75, // share of the sides of one more row or column: the board goes on there if lines are seen on at least this many
}

// alongPane are the places at which a side between two panes is sampled, in pitches from
// its middle: a number's disc is as wide as 0.71 of a cell, and thick lines that cross
// at the ends reach 0.12 into the side.
var alongPane = [...]float64{-0.36, -0.34, -0.31, -0.28, 0.28, 0.31, 0.34, 0.36}

// byPanes is the finder of squares that are flat areas between lines of any width.
const byPanes = "panes between lines of any width"

// mayBePanes reports whether flat squares are looked for before anything else: a board of
// them that is seen beyond doubt is chosen whatever the others find.
func (s *search) mayBePanes() bool {
	return s.spec.Panes && !s.spec.Candidates && s.spec.Hint == nil
}

// panesFirst is a board of flat squares that have a line on all their inner sides, if
// there is one.
func (s *search) panesFirst() ([]hypothesis, error) {
	h := s.flatSquares()
	if s.sure = h.ok() && h.confidence >= 1; !s.sure {
		return nil, nil
	}
	s.lines = h.lattice // its lines are no boxes
	return []hypothesis{h}, nil
}

// flatSquares is the board of flat squares between lines of any width, which is looked
// for once.
func (s *search) flatSquares() hypothesis {
	if s.panes != nil {
		return *s.panes
	}
	h := lacking(byPanes, "no flat squares in rows and columns")
	p, ok := s.areas.Panes(s.spec.MinSide, s.spec.MaxSide)
	if dashed := !ok && s.spec.Pencil; dashed {
		p, ok = (&cells.PaneFinder{Frame: cells.Undashed(s.pixels)}).Panes(s.spec.MinSide, s.spec.MaxSide)
		s.dashed = ok
	}
	if ok {
		l := lattice{x0: p.X - p.Across/2, y0: p.Y - p.Down/2, px: p.Across, py: p.Down, rows: p.Rows, cols: p.Cols}
		l = s.withPanesBeyond(l)
		h = s.withPaneLines(hypothesis{finder: byPanes, lattice: l, layout: l.layout(s.on), fit: 1, confidence: 1})
	}
	s.panes = &h
	return h
}

// findPanes looks for a board of flat squares between lines of any width, and measures
// the lines of all boards found so far in the same way.
func (s *search) findPanes() ([]hypothesis, error) {
	found := []hypothesis{s.flatSquares()}
	for _, h := range s.found {
		if h.ok() && h.lattice.ok() {
			found = append(found, s.withPaneLines(h))
		}
	}
	return append(found, s.equalParts(found)...), nil
}

// mostSurplus is the most rows or columns beside a board that are taken for its own: those of
// a box with hints below it, say.
const mostSurplus = 2

// equalParts are the boards with as many columns as rows that others with a few more of
// either may be, where the game has only such: all other rows are something else then.
func (s *search) equalParts(found []hypothesis) (parts []hypothesis) {
	if !s.spec.Equal || !s.spec.Candidates {
		return nil
	}
	for _, h := range found {
		more := h.lattice.rows - h.lattice.cols
		if !h.ok() || !h.lattice.ok() || h.rim || more == 0 || max(more, -more) > mostSurplus {
			continue
		}
		first, last := upper, lower
		if more < 0 {
			first, last, more = left, right, -more
		}
		for before := range more + 1 {
			part := h.lattice
			for range before {
				part = part.without(first)
			}
			for range more - before {
				part = part.without(last)
			}
			if part.within(s.spec) {
				h := s.withPaneLines(hypothesis{finder: h.finder + ", as many rows as columns", lattice: part, layout: part.layout(s.on), fit: h.fit, confidence: 1})
				h.lesser, h.rim = true, true
				parts = append(parts, h)
			}
		}
	}
	return parts
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
	count := func(is bool, line screen.Line, row, col int, vertical bool) {
		if !is {
			return
		}
		inner++
		if line.Support >= paneLimits.seen {
			seen++
		} else if s.spec.Pencil {
			switch a, b := s.beside(l, row, col, vertical); {
			case s.dashed || screen.Contrast(a, b) >= paneLimits.edge:
				seen++
			case !screen.Light(a): // both are filled
				inner--
			}
		}
	}
	for r := range l.rows + 1 {
		for c := range l.cols {
			line := s.paneLine(l.x(float64(c)+0.5), l.y(float64(r)), l.px, l.py, false)
			count(r > 0 && r < l.rows, line, r, c, false)
			h.horizontal = append(h.horizontal, line)
		}
	}
	for r := range l.rows {
		for c := range l.cols + 1 {
			line := s.paneLine(l.x(float64(c)), l.y(float64(r)+0.5), l.py, l.px, true)
			count(c > 0 && c < l.cols, line, r, c, true)
			h.vertical = append(h.vertical, line)
		}
	}
	h.confidence = min(h.confidence, float64(seen)/float64(max(inner, 1)))
	return h
}

// beside are the colours of the two cells on either side of a line, near its lower or right end.
func (v *view) beside(l lattice, row, col int, vertical bool) (before, behind color.RGBA) {
	at := func(row, col int) color.RGBA {
		x, y := round(l.x(float64(col)+0.5+paneLimits.corner)), round(l.y(float64(row)+0.5+paneLimits.corner))
		return v.pixels.RGBAAt(x, y)
	}
	if vertical {
		return at(row, col-1), at(row, col)
	}
	return at(row-1, col), at(row, col)
}

// paneLine measures the line around a side's middle. Along and across are the pitches
// in the side's direction and across it.
func (v *view) paneLine(x, y, along, across float64, vertical bool) screen.Line {
	widths := make([]float64, 0, len(alongPane))
	colours := make([]color.RGBA, 0, len(alongPane))
	for _, t := range alongPane {
		c := paneCut{view: v, x: round(x + t*along), y: round(y), dx: 0, dy: 1, pitch: across}
		if vertical {
			c.x, c.y, c.dx, c.dy = round(x), round(y+t*along), 1, 0
		}
		if width, colour, ok := c.line(); ok {
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

// paneCut is the pixels across a side, in steps of dx, dy from a place on it.
type paneCut struct {
	*view
	x, y, dx, dy int
	pitch        float64 // across the side
}

// onFrame is the part of a stretch of steps, both ends included, that lies on the frame,
// and where in the frame's bytes its first pixel is; a step is so many bytes further.
func (c *paneCut) onFrame(from, to int) (first, last, at, step int) {
	size := c.size()
	along, long, aside, wide := c.y, size.Y, c.x, size.X
	step = c.pixels.Stride
	if c.dx != 0 {
		along, long, aside, wide = c.x, size.X, c.y, size.Y
		step = 4
	}
	if aside < 0 || aside >= wide {
		return 0, -1, 0, step
	}
	first, last = max(from, -along), min(to, long-1-along)
	return first, last, (c.y+first*c.dy)*c.pixels.Stride + 4*(c.x+first*c.dx), step
}

// at is the pixel at an index of the frame's bytes.
func (c *paneCut) at(i int) color.RGBA {
	p := c.pixels.Pix[i : i+4 : i+4]
	return color.RGBA{p[0], p[1], p[2], p[3]}
}

// line looks how wide a line is there that differs from the grounds on both sides, and
// which colour it has.
func (c *paneCut) line() (width float64, colour color.RGBA, ok bool) {
	var both [2]color.RGBA
	grounds := both[:0]
	for _, sign := range [...]int{-1, 1} {
		ground := c.ground(sign)
		if ground.A != 0 && (len(grounds) == 0 || ground != grounds[0]) {
			grounds = append(grounds, ground)
		}
	}
	if len(grounds) == 0 {
		return 0, colour, false
	}
	reach := round(paneLimits.groundFrom * c.pitch)
	near := max(1, paneLimits.search*c.pitch)
	peak, sum, contrast := 0, 0, 0
	var before color.RGBA
	first, last, at, step := c.onFrame(-reach, reach)
	for k := first; k <= last; k, at = k+1, at+step {
		pixel := c.at(at)
		if pixel != before || contrast == 0 {
			contrast = math.MaxInt
			for _, ground := range grounds {
				contrast = min(contrast, screen.Contrast(pixel, ground))
			}
			before = pixel
		}
		sum += contrast
		if math.Abs(float64(k)) <= near && contrast > peak {
			peak, colour = contrast, pixel
		}
	}
	if peak < paneLimits.contrast {
		return 0, colour, false
	}
	return float64(sum) / float64(peak), colour, true
}

// ground is the median colour beside a side's line, towards one of its sides; it is
// not opaque beyond the frame.
func (c *paneCut) ground(sign int) color.RGBA {
	var pixels [64]color.RGBA
	seen := pixels[:0]
	from, to := round(paneLimits.groundFrom*c.pitch), int(math.Ceil(paneLimits.groundTo*c.pitch))
	if sign < 0 {
		from, to = -to, -from
	}
	first, last, at, step := c.onFrame(from, to)
	for k := first; k <= last; k, at = k+1, at+step {
		seen = append(seen, c.at(at))
	}
	if len(seen) == 0 {
		return color.RGBA{}
	}
	return screen.MedianColour(seen)
}
