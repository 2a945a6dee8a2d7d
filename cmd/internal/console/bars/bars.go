package bars

import (
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"

	"tapwise/cmd/internal/console/terminal"
)

// Bars are lines at the bottom of a terminal. They may be used by several goroutines at once. A
// failure to draw is no error: progress is a courtesy.
type Bars struct {
	to    io.Writer
	mu    sync.Mutex
	lines []*Line
	below terminal.Below
	// Width is the terminal's, in characters. A line that is wider could not be taken away.
	Width func() int
}

// Line is one of the bars.
type Line struct {
	all    *Bars
	prefix string
	bar    *progressbar.ProgressBar // nil until it begins
	state  string                   // beside the bar
}

// New returns no bars yet, to be drawn on a terminal.
func New(to io.Writer) *Bars {
	return &Bars{to: to, Width: func() int { return terminal.Columns(to) }}
}

// Line adds a line, which is drawn from its Begin on. The prefix stands before its bar.
func (b *Bars) Line(prefix string) *Line {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := &Line{all: b, prefix: prefix}
	b.lines = append(b.lines, l)
	return l
}

// Print runs f, which may print, with the bars out of the way, and draws them anew.
func (b *Bars) Print(f func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.below.Clear(b.to)
	err := f()
	for _, l := range b.lines {
		if l.bar == nil {
			continue
		}
		line := strings.TrimSpace(strings.Trim(l.bar.String(), "\r"))
		b.below.Draw(b.to, fitted(l.prefix, line, terminal.OneLine(l.state), b.Width()-1))
	}
	return err
}

// fitted is a line of at most n characters: the bar gets shorter, then the prefix and the rest
// are cut.
func fitted(prefix, line, state string, most int) string {
	first, last := strings.Index(line, "|"), strings.LastIndex(line, "|")
	length := func() int {
		return utf8.RuneCountInString(prefix) + utf8.RuneCountInString(line) + 1 + utf8.RuneCountInString(state)
	}
	if over := length() - most; over > 0 && first < last {
		before, bar, after := line[:first], []rune(line[first+1:last]), line[last+1:]
		if left := len(bar) - over; left >= 4 {
			full := strings.Count(string(bar), "█") * left / len(bar)
			line = before + "|" + strings.Repeat("█", full) + strings.Repeat(" ", left-full) + "|" + after
		} else {
			line = strings.TrimRight(before, " ") + after
		}
	}
	if over := length() - most; over > 0 && prefix != "" {
		prefix = cut(prefix, max(utf8.RuneCountInString(prefix)-over-2, most/3)) + "  "
	}
	return cut(prefix+line+" "+state, most)
}

// cut shortens text to n characters.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:max(0, most-1)]) + "…"
	}
	return text
}

// Clear takes the bars off the screen.
func (b *Bars) Clear() {
	_ = b.Print(func() error {
		for _, l := range b.lines {
			l.bar = nil
		}
		return nil
	})
}

// Begin draws the bar with the number done of a total, which is 0 if nobody knows it.
func (l *Line) Begin(description string, total, done int) {
	if total == 0 {
		total = -1 // a spinner
	}
	_ = l.all.Print(func() error {
		l.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(io.Discard), progressbar.OptionSetDescription(description),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionSetElapsedTime(true),
			// A spinner that turned by itself would write what Print reads.
			progressbar.OptionSetSpinnerChangeInterval(0))
		return l.bar.Set(done)
	})
}

// Add says that one more is done.
func (l *Line) Add() {
	_ = l.all.Print(func() error {
		if l.bar == nil {
			return nil
		}
		return l.bar.Add(1)
	})
}

// Show writes a state beside the bar.
func (l *Line) Show(state string) {
	_ = l.all.Print(func() error {
		l.state = state
		return nil
	})
}

// Part returns a bar of a part of a whole, with both numbers, for lines that come and go.
func Part(part, whole int) string {
	bar := progressbar.NewOptions(max(1, whole), progressbar.OptionSetWriter(io.Discard), progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false))
	_ = bar.Set(min(part, whole)) // nothing is written
	return strings.TrimSpace(strings.Trim(bar.String(), "\r"))
}
