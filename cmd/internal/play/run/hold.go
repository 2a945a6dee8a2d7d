package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"tapwise/adb"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/places"
	"tapwise/cmd/internal/play/phonelock"
)

// Hold takes a phone for this process before anything on it is changed: two processes that play
// on one phone undo each other's strokes and record the same boards in the journal. It returns
// a function that releases the phone. If another process holds it, the error is a
// [phonelock.HeldError].
func (o Opener) Hold(ctx context.Context, device *adb.Device) (release func() error, err error) {
	folder, holder, err := o.holder(ctx, device)
	if err != nil {
		return nil, err
	}
	lock, err := phonelock.Take(folder, holder)
	var held *phonelock.HeldError
	switch {
	case errors.As(err, &held):
		return nil, cause.Phone(err)
	case err != nil:
		return nil, cause.Input(err)
	}
	return lock.Release, nil
}

// Held returns what reports whether a process plays on a phone, this one or another.
func (o Opener) Held(ctx context.Context, device *adb.Device) (held func() bool, err error) {
	folder, holder, err := o.holder(ctx, device)
	return func() bool { return phonelock.Held(folder, holder) }, err
}

// holder is this process as what holds a phone, and the folder of the locks.
func (o Opener) holder(ctx context.Context, device *adb.Device) (folder string, h phonelock.Holder, err error) {
	state, err := places.State()
	if err != nil {
		return "", h, cause.Inputf("there is no folder to lock the phone in: %w", err)
	}
	identity, err := device.Identity(ctx)
	if err != nil {
		return "", h, cause.Phone(err)
	}
	return filepath.Join(state, "phones"), phonelock.Holder{
		Serial: device.Serial, Phone: identity, Process: os.Getpid(), Command: o.Command, Since: time.Now(),
	}, nil
}

// Hold takes the phone for this process until Close, and with stayAwake keeps its
// screen on as long as it is plugged in. Nothing may be played before.
func (r *Run) Hold(ctx context.Context, stayAwake bool) error {
	release, err := r.opener.Hold(ctx, r.Phone.Device)
	if err != nil {
		return err
	}
	r.release = release
	if err := r.chooseStream(ctx); err != nil {
		return errors.Join(err, r.Close())
	}
	if err := r.chooseTouch(ctx); err != nil {
		return errors.Join(err, r.Close())
	}
	if stayAwake {
		r.giveBack = r.opener.keepAwake(ctx, r.Phone.Device)
	}
	return nil
}

// chooseStream finds out whether the phone's own frames are used.
func (r *Run) chooseStream(ctx context.Context) error {
	if err := r.Phone.ChooseStream(ctx); err != nil {
		if ctx.Err() != nil || adb.Reconnectable(err) {
			return cause.Phone(err)
		}
		r.opener.withoutComfort(r.Phone.Serial, "a recorder of the screen may be left on the phone", err)
	}
	r.opener.Log.Info("looks", "phone", r.Phone.Serial, "way", r.Phone.LookChoice())
	return nil
}

// chooseTouch finds the best way to touch the phone, and says what an earlier run
// left on its screen.
func (r *Run) chooseTouch(ctx context.Context) error {
	choice, err := r.Phone.Hand().Choose(ctx)
	if choice.Left != "" {
		r.opener.Log.Warn("a finger was left on the screen", "phone", r.Phone.Serial, "found", choice.Left)
	}
	for _, refused := range choice.Refused {
		r.opener.Log.Debug("a way to touch is not used", "way", refused.Rung, "reason", refused.Reason)
	}
	if err != nil {
		return cause.Phone(err)
	}
	r.opener.Log.Info("touches", "phone", r.Phone.Serial, "way", choice.Rung, "seen", choice.Seen)
	return nil
}

// closeTouchTime bounds giving back what touching changed on the phone, where one command
// may not take longer.
const closeTouchTime = 10 * time.Second

// closeTouch ends the connection through which the phone is touched. A phone that is
// away has ended it already.
func (r *Run) closeTouch() {
	ctx, cancel := context.WithTimeout(context.Background(), max(closeTouchTime, r.opener.ADB.Timeout/2))
	defer cancel()
	if err := r.Phone.CloseEye(ctx); err != nil {
		r.opener.withoutComfort(r.Phone.Serial, "the phone may go on pushing frames until its screen changes", err)
	}
	if err := r.Phone.Hand().Close(ctx); err != nil {
		r.opener.withoutComfort(r.Phone.Serial, "what touching changed was not put back, or what was found out of it not kept", err)
	}
}

// Close gives back what Hold changed on the phone, and lets go of it.
func (r *Run) Close() error {
	if r.release == nil {
		return nil
	}
	r.closeTouch()
	if r.giveBack != nil {
		r.giveBack()
	}
	err := r.release()
	r.giveBack, r.release = nil, nil
	return err
}
