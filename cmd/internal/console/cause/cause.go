package cause

import (
	"context"
	"fmt"
)

// InputError is an error about what the user gave: arguments, files,
// configuration.
type InputError struct{ Err error }

func (e InputError) Error() string { return e.Err.Error() }
func (e InputError) Unwrap() error { return e.Err }

// Input marks an error as one about the input; nil stays nil.
func Input(err error) error {
	if err == nil {
		return nil
	}
	return InputError{err}
}

// Inputf formats an error about the input, as [fmt.Errorf] does.
func Inputf(format string, a ...any) error { return InputError{fmt.Errorf(format, a...)} }

// PhoneError is a failure of the phone or of the connection to it.
type PhoneError struct{ Err error }

func (e PhoneError) Error() string { return e.Err.Error() }
func (e PhoneError) Unwrap() error { return e.Err }

// Phone marks an error as a failure of the phone; nil stays nil.
func Phone(err error) error {
	if err == nil {
		return nil
	}
	return PhoneError{err}
}

// timeError says that a search ran out of time.
type timeError struct{ reason string }

// Timef formats an error that says that a search ran out of time. It is
// [context.DeadlineExceeded] to [errors.Is], and wraps nothing.
func Timef(format string, a ...any) error { return timeError{fmt.Sprintf(format, a...)} }

func (e timeError) Error() string { return e.reason }

// Is reports whether target is context.DeadlineExceeded.
func (e timeError) Is(target error) bool { return target == context.DeadlineExceeded }
