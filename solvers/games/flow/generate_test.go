package flow

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/gametest"
)

// TestGenerate makes boards of several sizes and kinds; the conformance suite
// does the rest.
func TestGenerate(t *testing.T) {
	for _, o := range []solvers.GenerateOptions{
		{Rows: 5, Cols: 5, Unique: true},
		{Rows: 6, Cols: 4, Unique: true},
		{Rows: 9, Cols: 9, Unique: true},
		{Rows: 7, Cols: 7, Unique: true, Colours: 8},
		{Rows: 6, Cols: 6, Unique: true, Variant: "hex"},
		{Rows: 6, Cols: 6, Unique: true, Variant: "warp"},
		{Rows: 7, Cols: 7, Unique: true, Variant: "bridges"},
		{Rows: 12, Cols: 9, Unique: true, Variant: "bridges"},
		{Rows: 30, Cols: 20},
		{Rows: 40, Cols: 40, Colours: 40},
		{Rows: 50, Cols: 50, Colours: 50},
		{Rows: 20, Cols: 20, Colours: 14, Variant: "warp"},
		{Rows: 20, Cols: 20, Colours: 14, Variant: "hex"},
		{Rows: 30, Cols: 30, Colours: 30, Variant: "bridges"},
		{Rows: 20, Cols: 20, Colours: 6, Variant: "winding"},
		{Rows: 8, Cols: 8, Unique: true, Colours: 6},
		{Rows: 12, Cols: 12, Unique: true, Colours: 12},
		{Rows: 21, Cols: 21, Unique: true, Colours: 60},
		{Rows: 10, Cols: 10, Unique: true, Colours: 10, Variant: "hex"},
		{Rows: 10, Cols: 10, Unique: true, Colours: 12, Variant: "bridges"},
		{Rows: 100, Cols: 100},
	} {
		made, err := Game{}.Generate(context.Background(), o, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Errorf("%+v: %v", o, err)
			continue
		}
		p := made.(*Puzzle)
		if p.size.Rows != o.Rows || p.size.Cols != o.Cols || o.Colours > 0 && p.Pipes() > o.Colours {
			t.Errorf("%+v: got\n%s", o, p)
		}
		if o.Variant == "bridges" && !slices.Contains(p.kind, bridge) {
			t.Errorf("%+v: no bridges on\n%s", o, p)
		}
		if !o.Unique {
			continue
		}
		n := 0
		if _, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{}, func(solvers.Solution) bool { n++; return n < 2 }); err != nil || n != 1 {
			t.Errorf("%+v: %d solutions (%v)\n%s", o, n, err, p)
		}
	}
}

// TestGenerateRefuses tries options that make no sense.
func TestGenerateRefuses(t *testing.T) {
	gametest.GenerateRefuses(t, Game{}, map[string]solvers.GenerateOptions{
		"board of -3x-3":                        {Rows: -3},
		"board of 1x1, expected 2x2 to 256x256": {Rows: 1, Cols: 1},
		"board of 5x1000":                       {Rows: 1000, Cols: 5},
		`variant "cube", expected bridges, hex, warp or winding`: {Variant: "cube"},
	})
}

func BenchmarkGenerate10x10(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		if _, err := (Game{}).Generate(context.Background(), solvers.GenerateOptions{Rows: 10, Cols: 10, Unique: true}, random); err != nil {
			b.Fatal(err)
		}
	}
}

// TestWinding makes fifty boards whose only solution breaks the assumption
// that most solvers lean on, and solves them.
func TestWinding(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	for broken, tries := 0, 0; broken < 50; tries++ {
		if tries == 300 {
			t.Fatalf("%d boards of %d break the bend rule, expected 50", broken, tries)
		}
		side := 5 + tries%5
		made, err := Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: side, Cols: side, Unique: true, Variant: "winding"}, random)
		if err != nil {
			t.Fatal(err)
		}
		p := made.(*Puzzle)
		var found []*Solution
		if _, err := p.Search(context.Background(), SearchOptions{}, func(s *Solution) bool {
			found = append(found, s)
			return len(found) < 2
		}); err != nil || len(found) != 1 {
			t.Fatalf("%d solutions, %v, expected one\n%s", len(found), err, p)
		}
		if err := found[0].Check(); err != nil {
			t.Errorf("%v\n%s", err, p)
		}
		if breaksBendRule(found[0]) {
			broken++
		}
	}
}

// breaksBendRule reports whether a pipe bends around a cell that is no end and
// does not bend the same way.
func breaksBendRule(s *Solution) bool {
	size := s.puzzle.size
	bend := map[board.Cell][2]int{} // of each corner: the rows and columns towards its neighbours, added up
	for _, path := range s.paths {
		for k := 1; k+1 < len(path); k++ {
			c, a, b := path[k], path[k-1], path[k+1]
			dr := size.Row(a) + size.Row(b) - 2*size.Row(c)
			dc := size.Col(a) + size.Col(b) - 2*size.Col(c)
			if dr != 0 && dc != 0 {
				bend[c] = [2]int{dr, dc}
			}
		}
	}
	for c, d := range bend {
		inside := size.At(size.Row(c)+d[0], size.Col(c)+d[1])
		if s.puzzle.pipe[inside] < 0 && bend[inside] != d {
			return true
		}
	}
	return false
}
