// Package engine joins games to what solves them: the constraint engine in csp, and the compiler
// of SABR programs in sabr.
package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/csp/frontier"
)

// Enumerate is Enumerate for a puzzle as constraints, whose solutions are no lists of
// moves. Two solutions differ in the decided literals; solution makes the one that the
// model found last.
func Enumerate[S solvers.Solution](ctx context.Context, o solvers.EnumerateOptions, m *csp.Model, decided []csp.BoolVar, solution func() S, yield func(S) bool) (solvers.Stats, error) {
	if o.MaxMoves != 0 {
		return solvers.Stats{}, solvers.ErrNoMoves
	}
	began := time.Now()
	status := m.Enumerate(ctx, decided, func() bool { return yield(solution()) })
	s := m.Stats()
	stats := solvers.Stats{Seconds: time.Since(began).Seconds(), Nodes: s.Decisions, Conflicts: s.Conflicts}
	if status == csp.Unknown {
		return stats, ctx.Err()
	}
	return stats, nil
}

// NotCounted turns the error of a count along a frontier that reached its limit into
// [solvers.ErrNotCounted], and returns any other error unchanged.
func NotCounted(err error) error {
	if errors.Is(err, frontier.ErrTooWide) {
		return fmt.Errorf("%w: %w", solvers.ErrNotCounted, err)
	}
	return err
}
