package recognise_test

import (
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// TestWon reads generated levels of all kinds, plays each to its end and sees that
// it is won.
func TestWon(t *testing.T) {
	sizes := []image.Point{{720, 1560}, {1080, 2400}, {2560, 1600}, {540, 1170}, {1280, 720}}
	for _, game := range all.Games() {
		t.Run(game.Name(), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, 17))
			n := 0
			for _, o := range game.About().Boards {
				for _, kind := range graded(game, o.Variant) {
					if n++; testing.Short() && n%4 != 0 {
						continue
					}
					o.Variant = kind
					level, err := game.Generate(t.Context(), o, random)
					if err != nil {
						t.Fatal(err)
					}
					app, err := all.Simulate(game, []solvers.Puzzle{level, level}, simapp.Options{Seed: random.Uint64()})
					if err != nil {
						t.Fatal(err)
					}
					size := sizes[n%len(sizes)]
					t.Run(fmt.Sprintf("%d %s %d %v", n, kind, o.Rows, size), func(t *testing.T) {
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
		})
	}
}

// graded are a variant of a game with each of its grades.
func graded(game solvers.Game, variant string) []string {
	g, ok := game.(solvers.Grader)
	if !ok || variant == "" || slices.Contains(g.Grades(), variant) {
		return []string{variant}
	}
	var all []string
	for _, grade := range g.Grades() {
		all = append(all, variant+"-"+grade)
	}
	return all
}
