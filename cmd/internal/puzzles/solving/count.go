package solving

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"

	"tapwise/solvers"
)

// Counting says how all solutions were counted.
type Counting string

// The ways to count.
const (
	ByFrontier Counting = "frontier" // along a frontier, without listing them
	ByListing  Counting = "listing"  // one by one
)

// drawnSolutions is how many solutions are looked for when their number is known
// already: one to show, and one more to show where they differ.
const drawnSolutions = 2

// count counts solutions: where the puzzle can do that without listing them, all of them,
// whatever limit was stated; else one by one, up to the limit. Without one it lists two. That
// there is only one is often easier to prove than to count, so with a limit two are listed first,
// and the count is given up sooner. It fails with ErrNoSolution when there is none.
func (j Job) count(ctx context.Context, puzzle solvers.Puzzle, r *Result, search *Search) error {
	most := j.Most()
	if j.Exact {
		most = 0
	}
	counter, ok := puzzle.(solvers.Counter)
	if stated := j.Exact || j.Limit > 0; !ok || j.Moves != 0 || !stated {
		return j.countListed(ctx, puzzle, r, search, most)
	}
	empty, few := *r, min(most, drawnSolutions)
	if few > 0 {
		if err := j.countListed(ctx, puzzle, r, search, few); err != nil || r.Solutions < few {
			return err
		}
	}
	n, effort, err := counter.Count(ctx, j.Exact)
	switch {
	case errors.Is(err, solvers.ErrNotCounted):
		if few == 0 || few < most {
			*r = empty
			err = j.countListed(ctx, puzzle, r, search, most)
		} else {
			err = nil
		}
		r.Stats = r.Stats.Add(effort)
		return err
	case err != nil:
		return err
	case n.Sign() == 0 && few > 0:
		return fmt.Errorf("no solution was counted, but %d found", few)
	case n.Sign() == 0:
		r.Stats = effort
		return noSolution(ctx, puzzle)
	}
	if few < drawnSolutions {
		*r = empty
		err = j.list(ctx, puzzle, r, search, drawnSolutions)
	}
	r.Stats = r.Stats.Add(effort)
	if err != nil {
		return err
	}
	if found := int64(r.Solutions); n.Cmp(big.NewInt(min(found, drawnSolutions))) < 0 || found < drawnSolutions && n.Cmp(big.NewInt(found)) != 0 {
		return fmt.Errorf("%v solutions were counted, but %d found", n, found)
	}
	r.Count, r.Counting = n.String(), ByFrontier
	r.Solutions = math.MaxInt
	if n.IsInt64() {
		r.Solutions = int(min(n.Int64(), math.MaxInt))
	}
	return nil
}

// countListed counts solutions one by one, up to a limit, all for 0.
func (j Job) countListed(ctx context.Context, puzzle solvers.Puzzle, r *Result, search *Search, most int) error {
	err := j.list(ctx, puzzle, r, search, most)
	if err == nil && (most == 0 || r.Solutions < most) {
		r.Count, r.Counting = fmt.Sprint(r.Solutions), ByListing
	}
	return err
}

// CountText tells how many solutions were found; limit is that of the listing.
func (r Result) CountText(limit int) string {
	switch r.Count {
	case "":
		return CountText(r.Solutions, limit, r.Status != Solved)
	case "1":
		return "1 solution"
	}
	return r.Count + " solutions"
}
