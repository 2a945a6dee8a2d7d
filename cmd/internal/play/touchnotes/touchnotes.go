// Package touchnotes keeps what was learned about touching each phone and capturing its screen,
// in one small file for each phone.
package touchnotes

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tapwise/adb"
	"tapwise/adb/hand"
	"tapwise/cmd/internal/console/wholefile"
	"tapwise/configs/boundedfile"
)

// Folder keeps notes in the files of a folder, which need not be there yet. It is an
// adb.TouchStore.
type Folder struct {
	Path string
	// Anew finds no note, so that every way to touch and to capture is tried again; what is
	// found out is kept.
	Anew bool
}

// maxNote is the greatest size of a note in bytes.
const maxNote = 1 << 16

// file is a phone's file: its serial number where that is a plain word, else its
// digits.
func (f Folder) file(key string) string {
	name := key
	plain := strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
	if !plain || key == "" || len(key) > 64 {
		name = "x" + hex.EncodeToString([]byte(key[:min(len(key), 100)]))
	}
	return filepath.Join(f.Path, name+".json")
}

// Load reads a phone's note. It returns false if there is none, and an error that names the
// file if it cannot be read.
func (f Folder) Load(key string) (adb.TouchNote, bool, error) {
	var note adb.TouchNote
	file := f.file(key)
	text, err := boundedfile.Read(file, maxNote)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return note, false, nil
	case err != nil:
		return note, false, err
	}
	if err := json.Unmarshal(text, &note); err != nil {
		return adb.TouchNote{}, false, fmt.Errorf("%s: %w; it may be removed", file, err)
	}
	if f.Anew {
		// What an earlier run left on the phone is no matter of what works best.
		note = adb.TouchNote{Note: hand.Note{Using: note.Using, Rotation: note.Rotation}, On: note.On, Identity: note.Identity, Recorders: note.Recorders}
	}
	return note, true, nil
}

// Save writes a phone's note.
func (f Folder) Save(key string, note adb.TouchNote) error {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return err
	}
	text, err := json.MarshalIndent(note, "", "  ")
	if err != nil {
		return err
	}
	return wholefile.WritePrivate(f.file(key), append(text, '\n'))
}
