package adrift

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Check tests the rules of the package comment. The error is a *solvers.RuleError. Check looks
// at the cube in space, so it finds the cells that touch with independent code: a mistake in
// the solver cannot hide.
func (s *Solution) Check() error {
	p := s.puzzle
	for i, pair := range p.ends {
		for _, c := range pair {
			if s.colour[c] != i {
				return solvers.Broken("ends", "%s is an end of %s, here it is %s", p.Name(c), p.Label(i), s.nameOf(c))
			}
		}
	}
	for c, k := range s.colour {
		if k == free {
			return solvers.Broken("cover", "no chain covers %s", p.Name(board.Cell(c)))
		}
	}
	touching := s.touching()
	if err := s.checkTouch(touching); err != nil {
		return err
	}
	return s.checkChains(touching)
}

// touching are, by cell, the cells of its colour that it touches; a stone has none.
func (s *Solution) touching() [][]int {
	places := make([][3]int, len(s.colour))
	for c := range places {
		places[c] = s.puzzle.inSpace(c)
	}
	touching := make([][]int, len(s.colour))
	for a := range s.colour {
		if s.colour[a] == stone {
			continue
		}
		for b := range s.colour {
			if a != b && s.colour[a] == s.colour[b] && squared(places[a], places[b]) <= 4 {
				touching[a] = append(touching[a], b)
			}
		}
	}
	return touching
}

// checkTouch tests the number of cells of its colour that each cell touches.
func (s *Solution) checkTouch(touching [][]int) error {
	p := s.puzzle
	for c, list := range touching {
		k := s.colour[c]
		if k == stone {
			continue
		}
		want, what := 2, "cell"
		if p.ends[k][0] == board.Cell(c) || p.ends[k][1] == board.Cell(c) {
			want, what = 1, "end"
		}
		if len(list) != want {
			return solvers.Broken("touch", "the %s %s of %s touches %d of its colour, expected %d", what, p.Name(board.Cell(c)), p.Label(k), len(list), want)
		}
	}
	return nil
}

// checkChains tests that every cell of a colour is connected to its first end.
func (s *Solution) checkChains(touching [][]int) error {
	p := s.puzzle
	reached := make([]bool, len(s.colour))
	var reach func(c int)
	reach = func(c int) {
		if !reached[c] {
			reached[c] = true
			for _, n := range touching[c] {
				reach(n)
			}
		}
	}
	for _, pair := range p.ends {
		reach(int(pair[0]))
	}
	for c, k := range s.colour {
		if k >= 0 && !reached[c] {
			return solvers.Broken("chain", "%s is not on the chain of %s from %s", p.Name(board.Cell(c)), p.Label(k), p.Name(p.ends[k][0]))
		}
	}
	return nil
}

// nameOf names the content of a cell, for people.
func (s *Solution) nameOf(c board.Cell) string {
	if k := s.colour[c]; k >= 0 {
		return s.puzzle.Label(k)
	}
	return "empty"
}

// inSpace is the middle of a cell on a cube with edges of length 2n: x to the right
// along the rows of the top, y to the front along its columns, z down. The left face
// is the front of the cube, the right one its right side with column 0 in front.
func (p *Puzzle) inSpace(c int) [3]int {
	n := p.side
	u, v := 2*(c%n)+1, 2*(c/n%n)+1
	switch c / (n * n) {
	case 0:
		return [3]int{u, v, 0}
	case 1:
		return [3]int{u, 2 * n, v}
	default:
		return [3]int{2 * n, 2*n - u, v}
	}
}

// squared is the square of a distance: 4 between neighbours on a face, 2
// between neighbours over an edge of the cube, more between all others.
func squared(a, b [3]int) int {
	d := 0
	for i := range a {
		d += (a[i] - b[i]) * (a[i] - b[i])
	}
	return d
}
