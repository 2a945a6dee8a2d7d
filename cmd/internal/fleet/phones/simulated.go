package phones

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/sim/simulation"
)

// Simulated is some simulated phones with an adb server of their own.
type Simulated struct {
	Server simulation.Server // the adb server

	apps   map[string]*chooser // by serial
	phones []*simphone.Phone
}

// Simulate starts n phones, each with the app.
func Simulate(ctx context.Context, n int, app simulation.GameApp, options simulation.Options) (_ *Simulated, err error) {
	s := &Simulated{apps: map[string]*chooser{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if err := s.Server.Open(ctx); err != nil {
		return nil, err
	}
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
	return s.Server.Connect(ctx, phone, false)
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
	return s.Server.Close()
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
