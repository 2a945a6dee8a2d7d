package glyphs

import (
	"cmp"
	"image"
	"slices"
)

// segmentLimits bound which parts of the ink are the figures of a number.
var segmentLimits = struct {
	look                     float64
	nth, contrast            int
	noise                    float64
	beyond                   float64
	speckArea, speckSide     float64
	leastHeight              int
	leastShare, mostShare    float64
	plateAspect, plateFilled float64
	room                     float64
	aside, above             float64
	heights, level, gap      float64
}{
	look:        0.22, // share of the side: radius in which the ink's strength is taken
	nth:         6,    // pixels: the strength is that of the pixel with this rank, so that single pixels do not count
	contrast:    28,   // levels: weaker ink is none
	noise:       6,    // times the ground's noise: nor is ink weaker than this
	beyond:      0.34, // share of the side: what touches the rim and lies further out is not of the cell
	speckArea:   0.02, // share of the largest part's area: a smaller part
	speckSide:   0.15, // share of the largest part's height: no longer than this is dirt
	leastHeight: 7,    // pixels: lower figures cannot be told apart
	leastShare:  0.12, // share of the side: figures are higher than this
	mostShare:   0.9,  // share of the side: and lower than this
	plateAspect: 0.85, // width per height: a part at least as wide
	plateFilled: 0.70, // share of its box: that fills as much is what a number stands on
	room:        1.2,  // times the number's height: what it stands on is higher than this
	aside:       0.24, // times the number's height: its middle lies no further beside the cell's
	above:       0.35, // times the number's height: nor above or below
	heights:     0.8,  // the lower of two figures is at least this high, as a share of the higher
	level:       0.15, // times the height: both stand on one line
	gap:         0.6,  // times the height: the gap between them is no wider
}

// inkLevel is half of full ink: a pixel with more is ink.
const inkLevel = 128

// ink is how much each pixel of a patch differs from a ground, 0 to 255.
type ink struct {
	w, h int
	pix  []uint8
}

// newInk is the ink on a ground. Where nothing in the middle stands out enough, it is what
// stands out anywhere, and faint.
func newInk(p patch, g ground) (k ink, faint bool) {
	d := make([]int, len(p.pix))
	for i, c := range p.pix {
		d[i] = apart(c, g.colour)
	}
	var middle []int
	p.around(segmentLimits.look, func(i int) { middle = append(middle, d[i]) })
	slices.Sort(middle)
	full := middle[max(0, len(middle)-segmentLimits.nth)]
	if least := max(segmentLimits.contrast, int(segmentLimits.noise*g.noise)); full < least {
		full, faint = 2*least, true
	}
	k = ink{p.w, p.h, make([]uint8, len(d))}
	for i := range d {
		k.pix[i] = uint8(min(255, d[i]*255/full))
	}
	return k, faint
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
func parts(w int, mask []bool, eight bool) ([]part, []int32) {
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
func runsOf(w int, mask []bool, eight bool) []run {
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
		for x := 0; x < w; x++ {
			if !row[x] {
				continue
			}
			from := x
			for x < w && row[x] {
				x++
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

// mask is where there is ink, or where there is none.
func (k ink) mask(ink bool) []bool {
	m := make([]bool, len(k.pix))
	for i, v := range k.pix {
		m[i] = (v >= inkLevel) == ink
	}
	return m
}

// without is where in a box the labels are others than some.
func (k ink) without(box image.Rectangle, labels, some []int32) []bool {
	m := make([]bool, 0, box.Dx()*box.Dy())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for _, l := range labels[y*k.w+box.Min.X : y*k.w+box.Max.X] {
			m = append(m, !slices.Contains(some, l))
		}
	}
	return m
}

// glyphs are the figures that stand on a ground, from left to right, and the labels of
// the ink's parts.
func (k ink) glyphs() ([]glyph, []int32, outcome) {
	all, labels := parts(k.w, k.mask(true), true)
	left, ok := k.within(all)
	if !ok {
		return nil, labels, unclear
	}
	if len(left) == 0 {
		return nil, labels, blank
	}
	if left = k.withoutPlates(left, labels); len(left) == 0 {
		return nil, labels, plates
	}
	found := merge(left)
	if len(found) > 2 || !k.placed(found) || !k.hasRoom(found) {
		return nil, labels, unclear
	}
	return found, labels, figures
}

// within are the parts that belong to the cell, without dirt. It fails where a part is
// cut by the rim.
func (k ink) within(all []part) ([]part, bool) {
	var left []part
	for _, c := range all {
		switch {
		case c.rims == 0:
			left = append(left, c)
		case c.inside && c.rims < 3:
			return nil, false
		}
	}
	if len(left) == 0 {
		return nil, true
	}
	largest := slices.MaxFunc(left, func(a, b part) int { return cmp.Compare(a.area, b.area) })
	return slices.DeleteFunc(left, func(c part) bool {
		return float64(c.area) < segmentLimits.speckArea*float64(largest.area) &&
			float64(max(c.box.Dx(), c.box.Dy())) <= segmentLimits.speckSide*float64(largest.box.Dy())
	}), true
}

// withoutPlates leaves out the discs, squares and rings that numbers stand on.
func (k ink) withoutPlates(all []part, labels []int32) []part {
	return slices.DeleteFunc(all, func(c part) bool {
		if float64(c.box.Dx()) < segmentLimits.plateAspect*float64(c.box.Dy()) {
			return false
		}
		return float64(k.filled(c, labels)) > segmentLimits.plateFilled*float64(c.box.Dx()*c.box.Dy())
	})
}

// filled is the area of a part with its holes.
func (k ink) filled(c part, labels []int32) int {
	outside, _ := parts(c.box.Dx(), k.without(c.box, labels, []int32{c.label}), false)
	area := c.box.Dx() * c.box.Dy()
	for _, o := range outside {
		if o.rims > 0 {
			area -= o.area
		}
	}
	return area
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
func (k ink) placed(found []glyph) bool {
	box := found[0].box
	for _, g := range found[1:] {
		box = box.Union(g.box)
	}
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

// hasRoom reports whether the ground around glyphs is something a number stands on: the
// whole cell, or a disc or a square that is higher than the number. It is neither for
// the holes of a figure or a picture.
func (k ink) hasRoom(found []glyph) bool {
	box := found[0].box
	for _, g := range found[1:] {
		box = box.Union(g.box)
	}
	all, labels := parts(k.w, k.mask(false), false)
	for _, c := range all {
		if !box.In(c.box) || c.box.Dx() <= box.Dx() || c.box.Dy() <= box.Dy() {
			continue
		}
		if c.rims >= 3 {
			return true
		}
		if float64(c.box.Dy()) >= segmentLimits.room*float64(box.Dy()) &&
			float64(k.filled(c, labels)) > segmentLimits.plateFilled*float64(c.box.Dx()*c.box.Dy()) {
			return true
		}
	}
	return false
}
