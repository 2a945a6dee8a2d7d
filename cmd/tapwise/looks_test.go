package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/sim/looks"
	"tapwise/cmd/internal/sim/webphone"
	"tapwise/solvers/gametest"
)

var (
	looksCleared = flag.Int("looks-cleared", 1, "how many looks TestClearLooks calibrates on and clears")
	looksFirst   = flag.Uint64("looks-first", 0, "the first look's seed")
)

// TestClearLooks calibrates on the first frame of apps of random looks, web pages on the
// simulated phone, and then clears their three levels. Apps that do not show that a
// level is won are left out.
func TestClearLooks(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	if _, err := webphone.Browser(); err != nil {
		t.Skip("chromium is not installed (Debian package chromium)")
	}
	if _, err := exec.LookPath("adb"); err != nil {
		t.Skip("adb is not installed")
	}
	const levels = 3
	shown := []string{"panel", "next"}
	cleared, of := 0, 0
	for seed := *looksFirst; of < *looksCleared; seed++ {
		l, err := looks.New(t.Context(), seed, levels)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(shown, l.Win) {
			continue
		}
		of++
		if err := clearLook(t, l, levels); err != nil {
			t.Errorf("look %d, won by %s: %v", seed, l.Win, err)
			continue
		}
		cleared++
	}
	t.Logf("%d of %d looks cleared after calibration", cleared, of)
}

// clearLook calibrates on a look and clears its levels.
func clearLook(t *testing.T, l looks.Look, levels int) error {
	t.Helper()
	await.Turn(t)
	text, err := l.HTML()
	if err != nil {
		return err
	}
	folder := t.TempDir()
	page := filepath.Join(folder, "page.html")
	if err := os.WriteFile(page, text, 0o644); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(t.Context(), await.Hang)
	defer cancel()
	const baseline = 160 // dots per inch of a screen with one pixel in a CSS pixel
	command := exec.CommandContext(ctx, "tapwise", "sim", "--page", page, "--size", fmt.Sprintf("%dx%d", l.Screen.X, l.Screen.Y),
		"--density", fmt.Sprint(int(baseline*l.Density)), "--", "sh", "-c", fmt.Sprintf("tapwise calibrate && tapwise clear --game flow --levels %d", levels))
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	command.Env = append(os.Environ(), "ANDROID_ADB_SERVER_PORT=1", "XDG_CONFIG_HOME="+folder, "XDG_CACHE_HOME="+folder, "XDG_STATE_HOME="+folder)
	if err := command.Run(); err != nil {
		return fmt.Errorf("%w:\n%s", err, &out)
	}
	if won := strings.Count(out.String(), " won"); won < levels {
		return fmt.Errorf("%d levels won, expected %d:\n%s", won, levels, &out)
	}
	return nil
}
