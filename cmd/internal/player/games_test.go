package player

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/adrift"
	"tapwise/solvers/alcazar"
)

// pack are the levels of a pack that comes along.
func pack(t *testing.T, game solvers.Game) []solvers.Puzzle {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "configs", "packs", game.Name()+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	var puzzles []solvers.Puzzle
	for _, block := range strings.Split(string(data), "\n\n") {
		if block = strings.Trim(block, "\n"); block == "" || strings.HasPrefix(block, "# ") {
			continue
		}
		p, err := game.Parse(block)
		if err != nil {
			t.Fatalf("%v\n%s", err, block)
		}
		puzzles = append(puzzles, p)
	}
	return puzzles
}

// TestPacks clears the packs that come along, in each style of the app, upright
// and held sideways.
func TestPacks(t *testing.T) {
	for _, game := range []solvers.Simulator{alcazar.Game{}, adrift.Game{}} {
		levels := pack(t, game)
		for i, style := range []string{"light", "dark"} {
			t.Run(game.Name()+" "+style, func(t *testing.T) {
				app, err := game.Simulate(levels, solvers.SimulateOptions{Style: style, Seed: uint64(i)})
				if err != nil {
					t.Fatal(err)
				}
				g, p := newGlass(t)
				g.app, g.turned, p.Game = app, i == 1, game
				won, err := p.Clear(context.Background(), 0, func(r Report, err error) {
					if err == nil && r.Redone {
						t.Errorf("played again:\n%s", r.Board)
					}
				})
				if won != len(levels) || err != nil {
					t.Errorf("won %d of %d: %v", won, len(levels), err)
				}
			})
		}
	}
}

// TestLostPart loses the first stroke of a level, or all but the first: what is
// missing is played again.
func TestLostPart(t *testing.T) {
	for _, game := range []solvers.Simulator{alcazar.Game{}, adrift.Game{}} {
		for name, lose := range map[string]func(int) bool{
			"first":        func(i int) bool { return i == 0 },
			"all but one":  func(i int) bool { return i > 0 },
			"another path": nil,
		} {
			t.Run(game.Name()+" "+name, func(t *testing.T) {
				app, err := game.Simulate(pack(t, game)[3:], solvers.SimulateOptions{})
				if err != nil {
					t.Fatal(err)
				}
				g, p := newGlass(t)
				g.app, p.Game = app, game
				_, plan, err := p.Preview(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if lose == nil {
					// Somebody has drawn some of it before, not to the end.
					plan[0].Points = plan[0].Points[:len(plan[0].Points)/2]
					if err := g.Play(context.Background(), plan[:1]); err != nil {
						t.Fatal(err)
					}
					if r, err := p.Level(context.Background()); err != nil || !r.Won {
						t.Errorf("with some of it drawn before: %+v, %v", r, err)
					}
					return
				}
				played := 0
				g.lose = func(i int) bool {
					played++
					return played <= len(plan) && lose(i)
				}
				r, err := p.Level(context.Background())
				if err != nil || !r.Won || r.Redone != (len(plan) > 1 || lose(0)) {
					t.Errorf("got %+v, %v, expected a level won after playing some of it again", r, err)
				}
			})
		}
	}
}
