package player_test

import (
	"image"
	"math/rand/v2"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
)

// TestSmallHexagons reads Flow's hexagons from disturbed pictures of a small screen, on which
// outlines are hardly wider than thin lines, and words above the board lie where cells of
// one more row would.
func TestSmallHexagons(t *testing.T) {
	game := flow.Game{}
	for name, disturb := range map[string]func(*image.RGBA, *rand.Rand) *image.RGBA{
		"blur":  func(f *image.RGBA, _ *rand.Rand) *image.RGBA { return blurred(f, 2) },
		"JPEG":  func(f *image.RGBA, _ *rand.Rand) *image.RGBA { return asJPEG(f, 45) },
		"noise": func(f *image.RGBA, r *rand.Rand) *image.RGBA { return noisy(f, 6, r) },
	} {
		for _, o := range []solvers.GenerateOptions{{Rows: 7, Cols: 5, Variant: "hex"}, {Rows: 10, Cols: 10, Variant: "hex"}} {
			random := rand.New(rand.NewPCG(5, uint64(o.Rows)))
			level, err := game.Generate(t.Context(), o, random)
			if err != nil {
				t.Fatal(err)
			}
			app, err := all.Simulate(game, []solvers.Puzzle{level}, simapp.Options{Seed: 5, Style: "yellow letters"})
			if err != nil {
				t.Fatal(err)
			}
			frame := disturb(simphone.Render(app, image.Pt(480, 854), 2*time.Second), random)
			if p, err := readSolved(frame, game); err != nil || !gametest.SameBoard(game, p, level) {
				t.Errorf("%s with %s: error %v, read as\n%v\nexpected\n%v", boardName(o), name, err, p, level)
			}
		}
	}
}
