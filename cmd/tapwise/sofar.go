package main

import (
	"io"
	"sync"
	"time"

	"golang.org/x/term"
)

const (
	patience  = 2 * time.Second        // that a person has before wanting to know what goes on
	redraw    = 500 * time.Millisecond // between two looks at it
	narrowest = 80                     // columns of a terminal that does not say how wide it is
	eraseLine = "\r\x1b[K"
)

// statusLine is the last line of a terminal: what a long search has so far. It
// is taken away before anything else is printed.
type statusLine struct {
	mu       sync.Mutex
	err      io.Writer // standard error, for text
	terminal io.Writer // the same, for what only a terminal understands; nil when it is none
	columns  func() int
	drawn    bool
}

// newStatusLine is a line at the end of what is printed to err.
func newStatusLine(err, terminal io.Writer) *statusLine {
	return &statusLine{err: err, terminal: terminal, columns: func() int { return columnsOf(err) }}
}

// columnsOf is how wide a terminal is.
func columnsOf(w io.Writer) int {
	if file, ok := underlying(w).(interface{ Fd() uintptr }); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil && columns > 1 {
			return columns
		}
	}
	return narrowest
}

// Write prints text to standard error, with the line out of the way.
func (l *statusLine) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	return l.err.Write(text)
}

// without runs f, which prints, with the line out of the way. It must not print
// by Write.
func (l *statusLine) without(f func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	return f()
}

// erase takes the line away; the caller holds mu. What cannot be written to a
// terminal is no loss, here and below.
func (l *statusLine) erase() {
	if l.drawn {
		_, _ = io.WriteString(l.terminal, eraseLine)
		l.drawn = false
	}
}

func (l *statusLine) draw(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	// A line that is too long for the terminal could not be taken away.
	shown := []rune(text)
	if most := l.columns() - 1; len(shown) > most {
		shown = append(shown[:max(0, most-1)], '…')
	}
	_, _ = io.WriteString(l.terminal, string(shown))
	l.drawn = true
}

// during shows text on a terminal from after a while until the function that it
// returns is called, once or more often.
func (l *statusLine) during(text func(spent time.Duration) string) (end func()) {
	if l.terminal == nil {
		return func() {}
	}
	stop := make(chan struct{})
	ended := make(chan struct{})
	began := time.Now()
	go func() {
		defer close(ended)
		next := time.NewTimer(patience)
		defer next.Stop()
		for {
			select {
			case <-stop:
				return
			case <-next.C:
			}
			l.draw(text(time.Since(began)))
			next.Reset(redraw)
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-ended
		_ = l.without(func() error { return nil }) // which does not fail
	})
}
