package adrift

import (
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Steps are the chains, each from its first end to the other.
func (s *Solution) Steps(drawn solvers.Solution) []solvers.Step {
	paths := s.Paths()
	text := func(i int) string { return s.puzzle.way(i, paths[i]) }
	on, _ := drawn.(*Solution)
	if on == nil || len(on.colour) != len(s.colour) {
		return solvers.PathSteps(paths, text, nil)
	}
	return solvers.PathSteps(paths, text, func(i int) bool {
		return !slices.ContainsFunc(paths[i], func(c board.Cell) bool { return on.colour[c] != i })
	})
}

// way describes a chain: its cells on each face, as row,column from 1, such
// as "chain R: top 3,1, left 1,1 2,1".
func (p *Puzzle) way(colour int, path []board.Cell) string {
	var parts []string
	last := -1
	for _, c := range path {
		face, row, col := p.place(c)
		at := fmt.Sprintf("%d,%d", row+1, col+1)
		if face == last {
			parts[len(parts)-1] += " " + at
		} else {
			parts = append(parts, faceName(face)+" "+at)
		}
		last = face
	}
	return fmt.Sprintf("chain %s: %s", p.Label(colour), strings.Join(parts, ", "))
}
