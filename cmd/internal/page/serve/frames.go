package serve

import (
	"image"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/eyes/overlay"
	"tapwise/cmd/internal/play/player"
)

// keptWon is how many won levels' frames are kept; failures keep their evidence.
const keptWon = 200

// wonSuffix ends the names of folders of won levels.
const wonSuffix = "-won"

// levelFrames keeps the frames of levels that are won: the board as it was read and
// the screen that said so, each with what was seen drawn over it. They are written
// while play goes on; when that is too slow, some are left out.
type levelFrames struct {
	folder string // below which each level gets one
	work   chan wonLevel
	done   chan struct{}

	read, won player.Event // of the level being played
}

// wonLevel holds what is to be written of a level.
type wonLevel struct {
	folder string
	events []player.Event
}

// newLevelFrames starts writing below a folder. Close ends it.
func newLevelFrames(folder string) *levelFrames {
	f := &levelFrames{folder: folder, work: make(chan wonLevel, 4), done: make(chan struct{})}
	go func() {
		defer close(f.done)
		for level := range f.work {
			if level.write() != nil {
				// It is a courtesy: without frames there is the journal's row.
				_ = os.RemoveAll(level.folder)
			}
			f.prune()
		}
	}()
	return f
}

// close waits until all is written.
func (f *levelFrames) close() {
	close(f.work)
	<-f.done
}

// watch takes in what happens.
func (f *levelFrames) watch(e player.Event) {
	switch e.Stage {
	case "read":
		f.read, f.won = e, player.Event{}
	case "verify":
		f.won = e
	}
}

// keep has the frames of the level that was just won written, and returns their
// folder; empty where there are no frames, or no time to write them.
func (f *levelFrames) keep(now time.Time, game string) string {
	if f.read.Frame == nil || f.won.Frame == nil {
		return ""
	}
	f.won.Plan = nil // the level is over; there is nothing left to do on it
	level := wonLevel{filepath.Join(f.folder, now.UTC().Format("20060102-150405.000")+"-"+game+wonSuffix), []player.Event{f.read, f.won}}
	select {
	case f.work <- level:
		return level.folder
	default:
		return ""
	}
}

func (l wonLevel) write() error {
	if err := os.MkdirAll(l.folder, 0o700); err != nil {
		return err
	}
	for i, e := range l.events {
		number := string(rune('1' + i))
		frame := e.Picture()
		drawn, err := overlay.Draw(frame, e.Seen, e.Puzzle, e.Plan, nil)
		if err != nil {
			return err
		}
		for name, picture := range map[string]image.Image{"frame-": frame, "overlay-": drawn} {
			if err := writeJPEG(filepath.Join(l.folder, name+number+".jpg"), picture); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeJPEG(name string, picture image.Image) error {
	return wholefile.EncodePrivate(name, func(to io.Writer) error { return jpeg.Encode(to, picture, &jpeg.Options{Quality: 80}) })
}

// prune removes the oldest folders of won levels beyond those that are kept.
func (f *levelFrames) prune() {
	entries, err := os.ReadDir(f.folder)
	if err != nil {
		return // there is nothing to remove
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return !e.IsDir() || !strings.HasSuffix(e.Name(), wonSuffix) })
	for _, e := range entries[:max(0, len(entries)-keptWon)] { // in the order of their names, which is that of time
		_ = os.RemoveAll(filepath.Join(f.folder, e.Name())) // it is tried again after the next level
	}
}
