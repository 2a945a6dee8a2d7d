package flow

import (
	"context"
	"errors"

	"tapwise/solvers"
	"tapwise/solvers/engine/csp"
)

// How the proofs search: what a variable keeps of its activity at each conflict, and the
// fewest conflicts between two restarts. The real game's boards of squares take 19.3 s so,
// and 20.7 s with the engine's own 0.9 and 16.
const (
	routingDecay    = 0.8
	routingRestarts = 10
)

// routings is a model of pipes that do not run beside themselves and may leave cells out:
// routings, of which those that are as short and as far to the top as can be are among its
// solutions. It is what proofs about solutions of another kind are made with.
//
// Where in a solution a pipe runs beside itself, a shortest way between its ends over the
// pipe's own cells leaves cells out. So if there is such a solution there is also a
// routing with a cell left out. Among all routings take one with the fewest cells used,
// and of those one with the smallest sum of the used cells' numbers. Where one of its pipes
// goes from x through u to y, and w is another neighbour of both with a smaller number than
// u, the pipe could as well go through w: so w is used (addPushed), and not by that pipe,
// since it does not run beside itself. Then w bends as u does, and so does the next
// cell on the diagonal as long as the numbers become smaller, up to an end: bends that come
// to none cannot be (addPushedBends). With all that it takes a hundredth of the time to
// prove that there is no routing with a cell left out as that there is no further solution.
//
// The model has no colours. With them it could say more, that no two neighbours of a cell
// left out belong to one pipe but around a corner; but it is searched with as many
// conflicts, each of which takes three times as long.
func (p *Puzzle) routings(seed uint64) (*model, error) {
	q := *p
	q.covering = false
	m, err := q.modelOf(csp.Config{Seed: seed, ActivityDecay: routingDecay, RestartInterval: routingRestarts}, false)
	if err != nil {
		return nil, err
	}
	m.AddClause(m.tidy)
	m.addTidy()
	m.addPushed()
	m.addPushedBends()
	return m, nil
}

// onlyNeat tries to prove that in every solution no pipe runs beside itself, by showing that
// no routing leaves a cell out. It reports true if it could.
func (p *Puzzle) onlyNeat(ctx context.Context, seed uint64) (bool, solvers.Stats, error) {
	m, err := p.routings(seed)
	if err != nil {
		return false, solvers.Stats{}, err
	}
	m.AddClause(m.unused()...)
	status := m.Solve(ctx)
	if status == csp.Unknown {
		return false, m.effort(), ctx.Err()
	}
	return status == csp.Infeasible, m.effort(), nil
}

// onlyRouting tries to prove that there is no solution but the one found, by showing that
// there is no other routing: in another solution either no pipe runs beside itself, and it is a
// routing, or there is one with a cell left out. It reports true if it could. The search for
// another routing takes turns with the list of classes of routings (package homotopy), which it
// returns if it was completed first, and is nil if not.
func (r *finder) onlyRouting(ctx context.Context, found *Solution) (only bool, all *routingClasses, err error) {
	m, err := r.routings(r.options.Seed)
	if err != nil {
		return false, nil, err
	}
	m.exclude(found)
	defer func() { r.stats = r.stats.Add(m.effort()) }()
	status, err := m.searchWithin(ctx, firstTurn)
	if status != csp.Unknown || err != nil {
		return status == csp.Infeasible, nil, err
	}
	classes, err := r.routingClasses()
	if err != nil {
		return false, nil, err
	}
	for turn := int64(firstTurn); turn <= lastTurn; turn *= 2 {
		if classes != nil {
			status, err := r.listWithin(ctx, classes, listShare*turn)
			switch {
			case err != nil:
				return false, nil, err
			case status == csp.Infeasible:
				return false, classes, nil
			case status == csp.Feasible:
				classes = nil
			}
		}
		status, err := m.searchWithin(ctx, turn)
		if status != csp.Unknown || err != nil {
			return status == csp.Infeasible, nil, err
		}
	}
	return false, nil, nil
}

// ofClasses searches in each of the classes of all routings, if they are known, for solutions
// but the one found, which may be nil, and yields them. It reports whether it came to an end:
// true also where it was told not to go on. If no class has another routing, there are none.
// Otherwise all classes are searched for pipes that cover the board, running beside themselves or not:
// those that do are not always of the class of the routing that they are shortened to.
func (r *finder) ofClasses(ctx context.Context, found *Solution, list *routingClasses) (bool, error) {
	if list == nil {
		return false, nil
	}
	classes := list.found
	if found != nil && !anyHas(classes, found) {
		return false, nil // so that a fault of the list proves nothing
	}
	only, err := r.onlyRoutingOf(ctx, found, classes)
	if only || err != nil {
		return only, err
	}
	several, enough := false, false
	for i, class := range classes {
		if class == nil {
			continue
		}
		m, err := r.model(r.options.Seed, r.canColor())
		if err != nil {
			return false, err
		}
		m.settle(class)
		m.exclude(found)
		status := csp.Feasible
		if !several { // from the first further solution on there is no other way to end
			status, err = m.searchWithin(ctx, routingConflicts)
		}
		if err == nil && status == csp.Feasible {
			several = true
			status = m.Enumerate(ctx, m.edges, func() bool {
				s := m.solution()
				enough = !anyHas(classes[:i], s) && !r.yield(s) // each once
				return !enough
			})
			if status == csp.Unknown {
				err = ctx.Err()
			}
		}
		r.stats = r.stats.Add(m.effort())
		if enough || err != nil || status == csp.Unknown {
			return enough, err
		}
	}
	return true, nil
}

// onlyRoutingOf reports whether it could prove that the solution found, which may be nil, is
// the only routing of the classes.
func (r *finder) onlyRoutingOf(ctx context.Context, found *Solution, classes []routingClass) (bool, error) {
	for _, class := range classes {
		if class == nil {
			continue
		}
		m, err := r.routings(r.options.Seed)
		if err != nil {
			return false, err
		}
		m.settleTidy(class)
		m.exclude(found)
		status, err := m.searchWithin(ctx, routingConflicts)
		r.stats = r.stats.Add(m.effort())
		if status != csp.Infeasible || err != nil {
			return false, err
		}
	}
	return true, nil
}

// searchWithin searches, or searches on, within a budget of conflicts.
func (m *model) searchWithin(ctx context.Context, conflicts int64) (csp.Status, error) {
	return statusWithin(ctx, conflicts, func(ctx context.Context) csp.Status { return m.Solve(ctx) })
}

// statusWithin is within for a search that returns a status.
func statusWithin(ctx context.Context, conflicts int64, search func(context.Context) csp.Status) (status csp.Status, err error) {
	_, err = within(ctx, conflicts, func(ctx context.Context) error {
		if status = search(ctx); status == csp.Unknown {
			return ctx.Err()
		}
		return nil
	})
	return status, err
}

// within searches within a budget of conflicts. That it is used up is no error; the search has not
// come to its end then.
func within(ctx context.Context, conflicts int64, search func(context.Context) error) (ended bool, err error) {
	bounded, release := csp.WithBudget(ctx, conflicts)
	defer release()
	err = search(bounded)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(bounded), csp.ErrBudget) {
		return false, nil
	}
	return err == nil, err
}

// routingProof tries to prove by routings that there is no other solution than the one found, or
// finds the others by classes of routings. It reports whether it listed the classes, and whether
// nothing is left to be done.
func (r *finder) routingProof(ctx context.Context, found *Solution) (listed, done bool, err error) {
	if found == nil || !r.covering {
		return false, false, nil
	}
	r.routed = true
	only, classes, err := r.onlyRouting(ctx, found)
	if only || classes == nil || err != nil {
		return false, only, err
	}
	done, err = r.ofClasses(ctx, found, classes)
	return true, done, err
}
