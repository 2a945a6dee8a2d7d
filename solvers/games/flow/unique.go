package flow

import (
	"context"
	"errors"

	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/csp/frontier"
)

// Whether there is another solution than the one found, a search for another routing, a
// count along a frontier and the search for all solutions can prove, and which is quickest
// varies a hundredfold between boards of a size. They take turns with growing budgets. The
// measures are of the real game's boards of 12×12 to 18×15.
const (
	// firstTurn is the conflicts of the first turn of the search for another routing, a tenth
	// of a second. It and the list of the classes of routings, which gets listShare times as many
	// conflicts, take turns then, with twice as many each time, up to lastTurn. Most boards
	// of the real game are proved in the first turn. With 2,000 to 20,000 conflicts those boards
	// take the same time together within a tenth; the slowest take the least with few.
	firstTurn = 4_000
	lastTurn  = 64_000
	listShare = 8
	// mostClasses is how many classes are looked into; most boards have one or two.
	mostClasses = 8
	// routingConflicts is the budget of the search for another routing of one class.
	// Boards wider than sweepWidth are searched for other tidy solutions before all that: with a
	// solution more, which most have that are not made to have one, three times the conflicts were
	// spent on 50×50.
	routingConflicts = 200_000
	// fewStates is the work of the first count, 5 to 15 ms: by itself it decides five boards in
	// six, and all that are narrower than 11 cells.
	fewStates = 100_000
	// proofConflicts is the budget of the search after it, about a second.
	proofConflicts = 40_000
	// manyStates is the work of the second count, 1 to 2 s. It decides most boards of
	// 15×15 on which the search comes to no end in minutes.
	manyStates = 10_000_000
	// sweepWidth is the most cells of the shorter side of a board for which a count is
	// tried: wider ones come to an end only when all but a few steps are forced.
	sweepWidth = 20
)

// rest yields all solutions but the one found first, which may be nil. untidy says that
// no solution is tidy.
func (r *finder) rest(ctx context.Context, found *Solution, untidy bool) error {
	if !r.covering && !r.options.Strict && found != nil {
		if done, err := r.uncovered(ctx, found); done || err != nil {
			return err
		}
	}
	if r.options.Strict || min(r.size.Rows, r.size.Cols) > sweepWidth {
		return r.others(ctx, found, untidy)
	}
	listed, done, err := r.routingProof(ctx, found)
	if done || err != nil {
		return err
	}
	if none, err := r.noMore(ctx, found, fewStates); none || err != nil {
		return err
	}
	another, decided, err := r.searchProof(ctx, found, untidy)
	switch {
	case err != nil || decided && another == nil:
		return err
	case decided && found == nil:
		if !r.yield(another) {
			return nil
		}
		return r.rest(ctx, another, untidy)
	case decided:
		return r.others(ctx, found, untidy)
	}
	if done, err := r.lastProofs(ctx, found, listed); done || err != nil {
		return err
	}
	return r.others(ctx, found, untidy)
}

// lastProofs is what is tried before the search that has no bound. It reports whether nothing is left
// to be done.
func (r *finder) lastProofs(ctx context.Context, found *Solution, listed bool) (done bool, err error) {
	if r.covering && !listed {
		classes, err := r.allClasses(ctx, routingConflicts)
		if err != nil {
			return false, err
		}
		if done, err := r.ofClasses(ctx, found, classes); done || err != nil {
			return done, err
		}
	}
	if found == nil {
		return false, nil
	}
	return r.noMore(ctx, found, manyStates)
}

// searchProof searches for another solution than the one found, which may be nil, within a budget.
// It returns nil if there is none, and whether it came to an end at all.
func (r *finder) searchProof(ctx context.Context, found *Solution, untidy bool) (another *Solution, decided bool, err error) {
	proof := *r
	proof.yield = func(s *Solution) bool {
		another = s
		return false
	}
	decided, err = within(ctx, proofConflicts, func(ctx context.Context) error { return proof.others(ctx, found, untidy) })
	r.stats = proof.stats
	if another != nil {
		return another, true, nil
	}
	return nil, decided, err
}

// noMore tries to prove by a count that there is no solution but the one found, which may
// be nil. It reports true if it could.
func (r *finder) noMore(ctx context.Context, found *Solution, states int64) (bool, error) {
	known := uint64(0)
	if found != nil {
		known = 1
	}
	m, err := r.model(r.options.Seed, r.canColor())
	if err != nil {
		return false, err
	}
	none := m.force(found) == csp.Infeasible
	r.stats = r.stats.Add(m.effort())
	if none {
		return true, nil // what was found would have been no solution of the model
	}
	g, orders := m.sweep()
	n, _, err := g.Count(ctx, frontier.Limits{Work: states, Enough: known + 1}, orders...)
	switch {
	case errors.Is(err, frontier.ErrTooWide):
		return false, nil
	case err != nil:
		return false, err
	}
	return n.Uint64() <= known, nil
}

// force draws the steps that all solutions take, and rules out those that none takes, as
// far as what follows from each step by itself shows. What the solution found takes, if
// there is one, is not tried: nothing contradicts it. It returns csp.Infeasible when it
// finds that there is no solution.
func (m *model) force(found *Solution) csp.Status {
	var on []bool
	if found != nil {
		on = m.taken(found)
	}
	for again := true; again; {
		again = false
		if m.Propagate() == csp.Infeasible {
			return csp.Infeasible
		}
		for i, edge := range m.edges {
			for _, literal := range []csp.BoolVar{edge, edge.Not()} {
				if on != nil && on[i] == (literal == edge) {
					continue
				}
				if _, known := m.Fixed(edge); !known && !m.Probe(literal) {
					again = true
				}
			}
		}
	}
	return csp.Unknown
}
