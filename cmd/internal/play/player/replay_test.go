package player

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/solvers/gametest"
	"tapwise/vision"
)

// TestReplay replays the evidence of a level that was not won: from the frames
// alone, the board is read and solved as it was.
func TestReplay(t *testing.T) {
	gametest.Long(t)
	g, p := newGlass(t)
	g.lose = func(int) bool { return true }
	r, err := p.Level(context.Background())
	if !errors.Is(err, ErrNotWon) {
		t.Fatal(err)
	}
	e, err := LoadEvidence(r.Evidence)
	if err != nil {
		t.Fatal(err)
	}
	if e.State != StateVerify || e.Board != r.Board || e.Solution != r.Solution || len(e.Plan) != 5 || len(e.Frames) < 2 || len(e.Steps) < 6 {
		t.Errorf("the evidence is %+v", e)
	}
	again := &Player{Eyes: calibrated.Eyes{}, Game: p.Game, Timing: p.Timing}
	frames, err := again.Replay(context.Background(), r.Evidence, e, vision.Decode)
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for i, f := range frames {
		if f.Differs != "" || f.Err != nil {
			t.Errorf("%s: %s %v", f.File, f.Differs, f.Err)
		}
		if e.Frames[i].Read {
			read++
			if f.Board != r.Board || f.Solution != r.Solution || f.Gestures != 5 {
				t.Errorf("%s is read as\n%s\nsolved as\n%s\nin %d gestures, expected\n%s\n%s", f.File, f.Board, f.Solution, f.Gestures, r.Board, r.Solution)
			}
		}
	}
	if read != 1 {
		t.Errorf("%d frames are marked as read, expected 1", read)
	}
	e.Board = "another"
	if frames, err = again.Replay(context.Background(), r.Evidence, e, vision.Decode); err != nil {
		t.Fatal(err)
	}
	differs := 0
	for _, f := range frames {
		if f.Differs != "" {
			differs++
		}
	}
	if differs != 1 {
		t.Errorf("%d frames differ from evidence of another board, expected 1", differs)
	}
	e.Game = "chess"
	if _, err := again.Replay(context.Background(), r.Evidence, e, vision.Decode); err == nil {
		t.Error("evidence of another game was replayed")
	}
}

func TestParseEvidence(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":          `x`,
		"version":          `{"version":2,"game":"flow"}`,
		"no game":          `{"version":1}`,
		"out of folder":    `{"version":1,"game":"flow","frames":[{"file":"../x.png"}]}`,
		"absolute":         `{"version":1,"game":"flow","frames":[{"file":"/etc/passwd"}]}`,
		"no picture":       `{"version":1,"game":"flow","frames":[{"observation":"x.txt"}]}`,
		"bad rotation":     `{"version":1,"game":"flow","frames":[{"file":"x.png","rotation":4}]}`,
		"overlay outwards": `{"version":1,"game":"flow","frames":[{"file":"x.png","overlay":"a/b.png"}]}`,
	} {
		if _, err := parseEvidence([]byte(text)); err == nil {
			t.Errorf("%s: accepted: %s", name, text)
		}
	}
	if _, err := LoadEvidence(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestEvidenceFromElsewhere replays folders that somebody may have sent: anything
// but regular files of the folder is refused, and nothing waits for a pipe.
func TestEvidenceFromElsewhere(t *testing.T) {
	const text = `{"version":1,"game":"flow","frames":[{"file":"frame-1.png","width":40,"height":60,"rotation":0}]}`
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 60))); err != nil {
		t.Fatal(err)
	}
	_, p := newGlass(t)
	again := &Player{Eyes: calibrated.Eyes{}, Game: p.Game, Timing: p.Timing}
	link := func(name string) error { return os.Symlink(elsewhere, name) }
	pipe := func(name string) error { return syscall.Mkfifo(name, 0o600) }
	endless := func(name string) error { return os.Symlink("/dev/zero", name) }
	whole := func(data string) func(string) error {
		return func(name string) error { return os.WriteFile(name, []byte(data), 0o600) }
	}
	for _, test := range []struct {
		name            string
		evidence, frame func(string) error
		outside, want   string
	}{
		{"whole", whole(text), whole(picture.String()), "", ""},
		{"evidence is a link", link, whole(picture.String()), text, "evidence.json is a link"},
		{"evidence is a pipe", pipe, whole(picture.String()), "", "evidence.json is a pipe"},
		{"evidence is endless", endless, whole(picture.String()), "", "evidence.json is a link"},
		{"evidence is deep", whole(strings.Repeat("[", 1<<20)), whole(""), "", "exceeded max depth"},
		{"a frame is a link", whole(text), link, picture.String(), "frame-1.png is a link"},
		{"a frame is a pipe", whole(text), pipe, "", "frame-1.png is a pipe"},
		{"a frame is no picture", whole(text), whole("x"), "", "frame-1.png: vision: not a picture"},
	} {
		folder := t.TempDir()
		err := errors.Join(test.evidence(filepath.Join(folder, EvidenceFile)), test.frame(filepath.Join(folder, "frame-1.png")),
			os.WriteFile(elsewhere, []byte(test.outside), 0o600))
		if err != nil {
			t.Fatal(err)
		}
		e, err := LoadEvidence(folder)
		if err == nil {
			_, err = again.Replay(t.Context(), folder, e, vision.Decode)
		}
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, expected %q", test.name, err, test.want)
		}
	}
	many := `{"version":1,"game":"flow","frames":[` + strings.Repeat(`{"file":"a.png"},`, maxFrames) + `{"file":"a.png"}]}`
	if _, err := parseEvidence([]byte(many)); err == nil || !strings.Contains(err.Error(), "201 frames") {
		t.Errorf("many frames: %v", err)
	}
}

// FuzzParseEvidence expects no file name that leads out of its folder to be
// accepted.
func FuzzParseEvidence(f *testing.F) {
	f.Add([]byte(`{"version":1,"game":"flow","frames":[{"file":"frame-1.png","rotation":0}]}`))
	f.Add([]byte(`{"version":1,"game":"flow","frames":[{"file":"..","rotation":0}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := parseEvidence(data)
		if err != nil {
			return
		}
		for _, frame := range e.Frames {
			if frame.File == "" || strings.ContainsAny(frame.File+frame.Observation+frame.Overlay, `/\`) || frame.File == ".." {
				t.Errorf("accepted %+v", frame)
			}
		}
	})
}
