package algemy

import (
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers/board"
)

// MinSide and MaxSide bound the side of a board, in cells.
const (
	MinSide = 3
	MaxSide = 7
)

// Shape is the outline of a board.
type Shape int

// The shapes.
const (
	Square  Shape = iota // n rows of n cells
	Hexagon              // 2n-1 rows of n, n+1, … 2n-1, … n cells
)

func (s Shape) String() string { return [...]string{"square", "hexagon"}[s] }

// A Colour is a colour of light.
type Colour int

// The colours of light, in the order of the wheel they are chosen from.
const (
	Red Colour = iota
	Orange
	Yellow
	Green
	Blue
	Violet
)

const colourLetters = "ROYGBV"

func (c Colour) String() string { return colourLetters[c : c+1] }

// ColourSet is a set of colours of light, with one bit for each: 1<<Red is red alone.
type ColourSet uint8

// Set is the set of the colours given.
func Set(colours ...Colour) ColourSet {
	var s ColourSet
	for _, c := range colours {
		s |= 1 << c
	}
	return s
}

// Has reports whether a colour is in the set.
func (s ColourSet) Has(c Colour) bool { return s>>c&1 != 0 }

// The colours of light sources.
const (
	easyColours ColourSet = 1<<Red | 1<<Yellow | 1<<Blue
	hardColours ColourSet = 1<<6 - 1
)

// A Crystal is the colour of a crystal, by its letter.
type Crystal byte

// The crystals, and Empty for a cell that has none.
const (
	RedCrystal    Crystal = 'R'
	OrangeCrystal Crystal = 'O'
	YellowCrystal Crystal = 'Y'
	GreenCrystal  Crystal = 'G'
	BlueCrystal   Crystal = 'B'
	VioletCrystal Crystal = 'V'
	WhiteCrystal  Crystal = 'W'
	BrownCrystal  Crystal = 'X'
	Empty         Crystal = '-'
)

const crystalLetters = "ROYGBVWX"

func (c Crystal) String() string { return string(rune(c)) }

// Board is a puzzle's givens in plain data, for New.
type Board struct {
	Shape Shape
	Side  int  // in cells, MinSide to MaxSide
	Hard  bool // all six colours of light, instead of red, yellow and blue
	// Crystals holds the crystal on each cell, or Empty, row by row. A hexagon's
	// shorter rows have only their own cells.
	Crystals []Crystal
}

// Puzzle is an Algemy level. It does not change.
type Puzzle struct {
	lattice
	hard     bool
	easyLine bool // written with a first line "easy"
	crystals []Crystal
}

// New makes a puzzle of its givens. The error says what is wrong with them.
func New(b Board) (*Puzzle, error) {
	if b.Shape != Square && b.Shape != Hexagon {
		return nil, fmt.Errorf("algemy: shape %d, expected square or hexagon", int(b.Shape))
	}
	if b.Side < MinSide || b.Side > MaxSide {
		return nil, fmt.Errorf("algemy: side of %d cells, expected %d to %d", b.Side, MinSide, MaxSide)
	}
	p := &Puzzle{lattice: newLattice(b.Shape, b.Side), hard: b.Hard, crystals: slices.Clone(b.Crystals)}
	if len(b.Crystals) != p.cells() {
		return nil, fmt.Errorf("algemy: %d cells given, expected %d", len(b.Crystals), p.cells())
	}
	for c, k := range b.Crystals {
		if k != Empty && !isCrystal(byte(k)) {
			return nil, fmt.Errorf("algemy: %s: %q, expected a crystal or no crystal", p.Name(board.Cell(c)), rune(k))
		}
	}
	return p, nil
}

// Shape is the outline of the board.
func (p *Puzzle) Shape() Shape { return p.shape }

// Side is the board's side, in cells.
func (p *Puzzle) Side() int { return p.side }

// Hard reports whether light sources have all six colours, not only three.
func (p *Puzzle) Hard() bool { return p.hard }

// Colours are the colours that light sources may have.
func (p *Puzzle) Colours() ColourSet {
	if p.hard {
		return hardColours
	}
	return easyColours
}

// Cells is the number of cells. They are counted row by row, from 0; a row of
// a hexagon has only its cells.
func (p *Puzzle) Cells() int { return p.cells() }

// Crystal is the crystal on a cell, or Empty.
func (p *Puzzle) Crystal(c board.Cell) Crystal { return p.crystals[c] }

// lattice is the arrangement of a board's cells.
type lattice struct {
	shape Shape
	side  int
	first []board.Cell // by row: its first cell; and after the last row, the number of cells
	// rays are the lines of cells along the axes, each from one edge of the
	// board to the other.
	rays [][]board.Cell
}

func newLattice(shape Shape, side int) lattice {
	g := lattice{shape: shape, side: side}
	rows := side
	if shape == Hexagon {
		rows = 2*side - 1
	}
	next := board.Cell(0)
	for row := range rows {
		g.first = append(g.first, next)
		length := side
		if shape == Hexagon {
			length = min(side+row, 3*side-2-row)
		}
		next += board.Cell(length)
	}
	g.first = append(g.first, next)
	for axis := range g.axes() {
		begins := slices.Repeat([]bool{true}, g.cells())
		for c := range board.Cell(g.cells()) {
			if n := g.next(c, axis); n != board.None {
				begins[n] = false
			}
		}
		for c := range board.Cell(g.cells()) {
			if begins[c] {
				var ray []board.Cell
				for at := c; at != board.None; at = g.next(at, axis) {
					ray = append(ray, at)
				}
				g.rays = append(g.rays, ray)
			}
		}
	}
	return g
}

func (g lattice) rows() int { return len(g.first) - 1 }

func (g lattice) cells() int { return int(g.first[g.rows()]) }

// width is the number of cells in a row.
func (g lattice) width(row int) int { return int(g.first[row+1] - g.first[row]) }

// at is the cell in a row and a column, board.None outside the board.
func (g lattice) at(row, col int) board.Cell {
	if row < 0 || row >= g.rows() || col < 0 || col >= g.width(row) {
		return board.None
	}
	return g.first[row] + board.Cell(col)
}

// place is a cell's row and its column in it.
func (g lattice) place(c board.Cell) (row, col int) {
	for c >= g.first[row+1] {
		row++
	}
	return row, int(c - g.first[row])
}

// Name is a cell for people: "row 1 column 3", counted from 1, the column
// within the row.
func (g lattice) Name(c board.Cell) string {
	row, col := g.place(c)
	return fmt.Sprintf("row %d column %d", row+1, col+1)
}

// axes is the number of axes that light runs along.
func (g lattice) axes() int {
	if g.shape == Hexagon {
		return 3
	}
	return 2
}

// next is the cell after c along an axis, board.None at the board's edge: to
// the right, downwards; on a hexagon to the right, down to the left, down to
// the right.
func (g lattice) next(c board.Cell, axis int) board.Cell {
	row, col := g.place(c)
	switch {
	case axis == 0:
		return g.at(row, col+1)
	case g.shape == Square:
		return g.at(row+1, col)
	}
	// Below a hexagon's middle the rows begin further to the right.
	if row >= g.side-1 {
		col--
	}
	return g.at(row+1, col+axis-1)
}

func isCrystal(letter byte) bool { return strings.IndexByte(crystalLetters, letter) >= 0 }
