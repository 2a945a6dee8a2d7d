package solvers

import "context"

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
