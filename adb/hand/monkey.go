package hand

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"tapwise/adb/hand/pointer"
	"tapwise/adb/internal/fault"
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

// monkeyService connects to it.
var monkeyService = fmt.Sprintf("tcp:%d", monkeyPort)

// ErrNoMonkey, with an adb.ErrInputRefused: monkey was started and takes no connection.
var ErrNoMonkey = errors.New("monkey does not listen")

// openMonkey starts monkey, or takes the one that an earlier run left, and connects
// to it. What it does to the rotation at its end is noted first.
func (h *Hand) openMonkey(ctx context.Context) (*stream, error) {
	if err := h.noteRotation(ctx); err != nil {
		return nil, err
	}
	// One that listens already outlived the run that started it.
	s, err := h.oldMonkey(ctx)
	if err == nil || ctx.Err() != nil || fault.Gone(err) {
		return s, err
	}
	s, err = h.newMonkey(ctx)
	if err != nil && ctx.Err() == nil { // it ran, and may have let the screen turn
		err = errors.Join(err, h.restoreRotation(ctx))
	}
	return s, err
}

// oldMonkey connects to a monkey that listens already, and lifts its finger.
func (h *Hand) oldMonkey(ctx context.Context) (*stream, error) {
	line, err := h.connect(ctx, monkeyService)
	if err != nil {
		return nil, err
	}
	s := &stream{
		way: Monkey, encoder: pointer.Monkey{}, line: line, command: line,
		out: &streamOutput{ended: make(chan struct{})}, answers: bufio.NewReader(line), timeout: h.config.Timeout,
	}
	if err := s.write(s.encoder.Release()); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// newMonkey starts monkey and connects to it.
func (h *Hand) newMonkey(ctx context.Context) (*stream, error) {
	s, err := h.open(ctx, Monkey, monkeyCommand)
	if err != nil {
		return nil, err
	}
	within := h.config.Slow(monkeyWithin)
	listens, err := h.poll(ctx, within, monkeyPause, func() (bool, error) {
		if err := s.lost(); err != nil {
			return false, err
		}
		line, err := h.connect(ctx, monkeyService)
		switch {
		case err == nil:
			s.line, s.answers, s.encoder = line, bufio.NewReader(line), pointer.Monkey{}
			// What a monkey before it held down is held until one lifts it.
			return true, s.write(s.encoder.Release())
		case ctx.Err() != nil || fault.Gone(err):
			return false, err
		}
		return false, nil
	})
	if err == nil && !listens {
		err = fmt.Errorf("%w: %w on port %d within %v: %q", fault.ErrRefused, ErrNoMonkey, monkeyPort, within, fault.Shorten(s.out.said()))
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// liftMonkey lifts the finger through a monkey that is still there, if one is, ends
// it and puts the rotation back. What one that is gone held down stays until something
// lifts it.
func (h *Hand) liftMonkey(ctx context.Context) error {
	s, err := h.oldMonkey(ctx)
	switch {
	case err == nil:
		s.quit(h.config.Slow(monkeyEnds))
		s.close()
	case fault.Gone(err):
		return err
	default:
		if err := h.liftByInput(ctx); err != nil {
			return err
		}
	}
	if err := h.restoreRotation(ctx); err != nil { // what is kept is tried again at the end
		h.config.Log.Debug("the rotation is not put back yet", "error", err)
	}
	return nil
}

// quit tells monkey to end, and waits until it has: with its process its connection
// ends.
func (s *stream) quit(within time.Duration) {
	if s.write([]byte("quit\n")) != nil || s.line.SetReadDeadline(time.Now().Add(within)) != nil {
		return
	}
	_, _ = io.Copy(io.Discard, s.answers) // it ends with the connection or the time
}

// noteRotation keeps how the screen turns, unless that is kept already. A phone that does
// not tell it is touched in another way, unless monkey is the one that was asked for.
func (h *Hand) noteRotation(ctx context.Context) error {
	h.mu.Lock()
	known := len(h.note.Rotation) > 0
	h.mu.Unlock()
	if known {
		return nil
	}
	values, err := h.phone.Rotation(ctx)
	switch {
	case err != nil && (ctx.Err() != nil || fault.Reconnectable(err)):
		return err
	case err != nil && h.config.Way == Monkey:
		h.config.Log.Warn("how the screen turns is not put back after monkey, which lets it turn by itself", "error", err)
		return nil
	case err != nil:
		return fmt.Errorf("%w: how the screen turns could not be kept: %v", fault.ErrRefused, err) // a timeout is not the way's
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.note.Rotation = values
	h.remember()
	return nil
}

// restoreRotation puts back how the screen turned before monkey ran.
func (h *Hand) restoreRotation(ctx context.Context) error {
	h.mu.Lock()
	values := h.note.Rotation
	h.mu.Unlock()
	if len(values) == 0 {
		return nil
	}
	if err := h.phone.PutRotation(ctx, values); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.note.Rotation = nil
	h.remember()
	return nil
}
