package glyphs

import (
	"bytes"
	"image"
	"slices"
	"sync"
)

// patchLimits bound how a cell is brought to a size at which it is cheap to look at.
var patchLimits = struct {
	side, fewest    int
	bins            int
	near, leastNear int
	grounds         int
	share           float64
}{
	side:      72,   // pixels: a cell is halved, or divided by more, as long as as many remain
	fewest:    10,   // pixels: a smaller cell has no number that can be read
	bins:      16,   // colours are counted in this many steps of each channel
	near:      20,   // levels: a pixel no further than this from a colour counts as that colour
	leastNear: 4,    // pixels: fewer of one colour are no ground
	grounds:   3,    // colours tried as the ground
	share:     0.06, // share of the middle that a ground covers at least
}

// patch is a cell's picture, without its rim.
type patch struct {
	w, h       int
	pix        [][3]uint8
	left, step int // columns of the frame: where it begins, and how many are one
}

// A Look is a way to look at a cell.
type Look struct {
	inset  float64 // share of the cell's side that is cut off at each rim: lines, walls, borders
	middle float64 // share of the side: radius in which the grounds' colours are counted
	level  uint8   // of 255: a pixel with as much ink is part of a figure
	trim   bool    // cut figures off the rim of the disc that they touch
}

// Looks are the ways to look at a cell, each for what the ones before do not show.
var Looks = [...]Look{
	{inset: 0.11, middle: 0.36, level: 128},
	{inset: 0.11, middle: 0.36, level: 70}, // thin figures that fall apart
	{inset: 0.04, middle: 0.5, level: 128},
	{inset: 0.04, middle: 0.36, level: 128, trim: true},
}

// patchOf is the part of a frame of which a cell's patch is made, and how many of its
// pixels across are one of the patch; empty where the cell is too small.
func patchOf(frame *image.RGBA, cell image.Rectangle, inset float64) (r image.Rectangle, f int) {
	dx, dy := int(inset*float64(cell.Dx())), int(inset*float64(cell.Dy()))
	r = image.Rect(cell.Min.X+dx, cell.Min.Y+dy, cell.Max.X-dx, cell.Max.Y-dy).Intersect(frame.Rect)
	if min(r.Dx(), r.Dy()) < patchLimits.fewest {
		return image.Rectangle{}, 1
	}
	return r, max(1, min(r.Dx(), r.Dy())/patchLimits.side)
}

// isPlain reports whether all pixels of a cell but its rim are equal: nothing is drawn on
// most cells, and this is found out much sooner than that.
func isPlain(frame *image.RGBA, cell image.Rectangle) bool {
	r, _ := patchOf(frame, cell, Looks[0].inset)
	if r.Empty() {
		return false
	}
	row := func(y int) []uint8 {
		i := frame.PixOffset(r.Min.X, y)
		return frame.Pix[i : i+4*r.Dx()]
	}
	first := row(r.Min.Y)
	if !bytes.Equal(first[4:], first[:len(first)-4]) {
		return false
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		if !bytes.Equal(row(y), first) {
			return false
		}
	}
	return true
}

// newPatch cuts a cell out of a frame; a large one is made smaller by averaging.
func newPatch(frame *image.RGBA, cell image.Rectangle, inset float64) patch {
	r, f := patchOf(frame, cell, inset)
	p := patch{w: r.Dx() / f, h: r.Dy() / f, left: r.Min.X, step: f}
	p.pix = make([][3]uint8, p.w*p.h)
	if f == 1 {
		for y := range p.h {
			row := frame.Pix[frame.PixOffset(r.Min.X, r.Min.Y+y):]
			to := p.pix[y*p.w : (y+1)*p.w]
			for x := range to {
				to[x] = [3]uint8(row[4*x:])
			}
		}
		return p
	}
	sums := make([][3]uint32, p.w)
	for y := range p.h {
		clear(sums)
		for j := range f {
			i := frame.PixOffset(r.Min.X, r.Min.Y+y*f+j)
			row := frame.Pix[i : i+4*f*p.w]
			for x := range sums {
				sum := &sums[x]
				for range f {
					sum[0] += uint32(row[0])
					sum[1] += uint32(row[1])
					sum[2] += uint32(row[2])
					row = row[4:]
				}
			}
		}
		half, all := uint32(f*f/2), uint32(f*f)
		for x, sum := range sums {
			p.pix[y*p.w+x] = [3]uint8{uint8((sum[0] + half) / all), uint8((sum[1] + half) / all), uint8((sum[2] + half) / all)}
		}
	}
	return p
}

// side is the shorter side.
func (p patch) side() int { return min(p.w, p.h) }

// around calls do for each row with pixels no further than a share of the side from the
// middle, with the indexes of the first of these pixels and of the one after the last.
func (p patch) around(share float64, do func(from, to int)) {
	r := share * float64(p.side())
	from := 0
	for y := range p.h {
		within := func(x int) bool {
			dx, dy := float64(2*x+1-p.w)/2, float64(2*y+1-p.h)/2
			return dx*dx+dy*dy <= r*r
		}
		// A row of a circle begins near where the one above does.
		for from > 0 && within(from-1) {
			from--
		}
		for 2*from < p.w && !within(from) {
			from++
		}
		if from < p.w-from { // a circle is as wide on its right side
			do(y*p.w+from, (y+1)*p.w-from)
		}
	}
}

// apart is how far two colours are apart: the greatest difference of a channel.
func apart(a, b [3]uint8) int {
	red, green, blue := int(a[0])-int(b[0]), int(a[1])-int(b[1]), int(a[2])-int(b[2])
	return max(red, -red, green, -green, blue, -blue)
}

// ground is a colour on which a number may stand.
type ground struct {
	colour [3]uint8
	share  float64 // of the middle
	noise  float64 // levels: mean distance of the ground's pixels from its colour
}

// grounds are the commonest colours in a radius around the middle, the commonest first.
func (p patch) grounds(radius float64) []ground {
	var middle [][3]uint8
	p.around(radius, func(from, to int) { middle = append(middle, p.pix[from:to]...) })
	all := len(middle)
	var found []ground
	for len(found) < patchLimits.grounds {
		colour := commonest(middle)
		var sum [3]int
		n := 0
		for _, c := range middle {
			if apart(c, colour) <= patchLimits.near {
				for k := range sum {
					sum[k] += int(c[k])
				}
				n++
			}
		}
		if n < patchLimits.leastNear || float64(n) < patchLimits.share*float64(all) {
			break
		}
		for k := range sum {
			colour[k] = uint8(sum[k] / n)
		}
		noise := 0
		middle = slices.DeleteFunc(middle, func(c [3]uint8) bool {
			d := apart(c, colour)
			if d <= patchLimits.near {
				noise += d
				return true
			}
			return false
		})
		found = append(found, ground{colour, float64(n) / float64(all), float64(noise) / float64(n)})
	}
	return found
}

// binsOf is the bin of each value of a channel.
var binsOf = sync.OnceValue(func() *[256]uint16 {
	var of [256]uint16
	for value := range of {
		of[value] = uint16(value / (len(of) / patchLimits.bins))
	}
	return &of
})

// commonest is about the commonest of some colours: the mean of the fullest bin.
func commonest(colours [][3]uint8) [3]uint8 {
	bins := patchLimits.bins
	binOf := binsOf()
	counts := make([]uint16, bins*bins*bins)
	of := make([]uint16, len(colours)) // the bin of each
	best := 0
	for i, c := range colours {
		if i > 0 && c == colours[i-1] {
			of[i] = of[i-1]
		} else {
			of[i] = (binOf[c[0]]*uint16(bins)+binOf[c[1]])*uint16(bins) + binOf[c[2]]
		}
		b := int(of[i])
		counts[b]++
		if counts[b] > counts[best] {
			best = b
		}
	}
	var sum [3]int
	n := 0
	for i, c := range colours {
		if int(of[i]) == best {
			for k := range sum {
				sum[k] += int(c[k])
			}
			n++
		}
	}
	var mean [3]uint8
	for k := range mean {
		mean[k] = uint8(sum[k] / max(1, n))
	}
	return mean
}
