package shell

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
)

// Ports are the TCP ports of the phone on which its programs listen. They exist
// within the process only: the daemon's service tcp:N leads to them.
type Ports struct {
	mu        sync.Mutex
	listeners map[int]*portListener
}

// waitingConnections is how many connections wait on a port for the program to
// accept them; more are refused.
const waitingConnections = 8

// Listen takes a port, 1 to 65535, until ctx ends or the listener is closed.
func (p *Ports) Listen(ctx context.Context, port int) (net.Listener, error) {
	if port < 1 || port > 65535 {
		return nil, fmt.Errorf("shell: port %d, expected 1 to 65535", port)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listeners[port] != nil {
		return nil, FileError("Address already in use")
	}
	if p.listeners == nil {
		p.listeners = make(map[int]*portListener)
	}
	l := &portListener{ports: p, port: port, waiting: make(chan net.Conn, waitingConnections), ended: make(chan struct{})}
	p.listeners[port] = l
	l.stop = context.AfterFunc(ctx, func() { l.Close() })
	return l, nil
}

// Dial connects to the program that listens on a port. It does not wait: when none
// listens, the connection is refused.
func (p *Ports) Dial(port int) (net.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.listeners[port]
	if l == nil {
		return nil, FileError("Connection refused")
	}
	here, there := net.Pipe()
	select {
	case l.waiting <- there:
		return here, nil
	default:
		here.Close()
		return nil, FileError("Connection refused")
	}
}

// portListener is a program's end of a port.
type portListener struct {
	ports   *Ports
	port    int
	waiting chan net.Conn
	ended   chan struct{}
	stop    func() bool
	once    sync.Once
}

// Accept waits for the next connection.
func (l *portListener) Accept() (net.Conn, error) {
	select {
	case <-l.ended:
		return nil, net.ErrClosed
	case conn := <-l.waiting:
		return conn, nil
	}
}

// Close frees the port, and refuses those who wait on it.
func (l *portListener) Close() error {
	err := errors.New("shell: the port is closed already")
	l.once.Do(func() {
		err = nil
		l.ports.mu.Lock()
		l.stop()
		delete(l.ports.listeners, l.port)
		l.ports.mu.Unlock()
		close(l.ended)
		for { // nobody adds to it any more
			select {
			case conn := <-l.waiting:
				conn.Close()
			default:
				return
			}
		}
	})
	return err
}

// Addr is the port, on the loopback interface.
func (l *portListener) Addr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: l.port}
}
