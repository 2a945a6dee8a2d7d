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

// lattice is where a board's lines lie, in pixels of the frame.
type lattice struct {
	x0, y0     float64 // of the first lines
	px, py     float64 // pitches; nearly the same, but a scaled picture's may differ
	rows, cols int
	contrast   int  // of its lines, once they have been looked at
	several    bool // there is more than one
	faint      bool // its lines may hardly stand out: where they are is known
}

// least is the least contrast of a line of the lattice.
func (l lattice) least() int {
	if l.faint {
		return faintContrast
	}
	return lineContrast
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

// peak is a line of the frame that may be one of the lattice's.
type peak struct {
	at     float64 // its middle, in pixels of the masks
	weight float64 // its length in pixels, as far as seen, times its contrast
}

// findLattice looks for a board of squares. It writes what it thinks of it
// into seen: the confidence, the lines around the cells, the doubts.
func findLattice(v *view, m *masks, spec screen.Spec, seen *screen.Observation) (lattice, error) {
	if !slices.Contains(spec.Topologies, screen.Square) {
		return lattice{}, nil
	}
	// Something large may lie on all the lines between two parts of a board. One
	// of a known size is told from them.
	known := spec.MinSide == spec.MaxSide
	regions, err := connected(m, known)
	if err != nil {
		return lattice{}, err
	}
	if known {
		regions = append(regions, unions(regions)...)
	}
	type candidate struct {
		lattice
		fit                  float64
		horizontal, vertical []screen.Line
	}
	var best candidate
	var others []lattice
	for _, region := range regions {
		peaksX, peaksY, err := m.peaks(region)
		if err != nil {
			return lattice{}, err
		}
		l, fit := fitLattice(peaksX, peaksY, spec.MinSide, spec.MaxSide)
		if !l.ok() {
			continue
		}
		scale := float64(m.factor)
		l.x0 = (l.x0+0.5)*scale - 0.5
		l.y0 = (l.y0+0.5)*scale - 0.5
		l.px *= scale
		l.py *= scale
		if l.pitch() < 8 {
			continue
		}
		l = v.trim(v.refine(l), spec.MaxSide)
		horizontal, vertical := v.lines(l)
		if wider, ok := l.everyOther(horizontal, vertical); ok {
			l = v.trim(v.refine(wider), spec.MaxSide)
			horizontal, vertical = v.lines(l)
		}
		if l.rows < spec.MinSide || l.cols < spec.MinSide || l.rows > spec.MaxSide || l.cols > spec.MaxSide {
			continue
		}
		c := candidate{l, fit, horizontal, vertical}
		c.fit *= supported(c.horizontal, c.vertical)
		if c.fit < 0.4 || best.ok() && area(c.lattice) < 2*area(best.lattice) {
			others = append(others, c.lattice)
			continue
		}
		if best.ok() {
			others = append(others, best.lattice)
		}
		best = c
	}
	if !best.ok() {
		return lattice{}, nil
	}
	seen.Confidence = best.fit
	for _, other := range others {
		// Part of a second board is enough to doubt which one is meant.
		if !other.bounds().Overlaps(best.bounds()) && math.Abs(other.pitch()-best.pitch()) < 0.15*best.pitch() {
			seen.Confidence *= 0.3
			best.several = true
			seen.Doubts = append(seen.Doubts, "more than one board on the screen")
			break
		}
	}
	if spec.Open {
		v.reachOver(best.lattice, best.horizontal, best.vertical)
	}
	for _, side := range v.openSides(best.lattice, spec.Open) {
		seen.Confidence *= 0.3
		seen.Doubts = append(seen.Doubts, fmt.Sprintf("the lattice goes on beyond its %s side", side))
	}
	seen.Horizontal, seen.Vertical = best.horizontal, best.vertical
	return best.lattice, nil
}

func area(l lattice) float64 { return float64(l.rows*l.cols) * l.px * l.py }

// everyOther is the lattice of every other line, the outermost ones among them,
// where these are seen and those between are not: something was drawn through the
// middles of cells.
func (l lattice) everyOther(horizontal, vertical []screen.Line) (lattice, bool) {
	if l.rows%2 == 1 || l.cols%2 == 1 {
		return l, false
	}
	var n, on [2]int // of the lines that stay, and of those between
	count := func(line screen.Line, k int) {
		n[k%2]++
		if line.Support >= 0.5 {
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
	return wider, 10*on[0] >= 9*n[0] && 4*on[1] <= n[1]
}

// unions are the bounds of two regions each that are about as wide or as high and
// lie in line.
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

// connected are the bounds of what hangs together by lines and is large enough
// to be a board, or a line of one as well, in pixels of the masks, the largest
// first.
func connected(m *masks, lines bool) ([]image.Rectangle, error) {
	both := gocv.NewMat()
	defer both.Close()
	gocv.BitwiseOr(m.across(), m.down(), &both)
	// Where lines cross there is neither the one nor the other.
	kernel := gocv.GetStructuringElement(gocv.MorphRect, image.Pt(m.thick, m.thick))
	defer kernel.Close()
	gocv.Dilate(both, &both, kernel)
	gocv.Threshold(both, &both, 0, 255, gocv.ThresholdBinary)
	solid, err := solidOf(both)
	if err != nil {
		return nil, err
	}
	defer solid.release()
	least := min(m.size.X, m.size.Y) / 5
	var regions []image.Rectangle
	for _, r := range solid.bounds() {
		if min(r.Dx(), r.Dy()) >= least || lines && max(r.Dx(), r.Dy()) >= 2*least {
			regions = append(regions, r)
		}
	}
	slices.SortStableFunc(regions, func(a, b image.Rectangle) int { return b.Dx()*b.Dy() - a.Dx()*a.Dy() })
	return regions[:min(len(regions), 6)], nil
}

// peaks are the columns and rows of a region along which there are lines.
func (m *masks) peaks(region image.Rectangle) (x, y []peak, err error) {
	down, err := profile(m.down(), region, 0)
	if err != nil {
		return nil, nil, err
	}
	across, err := profile(m.across(), region, 1)
	if err != nil {
		return nil, nil, err
	}
	return findPeaks(down, region.Min.X), findPeaks(across, region.Min.Y), nil
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

// findPeaks takes neighbouring columns or rows together as one line each.
func findPeaks(sums []float64, origin int) []peak {
	least := max(1, 0.05*slices.Max(sums))
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

// fitLattice finds the pitch at which both the columns and the rows of peaks
// are combs. The fit is 1 when every peak is a line and every line a peak.
func fitLattice(x, y []peak, minSide, maxSide int) (lattice, float64) {
	if len(x) < minSide || len(y) < minSide || len(x) > 400 || len(y) > 400 {
		return lattice{}, 0
	}
	var pitches []float64
	combsX, combsY := newCombs(x, maxSide), newCombs(y, maxSide)
	for _, c := range []*combs{combsX, combsY} {
		for _, a := range c.anchors {
			for _, b := range strongest(c.peaks, 2*maxSide) {
				gap := math.Abs(a.at - b.at)
				for n := max(1, minSide-1); n <= maxSide && gap/float64(n) >= 6; n++ {
					pitches = append(pitches, gap/float64(n))
				}
			}
		}
	}
	slices.Sort(pitches)
	extent := max(x[len(x)-1].at-x[0].at, y[len(y)-1].at-y[0].at)
	var best lattice
	var bestScore, last float64
	for _, pitch := range pitches {
		// Pitches that differ by much less than a line's slack over the whole
		// board are one.
		if pitch-last < 0.3*slack(pitch, 0)/min(float64(maxSide), extent/pitch) {
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

// slack is how far a comb's line may be from a peak that is k lines from its
// anchor. Scaled pictures have not quite the same pitch both ways.
func slack(pitch float64, k int) float64 {
	return max(1, 0.035*pitch) + min(0.06, 0.006*math.Abs(float64(k)))*pitch
}

func strongest(peaks []peak, n int) []peak {
	sorted := slices.Clone(peaks)
	slices.SortStableFunc(sorted, func(a, b peak) int { return cmp.Compare(b.weight, a.weight) })
	return sorted[:min(n, len(sorted))]
}

// combs fits combs to the peaks of one direction.
type combs struct {
	peaks   []peak
	anchors []peak // the comb has a line at one of them
	total   float64
	maxSide int
	weights []float64 // of the lines of the comb at hand, the anchor in the middle
	lines   []int     // on which of them each peak is, -1 for none
}

func newCombs(peaks []peak, maxSide int) *combs {
	c := &combs{peaks: peaks, anchors: strongest(peaks, 3), maxSide: maxSide, weights: make([]float64, 2*maxSide+3), lines: make([]int, len(peaks))}
	for _, p := range peaks {
		c.total += p.weight
	}
	return c
}

// fit lays lines of a pitch through the peaks. Its score counts the weight of
// the peaks on lines, less that of the peaks between lines, less what the lines
// without a peak should have had. Peaks between lines that are much weaker, of
// what stands in the cells, count less than their weight. Peaks on either side
// of the board, of what else hangs together with it, count little. It is of no
// comb that scores no more than least.
func (c *combs) fit(pitch, least float64) comb {
	zero := c.maxSide + 1
	best := comb{score: least}
	for _, anchor := range c.anchors {
		clear(c.weights)
		first, last := zero, zero
		sum, n := 0.0, 0
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
			if weight := p.weight * (1 - 0.5*off*off); weight > c.weights[k] {
				sum += weight - c.weights[k]
				c.weights[k] = weight
			}
			first, last = min(first, k), max(last, k)
		}
		if sum <= best.score*c.total {
			continue // what is missing or between only takes away from it
		}
		// A line with a small part of the usual weight is mostly missing.
		usual := sum / float64(n)
		worth := func(k int) float64 {
			return c.weights[k] - usual*max(0, 1-c.weights[k]/(0.3*usual))
		}
		last, above := furthest(zero, last, +1, worth)
		first, below := furthest(zero, first, -1, worth)
		if last-first > c.maxSide+1 {
			continue
		}
		score := above + below - worth(zero)
		from, to := anchor.at+float64(first-zero)*pitch, anchor.at+float64(last-zero)*pitch
		for i, p := range c.peaks {
			switch k := c.lines[i]; {
			case k >= first && k <= last:
			case p.at < from || p.at > to:
				score -= 0.25 * p.weight
			default:
				score -= p.weight * min(1, p.weight/usual)
			}
		}
		if score /= c.total; score > best.score {
			best = comb{first: from, n: last - first, score: score}
		}
	}
	return best
}

// align moves a comb to where the peaks on it are.
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

// furthest is how far from a start to a stop lines are worth most together,
// and how much.
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

func round(x float64) int { return int(math.Floor(x + 0.5)) } // halves upwards
