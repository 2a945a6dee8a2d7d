// Package pointer turns one finger's path over the screen into what Android accepts
// over an open connection: events of the kernel, objects of the commands uinput and
// hid, lines of monkey. It sends nothing and starts nothing; package adb does.
//
// An [Encoder] is one way of touching. It gives bytes event by event, each answer in
// one write, so that no reader on the phone sees half an event. [Encoder.Natural] says
// which coordinates points are in: either pixels of the screen as the phone
// was built (natural orientation, no size override), to which a [Space] converts
// points of a frame, or pixels of the screen as apps see it.
//
// The formats are those of the kernel's multi-touch protocols (Documentation/input/
// multi-touch-protocol.rst), of Android's cmds/uinput and cmds/hid, of the USB HID
// usage tables for digitizers, and of monkey's network source.
package pointer
