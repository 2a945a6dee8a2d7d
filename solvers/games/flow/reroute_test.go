package flow

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers/board"
)

// TestReroute compares pipes drawn one by one with all solutions there are.
func TestReroute(t *testing.T) {
	solvable, found := 0, 0
	for seed := uint64(0); solvable < 200; seed++ {
		p := randomPuzzle(rand.New(rand.NewPCG(seed, 18)))
		if p.covering {
			continue
		}
		all := bruteForce(p)
		if len(all) > 0 {
			solvable++
		}
		s := p.reroute(context.Background())
		if s == nil {
			continue
		}
		found++
		if !slices.Contains(all, fmt.Sprint(s.Paths())) {
			t.Fatalf("seed %d, %v\n%s\ngot %v, expected one of\n%s", seed, p.topology, p, s.Paths(), strings.Join(all, "\n"))
		}
	}
	t.Logf("%d of %d boards", found, solvable)
	if found < solvable*9/10 {
		t.Errorf("%d of %d boards solved, expected nine in ten", found, solvable)
	}
}

// fewEnds is an empty square board with ends of that many pipes anywhere, which need not
// cover it.
func fewEnds(t testing.TB, side, pipes int, seed uint64) *Puzzle {
	r := rand.New(rand.NewPCG(seed, uint64(side)))
	b := Board{Size: board.Size{Rows: side, Cols: side}}
	cells := map[board.Cell]bool{}
	for len(cells) < 2*pipes {
		cells[board.Cell(r.IntN(b.Cells()))] = true
	}
	var ends []board.Cell
	for c := range b.Cells() {
		if cells[board.Cell(c)] {
			ends = append(ends, board.Cell(c))
		}
	}
	r.Shuffle(len(ends), func(i, k int) { ends[i], ends[k] = ends[k], ends[i] })
	for i := 0; i < len(ends); i += 2 {
		b.Ends = append(b.Ends, [2]board.Cell{ends[i], ends[i+1]})
	}
	p, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	return p.WithoutCover().(*Puzzle)
}

// TestFewEnds solves large boards that pipes need not cover, up to the largest there may
// be; larger ones are refused before they take memory.
func TestFewEnds(t *testing.T) {
	for _, side := range []int{20, 100, MaxSide} {
		for _, pipes := range []int{1, 3, 6} {
			p := fewEnds(t, side, pipes, uint64(pipes))
			s, err := p.Solve(context.Background())
			if err != nil {
				t.Fatalf("%d pipes on %d×%d: %v", pipes, side, side, err)
			}
			if err := s.Check(); err != nil {
				t.Errorf("%d pipes on %d×%d: %v", pipes, side, side, err)
			}
		}
	}
	const side = 1002
	row := strings.Repeat(".", side-2)
	text := "A" + row + "A\n" + strings.Repeat("."+row+".\n", side-1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := (Game{}).Parse(text)
	runtime.ReadMemStats(&after)
	if want := fmt.Sprintf("flow: board is %d wide and %d high, expected 1 to %d", side, side, MaxSide); err == nil || err.Error() != want {
		t.Errorf("%v, expected %s", err, want)
	}
	if took := int(after.TotalAlloc - before.TotalAlloc); took > 64*len(text) {
		t.Errorf("%d MiB to refuse a board of %d MiB", took>>20, len(text)>>20)
	}
}

// TestFewEndsListed lists all solutions of boards on which the first one is drawn pipe by
// pipe.
func TestFewEndsListed(t *testing.T) {
	several := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		b := Board{Size: board.Size{Rows: 8, Cols: 8}, Topology: Topology(seed % 2 * uint64(Hex))}
		var free []board.Cell
		for c := range b.Cells() {
			if at := b.At(2, 2); c/8 < 4 && c%8 < 4 && r.IntN(5) > 0 || board.Cell(c) == at {
				free = append(free, board.Cell(c))
			} else {
				b.Holes = append(b.Holes, board.Cell(c))
			}
		}
		b.Ends = [][2]board.Cell{{free[0], free[len(free)-1]}}
		p, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		p = p.WithoutCover().(*Puzzle)
		if !p.sparse() {
			t.Fatal("the board is not sparse")
		}
		got, want := all(t, p, SearchOptions{}), bruteForce(p)
		if !slices.Equal(got, want) {
			t.Errorf("%s\ngot  %s\nwant %s", p, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if len(want) > 1 {
			several++
		}
	}
	if several < 20 {
		t.Errorf("only %d boards have several solutions", several)
	}
}

func BenchmarkFewEnds(b *testing.B) {
	for _, side := range []int{100, MaxSide} {
		b.Run(fmt.Sprint(side), func(b *testing.B) {
			p := fewEnds(b, side, 6, 6)
			for b.Loop() {
				if _, err := p.Solve(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
