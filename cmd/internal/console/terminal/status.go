package terminal

import (
	"io"
	"sync"
	"time"
)

// A line appears after Patience and is drawn anew every Redraw.
const (
	Patience  = 2 * time.Second        // before a person wants to know what goes on
	Redraw    = 500 * time.Millisecond // between two looks at it
	EraseLine = "\r\x1b[K"
)

// StatusLine shows on the last line of a terminal what a long search has so far. It
// is removed before anything else is printed.
type StatusLine struct {
	mu       sync.Mutex
	err      io.Writer // standard error, for text
	terminal io.Writer // the same, for what only a terminal understands; nil when it is none
	// Width is the terminal's, in characters.
	Width func() int
	drawn bool
}

// NewStatusLine makes a line at the end of what is printed to err, to which erasing writes what
// only a terminal understands; it is nil if err is no terminal.
func NewStatusLine(err, erasing io.Writer) *StatusLine {
	return &StatusLine{err: err, terminal: erasing, Width: func() int { return Columns(err) }}
}

// Write prints text to standard error, with the line out of the way.
func (l *StatusLine) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	return l.err.Write(text)
}

// Without runs f with the line out of the way. What f prints must not go through
// Write.
func (l *StatusLine) Without(f func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	return f()
}

// erase takes the line away; the caller holds mu. What cannot be written to a
// terminal is no loss, here and below.
func (l *StatusLine) erase() {
	if l.drawn {
		_, _ = io.WriteString(l.terminal, EraseLine)
		l.drawn = false
	}
}

func (l *StatusLine) draw(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	// A line that is too long for the terminal could not be taken away.
	shown := []rune(text)
	if most := l.Width() - 1; len(shown) > most {
		shown = append(shown[:max(0, most-1)], '…')
	}
	_, _ = io.WriteString(l.terminal, string(shown))
	l.drawn = true
}

// During shows text on a terminal until the function that it returns is called, which may be
// called again; nothing is shown if that happens soon.
func (l *StatusLine) During(text func(spent time.Duration) string) (end func()) {
	if l.terminal == nil {
		return func() {}
	}
	stop := make(chan struct{})
	ended := make(chan struct{})
	began := time.Now()
	go func() {
		defer close(ended)
		next := time.NewTimer(Patience)
		defer next.Stop()
		for {
			select {
			case <-stop:
				return
			case <-next.C:
			}
			l.draw(text(time.Since(began)))
			next.Reset(Redraw)
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-ended
		_ = l.Without(func() error { return nil }) // which does not fail
	})
}
