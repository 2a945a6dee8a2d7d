package fleet

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrHeld is the error when another worker has the lease of a phone.
var ErrHeld = errors.New("another worker has the phone")

// ErrLost is why a held phone's context ends when its lease cannot be renewed in time.
var ErrLost = errors.New("the lease of the phone ran out before the hub was back")

// Held is a phone whose lease this process has.
type Held struct {
	agent *Agent
	phone leaseAsk
	lost  context.CancelCauseFunc

	mu    sync.Mutex
	skew  time.Duration // the hub's clock less this host's
	until time.Time     // on this process's monotonic clock
	timer *time.Timer
}

// Hold takes the lease of a phone for a session that plays on it, or fails with [ErrHeld]. A
// session holds a phone once at a time: a phone that it already holds, because the answer to an
// earlier try was lost, is its own. The context that it returns ends when the lease is lost, at
// the latest when the hub lets another worker have it, even if the hub is away.
func (a *Agent) Hold(ctx context.Context, phone Phone, session string) (context.Context, *Held, error) {
	h := &Held{agent: a, phone: leaseAsk{Phone: phone.ID(), Serial: phone.Serial, Session: session}}
	asked := time.Now()
	if err := h.ask(ctx); err != nil {
		return nil, nil, err
	}
	held, lost := context.WithCancelCause(ctx)
	h.lost, h.phone.Renew = lost, true
	h.until = asked.Add(a.lease)
	h.timer = time.AfterFunc(time.Until(h.until), func() { lost(ErrLost) })
	return held, h, nil
}

// ask takes or renews the lease, and compares the clocks.
func (h *Held) ask(ctx context.Context) error {
	here := h.agent.now()
	answer, err := h.agent.leases.ask(ctx, h.phone)
	if err == nil {
		h.skew = answer.Now.Sub(here.Round(0)) // by the clocks, not by the time that has passed
	}
	return err
}

// Keep renews the lease until the context ends, each quarter of its time and at once after the
// hub was away, and calls renewed each time.
func (h *Held) Keep(ctx context.Context, renewed func()) {
	h.agent.regularly(ctx, h.agent.lease/4, func() error {
		err := h.renew(ctx)
		if err == nil {
			renewed()
		}
		return err
	}, "a lease was not renewed", "phone", h.phone.Serial)
}

// renew makes the lease last as long as a new one. An error says that it was not renewed;
// the context that Hold returned has ended when it is lost.
func (h *Held) renew(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := time.Now()
	err := h.ask(ctx)
	if errors.Is(err, ErrHeld) {
		h.lost(ErrLost)
	}
	if err != nil {
		return err
	}
	h.until = asked.Add(h.agent.lease)
	if !h.timer.Reset(time.Until(h.until)) {
		h.timer.Stop() // it has run out: the context has ended
		return ErrLost
	}
	return nil
}

// Skew is by how much the hub's clock is ahead of this host's, except for the time that a
// question takes.
func (h *Held) Skew() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.skew
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
	free := h.phone
	free.Free = true
	if _, err := h.agent.leases.ask(ctx, free); err != nil {
		h.agent.log.Debug("the lease was not given up", "phone", h.phone.Serial, "error", err)
	}
}
