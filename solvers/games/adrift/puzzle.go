package adrift

import (
	"fmt"
	"image/color"
	"slices"

	"tapwise/solvers/board"
)

// MinSide and MaxSide bound the number of rows and columns of a face.
const (
	MinSide = 2
	MaxSide = 7
)

// MostColours is the number of colours for which there are letters.
const MostColours = len(letters)

// letters are the letters of colours; X is a stone.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWYZabcdefghijklmnopqrstuvwxyz"

// Board is a puzzle's givens in plain data, for New. Cells are counted from 0
// through the rows of the top face, then of the left one, then of the right.
type Board struct {
	Side   int // rows and columns of a face
	Ends   [][2]board.Cell
	Labels string // the letter of each pair of ends; empty: letters from A on
	Stones []board.Cell
}

// Puzzle is an Adrift level. It does not change.
type Puzzle struct {
	cube
	ends   [][2]board.Cell
	labels string
	colour []int         // of each cell: the colour whose end it is, or free or stone
	shades []color.NRGBA // of each colour, as seen on a screen; nil when the puzzle was not read from one
}

// The colour of a cell without one.
const (
	free  = -1
	stone = -2
)

// New makes a puzzle of its givens. The error says what is wrong with them.
func New(b Board) (*Puzzle, error) {
	if b.Side < MinSide || b.Side > MaxSide {
		return nil, fmt.Errorf("adrift: faces of %d rows, expected %d to %d", b.Side, MinSide, MaxSide)
	}
	if len(b.Ends) == 0 {
		return nil, fmt.Errorf("adrift: the board has no ends, expected at least one pair")
	}
	if b.Labels == "" {
		if len(b.Ends) > MostColours {
			return nil, fmt.Errorf("adrift: %d colours, expected at most %d", len(b.Ends), MostColours)
		}
		b.Labels = letters[:len(b.Ends)]
	}
	if len(b.Labels) != len(b.Ends) {
		return nil, fmt.Errorf("adrift: %d letters for %d colours", len(b.Labels), len(b.Ends))
	}
	p := &Puzzle{cube: cube{b.Side}, ends: slices.Clone(b.Ends), labels: b.Labels}
	p.colour = slices.Repeat([]int{free}, p.cells())
	put := func(c board.Cell, what int, name string) error {
		switch {
		case c < 0 || int(c) >= p.cells():
			return fmt.Errorf("adrift: %s on cell %d, the board has %d cells", name, c, p.cells())
		case p.colour[c] != free:
			return fmt.Errorf("adrift: %s: %s on a cell that is taken already", p.Name(c), name)
		}
		p.colour[c] = what
		return nil
	}
	for _, c := range b.Stones {
		if err := put(c, stone, "a stone"); err != nil {
			return nil, err
		}
	}
	for i, pair := range b.Ends {
		label := b.Labels[i]
		if !isLabel(label) {
			return nil, fmt.Errorf("adrift: label %q of a colour, expected a letter other than X or a digit", label)
		}
		for k := range i {
			if b.Labels[k] == label {
				return nil, fmt.Errorf("adrift: two colours %c, expected one", label)
			}
		}
		for _, c := range pair {
			if err := put(c, i, fmt.Sprintf("an end of %c", label)); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

func isLabel(letter byte) bool {
	return letter != 'X' && (letter >= 'A' && letter <= 'Z' || letter >= 'a' && letter <= 'z' || letter >= '0' && letter <= '9')
}

// Side is the number of rows and columns of a face.
func (p *Puzzle) Side() int { return p.side }

// Colours is the number of colours.
func (p *Puzzle) Colours() int { return len(p.ends) }

// Ends are the two ends of a colour.
func (p *Puzzle) Ends(colour int) [2]board.Cell { return p.ends[colour] }

// Label is a colour's letter.
func (p *Puzzle) Label(colour int) string { return p.labels[colour : colour+1] }

// EndAt is the colour that has an end on a cell, -1 where there is no end.
func (p *Puzzle) EndAt(c board.Cell) int { return max(p.colour[c], free) }

// Stone reports whether there is a stone on a cell.
func (p *Puzzle) Stone(c board.Cell) bool { return p.colour[c] == stone }

// Cells is the number of cells of the three faces, stones included.
func (p *Puzzle) Cells() int { return p.cells() }

// At is the cell of a face (0 top, 1 left, 2 right) in a row and a column.
func (p *Puzzle) At(face, row, col int) board.Cell { return p.at(face, row, col) }

// Place is a cell's face (0 top, 1 left, 2 right), and its row and column there.
func (p *Puzzle) Place(c board.Cell) (face, row, col int) { return p.place(c) }

// Name is a cell for people: "top row 1 column 3", counted from 1.
func (p *Puzzle) Name(c board.Cell) string {
	face, row, col := p.place(c)
	return fmt.Sprintf("%s row %d column %d", faceName(face), row+1, col+1)
}

func faceName(face int) string { return [...]string{"top", "left", "right"}[face] }

// Neighbours are the cells that a cell touches.
func (p *Puzzle) Neighbours(c board.Cell) []board.Cell { return p.neighbours(c) }

// cube is the three faces of a cube.
type cube struct{ side int }

// The faces.
const (
	top = iota
	left
	right
)

func (k cube) cells() int { return 3 * k.side * k.side }

// at is a cell of a face.
func (k cube) at(face, row, col int) board.Cell {
	return board.Cell((face*k.side+row)*k.side + col)
}

// place is a cell's face, and its row and column on it.
func (k cube) place(c board.Cell) (face, row, col int) {
	line := int(c) / k.side
	return line / k.side, line % k.side, int(c) % k.side
}

// neighbours are the cells that a cell touches, on its face and over the edges.
func (k cube) neighbours(c board.Cell) []board.Cell {
	face, row, col := k.place(c)
	last := k.side - 1
	near := make([]board.Cell, 0, 4)
	for d := range board.Dir(4) {
		dr, dc := d.Step()
		if r, c := row+dr, col+dc; r >= 0 && r <= last && c >= 0 && c <= last {
			near = append(near, k.at(face, r, c))
		}
	}
	if face == top && row == last {
		near = append(near, k.at(left, 0, col))
	}
	if face == left && row == 0 {
		near = append(near, k.at(top, last, col))
	}
	if face == top && col == last {
		near = append(near, k.at(right, 0, last-row))
	}
	if face == right && row == 0 {
		near = append(near, k.at(top, last-col, last))
	}
	if face == left && col == last {
		near = append(near, k.at(right, row, 0))
	}
	if face == right && col == 0 {
		near = append(near, k.at(left, row, last))
	}
	return near
}
