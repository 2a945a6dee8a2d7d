package simphone

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone/shell"
)

// lines runs a command and returns its output and its exit code.
func lines(phone *Phone, command string) string {
	var out bytes.Buffer
	status := phone.shell.Run(context.Background(), shell.Call{Command: command, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
	text := out.String()
	if status != 0 {
		text += fmt.Sprintf("? %d\n", status)
	}
	return text
}

func boardPhone(t testing.TB, config Config) (*Phone, *boardApp) {
	t.Helper()
	board := &boardApp{name: boardPackage}
	config.Apps = []Installed{Instance(board)}
	config.Foreground = boardPackage
	config.Size = image.Pt(270, 585)
	phone, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return phone, board
}

// TestShell runs the commands of testdata/shell.txt, each on a new phone.
func TestShell(t *testing.T) {
	data, err := os.ReadFile("testdata/shell.txt")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(data), "\n\n$ ")
	if len(blocks) < 50 {
		t.Fatalf("only %d commands in testdata/shell.txt", len(blocks)-1)
	}
	for _, block := range blocks[1:] {
		command, want, _ := strings.Cut(block, "\n")
		for strings.HasSuffix(command, "<<END") { // a here-document continues below
			document, rest, _ := strings.Cut(want, "\nEND\n")
			command, want = command+"\n"+document+"\nEND", rest
		}
		want = strings.TrimSuffix(want, "\n")
		t.Run(command, func(t *testing.T) {
			phone, _ := boardPhone(t, Config{})
			if got := strings.TrimSuffix(lines(phone, command), "\n"); got != want {
				t.Errorf("\ngot:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// FuzzShell runs anything as a command; it must not panic or hang.
func FuzzShell(f *testing.F) {
	data, err := os.ReadFile("testdata/shell.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, block := range strings.Split(string(data), "\n\n$ ")[1:] {
		command, _, _ := strings.Cut(block, "\n")
		f.Add(command)
	}
	phone, _ := boardPhone(f, Config{FileBytes: 1 << 20})
	f.Fuzz(func(t *testing.T, command string) {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond) // loops may be endless
		defer cancel()
		var out bytes.Buffer
		var mu sync.Mutex
		w := &lockedWriter{mu: &mu, w: &out}
		watch := time.AfterFunc(await.Hang, func() { panic(fmt.Sprintf("%q hangs", command)) })
		phone.shell.Run(ctx, shell.Call{Command: command, Stdin: strings.NewReader("line one\nline two\n"), Stdout: w, Stderr: w})
		watch.Stop()
		if len(phone.crashLog) > 0 {
			t.Fatal(phone.crashLog[0].text)
		}
	})
}

// lockedWriter serves commands that write at the same time.
type lockedWriter struct {
	mu *sync.Mutex
	w  *bytes.Buffer
}

func (l *lockedWriter) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.String()
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.w.Len() > 1<<22 {
		l.w.Reset()
	}
	return l.w.Write(p)
}
