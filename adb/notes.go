package adb

import (
	"cmp"
	"slices"

	"tapwise/adb/hand"
)

// A TouchNote is what is remembered of touching a phone, and of capturing its screen, from
// one run to the next.
type TouchNote struct {
	Model string `json:"model"` // ro.product.model
	Build string `json:"build"` // ro.build.fingerprint; another one makes the note worthless
	hand.Note
	// On is the phone's name in adb when Using was set, and Identity who it was, if that was
	// asked: several phones may have the same serial number.
	On       string `json:"on,omitempty"`
	Identity string `json:"identity,omitempty"`
	// Recorders are process ids of screenrecord on the phone that were not seen to end; those
	// of a run that was cut off are ended at the next start.
	Recorders []int `json:"recorders,omitempty"`
	// Captures are the ways to capture that were the fastest, by how the phone is connected
	// and its display.
	Captures map[string]CaptureNote `json:"captures,omitempty"`
}

// A TouchStore keeps notes, one for each phone. Load returns false if there is none. Key is the
// phone's own serial number or, if it has none, its name in adb.
type TouchStore interface {
	Load(key string) (TouchNote, bool, error)
	Save(key string, note TouchNote) error
}

// touchKey names the phone in a store.
func (d *Device) touchKey() string {
	return cmp.Or(ownSerial(d.Properties), d.Serial)
}

const buildProperty = "ro.build.fingerprint"

// load reads what is remembered of the phone, once. The caller holds the mutex.
func (d *Device) load() {
	if d.loaded {
		return
	}
	d.loaded = true
	d.note = TouchNote{Model: d.Model, Build: d.Properties[buildProperty]}
	store := d.client.config.TouchStore
	if store == nil {
		return
	}
	kept, found, err := store.Load(d.touchKey())
	if d.saved = err; err != nil || !found {
		return
	}
	left := kept // on the phone, whatever its build
	if !d.sameBuild(kept) {
		kept = d.note
	}
	kept.Using, kept.Rotation, kept.Recorders = "", nil, nil
	if d.isOf(left) {
		kept.Using, kept.Rotation, kept.Recorders = left.Using, left.Rotation, left.Recorders
		d.eyes.left = slices.Clone(left.Recorders)
	}
	d.note = kept
}

// isOf reports whether a note was made on this phone, as far as that was asked.
func (d *Device) isOf(note TouchNote) bool {
	return note.On == d.Serial || note.Identity != "" && note.Identity == d.identity
}

func (d *Device) sameBuild(note TouchNote) bool {
	return note.Model == d.Model && note.Build == d.Properties[buildProperty]
}

// keep changes the note, and remembers it with the way to capture that was noted. What another
// process has kept of the phone meanwhile stays. The caller holds the mutex.
func (d *Device) keep(change func(*TouchNote)) {
	d.load()
	change(&d.note)
	store := d.client.config.TouchStore
	if store == nil {
		return
	}
	kept, found, err := store.Load(d.touchKey())
	if err != nil || !found || !d.sameBuild(kept) || !d.isOf(kept) {
		kept = d.note
	}
	change(&kept)
	if note, noted := d.note.Captures[d.captureKey()]; noted {
		kept.Captures = d.withCapture(kept.Captures, note)
	}
	kept.On, kept.Identity = d.Serial, d.identity
	d.saved = store.Save(d.touchKey(), kept)
}
