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
	"tapwise/calibration"
	"tapwise/cmd/internal/cause"
	"tapwise/cmd/internal/places"
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

// keepAwake keeps the screen of a phone that this process holds on while it is
// plugged in, and returns how to end that.
func (o Opener) keepAwake(ctx context.Context, device *adb.Device) (giveBack func() error, err error) {
	folder, err := borrowedFolder()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "phone-"+serialName(device.Serial)+".json")
	if err := o.giveBack(ctx, device, file); err != nil {
		return nil, err
	}
	before, err := device.StayAwake(ctx)
	if err != nil {
		return nil, cause.Phone(err)
	}
	if before == adb.AwakeWhilePlugged {
		return func() error { return nil }, nil
	}
	if err := writeBorrowed(file, borrowed{Serial: device.Serial, StayAwake: before, Process: os.Getpid()}); err != nil {
		return nil, cause.Input(err)
	}
	if err := device.SetStayAwake(ctx, adb.AwakeWhilePlugged); err != nil {
		return nil, cause.Phone(err)
	}
	return func() error {
		// An interrupted run has no more context, and still something to give back.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		return o.giveBack(ctx, device, file)
	}, nil
}

// giveBack restores the settings in a file, if it is there. When that fails the
// file stays, and the next run tries again.
func (o Opener) giveBack(ctx context.Context, device *adb.Device, file string) error {
	data, err := boundedfile.Read(file, maxBorrowed)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return cause.Input(err)
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
		return cause.Phone(err)
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

// borrowedFolder returns the folder of what was changed on phones, and makes it.
func borrowedFolder() (string, error) {
	folder, err := places.Cache()
	if err != nil {
		return "", cause.Inputf("there is no cache folder to remember the phone's settings in: %w", err)
	}
	return folder, cause.Input(os.MkdirAll(folder, 0o700))
}

// serialName returns a serial as part of a file name.
func serialName(serial string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(serial)))[:16]
}
