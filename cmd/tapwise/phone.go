package main

import (
	"context"
	"errors"
	"fmt"
	"image"

	"tapwise/adb"
	"tapwise/cmd/internal/player"
	"tapwise/solvers/screen"
)

// client is the adb server of the configuration.
func (a *app) client() (*adb.Client, error) {
	c := a.settings.ADB
	client, err := adb.New(adb.Config{Host: c.Host, Port: c.Port, Timeout: c.Timeout})
	return client, badInput(err)
}

// phone is the phone to play on, as the player wants it.
type phone struct{ *adb.Device }

// openPhone finds the phone and the fastest way to capture its screen.
func (a *app) openPhone(ctx context.Context) (phone, error) {
	client, err := a.client()
	if err != nil {
		return phone{}, err
	}
	device, err := client.Open(ctx, a.settings.Serial)
	if err != nil {
		return phone{}, phoneFailed(err)
	}
	timings, err := device.Probe(ctx)
	for _, t := range timings {
		a.log.Debug("probed a way to capture", "method", t.Method, "median", t.Median, "error", t.Err)
	}
	if err != nil {
		return phone{}, phoneFailed(err)
	}
	return phone{device}, nil
}

// Capture takes a frame.
func (p phone) Capture(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	frame, err := p.Device.Capture(ctx)
	if err != nil {
		return nil, screen.Frame{}, err
	}
	return frame.Image, screen.Frame{Size: frame.Size, Rotation: frame.Rotation}, nil
}

// Play makes the gestures, in as few commands as their length allows.
func (p phone) Play(ctx context.Context, gestures []screen.Gesture) error {
	err := p.Device.Play(ctx, strokes(gestures))
	if errors.Is(err, adb.ErrScreenChanged) {
		return fmt.Errorf("%w: %w", player.ErrScreenChanged, err)
	}
	return err
}

// CommandLines are the adb commands that Play would run.
func (p phone) CommandLines(ctx context.Context, gestures []screen.Gesture) ([]string, error) {
	commands, err := p.Device.Commands(ctx, strokes(gestures))
	if err != nil {
		return nil, phoneFailed(err)
	}
	for i, command := range commands {
		commands[i] = p.CommandLine(command)
	}
	return commands, nil
}

func strokes(gestures []screen.Gesture) []adb.Stroke {
	strokes := make([]adb.Stroke, len(gestures))
	for i, g := range gestures {
		strokes[i] = adb.Stroke{Points: g.Points, Size: g.On.Size, Rotation: g.On.Rotation}
	}
	return strokes
}
