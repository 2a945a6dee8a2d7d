package glyphs

import (
	"bytes"
	"cmp"
	"image"
	"math"
	"slices"
)

// segmentLimits bound which parts of the ink are the figures of a number.
var segmentLimits = struct {
	look                     float64
	nth, contrast            int
	noise, weak              float64
	beyond, wall             float64
	speckArea, speckSide     float64
	leastHeight              int
	leastShare, mostShare    float64
	plateAspect, plateFilled float64
	room, beside             float64
	leastBite, bite          float64
	full, leastOut, same     int
	out                      float64
	aside, above             float64
	heights, level, gap      float64
	wide, narrow             float64
	cuts                     int
	trim, touch              float64
}{
	look:        0.22, // share of the side: radius in which the ink's strength is taken
	nth:         6,    // pixels: the strength is that of the pixel with this rank, so that single pixels do not count
	contrast:    28,   // levels: weaker ink is none
	noise:       6,    // times the ground's noise: nor is ink weaker than this,
	weak:        0.5,  // times both: but if it is at least this, and a clear number
	wall:        0.12, // share of the side: what is left of a wall at the rim is no wider
	beyond:      0.34, // share of the side: what touches the rim and lies further out is not of the cell
	speckArea:   0.02, // share of the largest part's area: a smaller part
	speckSide:   0.15, // share of the largest part's height: no longer than this is dirt
	leastHeight: 7,    // pixels: lower figures cannot be told apart
	leastShare:  0.12, // share of the side: figures are higher than this
	mostShare:   0.9,  // share of the side: and lower than this
	plateAspect: 0.85, // width per height: a part at least as wide
	plateFilled: 0.70, // share of its box: that fills as much is what a number stands on
	room:        1.2,  // times the number's height: what it stands on is higher than this
	beside:      0.04, // share of the side: and its middle no further beside the cell's, except for a pixel
	leastBite:   1.5,  // pixels: what reaches into that from its rim is no deeper,
	bite:        0.08, // times the number's height: or than this; else a figure may touch the rim
	full:        230,  // of 255: ink from here on has the figures' colour
	leastOut:    6,    // pixels: of a figure that sticks out of its plate no more than this show beside it,
	out:         0.08, // share of the number's full ink: or than this
	same:        40,   // levels: nor where the number's colour is no further from the cell's
	aside:       0.2,  // times the number's height: its middle lies no further beside the cell's
	above:       0.35, // times the number's height: nor above or below
	heights:     0.8,  // the lower of two figures is at least this high, as a share of the higher
	level:       0.15, // times the height: both stand on one line
	gap:         0.6,  // times the height: the gap between them is no wider
	wide:        0.55, // times the height: two figures that touch are at least as wide
	narrow:      0.12, // times the height: and each of them as wide as this
	trim:        1,    // pixels: so far from the rim of a disc, figures are cut off it
	touch:       0.25, // times the disc's radius: that touch it on an arc no longer than this
	cuts:        4,    // columns at which they are cut, those with the least ink
}

// ink is how much each pixel of a patch differs from a ground, 0 to 255.
type ink struct {
	w, h    int
	pix     []uint8
	colours [][3]uint8 // of the patch
	level   uint8      // a pixel with as much is ink
}

// newInk is the ink on a ground, with a share of the contrast that ink has else. Where nothing in the middle stands out enough, it is what
// stands out anywhere, and faint.
func newInk(p patch, g ground, share float64) (k ink, faint bool) {
	d := make([]uint8, len(p.pix))
	for i, c := range p.pix {
		if i > 0 && c == p.pix[i-1] {
			d[i] = d[i-1]
		} else {
			d[i] = uint8(apart(c, g.colour))
		}
	}
	var counts [256]int
	n := 0
	p.around(segmentLimits.look, func(from, to int) {
		for _, v := range d[from:to] {
			counts[v]++
		}
		n += to - from
	})
	full := 255
	for above := counts[full]; above < min(n, segmentLimits.nth); above += counts[full] {
		full--
	}
	if least := int(share * max(float64(segmentLimits.contrast), segmentLimits.noise*g.noise)); full < least {
		full, faint = 2*least, true
	}
	var inkOf [256]uint8 // of each difference
	for v := range inkOf {
		inkOf[v] = uint8(min(255, v*255/full))
	}
	for i, v := range d {
		d[i] = inkOf[v]
	}
	return ink{w: p.w, h: p.h, pix: d, colours: p.pix}, faint
}

// part is a connected part of the ink.
type part struct {
	box    image.Rectangle
	area   int
	rims   int  // how many of the patch's four rims it touches
	inside bool // some of it lies in the middle
	label  int32
}

// run is a piece of a row of a mask, from one column to before another.
type run struct {
	y, from, to int
	parent      int32 // the index of an earlier run of the same part, or its own
}

// parts are the connected parts of a mask, by label from 1, and the labels of the
// pixels. Diagonal neighbours are connected where eight is set.
func parts(w int, mask []uint8, eight bool) ([]part, []int32) {
	runs := runsOf(w, mask, eight)
	labels := make([]int32, len(mask))
	var found []part
	of := make([]int32, len(runs)) // label of a run that is its own parent
	h := len(mask) / w
	beyond := segmentLimits.beyond * float64(min(w, h))
	for i, r := range runs {
		root := rootOf(runs, int32(i))
		if of[root] == 0 {
			found = append(found, part{box: image.Rectangle{Min: image.Pt(w, h)}, label: int32(len(found) + 1)})
			of[root] = int32(len(found))
		}
		c := &found[of[root]-1]
		c.area += r.to - r.from
		c.box.Min = image.Pt(min(c.box.Min.X, r.from), min(c.box.Min.Y, r.y))
		c.box.Max = image.Pt(max(c.box.Max.X, r.to), max(c.box.Max.Y, r.y+1))
		dx, dy := max(0, float64(r.from)-float64(w)/2, float64(w)/2-float64(r.to)), float64(2*r.y+1-h)/2
		c.inside = c.inside || dx*dx+dy*dy < beyond*beyond
		for x := r.from; x < r.to; x++ {
			labels[r.y*w+x] = c.label
		}
	}
	for i := range found {
		c := &found[i]
		for _, touches := range [...]bool{c.box.Min.X == 0, c.box.Min.Y == 0, c.box.Max.X == w, c.box.Max.Y == h} {
			if touches {
				c.rims++
			}
		}
	}
	return found, labels
}

// runsOf are the runs of a mask, row by row, those of one part joined by their parents.
func runsOf(w int, mask []uint8, eight bool) []run {
	reach := 0
	if eight {
		reach = 1
	}
	var runs []run
	above := 0 // the first run of the row above
	for y := range len(mask) / w {
		row := mask[y*w : (y+1)*w]
		first := len(runs)
		k := above
		for x := 0; x < w; {
			from := bytes.IndexByte(row[x:], set)
			if from < 0 {
				break
			}
			from += x
			if x = bytes.IndexByte(row[from:], 0) + from; x < from {
				x = w
			}
			i := int32(len(runs))
			runs = append(runs, run{y, from, x, i})
			for k < first && runs[k].to+reach <= from {
				k++
			}
			for j := k; j < first && runs[j].from < x+reach; j++ {
				a, b := rootOf(runs, int32(j)), rootOf(runs, i)
				runs[max(a, b)].parent = min(a, b)
			}
		}
		above = first
	}
	return runs
}

// rootOf is the first run of a run's part.
func rootOf(runs []run, i int32) int32 {
	for runs[i].parent != i {
		runs[i].parent = runs[runs[i].parent].parent
		i = runs[i].parent
	}
	return i
}

// glyph is what may be a figure: its box in the ink.
type glyph struct {
	box    image.Rectangle
	labels []int32 // of its parts
}

// outcome is what a ground showed.
type outcome int

const (
	blank   outcome = iota // nothing in the cell stands out
	plates                 // only what a number could stand on does
	unclear                // ink that is no number
	figures                // one or two figures
)

// set is what a mask's bytes are where it is; elsewhere they are 0.
const set = 1

// mask is where there is ink, or where there is none.
func (k ink) mask(ink bool) []uint8 {
	m := make([]uint8, len(k.pix))
	for i, v := range k.pix {
		if v >= k.level == ink {
			m[i] = set
		}
	}
	return m
}

// without is where in a box the labels are others than some.
func (k ink) without(box image.Rectangle, labels, some []int32) []uint8 {
	m := make([]uint8, box.Dx()*box.Dy())
	i := 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for _, l := range labels[y*k.w+box.Min.X : y*k.w+box.Max.X] {
			if l != some[0] && !slices.Contains(some[1:], l) {
				m[i] = set
			}
			i++
		}
	}
	return m
}

// glyphs are the figures that stand on a ground, from left to right, and the labels of
// the ink's parts. Those of an unclear outcome may not be all.
func (k ink) glyphs() ([]glyph, []int32, outcome) {
	all, labels := parts(k.w, k.mask(true), true)
	left, beyond, ok := k.within(all)
	if !ok {
		return nil, labels, unclear
	}
	left = k.withoutPlates(left, labels)
	if len(left) == 0 {
		return nil, labels, k.withoutFigures(beyond)
	}
	found := merge(left)
	box := found[0].box
	for _, g := range found[1:] {
		box = box.Union(g.box)
	}
	switch {
	case len(found) > 2 || !k.placed(found, box):
		return nil, labels, unclear
	case !k.hasRoom(box, beyond):
		return found, labels, unclear // another figure may be lost in what is around
	}
	return found, labels, figures
}

// withoutFigures is what a cell shows that has no parts but plates. One whose middle is
// ink tells nothing; else the ground there must be a plate, or the cell, that nothing
// reaches into.
func (k ink) withoutFigures(beyond bool) outcome {
	middle := image.Pt(k.w/2, k.h/2)
	if k.pix[middle.Y*k.w+middle.X] >= k.level {
		return plates
	}
	if !k.hasRoom(image.Rectangle{middle, middle.Add(image.Pt(1, 1))}, beyond) {
		return unclear
	}
	return blank
}

// within are the parts that belong to the cell, without dirt, and whether there is a part
// all around, beyond a plate. It fails where another part is cut by the rim.
func (k ink) within(all []part) (left []part, beyond, ok bool) {
	for _, c := range all {
		switch {
		case c.rims == 0:
			left = append(left, c)
		case c.inside && c.rims < 4 && !k.isAround(c.box):
			return nil, false, false
		case c.inside:
			beyond = true
		}
	}
	if len(left) == 0 {
		return nil, beyond, true
	}
	largest := slices.MaxFunc(left, func(a, b part) int { return cmp.Compare(a.area, b.area) })
	return slices.DeleteFunc(left, func(c part) bool {
		return float64(c.area) < segmentLimits.speckArea*float64(largest.area) &&
			float64(max(c.box.Dx(), c.box.Dy())) <= segmentLimits.speckSide*float64(largest.box.Dy())
	}), beyond, true
}

// isAround reports whether a box reaches to the patch's rim on all sides, except for a wall that may be there.
func (k ink) isAround(box image.Rectangle) bool {
	wall := int(segmentLimits.wall * float64(min(k.w, k.h)))
	return image.Rect(wall, wall, k.w-wall, k.h-wall).In(box)
}

// withoutPlates leaves out the discs, squares and rings that numbers stand on. Beside the middle
// they may be figures, if anything is high enough to be one.
func (k ink) withoutPlates(all []part, labels []int32) []part {
	high := slices.ContainsFunc(all, func(c part) bool { return c.box.Dy() >= segmentLimits.leastHeight })
	return slices.DeleteFunc(all, func(c part) bool {
		if float64(c.box.Dx()) < segmentLimits.plateAspect*float64(c.box.Dy()) || high && k.isBeside(c.box) {
			return false
		}
		// A figure that sticks out of a ring is part of it.
		filled, area := k.filled(c, labels, false)
		return float64(area) > segmentLimits.plateFilled*float64(c.box.Dx()*c.box.Dy()) &&
			!bitten(filled, c.box.Dx(), max(segmentLimits.leastBite, segmentLimits.bite*float64(c.box.Dy())))
	})
}

// isBeside reports whether the middle of a box is beside the cell's.
func (k ink) isBeside(box image.Rectangle) bool {
	return math.Abs(float64(box.Min.X+box.Max.X-k.w))/2 > segmentLimits.beside*float64(min(k.w, k.h))+1
}

// filled is where, in its box, a part or one of its holes is, and the area of that. What
// surrounds ink is connected by sides, what surrounds ground by corners, too.
func (k ink) filled(c part, labels []int32, ground bool) (mask []uint8, area int) {
	outside, of := parts(c.box.Dx(), k.without(c.box, labels, []int32{c.label}), ground)
	mask = make([]uint8, len(of))
	for i, l := range of {
		if l == 0 || outside[l-1].rims == 0 {
			mask[i] = set
			area++
		}
	}
	return mask, area
}

// merge makes one glyph of parts that lie within another's box, and sorts the glyphs
// from left to right.
func merge(left []part) []glyph {
	slices.SortFunc(left, func(a, b part) int { return cmp.Compare(b.box.Dx()*b.box.Dy(), a.box.Dx()*a.box.Dy()) })
	var found []glyph
	for _, c := range left {
		in := slices.IndexFunc(found, func(g glyph) bool { return c.box.In(g.box) })
		if in >= 0 {
			found[in].labels = append(found[in].labels, c.label)
		} else {
			found = append(found, glyph{c.box, []int32{c.label}})
		}
	}
	slices.SortFunc(found, func(a, b glyph) int { return cmp.Compare(a.box.Min.X, b.box.Min.X) })
	return found
}

// placed reports whether glyphs stand as the figures of a number do: in the middle, and
// two of them side by side, alike in height.
func (k ink) placed(found []glyph, box image.Rectangle) bool {
	height, side := float64(box.Dy()), float64(min(k.w, k.h))
	if box.Dy() < segmentLimits.leastHeight || height < segmentLimits.leastShare*side || height > segmentLimits.mostShare*side {
		return false
	}
	aside := float64(box.Min.X+box.Max.X-k.w) / 2
	above := float64(box.Min.Y+box.Max.Y-k.h) / 2
	if max(aside, -aside) > segmentLimits.aside*height+1 || max(above, -above) > segmentLimits.above*height+1 {
		return false
	}
	if len(found) == 1 {
		return true
	}
	a, b := found[0].box, found[1].box
	foot := a.Max.Y - b.Max.Y
	return float64(min(a.Dy(), b.Dy())) >= segmentLimits.heights*float64(max(a.Dy(), b.Dy())) &&
		float64(max(foot, -foot)) <= segmentLimits.level*height+1 &&
		b.Min.X >= a.Max.X-2 && float64(b.Min.X-a.Max.X) <= segmentLimits.gap*height
}

// cuts are the columns at which a glyph may be cut in two figures: between two columns with less
// ink than any beside them.
func (k ink) cuts(g glyph, labels []int32) []int {
	w, height := g.box.Dx(), float64(g.box.Dy())
	if float64(w) < segmentLimits.wide*height {
		return nil
	}
	sums := make([]int, w)
	for y := g.box.Min.Y; y < g.box.Max.Y; y++ {
		for x := range sums {
			i := y*k.w + g.box.Min.X + x
			if l := labels[i]; l == 0 || slices.Contains(g.labels, l) {
				sums[x] += int(k.pix[i])
			}
		}
	}
	ink := func(x int) int { return sums[x-1] + sums[x] }
	var found []int
	edge := max(1, int(segmentLimits.narrow*height))
	for x := edge + 1; x < w-edge; x++ {
		if ink(x) <= ink(x-1) && (x == w-1 || ink(x) < ink(x+1)) {
			found = append(found, x)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(ink(a), ink(b)) })
	found = found[:min(len(found), segmentLimits.cuts)]
	for i := range found {
		found[i] += g.box.Min.X
	}
	return found
}

// part is the part of a glyph from one column to before another.
func (k ink) part(g glyph, labels []int32, from, to int) glyph {
	part := glyph{labels: g.labels}
	for y := g.box.Min.Y; y < g.box.Max.Y; y++ {
		for x := max(from, g.box.Min.X); x < min(to, g.box.Max.X); x++ {
			if slices.Contains(g.labels, labels[y*k.w+x]) {
				part.box = part.box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return part
}

// trim takes away the ink outside the disc in the middle, so that figures that touch its rim are
// apart from it. It reports whether there is a disc, and figures only touch its rim.
func (k ink) trim() bool {
	all, _ := parts(k.w, k.mask(false), false)
	disc := image.Rectangle{}
	for _, c := range all {
		if c.rims == 0 && c.box.Dx()*c.box.Dy() > disc.Dx()*disc.Dy() {
			disc = c.box
		}
	}
	x, y := float64(disc.Min.X+disc.Max.X)/2, float64(disc.Min.Y+disc.Max.Y)/2
	radius := float64(disc.Dx()+disc.Dy()) / 4
	if k.isBeside(disc) || math.Abs(float64(disc.Dx()-disc.Dy())) > 1+2*segmentLimits.beside*radius || radius < float64(segmentLimits.leastHeight) {
		return false
	}
	touching, first, arc := 0, -1, int(2*math.Pi*radius)
	for i := range 2 * arc { // twice around: the first arc may have begun before
		sin, cos := math.Sincos(float64(i) / radius)
		r := radius - segmentLimits.trim - 0.5
		ink := k.pix[int(y+r*sin)*k.w+int(x+r*cos)] >= k.level
		switch {
		case !ink:
			touching, first = 0, i
		case first >= 0:
			if touching++; float64(touching) > max(2, segmentLimits.touch*radius) {
				return false
			}
		}
	}
	for i := range k.pix {
		dx, dy := float64(i%k.w)+0.5-x, float64(i/k.w)+0.5-y
		if r := radius - segmentLimits.trim; dx*dx+dy*dy > r*r {
			k.pix[i] = 0
		}
	}
	return first >= 0
}

// hasRoom reports whether the ground around a number's box is something a number stands
// on: the whole cell, or a disc or a square that is higher than the number and that
// nothing reaches into. It is neither for the holes of a figure or a picture. Where there
// is ink all around, beyond, the ground is not the whole cell.
func (k ink) hasRoom(box image.Rectangle, beyond bool) bool {
	all, labels := parts(k.w, k.mask(false), false)
	label := k.around(box, labels)
	if label == 0 {
		return false
	}
	c := all[label-1]
	if c.rims >= 3 && !beyond {
		return true
	}
	// A figure that touches the rim above and below leaves a plate that is too narrow.
	if k.isBeside(c.box) || float64(c.box.Dx()) < segmentLimits.plateAspect*float64(c.box.Dy()) ||
		float64(c.box.Dy()) < segmentLimits.room*float64(box.Dy()) || c.box.Dx() <= box.Dx() {
		return false
	}
	filled, area := k.filled(c, labels, true)
	return float64(area) > segmentLimits.plateFilled*float64(c.box.Dx()*c.box.Dy()) &&
		!bitten(filled, c.box.Dx(), max(segmentLimits.leastBite, segmentLimits.bite*float64(box.Dy()))) &&
		!k.sticksOut(filled, c.box, box)
}

// sticksOut reports whether a figure sticks out of a plate, so that hardly any of it is seen
// on it: what has the colour of the number in a box, and lies beside the plate on one side
// but not in the same place on the other. Where the number has the colour of the cell,
// nothing shows it.
func (k ink) sticksOut(filled []uint8, plate, box image.Rectangle) bool {
	colour, n := k.colourOf(box)
	if n == 0 {
		return false
	}
	is := func(x, y int) bool { return apart(k.colours[y*k.w+x], colour) <= patchLimits.near }
	w, out, like, beside := plate.Dx(), 0, 0, 0
	var sum [3]int // of the colours beside the plate
	for row := range plate.Dy() {
		in := filled[row*w : (row+1)*w]
		left, right := bytes.IndexByte(in, set), bytes.LastIndexByte(in, set)
		y, from, to := plate.Min.Y+row, plate.Min.X+left, plate.Min.X+right
		// A figure ends within the cell: what goes on to its rim is the cell's own, beside
		// the other side of which a path may lie.
		leftIsCell, rightIsCell := is(0, y), is(k.w-1, y)
		for d := 2; from-d >= 0 && to+d < k.w; d++ { // the rim is a mixture of colours
			one, other := is(from-d, y), is(to+d, y)
			for c := range sum {
				sum[c] += int(k.colours[y*k.w+from-d][c]) + int(k.colours[y*k.w+to+d][c])
			}
			if one && !other && !leftIsCell || other && !one && !rightIsCell {
				out++
			}
			if one && other {
				like++
			}
			beside++
		}
	}
	ground := [3]uint8{}
	for c := range sum {
		ground[c] = uint8(sum[c] / max(1, 2*beside))
	}
	if 2*like > beside || apart(ground, colour) <= segmentLimits.same {
		return false // it is the cell's colour, and what differs from it a wall or noise
	}
	return float64(out) > max(float64(segmentLimits.leastOut), segmentLimits.out*float64(n))
}

// colourOf is the mean colour of the full ink in a box, and of how many pixels that is.
func (k ink) colourOf(box image.Rectangle) (colour [3]uint8, n int) {
	var sum [3]int
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			i := y*k.w + x
			if int(k.pix[i]) < segmentLimits.full {
				continue
			}
			for c, v := range k.colours[i] {
				sum[c] += int(v)
			}
			n++
		}
	}
	for c := range sum {
		colour[c] = uint8(sum[c] / max(1, n))
	}
	return colour, n
}

// around is the commonest label on the pixels around a box, 0 where there is none.
func (k ink) around(box image.Rectangle, labels []int32) int32 {
	counts := map[int32]int{}
	best := int32(0)
	outer := box.Inset(-1)
	for y := max(0, outer.Min.Y); y < min(k.h, outer.Max.Y); y++ {
		for x := max(0, outer.Min.X); x < min(k.w, outer.Max.X); x++ {
			l := labels[y*k.w+x]
			if l == 0 || image.Pt(x, y).In(box) {
				continue
			}
			if counts[l]++; counts[l] > counts[best] {
				best = l
			}
		}
	}
	return best
}

// bitten reports whether something reaches into a plate from its rim, deeper than some
// pixels: a figure that touches the rim, and is no part of its own. Discs and squares are
// convex, and alike on the left and on the right: a straight stroke that cuts off a piece
// leaves one side flatter than the other. The rows of the mask are so wide.
func bitten(mask []uint8, w int, depth float64) bool {
	h := len(mask) / w
	left, right := make([]float64, h), make([]float64, h)
	for y := range h {
		row := mask[y*w : (y+1)*w]
		from := bytes.IndexByte(row, set)
		if from < 0 {
			return true
		}
		to := bytes.LastIndexByte(row, set) + 1
		gaps := to - from - bytes.Count(row[from:to], []byte{set})
		if float64(gaps) > depth {
			return true
		}
		left[y], right[y] = float64(from), -float64(to)
	}
	return hollow(left) > depth || hollow(right) > depth || lopsided(left, right) > depth
}

// lopsided is how much the left and the right outline of a plate differ at most, each
// measured from where it reaches out furthest. A row may be like one above or below: where a
// disc begins and ends, a part of a pixel's height makes some pixels of width.
func lopsided(left, right []float64) float64 {
	furthestLeft, furthestRight := slices.Min(left), slices.Min(right)
	most := 0.0
	for y := range left {
		near := right[max(0, y-1):min(len(right), y+2)]
		high := slices.Max(near)
		if len(near) < 3 {
			high = math.Inf(1)
		}
		in := left[y] - furthestLeft + furthestRight
		most = max(most, slices.Min(near)-in, in-high)
	}
	return most
}

// hollow is how far values rise at most above the lower convex hull of them all.
func hollow(values []float64) float64 {
	var hull []int
	for i, v := range values {
		for n := len(hull); n > 1; n = len(hull) {
			a, b := hull[n-2], hull[n-1]
			if (values[b]-values[a])*float64(i-a) < (v-values[a])*float64(b-a) {
				break
			}
			hull = hull[:n-1]
		}
		hull = append(hull, i)
	}
	most := 0.0
	for n := 1; n < len(hull); n++ {
		a, b := hull[n-1], hull[n]
		for i := a; i < b; i++ {
			most = max(most, values[i]-values[a]-(values[b]-values[a])*float64(i-a)/float64(b-a))
		}
	}
	return most
}
