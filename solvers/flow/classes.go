package flow

import (
	"context"
	"errors"
	"slices"

	"tapwise/solvers/board"
	"tapwise/solvers/csp"
	"tapwise/solvers/csp/homotopy"
)

// classes is the board as homotopy sees it: the cells that pipes join. Walls and holes only
// take room away. It reports false for boards whose pipes do not lie in a plane of squares.
func (p *Puzzle) classes() (homotopy.Board, bool) {
	if p.topology != Square || slices.Contains(p.kind, bridge) {
		return homotopy.Board{}, false
	}
	b := homotopy.Board{Rows: p.size.Rows, Cols: p.size.Cols}
	for _, pair := range p.ends {
		b.Pairs = append(b.Pairs, [2]homotopy.Point{p.point(pair[0]), p.point(pair[1])})
	}
	return b, true
}

func (p *Puzzle) point(c board.Cell) homotopy.Point {
	return homotopy.Point{X: p.size.Col(c), Y: p.size.Row(c)}
}

// routingClasses is the list of the classes of a board's routings.
type routingClasses struct {
	*homotopy.Classes
	found [][]homotopy.Cut
}

// routingClasses begins the list. It is nil for boards whose pipes do not lie in a plane of
// squares, and for those that are too large.
func (r *finder) routingClasses() (*routingClasses, error) {
	b, planar := r.classes()
	if !planar {
		return nil, nil
	}
	list, err := b.Classes(csp.Config{Seed: r.options.Seed})
	switch {
	case errors.Is(err, homotopy.ErrTooLarge):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &routingClasses{Classes: list}, nil
}

// allClasses lists the classes within a budget of conflicts. It is nil if it could not, or if there
// are more than of use.
func (r *finder) allClasses(ctx context.Context, conflicts int64) (*routingClasses, error) {
	list, err := r.routingClasses()
	if list == nil || err != nil {
		return nil, err
	}
	if status, err := r.listWithin(ctx, list, conflicts); status != csp.Infeasible || err != nil {
		return nil, err
	}
	return list, nil
}

// listWithin goes on with the list within a budget of conflicts. It returns csp.Infeasible when all
// classes are found, csp.Feasible when there are more than of use, and csp.Unknown.
func (r *finder) listWithin(ctx context.Context, list *routingClasses, conflicts int64) (csp.Status, error) {
	before := effortOf(list.Stats())
	defer func() {
		after := effortOf(list.Stats())
		r.stats.Nodes += after.Nodes - before.Nodes
		r.stats.Conflicts += after.Conflicts - before.Conflicts
	}()
	return within(ctx, conflicts, func(ctx context.Context) csp.Status {
		for {
			cuts, status := list.Next(ctx)
			if status != csp.Feasible || len(list.found) == mostClasses {
				return status
			}
			list.found = append(list.found, cuts)
		}
	})
}

// known tells by cell which pipe is on it in all routings of a class, or -1: the ends', and
// along a cut with no room left those that cross it. It reports false if there are no such
// routings, since two pipes would be on one cell, or one on the wall.
func (p *Puzzle) known(class []homotopy.Cut) (pipes []int, routable bool) {
	ends := map[homotopy.Point]bool{}
	for _, pair := range p.ends {
		ends[p.point(pair[0])], ends[p.point(pair[1])] = true, true
	}
	pipes = slices.Clone(p.pipe)
	for _, cut := range class {
		if !cut.Full() {
			continue
		}
		for i, cells := range cut.Cells(ends) {
			for _, at := range cells {
				c := p.size.At(at.Y, at.X)
				if c == board.None || pipes[c] >= 0 && pipes[c] != cut.Pairs[i] {
					return nil, false
				}
				pipes[c] = cut.Pairs[i]
			}
		}
	}
	return pipes, true
}

// isOf reports whether a solution has the pipes on the cells that are known of a class.
func (s *Solution) isOf(class []homotopy.Cut) bool {
	pipes, routable := s.puzzle.known(class)
	for c, pipe := range pipes {
		if pipe >= 0 && s.pipe[c] != pipe {
			return false
		}
	}
	return routable
}

// settle states in a model of tidy pipes which pipes are on cells, where they are not -1.
// Between two such cells is a step where they are on one pipe, for it does not run beside
// itself, and none where they are on two.
func (m *model) settle(pipes []int) {
	for i, e := range m.graph {
		a, b := pipes[m.cells[e.A]], pipes[m.cells[e.B]]
		switch {
		case a < 0 || b < 0:
		case a == b:
			m.AddClause(m.edges[i])
		default:
			m.AddClause(m.edges[i].Not())
		}
	}
	for v, steps := range m.steps() {
		if pipes[m.cells[v]] >= 0 {
			var used []csp.BoolVar
			for _, s := range steps {
				used = append(used, m.edges[s.edge])
			}
			m.AddClause(used...)
		}
	}
}

// settleColors states which pipes are on cells, where they are not -1. They may run beside
// themselves.
func (m *model) settleColors(pipes []int) {
	for i, e := range m.graph {
		if a, b := pipes[m.cells[e.A]], pipes[m.cells[e.B]]; a >= 0 && b >= 0 && a != b {
			m.AddClause(m.edges[i].Not())
		}
	}
	if !m.colored {
		return
	}
	for v, c := range m.cells {
		if pipes[c] >= 0 {
			m.AddClause(m.colors.Color(v, pipes[c]))
		}
	}
}
