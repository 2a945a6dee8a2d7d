package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"tapwise/cmd/internal/console/pause"

	"github.com/nats-io/nats.go"
)

// retryWait is the pause between two tries to reach the hub.
const retryWait = 250 * time.Millisecond

// usualPatience is Config.Patience where that is not set.
const usualPatience = 5 * time.Second

// leastPatience bounds from below how long an answer is waited for that a lease needs.
const leastPatience = 500 * time.Millisecond

// ErrNoHub is the error when the hub does not answer.
var ErrNoHub = errors.New("the hub does not answer")

// link is a connection to the hub. It stays when the hub goes away, and is the same again
// when that comes back. It may be used from several goroutines.
type link struct {
	conn  *nats.Conn
	log   *slog.Logger
	lease time.Duration
	now   func() time.Time // the clock of this host; decides nothing
	// patience is Config.Patience.
	patience time.Duration

	denied atomic.Pointer[error] // what the hub did not let this end do, last

	mu    sync.Mutex
	again chan struct{} // closed, and replaced, when the hub is back
	gone  chan struct{} // closed, and replaced, when the hub goes away
	ended chan struct{} // closed when the hub does not want this end any more
}

// settle waits until the hub is there and ready, or the context ends; without wait, it fails
// with [ErrNoHub] when it is not. It fails with [ErrRefused] when that refuses the credential.
func (c *link) settle(ctx context.Context, wait bool, ready func(context.Context) error) error {
	for {
		connected, cancel := c.connected(ctx)
		err := ready(connected)
		cancel()
		if err == nil {
			return nil
		}
		if refused := c.Err(); refused != nil {
			return refused
		}
		if !wait || ctx.Err() != nil {
			c.Close()
			return c.unanswered(err)
		}
		c.log.Debug("the hub is not ready", "error", err)
		if err := pause.For(ctx, retryWait); err != nil {
			c.Close()
			return err
		}
	}
}

func connect(config Config, wait bool) (*link, error) {
	c := &link{log: config.Log, patience: cmp.Or(config.Patience, usualPatience), now: time.Now, again: make(chan struct{}), gone: make(chan struct{}), ended: make(chan struct{})}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	options := append([]nats.Option{
		nats.Name(config.Name), nats.CustomInboxPrefix(inbox(config.Name)),
		nats.MaxReconnects(-1), nats.ReconnectWait(retryWait), nats.ReconnectJitter(retryWait/2, retryWait/2),
		nats.RetryOnFailedConnect(wait), nats.Timeout(c.patience), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		// What was to be sent to a hub that is away is not worth sending later: whoever
		// asked has to know.
		nats.ReconnectBufSize(-1),
		nats.ClosedHandler(func(*nats.Conn) { close(c.ended) }),
		nats.ReconnectHandler(func(*nats.Conn) { c.tell(&c.again) }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			c.log.Debug("the hub is away", "error", err)
			c.tell(&c.gone)
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				c.denied.Store(&err)
			}
			c.log.Debug("the hub", "error", err)
		}),
	}, config.Options...)
	conn, err := nats.Connect(config.URL, options...)
	if isRefusal(err) {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w at %s: %w", ErrNoHub, config.URL, err)
	}
	c.conn = conn
	return c, nil
}

// tell tells those who wait for it that the hub went away, or that it is back.
func (c *link) tell(what *chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(*what)
	*what = make(chan struct{})
}

// returned is closed when the hub was away and is back.
func (c *link) returned() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.again
}

// connected returns a context that also ends when the connection does: the answer to what
// was asked before never comes.
func (c *link) connected(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	c.mu.Lock()
	gone := c.gone
	c.mu.Unlock()
	go func() {
		select {
		case <-gone:
			cancel(ErrNoHub)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// askFor asks the hub something, and waits for as long as it is told, or, with 0, as long as
// what a lease needs may be waited for: a quarter of it. It fails with [ErrNoHub] when the
// connection ends, or no answer comes.
func askFor[T any](ctx context.Context, c *link, wait time.Duration, question func(context.Context) (T, error)) (T, error) {
	asking, cancel := c.connected(ctx)
	defer cancel()
	if wait == 0 {
		wait = max(leastPatience, min(c.patience, c.lease/4))
	}
	asking, done := context.WithTimeoutCause(asking, wait, ErrNoHub)
	defer done()
	answer, err := question(asking)
	if err != nil && asking.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", context.Cause(asking), err)
	}
	return answer, err
}

// ErrRefused is the error when the hub does not, or not any more, accept a credential.
var ErrRefused = errors.New("the hub refuses the credential")

// Ended is closed when the connection has ended for good: by Close, or since the hub
// refuses the credential, which [link.Err] tells.
func (c *link) Ended() <-chan struct{} { return c.ended }

// Err is [ErrRefused] when the connection has ended for that reason.
func (c *link) Err() error {
	if err := c.conn.LastError(); c.conn.IsClosed() && isRefusal(err) {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return nil
}

// Trouble says why the hub cannot be asked now; nil if it can. The connection is restored
// automatically, unless it has ended.
func (c *link) Trouble() error {
	denied := c.denied.Load()
	switch {
	case c.Err() != nil:
		return c.Err()
	case !c.conn.IsConnected():
		return fmt.Errorf("%w; it is tried again", ErrNoHub)
	case denied != nil:
		return fmt.Errorf("%w: %w", ErrRefused, *denied)
	}
	return nil
}

// unanswered says why the hub gave no answer: it does not answer those who may not ask.
func (c *link) unanswered(err error) error {
	if denied := c.denied.Load(); denied != nil {
		return fmt.Errorf("%w: %w", ErrRefused, *denied)
	}
	return fmt.Errorf("%w: %w", ErrNoHub, err)
}

func isRefusal(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked)
}

// Close ends the connection.
func (c *link) Close() { c.conn.Close() }

// Lease is how long a lease lasts without renewal, and after which time a job is given to
// another phone: less than the lease given to [Setup].
func (c *link) Lease() time.Duration { return c.lease }
