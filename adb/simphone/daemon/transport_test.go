package daemon

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"tapwise/adb/adbtest/await"
)

// peer is the server's side of a transport, under the test's control.
type peer struct {
	t    testing.TB
	conn net.Conn
	sum  bool
}

// dial connects and exchanges the handshake.
func dial(t testing.TB, phone *Daemon) *peer {
	t.Helper()
	p := dialRaw(t, phone)
	p.send(packet{commandConnect, versionSkipChecksum, maxPacket, []byte("host::features=shell_v2\x00")})
	p.sum = false // the peer cannot know yet whether its first packet needs one
	answer := p.read()
	if answer.command != commandConnect {
		t.Fatalf("the phone answered CNXN with %#x", answer.command)
	}
	p.sum = answer.arg0 < versionSkipChecksum
	return p
}

func dialRaw(t testing.TB, phone *Daemon) *peer {
	t.Helper()
	conn, err := net.Dial("tcp", phone.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(await.Hang)) // ends a test that hangs
	return &peer{t: t, conn: conn, sum: true}
}

func (p *peer) send(message packet) {
	p.t.Helper()
	if err := writePacket(p.conn, message, p.sum); err != nil {
		p.t.Fatal(err)
	}
}

func (p *peer) read() packet {
	p.t.Helper()
	message, err := readPacket(p.conn, maxPacket, p.sum)
	if err != nil {
		p.t.Fatal(err)
	}
	return message
}

// open opens a stream and returns the phone's id for it.
func (p *peer) open(id uint32, service string) uint32 {
	p.t.Helper()
	p.send(packet{commandOpen, id, 0, []byte(service + "\x00")})
	answer := p.read()
	if answer.command != commandOkay || answer.arg1 != id {
		p.t.Fatalf("the phone answered OPEN of %s with %#x for %d", service, answer.command, answer.arg1)
	}
	return answer.arg0
}

// all reads a stream to its end.
func (p *peer) all(id, remote uint32) string {
	p.t.Helper()
	var out bytes.Buffer
	for {
		switch message := p.read(); message.command {
		case commandWrite:
			out.Write(message.payload)
			p.send(packet{command: commandOkay, arg0: id, arg1: remote})
		case commandClose:
			return out.String()
		}
	}
}

// gone waits for the phone to drop the connection.
func (p *peer) gone() {
	p.t.Helper()
	for {
		_, err := readPacket(p.conn, maxPacket, false)
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() {
			p.t.Fatal("the phone kept the connection")
		}
		if err != nil {
			return
		}
	}
}

func TestTransport(t *testing.T) {
	for _, sdk := range []int{23, 34} { // with and without checksums
		phone := serve(t, Config{SDK: sdk})
		p := dial(t, phone)
		remote := p.open(7, "exec:echo hello")
		if got := p.all(7, remote); got != "hello\n" {
			t.Errorf("SDK %d: got %q", sdk, got)
		}
		p.send(packet{commandOpen, 8, 0, []byte("tcp:80\x00")})
		if answer := p.read(); answer.command != commandClose || answer.arg0 != 0 || answer.arg1 != 8 {
			t.Errorf("SDK %d: refused with %#x(%d, %d), expected CLSE(0, 8)", sdk, answer.command, answer.arg0, answer.arg1)
		}
		p.send(packet{commandWrite, 99, 98, []byte("to nobody")})
		if answer := p.read(); answer.command != commandClose || answer.arg1 != 99 {
			t.Errorf("SDK %d: a write to nobody was answered by %#x for %d", sdk, answer.command, answer.arg1)
		}
	}
}

// One packet at a time is in flight, and none is larger than the smaller limit.
func TestFlowControl(t *testing.T) {
	phone := serve(t, Config{MaxPacket: 8192})
	p := dialRaw(t, phone)
	p.send(packet{commandConnect, versionSkipChecksum, 5000, []byte("host::")})
	p.sum = false
	p.read()
	remote := p.open(1, "exec:frame")
	total := 0
	for {
		message := p.read()
		if message.command == commandClose {
			break
		}
		if len(message.payload) > 5000 {
			t.Fatalf("a packet of %d bytes, expected at most 5000", len(message.payload))
		}
		total += len(message.payload)
		p.conn.SetReadDeadline(time.Now().Add(2 * time.Millisecond))
		if extra, err := readPacket(p.conn, maxPacket, false); err == nil {
			t.Fatalf("packet %#x came before OKAY", extra.command)
		}
		p.conn.SetReadDeadline(time.Now().Add(await.Hang))
		p.send(packet{command: commandOkay, arg0: 1, arg1: remote})
	}
	if want := 16 + 4*270*585; total != want {
		t.Errorf("got %d bytes, expected %d", total, want)
	}
}

// Breaking the protocol costs the connection, and nothing else.
func TestBrokenPeers(t *testing.T) {
	phone := serve(t, Config{})
	header := func(command, arg0, arg1, length, sum, magic uint32) []byte {
		var b []byte
		for _, v := range []uint32{command, arg0, arg1, length, sum, magic} {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		return b
	}
	for name, bytes := range map[string][]byte{
		"wrong magic":       header(commandConnect, versionSkipChecksum, maxPacket, 0, 0, 1),
		"huge packet":       header(commandConnect, versionSkipChecksum, maxPacket, 1<<31, 0, ^uint32(commandConnect)),
		"open first":        header(commandOpen, 1, 0, 0, 0, ^uint32(commandOpen)),
		"old version":       header(commandConnect, 1, maxPacket, 0, 0, ^uint32(commandConnect)),
		"tiny packets":      header(commandConnect, versionSkipChecksum, 12, 0, 0, ^uint32(commandConnect)),
		"http":              []byte("GET / HTTP/1.1\r\nHost: phone\r\n\r\n"),
		"auth without need": header(commandAuth, authSignature, 0, 0, 0, ^uint32(commandAuth)),
	} {
		t.Run(name, func(t *testing.T) {
			p := dialRaw(t, phone)
			p.conn.Write(bytes)
			p.gone()
		})
	}
	t.Run("half a packet", func(t *testing.T) {
		p := dial(t, phone)
		p.conn.Write(header(commandOpen, 1, 0, 50, 0, ^uint32(commandOpen)))
		p.conn.(*net.TCPConn).CloseWrite()
		p.gone()
	})
	t.Run("stream 0", func(t *testing.T) {
		p := dial(t, phone)
		p.send(packet{commandOpen, 0, 0, []byte("shell:echo")})
		p.gone()
	})
	t.Run("no waiting for OKAY", func(t *testing.T) {
		slow := serve(t, Config{})
		p := dial(t, slow)
		remote := p.open(1, "shell:sleep 1000000") // never reads
		for range 3 {
			writePacket(p.conn, packet{commandWrite, 1, remote, []byte("x")}, p.sum)
		}
		p.gone()
	})
	t.Run("wrong checksum", func(t *testing.T) {
		old := serve(t, Config{SDK: 22})
		p := dial(t, old)
		p.conn.Write(append(header(commandOpen, 1, 0, 1, 77, ^uint32(commandOpen)), 'x'))
		p.gone()
	})
	t.Run("too many streams", func(t *testing.T) {
		p := dial(t, phone)
		for i := range uint32(maxStreams) {
			p.open(i+1, "exec:cat")
		}
		p.send(packet{commandOpen, 1000, 0, []byte("exec:cat\x00")})
		if answer := p.read(); answer.command != commandClose || answer.arg1 != 1000 {
			t.Errorf("one stream too many was answered by %#x", answer.command)
		}
	})
	t.Run("too many connections", func(t *testing.T) {
		crowded := serve(t, Config{})
		for range maxTransports {
			dial(t, crowded)
		}
		p := dialRaw(t, crowded)
		p.gone()
	})
	p := dial(t, phone)
	if got := p.all(1, p.open(1, "exec:echo alive")); got != "alive\n" {
		t.Errorf("after all that a shell printed %q", got)
	}
}

// Closing a stream ends the command on it.
func TestPeerCloses(t *testing.T) {
	phone := serve(t, Config{})
	p := dial(t, phone)
	for i, service := range []string{"shell:sleep 1000", "exec:cat", "shell,v2,raw:while true; do echo x; done", "exec:while true; do true; done", "sync:"} {
		id := uint32(i + 1)
		remote := p.open(id, service)
		p.send(packet{command: commandClose, arg0: id, arg1: remote})
		for message := p.read(); message.command != commandClose || message.arg1 != id; message = p.read() {
		}
	}
	if err := phone.Close(); err != nil {
		t.Fatal(err)
	}
}

// Nothing runs after Close, even when the context ends first.
func TestCloseLeavesNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		phone := newDaemon(Config{})
		if err := phone.Listen(ctx, "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		if err := phone.Listen(ctx, "127.0.0.1:0"); err == nil {
			t.Error("a second Listen succeeded")
		}
		for _, service := range []string{"shell:sleep 1000", "shell,v2,raw:cat", "shell:", "exec:cat | cat | cat", "sync:", "shell:sleep 1000 & sleep 1000 & wait", "exec:serve"} {
			peer := dial(t, phone)
			peer.open(1, service)
			defer peer.conn.Close()
		}
		cancel()
		phone.Close()
		if phone.Addr() != "" {
			t.Errorf("a closed phone has address %s", phone.Addr())
		}
	}
	await.Until(t, "the goroutines of before", func() bool { return runtime.NumGoroutine() <= before })
}

// TestPort: the service tcp:N leads to the program that listens on that port, until
// the program ends.
func TestPort(t *testing.T) {
	p := dial(t, serve(t, Config{}))
	refused := func(service string) {
		t.Helper()
		p.send(packet{commandOpen, 90, 0, []byte(service + "\x00")})
		if answer := p.read(); answer.command != commandClose || answer.arg1 != 90 {
			t.Errorf("%s: answered with %#x for %d, expected CLSE", service, answer.command, answer.arg1)
		}
	}
	refused("tcp:1080")
	program := p.open(1, "exec:serve")
	if message := p.read(); string(message.payload) != "listening\n" {
		t.Fatalf("the program wrote %q", message.payload)
	}
	p.send(packet{command: commandOkay, arg0: 1, arg1: program})
	for _, service := range []string{"tcp:1081", "tcp:1080:example.com", "tcp:", "tcp:-1", "tcp:99999999999"} {
		refused(service)
	}
	port := p.open(2, "tcp:1080")
	p.send(packet{commandWrite, 2, port, []byte("touch down 1 2\n")})
	for answered := false; !answered; {
		switch message := p.read(); message.command {
		case commandWrite:
			if string(message.payload) != "touch down 1 2\n" || message.arg0 != port {
				t.Fatalf("the port sent %q on stream %d", message.payload, message.arg0)
			}
			answered = true
		case commandOkay:
		default:
			t.Fatalf("packet %#x, expected the answer", message.command)
		}
	}
	p.send(packet{command: commandClose, arg0: 1, arg1: program}) // the program's end frees its port
	for message := p.read(); message.command != commandClose || message.arg1 != 1; message = p.read() {
	}
	await.Until(t, "the port is closed", func() bool { // a moment after its stream has ended
		p.send(packet{commandOpen, 91, 0, []byte("tcp:1080\x00")})
		answer := p.read()
		for answer.arg1 != 91 {
			answer = p.read()
		}
		if answer.command == commandClose {
			return true
		}
		p.send(packet{command: commandClose, arg0: 91, arg1: answer.arg0})
		return false
	})
}

// The framed shell keeps stdout and stderr apart and returns the exit code.
func TestFramedShell(t *testing.T) {
	phone := serve(t, Config{})
	p := dial(t, phone)
	remote := p.open(1, "shell,v2,TERM=xterm-256color,raw:read a; echo $a; nosuch; exit 9")
	p.send(packet{commandWrite, 1, remote, append([]byte{frameStdin, 3, 0, 0, 0}, "in\n"...)})
	var got []string
	raw := []byte(p.all(1, remote))
	for len(raw) >= frameHeader {
		length := binary.LittleEndian.Uint32(raw[1:])
		got = append(got, fmt.Sprintf("%d %q", raw[0], raw[frameHeader:][:length]))
		raw = raw[frameHeader+length:]
	}
	want := `1 "in\n"; 2 "/system/bin/sh: nosuch: inaccessible or not found\n"; 3 "\t"`
	if text := strings.Join(got, "; "); text != want || len(raw) > 0 {
		t.Errorf("\n got %s\nwant %s", text, want)
	}
}

func TestTerminal(t *testing.T) {
	phone := serve(t, Config{Device: "flow"})
	p := dial(t, phone)
	remote := p.open(1, "shell,v2,TERM=xterm,pty:")
	input := "echo hix\x7f\r\x04"
	frame := binary.LittleEndian.AppendUint32([]byte{frameStdin}, uint32(len(input)))
	p.send(packet{commandWrite, 1, remote, append(frame, input...)})
	raw := []byte(p.all(1, remote))
	var out strings.Builder
	for len(raw) >= frameHeader {
		length := binary.LittleEndian.Uint32(raw[1:])
		if raw[0] == frameStdout {
			out.Write(raw[frameHeader:][:length])
		}
		raw = raw[frameHeader+length:]
	}
	want := "flow:/ $ echo hix\b \b\r\nhi\r\nflow:/ $ "
	if got := out.String(); got != want {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func FuzzPacket(f *testing.F) {
	for _, seed := range []packet{
		{commandConnect, versionSkipChecksum, maxPacket, []byte("host::features=shell_v2,cmd\x00")},
		{commandOpen, 1, 0, []byte("shell:echo hello\x00")},
		{command: commandOkay, arg0: 1, arg1: 1},
	} {
		var b bytes.Buffer
		if err := writePacket(&b, seed, true); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		for {
			before := len(data) - r.Len()
			p, err := readPacket(r, 1<<16, true)
			if err != nil {
				return
			}
			var again bytes.Buffer
			if err := writePacket(&again, p, true); err != nil {
				t.Fatal(err)
			}
			if read := data[before : len(data)-r.Len()]; !bytes.Equal(again.Bytes(), read) {
				t.Fatalf("%x was written back as %x", read, again.Bytes())
			}
		}
	})
}

// FuzzTransport sends anything at all after the handshake.
func FuzzTransport(f *testing.F) {
	stream := func(packets ...packet) []byte {
		var b bytes.Buffer
		for _, p := range packets {
			if err := writePacket(&b, p, false); err != nil {
				f.Fatal(err)
			}
		}
		return b.Bytes()
	}
	f.Add(stream(packet{commandOpen, 1, 0, []byte("shell,v2,raw:echo a; exit 3\x00")}, packet{commandOkay, 1, 1, nil}, packet{commandOkay, 1, 1, nil}))
	f.Add(stream(packet{commandOpen, 1, 0, []byte("sync:\x00")}, packet{commandWrite, 1, 1, []byte("STAT\x01\x00\x00\x00/")}, packet{commandClose, 1, 1, nil}))
	f.Add(stream(packet{commandOpen, 1, 0, []byte("shell:\x00")}, packet{commandWrite, 1, 1, []byte("ls\n")}))
	phone := newDaemon(Config{})
	f.Fuzz(func(t *testing.T, data []byte) {
		here, there := net.Pipe()
		transport := newTransport(t.Context(), phone, there)
		done := make(chan struct{})
		go func() {
			defer close(done)
			transport.run()
		}()
		go io.Copy(io.Discard, here)
		if err := writePacket(here, packet{commandConnect, versionSkipChecksum, maxPacket, []byte("host::")}, true); err != nil {
			t.Fatal(err)
		}
		here.Write(data)
		here.Close()
		<-done
	})
}
