package algemy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/gametest"
)

// TestPacks counts the levels of the set.
func TestPacks(t *testing.T) {
	packs := Packs()
	names := map[string]bool{}
	levels := 0
	for _, p := range packs {
		names[p.Name()] = true
		levels += p.Levels
	}
	if len(names) != 30 || len(packs) != 30 || levels != 1205 {
		t.Errorf("%d packs with %d names and %d levels, expected 30 packs and 1205 levels", len(packs), len(names), levels)
	}
}

// TestGeneratePacks makes two levels of every pack: different ones, with one
// solution each, and the same ones from the same seed.
func TestGeneratePacks(t *testing.T) {
	for _, pack := range Packs() {
		pack.Levels = 2
		made := func() []string {
			levels, err := pack.Generate(context.Background(), rand.New(rand.NewPCG(7, 1)))
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, p := range levels {
				if p.Shape() != pack.Shape || p.Side() != pack.Side || p.Hard() != (pack.Row == Bold) {
					t.Errorf("%s holds\n%s", pack.Name(), p)
				}
				again, err := Parse(p.String())
				if err != nil || again.String() != p.String() {
					t.Errorf("%s: %v\n%s\nread again\n%v", pack.Name(), err, p, again)
				}
				if found := gametest.Solutions(t, p); len(found) != 1 {
					t.Errorf("%s: %d solutions, expected 1\n%s\n\n%s", pack.Name(), len(found), p, strings.Join(found, "\n\n"))
				}
				texts = append(texts, p.String())
			}
			return texts
		}
		first, second := made(), made()
		different := map[string]bool{}
		for i := range first {
			different[first[i]] = true
			if first[i] != second[i] {
				t.Errorf("%s, level %d: the same seed gave\n%s\nand\n%s", pack.Name(), i, first[i], second[i])
			}
		}
		if len(different) != 2 {
			t.Errorf("%s: %d different levels, expected 2", pack.Name(), len(different))
		}
	}
}

// TestGenerate tries options, good and bad.
func TestGenerate(t *testing.T) {
	for _, c := range []struct {
		options solvers.GenerateOptions
		want    Pack
		refused string
	}{
		{options: solvers.GenerateOptions{}, want: Pack{Square, Thin, 5, 0}},
		{options: solvers.GenerateOptions{Rows: 3}, want: Pack{Square, Thin, 3, 0}},
		{options: solvers.GenerateOptions{Cols: 4, Colours: 3}, want: Pack{Square, Thin, 4, 0}},
		{options: solvers.GenerateOptions{Rows: 3, Cols: 3, Colours: 6}, want: Pack{Square, Bold, 3, 0}},
		{options: solvers.GenerateOptions{Rows: 4, Variant: "hexagon"}, want: Pack{Hexagon, Thin, 4, 0}},
		{options: solvers.GenerateOptions{Rows: 3, Variant: "hexagon", Colours: 6}, want: Pack{Hexagon, Bold, 3, 0}},
		{options: solvers.GenerateOptions{Variant: "medium"}, want: Pack{Square, Medium, 5, 0}},
		{options: solvers.GenerateOptions{Variant: "square-bold", Colours: 6}, want: Pack{Square, Bold, 5, 0}},
		{options: solvers.GenerateOptions{Rows: 3, Cols: 4}, refused: "3 rows and 4 columns"},
		{options: solvers.GenerateOptions{Rows: 2}, refused: "side of 2 cells"},
		{options: solvers.GenerateOptions{Rows: 8}, refused: "side of 8 cells"},
		{options: solvers.GenerateOptions{Rows: -5}, refused: "side of -5 cells"},
		{options: solvers.GenerateOptions{Colours: 4}, refused: "4 colours"},
		{options: solvers.GenerateOptions{Colours: 3, Variant: "bold"}, refused: "3 colours"},
		{options: solvers.GenerateOptions{Colours: 6, Variant: "thin"}, refused: "6 colours"},
		{options: solvers.GenerateOptions{Variant: "cube"}, refused: `variant "cube"`},
		{options: solvers.GenerateOptions{Variant: "square-"}, refused: `variant "square-"`},
		{options: solvers.GenerateOptions{Variant: "bold-square"}, refused: `variant "bold-square"`},
	} {
		for _, unique := range []bool{false, true} {
			c.options.Unique = unique
			made, err := Game{}.Generate(context.Background(), c.options, rand.New(rand.NewPCG(3, 1)))
			if c.refused != "" {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("%+v: got %v, %v, expected an error with %q", c.options, made, err, c.refused)
				}
				continue
			}
			if err != nil {
				t.Errorf("%+v: %v", c.options, err)
				continue
			}
			p := made.(*Puzzle)
			if got := (Pack{p.Shape(), c.want.Row, p.Side(), 0}); got != c.want || p.Hard() != (c.want.Row == Bold) {
				t.Errorf("%+v: made\n%s", c.options, p)
			}
			s, err := p.Solve(context.Background())
			if err != nil {
				t.Errorf("%+v: %v\n%s", c.options, err, p)
			} else if err := s.Check(); err != nil {
				t.Errorf("%+v: %v\n%s\n%s", c.options, err, p, s)
			}
		}
	}
}

// wholeSet makes the levels of all packs.
func wholeSet(b *testing.B) []*Puzzle {
	random := rand.New(rand.NewPCG(1, 1))
	var set []*Puzzle
	for _, pack := range Packs() {
		levels, err := pack.Generate(context.Background(), random)
		if err != nil {
			b.Fatal(err)
		}
		set = append(set, levels...)
	}
	return set
}

// BenchmarkSet solves a whole set of 1,205 levels and proves that each has one
// solution.
func BenchmarkSet(b *testing.B) {
	set := wholeSet(b)
	for b.Loop() {
		for _, p := range set {
			found := 0
			if _, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{}, func(solvers.Solution) bool { found++; return true }); err != nil || found != 1 {
				b.Fatalf("%d solutions, %v\n%s", found, err, p)
			}
		}
	}
	b.ReportMetric(float64(len(set)), "levels")
}

// BenchmarkGenerateSet makes a whole set.
func BenchmarkGenerateSet(b *testing.B) {
	for b.Loop() {
		wholeSet(b)
	}
}

// Packs lists a set like the game's: 30 packs, of 2 shapes, 3 rows and the
// sides 3 to 7, with 1,205 levels; 41 in each bold pack of hexagons, 40 in the
// others.
func Packs() []Pack {
	var packs []Pack
	for _, shape := range []Shape{Square, Hexagon} {
		for row := Thin; row <= Bold; row++ {
			for side := MinSide; side <= MaxSide; side++ {
				pack := Pack{Shape: shape, Row: row, Side: side, Levels: 40}
				if shape == Hexagon && row == Bold {
					pack.Levels++
				}
				packs = append(packs, pack)
			}
		}
	}
	return packs
}

// Name is a pack's name, such as "hexagon-bold-5".
func (p Pack) Name() string { return fmt.Sprintf("%s-%s-%d", p.Shape, p.Row, p.Side) }

// Generate makes the levels of a pack, each different and with exactly one
// solution, from the least effort to solve to the most. It fails with the
// context's error.
func (p Pack) Generate(ctx context.Context, random *rand.Rand) ([]*Puzzle, error) {
	var levels []level
	made := map[string]bool{}
	for len(levels) < p.Levels {
		l, err := p.level(ctx, random, true)
		if err != nil {
			return nil, err
		}
		if text := l.String(); !made[text] {
			made[text] = true
			levels = append(levels, l)
		}
	}
	slices.SortStableFunc(levels, byEffort)
	puzzles := make([]*Puzzle, len(levels))
	for i, l := range levels {
		puzzles[i] = l.Puzzle
	}
	return puzzles, nil
}
