package adrift

import (
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Steps are the chains, each from its first end to the other. A chain of two
// ends side by side looks the same drawn or not: it counts as drawn as long as
// another one is missing.
func (s *Solution) Steps(drawn solvers.Solution) []solvers.Step {
	on, _ := drawn.(*Solution)
	paths := s.Paths()
	steps := make([]solvers.Step, len(paths))
	missing := false
	for i, path := range paths {
		steps[i] = solvers.Step{Text: s.puzzle.way(i, path), Cells: path}
		if on == nil || len(on.colour) != len(s.colour) {
			continue
		}
		steps[i].Drawn = !slices.ContainsFunc(path, func(c board.Cell) bool { return on.colour[c] != i })
		missing = missing || !steps[i].Drawn
	}
	if on != nil && !missing {
		for i := range steps {
			steps[i].Drawn = len(steps[i].Cells) > 2
		}
	}
	return steps
}

// way tells how a chain goes: its cells on each face, as row,column from 1, such
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
