package vision

import (
	"encoding/binary"
	"fmt"
	"image"
	"math"
	"math/bits"
	"slices"

	"gocv.io/x/gocv"

	"tapwise/solvers/screen"
)

// hexBoard is a hexagon of hexagons that stand on a corner, in pixels of the
// frame. Cells are counted along the rows and down to the right: cell u,v lies
// u+v/2 pitches right of the middle one and v rows below it.
type hexBoard struct {
	x, y   float64 // the centre of the middle cell
	px, py float64 // distances of neighbouring centres in a row, and of rows
	side   int     // in cells
}

func (h hexBoard) ok() bool { return h.side > 0 }

func (h hexBoard) pitch() float64 { return (h.px + h.py*2/math.Sqrt(3)) / 2 }

func (h hexBoard) centre(u, v int) (x, y float64) {
	return h.x + (float64(u)+float64(v)/2)*h.px, h.y + float64(v)*h.py
}

// contains reports whether there is such a cell.
func (h hexBoard) contains(u, v int) bool {
	return max(u, -u, v, -v, u+v, -u-v) < h.side
}

// cells are those of the board, row by row.
func (h hexBoard) cells(yield func(u, v int) bool) {
	for v := 1 - h.side; v < h.side; v++ {
		for u := 1 - h.side; u < h.side; u++ {
			if h.contains(u, v) && !yield(u, v) {
				return
			}
		}
	}
}

func (h hexBoard) layout(on screen.Frame) screen.Layout {
	n := 2*h.side - 1
	tall := float64(h.side-1)*h.py + h.py*2/3
	wide := (float64(h.side) - 0.5) * h.px
	l := screen.Layout{
		On: on, Topology: screen.HexRows, Rows: n, Cols: n, Pitch: h.pitch(),
		Board: image.Rect(round(h.x-wide), round(h.y-tall), round(h.x+wide)+1, round(h.y+tall)+1),
	}
	for u, v := range h.cells {
		x, y := h.centre(u, v)
		l.Centres = append(l.Centres, image.Pt(round(x), round(y)))
	}
	return l
}

// findHexRows looks for a board of hexagons by what its lines surround: areas
// of one size with the proportions of a hexagon. Not all of them need be
// found, but a line on nearly every side of every cell. Its confidence is the
// share of them that was seen.
func findHexRows(v *view, m *masks, spec screen.Spec) (hexBoard, float64, error) {
	for _, strong := range []bool{true, false} {
		holes, err := hexagons(m, strong)
		if err != nil {
			return hexBoard{}, 0, err
		}
		scale := float64(m.factor)
		for i := range holes {
			holes[i].x = (holes[i].x+0.5)*scale - 0.5
			holes[i].y = (holes[i].y+0.5)*scale - 0.5
			holes[i].width *= scale
		}
		if h, confidence := v.fitHexagons(holes, spec.MinSide, spec.MaxSide); h.ok() {
			return h, confidence, nil
		}
	}
	return hexBoard{}, 0, nil
}

// hexagon is an area that lines surround.
type hexagon struct{ x, y, width float64 }

// hexagons are the most that are of about one size, in pixels of the masks.
// Only strong lines may surround them, as are on a clean picture's board, or
// any.
func hexagons(m *masks, strong bool) ([]hexagon, error) {
	contrast := float32(lineContrast)
	if strong {
		lines := gocv.NewMat()
		defer lines.Close()
		contrast = gocv.Threshold(m.thin(), &lines, 0, 255, gocv.ThresholdBinary|gocv.ThresholdOtsu)
		data, err := lines.DataPtrUint8()
		if err != nil {
			return nil, fmt.Errorf("vision: %w", err)
		}
		// Half of noise is strong by this measure; of words it is much less.
		if changes(data) > len(data)/3 {
			return nil, nil
		}
	}
	gaps, err := m.gaps(contrast)
	if err != nil {
		return nil, err
	}
	least, most := min(m.size.X, m.size.Y)/60, min(m.size.X, m.size.Y)/2
	var all []hexagon
	for _, hole := range gaps.holes(image.Pt(least-2, least-2), image.Pt(most-2, most-2)) {
		// Its rim is in the middle of the pixels around it.
		r := hole.bounds
		w, h := float64(r.Dx()+1), float64(r.Dy()+1)
		// A hexagon fills three quarters of the rectangle around it.
		if math.Abs(h/w*math.Sqrt(3)/2-1) > 0.12 {
			continue
		}
		if full := gaps.full(hole); full < 0.68 || full > 0.82 {
			continue
		}
		all = append(all, hexagon{float64(r.Min.X) - 1 + w/2, float64(r.Min.Y) - 1 + h/2, w})
	}
	slices.SortFunc(all, func(a, b hexagon) int { return int(math.Copysign(1, a.width-b.width)) })
	var best []hexagon
	for i := range all {
		j := i
		for j < len(all) && all[j].width <= 1.08*all[i].width+1 {
			j++
		}
		if group := all[i:j]; len(group) > len(best) {
			best = group
		}
	}
	return best, nil
}

// changes is about how often a byte is not the one before it.
func changes(data []byte) int {
	n := 0
	for ; len(data) >= 8; data = data[8:] {
		eight := binary.LittleEndian.Uint64(data)
		n += bits.OnesCount64(eight ^ (eight<<8 | eight&0xff))
	}
	return n / 7 // of eight bits each, of seven of eight neighbours
}

// fitHexagons lays the lattice through areas and finds the board's outline by
// its lines.
func (v *view) fitHexagons(areas []hexagon, minSide, maxSide int) (best hexBoard, confidence float64) {
	if len(areas) < 3 {
		return hexBoard{}, 0
	}
	widths := make([]float64, len(areas))
	for i, a := range areas {
		widths[i] = a.width
	}
	h := hexBoard{px: medianFloat(widths)}
	h.py = h.px * math.Sqrt(3) / 2
	// Begin where the most others are at a whole number of cells.
	type index struct{ u, v int }
	locate := func(h hexBoard, a hexagon) (index, bool) {
		row := math.Round((a.y - h.y) / h.py)
		col := math.Round((a.x-h.x)/h.px - row/2)
		x, y := h.centre(int(col), int(row))
		return index{int(col), int(row)}, math.Hypot(a.x-x, a.y-y) < 0.2*h.px
	}
	seed, most := h, 0
	for _, a := range areas {
		n := 0
		h.x, h.y = a.x, a.y
		for _, other := range areas {
			if _, ok := locate(h, other); ok {
				n++
			}
		}
		if n > most {
			seed, most = h, n
		}
	}
	// The width of an area is the pitch less a line: from near to far, the
	// lattice is measured better.
	h = seed
	var found []index
	for pass := 1.5; pass < 64; pass *= 2 {
		var cols, rows, xs, ys []float64
		found = found[:0]
		for _, a := range areas {
			at, ok := locate(h, a)
			if !ok || math.Hypot(a.x-seed.x, a.y-seed.y) > pass*h.px {
				continue
			}
			found = append(found, at)
			cols, xs = append(cols, float64(at.u)+float64(at.v)/2), append(xs, a.x)
			rows, ys = append(rows, float64(at.v)), append(ys, a.y)
		}
		if slices.Max(cols) > slices.Min(cols) {
			h.x, h.px = fitLine(cols, xs)
		}
		if slices.Max(rows) > slices.Min(rows) {
			h.y, h.py = fitLine(rows, ys)
		}
	}
	if len(found) < 3 || h.px < 8 || math.Abs(h.py/h.px*2/math.Sqrt(3)-1) > 0.05 {
		return hexBoard{}, 0
	}
	// Every board that has all of the found cells may be the one; the largest
	// whose lines are seen is.
	lines := hexLines{view: v, pitch: h.pitch(), seen: map[[2]int]bool{}}
	for side := max(minSide, 2); side <= maxSide; side++ {
		for u := -maxSide; u <= maxSide; u++ {
			for w := -maxSide; w <= maxSide; w++ {
				candidate := h
				candidate.side = side
				candidate.x, candidate.y = h.centre(u, w)
				if slices.ContainsFunc(found, func(at index) bool { return !candidate.contains(at.u-u, at.v-w) }) {
					continue
				}
				if part := lines.support(candidate); part >= leastHexRows && (side > best.side || part > confidence) {
					best, confidence = candidate, part
				}
			}
		}
	}
	if best.ok() {
		best = lines.refine(best)
	}
	return best, confidence
}

// refine moves a board to where its lines are: of few areas that lie on one side
// of a large board its other side is not known well.
func (l hexLines) refine(h hexBoard) hexBoard {
	for _, reach := range [...]float64{0.08, 0.05, 0.03} {
		var equations [][]float64 // in what x, y, px and py have to be changed by
		for u, v := range h.cells {
			x, y := h.centre(u, v)
			for i := range 6 {
				sin, cos := math.Sincos(float64(i) * math.Pi / 3)
				col, row := float64(u)+float64(v)/2+cos/2, float64(v)+sin/math.Sqrt(3)
				for _, along := range [...]float64{-0.2, 0.2} {
					off, ok := l.offset(x+cos*h.px/2-along*l.pitch*sin, y+sin*h.px/2+along*l.pitch*cos, cos, sin, reach*l.pitch)
					if ok {
						equations = append(equations, []float64{cos, sin, cos * col, sin * row, off})
					}
				}
			}
		}
		by, ok := leastSquares(equations)
		if !ok || len(equations) < 12 {
			return h
		}
		h.x, h.y, h.px, h.py = h.x+by[0], h.y+by[1], h.px+by[2], h.py+by[3]
	}
	return h
}

// offset is how far from a place, across a direction, the middle of the line is
// that stands out most there.
func (l hexLines) offset(x, y, cos, sin, reach float64) (float64, bool) {
	size := l.size()
	most := max(2, round(reach))
	wide := most + max(2, round(0.05*l.pitch))
	levels := make([]int, 0, 2*wide+1)
	for k := -wide; k <= wide; k++ {
		px, py := round(x+float64(k)*cos), round(y+float64(k)*sin)
		if px < 0 || py < 0 || px >= size.X || py >= size.Y {
			return 0, false
		}
		levels = append(levels, l.level(px, py))
	}
	near := levels[wide-most : wide+most+1]
	peak := slices.Max(near)
	base := max(slices.Min(levels[:wide]), slices.Min(levels[wide+1:]))
	if peak-base < 2*lineContrast {
		return 0, false
	}
	sum, n := 0, 0
	for k, level := range near {
		if 4*(peak-level) <= peak-base {
			sum += k - most
			n++
		}
	}
	// Something wide is no line, nor is what lies at the end of the reach.
	if float64(n) > max(3, 0.07*l.pitch) || 4*(peak-near[0]) <= peak-base || 4*(peak-near[len(near)-1]) <= peak-base {
		return 0, false
	}
	// From the pixel to the place.
	k := float64(sum) / float64(n)
	dx, dy := float64(round(x+k*cos))-x, float64(round(y+k*sin))-y
	return dx*cos + dy*sin, true
}

// hexLines looks for lines on the sides of cells, at each place once.
type hexLines struct {
	*view
	pitch float64
	seen  map[[2]int]bool // by the middle of the side, rounded to an eighth of a pitch
}

// leastHexRows is the share of the cells' sides on which a line must be seen.
const leastHexRows = 0.9

// support is the share of the sides of all cells on which there is a line; 0 as
// soon as it is known to be less than leastHexRows.
func (l hexLines) support(h hexBoard) float64 {
	n := 6 * (3*h.side*(h.side-1) + 1)
	off, most := 0, n-int(math.Ceil(leastHexRows*float64(n)))
	for u, v := range h.cells {
		x, y := h.centre(u, v)
		for i := range 6 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 3)
			if l.line(x+cos*h.px/2, y+sin*h.px/2, cos, sin) {
				continue
			}
			if off++; off > most {
				return 0
			}
		}
	}
	return 1 - float64(off)/float64(n)
}

// line reports whether there is a line through a place across a direction: at
// most of four places on it, away from its middle where something may lie
// over it.
func (l hexLines) line(x, y, cos, sin float64) bool {
	key := [2]int{round(8 * x / l.pitch), round(8 * y / l.pitch)}
	if on, ok := l.seen[key]; ok {
		return on
	}
	n := 0
	for _, along := range [...]float64{-0.22, -0.19, 0.19, 0.22} {
		if l.stands(x-along*l.pitch*sin, y+along*l.pitch*cos, cos, sin) {
			n++
		}
	}
	l.seen[key] = n >= 3
	return n >= 3
}

// stands reports whether what is near a place stands out from both sides of it.
func (l hexLines) stands(x, y, cos, sin float64) bool {
	size := l.size()
	reach, search := max(3, round(0.09*l.pitch)), max(1.5, 0.03*l.pitch)
	peak, low := -1, [2]int{256, 256}
	for k := -reach; k <= reach; k++ {
		px, py := round(x+float64(k)*cos), round(y+float64(k)*sin)
		if px < 0 || py < 0 || px >= size.X || py >= size.Y {
			continue
		}
		level := l.level(px, py)
		side := 0
		if k > 0 {
			side = 1
		}
		low[side] = min(low[side], level)
		if math.Abs(float64(k)) <= search {
			peak = max(peak, level)
		}
	}
	return peak-max(low[0], low[1]) >= 2*lineContrast
}
