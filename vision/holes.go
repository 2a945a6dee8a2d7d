package vision

import (
	"bytes"
	"fmt"
	"image"
	"slices"

	"gocv.io/x/gocv"
)

// hole is an area of zeros of a mask that hangs together by the sides of its
// pixels and does not reach the mask's rim: what is not zero surrounds it.
type hole struct {
	bounds image.Rectangle
	// full is the share of its bounds that it takes, what lies in it included.
	full float64
}

// run are zeros next to each other in a row.
type run struct {
	from, to int32 // to is the first beyond it
	area     int32 // the number of a run of the same area, its own where it is the first
}

// zeros are the runs of zeros of a mask, and which hang together. Contours say
// the same and more, but on noise there are very many, and to follow them
// takes seconds.
type zeros struct {
	size image.Point
	runs []run
	rows []int32 // from the row above the mask on, the number of each one's first run
}

// row are the runs of a row of the mask, or of those above and below it.
func (z *zeros) row(y int) []run { return z.runs[z.rows[y+1]:z.rows[y+2]] }

// zerosOf finds them. The mask is of bytes 0 and 255. A pixel beyond its
// rim there are zeros as well; these are one area, the first.
func zerosOf(mask gocv.Mat) (*zeros, error) {
	data, err := mask.DataPtrUint8()
	if err != nil {
		return nil, fmt.Errorf("vision: %w", err)
	}
	w, h := mask.Cols(), mask.Rows()
	z := &zeros{size: image.Pt(w, h), rows: make([]int32, 1, h+3)}
	above := 0
	for y := -1; y <= h; y++ {
		first := len(z.runs)
		if y < 0 || y == h {
			z.runs = append(z.runs, run{-1, int32(w) + 1, int32(first)})
		} else {
			z.runs = appendRuns(z.runs, data[y*w:(y+1)*w])
		}
		// Runs that are above each other hang together.
		for a, b := above, first; a < first && b < len(z.runs); {
			if z.runs[a].from < z.runs[b].to && z.runs[b].from < z.runs[a].to {
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
	for i := range z.runs {
		z.runs[i].area = z.find(int32(i))
	}
	return z, nil
}

// appendRuns adds the runs of zeros of a row, and of the pixels before and
// behind it.
func appendRuns(runs []run, row []byte) []run {
	add := func(from, to int) { runs = append(runs, run{int32(from), int32(to), int32(len(runs))}) }
	from := -1
	for x := 0; x < len(row); {
		if row[x] == 0 {
			// Masks are mostly zeros.
			next := bytes.IndexByte(row[x:], 255)
			if next < 0 {
				break
			}
			x += next
		}
		if from < x {
			add(from, x)
		}
		for x < len(row) && row[x] != 0 {
			x++
		}
		from = x
	}
	add(from, len(row)+1)
	return runs
}

func (z *zeros) find(i int32) int32 {
	for z.runs[i].area != i {
		z.runs[i].area = z.runs[z.runs[i].area].area
		i = z.runs[i].area
	}
	return i
}

func (z *zeros) join(a, b int32) {
	a, b = z.find(a), z.find(b)
	z.runs[max(a, b)].area = min(a, b)
}

// bounds are those of each area, by the number of its first run.
func (z *zeros) bounds() []image.Rectangle {
	all := make([]image.Rectangle, len(z.runs))
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

// holesOf are the holes of a mask of which each side is at least and at most as
// long as given, the lowest first.
func holesOf(mask gocv.Mat, least, most image.Point) ([]hole, error) {
	z, err := zerosOf(mask)
	if err != nil {
		return nil, err
	}
	var holes []hole
	for area, b := range z.bounds() {
		if area > 0 && b.Dx() >= least.X && b.Dy() >= least.Y && b.Dx() <= most.X && b.Dy() <= most.Y {
			holes = append(holes, hole{b, z.full(int32(area), b)})
		}
	}
	slices.Reverse(holes)
	return holes, nil
}

// fillHoles fills the holes of a mask that are smaller than most pixels, what
// lies in them included.
func fillHoles(mask gocv.Mat, most float64) error {
	z, err := zerosOf(mask)
	if err != nil {
		return err
	}
	data, err := mask.DataPtrUint8()
	if err != nil {
		return fmt.Errorf("vision: %w", err)
	}
	small := make([]bool, len(z.runs))
	for area, b := range z.bounds() {
		pixels := float64(b.Dx() * b.Dy())
		small[area] = area > 0 && pixels > 0 && (pixels < most || pixels*z.full(int32(area), b) < most)
	}
	for y := range z.size.Y {
		for _, r := range z.row(y) {
			if small[r.area] {
				row := data[y*z.size.X+int(r.from) : y*z.size.X+int(r.to)]
				for i := range row {
					row[i] = 255
				}
			}
		}
	}
	return nil
}

// full is the share of an area's bounds that lies between its outermost pixels
// along rows or along columns, whichever is less.
func (z *zeros) full(area int32, b image.Rectangle) float64 {
	tops, bottoms := make([]int, b.Dx()), make([]int, b.Dx())
	along, down := 0, 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		first, last := b.Max.X, b.Min.X
		row := z.row(y)
		begin, _ := slices.BinarySearchFunc(row, b.Min.X, func(r run, x int) int { return int(r.from) - x })
		for _, r := range row[begin:] {
			if int(r.from) >= b.Max.X {
				break
			}
			if r.area != area {
				continue
			}
			first, last = min(first, int(r.from)), int(r.to)
			for x := int(r.from) - b.Min.X; x < int(r.to)-b.Min.X; x++ {
				if bottoms[x] == 0 {
					tops[x] = y
				}
				bottoms[x] = y + 1
			}
		}
		along += max(0, last-first)
	}
	for x := range tops {
		down += bottoms[x] - tops[x]
	}
	return float64(min(along, down)) / float64(b.Dx()*b.Dy())
}
