package csp

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// Effort counts what searches have done, while they run: it may be read from
// any goroutine. The zero value is ready for use.
type Effort struct {
	nodes, conflicts, time atomic.Int64
}

// Nodes are the decisions of the searches.
func (e *Effort) Nodes() int64 { return e.nodes.Load() }

// Conflicts are the dead ends of the searches.
func (e *Effort) Conflicts() int64 { return e.conflicts.Load() }

// Searching is the time that the searches that have ended took, without the
// building of models. Those at the same time (SolveTogether) are added.
func (e *Effort) Searching() time.Duration { return time.Duration(e.time.Load()) }

// effortKey is where a context carries its *Effort.
type effortKey struct{}

// WithEffort makes the searches that are given the context, or one made of it,
// add to e what they do, several times a second.
func WithEffort(ctx context.Context, e *Effort) context.Context {
	return context.WithValue(ctx, effortKey{}, e)
}

// ErrBudget is the cause of the end of a context made by WithBudget whose conflicts are
// used up.
var ErrBudget = errors.New("the budget of conflicts is used up")

// budgetKey is where a context carries its *budget.
type budgetKey struct{}

type budget struct {
	left  atomic.Int64
	end   context.CancelCauseFunc
	outer *budget // within which this one was made, or nil
}

// budgetOf is the innermost budget of a context, or nil.
func budgetOf(ctx context.Context) *budget {
	b, _ := ctx.Value(budgetKey{}).(*budget)
	return b
}

// spend takes conflicts from a budget, which may be nil, and from those around it.
func (b *budget) spend(conflicts int64) {
	for ; b != nil; b = b.outer {
		if b.left.Add(-conflicts) <= 0 {
			b.end(ErrBudget)
		}
	}
}

// WithBudget returns a context that ends, with the cause ErrBudget, once the searches that are
// given it have reached that many conflicts together, always at the same step. The conflicts
// also count in budgets that ctx already has. The function releases what the context holds.
func WithBudget(ctx context.Context, conflicts int64) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	b := &budget{end: end, outer: budgetOf(ctx)}
	b.left.Store(conflicts)
	return context.WithValue(ctx, budgetKey{}, b), func() { end(nil) }
}

// effortMeter adds the work of one search to an Effort.
type effortMeter struct {
	to     *Effort // nil when nobody wants to know
	budget *budget // nil when there is none
	began  time.Time
	last   Stats // what has been added already
}

func (s *Search) meter(ctx context.Context) effortMeter {
	m := effortMeter{last: s.stats, budget: budgetOf(ctx)}
	if m.to, _ = ctx.Value(effortKey{}).(*Effort); m.to != nil {
		m.began = time.Now()
	}
	return m
}

// add adds what was done since it was called last.
func (m *effortMeter) add(now *Stats) {
	m.budget.spend(now.Conflicts - m.last.Conflicts)
	if m.to != nil {
		m.to.nodes.Add(now.Decisions - m.last.Decisions)
		m.to.conflicts.Add(now.Conflicts - m.last.Conflicts)
	}
	m.last.Decisions, m.last.Conflicts = now.Decisions, now.Conflicts
}

// end adds the rest, and the time.
func (m *effortMeter) end(now *Stats) {
	m.add(now)
	if m.to != nil {
		m.to.time.Add(int64(time.Since(m.began)))
	}
}
