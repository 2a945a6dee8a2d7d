package cells

import (
	"cmp"
	"image"
	"math"
	"slices"
)

// Lattice is a board of square cells, upright, its places in pixels.
type Lattice struct {
	X, Y       float64 // the centre of the first cell of the first row
	Pitch      float64 // the distance of neighbouring cells' centres
	Side       float64 // of a cell's own area, without lines and gaps
	Rows, Cols int
	Seen       []bool // of each cell, row by row, whether its area was seen
	count      int    // cells whose area was seen
	trimmed    bool   // a box seen beside its cells was left out
	framed     bool   // an area or a frame around the cells tells where the board ends
}

// Centre is the centre of a cell.
func (l Lattice) Centre(row, col int) (x, y float64) {
	return l.X + float64(col)*l.Pitch, l.Y + float64(row)*l.Pitch
}

// equals reports whether nothing tells the lattice from another.
func (l Lattice) equals(other Lattice) bool {
	return l.X == other.X && l.Y == other.Y && l.Pitch == other.Pitch && l.Side == other.Side &&
		l.Rows == other.Rows && l.Cols == other.Cols && l.framed == other.framed && slices.Equal(l.Seen, other.Seen)
}

// The limits of what may be a board's cells.
const (
	leastSide   = 0.02 // of a cell, in parts of the frame's shorter side
	mostSide    = 0.34 // likewise: three cells across
	aspect      = 0.08 // most that a cell's width and height differ, in parts of the greater
	alikeSides  = 0.05 // most that two cells' sides differ, likewise
	leastFill   = 0.2  // of a cell's box that its area covers: an end may leave its corners
	mostGap     = 0.45 // between two cells, in sides
	mostApart   = 2.2  // likewise, of ends in a panel
	leastPanel  = 0.2  // of a panel, in parts of the frame's shorter side
	mostPad     = 0.4  // between a panel's rim and its cells, in pitches
	panelSide   = 0.9  // of the cells in a panel that nothing separates, in pitches
	samePad     = 0.08 // most that this differs from side to side, in pitches
	leastCells  = 4    // whose areas are seen
	leastShare  = 0.2  // of the board's cells whose areas are seen
	sameRow     = 0.1  // most that the centres of two cells of a row or column differ across it, in sides
	offLattice  = 0.06 // most that a cell's centre lies off the lattice, in pitches
	halfPixel   = 0.5  // by which neighbours' centres may be closer than a side: both are means of whole pixels
	leastLength = 3    // rows and columns of a board
	mostLength  = 30
)

// find returns the lattices that a frame's areas may be the cells of, the one with
// most cells first. Neighbouring pixels of an area differ by at most step in each
// channel.
func find(frame *image.RGBA, step uint8) []Lattice {
	size := frame.Rect.Size()
	shorter := float64(min(size.X, size.Y))
	var boxes, panels []image.Rectangle
	for _, a := range areas(frame, max(4, int(leastSide*shorter)), step) {
		w, h := float64(a.box.Dx()), float64(a.box.Dy())
		if max(w, h) <= mostSide*shorter && math.Abs(w-h) <= max(2, aspect*max(w, h)) && float64(a.pixels) >= leastFill*w*h {
			boxes = append(boxes, a.box)
		}
		if a.box.Dx() >= int(leastPanel*shorter) && a.box.Dy() >= int(leastPanel*shorter) && a.box != frame.Rect {
			panels = append(panels, a.box)
		}
	}
	slices.SortFunc(boxes, func(a, b image.Rectangle) int { return cmp.Compare(a.Dx()+a.Dy(), b.Dx()+b.Dy()) })
	var found []Lattice
	for i := 0; i < len(boxes); {
		// Boxes of one size: no two neighbours in the order differ by more than a
		// rounded pixel or what alikeSides allows.
		j := i + 1
		for j < len(boxes) && float64(boxes[j].Dx()+boxes[j].Dy())/2-float64(boxes[i].Dx()+boxes[i].Dy())/2 <= max(2, alikeSides*float64(boxes[i].Dx())) {
			j++
		}
		alike := boxes[i:j]
		i = j
		near, apart := lattices(alike, mostGap), []Lattice(nil)
		if len(near) == 0 {
			apart = lattices(alike, mostApart)
		}
		for _, l := range near {
			// A button may lie where a cell would, some rows away.
			if c := l.compact(); c.count < l.count {
				near = append(near, c)
			}
		}
		found = append(found, near...)
		// Ends may be all that is seen, in a panel or a frame.
		for _, l := range append(near, apart...) {
			if m, ok := l.within(panels); ok {
				found = append(found, m)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Lattice) int { return cmp.Compare(b.count, a.count) })
	return found
}

// place is a box's place among its neighbours, counted from any one of them.
type place struct{ row, col int }

// compact is the lattice without rows and columns beyond one in which no cell was seen, on
// the side on which fewer were. It is the same where that leaves too few.
func (l Lattice) compact() Lattice {
	rows, cols := make([]int, l.Rows), make([]int, l.Cols)
	for cell, is := range l.Seen {
		if is {
			rows[cell/l.Cols]++
			cols[cell%l.Cols]++
		}
	}
	top, bottom := densest(rows)
	left, right := densest(cols)
	if min(bottom-top, right-left) < leastLength {
		return l
	}
	c := l.resized(top, left, bottom-top, right-left)
	c.trimmed = true
	return c
}

// densest is the stretch without zeros that has the greatest sum: from its beginning to
// beyond its end.
func densest(counts []int) (from, to int) {
	most, begin, sum := 0, 0, 0
	for i, count := range counts {
		if count == 0 {
			begin, sum = i+1, 0
			continue
		}
		if sum += count; sum > most {
			most, from, to = sum, begin, i+1
		}
	}
	return from, to
}

// within is the lattice with all cells of the panel that it lies in: the smallest whose
// rim is as far from the cells on all four sides.
func (l Lattice) within(panels []image.Rectangle) (Lattice, bool) {
	right, bottom := l.Centre(l.Rows-1, l.Cols-1)
	best, smallest := l, 0
	for _, p := range panels {
		sides := [4]float64{l.Y - float64(p.Min.Y), float64(p.Max.X) - right, float64(p.Max.Y) - bottom, l.X - float64(p.Min.X)}
		least, most := math.Inf(1), math.Inf(-1)
		var more [4]int
		for i, s := range sides {
			s = s/l.Pitch - 0.5
			more[i] = int(math.Floor(s + samePad))
			pad := s - float64(more[i])
			least, most = min(least, pad), max(most, pad)
			if more[i] < 0 {
				least = math.Inf(-1)
			}
		}
		area := p.Dx() * p.Dy()
		if most-least > samePad || most > mostPad || smallest > 0 && area >= smallest {
			continue
		}
		rows, cols := l.Rows+more[0]+more[2], l.Cols+more[1]+more[3]
		if max(rows, cols) > mostLength {
			continue
		}
		best, smallest = l.resized(-more[0], -more[3], rows, cols), area
		best.framed = true
		best.Side = max(best.Side, panelSide*best.Pitch)
	}
	return best, smallest > 0
}

// lattices returns the boards whose cells some boxes of one size are, with gaps of at
// most so many sides between them.
func lattices(boxes []image.Rectangle, gap float64) []Lattice {
	if len(boxes) < leastCells {
		return nil
	}
	side := 0.0
	for _, b := range boxes {
		side += float64(b.Dx()+b.Dy()) / 2 / float64(len(boxes))
	}
	pitch := pitchOf(boxes, side, gap)
	if pitch == 0 {
		return nil
	}
	var found []Lattice
	left := slices.Clone(boxes)
	for len(left) >= leastCells {
		var members []image.Rectangle
		var places []place
		members, places, left = connected(left, pitch)
		if l, ok := fit(members, places, side); ok {
			found = append(found, l)
		}
	}
	return found
}

func centreOf(b image.Rectangle) (x, y float64) {
	return float64(b.Min.X+b.Max.X) / 2, float64(b.Min.Y+b.Max.Y) / 2
}

// pitchOf is the distance of neighbouring boxes' centres, the median of the distances
// to the next box in the same row or column; 0 where boxes have no neighbours.
func pitchOf(boxes []image.Rectangle, side, gap float64) float64 {
	var distances []float64
	for i, a := range boxes {
		ax, ay := centreOf(a)
		right, below := math.Inf(1), math.Inf(1)
		for j, b := range boxes {
			bx, by := centreOf(b)
			if i == j {
				continue
			}
			if math.Abs(by-ay) <= sameRow*side && bx > ax {
				right = min(right, bx-ax)
			}
			if math.Abs(bx-ax) <= sameRow*side && by > ay {
				below = min(below, by-ay)
			}
		}
		for _, d := range []float64{right, below} {
			// On a chess board the next cell of the same shade is the second.
			for parts := 1.0; parts <= 2 && (parts == 1 || gap == mostGap); parts++ {
				if d := d / parts; d >= side-halfPixel && d <= (1+gap)*side {
					distances = append(distances, d)
				}
			}
		}
	}
	if len(distances) < leastCells/2 {
		return 0
	}
	slices.Sort(distances)
	if gap > mostGap {
		// Most ends' neighbours are farther away than in the next cell.
		nearest := distances[:1]
		for len(nearest) < len(distances) && distances[len(nearest)] <= distances[0]+sameRow*side {
			nearest = distances[:len(nearest)+1]
		}
		distances = nearest
	}
	return distances[len(distances)/2]
}

// connected takes the boxes that the first one leads to, from neighbour to
// neighbour in rows and columns, over up to two missing ones, and returns them with
// their places, and the boxes that are left.
func connected(boxes []image.Rectangle, pitch float64) (members []image.Rectangle, places []place, left []image.Rectangle) {
	const reach = 3 // pitches
	members, places = boxes[:1:1], []place{{}}
	left = slices.Clone(boxes[1:])
	for i := 0; i < len(members); i++ {
		x, y := centreOf(members[i])
		at := places[i]
		rest := left[:0]
		for _, b := range left {
			bx, by := centreOf(b)
			cols, rows := (bx-x)/pitch, (by-y)/pitch
			c, r := math.Round(cols), math.Round(rows)
			if math.Abs(c)+math.Abs(r) > reach || c == 0 && r == 0 || math.Abs(cols-c) > offLattice || math.Abs(rows-r) > offLattice {
				rest = append(rest, b)
				continue
			}
			members = append(members, b)
			places = append(places, place{at.row + int(r), at.col + int(c)})
		}
		left = rest
	}
	return members, places, left
}

// fit makes a lattice of boxes with places, if they are a board's.
func fit(boxes []image.Rectangle, places []place, side float64) (Lattice, bool) {
	if len(boxes) < leastCells {
		return Lattice{}, false
	}
	top, left, bottom, right := places[0].row, places[0].col, places[0].row, places[0].col
	seen := map[place]bool{}
	for _, p := range places {
		top, left, bottom, right = min(top, p.row), min(left, p.col), max(bottom, p.row), max(right, p.col)
		seen[p] = true
	}
	l := Lattice{Rows: bottom - top + 1, Cols: right - left + 1, Side: side, count: len(seen)}
	if min(l.Rows, l.Cols) < leastLength || max(l.Rows, l.Cols) > mostLength || float64(l.count) < leastShare*float64(l.Rows*l.Cols) {
		return Lattice{}, false
	}
	l.Seen = make([]bool, l.Rows*l.Cols)
	for p := range seen {
		l.Seen[(p.row-top)*l.Cols+p.col-left] = true
	}
	// Least squares over both axes: x = X + col·Pitch, y = Y + row·Pitch.
	n := float64(len(boxes))
	var sumC, sumR, sumX, sumY, sumSquares, sumProducts float64
	for i, b := range boxes {
		x, y := centreOf(b)
		c, r := float64(places[i].col-left), float64(places[i].row-top)
		sumC, sumR, sumX, sumY = sumC+c, sumR+r, sumX+x, sumY+y
		sumSquares += c*c + r*r
		sumProducts += c*x + r*y
	}
	spread := sumSquares - (sumC*sumC+sumR*sumR)/n
	if spread == 0 {
		return Lattice{}, false
	}
	l.Pitch = (sumProducts - (sumC*sumX+sumR*sumY)/n) / spread
	l.X, l.Y = (sumX-l.Pitch*sumC)/n, (sumY-l.Pitch*sumR)/n
	for i, b := range boxes {
		x, y := centreOf(b)
		cx, cy := l.Centre(places[i].row-top, places[i].col-left)
		if math.Abs(x-cx) > max(1.5, offLattice*l.Pitch) || math.Abs(y-cy) > max(1.5, offLattice*l.Pitch) {
			return Lattice{}, false
		}
	}
	return l, true
}
