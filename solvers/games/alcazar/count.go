package alcazar

import (
	"context"
	"math/big"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine"
	"tapwise/solvers/engine/csp/frontier"
)

// Count returns the number of solutions, exactly, without listing them. It fails with
// solvers.ErrNotCounted if there are too many different ways to begin, or with the context's
// error.
func (p *Puzzle) Count(ctx context.Context, patient bool) (*big.Int, solvers.Stats, error) {
	began := time.Now()
	if p.hopeless() != "" {
		return new(big.Int), solvers.Stats{Seconds: time.Since(began).Seconds()}, nil
	}
	g, orders := p.sweep()
	n, s, err := g.Count(ctx, frontier.Limits{States: frontier.StatesFor(patient)}, orders...)
	return n, solvers.Stats{Seconds: time.Since(began).Seconds(), Nodes: s.States}, engine.NotCounted(err)
}

// sweep is the puzzle as a graph to be counted along a frontier, row by row and column
// by column: a solution is a closed path through all rooms and the outside.
func (p *Puzzle) sweep() (g frontier.Graph, orders [][]int) {
	node := p.nodes()
	outside := len(p.rooms)
	g = frontier.Graph{Nodes: len(p.rooms) + 1, Pairs: [][2]int{{outside, outside}}}
	for _, c := range p.rooms {
		for _, d := range []board.Dir{board.East, board.South} {
			if n := p.neighbour(c, d); n != board.None && p.Open(c, d) {
				g.Edges = append(g.Edges, [2]int{node[c], node[n]})
			}
		}
	}
	surplus := p.surplus()
	for _, o := range p.Openings() {
		// With one room more of a colour the path begins and ends in rooms of that
		// colour.
		if surplus == 0 || p.light(o.Room) == (surplus > 0) {
			g.Edges = append(g.Edges, [2]int{node[o.Room], outside})
		}
	}
	// The outside comes with the first opening, whatever its rank.
	last := p.size.Cells()
	rows := g.InOrder(func(v int) int {
		if v == outside {
			return last
		}
		return int(p.rooms[v])
	})
	columns := g.InOrder(func(v int) int {
		if v == outside {
			return last
		}
		return p.size.Col(p.rooms[v])*p.size.Rows + p.size.Row(p.rooms[v])
	})
	return g, [][]int{rows, columns}
}
