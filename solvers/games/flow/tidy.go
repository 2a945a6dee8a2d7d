package flow

import (
	"context"
	"slices"

	"tapwise/solvers/engine/csp"
)

// Whether there is another solution when cells may be left out, routings decide as well. Take
// any solution that is not a routing as routings describes them: one of its pipes can be
// shortened over its own cells, or pushed to an unused cell of smaller number. Doing so as long as
// it goes comes to a routing, since the number of used cells and then the sum of their numbers
// become smaller each time. So if the only routing is the one found, every solution comes to it;
// the last change on the way changed one pipe of it, over that pipe's own cells and those that are
// unused. Without such another way for any of its pipes there is no other solution (anotherWay).

// otherRoutings is the budget of the search for another routing. Six boards of contests
// take up to 45,000 conflicts; a search for all solutions comes to no end on half of them.
const otherRoutings = 1_000_000

// another looks by routings for a solution besides the one found, of a board that need not be
// covered. It returns nil if it found none, and whether it proved that there is none.
func (r *finder) another(ctx context.Context, m *model, found *Solution) (other *Solution, none bool, err error) {
	if other := m.anotherWay(found, false); other != nil {
		return other, false, nil
	}
	m.exclude(found)
	status, err := m.searchWithin(ctx, otherRoutings)
	r.stats = r.stats.Add(m.effort())
	if status == csp.Feasible {
		return m.solution(), false, err
	}
	return nil, status == csp.Infeasible, err
}

// uncovered yields another solution than the one found, of a board that need not be covered, and
// then all the rest if there is one. It reports whether nothing is left to be done.
func (r *finder) uncovered(ctx context.Context, found *Solution) (done bool, err error) {
	m, err := r.routings(r.options.Seed)
	if err != nil {
		return false, err
	}
	other, none, err := r.another(ctx, m, found)
	switch {
	case none || err != nil:
		return true, err
	case other == nil:
		return false, nil
	case !r.yield(other):
		return true, nil
	}
	return true, r.others(ctx, found, false, other)
}

// runTidy yields the tidy solutions.
func (r *finder) runTidy(ctx context.Context) error {
	known, more, err := r.firstTidy(ctx)
	if !more || err != nil {
		return err
	}
	// In none does a pipe run beside itself, or twice beside one unused cell but around a corner.
	m, err := r.modelOf(csp.Config{Seed: r.options.Seed}, !r.covering && r.canColor())
	if err != nil {
		return err
	}
	defer func() { r.stats = r.stats.Add(m.effort()) }()
	m.AddClause(m.tidy)
	m.addTidy()
	if m.colored {
		m.AddClause(m.neat)
		m.addCorners(false)
	}
	for _, s := range known {
		m.exclude(s)
	}
	_, err = m.each(ctx, m.True(), func(s *Solution) bool {
		return m.shortened(s) != s || r.yield(s)
	})
	return err
}

// firstTidy yields a tidy solution, and looks for another one where cells may be left out. It
// returns those that it yielded, and whether there may be more and they are wanted.
func (r *finder) firstTidy(ctx context.Context) (known []*Solution, more bool, err error) {
	found, _, err := r.first(ctx)
	if found == nil && err == nil && !r.covering {
		found, err = r.routing(ctx, r.options, &r.stats)
		more = found != nil // else there is none at all
	}
	if found == nil || err != nil {
		return nil, err == nil && (more || r.covering), err
	}
	m, err := r.routings(r.options.Seed)
	if err != nil {
		return nil, false, err
	}
	tidy := m.shortened(found)
	if r.covering && tidy != found {
		return nil, true, nil
	}
	known = append(known, tidy)
	if !r.yield(tidy) || r.covering {
		return known, r.covering, nil
	}
	other, none, err := r.another(ctx, m, tidy)
	if none || err != nil {
		return known, false, err
	}
	for _, s := range []*Solution{m.anotherWay(tidy, true), other} {
		if s == nil {
			continue
		}
		s = m.shortened(s)
		if !slices.ContainsFunc(known, func(k *Solution) bool { return k.String() == s.String() }) {
			known = append(known, s)
			if !r.yield(s) {
				return known, false, nil
			}
		}
	}
	return known, true, nil
}

// shortened is a solution with pipes shortened over their own and unused nodes until no further
// one can be: the solution itself when it is tidy.
func (m *model) shortened(s *Solution) *Solution {
	paths, steps := m.walk(m.taken(s)), m.steps()
	changed := false
	for again := true; again; {
		again = false
		for i, path := range paths {
			if short := m.way(steps, paths, i, nil); len(short) < len(path) {
				paths[i], again, changed = short, true, true
			}
		}
	}
	if !changed {
		return s
	}
	return m.drawn(paths)
}

// anotherWay is a solution that differs in one pipe, which goes over nodes of its own and unused
// ones, if there is one; as short, if that is asked for. Of a way other than the pipe's, the pipe
// has a step that it has not: so it is enough to look without each of its steps for the shortest.
func (m *model) anotherWay(s *Solution, asShort bool) *Solution {
	paths, steps := m.walk(m.taken(s)), m.steps()
	for i, path := range paths {
		for k := range path[1:] {
			way := m.way(steps, paths, i, path[k:k+2])
			if way != nil && (!asShort || len(way) == len(path)) {
				paths[i] = way
				return m.drawn(paths)
			}
		}
	}
	return nil
}

// way is a shortest way between the ends of a path over its own nodes and those on none of the
// paths, without the step between two nodes; nil if there is none.
func (m *model) way(steps [][]step, paths [][]int, i int, without []int) []int {
	const no, unseen = -2, -1
	before := slices.Repeat([]int{unseen}, len(m.cells)) // by node: the one before it on the way
	for k, path := range paths {
		for _, v := range path {
			if k != i {
				before[v] = no
			}
		}
	}
	from, to := paths[i][0], paths[i][len(paths[i])-1]
	before[from] = from
	for reached := []int{from}; len(reached) > 0 && before[to] == unseen; reached = reached[1:] {
		v := reached[0]
		for _, s := range steps[v] {
			if before[s.to] == unseen && !(slices.Contains(without, v) && slices.Contains(without, s.to)) {
				before[s.to] = v
				reached = append(reached, s.to)
			}
		}
	}
	if before[to] == unseen {
		return nil
	}
	way := []int{to}
	for v := to; v != from; v = before[v] {
		way = append(way, before[v])
	}
	slices.Reverse(way)
	return way
}
