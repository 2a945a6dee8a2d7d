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

// markLimits bound what counts as a mark, and the search for boards without lines by
// their marks.
var markLimits = struct {
	region                       int
	leastPixels, leastPart       float64
	core, alikeLeast, alikeMost  float64
	middle, sample               float64
	small, consensus             float64
	moreSmall                    int
	marks                        int
	above, below                 int
	lyingLeft, lyingRight        int
	lyingAbove, lyingBelow, room int
	offLattice, confidence       float64
	largest, smallest            float64
	knownLeast, knownMost        float64
	fits, width                  float64
	better, samePitch, pitchStep float64
	halfCell                     float64
	cutOff                       int
}{
	region:      16,     // pixels: a region with marks is at least this wide and high
	leastPixels: 4,      // pixels: the radius of a mark is at least this,
	leastPart:   160,    // 1/n of the frame's shorter side: and at least this
	core:        0.72,   // usual radii: pipes are narrower; what is this deep inside of a mark is not connected with other marks
	alikeLeast:  0.88,   // usual radii: the radius of a mark is at least this
	alikeMost:   1.12,   // usual radii: the radius of a mark is at most this
	middle:      0.93,   // share of the greatest depth: the middle of a mark is where it is at least this deep
	sample:      0.8,    // radii: the colour of a mark is measured up to this far from its middle
	small:       0.4,    // radii: marks are larger than this, measured by a larger radius on which some agree,
	moreSmall:   3,      // times: and agree at least this many times as often as on that radius
	consensus:   0.06,   // radii: radii that differ by at most this agree
	marks:       4,      // marks: a board shows at least this many
	above:       14,     // hundredths of the height: a board on an upright frame lies below this, under bars and buttons,
	below:       83,     // hundredths of the height: and above this
	lyingLeft:   10,     // hundredths of the width: a board on a lying frame lies right of this,
	lyingRight:  88,     // hundredths of the width: left of this,
	lyingAbove:  12,     // hundredths of the height: below this
	lyingBelow:  90,     // hundredths of the height: and above this
	room:        4,      // pixels: a board reaches at most this far out of its room, in the direction in which the room limits its size
	offLattice:  0.05,   // pitches: the root mean square distance of marks from the middles of cells is at most this
	confidence:  8,      // confidence: a pitch of that distance costs this much
	largest:     0.48,   // pitches: the radius of a mark is at most this
	smallest:    0.15,   // pitches: the radius of a mark is at least this
	knownLeast:  0.88,   // pitches by the hint's radius: the pitch is at least this
	knownMost:   1.14,   // pitches by the hint's radius: the pitch is at most this
	fits:        0.12,   // cells: a board fills its room if what is left is less than this from a whole number of cells
	width:       1.004,  // widths of the frame: as many columns as fit into this are the most
	better:      0.8,    // share of the distance: a pitch replaces another if marks are off by less than this,
	samePitch:   1.05,   // pitches: or if they are off by less at all and it is less than this many times the other
	pitchStep:   0.0015, // share: pitches are tried in steps of this
	halfCell:    0.36,   // half pitches: the middle of a board is at most this far from the middle or the side of a cell
	cutOff:      2,      // pixels: a board reaches at most this far out of the frame
}

// roomLimits bound the search for the lines of a board in the room that its hint
// gives.
var roomLimits = struct {
	centred, filled           float64
	supported, missing        float64
	leastPitch, full          float64
	scaled, sameBoard, second float64
	confidence, reserve       float64
}{
	centred:    0.24, // half pitches: the middle of a board is less than this far from the middle of its room
	filled:     0.24, // pitches: the width or the height of a board differs from the room's by less than this
	supported:  0.35, // share of the cells' sides: a line is seen on at least this many; pipes and tints cover many
	missing:    0.35, // sides: a side without a line costs as much as this many with one gain; pipes cover lines, but part of a board is not the board
	leastPitch: 8,    // pixels: the pitch is at least this
	full:       0.6,  // share of the room: a board fills at least this much
	scaled:     0.03, // pitches: the pitches along rows and columns of a scaled picture differ by less than this
	sameBoard:  0.02, // pitches: a board whose pitch differs by more than this is another
	second:     0.8,  // share of the best score: another board scores at most this
	confidence: 0.5,  // confidence: a board with just enough lines has this
	reserve:    0.1,  // confidence: and this much more, so that it is certain enough to be read
}

// Marks finds what lies on the ground in a region of a frame: things about as large as the
// largest. The widest part of each is a mark. Narrower things, such as lines and words, are not
// marks.
func Marks(frame image.Image, region image.Rectangle, ground []screen.Tone) ([]screen.Mark, error) {
	if err := checkPicture(frame); err != nil {
		return nil, err
	}
	v := &view{pixels: toRGBA(frame)}
	return v.marks(region, screen.Palette{Ground: ground})
}

// ObserveMarked is Observe for a board that is found by its marks, whether it has
// lines or not. The spec must have a hint, which describes the marks. The observation
// has no boxes.
func ObserveMarked(frame image.Image, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
	if err := checkPicture(frame); err != nil {
		return nil, err
	}
	if spec.Hint == nil {
		return nil, fmt.Errorf("vision: a board without lines to be found without a hint")
	}
	v := &view{pixels: toRGBA(frame), dark: spec.Dark}
	seen := &screen.Observation{On: on}
	found, err := v.marked(spec, on)
	if err != nil {
		return seen, err
	}
	found.report(v, spec, seen)
	return seen, nil
}

// marks finds the marks in a region, on the ground of a palette.
func (v *view) marks(region image.Rectangle, palette screen.Palette) ([]screen.Mark, error) {
	region = region.Intersect(image.Rectangle{Max: v.size()})
	if region.Dx() < markLimits.region || region.Dy() < markLimits.region {
		return nil, nil
	}
	depth, err := v.depths(region, palette)
	if err != nil {
		return nil, err
	}
	// The largest discs inside of things are where the rim of everything is taken away.
	least := max(markLimits.leastPixels, float64(min(v.size().X, v.size().Y))/markLimits.leastPart)
	found := peaksOf(depth, region, least)
	usual := consensus(found)
	if usual == 0 {
		return nil, nil
	}
	var marks []screen.Mark
	for _, m := range peaksOf(depth, region, markLimits.core*usual) {
		if m.Radius >= markLimits.alikeLeast*usual && m.Radius <= markLimits.alikeMost*usual {
			m.Colour = v.read(newStencil(screen.Measure{Radius: markLimits.sample}, m.Radius), round(m.X), round(m.Y)).Colour
			marks = append(marks, m)
		}
	}
	return marks, nil
}

// depths is the distance of each pixel of a region from the ground, in pixels, row by
// row. The region's rim counts as ground.
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

// peaksOf are the connected components of the pixels that are at least so deep, each
// at its deepest place.
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
			if depth[i] >= float32(markLimits.middle)*deepest {
				x += float64(i % w)
				y += float64(i / w)
				n++
			}
		}
		marks = append(marks, screen.Mark{X: float64(region.Min.X) + x/n, Y: float64(region.Min.Y) + y/n, Radius: float64(deepest)})
	}
	return marks
}

// consensus is the radius on which the most marks agree, 0 when no two agree. Letters
// agree with each other, too, but they are smaller.
func consensus(marks []screen.Mark) float64 {
	sorted := slices.Clone(marks)
	slices.SortFunc(sorted, func(a, b screen.Mark) int { return cmp.Compare(b.Radius, a.Radius) })
	var best float64
	most := 1
	for _, m := range sorted {
		n := 0
		for _, o := range sorted {
			if math.Abs(o.Radius-m.Radius) <= markLimits.consensus*m.Radius {
				n++
			}
		}
		if n > most && (best == 0 || n >= markLimits.moreSmall*most && m.Radius > markLimits.small*best) {
			best, most = m.Radius, n
		}
	}
	return best
}

// byRoom and byMarks are the finders of boards that a hint describes.
const (
	byRoom  = "lines in the board's place"
	byMarks = "marks on the ground"
)

// hinted looks for a board in the way that a hint describes.
func (s *search) hinted() ([]hypothesis, error) {
	if s.spec.Hint.Lines {
		return []hypothesis{s.inRoom(s.spec, s.on)}, nil
	}
	h, err := s.marked(s.spec, s.on)
	return []hypothesis{h}, err
}

// fills reports whether a board lies in the middle of a room and fills its width or
// its height.
func fills(l screen.Layout, room image.Rectangle) bool {
	b := l.Board
	centred, filled := roomLimits.centred*l.Pitch, roomLimits.filled*l.Pitch
	middle := math.Abs(float64(b.Min.X+b.Max.X-room.Min.X-room.Max.X)) < centred && math.Abs(float64(b.Min.Y+b.Max.Y-room.Min.Y-room.Max.Y)) < centred
	return middle && (math.Abs(float64(b.Dx()-room.Dx())) < filled || math.Abs(float64(b.Dy()-room.Dy())) < filled)
}

// attempt is a board laid into a room.
type attempt struct {
	lattice
	share, score         float64 // the share of the cells' sides with a line, and its score
	horizontal, vertical []screen.Line
}

// inRoom lays boards of all sizes into the room and takes the one on whose lines the
// most is seen.
func (v *view) inRoom(spec screen.Spec, on screen.Frame) hypothesis {
	hint, room := spec.Hint, spec.Hint.Room
	if room.Empty() {
		return hypothesis{finder: byRoom}
	}
	figure := rectangle("the board's place", room)
	var tried []attempt
	for rows := spec.MinSide; rows <= spec.MaxSide; rows++ {
		for cols := spec.MinSide; cols <= spec.MaxSide; cols++ {
			if hint.Rows > 0 && rows != hint.Rows || hint.Cols > 0 && cols != hint.Cols {
				continue
			}
			if l, ok := filling(room, rows, cols); ok {
				tried = append(tried, v.attempt(l))
			}
		}
	}
	slices.SortStableFunc(tried, func(a, b attempt) int { return cmp.Compare(b.score, a.score) })
	if len(tried) == 0 {
		return hypothesis{finder: byRoom, figures: []screen.Figure{figure}}
	}
	best := tried[0]
	next := slices.IndexFunc(tried, func(a attempt) bool { return math.Abs(a.pitch()-best.pitch()) > roomLimits.sameBoard*best.pitch() })
	if best.share < roomLimits.supported || next >= 0 && tried[next].score > roomLimits.second*best.score {
		return lacking(byRoom, fmt.Sprintf("of no board in its place enough lines are seen (%.0f %%, expected %.0f)", hundred*best.share, hundred*roomLimits.supported), figure)
	}
	return hypothesis{finder: byRoom, layout: best.layout(on), horizontal: best.horizontal, vertical: best.vertical,
		confidence: min(1, best.share/roomLimits.supported*roomLimits.confidence+roomLimits.reserve), figures: []screen.Figure{figure}}
}

// filling is the lattice of a board in the middle of a room, as large as fits. It
// reports whether the board fills enough of the room.
func filling(room image.Rectangle, rows, cols int) (lattice, bool) {
	pitch := min(float64(room.Dx()-1)/float64(cols), float64(room.Dy()-1)/float64(rows))
	if pitch < roomLimits.leastPitch || pitch*pitch*float64(rows*cols) < roomLimits.full*float64(room.Dx()*room.Dy()) {
		return lattice{}, false
	}
	l := lattice{px: pitch, py: pitch, rows: rows, cols: cols}
	// The pitches of a scaled picture's columns and rows may differ.
	if fit := float64(room.Dx()-1) / float64(cols); math.Abs(fit-pitch) < roomLimits.scaled*pitch {
		l.px = fit
	}
	if fit := float64(room.Dy()-1) / float64(rows); math.Abs(fit-pitch) < roomLimits.scaled*pitch {
		l.py = fit
	}
	l.x0 = float64(room.Min.X+room.Max.X-1)/2 - float64(cols)/2*l.px
	l.y0 = float64(room.Min.Y+room.Max.Y-1)/2 - float64(rows)/2*l.py
	return l, true
}

// attempt looks for the lines of a lattice.
func (v *view) attempt(l lattice) attempt {
	a := attempt{lattice: v.refine(l)}
	a.horizontal, a.vertical = v.lines(a.lattice)
	a.share = supported(a.horizontal, a.vertical)
	sides := float64(len(a.horizontal) + len(a.vertical))
	a.score = (a.share - roomLimits.missing*(1-a.share)) * sides * min(l.px, l.py)
	return a
}

// markedRegion is the part of a frame in which a board may lie. Bars and buttons lie
// above and below it, on lying frames at the sides, too. Upright boards may be higher
// than any that the room was measured on, boards on lying frames wider.
func markedRegion(size image.Point, room image.Rectangle) image.Rectangle {
	part := func(length, hundredths int) int { return length * hundredths / hundred }
	lying := size.X > size.Y
	region := image.Rect(0, part(size.Y, markLimits.above), size.X, part(size.Y, markLimits.below))
	if lying {
		region = image.Rect(part(size.X, markLimits.lyingLeft), part(size.Y, markLimits.lyingAbove), part(size.X, markLimits.lyingRight), part(size.Y, markLimits.lyingBelow))
	}
	if room.Empty() {
		return region
	}
	region = region.Union(room)
	if lying {
		region.Min.Y, region.Max.Y = room.Min.Y-markLimits.room, room.Max.Y+markLimits.room
	} else {
		region.Min.X, region.Max.X = room.Min.X-markLimits.room, room.Max.X+markLimits.room
	}
	return region
}

// marked looks for a board by its marks.
func (v *view) marked(spec screen.Spec, on screen.Frame) (hypothesis, error) {
	hint := spec.Hint
	region := markedRegion(v.size(), hint.Room)
	marks, err := v.marks(region, hint.Palette)
	if err != nil {
		return hypothesis{}, err
	}
	discs := make([]disc, 0, len(marks))
	for _, m := range marks {
		discs = append(discs, disc{m.X, m.Y, m.Radius})
	}
	figures := append(circles(discs), rectangle("where the board may be", region))
	l, off, reason := latticeOf(marks, hint, spec, v.size())
	if reason != "" {
		return lacking(byMarks, reason, figures...), nil
	}
	h := hypothesis{finder: byMarks, layout: l.layout(on), confidence: max(0, 1-markLimits.confidence*off), figures: figures}
	h.horizontal, h.vertical = v.lines(l)
	return h, nil
}

// latticeOf lays cells around marks. The distance off is the root mean square
// distance of the marks from the middles of cells, in pitches; the reason says why
// there is no lattice.
func latticeOf(marks []screen.Mark, hint *screen.Hint, spec screen.Spec, size image.Point) (l lattice, off float64, reason string) {
	if len(marks) < markLimits.marks {
		return lattice{}, 0, fmt.Sprintf("%d marks on the ground, expected at least %d", len(marks), markLimits.marks)
	}
	var radii, x, y []float64
	for _, m := range marks {
		radii, x, y = append(radii, m.Radius), append(x, m.X), append(y, m.Y)
	}
	radius := median(radii)
	least, most := radius/markLimits.largest, radius/markLimits.smallest
	if hint.MarkRadius > 0 {
		least, most = radius/hint.MarkRadius*markLimits.knownLeast, radius/hint.MarkRadius*markLimits.knownMost
	}
	pitch, off := pitchOf(x, y, least, most)
	if off > markLimits.offLattice {
		return lattice{}, off, fmt.Sprintf("%d marks that do not lie in rows and columns", len(marks))
	}
	l.x0, l.px = align(x, pitch)
	l.y0, l.py = align(y, pitch)
	if l, reason = placed(l, x, y, hint, size); reason != "" {
		return lattice{}, off, reason
	}
	if !l.within(spec) {
		return lattice{}, off, fmt.Sprintf("marks on %d columns and %d rows, expected %d to %d", l.cols, l.rows, spec.MinSide, spec.MaxSide)
	}
	if b := l.bounds(); !b.In(image.Rectangle{Max: size}.Inset(-markLimits.cutOff)) {
		return lattice{}, off, fmt.Sprintf("the board at %v is cut off by the frame's rim", b)
	}
	return l, off, ""
}

// placed counts the rows and columns of a lattice whose marks lie at x and y, and
// finds its first lines, by what the hint says about the place of boards. The reason
// says why this fails.
func placed(l lattice, x, y []float64, hint *screen.Hint, size image.Point) (_ lattice, reason string) {
	wantCols, wantRows := wanted(l, hint, size)
	// The board lies in the middle of its room or, without one, of an upright
	// frame's width: lying frames have bars on one side.
	across, down := math.NaN(), math.NaN()
	if room := hint.Room; !room.Empty() {
		across, down = float64(room.Min.X+room.Max.X)/2, float64(room.Min.Y+room.Max.Y)/2
	} else if size.X <= size.Y {
		across = float64(size.X) / 2
	}
	var ok bool
	if l.x0, l.cols, ok = span(x, l.x0, l.px, across, wantCols); !ok {
		return lattice{}, "the board's columns do not lie where the calibration says"
	}
	if l.y0, l.rows, ok = span(y, l.y0, l.py, down, wantRows); !ok {
		return lattice{}, "the board's rows do not lie where the calibration says"
	}
	return l, ""
}

// wanted is the number of columns and rows that a hint says or that its room has
// space for: 0 is not known, a negative number is the most.
func wanted(l lattice, hint *screen.Hint, size image.Point) (cols, rows int) {
	cols, rows = hint.Cols, hint.Rows
	if hint.Room.Empty() {
		if cols == 0 && size.X <= size.Y {
			cols = -int(markLimits.width * float64(size.X) / l.px) // as many as fit, or one less
		}
		return cols, rows
	}
	fitX, fitY := float64(hint.Room.Dx())/l.px, float64(hint.Room.Dy())/l.py
	wide, high := math.Abs(fitX-math.Round(fitX)) < markLimits.fits, math.Abs(fitY-math.Round(fitY)) < markLimits.fits
	// Boards of another shape than the room's fill it one way only: the width of
	// upright screens, the height of lying ones.
	lying := size.X > size.Y
	switch {
	case cols == 0 && wide && !(lying && high):
		cols = round(fitX)
	case rows == 0 && high:
		rows = round(fitY)
	}
	return cols, rows
}

// pitchOf is the pitch of which all differences of the marks' places are nearly
// multiples, the largest such pitch from least to most, and the root mean square
// distance of the marks from multiples of it, in pitches.
func pitchOf(x, y []float64, least, most float64) (pitch, off float64) {
	off = math.Inf(1)
	for p := least; p <= most; p *= 1 + markLimits.pitchStep {
		a, b := scatter(x, p), scatter(y, p)
		now := math.Sqrt((a*a + b*b) / 2)
		// A multiple of the pitch may fit a few marks by chance, never better.
		if now < off*markLimits.better || now < off && p < pitch*markLimits.samePitch {
			pitch, off = p, now
		}
	}
	return pitch, off
}

// scatter is the root mean square distance of places from multiples of p, shifted to
// where they agree best, in p.
func scatter(at []float64, p float64) float64 {
	phase := phaseOf(at, p)
	sum := 0.0
	for _, a := range at {
		d := (a-phase)/p - math.Round((a-phase)/p)
		sum += d * d
	}
	return math.Sqrt(sum / float64(len(at)))
}

// phaseOf is the circular mean of places modulo p.
func phaseOf(at []float64, p float64) float64 {
	var sin, cos float64
	for _, a := range at {
		s, c := math.Sincos(2 * math.Pi * a / p)
		sin += s
		cos += c
	}
	return math.Atan2(sin, cos) * p / (2 * math.Pi)
}

// align is the place of one of the cells' centres, and the pitch, by least squares.
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

// span lays a row of cells over places. The cells have their centres at origin and
// every pitch from there. The middle of the row is NaN where it is not known; want is
// the number of cells, 0 where it is not known, negative for the most. It returns the
// first cell's first side and the number of cells, as few as hold all places unless
// want says more, and reports whether all that agrees.
func span(at []float64, origin, pitch, middle float64, want int) (first float64, n int, ok bool) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, a := range at {
		k := math.Round((a - origin) / pitch)
		low, high = min(low, k), max(high, k)
	}
	needed := int(high-low) + 1
	if math.IsNaN(middle) {
		if want > 0 && want != needed {
			return 0, 0, false // nobody knows where the missing ones are
		}
		return origin + (low-0.5)*pitch, needed, true
	}
	// The distance of the middle from a cell's centre, in half cells, tells whether
	// the number of cells is odd.
	halves := math.Round(2 * (middle - origin) / pitch)
	if math.Abs(2*(middle-origin)/pitch-halves) > markLimits.halfCell {
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
