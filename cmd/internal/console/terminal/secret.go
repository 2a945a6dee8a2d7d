package terminal

import (
	"context"
	"os"

	"golang.org/x/term"
)

// IsInput reports whether a file is a terminal that a person types on.
func IsInput(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }

// ReadSecret reads a line from a terminal that does not show what is typed. When the
// context ends it gives up, and the terminal shows what is typed again.
func ReadSecret(ctx context.Context, file *os.File) (string, error) {
	fd := int(file.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	type result struct {
		line []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		line, err := term.ReadPassword(fd)
		done <- result{line, err}
	}()
	select {
	case r := <-done:
		return string(r.line), r.err
	case <-ctx.Done():
		// The goroutine goes on waiting for a line until the program ends.
		_ = term.Restore(fd, before)
		return "", context.Cause(ctx)
	}
}
