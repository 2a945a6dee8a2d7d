package shell

import (
	"fmt"
	"net"
	"sync"
)

// Ports are the TCP ports of the phone on which its programs listen. They exist
// within the process only: the daemon's service tcp:N leads to them.
type Ports struct {
	mu      sync.Mutex
	waiting map[int]chan net.Conn
}

// waitingConnections is how many connections wait on a port for the program to
// take them; more are refused.
const waitingConnections = 8

// Listen takes a port, 1 to 65535, until it is freed. Connections to it come through the
// channel.
func (p *Ports) Listen(port int) (connections <-chan net.Conn, free func(), err error) {
	if port < 1 || port > 65535 {
		return nil, nil, fmt.Errorf("shell: port %d, expected 1 to 65535", port)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting[port] != nil {
		return nil, nil, FileError("Address already in use")
	}
	if p.waiting == nil {
		p.waiting = make(map[int]chan net.Conn)
	}
	waiting := make(chan net.Conn, waitingConnections)
	p.waiting[port] = waiting
	return waiting, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.waiting, port)
		for len(waiting) > 0 { // nobody adds to it any more
			(<-waiting).Close()
		}
	}, nil
}

// Dial connects to the program that listens on a port. It does not wait: when none
// listens, the connection is refused.
func (p *Ports) Dial(port int) (net.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	here, there := net.Pipe()
	select {
	case p.waiting[port] <- there: // without a listener it is nil, and takes nothing
		return here, nil
	default:
		return nil, FileError("Connection refused")
	}
}
