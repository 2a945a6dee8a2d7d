package board

import "fmt"

// Lines are the cells of each row, and then of each column.
func (s Size) Lines() [][]Cell {
	lines := make([][]Cell, s.Rows+s.Cols)
	for c := range Cell(s.Cells()) {
		row, col := s.Row(c), s.Rows+s.Col(c)
		lines[row], lines[col] = append(lines[row], c), append(lines[col], c)
	}
	return lines
}

// LineName is one of Lines for people: "row 1", "column 2".
func (s Size) LineName(line int) string {
	if line < s.Rows {
		return fmt.Sprint("row ", line+1)
	}
	return fmt.Sprint("column ", line-s.Rows+1)
}

// Parts is how many connected parts the cells of a kind are in.
func (s Size) Parts(in func(Cell) bool) int {
	sets, parts := NewSets(s.Cells()), 0
	for c := range Cell(s.Cells()) {
		if in(c) {
			parts++
		}
	}
	for _, e := range s.Edges() {
		if in(e.A) && in(e.B) && sets.Join(int(e.A), int(e.B)) {
			parts--
		}
	}
	return parts
}
