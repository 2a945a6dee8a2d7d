package player

import (
	"errors"
	"fmt"
)

// The kinds of failure, for errors.Is.
var (
	ErrUnreadable    = errors.New("the screen could not be read")
	ErrPhone         = errors.New("the phone failed")
	ErrNotWon        = errors.New("the level was played but not won")
	ErrScreenChanged = errors.New("the screen is not the one that was planned on")
	ErrUnsolved      = errors.New("the puzzle was not solved in time")
)

// ErrComplete is the error of a level that was complete before anything was
// played. It is no Failure: nothing went wrong, and there is nothing to do.
var ErrComplete = errors.New("this level is complete; tap next, or use clear")

// The errors of a Device, for errors.Is: each is recovered from in its own way.
var (
	ErrLost       = errors.New("the phone does not answer")
	ErrHung       = errors.New("the phone does not carry out one of its commands")
	ErrFrame      = errors.New("the frame is broken")
	ErrBlack      = errors.New("the frame is black")
	ErrNotInFront = errors.New("the app is not in front")
	ErrMismatch   = errors.New("frames and screen disagree")
)

// The causes that a Waker reports. Only a person can help against the second.
var (
	ErrScreenOff = errors.New("the phone's screen is off")
	ErrLocked    = errors.New("the phone is locked")
)

// Failure says in which state of the loop playing stopped and why.
type Failure struct {
	Kind     error  // one of the kinds above
	Stage    string // the state of the loop
	Expected string
	Seen     string
	Tried    []string // the rungs climbed before giving up
	Evidence string   // a folder, empty when none was kept
	Err      error    // the cause, may be nil

	trouble trouble
}

func (f *Failure) Error() string {
	s := fmt.Sprintf("%s: %v", f.Stage, f.Kind)
	if f.Expected != "" {
		s += ": expected " + f.Expected
	}
	if f.Seen != "" {
		s += ", saw " + f.Seen
	}
	if f.Err != nil {
		s += ": " + f.Err.Error()
	}
	if len(f.Tried) > 0 {
		s += fmt.Sprintf(" (after %d steps to recover)", len(f.Tried))
	}
	return s
}

// Unwrap returns the kind and the cause.
func (f *Failure) Unwrap() []error {
	if f.Err == nil {
		return []error{f.Kind}
	}
	return []error{f.Kind, f.Err}
}

// fail makes a failure; run fills in its state.
func fail(kind error, t trouble, expected, seen string, err error) *Failure {
	return &Failure{Kind: kind, trouble: t, Expected: expected, Seen: seen, Err: err}
}

// phoneFailure makes a failure of a device's error.
func phoneFailure(err error) *Failure {
	kind, t := ErrPhone, troubleOther
	switch {
	case errors.Is(err, ErrScreenChanged):
		kind, t = ErrScreenChanged, troubleTurned
	case errors.Is(err, ErrMismatch):
		t = troubleMismatch
	case errors.Is(err, ErrNotInFront):
		t = troubleBehind
	case errors.Is(err, ErrHung):
		t = troubleHung
	case errors.Is(err, ErrLost):
		t = troubleLost
	case errors.Is(err, ErrBlack):
		t = troubleBlackFrame
	case errors.Is(err, ErrFrame):
		t = troubleBadFrame
	}
	return fail(kind, t, "", "", err)
}
