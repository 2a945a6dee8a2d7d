package vision

import (
	"encoding/binary"
	"fmt"
	"image"
	"iter"
	"math/bits"
	"slices"
	"sync"

	"gocv.io/x/gocv"
)

// hole is a connected component of a mask's zeros that does not reach the mask's
// rim: something that is not zero surrounds it.
type hole struct {
	bounds image.Rectangle
	area   int32 // its number
}

// run is a row's adjacent pixels of one kind.
type run struct {
	from, to int32 // to is the first pixel after it
	area     int32 // the number of its connected component
}

// areas are the connected components of one kind of a mask's pixels, as runs: the
// runs of a component have its number. Contours tell the same and more, but noise
// has so many that following them takes seconds.
type areas struct {
	size  image.Point
	count int
	runs  []run
	rows  []int32 // the number of each row's first run, from the row above the mask on
}

// areasKept are areas that are no longer needed. Noise has so many runs that
// allocating memory for them takes as long as finding them.
var areasKept = sync.Pool{New: func() any { return &areas{} }}

// release gives the areas' memory back; they must not be used any more.
func (z *areas) release() { areasKept.Put(z) }

// row are the runs of a row of the mask, or of the rows right above and below it.
func (z *areas) row(y int) []run { return z.runs[z.rows[y+1]:z.rows[y+2]] }

// zerosOf are the connected components of a mask's zeros; pixels that share a side
// are connected. The mask consists of the bytes 0 and 255. The pixels around it
// count as zeros: they and what they are connected with are the first component.
func zerosOf(mask gocv.Mat) (*areas, error) { return areasOf(mask, false) }

// solidOf are the connected components of such a mask's other pixels; pixels that
// share a side or a corner are connected.
func solidOf(mask gocv.Mat) (*areas, error) { return areasOf(mask, true) }

// areasOf finds the connected components of a mask's zeros or of its solid pixels.
func areasOf(mask gocv.Mat, solid bool) (*areas, error) {
	data, err := mask.DataPtrUint8()
	if err != nil {
		return nil, fmt.Errorf("vision: %w", err)
	}
	w, h := mask.Cols(), mask.Rows()
	z := areasKept.Get().(*areas)
	*z = areas{size: image.Pt(w, h), runs: z.runs[:0], rows: append(z.rows[:0], 0)}
	gap := int32(0)
	if solid {
		gap = 1
	}
	above := 0
	for y := -1; y <= h; y++ {
		first := len(z.runs)
		switch {
		case y >= 0 && y < h:
			z.runs = appendRuns(z.runs, data[y*w:(y+1)*w], solid)
		case !solid:
			z.runs = append(z.runs, run{-1, int32(w) + 1, int32(first)})
		}
		// Runs above each other are connected.
		for a, b := above, first; a < first && b < len(z.runs); {
			if z.runs[a].from < z.runs[b].to+gap && z.runs[b].from < z.runs[a].to+gap {
				z.join(int32(a), int32(b))
			}
			if z.runs[a].to < z.runs[b].to {
				a++
			} else {
				b++
			}
		}
		above = first
		z.rows = append(z.rows, int32(len(z.runs)))
	}
	// Until here, a run's area was the number of a connected run before it, or its
	// own number.
	for i := range z.runs {
		if before := z.runs[i].area; int(before) < i {
			z.runs[i].area = z.runs[before].area
		} else {
			z.runs[i].area = int32(z.count)
			z.count++
		}
	}
	return z, nil
}

// appendRuns adds the runs of a row's zeros, the pixel before and the pixel after
// the row included, or the runs of its solid pixels.
func appendRuns(runs []run, row []byte, solid bool) []run {
	from, within := -1, !solid
	end := func(at int) {
		if within {
			runs = append(runs, run{int32(from), int32(at), int32(len(runs))})
		}
		from, within = at, !within
	}
	const word = 8      // pixels; most have the value of the pixel before them
	before := uint64(0) // as many pixels of the value of the one before
	x := 0
	for ; x+word <= len(row); x += word {
		eight := binary.LittleEndian.Uint64(row[x:])
		if eight == before {
			continue
		}
		for changes := eight ^ (eight<<8 | before&0xff); changes != 0; {
			k := bits.TrailingZeros64(changes) / 8
			end(x + k)
			changes &^= 0xff << (8 * k)
		}
		before = uint64(int64(eight) >> 63) // its last pixel: all of its bits are alike
	}
	for ; x < len(row); x++ {
		if row[x] != uint8(before) {
			end(x)
			before = uint64(row[x])
		}
	}
	if solid {
		if within {
			end(x)
		}
		return runs
	}
	if !within {
		from, within = x, true
	}
	end(x + 1)
	return runs
}

// find is the first of the runs with which a run is known to be connected.
func (z *areas) find(i int32) int32 {
	for z.runs[i].area != i {
		z.runs[i].area = z.runs[z.runs[i].area].area
		i = z.runs[i].area
	}
	return i
}

// join notes that two runs are connected.
func (z *areas) join(a, b int32) {
	a, b = z.find(a), z.find(b)
	z.runs[max(a, b)].area = min(a, b)
}

// bounds are the bounding rectangles of the areas.
func (z *areas) bounds() []image.Rectangle {
	all := make([]image.Rectangle, z.count)
	for y := range z.size.Y {
		for _, r := range z.row(y) {
			b := &all[r.area]
			if b.Max.Y == 0 {
				*b = image.Rect(int(r.from), y, int(r.to), y+1)
			}
			b.Min.X, b.Max.X, b.Max.Y = min(b.Min.X, int(r.from)), max(b.Max.X, int(r.to)), y+1
		}
	}
	return all
}

// holes are the areas inside the mask whose width and height are between least and
// most, the lowest first.
func (z *areas) holes(least, most image.Point) []hole {
	var holes []hole
	for area, b := range z.bounds() {
		if area > 0 && b.Dx() >= least.X && b.Dy() >= least.Y && b.Dx() <= most.X && b.Dy() <= most.Y {
			holes = append(holes, hole{b, int32(area)})
		}
	}
	slices.Reverse(holes)
	return holes
}

// fillHoles fills the holes of a mask that have fewer pixels than most, with what
// lies in them.
func fillHoles(mask gocv.Mat, most float64) error {
	z, err := zerosOf(mask)
	if err != nil {
		return err
	}
	defer z.release()
	small := make([]bool, z.count)
	for area, b := range z.bounds() {
		pixels := float64(b.Dx() * b.Dy())
		small[area] = area > 0 && pixels > 0 && (pixels < most || pixels*z.full(hole{b, int32(area)}) < most)
	}
	return z.paint(mask, small, 255)
}

// paint sets the pixels of some of a mask's areas to a value.
func (z *areas) paint(mask gocv.Mat, which []bool, value byte) error {
	data, err := mask.DataPtrUint8()
	if err != nil {
		return fmt.Errorf("vision: %w", err)
	}
	for y := range z.size.Y {
		for _, r := range z.row(y) {
			if which[r.area] {
				row := data[y*z.size.X+int(r.from) : y*z.size.X+int(r.to)]
				for i := range row {
					row[i] = value
				}
			}
		}
	}
	return nil
}

// of are the runs of a hole, row by row.
func (z *areas) of(h hole) iter.Seq2[int, run] {
	return func(yield func(int, run) bool) {
		for y := h.bounds.Min.Y; y < h.bounds.Max.Y; y++ {
			row := z.row(y)
			begin, _ := slices.BinarySearchFunc(row, h.bounds.Min.X, func(r run, x int) int { return int(r.from) - x })
			for _, r := range row[begin:] {
				if int(r.from) >= h.bounds.Max.X {
					break
				}
				if r.area == h.area && !yield(y, r) {
					return
				}
			}
		}
	}
}

// fullRows is the share of a hole's bounds that lies between the hole's first and
// last pixels of each row: what lies in the hole counts as part of it.
func (z *areas) fullRows(h hole) float64 {
	along, last, lastY := 0, 0, -1
	for y, r := range z.of(h) {
		if y != lastY {
			last, lastY = int(r.from), y
		}
		along += int(r.to) - last
		last = int(r.to)
	}
	return float64(along) / float64(h.bounds.Dx()*h.bounds.Dy())
}

// fullColumns is the same along columns.
func (z *areas) fullColumns(h hole) float64 {
	b := h.bounds
	tops, bottoms := make([]int, b.Dx()), make([]int, b.Dx())
	for y, r := range z.of(h) {
		for x := int(r.from) - b.Min.X; x < int(r.to)-b.Min.X; x++ {
			if bottoms[x] == 0 {
				tops[x] = y
			}
			bottoms[x] = y + 1
		}
	}
	down := 0
	for x := range tops {
		down += bottoms[x] - tops[x]
	}
	return float64(down) / float64(b.Dx()*b.Dy())
}

// full is fullRows or fullColumns, whichever is less.
func (z *areas) full(h hole) float64 { return min(z.fullRows(h), z.fullColumns(h)) }
