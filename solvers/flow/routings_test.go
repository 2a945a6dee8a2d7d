package flow

import (
	"math/rand/v2"
	"testing"

	"tapwise/solvers"
)

// TestOnlyRouting compares proofs that a solution is the only one with the number of
// solutions, counted along a frontier, on boards of all kinds with one solution and with
// several.
func TestOnlyRouting(t *testing.T) {
	const boards = 300
	ctx := t.Context()
	sole, several, proved := 0, 0, 0
	for seed := range uint64(boards) {
		random := rand.New(rand.NewPCG(seed, 8))
		o := solvers.GenerateOptions{Rows: 4 + random.IntN(4), Cols: 4 + random.IntN(4)}
		o.Variant = []string{"", "", "bridges", "hex", "warp", "winding"}[random.IntN(6)]
		made, err := Game{}.Generate(ctx, o, random)
		if err != nil {
			t.Fatal(err)
		}
		p := made.(*Puzzle)
		if random.IntN(2) == 0 {
			p = moveEnd(t, p, random)
		}
		r := finder{Puzzle: p}
		first, _, err := r.first(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			continue
		}
		n, _, err := p.Count(ctx)
		if err != nil {
			t.Fatal(err)
		}
		only, err := r.onlyRouting(ctx, first, routingConflicts)
		switch {
		case err != nil:
			t.Fatal(err)
		case only && n.Uint64() != 1:
			t.Errorf("seed %d: proved that one of %v solutions is the only one\n%s\n%s", seed, n, p, first)
		case only:
			proved++
		}
		if n.Uint64() == 1 {
			sole++
		} else {
			several++
		}
	}
	t.Logf("%d boards with one solution, %d of them proved; %d with several", sole, proved, several)
	if proved*2 < sole || proved*10 < boards || several*10 < boards {
		t.Errorf("%d of %d boards with one solution proved, %d boards with several: too few to tell anything", proved, sole, several)
	}
}
