package player_test

import (
	"context"
	"image"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/alcazar"
	"tapwise/solvers/screen"
)

// TestYardObservations looks at a palace of Alcazar with places without a room,
// fresh and with half of a path drawn, and compares the observations with the
// kept ones.
func TestYardObservations(t *testing.T) {
	game := alcazar.Game{}
	p, err := game.Parse("xxx xxx\nx#x0 0x\nxxx x x\nx0 0x#x\nx x x x\nx0 0 0x\nxxxxxxx")
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, style := range []string{"light", "dark"} {
		app, err := all.Simulate(game, []solvers.Puzzle{p}, simapp.Options{Style: style})
		if err != nil {
			t.Fatal(err)
		}
		size := image.Pt(480, 800)
		seen := compareObservation(t, game, "yards-"+style, simphone.Render(app, size, time.Second))
		plan := s.Plan(seen.Layout)
		if len(plan) != 1 {
			t.Fatalf("%d gestures, expected one", len(plan))
		}
		way := plan[0].Points[:len(plan[0].Points)/2+1]
		for k, at := range way {
			action := screen.TouchMove
			if k == 0 {
				action = screen.TouchDown
			}
			app.Touch(action, float64(at.X), float64(at.Y), time.Second)
		}
		last := way[len(way)-1]
		app.Touch(screen.TouchUp, float64(last.X), float64(last.Y), time.Second)
		compareObservation(t, game, "yards-"+style+"-drawn", simphone.Render(app, size, 3*time.Second))
	}
}
