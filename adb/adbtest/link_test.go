package adbtest_test

import (
	"image"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb"
	"tapwise/adb/adbtest"
	"tapwise/adb/hand"
	"tapwise/adb/simphone"
)

// TestLinkTakesThePhonesTime opens a phone, captures its screen and touches it through
// a link in a bubble: what passes is what the phone was told to take, exactly.
func TestLinkTakesThePhonesTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const capture, rate = 40 * time.Millisecond, 1_000_000
		size := image.Pt(200, 400)
		phone, err := simphone.New(simphone.Config{Size: size, CaptureDelay: capture, Rate: rate,
			Apps: []simphone.Installed{simphone.Instance(adbtest.Stripes{})}, Foreground: adbtest.Stripes{}.Package()})
		if err != nil {
			t.Fatal(err)
		}
		client, err := adb.New(adb.Config{Dial: adbtest.NewLink(t, phone).Dial, Touch: hand.Evdev})
		if err != nil {
			t.Fatal(err)
		}
		device, err := client.Open(t.Context(), adbtest.LinkSerial)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := device.Screen(t.Context()); err != nil { // the rotation is known, and not asked for beside the frame
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := device.Capture(t.Context()); err != nil {
			t.Fatal(err)
		}
		const header = 16
		carried := time.Duration(size.X*size.Y*4+header) * time.Second / rate
		if took := time.Since(began); took != capture+carried {
			t.Errorf("a frame took %v, expected %v and %v", took, capture, carried)
		}
		if text, status, err := device.Shell(t.Context(), "echo yes; (exit 3)"); err != nil || text != "yes\n" || status != 3 {
			t.Errorf("echo: %q, %d, %v", text, status, err)
		}
		if _, err := device.Hand().Choose(t.Context()); err == nil || !strings.Contains(err.Error(), "Permission denied") {
			t.Errorf("evdev on Android 14: %v", err)
		}
	})
}
