package run

import (
	"bytes"
	"errors"
	"image"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"tapwise/adb"
	"tapwise/adb/adbtest"
	"tapwise/adb/hand"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/profiles"
)

// TestComfortStopsNoRun holds a phone that does not let its screen be kept on, for each
// kind of reason: the run goes on, one line warns of it, and the phone is left as it was.
func TestComfortStopsNoRun(t *testing.T) {
	refused := func(command, text string, status int) func(*simphone.Phone) {
		return func(p *simphone.Phone) {
			p.AddAnswers(simphone.Answer{Command: command, Before: text, Instead: true, Status: status})
		}
	}
	for _, test := range []struct {
		name  string
		sdk   int
		given func(*simphone.Phone)
		later func(*simphone.Phone) // before it is given back
		warns string                // empty: nothing
		after string                // the setting; default 0
	}{
		{name: "as AOSP has it", given: func(*simphone.Phone) {}},
		{name: "refused", given: refused("settings put", "java.lang.SecurityException: Permission denial: writing to settings\n", 255), warns: "Disable permission monitoring"},
		{name: "refused without a status", sdk: 24, given: refused("settings put", "java.lang.SecurityException: Permission denial: writing to settings\n", 0), warns: "Disable permission monitoring"},
		{name: "other words", given: refused("settings put", "forbidden by policy\n", 0), warns: "Disable permission monitoring"},
		{name: "refused, and done all the same", given: func(p *simphone.Phone) {
			p.AddAnswers(simphone.Answer{Command: "settings put", Before: "java.lang.SecurityException: Permission denial\n"})
		}, warns: "Disable permission monitoring"},
		{name: "reading refused", given: refused("settings get", "java.lang.SecurityException: Permission denial: reading\n", 255), warns: "Disable permission monitoring"},
		{name: "missing", given: refused("settings", "/system/bin/sh: settings: not found\n", 127), warns: "not found"},
		{name: "garbage", given: refused("settings", "\xff\x00\n", 0), warns: "expected a number"},
		{name: "hung", given: func(p *simphone.Phone) { p.Hang("settings") }, warns: "does not return"},
		{name: "no folder", given: func(*simphone.Phone) { os.Setenv("XDG_CACHE_HOME", "/proc/none") }, warns: "/proc/none"},
		{name: "words of its own", given: func(p *simphone.Phone) {
			p.AddAnswers(simphone.Answer{Before: "[XposedBridge]\n", After: "[XposedBridge]\n"})
		}},
		{name: "refused at the end", given: func(*simphone.Phone) {}, later: refused("settings put", "java.lang.SecurityException: Permission denial\n", 255),
			warns: "the next run tries again", after: adb.AwakeWhilePlugged},
		{name: "done though refused, and refused at the end", given: func(p *simphone.Phone) {
			p.AddAnswers(simphone.Answer{Command: "settings put", Before: "java.lang.SecurityException: Permission denial\n"})
		}, later: refused("settings put", "java.lang.SecurityException: Permission denial\n", 255), warns: "Disable permission monitoring", after: adb.AwakeWhilePlugged},
		{name: "away at the end", given: func(*simphone.Phone) {}, later: func(p *simphone.Phone) { p.Hang("settings") },
			warns: "the next run tries again", after: adb.AwakeWhilePlugged},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, variable := range []string{"XDG_STATE_HOME", "XDG_CACHE_HOME"} {
				t.Setenv(variable, t.TempDir())
			}
			synctest.Test(t, func(t *testing.T) {
				app := adbtest.Stripes{}
				phone, err := simphone.New(simphone.Config{SDK: test.sdk, Size: image.Pt(240, 520), Apps: []simphone.Installed{simphone.Instance(app)}, Foreground: app.Package()})
				if err != nil {
					t.Fatal(err)
				}
				var log bytes.Buffer
				opener := Opener{ADB: adb.Config{Dial: adbtest.NewLink(t, phone).Dial, Touch: hand.Input}, Profiles: profiles.Store{Asked: profiles.None},
					Hint: func(err error) string {
						if errors.Is(err, adb.ErrSettingRefused) {
							return "Disable permission monitoring"
						}
						return ""
					},
					Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))}
				on, err := opener.Phone(t.Context(), "", MustBeAwake)
				if err != nil {
					t.Fatal(err)
				}
				setting := func() string {
					t.Helper()
					phone.Hang("")
					phone.ClearAnswers()
					value, err := on.StayAwake(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					return value
				}
				test.given(phone)
				r := &Run{Phone: on, opener: opener}
				if err := r.Hold(t.Context(), true); err != nil {
					t.Fatalf("it is not played on: %v", err)
				}
				if test.warns == "" || test.later != nil {
					if got := setting(); got != adb.AwakeWhilePlugged {
						t.Errorf("while it plays the setting is %s", got)
					}
				}
				if test.later != nil {
					test.later(phone)
				}
				if err := r.Close(); err != nil {
					t.Errorf("at the end: %v", err)
				}
				want := test.after
				if want == "" {
					want = "0"
				}
				if got := setting(); got != want {
					t.Errorf("at the end the setting is %s, expected %s", got, want)
				}
				lines := strings.Count(log.String(), "\n")
				if test.warns == "" && lines > 0 || test.warns != "" && (lines != 1 || !strings.Contains(log.String(), test.warns)) {
					t.Errorf("warned with %d lines, expected one with %q:\n%s", lines, test.warns, log.String())
				}
				// The next run gives back what this one could not.
				files, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "tapwise", "phone-*.json"))
				if kept := len(files) > 0; err != nil || kept != (want != "0") {
					t.Errorf("kept to be given back: %v, %v", files, err)
				}
				if err := r.Hold(t.Context(), true); err != nil {
					t.Fatal(err)
				}
				if err := r.Close(); err != nil || setting() != "0" {
					t.Errorf("after the next run: %v, the setting is %s", err, setting())
				}
			})
		})
	}
}
