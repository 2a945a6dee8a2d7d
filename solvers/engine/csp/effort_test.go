package csp_test

import (
	"context"
	"errors"
	"testing"

	"tapwise/solvers/engine/csp"
)

// pigeons is a model of more pigeons than holes, which takes many conflicts to
// refute.
func pigeons(holes int) *csp.Model {
	m := csp.NewModel(csp.Config{})
	byHole := make([][]csp.BoolVar, holes)
	for range holes + 1 {
		in := m.NewBoolVars(holes)
		m.AddClause(in...)
		for h, b := range in {
			byHole[h] = append(byHole[h], b)
		}
	}
	for _, sitting := range byHole {
		for i, a := range sitting {
			for _, b := range sitting[:i] {
				m.AddClause(a.Not(), b.Not())
			}
		}
	}
	return m
}

// TestEffort counts a search from outside: the same as its Stats in the end, and
// part of it before.
func TestEffort(t *testing.T) {
	var total csp.Effort
	outer := csp.WithEffort(t.Context(), &total)
	if m := pigeons(6); m.Solve(outer) != csp.Infeasible {
		t.Fatal("7 pigeons in 6 holes")
	} else if s := m.Stats(); total.Conflicts() != s.Conflicts || total.Nodes() != s.Decisions || total.Searching() <= 0 {
		t.Errorf("%d conflicts, %d nodes in %v, expected %d, %d and some time", total.Conflicts(), total.Nodes(), total.Searching(), s.Conflicts, s.Decisions)
	}

	// A search that would take years is stopped by what it is seen to do.
	var e csp.Effort
	ctx, cancel := context.WithCancel(csp.WithEffort(t.Context(), &e))
	defer cancel()
	const enough = 1000
	done := make(chan csp.Status)
	go func() { done <- pigeons(40).Solve(ctx) }()
	for e.Conflicts() < enough || e.Nodes() < enough {
		select {
		case status := <-done:
			t.Fatalf("%v after %d conflicts", status, e.Conflicts())
		default:
		}
	}
	cancel()
	if status := <-done; status != csp.Unknown {
		t.Errorf("%v, expected unknown", status)
	}
}

// TestEffortOfEnumeration counts each search of an enumeration once.
func TestEffortOfEnumeration(t *testing.T) {
	var e csp.Effort
	m := csp.NewModel(csp.Config{})
	vars := m.NewBoolVars(6)
	m.Enumerate(csp.WithEffort(t.Context(), &e), vars, func() bool { return true })
	if s := m.Stats(); e.Nodes() != s.Decisions || e.Conflicts() != s.Conflicts || e.Nodes() == 0 {
		t.Errorf("%d nodes, %d conflicts, expected %d and %d", e.Nodes(), e.Conflicts(), s.Decisions, s.Conflicts)
	}
}

// TestBudget wants searches to end at their budget of conflicts, all together and each
// time at the same step, and what encloses them to go on.
func TestBudget(t *testing.T) {
	run := func() (conflicts int64, cause, outer error) {
		ctx, release := csp.WithBudget(t.Context(), 50)
		defer release()
		m := pigeons(8)
		if status := m.Solve(ctx); status != csp.Unknown {
			t.Errorf("%v within 50 conflicts, expected %v", status, csp.Unknown)
		}
		return m.Stats().Conflicts, context.Cause(ctx), t.Context().Err()
	}
	conflicts, cause, outer := run()
	again, _, _ := run()
	if conflicts != 50 || again != 50 || !errors.Is(cause, csp.ErrBudget) || outer != nil {
		t.Errorf("ended after %d and %d conflicts, %v, outside %v; expected 50, %v and no error outside", conflicts, again, cause, outer, csp.ErrBudget)
	}
}

// TestBudgetInBudget wants conflicts to count in all budgets around a search.
func TestBudgetInBudget(t *testing.T) {
	outer, release := csp.WithBudget(t.Context(), 50)
	defer release()
	for _, conflicts := range []int64{30, 30} {
		inner, release := csp.WithBudget(outer, conflicts)
		pigeons(8).Solve(inner)
		release()
	}
	if cause := context.Cause(outer); !errors.Is(cause, csp.ErrBudget) || t.Context().Err() != nil {
		t.Errorf("after 60 conflicts within a budget of 50: %v, expected %v", cause, csp.ErrBudget)
	}
}
