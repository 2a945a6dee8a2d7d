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

// hexRowLimits bound the search for a hexagon of hexagons, and what counts as a line
// on their sides.
var hexRowLimits = struct {
	noisePart, leastPart, mostPart, leastAreas int
	proportions, leastFull, mostFull           float64
	alike, alikePixels                         float64
	onCell, firstPass, lastPass                float64
	leastPitch, sameWidth                      float64
	supported                                  float64
	samples                                    [4]float64
	samplesSeen                                int
	contrast                                   int
	reachPixels                                int
	reach, searchPixels, search                float64
	refineReach                                [3]float64
	refineSamples                              [2]float64
	refinePixels, refineBesidePixels           int
	refineBeside, widthPixels, width           float64
	refineTop                                  int
	equations                                  int
}{
	noisePart:          3,                                    // 1/n of the bytes of a mask: more changes are noise; words have far fewer
	leastPart:          60,                                   // 1/n of the masks' shorter side: a cell is at least this wide and high
	mostPart:           2,                                    // 1/n of the masks' shorter side: a cell is at most this wide and high
	leastAreas:         3,                                    // areas: a board shows at least this many cells
	proportions:        0.12,                                 // share: a cell's proportions differ from a regular hexagon's by at most this
	leastFull:          0.68,                                 // share of its bounds: a cell fills at least this much; a regular hexagon fills three quarters
	mostFull:           0.82,                                 // share of its bounds: a cell fills at most this much
	alike:              1.08,                                 // widths: a cell is at most this many times as wide as another,
	alikePixels:        1,                                    // pixels: and this much more
	onCell:             0.2,                                  // pitches: the middle of an area is less than this far from that of a cell
	firstPass:          1.5,                                  // pitches: the cells this close to the first are fitted first, then those twice as far, and so on,
	lastPass:           64,                                   // pitches: to less than this far
	leastPitch:         8,                                    // pixels: the pitch is at least this
	sameWidth:          0.05,                                 // share: the pitches along and across rows differ by at most this
	supported:          0.9,                                  // share of the cells' sides: a line is seen on at least this many
	samples:            [4]float64{-0.22, -0.19, 0.19, 0.22}, // pitches: a side is sampled this far from its middle, over which something may lie
	samplesSeen:        3,                                    // samples: a line is seen at at least this many of them
	contrast:           18,                                   // brightness levels: a line stands out from both its sides by at least this
	reachPixels:        3,                                    // pixels: the background is looked for this far to either side of a line, or
	reach:              0.09,                                 // pitches: this far, whichever is more
	searchPixels:       1.5,                                  // pixels: a line is looked for this far from where it should be, or
	search:             0.03,                                 // pitches: this far, whichever is more
	refineReach:        [3]float64{0.08, 0.05, 0.03},         // pitches: a line is looked for this far from where it should be while the board is moved to its lines, closer with each pass,
	refineSamples:      [2]float64{-0.2, 0.2},                // pitches: the place of a line is measured this far from the middle of its side
	refinePixels:       2,                                    // pixels: or this far, if that is more
	refineBesidePixels: 2,                                    // pixels: the background is looked for this much further, or
	refineBeside:       0.05,                                 // pitches: this much, whichever is more
	refineTop:          4,                                    // 1/n of the contrast: a line's pixels are darker than its brightest by at most this
	widthPixels:        3,                                    // pixels: a line is at most this wide, or
	width:              0.07,                                 // pitches: this wide, whichever is more
	equations:          12,                                   // places of lines: at least this many must be known for the board to be moved
}

// hexBoard is a hexagon of hexagons that stand on a corner, in pixels of the frame.
// Cells are counted along the rows and down to the right: cell u,v lies u+v/2
// pitches right of the middle cell and v rows below it.
type hexBoard struct {
	x, y   float64 // the centre of the middle cell
	px, py float64 // the distances of neighbouring centres in a row, and of rows
	side   int     // in cells
}

func (h hexBoard) ok() bool { return h.side > 0 }

func (h hexBoard) pitch() float64 { return (h.px + h.py*2/root3) / 2 }

// centre is the centre of cell u,v, in pixels of the frame.
func (h hexBoard) centre(u, v int) (x, y float64) {
	return h.x + (float64(u)+float64(v)/2)*h.px, h.y + float64(v)*h.py
}

// contains reports whether cell u,v is on the board.
func (h hexBoard) contains(u, v int) bool {
	return max(u, -u, v, -v, u+v, -u-v) < h.side
}

// cells yields the cells of the board, row by row.
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

// byHexRows is the finder of hexagons in rows.
const byHexRows = "areas between the lines of hexagons"

// findHexRows looks for a board of hexagons in rows.
func (s *search) findHexRows(m *masks) (hypothesis, error) {
	h, confidence, err := hexRowsOf(s.view, m, s.spec)
	switch {
	case err != nil:
		return hypothesis{}, err
	case !h.ok():
		return lacking(byHexRows, "no areas of one size lie in rows of hexagons with lines around them"), nil
	}
	return hypothesis{finder: byHexRows, layout: h.layout(s.on), confidence: confidence}, nil
}

// hexRowsOf looks for a board of hexagons by the areas that its lines surround:
// areas of one size with the proportions of a hexagon. Not all cells need be found
// this way, but there must be a line on nearly every side of every cell. The
// confidence is the share of the sides on which a line was seen.
func hexRowsOf(v *view, m *masks, spec screen.Spec) (hexBoard, float64, error) {
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

// hexagons is the largest set of areas with the proportions of a hexagon that are
// of about one size, in pixels of the masks. With strong, only strong lines may
// surround them, as the lines of a board on a clean picture are; otherwise any.
func hexagons(m *masks, strong bool) ([]hexagon, error) {
	contrast := float32(maskLimits.lineContrast)
	if strong {
		thin, err := m.thin()
		if err != nil {
			return nil, err
		}
		lines := gocv.NewMat()
		defer lines.Close()
		contrast = gocv.Threshold(thin, &lines, 0, 255, gocv.ThresholdBinary|gocv.ThresholdOtsu)
		data, err := lines.DataPtrUint8()
		if err != nil {
			return nil, fmt.Errorf("vision: %w", err)
		}
		// Half of noise is strong by this measure, of words much less.
		if changes(data) > len(data)/hexRowLimits.noisePart {
			return nil, nil
		}
	}
	gaps, err := m.gaps(contrast)
	if err != nil {
		return nil, err
	}
	least, most := min(m.size.X, m.size.Y)/hexRowLimits.leastPart, min(m.size.X, m.size.Y)/hexRowLimits.mostPart
	var all []hexagon
	for _, hole := range gaps.holes(image.Pt(least-2, least-2), image.Pt(most-2, most-2)) {
		// A cell's rim is in the middle of the pixels around the hole.
		r := hole.bounds
		w, h := float64(r.Dx()+1), float64(r.Dy()+1)
		if math.Abs(h/w*root3/2-1) > hexRowLimits.proportions {
			continue
		}
		if full := gaps.full(hole); full < hexRowLimits.leastFull || full > hexRowLimits.mostFull {
			continue
		}
		all = append(all, hexagon{float64(r.Min.X) - 1 + w/2, float64(r.Min.Y) - 1 + h/2, w})
	}
	slices.SortFunc(all, func(a, b hexagon) int { return int(math.Copysign(1, a.width-b.width)) })
	var best []hexagon
	for i := range all {
		j := i
		for j < len(all) && all[j].width <= hexRowLimits.alike*all[i].width+hexRowLimits.alikePixels {
			j++
		}
		if group := all[i:j]; len(group) > len(best) {
			best = group
		}
	}
	return best, nil
}

// changes estimates the number of bytes that differ from the byte before them. The
// bytes are 0 and 255.
func changes(data []byte) int {
	const word = 8 // bytes
	n := 0
	for ; len(data) >= word; data = data[word:] {
		eight := binary.LittleEndian.Uint64(data)
		n += bits.OnesCount64(eight ^ (eight<<8 | eight&0xff))
	}
	// A change is eight bits, and of eight pairs of neighbours seven are compared.
	return n / (word - 1)
}

// hexCell is a cell of a hexBoard.
type hexCell struct{ u, v int }

// locate is the cell in which the middle of an area lies. It reports whether it is
// close to the cell's middle.
func (h hexBoard) locate(a hexagon) (hexCell, bool) {
	row := math.Round((a.y - h.y) / h.py)
	col := math.Round((a.x-h.x)/h.px - row/2)
	x, y := h.centre(int(col), int(row))
	return hexCell{int(col), int(row)}, math.Hypot(a.x-x, a.y-y) < hexRowLimits.onCell*h.px
}

// fitHexagons lays a lattice through areas and finds the board's outline by its
// lines. The confidence is the share of the cells' sides on which a line was seen.
func (v *view) fitHexagons(areas []hexagon, minSide, maxSide int) (best hexBoard, confidence float64) {
	if len(areas) < hexRowLimits.leastAreas {
		return hexBoard{}, 0
	}
	h, found := hexLatticeOf(areas)
	if len(found) < hexRowLimits.leastAreas || h.px < hexRowLimits.leastPitch || math.Abs(h.py/h.px*2/root3-1) > hexRowLimits.sameWidth {
		return hexBoard{}, 0
	}
	// Every board that has all of the found cells may be the right one; the largest
	// board whose lines are seen is.
	lines := hexLines{view: v, pitch: h.pitch(), seen: map[[2]int]bool{}}
	for side := max(minSide, 2); side <= maxSide; side++ {
		for u := -maxSide; u <= maxSide; u++ {
			for w := -maxSide; w <= maxSide; w++ {
				candidate := h
				candidate.side = side
				candidate.x, candidate.y = h.centre(u, w)
				if slices.ContainsFunc(found, func(at hexCell) bool { return !candidate.contains(at.u-u, at.v-w) }) {
					continue
				}
				if part := lines.support(candidate); part >= hexRowLimits.supported && (side > best.side || part > confidence) {
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

// hexLatticeOf is the lattice of hexagons nearest to areas, without a size, and the
// cells in which areas lie.
func hexLatticeOf(areas []hexagon) (h hexBoard, found []hexCell) {
	widths := make([]float64, len(areas))
	for i, a := range areas {
		widths[i] = a.width
	}
	h = hexBoard{px: median(widths)}
	h.py = h.px * root3 / 2
	// Begin at the area around which the most others are in the middle of a cell.
	seed, most := h, 0
	for _, a := range areas {
		n := 0
		h.x, h.y = a.x, a.y
		for _, other := range areas {
			if _, ok := h.locate(other); ok {
				n++
			}
		}
		if n > most {
			seed, most = h, n
		}
	}
	// The width of an area is the pitch less a line. The further away the areas
	// that are fitted, the better is the pitch known.
	h = seed
	for pass := hexRowLimits.firstPass; pass < hexRowLimits.lastPass; pass *= 2 {
		var cols, rows, xs, ys []float64
		found = found[:0]
		for _, a := range areas {
			at, ok := h.locate(a)
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
	return h, found
}

// hexDirections are the directions from a hexagon's middle to its sides, of one that
// stands on a corner.
var hexDirections = func() (all [6]struct{ sin, cos float64 }) {
	for i := range all {
		all[i].sin, all[i].cos = math.Sincos(float64(i) * math.Pi / 3)
	}
	return all
}()

// refine moves a board to its lines. When few areas were found, all on one side of a
// large board, the other side is not known well.
func (l hexLines) refine(h hexBoard) hexBoard {
	for _, reach := range hexRowLimits.refineReach {
		var equations [][]float64 // for the corrections of x, y, px and py
		for u, v := range h.cells {
			x, y := h.centre(u, v)
			for _, d := range hexDirections {
				sin, cos := d.sin, d.cos
				col, row := float64(u)+float64(v)/2+cos/2, float64(v)+sin/root3
				for _, along := range hexRowLimits.refineSamples {
					off, ok := l.offset(x+cos*h.px/2-along*l.pitch*sin, y+sin*h.px/2+along*l.pitch*cos, cos, sin, reach*l.pitch)
					if ok {
						equations = append(equations, []float64{cos, sin, cos * col, sin * row, off})
					}
				}
			}
		}
		by, ok := leastSquares(equations)
		if !ok || len(equations) < hexRowLimits.equations {
			return h
		}
		h.x, h.y, h.px, h.py = h.x+by[0], h.y+by[1], h.px+by[2], h.py+by[3]
	}
	return h
}

// offset is the distance from x,y, along a direction, to the middle of the line
// across that direction that stands out most within reach. It reports whether there
// is such a line.
func (l hexLines) offset(x, y, cos, sin, reach float64) (float64, bool) {
	most := max(hexRowLimits.refinePixels, round(reach))
	wide := most + max(hexRowLimits.refineBesidePixels, round(hexRowLimits.refineBeside*l.pitch))
	if !l.onFrame(x, y, cos, sin, wide) {
		return 0, false
	}
	levels := make([]int32, 2*wide+1)
	l.levelsAlong(x, y, cos, sin, 0, levels)
	near := levels[wide-most : wide+most+1]
	peak := int(slices.Max(near))
	base := int(max(slices.Min(levels[:wide]), slices.Min(levels[wide+1:])))
	if peak-base < hexRowLimits.contrast {
		return 0, false
	}
	top := func(level int32) bool { return hexRowLimits.refineTop*(peak-int(level)) <= peak-base }
	sum, n := 0, 0
	for k, level := range near {
		if top(level) {
			sum += k - most
			n++
		}
	}
	// Something wide is no line, nor is something at the end of the reach.
	if float64(n) > max(hexRowLimits.widthPixels, hexRowLimits.width*l.pitch) || top(near[0]) || top(near[len(near)-1]) {
		return 0, false
	}
	// Measured from the place, not from its pixel.
	k := float64(sum) / float64(n)
	dx, dy := float64(round(x+k*cos))-x, float64(round(y+k*sin))-y
	return dx*cos + dy*sin, true
}

// hexLines looks for lines on the sides of cells, at each place once.
type hexLines struct {
	*view
	pitch float64
	seen  map[[2]int]bool // by the middle of the side, rounded to 1/placesPerPitch
}

// placesPerPitch is the number of places in a pitch that hexLines keeps apart.
const placesPerPitch = 8

// support is the share of the sides of all cells on which there is a line; 0 when it
// is less than a board needs.
func (l hexLines) support(h hexBoard) float64 {
	n := len(hexDirections) * (3*h.side*(h.side-1) + 1)
	off, most := 0, n-int(math.Ceil(hexRowLimits.supported*float64(n)))
	for u, v := range h.cells {
		x, y := h.centre(u, v)
		for _, d := range hexDirections {
			if l.line(x+d.cos*h.px/2, y+d.sin*h.px/2, d.cos, d.sin) {
				continue
			}
			if off++; off > most {
				return 0
			}
		}
	}
	return 1 - float64(off)/float64(n)
}

// line reports whether there is a line through x,y across a direction, seen at most
// of the places on it.
func (l hexLines) line(x, y, cos, sin float64) bool {
	key := [2]int{round(placesPerPitch * x / l.pitch), round(placesPerPitch * y / l.pitch)}
	if on, ok := l.seen[key]; ok {
		return on
	}
	n := 0
	for _, along := range hexRowLimits.samples {
		if l.stands(x-along*l.pitch*sin, y+along*l.pitch*cos, cos, sin) {
			n++
		}
	}
	l.seen[key] = n >= hexRowLimits.samplesSeen
	return l.seen[key]
}

// stands reports whether something near a place stands out from both sides of it.
func (l hexLines) stands(x, y, cos, sin float64) bool {
	size := l.size()
	reach := max(hexRowLimits.reachPixels, round(hexRowLimits.reach*l.pitch))
	search := max(hexRowLimits.searchPixels, hexRowLimits.search*l.pitch)
	peak, low := -1, [2]int{256, 256}
	look := func(k, level int) {
		side := 0
		if k > 0 {
			side = 1
		}
		low[side] = min(low[side], level)
		if math.Abs(float64(k)) <= search {
			peak = max(peak, level)
		}
	}
	if l.onFrame(x, y, cos, sin, reach) {
		levels := make([]int32, 2*reach+1)
		l.levelsAlong(x, y, cos, sin, 0, levels)
		for i, level := range levels {
			look(i-reach, int(level))
		}
		return peak-max(low[0], low[1]) >= hexRowLimits.contrast
	}
	for k := -reach; k <= reach; k++ {
		px, py := round(x+float64(k)*cos), round(y+float64(k)*sin)
		if px >= 0 && py >= 0 && px < size.X && py < size.Y {
			look(k, l.level(px, py))
		}
	}
	return peak-max(low[0], low[1]) >= hexRowLimits.contrast
}

// onFrame reports whether the pixels nearest to all places within reach of x,y, along a
// direction, are on the frame: they are if the first and the last are.
func (v *view) onFrame(x, y, dx, dy float64, reach int) bool {
	far := float64(reach)
	return image.Pt(round(x-far*dx), round(y-far*dy)).In(v.pixels.Rect) && image.Pt(round(x+far*dx), round(y+far*dy)).In(v.pixels.Rect)
}
