package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// Output is the program's standard output or its standard error. Everything that is printed
// passes through it, so it is the one place that ensures two things.
//
// What is printed comes from phones, file names, configuration and the journal, and a terminal
// obeys control characters wherever they come from. They are made visible (ESC as \u001b),
// which is also valid in a JSON string. Line ends and tabs stay. The program's own escape codes
// bypass this, by [Raw].
//
// When nobody reads the output any more, as behind `| head -1` or in a terminal that
// was closed, the run is interrupted and what is still printed is dropped: the
// program has a phone to put in order, and every line would fail in the same way.
type Output struct {
	to     io.Writer
	unread func() // interrupts the run

	mu     sync.Mutex
	part   []byte      // the beginning of a character whose rest has not come yet
	closed atomic.Bool // nobody reads it any more
}

// NewOutput returns an output that prints to a stream, and calls unread once when
// nobody reads that any more.
func NewOutput(to io.Writer, unread func()) *Output { return &Output{to: to, unread: unread} }

// Write prints text, cleaned.
func (o *Output) Write(text []byte) (int, error) {
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

// Flush prints what still waited for the rest of a character.
func (o *Output) Flush() error {
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
func (o *Output) print(text []byte) error {
	if o.closed.Load() {
		return nil
	}
	_, err := o.to.Write(text)
	// A terminal that was closed says EIO.
	if errors.Is(err, syscall.EPIPE) || Is(o.to) && errors.Is(err, syscall.EIO) {
		o.closed.Store(true)
		o.unread()
		return nil
	}
	return err
}

// Lost reports whether something was printed that nobody read.
func (o *Output) Lost() bool { return o.closed.Load() }

// Silence drops what is printed from now on.
func (o *Output) Silence() { o.closed.Store(true) }

// rawOutput is an output that cleans nothing.
type rawOutput struct{ *Output }

func (r rawOutput) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.print(text); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Raw returns a stream for pictures and for the program's own escape codes. Text from elsewhere
// must not be printed to it.
func Raw(w io.Writer) io.Writer {
	if o, ok := w.(*Output); ok {
		return rawOutput{o}
	}
	return w
}

// Underlying returns what a stream prints to in the end, for another process to
// print to as well.
func Underlying(w io.Writer) io.Writer {
	switch o := w.(type) {
	case *Output:
		return o.to
	case rawOutput:
		return o.to
	}
	return w
}

// Is reports whether what is printed goes to a terminal.
func Is(w io.Writer) bool {
	file, ok := Underlying(w).(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// narrowest is the width, in columns, of a terminal that does not report its own.
const narrowest = 80

// Columns returns the width of a terminal in columns.
func Columns(w io.Writer) int {
	if file, ok := Underlying(w).(interface{ Fd() uintptr }); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil && columns > 1 {
			return columns
		}
	}
	return narrowest
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

// OneLine returns text for one line, or for one cell of a table: line ends and tabs
// are written out as well.
func OneLine(text string) string { return string(appendClean(nil, []byte(text), "")) }
