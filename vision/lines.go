package vision

import (
	"image/color"
	"math"
	"slices"

	"tapwise/solvers/screen"
)

// A side of a cell is sampled at these places along it, in pitches from its
// middle, where neither a pipe nor a crossing line is in the way.
var samplesAlong = [...]float64{-0.41, -0.35, -0.29, -0.23, 0.23, 0.29, 0.35, 0.41}

// cut is what stands out across a line at one place.
type cut struct {
	offset   float64 // of the line's middle from where it was expected, in pixels
	contrast int     // of the line's level from the higher of both sides
	width    int     // in pixels at half the contrast
	colour   color.RGBA
}

// cutAcross looks at the pixels through x,y across a vertical or horizontal line.
func (v *view) cutAcross(l lattice, x, y float64, vertical bool) (cut, bool) {
	reach := max(4, round(0.13*l.pitch()))
	search := max(2, round(0.05*l.pitch()))
	if l.contrast > 0 { // the lattice lies where its lines are
		search = max(2, round(0.015*l.pitch()))
	}
	cx, cy := round(x), round(y)
	dx, dy := 0, 1
	middle := y
	if vertical {
		dx, dy = 1, 0
		middle = x
	}
	size := v.size()
	var levels [129]int
	reach = min(reach, len(levels)/2)
	search = min(search, reach-1)
	low, high := -reach, reach // the part inside the frame
	for low < 0 && (cx+low*dx < 0 || cy+low*dy < 0) {
		low++
	}
	for high > 0 && (cx+high*dx >= size.X || cy+high*dy >= size.Y) {
		high--
	}
	if cx < 0 || cy < 0 || cx >= size.X || cy >= size.Y {
		return cut{}, false
	}
	peak := max(low, -search)
	for k := low; k <= high; k++ {
		levels[k+reach] = v.level(cx+k*dx, cy+k*dy)
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

// cutOf is what stands out at the peak of the levels across a line: its middle is
// counted from the first of them, and it has no colour. Where too little is seen
// beside it, it is not known.
func cutOf(levels []int, peak int) (cut, bool) {
	base := max(background(levels[:max(0, peak-1)]), background(levels[min(len(levels), peak+2):]))
	if base < 0 {
		return cut{}, false
	}
	c := cut{contrast: levels[peak] - base}
	if c.contrast <= 0 {
		return c, true
	}
	half := base + (c.contrast+1)/2
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

// line looks at one side of a cell: the vertical one left of cell r,c or the
// horizontal one above it.
func (v *view) line(l lattice, r, c int, vertical bool) []cut {
	var cuts []cut
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

// background is the level beside a line; -1 where too little is seen, at the
// frame's rim. Some pixels may be the line's own, or words' right beside it: the
// lowest are not.
func background(levels []int) int {
	if len(levels) < 2 {
		return -1
	}
	var room [129]int
	sorted := append(room[:0], levels...)
	slices.Sort(sorted)
	return sorted[len(sorted)/8]
}

// isLine reports whether a cut looks like one across a line of the lattice: it
// stands out on both sides, and is not the rim of something wide. Over glow and
// tints a line stands out by much less than elsewhere.
func (c cut) isLine(l lattice) bool {
	return c.contrast >= max(l.least(), l.contrast/8) && float64(c.width) <= max(3, 0.14*l.pitch())
}

// summary is the line that cuts are across, at so many of the places that were
// looked at.
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

func median(values []int) int {
	slices.Sort(values)
	return values[len(values)/2]
}

// lines looks at every side of every cell.
func (v *view) lines(l lattice) (horizontal, vertical []screen.Line) {
	look := func(r, c int, vertical bool) screen.Line {
		cuts := slices.DeleteFunc(v.line(l, r, c, vertical), func(c cut) bool { return !c.isLine(l) })
		return summary(cuts, len(samplesAlong))
	}
	for r := range l.rows + 1 {
		for c := range l.cols {
			horizontal = append(horizontal, look(r, c, false))
		}
	}
	for r := range l.rows {
		for c := range l.cols + 1 {
			vertical = append(vertical, look(r, c, true))
		}
	}
	return horizontal, vertical
}

// supported is the share of the cells' sides on which there is a line.
func supported(horizontal, vertical []screen.Line) float64 {
	n := 0
	for _, lines := range [][]screen.Line{horizontal, vertical} {
		for _, line := range lines {
			if line.Support >= 0.5 {
				n++
			}
		}
	}
	return float64(n) / float64(len(horizontal)+len(vertical))
}

// refine moves the lattice to where its lines are seen at full resolution: a
// line's place is the median of the cuts across it, the lattice's the least
// squares of its lines'.
func (v *view) refine(l lattice) lattice {
	var index, place [2][]float64 // of columns, of rows
	var contrasts []int
	for axis, count := range [2]int{l.cols, l.rows} {
		along := l.rows + l.cols - count
		for i := range count + 1 {
			var offsets []float64
			for k := range along {
				row, col := k, i
				if axis == 1 {
					row, col = i, k
				}
				for _, c := range v.line(l, row, col, axis == 0) {
					if c.isLine(l) {
						offsets = append(offsets, c.offset)
						contrasts = append(contrasts, c.contrast)
					}
				}
			}
			if len(offsets) == 0 {
				continue
			}
			expected := l.x(float64(i))
			if axis == 1 {
				expected = l.y(float64(i))
			}
			index[axis] = append(index[axis], float64(i))
			place[axis] = append(place[axis], expected+medianFloat(offsets))
		}
	}
	if len(index[0]) < 2 || len(index[1]) < 2 {
		return l
	}
	l.contrast = median(contrasts)
	x0, px := fitLine(index[0], place[0])
	y0, py := fitLine(index[1], place[1])
	if math.Abs(px-l.px) > 0.02*l.px || math.Abs(py-l.py) > 0.02*l.py {
		return l
	}
	l.x0, l.px, l.y0, l.py = x0, px, y0, py
	return l
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

func medianFloat(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// strip is the share of the lines that lead out of a side of the board, at
// near to far pitches from it: of the lines that would make one more row or
// column of cells there.
func (v *view) strip(l lattice, side int, near, far float64) float64 {
	var n, on int
	count := l.cols
	if side >= 2 {
		count = l.rows
	}
	for k := 0; k <= count; k++ {
		for i := range 4 {
			out := near + (far-near)*(float64(i)+0.5)/4
			x, y := l.x(float64(k)), l.y(float64(k))
			switch side {
			case 0:
				y = l.y(0) - out*l.pitch()
			case 1:
				y = l.y(float64(l.rows)) + out*l.pitch()
			case 2:
				x = l.x(0) - out*l.pitch()
			case 3:
				x = l.x(float64(l.cols)) + out*l.pitch()
			}
			c, ok := v.cutAcross(l, x, y, side < 2)
			if !ok {
				continue
			}
			n++
			if c.isLine(l) && c.contrast >= l.contrast/3 {
				on++
			}
		}
	}
	if n < 4*(count+1)/2 {
		return 0
	}
	return float64(on) / float64(n)
}

var sideNames = [...]string{"upper", "lower", "left", "right"}

// trim adds the rows and columns whose outer line is cut off by the frame's
// rim, and takes away those that are none.
func (v *view) trim(l lattice, maxSide int) lattice {
	size := v.size()
	for side := range 4 {
		room := [...]float64{l.y0, float64(size.Y) - l.y(float64(l.rows)), l.x0, float64(size.X) - l.x(float64(l.cols))}[side] / l.pitch()
		if room > 0.85 && room < 1.15 && v.strip(l, side, 0.1, 0.8) > 0.7 {
			switch side {
			case 0:
				l.y0 -= l.py
				l.rows++
			case 1:
				l.rows++
			case 2:
				l.x0 -= l.px
				l.cols++
			case 3:
				l.cols++
			}
		}
	}
	return l
}

// reachOver tells, of the sides in the rim, how far the lines at their ends reach
// over it.
func (v *view) reachOver(l lattice, horizontal, vertical []screen.Line) {
	share := func(col, row, dx, dy float64) float64 {
		const samples = 4
		on := 0
		for i := range samples {
			out := 0.03 + 0.07*float64(i)/(samples-1)
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

// openSides are the sides over which the lattice's lines go on. Where they may
// reach a little over the rim, they must go on further than that.
func (v *view) openSides(l lattice, mayReach bool) []string {
	const least = 0.6
	var open []string
	for side, name := range sideNames {
		if v.strip(l, side, 0.06, 0.2) > least && (!mayReach || v.strip(l, side, 0.16, 0.3) > least) {
			open = append(open, name)
		}
	}
	return open
}
