package main

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
	"tapwise/calibration"
	"tapwise/configs/boundedfile"
)

// borrowed is what was changed on a phone and has to be given back. It is kept
// in a file from before the change until after it was undone, so that a run
// that was killed is cleaned up after by the next one.
type borrowed struct {
	Serial    string `json:"serial"`
	StayAwake string `json:"stay_awake"` // as it was before
	Process   int    `json:"process"`    // that holds it
}

// maxBorrowed bounds the bytes of its file; it has some hundred.
const maxBorrowed = 64 << 10

// keepAwake keeps the screen of a phone that this process holds on while it is
// plugged in, and returns how to end that.
func (a *app) keepAwake(ctx context.Context, device *adb.Device) (giveBack func() error, err error) {
	folder, err := a.stateFolder()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "phone-"+serialName(device.Serial)+".json")
	if err := a.giveBack(ctx, device, file); err != nil {
		return nil, err
	}
	before, err := device.StayAwake(ctx)
	if err != nil {
		return nil, phoneFailed(err)
	}
	if before == adb.AwakeWhilePlugged {
		return func() error { return nil }, nil
	}
	if err := writeBorrowed(file, borrowed{Serial: device.Serial, StayAwake: before, Process: os.Getpid()}); err != nil {
		return nil, badInput(err)
	}
	if err := device.SetStayAwake(ctx, adb.AwakeWhilePlugged); err != nil {
		return nil, phoneFailed(err)
	}
	return func() error {
		// An interrupted run has no more context, and still something to give back.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		return a.giveBack(ctx, device, file)
	}, nil
}

// giveBack restores what a file says, if there is one. When that fails the file
// stays, and the next run tries again.
func (a *app) giveBack(ctx context.Context, device *adb.Device, file string) error {
	data, err := boundedfile.Read(file, maxBorrowed)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return badInput(err)
	}
	var b borrowed
	if err := json.Unmarshal(data, &b); err != nil || b.Serial != device.Serial {
		a.log.Warn("what a run before changed on the phone is not known", "file", file, "error", err)
		return os.Remove(file)
	}
	if b.Process != os.Getpid() {
		a.log.Info("giving back what a run before changed on the phone", "serial", b.Serial)
	}
	if err := device.SetStayAwake(ctx, b.StayAwake); err != nil {
		return phoneFailed(err)
	}
	return os.Remove(file)
}

// writeBorrowed writes the file whole or not at all.
func writeBorrowed(file string, b borrowed) error {
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	temporary := fmt.Sprintf("%s.%d", file, b.Process)
	if err = os.WriteFile(temporary, append(data, '\n'), 0o600); err == nil {
		err = os.Rename(temporary, file)
	}
	return calibration.Naming(file, err)
}

// stateFolder is where what must outlive a run is kept.
func (a *app) stateFolder() (string, error) {
	folder, err := os.UserCacheDir()
	if err != nil {
		return "", badInputf("there is no cache folder to remember the phone's settings in: %w", err)
	}
	folder = filepath.Join(folder, "tapwise")
	return folder, badInput(os.MkdirAll(folder, 0o755))
}

// serialName makes a file name of a serial.
func serialName(serial string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(serial)))[:16]
}
