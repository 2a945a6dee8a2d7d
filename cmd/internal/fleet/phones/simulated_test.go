package phones

import (
	"bytes"
	"image/jpeg"
	"os/exec"
	"strings"
	"testing"

	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/solvers/all"
)

// TestSimulateWithoutADB: where adb is missing, that is the error, and nothing is left open.
func TestSimulateWithoutADB(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	s, err := Simulate(t.Context(), 1, simulation.GameApp{Game: all.Games()[0]}, simulation.Usual())
	if s != nil || err == nil || !strings.Contains(err.Error(), "adb is not installed") {
		t.Errorf("got %v, %v, expected that adb is not installed", s, err)
	}
}

// TestPicture: what a phone shows is scaled down, keeps its proportions, and is bounded.
func TestPicture(t *testing.T) {
	if _, err := exec.LookPath("adb"); err != nil {
		t.Skip("adb is not installed")
	}
	options := simulation.Usual()
	s, err := Simulate(t.Context(), 1, simulation.GameApp{Game: all.Games()[0]}, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	shelf := &Shelf{}
	shelf.Opener.ADB.Host, shelf.Opener.ADB.Port = "127.0.0.1", s.Server.Port()
	phones, err := shelf.Phones(t.Context())
	if err != nil || len(phones) != 1 {
		t.Fatalf("the phones are %v (%v), expected one", phones, err)
	}
	data, err := shelf.Picture(t.Context(), phones[0].Serial, fleet.MaxPicture)
	if err != nil {
		t.Fatal(err)
	}
	size, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if size.Width > 360 || size.Width < 180 || size.Width*options.Size.Y/options.Size.X-size.Height > 2 || size.Height-size.Width*options.Size.Y/options.Size.X > 2 {
		t.Errorf("a screen of %v is a picture of %dx%d pixels, expected at most 360 wide and the same proportions", options.Size, size.Width, size.Height)
	}
	if _, err := shelf.Picture(t.Context(), phones[0].Serial, 100); err == nil {
		t.Error("a picture has 100 bytes at most, expected an error")
	}
	if _, err := shelf.Picture(t.Context(), "nobody", fleet.MaxPicture); err == nil {
		t.Error("a phone that is not there has a picture")
	}
}
