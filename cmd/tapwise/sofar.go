package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tapwise/cmd/internal/terminal"
	"tapwise/solvers/csp"
)

const (
	patience   = 2 * time.Second        // before a person wants to know what goes on
	redraw     = 500 * time.Millisecond // between two looks at it
	eraseLine  = "\r\x1b[K"
	usualBound = 30 * time.Second // that is proposed for --timeout
)

// statusLine shows on the last line of a terminal what a long search has so far. It
// is removed before anything else is printed.
type statusLine struct {
	mu       sync.Mutex
	err      io.Writer // standard error, for text
	terminal io.Writer // the same, for what only a terminal understands; nil when it is none
	columns  func() int
	drawn    bool
}

// newStatusLine makes a line at the end of what is printed to err, to which erasing
// writes what only a terminal understands; it is nil where err is no terminal.
func newStatusLine(err, erasing io.Writer) *statusLine {
	return &statusLine{err: err, terminal: erasing, columns: func() int { return terminal.Columns(err) }}
}

// Write prints text to standard error, with the line out of the way.
func (l *statusLine) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	return l.err.Write(text)
}

// without runs f with the line out of the way. What f prints must not go through
// Write.
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

// during shows text on a terminal until the function that it returns is called, which
// may be called again; nothing is shown of what takes less than a while.
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

// soFar is what is known of searches that are not over. It may be used from
// several goroutines.
type soFar struct {
	what    string        // that is searched: puzzles
	found   string        // what is counted as it is found: solutions; empty when only one is wanted
	timeout time.Duration // for each; 0 is none
	done    atomic.Int64
	each    []searchSoFar
}

// searchSoFar is what is known of one search.
type searchSoFar struct {
	effort csp.Effort
	found  atomic.Int64
	stages atomic.Int64 // of a SABR program: the number that is tried
}

// context is the search's own.
func (s *searchSoFar) context(ctx context.Context) context.Context {
	return csp.WithEffort(ctx, &s.effort)
}

// text says it in one line, what matters first.
func (s *soFar) text(spent time.Duration) string {
	bound := fmt.Sprintf("--timeout %v would bound it", usualBound)
	if s.timeout > 0 {
		bound = fmt.Sprintf("--timeout %v", s.timeout)
	}
	var found, nodes, conflicts, stages int64
	for i := range s.each {
		e := &s.each[i]
		found += e.found.Load()
		nodes += e.effort.Nodes()
		conflicts += e.effort.Conflicts()
		stages = max(stages, e.stages.Load())
	}
	var parts []string
	if len(s.each) > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d %s done", s.done.Load(), len(s.each), s.what))
	}
	if s.found != "" {
		parts = append(parts, fmt.Sprintf("%d %s so far", found, s.found))
	}
	if stages > 0 {
		parts = append(parts, fmt.Sprintf("trying %d stages", stages))
	}
	if nodes > 0 { // else it is no search of the engine's
		parts = append(parts, fmt.Sprintf("%d nodes", nodes), fmt.Sprintf("%d conflicts", conflicts))
	}
	if len(parts) == 0 {
		parts = append(parts, "searching")
	}
	return fmt.Sprintf("%v (%s): %s", spent.Round(time.Second), bound, strings.Join(parts, ", "))
}
