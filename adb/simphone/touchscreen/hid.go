package touchscreen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"tapwise/adb/simphone/shell"
)

// Bounds on what the command hid holds.
const (
	maxHeld   = 4096 // reports that wait for a device
	maxReport = 4096 // bytes: UHID_DATA_MAX
	hidSlots  = 10   // MT_DEFAULT_MAXCONTACT
)

// hidDevice is a device that the command made.
type hidDevice struct {
	hub      *Hub
	touch    *hidTouch    // nil when the kernel could not make the device
	device   *inputDevice // nil then
	schedule schedule
	opened   chan struct{} // closed when Android has opened the device

	// Guarded by the hub's lock.
	open bool
	held [][]byte // reports that came before
}

// HID is the command "hid -": JSON objects on stdin make devices by their report
// descriptors and send reports, which are held until Android has opened the device.
// It ends with its input, and the devices with it, but never while a device is not
// opened. It returns the exit code: 0 at the end of the input, also one that it
// could not read; 1 when a command was wrong.
func (h *Hub) HID(ctx context.Context, stdin io.Reader, stdout io.Writer) int {
	return h.serve(ctx, stdin, stdout, "HID", checkHID, func(o *object) (commandDevice, error) { return h.registerHID(o), nil })
}

// run carries out a command for the device.
func (d *hidDevice) run(ctx context.Context, o *object, _ io.Writer) error {
	switch o.Command {
	case "delay":
		d.schedule.delay(time.Duration(o.Duration) * time.Millisecond)
	case "report":
		if err := d.schedule.wait(ctx); err != nil {
			return err
		}
		d.send(o.Report)
	default:
		d.hub.log("HID", fmt.Sprintf("Unknown command \"%s\". Ignoring event.", o.Command))
	}
	return nil
}

func (d *hidDevice) made() *inputDevice { return d.device }

func checkHID(o *object) error {
	switch {
	case o.Command == "register" && o.Descriptor == nil:
		return errors.New("device registration is missing descriptor")
	case o.Command == "report" && o.Report == nil:
		return errors.New("report command is missing report data")
	}
	return o.check()
}

// registerHID makes a device. When that fails, Android only notes it in its log: the
// device is never opened.
func (h *Hub) registerHID(o *object) *hidDevice {
	d := &hidDevice{hub: h, opened: make(chan struct{}), schedule: schedule{next: time.Now()}}
	var err error
	switch h.config.Uhid {
	case Missing:
		err = shell.ErrNotExist
	case ReadOnly:
		err = shell.ErrPermission
	}
	if err != nil {
		h.log("HidCommandDevice", "Failed to open uhid: "+err.Error())
		return d
	}
	report, err := parseDescriptor(o.Descriptor)
	if err == nil {
		d.touch, err = newHIDTouch(report)
	}
	if err != nil {
		h.log("HidCommandDevice", "uhid node failed to start: "+err.Error())
		return d
	}
	spec := d.touch.describe(o.spec())
	if spec.Bus == 0 {
		spec.Bus = busUSB
	}
	device, err := h.create(spec, d.start)
	if err != nil {
		h.log("HidCommandDevice", "Failed to create uhid node: "+err.Error())
		return d
	}
	d.device = device
	return d
}

// start sends the reports that were held, when the kernel has opened the device; the
// hub's lock is held.
func (d *hidDevice) start(device *inputDevice) {
	d.open = true
	for _, report := range d.held {
		d.hub.injectLocked(device, d.touch.events(report))
	}
	d.held = nil
	close(d.opened)
}

// send sends a report, or holds it.
func (d *hidDevice) send(report []byte) {
	if len(report) > maxReport {
		d.hub.log("HidCommandDevice", fmt.Sprintf("Received invalid report of size %d, skipping", len(report)))
		return
	}
	d.hub.mu.Lock()
	defer d.hub.mu.Unlock()
	switch {
	case d.open:
		d.hub.injectLocked(d.device, d.touch.events(report))
	case len(d.held) < maxHeld:
		d.held = append(d.held, report)
	}
}

// end waits until the device has done everything.
func (d *hidDevice) end(ctx context.Context) error {
	select {
	case <-d.opened:
		return d.schedule.wait(ctx)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hidTouch turns reports into contacts, as the kernel's hid-multitouch does.
type hidTouch struct {
	report   *hidReport
	contacts []hidContact
	count    *hidField // how many of the contacts count
	expected int       // what the last report with a count said
	direct   bool
	x, y     hidField // for the ranges

	slots    [hidSlots]hidSlot
	tracking int32
}

// hidContact is where a contact's values are in a report.
type hidContact struct {
	collection    int
	tip, id, x, y *hidField
}

type hidSlot struct {
	id     int32 // the device's name for the contact
	active bool
}

// newHIDTouch finds the contacts in a descriptor. A touch device has, in each
// collection of a contact, a tip switch, a contact's identity and a position.
func newHIDTouch(report *hidReport) (*hidTouch, error) {
	t := &hidTouch{report: report}
	for i := range report.fields {
		f := &report.fields[i]
		if f.application != usageTouchScreen && f.application != usageTouchPad {
			continue
		}
		t.direct = t.direct || f.application == usageTouchScreen
		if f.usage == usageContactCount {
			t.count = f
			continue
		}
		if len(t.contacts) == 0 || t.contacts[len(t.contacts)-1].collection != f.collection {
			t.contacts = append(t.contacts, hidContact{collection: f.collection})
		}
		c := &t.contacts[len(t.contacts)-1]
		switch f.usage {
		case usageTip:
			c.tip = f
		case usageContactID:
			c.id = f
		case usageX:
			c.x = f
		case usageY:
			c.y = f
		}
	}
	t.contacts = slices.DeleteFunc(t.contacts, func(c hidContact) bool { return c.tip == nil || c.id == nil || c.x == nil || c.y == nil })
	if len(t.contacts) == 0 {
		return nil, errors.New("descriptor of no multi-touch device: expected a contact with tip switch, identity, X and Y")
	}
	t.x, t.y = *t.contacts[0].x, *t.contacts[0].y
	return t, nil
}

// describe adds to a device what the kernel finds in the descriptor.
func (t *hidTouch) describe(spec Spec) Spec {
	spec.Location, spec.Keys = "uhid", []uint16{btnTouch}
	spec.Axes = map[uint16]AbsInfo{
		absMTSlot:     {Maximum: hidSlots - 1},
		absMTX:        {Minimum: t.x.minimum, Maximum: t.x.maximum},
		absMTY:        {Minimum: t.y.minimum, Maximum: t.y.maximum},
		absMTTracking: {Maximum: 65535},
	}
	if t.direct {
		spec.Properties = []uint16{propDirect}
	}
	return spec
}

// events are the input events of a report.
func (t *hidTouch) events(report []byte) []event {
	number := uint8(0)
	if t.report.numbered {
		if len(report) == 0 {
			return nil
		}
		number, report = report[0], report[1:]
	}
	if _, known := t.report.bits[number]; !known {
		return nil
	}
	expected := len(t.contacts)
	if t.count != nil && t.count.report == number {
		if n := t.count.value(report); n > 0 { // zero: the rest of a frame in several reports
			t.expected = int(n)
		}
		expected = t.expected
	}
	var events []event
	for _, c := range t.contacts {
		if c.tip.report != number || expected <= 0 {
			continue
		}
		expected--
		events = append(events, t.contact(c, report)...)
	}
	pressed := int32(0)
	for _, slot := range t.slots {
		if slot.active {
			pressed = 1
		}
	}
	return append(events, event{evKey, btnTouch, pressed}, event{evSyn, synReport, 0})
}

// contact is what a report says of one contact.
func (t *hidTouch) contact(c hidContact, report []byte) []event {
	id := c.id.value(report)
	slot := slices.IndexFunc(t.slots[:], func(s hidSlot) bool { return s.active && s.id == id })
	if slot < 0 {
		slot = slices.IndexFunc(t.slots[:], func(s hidSlot) bool { return !s.active })
	}
	if slot < 0 {
		return nil
	}
	s := &t.slots[slot]
	events := []event{{evAbs, absMTSlot, int32(slot)}}
	if c.tip.value(report) == 0 {
		s.active = false
		return append(events, event{evAbs, absMTTracking, -1})
	}
	if !s.active {
		t.tracking = (t.tracking + 1) & 0xffff
		*s = hidSlot{id: id, active: true}
		events = append(events, event{evAbs, absMTTracking, t.tracking})
	}
	return append(events, event{evAbs, absMTX, c.x.value(report)}, event{evAbs, absMTY, c.y.value(report)})
}
