package pointer

import (
	"encoding/json"
	"image"
	"strconv"
)

// The kernel's numbers of what is sent: linux/input-event-codes.h.
const (
	evSyn, evKey, evAbs = 0, 1, 3

	synReport, synMTReport = 0, 2

	btnToolFinger, btnTouch = 0x145, 0x14a

	absSlot, absMajor, absX, absY, absID, absPressure = 0x2f, 0x30, 0x35, 0x36, 0x39, 0x3a
)

// The ids under which the new device registers: USB, of no maker's.
const (
	vendor  = 0x18d1
	product = 0xabcd
)

// maxID is the last tracking id; after it they begin anew.
const maxID = 0xffff

// Uinput is a touchscreen that the command `uinput -` makes (Android 12 and later).
type Uinput struct {
	name string
	size image.Point // physical pixels
	id   int         // the tracking id of the stroke under way
}

// NewUinput registers a touchscreen of that name and of the screen's physical size.
// The name is how `dumpsys input` lists it.
func NewUinput(name string, size image.Point) *Uinput { return &Uinput{name: name, size: size} }

type uinputCode struct {
	Type int   `json:"type"`
	Data []int `json:"data"`
}

type uinputRange struct {
	Value      int `json:"value"`
	Minimum    int `json:"minimum"`
	Maximum    int `json:"maximum"`
	Fuzz       int `json:"fuzz"`
	Flat       int `json:"flat"`
	Resolution int `json:"resolution"`
}

type uinputAxis struct {
	Code int         `json:"code"`
	Info uinputRange `json:"info"`
}

type uinputRegister struct {
	ID            int          `json:"id"`
	Command       string       `json:"command"`
	Name          string       `json:"name"`
	Vendor        int          `json:"vid"`
	Product       int          `json:"pid"`
	Bus           string       `json:"bus"`
	Configuration []uinputCode `json:"configuration"`
	Axes          []uinputAxis `json:"abs_info"`
}

// The ioctl numbers by which `uinput` names what a device can do.
const (
	uiEvents, uiKeys, uiAxes, uiProperties = 100, 101, 103, 110

	propertyDirect = 1 // the finger is on the picture
	slots          = 9 // the last slot; the axis has to have more than one
)

// Start registers the device. What is sent before Android lists it is lost.
func (u *Uinput) Start() []byte {
	axis := func(code, most int) uinputAxis { return uinputAxis{code, uinputRange{Maximum: most}} }
	return line(uinputRegister{
		ID: 1, Command: "register", Name: u.name, Vendor: vendor, Product: product, Bus: "usb",
		Configuration: []uinputCode{
			{uiEvents, []int{evKey, evAbs}}, {uiKeys, []int{btnTouch}},
			{uiAxes, []int{absSlot, absX, absY, absID}}, {uiProperties, []int{propertyDirect}},
		},
		Axes: []uinputAxis{axis(absSlot, slots), axis(absX, u.size.X-1), axis(absY, u.size.Y-1), axis(absID, maxID)},
	})
}

// line is a value as JSON, with a line end.
func line(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		return nil // numbers and names only: it cannot happen
	}
	return append(text, '\n')
}

// Encode is one injection.
func (u *Uinput) Encode(e Event) []byte {
	var events []int
	switch e.Kind {
	case Down:
		u.id = u.id%maxID + 1
		events = []int{evKey, btnTouch, 1, evAbs, absSlot, 0, evAbs, absID, u.id, evAbs, absX, e.At.X, evAbs, absY, e.At.Y}
	case Move:
		events = []int{evAbs, absX, e.At.X, evAbs, absY, e.At.Y}
	case Up:
		events = []int{evKey, btnTouch, 0, evAbs, absID, -1}
	}
	return numbers(`{"id":1,"command":"inject","events":[`, append(events, evSyn, synReport, 0))
}

// numbers writes a command whose last part is a list of numbers.
func numbers(head string, list []int) []byte {
	text := append(make([]byte, 0, len(head)+6*len(list)), head...)
	for i, n := range list {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return append(text, "]}\n"...)
}

// Release is empty: the end of input takes the device and its finger away.
func (u *Uinput) Release() []byte { return nil }

// Natural is true.
func (u *Uinput) Natural() bool { return true }
