package zip

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Check tests the rules of the package comment. The error is a *solvers.RuleError.
func (s *Solution) Check() error {
	size, path := s.Size, s.Path()
	if len(path) < len(s.Order) {
		return solvers.Broken("cover", "no one cell is number %d of the path, expected %d cells", len(path)+1, len(s.Order))
	}
	number := map[board.Cell]int{}
	for i, c := range s.Stops {
		number[c] = i + 1
	}
	next := 1
	for i, c := range path {
		switch n := number[c]; {
		case n == next:
			next++
		case n > 0 || i == 0:
			return solvers.Broken("numbers", "the path comes to %s before %d", size.Name(c), next)
		}
		if i == 0 {
			continue
		}
		before := path[i-1]
		down, across := size.Row(c)-size.Row(before), size.Col(c)-size.Col(before)
		if down*down+across*across != 1 {
			return solvers.Broken("step", "the path leaps from %s to %s", size.Name(before), size.Name(c))
		}
		for _, w := range s.Walls {
			if w.A == min(c, before) && w.B == max(c, before) {
				return solvers.Broken("wall", "a wall is between %s and %s", size.Name(before), size.Name(c))
			}
		}
	}
	if last := path[len(path)-1]; number[last] != len(s.Stops) {
		return solvers.Broken("numbers", "the path ends at %s, expected %d there", size.Name(last), len(s.Stops))
	}
	return nil
}
