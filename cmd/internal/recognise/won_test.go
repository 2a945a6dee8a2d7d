package recognise_test

import (
	"fmt"
	"image"
	"math/rand/v2"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
	"tapwise/vision"
)

// TestWon reads generated levels of all kinds, plays each to its end and sees that
// it is won.
func TestWon(t *testing.T) {
	kinds := map[string][]string{
		"flow":     {"", "bridges", "hex", "warp"},
		"algemy":   {"square-thin", "square-medium", "square-bold", "hexagon-thin", "hexagon-medium", "hexagon-bold"},
		"alcazar":  {""},
		"adrift":   {""},
		"asteroid": {"starter", "junior", "expert", "master", "wizard"},
		"queens":   {""},
		"zip":      {""},
	}
	sides := map[string][]int{"flow": {5, 7, 9}, "algemy": {3, 4, 5, 6}, "alcazar": {4, 6, 8, 10}, "adrift": {2, 3, 4, 5, 6}, "asteroid": {0}, "queens": {5, 7, 9}, "zip": {4, 6, 8}}
	sizes := []image.Point{{720, 1560}, {1080, 2400}, {2560, 1600}, {540, 1170}, {1280, 720}}
	each := 4
	if testing.Short() {
		each = 1
	}
	for _, game := range all.Games() {
		t.Run(game.Name(), func(t *testing.T) {
			t.Parallel()
			if len(kinds[game.Name()]) == 0 {
				t.Fatal("nothing is known here of its levels")
			}
			random := rand.New(rand.NewPCG(3, 17))
			n := 0
			for _, kind := range kinds[game.Name()] {
				for _, side := range sides[game.Name()] {
					for range each {
						level, err := game.Generate(t.Context(), solvers.GenerateOptions{Rows: side, Cols: side, Unique: true, Variant: kind}, random)
						if err != nil {
							t.Fatal(err)
						}
						app, err := all.Simulate(game, []solvers.Puzzle{level, level}, simapp.Options{Seed: random.Uint64()})
						if err != nil {
							t.Fatal(err)
						}
						size := sizes[n%len(sizes)]
						n++
						t.Run(fmt.Sprintf("%d %s %d %v", n, kind, side, size), func(t *testing.T) {
							frame := win(t, game, app, size)
							seen, err := vision.Observe(frame, screen.Frame{Size: size, Rotation: -1}, game.Spec())
							if err != nil {
								t.Fatal(err)
							}
							if place := game.Locate(seen); place.Kind != screen.Won {
								_, reason := game.Read(seen)
								t.Errorf("%s (%s; %v), expected won:\n%s", place.Kind, place.Reason, reason, level)
							}
						})
					}
				}
			}
		})
	}
}
