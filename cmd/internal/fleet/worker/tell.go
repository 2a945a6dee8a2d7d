package worker

import (
	"context"
	"log/slog"
	"sync"

	"tapwise/cmd/internal/fleet"
)

// teller tells the hub how phones are: all of which there is news in one go, and of each
// the last only, so that no phone waits for the hub with what it says of itself, and a hub
// that is slow is told less often.
type teller struct {
	agent *fleet.Agent
	log   *slog.Logger
	full  chan struct{} // has something in it when there may be news

	mu   sync.Mutex
	news map[string]fleet.Phone // by the phone's ID
}

// put has the hub told how a phone is.
func (t *teller) put(p fleet.Phone) {
	t.mu.Lock()
	t.news[p.ID()] = p
	t.mu.Unlock()
	select {
	case t.full <- struct{}{}:
	default: // it is known
	}
}

// run tells until the context ends. What the hub was not told, since it was away, is said
// again when the phone's lease is renewed.
func (t *teller) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.full:
		}
		arrived, err := t.send()
		if err == nil {
			err = arrived(ctx)
		}
		if err != nil {
			t.log.Debug("the hub was not told how phones are", "error", err)
		}
	}
}

// send sends the news.
func (t *teller) send() (arrived func(context.Context) error, err error) {
	t.mu.Lock()
	defer t.mu.Unlock() // nothing is sent of a phone after it was taken off the list
	var phones []fleet.Phone
	for _, p := range t.news {
		phones = append(phones, p)
	}
	clear(t.news)
	return t.agent.Tell(phones...)
}

// forget takes a phone off the hub's list.
func (t *teller) forget(ctx context.Context, p fleet.Phone) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.news, p.ID())
	return t.agent.Forget(ctx, p)
}
