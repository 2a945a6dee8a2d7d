package vision

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"tapwise/solvers/screen"
)

// A cube seen along its diagonal is a regular hexagon that stands on a corner:
// its lines run in three directions, upright and rising and falling by 30°, at
// the same distances. The outline gives the size and the middle; how many cells
// fit is found by the lines between them.

var halfRoot3 = math.Sqrt(3) / 2

// cubeBoard is where a cube's lines lie, in pixels of the frame.
type cubeBoard struct {
	x, y  float64 // the corner where the three faces meet
	pitch float64 // the length of a cell's sides
	side  int     // cells along an edge; 0: there is no cube
}

// face is a face's upper left corner as it is numbered, and the steps to the
// next column and row.
type face struct{ x, y, colX, colY, rowX, rowY float64 }

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

// edge is one side of a cell: where it begins and the way along it.
type edge struct{ x, y, alongX, alongY float64 }

// edges are the sides of all cells: face by face those above and below the
// cells, row by row; then likewise those left and right of them.
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

// findCube looks for a cube and writes what it thinks of it into seen.
func findCube(v *view, m *masks, spec screen.Spec, seen *screen.Observation) (cubeBoard, error) {
	outlines, err := m.hexagons()
	if err != nil {
		return cubeBoard{}, err
	}
	var best cubeBoard
	var fit float64
	for _, r := range outlines {
		// Half of the outline's width is outside the cells.
		first := cubeBoard{
			x:     (float64(r.Min.X+r.Max.X)/2)*float64(m.factor) - 0.5,
			y:     (float64(r.Min.Y+r.Max.Y)/2)*float64(m.factor) - 0.5,
			pitch: float64(r.Dy()+r.Dx()) / (2 + 2*halfRoot3) * float64(m.factor), // of one cell
		}
		for side := spec.MaxSide; side >= max(spec.MinSide, 1); side-- {
			b := first
			b.side = side
			b.pitch /= float64(side)
			if b.pitch < 12 {
				continue
			}
			for range 3 {
				before := b
				b = v.alignCube(b)
				if math.Hypot(b.x-before.x, b.y-before.y)+float64(side)*math.Abs(b.pitch-before.pitch) < 0.1 {
					break
				}
			}
			horizontal, vertical := v.cubeSides(b)
			n := 0
			for _, line := range slices.Concat(horizontal, vertical) {
				if line.Support >= 0.25 {
					n++
				}
			}
			if share := float64(n) / float64(len(horizontal)+len(vertical)); share > 0.75 && share > fit {
				best, fit = b, share
				seen.Horizontal, seen.Vertical = horizontal, vertical
				break // fewer cells have only lines that these have too
			}
		}
	}
	if best.side > 0 {
		seen.Confidence = fit
	}
	return best, nil
}

// hexagons are the bounds of what hangs together by thin lines and is as wide
// and high as a regular hexagon that stands on a corner, in pixels of the
// masks, the largest first.
func (m *masks) hexagons() ([]image.Rectangle, error) {
	thin := gocv.NewMat()
	defer thin.Close()
	shorter := min(m.size.X, m.size.Y)
	thick := max(m.thick, shorter/45|1) // the outline may be wider than a square board's lines
	kernel := gocv.GetStructuringElement(gocv.MorphRect, image.Pt(thick, thick))
	defer kernel.Close()
	gocv.MorphologyEx(m.level, &thin, gocv.MorphTophat, kernel)
	// Noise is thin as well, but not as strong.
	least := max(lineContrast, 3*thin.Mean().Val1)
	gocv.Threshold(thin, &thin, float32(least), 255, gocv.ThresholdBinary)
	closing := gocv.GetStructuringElement(gocv.MorphRect, image.Pt(3, 3))
	defer closing.Close()
	gocv.Dilate(thin, &thin, closing)
	solid, err := solidOf(thin)
	if err != nil {
		return nil, err
	}
	defer solid.release()
	var found []image.Rectangle
	for _, r := range solid.bounds() {
		if ratio := float64(r.Dx()) / float64(r.Dy()); 4*r.Dy() > shorter && math.Abs(ratio-halfRoot3) < 0.04 {
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b image.Rectangle) int { return b.Dx()*b.Dy() - a.Dx()*a.Dy() })
	return found[:min(len(found), 3)], nil
}

// Where a side of a cell is looked at across it, in pitches.
const (
	cubeBesideFrom = 0.045
	cubeBesideTo   = 0.075
)

// acrossEdge adds up how a side stands out, pixel by pixel across it. The
// middle of sum is where the side should be. It returns the number of places
// added, at most so many, 0 where the side is not wholly on the frame.
func (v *view) acrossEdge(e edge, pitch float64, most int, sum []int) int {
	half := len(sum) / 2
	normalX, normalY := -e.alongY/pitch, e.alongX/pitch
	size := v.size()
	n := 0
	places := min(most, max(6, int(2*(alongTo-alongFrom)*pitch)))
	for i := range places {
		part := 0.5 - alongTo + (alongTo-alongFrom)*2*(float64(i)+0.5)/float64(places)
		if i >= places/2 {
			part += 2 * alongFrom
		}
		x, y := e.x+part*e.alongX, e.y+part*e.alongY
		far := float64(half) + 1
		if x < far || y < far || x >= float64(size.X)-far || y >= float64(size.Y)-far {
			return 0
		}
		for k := range sum {
			px, py := x+float64(k-half)*normalX, y+float64(k-half)*normalY
			sum[k] += v.levelAt(int(py+0.5)*v.pixels.Stride + 4*int(px+0.5))
		}
		n++
	}
	return n
}

// alignCube moves a cube to where its lines are, by least squares: how far it
// is off to the right and down, and how much larger it is.
func (v *view) alignCube(b cubeBoard) cubeBoard {
	beside := max(2, round(0.06*b.pitch))
	search := max(2, round(0.1*b.pitch))
	half := search + beside
	sum := make([]int, 2*half+1)
	horizontal, vertical := b.edges()
	var equations [][]float64
	for _, e := range slices.Concat(horizontal, vertical) {
		clear(sum)
		n := v.acrossEdge(e, b.pitch, 8, sum)
		if n == 0 {
			continue
		}
		ridge := func(k int) int { return 2*sum[k] - sum[k-beside] - sum[k+beside] }
		peak := half
		for k := half - search; k <= half+search; k++ {
			if ridge(k) > ridge(peak) {
				peak = k
			}
		}
		if ridge(peak) < 12*n {
			continue
		}
		var weight, moment float64
		for k := max(peak-2, beside); k <= min(peak+2, len(sum)-1-beside); k++ {
			if w := float64(ridge(k)) - float64(ridge(peak))/4; w > 0 {
				weight += w
				moment += w * float64(k-half)
			}
		}
		normalX, normalY := -e.alongY/b.pitch, e.alongX/b.pitch
		equations = append(equations, []float64{normalX, normalY, (e.x-b.x)*normalX + (e.y-b.y)*normalY, moment / weight})
	}
	if len(equations) < 6 {
		return b
	}
	for range 2 { // again without what is far off
		d, ok := leastSquares(equations)
		if !ok {
			return b
		}
		rest := func(e []float64) float64 { return math.Abs(e[0]*d[0] + e[1]*d[1] + e[2]*d[2] - e[3]) }
		var off []float64
		for _, e := range equations {
			off = append(off, rest(e))
		}
		most := max(0.7, 2*medianFloat(off))
		equations = slices.DeleteFunc(equations, func(e []float64) bool { return rest(e) > most })
	}
	d, ok := leastSquares(equations)
	if !ok || math.Abs(d[0])+math.Abs(d[1]) > 0.3*b.pitch*float64(b.side) || math.Abs(d[2]) > 0.15 {
		return b
	}
	b.x += d[0]
	b.y += d[1]
	b.pitch *= 1 + d[2]
	return b
}

// leastSquares is the solution of linear equations in as many unknowns as each
// has coefficients before its right side.
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
		if math.Abs(m[i][i]) < 1e-9 {
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

// cubeSides looks at every side of every cell. How much one stands out is
// measured by what the usual one does.
func (v *view) cubeSides(b cubeBoard) (horizontal, vertical []screen.Line) {
	edgesH, edgesV := b.edges()
	edges := slices.Concat(edgesH, edgesV)
	// Lines are not wider where cells are very large.
	shorter := float64(min(v.size().X, v.size().Y))
	from := max(2, round(min(cubeBesideFrom*b.pitch, shorter/100)))
	half := max(3, int(math.Ceil(min(cubeBesideTo*b.pitch, shorter/70))))
	sum := make([]int, 2*half+1)
	near := max(1, round(0.015*b.pitch)) // a line is not further from where it should be
	contrasts := make([]float64, len(edges))
	widths := make([]int, len(edges))
	for i, e := range edges {
		clear(sum)
		n := v.acrossEdge(e, b.pitch, 16, sum)
		if n == 0 {
			continue
		}
		beside, count := 0, 0
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
		contrasts[i] = float64(sum[peak])/float64(n) - base
		for k := range sum {
			if float64(sum[k])/float64(n) > base+contrasts[i]/2 {
				widths[i]++
			}
		}
	}
	sorted := slices.Clone(contrasts)
	slices.Sort(sorted)
	usual := max(8, sorted[len(sorted)/2])
	for i, e := range edges {
		line := screen.Line{Support: share(contrasts[i], usual), Colour: color.RGBA{A: 255}}
		if line.Support > 0 {
			line.Width = float64(widths[i])
			var colours []color.RGBA
			for _, along := range samplesAlong {
				p := image.Pt(round(e.x+(0.5+along)*e.alongX), round(e.y+(0.5+along)*e.alongY))
				if p.In(v.pixels.Rect) {
					colours = append(colours, v.pixels.RGBAAt(p.X, p.Y))
				}
			}
			line.Colour = screen.MedianColour(colours)
		}
		if i < len(edgesH) {
			horizontal = append(horizontal, line)
		} else {
			vertical = append(vertical, line)
		}
	}
	return horizontal, vertical
}
