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

// A walled board consists of squares whose sides are walls, dotted lines between two
// cells, or gaps in the rim between two posts. Dots and walls together are a comb in
// each direction. Which of its lines are the rim, and what each side is, is then
// looked at closely.

// wallLimits bound the search for a walled board, and what its sides are.
var wallLimits = struct {
	thickParts                             [4]int
	certain, fit                           float64
	window, spare                          int
	around                                 float64
	alongFrom, alongTo                     float64
	places                                 int
	near, besideFrom, besideTo             float64
	leastFrom, leastReach                  int
	alignBeside, alignSearch               float64
	alignBesidePixels, alignSearchPixels   int
	ridge                                  int
	ridgeTop                               int
	pitchChange                            float64
	nearFit                                float64
	out, post, postPixels                  float64
	leastPitch                             float64
	missed, surplus                        int
	postClear, postContrast, posts         float64
	wall                                   float64
	wallSeen, openMost, dotted, dottedMost float64
	goesOn, goesOnSeen                     float64
	pieceFrom, pieceTo, pieceLength        float64
	halved, halvedSeen                     float64
}{
	thickParts:        [4]int{80, 36, 20, 12}, // 1/n of the masks' shorter side: walls are thinner than one of these
	certain:           0.95,                   // share of the sides: if more than this many look like a side, no other board is looked for
	fit:               0.5,                    // share of the sides: at least this many look like a side
	window:            2,                      // thicknesses: the background of a column or row is the median of those this far to either side
	spare:             4,                      // lines: this many more are kept than a board may have, the strongest
	around:            1.3,                    // pitches: only what is this close to a first guess counts for the second
	alongFrom:         0.18,                   // pitches: a side is looked at from this far from its middle, through which something may lead,
	alongTo:           0.42,                   // pitches: to this far, because of the crossing walls at its ends,
	places:            56,                     // places: at about this many
	near:              0.03,                   // pitches: the middle of a line is at most this far from where it should be
	besideFrom:        0.09,                   // pitches: no wall reaches this far to either side: the background is looked for from here,
	leastFrom:         2,                      // pixels: but from at least this far,
	besideTo:          0.15,                   // pitches: to this far, or
	leastReach:        3,                      // pixels: to this far, whichever is more
	alignBeside:       0.1,                    // pitches: the background is this far from a line while its place is found, or
	alignBesidePixels: 3,                      // pixels: this far, whichever is more
	alignSearch:       0.05,                   // pitches: a line is looked for this far from where it should be, or
	alignSearchPixels: 2,                      // pixels: this far, whichever is more
	ridge:             8,                      // brightness levels: a line whose place counts stands out by at least this
	ridgeTop:          3,                      // 1/n of the contrast: the place of a line is the centre of gravity of the pixels that stand out by more than this
	pitchChange:       0.1,                    // pitches: a fit that changes the pitch by this or more is wrong
	nearFit:           2,                      // median distances: points at most this far from a line, and a pixel more, are fitted again
	out:               0.2,                    // pitches: the cells around a post are looked at this far from its middle
	post:              0.015,                  // pitches: a post is looked at this far around its middle, or
	postPixels:        0.5,                    // pixels: this far, whichever is more
	leastPitch:        8,                      // pixels: the pitch is at least this
	missed:            2,                      // lines: this many may have been missed on each side
	surplus:           7,                      // lines: this many are tried as the outermost on each side, those that were missed included
	postClear:         0.5,                    // share of a strong post's contrast: a post stands out by at least this
	postContrast:      10,                     // brightness levels: a post stands out by at least this
	posts:             0.85,                   // share of the crossings on a line: the rim has posts at at least this many
	wall:              0.7,                    // share of a post's contrast: a wall stands out by at least this
	wallSeen:          0.65,                   // support: a wall has at least this,
	openMost:          0.3,                    // support: a gap in the rim at most this,
	dotted:            0.02,                   // support: a dotted line at least this
	dottedMost:        0.5,                    // support: and at most this
	goesOn:            0.06,                   // share of a wall's contrast: a line beyond the rim stands out by more than this
	goesOnSeen:        0.5,                    // share of the lines: the board goes on beyond a side if there are more than this many
	pieceFrom:         0.25,                   // pitches: such lines are looked for from this far beyond the rim,
	pieceTo:           0.6,                    // pitches: to this far,
	pieceLength:       0.35,                   // pitches: which is this length
	halved:            0.05,                   // share of a wall's contrast: a line halfway between two lines stands out by more than this
	halvedSeen:        0.7,                    // share of the sides: the pitch is half of what was found if there are more than this many such lines
}

// byWalls is the finder of walled boards.
const byWalls = "walls and dotted lines"

// findWalled looks for a walled board.
func (s *search) findWalled(m *masks) ([]hypothesis, error) {
	v, spec := s.view, s.spec
	var best candidate
	for _, part := range wallLimits.thickParts {
		guesses, err := m.combs(min(m.size.X, m.size.Y)/part|1, spec.MaxSide)
		if err != nil {
			return nil, err
		}
		for _, guess := range guesses {
			l, ok := v.outermost(guess.scaled(m.factor), spec)
			if !ok {
				continue
			}
			c := candidate{lattice: l}
			c.horizontal, c.vertical = v.sides(l)
			c.fit = decided(c.horizontal, c.vertical, l)
			if c.fit > best.fit && !v.halved(l) {
				best = c
			}
			if best.fit > wallLimits.certain {
				break
			}
		}
		if best.fit > wallLimits.certain {
			break
		}
	}
	if !best.ok() || best.fit < wallLimits.fit {
		return []hypothesis{lacking(byWalls, fmt.Sprintf("too few sides look like walls, dotted lines or gaps (%.0f %%, expected %.0f)", hundred*best.fit, hundred*wallLimits.fit))}, nil
	}
	h := hypothesis{finder: byWalls, lattice: best.lattice, fit: best.fit, confidence: best.fit, horizontal: best.horizontal, vertical: best.vertical, layout: best.layout(s.on)}
	for _, side := range v.goesOn(best.lattice) {
		h.doubt("the lattice goes on beyond its " + side + " side")
	}
	return []hypothesis{h}, nil
}

// combs guesses the lattice, in pixels of the masks, from things thinner than thick
// along columns and rows. Something drawn through the middles of cells may halve the
// pitch of the first guess: the others have twice that pitch.
func (m *masks) combs(thick, maxSide int) ([]lattice, error) {
	thin := [2]gocv.Mat{gocv.NewMat(), gocv.NewMat()}
	for i, size := range [2]image.Point{{X: thick, Y: 1}, {X: 1, Y: thick}} {
		defer func() { thin[i].Close() }()
		if err := standingOut(m.level, &thin[i], size); err != nil {
			return nil, err
		}
		gocv.Threshold(thin[i], &thin[i], float32(maskLimits.fullContrast), 0, gocv.ThresholdTrunc)
	}
	// Things above and below the board blur the combs; they are left out once the
	// board's place is known roughly.
	var l lattice
	region := image.Rectangle{Max: m.size}
	for range 2 {
		var peaks [2][]peak
		for i := range thin {
			sums, err := profile(thin[i], region, i)
			if err != nil {
				return nil, err
			}
			raise(sums, wallLimits.window*thick)
			origin := region.Min.X
			if i == 1 {
				origin = region.Min.Y
			}
			peaks[i] = clearest(findPeaks(sums, origin), maxSide+wallLimits.spare)
		}
		found, _ := fitLattice(peaks[0], peaks[1], 2, maxSide)
		if !found.ok() {
			break
		}
		l = found
		region = l.bounds().Inset(-round(wallLimits.around * l.pitch())).Intersect(image.Rectangle{Max: m.size})
	}
	if !l.ok() {
		return nil, nil
	}
	guesses := []lattice{l}
	for i := range 4 {
		double := l
		double.x0, double.y0 = l.x(float64(i%2)), l.y(float64(i/2))
		double.px, double.py = 2*l.px, 2*l.py
		double.cols, double.rows = l.cols/2, l.rows/2
		if double.cols > 0 && double.rows > 0 {
			guesses = append(guesses, double)
		}
	}
	return guesses, nil
}

// clearest are the strongest peaks in their order, no more than most: noise has very
// many peaks.
func clearest(peaks []peak, most int) []peak {
	if len(peaks) <= most {
		return peaks
	}
	least := strongest(peaks, most)[most-1].weight
	return slices.DeleteFunc(peaks, func(p peak) bool { return p.weight < least })
}

// raise subtracts from each value the median of the values within reach of it; no
// value becomes negative.
func raise(values []float64, reach int) {
	base := make([]float64, len(values))
	var window []float64 // sorted
	next := 0
	for i := range values {
		for ; next < min(len(values), i+reach+1); next++ {
			at, _ := slices.BinarySearch(window, values[next])
			window = slices.Insert(window, at, values[next])
		}
		if old := i - reach - 1; old >= 0 {
			at, _ := slices.BinarySearch(window, values[old])
			window = slices.Delete(window, at, at+1)
		}
		base[i] = window[len(window)/2]
	}
	for i := range values {
		values[i] = max(0, values[i]-base[i])
	}
}

// across adds the levels across a side of a cell to sum, pixel by pixel: across the
// vertical side left of cell r,c or the horizontal one above it. The middle of sum is
// where the side should be. It returns the number of places along the side at which
// it did so, 0 where the side is not wholly on the frame.
func (v *view) across(l lattice, r, c int, vertical bool, sum []int64) int {
	from, to := wallLimits.alongFrom, wallLimits.alongTo
	x, y := round(l.x(float64(c))), round(l.y(float64(r)))
	length := l.px
	step, stride := 4, v.pixels.Stride // across and along, in bytes
	along, origin := &x, x
	size := v.size()
	if vertical {
		along, origin = &y, y
		length = l.py
	} else {
		step, stride = stride, step
	}
	half := len(sum) / 2
	every := max(1, int(2*(to-from)*length)/wallLimits.places)
	n := 0
	for _, part := range [2]float64{0.5 - to, 0.5 + from} {
		first := origin + round(part*length)
		last := origin + round((part+to-from)*length)
		if last < first {
			continue
		}
		places := (last-first)/every + 1
		last = first + (places-1)*every
		*along = first
		inside := x-half >= 0 && x+half < size.X && first >= 0 && last < size.Y
		if !vertical {
			inside = y-half >= 0 && y+half < size.Y && first >= 0 && last < size.X
		}
		if !inside {
			return 0
		}
		v.addLevels(sum, y*v.pixels.Stride+4*x-half*step, step, every*stride, places)
		n += places
	}
	return n
}

// reach is the number of pixels to either side of a line that are looked at.
func (l lattice) reach() int {
	return max(wallLimits.leastReach, int(math.Ceil(wallLimits.besideTo*l.pitch())))
}

// stand is the contrast of the middle of a profile, which was added up at n places,
// with both its sides, in brightness levels, and the place where the profile is
// brightest there, in pixels from the middle.
func stand(sum []int64, n int, pitch float64) (contrast float64, at int) {
	half := len(sum) / 2
	beside, count := int64(0), 0
	for k := max(wallLimits.leastFrom, int(wallLimits.besideFrom*pitch)+1); k <= half; k++ {
		beside += sum[half-k] + sum[half+k]
		count += 2
	}
	base := float64(beside) / float64(count*n)
	near := max(1, int(wallLimits.near*pitch))
	at = -near
	for k := -near; k <= near; k++ {
		if sum[half+k] > sum[half+at] {
			at = k
		}
	}
	return float64(sum[half+at])/float64(n) - base, at
}

// align moves the lattice to its lines: the place of a line is the median of the
// places of its sides that stand out, the lattice the fit of most of its lines.
func (v *view) align(l lattice) lattice {
	fitted := l
	for axis, count := range [2]int{l.cols, l.rows} {
		var index, place []float64
		for i := range count + 1 {
			if places := v.placesOf(l, i, axis == 0); len(places) > 0 {
				index = append(index, float64(i))
				place = append(place, median(places))
			}
		}
		if len(index) < 2 {
			continue
		}
		origin, pitch := fitMost(index, place)
		if axis == 0 && math.Abs(pitch-l.px) < wallLimits.pitchChange*l.px {
			fitted.x0, fitted.px = origin, pitch
		}
		if axis == 1 && math.Abs(pitch-l.py) < wallLimits.pitchChange*l.py {
			fitted.y0, fitted.py = origin, pitch
		}
	}
	return fitted
}

// placesOf are the places, in pixels, of the sides on the i-th vertical or
// horizontal line that stand out.
func (v *view) placesOf(l lattice, i int, vertical bool) []float64 {
	beside := max(wallLimits.alignBesidePixels, round(wallLimits.alignBeside*l.pitch()))
	search := max(wallLimits.alignSearchPixels, round(wallLimits.alignSearch*l.pitch()))
	half := 2*beside + search
	sum := make([]int64, 2*half+1)
	// The contrast of a pixel with the brighter of both sides: the rim is also a
	// step from one brightness to another.
	ridge := func(k int) int64 { return sum[k] - max(sum[k-beside], sum[k+beside]) }
	expected, along := l.y(float64(i)), l.cols
	if vertical {
		expected, along = l.x(float64(i)), l.rows
	}
	var places []float64
	for k := range along {
		clear(sum)
		r, c := i, k
		if vertical {
			r, c = k, i
		}
		n := v.across(l, r, c, vertical, sum)
		if n == 0 {
			continue
		}
		peak := half
		for k := half - search; k <= half+search; k++ {
			if ridge(k) > ridge(peak) {
				peak = k
			}
		}
		if ridge(peak) < int64(wallLimits.ridge*n) {
			continue
		}
		var weight, moment float64
		for k := max(peak-beside, beside); k <= min(peak+beside, len(sum)-1-beside); k++ {
			if w := float64(ridge(k)) - float64(ridge(peak))/float64(wallLimits.ridgeTop); w > 0 {
				weight += w
				moment += w * float64(k-half)
			}
		}
		places = append(places, math.Round(expected)+moment/weight)
	}
	return places
}

// fitMost is the line y = origin + slope·x nearest to most of the points: first
// through two of them, then by least squares of the points near that line.
func fitMost(x, y []float64) (origin, slope float64) {
	best := math.Inf(1)
	for i := range x {
		for k := range i {
			m := (y[i] - y[k]) / (x[i] - x[k])
			var off []float64
			for j := range x {
				off = append(off, math.Abs(y[j]-y[i]-m*(x[j]-x[i])))
			}
			if typical := median(off); typical < best {
				best, origin, slope = typical, y[i]-m*x[i], m
			}
		}
	}
	var nearX, nearY []float64
	for j := range x {
		if math.Abs(y[j]-origin-slope*x[j]) <= wallLimits.nearFit*best+1 {
			nearX, nearY = append(nearX, x[j]), append(nearY, y[j])
		}
	}
	if len(nearX) < 2 {
		return origin, slope
	}
	return fitLine(nearX, nearY)
}

// post is the contrast of the crossing of two lines with the cells around it, in
// brightness levels. It reports whether all of that is on the frame.
func (v *view) post(l lattice, row, col int) (float64, bool) {
	x, y := l.x(float64(col)), l.y(float64(row))
	out := wallLimits.out * l.pitch()
	size := v.size()
	if x-out < 0 || y-out < 0 || x+out >= float64(size.X-2) || y+out >= float64(size.Y-2) {
		return 0, false
	}
	half := max(wallLimits.postPixels, wallLimits.post*l.pitch())
	sum, n := 0, 0
	for py := int(math.Ceil(y - half)); float64(py) <= y+half; py++ {
		for px := int(math.Ceil(x - half)); float64(px) <= x+half; px++ {
			sum += v.level(px, py)
			n++
		}
	}
	// The board's own cells are floor; beyond the rim there may be other things.
	inside := row >= 0 && col >= 0 && row <= l.rows && col <= l.cols
	var around []int
	for _, sign := range [4][2]int{{-1, -1}, {0, -1}, {-1, 0}, {0, 0}} {
		if r, c := row+sign[1], col+sign[0]; inside && (r < 0 || c < 0 || r >= l.rows || c >= l.cols) {
			continue
		}
		px, py := round(x+float64(2*sign[0]+1)*out), round(y+float64(2*sign[1]+1)*out)
		around = append(around, (v.level(px, py)+v.level(px+1, py)+v.level(px, py+1)+v.level(px+1, py+1))/4)
	}
	slices.Sort(around)
	return float64(sum)/float64(n) - float64(around[(len(around)-1)/2]+around[len(around)/2])/2, true
}

// outermost finds the outermost lines along which there is a post at each crossing,
// and moves the lattice to them. It reports whether there are such lines.
func (v *view) outermost(l lattice, spec screen.Spec) (lattice, bool) {
	if l.pitch() < wallLimits.leastPitch {
		return l, false
	}
	l = v.align(v.align(l))
	p := v.posts(l)
	rim, ok := p.rim(spec)
	if !ok {
		return l, false
	}
	l.x0, l.y0 = l.x(float64(rim.Min.X-wallLimits.missed)), l.y(float64(rim.Min.Y-wallLimits.missed))
	l.cols, l.rows = rim.Dx(), rim.Dy()
	var contrasts []int
	for c := rim.Min.X; c <= rim.Max.X; c++ {
		contrasts = append(contrasts, round(p.at(rim.Min.Y, c)), round(p.at(rim.Max.Y, c)))
	}
	for r := rim.Min.Y; r <= rim.Max.Y; r++ {
		contrasts = append(contrasts, round(p.at(r, rim.Min.X)), round(p.at(r, rim.Max.X)))
	}
	l = v.align(l)
	l.contrast = median(contrasts)
	return l, true
}

// posts are the contrasts of the crossings of a lattice, and of some lines around it
// that may have been missed.
type posts struct {
	rows, cols int
	contrasts  []float64
	clear      float64 // a post stands out by at least this
}

// posts looks at the crossings of a lattice.
func (v *view) posts(l lattice) posts {
	p := posts{rows: l.rows + 1 + 2*wallLimits.missed, cols: l.cols + 1 + 2*wallLimits.missed}
	p.contrasts = make([]float64, p.rows*p.cols)
	for r := range p.rows {
		for c := range p.cols {
			p.contrasts[r*p.cols+c], _ = v.post(l, r-wallLimits.missed, c-wallLimits.missed)
		}
	}
	sorted := slices.Clone(p.contrasts)
	slices.Sort(sorted)
	p.clear = wallLimits.postClear * sorted[max(0, len(sorted)-l.rows-l.cols)]
	return p
}

func (p posts) at(row, col int) float64 { return p.contrasts[row*p.cols+col] }

// share is the share of the crossings on a line, between two others, at which there
// is a post. The two at the ends do not count: there may be more than posts at the
// board's corners.
func (p posts) share(line, from, to int, vertical bool) float64 {
	n := 0
	from, to = from+1, to-1
	for k := from; k <= to; k++ {
		r, c := line, k
		if vertical {
			r, c = k, line
		}
		if p.at(r, c) >= p.clear {
			n++
		}
	}
	return float64(n) / float64(max(1, to-from+1))
}

// rim is the largest board of the spec with posts all around it, in crossings. It
// reports whether there is one.
func (p posts) rim(spec screen.Spec) (rim image.Rectangle, ok bool) {
	if p.clear < wallLimits.postContrast {
		return rim, false
	}
	allowed := func(n int) bool { return n >= spec.MinSide && n <= spec.MaxSide }
	for top := range min(p.rows, wallLimits.surplus) {
		for bottom := p.rows - 1; bottom >= max(0, p.rows-wallLimits.surplus); bottom-- {
			if !allowed(bottom - top) {
				continue
			}
			for left := range min(p.cols, wallLimits.surplus) {
				for right := p.cols - 1; right >= max(0, p.cols-wallLimits.surplus); right-- {
					if !allowed(right-left) || (bottom-top)*(right-left) <= rim.Dx()*rim.Dy() {
						continue
					}
					if min(p.share(top, left, right, false), p.share(bottom, left, right, false),
						p.share(left, top, bottom, true), p.share(right, top, bottom, true)) >= wallLimits.posts {
						rim = image.Rect(left, top, right, bottom)
					}
				}
			}
		}
	}
	return rim, !rim.Empty()
}

// side is a side of a cell: the vertical one left of cell row,col or the horizontal
// one above it.
type side struct {
	row, col int
	vertical bool
}

// sidesOf are the sides of all cells: first the horizontal ones, row by row, then the
// vertical ones.
func sidesOf(l lattice) []side {
	var all []side
	for r := range l.rows + 1 {
		for c := range l.cols {
			all = append(all, side{r, c, false})
		}
	}
	for r := range l.rows {
		for c := range l.cols + 1 {
			all = append(all, side{r, c, true})
		}
	}
	return all
}

// sideLook is how a side of a cell looks.
type sideLook struct {
	contrast float64 // in brightness levels
	at, wide int     // the place of its line, from where it should be, and its width at half the contrast, in pixels
}

// lookAt looks at one side; sum is room for the levels across it.
func (v *view) lookAt(l lattice, s side, sum []int64) (k sideLook) {
	clear(sum)
	n := v.across(l, s.row, s.col, s.vertical, sum)
	if n == 0 {
		return k
	}
	k.contrast, k.at = stand(sum, n, l.pitch())
	middle := len(sum)/2 + k.at
	least := sum[middle] - int64(round(k.contrast*float64(n)/2))
	for o := middle; o < len(sum) && sum[o] >= least; o++ {
		k.wide++
	}
	for o := middle - 1; o >= 0 && sum[o] >= least; o-- {
		k.wide++
	}
	return k
}

// sides looks at every side of every cell. Support is the contrast as a share of that
// of walls, or of the posts in the rim if these stand out more.
func (v *view) sides(l lattice) (horizontal, vertical []screen.Line) {
	sum := make([]int64, 2*l.reach()+1)
	all := sidesOf(l)
	looks := make([]sideLook, len(all))
	var walls []int
	for i, s := range all {
		looks[i] = v.lookAt(l, s, sum)
		if k := looks[i]; k != (sideLook{}) && k.contrast >= wallLimits.wall*float64(l.contrast) {
			walls = append(walls, round(k.contrast))
		}
	}
	full := float64(l.contrast)
	if len(walls) > 0 {
		full = max(full, float64(median(walls)))
	}
	posts := make([]float64, (l.rows+1)*(l.cols+1))
	for i := range posts {
		contrast, _ := v.post(l, i/(l.cols+1), i%(l.cols+1))
		posts[i] = share(contrast, full)
	}
	for i, k := range looks {
		s := all[i]
		line := screen.Line{Colour: color.RGBA{A: 255}}
		line.Support = share(k.contrast, full)
		end, next := s.row*(l.cols+1)+s.col, 1
		if s.vertical {
			next = l.cols + 1
		}
		line.Ends = min(posts[end], posts[end+next])
		if line.Support > 0 {
			line.Width = float64(k.wide)
			line.Colour = v.sideColour(l, s, k.at)
		}
		if s.vertical {
			vertical = append(vertical, line)
		} else {
			horizontal = append(horizontal, line)
		}
	}
	return horizontal, vertical
}

// Values are rounded to these parts of one.
const (
	tenth   = 10
	hundred = 100
)

// share is a part of a whole, 0 to 1, rounded to hundredths.
func share(part, whole float64) float64 {
	return math.Round(hundred*min(1, max(0, part/whole))) / hundred
}

// sideColour is the median colour along a side, at pixels across it.
func (v *view) sideColour(l lattice, s side, at int) color.RGBA {
	x, y := round(l.x(float64(s.col))), round(l.y(float64(s.row)))
	var colours []color.RGBA
	for _, along := range samplesAlong {
		px, py := x+round((0.5+along)*l.px), y+at
		if s.vertical {
			px, py = x+at, y+round((0.5+along)*l.py)
		}
		if p := image.Pt(px, py); p.In(v.pixels.Rect) {
			colours = append(colours, v.pixels.RGBAAt(px, py))
		}
	}
	return screen.MedianColour(colours)
}

// decided is the share of the sides that look like a wall, a dotted line or a gap.
func decided(horizontal, vertical []screen.Line, l lattice) float64 {
	n := 0
	for i, line := range horizontal {
		n += sideDecided(line, i < l.cols || i >= l.rows*l.cols)
	}
	for i, line := range vertical {
		n += sideDecided(line, i%(l.cols+1) == 0 || i%(l.cols+1) == l.cols)
	}
	return float64(n) / float64(len(horizontal)+len(vertical))
}

// sideDecided is 1 for a side that looks like one, else 0. Gaps are in the rim,
// dotted lines are not.
func sideDecided(line screen.Line, rim bool) int {
	wall := line.Support >= wallLimits.wallSeen
	gap := rim && line.Support <= wallLimits.openMost
	dotted := !rim && line.Support >= wallLimits.dotted && line.Support <= wallLimits.dottedMost
	if wall || gap || dotted {
		return 1
	}
	return 0
}

// goesOn are the names of the sides of a walled board beyond which its lines go on.
func (v *view) goesOn(l lattice) []string {
	var open []string
	for side, name := range sideNames {
		count := l.cols
		if side >= left {
			count = l.rows
		}
		n, on := 0, 0
		for k := 1; k < count; k++ {
			piece := l.pieceBeyond(side, k)
			sum := make([]int64, 2*l.reach()+1)
			places := v.across(piece, 0, 0, side < left, sum)
			if places == 0 {
				continue
			}
			n++
			if contrast, _ := stand(sum, places, l.pitch()); contrast > wallLimits.goesOn*float64(l.contrast) {
				on++
			}
		}
		if moreThan(on, n, wallLimits.goesOnSeen) {
			open = append(open, name)
		}
	}
	return open
}

// pieceBeyond is a lattice whose first line in a direction is the piece of the k-th
// line that would lead out of a side.
func (l lattice) pieceBeyond(side, k int) lattice {
	piece := lattice{x0: l.x(float64(k)), y0: l.y(float64(k)), px: wallLimits.pieceLength * l.px, py: wallLimits.pieceLength * l.py}
	switch side {
	case upper:
		piece.y0 = l.y(0) - wallLimits.pieceTo*l.py
	case lower:
		piece.y0 = l.y(float64(l.rows)) + wallLimits.pieceFrom*l.py
	case left:
		piece.x0 = l.x(0) - wallLimits.pieceTo*l.px
	case right:
		piece.x0 = l.x(float64(l.cols)) + wallLimits.pieceFrom*l.px
	}
	return piece
}

// halved reports whether there are lines halfway between the lines of a walled
// board: then its pitch is only half of what was found. Something drawn through each
// cell from side to side is on half of these places.
func (v *view) halved(l lattice) bool {
	half := lattice{x0: l.x0, y0: l.y0, px: l.px / 2, py: l.py / 2, rows: 2 * l.rows, cols: 2 * l.cols}
	sum := make([]int64, 2*half.reach()+1)
	n, on := 0, 0
	for r := range half.rows {
		for c := range half.cols {
			for side, odd := range [2]bool{r%2 == 1, c%2 == 1} {
				if !odd {
					continue
				}
				clear(sum)
				if places := v.across(half, r, c, side == 1, sum); places > 0 {
					n++
					if contrast, _ := stand(sum, places, half.pitch()); contrast > wallLimits.halved*float64(l.contrast) {
						on++
					}
				}
			}
		}
	}
	return moreThan(on, n, wallLimits.halvedSeen)
}
