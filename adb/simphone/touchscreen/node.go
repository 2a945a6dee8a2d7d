package touchscreen

import (
	"encoding/binary"
	"slices"

	"tapwise/adb/simphone/shell"
)

// node is a device node that was opened to write to it. Closing it lifts no finger:
// the device does not know who wrote.
type node struct {
	hub    *Hub
	device *inputDevice
	size   int
}

// The bytes of a struct input_event: two words of time, then type, code and value.
const (
	eventBytes32 = 16
	eventBytes64 = 24
)

// Write takes the events of one write to the node. Only whole events are taken; of
// a piece of one, evdev says that it is an invalid argument. What a single write
// holds beyond the queue of the device is lost.
func (n *node) Write(p []byte) (int, error) {
	size := eventBytes64
	if n.size == eventBytes32 {
		size = eventBytes32
	}
	n.hub.mu.Lock()
	defer n.hub.mu.Unlock()
	d := n.device
	if !slices.Contains(n.hub.devices, d) {
		return 0, shell.FileError("No such device")
	}
	taken := 0
	for ; len(p)-taken >= size; taken += size {
		d.inject(decodeEvent(p[taken:taken+size], size))
	}
	if d.client != nil {
		d.drain()
	}
	if taken < len(p) {
		return taken, shell.ErrInvalid
	}
	return taken, nil
}

func (*node) Read([]byte) (int, error) { return 0, shell.FileError("Bad file descriptor") }
func (*node) Close() error             { return nil }

// decodeEvent reads a struct input_event; its time is not looked at.
func decodeEvent(b []byte, size int) event {
	b = b[size-8:]
	return event{
		kind:  binary.LittleEndian.Uint16(b),
		code:  binary.LittleEndian.Uint16(b[2:]),
		value: int32(binary.LittleEndian.Uint32(b[4:])),
	}
}

// ELF is the beginning of an ELF file of a program for ARM with words of 32 or 64
// bits: the fifth byte is the class.
func ELF(bits int) []byte {
	const arm, arm64, sharedObject = 40, 183, 3
	head := make([]byte, 64)
	copy(head, "\x7fELF\x02\x01\x01")
	machine := uint16(arm64)
	if bits == 32 {
		head = head[:52]
		head[4], machine = 1, arm
	}
	binary.LittleEndian.PutUint16(head[16:], sharedObject)
	binary.LittleEndian.PutUint16(head[18:], machine)
	return head
}
