package asteroid

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tapwise/solvers"
)

var hardest = flag.Bool("hardest", false, "search all starts of the standard pieces for the hardest")

// TestHardest finds the hardest start there is:
//
//	go test ./solvers/games/asteroid -run TestHardest -hardest -v
func TestHardest(t *testing.T) {
	if !*hardest {
		t.Skip("searches all starts of the standard pieces; run it with -hardest")
	}
	began := time.Now()
	record, err := Hardest(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the hardest starts need %d moves; searched in %.1f s", record.Moves, time.Since(began).Seconds())
	for _, p := range record.Boards {
		t.Logf("\n%s", p)
		s, err := p.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := len(s.(*Solution).Moves()); got != record.Moves {
			t.Errorf("%d moves, expected %d\n%s", got, record.Moves, p)
		}
		if err := s.Check(); err != nil {
			t.Errorf("%v\n%s\n%s", err, p, s)
		}
		if got := plainFewest(p, 1<<20); got != record.Moves {
			t.Errorf("%d moves by a plain search, expected %d\n%s", got, record.Moves, p)
		}
	}
	var all int64
	for moves, n := range record.Starts {
		t.Logf("%3d moves: %d starts", moves, n)
		all += n
	}
	t.Logf("%d starts can be solved", all)
}

// TestStandardSets counts the sets of orientations: 20 of the three small
// asteroids, 2, 4, 4 and 4 of the others, of which half are mirror images.
func TestStandardSets(t *testing.T) {
	seen := map[[8]piece]bool{}
	for _, set := range standardSets() {
		slices.Sort(set)
		seen[[8]piece(set)] = true
		seen[[8]piece(mirrored(set))] = true
	}
	if n, want := len(standardSets()), 20*2*4*4*4/2; n != want || len(seen) != 2*want {
		t.Errorf("%d sets, %d with mirror images, expected %d and %d", n, len(seen), want, 2*want)
	}
}

// TestSearch compares the search of Hardest with the solver, and a board with
// its mirror image, on random positions of some sets.
func TestSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	seen := map[int]int{} // sets by the number of classes
	all, sets := spaces{}, standardSets()
	for _, i := range random.Perm(len(sets)) {
		classes := slices.Compact(slices.Clone(sets[i]))
		if seen[len(classes)] == 4 {
			continue
		}
		seen[len(classes)]++
		s, err := all.of(context.Background(), sets[i])
		if err != nil {
			t.Fatal(err)
		}
		g := s.graph
		if want := map[int]int{8: 362880, 7: 181440, 6: 60480}[len(classes)]; len(g.positions) != want {
			t.Fatalf("%v: %d arrangements, expected %d", sets[i], len(g.positions), want)
		}
		r := rulesOf(classes)
		s.search(r)
		// As many of the starts found as of all arrangements without overlap.
		for range 20 {
			if len(s.queue) > 0 {
				compare(t, s, r, int(s.queue[random.IntN(len(s.queue))]))
			}
			at := random.IntN(len(g.positions))
			for !r.apart(g.positions[at]) {
				at = random.IntN(len(g.positions))
			}
			compare(t, s, r, at)
			at = random.IntN(len(g.positions))
			p := r.puzzle(g.positions[at])
			held, want := slices.Sorted(slices.Values(p.at[:])), slices.Sorted(slices.Values(sets[i]))
			if !slices.Equal(held[1:], want) { // the hole is first
				t.Fatalf("tiles %q, expected %q", held[1:], want)
			}
			if _, err := newPuzzle(p.at); r.apart(g.positions[at]) != (err == nil) {
				t.Fatalf("tiles apart: %v, but %v\n%s", r.apart(g.positions[at]), err, p)
			}
		}
	}
}

// compare solves a start and its mirror image, and expects what the search found.
func compare(t *testing.T, s *space, r *rules, at int) {
	t.Helper()
	p, want := r.puzzle(s.graph.positions[at]), int(s.moves[at])
	for _, q := range []*Puzzle{p, mirror(p)} {
		if _, err := newPuzzle(q.at); err != nil {
			t.Fatal(err)
		}
		solution, err := q.Solve(context.Background())
		if want == 0 && !errors.Is(err, solvers.ErrNoSolution) || want > 0 && err != nil {
			t.Fatalf("got %v, %v, expected %d moves\n%s", solution, err, want, q)
		}
		if want > 0 && len(solution.(*Solution).moves) != want {
			t.Fatalf("got %d moves, expected %d\n%s", len(solution.(*Solution).moves), want, q)
		}
	}
}

// mirror is a puzzle with left and right exchanged.
func mirror(p *Puzzle) *Puzzle {
	q := &Puzzle{}
	for c, held := range p.at {
		q.at[size.At(c/3, 2-c%3)] = mirrored([]piece{held})[0]
	}
	return q
}
