package fleet

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Work is a job that a phone has, until it is Done, Given up, put Back, or its lease ends.
type Work struct {
	Job
	Deliveries int // how often it was handed out, this time included

	client *Client
	msg    jetstream.Msg
}

// ErrBadJob is the error for a job that cannot be read. It is done with.
var ErrBadJob = errors.New("a job that cannot be read")

// Keep tells the hub that the job is under way until the context ends, each quarter of a
// lease and at once when the hub was away.
func (w *Work) Keep(ctx context.Context) {
	w.client.regularly(ctx, w.client.lease/4, w.msg.InProgress, "the hub was not told that a job is under way", "run", w.Run, "job", w.Number)
}

// regularly does something until the context ends: after each pause, sooner when it failed,
// and at once when the hub was away. What failed is told to the log.
func (c *Client) regularly(ctx context.Context, usual time.Duration, do func() error, failed string, words ...any) {
	next := usual
	for {
		timer := time.NewTimer(next)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-c.returned():
			timer.Stop()
		case <-timer.C:
		}
		next = usual
		if err := do(); err != nil && ctx.Err() == nil {
			c.log.Debug(failed, append(words, "error", err)...)
			next = min(retryWait, usual/4)
		}
	}
}

// Done ends the job, all of whose events have arrived.
func (w *Work) Done(ctx context.Context) error {
	_, err := ask(ctx, w.client, func(ctx context.Context) (struct{}, error) { return struct{}{}, w.msg.DoubleAck(ctx) })
	return err
}

// Back lets another phone have the job after a time.
func (w *Work) Back(after time.Duration) {
	if err := w.msg.NakWithDelay(after); err != nil { // then its lease runs out
		w.client.log.Debug("a job was not given back", "run", w.Run, "job", w.Number, "error", err)
	}
}

// Term ends a job that is given up and whose event has arrived.
func (w *Work) Term(reason string) error { return w.msg.TermWithReason(reason) }

// Left returns the levels of the job that are not booked. Of a job that is handed out for
// the first time nobody has played any, but in another job, which is found out level by
// level.
func (w *Work) Left(ctx context.Context) ([]Level, error) {
	if w.Deliveries == 1 {
		return w.Levels, nil
	}
	booked, failures := make([]bool, len(w.Levels)), make([]error, len(w.Levels))
	var wait sync.WaitGroup
	for i, l := range w.Levels { // together: the hub may be far away
		wait.Go(func() { booked[i], failures[i] = w.client.IsBooked(ctx, w.Run, l.Number) })
	}
	wait.Wait()
	var left []Level
	for i, l := range w.Levels {
		if !booked[i] {
			left = append(left, l)
		}
	}
	return left, errors.Join(failures...)
}

// IsBooked reports whether a level of an order is booked.
func (c *Client) IsBooked(ctx context.Context, run string, level int) (bool, error) {
	_, err := ask(ctx, c, func(ctx context.Context) (jetstream.KeyValueEntry, error) {
		return c.levels.Get(ctx, levelKey(run, level))
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Deliver sends an encoded event, and returns what waits until the hub has kept it: some
// may be under way at a time. The hub keeps one event of an ID, however often it is sent.
func (c *Client) Deliver(subject, id string, data []byte) (arrived func(context.Context) error, err error) {
	sent, err := c.send(subject, data, jetstream.WithMsgID(id))
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error { return acknowledged(ctx, sent) }, nil
}

// send sends a message without waiting for it to be kept. It waits when too many are under
// way.
func (c *Client) send(subject string, data []byte, options ...jetstream.PublishOpt) (jetstream.PubAckFuture, error) {
	return c.js.PublishAsync(subject, data, append(options, jetstream.WithStallWait(c.patience))...)
}

// acknowledged waits until the hub has kept what was sent.
func acknowledged(ctx context.Context, sent jetstream.PubAckFuture) error {
	select {
	case <-sent.Ok():
		return nil
	case err := <-sent.Err():
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Tell says how phones are, for as long as a lease lasts, and returns what waits until the
// hub knows it.
func (c *Client) Tell(phones ...Phone) (arrived func(context.Context) error, err error) {
	var all []jetstream.PubAckFuture
	for _, p := range phones {
		data, err := encode(&p)
		if err != nil {
			return nil, err
		}
		sent, err := c.send(keySubject(phonesBucket, p.Worker+"."+p.ID()), data)
		if err != nil {
			return nil, err
		}
		all = append(all, sent)
	}
	return func(ctx context.Context) error {
		for _, sent := range all {
			if err := acknowledged(ctx, sent); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// Forget takes a phone off the list.
func (c *Client) Forget(ctx context.Context, p Phone) error {
	return c.phones.Delete(ctx, p.Worker+"."+p.ID())
}

// Board is what a worker knows of the hub: the open orders and what is drained.
type Board struct {
	orders  map[string]Order
	drained map[string]bool
	changed chan struct{} // closed, and replaced, at a change
	updates chan func(*Board)
	asks    chan chan view
}

// view is a moment of a board.
type view struct {
	orders  []Order
	drained map[string]bool
	changed <-chan struct{}
}

// Watch keeps a board up to date until the context ends.
func (c *Client) Watch(ctx context.Context) *Board {
	b := &Board{orders: map[string]Order{}, drained: map[string]bool{}, changed: make(chan struct{}), updates: make(chan func(*Board)), asks: make(chan chan view)}
	update := func(f func(*Board)) {
		select {
		case b.updates <- f:
		case <-ctx.Done():
		}
	}
	go b.run(ctx)
	go c.watch(ctx, c.runs, ">", func(key string, value []byte) {
		o, err := decode[Order](value)
		update(func(b *Board) {
			delete(b.orders, key)
			if err == nil && o.State == Open {
				b.orders[key] = o
			}
		})
	}, func() {})
	go c.watch(ctx, c.control, ">", func(key string, value []byte) {
		update(func(b *Board) {
			delete(b.drained, key)
			if len(value) > 0 {
				b.drained[key] = true
			}
		})
	}, func() {})
	return b
}

func (b *Board) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case f := <-b.updates:
			f(b)
			close(b.changed)
			b.changed = make(chan struct{})
		case ask := <-b.asks:
			v := view{drained: map[string]bool{}, changed: b.changed}
			for _, o := range b.orders {
				v.orders = append(v.orders, o)
			}
			for key := range b.drained {
				v.drained[key] = true
			}
			ask <- v
		}
	}
}

// For returns the open orders that a phone fits, the oldest first, whether it is drained,
// and what is closed when that may have changed.
func (b *Board) For(ctx context.Context, p Phone) (orders []Order, drained bool, changed <-chan struct{}) {
	ask := make(chan view, 1)
	select {
	case b.asks <- ask:
	case <-ctx.Done():
		return nil, false, ctx.Done()
	}
	v := <-ask
	for _, o := range v.orders {
		if o.Phones.Fits(p) && p.Plays(o.Game) {
			orders = append(orders, o)
		}
	}
	slices.SortFunc(orders, func(a, b Order) int { return a.Created.Compare(b.Created) })
	return orders, drains(v.drained, p), v.changed
}
