package cells

import (
	"image"
	"math"
	"slices"
)

// patch is a cell sampled on a square of n×n places.
type patch struct {
	n   int
	pix [][3]uint8
}

func (p patch) at(x, y int) [3]uint8 { return p.pix[y*p.n+x] }

func difference(a, b [3]uint8) int {
	most := 0
	for i := range a {
		d := int(a[i]) - int(b[i])
		most = max(most, d, -d)
	}
	return most
}

// sample takes the patch of a cell: the mean colours of n×n equal squares, where
// pixels on their borders count in part.
func sample(frame *image.RGBA, x, y, side float64, n int) patch {
	p := patch{n, make([][3]uint8, n*n)}
	step := side / float64(n)
	columns, rows := spans(x-side/2, step, n, frame.Rect.Max.X), spans(y-side/2, step, n, frame.Rect.Max.Y)
	sums := make([][3]uint32, n) // of a row of squares, over its pixels so far
	weights := make([]uint32, n)
	for j, v := range rows {
		clear(sums)
		clear(weights)
		for py := v.from; py < v.to; py++ {
			down := v.part(py)
			line := frame.Pix[py*frame.Stride:]
			for i, u := range columns {
				for px := u.from; px < u.to; px++ {
					w := down * u.part(px) / fully
					pixel := line[4*px : 4*px+3 : 4*px+3]
					sums[i][0] += w * uint32(pixel[0])
					sums[i][1] += w * uint32(pixel[1])
					sums[i][2] += w * uint32(pixel[2])
					weights[i] += w
				}
			}
		}
		for i, sum := range sums {
			for c, value := range sum {
				p.pix[j*n+i][c] = uint8((value + weights[i]/2) / weights[i])
			}
		}
	}
	return p
}

// fully is the weight of a pixel that lies in one square.
const fully = 256

// span is a stretch of pixels, in part or fully.
type span struct {
	from, to    int    // the pixels it touches, at least one
	first, last uint32 // the weights of the first and of the last of them, 1 to fully
}

// part is how much of a pixel the span covers.
func (s span) part(pixel int) uint32 {
	switch pixel {
	case s.from:
		return s.first
	case s.to - 1:
		return s.last
	}
	return fully
}

// spans cuts a stretch into n spans of equal length within 0..limit.
func spans(from, step float64, n, limit int) []span {
	list := make([]span, n)
	for i := range list {
		least, most := from+float64(i)*step, from+float64(i+1)*step
		s := span{first: fully, last: fully}
		s.from = min(max(int(math.Floor(least)), 0), limit-1)
		s.to = min(max(int(math.Ceil(most)), s.from+1), limit)
		if s.to-s.from > 1 {
			s.first = uint32(min(fully, max(1, fully*(float64(s.from+1)-least))))
			s.last = uint32(min(fully, max(1, fully*(most-float64(s.to-1)))))
		}
		list[i] = s
	}
	return list
}

// reach is a patch with the least and greatest values, channel by channel, that each
// place and its eight neighbours have.
type reach struct {
	patch
	least, most patch
}

func reachOf(p patch) reach {
	r := reach{p, patch{p.n, make([][3]uint8, len(p.pix))}, patch{p.n, make([][3]uint8, len(p.pix))}}
	n := p.n
	// First of three beside each other, then of three such above each other.
	across := make([][2][3]uint8, len(p.pix))
	for i, colour := range p.pix {
		least, most := colour, colour
		if i%n > 0 {
			least, most = lesser(least, p.pix[i-1]), greater(most, p.pix[i-1])
		}
		if i%n < n-1 {
			least, most = lesser(least, p.pix[i+1]), greater(most, p.pix[i+1])
		}
		across[i] = [2][3]uint8{least, most}
	}
	for i, at := range across {
		if i >= n {
			at[0], at[1] = lesser(at[0], across[i-n][0]), greater(at[1], across[i-n][1])
		}
		if i+n < len(across) {
			at[0], at[1] = lesser(at[0], across[i+n][0]), greater(at[1], across[i+n][1])
		}
		r.least.pix[i], r.most.pix[i] = at[0], at[1]
	}
	return r
}

func lesser(a, b [3]uint8) [3]uint8 {
	return [3]uint8{min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2])}
}

func greater(a, b [3]uint8) [3]uint8 {
	return [3]uint8{max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2])}
}

// unlike is how much two patches differ, except for their corners, at the place where they differ most. Each
// place is compared with what the other's neighbours span, and a third more, for edges
// lie a part of a pixel apart. It may stop early above limit.
func unlike(a, b reach, limit int) int {
	most, n := 0, a.n
	for y := range n {
		skip := cornerIn(y, n)
		for i := y*n + skip; i < y*n+n-skip; i++ {
			for c := range 3 {
				most = max(most,
					beyond(a.pix[i][c], b.least.pix[i][c], b.most.pix[i][c]),
					beyond(b.pix[i][c], a.least.pix[i][c], a.most.pix[i][c]))
			}
			if most > limit {
				return most
			}
		}
	}
	return most
}

// corner is the legs of the triangles in a cell's corners that are not looked at, in
// parts of its side: where its own corners are rounded, or the board's are, other things
// show there. Ends are not as large.
const corner = 0.18

// cornerIn is how many places of a row lie in a corner, on each side.
func cornerIn(row, n int) int {
	return max(0, int(corner*float64(n))-min(row, n-1-row))
}

// beyond is how far a value lies outside a span that is made a third longer to both
// sides.
func beyond(value, least, most uint8) int {
	more := int(most-least) / 3
	return max(int(value)-int(most), int(least)-int(value)) - more
}

// sum adds up the colours of the places that lie in all masks, and counts them.
func (p patch) sum(masks ...[]bool) (sum [3]int, count int) {
	for k, colour := range p.pix {
		if slices.ContainsFunc(masks, func(mask []bool) bool { return !mask[k] }) {
			continue
		}
		count++
		for c, value := range colour {
			sum[c] += int(value)
		}
	}
	return sum, count
}

// coreOf is what is drawn on a cell without its edges, unless it is all edges.
func coreOf(mask []bool, n int) []bool {
	core := make([]bool, len(mask))
	left := 0
	for y := 1; y < n-1; y++ {
		for x := 1; x < n-1; x++ {
			all := true
			for v := y - 1; v <= y+1; v++ {
				for u := x - 1; u <= x+1; u++ {
					all = all && mask[v*n+u]
				}
			}
			if core[y*n+x] = all; all {
				left++
			}
		}
	}
	if float64(left) < speck*float64(len(mask)) {
		return mask
	}
	return core
}
