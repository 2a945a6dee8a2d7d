package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// The control characters that a terminal acts on.
const (
	keyInterrupt = 3  // Ctrl-C
	keyEnd       = 4  // Ctrl-D
	keyBackspace = 8  // Ctrl-H
	keyKillLine  = 21 // Ctrl-U
	keyQuit      = 28 // Ctrl-\
	keyDelete    = 127
)

const (
	maxTyped     = 4095     // bytes of a line, the kernel's limit
	maxTypeAhead = 64 << 10 // bytes typed and not yet read; more is dropped
	maxContinued = 1000     // lines of one command
)

// errInterrupted is the error of a read that Ctrl-C ended.
var errInterrupted = errors.New("simphone: interrupted")

// terminal stands between the peer's keys and the programs that read stdin: it
// echoes, lets a line be edited, and interrupts the foreground.
type terminal struct {
	echo  io.Writer
	begin func() // starts taking keys, once: echoes come after earlier output

	mu          sync.Mutex
	changed     sync.Cond
	line        []byte   // being typed
	typed       [][]byte // lines waiting to be read; an empty one is the end of the file
	size        int      // bytes in them
	over        bool     // the peer sends nothing more
	interrupts  int
	interrupted context.CancelFunc // ends the foreground; nil if there is none
	ended       bool               // the foreground was ended: its reads fail from now on
}

func newTerminal(keys io.Reader, echo io.Writer) *terminal {
	t := &terminal{echo: echo}
	t.changed.L = &t.mu
	t.begin = sync.OnceFunc(func() { go t.listen(keys) }) // ends with the stream that the keys come from
	return t
}

// listen takes the peer's keys until the stream ends.
func (t *terminal) listen(keys io.Reader) {
	buffer := make([]byte, 1024)
	for {
		n, err := keys.Read(buffer)
		for _, key := range buffer[:n] {
			t.press(key)
		}
		if err != nil {
			t.mu.Lock()
			t.over = true
			t.changed.Broadcast()
			t.mu.Unlock()
			return
		}
	}
}

// press acts on one key and echoes it. Nobody reads the line, and no prompt comes
// back, before the echo is out: what a command prints follows its line.
func (t *terminal) press(key byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if echo := t.act(key); echo != "" {
		// An error means that the peer left; reading keys will report it.
		_, _ = io.WriteString(t.echo, echo)
	}
	t.changed.Broadcast()
}

// act acts on one key and returns the text to echo; the caller holds mu.
func (t *terminal) act(key byte) string {
	switch key {
	case keyInterrupt, keyQuit:
		t.line, t.typed, t.size = nil, nil, 0
		t.interrupts++
		if t.interrupted != nil {
			t.interrupted()
			t.ended = true
		}
		return caret(key) + "\n"
	case keyEnd:
		t.enter()
		return ""
	case '\r', '\n':
		t.line = append(t.line, '\n')
		t.enter()
		return "\n"
	case keyBackspace, keyDelete:
		if len(t.line) == 0 {
			return ""
		}
		last := t.line[len(t.line)-1]
		t.line = t.line[:len(t.line)-1]
		return strings.Repeat("\b \b", len(caret(last)))
	case keyKillLine:
		echo := ""
		for _, c := range t.line {
			echo += strings.Repeat("\b \b", len(caret(c)))
		}
		t.line = nil
		return echo
	}
	if len(t.line) >= maxTyped || t.size+len(t.line) >= maxTypeAhead {
		return "\a"
	}
	t.line = append(t.line, key)
	return caret(key)
}

// enter makes the typed line ready to be read; the caller holds mu.
func (t *terminal) enter() {
	t.typed = append(t.typed, t.line)
	t.size += len(t.line) + 1 // ends of the file are bounded too
	t.line = nil
	if t.size > maxTypeAhead {
		t.typed, t.size = nil, 0
	}
}

// caret is how a terminal shows a control character.
func caret(c byte) string {
	switch {
	case c == '\t':
		return "\t"
	case c < ' ':
		return "^" + string(rune(c+'@'))
	case c == keyDelete:
		return "^?"
	}
	return string([]byte{c})
}

// Read returns what was typed, line by line.
func (t *terminal) Read(p []byte) (int, error) {
	t.begin()
	t.mu.Lock()
	defer t.mu.Unlock()
	interrupts := t.interrupts
	for len(t.typed) == 0 {
		switch {
		case t.ended, t.interrupts != interrupts:
			return 0, errInterrupted
		case t.over:
			return 0, io.EOF
		}
		t.changed.Wait()
	}
	line := t.typed[0]
	n := copy(p, line)
	t.size -= n
	if n < len(line) {
		t.typed[0] = line[n:]
		return n, nil
	}
	t.typed = t.typed[1:]
	t.size--
	if len(line) == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// foreground runs f; Ctrl-C ends its context.
func (t *terminal) foreground(ctx context.Context, f func(context.Context)) (interrupted bool) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	t.mu.Lock()
	t.interrupted = cancel
	t.mu.Unlock()
	t.begin()
	f(inner)
	t.mu.Lock()
	t.interrupted, t.ended = nil, false
	t.mu.Unlock()
	return inner.Err() != nil && ctx.Err() == nil
}

// onTerminal runs a command, or the lines that are typed, on a terminal. When it
// ends, so does everything left in the background.
func (sh *interpreter) onTerminal(command string) int {
	session, hangUp := context.WithCancel(sh.ctx)
	defer hangUp()
	sh.session, sh.ctx = session, session
	t := newTerminal(sh.stdin, sh.stdout)
	sh.stdin = t
	if command == "" {
		sh.interactive(t)
	} else if t.foreground(session, func(ctx context.Context) {
		sh.ctx = ctx
		sh.program(command)
	}) {
		sh.status = 130
	}
	hangUp()
	sh.processes.wg.Wait()
	return sh.status
}

// interactive runs the lines of stdin, each as soon as it is complete. On a
// terminal it prompts; without one, t is nil.
func (sh *interpreter) interactive(t *terminal) int {
	prompt := func(continued bool) {
		switch {
		case t == nil:
		case continued:
			io.WriteString(sh.stdout, "> ")
		default:
			fmt.Fprintf(sh.stdout, "%s:%s $ ", sh.host.system.Name(), sh.dir)
		}
	}
	text, continued := "", 0
	for prompt(false); !sh.exited; {
		line, err := sh.readLine()
		if errors.Is(err, errInterrupted) {
			text, continued = "", 0
			sh.status = 130
			prompt(false)
			continue
		}
		text += line
		ended := err != nil
		file, parseErr := sh.parse(text)
		if parseErr != nil && syntax.IsIncomplete(parseErr) && !ended && continued < maxContinued {
			continued++
			prompt(true)
			continue
		}
		text, continued = "", 0
		switch {
		case parseErr != nil:
			sh.fail(1, "syntax error: %v", parseErr)
		case t == nil:
			sh.stmts(file.Stmts)
		default:
			ctx := sh.ctx
			if t.foreground(ctx, func(ctx context.Context) {
				sh.ctx = ctx
				sh.stmts(file.Stmts)
			}) {
				sh.exited, sh.leaving, sh.status = false, 0, 130
			}
			sh.ctx = ctx
			sh.stopped()
		}
		if ended {
			break
		}
		if !sh.exited {
			prompt(false)
		}
	}
	return sh.status
}

// readLine takes a line of stdin, its end included, byte by byte so that the rest
// stays for the programs that the line runs. At the end of the input it returns
// what is left and io.EOF.
func (sh *interpreter) readLine() (string, error) {
	var line []byte
	var b [1]byte
	for {
		n, err := sh.stdin.Read(b[:])
		if n == 1 && len(line) <= maxCommand { // a longer line is refused by parse
			line = append(line, b[0])
		}
		switch {
		case n == 1 && b[0] == '\n':
			return string(line), nil
		case errors.Is(err, errInterrupted):
			return "", err
		case err != nil:
			return string(line), io.EOF
		}
	}
}
