package vision

import (
	"image"
	"math"
	"slices"

	"tapwise/solvers/screen"
)

// hexColumns is a lattice of hexagons in columns: the middle of the one in
// column c and, in half rows, at height k, where c+k is even.
type hexColumns struct {
	x0, y0 float64 // of the middle of column 0, height 0
	pitch  float64 // of neighbouring hexagons' middles
}

func (h hexColumns) centre(col, height int) (x, y float64) {
	return h.x0 + float64(col)*h.pitch*math.Sqrt(3)/2, h.y0 + float64(height)*h.pitch/2
}

// hexSides are the directions of a hexagon's sides from its middle, clockwise
// from the top, and the steps to the hexagon beyond in columns and half rows.
var hexSides = [6]struct {
	x, y        float64
	col, height int
}{
	{0, -1, 0, -2},
	{math.Sqrt(3) / 2, -0.5, 1, -1},
	{math.Sqrt(3) / 2, 0.5, 1, 1},
	{0, 1, 0, 2},
	{-math.Sqrt(3) / 2, 0.5, -1, 1},
	{-math.Sqrt(3) / 2, -0.5, -1, -1},
}

// leastHexSupport is the least that a hexagon's six sides have together: words
// beside the board may look like pieces of sides.
const leastHexSupport = 4.75

// hexOfDiscs finds the hexagons in columns in whose middles the discs lie, and
// all that hang together with them by lines. It writes the board into seen, and
// reports whether there is one.
func hexOfDiscs(v *view, discs []disc, spec screen.Spec, seen *screen.Observation) bool {
	h, cells, strays := hexLattice(discs)
	if len(cells) == 0 {
		return false
	}
	// From the cells with discs to those around, as long as they have sides.
	lines := hexColumnLines{v, h, map[[2]int]screen.Line{}}
	visited := map[[2]int]bool{}
	inside := map[[2]int]bool{}
	for len(cells) > 0 && len(inside) <= spec.MaxSide*spec.MaxSide {
		at := cells[0]
		cells = cells[1:]
		if visited[at] {
			continue
		}
		visited[at] = true
		n, support := 0, 0.0
		for _, line := range lines.around(at[0], at[1]) {
			support += line.Support
			if line.Support >= 0.5 {
				n++
			}
		}
		if n < 5 || support < leastHexSupport {
			continue
		}
		inside[at] = true
		for _, side := range hexSides {
			cells = append(cells, [2]int{at[0] + side.col, at[1] + side.height})
		}
	}
	if len(inside) < 2*spec.MinSide {
		return false
	}
	var cols, heights []int
	for at := range inside {
		cols = append(cols, at[0])
		heights = append(heights, at[1])
	}
	left, top := slices.Min(cols), slices.Min(heights)
	// Even columns lie lower. Row 0 of an odd column is at height 0, of an even
	// one at height 1.
	if (left+top)%2 == 0 {
		top--
	}
	l := screen.Layout{On: seen.On, Topology: screen.Hex, Cols: slices.Max(cols) - left + 1, Rows: (slices.Max(heights)-top)/2 + 1, Pitch: h.pitch}
	if l.Rows > spec.MaxSide || l.Cols > spec.MaxSide {
		return false
	}
	for at := range inside {
		x, y := h.centre(at[0], at[1])
		if slices.ContainsFunc(strays, func(d disc) bool { return math.Hypot(d.x-x, d.y-y) < h.pitch }) {
			return false
		}
	}
	seen.Sides = nil
	for r := range l.Rows {
		for c := range l.Cols {
			at := [2]int{left + c, top + 2*r + 1 - c%2}
			x, y := h.centre(at[0], at[1])
			l.Centres = append(l.Centres, image.Pt(round(x), round(y)))
			seen.Sides = append(seen.Sides, lines.around(at[0], at[1])...)
			if inside[at] {
				half := h.pitch / math.Sqrt(3)
				l.Board = l.Board.Union(image.Rect(round(x-half), round(y-h.pitch/2), round(x+half), round(y+h.pitch/2)))
			}
		}
	}
	seen.Layout = l
	seen.Horizontal, seen.Vertical = nil, nil
	seen.Confidence, seen.Doubts = 1, nil
	return true
}

// hexLattice is the lattice of hexagons in whose middles discs lie, where in it
// they are, and those few that do not lie on it.
func hexLattice(discs []disc) (_ hexColumns, cells [][2]int, strays []disc) {
	if len(discs) == 0 {
		return hexColumns{}, nil, nil
	}
	xs, ys, radius := unzip(discs)
	span := max(slices.Max(xs)-slices.Min(xs), slices.Max(ys)-slices.Min(ys))
	var h hexColumns
	best := 0.0
	for pitch := radius / mostDisc; pitch <= radius/leastDisc; pitch *= 1 + 0.05*radius/span {
		fx, x0 := phase(xs, pitch*math.Sqrt(3)/2)
		fy, y0 := phase(ys, pitch/2)
		if fit := min(fx, fy); fit > best {
			best = fit
			h = hexColumns{x0: x0, y0: y0, pitch: pitch}
		}
	}
	if best < withStrays(0.85, len(discs)) {
		return hexColumns{}, nil, nil
	}
	parity := 0 // of column and height together, of cells
	strays, ok := leaveOutStrays(discs, func(discs []disc) func(i int) bool {
		xs, ys, _ := unzip(discs)
		var cols, heights []float64
		cells = nil
		odd := 0
		for i := range xs {
			c := math.Round((xs[i] - h.x0) / (h.pitch * math.Sqrt(3) / 2))
			k := math.Round((ys[i] - h.y0) / (h.pitch / 2))
			cells = append(cells, [2]int{int(c), int(k)})
			cols, heights = append(cols, c*math.Sqrt(3)/2), append(heights, k/2)
			odd += (int(c) + int(k)) & 1
		}
		// The pitch is the same both ways.
		h.x0, h.y0, h.pitch = fitBoth(cols, xs, heights, ys)
		if h.pitch <= 0 {
			return nil
		}
		if parity = 0; 2*odd > len(cells) {
			parity = 1
		}
		return func(i int) bool {
			at := cells[i]
			x, y := h.centre(at[0], at[1])
			return (at[0]+at[1])&1 == parity && math.Hypot(x-xs[i], y-ys[i]) <= 0.1*h.pitch
		}
	})
	if !ok {
		return hexColumns{}, nil, nil
	}
	if parity == 1 {
		for i := range cells {
			cells[i][1]++
		}
		h.y0 -= h.pitch / 2
	}
	return h, cells, strays
}

// fitBoth is x = x0 + pitch·u and y = y0 + pitch·w nearest to points.
func fitBoth(u, x, w, y []float64) (x0, y0, pitch float64) {
	mu, mx, mw, my := mean(u), mean(x), mean(w), mean(y)
	var top, bottom float64
	for i := range u {
		top += (u[i]-mu)*(x[i]-mx) + (w[i]-mw)*(y[i]-my)
		bottom += (u[i]-mu)*(u[i]-mu) + (w[i]-mw)*(w[i]-mw)
	}
	if bottom == 0 {
		return mx, my, 0
	}
	pitch = top / bottom
	return mx - pitch*mu, my - pitch*mw, pitch
}

// hexColumnLines looks at the sides of hexagons in columns, at each once.
type hexColumnLines struct {
	*view
	hexColumns
	seen map[[2]int]screen.Line // by where the middle of the side is, in half columns and quarter rows
}

// around are the six sides of a hexagon.
func (l hexColumnLines) around(col, height int) []screen.Line {
	lines := make([]screen.Line, 0, len(hexSides))
	for _, side := range hexSides {
		middle := [2]int{2*col + side.col, 2*height + side.height}
		line, ok := l.seen[middle]
		if !ok {
			x, y := l.centre(col, height)
			line = l.line(x+0.5*side.x*l.pitch, y+0.5*side.y*l.pitch, side.x, side.y)
			l.seen[middle] = line
		}
		lines = append(lines, line)
	}
	return lines
}

// line looks at the side with the middle x,y that lies across a direction.
func (l hexColumnLines) line(x, y, dx, dy float64) screen.Line {
	var cuts []cut
	places := [...]float64{-0.23, -0.19, -0.15, 0.15, 0.19, 0.23}
	for _, along := range places {
		if c, ok := l.cutAlong(x-along*dy*l.pitch, y+along*dx*l.pitch, dx, dy, l.pitch); ok {
			cuts = append(cuts, c)
		}
	}
	line := summary(cuts, len(places))
	line.Support = share(line.Support, 1) // six places make no round numbers
	return line
}

// cutAlong looks at the pixels through x,y along a direction, across a line
// that may be there. Of large hexagons it takes the mean of some pixels along the
// line each: noise would part a line, or join what is beside it. Lines of small
// ones would become wider, which are not much wider than a pixel.
func (v *view) cutAlong(x, y, dx, dy, pitch float64) (cut, bool) {
	const most = 64
	reach := min(most, max(4, round(0.12*pitch)))
	search := max(2, round(0.03*pitch))
	var levels [2*most + 1]int
	low, high := -reach, reach
	beside := int(pitch / 60)
	inside := v.pixels.Rect.Inset(beside)
	for k := -reach; k <= reach; k++ {
		px, py := x+float64(k)*dx, y+float64(k)*dy
		switch {
		case image.Pt(round(px), round(py)).In(inside):
			sum := 0
			for o := -beside; o <= beside; o++ {
				sum += v.level(round(px-float64(o)*dy), round(py+float64(o)*dx))
			}
			levels[k+reach] = sum / (2*beside + 1)
		case k < 0:
			low = k + 1
		default:
			high = min(high, k-1)
		}
	}
	if low > -search || high < search {
		return cut{}, false
	}
	peak := -search
	for k := -search; k <= search; k++ {
		if levels[k+reach] > levels[peak+reach] {
			peak = k
		}
	}
	c, ok := cutOf(levels[low+reach:high+1+reach], peak-low)
	if !ok || c.contrast < lineContrast {
		return cut{}, false
	}
	c.colour = v.pixels.RGBAAt(round(x+float64(peak)*dx), round(y+float64(peak)*dy))
	return c, float64(c.width) <= max(3, 0.14*pitch)
}
