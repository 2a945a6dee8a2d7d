package flow

import (
	"context"
	"math/big"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/engine"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/csp/frontier"
)

// Count returns the number of solutions, exactly, without listing them. It fails with
// solvers.ErrNotCounted if there are too many different ways to begin, or with the context's
// error.
func (p *Puzzle) Count(ctx context.Context, patient bool) (*big.Int, solvers.Stats, error) {
	began := time.Now()
	if p.tidy {
		return nil, solvers.Stats{}, solvers.ErrNotCounted // it is no matter of edges alone
	}
	m, err := p.model(0, p.canColor())
	if err != nil {
		return nil, solvers.Stats{}, err
	}
	if m.force(nil) == csp.Infeasible {
		return new(big.Int), solvers.Stats{Seconds: time.Since(began).Seconds()}, nil
	}
	g, orders := m.sweep()
	n, s, err := g.Count(ctx, frontier.Limits{States: frontier.StatesFor(patient)}, orders...)
	return n, solvers.Stats{Seconds: time.Since(began).Seconds(), Nodes: s.States}, engine.NotCounted(err)
}

// sweep is the model as a graph to be counted along a frontier that sweeps over the
// board, line by line along the shorter side, with what is certain already: the edges
// that are used or ruled out, and the pipes that may go through a node.
func (m *model) sweep() (g frontier.Graph, orders [][]int) {
	p := m.puzzle
	g = frontier.Graph{Nodes: len(m.cells), Pairs: m.pairs}
	if !p.covering {
		g.Optional = make([]bool, g.Nodes)
		for v := range g.Optional {
			g.Optional[v] = !m.end[v]
		}
	}
	for i, e := range m.graph {
		if value, known := m.Fixed(m.edges[i]); !known || value {
			g.Edges = append(g.Edges, [2]int{e.A, e.B})
			g.Used = append(g.Used, known)
		}
	}
	if m.colored {
		g.Allowed = make([]uint64, g.Nodes)
		for v := range g.Allowed {
			for k := range m.pairs {
				if possible, known := m.Fixed(m.colors.Color(v, k)); possible || !known {
					g.Allowed[v] |= 1 << k
				}
			}
		}
	}
	rows := g.InOrder(func(node int) int { return int(m.cells[node]) })
	columns := g.InOrder(func(node int) int {
		return p.size.Col(m.cells[node])*p.size.Rows + p.size.Row(m.cells[node])
	})
	switch {
	case p.size.Rows*muchLonger > p.size.Cols*muchLongerThan:
		return g, [][]int{rows}
	case p.size.Cols*muchLonger > p.size.Rows*muchLongerThan:
		return g, [][]int{columns}
	}
	return g, [][]int{rows, columns}
}

// A side that is longer than the other by more than this fraction is not worth a sweep
// along it: the states grow threefold with each cell of width.
const (
	muchLonger     = 4
	muchLongerThan = 5
)
