package adb

import (
	"context"
	"errors"
	"fmt"
	"image"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// TimeCaptures takes the given number of frames by every method and returns the
// times, in the order of Methods. A method that fails has its error there. Unlike
// Probe it leaves no method out and chooses none.
func (d *Device) TimeCaptures(ctx context.Context, times int) ([]Timing, error) {
	var timings []Timing
	for _, method := range Methods() {
		timing := d.timeMethod(ctx, method, times, nil)
		if ctx.Err() != nil {
			return timings, fmt.Errorf("adb: captures of %s: %w", d.Serial, contextError(ctx))
		}
		timings = append(timings, timing)
	}
	return timings, nil
}

// UseMethod sets the method of Capture, for one that was measured before.
func (d *Device) UseMethod(method Method) error {
	if !slices.Contains(Methods(), method) {
		return fmt.Errorf("adb: capture method %q, expected one of %v", method, Methods())
	}
	d.mu.Lock()
	d.method = method
	d.mu.Unlock()
	return nil
}

// The ways to send a stroke, by name; see TouchMethod.
const (
	InputMotion  = "motion"  // one finger through all its points
	InputCorners = "corners" // one finger, only the points where it bends
	InputSwipes  = "swipes"  // a swipe for each straight piece
)

// InputMethods returns the ways to send a stroke that the phone has, the surest
// first.
func (d *Device) InputMethods(ctx context.Context) ([]string, error) {
	method, err := d.TouchMethod(ctx)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	motion := method.Motion || d.motion
	d.mu.Unlock()
	if motion {
		return []string{InputMotion, InputCorners, InputSwipes}, nil
	}
	return []string{InputSwipes}, nil
}

// UseInput makes Play send strokes in one of the phone's InputMethods.
func (d *Device) UseInput(ctx context.Context, name string) error {
	names, err := d.InputMethods(ctx)
	if err != nil {
		return err
	}
	if !slices.Contains(names, name) {
		return fmt.Errorf("adb: input on %s: %q, expected one of %v", d.Serial, name, names)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	touch := *d.touch
	d.motion = d.motion || touch.Motion
	touch.Motion = name != InputSwipes
	touch.Corners = name == InputCorners
	d.touch = &touch
	return nil
}

// ErrNoHold means that the phone's input cannot hold a finger on the screen:
// before Android 10 it has no motionevent.
var ErrNoHold = errors.New("this phone's input cannot hold a finger on the screen (Android 10 and later can)")

// Hold puts a finger on the stroke's first pixel, moves it through the others to
// the last, calls while with the finger there, and lifts it.
func (d *Device) Hold(ctx context.Context, stroke Stroke, while func() error) (err error) {
	names, err := d.InputMethods(ctx)
	if err != nil {
		return err
	}
	if !slices.Contains(names, InputMotion) {
		return fmt.Errorf("adb: input on %s: %w", d.Serial, ErrNoHold)
	}
	scaled, err := d.fit(ctx, []Stroke{stroke}, "")
	if err != nil {
		return err
	}
	release, err := d.takeFinger(ctx)
	if err != nil {
		return err
	}
	defer release()
	points := scaled[0].Points
	command := func(verb string, at image.Point) string {
		return inputCommand(d.client.config.TouchDisplay, fmt.Sprintf("motionevent %s %d %d", verb, at.X, at.Y))
	}
	last := points[len(points)-1]
	// Whatever happens from here on, the finger does not stay.
	defer func() {
		lift, cancel := limit(context.WithoutCancel(ctx), 3*time.Second)
		defer cancel()
		if liftErr := d.input(lift, command("UP", last)); liftErr != nil {
			d.hold(&last)
			err = errors.Join(err, liftErr)
		}
	}()
	bounded, cancel := d.client.limit(ctx)
	defer cancel()
	for i, at := range points {
		verb := "MOVE"
		if i == 0 {
			verb = "DOWN"
		}
		if err := d.input(bounded, command(verb, at)); err != nil {
			return err
		}
	}
	return while()
}

// Insets are the margins of the screen that must not be touched, in pixels.
type Insets struct{ Left, Top, Right, Bottom int }

var cutoutInsets = regexp.MustCompile(`DisplayCutout\{insets=Rect\((\d{1,5}), (\d{1,5}) - (\d{1,5}), (\d{1,5})\)`)

// parseCutout finds the insets of the default display's cutout in the output of
// `dumpsys window displays`; zero where there is none.
func parseCutout(text string) Insets {
	found := cutoutInsets.FindStringSubmatch(defaultDisplay(text))
	if found == nil {
		return Insets{}
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(found[i]) // at most five digits
		return n
	}
	return Insets{number(1), number(2), number(3), number(4)}
}

// Cutout asks the phone for the insets of its cutout, in the screen's current
// rotation.
func (d *Device) Cutout(ctx context.Context) (Insets, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	text, _, err := d.shell(ctx, "dumpsys window displays")
	if err != nil {
		return Insets{}, err
	}
	return parseCutout(text), nil
}
