package run

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strconv"
	"time"

	"tapwise/adb"
	"tapwise/adb/hand"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/cmd/internal/play/player"
	"tapwise/solvers/screen"
)

// Client returns the client of the adb server that the settings name.
func (o Opener) Client() (*adb.Client, error) {
	if o.Unusable != nil {
		return nil, o.Unusable
	}
	client, err := adb.New(o.ADB)
	return client, cause.Input(err)
}

// Ready returns the names of the phones that can be played on, at least one, each once. The log
// names the others.
func (o Opener) Ready(ctx context.Context) ([]string, error) {
	client, err := o.Client()
	if err != nil {
		return nil, err
	}
	phones, err := client.Phones(ctx)
	if err != nil {
		return nil, cause.Phone(err)
	}
	var names []string
	for _, p := range phones {
		if err := p.Err(); err != nil {
			o.Log.Warn("left out", "error", err)
			continue
		}
		names = append(names, p.Names[0])
	}
	if len(names) == 0 {
		return nil, cause.Phone(adb.ErrNoDevice)
	}
	return names, nil
}

// Phone is a phone as the player needs it, with the profiles that say where touches land on it.
// Its errors are those that package player tells apart.
type Phone struct {
	*adb.Device
	profiles *profiles.Set // nil: touches land where they are sent
}

// With returns the phone with touches corrected by a set of profiles.
func (p Phone) With(set *profiles.Set) Phone { return Phone{p.Device, set} }

// Phone finds the phone with a serial, the only one when that is empty, and the
// fastest way to capture its screen.
func (o Opener) Phone(ctx context.Context, serial string, wake Waking) (Phone, error) {
	client, err := o.Client()
	if err != nil {
		return Phone{}, err
	}
	device, err := client.Open(ctx, serial)
	if err != nil {
		return Phone{}, cause.Phone(err)
	}
	if wake != AsItIs {
		if err := o.wake(ctx, device, wake); err != nil {
			return Phone{}, cause.Phone(err)
		}
	}
	timings, err := device.ChooseCapture(ctx)
	for _, t := range timings {
		o.Log.Debug("probed a way to capture", "method", t.Method, "median", t.Median, "error", t.Err)
	}
	o.Log.Debug("chose how to see the screen", "capture", device.Method())
	if err != nil {
		return Phone{}, cause.Phone(whyBlack(ctx, device, err))
	}
	return Phone{Device: device}, nil
}

// wake fails when the phone is asleep or locked, and wakes it where that is
// wanted and can help.
func (o Opener) wake(ctx context.Context, device *adb.Device, wake Waking) error {
	power, err := device.Power(ctx)
	switch {
	case errors.Is(err, adb.ErrHung): // what is on the screen tells, too
		o.withoutComfort(device.Serial, "whether the phone is on could not be asked", err)
		return nil
	case err != nil:
		return err
	}
	if wake == WakeIt && power.On == adb.No && power.Locked != adb.Yes {
		o.Log.Info("the phone is asleep; waking it", "serial", device.Serial)
		power, err = device.Wake(ctx)
		if errors.Is(err, adb.ErrInputRefused) {
			return fmt.Errorf("%s: %w: %w", device.Serial, adb.ErrScreenOff, err)
		}
		if err != nil {
			return err
		}
	}
	if err := power.Err(); err != nil {
		return fmt.Errorf("%s: %w", device.Serial, err)
	}
	return nil
}

// whyBlack names the reason for a black frame, where the phone tells it.
func whyBlack(ctx context.Context, device *adb.Device, err error) error {
	var frame *adb.FrameError
	if !errors.As(err, &frame) || frame.Kind != adb.FrameBlack && frame.Kind != adb.FrameBand {
		return err
	}
	power, powerErr := device.Power(ctx)
	if cause := power.Err(); powerErr == nil && cause != nil {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}

// Awake reports whether the screen is off and whether it is locked; what is not
// known is false.
func (p Phone) Awake(ctx context.Context) (off, locked bool, err error) {
	power, err := p.Power(ctx)
	return power.On == adb.No, power.Locked == adb.Yes, deviceError(err)
}

// Capture takes a frame that touches can be planned on.
func (p Phone) Capture(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	frame, err := p.Device.Capture(ctx)
	if err == nil {
		err = p.Agrees(frame)
	}
	if err != nil {
		return nil, screen.Frame{}, deviceError(err)
	}
	return frame.Image, screen.Frame{Size: frame.Size, Rotation: frame.Rotation}, nil
}

// Picture takes a frame to be shown, whatever it is of.
func (p Phone) Picture(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	frame, err := p.Device.Capture(ctx)
	if err != nil {
		return nil, screen.Frame{}, deviceError(err)
	}
	return frame.Image, screen.Frame{Size: frame.Size, Rotation: frame.Rotation}, nil
}

// Glimpse is the newest frame that the phone pushed.
func (p Phone) Glimpse(ctx context.Context, after int, quiet time.Duration) (player.Glimpse, error) {
	g, err := p.Device.Glimpse(ctx, after, quiet)
	return glimpse(g), err
}

// Watch reports the frames that the phone pushes, as [adb.Device.Watch] does.
func (p Phone) Watch(ctx context.Context, quiet time.Duration, each func(player.Glimpse)) error {
	return p.Device.Watch(ctx, quiet, func(g adb.Glimpse) { each(glimpse(g)) })
}

func glimpse(g adb.Glimpse) player.Glimpse {
	return player.Glimpse{Frame: g.Image, Full: screen.Frame{Size: g.Full, Rotation: g.Rotation}, Number: g.Number,
		Began: g.Began, Took: g.Took, Quiet: g.Quiet}
}

// Hold holds a finger on the screen where a gesture ends, uncorrected.
func (p Phone) Hold(ctx context.Context, g screen.Gesture, while func() error) error {
	return p.Hand().Hold(ctx, hand.Stroke{Points: g.Points, Size: g.On.Size, Rotation: g.On.Rotation}, while)
}

// Play makes the gestures.
func (p Phone) Play(ctx context.Context, gestures []screen.Gesture) error {
	return p.PlayOn(ctx, "", gestures, nil)
}

// PlayOn is Play on the app that must be in front.
func (p Phone) PlayOn(ctx context.Context, app string, gestures []screen.Gesture, began func(int)) error {
	return p.PlayMending(ctx, app, gestures, began, nil, nil)
}

// PlayMending is PlayOn that draws again what missed says, before the finger is up, and makes no
// more gestures once stop says so.
func (p Phone) PlayMending(ctx context.Context, app string, gestures []screen.Gesture, began func(int), stop func(int) bool, missed func(int) int) error {
	return deviceError(p.Hand().Play(ctx, p.strokes(gestures), hand.Options{App: app, Began: began, Stop: stop, Missed: missed}))
}

// TouchTrusted reports whether touches by the way in use were seen to land, or need not be.
func (p Phone) TouchTrusted() bool { return p.Hand().Choice().Seen }

// TouchSeen takes how many of the gestures made last had an effect on the screen. It reports
// whether they are worth repeating in another way.
func (p Phone) TouchSeen(made, arrived int) (again bool) { return p.Hand().Seen(made, arrived) }

// InputMethods returns the ways in which `input` can send strokes, the surest first.
func (p Phone) InputMethods(ctx context.Context) ([]string, error) { return p.Hand().Inputs(ctx) }

// UseInput makes Play send strokes in one of these ways, and in no other.
func (p Phone) UseInput(ctx context.Context, method string) error {
	return p.Hand().UseInput(ctx, method, true)
}

// Front returns the package of the app in front. While Android's dialog that the app does not
// respond covers it, Front returns the dialog's title, which is no package: keys that close an
// app's own dialogs do not close that one.
func (p Phone) Front(ctx context.Context) (string, error) {
	front, err := p.Foreground(ctx)
	switch {
	case front.NotResponding():
		return front.Window, deviceError(err)
	case !p.InFront(front, front.Package): // nor is another user's copy the app
		return fmt.Sprintf("%s of user %d", front.Package, front.User), deviceError(err)
	}
	return front.Package, deviceError(err)
}

// Back presses the BACK key.
func (p Phone) Back(ctx context.Context) error { return deviceError(p.Key(ctx, "BACK")) }

// Reopen switches the screen on and brings the app to the front. An app that does not respond
// is ended first. A phone that refuses keys may be on, and take touches in another way.
func (p Phone) Reopen(ctx context.Context, app string, restart bool) error {
	if err := p.Key(ctx, "WAKEUP"); err != nil && !errors.Is(err, adb.ErrInputRefused) {
		return deviceError(err)
	}
	front, err := p.Foreground(ctx)
	if err != nil {
		return deviceError(err)
	}
	if p.InFront(front, app) {
		if !restart && !front.NotResponding() { // coming to the front does not help that one
			return nil
		}
		if err := p.ForceStop(ctx, app); err != nil {
			return deviceError(err)
		}
	}
	return deviceError(p.Start(ctx, app))
}

// serverPatience is how long Reconnect waits for an adb server to come back.
const serverPatience = 20 * time.Second

// Reconnect gets the phone back. A server that went away and cannot be started again, such as
// one on another machine, is waited for.
func (p Phone) Reconnect(ctx context.Context) error {
	began := time.Now()
	for {
		err := p.Device.Reconnect(ctx)
		if !errors.Is(err, adb.ErrNoServer) || errors.Is(err, adb.ErrServerEnds) || time.Since(began) > serverPatience {
			return deviceError(err)
		}
		select {
		case <-ctx.Done():
			return deviceError(err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// Facts describes the phone, for the evidence.
func (p Phone) Facts() map[string]string {
	return map[string]string{
		"serial": p.Serial, "model": p.Model, "sdk": strconv.Itoa(p.SDK), "android": p.Properties["ro.build.version.release"],
		"capture": p.LookChoice(), "touch": p.Hand().Choice().String(), "build": p.Properties["ro.build.fingerprint"],
	}
}

// deviceError marks an error as one of those that the player can recover from.
func deviceError(err error) error {
	var frame *adb.FrameError
	kind := error(nil)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, adb.ErrUnauthorized), errors.Is(err, adb.ErrNoPermissions), errors.Is(err, adb.ErrInputRefused), errors.Is(err, adb.ErrServerEnds):
		return err // nothing helps but a person
	case errors.Is(err, adb.ErrScreenChanged):
		kind = player.ErrScreenChanged
	case errors.Is(err, adb.ErrFrameSize):
		kind = player.ErrMismatch
	case errors.Is(err, adb.ErrNotInFront):
		kind = player.ErrNotInFront
	case errors.Is(err, adb.ErrHung):
		kind = player.ErrHung
	case errors.Is(err, adb.ErrOffline), errors.Is(err, adb.ErrNoDevice), errors.Is(err, adb.ErrNoServer):
		kind = player.ErrLost
	case errors.As(err, &frame) && (frame.Kind == adb.FrameBlack || frame.Kind == adb.FrameBand):
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

// CommandLines returns the adb commands that Play would run.
func (p Phone) CommandLines(ctx context.Context, gestures []screen.Gesture) ([]string, error) {
	commands, err := p.Hand().Commands(ctx, p.strokes(gestures))
	if err != nil {
		return nil, cause.Phone(err)
	}
	for i, command := range commands {
		commands[i] = p.CommandLine(command)
	}
	return commands, nil
}

// strokes returns the gestures as they have to be sent to land where they are meant.
func (p Phone) strokes(gestures []screen.Gesture) []hand.Stroke {
	strokes := make([]hand.Stroke, len(gestures))
	for i, g := range gestures {
		strokes[i] = hand.Stroke{Points: p.profiles.Aim(g), Size: g.On.Size, Rotation: g.On.Rotation}
	}
	return strokes
}
