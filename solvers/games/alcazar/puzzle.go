package alcazar

import (
	"fmt"
	"image/color"
	"slices"

	"tapwise/solvers/board"
)

// MaxSide is the most rows or columns of rooms that a board may have.
const MaxSide = 128

// Board is a puzzle's givens in plain data, for New. True means open.
type Board struct {
	board.Size
	// Above are the borders above the rooms, row by row: the one at r*Cols+c
	// lies above room r,c; there are Rows+1 rows of them, the last one below
	// the board.
	Above []bool
	// Left are the borders left of the rooms, row by row: the one at
	// r*(Cols+1)+c lies left of room r,c; there are Cols+1 in a row, the last
	// one right of the board.
	Left []bool
	// NoRoom are the places in rows and columns where there is no room; nil means that there is
	// one at each. A border between a room and no room is rim.
	NoRoom []bool
}

// Puzzle is an Alcazar level. It does not change.
type Puzzle struct {
	size  board.Size
	rooms []board.Cell // in order
	none  []rune       // what is written where there is no room, 0 where there is one; nil when there is one everywhere
	open  []bool       // of each border: a passage or an opening, not a wall
	form  Form
	posts []rune      // in the form Grid or Box: the characters between four rooms, row by row
	marks []bool      // by border, in the form Grid: given as used
	drawn []bool      // of each border with no room beside it: there is a line; nil as usual in the form
	path  color.NRGBA // of a puzzle read from a screen: the colour of a path there; else not opaque
}

// New makes a puzzle of its givens, written as a grid of characters. The error says
// what is wrong with them.
func New(b Board) (*Puzzle, error) {
	if b.Rows < 1 || b.Cols < 1 || b.Rows > MaxSide || b.Cols > MaxSide {
		return nil, fmt.Errorf("alcazar: board is %d wide and %d high, expected 1 to %d", b.Cols, b.Rows, MaxSide)
	}
	if n := (b.Rows + 1) * b.Cols; len(b.Above) != n {
		return nil, fmt.Errorf("alcazar: %d borders above the rooms of a board of %v, expected %d", len(b.Above), b.Size, n)
	}
	if n := b.Rows * (b.Cols + 1); len(b.Left) != n {
		return nil, fmt.Errorf("alcazar: %d borders left of the rooms of a board of %v, expected %d", len(b.Left), b.Size, n)
	}
	if n := b.Cells(); b.NoRoom != nil && len(b.NoRoom) != n {
		return nil, fmt.Errorf("alcazar: %d places with or without a room on a board of %v, expected %d", len(b.NoRoom), b.Size, n)
	}
	p := &Puzzle{size: b.Size, open: slices.Concat(b.Above, b.Left)}
	if slices.Contains(b.NoRoom, true) {
		p.none = make([]rune, b.Cells())
		for c, none := range b.NoRoom {
			if none {
				p.none[c] = noRoom
			}
		}
	}
	if err := p.settle(); err != nil {
		return nil, err
	}
	p.posts = p.usualPosts()
	return p, nil
}

// noRoom stands for a place without a room in each form.
const noRoom = '#'

// settle lists the rooms, and closes the borders without a room on either side.
func (p *Puzzle) settle() error {
	p.rooms = make([]board.Cell, 0, p.size.Cells())
	for c := range board.Cell(p.size.Cells()) {
		if p.none == nil || p.none[c] == 0 {
			p.rooms = append(p.rooms, c)
		}
	}
	if len(p.rooms) == 0 {
		return fmt.Errorf("alcazar: the board has no room, expected at least one")
	}
	if p.none != nil {
		for i := range p.open {
			p.open[i] = p.open[i] && !p.place(i).void
		}
	}
	return nil
}

// IsRoom reports whether there is a room at a place; board.None is none.
func (p *Puzzle) IsRoom(c board.Cell) bool { return p.isRoom(c) }

// Neighbour is the room on a side of a room, whether or not a wall is between them, or
// board.None if there is none.
func (p *Puzzle) Neighbour(room board.Cell, side board.Dir) board.Cell {
	return p.neighbour(room, side)
}

// isRoom reports whether a place has a room; board.None is none.
func (p *Puzzle) isRoom(c board.Cell) bool {
	return c != board.None && (p.none == nil || p.none[c] == 0)
}

// neighbour is the room beyond a side of a room, board.None without one.
func (p *Puzzle) neighbour(room board.Cell, side board.Dir) board.Cell {
	if c := p.size.Beside(room, side); p.isRoom(c) {
		return c
	}
	return board.None
}

// Board is the puzzle's givens in plain data.
func (p *Puzzle) Board() Board {
	above := (p.size.Rows + 1) * p.size.Cols
	b := Board{Size: p.size, Above: slices.Clone(p.open[:above]), Left: slices.Clone(p.open[above:])}
	if p.none != nil {
		b.NoRoom = make([]bool, len(p.none))
		for c, r := range p.none {
			b.NoRoom[c] = r != 0
		}
	}
	return b
}

// Rooms are the rooms, row by row.
func (p *Puzzle) Rooms() []board.Cell { return slices.Clone(p.rooms) }

// Size is the number of rows and columns of rooms.
func (p *Puzzle) Size() board.Size { return p.size }

// Open reports whether there is a passage or an opening on a room's side.
func (p *Puzzle) Open(room board.Cell, side board.Dir) bool {
	return p.open[border(p.size, room, side)]
}

// Opening is a gap in the rim, which is wherever there is a room on one side only.
type Opening struct {
	Room board.Cell
	Side board.Dir // the side of the room that it is on
}

// Openings are the gaps in the rim, room by room.
func (p *Puzzle) Openings() []Opening {
	var all []Opening
	for _, c := range p.rooms {
		for d := range board.Dir(4) {
			if p.neighbour(c, d) == board.None && p.Open(c, d) {
				all = append(all, Opening{Room: c, Side: d})
			}
		}
	}
	return all
}

// name is an opening for people.
func (p *Puzzle) name(o Opening) string {
	return fmt.Sprintf("the opening %s %s", sideNames[o.Side], p.size.Name(o.Room))
}

var sideNames = [...]string{board.North: "above", board.East: "right of", board.South: "below", board.West: "left of"}

// borders is the number of borders of a board's rooms.
func borders(s board.Size) int { return (s.Rows+1)*s.Cols + s.Rows*(s.Cols+1) }

// border is the index of a room's border: those above the rooms first, then
// those left of them, as in Board.
func border(s board.Size, room board.Cell, side board.Dir) int {
	row, col := s.Row(room), s.Col(room)
	switch side {
	case board.North:
		return aboveBorder(s, row, col)
	case board.South:
		return aboveBorder(s, row+1, col)
	case board.West:
		return leftBorder(s, row, col)
	default:
		return leftBorder(s, row, col+1)
	}
}

func aboveBorder(s board.Size, row, col int) int { return row*s.Cols + col }

func leftBorder(s board.Size, row, col int) int {
	return (s.Rows+1)*s.Cols + row*(s.Cols+1) + col
}
