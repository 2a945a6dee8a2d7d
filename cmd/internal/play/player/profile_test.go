package player

import (
	"context"
	"image"
	"strings"
	"testing"

	"tapwise/adb/simphone"
	"tapwise/calibration"
	"tapwise/cmd/internal/calibrate/fit"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/configs"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/gametest"
)

// themedGlass is a phone with a theme whose button to the next level is the
// last of its panel, and a profile of it that was fitted on a level.
func themedGlass(t *testing.T, name string) (*glass, *Player, *calibration.Profile) {
	t.Helper()
	text, err := configs.Theme(name)
	if err != nil {
		t.Fatal(err)
	}
	theme, err := simulation.ReadTheme(name, append(text, "\nnext-button: 2\n"...))
	if err != nil {
		t.Fatal(err)
	}
	puzzles := gametest.Parse(t, flow.Game{}, levels...)
	g, p := newGlass(t)
	if g.app, err = flowapp.New(puzzles, simapp.Options{Seed: 3, Theme: theme}); err != nil {
		t.Fatal(err)
	}
	picture := fit.Picture{Name: "level", Frame: simphone.Render(g.app, g.size, 0), Rotation: 0}
	profile, _, err := fit.Profile(context.Background(), flow.Game{}, []fit.Picture{picture})
	if err != nil {
		t.Fatal(err)
	}
	p.Eyes = calibrated.By(profile)
	p.Profile = func(size image.Point) *calibration.Profile {
		if !profile.Matches(size) {
			return nil
		}
		return profile
	}
	return g, p, profile
}

// TestButtons plays an app whose panel leads on by another button than the
// game's own does.
func TestButtons(t *testing.T) {
	gametest.Long(t)
	g, p, profile := themedGlass(t, "paper")
	ctx := context.Background()
	if _, err := p.Level(ctx); err != nil {
		t.Fatal(err)
	}
	// The place of the last button, as a person would give it.
	frame, on, err := g.Capture(ctx)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := p.Eyes.Observe(frame, on, flow.Game{}.Spec())
	if err != nil {
		t.Fatal(err)
	}
	panel, ok := seen.Panel()
	if !ok || len(panel.Buttons) != 3 {
		t.Fatalf("panel %+v, expected three buttons", panel)
	}
	at := panel.Buttons[2].Min.Add(panel.Buttons[2].Max).Div(2)
	if ok, err := p.Next(ctx); ok || err == nil {
		t.Fatalf("the next level without a profile of the buttons: %v, %v; the theme shows nothing", ok, err)
	}
	profile.Buttons = map[string]calibration.Point{"next": {X: float64(at.X) / float64(g.size.X), Y: float64(at.Y) / float64(g.size.Y)}}
	if ok, err := p.Next(ctx); !ok || err != nil {
		t.Fatalf("the next level by the profile: %v, %v", ok, err)
	}
	r, err := p.Level(ctx)
	if err != nil || !r.Won {
		t.Errorf("the second level: %+v, %v", r, err)
	}
}

// TestSafe plays nothing that would touch outside of the safe part of the screen.
func TestSafe(t *testing.T) {
	g, p := newGlass(t)
	profile := &calibration.Profile{Game: "flow", Phone: calibration.Phone{Frame: g.size}}
	p.Profile = func(image.Point) *calibration.Profile { return profile }
	profile.Safe.Left = 0.3
	_, err := p.Level(context.Background())
	if err == nil || !strings.Contains(err.Error(), "safe to touch") || g.touched != 0 {
		t.Errorf("error %v after %d gestures, expected a refusal before the first", err, g.touched)
	}
	profile.Safe = calibration.Insets{Left: 0.02, Top: 0.05, Right: 0.02, Bottom: 0.05}
	// The button to the next level lies outside.
	profile.Buttons = map[string]calibration.Point{"next": {X: 0.5, Y: 0.01}}
	if r, err := p.Level(context.Background()); err != nil || !r.Won {
		t.Errorf("%+v, %v, expected a level won", r, err)
	}
	before := g.touched
	if ok, err := p.Next(context.Background()); ok || err == nil || !strings.Contains(err.Error(), "next level: ") || g.touched != before {
		t.Errorf("%v, %v after %d gestures more, expected a refusal", ok, err, g.touched-before)
	}
}
