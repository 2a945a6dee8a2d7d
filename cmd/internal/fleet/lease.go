package fleet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrHeld is the error when another worker has the lease of a phone.
var ErrHeld = errors.New("another worker has the phone")

// ErrLost is why a held phone's context ends when its lease cannot be renewed in time.
var ErrLost = errors.New("the lease of the phone ran out before the hub was back")

// Held is a phone whose lease this process has. Its revision in the bucket is the fence:
// who renews has to name the one that it wrote last.
type Held struct {
	client *Client
	key    string
	value  []byte
	lost   context.CancelCauseFunc

	mu       sync.Mutex
	revision uint64
	written  time.Time // when that was, by this host's clock
	until    time.Time // on this process's monotonic clock
	timer    *time.Timer
}

// Hold takes the lease of a phone for one who plays on it (session), or fails with
// [ErrHeld]. A session holds a phone once at a time: what it holds already, since the answer
// to an earlier try was lost, is its own. The context that it returns ends when the lease is
// lost: not later than the hub lets another worker have it, even when the hub is away.
func (c *Client) Hold(ctx context.Context, phone Phone, session string) (context.Context, *Held, error) {
	value, err := encode(&Lease{Worker: phone.Worker, Session: session})
	if err != nil {
		return nil, nil, err
	}
	h := &Held{client: c, key: phone.ID(), value: value, written: c.now()}
	asked := time.Now()
	h.revision, err = ask(ctx, c, func(ctx context.Context) (uint64, error) {
		revision, err := c.leases.Create(ctx, h.key, value)
		if errors.Is(err, jetstream.ErrKeyExists) {
			return h.again(ctx)
		}
		return revision, err
	})
	if err != nil {
		return nil, nil, err
	}
	held, lost := context.WithCancelCause(ctx)
	h.lost = lost
	h.until = asked.Add(c.lease)
	h.timer = time.AfterFunc(time.Until(h.until), func() { lost(ErrLost) })
	return held, h, nil
}

// Keep renews the lease until the context ends, each quarter of its time and at once when
// the hub was away, and calls renewed each time.
func (h *Held) Keep(ctx context.Context, renewed func()) {
	h.client.regularly(ctx, h.client.lease/4, func() error {
		err := h.renew(ctx)
		if err == nil {
			renewed()
		}
		return err
	}, "a lease was not renewed", "phone", h.key)
}

// renew makes the lease last as long as a new one. An error says that it was not renewed;
// the context that Hold returned has ended when it is lost.
func (h *Held) renew(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked, written := time.Now(), h.client.now()
	revision, err := ask(ctx, h.client, func(ctx context.Context) (uint64, error) {
		revision, err := h.client.leases.Update(ctx, h.key, h.value, h.revision)
		if errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
			return h.again(ctx) // the answer to a renewal before may have been lost
		}
		return revision, err
	})
	if errors.Is(err, ErrHeld) {
		h.lost(ErrLost)
	}
	if err != nil {
		return err
	}
	h.revision, h.written, h.until = revision, written, asked.Add(h.client.lease)
	if !h.timer.Reset(time.Until(h.until)) {
		h.timer.Stop() // it has run out: the context has ended
		return ErrLost
	}
	return nil
}

// Skew is by how much the hub's clock is ahead of this host's, but for the time that a
// question takes.
func (h *Held) Skew(ctx context.Context) (time.Duration, error) {
	h.mu.Lock()
	revision, written := h.revision, h.written
	h.mu.Unlock()
	entry, err := ask(ctx, h.client, func(ctx context.Context) (jetstream.KeyValueEntry, error) {
		return h.client.leases.Get(ctx, h.key)
	})
	if err != nil {
		return 0, err
	}
	if entry.Revision() != revision {
		return 0, fmt.Errorf("the lease of %s was renewed meanwhile", h.key)
	}
	return entry.Created().Sub(written.Round(0)), nil // by the clocks, not by the time that has passed
}

// again renews the lease when it is this session's, whatever its revision is.
func (h *Held) again(ctx context.Context) (uint64, error) {
	revision, err := h.own(ctx)
	if err != nil {
		return 0, err
	}
	return h.client.leases.Update(ctx, h.key, h.value, revision)
}

// own returns the revision of the lease when it is this session's.
func (h *Held) own(ctx context.Context) (uint64, error) {
	entry, err := h.client.leases.Get(ctx, h.key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return 0, ErrHeld // it ran out, and may have been another's since
	case err != nil:
		return 0, err
	case string(entry.Value()) != string(h.value):
		return 0, ErrHeld
	}
	return entry.Revision(), nil
}

// Sure reports whether the lease will last for some time.
func (h *Held) Sure(d time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Until(h.until) >= d
}

// Release gives the lease up, when the hub can be told; otherwise it runs out.
func (h *Held) Release(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer.Stop()
	h.lost(context.Canceled)
	if err := h.client.leases.Delete(ctx, h.key, jetstream.LastRevision(h.revision)); err != nil {
		h.client.log.Debug("the lease was not given up", "phone", h.key, "error", err)
	}
}
