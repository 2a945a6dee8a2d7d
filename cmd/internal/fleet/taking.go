package fleet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// maxTaken is the most jobs that are asked for at a time.
const maxTaken = 64

// line is the phones of this end that wait for a job of one order. However many they are,
// one question at a time is under way, for as many jobs as there were phones when it was
// asked: when an order comes, all phones of the fleet want a job at the same moment.
type line struct {
	mu      sync.Mutex
	waiting []chan taken // each has room for one
	asking  bool
	come    deliveries      // since the hub was away last
	since   <-chan struct{} // tells when that was, see [Client.returned]
	empty   time.Time       // until when the order is known to have no job to hand out
}

// taken is the answer to a phone in a line. Without work and error there is no job now.
type taken struct {
	work *Work
	err  error
}

// Next takes the next job of an order, nil when there is none now.
func (c *Client) Next(ctx context.Context, run string) (*Work, error) {
	found, _ := c.lines.LoadOrStore(run, &line{})
	l := found.(*line)
	place := make(chan taken, 1)
	l.mu.Lock()
	if time.Now().Before(l.empty) {
		l.mu.Unlock()
		return nil, nil
	}
	l.waiting = append(l.waiting, place)
	if !l.asking {
		l.asking = true
		go c.serve(context.WithoutCancel(ctx), run, l)
	}
	l.mu.Unlock()
	select {
	case t := <-place:
		return t.work, t.err
	case <-ctx.Done():
		go func() { // another phone is to have the job that may come
			if t := <-place; t.work != nil {
				t.work.Back(0)
			}
		}()
		return nil, context.Cause(ctx)
	}
}

// serve asks for jobs until nobody is left in the line.
func (c *Client) serve(ctx context.Context, run string, l *line) {
	for {
		l.mu.Lock()
		n := min(len(l.waiting), maxTaken)
		if n == 0 {
			l.asking = false
			l.mu.Unlock()
			return
		}
		places := l.waiting[:n:n]
		l.waiting = l.waiting[n:]
		l.mu.Unlock()
		left, err := c.take(ctx, run, l, places)
		if len(left) > 0 && err == nil {
			l.mu.Lock()
			// Not so long that a job which a phone gives back has to wait for a phone.
			l.empty = time.Now().Add(min(time.Second, c.lease/16))
			left = append(left, l.waiting...)
			l.waiting = nil
			l.mu.Unlock()
		}
		for _, place := range left {
			place <- taken{err: err}
		}
	}
}

// take asks for a job for each place, hands those out that come, and returns the places
// that are left.
func (c *Client) take(ctx context.Context, run string, l *line, places []chan taken) ([]chan taken, error) {
	c.asking <- struct{}{}
	defer func() { <-c.asking }()
	consumer, err := ask(ctx, c, func(ctx context.Context) (jetstream.Consumer, error) {
		return c.jobs(ctx, consumerName(run))
	})
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		c.lines.Delete(run) // the order is closed
		return places, nil
	}
	if err != nil {
		return places, err
	}
	if back := c.returned(); back != l.since { // a hub that was killed may use a number again
		l.come, l.since = deliveries{}, back
	}
	found, err := consumer.FetchNoWait(len(places))
	if err != nil {
		c.drop(consumerName(run))
		return places, err
	}
	for msg := range found.Messages() {
		meta, err := msg.Metadata()
		if err != nil || !l.come.first(meta.Sequence.Consumer) {
			c.log.Debug("a job came that was not handed out now", "run", run, "error", err)
			continue
		}
		work, err := c.read(run, msg, meta)
		places[0] <- taken{work, err}
		places = places[1:]
	}
	if err := found.Error(); err != nil { // it may be that the order is closed
		c.drop(consumerName(run))
		return places, err
	}
	return places, nil
}

// deliveries are the numbers of the deliveries of an order's jobs that have come to this end.
// The hub numbers them from 1: one that comes twice was handed out once, and the phone that
// has it must not lose it to another.
type deliveries struct {
	seen map[uint64]bool
	last []uint64 // the newest of them, in the order in which they came
}

// maxSeen is how many deliveries are remembered, many more than may be under way at a time.
const maxSeen = 16 * maxTaken

// first reports whether a delivery comes for the first time.
func (d *deliveries) first(number uint64) bool {
	if d.seen[number] {
		return false
	}
	if d.seen == nil {
		d.seen = map[uint64]bool{}
	}
	d.seen[number] = true
	d.last = append(d.last, number)
	if len(d.last) > maxSeen {
		delete(d.seen, d.last[0])
		d.last = d.last[1:]
	}
	return true
}

// read reads a job that was handed out.
func (c *Client) read(run string, msg jetstream.Msg, meta *jetstream.MsgMetadata) (*Work, error) {
	job, err := DecodeJob(msg.Data())
	if err == nil && (job.Run != run || msg.Subject() != jobSubject(job.Run, job.Number)) {
		err = fmt.Errorf("job %d of run %s as %s", job.Number, job.Run, msg.Subject())
	}
	if err != nil {
		_ = msg.TermWithReason(err.Error()) // otherwise the next phone does
		return nil, fmt.Errorf("%w: %w", ErrBadJob, err)
	}
	return &Work{Job: job, Deliveries: int(meta.NumDelivered), client: c, msg: msg}, nil
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
