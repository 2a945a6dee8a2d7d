package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrUnknown is the error for a run, worker or phone that nobody knows.
var ErrUnknown = errors.New("nobody knows it")

// Submit orders levels of a game that follow one another, at most chunk of them a job, and
// returns the order with its ID. Pack is how many levels the pack has.
func (c *Client) Submit(ctx context.Context, o Order, levels []Level, pack, chunk int) (Order, error) {
	o.ID, o.State, o.Levels = newRunID(), Open, len(levels)
	if o.Description != nil {
		o.Digest = o.Description.Digest
	}
	for i, l := range levels {
		if l.Number != levels[0].Number+i {
			return o, fmt.Errorf("level %d after level %d, expected the next", l.Number, levels[i-1].Number)
		}
		o.Last = l.Number
	}
	jobs := cut(o, levels, pack, min(max(1, chunk), maxChunk))
	o.Jobs = len(jobs)
	if _, err := encode(&o); err != nil {
		return o, err
	}
	consumer, err := c.js.CreateOrUpdateConsumer(ctx, jobsStream, jetstream.ConsumerConfig{
		Durable: consumerName(o.ID), FilterSubject: jobsOf(o.ID), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: c.lease, MaxAckPending: -1,
	})
	if err != nil {
		return o, c.unanswered(err)
	}
	o.Created = consumer.CachedInfo().Created.UTC()
	data, err := encode(&o)
	if err != nil {
		return o, err
	}
	err = c.publishJobs(ctx, jobs)
	if err == nil {
		// Last, so that an order that workers see has all its jobs.
		_, err = c.runs.Create(ctx, o.ID, data)
	}
	if err == nil {
		return o, nil
	}
	// Otherwise the clerk removes them, some time later.
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.patience)
	defer cancel()
	undone := c.end(ending, o.ID, Cancelled, "") // the order may be made, and the answer lost
	if errors.Is(undone, ErrUnknown) {
		undone = c.removeJobs(ending, o.ID)
	}
	if undone != nil {
		c.log.Debug("the jobs of an order that was not made stay for now", "run", o.ID, "error", undone)
	}
	return o, fmt.Errorf("run %s: %w", o.ID, err)
}

// publishJobs sends jobs, many at a time, and returns when all of them are kept.
func (c *Client) publishJobs(ctx context.Context, jobs []Job) (err error) {
	var under []*sending // way, of the jobs before the next
	defer func() {
		if err != nil {
			ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.patience)
			defer cancel()
			takeBack(ending, under)
		}
	}()
	for i := range jobs {
		data, err := encode(&jobs[i])
		if err != nil {
			return err
		}
		// At once only as many as others of this end are not kept waiting by.
		if len(under) == maxSent/2 {
			if err := c.kept(ctx, under[0], &jobs[i-len(under)]); err != nil {
				return err
			}
			under = under[1:]
		}
		sent, err := c.send(jobSubject(jobs[i].Run, jobs[i].Number), data, jobs[i].once())
		if err != nil {
			return fmt.Errorf("job %d: %w", jobs[i].Number, err)
		}
		under = append(under, sent)
	}
	for i, sent := range under {
		if err := c.kept(ctx, sent, &jobs[len(jobs)-len(under)+i]); err != nil {
			return err
		}
	}
	return nil
}

// once has the hub keep one job of a number, however often it is sent.
func (j *Job) once() header { return once(fmt.Sprintf("%s.%d", j.Run, j.Number)) }

// kept waits until a job that was sent is kept. One of which that was not heard in time is
// sent once more.
func (c *Client) kept(ctx context.Context, sent *sending, j *Job) error {
	_, err := sent.wait(ctx)
	if err != nil && ctx.Err() == nil {
		_, err = c.js.PublishMsg(ctx, sent.msg)
	}
	if err != nil {
		return fmt.Errorf("job %d: %w", j.Number, err)
	}
	return nil
}

// cut makes jobs of the levels of an order.
func cut(o Order, levels []Level, pack, chunk int) []Job {
	var jobs []Job
	bytes := 0
	for _, l := range levels {
		last := len(jobs) - 1
		if last < 0 || len(jobs[last].Levels) >= chunk || bytes+len(l.Board) > maxBoards {
			jobs = append(jobs, Job{Run: o.ID, Number: len(jobs) + 1, Game: o.Game, Description: o.Description, Pack: pack})
			last, bytes = len(jobs)-1, 0
		}
		jobs[last].Levels = append(jobs[last].Levels, l)
		bytes += len(l.Board)
	}
	return jobs
}

// Orders returns all orders that are remembered, the oldest first.
func (c *Client) Orders(ctx context.Context) ([]Order, error) {
	var orders []Order
	err := c.collect(ctx, c.runs, ">", func(_ string, value []byte) {
		if o, err := decode[Order](value); err == nil {
			orders = append(orders, o)
		}
	})
	slices.SortFunc(orders, byAge)
	return orders, err
}

// Order returns one order.
func (c *Client) Order(ctx context.Context, id string) (Order, error) {
	o, _, err := c.order(ctx, id)
	return o, err
}

func (c *Client) order(ctx context.Context, id string) (Order, uint64, error) {
	if !isName(id) {
		return Order{}, 0, fmt.Errorf("run %q: %w", id, ErrUnknown)
	}
	entry, err := c.runs.Get(ctx, id)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return Order{}, 0, fmt.Errorf("run %s: %w", id, ErrUnknown)
	case err != nil:
		return Order{}, 0, fmt.Errorf("run %s: %w", id, c.unanswered(err))
	}
	o, err := decode[Order](entry.Value())
	return o, entry.Revision(), err
}

// Cancel ends an order: the levels under way are finished, and no other is begun.
func (c *Client) Cancel(ctx context.Context, id string) error { return c.end(ctx, id, Cancelled, "") }

// end gives an order that is open its last state, and says why not all of its levels were
// played; what is left of its jobs is removed.
func (c *Client) end(ctx context.Context, id, state, why string) error {
	o, revision, err := c.order(ctx, id)
	if err != nil {
		return err
	}
	if o.State == Open {
		o.State, o.Why = state, clip(why)
		data, err := encode(&o)
		if err != nil {
			return err
		}
		if _, err := c.runs.Update(ctx, id, data, revision); err != nil {
			return fmt.Errorf("run %s: %w", id, err)
		}
	}
	if err := c.removeJobs(ctx, id); err != nil {
		return fmt.Errorf("run %s: %w", id, c.unanswered(err))
	}
	return nil
}

// removeJobs removes what is left of the jobs of an order, and their consumer.
func (c *Client) removeJobs(ctx context.Context, run string) error {
	stream, err := c.js.Stream(ctx, jobsStream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	// The consumer last: the clerk finds jobs that are left by it.
	if err := stream.Purge(ctx, jetstream.WithPurgeSubject(jobsOf(run))); err != nil {
		return err
	}
	if err := c.js.DeleteConsumer(ctx, jobsStream, consumerName(run)); !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return err
	}
	return nil
}

// Booked returns what is booked of an order, by level.
func (c *Client) Booked(ctx context.Context, id string) ([]Booked, error) {
	var all []Booked
	err := c.collect(ctx, c.levels, id+".*", func(_ string, value []byte) {
		if b, err := decode[Booked](value); err == nil {
			all = append(all, b)
		}
	})
	slices.SortFunc(all, func(a, b Booked) int { return cmp.Compare(a.Level, b.Level) })
	return all, err
}

// Phones returns the phones of the fleet that are there as they are now, by worker and serial.
func (c *Client) Phones(ctx context.Context) ([]Phone, error) {
	now, err := c.hubNow(ctx)
	if err != nil {
		return nil, err
	}
	var phones []Phone
	err = c.collectEntries(ctx, c.phones, ">", func(e jetstream.KeyValueEntry) {
		if p, err := decode[Phone](e.Value()); err == nil {
			if p.StateSeconds > 0 {
				p.StateSeconds += max(0, now.Sub(e.Created()).Seconds())
			}
			phones = append(phones, p)
		}
	})
	slices.SortFunc(phones, byPlace)
	return phones, err
}

// byPlace compares phones by worker and serial.
func byPlace(a, b Phone) int {
	return cmp.Or(strings.Compare(a.Worker, b.Worker), strings.Compare(a.Serial, b.Serial))
}

// Drain lets a worker's phones, or one of them, finish their jobs and take no others; with off
// they take jobs again. An empty serial is all phones of the worker.
func (c *Client) Drain(ctx context.Context, worker, serial string, off bool) error {
	if err := CheckWorker(worker); err != nil {
		return err
	}
	key := drainKey(worker, serial)
	var err error
	if off {
		err = c.control.Delete(ctx, key)
	} else {
		_, err = c.control.Put(ctx, key, []byte("drain"))
	}
	if err != nil {
		return c.unanswered(err)
	}
	return nil
}

// drainKey names a drained phone, or with an empty serial all phones of a worker.
func drainKey(worker, serial string) string {
	if serial == "" {
		return "drain." + worker
	}
	return "drain." + worker + "." + Token(serial)
}

// drains reports whether a phone is among those drained, by whatever name.
func drains(drained map[string]bool, p Phone) bool {
	return slices.ContainsFunc(append([]string{"", p.Serial}, p.Also...), func(name string) bool { return drained[drainKey(p.Worker, name)] })
}

// Progress is how far an order is.
type Progress struct {
	Order       Order
	Won, Failed int
	Booked      map[int]Booked // by level
	Phones      []Phone        // that play it
}

// Done reports whether nothing of the order is to come.
func (p Progress) Done() bool {
	return p.Order.State == Cancelled || p.Won+p.Failed >= p.Order.Levels
}

// Follow calls show with an order's progress, whenever that changes, until the order is done or
// the context ends. It waits for a hub that is away.
func (c *Client) Follow(ctx context.Context, id string, show func(Progress)) (Progress, error) {
	order, err := c.Order(ctx, id)
	if err != nil {
		return Progress{}, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type change struct {
		booked *Booked
		phone  *Phone
		order  *Order
		told   bool
	}
	changes := make(chan change)
	send := func(ch change) {
		select {
		case changes <- ch:
		case <-ctx.Done():
		}
	}
	go c.watch(ctx, c.levels, id+".*", func(_ string, value []byte) {
		if b, err := decode[Booked](value); err == nil {
			send(change{booked: &b})
		}
	}, func() { send(change{told: true}) })
	go c.watch(ctx, c.phones, ">", func(_ string, value []byte) {
		if p, err := decode[Phone](value); err == nil {
			send(change{phone: &p})
		}
	}, func() {})
	go c.watch(ctx, c.runs, id, func(_ string, value []byte) {
		if o, err := decode[Order](value); err == nil {
			send(change{order: &o})
		}
	}, func() {})
	p := Progress{Order: order, Booked: map[int]Booked{}}
	phones := map[string]Phone{}
	told := false // what was booked before
	for {
		select {
		case <-ctx.Done():
			return p, context.Cause(ctx)
		case ch := <-changes:
			switch {
			case ch.booked != nil:
				p.book(*ch.booked)
			case ch.order != nil:
				p.Order = *ch.order
			case ch.phone != nil:
				phones[ch.phone.Worker+"."+ch.phone.ID()] = *ch.phone
			}
			told = told || ch.told
		}
		p.choose(phones)
		if !told {
			continue
		}
		if show != nil {
			show(p)
		}
		if p.Done() {
			return p, nil
		}
	}
}

// book counts a level, which is booked once.
func (p *Progress) book(b Booked) {
	if _, again := p.Booked[b.Level]; again {
		return // told once more after the hub was away
	}
	p.Booked[b.Level] = b
	if b.Verdict == Won {
		p.Won++
	} else {
		p.Failed++
	}
}

// choose keeps the phones that play the order.
func (p *Progress) choose(phones map[string]Phone) {
	p.Phones = p.Phones[:0]
	for _, phone := range phones {
		if phone.Run == p.Order.ID {
			p.Phones = append(p.Phones, phone)
		}
	}
	slices.SortFunc(p.Phones, byPlace)
}

// IsBooked reports whether a level of an order is booked.
func (c *Client) IsBooked(ctx context.Context, run string, level int) (bool, error) {
	if !isName(run) {
		return false, fmt.Errorf("run %q, expected a name", clip(run))
	}
	_, err := c.levels.Get(ctx, levelKey(run, level))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return false, nil
	}
	return err == nil, err
}

// byAge compares orders by when they were made.
func byAge(a, b Order) int {
	return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.ID, b.ID))
}
