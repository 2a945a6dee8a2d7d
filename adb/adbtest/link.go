package adbtest

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"testing"

	"tapwise/adb/simphone"
)

// LinkSerial is the serial of the phone of a Link.
const LinkSerial = "link"

// Link is an adb server within the process, joined to one simulated phone by a pipe.
// Nothing of it waits for the network, so in a bubble of package synctest the phone
// takes exactly as long as it is told to, and the test next to nothing. It knows the
// requests by which package adb lists a phone and uses its services, not those by which
// phones are connected and files are copied.
type Link struct {
	conn    net.Conn
	reading sync.WaitGroup // the goroutines of the link

	writeMu sync.Mutex // lets one packet at a time through the pipe

	mu      sync.Mutex
	streams map[uint32]*linkStream // by the id on this side
	last    uint32
	most    int // bytes of a packet that the phone takes
}

// linkStream is one service of the phone, from the server's side.
type linkStream struct {
	remote uint32        // the phone's id, known once it is ready
	ready  chan struct{} // holds a token when the phone took what was sent
	in     chan []byte   // a packet that the client has not got yet
	closed chan struct{} // closed by the phone
}

// The parts of adb's transport that the link needs (adb's protocol.txt).
const (
	packetHeader = 24
	packetBytes  = 1 << 20
	clientBytes  = 16 << 10   // of a client that are sent on at once
	version      = 0x01000001 // without checksums
	oldVersion   = 0x01000000

	connect   = "CNXN"
	openOne   = "OPEN"
	okay      = "OKAY"
	write     = "WRTE"
	closeOne  = "CLSE"
	firstMost = 4096 // before the phone has said what it takes
)

// NewLink joins a phone that does not listen elsewhere. The link ends with the test.
func NewLink(t testing.TB, phone *simphone.Phone) *Link {
	t.Helper()
	here, there := net.Pipe()
	if err := phone.Serve(context.Background(), &oneConn{conn: there, ended: make(chan struct{})}); err != nil {
		t.Fatal(err)
	}
	l := &Link{conn: here, streams: make(map[uint32]*linkStream), most: firstMost}
	online := make(chan error, 1)
	l.reading.Go(func() { l.read(online) })
	t.Cleanup(func() {
		l.conn.Close()
		l.reading.Wait()
		phone.Close()
	})
	if err := l.send(connect, version, packetBytes, []byte("host::features=shell_v2\x00")); err != nil {
		t.Fatal(err)
	}
	if err := <-online; err != nil {
		t.Fatal(err)
	}
	return l
}

// oneConn is a listener with one connection.
type oneConn struct {
	conn  net.Conn
	taken sync.Once
	ended chan struct{}
	once  sync.Once
}

func (o *oneConn) Accept() (net.Conn, error) {
	var first net.Conn
	o.taken.Do(func() { first = o.conn })
	if first != nil {
		return first, nil
	}
	<-o.ended
	return nil, net.ErrClosed
}

func (o *oneConn) Close() error {
	o.once.Do(func() { close(o.ended) })
	return nil
}

func (o *oneConn) Addr() net.Addr { return o.conn.LocalAddr() }

// send writes a packet, with its checksum, which is never wrong.
func (l *Link) send(command string, arg0, arg1 uint32, payload []byte) error {
	packet := make([]byte, packetHeader, packetHeader+len(payload))
	sum := uint32(0)
	for _, b := range payload {
		sum += uint32(b)
	}
	number := binary.LittleEndian.Uint32([]byte(command))
	for i, field := range []uint32{number, arg0, arg1, uint32(len(payload)), sum, ^number} {
		binary.LittleEndian.PutUint32(packet[4*i:], field)
	}
	l.writeMu.Lock()
	defer l.writeMu.Unlock()
	_, err := l.conn.Write(append(packet, payload...))
	return err
}

// read takes the phone's packets until the link ends. It never writes, so that both
// sides never wait for each other. What came of the handshake goes to online.
func (l *Link) read(online chan<- error) {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, s := range l.streams {
			s.end()
		}
		l.streams = nil
	}()
	for {
		var header [packetHeader]byte
		if _, err := io.ReadFull(l.conn, header[:]); err != nil {
			return
		}
		arg0, arg1 := binary.LittleEndian.Uint32(header[4:]), binary.LittleEndian.Uint32(header[8:])
		payload := make([]byte, binary.LittleEndian.Uint32(header[12:]))
		if _, err := io.ReadFull(l.conn, payload); err != nil {
			return
		}
		command := string(header[:4])
		if command == connect {
			l.mu.Lock()
			l.most = int(min(arg1, packetBytes))
			l.mu.Unlock()
			if arg0 < oldVersion {
				online <- fmt.Errorf("adbtest: the phone speaks version %#x", arg0)
				return
			}
			online <- nil
			continue
		}
		l.mu.Lock()
		s := l.streams[arg1]
		if command == closeOne {
			delete(l.streams, arg1)
		}
		l.mu.Unlock()
		if s == nil {
			continue // it was closed on this side
		}
		switch command {
		case okay:
			if s.remote == 0 {
				s.remote = arg0
			}
			s.ready <- struct{}{}
		case write:
			s.in <- payload
		case closeOne:
			s.end()
		}
	}
}

// end is called once: by whoever took the stream off the list.
func (s *linkStream) end() { close(s.closed) }

// Dial connects a client: it is for adb.Config.
func (l *Link) Dial(context.Context) (net.Conn, error) {
	client, server := net.Pipe()
	l.reading.Go(func() {
		defer server.Close()
		l.serve(server)
	})
	return client, nil
}

// serve answers a client's requests.
func (l *Link) serve(c net.Conn) {
	for {
		request, err := readRequest(c)
		if err != nil {
			return
		}
		switch request {
		case "host:version":
			fmt.Fprint(c, okay, "00040029")
			return
		case "host:devices-l":
			list := LinkSerial + " device product:simphone model:Sim_Phone device:simphone transport_id:1\n"
			fmt.Fprintf(c, "%s%04x%s", okay, len(list), list)
			return
		case "host-serial:" + LinkSerial + ":get-state":
			fmt.Fprintf(c, "%s%04xdevice", okay, len("device"))
			return
		case "host:transport:" + LinkSerial:
			fmt.Fprint(c, okay)
			continue
		}
		l.service(c, request)
		return
	}
}

func readRequest(c net.Conn) (string, error) {
	var digits [4]byte
	if _, err := io.ReadFull(c, digits[:]); err != nil {
		return "", err
	}
	size, err := strconv.ParseUint(string(digits[:]), 16, 16)
	if err != nil {
		return "", err
	}
	text := make([]byte, size)
	_, err = io.ReadFull(c, text)
	return string(text), err
}

// service joins a client to a service of the phone, until either ends.
func (l *Link) service(c net.Conn, name string) {
	s := &linkStream{ready: make(chan struct{}, 1), in: make(chan []byte, 1), closed: make(chan struct{})}
	l.mu.Lock()
	if l.streams == nil {
		l.mu.Unlock()
		fmt.Fprintf(c, "FAIL%04x%s", len("device offline"), "device offline")
		return
	}
	l.last++
	id, most := l.last, l.most
	l.streams[id] = s
	l.mu.Unlock()
	if l.send(openOne, id, 0, append([]byte(name), 0)) != nil {
		return
	}
	select {
	case <-s.ready:
	case <-s.closed:
		fmt.Fprintf(c, "FAIL%04x%s", len("closed"), "closed")
		return
	}
	if _, err := fmt.Fprint(c, okay); err != nil {
		l.leave(id, s)
		return
	}
	s.ready <- struct{}{}
	l.reading.Go(func() {
		defer l.leave(id, s) // when the client has closed
		buffer := make([]byte, min(most, clientBytes))
		for {
			n, err := c.Read(buffer)
			if err != nil {
				return
			}
			select {
			case <-s.ready:
			case <-s.closed:
				return
			}
			if l.send(write, id, s.remote, buffer[:n]) != nil {
				return
			}
		}
	})
	for {
		select {
		case data := <-s.in:
			if _, err := c.Write(data); err != nil || l.send(okay, id, s.remote, nil) != nil {
				return
			}
		case <-s.closed:
			select {
			case data := <-s.in:
				_, _ = c.Write(data) // a client that is gone does not want it
			default:
			}
			return
		}
	}
}

// leave closes a stream from this side.
func (l *Link) leave(id uint32, s *linkStream) {
	l.mu.Lock()
	mine := l.streams[id] == s
	delete(l.streams, id)
	l.mu.Unlock()
	if mine {
		s.end()
		_ = l.send(closeOne, id, s.remote, nil) // without a phone nobody needs to be told
	}
}
