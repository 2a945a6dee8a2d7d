package bundle

import (
	"archive/zip"
	"bytes"
	"errors"
	"image"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/journal"
)

// archived writes a zip archive of files; a name with a '@' before it is a link to the
// content.
func archived(t testing.TB, files map[string]string) string {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name, text := range files {
		header := &zip.FileHeader{Name: strings.TrimPrefix(name, "@"), Method: zip.Deflate}
		if strings.HasPrefix(name, "@") {
			header.SetMode(os.ModeSymlink | 0o777)
		}
		to, err := w.CreateHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(to, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "bundle.zip")
	if err := os.WriteFile(name, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestOpen unpacks the evidence and nothing else, whatever the names in an archive say.
func TestOpen(t *testing.T) {
	name := archived(t, map[string]string{
		"evidence/evidence.json": "{}", "evidence/frame-1.png": "x", "run.json": "[]",
		"evidence/../../escaped.txt": "!", "/evidence/absolute.txt": "!", "evidence/.hidden": "!", "evidence/deeper/file.txt": "!",
		`evidence/..\windows.txt`: "!", "@evidence/link": "/etc/passwd",
	})
	folder, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != "evidence.json frame-1.png" {
		t.Errorf("unpacked %s, expected evidence.json and frame-1.png", got)
	}
}

// TestOpenRefuses wants errors about the input, and no folder left behind.
func TestOpenRefuses(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	many := map[string]string{}
	for i := range maxFiles + 1 {
		many["evidence/"+strings.Repeat("x", i+1)] = ""
	}
	for name, file := range map[string]string{
		"expected a bundle with the evidence of a level": archived(t, map[string]string{"run.json": "[]"}),
		"expected at most 1000":                          archived(t, many),
		// Packed, it has some hundred kilobytes.
		"more than 100663296 bytes": archived(t, map[string]string{"evidence/evidence.json": strings.Repeat("\x00", maxFile+1)}),
		"no such file":              filepath.Join(t.TempDir(), "nowhere.zip"),
	} {
		_, err := Open(file)
		var input cause.InputError
		if err == nil || !strings.Contains(err.Error(), name) || !errors.As(err, &input) {
			t.Errorf("got %v, expected an error about the input: %s", err, name)
		}
	}
	left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "tapwise-bundle-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestUnreadable wants the board to the pixel, and of the rest no more than the mean
// colours of large blocks.
func TestUnreadable(t *testing.T) {
	frame := image.NewRGBA(image.Rect(0, 0, 240, 400))
	for y := range 400 {
		for x := range 240 { // stripes of one pixel, as fine as text may be
			frame.SetRGBA(x, y, color.RGBA{uint8(255 * (x % 2)), uint8(x), uint8(y / 2), 255})
		}
	}
	board := image.Rect(30, 110, 190, 270)
	got := unreadable(frame, board)
	colours := map[color.RGBA]bool{}
	for y := range 400 {
		for x := range 240 {
			if image.Pt(x, y).In(board) {
				if got.RGBAAt(x, y) != frame.RGBAAt(x, y) {
					t.Fatalf("the board is changed at %d,%d", x, y)
				}
				continue
			}
			colours[got.RGBAAt(x, y)] = true
		}
	}
	if most := blocksAcross * (400/(240/blocksAcross) + 1); len(colours) > most {
		t.Errorf("%d colours outside of the board, expected at most %d", len(colours), most)
	}
}

// TestHide wants names hidden in all texts, whenever they became known, and in the order
// that hides a longer one whole.
func TestHide(t *testing.T) {
	var b Bundle
	b.addText("a.txt", "", "adb -s R58M1 and R58M1-2 in /home/somebody/x")
	b.hide("R58M1", "PHONE")
	b.hide("R58M1-2", "OTHER")
	b.hide("/home/somebody", "~")
	b.hide("", "nothing")
	if got := string(b.Entries()[0].Data); got != "adb -s PHONE and OTHER in ~/x" {
		t.Errorf("got %q", got)
	}
}

// TestNewestEvidence wants the last attempt's that left any.
func TestNewestEvidence(t *testing.T) {
	attempts := []journal.Attempt{{Evidence: "older"}, {Evidence: "newer"}, {}}
	if got := newestEvidence(attempts); got != "newer" {
		t.Errorf("got %q, expected that of the second attempt", got)
	}
	if got := newestEvidence(attempts[2:]); got != "" {
		t.Errorf("got %q where no attempt left any", got)
	}
}
