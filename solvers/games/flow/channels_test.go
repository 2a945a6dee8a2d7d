package flow

import (
	"math/rand/v2"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// TestChannels draws channels on boards of many shapes and wants pipes that cover the board, as many
// as wanted, by the rules.
func TestChannels(t *testing.T) {
	drawn := 0
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 5))
		b := Board{Size: board.Size{Rows: 5 + random.IntN(40), Cols: 5 + random.IntN(40)}, Ends: [][2]board.Cell{{0, 1}}}
		blank, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		c := newChannels(b.Size, leastSquares+random.IntN(mostSquares-leastSquares+1), random)
		if c == nil {
			continue
		}
		wanted := len(c.pipes) + random.IntN(5)
		c.cut(wanted, random)
		cover := coverOf(blank, c.pipes)
		p, err := cover.puzzle(b)
		if err != nil {
			t.Fatal(err)
		}
		s := newSolution(p, cover.paths())
		if err := s.Check(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, s)
		}
		if len(c.pipes) > wanted {
			t.Errorf("seed %d: %d pipes, expected at most %d", seed, len(c.pipes), wanted)
		}
		if cover.winds() {
			t.Errorf("seed %d: a pipe runs beside itself\n%s", seed, s)
		}
		drawn++
	}
	if drawn < 200 {
		t.Errorf("%d boards drawn: too few to tell anything", drawn)
	}
}

// TestChannelsUnique wants boards that are generated with few pipes and one solution to have that by
// an exact count, which shares no code with the proofs.
func TestChannelsUnique(t *testing.T) {
	boards := uint64(8)
	if testing.Short() {
		boards = 1
	}
	for seed := range boards {
		random := rand.New(rand.NewPCG(seed, 6))
		o := solvers.GenerateOptions{Rows: 9 + int(seed)%3, Cols: 34 + random.IntN(6), Unique: true}
		o.Colours = 18 + random.IntN(6)
		if seed%2 == 1 {
			o.Rows, o.Cols = o.Cols, o.Rows
		}
		if b, err := boardOf(o); err != nil || !b.wantsChannels(o.Colours) {
			t.Fatalf("%d×%d with %d pipes is no board for channels: %v", o.Rows, o.Cols, o.Colours, err)
		}
		made, err := Game{}.Generate(t.Context(), o, random)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		p := made.(*Puzzle)
		if len(p.ends) > o.Colours {
			t.Errorf("seed %d: %d pipes, expected at most %d", seed, len(p.ends), o.Colours)
		}
		n, _, err := p.Count(t.Context(), false)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if n.Uint64() != 1 {
			t.Errorf("seed %d: %v solutions, expected one\n%s", seed, n, p)
		}
	}
}

// TestChannelsLarge wants few pipes of large boards with one solution, inside the board for the most part.
func TestChannelsLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of search")
	}
	for _, side := range []int{20, 30, 40, 50} {
		o := solvers.GenerateOptions{Rows: side, Cols: side, Colours: side, Unique: true}
		made, err := Game{}.Generate(t.Context(), o, rand.New(rand.NewPCG(1, uint64(side))))
		if err != nil {
			t.Fatal(err)
		}
		p := made.(*Puzzle)
		inside := 0
		for _, pair := range p.ends {
			for _, end := range pair {
				if !p.size.OnRim(end) {
					inside++
				}
			}
		}
		if len(p.ends) > side || inside < side {
			t.Errorf("%d×%d: %d pipes with %d of %d ends inside, expected at most %d and half of them", side, side, len(p.ends), inside, 2*len(p.ends), side)
		}
		n, stats := search(t, namedPuzzle{p.size.String(), p}, 2, SearchOptions{})
		if n != 1 {
			t.Errorf("%d×%d: %d solutions, expected one", side, side, n)
		}
		t.Logf("%d×%d: %d pipes, %d of %d ends inside, %d conflicts to the proof", side, side, len(p.ends), inside, 2*len(p.ends), stats.Conflicts)
	}
}

// TestChannelsTooNarrow wants boards that have no room for channels to come up in the other way.
func TestChannelsTooNarrow(t *testing.T) {
	o := solvers.GenerateOptions{Rows: 4, Cols: 80, Colours: 25, Unique: true}
	made, err := Game{}.Generate(t.Context(), o, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	p := made.(*Puzzle)
	if n, _, err := p.Count(t.Context(), false); err != nil || n.Uint64() != 1 || len(p.ends) > o.Colours {
		t.Errorf("%v solutions (%v), %d pipes, expected one and at most %d", n, err, len(p.ends), o.Colours)
	}
}
