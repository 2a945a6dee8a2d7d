package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// errUnread is why a run ends when its output has nobody left to read it, as
// behind `| head -1` or in a terminal that was closed.
const errUnread = interruption("nothing reads the output any more")

// output is the program's standard output or its standard error. Everything
// that is printed passes through it, so it is the one place that looks after
// two things.
//
// What is printed comes from phones, file names, configuration and the journal,
// and a terminal obeys control characters wherever they come from. They are
// written out (ESC as \u001b), which a JSON string understands as well. Line
// ends and tabs stay. What the program itself wants to tell the terminal goes
// around this, by raw.
//
// When nobody reads the output any more, the run is interrupted and what is
// still printed is dropped: the program has a phone to put in order, and
// every line would fail in the same way.
type output struct {
	to        io.Writer
	interrupt context.CancelCauseFunc

	mu     sync.Mutex
	part   []byte // the beginning of a character whose rest has not come yet
	unread bool
}

func newOutput(to io.Writer, interrupt context.CancelCauseFunc) *output {
	return &output{to: to, interrupt: interrupt}
}

// Write prints text, cleaned.
func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	length := len(text)
	if len(o.part) > 0 {
		text = append(o.part, text...)
		o.part = nil
	}
	// What the last bytes are is known once the character is whole.
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				o.part = append([]byte(nil), last...)
				text = text[:len(text)-n]
			}
			break
		}
	}
	if err := o.print(appendClean(nil, text, "\n\t")); err != nil {
		return 0, err
	}
	return length, nil
}

// flush prints what still waited for the rest of a character.
func (o *output) flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	part := o.part
	o.part = nil
	if len(part) == 0 {
		return nil
	}
	return o.print(appendClean(nil, part, "\n\t"))
}

// print hands bytes on as they are. The caller holds mu.
func (o *output) print(text []byte) error {
	if o.unread {
		return nil
	}
	_, err := o.to.Write(text)
	// A terminal that was closed says EIO.
	if errors.Is(err, syscall.EPIPE) || isTerminal(o.to) && errors.Is(err, syscall.EIO) {
		o.unread = true
		o.interrupt(errUnread)
		return nil
	}
	return err
}

// lost reports whether something was printed that nobody read.
func (o *output) lost() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.unread
}

// rawOutput is an output that cleans nothing.
type rawOutput struct{ *output }

func (r rawOutput) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.print(text); err != nil {
		return 0, err
	}
	return len(text), nil
}

// raw returns a stream for pictures and for what the program itself tells a
// terminal. Text from elsewhere must not be printed to it.
func raw(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return rawOutput{o}
	}
	return w
}

// underlying returns what a stream prints to in the end, for another process to
// print to as well.
func underlying(w io.Writer) io.Writer {
	switch o := w.(type) {
	case *output:
		return o.to
	case rawOutput:
		return o.to
	}
	return w
}

// isTerminal reports whether what is printed goes to a terminal.
func isTerminal(w io.Writer) bool {
	file, ok := underlying(w).(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// appendClean appends text with its control characters written out: those that
// terminals obey, in seven or eight bits, and those that change the direction
// of what is shown. It keeps the ones in keep.
func appendClean(to, text []byte, keep string) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			to = fmt.Appendf(to, `\x%02x`, text[0]) // no character, but a command to some terminals
		case r <= unicode.MaxASCII && strings.IndexByte(keep, byte(r)) >= 0:
			to = append(to, byte(r))
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			to = fmt.Appendf(to, `\u%04x`, r)
		default:
			to = append(to, text[:size]...)
		}
		text = text[size:]
	}
	return to
}

// oneLine returns text for one line, or for one cell of a table: line ends and tabs
// are written out as well.
func oneLine(text string) string { return string(appendClean(nil, []byte(text), "")) }

// table prints rows in columns that are as wide as they have to be.
type table struct{ *tabwriter.Writer }

// table begins a table on standard output; its Flush ends it.
func (p *printer) table() table { return table{tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)} }

// row adds a row of cells.
func (t table) row(cells ...any) {
	for i, c := range cells {
		if i > 0 {
			fmt.Fprint(t, "\t")
		}
		fmt.Fprint(t, oneLine(fmt.Sprint(c)))
	}
	fmt.Fprintln(t) // what fails is told by Flush
}
