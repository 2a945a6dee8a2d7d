package grid

import (
	"context"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine"
	"tapwise/solvers/engine/csp"
)

// OneEach is a puzzle whose solutions are cells, exactly one of each unit, and no two of
// some pairs: units are rows, columns, regions.
type OneEach struct {
	Cells int
	Units [][]int // by kind of unit, and by cell: the number of the cell's unit; each kind has as many units
	// Apart reports whether two cells of different units must not both be chosen.
	Apart func(a, b board.Cell) bool
}

// members are the cells of each unit of each kind, and by cell those that are apart from it.
func (o OneEach) members() (units, apart [][]board.Cell) {
	for _, kind := range o.Units {
		first := len(units)
		for c, u := range kind {
			for first+u >= len(units) {
				units = append(units, nil)
			}
			units[first+u] = append(units[first+u], board.Cell(c))
		}
	}
	apart = make([][]board.Cell, o.Cells)
	for b := range board.Cell(o.Cells) {
		for a := range board.Cell(o.Cells) {
			if a != b && o.Apart(a, b) {
				apart[b] = append(apart[b], a)
			}
		}
	}
	return units, apart
}

// Enumerate lists the solutions, each made of its cells.
func (o OneEach) Enumerate(ctx context.Context, options solvers.EnumerateOptions, solution func(chosen []board.Cell) solvers.Solution, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	m := csp.NewModel(csp.Config{})
	at := m.NewBoolVars(o.Cells)
	units, apart := o.members()
	for _, cells := range units {
		var literals []csp.BoolVar
		for _, c := range cells {
			literals = append(literals, at[c])
		}
		m.AddExactlyOne(literals...)
	}
	for b, others := range apart {
		for _, a := range others {
			if int(a) < b {
				m.AddAtMostOne(at[a], at[b])
			}
		}
	}
	return engine.Enumerate(ctx, options, m, at, func() solvers.Solution {
		var chosen []board.Cell
		for c, literal := range at {
			if m.Value(literal) {
				chosen = append(chosen, board.Cell(c))
			}
		}
		return solution(chosen)
	}, yield)
}
