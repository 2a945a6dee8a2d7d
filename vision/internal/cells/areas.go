package cells

import (
	"bytes"
	"encoding/binary"
	"image"
	"slices"
	"sync"
)

// The most by which neighbouring pixels of an area differ in any channel, of 255.
// Gradients over a cell change by less from pixel to pixel; the faintest line that a
// person sees on a screen changes by more.
const (
	usualStep = 3
	faintStep = 1
)

// Noise and photographs have more runs of pixels than mostRuns, in parts of the frame's
// pixels; what a screen shows has a tenth of that. Small frames may have fewRuns.
const (
	mostRuns = 1.0 / 8
	fewRuns  = 1 << 14
)

// area is a connected component of pixels.
type area struct {
	box    image.Rectangle
	pixels int
}

// component is an area while it is put together: columns left..right-1 and rows
// top..bottom-1. Its parent is itself, or an earlier one that it was joined with.
type component struct{ left, top, right, bottom, pixels, parent int32 }

// runs are the parts of a frame's rows whose pixels belong together, and what they make up.
type runs struct {
	frame  *image.RGBA
	step   uint8
	ends   []int32 // the column before which each run ends
	rows   []int32 // the number of runs before each row, and of all
	labels []int32 // the component of each run, or one that was joined with it
	found  []component
}

// runsKept is room for runs, since areas are looked for with one step after another.
var runsKept = sync.Pool{New: func() any { return new(runs) }}

// areas are those of areasOf, where their runs are not too many.
func areas(frame *image.RGBA, least int, step uint8) []area {
	found, _ := areasOf(frame, least, step)
	return found
}

// areasOf returns the frame's connected components that are at least least pixels
// wide and high, the uppermost first. Neighbouring pixels of one differ by at most step. A
// frame that is not as a screen shows it has none: it is not ok, nor is it with a smaller
// step.
func areasOf(frame *image.RGBA, least int, step uint8) (kept []area, ok bool) {
	r := runsKept.Get().(*runs)
	defer runsKept.Put(r)
	r.frame, r.step = frame, step
	defer func() { r.frame = nil }()
	if !r.cut() {
		return nil, false
	}
	r.join()
	for i, c := range r.found {
		if int(c.parent) == i && int(c.right-c.left) >= least && int(c.bottom-c.top) >= least {
			kept = append(kept, area{image.Rect(int(c.left), int(c.top), int(c.right), int(c.bottom)), int(c.pixels)})
		}
	}
	return slices.Clip(kept), true
}

// row is the bytes of a row of the frame.
func (r *runs) row(y int) []uint8 {
	return r.frame.Pix[y*r.frame.Stride : y*r.frame.Stride+4*r.frame.Rect.Dx()]
}

// cut cuts the frame's rows into runs. A row like the one above has none: its runs go on as
// they are. It reports false where there are too many for a screen.
func (r *runs) cut() bool {
	size := r.frame.Rect.Size()
	most := max(fewRuns, int(mostRuns*float64(size.X*size.Y)))
	r.ends, r.rows = r.ends[:0], r.rows[:0]
	var over []uint8 // the row above
	for y := range size.Y {
		if len(r.ends) > most {
			return false
		}
		row := r.row(y)
		r.rows = append(r.rows, int32(len(r.ends)))
		// Most rows of a screen are as the one above.
		if !bytes.Equal(over, row) {
			r.ends = appendEnds(r.ends, row, r.step)
		}
		over = row
	}
	r.rows = append(r.rows, int32(len(r.ends)))
	return true
}

// appendEnds appends the columns before which the runs of a row of pixels end.
func appendEnds(ends []int32, row []uint8, step uint8) []int32 {
	n, wide := len(ends), len(row)/4
	ends = slices.Grow(ends, wide+2)[:n+wide+2]
	// Eight bytes, two pixels, are compared with the pixels before at a time. Bytes are
	// subtracted and added without carrying, which takes their highest bits apart. Each
	// column is written, and counts where a run ends: noise leaves nothing to predict.
	const each, high, colours = 0x0101010101010101, 0x8080808080808080, 0x0080808000808080
	add, beyond := uint64(step)*each, uint64(127-2*step)*each
	i := 4
	for ; i+8 <= len(row); i += 8 {
		a, b := binary.LittleEndian.Uint64(row[i:]), binary.LittleEndian.Uint64(row[i-4:])
		if a == b {
			continue
		}
		apart := (a | high - b&^high) ^ (a^^b)&high
		apart = (apart&^high + add) ^ apart&high // at most 2·step where they are near
		far := (apart | (apart&^high + beyond)) & colours
		far |= (a ^ b) &^ (a ^ a<<1) & colours // such as 255 and 0, which are 1 apart modulo 256
		far |= far>>8 | far>>16                // in the lowest byte of each pixel
		ends[n] = int32(i / 4)
		n += int(far >> 7 & 1)
		ends[n] = int32(i/4 + 1)
		n += int(far >> 39 & 1)
	}
	ends = ends[:n]
	if i < len(row) && !near(row[i-4:i:i], row[i:i+4:i+4], step) {
		ends = append(ends, int32(i/4))
	}
	return append(ends, int32(wide))
}

// near reports whether two pixels differ by at most step in each channel.
func near(a, b []uint8, step uint8) bool {
	return within(a[0], b[0], step) && within(a[1], b[1], step) && within(a[2], b[2], step)
}

func within(a, b, step uint8) bool { return max(a, b)-min(a, b) <= step }

// touches reports whether two rows have near pixels one above the other in any of
// the columns from..to-1.
func touches(above, row []uint8, from, to int32, step uint8) bool {
	for x := 4 * int(from); x < 4*int(to); x += 4 {
		if near(above[x:x+3:x+3], row[x:x+3:x+3], step) {
			return true
		}
	}
	return false
}

// join joins runs that touch to components.
func (r *runs) join() {
	r.found = r.found[:0]
	r.labels = slices.Grow(r.labels[:0], len(r.ends))[:len(r.ends)]
	above, aboveEnd := int32(0), int32(0) // the runs of the row above
	high := int32(len(r.rows) - 1)
	for y := int32(0); y < high; {
		begin, end := r.rows[y], r.rows[y+1]
		below := y + 1 // the next row that differs
		for below < high && r.rows[below+1] == end {
			below++
		}
		from, k := int32(0), above
		for i := begin; i < end; i++ {
			to := r.ends[i]
			for k < aboveEnd && r.ends[k] <= from {
				k++
			}
			label := r.touching(int(y), above, k, aboveEnd, from, to)
			if label < 0 {
				label = int32(len(r.found))
				r.found = append(r.found, component{from, y, to, y, 0, label})
			}
			c := &r.found[label]
			c.left, c.right, c.bottom = min(c.left, from), max(c.right, to), below
			c.pixels += (to - from) * (below - y)
			r.labels[i] = label
			from = to
		}
		above, aboveEnd, y = begin, end, below
	}
}

// touching is the component of the runs in the row above y that touch columns from..to-1 of
// that row, joined to one; -1 where there is none. The runs above are those from first to
// before end, and the first that may touch is at.
func (r *runs) touching(y int, first, at, end, from, to int32) int32 {
	label := int32(-1)
	for k := at; k < end; k++ {
		left, right := int32(0), min(r.ends[k], to)
		if k > first {
			left = r.ends[k-1]
		}
		if left >= to {
			break
		}
		other := r.root(r.labels[k])
		if other == label || !touches(r.row(y-1), r.row(y), max(left, from), right, r.step) {
			continue
		}
		if label < 0 {
			label = other
		} else {
			label = r.joined(label, other)
		}
	}
	return label
}

// root is the component that another was joined with.
func (r *runs) root(i int32) int32 {
	for r.found[i].parent != i {
		r.found[i].parent = r.found[r.found[i].parent].parent
		i = r.found[i].parent
	}
	return i
}

// joined joins two components that are roots to the earlier one, and returns that.
func (r *runs) joined(i, k int32) int32 {
	i, k = min(i, k), max(i, k)
	a, b := &r.found[i], &r.found[k]
	b.parent = i
	a.pixels += b.pixels
	a.left, a.top, a.right, a.bottom = min(a.left, b.left), min(a.top, b.top), max(a.right, b.right), max(a.bottom, b.bottom)
	return i
}
