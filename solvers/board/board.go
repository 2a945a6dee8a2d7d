package board

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Cell is a place on a board: row*Cols+col, from 0.
type Cell int

// None is no cell.
const None Cell = -1

// Size is the number of rows and columns of a board.
type Size struct{ Rows, Cols int }

// Cells is the number of places on the board.
func (s Size) Cells() int { return s.Rows * s.Cols }

// At is the cell in a row and a column, both from 0; None outside the board.
func (s Size) At(row, col int) Cell {
	if row < 0 || row >= s.Rows || col < 0 || col >= s.Cols {
		return None
	}
	return Cell(row*s.Cols + col)
}

// Row is a cell's row, from 0 at the top.
func (s Size) Row(c Cell) int { return int(c) / s.Cols }

// Col is a cell's column, from 0 at the left.
func (s Size) Col(c Cell) int { return int(c) % s.Cols }

// Name is a cell for people: "row 1 column 3", counted from 1.
func (s Size) Name(c Cell) string {
	return fmt.Sprintf("row %d column %d", s.Row(c)+1, s.Col(c)+1)
}

func (s Size) String() string { return fmt.Sprintf("%dx%d", s.Cols, s.Rows) }

// Dir is a direction from a cell to a neighbour.
type Dir int

// The four directions of a square board, clockwise.
const (
	North Dir = iota
	East
	South
	West
)

// Opposite is the direction back, on a square board.
func (d Dir) Opposite() Dir { return (d + 2) % 4 }

// Step is the change of row and column in a direction.
func (d Dir) Step() (row, col int) {
	switch d {
	case North:
		return -1, 0
	case East:
		return 0, 1
	case South:
		return 1, 0
	default:
		return 0, -1
	}
}

// Beside is the cell next to c in a direction, None beyond the rim.
func (s Size) Beside(c Cell, d Dir) Cell {
	row, col := d.Step()
	return s.At(s.Row(c)+row, s.Col(c)+col)
}

// OnRim reports whether a cell is in the first or last row or column.
func (s Size) OnRim(c Cell) bool {
	row, col := s.Row(c), s.Col(c)
	return row == 0 || col == 0 || row == s.Rows-1 || col == s.Cols-1
}

// Edge is the border of two neighbouring cells. EdgeOf makes it the same in either
// order.
type Edge struct{ A, B Cell }

// EdgeOf is the border of two cells, the smaller one first.
func EdgeOf(a, b Cell) Edge {
	if b < a {
		a, b = b, a
	}
	return Edge{a, b}
}

// Count is a number of things, such as "1 pipe" or "2 pipes".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// mostQuoted is the most bytes of a text that an error quotes.
const mostQuoted = 24

// Clip shortens a text that is quoted in an error.
func Clip(text string) string {
	if len(text) <= mostQuoted {
		return text
	}
	end := mostQuoted
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
