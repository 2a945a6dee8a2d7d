package shell

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// bare is a phone with one program of its own, logcat, which goes on until it is
// ended.
type bare struct{}

func (bare) SDK() int     { return 34 }
func (bare) Name() string { return "test" }
func (bare) Program(name string) Program {
	if name != "logcat" {
		return nil
	}
	return func(p *Process) int {
		p.Print("--------- beginning of main\n")
		<-p.Ctx.Done()
		return 130
	}
}

func (bare) Adapt(_ string, program Program) Program { return program }

func newShell(fileBytes int64) *Shell {
	return New(bare{}, NewFileSystem(fileBytes, time.Now), slog.New(slog.DiscardHandler))
}

// lines runs a command and returns its output and its exit code.
func lines(sh *Shell, command string) string {
	var out bytes.Buffer
	status := sh.Run(context.Background(), Call{Command: command, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
	text := out.String()
	if status != 0 {
		text += fmt.Sprintf("? %d\n", status)
	}
	return text
}

// Commands that would exhaust the host end with an error, quickly.
func TestShellBounds(t *testing.T) {
	for name, command := range map[string]string{
		"doubling":        "a=xxxxxxxxxxxxxxxx; " + strings.Repeat("a=$a$a; ", 200) + "echo end",
		"many variables":  "a=xxxxxxxxxxxxxxxx; " + strings.Repeat("a=$a$a; ", 15) + "b=$a; c=$a; echo end",
		"long command":    strings.Repeat("x", maxCommand+1),
		"deep subshells":  strings.Repeat("(", 5000) + "true" + strings.Repeat(")", 5000),
		"deep arithmetic": "echo $((" + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + "))",
		"deep quotes":     strings.Repeat(`"$(echo `, 2000) + "x" + strings.Repeat(`)"`, 2000),
		"long pipeline":   "true" + strings.Repeat("|true", 5000),
		"long list":       "true" + strings.Repeat("&&true", 5000),
		"files again":     "echo /*" + strings.Repeat("/../*", 20),
		"long patterns":   "a=xxxxxxxxxxxxxxxx; " + strings.Repeat("a=$a$a; ", 10) + "echo ${a#$a}",
		"long arguments":  "a=xxxxxxxxxxxxxxxx; " + strings.Repeat("a=$a$a; ", 13) + "echo " + strings.Repeat("$a ", 20),
		"deep parameters": "echo " + strings.Repeat("${x:-", 5000) + strings.Repeat("}", 5000),
		"many jobs":       strings.Repeat("sleep 1000 & ", 500),
		"endless text":    "x=$(while true; do echo yes; done)",
		"big file":        "a=xxxxxxxxxxxxxxxx; " + strings.Repeat("a=$a$a; ", 10) + "while true; do echo $a || echo full >&2; done > /sdcard/a; echo end",
	} {
		t.Run(name, func(t *testing.T) {
			phone := newShell(1 << 20)
			if name == "big file" || name == "many jobs" { // loops and sleepers go on after the error
				ctx, cancel := context.WithCancel(t.Context())
				fill := &bytes.Buffer{}
				done := make(chan int)
				go func() {
					done <- phone.Run(ctx, Call{Command: command, Stdin: strings.NewReader(""), Stdout: fill, Stderr: &stopAt{cancel, 1}})
				}()
				if status := <-done; status != 130 {
					t.Errorf("status %d, expected 130", status)
				}
				return
			}
			got := lines(phone, command)
			if !strings.Contains(got, shellPath+": ") {
				t.Errorf("got %.200q, expected an error", got)
			}
		})
	}
}

// stopAt cancels at the first write.
type stopAt struct {
	cancel context.CancelFunc
	left   int
}

func (s *stopAt) Write(p []byte) (int, error) {
	if s.left--; s.left <= 0 {
		s.cancel()
	}
	return len(p), nil
}

// lockedWriter serves commands that write at the same time.
type lockedWriter struct {
	mu *sync.Mutex
	w  *bytes.Buffer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.w.Len() > 1<<22 {
		l.w.Reset()
	}
	return l.w.Write(p)
}
