package cells

import (
	"image"
	"math"
	"slices"
)

// The limits of what belongs to a board beside the cells whose areas were seen.
const (
	leastMarks = 3 // whose sizes tell that of an end
	mostGrown  = 3 // rows or columns on a side
	texture    = 6 // least that the ground of cells varies to be told from a page, 0 to 255,
	// and most that a cell beside the board differs from it, likewise
	beyondAlike = 4
	leastAlike  = 2    // cells of such a ground, or with a rim, that show a row or column
	leastRim    = 6    // of eight places along a cell's sides at which it has the ground and what separates cells lies outside
	offMiddle   = 0.08 // most that an end lies off the middle of its cell, in pitches
	samePlaces  = 0.1  // most that the places of two lattices of one board differ, in pitches
	sizeOff     = 0.2  // most that an end's size differs from the others', in parts of theirs
)

// grown is a lattice with the rows and columns beside it that belong to its board: the
// ground of the cells in the rim may merge with the page, and their ends tell. It
// returns the cells' patches as well, nil where they were not taken.
func grown(frame *image.RGBA, l Lattice) (Lattice, []reach) {
	for range mostGrown {
		more, patches := l.beside(frame)
		if more == [4]bool{} {
			return l, patches
		}
		l = l.with(more)
	}
	return l, nil
}

// with is the lattice with a row or column more on the sides north, east, south, west.
func (l Lattice) with(more [4]bool) Lattice {
	count := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	return l.resized(-count(more[0]), -count(more[3]), l.Rows+count(more[0])+count(more[2]), l.Cols+count(more[1])+count(more[3]))
}

// joined is the lattice together with those of the same pitch and places that reach
// further: ends of one size may tell rows and columns whose cells merge with the page.
func (l Lattice) joined(others []Lattice) Lattice {
	if l.trimmed {
		return l
	}
	top, left, bottom, right := 0, 0, l.Rows, l.Cols
	for _, o := range others {
		col, row := (o.X-l.X)/l.Pitch, (o.Y-l.Y)/l.Pitch
		c, r := math.Round(col), math.Round(row)
		longest := float64(max(l.Rows, l.Cols, o.Rows, o.Cols))
		if math.Abs(o.Pitch-l.Pitch)*longest > samePlaces*l.Pitch || math.Abs(col-c) > samePlaces || math.Abs(row-r) > samePlaces {
			continue
		}
		if int(c) > right || int(r) > bottom || int(c)+o.Cols < 0 || int(r)+o.Rows < 0 {
			continue // apart
		}
		top, left = min(top, int(r)), min(left, int(c))
		bottom, right = max(bottom, int(r)+o.Rows), max(right, int(c)+o.Cols)
	}
	if max(bottom-top, right-left) > mostLength {
		return l
	}
	m := l.resized(top, left, bottom-top, right-left)
	m.framed = l.framed
	return m
}

// beside tells on which sides of a lattice, north, east, south, west, its board goes on.
// It returns the patches of the lattice's cells, or nil.
func (l Lattice) beside(frame *image.RGBA) (more [4]bool, patches []reach) {
	const side = 0.5 // of a cell must lie on the frame
	right, bottom := l.Centre(l.Rows, l.Cols)
	room := [4]bool{
		l.Y-(1+side)*l.Pitch >= 0, right+side*l.Pitch <= float64(frame.Rect.Max.X),
		bottom+side*l.Pitch <= float64(frame.Rect.Max.Y), l.X-(1+side)*l.Pitch >= 0,
	}
	around := l.with(room)
	if around.Rows*around.Cols == l.Rows*l.Cols || max(around.Rows, around.Cols) > mostLength {
		return more, nil
	}
	s := newSorter(frame, around, nil)
	s.beyond = make([]bool, around.Rows*around.Cols)
	sides := make([]int, len(s.beyond)) // of cells beside the lattice, except for the corners
	for cell := range s.beyond {
		row, col := cell/around.Cols, cell%around.Cols
		beyond := [4]bool{room[0] && row == 0, room[1] && col == around.Cols-1, room[2] && row == around.Rows-1, room[3] && col == 0}
		sides[cell] = -1
		for d, is := range beyond {
			if is {
				s.beyond[cell] = true
				sides[cell] = d
			}
		}
		if !s.beyond[cell] {
			patches = append(patches, s.patches[cell])
		}
	}
	if !s.grounds() {
		return more, patches
	}
	s.strip()
	size, ok := s.usualMark()
	var alike [4]int
	for cell, d := range sides {
		switch {
		case d < 0:
		case s.empty[cell]:
			// A page of one colour is like the ground of cells with a faint gradient.
			if ground := s.ground[s.parity(cell)]; ground.varies(plainMiddle) >= texture && unlike(s.patches[cell], ground, beyondAlike) <= beyondAlike {
				alike[d]++
			}
		case ok && s.likeMark(cell, size):
			more[d] = true
		case s.rimmed(cell):
			alike[d]++ // as a pipe that leads along all of a row or column leaves it
		}
	}
	for d, count := range alike {
		more[d] = more[d] || count >= leastAlike
	}
	return more, patches
}

// rimmed reports whether a cell has the ground along its sides, and something else beyond
// them: what separates it from its neighbours, or the page.
func (s *sorter) rimmed(cell int) bool {
	l, p, ground := s.board.Lattice, s.patches[cell], s.ground[s.parity(cell)]
	x, y := l.Centre(cell/l.Cols, cell%l.Cols)
	along, far := float64(p.n/2-p.n/5)/float64(p.n)*inner*l.Side, l.Pitch/2
	count := 0
	for _, at := range rimPlaces(p.n) {
		out := func(i int) float64 {
			switch {
			case i == 0:
				return -far
			case i == p.n-1:
				return far
			case i < p.n/2:
				return -along
			}
			return along
		}
		own := ground.at(at.X, at.Y)
		if difference(p.at(at.X, at.Y), own) <= sameCell && difference(s.pixel(x+out(at.X), y+out(at.Y)), own) >= drawn {
			count++
		}
	}
	return count >= leastRim
}

// varies is how much a patch's colours vary, 0 to 255, except for a part of it along its sides
// and for its corners.
func (p patch) varies(rim float64) int {
	least, most := p.at(p.n/2, p.n/2), p.at(p.n/2, p.n/2)
	from := int(rim * float64(p.n))
	for y := from; y < p.n-from; y++ {
		skip := max(from, cornerIn(y, p.n))
		for x := skip; x < p.n-skip; x++ {
			least, most = lesser(least, p.at(x, y)), greater(most, p.at(x, y))
		}
	}
	return difference(least, most)
}

// usualMark is the median size of the marks within their cells, in pixels.
func (s *sorter) usualMark() (image.Point, bool) {
	var widths, heights []int
	for cell := range s.patches {
		if box, ok := s.boxOf(cell); ok && !s.isBeyond(cell) {
			widths, heights = append(widths, box.Dx()), append(heights, box.Dy())
		}
	}
	if len(widths) < leastMarks {
		return image.Point{}, false
	}
	slices.Sort(widths)
	slices.Sort(heights)
	return image.Pt(widths[len(widths)/2], heights[len(heights)/2]), true
}

// likeMark reports whether a mark as large as the others lies in the middle of a cell.
func (s *sorter) likeMark(cell int, size image.Point) bool {
	box, ok := s.boxOf(cell)
	if !ok {
		return false
	}
	l := s.board.Lattice
	x, y := l.Centre(cell/l.Cols, cell%l.Cols)
	bx, by := centreOf(box)
	near := func(a, b int) bool { return math.Abs(float64(a-b)) <= max(2, sizeOff*float64(b)) }
	return math.Abs(bx-x) <= max(1.5, offMiddle*l.Pitch) && math.Abs(by-y) <= max(1.5, offMiddle*l.Pitch) &&
		near(box.Dx(), size.X) && near(box.Dy(), size.Y)
}
