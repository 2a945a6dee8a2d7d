package flow

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// TestTidy lists the tidy solutions of small boards of every kind, and expects those of brute
// force of which no pipe can be drawn shorter while the others stay.
func TestTidy(t *testing.T) {
	n := uint64(800)
	if testing.Short() {
		n = 100
	}
	fewer, several := 0, 0
	for seed := range n {
		p := randomPuzzle(rand.New(rand.NewPCG(seed, 42)))
		loose := bruteForcePaths(p.WithoutCover().(*Puzzle))
		if len(loose) > 300 {
			continue // slow, and nothing more to learn from
		}
		tidy := p.OnlyTidy().(*Puzzle)
		var want []string
		every := bruteForcePaths(p)
		for _, paths := range every {
			isTidy := !slices.ContainsFunc(loose, func(other [][]board.Cell) bool { return shorterInOne(other, paths) })
			if isTidy {
				want = append(want, fmt.Sprint(paths))
			}
			err := newSolution(tidy, paths).Check()
			var broken *solvers.RuleError
			if (err == nil) != isTidy || err != nil && !(errors.As(err, &broken) && broken.Rule == "tidy") {
				t.Fatalf("seed %d: %v of a solution that is tidy: %t\n%s\n%v", seed, err, isTidy, p, paths)
			}
		}
		slices.Sort(want)
		if got := all(t, tidy, SearchOptions{Seed: seed}); !slices.Equal(got, want) {
			t.Fatalf("seed %d, covering %v, %v: tidy solutions %v, expected %v of %d\n%s", seed, p.covering, p.topology, got, want, len(every), p)
		}
		if len(want) > 0 && len(want) < len(every) {
			fewer++
		}
		if len(want) > 1 {
			several++
		}
	}
	if fewer*20 < int(n) || several*40 < int(n) {
		t.Errorf("of %d boards, %d have solutions that are tidy and others, %d have several tidy ones: too few to tell anything", n, fewer, several)
	}
}

// shorterInOne reports whether one solution differs from another in a single pipe, which is shorter.
func shorterInOne(short, than [][]board.Cell) bool {
	differ := 0
	for i, path := range short {
		if !slices.Equal(path, than[i]) {
			differ++
			if len(path) >= len(than[i]) {
				return false
			}
		}
	}
	return differ == 1
}

// TestAnother compares whether there is more than one solution, on boards that need not be covered,
// with a count along a frontier.
func TestAnother(t *testing.T) {
	n := uint64(300)
	if testing.Short() {
		n = 60
	}
	sole, several := 0, 0
	for seed := range n {
		p := smallBoard(t, seed).WithoutCover().(*Puzzle)
		want, _, err := p.Count(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		if _, err := p.Search(t.Context(), SearchOptions{}, func(*Solution) bool { got++; return got < 2 }); err != nil {
			t.Fatal(err)
		}
		if uint64(got) != min(want.Uint64(), 2) {
			t.Fatalf("seed %d: %d solutions, expected %v\n%s", seed, got, want, p)
		}
		switch got {
		case 1:
			sole++
		case 2:
			several++
		}
	}
	if sole*10 < int(n) || several*10 < int(n) {
		t.Errorf("of %d boards, %d have one solution and %d several: too few to tell anything", n, sole, several)
	}
}

// TestContests decides, of boards of a contest that need not be covered, whether there is another
// solution, tidy or not, without the search for all of them that comes to no end on half of them.
func TestContests(t *testing.T) {
	for _, p := range readSet(t, "flow/adc") {
		for _, tidy := range []bool{false, true} {
			q := p.WithoutCover().(*Puzzle)
			if tidy {
				q = q.OnlyTidy().(*Puzzle)
			}
			bounded, release := csp.WithBudget(t.Context(), 100_000) // a second or two
			found := 0
			stats, err := q.Search(bounded, SearchOptions{}, func(s *Solution) bool {
				if err := s.Check(); err != nil {
					t.Errorf("%s: %v", p.name, err)
				}
				found++
				return found < 2
			})
			release()
			if err != nil || found == 0 {
				t.Errorf("%s, tidy %t: %d solutions and %v after %d conflicts", p.name, tidy, found, err, stats.Conflicts)
			}
		}
	}
}
