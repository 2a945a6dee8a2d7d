package vision

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"tapwise/solvers/screen"
)

// lineLimits bound what counts as a line on the sides of a lattice's cells.
var lineLimits = struct {
	reachPixels, searchPixels                          int
	reach, search, searchAligned                       float64
	backgroundPart, dimmedPart, beyondPart             int
	widthPixels, width                                 float64
	pitchChange                                        float64
	roomFrom, roomTo, cutFrom, cutTo, cutSeen          float64
	openSeen, openFrom, openTo, furtherFrom, furtherTo float64
	endFrom, endLength                                 float64
	thinPixels, thinCuts, otherColour                  int
	thinShare                                          float64
	wide, asidePixels, aside                           float64
}{
	reachPixels:    4,     // pixels: the background is looked for this far to either side of a line, or
	reach:          0.13,  // pitches: this far, whichever is more
	searchPixels:   2,     // pixels: a line is looked for this far from its place in the lattice, or
	search:         0.05,  // pitches: this far, whichever is more, or
	searchAligned:  0.015, // pitches: this far, once the lattice has been fitted to its lines
	backgroundPart: 8,     // 1/n of the pixels: this many of those beside a line are darker than what counts as its background
	dimmedPart:     8,     // 1/n of the lattice's contrast: a line has at least this much, even under glow or a tint
	beyondPart:     3,     // 1/n of the lattice's contrast: a line beyond the board has at least this much
	widthPixels:    3,     // pixels: a line is at most this wide, or
	width:          0.14,  // pitches: this wide, whichever is more
	pitchChange:    0.02,  // pitches: a fit that changes the pitch by more than this is wrong
	roomFrom:       0.85,  // pitches: with more than this between the board and the frame's rim,
	roomTo:         1.15,  // pitches: and less than this, the rim may cut off the outer line of one more row
	cutFrom:        0.1,   // pitches: the lines between that row's cells are looked for from this far beyond the board,
	cutTo:          0.8,   // pitches: to this far
	cutSeen:        0.7,   // share of these lines: the row is there if more than this many are seen
	openSeen:       0.6,   // share of the lines beyond a side: the lattice goes on there if more than this many are seen
	openFrom:       0.06,  // pitches: these lines are looked for from this far beyond the board,
	openTo:         0.2,   // pitches: to this far, and
	furtherFrom:    0.16,  // pitches: also from this far
	furtherTo:      0.3,   // pitches: to this far, if lines may reach a little over the rim
	endFrom:        0.03,  // pitches: the ends of the rim's lines are looked for from this far beyond the rim,
	endLength:      0.07,  // pitches: over this length
	thinPixels:     2,     // pixels: a section is of a thin line that something touches if it is narrower than the usual by at least this,
	thinShare:      0.62,  // share of the usual width: and at most this wide,
	thinCuts:       3,     // sections: if there are at least this many,
	otherColour:    30,    // brightness levels: and the others differ from them in colour by at least this
	wide:           1.5,   // widths of a thin line: a line that is at least this wide may be a wall, and is looked at again
	asidePixels:    1.5,   // pixels: the middle of a wall is at most this far from its place in the lattice, or
	aside:          0.02,  // pitches: at most this far, whichever is more
}

// samplesAlong are the places at which a side of a cell is sampled, in pitches from
// its middle. Pipes through the middle and crossing lines at the ends are not in
// the way there.
var samplesAlong = [...]float64{-0.41, -0.35, -0.29, -0.23, 0.23, 0.29, 0.35, 0.41}

// The sides of a board.
const (
	upper = iota
	lower
	left
	right
)

var sideNames = [...]string{upper: "upper", lower: "lower", left: "left", right: "right"}

// cut is a section across a line at one place.
type cut struct {
	offset   float64 // of the line's middle from where it was expected, in pixels
	contrast int     // of the line with the brighter of its two sides, in brightness levels
	width    int     // in pixels, at half the contrast
	colour   color.RGBA
}

// mostReach is the most pixels to either side of a line that are looked at.
const mostReach = 64

// cutAcross looks at the pixels through x,y across a vertical or horizontal line.
// It reports whether the background is seen beside the line.
func (v *view) cutAcross(l lattice, x, y float64, vertical bool) (cut, bool) {
	reach := max(lineLimits.reachPixels, round(lineLimits.reach*l.pitch()))
	search := max(lineLimits.searchPixels, round(lineLimits.search*l.pitch()))
	if l.contrast > 0 { // the lattice was fitted to its lines
		search = max(lineLimits.searchPixels, round(lineLimits.searchAligned*l.pitch()))
	}
	cx, cy := round(x), round(y)
	dx, dy := 0, 1
	middle := y
	if vertical {
		dx, dy = 1, 0
		middle = x
	}
	reach = min(reach, mostReach)
	search = min(search, reach-1)
	low, high, ok := v.clip(cx, cy, dx, dy, reach)
	if !ok {
		return cut{}, false
	}
	var levels [2*mostReach + 1]int32
	peak := max(low, -search)
	step := dy*v.pixels.Stride + 4*dx
	at := cy*v.pixels.Stride + 4*cx + low*step
	for k := low; k <= high; k++ {
		levels[k+reach] = int32(v.levelAt(at))
		at += step
		if k >= -search && k <= search && levels[k+reach] > levels[peak+reach] {
			peak = k
		}
	}
	c, ok := cutOf(levels[low+reach:high+1+reach], peak-low)
	if !ok || c.contrast <= 0 {
		return c, ok
	}
	c.offset = c.offset + float64(low) + float64(cx*dx+cy*dy) - middle
	p := v.pixels.Pix[(cy+peak*dy)*v.pixels.Stride+4*(cx+peak*dx):]
	c.colour = color.RGBA{p[0], p[1], p[2], 255}
	return c, true
}

// clip is the part of the pixels from -reach to reach steps from a pixel that is on
// the frame. It reports whether the pixel is.
func (v *view) clip(x, y, dx, dy, reach int) (low, high int, ok bool) {
	size := v.size()
	low, high = -reach, reach
	for low < 0 && (x+low*dx < 0 || y+low*dy < 0) {
		low++
	}
	for high > 0 && (x+high*dx >= size.X || y+high*dy >= size.Y) {
		high--
	}
	return low, high, x >= 0 && y >= 0 && x < size.X && y < size.Y
}

// cutOf is the section at the peak of the levels across a line, without a colour;
// its offset counts from the first level. It reports whether enough is seen beside
// the peak.
func cutOf(levels []int32, peak int) (cut, bool) {
	base := max(background(levels[:max(0, peak-1)]), background(levels[min(len(levels), peak+2):]))
	if base < 0 {
		return cut{}, false
	}
	c := cut{contrast: int(levels[peak]) - base}
	if c.contrast <= 0 {
		return c, true
	}
	half := int32(base + (c.contrast+1)/2)
	a, b := peak, peak
	for a > 0 && levels[a-1] >= half {
		a--
	}
	for b+1 < len(levels) && levels[b+1] >= half {
		b++
	}
	c.width = b - a + 1
	c.offset = float64(a+b) / 2
	return c, true
}

// line looks at one side of a cell, the vertical one left of cell r,c or the
// horizontal one above it. It returns the sections that could be measured.
func (v *view) line(l lattice, r, c int, vertical bool) []cut {
	cuts := make([]cut, 0, len(samplesAlong))
	for _, along := range samplesAlong {
		x, y := l.x(float64(c)), l.y(float64(r))
		if vertical {
			y += (0.5 + along) * l.py
		} else {
			x += (0.5 + along) * l.px
		}
		if cut, ok := v.cutAcross(l, x, y, vertical); ok {
			cuts = append(cuts, cut)
		}
	}
	return cuts
}

// background is the level beside a line, -1 where too little is seen, at the
// frame's rim. It is a low one of the levels: some pixels may belong to the line
// itself or to words right beside it.
func background(levels []int32) int {
	if len(levels) < 2 {
		return -1
	}
	// Of the least levels, sorted, only as many are kept as are needed.
	var room [2*mostReach + 1]int32
	n := len(levels)/lineLimits.backgroundPart + 1
	least := room[:0]
	for _, level := range levels {
		if len(least) == n {
			if level >= least[n-1] {
				continue
			}
			least = least[:n-1]
		}
		at := len(least)
		least = least[:at+1]
		for ; at > 0 && least[at-1] > level; at-- {
			least[at] = least[at-1]
		}
		least[at] = level
	}
	return int(least[n-1])
}

// isLine reports whether a section looks like one across a line of the lattice: it
// stands out from both sides, and is not the rim of something wide. Under glow and
// tints a line stands out much less than elsewhere.
func (c cut) isLine(l lattice) bool {
	return c.contrast >= max(l.least(), l.contrast/lineLimits.dimmedPart) && float64(c.width) <= max(lineLimits.widthPixels, lineLimits.width*l.pitch())
}

// summary is the line that was cut at some of the places that were looked at; places
// is the number of all of them.
func summary(cuts []cut, places int) screen.Line {
	if len(cuts) == 0 {
		return screen.Line{}
	}
	var widths, reds, greens, blues []int
	for _, c := range cuts {
		widths = append(widths, c.width)
		reds = append(reds, int(c.colour.R))
		greens = append(greens, int(c.colour.G))
		blues = append(blues, int(c.colour.B))
	}
	return screen.Line{
		Support: float64(len(cuts)) / float64(places),
		Width:   float64(median(widths)),
		Colour:  color.RGBA{uint8(median(reds)), uint8(median(greens)), uint8(median(blues)), 255},
	}
}

// median is the median of values, which it sorts; the upper one of an even number.
func median[T cmp.Ordered](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}

// withoutHalo is what is left of a line's sections when something round lies over the
// line, as the halo of a finger does: its rim makes a thin line look wide where it
// touches it. A wide line, a wall say, is as wide on its whole length.
func withoutHalo(cuts []cut) []cut {
	if len(cuts) <= lineLimits.thinCuts {
		return cuts
	}
	var widths []int
	for _, c := range cuts {
		widths = append(widths, c.width)
	}
	usual := median(widths)
	var thin, wide []color.RGBA
	var left []cut
	for _, c := range cuts {
		if c.width <= usual-lineLimits.thinPixels && float64(c.width) <= lineLimits.thinShare*float64(usual) {
			thin, left = append(thin, c.colour), append(left, c)
		} else {
			wide = append(wide, c.colour)
		}
	}
	if len(left) < lineLimits.thinCuts || screen.Contrast(screen.MedianColour(thin), screen.MedianColour(wide)) < lineLimits.otherColour {
		return cuts
	}
	return left
}

// inPlaceOf are the sections of a wide line that lie where the lattice's line is. A wide
// line is drawn around it; the rim of something round touches it from one side.
func inPlaceOf(cuts []cut, pitch float64) []cut {
	return slices.DeleteFunc(slices.Clone(cuts), func(c cut) bool {
		return math.Abs(c.offset) > max(lineLimits.asidePixels, lineLimits.aside*pitch)
	})
}

// lines looks at every side of every cell.
func (v *view) lines(l lattice) (horizontal, vertical []screen.Line) {
	cutsOf := func(r, c int, vertical bool) []cut {
		return slices.DeleteFunc(v.line(l, r, c, vertical), func(c cut) bool { return !c.isLine(l) })
	}
	for r := range l.rows + 1 {
		for c := range l.cols {
			horizontal = append(horizontal, summary(cutsOf(r, c, false), len(samplesAlong)))
		}
	}
	for r := range l.rows {
		for c := range l.cols + 1 {
			vertical = append(vertical, summary(cutsOf(r, c, true), len(samplesAlong)))
		}
	}
	// A few wide lines among thin ones are looked at again: they may be walls.
	thin := thinWidth(horizontal, vertical)
	again := func(line *screen.Line, r, c int, vertical bool) {
		if line.Width < lineLimits.wide*thin || line.Width < thin+float64(lineLimits.thinPixels) {
			return
		}
		cuts := cutsOf(r, c, vertical)
		left := withoutHalo(cuts)
		*line = summary(left, len(samplesAlong))
		if len(left) == len(cuts) {
			left = inPlaceOf(cuts, l.pitch())
		} else {
			left = cuts // the line is seen under what touches it, too
		}
		line.Support = float64(len(left)) / float64(len(samplesAlong))
	}
	for i := range horizontal {
		again(&horizontal[i], i/l.cols, i%l.cols, false)
	}
	for i := range vertical {
		again(&vertical[i], i/(l.cols+1), i%(l.cols+1), true)
	}
	return horizontal, vertical
}

// thinWidth is the width of thin lines: three of four are at least as wide.
func thinWidth(horizontal, vertical []screen.Line) float64 {
	var widths []float64
	for _, lines := range [][]screen.Line{horizontal, vertical} {
		for _, line := range lines {
			if line.Width > 0 {
				widths = append(widths, line.Width)
			}
		}
	}
	if len(widths) == 0 {
		return math.Inf(1)
	}
	slices.Sort(widths)
	return widths[len(widths)/4]
}

// supported is the share of the cells' sides on which a line was seen.
func supported(horizontal, vertical []screen.Line) float64 {
	n := 0
	for _, lines := range [][]screen.Line{horizontal, vertical} {
		for _, line := range lines {
			if line.Support >= latticeLimits.lineSeen {
				n++
			}
		}
	}
	return float64(n) / float64(len(horizontal)+len(vertical))
}

// refine moves the lattice to its lines at full resolution: the place of a line is
// the median of the sections across it, the lattice the least-squares fit of its
// lines.
func (v *view) refine(l lattice) lattice {
	var index, place [2][]float64 // of columns, of rows
	var contrasts []int
	for axis, count := range [2]int{l.cols, l.rows} {
		for i := range count + 1 {
			cuts := v.cutsOf(l, i, axis == 0)
			if len(cuts) == 0 {
				continue
			}
			var offsets []float64
			for _, c := range cuts {
				offsets = append(offsets, c.offset)
				contrasts = append(contrasts, c.contrast)
			}
			expected := l.x(float64(i))
			if axis == 1 {
				expected = l.y(float64(i))
			}
			index[axis] = append(index[axis], float64(i))
			place[axis] = append(place[axis], expected+median(offsets))
		}
	}
	if len(index[0]) < 2 || len(index[1]) < 2 {
		return l
	}
	l.contrast = median(contrasts)
	x0, px := fitLine(index[0], place[0])
	y0, py := fitLine(index[1], place[1])
	if math.Abs(px-l.px) > lineLimits.pitchChange*l.px || math.Abs(py-l.py) > lineLimits.pitchChange*l.py {
		return l
	}
	l.x0, l.px, l.y0, l.py = x0, px, y0, py
	return l
}

// cutsOf are the sections across the i-th vertical or horizontal line of the
// lattice that look like sections across a line.
func (v *view) cutsOf(l lattice, i int, vertical bool) []cut {
	along := l.cols
	if vertical {
		along = l.rows
	}
	var cuts []cut
	for k := range along {
		row, col := i, k
		if vertical {
			row, col = k, i
		}
		for _, c := range v.line(l, row, col, vertical) {
			if c.isLine(l) {
				cuts = append(cuts, c)
			}
		}
	}
	return cuts
}

// fitLine is the line y = origin + slope·x nearest to points, by least squares.
func fitLine(x, y []float64) (origin, slope float64) {
	mx, my := mean(x), mean(y)
	var top, bottom float64
	for k := range x {
		top += (x[k] - mx) * (y[k] - my)
		bottom += (x[k] - mx) * (x[k] - mx)
	}
	slope = top / bottom
	return my - slope*mx, slope
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// strip is the share of the lines that lead out of a side of the board, seen from
// near to far pitches beyond it: the lines between the cells of one more row or
// column there. It is 0 where half of them would be outside the frame.
func (v *view) strip(l lattice, side int, near, far float64) float64 {
	const samples = 4 // on each line
	var n, on int
	count := l.cols
	if side >= left {
		count = l.rows
	}
	for k := 0; k <= count; k++ {
		for i := range samples {
			out := near + (far-near)*(float64(i)+0.5)/samples
			x, y := l.x(float64(k)), l.y(float64(k))
			switch side {
			case upper:
				y = l.y(0) - out*l.pitch()
			case lower:
				y = l.y(float64(l.rows)) + out*l.pitch()
			case left:
				x = l.x(0) - out*l.pitch()
			case right:
				x = l.x(float64(l.cols)) + out*l.pitch()
			}
			c, ok := v.cutAcross(l, x, y, side < left)
			if !ok {
				continue
			}
			n++
			if c.isLine(l) && c.contrast >= l.contrast/lineLimits.beyondPart {
				on++
			}
		}
	}
	if n < samples*(count+1)/2 {
		return 0
	}
	return float64(on) / float64(n)
}

// trim adds the rows and columns whose outer line is cut off by the frame's rim.
func (v *view) trim(l lattice) lattice {
	size := v.size()
	for side := range sideNames {
		room := l.room(size)[side]
		if room > lineLimits.roomFrom && room < lineLimits.roomTo && v.strip(l, side, lineLimits.cutFrom, lineLimits.cutTo) > lineLimits.cutSeen {
			l = l.beyond(side)
		}
	}
	return l
}

// reachOver measures how far the lines at the ends of each side in the rim reach
// over it, and writes it into the side's Ends.
func (v *view) reachOver(l lattice, horizontal, vertical []screen.Line) {
	share := func(col, row, dx, dy float64) float64 {
		const samples = 4
		on := 0
		for i := range samples {
			out := lineLimits.endFrom + lineLimits.endLength*float64(i)/(samples-1)
			c, ok := v.cutAcross(l, l.x(col+dx*out), l.y(row+dy*out), dy != 0)
			if ok && c.isLine(l) { // glow beside the board may be bright
				on++
			}
		}
		return float64(on) / samples
	}
	for c := range l.cols {
		from, to := float64(c), float64(c+1)
		last := float64(l.rows)
		horizontal[c].Ends = min(share(from, 0, 0, -1), share(to, 0, 0, -1))
		horizontal[l.rows*l.cols+c].Ends = min(share(from, last, 0, 1), share(to, last, 0, 1))
	}
	for r := range l.rows {
		from, to := float64(r), float64(r+1)
		last := float64(l.cols)
		vertical[r*(l.cols+1)].Ends = min(share(0, from, -1, 0), share(0, to, -1, 0))
		vertical[r*(l.cols+1)+l.cols].Ends = min(share(last, from, 1, 0), share(last, to, 1, 0))
	}
}

// openSides are the names of the sides beyond which the lattice's lines go on.
// Where lines may reach a little over the rim, they must go on further than that.
func (v *view) openSides(l lattice, mayReach bool) []string {
	return v.openOf(l, v.strips(l), mayReach)
}

// strips are the shares of the lines that lead out of each side of the board.
func (v *view) strips(l lattice) (strips [4]float64) {
	for side := range sideNames {
		strips[side] = v.strip(l, side, lineLimits.openFrom, lineLimits.openTo)
	}
	return strips
}

// openOf is openSides for known shares of the lines that lead out.
func (v *view) openOf(l lattice, strips [4]float64, mayReach bool) []string {
	var open []string
	for side, name := range sideNames {
		if strips[side] > lineLimits.openSeen &&
			(!mayReach || v.strip(l, side, lineLimits.furtherFrom, lineLimits.furtherTo) > lineLimits.openSeen) {
			open = append(open, name)
		}
	}
	return open
}
