package phones

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"tapwise/adb/privateserver"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/cause"
	"tapwise/cmd/internal/simulation"
)

// Simulated is some simulated phones with an adb server of their own.
type Simulated struct {
	Port int // of the adb server

	apps   map[string]*chooser // by serial
	phones []*simphone.Phone
	server *privateserver.Server
	home   string
}

// Simulate starts n phones, each with the app.
func Simulate(ctx context.Context, n int, app simulation.GameApp, options simulation.Options) (s *Simulated, err error) {
	s = &Simulated{apps: map[string]*chooser{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.home, err = os.MkdirTemp("", "tapwise-adb-"); err != nil {
		return nil, err
	}
	if s.server, err = privateserver.Start(ctx, s.home); errors.Is(err, privateserver.ErrNoADB) {
		return nil, cause.Inputf("adb is not installed (Debian and Ubuntu: apt install adb)")
	} else if err != nil {
		return nil, cause.Phone(err)
	}
	s.Port = s.server.Port
	for i := range n {
		options.Seed, app.Seed = uint64(i+1), uint64(i+1)
		if err := s.add(ctx, app, options); err != nil {
			return nil, fmt.Errorf("simulated phone %d: %w", i+1, err)
		}
	}
	return s, nil
}

// add starts one more phone and connects it.
func (s *Simulated) add(ctx context.Context, app simulation.GameApp, options simulation.Options) error {
	shown, err := app.Open(ctx)
	if err != nil {
		return err
	}
	chosen := &chooser{App: shown}
	described, err := options.Phone(chosen)
	if err != nil {
		return err
	}
	phone, err := described.New()
	if err != nil {
		return err
	}
	if err := phone.Listen(ctx, "127.0.0.1:0"); err != nil {
		return err
	}
	s.phones = append(s.phones, phone)
	s.apps[phone.Addr()] = chosen
	connected, err := s.server.Run(ctx, "connect", phone.Addr())
	if err != nil {
		return cause.Phone(err)
	}
	if text := string(connected.Stdout); !strings.HasPrefix(text, "connected to") {
		return cause.Phone(fmt.Errorf("adb connect %s: %s", phone.Addr(), strings.TrimSpace(text+string(connected.Stderr))))
	}
	return nil
}

// Show brings a level to a phone's screen, as a person would who chose it there.
func (s *Simulated) Show(serial string, level int) bool {
	app, ok := s.apps[serial]
	return ok && app.choose(level)
}

// Close ends the phones and their server.
func (s *Simulated) Close() error {
	for _, phone := range s.phones {
		phone.Close()
	}
	var err error
	if s.server != nil {
		err = s.server.Close()
	}
	return errors.Join(err, os.RemoveAll(s.home))
}

// chooser is an app on which a level can be chosen from outside. The phone calls an app
// from one goroutine at a time, so the choice waits for the next drawing.
type chooser struct {
	simphone.App
	level atomic.Int64 // to show, from 1; 0: none
}

func (c *chooser) choose(level int) bool {
	if _, ok := c.App.(interface{ Show(level int) }); !ok {
		return false
	}
	c.level.Store(int64(level))
	return true
}

func (c *chooser) Draw(canvas simphone.Canvas, now time.Duration) {
	if level := c.level.Swap(0); level != 0 {
		c.App.(interface{ Show(level int) }).Show(int(level))
	}
	c.App.Draw(canvas, now)
}
