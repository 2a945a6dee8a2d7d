package sabr

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// outcomeOf is what a search ends with: the error without its effort, or all results.
func outcomeOf(t *testing.T, s *searching) string {
	t.Helper()
	var list []string
	err := s.search(context.Background(), func(r *Result) bool {
		list = append(list, r.String())
		return true
	})
	var none *UnsatisfiableError
	if errors.As(err, &none) {
		return fmt.Sprintf("%d stages: unsatisfiable", none.Stages)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d stages, %d results: %q", s.told, len(list), alikes(list))
}

// TestWays compares what is found from board to board with what is found by
// constraints, and with turns so short that each way often stops and goes on.
func TestWays(t *testing.T) {
	var programs []*Program
	for seed := uint64(0); len(programs) < 600; seed++ {
		p, err := Parse("", randomProgram(rand.New(rand.NewPCG(seed, 18))))
		if err == nil && p.HasSteps() {
			programs = append(programs, p)
		}
	}
	for _, file := range []string{"eight-puzzle", "hanoi", "lights-out", "river"} {
		programs = append(programs, parseFile(t, filepath.Join("testdata", file+".tb")))
	}
	explored, results := 0, 0
	for i, p := range programs {
		o, most := Options{Exactly: i%3 == 0}, 2+2*(i%2)
		if p.File() != "" {
			most = 16
		}
		begin := func() *searching { return p.newSearching(context.Background(), most, o) }
		s := begin()
		if s.explorer == nil {
			continue
		}
		explored++
		want := outcomeOf(t, s)
		if len(s.unrolling.stages) > 0 {
			t.Errorf("program %d: the first turn does not suffice", i)
		}
		if strings.HasSuffix(want, "]") {
			results++
		}
		s = begin()
		s.explorer = nil
		if got := outcomeOf(t, s); got != want {
			t.Errorf("program %d, at most %d stages (exactly: %v):\nfrom board to board %s\nby constraints      %s", i, most, o.Exactly, want, got)
		}
		s = begin()
		s.looks, s.conflicts = 1, 1
		if got := outcomeOf(t, s); got != want {
			t.Errorf("program %d, at most %d stages (exactly: %v):\nin one turn    %s\nin short turns %s", i, most, o.Exactly, want, got)
		}
	}
	t.Logf("%d programs, %d with results", explored, results)
	if explored < 150 || results < 50 {
		t.Errorf("%d programs, %d with results: too few", explored, results)
	}
}

// TestBoardSet keeps boards of cells with lists of all lengths.
func TestBoardSet(t *testing.T) {
	text := ""
	sizes := []int{1, 2, 3, 9, 256, 1, 17, 128, 129, 5}
	board := ""
	for i, n := range sizes {
		text += fmt.Sprintf("Sym L%d { %s}\n", i, numbered(fmt.Sprintf("s%d_", i), n))
		board += fmt.Sprintf("c%d:L%d d%d:L%d ", i, i, i, i)
	}
	p := parseText(t, text+"Board { "+board+"}")
	s := newBoardSet(p)
	r := rand.New(rand.NewPCG(1, 1))
	var boards [][]uint8
	for range 3000 {
		b := make([]uint8, 2*len(sizes))
		for c := range b {
			b[c] = uint8(r.IntN(sizes[c/2]))
		}
		if len(boards) > 0 && r.IntN(4) == 0 {
			copy(b, boards[r.IntN(len(boards))]) // an old one
		}
		packed := s.pack(b)
		id, place, ok := s.find(packed)
		if known := slices.IndexFunc(boards, func(a []uint8) bool { return slices.Equal(a, b) }); (known >= 0) != ok || ok && int(id) != known {
			t.Fatalf("board %v is number %d (%v), expected %d", b, id, ok, known)
		}
		if !ok {
			if id := s.add(packed, place); int(id) != len(boards) {
				t.Fatalf("the new board is number %d, expected %d", id, len(boards))
			}
			boards = append(boards, b)
		}
	}
	got := make([]uint8, 2*len(sizes))
	for id, b := range boards {
		if s.board(uint32(id), got); !slices.Equal(got, b) {
			t.Errorf("board %d is %v, expected %v", id, got, b)
		}
	}
	if newBoardSet(parseText(t, "Sym { "+numbered("s", 257)+"} Board { a }")) != nil {
		t.Error("a list of 257 symbols: expected no set")
	}
}
