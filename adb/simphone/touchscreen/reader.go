package touchscreen

import (
	"cmp"
	"maps"
	"slices"
)

// reader is Android's side of a device: it turns events into fingers, as
// MultiTouchInputMapper does. The hub's lock guards it.
type reader struct {
	device *inputDevice
	hub    *Hub

	touch     bool // the device is a touch screen of the phone's own display
	byslot    bool // protocol B: contacts have slots
	hasButton bool // contacts count only while BTN_TOUCH is down
	button    bool
	pressed   bool // contacts count only with pressure

	contacts []contact
	current  int // the slot, or protocol A's running number; -1: none
	dropping bool
	fingers  map[int32]*finger // by identity
	next     int32             // the identity of the next contact that brings none
}

// contact is what a slot says.
type contact struct {
	used           bool
	x, y, pressure int32
	id             int32
}

// finger is a contact that Android has reported.
type finger struct {
	slot int
	x, y int32
	dead bool // it came down beside the panel: nothing gets it
}

// maxContacts is Android's bound on the slots it reads.
const maxContacts = 32

// newReader looks at a device as EventHub and TouchInputMapper do when they open
// it.
func newReader(hub *Hub, device *inputDevice) *reader {
	r := &reader{device: device, hub: hub, fingers: make(map[int32]*finger), current: -1}
	_, id := device.valid(absMTTracking)
	slots, slotted := device.valid(absMTSlot)
	_, r.pressed = device.valid(absMTPressure)
	r.hasButton, r.button = device.keys[btnTouch], device.down[btnTouch]
	r.byslot = id && slotted && slots.Minimum == 0 && slots.Maximum > 0
	count := 16 // Android's room for contacts without slots
	if r.byslot {
		// Android asks for the slot in use, but knows no contact.
		count, r.current = min(int(slots.Maximum)+1, maxContacts), device.slot
	}
	r.contacts = make([]contact, count)
	r.touch = device.touchscreen() && !(device.external() && hub.config.SecondDisplay)
	return r
}

// valid returns an axis that Android takes for one: its least and its greatest
// value differ.
func (d *inputDevice) valid(code uint16) (AbsInfo, bool) {
	axis, ok := d.Axes[code]
	return axis, ok && axis.Minimum != axis.Maximum
}

// touchscreen reports whether Android takes the device for a multi-touch screen.
func (d *inputDevice) touchscreen() bool {
	_, x := d.valid(absMTX)
	_, y := d.valid(absMTY)
	return x && y && d.direct()
}

// process takes the next event.
func (r *reader) process(e event) {
	if r.dropping {
		r.dropping = !(e.kind == evSyn && e.code == synReport)
		return
	}
	switch {
	case e.kind == evKey && e.code == btnTouch:
		r.button = e.value != 0
	case e.kind == evAbs:
		r.axis(e)
	case e.kind == evSyn && e.code == synMTReport:
		if !r.byslot {
			r.current++
		}
	case e.kind == evSyn && e.code == synDropped:
		r.hub.log("InputDevice", "Detected input event buffer overrun for device '"+r.device.Name+"'.")
		r.dropping = true
		r.reset()
	case e.kind == evSyn && e.code == synReport:
		r.sync()
	}
}

func (r *reader) axis(e event) {
	if r.byslot && e.code == absMTSlot {
		r.current = int(e.value)
		return
	}
	if e.code < absMTFirst || e.code > absMTLast {
		return
	}
	if !r.byslot && r.current < 0 {
		r.current = 0
	}
	if r.current < 0 || r.current >= len(r.contacts) {
		return
	}
	c := &r.contacts[r.current]
	if !r.byslot && !c.used {
		*c = contact{used: true, id: -1}
	}
	switch e.code {
	case absMTX:
		c.x = e.value
	case absMTY:
		c.y = e.value
	case absMTPressure:
		c.pressure = e.value
	case absMTTracking:
		if r.byslot && e.value < 0 {
			c.used = false // what it said stays, for the next contact in the slot
			return
		}
		c.used, c.id = true, e.value
	}
}

// sync ends a frame: the fingers that left, came and moved are reported.
func (r *reader) sync() {
	seen := make(map[int32]bool)
	for slot := range r.contacts {
		c := &r.contacts[slot]
		if !c.used || r.hasButton && !r.button || r.pressed && c.pressure <= 0 {
			continue
		}
		id := c.id
		if id < 0 {
			id = r.nearest(c, seen)
		}
		if seen[id] {
			continue
		}
		seen[id] = true
		r.report(id, slot, c)
	}
	r.lift(seen)
	if !r.byslot {
		clear(r.contacts)
		r.current = -1
	}
}

// nearest is the identity of the finger that a contact without one continues: the
// nearest that is not yet taken. Contacts beyond the fingers are new.
func (r *reader) nearest(c *contact, taken map[int32]bool) int32 {
	best, found := int32(0), false
	distance := func(id int32) int64 {
		dx, dy := int64(r.fingers[id].x)-int64(c.x), int64(r.fingers[id].y)-int64(c.y)
		return dx*dx + dy*dy
	}
	for _, id := range slices.Sorted(maps.Keys(r.fingers)) {
		if !taken[id] && (!found || distance(id) < distance(best)) {
			best, found = id, true
		}
	}
	if found {
		return best
	}
	r.next--
	return r.next - 1 // below -1, where no device's identities are
}

// report puts a contact down or moves it. The finger that was in its slot before is
// lifted first.
func (r *reader) report(id int32, slot int, c *contact) {
	f := r.fingers[id]
	if f == nil {
		for old, other := range r.fingers {
			if r.byslot && other.slot == slot {
				r.up(old)
			}
		}
		f = &finger{slot: slot, x: c.x, y: c.y, dead: !r.inside(c.x, c.y)}
		r.fingers[id] = f
		if r.touch && !f.dead {
			x, y := r.pixel(f)
			r.hub.config.Glass.Down(slot, x, y)
		}
		return
	}
	if f.x == c.x && f.y == c.y {
		return
	}
	f.x, f.y = c.x, c.y
	if r.touch && !f.dead {
		x, y := r.pixel(f)
		r.hub.config.Glass.Move(f.slot, x, y)
	}
}

// lift lifts all fingers but those that are still there.
func (r *reader) lift(but map[int32]bool) {
	ids := slices.SortedFunc(maps.Keys(r.fingers), func(a, b int32) int { return cmp.Compare(r.fingers[a].slot, r.fingers[b].slot) })
	for _, id := range ids {
		if !but[id] {
			r.up(id)
		}
	}
}

func (r *reader) up(id int32) {
	f := r.fingers[id]
	delete(r.fingers, id)
	if r.touch && !f.dead {
		x, y := r.pixel(f)
		r.hub.config.Glass.Up(f.slot, x, y)
	}
}

// reset forgets every contact: the device went away, or events were lost.
func (r *reader) reset() {
	r.lift(nil)
	clear(r.contacts)
	r.current = -1
	if r.byslot {
		r.current = r.device.slot
	}
	r.button = r.device.down[btnTouch]
}

// inside reports whether a raw position lies on the panel.
func (r *reader) inside(x, y int32) bool {
	across, down := r.device.Axes[absMTX], r.device.Axes[absMTY]
	return x >= across.Minimum && x <= across.Maximum && y >= down.Minimum && y <= down.Maximum
}

// pixel is where a finger is, in pixels of the panel held upright.
func (r *reader) pixel(f *finger) (x, y float64) {
	scale := func(v int32, axis AbsInfo, size int) float64 {
		return (float64(v) - float64(axis.Minimum)) * float64(size) / (float64(axis.Maximum) - float64(axis.Minimum) + 1)
	}
	return scale(f.x, r.device.Axes[absMTX], r.hub.config.Width), scale(f.y, r.device.Axes[absMTY], r.hub.config.Height)
}
