package solving

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"tapwise/solvers"
)

// listed is a puzzle with so many solutions, and no way to count them.
type listed struct {
	solvers.Puzzle
	solutions int
}

func (p listed) Solve(context.Context) (solvers.Solution, error) {
	if p.solutions == 0 {
		return nil, solvers.ErrNoSolution
	}
	return solution{}, nil
}

func (p listed) Enumerate(_ context.Context, _ solvers.EnumerateOptions, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	for range p.solutions {
		if !yield(solution{}) {
			break
		}
	}
	return solvers.Stats{}, nil
}

// counted is one whose count is what was told it, or the error.
type counted struct {
	listed
	count *big.Int
	err   error
}

func (p counted) Count(context.Context, bool) (*big.Int, solvers.Stats, error) {
	return p.count, solvers.Stats{}, p.err
}

type solution struct{ solvers.Solution }

func (solution) Check() error   { return nil }
func (solution) String() string { return "" }

// TestCount counts puzzles that count themselves, rightly and wrongly, and that do not.
func TestCount(t *testing.T) {
	huge := new(big.Int).Lsh(big.NewInt(1), 80)
	for name, c := range map[string]struct {
		puzzle solvers.Puzzle
		how    Listing
		want   string // the count, how it was made and what is said
		err    string
	}{
		"no way to count":             {listed{solutions: 5}, Listing{Limit: 3}, " at least 3 solutions", ""},
		"fewer than the limit":        {listed{solutions: 5}, Listing{Limit: 9}, "5 listing 5 solutions", ""},
		"all, one by one":             {listed{solutions: 5}, Listing{Exact: true}, "5 listing 5 solutions", ""},
		"none":                        {listed{solutions: 0}, Listing{Limit: 3}, "", solvers.ErrNoSolution.Error()},
		"more than is listed":         {counted{listed{solutions: 7}, big.NewInt(7), nil}, Listing{Limit: 3}, "7 frontier 7 solutions", ""},
		"more than fits a machine":    {counted{listed{solutions: 7}, huge, nil}, Listing{Exact: true}, huge.String() + " frontier " + huge.String() + " solutions", ""},
		"one, which needs no count":   {counted{listed{solutions: 1}, nil, errors.New("asked")}, Listing{Limit: 3}, "1 listing 1 solution", ""},
		"one, exactly":                {counted{listed{solutions: 1}, big.NewInt(1), nil}, Listing{Exact: true}, "1 frontier 1 solution", ""},
		"none, exactly":               {counted{listed{solutions: 0}, new(big.Int), nil}, Listing{Exact: true}, "", solvers.ErrNoSolution.Error()},
		"without a limit":             {counted{listed{solutions: 7}, nil, errors.New("asked")}, Listing{}, " at least 2 solutions", ""},
		"too many states":             {counted{listed{solutions: 7}, nil, solvers.ErrNotCounted}, Listing{Limit: 5}, " at least 5 solutions", ""},
		"too many states, few listed": {counted{listed{solutions: 2}, nil, solvers.ErrNotCounted}, Listing{Limit: 2}, " at least 2 solutions", ""},
		"a count of none, but found":  {counted{listed{solutions: 7}, new(big.Int), nil}, Listing{Limit: 3}, "", "no solution was counted, but 2 found"},
		"a count of one, but found":   {counted{listed{solutions: 7}, big.NewInt(1), nil}, Listing{Exact: true}, "", "1 solutions were counted, but 2 found"},
		"a count, but one is found":   {counted{listed{solutions: 1}, big.NewInt(7), nil}, Listing{Exact: true}, "", "7 solutions were counted, but 1 found"},
		"a count that fails":          {counted{listed{solutions: 7}, nil, errors.New("broken")}, Listing{Limit: 3}, "", "broken"},
	} {
		c.how.Count = true
		var r Result
		err := Job{Listing: c.how}.count(t.Context(), c.puzzle, &r, &Search{})
		if c.err != "" || err != nil {
			if err == nil || c.err == "" || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, expected %q", name, err, c.err)
			}
			continue
		}
		r.Status = Solved
		if got := strings.Trim(r.Count+" "+string(r.Counting), " ") + " " + r.CountText(c.how.Most()); got != c.want {
			t.Errorf("%s: %q, expected %q", name, got, c.want)
		}
	}
}
