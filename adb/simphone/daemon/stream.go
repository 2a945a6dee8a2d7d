package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"tapwise/adb/simphone/shell"
)

// errStreamClosed is the error of writing to a stream that nobody reads, which ends a
// command like a closed pipe.
var errStreamClosed = fmt.Errorf("simphone: stream closed by the peer: %w", io.ErrClosedPipe)

// stream is the two-way byte stream of one service. The protocol allows one packet
// in flight in each direction: the next is sent after the peer's OKAY.
type stream struct {
	transport     *transport
	local, remote uint32
	ctx           context.Context // ends when either side has closed
	cancel        context.CancelFunc

	writeMu sync.Mutex
	ready   chan struct{} // holds a token while no packet waits for its OKAY

	in      chan []byte // a packet that is not yet read
	pending []byte      // the rest of the packet being read
}

func newStream(t *transport, local, remote uint32) *stream {
	s := &stream{transport: t, local: local, remote: remote, ready: make(chan struct{}, 1), in: make(chan []byte, 1)}
	s.ready <- struct{}{}
	s.ctx, s.cancel = context.WithCancel(t.ctx)
	return s
}

// Write sends p in packets that the peer can take. It returns when the last one is
// sent, not when it is acknowledged. Several goroutines may write.
func (s *stream) Write(p []byte) (int, error) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	s.transport.mu.Lock()
	maxData := s.transport.maxData
	s.transport.mu.Unlock()
	written := 0
	for written < len(p) {
		select {
		case <-s.ctx.Done():
			return written, errStreamClosed
		case <-s.ready:
		}
		if s.ctx.Err() != nil { // both cases were ready
			return written, errStreamClosed
		}
		chunk := p[written:min(len(p), written+maxData)]
		if s.transport.daemon.carry(s.ctx, len(chunk)) != nil {
			return written, errStreamClosed
		}
		if err := s.transport.send(packet{command: commandWrite, arg0: s.local, arg1: s.remote, payload: chunk}); err != nil {
			s.transport.drop()
			return written, err
		}
		written += len(chunk)
	}
	return written, nil
}

// carry takes the time that a packet of data needs on its way to the computer. All
// streams share the way.
func (d *Daemon) carry(ctx context.Context, bytes int) error {
	if d.config.Rate == 0 && d.config.Latency == 0 {
		return nil
	}
	select {
	case d.link <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-d.link }()
	needed := d.config.Latency
	if d.config.Rate > 0 {
		needed += time.Duration(float64(bytes) / float64(d.config.Rate) * float64(time.Second))
	}
	return shell.Sleep(ctx, needed)
}

// acknowledge notes the peer's OKAY; an extra one changes nothing.
func (s *stream) acknowledge() {
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// Read reads what the peer wrote; io.EOF once the peer has closed. Only one
// goroutine may read.
func (s *stream) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(s.pending) == 0 {
		select {
		case s.pending = <-s.in: // even after the peer has closed
		default:
			select {
			case s.pending = <-s.in:
			case <-s.ctx.Done():
				return 0, io.EOF
			}
		}
	}
	n := copy(p, s.pending)
	s.pending = s.pending[n:]
	if len(s.pending) == 0 && s.ctx.Err() == nil {
		if err := s.okay(); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (s *stream) okay() error {
	return s.transport.send(packet{command: commandOkay, arg0: s.local, arg1: s.remote})
}

// receive takes a packet for the service. A peer that does not wait for OKAY
// breaks the protocol and loses the whole transport: nothing may queue up.
func (s *stream) receive(payload []byte) error {
	if len(payload) == 0 {
		return s.okay()
	}
	select {
	case s.in <- payload:
		return nil
	default:
		return errors.New("simphone: peer wrote without waiting for OKAY")
	}
}

// peerClosed ends the stream; like the real daemon, it answers with a CLSE.
func (s *stream) peerClosed() {
	s.cancel()
	s.close()
}

// finish ends the stream when its service has ended, after the last packet was
// acknowledged.
func (s *stream) finish() {
	select {
	case <-s.ctx.Done():
	case <-s.ready:
	}
	s.close()
	s.cancel()
}

func (s *stream) close() {
	if s.transport.remove(s) {
		// An error means that the transport is gone, and the stream with it.
		_ = s.transport.send(packet{command: commandClose, arg0: s.local, arg1: s.remote})
	}
}
