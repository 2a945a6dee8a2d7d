package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Work is a job that a phone has, until it is Done, Given up, put Back, or its lease ends.
type Work struct {
	Job
	Deliveries int // how often it was handed out, this time included

	client *Client
	msg    jetstream.Msg
	lease  time.Duration
}

// ErrBadJob is the error for a job that cannot be read. It is done with.
var ErrBadJob = errors.New("a job that cannot be read")

// Next takes the next job of an order, nil when there is none now.
func (c *Client) Next(ctx context.Context, run string) (*Work, error) {
	consumer, err := c.jobs(ctx, consumerName(run))
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	select {
	case c.asking <- struct{}{}:
		defer func() { <-c.asking }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	batch, err := consumer.FetchNoWait(1)
	if err != nil {
		c.drop(consumerName(run))
		return nil, err
	}
	msg, ok := <-batch.Messages()
	if !ok {
		if err := batch.Error(); err != nil { // it may be that the order is closed
			c.drop(consumerName(run))
			return nil, err
		}
		return nil, nil
	}
	meta, err := msg.Metadata()
	if err != nil {
		return nil, err
	}
	job, err := DecodeJob(msg.Data())
	if err == nil && (job.Run != run || msg.Subject() != jobSubject(job.Run, job.Number)) {
		err = fmt.Errorf("job %d of run %s as %s", job.Number, job.Run, msg.Subject())
	}
	if err != nil {
		_ = msg.TermWithReason(err.Error()) // otherwise the next phone does
		return nil, fmt.Errorf("%w: %w", ErrBadJob, err)
	}
	return &Work{Job: job, Deliveries: int(meta.NumDelivered), client: c, msg: msg, lease: c.lease}, nil
}

// jobs returns a consumer of jobs. The hub is asked for it once, since all phones of a
// worker look for jobs at the moment at which there are some; once more after drop.
func (c *Client) jobs(ctx context.Context, name string) (jetstream.Consumer, error) {
	if known, ok := c.consumers.Load(name); ok {
		return known.(jetstream.Consumer), nil
	}
	consumer, err := c.js.Consumer(ctx, jobsStream, name)
	if err == nil {
		c.consumers.Store(name, consumer)
	}
	return consumer, err
}

// drop forgets a consumer that could not be used: it may be gone.
func (c *Client) drop(name string) { c.consumers.Delete(name) }

// Keep tells the hub, every third of a lease until the context ends, that the job is
// under way.
func (w *Work) Keep(ctx context.Context) {
	ticker := time.NewTicker(w.lease / 3)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := w.msg.InProgress(); err != nil {
				w.client.log.Debug("the hub was not told that a job is under way", "run", w.Run, "job", w.Number, "error", err)
			}
		}
	}
}

// Done ends the job, all of whose events have arrived.
func (w *Work) Done(ctx context.Context) error { return w.msg.DoubleAck(ctx) }

// Back lets another phone have the job after a time.
func (w *Work) Back(after time.Duration) {
	if err := w.msg.NakWithDelay(after); err != nil { // then its lease runs out
		w.client.log.Debug("a job was not given back", "run", w.Run, "job", w.Number, "error", err)
	}
}

// Term ends a job that is given up and whose event has arrived.
func (w *Work) Term(reason string) error { return w.msg.TermWithReason(reason) }

// Left returns the levels of the job that are not booked.
func (w *Work) Left(ctx context.Context) ([]Level, error) {
	var left []Level
	for _, l := range w.Levels {
		booked, err := w.client.IsBooked(ctx, w.Run, l.Number)
		if err != nil {
			return nil, err
		}
		if !booked {
			left = append(left, l)
		}
	}
	return left, nil
}

// IsBooked reports whether a level of an order is booked.
func (c *Client) IsBooked(ctx context.Context, run string, level int) (bool, error) {
	_, err := c.levels.Get(ctx, levelKey(run, level))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Deliver sends an encoded event, and returns when the hub has kept it. The hub keeps one
// event of an ID, however often it is sent.
func (c *Client) Deliver(ctx context.Context, subject, id string, data []byte) error {
	_, err := c.js.Publish(ctx, subject, data, jetstream.WithMsgID(id))
	return err
}

// Tell says how a phone is, for as long as a lease lasts.
func (c *Client) Tell(ctx context.Context, p Phone) error {
	data, err := encode(&p)
	if err == nil {
		_, err = c.phones.Put(ctx, p.Worker+"."+p.ID(), data)
	}
	return err
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
	return orders, v.drained[drainKey(p.Worker, "")] || v.drained[drainKey(p.Worker, p.Serial)], v.changed
}
