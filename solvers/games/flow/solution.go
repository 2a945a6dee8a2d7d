package flow

import (
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Solution is somebody's claim of how the pipes run. It may break the rules.
type Solution struct {
	puzzle *Puzzle
	pipe   []int          // by cell: the pipe on it, or -1; bridges and holes have -1
	paths  [][]board.Cell // by pipe, end to end; nil when only the cells' pipes are known
}

// newSolution makes a solution of the pipes' cells from end to end, bridges
// included.
func newSolution(p *Puzzle, paths [][]board.Cell) *Solution {
	s := &Solution{puzzle: p, pipe: make([]int, p.size.Cells()), paths: paths}
	for i := range s.pipe {
		s.pipe[i] = -1
	}
	for i, path := range paths {
		for _, c := range path {
			if p.kind[c] == plain {
				s.pipe[c] = i
			}
		}
	}
	return s
}

// ParseSolution reads a solution as String writes it.
func (p *Puzzle) ParseSolution(text string) (solvers.Solution, error) {
	text = strings.TrimRight(text, "\n")
	if p.form.style == packStyle {
		return p.parsePackSolution(text)
	}
	s := &Solution{puzzle: p, pipe: make([]int, p.size.Cells())}
	lines := strings.Split(text, "\n")
	if len(lines) != p.size.Rows {
		return nil, fmt.Errorf("flow: the solution has %s, expected %d", board.Count(len(lines), "row"), p.size.Rows)
	}
	for r, line := range lines {
		cells := p.form.style.cells(line)
		if len(cells) != p.size.Cols {
			return nil, fmt.Errorf("flow: solution line %d has %s, expected %d", r+1, board.Count(len(cells), "cell"), p.size.Cols)
		}
		for c, label := range cells {
			cell := p.size.At(r, c)
			s.pipe[cell] = -1
			expected := ""
			switch p.kind[cell] {
			case hole:
				expected = holeText
			case bridge:
				expected = bridgeText
			}
			if expected != "" && label != expected {
				return nil, fmt.Errorf("flow: solution %s: %q, expected %q as in the puzzle", p.size.Name(cell), label, expected)
			}
			if expected != "" || label == p.form.style.empty() {
				continue
			}
			i := slices.Index(p.labels, label)
			if i < 0 {
				return nil, fmt.Errorf("flow: solution %s: %q, which is no pipe of the puzzle", p.size.Name(cell), label)
			}
			s.pipe[cell] = i
		}
	}
	return s, nil
}

// parsePackSolution reads the level's line with the solution's paths.
func (p *Puzzle) parsePackSolution(line string) (solvers.Solution, error) {
	q, err := Parse(line)
	if err != nil {
		return nil, fmt.Errorf("solution: %w", err)
	}
	if q.form.style != packStyle || !slices.Equal(q.form.header, p.form.header) {
		return nil, fmt.Errorf("flow: the solution is not of this level, expected a line that begins with %q", strings.Join(p.form.header, ","))
	}
	return newSolution(p, q.form.paths), nil
}

// String is the solution in the puzzle's notation.
func (s *Solution) String() string {
	if s.puzzle.form.style == packStyle {
		return s.puzzle.packString(s.paths)
	}
	return s.puzzle.cellsString(s.pipe)
}

// Paths are the cells of each pipe from end to end, bridges included; nil for a
// solution whose cells do not form pipes.
func (s *Solution) Paths() [][]board.Cell {
	if s.paths != nil {
		return s.paths
	}
	paths, err := s.trace()
	if err != nil {
		return nil
	}
	return paths
}
