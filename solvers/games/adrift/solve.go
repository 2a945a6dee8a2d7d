package adrift

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine"
	"tapwise/solvers/engine/csp"
)

// Solve finds a solution, or fails with solvers.ErrNoSolution when there is
// provably none (with the reason in words, when there is a short one), or with
// the context's error.
func (p *Puzzle) Solve(ctx context.Context) (solvers.Solution, error) {
	s, err := solvers.SolveFirst(ctx, p)
	if errors.Is(err, solvers.ErrNoSolution) {
		return nil, solvers.NoSolution(p.reason())
	}
	return s, err
}

// Enumerate lists the solutions, which are not lists of moves.
func (p *Puzzle) Enumerate(ctx context.Context, o solvers.EnumerateOptions, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	return p.enumerate(ctx, o, func(s *Solution) bool { return yield(s) })
}

func (p *Puzzle) enumerate(ctx context.Context, o solvers.EnumerateOptions, yield func(*Solution) bool) (solvers.Stats, error) {
	m, err := p.model()
	if err != nil {
		return solvers.Stats{}, err
	}
	return engine.Enumerate(ctx, o, m.Model, m.edges, m.solution, yield)
}

// model is a puzzle as constraints.
type model struct {
	*csp.Model
	puzzle *Puzzle
	cells  []board.Cell // by node
	edges  []csp.BoolVar
	colour csp.PathColors
}

func (p *Puzzle) model() (*model, error) {
	m := &model{Model: csp.NewModel(csp.Config{}), puzzle: p}
	node := make([]int, p.cells())
	for c := range board.Cell(p.cells()) {
		if !p.Stone(c) {
			node[c] = len(m.cells)
			m.cells = append(m.cells, c)
		}
	}
	paths := csp.Paths{Nodes: len(m.cells), Colors: true, Chordless: m.NewBoolVar()}
	m.AddClause(paths.Chordless)
	for _, c := range m.cells {
		for _, n := range p.neighbours(c) {
			if n > c && !p.Stone(n) {
				paths.Edges = append(paths.Edges, csp.PathEdge{A: node[c], B: node[n]})
			}
		}
	}
	m.edges = m.NewBoolVars(len(paths.Edges))
	for i, literal := range m.edges {
		paths.Edges[i].Literal = literal
	}
	for _, pair := range p.ends {
		paths.Pairs = append(paths.Pairs, [2]int{node[pair[0]], node[pair[1]]})
	}
	var err error
	m.colour, err = m.AddPaths(paths)
	return m, err
}

// solution reads the solution found last.
func (m *model) solution() *Solution {
	s := &Solution{puzzle: m.puzzle, colour: make([]int, m.puzzle.cells())}
	for c := range s.colour {
		s.colour[c] = stone
	}
	for v, c := range m.cells {
		for k := range m.puzzle.ends {
			if m.Value(m.colour.Color(v, k)) {
				s.colour[c] = k
			}
		}
	}
	return s
}

// reason is a short reason why there is no solution, empty when none is found.
func (p *Puzzle) reason() string {
	part, hasEnd := p.parts()
	for i, pair := range p.ends {
		if part[pair[0]] != part[pair[1]] {
			return fmt.Sprintf("the ends of %s are cut off from each other", p.Label(i))
		}
	}
	for c := range board.Cell(p.cells()) {
		if p.Stone(c) {
			continue
		}
		if !hasEnd[part[c]] {
			return fmt.Sprintf("no chain can reach %s", p.Name(c))
		}
		switch ways := p.ways(c); {
		case p.colour[c] == free && ways < 2:
			return fmt.Sprintf("no chain can pass through %s, which has one way in only", p.Name(c))
		case p.colour[c] >= 0 && ways == 0:
			return fmt.Sprintf("the end of %s at %s has no way out", p.Label(p.colour[c]), p.Name(c))
		}
	}
	return ""
}

// parts are the connected components of the cells without stones: by cell, the
// first cell of its part, and by that, whether there is an end on the part.
func (p *Puzzle) parts() (part []board.Cell, hasEnd map[board.Cell]bool) {
	part = slices.Repeat([]board.Cell{board.None}, p.cells())
	hasEnd = map[board.Cell]bool{}
	for first := range board.Cell(p.cells()) {
		if p.Stone(first) || part[first] != board.None {
			continue
		}
		part[first] = first
		for list := []board.Cell{first}; len(list) > 0; {
			c := list[len(list)-1]
			list = list[:len(list)-1]
			hasEnd[first] = hasEnd[first] || p.colour[c] >= 0
			for _, n := range p.neighbours(c) {
				if !p.Stone(n) && part[n] == board.None {
					part[n] = first
					list = append(list, n)
				}
			}
		}
	}
	return part, hasEnd
}

// ways is the number of neighbours that a chain through a cell may step to.
func (p *Puzzle) ways(c board.Cell) int {
	ways := 0
	for _, n := range p.neighbours(c) {
		if k := p.colour[n]; k != stone && (k == free || p.colour[c] == free || k == p.colour[c]) {
			ways++
		}
	}
	return ways
}
