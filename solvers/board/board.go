package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
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

// mostNames is the most cells that Names names one by one.
const mostNames = 6

// Names are cells, in their order, for people: a row, a column or a part of one as such, and of many
// others only the first.
func (s Size) Names(cells []Cell) string {
	if len(cells) == 0 {
		return "no cell"
	}
	first, last := cells[0], cells[len(cells)-1]
	top, left, bottom, right := s.Row(first), s.Col(first), s.Row(last), s.Col(last)
	inColumn := left == right && !slices.ContainsFunc(cells, func(c Cell) bool { return s.Col(c) != left })
	switch n := len(cells); {
	case n == 1:
		return s.Name(first)
	case top == bottom && n == s.Cols:
		return fmt.Sprintf("row %d", top+1)
	case inColumn && n == s.Rows:
		return fmt.Sprintf("column %d", left+1)
	case top == bottom && right-left == n-1:
		return fmt.Sprintf("row %d columns %d to %d", top+1, left+1, right+1)
	case inColumn && bottom-top == n-1:
		return fmt.Sprintf("column %d rows %d to %d", left+1, top+1, bottom+1)
	}
	var names []string
	for _, c := range cells[:min(len(cells), mostNames)] {
		names = append(names, s.Name(c))
	}
	if len(cells) > mostNames {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
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

// Indices are cells as numbers, in order, each once.
func Indices(cells []Cell) []int {
	of := make([]int, len(cells))
	for i, c := range cells {
		of[i] = int(c)
	}
	slices.Sort(of)
	return slices.Compact(of)
}
