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

// discLimits bound the search for discs, and for the lattices in whose cells they lie.
var discLimits = struct {
	levels                                     [4]float32
	halvedFrom, leastDiscs                     int
	holeArea                                   float64
	radiusPixels, radiusPart, mostRadiusPart   int
	shift, radiusChange                        float64
	seen, onCircle                             float64
	offPixels, off                             float64
	rimFrom, rimTo, rimBeyond                  float64
	rimContrast                                int
	alikePixels, alike                         float64
	strayPart                                  int
	leastRadius, mostRadius, pitchStep         float64
	squareFit, onCell                          float64
	bounded                                    float64
	openSeen, openFrom, openTo                 float64
	furtherSeen, furtherFrom, furtherTo, words float64
	found                                      float64
	edgePixels                                 int
	edge                                       float64
	inset, beside                              float64
	outerSeen, betweenSeen, besideSeen         float64
}{
	levels:         [4]float32{60, 100, 140, 180}, // brightness levels: discs stand out by more than one of these; the surroundings of a disc may be as bright as another disc
	halvedFrom:     500,                           // pixels: half the resolution is enough if the masks' shorter side is at least this long
	holeArea:       0.003,                         // shorter sides squared: holes smaller than this are dark letters on discs; every cell is larger
	radiusPixels:   3,                             // pixels of the masks: the radius of a disc is at least this,
	radiusPart:     80,                            // 1/n of the shorter side: at least this,
	mostRadiusPart: 7,                             // 1/n of the shorter side: and at most this
	shift:          0.5,                           // radii: a disc's centre is at most this far from where it was looked for
	radiusChange:   0.4,                           // radii: a disc's radius differs from the expected one by at most this
	seen:           0.65,                          // share of the directions: the rim is seen in at least this many; a pipe may leave the disc in some
	onCircle:       0.625,                         // share of the directions: the rim is on the circle in at least this many
	offPixels:      1.5,                           // pixels: a rim on the circle is off by at most this, or
	off:            0.06,                          // radii: by at most this, whichever is more
	rimFrom:        0.8,                           // radii: the rim is looked for from this far from the centre,
	rimTo:          1.25,                          // radii: to this far,
	rimBeyond:      1,                             // pixels: and this much further
	rimContrast:    40,                            // brightness levels: the colours inside and outside of a rim differ by at least this
	alikePixels:    1,                             // pixels: radii that differ by at most this are alike, or
	alike:          0.06,                          // radii: by at most this, whichever is more
	leastDiscs:     4,                             // discs: a board shows at least this many
	strayPart:      8,                             // 1/n of the discs: at most this many lie beside the board, like a lamp on a button
	leastRadius:    0.29,                          // pitches: the radius of a disc in a cell is at least this
	mostRadius:     0.41,                          // pitches: the radius of a disc in a cell is at most this
	pitchStep:      0.05,                          // radii: one pitch to be tried differs from the next by this at the far end of the board
	squareFit:      0.9,                           // fit: discs fit a lattice of squares at least this well
	onCell:         0.1,                           // pitches: a disc is at most this far from the middle of its cell
	bounded:        0.25,                          // share of the cells' sides: lines or edges are seen on at least this many; otherwise the discs are no board's
	openSeen:       0.6,                           // share of the lines beyond a side: the board goes on there if more than this many are seen
	openFrom:       0.06,                          // pitches: these lines are looked for from this far beyond the board,
	openTo:         0.2,                           // pitches: to this far, and
	furtherSeen:    0.4,                           // share of these lines: also if more than this many are seen
	furtherFrom:    0.25,                          // pitches: from this far
	furtherTo:      0.4,                           // pitches: to this far, since there may be words close to the board,
	words:          0.45,                          // pitches: if at least this much is between the board and the frame's rim
	found:          0.75,                          // support: a line that stands out only along a whole side is given this
	edgePixels:     2,                             // pixels: a line or an edge is looked for this far from where a side should be, or
	edge:           0.03,                          // pitches: this far, whichever is more
	inset:          0.1,                           // pitches: one more row may reach this far out of the frame
	outerSeen:      0.8,                           // share of the outer sides of one more row: lines or edges are seen on at least this many,
	betweenSeen:    0.6,                           // share of the sides between its cells: on at least this many,
	beside:         0.2,                           // pitches: and this far inside of the outer sides
	besideSeen:     0.5,                           // share of the outer sides: there is something half as strong on at most this many
}

// discDirections is the number of directions in which the rim of a disc is looked
// for.
const discDirections = 32

// discWays are these directions.
var discWays = func() (ways [discDirections]struct{ sin, cos float64 }) {
	for k := range ways {
		ways[k].sin, ways[k].cos = math.Sincos(2 * math.Pi * float64(k) / discDirections)
	}
	return ways
}()

// discFinder finds discs of about the same size. The size is the one whose discs
// have the greatest sum of radii.
type discFinder struct {
	*view
	masks  *masks
	levels []float32 // still to be looked at
	found  []disc    // of any size
}

func newDiscFinder(v *view, m *masks) *discFinder {
	return &discFinder{view: v, masks: m, levels: discLimits.levels[:]}
}

// all are the discs that stand out by any of the levels.
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
	if min(m.size.X, m.size.Y) >= discLimits.halvedFrom { // fewer pixels show a disc's place as well
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
		// A disc that is fitted from deep within another would be the same.
		if slices.ContainsFunc(f.found, func(o disc) bool { return math.Hypot(o.x-x, o.y-y)+discLimits.shift*radius < o.radius }) {
			continue
		}
		d, ok := f.fitDisc(x, y, radius)
		if ok && !slices.ContainsFunc(f.found, func(o disc) bool { return math.Hypot(o.x-d.x, o.y-d.y) < o.radius }) {
			f.found = append(f.found, d)
		}
	}
	return len(f.found) > before, nil
}

// alike are the discs found so far that have the size with the greatest sum of
// radii, none if there are too few for a board. Discs in letters may be more in
// number, but they are small.
func (f *discFinder) alike() []disc {
	var most []disc
	for _, d := range f.found {
		var alike []disc
		for _, o := range f.found {
			if math.Abs(o.radius-d.radius) <= max(discLimits.alikePixels, discLimits.alike*d.radius) {
				alike = append(alike, o)
			}
		}
		if len(most) == 0 || float64(len(alike))*d.radius > float64(len(most))*most[0].radius {
			most = alike
		}
	}
	if len(most) < discLimits.leastDiscs {
		return nil
	}
	return most
}

// peakOfDistance is a local maximum of the distance transform: a pixel of the masks
// that is further from the background than the pixels around it.
type peakOfDistance struct {
	x, y     int
	distance float32
}

// peaksOfDistance are the middles of what stands out from the background by more
// than a level: the middles of discs, but also places along pipes and in words.
func (m *masks) peaksOfDistance(level float32) ([]peakOfDistance, error) {
	bright := gocv.NewMat()
	defer bright.Close()
	gocv.Threshold(m.level, &bright, level, 255, gocv.ThresholdBinary)
	shorter := min(m.size.X, m.size.Y)
	if err := fillHoles(bright, discLimits.holeArea*float64(shorter*shorter)); err != nil {
		return nil, err
	}
	least, most := int32(max(discLimits.radiusPixels, shorter/discLimits.radiusPart)*distanceUnit), int32(shorter/discLimits.mostRadiusPart*distanceUnit)
	var peaks []peakOfDistance
	err := withDistances(bright, func(distances distances) {
		of, below := distances.of, distances.stride
		for y := 1; y < m.size.Y-1; y++ {
			if distances.farthest[y] < least {
				continue
			}
			for x := 1; x < m.size.X-1; x++ {
				i := distances.first + y*below + x
				d := of[i]
				if d < least || d > most || d < of[i-1] || d < of[i-below] || d < of[i-below-1] || d < of[i-below+1] ||
					d <= of[i+1] || d < of[i+below] || d < of[i+below-1] || d < of[i+below+1] {
					continue
				}
				peaks = append(peaks, peakOfDistance{x, y, float32(d) / distanceUnit})
			}
		}
	})
	return peaks, err
}

// fitDisc fits a circle to the rim that is seen around a place where a disc may be,
// and reports whether most of a rim is there.
func (v *view) fitDisc(x, y, radius float64) (disc, bool) {
	d := disc{x, y, radius}
	least := int(math.Ceil(discLimits.seen * discDirections))
	for range 2 {
		xs, ys := make([]float64, 0, discDirections), make([]float64, 0, discDirections)
		for k := range discDirections {
			if len(xs)+discDirections-k < least {
				break
			}
			sin, cos := discWays[k].sin, discWays[k].cos
			if r, ok := v.rim(d, cos, sin); ok {
				xs = append(xs, d.x+r*cos)
				ys = append(ys, d.y+r*sin)
			}
		}
		if len(xs) < least {
			return disc{}, false
		}
		var ok bool
		if d, ok = fitCircle(xs, ys); !ok || math.Hypot(d.x-x, d.y-y) > discLimits.shift*radius || math.Abs(d.radius-radius) > discLimits.radiusChange*radius {
			return disc{}, false
		}
		on := 0
		for i := range xs {
			if math.Abs(math.Hypot(xs[i]-d.x, ys[i]-d.y)-d.radius) <= max(discLimits.offPixels, discLimits.off*d.radius) {
				on++
			}
		}
		if !atLeast(on, discDirections, discLimits.onCircle) {
			return disc{}, false
		}
	}
	return d, true
}

// rim is the distance from a disc's centre to its rim in a direction. The rim is
// where the colour inside changes to another that is darker, or lighter on a light
// background. It reports whether there is such a change.
func (v *view) rim(d disc, cos, sin float64) (float64, bool) {
	const most, stride = 64, 2 // of the places that are looked at
	from, to := discLimits.rimFrom*d.radius, discLimits.rimTo*d.radius+discLimits.rimBeyond
	inner, ok := v.at(d.x+from*cos, d.y+from*sin)
	if !ok {
		return 0, false
	}
	outer, ok := v.at(d.x+to*cos, d.y+to*sin)
	if !ok || screen.Contrast(inner, outer) < discLimits.rimContrast || v.levelOf(inner) <= v.levelOf(outer) {
		return 0, false
	}
	// The first place beyond the rim: roughly, then exactly.
	n := min(most, max(4, round(to-from)*2))
	at := func(k int) float64 { return from + (to-from)*float64(k)/float64(n) }
	beyond := func(k int) bool {
		r := at(k)
		c, _ := v.at(d.x+r*cos, d.y+r*sin)
		return c != inner && screen.Contrast(c, outer) < screen.Contrast(c, inner)
	}
	k := stride
	for k < n && !beyond(k) {
		k += stride
	}
	for k -= stride - 1; k < n && !beyond(k); {
		k++
	}
	return at(k) - (to-from)/float64(2*n), true
}

// at is the pixel at a place, black beyond the frame. It reports whether it is on the frame.
func (v *view) at(x, y float64) (color.RGBA, bool) {
	px, py := round(x), round(y)
	if size := v.size(); uint(px) >= uint(size.X) || uint(py) >= uint(size.Y) {
		return color.RGBA{}, false
	}
	i := py*v.pixels.Stride + 4*px
	p := v.pixels.Pix[i : i+4 : i+4]
	return color.RGBA{p[0], p[1], p[2], p[3]}, true
}

// levelOf is the level of a colour.
func (v *view) levelOf(c color.RGBA) int { return levelOf([]uint8{c.R, c.G, c.B}, v.dark) }

// singular bounds the determinants of equations that have no solution.
const singular = 1e-6

// fitCircle is the circle nearest to points, by least squares (Kåsa). It reports
// whether there is one: the points must not lie on a line.
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
	if math.Abs(det) < singular {
		return disc{}, false
	}
	a, b := (suuu+suvv)/2, (svvv+svuu)/2
	u, w := (a*svv-b*suv)/det, (b*suu-a*suv)/det
	return disc{mx + u, my + w, math.Sqrt(u*u + w*w + (suu+svv)/float64(len(xs)))}, true
}

// phase fits multiples of a pitch, shifted by an offset, to values. The fit is 0 to
// 1, the offset 0 to the pitch.
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

// unzip is the centres of discs and their median radius.
func unzip(discs []disc) (xs, ys []float64, radius float64) {
	var radii []float64
	for _, d := range discs {
		xs = append(xs, d.x)
		ys = append(ys, d.y)
		radii = append(radii, d.radius)
	}
	return xs, ys, median(radii)
}

// mostStrays is the number of discs that may be something else beside the board,
// given the number of all.
func mostStrays(discs int) int { return discs / discLimits.strayPart }

// withStrays is the least fit of discs to a lattice when those on it have the fit
// least and the strays are spread as badly as can be.
func withStrays(least float64, discs int) float64 {
	part := float64(mostStrays(discs)) / float64(discs)
	return least*(1-part) - part
}

// leaveOutStrays fits a lattice to discs, and again without the discs that do not
// lie on it, until all do. It returns the discs left out, and reports whether they
// are few enough. The function fit returns nil where nothing fits, else a function
// that says whether the disc of an index lies on the lattice.
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

// discPitches tries the pitches that a lattice of discs of a radius may have.
// Discs span a length over which the error of the pitch adds up.
func discPitches(radius, span float64, try func(pitch float64)) {
	for pitch := radius / discLimits.mostRadius; pitch <= radius/discLimits.leastRadius; pitch *= 1 + discLimits.pitchStep*radius/span {
		try(pitch)
	}
}

// bySquareDiscs is the finder of squares by the discs in them.
const bySquareDiscs = "discs in squares"

// squaresOfDiscs looks for squares by the discs of all levels.
func (s *search) squaresOfDiscs() ([]hypothesis, error) {
	all, err := s.discs.all()
	if err != nil {
		return nil, err
	}
	h := s.squareOfDiscs(all)
	h.figures = circles(all)
	return []hypothesis{h}, nil
}

// circles are figures around discs.
func circles(discs []disc) []screen.Figure {
	const corners = 16
	figures := make([]screen.Figure, 0, len(discs))
	for _, d := range discs {
		f := screen.Figure{Name: "disc"}
		for k := range corners + 1 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / corners)
			f.Points = append(f.Points, image.Pt(round(d.x+d.radius*cos), round(d.y+d.radius*sin)))
		}
		figures = append(figures, f)
	}
	return figures
}

// squareOfDiscs finds the lattice of squares in whose middles the discs lie. Discs are
// seen where lines are not: on boards dyed by pipes, and where lines are hardly brighter
// than the background. Lines tell how far the board goes beyond the discs.
func (s *search) squareOfDiscs(discs []disc) hypothesis {
	v, spec := s.view, s.spec
	lacks := func(why string) hypothesis { return lacking(bySquareDiscs, why) }
	l, strays, ok := squareLattice(discs)
	if !ok {
		return lacks(fmt.Sprintf("%d discs that are alike, not in rows and columns", len(discs)))
	}
	if l.rows <= spec.MaxSide && l.cols <= spec.MaxSide {
		l = v.grow(l, spec.MaxSide)
	}
	if !l.within(spec) {
		return lacks(fmt.Sprintf("discs on %d columns and %d rows, expected %d to %d", l.cols, l.rows, spec.MinSide, spec.MaxSide))
	}
	for _, d := range strays {
		if d.x > l.x(-0.5) && d.x < l.x(float64(l.cols)+0.5) && d.y > l.y(-0.5) && d.y < l.y(float64(l.rows)+0.5) {
			return lacks("a disc on the board lies in no cell's middle")
		}
	}
	confidence := v.bounded(l)
	switch {
	case confidence < discLimits.bounded:
		return lacks(fmt.Sprintf("lines are seen on too few sides of its cells (%.0f %%, expected %.0f)", hundred*confidence, hundred*discLimits.bounded))
	case !spec.Candidates && confidence <= s.best().confidence:
		return lacks("less certain than the board found by its lines")
	case v.continued(l):
		return lacks("lines lead out of the board")
	}
	l.faint = true
	h := hypothesis{finder: bySquareDiscs, lattice: l, fit: 1, layout: l.layout(s.on), confidence: confidence}
	h.horizontal, h.vertical = v.linesCloselyOf(l)
	return h
}

// linesCloselyOf looks at every side of every cell, and again at those where a line
// stands out only when the whole side is taken together.
func (v *view) linesCloselyOf(l lattice) (horizontal, vertical []screen.Line) {
	horizontal, vertical = v.lines(l)
	for r := range l.rows + 1 {
		for c := range l.cols {
			v.lookCloser(&horizontal[r*l.cols+c], l, r, c, false)
		}
	}
	for r := range l.rows {
		for c := range l.cols + 1 {
			v.lookCloser(&vertical[r*(l.cols+1)+c], l, r, c, true)
		}
	}
	return horizontal, vertical
}

// squareLattice is the smallest lattice of squares in whose middles discs lie, and
// the few discs that do not lie on it. It reports whether there is one.
func squareLattice(discs []disc) (l lattice, strays []disc, ok bool) {
	if len(discs) == 0 {
		return lattice{}, nil, false
	}
	xs, ys, radius := unzip(discs)
	span := max(slices.Max(xs)-slices.Min(xs), slices.Max(ys)-slices.Min(ys))
	best := 0.0
	discPitches(radius, span, func(pitch float64) {
		fx, x0 := phase(xs, pitch)
		fy, y0 := phase(ys, pitch)
		if fit := min(fx, fy); fit > best {
			best = fit
			l = lattice{x0: x0 - pitch/2, y0: y0 - pitch/2, px: pitch, py: pitch}
		}
	})
	if best < withStrays(discLimits.squareFit, len(discs)) {
		return lattice{}, nil, false
	}
	// The lattice nearest to the discs, and the cells that hold them.
	var cols, rows []float64
	strays, ok = leaveOutStrays(discs, func(discs []disc) func(i int) bool {
		xs, ys, _ := unzip(discs)
		cols, rows = indices(xs, l.x0, l.px), indices(ys, l.y0, l.py)
		l.x0, l.px = alignCentres(cols, xs, l.x0, l.px)
		l.y0, l.py = alignCentres(rows, ys, l.y0, l.py)
		return func(i int) bool {
			return math.Hypot(xs[i]-l.x(cols[i]+0.5), ys[i]-l.y(rows[i]+0.5)) <= discLimits.onCell*l.pitch()
		}
	})
	if !ok {
		return lattice{}, nil, false
	}
	left, top := slices.Min(cols), slices.Min(rows)
	l.x0, l.y0 = l.x(left), l.y(top)
	l.cols, l.rows = round(slices.Max(cols)-left)+1, round(slices.Max(rows)-top)+1
	return l, strays, true
}

// continued reports whether lines lead out of the board over one of its sides.
// There may be words close to it.
func (v *view) continued(l lattice) bool {
	for side, room := range l.room(v.size()) {
		if v.strip(l, side, discLimits.openFrom, discLimits.openTo) > discLimits.openSeen &&
			(room < discLimits.words || v.strip(l, side, discLimits.furtherFrom, discLimits.furtherTo) > discLimits.furtherSeen) {
			return true
		}
	}
	return false
}

// lookCloser corrects a line of one side of a cell where it stands out only when
// the whole side is taken together.
func (v *view) lookCloser(line *screen.Line, l lattice, r, c int, vertical bool) {
	if line.Support < discLimits.found && v.boundary(l, r, c, vertical) {
		line.Support = discLimits.found
		line.Width = max(line.Width, 1)
	}
}

// indices are the numbers of the cells in which values lie, in one direction.
func indices(values []float64, origin, pitch float64) []float64 {
	var index []float64
	for _, v := range values {
		index = append(index, math.Round((v-origin)/pitch-0.5))
	}
	return index
}

// alignCentres fits equally spaced lines to the centres between them, by least
// squares. It returns the place of the first line, and the pitch.
func alignCentres(index, at []float64, origin, pitch float64) (float64, float64) {
	if slices.Min(index) == slices.Max(index) {
		return mean(at) - (index[0]+0.5)*pitch, pitch
	}
	first, spacing := fitLine(index, at)
	return first - spacing/2, spacing
}

// boundary reports whether there is a line or an edge between two colours on one
// side of a cell.
func (v *view) boundary(l lattice, r, c int, vertical bool) bool {
	return v.edge(l, r, c, vertical) >= maskLimits.faintContrast
}

// edge is the contrast on one side of a cell, in brightness levels: that of a line
// with both its sides, or half the contrast of the two sides.
func (v *view) edge(l lattice, r, c int, vertical bool) int {
	slack := max(discLimits.edgePixels, round(discLimits.edge*l.pitch()))
	profile, ok := v.profileAcross(l, r, c, vertical, 2*slack+1)
	if !ok {
		return maskLimits.fullContrast // the frame ends here
	}
	before, after := profile[0], profile[len(profile)-1]
	most := screen.Contrast(before, after) / 2
	for _, c := range profile[slack+1 : len(profile)-slack-1] {
		most = max(most, min(screen.Contrast(c, before), screen.Contrast(c, after)))
	}
	return most
}

// profileAcross is the colours across one side of a cell, from reach pixels before
// it to reach pixels after it. Each is the mean of the pixels along the side
// without the outermost values, so that noise and obstacles do not count.
// It reports whether the side is on the frame.
func (v *view) profileAcross(l lattice, r, c int, vertical bool, reach int) ([]color.RGBA, bool) {
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
	profile := make([]color.RGBA, 0, 2*reach+1)
	// Of each place along the side two neighbouring pixels are looked at.
	var places [2 * len(samplesAlong)]image.Point
	for i, part := range samplesAlong {
		for extra := range 2 {
			places[2*i+extra] = middle.Add(along.Mul(round(part*length) + extra))
		}
	}
	for k := -reach; k <= reach; k++ {
		var channels [3][len(places)]uint8
		n := 0
		for _, p := range places {
			p = p.Add(across.Mul(k))
			if !p.In(v.pixels.Rect) {
				continue
			}
			i := p.Y*v.pixels.Stride + 4*p.X
			c := v.pixels.Pix[i : i+3 : i+3]
			channels[0][n], channels[1][n], channels[2][n] = c[0], c[1], c[2]
			n++
		}
		if n < len(samplesAlong) {
			return nil, false
		}
		profile = append(profile, color.RGBA{middleMean(channels[0][:n]), middleMean(channels[1][:n]), middleMean(channels[2][:n]), 255})
	}
	return profile, true
}

// middleMean is the mean of the middle half of values, which it sorts.
func middleMean(values []uint8) uint8 {
	for i, value := range values {
		at := i
		for ; at > 0 && values[at-1] > value; at-- {
			values[at] = values[at-1]
		}
		values[at] = value
	}
	values = values[len(values)/4 : len(values)-len(values)/4]
	sum := 0
	for _, v := range values {
		sum += int(v)
	}
	return uint8(sum / len(values))
}

// grow adds rows and columns as long as there are cells beyond a side.
func (v *view) grow(l lattice, maxSide int) lattice {
	for changed := true; changed && l.rows <= maxSide && l.cols <= maxSide; {
		changed = false
		for side := range sideNames {
			wider := l.beyond(side)
			b := wider.bounds().Inset(round(discLimits.inset * l.pitch()))
			if b.In(v.pixels.Rect) && v.cellsBeyond(wider, side) {
				l = wider
				changed = true
			}
		}
	}
	return l
}

// cellsBeyond reports whether the outermost row or column on a side consists of
// cells: it has an outer line and lines between cells, and hardly any lines right
// beside the outer one, as a picture or words would have.
func (v *view) cellsBeyond(l lattice, side int) bool {
	vertical := side >= left // the outer line
	inward := discLimits.beside
	if side == lower || side == right {
		inward = -inward
	}
	aside := l
	n := l.cols
	if vertical {
		n = l.rows
		aside.x0 += inward * l.px
	} else {
		aside.y0 += inward * l.py
	}
	outer, between, beside := 0, 0, 0
	for k := range n {
		r, c := k, k     // of the outer side of the k-th cell
		row, col := k, k // of the cell
		switch side {
		case upper:
			r, row = 0, 0
		case lower:
			r, row = l.rows, l.rows-1
		case left:
			c, col = 0, 0
		case right:
			c, col = l.cols, l.cols-1
		}
		edge := v.edge(l, r, c, vertical)
		if edge >= maskLimits.faintContrast {
			outer++
		}
		if 2*v.edge(aside, r, c, vertical) > edge {
			beside++
		}
		if k > 0 && v.boundary(l, row, col, !vertical) {
			between++
		}
	}
	return atLeast(outer, n, discLimits.outerSeen) && atLeast(between, n-1, discLimits.betweenSeen) && !moreThan(beside, n, discLimits.besideSeen)
}

// bounded is the share of the cells' sides on which there is a line or an edge.
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
