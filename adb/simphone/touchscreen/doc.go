// Package touchscreen is the part of a simulated phone that takes touches as bytes:
// the input devices of its kernel, and the part of Android that reads them.
//
//	hub, err := touchscreen.New(touchscreen.Config{SDK: 34, Width: 1080, Height: 2340, Glass: glass})
//	status := hub.Uinput(ctx, stdin, stdout)        // the command uinput -
//	status := hub.HID(ctx, stdin, stdout)           // the command hid -
//	node, err := hub.Open("/dev/input/event2", 24)  // what cat > /dev/input/event2 writes to
//	text, err := hub.Getevent([]string{"-pl"})      // what getevent prints
//	text := hub.Dump()                              // the devices' part of dumpsys input
//	err := Monkey(ctx, connection, injector)        // a client of monkey --port
//
// Fingers come out at a [Glass], in pixels of the panel held upright. The package
// knows neither the phone nor its screen, and it shares nothing with the program's
// side, which encodes what is decoded here.
//
// Its behaviour follows the sources of Android (cmds/uinput, cmds/hid,
// cmds/monkey, toolbox/getevent.c, inputflinger's EventHub and input mappers) and
// of Linux (drivers/input/input.c, evdev.c, input-mt.c, misc/uinput.c,
// hid/hid-multitouch.c) wherever a client can see the difference:
//
//   - the kernel drops codes that a device does not have, values that do not
//     change, and empty frames;
//   - events before Android has opened a new device are lost, but the kernel
//     keeps them as the device's state;
//   - the stroke of a device that is removed ends;
//   - a contact on a device with BTN_TOUCH or with pressure counts only while
//     BTN_TOUCH is down and the pressure is above zero;
//   - a device that is not direct moves a mouse pointer, and touches nothing.
//
// A peer is not trusted: everything read has bounds.
package touchscreen
