package vision

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"tapwise/solvers/screen"
)

// Marks finds what lies on the ground in a region of a frame: things about as
// large as the largest, the widest part of each one mark. What is narrower,
// lines and words, is none.
func Marks(frame image.Image, region image.Rectangle, ground []screen.Tone) ([]screen.Mark, error) {
	if frame == nil {
		return nil, fmt.Errorf("vision: no frame")
	}
	if err := checkSize(frame.Bounds().Size()); err != nil {
		return nil, err
	}
	v := &view{pixels: toRGBA(frame)}
	return v.marks(region, screen.Palette{Ground: ground})
}

// ObserveMarked is Observe for a board without lines: it is found by its marks,
// as the spec's hint describes them, lines or not. There are no boxes.
func ObserveMarked(frame image.Image, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
	if frame == nil {
		return nil, fmt.Errorf("vision: no frame")
	}
	if err := checkSize(frame.Bounds().Size()); err != nil {
		return nil, err
	}
	if spec.Hint == nil {
		return nil, fmt.Errorf("vision: a board without lines to be found without a hint")
	}
	v := &view{pixels: toRGBA(frame), dark: spec.Dark}
	seen := &screen.Observation{On: on}
	found, err := v.marked(spec, seen)
	if err != nil || !found.ok() {
		return seen, err
	}
	seen.Layout = found.layout(on)
	seen.Readings = v.measure(seen.Layout, spec.Measures)
	return seen, nil
}

func (v *view) marks(region image.Rectangle, palette screen.Palette) ([]screen.Mark, error) {
	region = region.Intersect(image.Rectangle{Max: v.size()})
	if region.Dx() < 16 || region.Dy() < 16 {
		return nil, nil
	}
	depth, err := v.depths(region, palette)
	if err != nil {
		return nil, err
	}
	// Largest discs: what is left where the rim of everything is taken away.
	least := max(4, float64(min(v.size().X, v.size().Y))/160)
	found := peaksOf(depth, region, least)
	usual := consensus(found)
	if usual == 0 {
		return nil, nil
	}
	// A pipe is narrower than the ends that it joins: without it they are two.
	var marks []screen.Mark
	for _, m := range peaksOf(depth, region, 0.72*usual) {
		if m.Radius >= 0.88*usual && m.Radius <= 1.12*usual {
			m.Colour = v.read(newStencil(screen.Measure{Radius: 0.8}, m.Radius), round(m.X), round(m.Y)).Colour
			marks = append(marks, m)
		}
	}
	return marks, nil
}

// depths is how far each pixel of a region is from the ground, in pixels, row
// by row. The region's rim counts as ground.
func (v *view) depths(region image.Rectangle, palette screen.Palette) ([]float32, error) {
	w, h := region.Dx(), region.Dy()
	mask := make([]byte, w*h)
	var last color.RGBA // neighbours mostly have one colour
	lastEmpty := palette.Empty(last)
	for y := 1; y < h-1; y++ {
		row := v.pixels.Pix[(region.Min.Y+y)*v.pixels.Stride+4*region.Min.X:]
		for x := 1; x < w-1; x++ {
			c := color.RGBA{row[4*x], row[4*x+1], row[4*x+2], 255}
			if c != last {
				last, lastEmpty = c, palette.Empty(c)
			}
			if !lastEmpty {
				mask[y*w+x] = 255
			}
		}
	}
	source, err := gocv.NewMatFromBytes(h, w, gocv.MatTypeCV8U, mask)
	if err != nil {
		return nil, fmt.Errorf("vision: %w", err)
	}
	defer source.Close()
	distance, labels := gocv.NewMat(), gocv.NewMat()
	defer distance.Close()
	defer labels.Close()
	gocv.DistanceTransform(source, &distance, &labels, gocv.DistL2, gocv.DistanceMask5, gocv.DistanceLabelCComp)
	data, err := distance.DataPtrFloat32()
	if err != nil {
		return nil, fmt.Errorf("vision: %w", err)
	}
	return slices.Clone(data), nil
}

// peaksOf are the pieces that are left of what is deeper than least, each with
// its deepest place.
func peaksOf(depth []float32, region image.Rectangle, least float64) []screen.Mark {
	w := region.Dx()
	seen := make([]bool, len(depth))
	var marks []screen.Mark
	var stack, piece []int
	for start, d := range depth {
		if seen[start] || float64(d) < least {
			continue
		}
		seen[start] = true
		stack, piece = append(stack[:0], start), piece[:0]
		var deepest float32
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			piece = append(piece, i)
			deepest = max(deepest, depth[i])
			for _, j := range [4]int{i - 1, i + 1, i - w, i + w} {
				if j >= 0 && j < len(depth) && !seen[j] && float64(depth[j]) >= least {
					seen[j] = true
					stack = append(stack, j)
				}
			}
		}
		var x, y, n float64
		for _, i := range piece {
			if depth[i] >= 0.93*deepest {
				x += float64(i % w)
				y += float64(i / w)
				n++
			}
		}
		marks = append(marks, screen.Mark{X: float64(region.Min.X) + x/n, Y: float64(region.Min.Y) + y/n, Radius: float64(deepest)})
	}
	return marks
}

// consensus is the radius that most marks have, of those that are not small
// beside the largest of them; 0 when no two agree.
func consensus(marks []screen.Mark) float64 {
	sorted := slices.Clone(marks)
	slices.SortFunc(sorted, func(a, b screen.Mark) int { return cmp.Compare(b.Radius, a.Radius) })
	var best float64
	most := 1
	for _, m := range sorted {
		n := 0
		for _, o := range sorted {
			if math.Abs(o.Radius-m.Radius) <= 0.06*m.Radius {
				n++
			}
		}
		// Letters agree with each other too, but are smaller.
		if n > most && (best == 0 || n >= 3*most && m.Radius > 0.4*best) {
			best, most = m.Radius, n
		}
	}
	return best
}

// hinted looks for a board where a hint says.
func (v *view) hinted(spec screen.Spec, seen *screen.Observation) (lattice, error) {
	if spec.Hint.Lines {
		return v.inRoom(spec, seen), nil
	}
	return v.marked(spec, seen)
}

// fills reports whether a board lies in the middle of a room and fills it one
// way at least.
func fills(l screen.Layout, room image.Rectangle) bool {
	b := l.Board
	slack := 0.12 * l.Pitch
	middle := math.Abs(float64(b.Min.X+b.Max.X-room.Min.X-room.Max.X)) < 2*slack && math.Abs(float64(b.Min.Y+b.Max.Y-room.Min.Y-room.Max.Y)) < 2*slack
	return middle && (math.Abs(float64(b.Dx()-room.Dx())) < 2*slack || math.Abs(float64(b.Dy()-room.Dy())) < 2*slack)
}

// leastSupport is the share of the cells' sides on which a line has to be seen
// where the board's place is known: pipes and tints cover many.
const leastSupport = 0.35

// inRoom lays boards of all sizes into the room, and takes the one on whose
// lines most is seen.
func (v *view) inRoom(spec screen.Spec, seen *screen.Observation) lattice {
	hint, room := spec.Hint, spec.Hint.Room
	if room.Empty() {
		return lattice{}
	}
	type attempt struct {
		lattice
		share, score         float64
		horizontal, vertical []screen.Line
	}
	var tried []attempt
	for rows := spec.MinSide; rows <= spec.MaxSide; rows++ {
		for cols := spec.MinSide; cols <= spec.MaxSide; cols++ {
			if hint.Rows > 0 && rows != hint.Rows || hint.Cols > 0 && cols != hint.Cols {
				continue
			}
			pitch := min(float64(room.Dx()-1)/float64(cols), float64(room.Dy()-1)/float64(rows))
			if pitch < 8 || pitch*pitch*float64(rows*cols) < 0.6*float64(room.Dx()*room.Dy()) {
				continue
			}
			l := lattice{px: pitch, py: pitch, rows: rows, cols: cols}
			// A scaled picture's pitches may differ.
			if fit := float64(room.Dx()-1) / float64(cols); math.Abs(fit-pitch) < 0.03*pitch {
				l.px = fit
			}
			if fit := float64(room.Dy()-1) / float64(rows); math.Abs(fit-pitch) < 0.03*pitch {
				l.py = fit
			}
			l.x0 = float64(room.Min.X+room.Max.X-1)/2 - float64(cols)/2*l.px
			l.y0 = float64(room.Min.Y+room.Max.Y-1)/2 - float64(rows)/2*l.py
			l = v.refine(l)
			horizontal, vertical := v.lines(l)
			share := supported(horizontal, vertical)
			// A side without a line costs less than one with a line gains:
			// pipes cover lines, but a part of a board is not all of it.
			sides := float64(len(horizontal) + len(vertical))
			tried = append(tried, attempt{l, share, (share - 0.35*(1-share)) * sides * pitch, horizontal, vertical})
		}
	}
	slices.SortStableFunc(tried, func(a, b attempt) int { return cmp.Compare(b.score, a.score) })
	if len(tried) == 0 {
		return lattice{}
	}
	best := tried[0]
	next := slices.IndexFunc(tried, func(a attempt) bool { return math.Abs(a.pitch()-best.pitch()) > 0.02*best.pitch() })
	if best.share < leastSupport || next >= 0 && tried[next].score > 0.8*best.score {
		seen.Doubts = append(seen.Doubts, fmt.Sprintf("of no board in its place enough lines are seen (%.0f %%, expected %.0f)", 100*best.share, 100*leastSupport))
		return lattice{}
	}
	seen.Doubts = nil
	seen.Horizontal, seen.Vertical = best.horizontal, best.vertical
	seen.Confidence = min(1, best.share/leastSupport/2+0.1) // half the way from the least is enough to read it
	return best.lattice
}

// marked looks for a board by its marks.
func (v *view) marked(spec screen.Spec, seen *screen.Observation) (lattice, error) {
	hint := spec.Hint
	// Bars and buttons lie above and below the board. Boards may be higher
	// than any that the room was measured on; on lying screens, wider.
	size := v.size()
	region := image.Rect(0, size.Y*14/100, size.X, size.Y*83/100)
	if size.X > size.Y { // bars at the sides too
		region = image.Rect(size.X*10/100, size.Y*12/100, size.X*88/100, size.Y*90/100)
	}
	if room := hint.Room; !room.Empty() {
		region = region.Union(room)
		if size.X > size.Y {
			region.Min.Y, region.Max.Y = room.Min.Y-4, room.Max.Y+4
		} else {
			region.Min.X, region.Max.X = room.Min.X-4, room.Max.X+4
		}
	}
	marks, err := v.marks(region, hint.Palette)
	if err != nil {
		return lattice{}, err
	}
	l, off, reason := latticeOf(marks, hint, spec, v.size())
	if reason != "" {
		seen.Doubts = append(seen.Doubts, reason)
		return lattice{}, nil
	}
	seen.Doubts = nil
	seen.Confidence = max(0, 1-8*off)
	seen.Horizontal, seen.Vertical = v.lines(l)
	return l, nil
}

// offLattice bounds how far marks may be from the middles of cells, in pitches:
// the root of the mean square.
const offLattice = 0.05

// latticeOf lays cells around marks. off is the root mean square distance of
// the marks from the cells' centres, in pitches; the reason says why there is
// no lattice.
func latticeOf(marks []screen.Mark, hint *screen.Hint, spec screen.Spec, size image.Point) (l lattice, off float64, reason string) {
	if len(marks) < 4 {
		return lattice{}, 0, fmt.Sprintf("%d marks on the ground, expected at least 4", len(marks))
	}
	var radii []float64
	for _, m := range marks {
		radii = append(radii, m.Radius)
	}
	radius := medianFloat(radii)
	least, most := radius/0.48, radius/0.15
	if hint.MarkRadius > 0 {
		least, most = radius/hint.MarkRadius*0.88, radius/hint.MarkRadius*1.14
	}
	x, y := make([]float64, len(marks)), make([]float64, len(marks))
	for i, m := range marks {
		x[i], y[i] = m.X, m.Y
	}
	pitch, off := pitchOf(x, y, least, most)
	if off > offLattice {
		return lattice{}, off, fmt.Sprintf("%d marks that do not lie in rows and columns", len(marks))
	}
	x0, px := align(x, pitch)
	y0, py := align(y, pitch)
	l = lattice{px: px, py: py}
	room := hint.Room
	bounded := !room.Empty()
	if !bounded {
		room = image.Rect(0, 0, size.X, 0)
	}
	wantCols, wantRows := hint.Cols, hint.Rows
	if bounded {
		fitX, fitY := float64(room.Dx())/px, float64(room.Dy())/py
		wide, high := math.Abs(fitX-math.Round(fitX)) < 0.12, math.Abs(fitY-math.Round(fitY)) < 0.12
		// Boards of another shape than the room's fill it one way only: upright
		// screens are filled in width, lying ones in height.
		lying := size.X > size.Y
		switch {
		case wantCols == 0 && wide && !(lying && high):
			wantCols = round(fitX)
		case wantRows == 0 && high:
			wantRows = round(fitY)
		}
	} else if wantCols == 0 && size.X <= size.Y {
		wantCols = -int(1.004 * float64(size.X) / px) // as many as fit, or one less
	}
	var ok bool
	across := float64(room.Min.X+room.Max.X) / 2
	if !bounded && size.X > size.Y {
		across = math.NaN() // bars on one side of a lying screen
	}
	if l.x0, l.cols, ok = span(x, x0, px, across, wantCols); !ok {
		return lattice{}, off, "the board's columns do not lie where the calibration says"
	}
	middle := math.NaN()
	if bounded {
		middle = float64(room.Min.Y+room.Max.Y) / 2
	}
	if l.y0, l.rows, ok = span(y, y0, py, middle, wantRows); !ok {
		return lattice{}, off, "the board's rows do not lie where the calibration says"
	}
	if l.rows < spec.MinSide || l.cols < spec.MinSide || l.rows > spec.MaxSide || l.cols > spec.MaxSide {
		return lattice{}, off, fmt.Sprintf("marks on %d columns and %d rows, expected %d to %d", l.cols, l.rows, spec.MinSide, spec.MaxSide)
	}
	if b := l.bounds(); b.Min.X < -2 || b.Min.Y < -2 || b.Max.X > size.X+2 || b.Max.Y > size.Y+2 {
		return lattice{}, off, fmt.Sprintf("the board at %v is cut off by the frame's rim", b)
	}
	return l, off, ""
}

// pitchOf is the distance of which all differences of the marks' places are
// multiples, the largest such from least to most, and how far off they are.
func pitchOf(x, y []float64, least, most float64) (pitch, off float64) {
	off = math.Inf(1)
	for p := least; p <= most; p *= 1.0015 {
		a, b := scatter(x, p), scatter(y, p)
		now := math.Sqrt((a*a + b*b) / 2)
		// A multiple of the pitch may fit a few marks by chance, never better.
		if now < off*0.8 || now < off && p < pitch*1.05 {
			pitch, off = p, now
		}
	}
	return pitch, off
}

// scatter is how far places are from multiples of p, from where they agree
// best, in p.
func scatter(at []float64, p float64) float64 {
	phase := phaseOf(at, p)
	sum := 0.0
	for _, a := range at {
		d := (a-phase)/p - math.Round((a-phase)/p)
		sum += d * d
	}
	return math.Sqrt(sum / float64(len(at)))
}

// phaseOf is the mean of places modulo p, on the circle.
func phaseOf(at []float64, p float64) float64 {
	var sin, cos float64
	for _, a := range at {
		s, c := math.Sincos(2 * math.Pi * a / p)
		sin += s
		cos += c
	}
	return math.Atan2(sin, cos) * p / (2 * math.Pi)
}

// align is where one of the cells' centres lies, and the pitch, by least squares.
func align(at []float64, p float64) (origin, pitch float64) {
	phase := phaseOf(at, p)
	var index []float64
	for _, a := range at {
		index = append(index, math.Round((a-phase)/p))
	}
	if slices.Min(index) == slices.Max(index) {
		return phase, p
	}
	return fitLine(index, at)
}

// span lays a row of cells over places. The cells have their centres at origin
// and every pitch from there; their middle is where it is known (else NaN), and
// want is their number where that is known (negative: at most), else as few as
// hold all places.
func span(at []float64, origin, pitch, middle float64, want int) (first float64, n int, ok bool) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, a := range at {
		k := math.Round((a - origin) / pitch)
		low, high = min(low, k), max(high, k)
	}
	needed := int(high-low) + 1
	if math.IsNaN(middle) {
		if want > 0 && want != needed {
			return 0, 0, false // where the missing ones are is not known
		}
		return origin + (low-0.5)*pitch, needed, true
	}
	// In half cells, the middle's distance from a cell's centre tells whether
	// their number is odd.
	halves := math.Round(2 * (middle - origin) / pitch)
	if math.Abs(2*(middle-origin)/pitch-halves) > 0.36 {
		return 0, 0, false
	}
	odd := int(math.Abs(halves)) % 2
	centre := halves / 2
	needed = int(2*max(high-centre, centre-low)) + 1
	if needed%2 == odd {
		needed++
	}
	switch {
	case want > 0 && (want%2 == odd || want < needed):
		return 0, 0, false
	case want > 0:
		needed = want
	case want < 0:
		most := -want
		if most%2 == odd {
			most--
		}
		needed = max(needed, most)
	}
	return origin + (centre-float64(needed)/2)*pitch, needed, true
}
