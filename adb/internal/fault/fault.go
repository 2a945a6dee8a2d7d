// Package fault has the reasons for which a phone cannot be used or touched, and knows the
// words in which phones say so: what package adb and the hand below it share. Package adb
// explains the errors and exports them.
package fault

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// The reasons, for errors.Is.
var (
	ErrNoServer      = errors.New("no adb server answers")
	ErrNoDevice      = errors.New("device not found")
	ErrOffline       = errors.New("device offline")
	ErrUnauthorized  = errors.New("device unauthorized: accept the USB debugging dialog on the phone")
	ErrNoPermissions = errors.New("no permissions for the USB device: udev rules are missing")
	ErrNotReady      = errors.New("device not ready")
	ErrTimeout       = errors.New("no answer in time")
	ErrHung          = errors.New("the phone answers, but this command does not return")
	ErrClosed        = errors.New("connection closed before the answer was whole")
	ErrRefused       = errors.New("touch refused by the phone")
	ErrInjectEvents  = errors.New("it lacks the INJECT_EVENTS permission")
)

// Gone reports whether an error says that the phone or its server is away, so that it tells
// nothing of a command.
func Gone(err error) bool {
	for _, gone := range []error{ErrNoServer, ErrNoDevice, ErrOffline, ErrUnauthorized, ErrNoPermissions, ErrNotReady} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return false
}

// Reconnectable reports whether an error may go away by connecting again.
func Reconnectable(err error) bool {
	return errors.Is(err, ErrOffline) || errors.Is(err, ErrNoDevice) ||
		errors.Is(err, ErrClosed) || errors.Is(err, ErrTimeout) && !errors.Is(err, ErrHung)
}

// Context says why ctx ended: a cancellation as it is, any deadline as an ErrTimeout.
func Context(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, context.DeadlineExceeded) && !errors.Is(cause, ErrTimeout) {
		return fmt.Errorf("%w: %w", ErrTimeout, cause)
	}
	return cause
}

// Limit adds a time limit to ctx, after which it ends by an ErrTimeout.
func Limit(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, timeout, fmt.Errorf("%w (%v)", ErrTimeout, timeout))
}

// Sleep is a sleep that a context ends.
func Sleep(ctx context.Context, length time.Duration) error {
	if length <= 0 {
		return nil
	}
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return Context(ctx)
	}
}

// Shorten cuts a quoted text to a readable length.
func Shorten(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// Hear keeps words for the log that do not say whether a command did what it was to do.
func Hear(log *slog.Logger, command, words string) {
	if words = strings.TrimSpace(words); words != "" {
		log.Debug("the phone printed words of its own", "command", command, "words", Shorten(words))
	}
}
