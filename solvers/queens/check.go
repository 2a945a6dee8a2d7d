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
	for _, rule := range []struct {
		name string
		of   func(board.Cell) int
	}{{"row", size.Row}, {"column", size.Col}, {"region", func(c board.Cell) int { return p.Of[c] }}} {
		count := make([]int, size.Rows)
		for _, c := range queens {
			count[rule.of(c)]++
		}
		for i, n := range count {
			label := map[bool]string{true: board.RegionLabel(i), false: fmt.Sprint(i + 1)}[rule.name == "region"]
			if n != 1 {
				return &solvers.RuleError{Rule: rule.name, Detail: fmt.Sprintf("%s %s has %s, expected 1", rule.name, label, board.Count(n, "queen"))}
			}
		}
	}
	for i, a := range queens {
		for _, b := range queens[:i] {
			if down, across := size.Row(a)-size.Row(b), size.Col(a)-size.Col(b); down*down <= 1 && across*across <= 1 {
				return &solvers.RuleError{Rule: "touch", Detail: fmt.Sprintf("the queens at %s and %s touch", size.Name(b), size.Name(a))}
			}
		}
	}
	return nil
}
