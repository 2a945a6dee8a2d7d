package simulation

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"tapwise/adb/privateserver"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/console/cause"
)

// Server is an adb server apart from the user's, for simulated phones. The zero value
// has not started.
type Server struct {
	own   atomic.Pointer[privateserver.Server] // nil before Open
	home  string                               // the server's folder
	phone string                               // the address of the phone that was connected last
}

// Start opens the server and connects the phone. With refused, it is no error if the phone
// refuses to be connected.
func (s *Server) Start(ctx context.Context, phone *simphone.Phone, refused bool) error {
	err := s.Open(ctx)
	if err == nil {
		err = s.Connect(ctx, phone, refused)
	}
	if err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

// Open starts the server, without phones.
func (s *Server) Open(ctx context.Context) (err error) {
	if s.home, err = os.MkdirTemp("", "tapwise-adb-"); err != nil {
		return err
	}
	server, err := privateserver.Start(ctx, s.home)
	if errors.Is(err, privateserver.ErrNoADB) {
		return cause.Inputf("adb is not installed (Debian and Ubuntu: apt install adb)")
	}
	if err != nil {
		return cause.Phone(err)
	}
	s.own.Store(server)
	return nil
}

// Connect connects a phone to the server, which is open, as Start does.
func (s *Server) Connect(ctx context.Context, phone *simphone.Phone, refused bool) error {
	s.phone = phone.Addr()
	connected, err := s.own.Load().Run(ctx, "connect", s.phone)
	if err != nil {
		return cause.Phone(err)
	}
	if text := string(connected.Stdout); !strings.HasPrefix(text, "connected to") && !refused {
		return cause.Phone(fmt.Errorf("adb connect %s: %s", s.phone, strings.TrimSpace(text+string(connected.Stderr))))
	}
	return nil
}

// Host is where servers listen.
const Host = "127.0.0.1"

// Port is the server's. It is open.
func (s *Server) Port() int { return s.own.Load().Port }

// Restart restarts the server, without the phone; before Open it does nothing. It may be called
// from any goroutine.
func (s *Server) Restart(ctx context.Context) error {
	if server := s.own.Load(); server != nil {
		return server.Restart(ctx)
	}
	return nil
}

// Environment is the variables by which adb and tapwise find the phone, and nothing else, as
// NAME=VALUE; a NAME alone is to be removed. If the server is ended, a server started in its
// place does not look for phones either. The server has started.
func (s *Server) Environment() []string {
	port := strconv.Itoa(s.Port())
	return []string{
		"TAPWISE_SERIAL=" + s.phone, "TAPWISE_ADB_PORT=" + port, "ANDROID_SERIAL=" + s.phone, "ANDROID_ADB_SERVER_PORT=" + port,
		"ADB_SERVER_SOCKET", "ANDROID_ADB_SERVER_ADDRESS", "ADB_LOCAL_TRANSPORT_MAX_PORT=0", "ADB_MDNS=0",
	}
}

// Close ends the server and removes its folder.
func (s *Server) Close() error {
	var err error
	if server := s.own.Load(); server != nil {
		err = server.Close()
	}
	return errors.Join(err, os.RemoveAll(s.home))
}
