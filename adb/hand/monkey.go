package adb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"tapwise/adb/pointer"
)

const (
	// monkeyPort is where monkey listens on the phone.
	monkeyPort = 41417
	// monkeyWithin is how long monkey may take until it listens: one Java process.
	monkeyWithin = 8 * time.Second
	monkeyPause  = 100 * time.Millisecond
	// monkeyEnds is how long it may take to end when it is told to quit.
	monkeyEnds = 2 * time.Second
)

// monkeyCommand runs monkey until it is told to quit. Without the flags it would end
// with the app that it touches.
var monkeyCommand = fmt.Sprintf("monkey --ignore-crashes --ignore-timeouts --ignore-security-exceptions --port %d", monkeyPort)

// openMonkey starts monkey, or takes the one that an earlier run left, and connects
// to it. What it does to the rotation at its end is noted first.
func (d *Device) openMonkey(ctx context.Context) (*touchStream, error) {
	if err := d.noteRotation(ctx); err != nil {
		return nil, err
	}
	// One that listens already outlived the run that started it.
	s, err := d.oldMonkey(ctx)
	switch {
	case ctx.Err() != nil || phoneIsGone(err):
		return nil, err
	case err == nil:
		return d.sized(ctx, s)
	}
	s, err = d.newMonkey(ctx)
	switch {
	case err == nil:
		return d.sized(ctx, s)
	case ctx.Err() == nil: // it ran, and may have let the screen turn
		return nil, errors.Join(err, d.restoreRotation(ctx))
	}
	return nil, err
}

// oldMonkey connects to a monkey that listens already, and lifts its finger.
func (d *Device) oldMonkey(ctx context.Context) (*touchStream, error) {
	line, err := d.dialMonkey(ctx)
	if err != nil {
		return nil, err
	}
	s := &touchStream{
		rung: TouchMonkey, encoder: pointer.Monkey{}, line: line, command: line, cancel: func() {},
		out: &streamOutput{ended: make(chan struct{})}, answers: bufio.NewReader(line), timeout: d.client.config.Timeout,
	}
	if err := s.write(s.encoder.Release()); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// newMonkey starts monkey and connects to it.
func (d *Device) newMonkey(ctx context.Context) (*touchStream, error) {
	s, err := d.openStream(ctx, TouchMonkey, monkeyCommand)
	if err != nil {
		return nil, err
	}
	within := d.client.slow(monkeyWithin)
	for deadline := d.client.config.Now().Add(within); ; {
		if err := s.lost(); err != nil {
			s.close()
			return nil, err
		}
		line, err := d.dialMonkey(ctx)
		if err == nil {
			s.line, s.answers, s.encoder = line, bufio.NewReader(line), pointer.Monkey{}
			// What a monkey before it held down is held until one lifts it.
			if err := s.write(s.encoder.Release()); err != nil {
				s.close()
				return nil, err
			}
			return s, nil
		}
		if ctx.Err() != nil || phoneIsGone(err) {
			s.close()
			return nil, err
		}
		if d.client.config.Now().After(deadline) {
			s.close()
			return nil, fmt.Errorf("%w: %w on port %d within %v: %q", ErrInputRefused, ErrNoMonkey, monkeyPort, within, shorten(s.out.said()))
		}
		if err := d.pause(ctx, monkeyPause); err != nil {
			s.close()
			return nil, err
		}
	}
}

// sized notes the screen that a stream touches.
func (d *Device) sized(ctx context.Context, s *touchStream) (*touchStream, error) {
	screen, err := d.Screen(ctx)
	if err != nil {
		s.close()
		return nil, err
	}
	s.size = screen.Physical
	return s, nil
}

// dialMonkey connects to monkey's port on the phone, for as long as the connection
// is held.
func (d *Device) dialMonkey(ctx context.Context) (*conn, error) {
	limited, done := d.client.limit(ctx)
	defer done()
	life, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(limited, cancel)
	line, err := d.client.open(life, d.Serial, fmt.Sprintf("tcp:%d", monkeyPort))
	if !stop() && err == nil {
		line.Close()
		err = contextError(limited)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	return line, nil
}

// liftMonkey lifts the finger through a monkey that is still there, if one is, ends
// it and puts the rotation back. What one that is gone held down stays until something
// lifts it.
func (d *Device) liftMonkey(ctx context.Context) error {
	s, err := d.oldMonkey(ctx)
	switch {
	case err == nil:
		s.quit(d.client.slow(monkeyEnds))
		s.close()
	case phoneIsGone(err):
		return err
	default:
		if err := d.liftByInput(ctx); err != nil {
			return err
		}
	}
	if err := d.restoreRotation(ctx); err != nil { // what is kept is tried again at the end
		d.client.config.Log.Debug("the rotation is not put back yet", "phone", d.Serial, "error", err)
	}
	return nil
}

// liftByInput lifts a finger that something else put on the screen, unless none is
// there.
func (d *Device) liftByInput(ctx context.Context) error {
	text, _, err := d.shell(ctx, dumpInput)
	if err != nil || pointer.ReadFinger(text) == pointer.FingerUp {
		return err
	}
	method, err := d.TouchMethod(ctx)
	if err != nil {
		return err
	}
	lift := tapCorner
	if method.Motion {
		lift = "motionevent UP 1 1"
	}
	_, _, err = d.shell(ctx, inputCommand(d.client.config.TouchDisplay, lift))
	return err
}

// quit tells monkey to end, and waits until it has: with its process its connection
// ends.
func (s *touchStream) quit(within time.Duration) {
	if s.write([]byte("quit\n")) != nil || s.line.SetReadDeadline(time.Now().Add(within)) != nil {
		return
	}
	_, _ = io.Copy(io.Discard, s.answers) // it ends with the connection or the time
}

// The settings that monkey changes at its end: it lets the screen turn by itself.
var rotationSettings = []string{"accelerometer_rotation", "user_rotation"}

// noteRotation keeps how the screen turns, unless that is kept already. A phone that does
// not tell it is touched in another way, unless monkey is the one that was asked for.
func (d *Device) noteRotation(ctx context.Context) error {
	d.mu.Lock()
	known := len(d.hands.note.Rotation) > 0
	d.mu.Unlock()
	if known {
		return nil
	}
	values, err := d.rotation(ctx)
	switch {
	case err != nil && (ctx.Err() != nil || Reconnectable(err)):
		return err
	case err != nil && d.client.config.Touch == TouchMonkey:
		d.client.config.Log.Warn("how the screen turns is not put back after monkey, which lets it turn by itself", "phone", d.Serial, "error", err)
		return nil
	case err != nil:
		return fmt.Errorf("%w: how the screen turns could not be kept: %v", ErrInputRefused, err) // a timeout is not the way's
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hands.note.Rotation = values
	d.remember()
	return nil
}

// rotation is how the screen turns, each setting a number.
func (d *Device) rotation(ctx context.Context) ([]string, error) {
	values := make([]string, len(rotationSettings))
	for i, name := range rotationSettings {
		var err error
		if values[i], err = d.setting(ctx, "system", name); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// putRotation makes the screen turn as it did, where that is different now.
func (d *Device) putRotation(ctx context.Context, values []string) error {
	for i, name := range rotationSettings {
		if now, err := d.setting(ctx, "system", name); err == nil && now == values[i] {
			continue
		}
		if err := d.putSetting(ctx, "system", name, values[i]); err != nil {
			return fmt.Errorf("%s is not put back to %s: %w", name, values[i], err)
		}
	}
	return nil
}

// restoreRotation puts back how the screen turned before monkey ran.
func (d *Device) restoreRotation(ctx context.Context) error {
	d.mu.Lock()
	values := d.hands.note.Rotation
	d.mu.Unlock()
	if len(values) != len(rotationSettings) {
		return nil
	}
	if err := d.putRotation(ctx, values); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hands.note.Rotation = nil
	d.remember()
	return nil
}
