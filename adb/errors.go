package adb

import (
	"errors"
	"fmt"
	"image"
	"strings"

	"tapwise/adb/internal/fault"
)

// The reasons for which an operation can fail, for errors.Is.
var (
	// ErrNoServer: nothing listens on the adb server's port, or it went away.
	ErrNoServer = fault.ErrNoServer
	// ErrProtocol: something listens there, but does not speak like an adb server.
	ErrProtocol = errors.New("the answer is not what an adb server sends")
	// ErrNoDevice: no such phone, or no phone at all.
	ErrNoDevice = fault.ErrNoDevice
	// ErrManyDevices: there are several phones, and none was named.
	ErrManyDevices = errors.New("more than one device")
	// ErrOffline: the server knows the phone but cannot reach it.
	ErrOffline = fault.ErrOffline
	// ErrUnauthorized: the phone has not accepted this computer's key.
	ErrUnauthorized = fault.ErrUnauthorized
	// ErrNoPermissions: this user may not open the phone's USB device.
	ErrNoPermissions = fault.ErrNoPermissions
	// ErrNotReady: the phone is in some other state (recovery, bootloader, …).
	ErrNotReady = fault.ErrNotReady
	// ErrTimeout: no answer in time, either Config.Timeout or the context's deadline.
	ErrTimeout = fault.ErrTimeout
	// ErrHung: one command does not return in time, though the phone answers others. It is also
	// an ErrTimeout, but reconnecting does not help.
	ErrHung = fault.ErrHung
	// ErrClosed: the phone ended a command before its output was whole.
	ErrClosed = fault.ErrClosed
	// ErrTooLong: a command longer than MaxCommand.
	ErrTooLong = errors.New("command too long")
	// ErrTooMuch: more output than the caller's limit.
	ErrTooMuch = errors.New("output too large")
	// ErrInputRefused: the phone answered a touch or a key with an error.
	ErrInputRefused = fault.ErrRefused
	// ErrInjectEvents, with an ErrInputRefused: some makers let the shell inject events only
	// when the owner of the phone has allowed it.
	ErrInjectEvents = fault.ErrInjectEvents
	// ErrScreenChanged: the screen is not the one the strokes were planned on.
	ErrScreenChanged = errors.New("the screen changed")
	// ErrFrameSize: frames have another size than the window manager says that the screen
	// has, so that touches would land elsewhere.
	ErrFrameSize = errors.New("frames do not have the size of the screen")
	// ErrNotInFront: the app in front is not the one that was to be touched.
	ErrNotInFront = errors.New("the app is not in front")
	// ErrNotResponding: Android shows its dialog that the app in front does not
	// respond.
	ErrNotResponding = errors.New("the app is not responding")
	// ErrOutside: a point outside the frame, or on its very edge.
	ErrOutside = errors.New("point outside the screen")
)

// Reconnectable reports whether an error may go away by connecting again (see
// Client.Reconnect): the phone went offline or away, or stopped in the middle.
func Reconnectable(err error) bool { return fault.Reconnectable(err) }

// ScreenChangedError says which screen the strokes were planned on and which one
// the phone has now. It is an ErrScreenChanged.
type ScreenChangedError struct {
	Serial                           string
	PlannedSize, CurrentSize         image.Point // pixels
	PlannedRotation, CurrentRotation int         // quarter turns 0–3, -1 unknown
}

func (e *ScreenChangedError) Error() string {
	return fmt.Sprintf("adb: %s: %v: planned on %s rotation %s, the phone now has %s rotation %s",
		e.Serial, ErrScreenChanged, sizeText(e.PlannedSize), rotationText(e.PlannedRotation),
		sizeText(e.CurrentSize), rotationText(e.CurrentRotation))
}

// Unwrap makes it an ErrScreenChanged.
func (e *ScreenChangedError) Unwrap() error { return ErrScreenChanged }

// FrameSizeError says that the phone's frames and its window manager disagree. It is an
// ErrFrameSize.
type FrameSizeError struct {
	Serial string
	Frame  image.Point // pixels
	Screen Screen      // as the window manager has it
}

func (e *FrameSizeError) Error() string {
	return fmt.Sprintf("adb: %s: %v: frames are %s, the window manager says %s, rotation %s", e.Serial, ErrFrameSize,
		sizeText(e.Frame), sizeText(e.Screen.Current), rotationText(e.Screen.Rotation))
}

// Advice is what helps.
func (e *FrameSizeError) Advice() string {
	turned := image.Pt(e.Screen.Current.Y, e.Screen.Current.X)
	switch {
	case e.Screen.distorts(e.Frame):
		return "the screen's size is overridden to another aspect, which its frames do not follow: run `adb shell wm size reset`"
	case sameShape(e.Frame, turned):
		return "the picture is squashed or lies on its side: turn the phone by a quarter, so that both agree, and switch auto-rotation off"
	}
	return "run `adb shell wm size reset` where the size was changed, and choose the display with --display where there are several"
}

// Unwrap makes it an ErrFrameSize.
func (e *FrameSizeError) Unwrap() error { return ErrFrameSize }

func sizeText(size image.Point) string { return fmt.Sprintf("%dx%d", size.X, size.Y) }

func rotationText(rotation int) string {
	if rotation < 0 {
		return "unknown"
	}
	return fmt.Sprint(rotation)
}

// serverFailure turns the text of a FAIL answer into an error of a known kind.
func serverFailure(text string) error {
	text = strings.TrimSpace(text)
	kind := failureKind(text)
	first, _, _ := strings.Cut(text, "\n") // what follows is advice on adb's own environment
	if kind == nil {
		return fmt.Errorf("the adb server says %q", shorten(first))
	}
	if strings.HasPrefix(kind.Error(), strings.TrimSuffix(first, ".")) {
		return kind
	}
	return fmt.Errorf("%w (%s)", kind, shorten(first))
}

func failureKind(text string) error {
	has := func(part string) bool { return strings.Contains(text, part) }
	switch {
	case has("unauthorized"), has("still authorizing"), has("failed to authenticate"):
		return ErrUnauthorized
	case has("no permissions"), has("insufficient permissions"):
		return ErrNoPermissions
	case has("offline"), has("still connecting"):
		return ErrOffline
	case has("not found"), has("no such device"), has("no device"), has("no emulators"):
		return ErrNoDevice
	case has("more than one"):
		return ErrManyDevices
	case text == "closed":
		return ErrClosed
	}
	return nil
}

// What package fault calls by longer names.
var (
	contextError = fault.Context
	shorten      = fault.Shorten
	limit        = fault.Limit
	phoneIsGone  = fault.Gone
)
