package daemon

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
)

const (
	maxStreams = 128 // open at once on one transport

	// The kinds of an AUTH packet.
	authToken     = 1
	authSignature = 2
	authPublicKey = 3
)

// transport is one TCP connection from an adb server.
type transport struct {
	daemon *Daemon
	conn   net.Conn
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup // counts the services of its streams

	writeMu sync.Mutex // lets one packet at a time onto the wire

	mu      sync.Mutex
	state   transportState
	sum     bool // the peer wants checksums
	maxData int  // the most bytes the peer takes in one packet
	streams map[uint32]*stream
	nextID  uint32
}

type transportState int

const (
	stateNew     transportState = iota // before the peer's CNXN
	stateAuth                          // a token was sent
	stateWaiting                       // a key was offered and not yet allowed
	stateOnline
)

func newTransport(ctx context.Context, d *Daemon, conn net.Conn) *transport {
	t := &transport{daemon: d, conn: conn, sum: true, maxData: minPacket, streams: make(map[uint32]*stream)}
	t.ctx, t.cancel = context.WithCancel(ctx)
	return t
}

// run serves the connection until it ends, and returns when all its services have
// ended.
func (t *transport) run() {
	// Closing the connection frees reads and writes that wait for the peer.
	stop := context.AfterFunc(t.ctx, func() { t.conn.Close() })
	err := t.serve()
	t.cancel()
	if stop() {
		t.conn.Close()
	}
	t.wg.Wait()
	t.daemon.log.Debug("transport ended", "peer", t.conn.RemoteAddr().String(), "error", err)
}

// drop ends the transport now, whatever is in progress.
func (t *transport) drop() { t.cancel() }

func (t *transport) serve() error {
	for {
		limit, verify := handshakePayload, false
		t.mu.Lock()
		if t.state == stateOnline {
			limit, verify = t.daemon.config.MaxPacket, t.sum
		}
		t.mu.Unlock()
		p, err := readPacket(t.conn, limit, verify)
		if err != nil {
			return err
		}
		if err := t.handle(p); err != nil {
			return err
		}
	}
}

func (t *transport) handle(p packet) error {
	t.mu.Lock()
	state := t.state
	t.mu.Unlock()
	switch {
	case p.command == commandConnect && state == stateNew:
		return t.handshake(p)
	case p.command == commandAuth && (state == stateAuth || state == stateWaiting):
		return t.authenticate(p)
	case p.command == commandSync:
		return nil // obsolete, and meaningless over TCP
	case state != stateOnline:
		return fmt.Errorf("simphone: packet %#x before the handshake ended", p.command)
	}
	switch p.command {
	case commandOpen:
		return t.open(p)
	case commandOkay:
		if s := t.find(p); s != nil {
			s.acknowledge()
		}
	case commandWrite:
		if s := t.find(p); s != nil {
			return s.receive(p.payload)
		}
		// The service ended while the packet was on its way.
		return t.send(packet{command: commandClose, arg1: p.arg0})
	case commandClose:
		if s := t.find(p); s != nil {
			s.peerClosed()
		}
	default:
		return fmt.Errorf("simphone: unexpected packet %#x", p.command)
	}
	return nil
}

func (t *transport) handshake(p packet) error {
	if p.arg0 < versionChecksum {
		return fmt.Errorf("simphone: peer speaks version %#x, expected at least %#x", p.arg0, versionChecksum)
	}
	if p.arg1 < minPacket {
		return fmt.Errorf("simphone: peer takes packets of %d bytes, expected at least %d", p.arg1, minPacket)
	}
	t.mu.Lock()
	t.sum = min(p.arg0, t.daemon.version()) < versionSkipChecksum
	t.maxData = int(min(p.arg1, uint32(t.daemon.config.MaxPacket)))
	t.mu.Unlock()
	if t.daemon.auth() == AuthOff {
		return t.online()
	}
	return t.challenge()
}

// challenge sends a token to sign. It need not be secret: no signature is ever
// accepted, only a key that the owner allows.
func (t *transport) challenge() error {
	t.mu.Lock()
	t.state = stateAuth
	t.mu.Unlock()
	token := []byte("tapwise-simphone-tok")
	return t.send(packet{command: commandAuth, arg0: authToken, payload: token})
}

func (t *transport) authenticate(p packet) error {
	switch p.arg0 {
	case authSignature:
		if t.daemon.auth() == AuthOff { // allowed since the token was sent
			return t.online()
		}
		return t.challenge()
	case authPublicKey:
		if t.daemon.auth() != AuthNever {
			return t.online()
		}
		t.mu.Lock()
		t.state = stateWaiting
		t.mu.Unlock()
		return nil
	}
	return fmt.Errorf("simphone: AUTH packet of kind %d", p.arg0)
}

// allow does what the owner's finger on "Allow USB debugging" does.
func (t *transport) allow() {
	t.mu.Lock()
	waiting := t.state == stateWaiting
	t.mu.Unlock()
	if waiting && t.online() != nil {
		t.drop()
	}
}

func (t *transport) online() error {
	t.mu.Lock()
	t.state = stateOnline
	t.mu.Unlock()
	return t.send(packet{
		command: commandConnect,
		arg0:    t.daemon.version(),
		arg1:    uint32(t.daemon.config.MaxPacket),
		payload: []byte(t.daemon.banner()),
	})
}

func (t *transport) open(p packet) error {
	refuse := packet{command: commandClose, arg1: p.arg0}
	if p.arg0 == 0 {
		return fmt.Errorf("simphone: OPEN of stream 0")
	}
	name := strings.TrimRight(string(p.payload), "\x00")
	service := t.daemon.service(name)
	t.mu.Lock()
	if service == nil || len(t.streams) >= maxStreams {
		t.mu.Unlock()
		t.daemon.log.Debug("service refused", "service", name)
		return t.send(refuse)
	}
	for t.nextID++; t.nextID == 0 || t.streams[t.nextID] != nil; t.nextID++ {
	}
	s := newStream(t, t.nextID, p.arg0)
	t.streams[s.local] = s
	t.mu.Unlock()
	t.daemon.log.Debug("service", "service", name)
	if err := t.send(packet{command: commandOkay, arg0: s.local, arg1: s.remote}); err != nil {
		return err
	}
	t.wg.Add(1)
	go func() {
		defer t.wg.Done()
		defer s.finish()
		defer func() {
			if r := recover(); r != nil {
				t.daemon.log.Error("service died", "service", name, "panic", r)
			}
		}()
		service(s.ctx, s)
	}()
	return nil
}

func (t *transport) find(p packet) *stream {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.streams[p.arg1]; s != nil && s.remote == p.arg0 {
		return s
	}
	return nil
}

// remove takes the stream off the list, and reports whether it was on it.
func (t *transport) remove(s *stream) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.streams[s.local] != s {
		return false
	}
	delete(t.streams, s.local)
	return true
}

func (t *transport) send(p packet) error {
	t.mu.Lock()
	sum := t.sum
	t.mu.Unlock()
	t.writeMu.Lock()
	defer t.writeMu.Unlock()
	return writePacket(t.conn, p, sum)
}
