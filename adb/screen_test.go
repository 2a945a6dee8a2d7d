package adb

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sections splits a file into parts that start with "-- NAME --".
func sections(t testing.TB, path string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	name := ""
	for line := range strings.Lines(string(data)) {
		if title, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(title, " --") {
			name = strings.TrimSuffix(title, " --")
			continue
		}
		parts[name] += line
	}
	return parts
}

const windowCommands = "wm size; wm density; dumpsys window displays"

func dumps(t testing.TB) []string {
	t.Helper()
	return dumpFiles(t, "dumps", 1)
}

// dumpFiles lists the files of a folder in testdata, of which it expects at least
// that many.
func dumpFiles(t testing.TB, folder string, least int) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
	if err != nil || len(files) < least {
		t.Fatalf("testdata/%s: %d files, %v", folder, len(files), err)
	}
	return files
}

func TestScreenAndForegroundOfEachAndroid(t *testing.T) {
	for _, file := range dumps(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			parts := sections(t, file)
			screen, err := parseScreen(parts[windowCommands], "0")
			if err != nil {
				t.Fatal(err)
			}
			if screen.Rotation < 0 {
				screen = screen.turned(parseInputRotation(parts["dumpsys input"], "0"))
			}
			// Without wm, which is slow on old phones, the dump says the same.
			if dumped, shown := parseDumpedScreen(parts[windowCommands], "0"); shown {
				if dumped.Rotation < 0 {
					dumped = dumped.turned(screen.Rotation)
				}
				if dumped != screen {
					t.Errorf("the dump alone shows %+v, with wm %+v", dumped, screen)
				}
			} else if strings.Contains(parts[windowCommands], "init=") {
				t.Error("the dump's sizes are not found")
			}
			front := parseForeground(parts[windowCommands], "0")
			if front.Package == "" {
				front = parseForeground(parts["dumpsys window windows"], "0")
			}
			app := "none"
			if front.Package != "" {
				app = front.Package + "/" + front.Activity
			}
			override := "none"
			if screen.Override != (image.Point{}) {
				override = sizeText(screen.Override)
			}
			got := fmt.Sprintf("physical=%s override=%s current=%s density=%d rotation=%d\nforeground=%s window=%s\n",
				sizeText(screen.Physical), override, sizeText(screen.Current), screen.Density, screen.Rotation, app, front.Window)
			if got != parts["want"] {
				t.Errorf("got:\n%swant:\n%s", got, parts["want"])
			}
		})
	}
}

func TestScreenWithoutSizeIsRefused(t *testing.T) {
	for _, text := range []string{
		"", "/system/bin/sh: wm: not found\n", "Physical size: 0x0\n", "Physical size: 1080\n",
		"Physical size: 99999999999999999999x1\n", "Physical size: -1080x2340\n", "Override size: 1080x2340\n",
	} {
		if screen, err := parseScreen(text, "0"); err == nil {
			t.Errorf("parseScreen(%q) = %+v, want an error", text, screen)
		}
	}
}

func TestForegroundOfActivityDump(t *testing.T) {
	for text, want := range map[string]Foreground{
		"  mResumedActivity: ActivityRecord{8e0d398 u0 com.example.game/.Main t57}\n":                             {Package: "com.example.game", Activity: ".Main"},
		"    topResumedActivity=ActivityRecord{215a5b9 u0 com.example.game/com.example.game.Main$Deep} t12}\n":    {Package: "com.example.game", Activity: "com.example.game.Main$Deep"},
		"  ResumedActivity: ActivityRecord{215a5b9 u10 com.example.game/.Main t12}\n":                             {Package: "com.example.game", Activity: ".Main", User: 10},
		"  mCurrentFocus=Window{41a u0 com.example.game/com.example.game.Main paused=false}\n":                    {Package: "com.example.game", Activity: "com.example.game.Main", Window: "com.example.game/com.example.game.Main"},
		"  mCurrentFocus=Window{5c u0 PopupWindow:71ab}\n":                                                        {Window: "PopupWindow:71ab"},
		"  mCurrentFocus=null\n  mFocusedApp=null\n":                                                              {},
		"  mLastPausedActivity: ActivityRecord{8e0d398 u0 com.example.other/.Main t57}\n":                         {},
		"  mFocusedApp=Token{a94a1e ActivityRecord{4d64759 u0 com.example.game/.Main t64}}\n  mCurrentFocus=null": {Package: "com.example.game", Activity: ".Main"},
	} {
		if got := parseForeground(text, "0"); got != want {
			t.Errorf("parseForeground(%q)\n got %+v\nwant %+v", text, got, want)
		}
	}
}

// FuzzForeground checks that the app found in front has a name that is safe in a
// shell, that it occurs in the text, and that finding it is cheap.
func FuzzForeground(f *testing.F) {
	for _, file := range append(dumps(f), dumpFiles(f, "android", 13)...) {
		for _, part := range sections(f, file) {
			f.Add(part)
		}
	}
	for _, line := range []string{"Display: mDisplayId=0\n", "mFocusedApp=", "mCurrentFocus=Window{", "mCurrentFocus=Window{1 u0 a/b", "topResumedActivity=ActivityRecord{1 "} {
		f.Add(strings.Repeat(line, 200))
	}
	names := regexp.MustCompile(`^[\w.$]*$`)
	f.Fuzz(func(t *testing.T, text string) {
		var front Foreground
		atCost(t, text, func() { front = parseForeground(text, "0") })
		switch {
		case !names.MatchString(front.Package) || !names.MatchString(front.Activity):
			t.Errorf("%+v, expected names alone", front)
		case (front.Package == "") != (front.Activity == ""):
			t.Errorf("%+v, expected both or neither", front)
		case !strings.Contains(text, front.Package+"/"+front.Activity) && front.Package != "" || !strings.Contains(text, front.Window):
			t.Errorf("%+v, expected what stands in the text", front)
		case strings.ContainsAny(front.Window, "{}\n"):
			t.Errorf("window %q", front.Window)
		}
	})
}

func FuzzScreen(f *testing.F) {
	for _, file := range append(dumps(f), dumpFiles(f, "android", 13)...) {
		for _, part := range sections(f, file) {
			f.Add(part)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		screen, err := parseScreen(text, "0")
		if err == nil && (screen.Physical.X <= 0 || screen.Physical.Y <= 0 || screen.Current.X <= 0 || screen.Current.Y <= 0) {
			t.Errorf("size %+v", screen)
		}
		if err == nil && (screen.Rotation < -1 || screen.Rotation > 3) {
			t.Errorf("rotation %d", screen.Rotation)
		}
		if rotation := parseInputRotation(text, "0"); rotation < -1 || rotation > 3 {
			t.Errorf("rotation %d", rotation)
		}
		front := parseForeground(text, "0")
		if strings.ContainsAny(front.Package, " \n'\";") {
			t.Errorf("package %q", front.Package)
		}
		if c := parseCutout(text); min(c.Left, c.Top, c.Right, c.Bottom) < 0 || max(c.Left, c.Top, c.Right, c.Bottom) > 99999 {
			t.Errorf("cutout %+v", c)
		}
	})
}
