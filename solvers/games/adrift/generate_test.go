package adrift

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/gametest"
)

// TestGenerate makes puzzles of all sizes, each with one solution, and the same
// ones from the same seed.
func TestGenerate(t *testing.T) {
	for side := MinSide; side <= MaxSide; side++ {
		for _, colours := range []int{0, 1, 2, side + 1, side * side / 2} {
			for _, unique := range []bool{true, false} {
				o := solvers.GenerateOptions{Rows: side, Colours: colours, Unique: unique}
				made := func() []*Puzzle {
					random := rand.New(rand.NewPCG(11, 1))
					var list []*Puzzle
					for range 3 {
						p, err := Game{}.Generate(context.Background(), o, random)
						if err != nil {
							t.Fatalf("%+v: %v", o, err)
						}
						list = append(list, p.(*Puzzle))
					}
					return list
				}
				first, second := made(), made()
				for i, p := range first {
					if p.String() != second[i].String() {
						t.Errorf("%+v: the same seed gave\n%s\nand\n%s", o, p, second[i])
					}
					if colours == 0 && p.Colours() != side || colours != 0 && p.Colours() != colours || p.Side() != side {
						t.Errorf("%+v: made\n%s", o, p)
					}
					again, err := Parse(p.String())
					if err != nil || again.String() != p.String() {
						t.Errorf("%+v: %v\n%s\nread again\n%v", o, err, p, again)
					}
					if unique {
						if found := gametest.Solutions(t, p); len(found) != 1 {
							t.Errorf("%+v: %d solutions, expected 1\n%s\n\n%s", o, len(found), p, strings.Join(found, "\n\n"))
						}
					}
				}
			}
		}
	}
}

// TestGenerateUnique makes many puzzles of a kind that includes some with several
// solutions: not when they are to be unique.
func TestGenerateUnique(t *testing.T) {
	several := map[bool]int{}
	for _, unique := range []bool{false, true} {
		o := solvers.GenerateOptions{Rows: 4, Variant: "stones-40", Unique: unique}
		random := rand.New(rand.NewPCG(1, 1))
		for range 200 {
			p, err := Game{}.Generate(context.Background(), o, random)
			if err != nil {
				t.Fatalf("%+v: %v", o, err)
			}
			if len(gametest.Solutions(t, p.(*Puzzle))) > 1 {
				several[unique]++
			}
		}
	}
	if several[true] > 0 || several[false] == 0 {
		t.Errorf("of 200 puzzles %d have several solutions when any will do, expected some; and %d when not, expected none", several[false], several[true])
	}
}

// TestGenerateStones bounds the number of stones.
func TestGenerateStones(t *testing.T) {
	for _, most := range []int{0, 2, 9} {
		o := solvers.GenerateOptions{Unique: true, Variant: fmt.Sprintf("stones-%d", most)}
		for seed := range uint64(5) {
			p, err := Game{}.Generate(context.Background(), o, rand.New(rand.NewPCG(seed, 1)))
			if err != nil {
				t.Fatalf("%+v: %v", o, err)
			}
			if n := strings.Count(p.String(), "X"); n > most {
				t.Errorf("%d stones, expected at most %d\n%s", n, most, p)
			}
		}
	}
}

// TestGenerateRefuses tries options that make no sense.
func TestGenerateRefuses(t *testing.T) {
	gametest.GenerateRefuses(t, Game{}, map[string]solvers.GenerateOptions{
		"4 rows and 5 columns":     {Rows: 4, Cols: 5},
		"faces of 1 rows":          {Rows: 1},
		"faces of 8 rows":          {Cols: 8},
		"-1 colours":               {Colours: -1},
		"38 colours":               {Colours: 38},
		"52 colours":               {Rows: 7, Colours: 52},
		`variant "bridges"`:        {Variant: "bridges"},
		`variant "stones--1"`:      {Variant: "stones--1"},
		`variant "stones-"`:        {Variant: "stones-"},
		"with at most 0 stones":    {Rows: 3, Colours: 1, Variant: "stones-0"},
		"faces of 2 rows in 1000 ": {Rows: 2, Colours: 1, Variant: "stones-1"},
	})
}

// BenchmarkGenerate makes levels of 5×5 cells a face and five colours, each with
// one solution.
func BenchmarkGenerate(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	stones, conflicts := 0, int64(0)
	n := 0
	for b.Loop() {
		p, err := Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: 5, Colours: 5, Unique: true}, random)
		if err != nil {
			b.Fatal(err)
		}
		n++
		stones += strings.Count(p.String(), "X")
		stats, err := p.(*Puzzle).Enumerate(context.Background(), solvers.EnumerateOptions{}, func(solvers.Solution) bool { return true })
		if err != nil {
			b.Fatal(err)
		}
		conflicts += stats.Conflicts
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "levels/s")
	b.ReportMetric(float64(stones)/float64(n), "stones/level")
	b.ReportMetric(float64(conflicts)/float64(n), "conflicts/level")
}
