package adb

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrServerEnds: the adb server was started again as often as is sensible, and did not stay.
var ErrServerEnds = errors.New("it was started again several times in a row, and ended each time")

// A Keeper restarts an adb server that has answered this program and was ended since: by `adb
// kill-server`, by an adb of another version, by the system. Clients that share a Keeper talk
// to the same server. A server that has not answered yet is not started (see
// Client.StartServer), and one on another machine never is. The zero value is ready.
type Keeper struct {
	// Started is told the address of a server that was started again; nil tells nobody.
	Started func(address string)

	turn sync.Mutex // held while a server is started

	mu       sync.Mutex // guards the fields below
	answered bool
	starts   []time.Time // the latest ones
	network  []string    // addresses of the phones that were ready when they were listed last
}

const (
	// mostStarts is how often a server is started again within startsWithin.
	mostStarts   = 3
	startsWithin = 2 * time.Minute
	// reconnectTime is how long phones on the network may take to be connected again.
	reconnectTime = 5 * time.Second
)

// heard notes that the server answers.
func (k *Keeper) heard() {
	if k != nil {
		k.mu.Lock()
		k.answered = true
		k.mu.Unlock()
	}
}

// listed notes which phones a new server would have to be told of.
func (k *Keeper) listed(devices []DeviceInfo) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.network = nil
	for _, d := range devices {
		if d.Err() == nil && isAddress(d.Serial) {
			k.network = append(k.network, d.Serial)
		}
	}
}

// revive gets the server of a client back that could not be reached for a reason. Starting it
// goes on when the context ends: an adb that is cut off leaves half a server.
func (k *Keeper) revive(ctx context.Context, c *Client, reason error) error {
	k.mu.Lock()
	answered := k.answered
	k.mu.Unlock()
	if !answered || !c.local() {
		return reason
	}
	plain := *c
	plain.config.Keeper = nil
	done := make(chan error, 1)
	go func() {
		k.turn.Lock()
		defer k.turn.Unlock()
		done <- k.start(context.WithoutCancel(ctx), &plain)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return contextError(ctx)
	}
}

// start starts the server where none answers, and connects the phones on the network again.
func (k *Keeper) start(ctx context.Context, c *Client) error {
	_, err := c.ServerVersion(ctx)
	if err == nil { // another call has started it, or another program
		return nil
	}
	now := c.config.Now()
	k.mu.Lock()
	for len(k.starts) > 0 && now.Sub(k.starts[0]) > startsWithin {
		k.starts = k.starts[1:]
	}
	many, network := len(k.starts) >= mostStarts, k.network
	k.mu.Unlock()
	if many {
		return fmt.Errorf("%w on %s: %w", ErrNoServer, c.address, ErrServerEnds)
	}
	started, err := c.StartServer(ctx)
	if !errors.Is(err, ErrNoADB) {
		k.mu.Lock()
		k.starts = append(k.starts, now)
		k.mu.Unlock()
	}
	if err != nil {
		return err
	}
	if started && k.Started != nil {
		k.Started(c.address)
	}
	ctx, cancel := limit(ctx, reconnectTime)
	defer cancel()
	var connecting sync.WaitGroup
	for _, address := range network {
		// A phone that is away by now is missed by whoever wants it.
		connecting.Go(func() { _, _ = c.Connect(ctx, address) })
	}
	connecting.Wait()
	return nil
}
