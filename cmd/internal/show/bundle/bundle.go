package bundle

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/play/player"
	"tapwise/configs/boundedfile"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// Entry is a file in a bundle.
type Entry struct {
	Name string // slashes between folders
	What string // what it is, for people
	Data []byte

	text bool // names are hidden in it
}

// Bundle is what is packed, in the order in which it was added.
type Bundle struct {
	entries []Entry
	hidden  map[string]string // names, such as a phone's, and what stands in their place
}

// Options say how a bundle's pictures are kept.
type Options struct {
	Blur bool // all but the board is made unreadable, and overlays are left out

	plain bool // overlays are left out
	few   bool // of the frames only those are kept that the board was read from, and the last
}

// hide has a text, such as a phone's serial number, replaced in all texts of the bundle.
func (b *Bundle) hide(secret, by string) {
	if secret == "" {
		return
	}
	if b.hidden == nil {
		b.hidden = map[string]string{}
	}
	b.hidden[secret] = by
}

// addText adds a text.
func (b *Bundle) addText(name, what, text string) {
	b.entries = append(b.entries, Entry{name, what, []byte(text), true})
}

// Entries are the files as they will be written.
func (b *Bundle) Entries() []Entry {
	// Longer names first: one may be part of another.
	secrets := slices.SortedFunc(maps.Keys(b.hidden), func(x, y string) int { return cmp.Or(len(y)-len(x), strings.Compare(x, y)) })
	entries := slices.Clone(b.entries)
	for i := range entries {
		for _, secret := range secrets {
			if entries[i].text {
				entries[i].Data = bytes.ReplaceAll(entries[i].Data, []byte(secret), []byte(b.hidden[secret]))
			}
		}
	}
	return entries
}

// addJSON adds a value as JSON.
func (b *Bundle) addJSON(name, what string, value any) error {
	data, err := json.MarshalIndent(value, "", "\t")
	if err != nil {
		return err
	}
	b.addText(name, what, string(data)+"\n")
	return nil
}

// addRun adds what the journal knows of the attempts of a run.
func (b *Bundle) addRun(attempts []journal.Attempt) error {
	for i := range attempts {
		b.hide(attempts[i].Serial, "PHONE")
		attempts[i].Evidence = path.Base(strings.ReplaceAll(attempts[i].Evidence, `\`, "/")) // folders tell a user's name
	}
	return b.addJSON("run.json", "the attempts of the last run", attempts)
}

// addPicture adds a picture and what was seen on it; seen may be nil.
func (b *Bundle) addPicture(name, what string, frame *image.RGBA, seen *screen.Observation, o Options) error {
	if seen != nil {
		b.addText(name+".txt", "what was seen on it", seen.String())
	}
	return b.addPNG(name+".png", what, frame, seen, o)
}

// addPNG adds a picture alone, blurred if that is asked for.
func (b *Bundle) addPNG(name, what string, frame *image.RGBA, seen *screen.Observation, o Options) error {
	if o.Blur {
		frame = unreadable(frame, boardOf(seen))
	}
	var data bytes.Buffer
	if err := png.Encode(&data, frame); err != nil {
		return err
	}
	b.entries = append(b.entries, Entry{Name: name, What: what, Data: data.Bytes()})
	return nil
}

// boardOf is where the board of an observation lies, and half a cell around it, which
// the frame of the board needs; empty where none was seen.
func boardOf(seen *screen.Observation) image.Rectangle {
	if seen == nil || seen.Layout.Rows == 0 {
		return image.Rectangle{}
	}
	l := seen.Layout
	return l.Board.Inset(-l.Board.Dy() / l.Rows / 2)
}

// evidenceFolder is the folder in a bundle for the evidence of a level.
const evidenceFolder = "evidence"

// addEvidence adds the evidence in a folder: its frames and observations, and its text.
func (b *Bundle) addEvidence(ctx context.Context, folder string, o Options) error {
	e, err := player.LoadEvidence(folder)
	if err != nil {
		return err
	}
	for key, value := range e.Device {
		if strings.Contains(key, "serial") {
			b.hide(value, "PHONE")
		}
	}
	if o.few {
		last := len(e.Frames) - 1
		kept := e.Frames[:0]
		for i, f := range e.Frames {
			if f.Read || i == last {
				kept = append(kept, f)
			}
		}
		e.Frames = kept
	}
	for i, f := range e.Frames {
		var seen *screen.Observation
		if f.Observation != "" {
			text, err := boundedfile.ReadIn(folder, f.Observation, maxText)
			if err != nil {
				return err
			}
			if seen, err = screen.ParseObservation(string(text)); err != nil {
				return fmt.Errorf("%s: %w", f.Observation, err)
			}
			b.addText(path.Join(evidenceFolder, f.Observation), "what was seen on it", string(text))
		}
		what := fmt.Sprintf("the screen at %s", f.At.Format(time.TimeOnly))
		if err := b.addFrame(ctx, folder, f.File, what, seen, o); err != nil {
			return err
		}
		if f.Overlay != "" && (o.Blur || o.plain) {
			e.Frames[i].Overlay = "" // it shows the screen, and a replay needs none
		} else if f.Overlay != "" {
			if err := b.addFrame(ctx, folder, f.Overlay, what+", with what was seen and planned", nil, o); err != nil {
				return err
			}
		}
	}
	return b.addJSON(path.Join(evidenceFolder, player.EvidenceFile), "the level, its plan and what was decided", e)
}

// addFrame adds a picture of the evidence; as it is, unless it has to be changed.
func (b *Bundle) addFrame(ctx context.Context, folder, file, what string, seen *screen.Observation, o Options) error {
	data, err := boundedfile.ReadIn(folder, file, vision.MaxBytes)
	if err != nil {
		return err
	}
	name := path.Join(evidenceFolder, file)
	if o.Blur {
		frame, err := vision.Decode(ctx, data)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return b.addPNG(name, what, frame, seen, o)
	}
	b.entries = append(b.entries, Entry{Name: name, What: what, Data: data})
	return nil
}

// Write writes the bundle as a zip archive.
func (b *Bundle) Write(name string) error {
	data, err := b.pack()
	if err != nil {
		return err
	}
	return wholefile.WritePrivate(name, data)
}

// pack makes the zip archive.
func (b *Bundle) pack() ([]byte, error) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, e := range b.Entries() {
		to, err := w.Create(e.Name)
		if err == nil {
			_, err = to.Write(e.Data)
		}
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", e.Name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
