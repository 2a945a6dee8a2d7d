package player

import (
	"context"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
)

// TestLostPart loses the first stroke of a level, or all but the first: what is
// missing is played again.
func TestLostPart(t *testing.T) {
	gametest.Long(t)
	for _, game := range all.Games() {
		levels := gametest.Levels(t, game)
		levels = levels[min(3, len(levels)-1):]
		if s, err := levels[0].Solve(t.Context()); err != nil {
			t.Fatal(err)
		} else if _, ok := s.(solvers.Pather); !ok {
			continue // taps and moves have no parts, and may not be lost in any order
		}
		for name, lose := range map[string]func(int) bool{
			"first":        func(i int) bool { return i == 0 },
			"all but one":  func(i int) bool { return i > 0 },
			"another path": nil,
		} {
			t.Run(game.Name()+" "+name, func(t *testing.T) {
				app, err := all.Simulate(game, levels, simapp.Options{})
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
					// Somebody has drawn a part of it before.
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
