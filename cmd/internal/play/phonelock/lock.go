package phonelock

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Holder is who plays on a phone.
type Holder struct {
	Serial string `json:"serial"`
	// Phone distinguishes the phone from every other one, whatever its name is; if the phone
	// does not identify itself, it is empty and the serial has to do.
	Phone   string    `json:"phone,omitempty"`
	Process int       `json:"process"`
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

// HeldError is the error when another process plays on the phone.
type HeldError struct {
	Serial string  // by which it was wanted
	Holder *Holder // nil while the holder has not written yet who it is
}

func (e *HeldError) Error() string {
	if e.Holder == nil {
		return fmt.Sprintf("phone %s: another tapwise plays on it", e.Serial)
	}
	under := ""
	if e.Holder.Serial != e.Serial {
		under = " as " + e.Holder.Serial
	}
	return fmt.Sprintf("phone %s: `%s` (process %d) has been playing on it%s since %s",
		e.Serial, e.Holder.Command, e.Holder.Process, under, e.Holder.Since.Local().Format(time.DateTime))
}

// Lock is a phone that this process holds.
type Lock struct{ file *os.File }

// errHeld is what lock returns when another holds the file.
var errHeld = errors.New("held by another")

// Take takes a phone for this process, or fails with a *HeldError if it is taken
// already. The locks lie in folder, which is made if it is not there.
func Take(folder string, h Holder) (*Lock, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("the lock of phone %s: %w", h.Serial, err)
	}
	file, err := os.OpenFile(filepath.Join(folder, fileName(cmp.Or(h.Phone, h.Serial))), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the lock of phone %s: %w", h.Serial, err)
	}
	if err := lock(file); errors.Is(err, errHeld) {
		held := &HeldError{Serial: h.Serial, Holder: readHolder(file)}
		return nil, errors.Join(held, file.Close())
	} else if err != nil {
		return nil, errors.Join(fmt.Errorf("the lock of phone %s: %w", h.Serial, err), file.Close())
	}
	l := &Lock{file}
	text, err := json.Marshal(h)
	if err == nil {
		err = file.Truncate(0)
	}
	if err == nil {
		_, err = file.WriteAt(append(text, '\n'), 0)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the lock of phone %s: %w", h.Serial, err), l.Release())
	}
	return l, nil
}

// Held reports whether a process holds a phone, this one or another. It keeps nobody from taking
// it, except that it may do so for an instant after its last holder was killed.
func Held(folder string, h Holder) bool {
	file, err := os.OpenFile(filepath.Join(folder, fileName(cmp.Or(h.Phone, h.Serial))), os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() == 0 { // nobody does
		return false
	}
	if err := lock(file); err != nil {
		return errors.Is(err, errHeld)
	}
	_ = file.Truncate(0) // what a killed process left; it is only text
	return false
}

// Release lets others have the phone. The file stays, since another process may
// have opened it to lock it; it no longer says who held the phone.
func (l *Lock) Release() error {
	return errors.Join(l.file.Truncate(0), l.file.Close())
}

const (
	holderBytes = 64 << 10 // the most read of a file; a command line is far shorter
	holderLooks = 5        // the number of reads: a process that has just taken the lock may not have written yet
	holderWait  = 20 * time.Millisecond
)

// readHolder reads who holds a file, nil if the file does not say.
func readHolder(file *os.File) *Holder {
	for range holderLooks {
		var h Holder
		text, err := io.ReadAll(io.NewSectionReader(file, 0, holderBytes))
		if err == nil && json.Unmarshal(text, &h) == nil {
			return &h
		}
		time.Sleep(holderWait)
	}
	return nil
}

// fileName makes a file name of a serial: its letters and digits, and its hash,
// since serials may hold any character, as in 127.0.0.1:5555 or
// adb-R58M._adb-tls-connect._tcp.
func fileName(serial string) string {
	const most = 40 // characters of the serial
	readable := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, serial)
	hash := sha256.Sum256([]byte(serial))
	return fmt.Sprintf("%s-%x.lock", readable[:min(len(readable), most)], hash[:8])
}
