package flow

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestCountAgainstBruteForce counts on small boards of every kind.
func TestCountAgainstBruteForce(t *testing.T) {
	n := uint64(1500)
	if testing.Short() {
		n = 300
	}
	several := 0
	for seed := range n {
		p := randomPuzzle(rand.New(rand.NewPCG(seed, 18)))
		want := len(bruteForce(p))
		got, _, err := p.Count(t.Context(), false)
		if err != nil || got.Cmp(big.NewInt(int64(want))) != 0 {
			t.Fatalf("seed %d, covering %v, %v: %v solutions (%v), expected %d\n%s", seed, p.covering, p.topology, got, err, want, p)
		}
		if want > 1 {
			several++
		}
	}
	if several*10 < int(n) {
		t.Errorf("%d of %d boards have several solutions: too few to tell anything", several, n)
	}
}
