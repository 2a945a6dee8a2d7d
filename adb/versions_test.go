package adb

import (
	"fmt"
	"image"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tapwise/adb/adbtest"
	"tapwise/adb/hand/pointer"
	"tapwise/adb/simphone"
)

// versionCases are the cases of one file of testdata/android: what is expected, in their
// order, and what the phone prints, by the case and the command.
func versionCases(t testing.TB, file string) (names []string, wants map[string]string, prints map[string]map[string]string) {
	t.Helper()
	parts := sections(t, file)
	if parts["source"] == "" {
		t.Errorf("%s does not say where its forms are from", file)
	}
	wants, prints = map[string]string{}, map[string]map[string]string{}
	for line := range strings.Lines(parts["want"]) {
		name, want, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found {
			t.Fatalf("%s: %q, expected a case and what it is", file, line)
		}
		names = append(names, name)
		wants[name], prints[name] = want, map[string]string{}
	}
	for title, text := range parts {
		if name, command, found := strings.Cut(title, ": "); found {
			if prints[name] == nil {
				t.Fatalf("%s: nothing is expected of %q", file, name)
			}
			prints[name][command] = text
		}
	}
	return names, wants, prints
}

// dumpPhone is a phone that prints what it is told for each command, and knows no other.
func dumpPhone(t *testing.T, prints map[string]string) *Device {
	return new(phoneScript).start(t, "device", func(c net.Conn, service string) {
		command := strings.TrimSuffix(strings.TrimPrefix(service, "shell:"), statusEcho)
		text := ""
		for _, one := range []string{command, strings.ReplaceAll(command, " -d 0", "")} {
			if printed, known := prints[one]; known && text == "" {
				text = printed
			}
		}
		if text == "" {
			for one := range strings.SplitSeq(command, "; ") {
				text += prints[one]
			}
		}
		okay(c)
		if text == "" {
			fmt.Fprintf(c, "/system/bin/sh: %s: nothing is known of it\n__RC127\n", command)
			return
		}
		fmt.Fprintf(c, "%s__RC0\n", text)
	})
}

// TestDumpsOfEachAndroid asks a phone of each version, in each case's state, for its
// screen, the app in front, fingers, power and displays. A case prints only what that
// version has to be asked for, so that a needless second question is a failure too.
func TestDumpsOfEachAndroid(t *testing.T) {
	for _, file := range dumpFiles(t, "android", 13) {
		names, wants, prints := versionCases(t, file)
		for _, name := range names {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+" "+name, func(t *testing.T) {
				d := dumpPhone(t, prints[name])
				var got []string
				screen, err := d.Screen(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				override := "none"
				if screen.Override != (image.Point{}) {
					override = sizeText(screen.Override)
				}
				got = append(got, fmt.Sprintf("physical=%s override=%s current=%s density=%d rotation=%d", sizeText(screen.Physical), override,
					sizeText(screen.Current), screen.Density, screen.Rotation))
				front, err := d.Foreground(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				app := "none"
				if front.Package != "" {
					app = front.Package + "/" + front.Activity
				}
				got = append(got, "front="+app, "finger="+fingerNames[pointer.ReadFinger(prints[name][dumpInput])])
				if strings.Contains(wants[name], " power=") {
					power, err := d.Power(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, fmt.Sprintf("power=on=%v,locked=%v", power.On, power.Locked))
				}
				if strings.Contains(wants[name], " displays=") {
					displays, err := d.Displays(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, "displays="+displayList(displays))
				}
				if text := strings.Join(got, " "); text != wants[name] {
					t.Errorf("got:\n%s\nwant:\n%s", text, wants[name])
				}
			})
		}
	}
}

// displayList is the displays without the apps in front, "0,1080x2340;1,800x600,off".
func displayList(displays []Display) string {
	var list []string
	for _, d := range displays {
		d.Front = Foreground{}
		list = append(list, strings.ReplaceAll(d.String(), ", ", ","))
	}
	return strings.Join(list, ";")
}

// keyLines are those of the stand-in's dumps whose form has to be a phone's: of sizes,
// rotations, viewports and touches.
var keyLines = regexp.MustCompile(`init=|cur=|deferred=|DisplayFrames|mRotation=\d|Viewport|Orientation:|TouchStates|\d : +Windows:|pointerIds=|mDeviceStates=|Touch: pointerCount|deviceId=|Wakefulness=|Display Power:`)

// formChanges leave of a dump what does not change from one phone to another.
var formChanges = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`'[^']*'`), "NAME"}, {regexp.MustCompile(`local:\d+`), "PANEL"},
	{regexp.MustCompile(`\b(true|false)\b`), "ANSWER"}, {regexp.MustCompile(`-?0x[0-9a-f]+|-?\d+`), "N"},
}

// form is the forms of a dump's key lines, each once.
func form(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if !keyLines.MatchString(line) || strings.Contains(line, "ExternalTouch") {
			continue
		}
		for _, change := range formChanges {
			line = change.pattern.ReplaceAllString(line, change.with)
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// TestStandInPrintsEachAndroid: the simulated phone's dumps have the forms of the cases,
// with an override and a finger on the screen and without.
func TestStandInPrintsEachAndroid(t *testing.T) {
	for _, file := range dumpFiles(t, "android", 13) {
		version, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(file), ".txt"))
		if err != nil { // no version's
			continue
		}
		sdk := map[int]int{5: 21, 6: 23, 7: 24, 8: 26, 9: 28, 10: 29, 11: 30, 12: 31}[version]
		if version > 12 {
			sdk = version + 20
		}
		_, _, prints := versionCases(t, file)
		phone, err := simphone.New(simphone.Config{SDK: sdk, Density: 560, Size: image.Pt(144, 308),
			Apps: []simphone.Installed{simphone.Instance(plainApp{})}, Foreground: plainPackage})
		if err != nil {
			t.Fatal(err)
		}
		client, err := New(Config{Dial: adbtest.NewLink(t, phone).Dial})
		if err != nil {
			t.Fatal(err)
		}
		d, err := client.Open(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name    string
			prepare func() error
			want    pointer.Finger
		}{
			{"plain", func() error { return nil }, pointer.FingerUp},
			{"override", func() error {
				phone.Touch(simphone.EventDown, 50, 50)
				phone.SetRotation(1)
				return phone.SetOverrideSize(image.Pt(72, 154))
			}, pointer.FingerDown},
		} {
			if err := c.prepare(); err != nil {
				t.Fatal(err)
			}
			for command, printed := range prints[c.name] {
				said, _, err := d.Shell(t.Context(), command)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := form(said), form(printed); !slices.Equal(got, want) {
					t.Errorf("Android %d, %s: %s prints\n%s\nwant the form of\n%s", version, c.name, command, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
				if finger := pointer.ReadFinger(said); command == dumpInput && finger != c.want {
					t.Errorf("Android %d, %s: the finger is %v, want %v", version, c.name, finger, c.want)
				}
			}
			screen, err := d.Screen(t.Context())
			if err != nil || c.name == "override" && (screen.Override != image.Pt(72, 154) || screen.Rotation != 1) {
				t.Errorf("Android %d, %s: %+v, %v", version, c.name, screen, err)
			}
		}
	}
}

// fingerNames is how the cases name what is told of fingers.
var fingerNames = map[pointer.Finger]string{pointer.FingerUnknown: "unknown", pointer.FingerUp: "up", pointer.FingerDown: "down"}
