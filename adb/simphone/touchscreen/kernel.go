package touchscreen

import (
	"errors"
	"fmt"
	"slices"
)

// event is one event of a device.
type event struct {
	kind, code uint16
	value      int32
}

// AbsInfo describes an absolute axis, as struct input_absinfo does.
type AbsInfo struct {
	Value, Minimum, Maximum, Fuzz, Flat, Resolution int32
}

// Spec describes an input device of the kernel.
type Spec struct {
	Name     string // 1 to 79 bytes
	Location string // the physical path
	Bus      uint16 // 3 USB, 5 Bluetooth, 0x18 I2C
	Vendor   uint16
	Product  uint16
	Version  uint16

	Keys       []uint16           // the codes of EV_KEY
	Axes       map[uint16]AbsInfo // of EV_ABS
	Properties []uint16           // INPUT_PROP_DIRECT is 1
}

// Bounds on a device.
const (
	maxName  = 79   // bytes: UINPUT_MAX_NAME_SIZE with its NUL is 80
	maxSlots = 1024 // the kernel's
	maxQueue = 64   // events that wait for a reader: EVDEV_MIN_BUFFER_SIZE
	maxFrame = 512  // events between two reports
)

// inputDevice is a device of the kernel: what it can report, and what it reported
// last. The hub's lock guards it.
type inputDevice struct {
	Spec
	number int // of /dev/input/eventN
	keys   map[uint16]bool
	down   map[uint16]bool
	slot   int                // the slot that the last ABS_MT_SLOT named
	told   int                // the slot that readers were told of
	slots  []map[uint16]int32 // what each slot's values are; nil without ABS_MT_SLOT
	frame  []event            // since the last report

	client *reader // nil until Android has opened the device
	queue  []event // what waits for the client
	access Access
}

// newDevice checks a description as the kernel does when it makes a device.
func newDevice(spec Spec) (*inputDevice, error) {
	if spec.Name == "" {
		return nil, errors.New("input device without a name")
	}
	spec.Name = spec.Name[:min(len(spec.Name), maxName)]
	d := &inputDevice{Spec: spec, keys: make(map[uint16]bool), down: make(map[uint16]bool)}
	d.Axes = make(map[uint16]AbsInfo, len(spec.Axes))
	for code, axis := range spec.Axes {
		if code > maxAbs {
			return nil, fmt.Errorf("input device %q has axis %d, expected 0 to %d", spec.Name, code, maxAbs)
		}
		d.Axes[code] = axis
	}
	for _, key := range spec.Keys {
		d.keys[key] = true
	}
	if slots, ok := d.Axes[absMTSlot]; ok {
		count := int64(slots.Maximum) + 1
		if count < 0 || count > maxSlots {
			return nil, fmt.Errorf("input device %q has %d slots, expected at most %d", spec.Name, count, maxSlots)
		}
		for range count {
			d.slots = append(d.slots, map[uint16]int32{absMTTracking: -1})
		}
	}
	return d, nil
}

// inject puts an event into the device, as input_event does. What the device does
// not have, and what changes nothing, is dropped.
func (d *inputDevice) inject(e event) {
	switch e.kind {
	case evSyn:
		switch e.code {
		case synMTReport:
			d.stage(e)
		case synReport:
			if len(d.frame) > 0 { // an empty frame is no frame
				d.stage(e)
				d.flush()
			}
		}
	case evKey:
		// The value 2 is a repetition, which passes whatever the key's state is.
		if !d.keys[e.code] || e.value != 2 && d.down[e.code] == (e.value != 0) {
			return
		}
		if e.value != 2 {
			d.down[e.code] = e.value != 0
		}
		d.stage(e)
	case evAbs:
		d.injectAxis(e)
	}
}

func (d *inputDevice) injectAxis(e event) {
	axis, ok := d.Axes[e.code]
	if !ok {
		return
	}
	contact := e.code >= absMTFirst && e.code <= absMTLast
	switch {
	case e.code == absMTSlot:
		// Readers are told when something of the slot changes.
		if e.value >= 0 && int(e.value) < len(d.slots) {
			d.slot = int(e.value)
		}
		return
	case !contact:
		if axis.Value == e.value {
			return
		}
		axis.Value = e.value
		d.Axes[e.code] = axis
	case len(d.slots) > 0:
		slot := d.slots[d.slot]
		if slot[e.code] == e.value {
			return
		}
		slot[e.code] = e.value
		if d.told != d.slot {
			d.told = d.slot
			d.stage(event{evAbs, absMTSlot, int32(d.slot)})
		}
	}
	d.stage(e)
}

// stage adds an event to the frame; a frame that becomes too long is reported as it
// is.
func (d *inputDevice) stage(e event) {
	d.frame = append(d.frame, e)
	if len(d.frame) >= maxFrame {
		d.frame = append(d.frame, event{evSyn, synReport, 1})
		d.flush()
	}
}

// flush moves the frame into the queue of the client; without a client it is lost.
func (d *inputDevice) flush() {
	if d.client != nil {
		for _, e := range d.frame {
			d.enqueue(e)
		}
	}
	d.frame = d.frame[:0]
}

// enqueue is what evdev does for a client: when the queue is full, everything in it
// is dropped, and the client is told so.
func (d *inputDevice) enqueue(e event) {
	if len(d.queue) >= maxQueue {
		d.queue = append(d.queue[:0], event{evSyn, synDropped, 0})
	}
	d.queue = append(d.queue, e)
}

// drain hands the queue to the client.
func (d *inputDevice) drain() {
	queue := d.queue
	d.queue = nil
	for _, e := range queue {
		d.client.process(e)
	}
}

// codes lists the codes of a type that the device has, in order.
func (d *inputDevice) codes(kind uint16) []uint16 {
	var codes []uint16
	switch kind {
	case evKey:
		for code := range d.keys {
			codes = append(codes, code)
		}
	case evAbs:
		for code := range d.Axes {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

func (d *inputDevice) path() string { return fmt.Sprintf("/dev/input/event%d", d.number) }

func (d *inputDevice) direct() bool { return slices.Contains(d.Properties, propDirect) }

// external reports whether Android takes the device for one that is plugged in:
// with a second display attached, its touches go there.
func (d *inputDevice) external() bool { return d.Bus == busUSB || d.Bus == busBluetooth }
