// Package adbtest starts a private adb server and simulated phones for a test.
package adbtest

import (
	"context"
	"errors"
	"image/color"
	"testing"
	"time"

	"tapwise/adb/adbtest/await"
	"tapwise/adb/privateserver"
	"tapwise/adb/simphone"
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
	await.Turn(t)
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

// Run runs an adb client and returns what it printed and its exit code.
func (s *Server) Run(args ...string) privateserver.Result {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), await.Hang)
	defer cancel()
	result, err := s.Server.Run(ctx, args...)
	if err != nil {
		s.t.Fatal(err)
	}
	return result
}

// StartPhone makes a simulated phone that listens on the loopback interface until
// the test ends. A phone without apps shows Stripes.
func StartPhone(t testing.TB, config simphone.Config) *simphone.Phone {
	t.Helper()
	if config.Apps == nil {
		config.Apps = []simphone.Installed{simphone.Instance(Stripes{})}
		config.Foreground = Stripes{}.Package()
	}
	phone, err := simphone.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := phone.Listen(context.Background(), "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { phone.Close() })
	return phone
}

// Stripes is an app with a still picture that has every kind of pixel that matters
// to line ends and lengths: it is full of LFs and CRs.
type Stripes struct{}

// Package is the app's name on the phone.
func (Stripes) Package() string { return "com.example.stripes" }

// Draw draws a stripe in each row, and a disc.
func (Stripes) Draw(c simphone.Canvas, _ time.Duration) {
	size := c.Size()
	for y := range size.Y {
		c.Rect(0, float64(y), float64(size.X), float64(y+1), color.NRGBA{R: uint8(y), G: 10, B: 13, A: 255})
	}
	c.Circle(float64(size.X)/2, float64(size.Y)/2, float64(size.X)/3, color.NRGBA{G: 200, A: 255})
}

// Touch does nothing.
func (Stripes) Touch(int, float64, float64, time.Duration) {}

// Back does nothing.
func (Stripes) Back(time.Duration) {}
