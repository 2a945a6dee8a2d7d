package grid_test

import (
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/games/queens"
)

// TestAdviseOneEach tells all queens of a board, each with a reason that names only what is there.
func TestAdviseOneEach(t *testing.T) {
	p, err := queens.Parse("AAABBCCB\nAADBBBBB\nDDDEBBBB\nDDEEBBBB\nFFFEEEBB\nFFFGEHBB\nFFFFHHHB\nFFFFHHHH")
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	steps := s.Steps(nil)
	var told []int
	for range steps {
		next, why := solvers.NextStep(p, s, nil, told)
		if why == nil {
			t.Fatalf("no reason for a queen after %v", told)
		}
		if !strings.HasPrefix(why.Text, steps[next].Text+": ") || len(why.Look) == 0 {
			t.Errorf("%q of %q", why.Text, steps[next].Text)
		}
		if len(told) == 0 && why.Text != `queen at row 6 column 4: "region" at region G leaves nothing else` {
			t.Errorf("%q of the only cell of a region", why.Text)
		}
		told = append(told, next)
	}
}
