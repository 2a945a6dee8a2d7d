package pointer

import "image"

// hidMost is the last value of the axes of the HID touchscreen.
const hidMost = 0x7fff

// hidDescriptor describes a touchscreen for one finger, by the usage tables for
// digitizers. A report has 7 bytes: the tip switch, the contact's number, X and Y
// with the low byte first, and the number of contacts.
var hidDescriptor = []int{
	0x05, 0x0d, // usage page: digitizers
	0x09, 0x04, // usage: touch screen
	0xa1, 0x01, // application
	0x09, 0x22, //   usage: finger
	0xa1, 0x02, //   logical
	0x09, 0x42, //     usage: tip switch
	0x15, 0x00, //     from 0
	0x25, 0x01, //     to 1
	0x75, 0x01, //     of 1 bit
	0x95, 0x01, //     1 of them
	0x81, 0x02, //     input
	0x95, 0x07, //     7 bits
	0x81, 0x03, //     input, constant
	0x09, 0x51, //     usage: contact identifier
	0x25, 0x7f, //     to 127
	0x75, 0x08, //     of 8 bits
	0x95, 0x01, //     1 of them
	0x81, 0x02, //     input
	0x05, 0x01, //     usage page: generic desktop
	0x26, 0xff, 0x7f, // to 32767
	0x75, 0x10, //     of 16 bits
	0x95, 0x01, //     1 of them
	0x09, 0x30, //     usage: X
	0x81, 0x02, //     input
	0x09, 0x31, //     usage: Y
	0x81, 0x02, //     input
	0xc0,       //   end
	0x05, 0x0d, //   usage page: digitizers
	0x09, 0x54, //   usage: contact count
	0x25, 0x7f, //   to 127
	0x75, 0x08, //   of 8 bits
	0x95, 0x01, //   1 of them
	0x81, 0x02, //   input
	0xc0, // end
}

// HID is a touchscreen that the command `hid -` makes (Android 8.1 and later).
type HID struct {
	name string
	size image.Point // physical pixels
	at   image.Point // where the finger was last
}

// NewHID registers a touchscreen of that name over a screen of that physical size.
func NewHID(name string, size image.Point) *HID { return &HID{name: name, size: size} }

// Start registers the device. Reports wait until the kernel has opened it.
func (h *HID) Start() []byte {
	return line(struct {
		ID         int    `json:"id"`
		Command    string `json:"command"`
		Name       string `json:"name"`
		Vendor     int    `json:"vid"`
		Product    int    `json:"pid"`
		Bus        string `json:"bus"`
		Descriptor []int  `json:"descriptor"`
	}{1, "register", h.name, vendor, product, "usb", hidDescriptor})
}

// Encode is one report.
func (h *HID) Encode(e Event) []byte {
	tip := 1
	if e.Kind == Up {
		tip = 0
	} else {
		h.at = image.Pt(onAxis(e.At.X, h.size.X, 0, hidMost), onAxis(e.At.Y, h.size.Y, 0, hidMost))
	}
	return numbers(`{"id":1,"command":"report","report":[`,
		[]int{tip, 0, h.at.X & 0xff, h.at.X >> 8, h.at.Y & 0xff, h.at.Y >> 8, 1})
}

// Release is empty: the end of input takes the device and its finger away.
func (h *HID) Release() []byte { return nil }

// Natural is true.
func (h *HID) Natural() bool { return true }
