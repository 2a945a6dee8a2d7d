package touchscreen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
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

// maxUinputDevices is a bound on the devices of one process.
const maxUinputDevices = 8

// uinputDevice is a device that the command made.
type uinputDevice struct {
	device   *inputDevice
	schedule schedule
}

// Uinput is the command "uinput -" of Android 12 and later: JSON objects on stdin
// make devices and report events. It ends with its input, and the devices with it.
// It returns the exit code: 0 at the end of the input, also one that it could not
// read; 1 when a command was wrong; 137 when a device could not be made.
func (h *Hub) Uinput(ctx context.Context, stdin io.Reader, stdout io.Writer) int {
	devices := make(map[int32]*uinputDevice)
	defer func() {
		for _, d := range devices {
			h.destroy(d.device)
		}
	}()
	r := newJSONReader(stdin)
	for {
		o, err := readObject(r, stdout, func(o *object, name string) (bool, error) { return h.uinputField(r, o, name) })
		if err != nil {
			for _, d := range devices {
				if d.schedule.wait(ctx) != nil {
					break
				}
			}
			return h.endOfReading("UINPUT", err)
		}
		if err := h.checkUinput(o); err != nil {
			h.log("UINPUT", "Uinput injection failed. "+err.Error())
			return exitFailed
		}
		d := devices[o.id]
		if d == nil {
			if o.command != "register" || len(devices) >= maxUinputDevices {
				h.log("UINPUT", "Unknown device id specified. Ignoring event.")
				continue
			}
			if d, err = h.registerUinput(o); err != nil {
				h.log("UinputDevice", "Couldn't create uinput device, exiting. "+err.Error())
				return exitKilled
			}
			devices[o.id] = d
			continue
		}
		if err := h.runUinput(ctx, d, o, stdout); err != nil {
			return exitKilled
		}
	}
}

// uinputField reads a field that only uinput knows.
func (h *Hub) uinputField(r *jsonReader, o *object, name string) (known bool, err error) {
	switch name {
	case "events":
		o.events, err = r.numbers()
	case "configuration":
		err = h.readConfiguration(r, o)
	case "abs_info":
		err = readAxes(r, o)
	case "ff_effects_max":
		_, err = r.nextInt()
	case "port":
		o.port, err = r.nextString()
	case "syncToken":
		if h.config.SDK < uinputSync {
			return false, nil
		}
		o.syncToken, err = r.nextString()
		o.synced = true
	default:
		return false, nil
	}
	return true, err
}

// readConfiguration reads the codes to enable, by the ioctl that enables them.
func (h *Hub) readConfiguration(r *jsonReader, o *object) error {
	o.configuration = make(map[int32][]int32)
	return r.array(func() error {
		var kind int32
		var data []int32
		err := r.fields(func(name string) (known bool, err error) {
			switch name {
			case "type":
				kind, err = r.nextInt()
			case "data":
				data, err = r.numbers()
			default:
				return false, nil
			}
			return true, err
		})
		if err == nil && data != nil && len(o.configuration) < maxNumbers {
			if h.config.SDK >= uinputRelaxed {
				data = append(o.configuration[kind], data...)
			}
			o.configuration[kind] = data[:min(len(data), maxNumbers)]
		}
		return err
	})
}

func readAxes(r *jsonReader, o *object) error {
	o.axes = make(map[int32]AbsInfo)
	return r.array(func() error {
		var code int32
		var axis AbsInfo
		found := false
		err := r.fields(func(name string) (known bool, err error) {
			switch name {
			case "code":
				code, err = r.nextInt()
			case "info":
				axis, err = readAxis(r)
				found = true
			default:
				return false, nil
			}
			return true, err
		})
		if err == nil && found && len(o.axes) < maxNumbers {
			o.axes[code] = axis
		}
		return err
	})
}

func readAxis(r *jsonReader) (axis AbsInfo, err error) {
	targets := map[string]*int32{"value": &axis.Value, "minimum": &axis.Minimum, "maximum": &axis.Maximum, "fuzz": &axis.Fuzz,
		"flat": &axis.Flat, "resolution": &axis.Resolution}
	err = r.fields(func(name string) (known bool, err error) {
		target, known := targets[name]
		if known {
			*target, err = r.nextInt()
		}
		return known, err
	})
	if err != nil {
		err = r.leave(tokenEndObject, err)
	}
	return axis, err
}

// checkUinput finds what Android takes for the end: a command that it does not
// know, and one that lacks what it needs.
func (h *Hub) checkUinput(o *object) error {
	switch {
	case !o.named:
		return errors.New("event does not contain a command")
	case o.command == "register" && o.configuration == nil:
		return errors.New("device registration is missing configuration")
	case o.command == "register" && o.bus == "" && h.config.SDK < uinputRelaxed:
		return errors.New("device registration is missing bus")
	case o.command == "delay" && o.duration <= 0:
		return errors.New("delay has missing or invalid duration")
	case o.command == "inject" && o.events == nil:
		return errors.New("inject command is missing injection data")
	case o.command == "sync" && h.config.SDK >= uinputSync:
		if !o.synced {
			return errors.New("sync command is missing sync token")
		}
	case !slices.Contains([]string{"register", "delay", "inject"}, o.command):
		return fmt.Errorf("unknown command %s", o.command)
	}
	return nil
}

// registerUinput makes a device, as the kernel does for UI_DEV_CREATE.
func (h *Hub) registerUinput(o *object) (*uinputDevice, error) {
	switch h.config.Uinput {
	case Missing:
		return nil, fmt.Errorf("failed to open uinput: %w", ErrNotExist)
	case ReadOnly:
		return nil, fmt.Errorf("failed to open uinput: %w", ErrPermission)
	}
	spec := Spec{Name: o.name, Location: o.port, Bus: o.busNumber(), Vendor: uint16(o.vendor), Product: uint16(o.product), Version: 1,
		Axes: make(map[uint16]AbsInfo)}
	if o.unnamed {
		spec.Name = fmt.Sprintf("%d:%d:%d", o.id, o.vendor, o.product)
	}
	if o.port == "" {
		spec.Location = fmt.Sprintf("uinput:%d:%d:%d", o.id, o.vendor, o.product)
	}
	types := o.configuration[setType]
	// Codes of a type that is not enabled are never reported.
	if slices.Contains(types, evKey) {
		spec.Keys = codesUpTo(o.configuration[setKey], maxKey)
	}
	if slices.Contains(types, evAbs) {
		for _, code := range codesUpTo(o.configuration[setAxis], maxAbs) {
			spec.Axes[code] = AbsInfo{}
		}
		for _, code := range slices.Sorted(maps.Keys(o.axes)) {
			axis := o.axes[code]
			bounded := axis.Maximum != 0 || axis.Minimum != 0
			if code < 0 || code > maxAbs || bounded && (axis.Maximum < axis.Minimum || int64(axis.Flat) > int64(axis.Maximum)-int64(axis.Minimum)) {
				continue // the ioctl fails, and nobody looks
			}
			spec.Axes[uint16(code)] = axis
		}
	}
	spec.Properties = codesUpTo(o.configuration[setProperty], maxProperty)
	device, err := h.create(spec, func(*inputDevice) {})
	if err != nil {
		return nil, err
	}
	return &uinputDevice{device: device, schedule: schedule{next: time.Now(), absolute: h.config.SDK >= uinputRelaxed}}, nil
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

// runUinput carries out a command for a device.
func (h *Hub) runUinput(ctx context.Context, d *uinputDevice, o *object, stdout io.Writer) error {
	switch o.command {
	case "register":
		h.log("UINPUT", fmt.Sprintf("Device id=%d is already registered. Ignoring event.", o.id))
	case "delay":
		d.schedule.delay(time.Duration(o.duration) * time.Millisecond)
	case "inject":
		if err := d.schedule.wait(ctx); err != nil {
			return err
		}
		var events []event
		for list := o.events; len(list) >= 3; list = list[3:] {
			events = append(events, event{uint16(list[0]), uint16(list[1]), list[2]})
		}
		h.inject(d.device, events)
	case "sync":
		if err := d.schedule.wait(ctx); err != nil {
			return err
		}
		token, err := json.Marshal(o.syncToken)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(stdout, `{"reason":"sync","id":%d,"syncToken":%s}`, o.id, token)
		return err
	}
	return nil
}
