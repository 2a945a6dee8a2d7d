package reason

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestCore takes random sets of grounds that are enough, and expects one from which nothing can be
// left out.
func TestCore(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 9))
		n := 1 + r.IntN(12)
		var enough []int // as bits
		for range 1 + r.IntN(4) {
			enough = append(enough, 1+r.IntN(1<<n-1)&r.IntN(1<<n))
		}
		follows := func(kept int) bool {
			for _, e := range enough {
				if kept&e == e {
					return true
				}
			}
			return false
		}
		asked := 0
		got := 0
		for i, k := range Core(n, func(kept []int) bool {
			asked++
			set, last := 0, -1
			for _, i := range kept {
				if i <= last || i >= n {
					t.Fatalf("seed %d: asked about %v", seed, kept)
				}
				set, last = set|1<<i, i
			}
			return follows(set)
		}) {
			if got>>k != 0 {
				t.Fatalf("seed %d: ground %d comes after greater ones (%d)", seed, k, i)
			}
			got |= 1 << k
		}
		if !follows(got) {
			t.Fatalf("seed %d: %b is not enough of %b", seed, got, enough)
		}
		for k := range n {
			if got>>k&1 == 1 && follows(got&^(1<<k)) {
				t.Fatalf("seed %d: %d can be left out of %b, of %b", seed, k, got, enough)
			}
		}
		if k := bits.OnesCount(uint(got)); asked > 2+2*k*(1+bits.Len(uint(n))) {
			t.Errorf("seed %d: %d questions about %d grounds for %d", seed, asked, n, k)
		}
	}
}
