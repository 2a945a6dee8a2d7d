package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestInputInterrupted interrupts commands that wait for standard input, or for a
// pipe, to which nobody writes.
func TestInputInterrupted(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	for _, args := range [][]string{{"solve", "-"}, {"read", "-"}, {"sabr", "-"}, {"check", "-", "other.txt"}, {"solve", pipe}} {
		ctx, interrupt := context.WithCancel(t.Context())
		in, end := io.Pipe()
		defer end.Close()
		interrupt()
		var errs strings.Builder
		if code := execute(ctx, args, streams{in, io.Discard, &errs}); code != exitInterrupt || !strings.Contains(errs.String(), "interrupted") {
			t.Errorf("%q: exit code %d, %q, expected %d", args, code, &errs, exitInterrupt)
		}
	}
}
