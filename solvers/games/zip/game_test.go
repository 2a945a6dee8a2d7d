package zip

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/gametest"
	"tapwise/solvers/grid"
)

// TestGame runs the suite that every game passes.
func TestGame(t *testing.T) { gametest.Run(t, Game{}, "testdata/cases/*.txt") }

func FuzzParse(f *testing.F) { gametest.FuzzParse(f, Game{}, "testdata/cases/*.txt", nil) }

// TestRead reads kept observations of the simulated app.
func TestRead(t *testing.T) {
	gametest.Observations(t, Game{}, "testdata/read/*.txt", gametest.NoLines)
}

func FuzzRead(f *testing.F) { gametest.FuzzRead(f, Game{}, "testdata/read/*.txt") }

// naive lists the solutions of a puzzle by walking from the 1 to every neighbour in turn.
func naive(p *Puzzle) []string {
	var found []string
	var walk func(path []board.Cell)
	walk = func(path []board.Cell) {
		if len(path) == p.Size.Cells() {
			if s := (&Solution{p.Along(path)}); s.Check() == nil {
				found = append(found, s.String())
			}
			return
		}
		for _, n := range p.Size.Neighbours(path[len(path)-1]) {
			if !slices.Contains(path, n) {
				walk(append(slices.Clip(path), n))
			}
		}
	}
	walk(p.Stops[:1])
	slices.Sort(found)
	return found
}

// TestBruteForce compares the solutions of random boards with those that walking
// everywhere finds.
func TestBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 1))
	several, none := 0, 0
	for i := range 150 {
		size := board.Size{Rows: 2 + i%3, Cols: 3 + i%2}
		numbers := make([]int, size.Cells())
		path := size.Tour(random)
		if i%4 == 0 {
			random.Shuffle(len(path), func(a, b int) { path[a], path[b] = path[b], path[a] })
		}
		for n := range 2 + random.IntN(3) {
			numbers[path[n*(len(path)-1)/4]] = n + 1
		}
		stops, err := board.Stops(numbers)
		if err != nil {
			t.Fatal(err)
		}
		var walls []board.Edge
		for _, e := range size.Edges() {
			if random.IntN(12) == 0 {
				walls = append(walls, e)
			}
		}
		p, err := newPuzzle(size, stops, walls)
		if err != nil {
			t.Fatal(err)
		}
		want := naive(p)
		gametest.SameSolutions(t, p, want)
		if len(want) == 0 {
			none++
		} else if len(want) > 1 {
			several++
		}
	}
	if several == 0 || none == 0 {
		t.Errorf("%d boards with several solutions, %d with none, expected some of each", several, none)
	}
}

// TestGenerate makes boards of all usual sizes, each with one solution.
func TestGenerate(t *testing.T) {
	for side := MinSide; side <= 8; side++ {
		random := rand.New(rand.NewPCG(11, uint64(side)))
		for _, o := range []solvers.GenerateOptions{{Rows: side}, {Rows: side, Cols: side + 1}, {Cols: side, Colours: 3}} {
			made, err := Game{}.Generate(context.Background(), o, random)
			if err != nil {
				t.Fatal(err)
			}
			p := made.(*Puzzle)
			if found := gametest.Solutions(t, p); len(found) != 1 || p.Size.Rows != side || o.Colours != 0 && len(p.Stops) != o.Colours {
				t.Errorf("%+v: %d solutions:\n%s", o, len(found), p)
			}
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	gametest.GenerateRefuses(t, Game{}, map[string]solvers.GenerateOptions{
		"1 rows and 0 columns":  {Rows: 1},
		"17 rows and 0 columns": {Rows: 17},
		"8 rows and 17 columns": {Rows: 8, Cols: 17},
		"1 numbers wanted":      {Colours: 1},
		"65 numbers wanted":     {Rows: 9, Colours: 65},
		`variant "hex"`:         {Variant: "hex"},
	})
}

// TestTour wants paths through all cells, and different ones.
func TestTour(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	seen := map[string]bool{}
	for range 50 {
		p := Puzzle{grid.Through{Size: board.Size{Rows: 5, Cols: 4}}}
		path := p.Size.Tour(random)
		p.Stops = []board.Cell{path[0], path[len(path)-1]}
		s := &Solution{p.Along(path)}
		if err := s.Check(); err != nil {
			t.Fatalf("%v\n%s", err, s)
		}
		seen[s.String()] = true
	}
	if len(seen) < 25 {
		t.Errorf("50 tours, only %d different ones", len(seen))
	}
}
