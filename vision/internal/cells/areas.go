package cells

import (
	"bytes"
	"encoding/binary"
	"image"
	"slices"
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

// run is a part of a row whose pixels belong together.
type run struct{ from, to, area int32 } // columns from..to-1

// areas returns the frame's connected components that are at least least pixels
// wide and high. Neighbouring pixels of one differ by at most step. A frame that is not
// as a screen shows it has none.
func areas(frame *image.RGBA, least int, step uint8) []area {
	size := frame.Rect.Size()
	var parent []int32
	find := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	var found []area
	var above, runs []run
	most := max(fewRuns, int(mostRuns*float64(size.X*size.Y)))
	var over []uint8 // the row above
	for y := range size.Y {
		if len(found) > most {
			return nil
		}
		row := frame.Pix[y*frame.Stride : y*frame.Stride+4*size.X]
		if bytes.Equal(over, row) {
			// Most rows of a screen are as the one above. Each run goes on as it is.
			for _, r := range above {
				a := &found[find(r.area)]
				a.box.Max.Y = y + 1
				a.pixels += int(r.to - r.from)
			}
			continue
		}
		runs = cut(row, step, runs[:0])
		for i := range runs {
			r := &runs[i]
			r.area = int32(len(parent))
			parent = append(parent, r.area)
			found = append(found, area{image.Rect(int(r.from), y, int(r.to), y+1), int(r.to - r.from)})
		}
		// Each run is joined with those above that it touches.
		j := 0
		for _, r := range runs {
			for j > 0 && above[j-1].to > r.from {
				j--
			}
			for ; j < len(above) && above[j].from < r.to; j++ {
				if above[j].to <= r.from {
					continue
				}
				a, b := find(above[j].area), find(r.area)
				if a == b || !touches(over, row, max(above[j].from, r.from), min(above[j].to, r.to), step) {
					continue
				}
				a, b = min(a, b), max(a, b)
				parent[b] = a
				found[a].box = found[a].box.Union(found[b].box)
				found[a].pixels += found[b].pixels
			}
		}
		above, runs, over = runs, above, row
	}
	var kept []area
	for i, a := range found {
		if parent[i] == int32(i) && a.box.Dx() >= least && a.box.Dy() >= least {
			kept = append(kept, a)
		}
	}
	return slices.Clip(kept)
}

// cut appends the runs of a row of pixels, which belong to no area yet.
func cut(row []uint8, step uint8, runs []run) []run {
	from := 0
	last := binary.LittleEndian.Uint32(row)
	for x := 4; x+4 <= len(row); x += 4 {
		now := binary.LittleEndian.Uint32(row[x:])
		if now == last {
			continue
		}
		last = now
		if near(row[x-4:x:x], row[x:x+4:x+4], step) {
			continue
		}
		runs = append(runs, run{from: int32(from), to: int32(x / 4)})
		from = x / 4
	}
	return append(runs, run{from: int32(from), to: int32(len(row) / 4)})
}

// near reports whether two pixels differ by at most step in each channel.
func near(a, b []uint8, step uint8) bool {
	return within(a[0], b[0], step) && within(a[1], b[1], step) && within(a[2], b[2], step)
}

func within(a, b, step uint8) bool { return a-b <= step || b-a <= step }

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
