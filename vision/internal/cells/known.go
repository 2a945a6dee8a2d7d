package cells

import (
	"image"
	"image/color"
	"iter"
	"math"
)

// Known is what a person or a profile says of a board. Zero values are not known.
type Known struct {
	Room       image.Rectangle // of the cells, in pixels; each side may be off by roomOff pitches
	Rows, Cols int
	// Alike are pairs of cells, counted row by row, whose marks belong together though
	// they do not look alike; Colours are mean colours of such marks.
	Alike   [][2]int
	Colours [][2]color.RGBA
}

const (
	// roomOff is the most that each side of a room drawn by hand is off, in pitches.
	roomOff = 0.2
	// squareOff is the most that a room's pitches across and down differ, in parts of
	// the greater, for both to count: else the board lies in the middle of a larger room.
	squareOff = 0.12
	// denyingShare is the least share of the cells of a lattice whose areas were seen, for
	// it to count against one that is said, and denyingPitch the most that their pitches
	// differ, in parts of it: others are no cells of the same board.
	denyingShare = 0.5
	denyingPitch = 0.05
)

// handSides are the sides of cells that are tried where no areas tell them, in pitches:
// what separates cells lies outside, and ends are whole or cut off alike.
var handSides = []float64{0.85, 0.75, 0.92, 0.65}

// all reports whether the whole lattice is known.
func (k Known) all() bool { return k.Rows > 0 && k.Cols > 0 && !k.Room.Empty() }

// lattice is the lattice as it is said to be, its cells of no known side.
func (k Known) lattice() Lattice {
	across, down := float64(k.Room.Dx())/float64(k.Cols), float64(k.Room.Dy())/float64(k.Rows)
	pitch := (across + down) / 2
	if math.Abs(across-down) > squareOff*max(across, down) {
		pitch = min(across, down)
	}
	x, y := float64(k.Room.Min.X+k.Room.Max.X)/2, float64(k.Room.Min.Y+k.Room.Max.Y)/2
	return Lattice{X: x - pitch*float64(k.Cols-1)/2, Y: y - pitch*float64(k.Rows-1)/2, Pitch: pitch,
		Rows: k.Rows, Cols: k.Cols, Seen: make([]bool, k.Rows*k.Cols)}
}

// moved is the lattice that is said with the pitch and the places of one that was seen, if
// that lies over it except for what a hand is off. It may have fewer or more rows and columns.
func (k Known) moved(seen Lattice) (Lattice, bool) {
	hand := k.lattice()
	col, row := math.Round((hand.X-seen.X)/seen.Pitch), math.Round((hand.Y-seen.Y)/seen.Pitch)
	m := seen.resized(int(row), int(col), k.Rows, k.Cols)
	x, y := hand.Centre(k.Rows-1, k.Cols-1)
	u, v := m.Centre(k.Rows-1, k.Cols-1)
	inside := max(math.Abs(hand.X-m.X), math.Abs(hand.Y-m.Y), math.Abs(x-u), math.Abs(y-v))
	half, room := m.Pitch/2, k.Room
	rims := max(math.Abs(m.X-half-float64(room.Min.X)), math.Abs(m.Y-half-float64(room.Min.Y)),
		math.Abs(u+half-float64(room.Max.X)), math.Abs(v+half-float64(room.Max.Y)))
	return m, min(inside, rims) <= roomOff*hand.Pitch
}

// resized is the lattice that begins at a row and column of this one, which may be
// negative, and has another number of them.
func (l Lattice) resized(row, col, rows, cols int) Lattice {
	m := Lattice{Pitch: l.Pitch, Side: l.Side, Rows: rows, Cols: cols, Seen: make([]bool, rows*cols)}
	m.X, m.Y = l.Centre(row, col)
	for i, is := range l.Seen {
		if r, c := i/l.Cols-row, i%l.Cols-col; is && r >= 0 && c >= 0 && r < rows && c < cols {
			m.Seen[r*cols+c] = true
			m.count++
		}
	}
	return m
}

// given returns the board on a lattice that is known except for a few pixels.
func given(frame *image.RGBA, known Known) []Board {
	for l := range knownLattices(frame, known) {
		if b, ok := sortCells(frame, l, nil); ok {
			if b.join(known); b.told() {
				return []Board{b}
			}
		}
	}
	return nil
}

// knownLattices are the lattices that one that is known except for a few pixels may be, the
// surest first. Mostly the first is right, so that the others need not be made.
func knownLattices(frame *image.RGBA, known Known) iter.Seq[Lattice] {
	return func(yield func(Lattice) bool) {
		hand := known.lattice()
		if hand.Pitch < leastPitch || max(known.Rows, known.Cols) > mostLength {
			return
		}
		agreed, denied := false, false
		for _, step := range []uint8{usualStep, faintStep} {
			for _, l := range find(frame, step) {
				m, ok := known.moved(l)
				if ok && !yield(m) {
					return
				}
				agreed = agreed || ok
				denied = denied || !ok && known.denied(l)
			}
		}
		if denied && !agreed {
			return
		}
		for _, side := range handSides {
			l := hand
			l.Side = side * l.Pitch
			if m, ok := known.onMarks(frame, l); ok && !yield(m) {
				return
			}
		}
		for _, side := range handSides {
			l := hand
			l.Side = side * l.Pitch
			if !yield(l) {
				return
			}
		}
	}
}

// denied reports whether a lattice that was seen says that the one that is said is wrong:
// its cells lie between those.
func (k Known) denied(seen Lattice) bool {
	hand := k.lattice()
	right, bottom := seen.Centre(seen.Rows-1, seen.Cols-1)
	middle := image.Pt(int(right+seen.X)/2, int(bottom+seen.Y)/2)
	return seen.share() >= denyingShare && math.Abs(seen.Pitch-hand.Pitch) <= denyingPitch*hand.Pitch && middle.In(k.Room)
}

// leastPitch is the least pitch of a board, in pixels: a mark has to be told from another.
const leastPitch = 8

// onMarks is a lattice that is said, moved and stretched a little so that single marks lie in the
// middle of their cells.
func (k Known) onMarks(frame *image.RGBA, l Lattice) (Lattice, bool) {
	s := newSorter(frame, l, nil)
	if !s.grounds() {
		return l, false
	}
	s.strip()
	var boxes []image.Rectangle
	var places []place
	for cell := range s.patches {
		box, ok := s.boxOf(cell)
		if !ok {
			continue
		}
		boxes = append(boxes, box)
		places = append(places, place{cell / l.Cols, cell % l.Cols})
	}
	m, ok := fit(boxes, places, l.Side)
	if !ok {
		return l, false
	}
	top, left := l.Rows, l.Cols
	for _, p := range places {
		top, left = min(top, p.row), min(left, p.col)
	}
	m = m.resized(-top, -left, l.Rows, l.Cols)
	m.Seen, m.count = make([]bool, l.Rows*l.Cols), 0 // marks are no cells
	return k.moved(m)
}

// boxOf is the box in pixels of a cell's mark that lies within the cell.
func (s *sorter) boxOf(cell int) (image.Rectangle, bool) {
	n, l := s.patches[cell].n, s.board.Lattice
	box := image.Rectangle{}
	for k, is := range s.drawn[cell] {
		if is {
			box = box.Union(image.Rect(k%n, k/n, k%n+1, k/n+1))
		}
	}
	if box.Empty() || !box.In(image.Rect(1, 1, n-1, n-1)) || box.Dx() < n/8 {
		return box, false
	}
	x, y := l.Centre(cell/l.Cols, cell%l.Cols)
	part := inner * l.Side / float64(n)
	at := func(v int, middle float64) int { return int(math.Round(middle + (float64(v)-float64(n)/2)*part)) }
	return image.Rect(at(box.Min.X, x), at(box.Min.Y, y), at(box.Max.X, x), at(box.Max.Y, y)), true
}

// told reports whether every cell of a board whose lattice is known is clear. Where hardly
// a cell is empty, cells must have been seen: nothing else tells a lattice that lies
// between them.
func (b Board) told() bool {
	pairs, empty := 0, 0
	for _, c := range b.Cells {
		pairs = max(pairs, int(c.Mark-Alike))
		switch c.Mark {
		case Unclear:
			return false
		case Empty:
			empty++
		}
	}
	return pairs > 0 && (b.count > 0 || isEnough(empty, len(b.Cells)))
}

// mostMissing is the most rows or columns that a known size adds to a lattice that was
// seen, at one side or divided between both.
const mostMissing = 3

// extended returns the lattices that one that was seen may be a part of, by what is known.
func (k Known) extended(l Lattice) []Lattice {
	if k.Rows > 0 && k.Cols > 0 {
		var all []Lattice
		if k.Rows < l.Rows || k.Cols < l.Cols || k.Rows-l.Rows > mostMissing || k.Cols-l.Cols > mostMissing {
			return nil
		}
		for row := l.Rows - k.Rows; row <= 0; row++ {
			for col := l.Cols - k.Cols; col <= 0; col++ {
				all = append(all, l.resized(row, col, k.Rows, k.Cols))
			}
		}
		return all
	}
	all := []Lattice{l}
	if !k.Room.Empty() {
		// A room that is a whole number of pitches wide and high is all of the board's.
		k.Rows, k.Cols = int(math.Round(float64(k.Room.Dy())/l.Pitch)), int(math.Round(float64(k.Room.Dx())/l.Pitch))
		if min(k.Rows, k.Cols) >= leastLength && max(k.Rows, k.Cols) <= mostLength {
			if m, ok := k.moved(l); ok {
				all = append(all, m)
			}
		}
	}
	return all
}

// fits reports whether a lattice that was seen is as far as is known.
func (k Known) fits(l Lattice) bool {
	if k.Rows > 0 && l.Rows != k.Rows || k.Cols > 0 && l.Cols != k.Cols {
		return false
	}
	if k.Room.Empty() {
		return true
	}
	off, half := roomOff*l.Pitch, l.Pitch/2
	x, y := l.Centre(l.Rows-1, l.Cols-1)
	return l.X-half >= float64(k.Room.Min.X)-off && l.Y-half >= float64(k.Room.Min.Y)-off &&
		x+half <= float64(k.Room.Max.X)+off && y+half <= float64(k.Room.Max.Y)+off
}
