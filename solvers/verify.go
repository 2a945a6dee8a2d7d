package solvers

import (
	"context"
	"errors"
)

// ErrSeveral means: more than one solution where the game promises one.
var ErrSeveral = errors.New("the board has more than one solution, the game's levels have exactly one")

// SolveRead solves a puzzle that was read from a screen. The solver is the
// eyes' checksum: no solution (ErrNoSolution), or several where the game
// promises one (ErrSeveral), nearly always means that the board was misread.
// A solution whose uniqueness could not be decided before the context ended is
// returned all the same.
func SolveRead(ctx context.Context, game Game, puzzle Puzzle) (Solution, Stats, error) {
	list, ok := puzzle.(Enumerator)
	if promise, yes := game.(Promiser); !ok || !yes || !promise.PromisesOne() {
		s, err := puzzle.Solve(ctx)
		return s, Stats{}, err
	}
	var found []Solution
	stats, err := list.Enumerate(ctx, func(s Solution) bool {
		found = append(found, s)
		return len(found) < 2
	})
	switch {
	case len(found) > 1:
		return nil, stats, ErrSeveral
	case len(found) == 1:
		return found[0], stats, nil
	case err == nil:
		err = ErrNoSolution
	}
	return nil, stats, err
}
