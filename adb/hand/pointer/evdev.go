package pointer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
)

// Evdev writes the events of the phone's own touchscreen into its device node
// (Android 5 to 9). It sends only what the device lists.
type Evdev struct {
	screen Touchscreen
	size   image.Point // physical pixels
	wide   bool        // struct input_event has 24 bytes, not 16
	id     int
}

// NewEvdev writes events for a touchscreen over a screen of that physical size. If wide, an
// event has the 24 bytes of a 64-bit program, else the 16 of a 32-bit one; the program on the
// phone that writes them decides.
func NewEvdev(screen Touchscreen, size image.Point, wide bool) (*Evdev, error) {
	if size.X <= 0 || size.Y <= 0 {
		return nil, fmt.Errorf("a screen of %v pixels", size)
	}
	if !screen.Usable() {
		return nil, errors.New("the device lists no axes ABS_MT_POSITION_X and ABS_MT_POSITION_Y that go from less to more")
	}
	return &Evdev{screen: screen, size: size, wide: wide}, nil
}

// EventBytes is the length of one event: the node takes whole ones only.
func (v *Evdev) EventBytes() int {
	if v.wide {
		return 24
	}
	return 16
}

// Start is empty: the device is there.
func (v *Evdev) Start() []byte { return nil }

// Natural is true.
func (v *Evdev) Natural() bool { return true }

// protocolA reports whether the device tells no slots: then every frame lists all
// contacts.
func (v *Evdev) protocolA() bool { return !v.screen.has(absSlot) }

// Encode is one frame of events; SYN_REPORT ends it.
func (v *Evdev) Encode(e Event) []byte {
	f := frame{wide: v.wide}
	if e.Kind == Down {
		v.id = v.nextID()
	}
	switch {
	case e.Kind == Up:
		return v.Release()
	case v.protocolA():
		v.keys(&f, e.Kind == Down, 1)
		v.contact(&f, e.At, true)
		f.add(evSyn, synMTReport, 0)
	case e.Kind == Down:
		v.keys(&f, true, 1)
		f.add(evAbs, absSlot, 0)
		v.contact(&f, e.At, true)
	default:
		v.contact(&f, e.At, false)
	}
	f.add(evSyn, synReport, 0)
	return f.bytes
}

// Release is a frame without a contact. Where there was none, the kernel drops what
// changes nothing.
func (v *Evdev) Release() []byte {
	f := frame{wide: v.wide}
	v.keys(&f, true, 0)
	switch {
	case v.protocolA():
		f.add(evSyn, synMTReport, 0)
	default:
		f.add(evAbs, absSlot, 0)
		f.add(evAbs, absID, -1)
	}
	f.add(evSyn, synReport, 0)
	return f.bytes
}

// keys writes the keys that change when the finger comes or goes.
func (v *Evdev) keys(f *frame, change bool, value int) {
	if !change {
		return
	}
	if v.screen.Keys[btnTouch] {
		f.add(evKey, btnTouch, value)
	}
	if v.screen.Keys[btnToolFinger] {
		f.add(evKey, btnToolFinger, value)
	}
}

// contact writes where the finger is and, when whole, all there is to tell of it. A
// finger without pressure would hover where a device tells pressure.
func (v *Evdev) contact(f *frame, at image.Point, whole bool) {
	if whole {
		if v.screen.has(absID) {
			f.add(evAbs, absID, v.id)
		}
		for _, code := range []int{absMajor, absPressure} {
			if axis, ok := v.screen.Axes[code]; ok {
				f.add(evAbs, code, axis.firm())
			}
		}
	}
	x, y := v.screen.Axes[absX], v.screen.Axes[absY]
	f.add(evAbs, absX, onAxis(at.X, v.size.X, x.Least, x.Most))
	f.add(evAbs, absY, onAxis(at.Y, v.size.Y, y.Least, y.Most))
}

// nextID is the tracking id of a new stroke, within the device's own range.
func (v *Evdev) nextID() int {
	axis := v.screen.Axes[absID]
	most := min(axis.Most, maxID)
	if most <= max(axis.Least, 0) {
		return max(axis.Least, 0)
	}
	if v.id++; v.id > most {
		v.id = max(axis.Least, 1)
	}
	return v.id
}

// frame is a run of struct input_event as the phone's program sees them: the time,
// which may be zero, the type, the code and the value, lowest byte first.
type frame struct {
	wide  bool
	bytes []byte
}

func (f *frame) add(kind, code, value int) {
	time := 8
	if f.wide {
		time = 16
	}
	f.bytes = append(f.bytes, make([]byte, time)...)
	f.bytes = binary.LittleEndian.AppendUint16(f.bytes, uint16(kind))
	f.bytes = binary.LittleEndian.AppendUint16(f.bytes, uint16(code))
	f.bytes = binary.LittleEndian.AppendUint32(f.bytes, uint32(int32(value)))
}
