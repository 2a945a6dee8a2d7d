package csp

import (
	"context"
	"sync"
)

const (
	// exchangeInterval is the conflicts of each model between two exchanges.
	exchangeInterval = 1000
	// exchangedLBD is the most levels of the literals of a clause that others are told. On the
	// lists of classes of package homotopy two models take 1.0 times the conflicts of one
	// together with 8, 1.3 times with 6, 1.2 times with no bound and 1.7 times with 4.
	exchangedLBD = 8
)

// SolveTogether searches for a solution of models, at least one, that have the same variables
// and constraints, made in the same order, and different seeds: all at the same time, each in a
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
