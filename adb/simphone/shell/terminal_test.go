package shell

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"tapwise/adb/adbtest/await"
)

// typist is a peer at a terminal: it types, and waits for text on its screen.
type typist struct {
	t    *testing.T
	keys *io.PipeWriter

	mu      sync.Mutex
	changed sync.Cond
	screen  bytes.Buffer
	read    int // bytes of the screen that were waited for
}

func (y *typist) Write(p []byte) (int, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	defer y.changed.Broadcast()
	return y.screen.Write(p)
}

// sit opens a shell on a terminal; done returns its exit code.
func sit(t *testing.T, command string) (y *typist, done chan int) {
	t.Helper()
	sh := newShell(1 << 20)
	stdin, keys := io.Pipe()
	y = &typist{t: t, keys: keys}
	y.changed.L = &y.mu
	done = make(chan int, 1)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() { cancel(); keys.Close(); stdin.Close() })
	go func() {
		done <- sh.Run(ctx, Call{Command: command, Terminal: true, Stdin: stdin, Stdout: y, Stderr: y})
	}()
	return y, done
}

// expect waits until the screen shows a text, after the one that was waited for
// before.
func (y *typist) expect(text string) {
	y.t.Helper()
	limit := time.AfterFunc(await.Hang, func() { // otherwise a missing text would be waited for without end
		y.mu.Lock()
		y.read = -1
		y.mu.Unlock()
		y.changed.Broadcast()
	})
	defer limit.Stop()
	y.mu.Lock()
	defer y.mu.Unlock()
	for y.read >= 0 {
		if i := strings.Index(y.screen.String()[y.read:], text); i >= 0 {
			y.read += i + len(text)
			return
		}
		y.changed.Wait()
	}
	y.t.Fatalf("the screen shows %q, expected %q", y.screen.String(), text)
}

func (y *typist) press(keys string) {
	y.t.Helper()
	if _, err := io.WriteString(y.keys, keys); err != nil {
		y.t.Fatal(err)
	}
}

// interrupt presses Ctrl-C once a text has appeared, and waits for the prompt after
// it. The interrupted command is given a moment to begin.
func (y *typist) interrupt(after string) {
	y.t.Helper()
	y.expect(after)
	time.Sleep(20 * time.Millisecond)
	y.press(ctrlC)
	y.expect("^C\n")
	y.expect("$ ")
}

func (y *typist) ended(done chan int, status int) {
	y.t.Helper()
	if got := await.From(y.t, "the shell's end", done); got != status {
		y.t.Errorf("it ends with %d, expected %d", got, status)
	}
}

const (
	ctrlC = "\x03"
	ctrlD = "\x04"
)

// TestForeground: Ctrl-C ends the foreground and Ctrl-D its input; at the prompt
// they begin a new line, and end the shell.
func TestForeground(t *testing.T) {
	for name, test := range map[string]func(y *typist){
		"sleep": func(y *typist) {
			y.press("sleep 1000\r")
			y.interrupt("1000\n")
			y.press("echo $?\r")
			y.expect("\n130\n")
		},
		"cat": func(y *typist) {
			y.press("cat\r")
			y.press("one\r")
			y.expect("one\none\n")
			y.press(ctrlC)
			y.expect("$ ")
			y.press("cat; echo end $?\rtwo\r" + ctrlD)
			y.expect("two\n")
			y.expect("end 0\n")
		},
		"loop": func(y *typist) {
			y.press("while true; do true; done\r")
			y.interrupt("done\n")
			y.press("echo after\r")
			y.expect("\nafter\n")
		},
		"logcat": func(y *typist) {
			y.press("logcat\r")
			y.expect("beginning of main")
			y.press(ctrlC)
			y.expect("$ ")
		},
		"pipeline": func(y *typist) {
			y.press("sleep 1000 | cat | cat\r")
			y.interrupt("cat | cat\n")
			y.press("echo $?\r")
			y.expect("130\n")
		},
		"background": func(y *typist) { // must not be interrupted
			y.press("{ sleep 0.1; echo made it; } & echo now; sleep 1000\r")
			y.expect("\nnow\n")
			y.press(ctrlC)
			y.expect("made it\n")
		},
		"line": func(y *typist) {
			y.press("echo nev")
			y.interrupt("nev")
			y.press("echo a\x7fb\r")
			y.expect("\nb\n")
			y.expect("$ ") // what is typed before the prompt is shown before it
			y.press("echo dropped\x15echo kept\r")
			y.expect("\nkept\n")
		},
		"lines": func(y *typist) {
			y.press("for i in 1 2\r")
			y.expect("> ")
			y.press("do echo $i\r")
			y.expect("> ")
			y.press("done\r")
			y.expect("\n1\n2\n")
			y.press("echo 'open\r")
			y.interrupt("> ")
		},
		"exec": func(y *typist) {
			y.press("(exec sleep 1000)\r")
			y.interrupt("1000)\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			y, done := sit(t, "")
			y.expect("test:/ $ ")
			test(y)
			y.press("exit 7\r")
			y.ended(done, 7)
		})
	}
	t.Run("end of file", func(t *testing.T) {
		y, done := sit(t, "")
		y.press("false\r" + ctrlD)
		y.ended(done, 1)
	})
	t.Run("a command", func(t *testing.T) {
		y, done := sit(t, "echo here; cat; echo never")
		y.expect("here")
		y.press(ctrlC)
		y.ended(done, 130)
	})
	t.Run("hung up", func(t *testing.T) {
		y, done := sit(t, "cat; echo $?")
		y.press("unfinished")
		y.keys.Close()
		y.expect("0\n")
		y.ended(done, 0)
	})
}

// TestInterruptedBeforeReading presses Ctrl-C after a command has begun and
// before it reads: it must not wait for keys that nobody presses.
func TestInterruptedBeforeReading(t *testing.T) {
	keys, peer := io.Pipe()
	defer peer.Close()
	term := newTerminal(keys, io.Discard)
	var err error
	interrupted := term.foreground(t.Context(), func(context.Context) {
		term.press(keyInterrupt)
		_, err = term.Read(make([]byte, 10))
	})
	if !interrupted || !errors.Is(err, errInterrupted) {
		t.Errorf("interrupted %t, read %v, expected %v", interrupted, err, errInterrupted)
	}
	if _, err := peer.Write([]byte("next\r")); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 10)
	if n, err := term.Read(line); err != nil || string(line[:n]) != "next\n" {
		t.Errorf("then %q, %v, expected the next line", line[:n], err)
	}
}

// FuzzTerminal types anything; the shell ends when the keys do, and keeps no more
// of them than its bounds allow.
func FuzzTerminal(f *testing.F) {
	for _, keys := range []string{"echo hi\r", "cat\rx\r" + ctrlD + "exit\r", "sleep 9\r" + ctrlC, "a\x7f\x7f\x15\x1c\r", "if\rthen\r" + ctrlC, "cat <<E\rx\rE\r"} {
		f.Add(keys)
	}
	sh := newShell(1 << 20)
	f.Fuzz(func(t *testing.T, keys string) {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond) // the commands may not end by themselves
		defer cancel()
		var mu sync.Mutex
		out := &lockedWriter{mu: &mu, w: &bytes.Buffer{}}
		watch := time.AfterFunc(await.Hang, func() { panic("it hangs: " + keys) })
		sh.Run(ctx, Call{Terminal: true, Stdin: strings.NewReader(keys), Stdout: out, Stderr: out})
		watch.Stop()
	})
}

// TestTerminalBounds: keys that nobody reads are dropped, not kept.
func TestTerminalBounds(t *testing.T) {
	term := newTerminal(strings.NewReader(""), io.Discard)
	for range 100_000 {
		for _, key := range []byte("some keys\r" + ctrlD) {
			term.press(key)
		}
	}
	for range 1 << 20 {
		term.press('x')
	}
	kept := len(term.line)
	for _, line := range term.typed {
		kept += len(line) + 1
	}
	if kept > maxTypeAhead+maxTyped {
		t.Errorf("%d bytes typed are kept, expected at most %d", kept, maxTypeAhead+maxTyped)
	}
}

// TestSleep: sleep takes its full time, and no longer than
// the connection lasts.
func TestSleep(t *testing.T) {
	phone := newShell(1 << 20)
	const long = 80 * time.Millisecond
	began := time.Now()
	lines(phone, "sleep 0.08")
	if took := time.Since(began); took < long {
		t.Errorf("sleep 0.08 took %v", took)
	}
	for _, command := range []string{"sleep 1000d", "sleep 1e300", "logcat", "sh -c 'sleep 99'", "while true; do x=$((x+1)); done"} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Millisecond, cancel)
		done := make(chan int)
		var said bytes.Buffer
		go func() {
			done <- phone.Run(ctx, Call{Command: command + "; echo $?", Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &said})
		}()
		await.From(t, command+" ends with its connection", done)
		if said.Len() > 0 {
			t.Errorf("%s, whose connection has ended, says %q", command, said.String())
		}
	}
}
