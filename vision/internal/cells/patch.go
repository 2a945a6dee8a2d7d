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
	for j, v := range rows {
		for i, u := range columns {
			var sum [3]float64
			var weight float64
			for py := v.from; py < v.to; py++ {
				for px := u.from; px < u.to; px++ {
					w := v.part(py) * u.part(px)
					k := py*frame.Stride + 4*px
					for c := range sum {
						sum[c] += w * float64(frame.Pix[k+c])
					}
					weight += w
				}
			}
			for c := range sum {
				p.pix[j*n+i][c] = uint8(sum[c]/weight + 0.5)
			}
		}
	}
	return p
}

// span is a stretch of pixels, in part or whole.
type span struct {
	least, most float64 // where it begins and ends
	from, to    int     // the pixels it touches, at least one
}

// part is how much of a pixel the span covers.
func (s span) part(pixel int) float64 {
	if s.to-s.from == 1 {
		return 1
	}
	return max(1e-3, min(s.most, float64(pixel+1))-max(s.least, float64(pixel)))
}

// spans cuts a stretch into n spans of equal length within 0..limit.
func spans(from, step float64, n, limit int) []span {
	list := make([]span, n)
	for i := range list {
		s := span{least: from + float64(i)*step, most: from + float64(i+1)*step}
		s.from = min(max(int(math.Floor(s.least)), 0), limit-1)
		s.to = min(max(int(math.Ceil(s.most)), s.from+1), limit)
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
	for y := range p.n {
		for x := range p.n {
			least, most := p.at(x, y), p.at(x, y)
			for v := max(0, y-1); v <= min(p.n-1, y+1); v++ {
				for u := max(0, x-1); u <= min(p.n-1, x+1); u++ {
					q := p.at(u, v)
					for c := range q {
						least[c], most[c] = min(least[c], q[c]), max(most[c], q[c])
					}
				}
			}
			r.least.pix[y*p.n+x], r.most.pix[y*p.n+x] = least, most
		}
	}
	return r
}

// unlike is how much two patches differ at the place where they differ most. Each
// place is compared with what the other's neighbours span, and a third more, for edges
// lie a part of a pixel apart. It may stop early above limit.
func unlike(a, b reach, limit int) int {
	most := 0
	for i := range a.pix {
		for c := range 3 {
			most = max(most,
				beyond(a.pix[i][c], b.least.pix[i][c], b.most.pix[i][c]),
				beyond(b.pix[i][c], a.least.pix[i][c], a.most.pix[i][c]))
		}
		if most > limit {
			return most
		}
	}
	return most
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
