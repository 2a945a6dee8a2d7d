package solvers

import (
	"context"
	"time"

	"tapwise/solvers/csp"
)

// SolveFirst is Solve for a puzzle that can enumerate: the first solution, or
// ErrNoSolution, or the context's error.
func SolveFirst(ctx context.Context, p Puzzle) (first Solution, err error) {
	if _, err := p.Enumerate(ctx, EnumerateOptions{}, func(s Solution) bool {
		first = s
		return false
	}); err != nil {
		return nil, err
	}
	if first == nil {
		return nil, ErrNoSolution
	}
	return first, nil
}

// EnumerateModel is Enumerate for a puzzle as constraints, whose solutions are no lists of
// moves. Two solutions differ in the decided literals; solution makes the one that the
// model found last.
func EnumerateModel[S Solution](ctx context.Context, o EnumerateOptions, m *csp.Model, decided []csp.BoolVar, solution func() S, yield func(S) bool) (Stats, error) {
	if o.MaxMoves != 0 {
		return Stats{}, ErrNoMoves
	}
	began := time.Now()
	status := m.Enumerate(ctx, decided, func() bool { return yield(solution()) })
	s := m.Stats()
	stats := Stats{Seconds: time.Since(began).Seconds(), Nodes: s.Decisions, Conflicts: s.Conflicts}
	if status == csp.Unknown {
		return stats, ctx.Err()
	}
	return stats, nil
}

// Another returns a solution of a puzzle that is not the one that is known, nil when
// there is none.
func Another(ctx context.Context, p Puzzle, known string) (other Solution, err error) {
	_, err = p.Enumerate(ctx, EnumerateOptions{}, func(s Solution) bool {
		if s.String() != known {
			other = s
		}
		return other == nil
	})
	return other, err
}
