package bundle

import (
	"encoding/json"
	"image"
	"image/color"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/play/player"
)

// TestEvidence packs a folder within a bound: what does not fit goes without overlays,
// then without the frames that matter least, and then not at all.
func TestEvidence(t *testing.T) {
	folder := t.TempDir()
	noise := rand.New(rand.NewPCG(1, 2)) // which cannot be made smaller
	var size int
	for _, name := range []string{"frame-1.png", "frame-2.png", "frame-3.png", "frame-4.png", "overlay-1.png", "overlay-2.png"} {
		picture := image.NewRGBA(image.Rect(0, 0, 64, 64))
		for i := range picture.Pix {
			picture.Pix[i] = uint8(noise.UintN(256)) | uint8(i%4/3*255)
		}
		picture.SetRGBA(0, 0, color.RGBA{A: 255})
		if err := wholefile.WritePNG(filepath.Join(folder, name), picture); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		size = int(info.Size())
	}
	e := player.Evidence{Version: 1, Game: "game", Frames: []player.EvidenceFrame{
		{File: "frame-1.png", Overlay: "overlay-1.png"}, {File: "frame-2.png", Overlay: "overlay-2.png", Read: true}, {File: "frame-3.png"}, {File: "frame-4.png"},
	}}
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, player.EvidenceFile), text, 0o600); err != nil {
		t.Fatal(err)
	}
	const rest = 4000 // bytes, of what is no picture
	for most, want := range map[int]string{
		6*size + rest: "evidence.json frame-1.png frame-2.png frame-3.png frame-4.png overlay-1.png overlay-2.png",
		4*size + rest: "evidence.json frame-1.png frame-2.png frame-3.png frame-4.png",
		2*size + rest: "evidence.json frame-2.png frame-4.png",
		size:          "",
	} {
		packed, err := Evidence(t.Context(), folder, most)
		if want == "" {
			if err == nil || len(packed) > 0 || !strings.Contains(err.Error(), "expected") {
				t.Errorf("%d bytes within %d, %v, expected an error", len(packed), most, err)
			}
			continue
		}
		if err != nil || len(packed) > most {
			t.Errorf("%d bytes, %v, expected %d at most", len(packed), err, most)
			continue
		}
		if got := unpacked(t, packed); got != want {
			t.Errorf("within %d bytes: %s, expected %s", most, got, want)
		}
	}
	if _, err := Evidence(t.Context(), filepath.Join(folder, "gone"), 1<<20); err == nil {
		t.Error("a folder that is gone is packed")
	}
}

// unpacked returns the names of the files that a replay gets, and expects each picture
// that the evidence names to be one of them.
func unpacked(t *testing.T, packed []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "failed.zip")
	if err := os.WriteFile(name, packed, 0o600); err != nil {
		t.Fatal(err)
	}
	into, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(into)
	e, err := player.LoadEvidence(into)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(into)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	for _, f := range e.Frames {
		for _, file := range []string{f.File, f.Overlay} {
			if file != "" && !slices.Contains(names, file) {
				t.Errorf("the evidence names %s, which is not packed", file)
			}
		}
	}
	return strings.Join(names, " ")
}
