package algemy

import "tapwise/solvers/board"

// Rows is the number of rows.
func (p *Puzzle) Rows() int { return p.rows() }

// RowWidth is the number of cells in a row.
func (p *Puzzle) RowWidth(row int) int { return p.width(row) }

// At is the cell in a row and a column, board.None outside the board. Columns
// are counted within the row.
func (p *Puzzle) At(row, col int) board.Cell { return p.at(row, col) }

// Place is a cell's row and its column in it.
func (p *Puzzle) Place(c board.Cell) (row, col int) { return p.place(c) }

// Axes is the number of axes that light runs along.
func (p *Puzzle) Axes() int { return p.axes() }

// Next is the cell after c along an axis, board.None at the board's edge: to the
// right, downwards; on a hexagon to the right, down to the left, down to the
// right.
func (p *Puzzle) Next(c board.Cell, axis int) board.Cell { return p.next(c, axis) }
