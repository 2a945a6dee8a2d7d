package alcazar

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/gametest"
)

// TestCountAgainstBruteForce counts on small boards, of which many have yards.
func TestCountAgainstBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	several := 0
	for i := range 1500 {
		p := randomBoard(random)
		want := int64(len(bruteForce(p)))
		got, _, err := p.Count(t.Context(), false)
		if err != nil || got.Cmp(big.NewInt(want)) != 0 {
			t.Fatalf("board %d: %v solutions (%v), expected %d\n%s", i, got, err, want, p)
		}
		if want > 1 {
			several++
		}
	}
	if several < 50 {
		t.Errorf("%d boards with several solutions: too few to tell anything", several)
	}
}

// TestCountAgainstEnumeration counts on boards too large for brute force.
func TestCountAgainstEnumeration(t *testing.T) {
	for seed := range uint64(20) {
		made, err := Game{}.Generate(t.Context(), solvers.GenerateOptions{Rows: 6, Cols: 7, Variant: []string{"", "holes"}[seed%2]}, rand.New(rand.NewPCG(seed, 2)))
		if err != nil {
			t.Fatal(err)
		}
		p := made.(*Puzzle)
		want := int64(len(gametest.Solutions(t, p)))
		if got, _, err := p.Count(t.Context(), false); err != nil || got.Cmp(big.NewInt(want)) != 0 {
			t.Errorf("seed %d: %v solutions (%v), enumerated %d\n%s", seed, got, err, want, p)
		}
	}
}

// open is a board without walls, whose only openings are above two corners, or that is
// open all around.
func open(t testing.TB, side int, around bool) *Puzzle {
	t.Helper()
	b := Board{Size: board.Size{Rows: side, Cols: side}, Above: make([]bool, (side+1)*side), Left: make([]bool, side*(side+1))}
	for i := range b.Above {
		b.Above[i] = around || i == 0 || i == side-1 || i >= side && i < side*side
	}
	for i := range b.Left {
		b.Left[i] = around || i%(side+1) > 0 && i%(side+1) < side
	}
	p, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCountPublished compares with A000532 of the On-Line Encyclopedia of Integer
// Sequences, the Hamiltonian paths between adjacent corners (oeis.org).
func TestCountPublished(t *testing.T) {
	for side, want := range map[int]string{4: "8", 5: "86", 6: "1770", 7: "88418", 8: "8934966", 9: "2087813834", 10: "1013346943033"} {
		if got, _, err := open(t, side, false).Count(t.Context(), false); err != nil || got.String() != want {
			t.Errorf("%d×%d: %v solutions (%v), published %s", side, side, got, err, want)
		}
	}
}

// BenchmarkCount counts the ways through boards without walls, open all around.
func BenchmarkCount(b *testing.B) {
	for _, side := range []int{8, 10, 12} {
		b.Run(board.Count(side, "row"), func(b *testing.B) {
			p := open(b, side, true)
			var n *big.Int
			for b.Loop() {
				var err error
				if n, _, err = p.Count(b.Context(), false); err != nil {
					b.Fatal(err)
				}
			}
			b.Logf("%d×%d: %v", side, side, n)
		})
	}
}
