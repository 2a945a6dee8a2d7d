package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"tapwise/cmd/internal/console/pause"

	"github.com/nats-io/nats.go/jetstream"
)

// Clerk books what was played. Several may work on the same streams.
type Clerk struct {
	Client *Client
	// Keep, if set, is called with the events of levels before these are booked, at least once
	// with each; after an error it is called again later. It may be called from two goroutines.
	Keep func(context.Context, []Event) error

	// before has, for each poisoned job that waits, the number of the last result that may
	// have been sent before it.
	before map[string]uint64
	// last has the highest level of the orders that were asked for. It never changes.
	last map[string]int
	// strays are the jobs of orders that nobody knows, and since when the clerk has seen
	// them.
	strays map[string]time.Time
	// gone are the open orders whose jobs are gone, though not all levels are booked, and
	// since when the clerk has seen that.
	gone map[string]time.Time
}

// maxLast is of how many orders the clerk remembers the highest level.
const maxLast = 1024

// clerkName is the durable consumer of the streams that the clerk reads.
const clerkName = "clerk"

// batch is how many events the clerk takes at a time.
const batch = 256

// Run books until the context ends. It goes on when the hub was away.
func (k *Clerk) Run(ctx context.Context) error {
	var wait sync.WaitGroup
	events := make(chan []jetstream.Msg)
	for _, stream := range []string{resultsStream, poisonStream} {
		wait.Add(1)
		go func() {
			defer wait.Done()
			k.read(ctx, stream, events)
		}()
	}
	wait.Add(1)
	go func() {
		defer wait.Done()
		var swept time.Time
		for ctx.Err() == nil {
			if err := k.close(ctx, time.Now()); err != nil {
				k.Client.log.Debug("orders cannot be closed now", "error", err)
			}
			if time.Since(swept) >= sweepEvery {
				if err := k.sweep(ctx, time.Now()); err != nil {
					k.Client.log.Debug("jobs without an order cannot be looked for now", "error", err)
				}
				if err := k.makeRoom(ctx); err != nil {
					k.Client.log.Warn("no room can be made for results", "error", err)
				}
				swept = time.Now()
			}
			_ = pause.For(ctx, min(time.Second, k.Client.lease/4)) // the loop sees that it ended
		}
	}()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case messages := <-events:
			k.bookAll(ctx, messages)
		}
	}
	wait.Wait()
	return context.Cause(ctx)
}

// bookAll books some events. Those that cannot be booked now come again.
func (k *Clerk) bookAll(ctx context.Context, messages []jetstream.Msg) {
	var levels []Event
	events := make([]*Event, len(messages))
	for i, msg := range messages {
		e, err := DecodeEvent(msg.Data())
		if err == nil {
			err = e.sentBy(msg.Subject())
		}
		if err != nil {
			k.Client.log.Warn("an event is left out", "subject", msg.Subject(), "error", err)
			continue
		}
		events[i] = &e
		if e.Verdict != Poison {
			levels = append(levels, e)
		}
	}
	if k.Keep != nil && len(levels) > 0 {
		if err := k.Keep(ctx, levels); err != nil {
			k.Client.log.Warn("events cannot be kept now", "error", err)
			for _, msg := range messages {
				_ = msg.NakWithDelay(time.Second) // or it comes again by itself
			}
			return
		}
	}
	// All are sent before the first is waited for.
	bookings := make([]booking, len(messages))
	for i, e := range events {
		if e != nil {
			bookings[i] = k.book(ctx, *e)
		}
	}
	for i, msg := range messages {
		if err := bookings[i].wait(ctx); err != nil {
			k.Client.log.Debug("not booked yet", "error", err)
			_ = msg.NakWithDelay(retryWait) // or it comes again by itself
			continue
		}
		_ = msg.Ack() // or it comes again, and is booked already
	}
}

// booking is the booking of an event that is under way.
type booking struct {
	sent []*sending // of its levels
	err  error      // the hub's
}

// wait waits until the event is booked, or the levels are that it tells of.
func (b booking) wait(ctx context.Context) error {
	for _, sent := range b.sent {
		// The bucket's revisions see to it that one booking stays, whoever tries again or
		// at the same time.
		if _, err := sent.wait(ctx); err != nil && !isRevised(err) {
			return err
		}
	}
	return b.err
}

// isRevised reports whether a key was not written since it has another revision, such as a
// level that is booked.
func isRevised(err error) bool {
	var refused jetstream.JetStreamError
	if !errors.As(err, &refused) || refused.APIError() == nil {
		return false
	}
	code := refused.APIError().ErrorCode
	return code == jetstream.JSErrCodeStreamWrongLastSequence || code == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}

// read reads a stream's events.
func (k *Clerk) read(ctx context.Context, stream string, events chan<- []jetstream.Msg) {
	for ctx.Err() == nil {
		consumer, err := k.Client.js.CreateOrUpdateConsumer(ctx, stream, jetstream.ConsumerConfig{
			Durable: clerkName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: min(30*time.Second, 2*k.Client.lease), MaxAckPending: 4 * batch,
		})
		for err == nil {
			var messages jetstream.MessageBatch
			if messages, err = consumer.Fetch(batch, jetstream.FetchMaxWait(2*time.Second)); err != nil {
				break
			}
			for some := range chunks(messages.Messages()) {
				select {
				case events <- some:
				case <-ctx.Done():
					return
				}
			}
			if err = messages.Error(); ctx.Err() != nil {
				return
			}
		}
		k.Client.log.Debug("cannot read events now", "stream", stream, "error", err)
		_ = pause.For(ctx, retryWait) // the loop sees that it ended
	}
}

// chunks gives what has come of a channel, together, until it is closed.
func chunks(messages <-chan jetstream.Msg) func(yield func([]jetstream.Msg) bool) {
	return func(yield func([]jetstream.Msg) bool) {
		for msg := range messages {
			some := []jetstream.Msg{msg}
			for more := true; more && len(some) < batch; {
				select {
				case msg, ok := <-messages:
					if ok {
						some = append(some, msg)
					}
					more = ok
				default:
					more = false
				}
			}
			if !yield(some) {
				return
			}
		}
	}
}

// book begins to book one event. What is wrong with an event is told to the log, and the
// event is done with; an error is the hub's.
func (k *Clerk) book(ctx context.Context, e Event) booking {
	last, err := k.lastLevel(ctx, e.Run)
	if errors.Is(err, ErrUnknown) {
		k.Client.log.Warn("an event is left out", "worker", e.Worker, "error", err)
		return booking{}
	}
	if err != nil {
		return booking{err: err}
	}
	if e.Verdict == Failed { // it may yet be won
		return k.bookTry(e, last)
	}
	b := Booked{Verdict: Won, Worker: e.Worker, Phone: e.Phone, Event: e.ID}
	levels := []int{e.Level}
	if e.Verdict == Poison {
		if err := k.resultsFirst(ctx, e.ID); err != nil {
			return booking{err: err}
		}
		b.Verdict, b.Reason, b.Code, levels = Failed, e.Reason, e.Code, e.Levels
	} else {
		b.Seconds = e.seconds()
	}
	var all booking
	for _, n := range levels {
		if n > last {
			k.Client.log.Warn("an event is left out", "worker", e.Worker, "level", n, "expected", last)
			continue
		}
		b.Level = n
		sent, err := k.Client.book(e.Run, b)
		if err != nil {
			all.err = err
			break
		}
		all.sent = append(all.sent, sent)
	}
	return all
}

// bookTry begins to note an attempt that failed, of an order with that last level.
func (k *Clerk) bookTry(e Event, last int) booking {
	if e.Level > last {
		k.Client.log.Warn("an event is left out", "worker", e.Worker, "level", e.Level, "expected", last)
		return booking{}
	}
	data, err := encode(&Try{Level: e.Level, Worker: e.Worker, Phone: e.Phone, Seconds: e.seconds()})
	if err != nil {
		return booking{err: err}
	}
	// What is noted once stays, however often the event comes.
	sent, err := k.Client.send(keySubject(levelsBucket, tryKey(e)), data, after(0))
	if err != nil {
		return booking{err: err}
	}
	return booking{sent: []*sending{sent}}
}

// lastLevel returns the highest level of an order.
func (k *Clerk) lastLevel(ctx context.Context, run string) (int, error) {
	if last, known := k.last[run]; known {
		return last, nil
	}
	order, err := k.Client.Order(ctx, run)
	if err != nil {
		return 0, err
	}
	if k.last == nil || len(k.last) >= maxLast {
		k.last = map[string]int{}
	}
	k.last[run] = order.Last
	return order.Last, nil
}

// resultsFirst wants the results booked that were sent before a job was given up: they come
// in another stream, and a level that was won is not to be booked as failed.
func (k *Clerk) resultsFirst(ctx context.Context, id string) error {
	c := k.Client
	last, known := k.before[id]
	if !known {
		stream, err := c.js.Stream(ctx, resultsStream)
		if err != nil {
			return err
		}
		if k.before == nil {
			k.before = map[string]uint64{}
		}
		last = stream.CachedInfo().State.LastSeq // which was asked for just now
		k.before[id] = last
	}
	consumer, err := c.js.Consumer(ctx, resultsStream, clerkName)
	if err != nil {
		return err
	}
	if done := consumer.CachedInfo().AckFloor.Stream; done < last {
		return fmt.Errorf("results up to %d are booked, expected %d before a job is given up", done, last)
	}
	delete(k.before, id)
	return nil
}

// sentBy checks that an event comes from the worker that it names.
func (e *Event) sentBy(subject string) error {
	parts := strings.Split(subject, ".")
	if len(parts) < 3 || parts[2] != e.Worker || (parts[1] == "poison") != (e.Verdict == Poison) {
		return fmt.Errorf("fleet: event %s of worker %s was sent as %s", e.ID, e.Worker, subject)
	}
	return nil
}

// book begins to book a level, unless it is booked: its key is to have no revision.
func (c *Client) book(run string, b Booked) (*sending, error) {
	data, err := encode(&b)
	if err != nil {
		return nil, err
	}
	return c.send(keySubject(levelsBucket, levelKey(run, b.Level)), data, after(0))
}

// waiting returns how many messages a consumer has not been done with.
func (c *Client) waiting(ctx context.Context, stream, name string) (int, error) {
	consumer, err := c.js.Consumer(ctx, stream, name)
	if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	info := consumer.CachedInfo() // which was asked for just now
	return int(info.NumPending) + info.NumAckPending, nil
}

const (
	// sweepEvery is the pause between two looks at whether there are jobs without an order.
	sweepEvery = time.Minute
	// strayAge is for how long they may be those of an order that is being made.
	strayAge = 15 * time.Minute
)

// makeRoom removes results that are booked from streams that are half full.
func (k *Clerk) makeRoom(ctx context.Context) error {
	for _, name := range []string{resultsStream, poisonStream} {
		stream, err := k.Client.js.Stream(ctx, name)
		if err != nil {
			return err
		}
		info := stream.CachedInfo()
		if most := info.Config.MaxBytes; most > 0 && info.State.Bytes > uint64(most)/2 {
			if err := k.Client.purge(ctx, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// Purge removes the results that are booked. What was played stands in the hub's journal.
func (c *Client) Purge(ctx context.Context) error {
	return errors.Join(c.purge(ctx, resultsStream), c.purge(ctx, poisonStream))
}

// purge removes from a stream what the clerk has booked.
func (c *Client) purge(ctx context.Context, name string) error {
	stream, err := c.js.Stream(ctx, name)
	if err != nil {
		return c.unanswered(err)
	}
	consumer, err := stream.Consumer(ctx, clerkName)
	if err != nil {
		return c.unanswered(err)
	}
	if err := stream.Purge(ctx, jetstream.WithPurgeSequence(consumer.CachedInfo().AckFloor.Stream+1)); err != nil {
		return fmt.Errorf("stream %s: %w", name, err)
	}
	return nil
}

// sweep removes the jobs of orders that were never made, since whoever ordered them ended
// in the middle of it, and what is left of orders that have ended.
func (k *Clerk) sweep(ctx context.Context, now time.Time) error {
	c := k.Client
	stream, err := c.js.Stream(ctx, jobsStream)
	if err != nil {
		return err
	}
	seen := map[string]time.Time{}
	names := stream.ConsumerNames(ctx)
	for name := range names.Name() {
		run, of := strings.CutPrefix(name, consumerName(""))
		if !of {
			continue // the one of batches
		}
		order, err := c.Order(ctx, run)
		since, before := k.strays[run]
		switch {
		case err == nil && order.State == Open:
			continue
		case err != nil && !errors.Is(err, ErrUnknown):
			return err
		case !before:
			since = now
		}
		if now.Sub(since) < strayAge {
			seen[run] = since
			continue
		}
		c.log.Warn("jobs without an order are removed", "run", run)
		if err := c.removeJobs(ctx, run); err != nil {
			return err
		}
	}
	k.strays = seen
	return names.Err()
}
