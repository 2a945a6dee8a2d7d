package touchnotes

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"tapwise/adb"
	"tapwise/adb/hand"
)

func TestNotesComeBack(t *testing.T) {
	folder := Folder{Path: t.TempDir() + "/deeper"}
	note := adb.TouchNote{
		Model: "Pixel 7", Build: "google/panther",
		Note: hand.Note{Rung: hand.HID, Seen: true, Using: hand.HID, Rotation: []string{"0", "1"},
			Refused: []hand.Refusal{{Rung: hand.Uinput, Reason: "not found"}},
			Paces:   map[string]hand.PaceNote{"com.example": {Pace: 12 * time.Millisecond, TooFast: 9 * time.Millisecond}}},
		Captures: map[string]adb.CaptureNote{"network": {Method: adb.PNG, Stream: true}},
	}
	for _, key := range []string{"R58M20", "127.0.0.1:5555", "../../etc/passwd", "", strings.Repeat("x", 300)} {
		if _, found, err := folder.Load(key); found || err != nil {
			t.Errorf("%q: found %v, %v before anything was kept", key, found, err)
		}
		if err := folder.Save(key, note); err != nil {
			t.Fatalf("%q: %v", key, err)
		}
		if got, found, err := folder.Load(key); err != nil || !found || !reflect.DeepEqual(got, note) {
			t.Errorf("%q: %+v, %v, %v", key, got, found, err)
		}
	}
	anew := Folder{Path: folder.Path, Anew: true}
	if got, _, err := anew.Load("R58M20"); err != nil || got.Rung != "" || got.Seen || got.Captures != nil || got.Using != hand.HID || len(got.Rotation) != 2 {
		t.Errorf("anew: %+v, %v", got, err)
	}
	if files, err := os.ReadDir(folder.Path); err != nil || len(files) != 5 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

func TestBrokenNoteIsNamed(t *testing.T) {
	folder := Folder{Path: t.TempDir()}
	if err := os.WriteFile(folder.file("R58M20"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, found, err := folder.Load("R58M20"); found || err == nil || !strings.Contains(err.Error(), "R58M20.json") {
		t.Errorf("found %v, %v, want an error that names the file", found, err)
	}
}
