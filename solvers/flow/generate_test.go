package flow

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tapwise/solvers"
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
		if _, err := p.Enumerate(context.Background(), func(solvers.Solution) bool { n++; return n < 2 }); err != nil || n != 1 {
			t.Errorf("%+v: %d solutions (%v)\n%s", o, n, err, p)
		}
	}
}

// TestGenerateRefuses tries what makes no sense.
func TestGenerateRefuses(t *testing.T) {
	for _, o := range []solvers.GenerateOptions{{Rows: -3}, {Rows: 1, Cols: 1}, {Rows: 1000, Cols: 5}, {Variant: "cube"}} {
		if p, err := (Game{}).Generate(context.Background(), o, rand.New(rand.NewPCG(1, 2))); err == nil {
			t.Errorf("%+v: made\n%s", o, p)
		}
	}
}

func BenchmarkGenerate10x10(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		if _, err := (Game{}).Generate(context.Background(), solvers.GenerateOptions{Rows: 10, Cols: 10, Unique: true}, random); err != nil {
			b.Fatal(err)
		}
	}
}
