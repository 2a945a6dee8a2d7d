package adb

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"tapwise/adb/pointer"
)

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

// UseInput makes Play send strokes in one of the phone's InputMethods, and in no
// other way.
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
	d.hands.pinned = true
	return nil
}

// PreferInput is UseInput for phones that take no better way than `input`: where one
// of TouchRungs streams, strokes go through it.
func (d *Device) PreferInput(ctx context.Context, name string) error {
	if err := d.UseInput(ctx, name); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hands.pinned = false
	return nil
}

// ErrNoHold means that no way to touch the phone can hold a finger on the screen: before
// Android 10 input has no motionevent.
var ErrNoHold = errors.New("this phone's input cannot hold a finger on the screen (Android 10 and later can)")

// Hold puts a finger on the stroke's first pixel, moves it through the others to
// the last, calls while with the finger there, and lifts it.
func (d *Device) Hold(ctx context.Context, stroke Stroke, while func() error) (err error) {
	release, err := d.takeFinger(ctx)
	if err != nil {
		return err
	}
	defer release()
	s, turned, err := d.handFor(ctx, []Stroke{stroke}, "")
	if err != nil {
		return err
	}
	if s != nil {
		return d.holdByHand(ctx, s, turned[0], while)
	}
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
	points := scaled[0].Points
	command := func(verb string, at image.Point) string {
		return inputCommand(d.client.config.TouchDisplay, fmt.Sprintf("motionevent %s %d %d", verb, at.X, at.Y))
	}
	last := points[len(points)-1]
	// Whatever happens from here on, the finger does not stay.
	defer func() {
		lift, cancel := limit(context.WithoutCancel(ctx), d.client.slow(liftWithin))
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

// holdSettles is how long the phone gets to see the finger where it is held.
const holdSettles = 50 * time.Millisecond

// holdByHand is Hold through a stream.
func (d *Device) holdByHand(ctx context.Context, s *touchStream, stroke Stroke, while func() error) error {
	bounded, cancel := d.client.limit(ctx)
	defer cancel()
	points := inSteps(stroke.Points, stepOf([]Stroke{stroke}, s.size))
	if err := d.moveThrough(bounded, s, points, firstPace); err != nil {
		return d.broken(bounded, s, err)
	}
	// The phone has the finger there a moment after it was sent.
	if err := d.pause(bounded, holdSettles); err != nil {
		return d.broken(bounded, s, err)
	}
	err := while()
	// Whatever happened, the finger does not stay.
	if liftErr := s.send(pointer.Event{Kind: pointer.Up, At: s.last}); liftErr != nil {
		err = errors.Join(err, d.broken(ctx, s, liftErr))
	}
	return err
}
