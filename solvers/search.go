package solvers

import (
	"context"
	"math/rand/v2"
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

// Thin drops clues of a puzzle, n of them in a random order, each unless the puzzle without it
// has another solution than the one that is known.
func Thin[P Puzzle](ctx context.Context, p P, known string, n int, without func(p P, clue int) P, random *rand.Rand) (P, error) {
	for _, clue := range random.Perm(n) {
		fewer := without(p, clue)
		other, err := Another(ctx, fewer, known)
		if err != nil {
			return p, err
		}
		if other == nil {
			p = fewer
		}
	}
	return p, nil
}
