package player_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// harsh disturbances make some boards be read wrongly, which only their solutions
// and the clearness of the picture can reveal.
var harsh = []disturbance{
	{"cut off on the right", func(f *image.RGBA, r *rand.Rand) *image.RGBA {
		return cropped(f, f.Rect.Dx()-int(float64(f.Rect.Dx())*(0.02+0.3*r.Float64())), f.Rect.Dy())
	}},
	{"cut off below", func(f *image.RGBA, r *rand.Rand) *image.RGBA {
		return cropped(f, f.Rect.Dx(), f.Rect.Dy()-int(float64(f.Rect.Dy())*(0.2+0.4*r.Float64())))
	}},
	{"black below", func(f *image.RGBA, r *rand.Rand) *image.RGBA {
		fill(f, image.Rect(0, int(float64(f.Rect.Dy())*(0.4+0.4*r.Float64())), f.Rect.Dx(), f.Rect.Dy()), color.RGBA{A: 255})
		return f
	}},
	{"a panel above", func(f *image.RGBA, r *rand.Rand) *image.RGBA {
		fill(f, image.Rect(0, 0, f.Rect.Dx(), int(float64(f.Rect.Dy())*(0.2+0.3*r.Float64()))), color.RGBA{60, 60, 60, 255})
		return f
	}},
	{"two black spots", func(f *image.RGBA, r *rand.Rand) *image.RGBA {
		w, h := f.Rect.Dx(), f.Rect.Dy()
		for range 2 {
			x, y := r.IntN(w*9/10), h/4+r.IntN(h/2)
			fill(f, image.Rect(x, y, x+w/24, y+w/24), color.RGBA{A: 255})
		}
		return f
	}},
	{"brightness 0.25 to 0.55", func(f *image.RGBA, r *rand.Rand) *image.RGBA { return mapped(f, scaled(0.25+0.3*r.Float64())) }},
	{"noise, deviation 8 to 24", func(f *image.RGBA, r *rand.Rand) *image.RGBA { return noisy(f, 8+16*r.Float64(), r) }},
	{"JPEG quality 8 to 38", func(f *image.RGBA, r *rand.Rand) *image.RGBA { return asJPEG(f, 8+r.IntN(30)) }},
}

// cropped is the upper left part of a frame.
func cropped(f *image.RGBA, w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		copy(m.Pix[y*m.Stride:(y+1)*m.Stride], f.Pix[y*f.Stride:])
	}
	return m
}

// TestRobustSeveral disturbs boards of Flow, most of them with several solutions,
// more than any phone does. No wrong board may be believed; undisturbed ones with
// several solutions are believed, all but a few.
func TestRobustSeveral(t *testing.T) {
	if testing.Short() && *robustness == 0 {
		t.Skip("takes a while")
	}
	game := flow.Game{}
	random := rand.New(rand.NewPCG(*robustnessSeed, 2))
	rounds := max(1, *robustness/2)
	believed, clean, doubted := 0, 0, 0
	all := slices.Concat(disturbances, harsh)
	for round := range rounds {
		for i, o := range game.About().Boards {
			if *robustness == 0 && (i%3 != 0 || o.Rows > 10) {
				continue
			}
			o.Unique = random.IntN(4) == 0
			level, err := game.Generate(t.Context(), o, random)
			for range 6 { // few boards have several solutions
				if err != nil || o.Unique || !unique(level) {
					break
				}
				level, err = game.Generate(t.Context(), o, random)
			}
			if err != nil {
				t.Fatal(err)
			}
			for k, with := range []disturbance{disturbances[0], all[random.IntN(len(all))], harsh[(round*5+i)%len(harsh)]} {
				size := screenSizes[random.IntN(len(screenSizes))]
				app, err := flowapp.New([]solvers.Puzzle{level}, simapp.Options{Seed: random.Uint64(), Style: []string{"", "blue", "letters"}[random.IntN(3)]})
				if err != nil {
					t.Fatal(err)
				}
				frame := with.apply(simphone.Render(app, size, 2*time.Second), random)
				several, right, err := judge(frame, level)
				switch {
				case err == nil && !right:
					t.Errorf("%s %v, %s: a wrong board is believed, with several solutions: %v", boardName(o), size, with.name, several)
				case err == nil && several:
					believed++
				}
				if k == 0 && several {
					clean++
					if err != nil {
						doubted++
						t.Logf("%s %v: %v", boardName(o), size, err)
					}
				}
			}
		}
	}
	t.Logf("%d boards with several solutions believed; %d of %d that nothing disturbs doubted", believed, doubted, clean)
	if 4*doubted > clean {
		t.Errorf("%d of %d boards with several solutions that nothing disturbs are doubted, expected at most a quarter", doubted, clean)
	}
}

// judge reads a board, and reports whether it has several solutions and is the
// level's.
func judge(frame *image.RGBA, level solvers.Puzzle) (several, right bool, err error) {
	game := flow.Game{}
	seen, err := recognise.See(calibrated.Eyes{}, frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, game)
	if err != nil {
		return false, false, err
	}
	p, err := seen.Read()
	if err != nil {
		return false, false, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), await.Hang)
	defer cancel()
	if _, _, solveErr := solvers.SolveRead(ctx, game, p); errors.Is(solveErr, solvers.ErrSeveral) {
		several = true
	}
	_, err = solvers.JudgeRead(ctx, game, solvers.Levels{}, p, seen.Seen)
	return several, gametest.SameBoard(game, p, level), err
}
