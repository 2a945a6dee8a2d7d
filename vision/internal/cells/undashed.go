package cells

import (
	"encoding/binary"
	"image"
	"slices"
)

// dashLimits bound what is a dashed line.
var dashLimits = struct {
	gap, dash int
	common    float64
	grounds   int
}{
	gap:     72,   // 1/n of the frame's shorter side: a gap takes at most this
	dash:    2,    // times the longest gap: a dash is at most this long
	common:  0.05, // share of the pixels: a colour that has as many may be a ground,
	grounds: 3,    // colours: and at most as many are
}

// Undashed is a frame whose dashed lines are drawn through: where a short piece of a row or
// column that is no ground is next to a short gap of ground, and something else is behind that,
// the gap has the piece's colour.
func Undashed(frame *image.RGBA) *image.RGBA {
	to := image.NewRGBA(frame.Rect)
	copy(to.Pix, frame.Pix)
	size := frame.Rect.Size()
	d := dashes{grounds: commonest(frame), gap: min(size.X, size.Y) / dashLimits.gap}
	for y := range size.Y {
		d.fill(frame.Pix[y*frame.Stride:], to.Pix[y*to.Stride:], size.X, 4)
	}
	for x := range size.X {
		d.fill(frame.Pix[4*x:], to.Pix[4*x:], size.Y, frame.Stride)
	}
	return to
}

// commonest are the colours that may be grounds.
func commonest(frame *image.RGBA) (colours []uint32) {
	const every = 7 // pixels
	counts := map[uint32]int{}
	for i := 0; i+4 <= len(frame.Pix); i += 4 * every {
		counts[binary.LittleEndian.Uint32(frame.Pix[i:])]++
	}
	for c, n := range counts {
		if float64(n*4*every) >= dashLimits.common*float64(len(frame.Pix)) {
			colours = append(colours, c)
		}
	}
	slices.SortFunc(colours, func(a, b uint32) int { return counts[b] - counts[a] })
	return colours[:min(len(colours), dashLimits.grounds)]
}

type dashes struct {
	grounds []uint32
	gap     int // pixels
}

// fill draws through the dashes of n pixels that are step bytes apart.
func (d dashes) fill(from, to []uint8, n, step int) {
	ground := func(i int) bool { return slices.Contains(d.grounds, binary.LittleEndian.Uint32(from[i*step:])) }
	type piece struct{ begin, end int }
	var before, gap piece // what is no ground, and the ground behind it
	for begin := 0; begin < n; {
		is, end := ground(begin), begin+1
		for end < n && ground(end) == is {
			end++
		}
		now := piece{begin, end}
		begin = end
		if is {
			gap = now
			continue
		}
		if before.end > 0 && gap.end-gap.begin <= d.gap {
			dash := before
			if now.end-now.begin < dash.end-dash.begin {
				dash = now
			}
			if dash.end-dash.begin <= dashLimits.dash*d.gap {
				colour := from[(dash.begin+dash.end)/2*step:][:4]
				for i := gap.begin; i < gap.end; i++ {
					copy(to[i*step:], colour)
				}
			}
		}
		before = now
	}
}
