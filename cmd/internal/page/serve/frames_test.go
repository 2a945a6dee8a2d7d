package serve

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tapwise/cmd/internal/play/player"
	"tapwise/solvers/screen"
)

func TestLevelFrames(t *testing.T) {
	folder := t.TempDir()
	for i := range keptWon + 3 {
		if err := os.MkdirAll(filepath.Join(folder, fmt.Sprintf("20200101-%06d.000-flow%s", i, wonSuffix)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	failed := filepath.Join(folder, "20190101-000000.000-flow-verify")
	if err := os.MkdirAll(failed, 0o755); err != nil {
		t.Fatal(err)
	}
	f := newLevelFrames(folder)
	if got := f.keep(time.Now(), "flow"); got != "" {
		t.Errorf("kept %s of a level without frames", got)
	}
	frame := image.NewRGBA(image.Rect(0, 0, 64, 96))
	event := player.Event{Frame: frame, Seen: &screen.Observation{On: screen.Frame{Size: image.Pt(64, 96)}}}
	for _, stage := range []string{"read", "", "verify", "verify"} {
		event.Stage = stage
		f.watch(event)
	}
	kept := f.keep(time.Now(), "flow")
	f.close()
	for _, name := range []string{"frame-1.jpg", "overlay-1.jpg", "frame-2.jpg", "overlay-2.jpg"} {
		if info, err := os.Stat(filepath.Join(kept, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	won, err := filepath.Glob(filepath.Join(folder, "*"+wonSuffix))
	if err != nil || len(won) != keptWon {
		t.Errorf("%d won levels are kept, %v, expected %d", len(won), err, keptWon)
	}
	if _, err := os.Stat(failed); err != nil {
		t.Errorf("the evidence of a failure: %v", err)
	}
}
