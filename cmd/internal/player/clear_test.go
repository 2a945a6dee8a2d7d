package player_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"tapwise/adb"
	"tapwise/adb/adbtest"
	"tapwise/adb/simphone"
	"tapwise/calibration"
	"tapwise/cmd/internal/player"
	"tapwise/configs"
	"tapwise/solvers"
	"tapwise/solvers/algemy"
	"tapwise/solvers/asteroid"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// TestClearPacks plays the packs that come along on the simulated phone, by
// way of the real adb server, in every look of their apps.
func TestClearPacks(t *testing.T) {
	server := adbtest.Start(t)
	for _, test := range []struct {
		game  solvers.Simulator
		style string
		size  image.Point
	}{
		{algemy.Game{}, "day", image.Pt(540, 1170)},
		{algemy.Game{}, "night", image.Pt(720, 1280)},
		{asteroid.Game{}, "space", image.Pt(720, 1280)},
		{asteroid.Game{}, "flat", image.Pt(540, 1170)},
	} {
		t.Run(test.game.Name()+" "+test.style, func(t *testing.T) {
			levels := packOf(t, test.game)
			options := solvers.SimulateOptions{Style: test.style, Seed: 1}
			app, err := test.game.Simulate(levels, options)
			if err != nil {
				t.Fatal(err)
			}
			start := func() simphone.App { return app }
			phone, err := simphone.New(simphone.Config{Size: test.size, Foreground: app.Package(),
				Apps: []simphone.Installed{{Package: app.Package(), Start: start}}})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			defer cancel()
			if err := phone.Listen(ctx, "127.0.0.1:0"); err != nil {
				t.Fatal(err)
			}
			defer phone.Close()
			if out := server.Run("connect", phone.Addr()); !strings.HasPrefix(string(out.Stdout), "connected to") {
				t.Fatalf("adb connect: %s%s", out.Stdout, out.Stderr)
			}
			defer server.Run("disconnect", phone.Addr())
			client, err := adb.New(adb.Config{Port: server.Port, Timeout: 20 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			device, err := client.Open(ctx, phone.Addr())
			if err != nil {
				t.Fatal(err)
			}
			p := &player.Player{Device: adbPhone{device}, Eyes: observer{}, Game: test.game, Evidence: t.TempDir(), App: app.Package(),
				Timing: calibration.Timing{SettleInterval: 5 * time.Millisecond, SettleDeadline: 20 * time.Second,
					SolveDeadline: 20 * time.Second, WinDeadline: 20 * time.Second, NextDeadline: 20 * time.Second}}
			var boards []string
			won, err := p.Clear(ctx, len(levels), func(r player.Report, err error) {
				if err != nil || !r.Won || r.Redone {
					t.Errorf("%+v: %v", r, err)
				}
				boards = append(boards, r.Board)
			})
			if err != nil || won != len(levels) {
				t.Fatalf("%d of %d levels won: %v", won, len(levels), err)
			}
			for i, level := range levels {
				if boards[i] != level.String() {
					t.Errorf("level %d read as\n%s\nexpected\n%s", i+1, boards[i], level)
				}
			}
		})
	}
}

// packOf is the levels that come along for a game.
func packOf(t *testing.T, game solvers.Game) []solvers.Puzzle {
	t.Helper()
	text, _, err := configs.Pack(game.Name())
	if err != nil {
		t.Fatal(err)
	}
	var levels []solvers.Puzzle
	for _, block := range strings.Split(strings.Trim(string(text), "\n"), "\n\n") {
		if strings.HasPrefix(block, "#") {
			continue
		}
		p, err := game.Parse(block)
		if err != nil {
			t.Fatal(err)
		}
		levels = append(levels, p)
	}
	if len(levels) != 10 {
		t.Fatalf("%d levels come along for %s, expected 10", len(levels), game.Name())
	}
	return levels
}

// observer is package vision as the player wants it.
type observer struct{}

func (observer) Observe(frame *image.RGBA, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
	return vision.Observe(frame, on, spec)
}

// adbPhone is a phone over adb as the player wants it.
type adbPhone struct{ *adb.Device }

func (p adbPhone) Capture(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	frame, err := p.Device.Capture(ctx)
	if err != nil {
		return nil, screen.Frame{}, err
	}
	return frame.Image, screen.Frame{Size: frame.Size, Rotation: frame.Rotation}, nil
}

func (p adbPhone) Play(ctx context.Context, gestures []screen.Gesture) error {
	strokes := make([]adb.Stroke, len(gestures))
	for i, g := range gestures {
		strokes[i] = adb.Stroke{Points: g.Points, Size: g.On.Size, Rotation: g.On.Rotation}
	}
	err := p.Device.Play(ctx, strokes)
	if errors.Is(err, adb.ErrScreenChanged) {
		return fmt.Errorf("%w: %w", player.ErrScreenChanged, err)
	}
	return err
}
