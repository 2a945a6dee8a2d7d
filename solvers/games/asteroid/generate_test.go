package asteroid

import (
	"context"
	"math/rand/v2"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/gametest"
)

// TestGenerate makes puzzles of each difficulty, with one shortest solution
// where asked, and the same ones again from the same random source.
func TestGenerate(t *testing.T) {
	for _, d := range difficulties {
		for _, unique := range []bool{false, true} {
			o := solvers.GenerateOptions{Variant: d.name, Unique: unique}
			first, second := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
			for range 3 {
				p := generated(t, o, first)
				if again := generated(t, o, second); again.String() != p.String() {
					t.Errorf("%+v: made\n%s\nand from the same source\n%s", o, p, again)
				}
				if q, err := Parse(p.String()); err != nil || q.String() != p.String() {
					t.Errorf("%+v: made\n%s\nwhich is read as %v, %v", o, p, q, err)
				}
				s := solved(t, p)
				moves := len(s.moves)
				if moves < d.least || moves > d.most {
					t.Errorf("%+v: %d moves, expected %d to %d\n%s", o, moves, d.least, d.most, p)
				}
				count := 0
				if _, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{MaxMoves: moves}, func(solvers.Solution) bool {
					count++
					return true
				}); err != nil {
					t.Fatal(err)
				}
				if count == 0 || unique && count > 1 {
					t.Errorf("%+v: %d shortest solutions\n%s", o, count, p)
				}
				kinds := map[piece]int{}
				for _, q := range p.at {
					kinds[kindOf(q)]++
				}
				for kind, want := range map[piece]int{hole: 1, spacecraft: 1, oneSmall: 3, oppositeSmall: 1, edgeSmall: 1, bigCorner: 1, bigEdge: 1} {
					if kinds[kind] != want {
						t.Errorf("%+v: %d tiles of the kind %q, expected %d\n%s", o, kinds[kind], kind, want, p)
					}
				}
			}
		}
	}
}

// kindOf is the first orientation of a piece's kind.
func kindOf(p piece) piece {
	kind := hole
	for _, first := range []piece{spacecraft, oneSmall, oppositeSmall, edgeSmall, bigCorner, bigEdge} {
		if first <= p {
			kind = first
		}
	}
	return kind
}

func generated(t testing.TB, o solvers.GenerateOptions, random *rand.Rand) *Puzzle {
	t.Helper()
	p, err := Game{}.Generate(context.Background(), o, random)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	return p.(*Puzzle)
}

// solved is a shortest solution, checked.
func solved(t testing.TB, p *Puzzle) *Solution {
	t.Helper()
	s, err := p.Solve(context.Background())
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	if err := s.Check(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, p, s)
	}
	return s.(*Solution)
}

// TestGenerateRefuses asks for what cannot be made.
func TestGenerateRefuses(t *testing.T) {
	gametest.GenerateRefuses(t, Game{}, map[string]solvers.GenerateOptions{
		"4 rows":                   {Rows: 4},
		"5 columns":                {Cols: 5},
		"3 colours":                {Colours: 3},
		`variant "easy"`:           {Variant: "easy"},
		"one of starter, junior, ": {Variant: "easy"},
		"master, wizard":           {Variant: "easy"},
	})
}

// BenchmarkGenerate makes puzzles of each difficulty and says how many moves
// they need.
func BenchmarkGenerate(b *testing.B) {
	for _, d := range difficulties {
		b.Run(d.name, func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 2))
			moves, most := 0, 0
			for b.Loop() {
				n := len(solved(b, generated(b, solvers.GenerateOptions{Variant: d.name}, random)).moves)
				moves, most = moves+n, max(most, n)
			}
			b.ReportMetric(float64(moves)/float64(b.N), "moves/op")
			b.ReportMetric(float64(most), "most")
		})
	}
}
