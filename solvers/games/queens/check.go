package queens

import (
	"fmt"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Check tests the rules of the package comment: it counts the queens of each row, column
// and region, and looks at every two queens. The error is a *solvers.RuleError.
func (s *Solution) Check() error {
	p, size := s.puzzle, s.puzzle.Regions.Size
	queens := s.Things()
	line := func(i int) string { return fmt.Sprint(i + 1) }
	for _, rule := range []struct {
		name  string
		units int
		of    func(board.Cell) int
		label func(int) string
	}{
		{"row", size.Rows, size.Row, line},
		{"column", size.Cols, size.Col, line},
		{"region", p.Regions.Regions(), func(c board.Cell) int { return p.Of[c] }, p.Label},
	} {
		count := make([]int, rule.units)
		for _, c := range queens {
			count[rule.of(c)]++
		}
		for i, n := range count {
			if n != 1 {
				return solvers.Broken(rule.name, "%s %s has %s, expected 1", rule.name, rule.label(i), board.Count(n, "queen"))
			}
		}
	}
	for i, a := range queens {
		for _, b := range queens[:i] {
			if down, across := size.Row(a)-size.Row(b), size.Col(a)-size.Col(b); down*down <= 1 && across*across <= 1 {
				return solvers.Broken("touch", "the queens at %s and %s touch", size.Name(b), size.Name(a))
			}
		}
	}
	return nil
}
