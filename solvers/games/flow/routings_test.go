package flow

import (
	"context"
	"fmt"
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
	sole, several, proved, classed := 0, 0, 0, 0
	for seed := range uint64(boards) {
		p := smallBoard(t, seed)
		r := finder{Puzzle: p}
		first, _, err := r.first(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			continue
		}
		n, _, err := p.Count(ctx, false)
		if err != nil {
			t.Fatal(err)
		}
		only, _, err := r.onlyRouting(ctx, first)
		if err != nil {
			t.Fatal(err)
		}
		further, all, err := byClasses(ctx, r, first)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		every, allOfThem, err := byClasses(ctx, r, nil)
		switch {
		case err != nil:
			t.Fatalf("seed %d: %v", seed, err)
		case allOfThem && n.Uint64() != uint64(every):
			t.Errorf("seed %d: %d solutions by classes, none of them known, expected %v\n%s", seed, every, n, p)
		case only && n.Uint64() != 1:
			t.Errorf("seed %d: proved that one of %v solutions is the only one\n%s\n%s", seed, n, p, first)
		case all && n.Uint64() != uint64(further)+1:
			t.Errorf("seed %d: %d solutions by classes, expected %v\n%s\n%s", seed, further+1, n, p, first)
		case only:
			proved++
		}
		if all {
			classed++
		}
		if n.Uint64() == 1 {
			sole++
		} else {
			several++
		}
	}
	t.Logf("%d boards with one solution, %d of them proved, %d by classes; %d with several", sole, proved, classed, several)
	if proved*2 < sole || classed*4 < sole || proved*10 < boards || several*10 < boards {
		t.Errorf("%d of %d boards with one solution proved, %d boards with several: too few to tell anything", proved, sole, several)
	}
}

// smallBoard is a random board of one of all kinds, every other with one end moved.
func smallBoard(t *testing.T, seed uint64) *Puzzle {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 8))
	o := solvers.GenerateOptions{Rows: 4 + random.IntN(4), Cols: 4 + random.IntN(4)}
	o.Variant = []string{"", "", "bridges", "hex", "warp", "winding"}[random.IntN(6)]
	made, err := Game{}.Generate(t.Context(), o, random)
	if err != nil {
		t.Fatal(err)
	}
	if p := made.(*Puzzle); random.IntN(2) == 0 {
		return moveEnd(t, p, random)
	}
	return made.(*Puzzle)
}

// TestOthers wants the search that is that of wide boards, tidy solutions before proofs by routings, to
// find as many solutions as there are.
func TestOthers(t *testing.T) {
	several := 0
	for seed := range uint64(300) {
		p := smallBoard(t, seed)
		n, _, err := p.Count(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		r := finder{Puzzle: p}
		first, _, err := r.first(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if first == nil || n.Uint64() > 1000 {
			continue
		}
		further, err := yielded(r, func(r finder) error { return r.others(t.Context(), first, false) })
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if n.Uint64() != uint64(further)+1 {
			t.Errorf("seed %d: %d solutions, expected %v\n%s", seed, further+1, n, p)
		}
		if n.Uint64() > 1 {
			several++
		}
	}
	if several < 30 {
		t.Errorf("%d boards with several solutions: too few to tell anything", several)
	}
}

// byClasses searches for further solutions in all classes of routings at once. It reports how many
// there are, and whether it came to an end.
func byClasses(ctx context.Context, r finder, found *Solution) (further int, all bool, err error) {
	classes, err := r.allClasses(ctx, routingConflicts)
	if err != nil {
		return 0, false, err
	}
	further, err = yielded(r, func(r finder) (err error) {
		all, err = r.ofClasses(ctx, found, classes)
		return err
	})
	return further, all, err
}

// yielded is how many solutions a search yields, each of which must be another.
func yielded(r finder, search func(finder) error) (n int, err error) {
	seen := map[string]bool{}
	r.yield = func(s *Solution) bool {
		seen[fmt.Sprint(s.paths)] = true
		n++
		return true
	}
	err = search(r)
	if err == nil && len(seen) != n {
		err = fmt.Errorf("%d solutions, %d of them different", n, len(seen))
	}
	return n, err
}

// TestTooManyForClasses wants no list, and no error, for a board of very many pipes.
func TestTooManyForClasses(t *testing.T) {
	made, err := Game{}.Generate(t.Context(), solvers.GenerateOptions{Rows: 30, Cols: 30, Colours: 120}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	r := finder{Puzzle: made.(*Puzzle)}
	if classes, err := r.allClasses(t.Context(), 1000); classes != nil || err != nil {
		t.Errorf("%v, %v, expected neither classes nor an error", classes, err)
	}
}
