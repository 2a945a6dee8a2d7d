package boundedfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// folder holds one of each kind of thing that can stand in place of a file.
func folder(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	in := filepath.Join(top, "in")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(in, "folder"), 0o755),
		os.WriteFile(filepath.Join(in, "file"), []byte("inside"), 0o600),
		os.WriteFile(filepath.Join(in, "empty"), nil, 0o600),
		os.WriteFile(filepath.Join(top, "outside"), []byte("outside"), 0o600),
		os.Symlink("file", filepath.Join(in, "link")),
		os.Symlink("../outside", filepath.Join(in, "up")),
		os.Symlink("/dev/zero", filepath.Join(in, "zero")),
		os.Symlink("loop", filepath.Join(in, "loop")),
		syscall.Mkfifo(filepath.Join(in, "pipe"), 0o600),
		os.Symlink("pipe", filepath.Join(in, "link-to-pipe")),
		os.WriteFile(filepath.Join(in, "large"), nil, 0o600),
		os.Truncate(filepath.Join(in, "large"), 1<<40), // takes no space
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return in
}

// atOnce runs a function that must not wait for a pipe's writer: it would wait for
// ever.
func atOnce(t *testing.T, name string, read func() ([]byte, error)) (data []byte, err error) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		data, err = read()
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Minute):
		t.Fatalf("%s: waits", name)
	}
	return data, err
}

func TestRead(t *testing.T) {
	in := folder(t)
	for _, test := range []struct {
		name, want, wantIn string // what is read, or the error's text
	}{
		{"file", "inside", "inside"},
		{"empty", "", ""},
		{"link", "inside", "link is a link: not a regular file"},
		{"up", "outside", "up is a link: not a regular file"},
		{"zero", "is a device: not a regular file", "zero is a link: not a regular file"},
		{"/dev/zero", "is a device: not a regular file", "escapes"},
		{"loop", "too many levels", "loop is a link: not a regular file"},
		{"pipe", "is a pipe: not a regular file", "is a pipe: not a regular file"},
		{"link-to-pipe", "is a pipe: not a regular file", "is a link: not a regular file"},
		{"folder", "is a folder: not a regular file", "is a folder: not a regular file"},
		{"large", "too large, expected at most 100 bytes", "too large, expected at most 100 bytes"},
		{"../outside", "outside", "escapes"},
		{"nothing", "no such file", "no such file"},
	} {
		for _, way := range []struct {
			what, want string
			read       func() ([]byte, error)
		}{
			{"Read", test.want, func() ([]byte, error) {
				name := test.name
				if !filepath.IsAbs(name) {
					name = filepath.Join(in, name)
				}
				return Read(name, 100)
			}},
			{"ReadIn", test.wantIn, func() ([]byte, error) { return ReadIn(in, test.name, 100) }},
		} {
			data, err := atOnce(t, way.what+" "+test.name, way.read)
			got := string(data)
			if err != nil {
				got = err.Error()
			}
			if err == nil && got != way.want || err != nil && (way.want == "" || !strings.Contains(got, way.want)) {
				t.Errorf("%s %s: %q, %v, expected %q", way.what, test.name, data, err, way.want)
			}
		}
	}
}

// TestReadArgument reads a pipe to its end, and an endless device only up to the
// limit.
func TestReadArgument(t *testing.T) {
	in := folder(t)
	pipe := filepath.Join(in, "pipe")
	go func() { _ = os.WriteFile(pipe, []byte("generated"), 0) }() // the reader reports errors
	data, err := atOnce(t, "pipe", func() ([]byte, error) { return ReadArgument(pipe, 100) })
	if err != nil || string(data) != "generated" {
		t.Errorf("a pipe: %q, %v", data, err)
	}
	if _, err := ReadArgument("/dev/zero", 100); !errors.Is(err, ErrTooLarge) {
		t.Errorf("/dev/zero: %v, expected that it is too large", err)
	}
	if _, err := ReadArgument(filepath.Join(in, "folder"), 100); err == nil {
		t.Error("a folder was read")
	}
}

// endless counts the bytes read from it.
type endless struct{ bytes int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.bytes += int64(len(p))
	return len(p), nil
}

func TestReadAllStops(t *testing.T) {
	const limit = 1 << 16
	var e endless
	if _, err := ReadAll(&e, "a stream", limit); !errors.Is(err, ErrTooLarge) || e.bytes > 2*limit {
		t.Errorf("%v after %d bytes, expected that %d are too large", err, e.bytes, limit)
	}
	if data, err := ReadAll(io.LimitReader(&endless{}, limit), "a stream", limit); err != nil || len(data) != limit {
		t.Errorf("%d bytes, %v, expected %d", len(data), err, limit)
	}
}
