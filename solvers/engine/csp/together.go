package csp

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

const (
	// exchangeInterval is the conflicts of each model between two exchanges.
	exchangeInterval = 1000
	// exchangedLBD is the most levels of the literals of a clause that others are told. On the
	// lists of classes of package homotopy two models take 1.0 times the conflicts of one
	// together with 8, 1.3 times with 6, 1.2 times with no bound and 1.7 times with 4.
	exchangedLBD = 8
	// redrawExchanges is the exchanges after which all models but the first draw their activities
	// anew, so that they do not stay where luck has led them; what they have learned they keep. The next
	// time is after as many more, then twice as many, and so on. Most lists are done before.
	redrawExchanges = 10
)

// twinned is a propagator that there can be another one of in another search, which has been told
// of the same assignments so far.
type twinned interface{ twin() Propagator }

// Twin returns a model with the variables and constraints that m has so far and another seed, for
// SolveTogether. The two share what no search changes. It fails if m has constraints other than
// clauses, counts and linear ones.
func (m *Model) Twin(seed uint64) (*Model, error) {
	m.s.cancelUntil(0)
	m.s.prepare()
	t := &Model{s: m.s, ints: slices.Clone(m.ints)}
	for i := range t.ints {
		t.ints[i].equal = slices.Clone(t.ints[i].equal)
	}
	s := &t.s
	for _, list := range []*[]int32{
		&s.levels, &s.positions, &s.heapIndex, &s.levelStamp, &s.order, &s.place, &s.heap, &s.arena, &s.learned, &s.queue,
	} {
		*list = slices.Clone(*list)
	}
	s.values, s.phase, s.seen, s.scheduled = slices.Clone(s.values), slices.Clone(s.phase), slices.Clone(s.seen), slices.Clone(s.scheduled)
	s.reasons, s.activity, s.trail = slices.Clone(s.reasons), slices.Clone(s.activity), slices.Clone(s.trail)
	s.binary, s.wakes = shared(s.binary), shared(s.wakes)
	s.watches = make([][]watcher, len(s.watches))
	count := make([]int32, len(s.watches))
	for i, list := range m.s.watches {
		count[i] = int32(2 * len(list))
	}
	grow(s.watches, count)
	for i, list := range m.s.watches {
		s.watches[i] = append(s.watches[i], list...)
	}
	s.limits, s.stored, s.conflict, s.learnt, s.explained, s.toClear, s.assumptions = nil, nil, nil, nil, nil, nil, nil
	s.pendingBinary, s.pendingClauses, s.pendingWakes, s.verify = nil, nil, nil, nil
	s.lessons, s.stats, s.redraws = lessons{}, Stats{}, 0
	s.propagators = make([]Propagator, len(s.propagators))
	for i, p := range m.s.propagators {
		p, ok := p.(twinned)
		if !ok {
			return nil, fmt.Errorf("csp: %T has no twin, expected only clauses, counts and linear constraints", m.s.propagators[i])
		}
		s.propagators[i] = p.twin()
	}
	s.config.Seed = seed
	s.random = newRandom(seed)
	s.redraw()
	return t, nil
}

// shared is lists whose elements are in the same memory, to which each side may append others.
func shared[T any](lists [][]T) [][]T {
	lists = slices.Clone(lists)
	for i, list := range lists {
		lists[i] = slices.Clip(list)
	}
	return lists
}

// SolveTogether searches for a solution of models, at least one, that have the same variables
// and constraints, made in the same order (see Twin), and different seeds: all at the same time, each in a
// goroutine of its own, which shares what it has learned every thousand conflicts. It returns
// Feasible and which of the models has found a solution, to be read from it; Infeasible; or
// Unknown when ctx was done. If it is called again, it continues where it stopped. It takes the
// same steps each time, however many processors there are. A budget (WithBudget) counts the
// conflicts of all models; Config.MaxConflicts has no effect.
func SolveTogether(ctx context.Context, models ...*Model) (status Status, by int) {
	return solveTogether(ctx, exchangeInterval, models)
}

func solveTogether(ctx context.Context, interval int64, models []*Model) (status Status, by int) {
	budget := budgetOf(ctx)
	// The budget is counted here, so that it does not end in the middle of what the
	// others are doing at the time.
	unbounded := context.WithValue(ctx, budgetKey{}, nil)
	statuses := make([]Status, len(models))
	for {
		before := conflictsOf(models)
		var searches sync.WaitGroup
		for i, m := range models {
			searches.Go(func() { statuses[i] = m.solveSharing(unbounded, interval) })
		}
		searches.Wait()
		exchange(models)
		for i, m := range models {
			if s := &m.s; i > 0 && s.stats.Conflicts >= redrawExchanges*interval*(2+s.redraws*(s.redraws+1))/2 {
				s.redraws++
				s.redraw()
			}
		}
		budget.spend(conflictsOf(models) - before)
		for i, status := range statuses {
			if status != Unknown {
				return status, i
			}
		}
		if ctx.Err() != nil || len(models) == 0 {
			return Unknown, -1
		}
	}
}

func conflictsOf(models []*Model) (n int64) {
	for _, m := range models {
		n += m.s.stats.Conflicts
	}
	return n
}

// solveSharing is Solve for so many conflicts, which keeps what it learns for exchange.
func (m *Model) solveSharing(ctx context.Context, conflicts int64) Status {
	s := &m.s
	s.sharing = true
	defer func() { s.sharing = false }()
	return m.solve(ctx, s.stats.Conflicts+conflicts, nil)
}

// lessons are learned clauses for other models.
type lessons struct {
	literals []BoolVar // of one after the other
	clauses  []lesson
}

// lesson tells where the literals of a clause end, and its LBD.
type lesson struct {
	end int
	lbd int32
}

// note keeps a learned clause.
func (l *lessons) note(literals []BoolVar, lbd int32) {
	l.literals = append(l.literals, literals...)
	l.clauses = append(l.clauses, lesson{len(l.literals), lbd})
}

// exchange tells each model what the others have learned.
func exchange(models []*Model) {
	for i, m := range models {
		for k, other := range models {
			if i == k {
				continue
			}
			from := 0
			for _, c := range other.s.lessons.clauses {
				m.s.addLearned(other.s.lessons.literals[from:c.end], c.lbd)
				from = c.end
			}
		}
	}
	for _, m := range models {
		l := &m.s.lessons
		l.literals, l.clauses = l.literals[:0], l.clauses[:0]
	}
}
