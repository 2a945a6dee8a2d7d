package vision

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"tapwise/solvers/screen"
)

// A cube seen along its diagonal is a regular hexagon that stands on a corner. Its
// lines run in three directions, upright and rising and falling by 30°, at equal
// distances. The outline gives the size and the middle; the lines between the cells
// tell how many cells fit.

// cubeLimits bound the search for a cube, and what counts as a line on the sides of
// its cells.
var cubeLimits = struct {
	thickPart, outlinePart, outlines     int
	noise, proportions                   float64
	closing                              int
	leastPitch                           float64
	rounds                               int
	settled                              float64
	lineSeen, supported                  float64
	alongFrom, alongLength, alongGap     float64
	leastPlaces, alignPlaces, sidePlaces int
	besidePixels, searchPixels, moment   int
	alignBeside, search                  float64
	ridge, equations, ridgeTop           int
	offPixels, off                       float64
	moved, grown                         float64
	fromPixels, toPixels, nearPixels     int
	besideFrom, besideTo, near           float64
	besideFromPart, besideToPart         float64
	contrast                             float64
}{
	thickPart:      45,    // 1/n of the masks' shorter side: the outline is thinner; it may be thicker than the lines of a square board
	noise:          3,     // means of all contrasts: a line stands out by more than this; noise does not
	closing:        3,     // pixels of the masks: lines less than this far apart are connected
	outlinePart:    4,     // 1/n of the masks' shorter side: the outline is higher
	proportions:    0.04,  // share of its height: the outline's width differs from a regular hexagon's by less than this
	outlines:       3,     // outlines: at most this many are looked at, the largest first
	leastPitch:     12,    // pixels: the pitch is at least this
	rounds:         3,     // rounds: a cube is moved to its lines at most this many times,
	settled:        0.1,   // pixels: until it moves by less than this
	lineSeen:       0.25,  // support: a side with at least this has a line
	supported:      0.75,  // share of the cells' sides: a cube has lines on more than this many
	alongFrom:      0.08,  // share of a side: it is sampled from here,
	alongLength:    0.24,  // share of a side: over this length, and over the same length
	alongGap:       0.36,  // share of a side: after a gap of this length in its middle
	leastPlaces:    6,     // samples: at least this many on a side,
	alignPlaces:    8,     // samples: at most this many while the places of lines are found,
	sidePlaces:     16,    // samples: at most this many while lines are measured
	besidePixels:   2,     // pixels: the background is this far from a line while its place is found, or
	alignBeside:    0.06,  // pitches: this far, whichever is more
	searchPixels:   2,     // pixels: a line is looked for this far from where it should be, or
	search:         0.1,   // pitches: this far, whichever is more
	ridge:          12,    // brightness levels: twice the contrast of a line whose place counts is at least this
	moment:         2,     // pixels: the place of a line is the centre of gravity this far around its brightest pixel
	ridgeTop:       4,     // 1/n of the contrast: of the pixels that stand out by more than this
	equations:      6,     // sides: the places of at least this many must be known for the cube to be moved
	offPixels:      0.7,   // pixels: sides that are off by more than this are left out, or
	off:            2,     // medians: by more than this many medians of what all are off by, whichever is more
	moved:          0.3,   // edges of the cube: it is not moved by more than this
	grown:          0.15,  // share: it does not grow or shrink by more than this
	fromPixels:     2,     // pixels: the background is looked for from this far from a line while it is measured, or
	besideFrom:     0.045, // pitches: from this far, whichever is more, but
	besideFromPart: 100,   // 1/n of the shorter side: from at most this far, since lines are not wider where cells are very large
	toPixels:       3,     // pixels: the background is looked for to this far, or
	besideTo:       0.075, // pitches: to this far, whichever is more, but
	besideToPart:   70,    // 1/n of the shorter side: to at most this far
	nearPixels:     1,     // pixels: a line is at most this far from where it should be, or
	near:           0.015, // pitches: this far, whichever is more
	contrast:       8,     // brightness levels: a line with full support stands out by at least this
}

// halfRoot3 is how far a slanted side of a cell reaches to the right, in pitches.
var halfRoot3 = math.Sqrt(3) / 2

// cubeBoard is where a cube's lines lie, in pixels of the frame.
type cubeBoard struct {
	x, y  float64 // the corner where the three faces meet
	pitch float64 // the length of a cell's sides
	side  int     // cells along an edge; 0: there is no cube
}

// face is the corner of a face where row 0 and column 0 begin, and the steps to the
// next column and row.
type face struct{ x, y, colX, colY, rowX, rowY float64 }

// at is the point of a face at a row and a column; cell 0,0 has its middle at 0.5,0.5.
func (f face) at(row, col float64) (x, y float64) {
	return f.x + col*f.colX + row*f.rowX, f.y + col*f.colY + row*f.rowY
}

// faces are the top, the left and the right face.
func (b cubeBoard) faces() [3]face {
	wide, n := halfRoot3*b.pitch, float64(b.side)
	return [3]face{
		{b.x, b.y - n*b.pitch, wide, b.pitch / 2, -wide, b.pitch / 2},
		{b.x - n*wide, b.y - n*b.pitch/2, wide, b.pitch / 2, 0, b.pitch},
		{b.x, b.y, wide, -b.pitch / 2, 0, b.pitch},
	}
}

func (b cubeBoard) layout(on screen.Frame) screen.Layout {
	n := float64(b.side)
	l := screen.Layout{On: on, Topology: screen.Cube, Rows: 3 * b.side, Cols: b.side, Pitch: b.pitch,
		Board: image.Rect(round(b.x-n*halfRoot3*b.pitch), round(b.y-n*b.pitch), round(b.x+n*halfRoot3*b.pitch)+1, round(b.y+n*b.pitch)+1)}
	for _, f := range b.faces() {
		for r := range b.side {
			for c := range b.side {
				x, y := f.at(float64(r)+0.5, float64(c)+0.5)
				l.Centres = append(l.Centres, image.Pt(round(x), round(y)))
			}
		}
	}
	return l
}

// edge is one side of a cell: its first point and the vector along it.
type edge struct{ x, y, alongX, alongY float64 }

// edges are the sides of all cells, face by face and row by row: horizontal are
// those above and below the cells, vertical those left and right of them.
func (b cubeBoard) edges() (horizontal, vertical []edge) {
	for _, f := range b.faces() {
		for r := range b.side + 1 {
			for c := range b.side {
				x, y := f.at(float64(r), float64(c))
				horizontal = append(horizontal, edge{x, y, f.colX, f.colY})
			}
		}
		for r := range b.side {
			for c := range b.side + 1 {
				x, y := f.at(float64(r), float64(c))
				vertical = append(vertical, edge{x, y, f.rowX, f.rowY})
			}
		}
	}
	return horizontal, vertical
}

// byCube is the finder of cubes.
const byCube = "a cube's outline"

// findCube looks for a cube.
func (s *search) findCube(m *masks) ([]hypothesis, error) {
	v, spec := s.view, s.spec
	outlines, err := m.hexagons()
	if err != nil {
		return nil, err
	}
	var best hypothesis
	for _, r := range outlines {
		// Half of the outline's width is outside the cells.
		whole := cubeBoard{
			x:     (float64(r.Min.X+r.Max.X)/2)*float64(m.factor) - 0.5,
			y:     (float64(r.Min.Y+r.Max.Y)/2)*float64(m.factor) - 0.5,
			pitch: float64(r.Dy()+r.Dx()) / (2 + 2*halfRoot3) * float64(m.factor), // of a single cell
		}
		for side := spec.MaxSide; side >= max(spec.MinSide, 1); side-- {
			b := whole
			b.side = side
			b.pitch /= float64(side)
			if b.pitch < cubeLimits.leastPitch {
				continue
			}
			b = v.settleCube(b)
			horizontal, vertical := v.cubeSides(b)
			if share := cubeSupport(horizontal, vertical); share > cubeLimits.supported && share > best.confidence {
				best = hypothesis{finder: byCube, layout: b.layout(s.on), confidence: share, horizontal: horizontal, vertical: vertical}
				break // fewer cells have only lines that these have too
			}
		}
	}
	if !best.ok() {
		return []hypothesis{lacking(byCube, fmt.Sprintf("%d outlines of a cube, none with the lines of cells", len(outlines)))}, nil
	}
	return []hypothesis{best}, nil
}

// settleCube moves a cube to its lines until it hardly moves any more.
func (v *view) settleCube(b cubeBoard) cubeBoard {
	for range cubeLimits.rounds {
		before := b
		b = v.alignCube(b)
		if math.Hypot(b.x-before.x, b.y-before.y)+float64(b.side)*math.Abs(b.pitch-before.pitch) < cubeLimits.settled {
			break
		}
	}
	return b
}

// cubeSupport is the share of the cells' sides on which a line was seen.
func cubeSupport(horizontal, vertical []screen.Line) float64 {
	n := 0
	for _, lines := range [][]screen.Line{horizontal, vertical} {
		for _, line := range lines {
			if line.Support >= cubeLimits.lineSeen {
				n++
			}
		}
	}
	return float64(n) / float64(len(horizontal)+len(vertical))
}

// hexagons are the bounds of the connected components of thin lines that have the
// proportions of a regular hexagon that stands on a corner, in pixels of the masks,
// the largest first.
func (m *masks) hexagons() ([]image.Rectangle, error) {
	thin := gocv.NewMat()
	defer func() { thin.Close() }()
	shorter := min(m.size.X, m.size.Y)
	thick := max(m.thick, shorter/cubeLimits.thickPart|1)
	if err := standingOut(m.level, &thin, image.Pt(thick, thick)); err != nil {
		return nil, err
	}
	// Noise is thin as well, but not as strong.
	least := max(float64(maskLimits.lineContrast), cubeLimits.noise*thin.Mean().Val1)
	gocv.Threshold(thin, &thin, float32(least), 255, gocv.ThresholdBinary)
	if err := window(thin, &thin, image.Pt(cubeLimits.closing, cubeLimits.closing), true); err != nil {
		return nil, err
	}
	solid, err := solidOf(thin)
	if err != nil {
		return nil, err
	}
	defer solid.release()
	var found []image.Rectangle
	for _, r := range solid.bounds() {
		if ratio := float64(r.Dx()) / float64(r.Dy()); cubeLimits.outlinePart*r.Dy() > shorter && math.Abs(ratio-halfRoot3) < cubeLimits.proportions {
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b image.Rectangle) int { return b.Dx()*b.Dy() - a.Dx()*a.Dy() })
	return found[:min(len(found), cubeLimits.outlines)], nil
}

// acrossEdge adds the levels across a side to sum, pixel by pixel; the middle of sum
// is where the side should be. It returns the number of places along the side at
// which it did so: at most most, and 0 where the side is not wholly on the frame.
func (v *view) acrossEdge(e edge, pitch float64, most int, sum []int64) int {
	places := min(most, max(cubeLimits.leastPlaces, int(2*cubeLimits.alongLength*pitch)))
	if !v.addSlanted(sum, e, -e.alongY/pitch, e.alongX/pitch, places) {
		return 0
	}
	return places
}

// alignCube moves a cube to its lines, by least squares: it corrects the place and
// the size.
func (v *view) alignCube(b cubeBoard) cubeBoard {
	equations := v.cubeEquations(b)
	if len(equations) < cubeLimits.equations {
		return b
	}
	for range 2 { // again without the sides that are far off
		d, ok := leastSquares(equations)
		if !ok {
			return b
		}
		rest := func(e []float64) float64 { return math.Abs(e[0]*d[0] + e[1]*d[1] + e[2]*d[2] - e[3]) }
		var off []float64
		for _, e := range equations {
			off = append(off, rest(e))
		}
		most := max(cubeLimits.offPixels, cubeLimits.off*median(off))
		equations = slices.DeleteFunc(equations, func(e []float64) bool { return rest(e) > most })
	}
	d, ok := leastSquares(equations)
	if !ok || math.Abs(d[0])+math.Abs(d[1]) > cubeLimits.moved*b.pitch*float64(b.side) || math.Abs(d[2]) > cubeLimits.grown {
		return b
	}
	b.x += d[0]
	b.y += d[1]
	b.pitch *= 1 + d[2]
	return b
}

// cubeEquations are the equations for the correction of a cube: how far it has to be
// moved to the right and down, and by what share it has to grow, for each side to be
// where its line is seen.
func (v *view) cubeEquations(b cubeBoard) [][]float64 {
	beside := max(cubeLimits.besidePixels, round(cubeLimits.alignBeside*b.pitch))
	search := max(cubeLimits.searchPixels, round(cubeLimits.search*b.pitch))
	half := search + beside
	sum := make([]int64, 2*half+1)
	// Twice the contrast of a pixel with the mean of both sides.
	ridge := func(k int) int64 { return 2*sum[k] - sum[k-beside] - sum[k+beside] }
	horizontal, vertical := b.edges()
	var equations [][]float64
	for _, e := range slices.Concat(horizontal, vertical) {
		clear(sum)
		n := v.acrossEdge(e, b.pitch, cubeLimits.alignPlaces, sum)
		if n == 0 {
			continue
		}
		peak := half
		for k := half - search; k <= half+search; k++ {
			if ridge(k) > ridge(peak) {
				peak = k
			}
		}
		if ridge(peak) < int64(cubeLimits.ridge*n) {
			continue
		}
		var weight, moment float64
		for k := max(peak-cubeLimits.moment, beside); k <= min(peak+cubeLimits.moment, len(sum)-1-beside); k++ {
			if w := float64(ridge(k)) - float64(ridge(peak))/float64(cubeLimits.ridgeTop); w > 0 {
				weight += w
				moment += w * float64(k-half)
			}
		}
		normalX, normalY := -e.alongY/b.pitch, e.alongX/b.pitch
		equations = append(equations, []float64{normalX, normalY, (e.x-b.x)*normalX + (e.y-b.y)*normalY, moment / weight})
	}
	return equations
}

// noPivot bounds the pivots of equations that have no single solution.
const noPivot = 1e-9

// leastSquares solves linear equations by least squares. An equation is its
// coefficients, one for each unknown, and its right side. It reports whether there
// is one solution.
func leastSquares(equations [][]float64) ([]float64, bool) {
	if len(equations) == 0 {
		return nil, false
	}
	n := len(equations[0]) - 1
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n+1)
		for _, e := range equations {
			for k := range e {
				m[i][k] += e[i] * e[k]
			}
		}
	}
	for i := range m {
		pivot := i
		for k := i + 1; k < n; k++ {
			if math.Abs(m[k][i]) > math.Abs(m[pivot][i]) {
				pivot = k
			}
		}
		m[i], m[pivot] = m[pivot], m[i]
		if math.Abs(m[i][i]) < noPivot {
			return nil, false
		}
		for k := range m {
			if k == i {
				continue
			}
			factor := m[k][i] / m[i][i]
			for j := range m[k] {
				m[k][j] -= factor * m[i][j]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = m[i][n] / m[i][i]
	}
	return x, true
}

// cubeSides looks at every side of every cell. The support of a line is its contrast
// as a share of the usual one.
func (v *view) cubeSides(b cubeBoard) (horizontal, vertical []screen.Line) {
	edgesH, edgesV := b.edges()
	edges := slices.Concat(edgesH, edgesV)
	shorter := float64(min(v.size().X, v.size().Y))
	from := max(cubeLimits.fromPixels, round(min(cubeLimits.besideFrom*b.pitch, shorter/cubeLimits.besideFromPart)))
	half := max(cubeLimits.toPixels, int(math.Ceil(min(cubeLimits.besideTo*b.pitch, shorter/cubeLimits.besideToPart))))
	near := max(cubeLimits.nearPixels, round(cubeLimits.near*b.pitch))
	sum := make([]int64, 2*half+1)
	contrasts := make([]float64, len(edges))
	widths := make([]int, len(edges))
	for i, e := range edges {
		clear(sum)
		if n := v.acrossEdge(e, b.pitch, cubeLimits.sidePlaces, sum); n > 0 {
			contrasts[i], widths[i] = lineOf(sum, n, from, near)
		}
	}
	sorted := slices.Clone(contrasts)
	slices.Sort(sorted)
	usual := max(cubeLimits.contrast, sorted[len(sorted)/2])
	for i, e := range edges {
		line := screen.Line{Support: share(contrasts[i], usual), Colour: color.RGBA{A: 255}}
		if line.Support > 0 {
			line.Width = float64(widths[i])
			line.Colour = v.edgeColour(e)
		}
		if i < len(edgesH) {
			horizontal = append(horizontal, line)
		} else {
			vertical = append(vertical, line)
		}
	}
	return horizontal, vertical
}

// lineOf is the contrast of a line and its width at half of that contrast. The levels
// across the line are added up in sum at n places. The line is at most near pixels
// from the middle of sum, and the background begins from pixels from there.
func lineOf(sum []int64, n, from, near int) (contrast float64, width int) {
	half := len(sum) / 2
	beside, count := int64(0), 0
	for k := from; k <= half; k++ {
		beside += sum[half-k] + sum[half+k]
		count += 2
	}
	base := float64(beside) / float64(count*n)
	peak := half
	for k := half - near; k <= half+near; k++ {
		if sum[k] > sum[peak] {
			peak = k
		}
	}
	contrast = float64(sum[peak])/float64(n) - base
	for k := range sum {
		if float64(sum[k])/float64(n) > base+contrast/2 {
			width++
		}
	}
	return contrast, width
}

// edgeColour is the median colour along a side.
func (v *view) edgeColour(e edge) color.RGBA {
	var colours []color.RGBA
	for _, along := range samplesAlong {
		p := image.Pt(round(e.x+(0.5+along)*e.alongX), round(e.y+(0.5+along)*e.alongY))
		if p.In(v.pixels.Rect) {
			colours = append(colours, v.pixels.RGBAAt(p.X, p.Y))
		}
	}
	return screen.MedianColour(colours)
}
