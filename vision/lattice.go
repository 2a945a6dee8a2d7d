package vision

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"tapwise/solvers/screen"
)

// latticeLimits bound the search for a board of squares among horizontal and
// vertical lines.
var latticeLimits = struct {
	regions, peaks, anchors                     int
	regionPart                                  int
	peakWeight                                  float64
	leastGap, leastPitch                        float64
	slackPixels, slack, slackGrowth, mostGrowth float64
	samePitch, offPeak, weakLine, beyond        float64
	fit, larger, secondPitch, doubtful          float64
	lineSeen, outerSeen, betweenSeen            float64
}{
	regions:     6,     // connected components: at most this many are looked at, the largest first
	regionPart:  5,     // 1/n of the masks' shorter side: a board is at least this wide and high
	peakWeight:  0.05,  // share of the strongest column's or row's sum: a column or row with less belongs to no line
	peaks:       400,   // lines in one direction: more than this many are noise
	anchors:     3,     // lines: at least one of this many strongest lines belongs to the lattice
	leastGap:    6,     // pixels of the masks: the pitch is at least this
	leastPitch:  8,     // pixels of the frame: the pitch is at least this
	slackPixels: 1,     // pixels: a line may be this far from its place in the lattice, or
	slack:       0.035, // pitches: this far, whichever is more
	slackGrowth: 0.006, // pitches: the slack grows by this with each line away from the anchor,
	mostGrowth:  0.06,  // pitches: by at most this in all
	samePitch:   0.3,   // slacks: pitches that differ by less than this over the whole board count as one
	offPeak:     0.5,   // share of its weight: a line loses this where it is as far from its place as the slack allows
	weakLine:    0.3,   // share of the usual weight: a line with less than this counts as partly missing
	beyond:      0.25,  // share of its weight: a line beyond the board counts this much against the board
	fit:         0.4,   // fit times support: a board has at least this
	larger:      2,     // areas of the best board: another candidate with at least this area replaces it
	secondPitch: 0.15,  // pitches: a lattice elsewhere whose pitch differs by less than this may be a second board
	doubtful:    0.3,   // share of the confidence: a doubt leaves this much
	lineSeen:    0.5,   // support: a side with at least this has a line
	outerSeen:   0.9,   // share of the sides: if every other line is seen on at least this many
	betweenSeen: 0.25,  // share of the sides: and the lines between on at most this many, only every other line belongs to the lattice
}

// lattice is where a board's lines lie, in pixels of the frame.
type lattice struct {
	x0, y0     float64 // of the first vertical and the first horizontal line
	px, py     float64 // pitches across and down; a scaled picture's may differ a little
	rows, cols int
	contrast   int  // the median contrast of its lines, in brightness levels; 0 until measured
	several    bool // there is another board on the frame
	faint      bool // its lines are known to be there, and may hardly stand out
}

// least is the least contrast of a line of the lattice, in brightness levels.
func (l lattice) least() int {
	if l.faint {
		return maskLimits.faintContrast
	}
	return maskLimits.lineContrast
}

func (l lattice) ok() bool { return l.rows > 0 }

func (l lattice) pitch() float64 { return (l.px + l.py) / 2 }

func (l lattice) x(col float64) float64 { return l.x0 + col*l.px }
func (l lattice) y(row float64) float64 { return l.y0 + row*l.py }

func (l lattice) bounds() image.Rectangle {
	return image.Rect(round(l.x0), round(l.y0), round(l.x(float64(l.cols)))+1, round(l.y(float64(l.rows)))+1)
}

func (l lattice) layout(on screen.Frame) screen.Layout {
	layout := screen.Layout{On: on, Topology: screen.Square, Rows: l.rows, Cols: l.cols, Board: l.bounds(), Pitch: l.pitch()}
	for r := range l.rows {
		for c := range l.cols {
			layout.Centres = append(layout.Centres, image.Pt(round(l.x(float64(c)+0.5)), round(l.y(float64(r)+0.5))))
		}
	}
	return layout
}

// scaled is a lattice measured in pixels of the masks, in pixels of the frame.
func (l lattice) scaled(factor int) lattice {
	scale := float64(factor)
	l.x0, l.y0 = (l.x0+0.5)*scale-0.5, (l.y0+0.5)*scale-0.5
	l.px, l.py = l.px*scale, l.py*scale
	return l
}

// within reports whether a spec allows the lattice's numbers of rows and columns.
func (l lattice) within(spec screen.Spec) bool {
	return l.rows >= spec.MinSide && l.cols >= spec.MinSide && l.rows <= spec.MaxSide && l.cols <= spec.MaxSide
}

// beyond is the lattice with one more row or column on a side.
func (l lattice) beyond(side int) lattice {
	switch side {
	case upper:
		l.y0 -= l.py
		l.rows++
	case lower:
		l.rows++
	case left:
		l.x0 -= l.px
		l.cols++
	case right:
		l.cols++
	}
	return l
}

// without is the lattice with one row or column less on a side.
func (l lattice) without(side int) lattice {
	switch side {
	case upper:
		l.y0 += l.py
		l.rows--
	case lower:
		l.rows--
	case left:
		l.x0 += l.px
		l.cols--
	case right:
		l.cols--
	}
	return l
}

// room is how far it is from each side of the lattice to the rim of a frame, in
// pitches.
func (l lattice) room(size image.Point) [4]float64 {
	room := [4]float64{l.y0, float64(size.Y) - l.y(float64(l.rows)), l.x0, float64(size.X) - l.x(float64(l.cols))}
	for side := range room {
		room[side] /= l.pitch()
	}
	return room
}

// peak is a line of the frame that may be one of the lattice's.
type peak struct {
	at     float64 // its middle, in pixels of the masks
	weight float64 // the length in pixels on which it is seen, times its contrast
}

// candidate is a lattice that may be the board's.
type candidate struct {
	lattice
	fit                  float64       // how well lines fit the lattice, at most 1
	horizontal, vertical []screen.Line // the lines around its cells
}

// byLines is the finder of upright squares by their lines.
const byLines = "lines of squares"

// findLattice looks for a board of squares by their lines. It returns the board first,
// and the others where the less likely hypotheses matter.
func (s *search) findLattice(m *masks) ([]hypothesis, error) {
	v, spec := s.view, s.spec
	if !slices.Contains(spec.Topologies, screen.Square) {
		return nil, nil
	}
	// Something large may cover all lines between two parts of a board. A board
	// of a known size is recognised by its parts.
	known := spec.MinSide == spec.MaxSide
	regions, err := connected(m, known)
	if err != nil {
		return nil, err
	}
	if known {
		regions = append(regions, unions(regions)...)
	}
	var best candidate
	var others []candidate
	figures := make([]screen.Figure, 0, len(regions))
	for _, region := range regions {
		figures = append(figures, rectangle("lines that are connected", image.Rectangle{region.Min.Mul(m.factor), region.Max.Mul(m.factor)}))
		peaksX, peaksY, err := m.peaks(region)
		if err != nil {
			return nil, err
		}
		l, fit := fitLattice(peaksX, peaksY, spec.MinSide, spec.MaxSide)
		c, ok := v.candidate(l.scaled(m.factor), fit, spec)
		if !ok {
			continue
		}
		if c.support() < latticeLimits.fit || best.ok() && area(c.lattice) < latticeLimits.larger*area(best.lattice) {
			others = append(others, c)
			continue
		}
		if best.ok() {
			others = append(others, best)
		}
		best = c
	}
	if !best.ok() {
		why := "no lines that are connected and cross each other"
		if len(regions) > 0 {
			why = "the lines that are connected have no equal spaces, or too few of them"
		}
		return []hypothesis{lacking(byLines, why, figures...)}, nil
	}
	best.several = slices.ContainsFunc(others, best.hasSecond)
	found := s.withCellsBeyond(best)
	found[0].figures = figures
	if s.spec.Candidates || s.spec.Hint != nil && !s.agrees(found[0]) {
		for _, c := range others {
			c.several = best.hasSecond(c)
			other := s.squares(byLines, c)
			other.lesser, other.figures = true, []screen.Figure{rectangle("lines that are connected", c.bounds())}
			if c.support() < latticeLimits.fit {
				other.lacks = []string{fmt.Sprintf("lines are seen on too few sides of its cells (%.0f %%, expected %.0f)", hundred*c.support(), hundred*latticeLimits.fit)}
			}
			found = append(found, other)
		}
	}
	return found, nil
}

// withCellsBeyond are the hypotheses of a candidate: it alone or, where cells lie beyond
// its rim, as on a board that is not a rectangle, first the board with them.
func (s *search) withCellsBeyond(c candidate) []hypothesis {
	strips := s.strips(c.lattice)
	wider, n := s.withCells(c.lattice, strips)
	if n == 0 {
		return []hypothesis{s.squaresOf(byLines, c, strips)}
	}
	whole := candidate{lattice: wider, fit: c.fit}
	whole.horizontal, whole.vertical = s.view.lines(wider)
	part := s.squaresOf(byLines, c, strips)
	part.lesser = true
	part.doubt("cells lie beyond its rim")
	return []hypothesis{s.squares(byLines, whole), part}
}

// squares is the hypothesis that a candidate is the board, with what speaks against it.
func (s *search) squares(finder string, c candidate) hypothesis {
	return s.squaresOf(finder, c, s.strips(c.lattice))
}

// squaresOf is squares for known shares of the lines that lead out of the lattice.
func (s *search) squaresOf(finder string, c candidate, strips [4]float64) hypothesis {
	h := hypothesis{finder: finder, lattice: c.lattice, fit: c.fit, confidence: c.support(),
		horizontal: c.horizontal, vertical: c.vertical, layout: c.layout(s.on)}
	if c.several {
		h.doubt("more than one board on the screen")
	}
	if s.spec.Open {
		s.reachOver(c.lattice, c.horizontal, c.vertical)
	}
	for _, side := range s.openOf(c.lattice, strips, s.spec.Open) {
		h.doubt(fmt.Sprintf("the lattice goes on beyond its %s side", side))
	}
	return h
}

// findLines finds the board by its lines: upright squares, walled ones, cubes or, where
// none of these is found, hexagons in rows.
func (s *search) findLines() ([]hypothesis, error) { return s.linesOf(s.masks) }

// linesOf is findLines in some masks.
func (s *search) linesOf(m *masks) (found []hypothesis, err error) {
	switch {
	case slices.Contains(s.spec.Topologies, screen.Cube):
		found, err = s.findCube(m)
	case s.spec.Walled && len(s.spec.Topologies) > 0:
		found, err = s.findWalled(m)
	default:
		found, err = s.findLattice(m)
	}
	if err != nil || !slices.Contains(s.spec.Topologies, screen.HexRows) || len(found) > 0 && found[0].lattice.ok() {
		return found, err
	}
	hexes, err := s.findHexRows(m)
	return append(found, hexes), err
}

// mayHideMore reports whether a coarse look for lines may have missed a board: where
// there is room for a second one, or where none was found.
func (s *search) mayHideMore() bool {
	found := s.best().layout
	return len(s.spec.Topologies) > 0 && !s.certain() && s.masks.factor > 1 && !s.spec.Walled && found.Topology == screen.Square && boardLimits.acrossBoards*found.Board.Dx() <= s.size().X
}

// linesCloser looks again for lines that a coarse look misses: at every pixel where
// there is room for a second board; where no board was found, for thin lines.
func (s *search) linesCloser() ([]hypothesis, error) {
	factor := 1
	if s.best().layout.Rows == 0 {
		factor = s.masks.factor
	}
	closer, err := s.masksAt(factor, true)
	if err != nil {
		return nil, err
	}
	return s.linesOf(closer)
}

// candidate looks at the frame at full resolution where a lattice that fits the
// masks should be. It reports whether a board of the spec may be there.
func (v *view) candidate(l lattice, fit float64, spec screen.Spec) (candidate, bool) {
	if !l.ok() || l.pitch() < latticeLimits.leastPitch {
		return candidate{}, false
	}
	l = v.trim(v.refine(l))
	horizontal, vertical := v.lines(l)
	if wider, ok := l.everyOther(horizontal, vertical); ok {
		l = v.trim(v.refine(wider))
		horizontal, vertical = v.lines(l)
	}
	return candidate{l, fit, horizontal, vertical}, l.within(spec)
}

// support is how well the lines fit the lattice, times the share of its sides on which
// they are seen.
func (c candidate) support() float64 { return c.fit * supported(c.horizontal, c.vertical) }

// hasSecond reports whether another lattice beside this one may be a second
// board. Part of one is enough to doubt which board is meant.
func (c candidate) hasSecond(other candidate) bool {
	return !other.bounds().Overlaps(c.bounds()) && math.Abs(other.pitch()-c.pitch()) < latticeLimits.secondPitch*c.pitch()
}

// area is the area of a lattice, in pixels.
func area(l lattice) float64 { return float64(l.rows*l.cols) * l.px * l.py }

// everyOther is the lattice of every other line, the outermost lines among them.
// It reports whether these are seen and the lines between are not: then something
// was drawn through the middles of cells and taken for lines.
func (l lattice) everyOther(horizontal, vertical []screen.Line) (lattice, bool) {
	if l.rows%2 == 1 || l.cols%2 == 1 {
		return l, false
	}
	var n, on [2]int // sides on the lines that stay, and on those between
	count := func(line screen.Line, k int) {
		n[k%2]++
		if line.Support >= latticeLimits.lineSeen {
			on[k%2]++
		}
	}
	for i, line := range horizontal {
		count(line, i/l.cols)
	}
	for i, line := range vertical {
		count(line, i%(l.cols+1))
	}
	wider := l
	wider.px, wider.py, wider.cols, wider.rows = 2*l.px, 2*l.py, l.cols/2, l.rows/2
	return wider, atLeast(on[0], n[0], latticeLimits.outerSeen) && !moreThan(on[1], n[1], latticeLimits.betweenSeen)
}

// rounding is far less than any share of a whole number differs from another's.
const rounding = 1e-9

// atLeast reports whether a part of a whole is a share at least; moreThan, whether
// it is more.
func atLeast(part, whole int, share float64) bool {
	return float64(part) >= share*float64(whole)-rounding
}

func moreThan(part, whole int, share float64) bool {
	return float64(part) > share*float64(whole)+rounding
}

// unions are the bounds of every two regions that lie in a row or a column and are
// about as high or as wide.
func unions(regions []image.Rectangle) []image.Rectangle {
	inLine := func(a0, a1, b0, b1 int) bool { return 2*(min(a1, b1)-max(a0, b0)) > max(a1-a0, b1-b0) }
	var both []image.Rectangle
	for i, a := range regions {
		for _, b := range regions[:i] {
			if inLine(a.Min.X, a.Max.X, b.Min.X, b.Max.X) || inLine(a.Min.Y, a.Max.Y, b.Min.Y, b.Max.Y) {
				both = append(both, a.Union(b))
			}
		}
	}
	return both
}

// connected are the bounds of the connected components of lines that are large
// enough to be a board, in pixels of the masks, the largest first. With lines, one
// that is as long as a board's line is large enough.
func connected(m *masks, lines bool) ([]image.Rectangle, error) {
	across, err := m.across()
	if err != nil {
		return nil, err
	}
	down, err := m.down()
	if err != nil {
		return nil, err
	}
	both := gocv.NewMat()
	defer func() { both.Close() }()
	gocv.BitwiseOr(across, down, &both)
	// Where lines cross, neither of them is in the masks.
	if err := window(both, &both, image.Pt(m.thick, m.thick), true); err != nil {
		return nil, err
	}
	gocv.Threshold(both, &both, 0, 255, gocv.ThresholdBinary)
	solid, err := solidOf(both)
	if err != nil {
		return nil, err
	}
	defer solid.release()
	least := min(m.size.X, m.size.Y) / latticeLimits.regionPart
	var regions []image.Rectangle
	for _, r := range solid.bounds() {
		if min(r.Dx(), r.Dy()) >= least || lines && max(r.Dx(), r.Dy()) >= 2*least {
			regions = append(regions, r)
		}
	}
	slices.SortStableFunc(regions, func(a, b image.Rectangle) int { return b.Dx()*b.Dy() - a.Dx()*a.Dy() })
	return regions[:min(len(regions), latticeLimits.regions)], nil
}

// peaks are the columns and rows of a region along which there are lines.
func (m *masks) peaks(region image.Rectangle) (x, y []peak, err error) {
	down, err := m.down()
	if err != nil {
		return nil, nil, err
	}
	across, err := m.across()
	if err != nil {
		return nil, nil, err
	}
	columns, err := profile(down, region, 0)
	if err != nil {
		return nil, nil, err
	}
	rows, err := profile(across, region, 1)
	if err != nil {
		return nil, nil, err
	}
	return findPeaks(columns, region.Min.X), findPeaks(rows, region.Min.Y), nil
}

// profile sums up each column (dim 0) or row (dim 1) of a mask's region.
func profile(mask gocv.Mat, region image.Rectangle, dim int) ([]float64, error) {
	part := mask.Region(region)
	defer part.Close()
	sums := gocv.NewMat()
	defer sums.Close()
	gocv.Reduce(part, &sums, dim, gocv.ReduceSum, gocv.MatTypeCV32F)
	data, err := sums.DataPtrFloat32()
	if err != nil {
		return nil, fmt.Errorf("vision: %w", err)
	}
	sums64 := make([]float64, len(data))
	for i, sum := range data {
		sums64[i] = float64(sum)
	}
	return sums64, nil
}

// findPeaks makes one line of each group of neighbouring columns or rows.
func findPeaks(sums []float64, origin int) []peak {
	least := max(1, latticeLimits.peakWeight*slices.Max(sums))
	var peaks []peak
	for i := 0; i < len(sums); i++ {
		if sums[i] < least {
			continue
		}
		var sum, moment, most float64
		for ; i < len(sums) && sums[i] >= least; i++ {
			sum += sums[i]
			moment += sums[i] * float64(i)
			most = max(most, sums[i])
		}
		peaks = append(peaks, peak{at: float64(origin) + moment/sum, weight: most})
	}
	return peaks
}

// comb is a row of equally distant lines, fitted to peaks.
type comb struct {
	first float64
	n     int // spaces
	score float64
}

// fitLattice finds the pitch at which both the vertical and the horizontal lines
// are combs. The fit, at most 1, is 1 when every peak is a line of the lattice and
// every line of the lattice a peak.
func fitLattice(x, y []peak, minSide, maxSide int) (lattice, float64) {
	if len(x) < minSide || len(y) < minSide || len(x) > latticeLimits.peaks || len(y) > latticeLimits.peaks {
		return lattice{}, 0
	}
	combsX, combsY := newCombs(x, maxSide), newCombs(y, maxSide)
	pitches := append(combsX.pitches(minSide), combsY.pitches(minSide)...)
	slices.Sort(pitches)
	extent := max(x[len(x)-1].at-x[0].at, y[len(y)-1].at-y[0].at)
	var best lattice
	var bestScore, last float64
	for _, pitch := range pitches {
		// Pitches that differ by much less than a line's slack over the whole
		// board count as one.
		if pitch-last < latticeLimits.samePitch*slack(pitch, 0)/min(float64(maxSide), extent/pitch) {
			continue
		}
		last = pitch
		cx := combsX.fit(pitch, bestScore)
		if cx.score <= bestScore || cx.n < minSide-1 {
			continue
		}
		cy := combsY.fit(pitch, bestScore)
		if score := min(cx.score, cy.score); score > bestScore && cy.n >= minSide-1 {
			bestScore = score
			x0, px := combsX.align(cx, pitch)
			y0, py := combsY.align(cy, pitch)
			best = lattice{x0: x0, y0: y0, px: px, py: py, rows: cy.n, cols: cx.n}
		}
	}
	return best, bestScore
}

// slack is how far a peak may be from a comb's line that is k lines from the
// anchor, in the unit of the pitch. The pitches of a scaled picture differ a little.
func slack(pitch float64, k int) float64 {
	return max(latticeLimits.slackPixels, latticeLimits.slack*pitch) + min(latticeLimits.mostGrowth, latticeLimits.slackGrowth*math.Abs(float64(k)))*pitch
}

// strongest are the n peaks of the greatest weight, the strongest first.
func strongest(peaks []peak, n int) []peak {
	sorted := slices.Clone(peaks)
	slices.SortStableFunc(sorted, func(a, b peak) int { return cmp.Compare(b.weight, a.weight) })
	return sorted[:min(n, len(sorted))]
}

// combs fits combs to the peaks of one direction.
type combs struct {
	peaks   []peak
	anchors []peak // every comb has a line at one of them
	total   float64
	maxSide int
	weights []float64 // of the lines of the comb being fitted; the anchor's is in the middle
	lines   []int     // the line of that comb on which each peak is, -1 for none
}

// newCombs prepares the fit of combs with at most maxSide spaces.
func newCombs(peaks []peak, maxSide int) *combs {
	c := &combs{peaks: peaks, anchors: strongest(peaks, latticeLimits.anchors), maxSide: maxSide,
		weights: make([]float64, 2*maxSide+3), lines: make([]int, len(peaks))}
	for _, p := range peaks {
		c.total += p.weight
	}
	return c
}

// pitches are those at which a comb has lines at an anchor and at another strong
// peak.
func (c *combs) pitches(minSide int) []float64 {
	var pitches []float64
	for _, a := range c.anchors {
		for _, b := range strongest(c.peaks, 2*c.maxSide) {
			gap := math.Abs(a.at - b.at)
			for n := max(1, minSide-1); n <= c.maxSide && gap/float64(n) >= latticeLimits.leastGap; n++ {
				pitches = append(pitches, gap/float64(n))
			}
		}
	}
	return pitches
}

// fit lays lines of a pitch through the peaks, and returns the comb of the best
// score, none if no score is more than least. The score is the weight of the peaks
// on lines, less that of the peaks between lines, less what lines without a peak
// lack, as a share of all weight. Much weaker peaks between lines come from what
// stands in the cells and count less than their weight; peaks on either side of
// the board come from things connected with it and count little.
func (c *combs) fit(pitch, least float64) comb {
	best := comb{score: least}
	for _, anchor := range c.anchors {
		sum, n, first, last := c.assign(anchor, pitch)
		if sum <= best.score*c.total {
			continue // missing lines and peaks between only take away from it
		}
		if found := c.cut(anchor, pitch, sum/float64(n), first, last); found.score > best.score {
			best = found
		}
	}
	return best
}

// anchorLine is the index of the anchor's line in weights.
func (c *combs) anchorLine() int { return c.maxSide + 1 }

// assign finds the line of the comb on which each peak is. It returns the weight
// of the peaks on lines, the number of lines with a peak, and the first and last
// of them.
func (c *combs) assign(anchor peak, pitch float64) (sum float64, n, first, last int) {
	clear(c.weights)
	zero := c.anchorLine()
	first, last = zero, zero
	for i, p := range c.peaks {
		c.lines[i] = -1
		from := (p.at - anchor.at) / pitch
		k := int(math.Floor(from + 0.5))
		reach := slack(pitch, k)
		off := math.Abs(from-float64(k)) * pitch
		if k += zero; off > reach || k < 0 || k >= len(c.weights) {
			continue
		}
		off /= reach
		c.lines[i] = k
		if c.weights[k] == 0 {
			n++
		}
		if weight := p.weight * (1 - latticeLimits.offPeak*off*off); weight > c.weights[k] {
			sum += weight - c.weights[k]
			c.weights[k] = weight
		}
		first, last = min(first, k), max(last, k)
	}
	return sum, n, first, last
}

// cut is the part of the comb, between its first and last line with a peak, that
// has the best score; the score is 0 where that part is too long.
func (c *combs) cut(anchor peak, pitch, usual float64, first, last int) comb {
	zero := c.anchorLine()
	worth := func(k int) float64 {
		return c.weights[k] - usual*max(0, 1-c.weights[k]/(latticeLimits.weakLine*usual))
	}
	last, above := furthest(zero, last, +1, worth)
	first, below := furthest(zero, first, -1, worth)
	if last-first > c.maxSide+1 {
		return comb{}
	}
	score := above + below - worth(zero)
	from, to := anchor.at+float64(first-zero)*pitch, anchor.at+float64(last-zero)*pitch
	for i, p := range c.peaks {
		switch k := c.lines[i]; {
		case k >= first && k <= last:
		case p.at < from || p.at > to:
			score -= latticeLimits.beyond * p.weight
		default:
			score -= p.weight * min(1, p.weight/usual)
		}
	}
	return comb{first: from, n: last - first, score: score / c.total}
}

// align moves a comb to the least-squares fit of the peaks on its lines.
func (c *combs) align(best comb, pitch float64) (first, spacing float64) {
	var index, at []float64
	for _, p := range c.peaks {
		k := math.Round((p.at - best.first) / pitch)
		if k >= 0 && int(k) <= best.n && math.Abs(p.at-best.first-k*pitch) <= slack(pitch, best.n) {
			index = append(index, k)
			at = append(at, p.at)
		}
	}
	if len(index) < 2 || index[0] == index[len(index)-1] {
		return best.first, pitch
	}
	return fitLine(index, at)
}

// furthest is the line between start and stop up to which the lines from start on
// are worth most together, and what they are worth.
func furthest(start, stop, step int, worth func(int) float64) (at int, most float64) {
	sum := 0.0
	for k := start; k != stop+step; k += step {
		sum += worth(k)
		if k == start || sum > most {
			at, most = k, sum
		}
	}
	return at, most
}

// round rounds to the nearest whole number, halves upwards.
func round(x float64) int { return int(math.Floor(x + 0.5)) }
