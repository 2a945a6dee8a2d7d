package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tapwise/adb/adbtest/await"
)

// realADBD is the environment variable that names a folder with a system that has a real adbd, in
// root, and other people's clients, in clients. `make adbd` makes one.
const realADBD = "TAPWISE_ADBD"

// besideADBD are ways to touch and to look, and why some of them are refused beside an adbd that
// has no Android of its own.
var besideADBD = []struct{ touch, capture, flags, refused string }{
	{touch: "uinput", capture: "stream"},
	{touch: "uinput", capture: "raw"},
	{touch: "uinput", capture: "raw+gzip"},
	{touch: "uinput", capture: "png"},
	{touch: "uinput", capture: "pull", refused: "a phone that names no product"}, // Debian's adbd knows no properties
	{touch: "hid", capture: "stream"},
	{touch: "hid", capture: "raw", flags: "--sdk 28"},
	{touch: "monkey", capture: "stream"},
	{touch: "monkey", capture: "raw", flags: "--sdk 29"},
	{touch: "motion", capture: "stream"},
	{touch: "motion", capture: "raw"},
	{touch: "swipes", capture: "stream", flags: "--sdk 28"},
	{touch: "swipes", capture: "raw"},
	{touch: "evdev", capture: "raw", flags: "--sdk 28", refused: "No such file or directory"}, // the chroot has no /dev/input
}

// besideClients are what other people's clients find different there, and why.
var besideClients = map[string]string{
	"banner": "Debian's adbd knows no properties, and names no product",
}

// TestRealADBD plays beside a real adbd, whose Android is the simulated phone: by every way to touch
// and to look, and by other people's clients.
func TestRealADBD(t *testing.T) {
	folder := os.Getenv(realADBD)
	if folder == "" {
		t.Skipf("%s names no folder with a real adbd: run `make adbd`", realADBD)
	}
	tools := t.TempDir()
	root, tapwise := filepath.Join(folder, "root"), filepath.Join(tools, "tapwise")
	for program, from := range map[string]string{tapwise: ".", filepath.Join(root, "relay"): "../../adb/adbtest/relay"} {
		build := exec.CommandContext(t.Context(), "go", "build", "-o", program, from)
		if program != tapwise {
			build.Env = append(os.Environ(), "CGO_ENABLED=0") // the chroot has other libraries
		}
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	beside := func(t *testing.T, flags, script string) string {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), await.Hang)
		defer cancel()
		cmd := exec.CommandContext(ctx, "unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "sh", "../../adb/adbtest/relay/real.sh", root, tapwise,
			"--game flow "+flags, "sh", "-c", script)
		home := t.TempDir()
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home, "TAPWISE="+tapwise)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return string(out)
	}
	t.Run("devices", func(t *testing.T) {
		out := beside(t, "--size 720x1520 --phone new", `adb features; $TAPWISE devices -v && $TAPWISE screenshot -o $HOME/x.png && $TAPWISE play && echo done`)
		t.Logf("%s", out)
		for _, want := range []string{"stat_v2", "touch    ", "stream of 360x760", "won", "done"} {
			if !strings.Contains(out, want) {
				t.Errorf("it says no %q", want)
			}
		}
	})
	for _, way := range besideADBD {
		t.Run(strings.Join(strings.Fields(way.touch+" "+way.capture+" "+way.flags), ","), func(t *testing.T) {
			out := beside(t, "--size 540x1140 "+way.flags, fmt.Sprintf(`$TAPWISE clear --levels 2 --touch %s --capture %s 2>&1; pidof screenrecord || echo none is left`, way.touch, way.capture))
			want := way.refused
			if want == "" {
				want = "2 won"
			}
			if !strings.Contains(out, want) || !strings.Contains(out, "none is left") {
				t.Errorf("expected %q, and no recorder that is left:\n%s", want, out)
			} else if way.refused != "" {
				t.Skipf("refused: %s", way.refused)
			}
		})
	}
	clients := filepath.Join(folder, "clients")
	if _, err := os.Stat(filepath.Join(clients, "node_modules")); err != nil {
		t.Logf("no other clients are here: %v", err)
		return
	}
	for _, client := range []string{"adbkit", "appium", "yume"} {
		t.Run(client, func(t *testing.T) {
			out := beside(t, "--size 270x585", fmt.Sprintf(`cd %s && TAPWISE_APP=com.example.flow node clients.mjs %s $TAPWISE_ADB_PORT $TAPWISE_SERIAL "$(command -v adb)" || true`, clients, client))
			t.Logf("%s", out)
			if strings.Count(out, "\nok ") < 12 {
				t.Error("fewer than 12 verbs are answered")
			}
			for _, found := range regexp.MustCompile(`(?m)^not ok ([^:]*): (.*)$`).FindAllStringSubmatch(out, -1) {
				if why := besideClients[found[1]]; why != "" {
					t.Logf("%s differs: %s", found[1], why)
				} else {
					t.Errorf("%s differs from the simulated phone: %s", found[1], found[2])
				}
			}
		})
	}
}
