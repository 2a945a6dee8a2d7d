// Package adbtest starts a private adb server for a test.
package adbtest

import (
	"context"
	"errors"
	"testing"
	"time"

	"tapwise/adb/privateserver"
)

// Server is an adb server that ends with its test.
type Server struct {
	*privateserver.Server
	t testing.TB
}

// Start starts an adb server of the test's own. It skips the test where adb is
// not installed.
func Start(t testing.TB) *Server {
	t.Helper()
	server, err := privateserver.Start(context.Background(), t.TempDir())
	if errors.Is(err, privateserver.ErrNoADB) {
		t.Skip("adb is not installed (Debian package adb)")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return &Server{Server: server, t: t}
}

// runTimeout is far longer than any call takes: it ends one that hangs.
const runTimeout = 2 * time.Minute

// Run runs an adb client and returns what it printed and its exit code.
func (s *Server) Run(args ...string) privateserver.Result {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), runTimeout)
	defer cancel()
	result, err := s.Server.Run(ctx, args...)
	if err != nil {
		s.t.Fatal(err)
	}
	return result
}
