package touchscreen

import (
	"crypto/sha1"
	"fmt"
	"strings"
)

// Android's classes of input devices (EventHub.h).
const (
	classKeyboard   = 0x1
	classTouch      = 0x4
	classMultiTouch = 0x10
	classExternal   = 0x80000000
)

// Dump is what dumpsys input prints of the devices that Android has opened: its
// event hub's and its reader's part.
func (h *Hub) Dump() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var hub, readers strings.Builder
	hub.WriteString("Event Hub State:\n  BuiltInKeyboardId: -2\n  Devices:\n    -1: Virtual\n      Classes: " + h.classes(classKeyboard) +
		"\n      Path: <virtual>\n      Descriptor: a718a782d34bc767f4689c232d64d527998ea7fd\n      Location: \n")
	readers.WriteString("\nInput Reader State:\n")
	for _, d := range h.devices {
		if d.client == nil {
			continue
		}
		id := d.number + 1
		classes := uint32(0)
		if len(d.keys) > 0 {
			classes |= classKeyboard
		}
		_, x := d.valid(absMTX)
		_, y := d.valid(absMTY)
		if x && y {
			classes |= classTouch | classMultiTouch
		}
		if d.external() {
			classes |= classExternal
		}
		fmt.Fprintf(&hub, "    %d: %s\n      Classes: %s\n      Path: %s\n      Enabled: true\n      Descriptor: %x\n      Location: %s\n"+
			"      ControllerNumber: 0\n      UniqueId: \n      Identifier: bus=0x%04x, vendor=0x%04x, product=0x%04x, version=0x%04x\n"+
			"      KeyLayoutFile: \n      KeyCharacterMapFile: \n      ConfigurationFile: \n      HaveKeyboardLayoutOverlay: false\n",
			id, d.Name, h.classes(classes), d.path(), sha1.Sum([]byte(d.Name)), d.Location, d.Bus, d.Vendor, d.Product, d.Version)
		fmt.Fprintf(&readers, "  Device %d: %s\n    Generation: %d\n    IsExternal: %t\n", id, d.Name, 2*id, d.external())
		if x && y {
			h.dumpMapper(&readers, d)
		}
	}
	return hub.String() + readers.String()
}

// classes prints classes as a number, or from Android 12 by their names.
func (h *Hub) classes(classes uint32) string {
	if h.config.SDK < 31 {
		return fmt.Sprintf("0x%08x", classes)
	}
	var names []string
	for _, class := range []struct {
		bit  uint32
		name string
	}{{classKeyboard, "KEYBOARD"}, {classTouch, "TOUCH"}, {classMultiTouch, "TOUCH_MT"}, {classExternal, "EXTERNAL"}} {
		if classes&class.bit != 0 {
			names = append(names, class.name)
		}
	}
	return strings.Join(names, " | ")
}

// dumpMapper is the reader's part on a device with contacts.
func (h *Hub) dumpMapper(b *strings.Builder, d *inputDevice) {
	kind := "touchScreen"
	if !d.direct() {
		kind = "pointer"
	}
	fmt.Fprintf(b, "    Touch Input Mapper:\n      Parameters:\n        GestureMode: multi-touch\n        DeviceType: %s\n"+
		"        AssociatedDisplay: hasAssociatedDisplay=%t, isExternal=%t, displayId=''\n        OrientationAware: %t\n      Raw Touch Axes:\n",
		kind, d.direct(), d.external(), d.direct())
	for _, axis := range []struct {
		name string
		code uint16
	}{{"X", absMTX}, {"Y", absMTY}, {"Pressure", absMTPressure}, {"TrackingId", absMTTracking}, {"Slot", absMTSlot}} {
		info, ok := d.valid(axis.code)
		if !ok {
			fmt.Fprintf(b, "        %s: unknown range\n", axis.name)
			continue
		}
		fmt.Fprintf(b, "        %s: min=%d, max=%d, flat=%d, fuzz=%d, resolution=%d\n", axis.name, info.Minimum, info.Maximum, info.Flat, info.Fuzz, info.Resolution)
	}
	fmt.Fprintf(b, "      Last Raw Touch: pointerCount=%d\n      Last Cooked Touch: pointerCount=%d\n", len(d.client.fingers), len(d.client.fingers))
}
