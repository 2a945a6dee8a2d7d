package vision

import (
	"fmt"
	"image"
	"math"
	"slices"

	"tapwise/solvers/screen"
)

// hexColumnLimits bound the search for hexagons in columns, and what counts as a
// line on their sides.
var hexColumnLimits = struct {
	fit, onCell               float64
	lineSeen, support         float64
	rim                       float64
	sides, cells              int
	reachPixels, searchPixels int
	reach, search             float64
	averaged                  float64
	widthPixels, width        float64
}{
	fit:          0.85, // fit: discs fit a lattice of hexagons at least this well
	onCell:       0.1,  // pitches: a disc is at most this far from the middle of its cell
	lineSeen:     0.5,  // support: a side with at least this has a line
	sides:        5,    // sides: a cell has lines on at least this many of its six
	support:      4.75, // support: all sides of a cell together have at least this; words beside the board may look like pieces of sides
	rim:          0.85, // support: the sides beyond which there is no cell have at least this on average; words beside the board do not
	cells:        2,    // cells: a board has at least this many for each row of the smallest board
	reachPixels:  4,    // pixels: the background is looked for this far to either side of a line, or
	reach:        0.12, // pitches: this far, whichever is more
	searchPixels: 2,    // pixels: a line is looked for this far from where it should be, or
	search:       0.03, // pitches: this far, whichever is more
	averaged:     60,   // pixels: for each time that the pitch has this many, one more pixel along the line is averaged on either side
	widthPixels:  3,    // pixels: a line is at most this wide, or
	width:        0.14, // pitches: this wide, whichever is more
}

// hexColumns is a lattice of hexagons in columns. A hexagon is given by its column
// and the height of its middle in half rows; the sum of both is even.
type hexColumns struct {
	x0, y0 float64 // the middle of column 0, height 0
	pitch  float64 // the distance of neighbouring hexagons' middles
}

// root3 is the height of a regular hexagon that stands on a side, in sides.
var root3 = math.Sqrt(3)

// centre is the middle of a hexagon, in pixels of the frame.
func (h hexColumns) centre(col, height int) (x, y float64) {
	return h.x0 + float64(col)*h.pitch*root3/2, h.y0 + float64(height)*h.pitch/2
}

// hexSides are the directions from a hexagon's middle to its sides, clockwise from
// the top, and the steps to the hexagon beyond, in columns and half rows.
var hexSides = [6]struct {
	x, y        float64
	col, height int
}{
	{0, -1, 0, -2},
	{root3 / 2, -0.5, 1, -1},
	{root3 / 2, 0.5, 1, 1},
	{0, 1, 0, 2},
	{-root3 / 2, 0.5, -1, 1},
	{-root3 / 2, -0.5, -1, -1},
}

// byHexagons is the finder of hexagons in columns.
const byHexagons = "discs in hexagons"

// hexesFirst looks for hexagons before looking for lines, unless there are the
// lines of squares: discs show a board of hexagons sooner than lines do, and mostly
// the discs of the first level are enough.
func (s *search) hexesFirst() ([]hypothesis, error) {
	squares, err := s.masks.upright()
	if err != nil || squares {
		return nil, err
	}
	if more, err := s.discs.more(); err != nil || !more {
		return nil, err
	}
	if h := s.hexOfDiscs(s.discs.alike()); h.ok() {
		return []hypothesis{h}, nil
	}
	return nil, nil
}

// hexesAgain looks for hexagons by the discs of one level after the other of those
// that are left.
func (s *search) hexesAgain() ([]hypothesis, error) {
	last := lacking(byHexagons, "too few discs that are alike")
	for len(s.discs.levels) > 0 {
		more, err := s.discs.more()
		if err != nil {
			return nil, err
		}
		if !more {
			continue
		}
		if last = s.hexOfDiscs(s.discs.alike()); last.ok() {
			break
		}
	}
	return []hypothesis{last}, nil
}

// hexOfDiscs finds the hexagons in columns in whose middles the discs lie, and all
// that are connected with them by lines.
func (s *search) hexOfDiscs(discs []disc) hypothesis {
	figures := circles(discs)
	lacks := func(why string) hypothesis { return lacking(byHexagons, why, figures...) }
	h, cells, strays := hexLattice(discs)
	if len(cells) == 0 {
		return lacks(fmt.Sprintf("%d discs that are alike, not in columns of hexagons", len(discs)))
	}
	lines := hexColumnLines{s.view, h, map[[2]int]screen.Line{}}
	inside := lines.connected(cells, s.spec.MaxSide*s.spec.MaxSide)
	if len(inside) < hexColumnLimits.cells*s.spec.MinSide {
		return lacks(fmt.Sprintf("%d hexagons with lines around them, expected at least %d", len(inside), hexColumnLimits.cells*s.spec.MinSide))
	}
	var cols, heights []int
	for at := range inside {
		cols = append(cols, at[0])
		heights = append(heights, at[1])
	}
	left, top := slices.Min(cols), slices.Min(heights)
	// Even columns lie lower: row 0 is at height 0 in odd columns, at height 1 in
	// even ones.
	if (left+top)%2 == 0 {
		top--
	}
	l := screen.Layout{On: s.on, Topology: screen.Hex, Cols: slices.Max(cols) - left + 1, Rows: (slices.Max(heights)-top)/2 + 1, Pitch: h.pitch}
	if l.Rows > s.spec.MaxSide || l.Cols > s.spec.MaxSide {
		return lacks(fmt.Sprintf("%d columns and %d rows of hexagons, expected at most %d", l.Cols, l.Rows, s.spec.MaxSide))
	}
	for at := range inside {
		x, y := h.centre(at[0], at[1])
		if slices.ContainsFunc(strays, func(d disc) bool { return math.Hypot(d.x-x, d.y-y) < h.pitch }) {
			return lacks("a disc on the board lies in no hexagon's middle")
		}
	}
	var sides []screen.Line
	for r := range l.Rows {
		for c := range l.Cols {
			at := [2]int{left + c, top + 2*r + 1 - c%2}
			x, y := h.centre(at[0], at[1])
			l.Centres = append(l.Centres, image.Pt(round(x), round(y)))
			sides = append(sides, lines.around(at[0], at[1])...)
			if inside[at] {
				half := h.pitch / root3
				l.Board = l.Board.Union(image.Rect(round(x-half), round(y-h.pitch/2), round(x+half), round(y+h.pitch/2)))
			}
		}
	}
	return hypothesis{finder: byHexagons, layout: l, confidence: 1, sides: sides, figures: figures}
}

// connected are the cells, from some on, that are connected by lines: no more are
// looked for than most.
func (l hexColumnLines) connected(cells [][2]int, most int) map[[2]int]bool {
	visited, inside := map[[2]int]bool{}, map[[2]int]bool{}
	for len(cells) > 0 && len(inside) <= most {
		at := cells[0]
		cells = cells[1:]
		if visited[at] {
			continue
		}
		visited[at] = true
		n, support := 0, 0.0
		for _, line := range l.around(at[0], at[1]) {
			support += line.Support
			if line.Support >= hexColumnLimits.lineSeen {
				n++
			}
		}
		if n < hexColumnLimits.sides || support < hexColumnLimits.support {
			continue
		}
		inside[at] = true
		for _, side := range hexSides {
			cells = append(cells, [2]int{at[0] + side.col, at[1] + side.height})
		}
	}
	l.leaveOut(inside)
	return inside
}

// leaveOut leaves out cells in the rim whose sides away from the board are not seen well:
// pieces of words beside the board, with the board's outline, look like cells.
func (l hexColumnLines) leaveOut(inside map[[2]int]bool) {
	for {
		var out [][2]int
		for at := range inside {
			support, n := 0.0, 0
			for i, line := range l.around(at[0], at[1]) {
				if beyond := [2]int{at[0] + hexSides[i].col, at[1] + hexSides[i].height}; !inside[beyond] {
					support, n = support+line.Support, n+1
				}
			}
			if support < hexColumnLimits.rim*float64(n) {
				out = append(out, at)
			}
		}
		if len(out) == 0 {
			return
		}
		for _, at := range out {
			delete(inside, at)
		}
	}
}

// hexLattice is the lattice of hexagons in whose middles discs lie, the columns and
// heights of these hexagons, and the few discs that do not lie on the lattice. There
// are no hexagons where no lattice fits.
func hexLattice(discs []disc) (_ hexColumns, cells [][2]int, strays []disc) {
	if len(discs) == 0 {
		return hexColumns{}, nil, nil
	}
	xs, ys, radius := unzip(discs)
	span := max(slices.Max(xs)-slices.Min(xs), slices.Max(ys)-slices.Min(ys))
	var h hexColumns
	best := 0.0
	discPitches(radius, span, func(pitch float64) {
		fx, x0 := phase(xs, pitch*root3/2)
		fy, y0 := phase(ys, pitch/2)
		if fit := min(fx, fy); fit > best {
			best = fit
			h = hexColumns{x0: x0, y0: y0, pitch: pitch}
		}
	})
	if best < withStrays(hexColumnLimits.fit, len(discs)) {
		return hexColumns{}, nil, nil
	}
	parity := 0 // of the sum of a cell's column and height
	strays, ok := leaveOutStrays(discs, func(discs []disc) func(i int) bool {
		xs, ys, _ := unzip(discs)
		var cols, heights []float64
		cells = nil
		odd := 0
		for i := range xs {
			c := math.Round((xs[i] - h.x0) / (h.pitch * root3 / 2))
			k := math.Round((ys[i] - h.y0) / (h.pitch / 2))
			cells = append(cells, [2]int{int(c), int(k)})
			cols, heights = append(cols, c*root3/2), append(heights, k/2)
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
			return (at[0]+at[1])&1 == parity && math.Hypot(x-xs[i], y-ys[i]) <= hexColumnLimits.onCell*h.pitch
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

// fitBoth fits x = x0 + pitch·u and y = y0 + pitch·w to points, by least squares;
// the pitch is 0 where the points do not tell it.
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

// hexColumnLines looks at the sides of hexagons in columns, at each side once.
type hexColumnLines struct {
	*view
	hexColumns
	seen map[[2]int]screen.Line // by the middle of the side, in half columns and quarter rows
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

// hexSamples are the places at which a side of a hexagon is sampled, in pitches from
// its middle. Pipes through the middle and other sides at the ends are not in the
// way there.
var hexSamples = [...]float64{-0.23, -0.19, -0.15, 0.15, 0.19, 0.23}

// line looks at the side whose middle is x,y and which lies across a direction.
func (l hexColumnLines) line(x, y, dx, dy float64) screen.Line {
	var cuts []cut
	for _, along := range hexSamples {
		if c, ok := l.cutAlong(x-along*dy*l.pitch, y+along*dx*l.pitch, dx, dy, l.pitch); ok {
			cuts = append(cuts, c)
		}
	}
	line := summary(cuts, len(hexSamples))
	line.Support = share(line.Support, 1) // shares of six places are no round numbers
	return line
}

// cutAlong looks at the pixels through x,y along a direction, across a line that may
// be there, and reports whether there is one. In large hexagons each level is the
// mean of some pixels along the line, because noise would cut the line in two or
// join it with its surroundings. In small hexagons, whose lines are hardly wider
// than a pixel, the mean would widen the lines.
func (v *view) cutAlong(x, y, dx, dy, pitch float64) (cut, bool) {
	reach := min(mostReach, max(hexColumnLimits.reachPixels, round(hexColumnLimits.reach*pitch)))
	search := max(hexColumnLimits.searchPixels, round(hexColumnLimits.search*pitch))
	var levels [2*mostReach + 1]int32
	low, high := -reach, reach
	beside := int(pitch / hexColumnLimits.averaged)
	inside := v.pixels.Rect.Inset(beside)
	in := func(k int) bool {
		return image.Pt(round(x+float64(k)*dx), round(y+float64(k)*dy)).In(inside)
	}
	if in(-reach) && in(reach) { // then those between are, too
		v.levelsAlong(x, y, dx, dy, beside, levels[:2*reach+1])
	} else {
		for k := -reach; k <= reach; k++ {
			switch {
			case in(k):
				v.levelsAlong(x+float64(k)*dx, y+float64(k)*dy, dx, dy, beside, levels[k+reach:k+reach+1])
			case k < 0:
				low = k + 1
			default:
				high = min(high, k-1)
			}
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
	if !ok || c.contrast < maskLimits.lineContrast {
		return cut{}, false
	}
	c.colour = v.pixels.RGBAAt(round(x+float64(peak)*dx), round(y+float64(peak)*dy))
	return c, float64(c.width) <= max(hexColumnLimits.widthPixels, hexColumnLimits.width*pitch)
}
