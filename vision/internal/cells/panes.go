package cells

import (
	"image"
	"math"
	"slices"
)

// paneLimits bound what counts as a board of panes: cells of one flat colour each,
// between lines that may be as wide as a fifth of a cell.
var paneLimits = struct {
	steps                             []uint8
	aspect, fill                      float64
	smallest, tolerance, farthest     float64
	sameRow, offLattice               float64
	leastSeen, rimSeen, pitchesDiffer float64
	enough                            float64
	reach                             int
}{
	steps:         []uint8{usualStep, 7, 14, faintStep}, // of 255: neighbouring pixels of a pane differ by at most this; more on pictures that were compressed, less where lines are faint
	aspect:        0.3,                                  // parts of the greater: the width and height of a pane differ by at most this; thick lines may lie on two of its sides
	fill:          0.3,                                  // share of its box that a pane's area covers: a disc or a drawing may hide its middle
	smallest:      0.76,                                 // sides of the largest pane: a pane between thick lines has at least this,
	tolerance:     1.03,                                 // sides of the pane that is compared with: the largest has at most this
	farthest:      1.4,                                  // sides: the next pane's middle is at most this far
	sameRow:       0.16,                                 // sides: the middles of two panes of a row or column differ across it by at most this
	offLattice:    0.13,                                 // pitches: a pane's middle lies at most this far off the lattice; a thick line on one side moves it
	leastSeen:     0.6,                                  // share of the board's cells: at least this many are seen as panes,
	rimSeen:       0.5,                                  // share of the cells: and at least this many of each row and column in the rim
	enough:        0.9,                                  // share of the board's cells: with at least this many seen no other step is tried
	pitchesDiffer: 0.06,                                 // parts of the greater: the pitches across and down differ by at most this; a picture may be scaled
	reach:         2,                                    // pitches: the next pane of a board is at most this far
}

// PaneLattice is a board of panes, upright, its places in pixels.
type PaneLattice struct {
	X, Y       float64 // the centre of the first cell of the first row
	Across     float64 // the distance of neighbouring cells' centres in a row
	Down       float64 // and in a column
	Rows, Cols int
	Seen       int // cells that were seen as panes
}

// PaneFinder finds boards of panes on one frame.
type PaneFinder struct {
	Frame *image.RGBA
	boxes map[uint8][]image.Rectangle // of areas by the step, the largest first; nil where a frame is not as a screen shows it
}

// Panes returns the board with the most cells whose cells are areas of one flat colour, each of
// its own, between lines of any width. It reports false if there is none with these numbers of
// rows and columns.
func (f *PaneFinder) Panes(least, most int) (PaneLattice, bool) {
	var best PaneLattice
	refused := uint8(0) // the greatest step with which the frame was not as a screen shows it
	for _, step := range paneLimits.steps {
		if step <= refused {
			continue
		}
		boxes := f.sorted(step)
		if boxes == nil {
			refused = step
			continue
		}
		last := 0
		for i, b := range boxes {
			if longer(b) == last {
				continue
			}
			last = longer(b)
			if l, ok := panesAs(boxes[i:], boxes[:i], float64(last)); ok && min(l.Rows, l.Cols) >= least && max(l.Rows, l.Cols) <= most && l.Seen > best.Seen {
				best = l
			}
		}
		if float64(best.Seen) > paneLimits.enough*float64(best.Rows*best.Cols) {
			break
		}
	}
	return best, best.Rows > 0
}

// sorted are the boxes of areas that may be panes, the largest first.
func (f *PaneFinder) sorted(step uint8) []image.Rectangle {
	if boxes, ok := f.boxes[step]; ok {
		return boxes
	}
	var boxes []image.Rectangle
	size := f.Frame.Rect.Size()
	shorter := float64(min(size.X, size.Y))
	if all, ok := areasOf(f.Frame, max(4, int(leastSide*shorter)), step); ok {
		boxes = make([]image.Rectangle, 0, len(all))
		for _, a := range all {
			w, h := float64(a.box.Dx()), float64(a.box.Dy())
			if max(w, h) <= mostSide*shorter && math.Abs(w-h) <= paneLimits.aspect*max(w, h) && float64(a.pixels) >= paneLimits.fill*w*h {
				boxes = append(boxes, a.box)
			}
		}
		slices.SortFunc(boxes, func(a, b image.Rectangle) int { return longer(b) - longer(a) })
	}
	if f.boxes == nil {
		f.boxes = map[uint8][]image.Rectangle{}
	}
	f.boxes[step] = boxes
	return boxes
}

// longer is the longer side of a box.
func longer(b image.Rectangle) int { return max(b.Dx(), b.Dy()) }

// panesAs is the largest board of panes whose largest has a side. Boxes are sorted,
// the largest first; larger are those that are a little larger.
func panesAs(boxes, larger []image.Rectangle, side float64) (best PaneLattice, ok bool) {
	var alike []image.Rectangle
	for _, b := range larger {
		if float64(longer(b)) <= paneLimits.tolerance*side {
			alike = append(alike, b)
		}
	}
	for _, b := range boxes {
		if float64(longer(b)) >= paneLimits.smallest*side {
			alike = append(alike, b)
		}
	}
	pitch := panePitch(alike, side)
	if pitch == 0 {
		return best, false
	}
	for len(alike) >= leastCells {
		members, places, left := joinedPanes(alike, pitch)
		if l, fits := fitPanes(members, places); fits && l.Seen > best.Seen {
			best = l
		}
		alike = left
	}
	return best, best.Rows > 0
}

// panePitch is the median distance of a pane to the next in its row and column; 0 where
// there are too few.
func panePitch(boxes []image.Rectangle, side float64) float64 {
	var distances []float64
	for i, a := range boxes {
		ax, ay := centreOf(a)
		right, below := math.Inf(1), math.Inf(1)
		for k, b := range boxes {
			bx, by := centreOf(b)
			if i == k {
				continue
			}
			if math.Abs(by-ay) <= paneLimits.sameRow*side && bx-ax > side/2 {
				right = min(right, bx-ax)
			}
			if math.Abs(bx-ax) <= paneLimits.sameRow*side && by-ay > side/2 {
				below = min(below, by-ay)
			}
		}
		for _, d := range []float64{right, below} {
			if d <= paneLimits.farthest*side {
				distances = append(distances, d)
			}
		}
	}
	if len(distances) < leastCells {
		return 0
	}
	slices.Sort(distances)
	return distances[len(distances)/2]
}

// joinedPanes takes the boxes that the first one leads to, from neighbour to neighbour,
// and returns them with their places, and the boxes that are left.
func joinedPanes(boxes []image.Rectangle, pitch float64) (members []image.Rectangle, places []place, left []image.Rectangle) {
	members, places = boxes[:1:1], []place{{}}
	left = slices.Clone(boxes[1:])
	for i := 0; i < len(members); i++ {
		x, y := centreOf(members[i])
		rest := left[:0]
		for _, b := range left {
			bx, by := centreOf(b)
			cols, rows := (bx-x)/pitch, (by-y)/pitch
			c, r := math.Round(cols), math.Round(rows)
			if far := math.Abs(c) + math.Abs(r); far > float64(paneLimits.reach) || far == 0 ||
				math.Abs(cols-c) > paneLimits.sameRow || math.Abs(rows-r) > paneLimits.sameRow {
				rest = append(rest, b)
				continue
			}
			members = append(members, b)
			places = append(places, place{places[i].row + int(r), places[i].col + int(c)})
		}
		left = rest
	}
	return members, places, left
}

// fitPanes makes a lattice of panes with places, if they are a board's.
func fitPanes(boxes []image.Rectangle, places []place) (PaneLattice, bool) {
	seen := map[place]int{}
	for i, p := range places {
		seen[p] = i
	}
	top, left, bottom, right := rimOf(seen)
	l := PaneLattice{Rows: bottom - top + 1, Cols: right - left + 1}
	if min(l.Rows, l.Cols) < leastLength || max(l.Rows, l.Cols) > mostLength {
		return l, false
	}
	var cols, rows, xs, ys []float64
	for p, i := range seen {
		if p.row < top || p.row > bottom || p.col < left || p.col > right {
			continue
		}
		x, y := centreOf(boxes[i])
		cols, rows, xs, ys = append(cols, float64(p.col-left)), append(rows, float64(p.row-top)), append(xs, x), append(ys, y)
	}
	l.Seen = len(xs)
	if float64(l.Seen) < paneLimits.leastSeen*float64(l.Rows*l.Cols) {
		return l, false
	}
	l.X, l.Across = straight(cols, xs)
	l.Y, l.Down = straight(rows, ys)
	if math.Abs(l.Across-l.Down) > paneLimits.pitchesDiffer*max(l.Across, l.Down) {
		return l, false
	}
	for i := range xs {
		if math.Abs(l.X+cols[i]*l.Across-xs[i]) > paneLimits.offLattice*l.Across || math.Abs(l.Y+rows[i]*l.Down-ys[i]) > paneLimits.offLattice*l.Down {
			return l, false
		}
	}
	return l, true
}

// rimOf is the rows and columns of a board's rim: those beyond it of which few cells
// were seen are something else.
func rimOf(seen map[place]int) (top, left, bottom, right int) {
	inRow, inCol := map[int]int{}, map[int]int{}
	longestRow, longestCol := 0, 0
	for p := range seen {
		inRow[p.row]++
		inCol[p.col]++
		longestRow, longestCol = max(longestRow, inRow[p.row]), max(longestCol, inCol[p.col])
	}
	ends := func(counts map[int]int, longest int) (first, last int) {
		first, last = math.MaxInt, math.MinInt
		for at, n := range counts {
			if float64(n) >= paneLimits.rimSeen*float64(longest) {
				first, last = min(first, at), max(last, at)
			}
		}
		return first, last
	}
	top, bottom = ends(inRow, longestRow)
	left, right = ends(inCol, longestCol)
	return top, left, bottom, right
}

// straight is the line y = at + step·x of least squares.
func straight(xs, ys []float64) (at, step float64) {
	n := float64(len(xs))
	var sumX, sumY, squares, products float64
	for i, x := range xs {
		sumX, sumY, squares, products = sumX+x, sumY+ys[i], squares+x*x, products+x*ys[i]
	}
	step = (products - sumX*sumY/n) / (squares - sumX*sumX/n)
	return (sumY - step*sumX) / n, step
}
