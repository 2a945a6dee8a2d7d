package terminal_test

import (
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/cmd/internal/console/terminal"
	"tapwise/cmd/internal/console/terminal/terminaltest"
)

// TestStatusLine has a search of twelve seconds by a fake clock.
func TestStatusLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		screen := &terminaltest.Screen{}
		line := terminal.NewStatusLine(screen, screen)
		var width atomic.Int64
		width.Store(80)
		line.Width = func() int { return int(width.Load()) }
		expect := func(want string) {
			t.Helper()
			synctest.Wait()
			if got := screen.Text(); got != want {
				t.Errorf("the terminal shows %q, expected %q", got, want)
			}
		}
		end := line.During(func(spent time.Duration) string { return "after " + spent.String() })
		time.Sleep(terminal.Patience - time.Millisecond)
		expect("")
		time.Sleep(time.Millisecond)
		expect("after 2s")
		time.Sleep(terminal.Redraw)
		expect("after 2.5s")
		if _, err := io.WriteString(line, "a log\n"); err != nil {
			t.Error(err)
		}
		expect("a log\n")
		time.Sleep(terminal.Redraw)
		expect("a log\nafter 3s")
		_ = line.Without(func() error { _, err := io.WriteString(screen, "a result\n"); return err })
		expect("a log\na result\n")
		width.Store(6)
		time.Sleep(terminal.Redraw)
		expect("a log\na result\nafte…")
		end()
		end()
		expect("a log\na result\n")
		time.Sleep(10 * time.Second)
		expect("a log\na result\n")
		// A short one is never heard of.
		end = line.During(func(time.Duration) string { return "too early" })
		time.Sleep(terminal.Patience - time.Millisecond)
		end()
		if strings.Contains(screen.Printed(), "early") {
			t.Errorf("%q was printed", screen.Printed())
		}
	})
	// Nothing of the kind where there is no terminal.
	synctest.Test(t, func(t *testing.T) {
		file := &terminaltest.Screen{}
		line := terminal.NewStatusLine(file, nil)
		end := line.During(func(time.Duration) string { return "to a file" })
		time.Sleep(time.Minute)
		end()
		if file.Printed() != "" {
			t.Errorf("%q was printed to a file", file.Printed())
		}
	})
}
