package run

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tapwise/adb"
	"tapwise/cmd/internal/console/places"
	"tapwise/cmd/internal/console/wholefile"
	"tapwise/configs/boundedfile"
)

// borrowed tells what was changed on a phone and has to be given back. It is kept
// in a file from before the change until after it was undone, so that the next run
// cleans up after one that was killed.
type borrowed struct {
	Serial    string `json:"serial"`
	StayAwake string `json:"stay_awake"` // as it was before
	Process   int    `json:"process"`    // that holds it
}

// maxBorrowed bounds the file in bytes; it has about a hundred.
const maxBorrowed = 64 << 10

// comfortTime bounds what only adds comfort, so that a phone that does not do it costs no
// more than that.
const comfortTime = 10 * time.Second

// withoutComfort warns that a phone does without something that only adds comfort: the run
// goes on.
func (o Opener) withoutComfort(phone, what string, err error) {
	hint := o.Help(err)
	if hint == "" {
		hint = "it plays all the same; `tapwise doctor` checks what the phone lets be changed"
	}
	o.Log.Warn(what, "phone", phone, "error", err, "hint", hint)
}

// keepAwake keeps the screen of a phone that this process holds on while it is
// plugged in, and returns how to end that. A phone that does not let it is played on all
// the same.
func (o Opener) keepAwake(ctx context.Context, device *adb.Device) (giveBack func()) {
	file, err := borrowedFile(device.Serial)
	if err == nil {
		err = o.giveBack(ctx, device, file)
	}
	changed := false
	if err == nil {
		changed, err = o.borrowAwake(ctx, device, file)
	}
	switch {
	case ctx.Err() != nil:
	case err != nil:
		o.withoutComfort(device.Serial, "the screen is not kept on: it goes off when its time is up", err)
	default:
		o.tellDrawnOver(ctx, device)
	}
	if !changed {
		return func() {}
	}
	warned := err != nil
	return func() {
		// An interrupted run has no more context, and still something to give back.
		if err := o.giveBack(context.WithoutCancel(ctx), device, file); err != nil && !warned {
			o.withoutComfort(device.Serial, "the screen stays on while the phone is plugged in: that could not be changed back, and the next run tries again", err)
		}
	}
}

// tellDrawnOver warns of what the phone itself draws over boards.
func (o Opener) tellDrawnOver(ctx context.Context, device *adb.Device) {
	ctx, cancel := context.WithTimeout(ctx, comfortTime)
	defer cancel()
	if err := device.CheckDrawnOver(ctx); errors.Is(err, adb.ErrDrawnOver) {
		o.withoutComfort(device.Serial, "boards may be refused for what is drawn over them", err)
	}
}

// borrowAwake changes the setting, and reports whether there is something to give back.
// Before the change it is written to the file.
func (o Opener) borrowAwake(ctx context.Context, device *adb.Device, file string) (changed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, comfortTime)
	defer cancel()
	before, err := device.StayAwake(ctx)
	if err != nil || before == adb.AwakeWhilePlugged {
		return false, err
	}
	data, err := json.Marshal(borrowed{Serial: device.Serial, StayAwake: before, Process: os.Getpid()})
	if err == nil {
		err = wholefile.WritePrivate(file, append(data, '\n'))
	}
	if err != nil {
		return false, err
	}
	if err := device.SetStayAwake(ctx, adb.AwakeWhilePlugged); err != nil {
		if now, nowErr := device.StayAwake(ctx); nowErr == nil && now == before {
			return false, errors.Join(err, os.Remove(file))
		}
		return true, err // it may have changed, whatever the phone says
	}
	return true, nil
}

// giveBack restores the settings in a file, if it is there. When that fails the
// file stays, and the next run tries again.
func (o Opener) giveBack(ctx context.Context, device *adb.Device, file string) error {
	ctx, cancel := context.WithTimeout(ctx, comfortTime)
	defer cancel()
	data, err := boundedfile.Read(file, maxBorrowed)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var b borrowed
	if err := json.Unmarshal(data, &b); err != nil || b.Serial != device.Serial {
		o.Log.Warn("what a run before changed on the phone is not known", "file", file, "error", err)
		return os.Remove(file)
	}
	if b.Process != os.Getpid() {
		o.Log.Info("giving back what a run before changed on the phone", "serial", b.Serial)
	}
	if err := device.SetStayAwake(ctx, b.StayAwake); err != nil {
		if now, nowErr := device.StayAwake(ctx); nowErr != nil || now != b.StayAwake {
			return err
		}
	}
	return os.Remove(file)
}

// borrowedFile returns the file of what was changed on a phone, and makes its folder.
func borrowedFile(serial string) (string, error) {
	folder, err := places.Cache()
	if err != nil {
		return "", fmt.Errorf("there is no cache folder to remember the phone's settings in: %w", err)
	}
	return filepath.Join(folder, "phone-"+serialName(serial)+".json"), os.MkdirAll(folder, 0o700)
}

// serialName returns a serial as part of a file name.
func serialName(serial string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(serial)))[:16]
}
