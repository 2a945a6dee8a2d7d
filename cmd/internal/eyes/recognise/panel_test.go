package recognise_test

import (
	"image"
	"image/color"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// TestPanels tells the panel of a won level, on screens of several sizes,
// from a panel of the same shape in other colours.
func TestPanels(t *testing.T) {
	for _, game := range all.Games() {
		if all.App(game) == nil || len(game.Spec().Measures) == 0 {
			continue
		}
		level := gametest.Levels(t, game)[0]
		for _, style := range gametest.Styles(game) {
			for _, size := range []image.Point{{480, 800}, {720, 1520}, {1080, 2400}, {1600, 900}} {
				if testing.Short() && size.X != 480 {
					continue
				}
				app, err := all.Simulate(game, []solvers.Puzzle{level, level}, simapp.Options{Seed: 5, Style: style})
				if err != nil {
					t.Fatal(err)
				}
				frame := win(t, game, app, size)
				for _, panel := range []struct {
					name string
					turn func(color.RGBA) color.RGBA
					own  bool
				}{
					{"own", func(c color.RGBA) color.RGBA { return c }, true},
					{"turned once", func(c color.RGBA) color.RGBA { return color.RGBA{c.G, c.B, c.R, 255} }, false},
					{"turned twice", func(c color.RGBA) color.RGBA { return color.RGBA{c.B, c.R, c.G, 255} }, false},
				} {
					coloured := image.NewRGBA(frame.Rect)
					for y := range frame.Rect.Dy() {
						for x := range frame.Rect.Dx() {
							coloured.SetRGBA(x, y, panel.turn(frame.RGBAAt(x, y)))
						}
					}
					on := screen.Frame{Size: size, Rotation: -1}
					seen, err := vision.Observe(coloured, on, game.Spec())
					if err != nil {
						t.Fatal(err)
					}
					if _, ok := seen.Panel(); !ok && panel.own {
						// A game whose board itself shows that it is won has no panel.
						if place := game.Locate(seen); place.Kind != screen.Won {
							t.Errorf("%s, style %q, %v, %s: %s, %s, expected won", game.Name(), style, size, panel.name, place.Kind, place.Reason)
						}
						break
					}
					if place := game.Locate(seen); (place.Kind == screen.Won) != panel.own {
						p, _ := seen.Panel()
						t.Errorf("%s, style %q, %v, panel %s: %s, %s; seen as %v", game.Name(), style, size, panel.name, place.Kind, place.Reason, p.Look)
					}
				}
			}
		}
	}
}

// win plays a level to its end and returns the screen that the phone shows then.
func win(t *testing.T, game solvers.Game, app screen.App, size image.Point) *image.RGBA {
	t.Helper()
	now := time.Second
	frame := simphone.Render(app, size, now)
	s, err := recognise.Look(t.Context(), calibrated.Eyes{}, frame, screen.Frame{Size: size, Rotation: -1}, game, solvers.Levels{}, deadline)
	if err != nil {
		t.Fatalf("%s %v: %v", game.Name(), size, err)
	}
	for _, g := range s.Solution.Plan(s.Seen.Layout) {
		gametest.Play(app, now, g)
		now += 2 * time.Second
	}
	return simphone.Render(app, size, now)
}
