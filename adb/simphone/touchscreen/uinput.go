package touchscreen

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"tapwise/adb/simphone/shell"
)

// The types of a device's configuration, by the numbers of uinput's ioctls.
const (
	setType     = 100
	setKey      = 101
	setAxis     = 103
	setProperty = 110
)

// Android's versions of uinput, as API levels.
const (
	uinputSync    = 34 // the command sync
	uinputRelaxed = 35 // a bus is not needed, delays count from the registration
)

// uinputDevice is a device that the command made.
type uinputDevice struct {
	hub      *Hub
	device   *inputDevice
	schedule schedule
}

// Uinput is the command "uinput -" of Android 12 and later: JSON objects on stdin
// make devices and report events. It ends with its input, and the devices with it.
// It returns the exit code: 0 at the end of the input, also one that it could not
// read; 1 when a command was wrong; 137 when a device could not be made.
func (h *Hub) Uinput(ctx context.Context, stdin io.Reader, stdout io.Writer) int {
	return h.serve(ctx, stdin, stdout, "UINPUT", h.checkUinput, h.registerUinput)
}

func (d *uinputDevice) made() *inputDevice { return d.device }

// end waits until the device has done everything.
func (d *uinputDevice) end(ctx context.Context) error { return d.schedule.wait(ctx) }

// checkUinput finds what Android takes for the end: a command that it does not
// know, and one that lacks what it needs.
func (h *Hub) checkUinput(o *object) error {
	if err := o.check(); err != nil {
		return err
	}
	switch {
	case o.Command == "register" && o.Configuration == nil:
		return errors.New("device registration is missing configuration")
	case o.Command == "register" && o.Bus == "" && h.config.SDK < uinputRelaxed:
		return errors.New("device registration is missing bus")
	case o.Command == "inject" && o.Events == nil:
		return errors.New("inject command is missing injection data")
	case o.Command == "sync" && h.config.SDK >= uinputSync:
		if o.SyncToken == nil {
			return errors.New("sync command is missing sync token")
		}
	case !slices.Contains([]string{"register", "delay", "inject"}, o.Command):
		return fmt.Errorf("unknown command %s", o.Command)
	}
	return nil
}

// codes are the codes to enable, by the ioctl that enables them. Of several lists for
// one, the last counts, and later all of them.
func (h *Hub) codes(o *object) map[int32]numbers {
	codes := make(map[int32]numbers)
	for _, c := range o.Configuration {
		if c.Data != nil && h.config.SDK >= uinputRelaxed {
			codes[c.Type] = append(codes[c.Type], c.Data...)
		} else if c.Data != nil {
			codes[c.Type] = c.Data
		}
	}
	return codes
}

// registerUinput makes a device, as the kernel does for UI_DEV_CREATE.
func (h *Hub) registerUinput(o *object) (commandDevice, error) {
	switch h.config.Uinput {
	case Missing:
		return nil, fmt.Errorf("failed to open uinput: %w", shell.ErrNotExist)
	case ReadOnly:
		return nil, fmt.Errorf("failed to open uinput: %w", shell.ErrPermission)
	}
	spec := o.spec()
	spec.Location, spec.Version, spec.Axes = cmp.Or(o.Port, fmt.Sprintf("uinput:%d:%d:%d", o.ID, o.Vendor, o.Product)), 1, make(map[uint16]AbsInfo)
	codes := h.codes(o)
	types := codes[setType]
	// Codes of a type that is not enabled are never reported.
	if slices.Contains(types, evKey) {
		spec.Keys = codesUpTo(codes[setKey], maxKey)
	}
	if slices.Contains(types, evAbs) {
		for _, code := range codesUpTo(codes[setAxis], maxAbs) {
			spec.Axes[code] = AbsInfo{}
		}
		for _, a := range o.Axes {
			bounded := a.Info.Maximum != 0 || a.Info.Minimum != 0
			if a.Code < 0 || a.Code > maxAbs || bounded && (a.Info.Maximum < a.Info.Minimum || int64(a.Info.Flat) > int64(a.Info.Maximum)-int64(a.Info.Minimum)) {
				continue // the ioctl fails, and nobody looks
			}
			spec.Axes[uint16(a.Code)] = a.Info
		}
	}
	spec.Properties = codesUpTo(codes[setProperty], maxProperty)
	device, err := h.create(spec, func(*inputDevice) {})
	if err != nil {
		return nil, err
	}
	return &uinputDevice{hub: h, device: device, schedule: schedule{next: time.Now(), absolute: h.config.SDK >= uinputRelaxed}}, nil
}

// codesUpTo are the codes that the kernel takes, each once.
func codesUpTo(list []int32, most int32) []uint16 {
	var codes []uint16
	for _, code := range list {
		if code >= 0 && code <= most && !slices.Contains(codes, uint16(code)) {
			codes = append(codes, uint16(code))
		}
	}
	return codes
}

// run carries out a command for the device.
func (d *uinputDevice) run(ctx context.Context, o *object, stdout io.Writer) error {
	switch o.Command {
	case "delay":
		d.schedule.delay(time.Duration(o.Duration) * time.Millisecond)
	case "inject":
		if err := d.schedule.wait(ctx); err != nil {
			return err
		}
		var events []event
		for list := o.Events; len(list) >= 3; list = list[3:] {
			events = append(events, event{uint16(list[0]), uint16(list[1]), list[2]})
		}
		d.hub.inject(d.device, events)
	case "sync":
		if err := d.schedule.wait(ctx); err != nil {
			return err
		}
		token, err := json.Marshal(*o.SyncToken)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(stdout, `{"reason":"sync","id":%d,"syncToken":%s}`, o.ID, token)
		return err
	}
	return nil
}
