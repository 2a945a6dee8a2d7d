package flow

import (
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Steps are the pipes, each from its first end to the other.
func (s *Solution) Steps(drawn solvers.Solution) []solvers.Step {
	paths := s.Paths()
	text := func(i int) string { return s.puzzle.way(i, paths[i]) }
	on, _ := drawn.(*Solution)
	if on == nil || len(on.pipe) != len(s.pipe) {
		return solvers.PathSteps(paths, text, nil)
	}
	return solvers.PathSteps(paths, text, func(i int) bool {
		return !slices.ContainsFunc(paths[i], func(c board.Cell) bool {
			return s.puzzle.kind[c] == plain && on.pipe[c] != i
		})
	})
}

// way describes a pipe, such as "pipe R from row 1 column 1: down 3, right
// to row 4 column 2".
func (p *Puzzle) way(pipe int, path []board.Cell) string {
	names := []string{"up", "right", "down", "left"}
	if p.topology == Hex {
		names = []string{"up", "up right", "down right", "down", "down left", "up left"}
	}
	var runs []string
	for k := 1; k < len(path); {
		d := p.towards(path[k-1], path[k])
		n := 1
		for k+n < len(path) && p.towards(path[k+n-1], path[k+n]) == d {
			n++
		}
		run := names[d]
		if n > 1 {
			run += fmt.Sprintf(" %d", n)
		}
		runs = append(runs, run)
		k += n
	}
	return fmt.Sprintf("pipe %s from %s: %s to %s", p.labels[pipe], p.size.Name(path[0]), strings.Join(runs, ", "), p.size.Name(path[len(path)-1]))
}

// towards is the direction from a cell to a neighbour.
func (p *Puzzle) towards(from, to board.Cell) board.Dir {
	for d := range board.Dir(p.Dirs()) {
		if p.Neighbour(from, d) == to {
			return d
		}
	}
	return board.North // they are no neighbours: no path leads so
}

// Part is the solution with some of its pipes only.
func (s *Solution) Part(pipes []int) solvers.Solution {
	part := &Solution{puzzle: s.puzzle, pipe: slices.Clone(s.pipe)}
	for c, i := range part.pipe {
		if !slices.Contains(pipes, i) {
			part.pipe[c] = -1
		}
	}
	return part
}
