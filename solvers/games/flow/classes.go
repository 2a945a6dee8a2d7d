package flow

import (
	"context"
	"errors"
	"slices"

	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/csp/homotopy"
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
	found []routingClass
}

// routingClass tells by cell which pipe is on it in all routings of a class, or -1. It is nil if
// there are no such routings.
type routingClass []int

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
	defer func() { r.stats = r.stats.Add(since(before, effortOf(list.Stats()))) }()
	return statusWithin(ctx, conflicts, func(ctx context.Context) csp.Status {
		for {
			cuts, status := list.Next(ctx)
			if status != csp.Feasible || len(list.found) == mostClasses {
				return status
			}
			list.found = append(list.found, r.classOf(cuts))
		}
	})
}

// classOf is a class by its cuts: the ends are known, and along a cut with no room left the pipes
// that cross it. Two pipes on one cell, or one on the wall, are no routing.
func (p *Puzzle) classOf(cuts []homotopy.Cut) routingClass {
	pipes := slices.Clone(p.pipe)
	for _, cut := range cuts {
		if !cut.Full() {
			continue
		}
		for i, cells := range cut.Cells() {
			for _, at := range cells {
				c := p.size.At(at.Y, at.X)
				if c == board.None || pipes[c] >= 0 && pipes[c] != cut.Pairs[i] {
					return nil
				}
				pipes[c] = cut.Pairs[i]
			}
		}
	}
	return pipes
}

// has reports whether a solution has the pipes on the cells that are known of a class.
func (class routingClass) has(s *Solution) bool {
	for c, pipe := range class {
		if pipe >= 0 && s.pipe[c] != pipe {
			return false
		}
	}
	return class != nil
}

// anyHas reports whether a solution is of one of the classes.
func anyHas(classes []routingClass, s *Solution) bool {
	return slices.ContainsFunc(classes, func(class routingClass) bool { return class.has(s) })
}

// settle states which pipes are on cells, as far as a class tells. They may run beside
// themselves.
func (m *model) settle(class routingClass) {
	for i, e := range m.graph {
		if a, b := class[m.cells[e.A]], class[m.cells[e.B]]; a >= 0 && b >= 0 && a != b {
			m.AddClause(m.edges[i].Not())
		}
	}
	if !m.colored {
		return
	}
	for v, c := range m.cells {
		if class[c] >= 0 {
			m.AddClause(m.colors.Color(v, class[c]))
		}
	}
}

// settleTidy is settle in a model of tidy pipes: between two cells of one pipe is a step, for
// it does not run beside itself, and all cells that are known are used.
func (m *model) settleTidy(class routingClass) {
	m.settle(class)
	for i, e := range m.graph {
		if a, b := class[m.cells[e.A]], class[m.cells[e.B]]; a >= 0 && a == b {
			m.AddClause(m.edges[i])
		}
	}
	for v, steps := range m.steps() {
		if class[m.cells[v]] >= 0 {
			var used []csp.BoolVar
			for _, s := range steps {
				used = append(used, m.edges[s.edge])
			}
			m.AddClause(used...)
		}
	}
}
