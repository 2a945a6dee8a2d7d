package asteroid

import (
	"math/bits"
	"slices"

	"tapwise/solvers/board"
)

// A footprint is the units that a piece covers, as bits: they lie within two units
// of the tile's centre, and unit y, x is bit (y+2)*stride + x+2. The stride
// leaves room beside the five columns, so that a footprint shifted by up to
// four units to a side has no bit in the columns of another row.
type footprint uint64

const stride = 9

func footprintOf(units [][2]int) footprint {
	var f footprint
	for _, u := range units {
		f |= 1 << ((u[0]+2)*stride + u[1] + 2)
	}
	return f
}

// footprints are the footprints of all pieces.
func footprints() [pieces]footprint {
	var f [pieces]footprint
	f[spacecraft] = footprintOf([][2]int{{1, 0}, {-1, -2}, {-1, -1}, {-1, 1}, {-1, 2}})
	for _, kind := range []struct {
		first        piece
		orientations int
		units        [][2]int
	}{
		{oneSmall, 4, [][2]int{{-1, -1}}},
		{oppositeSmall, 2, [][2]int{{-1, -1}, {1, 1}}},
		{edgeSmall, 4, [][2]int{{-1, -1}, {-1, 1}}},
		{bigCorner, 4, [][2]int{{-1, -1}, {-2, -1}, {-1, -2}, {-2, -2}}},
		{bigEdge, 4, [][2]int{{-1, -1}, {-1, 0}, {-1, 1}, {-2, -1}, {-2, 0}, {-2, 1}}},
	} {
		for turn := range kind.orientations {
			f[kind.first+piece(turn)] = footprintOf(kind.units)
			for i, u := range kind.units {
				kind.units[i] = [2]int{u[1], -u[0]} // a quarter turn clockwise
			}
		}
	}
	return f
}

// meets reports whether a piece meets another that lies y units below and x
// units to the right.
func (f footprint) meets(other footprint, y, x int) bool {
	if y < -4 || y > 4 || x < -4 || x > 4 {
		return false
	}
	shift := y*stride + x
	if shift < 0 {
		return f&(other>>-shift) != 0
	}
	return f&(other<<shift) != 0
}

// position is an arrangement of the tiles and the hole. Byte i of tiles is the i-th
// tile in reading order, without the hole: it has the bit of the tile's class.
type position struct {
	tiles uint64
	hole  board.Cell
}

// slot is the byte of the tile at a cell.
func (p position) slot(c board.Cell) int {
	if c < p.hole {
		return int(c)
	}
	return int(c) - 1
}

// class is the class of the tile at a cell.
func (p position) class(c board.Cell) int {
	return bits.TrailingZeros8(uint8(p.tiles >> (8 * p.slot(c))))
}

// mover is the cell of the tile that may slide into the hole in a direction.
func (p position) mover(d board.Dir) board.Cell {
	return size.Beside(p.hole, d.Opposite())
}

// slid is the position after the tile at from slid into the hole.
func (p position) slid(from board.Cell) position {
	const three = 1<<24 - 1
	next := position{p.tiles, from}
	switch p.hole - from {
	case -3: // up: the last of three bytes becomes the first
		shift := 8 * int(p.hole)
		part := p.tiles >> shift & three
		next.tiles ^= (part ^ (part<<8|part>>16)&three) << shift
	case 3: // down: the first of three bytes becomes the last
		shift := 8 * int(from)
		part := p.tiles >> shift & three
		next.tiles ^= (part ^ (part>>8|part<<16)&three) << shift
	}
	return next
}

// rules say which slides the pieces of a puzzle allow. Tiles with the same piece are
// of one class; the spacecraft is class 0.
type rules struct {
	classes []piece
	// blocked holds, for each place of the hole, direction and class that
	// slides into it, the bits of tiles that are in the way.
	blocked [cells][4][8]uint64
	exit    [cells]uint64 // bits in the way of the spacecraft leaving from door, for each hole
	overlap [cells][cells][8]uint64
}

// rulesOf makes the rules for different pieces, the spacecraft first.
func rulesOf(classes []piece) *rules {
	r := &rules{classes: classes}
	over, near := obstacles(classes)
	for h := range board.Cell(cells) {
		p := position{hole: h}
		for k := range classes {
			for d := range board.Dir(4) {
				if from := p.mover(d); from != board.None {
					r.blocked[h][d][k] = r.mask(p, from, &near[d][k])
				}
			}
			for c := range board.Cell(cells) {
				if c != h {
					r.overlap[h][c][k] = r.mask(p, c, &over[k])
				}
			}
		}
		if h != door {
			r.exit[h] = r.mask(p, door, &near[board.South][0])
		}
	}
	return r
}

// obstacle tells by class j, y and x, both plus 2, whether a tile of class j that lies
// y rows below and x columns to the right is in the way.
type obstacle [8][5][5]bool

// obstacles are, by class, the tiles that overlap one of the class, and by direction
// and class those in the way of its slide.
func obstacles(classes []piece) (over [8]obstacle, near [4][8]obstacle) {
	shapes := footprints()
	for k, moving := range classes {
		for j, other := range classes {
			for y := -2; y <= 2; y++ {
				for x := -2; x <= 2; x++ {
					over[k][j][y+2][x+2] = shapes[moving].meets(shapes[other], 3*y, 3*x)
					for d := range board.Dir(4) {
						near[d][k][j][y+2][x+2] = shapes[moving].meetsSliding(shapes[other], y, x, d)
					}
				}
			}
		}
	}
	return over, near
}

// meetsSliding reports whether a piece that slides one place in a direction meets
// another that lies y rows below and x columns to the right.
func (f footprint) meetsSliding(other footprint, y, x int, d board.Dir) bool {
	row, col := d.Step()
	for third := 1; third <= 3; third++ {
		if f.meets(other, 3*y-third*row, 3*x-third*col) {
			return true
		}
	}
	return false
}

// mask collects the bits of the tiles that are in the way of one at from.
func (r *rules) mask(p position, from board.Cell, way *obstacle) uint64 {
	var m uint64
	for c := range board.Cell(cells) {
		if c == from || c == p.hole {
			continue
		}
		y, x := size.Row(c)-size.Row(from)+2, size.Col(c)-size.Col(from)+2
		for j := range r.classes {
			if way[j][y][x] {
				m |= 1 << (8*p.slot(c) + j)
			}
		}
	}
	return m
}

// slides reports whether the tile at from may slide in a direction into the hole.
func (r *rules) slides(p position, from board.Cell, d board.Dir) bool {
	return p.tiles&r.blocked[p.hole][d][p.class(from)] == 0
}

// leaves reports whether the spacecraft may leave.
func (r *rules) leaves(p position) bool {
	return p.hole != door && p.class(door) == 0 && p.tiles&r.exit[p.hole] == 0
}

// apart reports whether no two tiles overlap.
func (r *rules) apart(p position) bool {
	for c := range board.Cell(cells) {
		if c != p.hole && p.tiles&r.overlap[p.hole][c][p.class(c)] != 0 {
			return false
		}
	}
	return true
}

// rules are the puzzle's rules and its start.
func (p *Puzzle) rules() (*rules, position) {
	classes := []piece{spacecraft}
	start := position{}
	for c, q := range p.at {
		if q == hole {
			start.hole = board.Cell(c)
		} else if !slices.Contains(classes, q) {
			classes = append(classes, q)
		}
	}
	for c, q := range p.at {
		if q != hole {
			start.tiles |= 1 << (8*start.slot(board.Cell(c)) + slices.Index(classes, q))
		}
	}
	return rulesOf(classes), start
}

// puzzle is the puzzle that starts at a position.
func (r *rules) puzzle(p position) *Puzzle {
	q := &Puzzle{}
	for c := range board.Cell(cells) {
		if c != p.hole {
			q.at[c] = r.classes[p.class(c)]
		}
	}
	return q
}
