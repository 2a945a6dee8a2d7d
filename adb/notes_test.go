package adb

import (
	"slices"
	"testing"

	"tapwise/adb/hand"
	"tapwise/adb/simphone"
)

// TestNoteOfAnotherProcess: what another process has kept of the phone since it was opened
// stays when something else is kept; what it has kept of another phone that has the same
// serial number does not.
func TestNoteOfAnotherProcess(t *testing.T) {
	store := new(notes)
	_, d := linked(t, simphone.Config{}, Config{TouchStore: store})
	keep := func(rung string) TouchNote {
		d.mu.Lock()
		d.keep(func(n *TouchNote) { n.Rung = rung })
		d.mu.Unlock()
		return store.kept[d.touchKey()]
	}
	note := keep(hand.HID)
	note.Recorders, note.Captures = []int{7}, map[string]CaptureNote{"network": {Method: PNG}}
	store.kept[d.touchKey()] = note
	note = keep(hand.Evdev)
	if note.Rung != hand.Evdev || !slices.Equal(note.Recorders, []int{7}) || note.Captures["network"].Method != PNG {
		t.Errorf("%+v is kept, expected what the other process kept and evdev", note)
	}
	note.On, note.Identity = "elsewhere", ""
	store.kept[d.touchKey()] = note
	if note = keep(hand.HID); note.On != d.Serial || len(note.Recorders) > 0 || note.Captures != nil {
		t.Errorf("%+v is kept, expected nothing of the other phone", note)
	}
}
