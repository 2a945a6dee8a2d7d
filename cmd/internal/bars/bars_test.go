package bars

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"tapwise/cmd/internal/terminal/terminaltest"
)

// TestBars prints lines above two bars: each line stays, each bar stands once below
// them, and nothing of the bars is left at the end.
func TestBars(t *testing.T) {
	screen := &terminaltest.Screen{}
	all := New(screen)
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
