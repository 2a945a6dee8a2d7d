// Package pointer turns one finger's way over the screen into what Android takes
// over an open connection: events of the kernel, objects of the commands uinput and
// hid, lines of monkey. It sends nothing and starts nothing; package adb does.
//
// An [Encoder] is one way. It is asked for bytes event by event, and each answer is
// one write, so that no reader on the phone sees half an event. Points come in the
// coordinates that [Encoder.Natural] tells: either pixels of the screen as the phone
// was built (natural orientation, no size override), for which a [Space] turns
// points of a frame back, or pixels of the screen as apps see it.
//
// The formats are those of the kernel's multi-touch protocols (Documentation/input/
// multi-touch-protocol.rst), of Android's cmds/uinput and cmds/hid, of the USB HID
// usage tables for digitizers, and of monkey's network source.
package pointer
