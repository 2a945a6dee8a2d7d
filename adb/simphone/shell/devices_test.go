package shell

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"tapwise/adb/adbtest/await"
)

// tape is a device that notes what happens to it.
type tape struct {
	mu    sync.Mutex
	notes []string
	in    io.Reader
	ctx   context.Context
}

func (d *tape) note(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notes = append(d.notes, text)
}

func (d *tape) Read(p []byte) (int, error)  { return d.in.Read(p) }
func (d *tape) Write(p []byte) (int, error) { d.note("write " + string(p)); return len(p), nil }
func (d *tape) Close() error                { d.note("close"); return nil }

// device opens the tape itself.
func (d *tape) device() Device {
	return Device{Permissions: 0o660, Owner: "root", Group: "input", Major: 13, Minor: 66,
		Open: func(ctx context.Context, write bool) (io.ReadWriteCloser, error) {
			d.ctx = ctx
			if write {
				d.note("open")
			}
			return d, nil
		}}
}

// TestDevices: commands reach a device as they reach a file, and let go of it when
// they end.
func TestDevices(t *testing.T) {
	for _, c := range []struct {
		command, out string
		notes        []string
	}{
		{"echo a > /dev/input/event2; echo b", "b\n", []string{"open", "write a\n", "close"}},
		{"cd /dev/input; echo -n '\\x01\\x00' >> event2", "", []string{"open", "write \x01\x00", "close"}},
		{"(echo a; echo b) > /dev/input/event2", "", []string{"open", "write a\n", "write b\n", "close"}},
		{"exec > /dev/input/event2; echo a; echo b", "", []string{"open", "write a\n", "write b\n", "close"}},
		{"cat /dev/input/event2; cat < /dev/input/event2", "abcdefghi", []string{"close", "close"}},
		{"ls -l /dev/input | grep -o '^.* 66'", "crw-rw---- 1 root input  13,  66\n", nil},
		{"[ -e /dev/input/event2 ] && rm /dev/input/event2", "rm: /dev/input/event2: Read-only file system\n? 1\n", nil},
		{"echo a > /dev/input/event1", "/system/bin/sh: can't create /dev/input/event1: Permission denied\n? 1\n", nil},
		{"cat /dev/input/event1", "cat: /dev/input/event1: Permission denied\n? 1\n", nil},
	} {
		sh := newShell(1 << 20)
		d := &tape{in: strings.NewReader("abcdefghi")}
		denied := func(context.Context, bool) (io.ReadWriteCloser, error) { return nil, ErrPermission }
		if err := sh.Files().AddDevice("/dev/input/event2", d.device()); err != nil {
			t.Fatal(err)
		}
		if err := sh.Files().AddDevice("/dev/input/event1", Device{Open: denied}); err != nil {
			t.Fatal(err)
		}
		if got := lines(sh, c.command); got != c.out {
			t.Errorf("%s:\n got %q\nwant %q", c.command, got, c.out)
		}
		if !slices.Equal(d.notes, c.notes) {
			t.Errorf("%s: the device noted %q, expected %q", c.command, d.notes, c.notes)
		}
		sh.Files().RemoveDevice("/dev/input/event2")
		if got := lines(sh, "cat /dev/input/event2"); !strings.Contains(got, "No such file") {
			t.Errorf("a device that was removed: %q", got)
		}
	}
}

// TestDeviceStream: what arrives on an open stream reaches the device at once, and
// the end of the connection closes the device.
func TestDeviceStream(t *testing.T) {
	sh := newShell(1 << 20)
	d := &tape{}
	if err := sh.Files().AddDevice("/dev/input/event2", d.device()); err != nil {
		t.Fatal(err)
	}
	stdin, peer := io.Pipe()
	done := make(chan int)
	go func() {
		var out bytes.Buffer
		done <- sh.Run(t.Context(), Call{Command: "cat > /dev/input/event2", Stdin: stdin, Stdout: &out, Stderr: &out})
	}()
	for _, text := range []string{"down", "move", "up"} {
		io.WriteString(peer, text)
		await.Until(t, "the device notes "+text, func() bool { // the pipe passes the text on before cat has written it
			d.mu.Lock()
			defer d.mu.Unlock()
			return strings.HasSuffix(strings.Join(d.notes, ", "), "write "+text)
		})
	}
	peer.Close()
	if status := <-done; status != 0 || d.notes[len(d.notes)-1] != "close" {
		t.Errorf("status %d, notes %q, expected 0 and a close at the end", status, d.notes)
	}
}

// TestPorts: a program listens until it ends, and only one on a port.
func TestPorts(t *testing.T) {
	var ports Ports
	if _, err := ports.Dial(1080); err == nil {
		t.Error("a port on which nothing listens took a connection")
	}
	connections, free, err := ports.Listen(1080)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := ports.Listen(1080); err == nil {
		t.Error("two programs listen on a port")
	}
	if _, _, err := ports.Listen(65536); err == nil {
		t.Error("a program listens on port 65536")
	}
	var first io.Reader
	for i := range waitingConnections + 1 {
		conn, err := ports.Dial(1080)
		if (err != nil) != (i == waitingConnections) {
			t.Errorf("connection %d: %v", i, err)
		}
		if first == nil {
			first = conn
		}
	}
	conn := <-connections
	go func() { io.WriteString(conn, "hi"); conn.Close() }()
	if got, err := io.ReadAll(first); string(got) != "hi" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
	waiting, err := ports.Dial(1080)
	if err != nil {
		t.Fatal(err)
	}
	free()
	if _, err := waiting.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("a connection that waited for a program that has ended: %v", err)
	}
	if _, err := ports.Dial(1080); err == nil {
		t.Error("a port that was freed took a connection")
	}
}
