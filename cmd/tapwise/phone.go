package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strconv"
	"time"

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
type phone struct {
	*adb.Device
	profiles *profiles // what is known of the phone; nil is nothing
}

// waking says what to do about a phone that is asleep or locked.
type waking int

const (
	asItIs      waking = iota // nothing: its screen is looked at, whatever it shows
	mustBeAwake               // it cannot be played on
	wakeIt                    // it is woken, unless it is locked
)

// openPhone finds the phone and the fastest way to capture its screen.
func (a *app) openPhone(ctx context.Context) (phone, error) {
	return a.openPhoneNamed(ctx, a.settings.Serial, asItIs)
}

// openPhoneNamed is openPhone of the phone with that serial.
func (a *app) openPhoneNamed(ctx context.Context, serial string, wake waking) (phone, error) {
	client, err := a.client()
	if err != nil {
		return phone{}, err
	}
	device, err := client.Open(ctx, serial)
	if err != nil {
		return phone{}, phoneFailed(err)
	}
	if wake != asItIs {
		if err := a.wake(ctx, device, wake); err != nil {
			return phone{}, phoneFailed(err)
		}
	}
	timings, err := device.Probe(ctx)
	for _, t := range timings {
		a.log.Debug("probed a way to capture", "method", t.Method, "median", t.Median, "error", t.Err)
	}
	if err != nil {
		return phone{}, phoneFailed(whyBlack(ctx, device, err))
	}
	return phone{Device: device, profiles: &profiles{}}, nil
}

// wake fails when the phone is asleep or locked, and wakes it where that is
// wanted and can help.
func (a *app) wake(ctx context.Context, device *adb.Device, wake waking) error {
	power, err := device.Power(ctx)
	if err != nil {
		return err
	}
	if wake == wakeIt && power.On == adb.No && power.Locked != adb.Yes {
		a.log.Info("the phone is asleep; waking it", "serial", device.Serial)
		if power, err = device.Wake(ctx); err != nil {
			return err
		}
	}
	if err := power.Err(); err != nil {
		return fmt.Errorf("%s: %w", device.Serial, err)
	}
	return nil
}

// whyBlack names what makes a frame black, where the phone tells.
func whyBlack(ctx context.Context, device *adb.Device, err error) error {
	var frame *adb.FrameError
	if !errors.As(err, &frame) || frame.Kind != adb.FrameBlack {
		return err
	}
	power, powerErr := device.Power(ctx)
	if cause := power.Err(); powerErr == nil && cause != nil {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}

// Awake tells whether the screen is off, or locked, as far as is known.
func (p phone) Awake(ctx context.Context) (off, locked bool, err error) {
	power, err := p.Power(ctx)
	return power.On == adb.No, power.Locked == adb.Yes, deviceError(err)
}

// Capture takes a frame.
func (p phone) Capture(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	frame, err := p.Device.Capture(ctx)
	if err != nil {
		return nil, screen.Frame{}, deviceError(err)
	}
	return frame.Image, screen.Frame{Size: frame.Size, Rotation: frame.Rotation}, nil
}

// Play makes the gestures, in as few commands as their length allows.
func (p phone) Play(ctx context.Context, gestures []screen.Gesture) error {
	return p.PlayOn(ctx, "", gestures, nil)
}

// PlayOn is Play on the app that must be in front.
func (p phone) PlayOn(ctx context.Context, app string, gestures []screen.Gesture, began func(int)) error {
	return deviceError(p.Device.PlayWith(ctx, p.strokes(gestures), adb.PlayOptions{App: app, Began: began}))
}

// Front is the app in front.
func (p phone) Front(ctx context.Context) (string, error) {
	front, err := p.Foreground(ctx)
	return front.Package, deviceError(err)
}

// Back presses the BACK key.
func (p phone) Back(ctx context.Context) error { return deviceError(p.Key(ctx, "BACK")) }

// Reopen switches the screen on and brings the app to the front.
func (p phone) Reopen(ctx context.Context, app string, restart bool) error {
	if err := p.Key(ctx, "WAKEUP"); err != nil {
		return deviceError(err)
	}
	front, err := p.Foreground(ctx)
	if err != nil {
		return deviceError(err)
	}
	if front.Package == app {
		if !restart {
			return nil
		}
		if err := p.ForceStop(ctx, app); err != nil {
			return deviceError(err)
		}
	}
	return deviceError(p.Start(ctx, app))
}

// serverPatience is how long an adb server may take to come back.
const serverPatience = 20 * time.Second

// Reconnect gets the phone back. A server that went away is waited for: others
// use it too, so that it is not for this program to start or end it.
func (p phone) Reconnect(ctx context.Context) error {
	began := time.Now()
	for {
		err := p.Device.Reconnect(ctx)
		if !errors.Is(err, adb.ErrNoServer) || time.Since(began) > serverPatience {
			return deviceError(err)
		}
		select {
		case <-ctx.Done():
			return deviceError(err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// Facts describe the phone.
func (p phone) Facts() map[string]string {
	return map[string]string{
		"serial": p.Serial, "model": p.Model, "sdk": strconv.Itoa(p.SDK), "android": p.Properties["ro.build.version.release"],
		"capture": string(p.Method()), "build": p.Properties["ro.build.fingerprint"],
	}
}

// deviceError says in the player's words what can be recovered from.
func deviceError(err error) error {
	var frame *adb.FrameError
	kind := error(nil)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, adb.ErrUnauthorized), errors.Is(err, adb.ErrNoPermissions), errors.Is(err, adb.ErrInputRefused):
		return err // nothing helps but a person
	case errors.Is(err, adb.ErrScreenChanged):
		kind = player.ErrScreenChanged
	case errors.Is(err, adb.ErrNotInFront):
		kind = player.ErrNotInFront
	case errors.Is(err, adb.ErrOffline), errors.Is(err, adb.ErrNoDevice), errors.Is(err, adb.ErrNoServer):
		kind = player.ErrLost
	case errors.As(err, &frame) && frame.Kind == adb.FrameBlack:
		kind = player.ErrBlack
	case errors.As(err, &frame):
		kind = player.ErrFrame
	case adb.Reconnectable(err):
		kind = player.ErrLost
	default:
		return err
	}
	return fmt.Errorf("%w: %w", kind, err)
}

// CommandLines are the adb commands that Play would run.
func (p phone) CommandLines(ctx context.Context, gestures []screen.Gesture) ([]string, error) {
	commands, err := p.Device.Commands(ctx, p.strokes(gestures))
	if err != nil {
		return nil, phoneFailed(err)
	}
	for i, command := range commands {
		commands[i] = p.CommandLine(command)
	}
	return commands, nil
}

// strokes are the gestures as they have to be sent to land where they are meant.
func (p phone) strokes(gestures []screen.Gesture) []adb.Stroke {
	strokes := make([]adb.Stroke, len(gestures))
	for i, g := range gestures {
		strokes[i] = adb.Stroke{Points: p.profiles.aim(g), Size: g.On.Size, Rotation: g.On.Rotation}
	}
	return strokes
}
