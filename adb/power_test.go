package adb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tapwise/adb/simphone"
)

func powerDumps(t testing.TB) []string {
	t.Helper()
	return dumpFiles(t, "power", 15)
}

// TestPowerOfEachAndroid reads the output of phones from Android 4 to 14, with
// makers' own changes; each file names its source.
func TestPowerOfEachAndroid(t *testing.T) {
	for _, file := range powerDumps(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			parts := sections(t, file)
			if parts["source"] == "" {
				t.Error("it does not say where it is from")
			}
			for _, end := range []string{"\n", "\r\n"} {
				power := parsePower(strings.ReplaceAll(parts["dump"], "\n", end))
				if got := fmt.Sprintf("on=%v locked=%v\n", power.On, power.Locked); got != parts["want"] {
					t.Errorf("got %s, expected %s", got, parts["want"])
				}
			}
		})
	}
}

// Output without end is not searched.
func TestPowerBound(t *testing.T) {
	field := "Display Power: state=OFF\n"
	if power := parsePower(strings.Repeat("x", maxDump) + "\n" + field); power != (Power{}) {
		t.Errorf("%+v was found behind %d bytes", power, maxDump)
	}
	if power := parsePower(strings.Repeat("x", maxDump-len(field)-1) + "\n" + field); power.On != No {
		t.Errorf("%+v within %d bytes, expected a screen that is off", power, maxDump)
	}
}

func FuzzPower(f *testing.F) {
	for _, file := range powerDumps(f) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		power := parsePower(text)
		off, locked := errors.Is(power.Err(), ErrScreenOff), errors.Is(power.Err(), ErrLocked)
		if off != (power.On == No) || locked != (power.Locked == Yes) {
			t.Errorf("%+v fails with %v", power, power.Err())
		}
		// Other text that a phone prints with it changes nothing.
		if len(text) > maxDump {
			return
		}
		if again := parsePower(text + "\n\nSession Session{4384d1e 1509:1000}:\n"); again != power {
			t.Errorf("%+v, and with more text after it %+v", power, again)
		}
		if power.String() == "" {
			t.Errorf("%+v has no text", power)
		}
	})
}

// TestWake queries and wakes phones of every kind through the real adb server.
func TestWake(t *testing.T) {
	_, client := serverClient(t, Config{})
	for _, sdk := range []int{17, 19, 22, 23, 25, 27, 28, 29, 30, 33, 34} {
		phone := startPhone(t, simphone.Config{SDK: sdk})
		serial, err := client.Connect(t.Context(), phone.Addr())
		if err != nil {
			t.Fatal(err)
		}
		device, err := client.Open(t.Context(), serial)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			lock         simphone.Lock
			off          bool
			asked, woken string
		}{
			{simphone.LockNone, false, "on, not locked", "on, not locked"},
			{simphone.LockNone, true, "the phone's screen is off", "on, not locked"},
			{simphone.LockSwipe, false, "the phone is locked", "the phone is locked"},
			{simphone.LockPIN, true, "the phone's screen is off, and the phone is locked", "the phone is locked"},
		} {
			phone.LockNow(c.lock)
			phone.ScreenOn()
			if c.off {
				phone.ScreenOff()
			}
			power, err := device.Power(t.Context())
			if err != nil || power.String() != c.asked {
				t.Errorf("SDK %d, lock %d, off %t: asked, it is %q, %v, expected %q", sdk, c.lock, c.off, power, err, c.asked)
			}
			power, err = device.Wake(t.Context())
			if err != nil || power.String() != c.woken {
				t.Errorf("SDK %d, lock %d, off %t: woken, it is %q, %v, expected %q", sdk, c.lock, c.off, power, err, c.woken)
			}
		}
	}
}
