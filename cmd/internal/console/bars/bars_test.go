package bars

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"tapwise/cmd/internal/console/terminal/terminaltest"
)

// TestBars prints lines above two bars: each line stays, each bar stands once below
// them, and nothing of the bars is left at the end.
func TestBars(t *testing.T) {
	screen := &terminaltest.Screen{}
	all := New(screen)
	all.Width = func() int { return 120 }
	first, second := all.Line("one  "), all.Line("two  ")
	first.Begin("levels", 4, 1)
	goroutines := runtime.NumGoroutine()
	second.Begin("others", 0, 0)
	if now := runtime.NumGoroutine(); now != goroutines {
		t.Errorf("%d goroutines, expected %d: a spinner turns by itself", now, goroutines)
	}
	for i := range 3 {
		if err := all.Print(func() error { _, err := fmt.Fprintf(screen, "level %d\n", i); return err }); err != nil {
			t.Fatal(err)
		}
		first.Add()
	}
	second.Show("stopped:\x1b[2J no phone\n")
	lines := strings.Split(strings.TrimSpace(screen.Text()), "\n")
	if len(lines) != 5 || lines[2] != "level 2" || !strings.HasPrefix(lines[3], "one  levels 100%") || !strings.HasPrefix(lines[4], "two  ") || !strings.Contains(lines[4], "others") || !strings.Contains(lines[4], `\u001b[2J no phone`) {
		t.Errorf("the screen shows\n%s\nexpected three levels, a whole bar and a stopped one", screen.Text())
	}
	all.Clear()
	if got := strings.TrimSpace(screen.Text()); got != "level 0\nlevel 1\nlevel 2" {
		t.Errorf("the screen shows at the end\n%s\nexpected the three levels", got)
	}
}

// TestFits draws bars on terminals of several widths: each line fits, and says how far
// everything is as long as there is room.
func TestFits(t *testing.T) {
	for _, width := range []int{20, 40, 41, 60, 80, 200} {
		for _, prefix := range []string{"", "emulator-5554  ", strings.Repeat("ö", 70) + "  "} {
			screen := &terminaltest.Screen{}
			all := New(screen)
			all.Width = func() int { return width }
			known, unknown := all.Line(prefix), all.Line(prefix)
			known.Begin("asteroid", 1000, 333)
			unknown.Begin("asteroid", 0, 7)
			for _, state := range []string{"", "stopped: the phone does not answer any more, and nobody knows why"} {
				known.Show(state)
				unknown.Show(state)
				lines := strings.Split(strings.TrimRight(screen.Text(), "\n"), "\n")
				if len(lines) != 2 {
					t.Fatalf("%d columns: %d lines, expected 2:\n%s", width, len(lines), screen.Text())
				}
				for _, line := range lines {
					if n := utf8.RuneCountInString(line); n >= width {
						t.Errorf("%d columns: a line of %d characters: %s", width, n, line)
					}
				}
				if width >= 40 && len(prefix) < 20 && state == "" && !strings.Contains(lines[0], "33%") {
					t.Errorf("%d columns: %q does not say how far it is", width, lines[0])
				}
			}
		}
	}
}

// TestPart: a bar is as long as its part, tells both numbers, and has one width.
func TestPart(t *testing.T) {
	for _, test := range []struct {
		part, whole, full int
		count             string
	}{{0, 8, 0, "(0/8)"}, {2, 8, 7, "(2/8)"}, {4, 8, 15, "(4/8)"}, {8, 8, 30, "(8/8)"}, {0, 0, 0, "(0/1)"}} {
		got := Part(test.part, test.whole)
		if strings.Count(got, "█") != test.full || !strings.Contains(got, test.count) || strings.ContainsAny(got, "\r\n\x1b") {
			t.Errorf("%d of %d is %q, expected %d of 30 and %s", test.part, test.whole, got, test.full, test.count)
		}
	}
}
