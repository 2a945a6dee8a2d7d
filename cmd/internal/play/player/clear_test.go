package player_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb"
	"tapwise/adb/adbtest"
	"tapwise/adb/hand"
	"tapwise/adb/simphone"
	"tapwise/calibration"
	"tapwise/cmd/internal/play/player"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// TestClearPacks plays levels of the bundled packs on the simulated phone, through the
// real adb server, ten in the first look of each app and four in every other one, upright
// and held sideways. Each board has to be read as it is in the pack.
func TestClearPacks(t *testing.T) {
	sizes := []image.Point{{540, 1170}, {720, 1280}, {600, 1024}}
	for g, game := range all.Games() {
		if all.App(game) == nil || len(game.Spec().Measures) == 0 {
			continue
		}
		if testing.Short() && g%3 > 0 {
			continue // the others say nothing new about races
		}
		pack := gametest.Levels(t, game)
		levels := make([]solvers.Puzzle, min(10, len(pack)))
		if testing.Short() {
			levels = levels[:2]
		}
		for i := range levels {
			levels[i] = pack[i*len(pack)/len(levels)]
		}
		for i, style := range game.About().Styles {
			t.Run(game.Name()+" "+style, func(t *testing.T) {
				if testing.Short() && i > 0 {
					t.Skip("-short shows each game in one look")
				}
				t.Parallel()
				some := levels
				if i > 0 {
					some = levels[:min(len(levels), 4)]
				}
				synctest.Test(t, func(t *testing.T) {
					clearLevels(t, game, some, style, simphone.Config{Size: sizes[i%len(sizes)], Rotation: i % 2})
				})
			})
		}
	}
}

// TestClearVariants plays boards that the bundled packs do not have: of other
// kinds, small and large, on narrow and wide screens.
func TestClearVariants(t *testing.T) {
	if testing.Short() {
		t.Skip("long: boards of other kinds are generated and played")
	}
	for _, game := range all.Games() {
		variants := map[string][]solvers.GenerateOptions{}
		for _, o := range game.About().Boards {
			variants[o.Variant] = append(variants[o.Variant], o)
		}
		for i, variant := range slices.Sorted(maps.Keys(variants)) {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			var levels []solvers.Puzzle
			boards := variants[variant]
			const each = 3 // boards of a variant: the smallest, a middle one and the largest
			for k := range min(each, len(boards)) {
				level, err := game.Generate(context.Background(), boards[k*(len(boards)-1)/(each-1)], random)
				if err != nil {
					t.Fatal(err)
				}
				levels = append(levels, level)
			}
			for rotation := range 2 {
				t.Run(fmt.Sprintf("%s %s rotation %d", game.Name(), variant, rotation), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						clearLevels(t, game, levels, "", simphone.Config{Size: image.Pt(720, 1280), Rotation: rotation})
					})
				})
			}
		}
	}
}

// clearLevels plays levels in one look of their app, on one phone, whose time is that of
// the bubble it is called in.
func clearLevels(t *testing.T, game solvers.Game, levels []solvers.Puzzle, style string, config simphone.Config) {
	t.Helper()
	app, err := all.Simulate(game, levels, simapp.Options{Style: style, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	start := func() simphone.App { return app }
	config.CaptureDelay = 200 * time.Millisecond // as phones take; without it looks follow each other in no time
	config.Foreground, config.Apps = app.Package(), []simphone.Installed{{Package: app.Package(), Start: start}}
	phone, err := simphone.New(config)
	if err != nil {
		t.Fatal(err)
	}
	client, err := adb.New(adb.Config{Dial: adbtest.NewLink(t, phone).Dial})
	if err != nil {
		t.Fatal(err)
	}
	device, err := client.Open(t.Context(), adbtest.LinkSerial)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Hand().Close(t.Context())
	p := &player.Player{Device: adbPhone{device}, Eyes: observer{}, Game: game, Evidence: t.TempDir(), App: app.Package(),
		Timing: calibration.Timing{SettleInterval: 5 * time.Millisecond, SettleDeadline: 20 * time.Second,
			SolveDeadline: 20 * time.Second, WinDeadline: 20 * time.Second, NextDeadline: 20 * time.Second}}
	var boards []string
	won, err := p.Clear(t.Context(), len(levels), func(r player.Report, err error) {
		if err != nil || !r.Won || r.Redone {
			t.Errorf("%+v: %v", r, err)
		}
		boards = append(boards, r.Board)
	})
	if err != nil || won != len(levels) {
		t.Fatalf("%d of %d levels won: %v", won, len(levels), err)
	}
	for i, level := range levels {
		if read, err := game.Parse(boards[i]); err != nil || !gametest.SameBoard(game, read, level) {
			t.Errorf("level %d read as\n%s\nexpected, except for the names of colours,\n%s", i+1, boards[i], level)
		}
	}
}

// observer makes Eyes of package vision.
type observer struct{}

func (observer) Observe(frame *image.RGBA, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
	return vision.Observe(frame, on, spec)
}

// adbPhone makes a Device of a phone over adb.
type adbPhone struct{ *adb.Device }

func (p adbPhone) Capture(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	frame, err := p.Device.Capture(ctx)
	if err != nil {
		return nil, screen.Frame{}, err
	}
	return frame.Image, screen.Frame{Size: frame.Size, Rotation: frame.Rotation}, nil
}

func (p adbPhone) Play(ctx context.Context, gestures []screen.Gesture) error {
	strokes := make([]hand.Stroke, len(gestures))
	for i, g := range gestures {
		strokes[i] = hand.Stroke{Points: g.Points, Size: g.On.Size, Rotation: g.On.Rotation}
	}
	err := p.Hand().Play(ctx, strokes, hand.Options{})
	if errors.Is(err, adb.ErrScreenChanged) {
		return fmt.Errorf("%w: %w", player.ErrScreenChanged, err)
	}
	return err
}
