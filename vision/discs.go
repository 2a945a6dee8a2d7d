package vision

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"tapwise/solvers/screen"
)

// disc is a filled circle of one colour, in pixels of the frame.
type disc struct {
	x, y, radius float64
}

// The rim of a disc is looked for in this many directions. A pipe may leave it
// over some of them.
const discDirections = 32

// The centre of a disc is at most this many radii from where it was looked for.
const discShift = 0.5

// discFinder finds discs of about the same size, at least four of them: those of
// the size of which there is the most.
type discFinder struct {
	*view
	masks  *masks
	levels []float32 // still to be looked at
	found  []disc    // of whatever size
}

func newDiscFinder(v *view, m *masks) *discFinder {
	// What is behind a disc may be as bright as another disc.
	return &discFinder{view: v, masks: m, levels: []float32{60, 100, 140, 180}}
}

// all are the discs that stand out by any level.
func (f *discFinder) all() ([]disc, error) {
	for len(f.levels) > 0 {
		if _, err := f.more(); err != nil {
			return nil, err
		}
	}
	return f.alike(), nil
}

// more looks for discs that stand out by the next level, and reports whether
// there are any that were not found before.
func (f *discFinder) more() (bool, error) {
	m := f.masks
	if min(m.size.X, m.size.Y) >= 500 { // fewer pixels tell as well about where a disc is
		m = m.halved()
	}
	peaks, err := m.peaksOfDistance(f.levels[0])
	if err != nil {
		return false, err
	}
	f.levels = f.levels[1:]
	before := len(f.found)
	scale := float64(m.factor)
	for _, at := range peaks {
		x, y, radius := (float64(at.x)+0.5)*scale-0.5, (float64(at.y)+0.5)*scale-0.5, float64(at.distance)*scale
		// One that is fitted from deep within another would be the same.
		if slices.ContainsFunc(f.found, func(o disc) bool { return math.Hypot(o.x-x, o.y-y)+discShift*radius < o.radius }) {
			continue
		}
		d, ok := f.fitDisc(x, y, radius)
		if ok && !slices.ContainsFunc(f.found, func(o disc) bool { return math.Hypot(o.x-d.x, o.y-d.y) < o.radius }) {
			f.found = append(f.found, d)
		}
	}
	return len(f.found) > before, nil
}

// alike are the discs of the size of which there is the most so far, none if
// they are fewer than four. Of the letters of words there may be more.
func (f *discFinder) alike() []disc {
	var most []disc
	for _, d := range f.found {
		var alike []disc
		for _, o := range f.found {
			if math.Abs(o.radius-d.radius) <= max(1, 0.06*d.radius) {
				alike = append(alike, o)
			}
		}
		if len(most) == 0 || float64(len(alike))*d.radius > float64(len(most))*most[0].radius {
			most = alike
		}
	}
	if len(most) < 4 {
		return nil
	}
	return most
}

// peakOfDistance is a pixel of the masks that is further from the background
// than those around it.
type peakOfDistance struct {
	x, y     int
	distance float32
}

// peaksOfDistance are the middles of what stands out from the background by
// more than a level: of discs, but also along pipes, of words, and so on.
func (m *masks) peaksOfDistance(level float32) ([]peakOfDistance, error) {
	bright, distance, labels := gocv.NewMat(), gocv.NewMat(), gocv.NewMat()
	defer bright.Close()
	defer distance.Close()
	defer labels.Close()
	gocv.Threshold(m.level, &bright, level, 255, gocv.ThresholdBinary)
	// Dark letters on discs are holes smaller than any cell.
	shorter := min(m.size.X, m.size.Y)
	if err := fillHoles(bright, 0.003*float64(shorter*shorter)); err != nil {
		return nil, err
	}
	gocv.DistanceTransform(bright, &distance, &labels, gocv.DistL2, gocv.DistanceMask5, gocv.DistanceLabelPixel)
	data, err := distance.DataPtrFloat32()
	if err != nil {
		return nil, fmt.Errorf("vision: %w", err)
	}
	least, most := float32(max(3, shorter/80)), float32(shorter/7)
	width := m.size.X
	var peaks []peakOfDistance
	for y := 1; y < m.size.Y-1; y++ {
		for x := 1; x < width-1; x++ {
			i := y*width + x
			d := data[i]
			if d < least || d > most || d < data[i-1] || d < data[i-width] || d < data[i-width-1] || d < data[i-width+1] ||
				d <= data[i+1] || d < data[i+width] || d < data[i+width-1] || d < data[i+width+1] {
				continue
			}
			peaks = append(peaks, peakOfDistance{x, y, d})
		}
	}
	return peaks, nil
}

// fitDisc looks for a disc's rim around a place where one may be, and reports
// whether most of it is there.
func (v *view) fitDisc(x, y, radius float64) (disc, bool) {
	d := disc{x, y, radius}
	const least = discDirections * 2 / 3
	for range 2 {
		xs, ys := make([]float64, 0, discDirections), make([]float64, 0, discDirections)
		for k := range discDirections {
			if len(xs)+discDirections-k < least {
				break
			}
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / discDirections)
			if r, ok := v.rim(d, cos, sin); ok {
				xs = append(xs, d.x+r*cos)
				ys = append(ys, d.y+r*sin)
			}
		}
		if len(xs) < least {
			return disc{}, false
		}
		var ok bool
		if d, ok = fitCircle(xs, ys); !ok || math.Hypot(d.x-x, d.y-y) > discShift*radius || math.Abs(d.radius-radius) > 0.4*radius {
			return disc{}, false
		}
		on := 0
		for i := range xs {
			if math.Abs(math.Hypot(xs[i]-d.x, ys[i]-d.y)-d.radius) <= max(1.5, 0.06*d.radius) {
				on++
			}
		}
		if on < discDirections*5/8 {
			return disc{}, false
		}
	}
	return d, true
}

// rim is how far from a disc's centre its rim lies in a direction: where the
// colour found near the rim within it changes to another that is darker, or
// lighter on a light background.
func (v *view) rim(d disc, cos, sin float64) (float64, bool) {
	const most = 64
	place := func(r float64) image.Point { return image.Pt(round(d.x+r*cos), round(d.y+r*sin)) }
	from, to := 0.8*d.radius, 1.25*d.radius+1
	near, far := place(from), place(to)
	if !near.In(v.pixels.Rect) || !far.In(v.pixels.Rect) {
		return 0, false
	}
	inner, outer := v.pixels.RGBAAt(near.X, near.Y), v.pixels.RGBAAt(far.X, far.Y)
	if screen.Contrast(inner, outer) < 40 || v.level(near.X, near.Y) <= v.level(far.X, far.Y) {
		return 0, false
	}
	// The place that parts the pixels between best: roughly, then closer.
	n := min(most, max(4, round(to-from)*2))
	at := func(k int) float64 { return from + (to-from)*float64(k)/float64(n) }
	beyond := func(k int) bool {
		p := place(at(k))
		c := v.pixels.RGBAAt(p.X, p.Y)
		return c != inner && screen.Contrast(c, outer) < screen.Contrast(c, inner)
	}
	const stride = 2
	k := stride
	for k < n && !beyond(k) {
		k += stride
	}
	for k -= stride - 1; k < n && !beyond(k); {
		k++
	}
	return at(k) - (to-from)/float64(2*n), true
}

// fitCircle is the circle nearest to points, by least squares (Kåsa).
func fitCircle(xs, ys []float64) (disc, bool) {
	mx, my := mean(xs), mean(ys)
	var suu, svv, suv, suuu, svvv, suvv, svuu float64
	for i := range xs {
		u, w := xs[i]-mx, ys[i]-my
		suu += u * u
		svv += w * w
		suv += u * w
		suuu += u * u * u
		svvv += w * w * w
		suvv += u * w * w
		svuu += w * u * u
	}
	det := suu*svv - suv*suv
	if math.Abs(det) < 1e-6 {
		return disc{}, false
	}
	a, b := (suuu+suvv)/2, (svvv+svuu)/2
	u, w := (a*svv-b*suv)/det, (b*suu-a*suv)/det
	return disc{mx + u, my + w, math.Sqrt(u*u + w*w + (suu+svv)/float64(len(xs)))}, true
}

// phase is how well values are multiples of a pitch, 0 to 1, and what is left
// over, 0 to the pitch.
func phase(values []float64, pitch float64) (fit, offset float64) {
	var re, im float64
	for _, v := range values {
		sin, cos := math.Sincos(2 * math.Pi * v / pitch)
		re += cos
		im += sin
	}
	offset = math.Atan2(im, re) / (2 * math.Pi) * pitch
	if offset < 0 {
		offset += pitch
	}
	return math.Hypot(re, im) / float64(len(values)), offset
}

// unzip is where discs lie, and their usual radius.
func unzip(discs []disc) (xs, ys []float64, radius float64) {
	var radii []float64
	for _, d := range discs {
		xs = append(xs, d.x)
		ys = append(ys, d.y)
		radii = append(radii, d.radius)
	}
	return xs, ys, medianFloat(radii)
}

// mostStrays is how many of so many discs may be something else beside the board,
// as a lamp on a button is.
func mostStrays(discs int) int { return discs / 8 }

// withStrays is how well discs fit a lattice, of which those that are on it fit by
// a least, and the strays not at all.
func withStrays(least float64, discs int) float64 {
	part := float64(mostStrays(discs)) / float64(discs)
	return least*(1-part) - part
}

// leaveOutStrays fits a lattice to discs, and again without those that do not lie on
// it, until all do. It gives those left out, unless they are too many. The fit
// tells whether the disc of an index lies on it; nil is no fit.
func leaveOutStrays(discs []disc, fit func([]disc) (lies func(i int) bool)) (strays []disc, ok bool) {
	for most := mostStrays(len(discs)); ; {
		lies := fit(discs)
		if lies == nil {
			return nil, false
		}
		var on []disc
		for i, d := range discs {
			if lies(i) {
				on = append(on, d)
			} else {
				strays = append(strays, d)
			}
		}
		if len(on) == len(discs) {
			return strays, true
		}
		if len(strays) > most {
			return nil, false
		}
		discs = on
	}
}

// discPitches are the radii of a disc in a cell, in pitches, that are looked
// for, and the steps in which they are.
const (
	leastDisc = 0.29
	mostDisc  = 0.41
)

// squareOfDiscs finds the lattice of squares in whose middles the discs lie. Discs
// are seen where lines are not: on boards dyed by pipes, and where lines are
// hardly brighter than what lies behind. How far the board goes beyond the
// discs, lines tell.
func squareOfDiscs(v *view, discs []disc, spec screen.Spec, seen *screen.Observation) lattice {
	if len(discs) == 0 {
		return lattice{}
	}
	xs, ys, radius := unzip(discs)
	span := max(slices.Max(xs)-slices.Min(xs), slices.Max(ys)-slices.Min(ys))
	var l lattice
	best := 0.0
	for pitch := radius / mostDisc; pitch <= radius/leastDisc; pitch *= 1 + 0.05*radius/span {
		fx, x0 := phase(xs, pitch)
		fy, y0 := phase(ys, pitch)
		if fit := min(fx, fy); fit > best {
			best = fit
			l = lattice{x0: x0 - pitch/2, y0: y0 - pitch/2, px: pitch, py: pitch}
		}
	}
	if best < withStrays(0.9, len(discs)) {
		return lattice{}
	}
	// The lattice nearest to the discs, and the cells that hold them.
	var cols, rows []float64
	strays, ok := leaveOutStrays(discs, func(discs []disc) func(i int) bool {
		xs, ys, _ := unzip(discs)
		cols, rows = indices(xs, l.x0, l.px), indices(ys, l.y0, l.py)
		l.x0, l.px = alignCentres(cols, xs, l.x0, l.px)
		l.y0, l.py = alignCentres(rows, ys, l.y0, l.py)
		return func(i int) bool {
			return math.Hypot(xs[i]-l.x(cols[i]+0.5), ys[i]-l.y(rows[i]+0.5)) <= 0.1*l.pitch()
		}
	})
	if !ok {
		return lattice{}
	}
	left, top := slices.Min(cols), slices.Min(rows)
	l.x0, l.y0 = l.x(left), l.y(top)
	l.cols, l.rows = round(slices.Max(cols)-left)+1, round(slices.Max(rows)-top)+1
	if l.rows > spec.MaxSide || l.cols > spec.MaxSide {
		return lattice{}
	}
	l = v.grow(l, spec.MaxSide)
	if l.rows < spec.MinSide || l.cols < spec.MinSide || l.rows > spec.MaxSide || l.cols > spec.MaxSide {
		return lattice{}
	}
	for _, d := range strays {
		if d.x > l.x(-0.5) && d.x < l.x(float64(l.cols)+0.5) && d.y > l.y(-0.5) && d.y < l.y(float64(l.rows)+0.5) {
			return lattice{}
		}
	}
	confidence := v.bounded(l)
	// Where hardly any cell has sides, something else is in rows and columns.
	if confidence < leastConfidence/2 || confidence <= seen.Confidence || v.continued(l) {
		return lattice{}
	}
	seen.Confidence, seen.Doubts = confidence, nil
	l.faint = true
	seen.Horizontal, seen.Vertical = v.lines(l)
	for r := range l.rows + 1 {
		for c := range l.cols {
			v.lookCloser(&seen.Horizontal[r*l.cols+c], l, r, c, false)
		}
	}
	for r := range l.rows {
		for c := range l.cols + 1 {
			v.lookCloser(&seen.Vertical[r*(l.cols+1)+c], l, r, c, true)
		}
	}
	return l
}

// continued reports whether lines lead out of the board over one of its sides. Close
// to it there may be words.
func (v *view) continued(l lattice) bool {
	size := v.size()
	for side := range sideNames {
		room := [...]float64{l.y0, float64(size.Y) - l.y(float64(l.rows)), l.x0, float64(size.X) - l.x(float64(l.cols))}[side] / l.pitch()
		if v.strip(l, side, 0.06, 0.2) > 0.6 && (room < 0.45 || v.strip(l, side, 0.25, 0.4) > 0.4) {
			return true
		}
	}
	return false
}

// lookCloser finds a line that stands out only all along the side together.
func (v *view) lookCloser(line *screen.Line, l lattice, r, c int, vertical bool) {
	const enough = 0.75
	if line.Support < enough && v.boundary(l, r, c, vertical) {
		line.Support = enough
		line.Width = max(line.Width, 1)
	}
}

func indices(values []float64, origin, pitch float64) []float64 {
	var index []float64
	for _, v := range values {
		index = append(index, math.Round((v-origin)/pitch-0.5))
	}
	return index
}

// alignCentres moves lines to where the centres between them are.
func alignCentres(index, at []float64, origin, pitch float64) (float64, float64) {
	if slices.Min(index) == slices.Max(index) {
		return mean(at) - (index[0]+0.5)*pitch, pitch
	}
	first, spacing := fitLine(index, at)
	return first - spacing/2, spacing
}

// boundary reports whether something begins or ends on one side of a cell.
func (v *view) boundary(l lattice, r, c int, vertical bool) bool {
	return v.edge(l, r, c, vertical) >= faintContrast
}

// edge is how much stands out on one side of a cell as a line, or half of what
// the colours on its two sides differ by.
func (v *view) edge(l lattice, r, c int, vertical bool) int {
	slack := max(2, round(0.03*l.pitch()))
	reach := 2*slack + 1
	x, y := l.x(float64(c)), l.y(float64(r))
	along, across := image.Pt(1, 0), image.Pt(0, 1)
	length := l.px
	if vertical {
		along, across = across, along
		length = l.py
		y += 0.5 * l.py
	} else {
		x += 0.5 * l.px
	}
	middle := image.Pt(round(x), round(y))
	// The colours across the side, each the mean of those along it but the
	// outermost: noise, and what is in the way, does not count.
	profile := make([]color.RGBA, 0, 2*reach+1)
	for k := -reach; k <= reach; k++ {
		var channels [3][]int
		for _, part := range samplesAlong {
			for extra := range 2 {
				p := middle.Add(along.Mul(round(part*length) + extra)).Add(across.Mul(k))
				if !p.In(v.pixels.Rect) {
					continue
				}
				c := v.pixels.RGBAAt(p.X, p.Y)
				channels[0] = append(channels[0], int(c.R))
				channels[1] = append(channels[1], int(c.G))
				channels[2] = append(channels[2], int(c.B))
			}
		}
		if len(channels[0]) < len(samplesAlong) {
			return fullContrast // the frame ends here
		}
		profile = append(profile, color.RGBA{middleMean(channels[0]), middleMean(channels[1]), middleMean(channels[2]), 255})
	}
	before, after := profile[0], profile[len(profile)-1]
	most := screen.Contrast(before, after) / 2
	for _, c := range profile[slack+1 : len(profile)-slack-1] {
		most = max(most, min(screen.Contrast(c, before), screen.Contrast(c, after)))
	}
	return most
}

// middleMean is the mean of the middle half of some values.
func middleMean(values []int) uint8 {
	slices.Sort(values)
	values = values[len(values)/4 : len(values)-len(values)/4]
	sum := 0
	for _, v := range values {
		sum += v
	}
	return uint8(sum / len(values))
}

// grow adds rows and columns of cells as long as there are such beyond a side.
func (v *view) grow(l lattice, maxSide int) lattice {
	for changed := true; changed && l.rows <= maxSide && l.cols <= maxSide; {
		changed = false
		for side := range 4 {
			wider := l
			switch side {
			case 0:
				wider.y0 -= l.py
				wider.rows++
			case 1:
				wider.rows++
			case 2:
				wider.x0 -= l.px
				wider.cols++
			case 3:
				wider.cols++
			}
			b := wider.bounds().Inset(round(0.1 * l.pitch()))
			if b.In(v.pixels.Rect) && v.cellsBeyond(wider, side) {
				l = wider
				changed = true
			}
		}
	}
	return l
}

// cellsBeyond reports whether the outermost row or column on a side is one of
// cells: it has an outer line, and lines between, and hardly any right beside
// these, as a picture or words would have.
func (v *view) cellsBeyond(l lattice, side int) bool {
	outer, between, beside, n := 0, 0, 0, l.cols
	aside := l
	inward := 0.2
	if side%2 == 1 {
		inward = -inward
	}
	if side < 2 {
		aside.y0 += inward * l.py
	} else {
		aside.x0 += inward * l.px
	}
	row, col := 0, 0
	switch side {
	case 1:
		row = l.rows - 1
	case 2:
		n = l.rows
	case 3:
		n, col = l.rows, l.cols-1
	}
	for k := range n {
		if side < 2 {
			edge := v.edge(l, row+side, k, false)
			if edge >= faintContrast {
				outer++
			}
			if 2*v.edge(aside, row+side, k, false) > edge {
				beside++
			}
			if k > 0 && v.boundary(l, row, k, true) {
				between++
			}
		} else {
			edge := v.edge(l, k, col+side-2, true)
			if edge >= faintContrast {
				outer++
			}
			if 2*v.edge(aside, k, col+side-2, true) > edge {
				beside++
			}
			if k > 0 && v.boundary(l, k, col, false) {
				between++
			}
		}
	}
	return 5*outer >= 4*n && 5*between >= 3*(n-1) && 2*beside <= n
}

// bounded is the share of the cells' sides on which something begins or ends.
func (v *view) bounded(l lattice) float64 {
	n := 0
	for r := range l.rows + 1 {
		for c := range l.cols + 1 {
			if c < l.cols && v.boundary(l, r, c, false) {
				n++
			}
			if r < l.rows && v.boundary(l, r, c, true) {
				n++
			}
		}
	}
	return float64(n) / float64(l.rows*(l.cols+1)+l.cols*(l.rows+1))
}
