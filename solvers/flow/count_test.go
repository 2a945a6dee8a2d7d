package flow

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"time"

	"tapwise/solvers/csp"
	"tapwise/solvers/csp/frontier"
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
		got, _, err := p.Count(t.Context())
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

func TestMeasure(t *testing.T) {
	set := readSet(t, "flow/official")
	step := 24
	for i, p := range set {
		if i%step != 0 {
			continue
		}
		cpu := func() time.Duration {
			var u syscall.Rusage
			_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
			return time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
		t0 := cpu()
		p.Search2(t.Context())
		engine := cpu() - t0
		t0 = cpu()
		m, _ := p.model(0, p.canColor())
		m.Propagate()
		for again := true; again; {
			again = false
			for _, e := range m.edges {
				for _, l := range []csp.BoolVar{e, e.Not()} {
					if _, known := m.Fixed(e); known {
						break
					}
					if !m.Probe(l) {
						again = true
						m.Propagate()
					}
				}
			}
		}
		root := cpu() - t0
		g, orders := m.sweep()
		t0 = cpu()
		n, s, err := g.Count(context.Background(), frontier.Limits{Enough: 2, Work: 6000000}, orders...)
		took := cpu() - t0
		fmt.Fprintf(os.Stdout, "DATA %s %dx%d %s pipes=%d engine=%.2f root=%.2f count=%.2f n=%v err=%v states=%d widest=%d width=%d\n", p.name, p.size.Rows, p.size.Cols, p.variant(), len(p.ends),
			engine.Seconds()*1000, root.Seconds()*1000, took.Seconds()*1000, n, err != nil, s.States, s.Widest, s.Width)
	}
	_ = csp.Infeasible
}

func (p *Puzzle) Search2(ctx context.Context) (int, any, error) {
	n := 0
	s, err := p.Search(ctx, SearchOptions{}, func(*Solution) bool { n++; return n < 2 })
	return n, s, err
}
