package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// bulletin is what all workers are to know, with a version that changes with it.
type bulletin struct {
	epoch string // of this process

	mu      sync.Mutex
	number  int
	orders  map[string]Order
	drained map[string]bool
	asks    map[string]askedFor // by key
	changed chan struct{}       // closed, and replaced, at a change
}

// askedFor is a question for evidence.
type askedFor struct {
	Ask
	until time.Time
}

// watch keeps the bulletin up to date until the context ends.
func (b *bulletin) watch(ctx context.Context, c *Client) {
	b.epoch, b.orders, b.drained, b.asks, b.changed = NewID(), map[string]Order{}, map[string]bool{}, map[string]askedFor{}, make(chan struct{})
	update := func(f func()) {
		b.mu.Lock()
		defer b.mu.Unlock()
		f()
		b.number++
		close(b.changed)
		b.changed = make(chan struct{})
	}
	go c.watch(ctx, c.runs, ">", func(key string, value []byte) {
		o, err := decode[Order](value)
		update(func() {
			delete(b.orders, key)
			if err == nil && o.State == Open {
				b.orders[key] = o
			}
		})
	}, func() {})
	go c.watch(ctx, c.control, ">", func(key string, value []byte) {
		update(func() {
			delete(b.drained, key)
			if len(value) > 0 {
				b.drained[key] = true
			}
		})
	}, func() {})
	go c.watchEntries(ctx, c.asked, ">", func(e jetstream.KeyValueEntry) {
		ask, err := decode[Ask](e.Value())
		update(func() {
			delete(b.asks, e.Key())
			if err == nil && strings.HasSuffix(e.Key(), "."+ask.ID) {
				b.asks[e.Key()] = askedFor{ask, time.Now().Add(AskedAge)}
			}
		})
	}, func() {})
}

// since returns what a worker is to know, unless it has heard it, and what is closed when that
// changes.
func (b *bulletin) since(worker, heard string) (n news, changed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n.Version = b.epoch + "." + strconv.Itoa(b.number)
	if n.Version == heard {
		return n, b.changed
	}
	for _, o := range b.orders {
		n.Orders = append(n.Orders, o)
	}
	slices.SortFunc(n.Orders, byAge)
	n.Orders = n.Orders[:min(len(n.Orders), mostOrders)]
	for key := range b.drained {
		if key == drainKey(worker, "") || strings.HasPrefix(key, drainKey(worker, "")+".") {
			n.Drained = append(n.Drained, key)
		}
	}
	for key, ask := range b.asks {
		if time.Now().After(ask.until) {
			delete(b.asks, key)
		} else if key == worker+"."+ask.ID {
			n.Asks = append(n.Asks, ask.Ask)
		}
	}
	return n, b.changed
}

// mostOrders is the most open orders that workers are told of at a time, the oldest: what they
// have no job of ends, and makes room for the next.
const mostOrders = 100

// ask returns what a worker is asked by an ID; false when that is nothing.
func (b *bulletin) ask(worker, id string) (Ask, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ask, ok := b.asks[worker+"."+id]
	return ask.Ask, ok
}

// news waits until there is something that the worker has not heard.
func (d *Dispatcher) news(ctx context.Context, w *crew, ask newsAsk) (news, error) {
	ctx, cancel := context.WithTimeout(ctx, newsWait)
	defer cancel()
	for {
		n, changed := d.bulletin.since(w.name, ask.Heard)
		w.mu.Lock()
		w.heard = time.Now()
		looks := w.waiter
		n.Looks, w.looks = w.looks, nil
		w.mu.Unlock()
		if n.Version != ask.Heard || len(n.Looks) > 0 {
			return n, nil
		}
		select {
		case <-changed:
		case <-looks:
		case <-ctx.Done():
			return n, nil
		}
	}
}

// look has a worker hear of a look, when it listens.
func (d *Dispatcher) look(msg *nats.Msg) {
	worker := strings.TrimPrefix(msg.Subject, lookSubject(""))
	question, err := decode[look](msg.Data)
	if err != nil || CheckWorker(worker) != nil {
		d.Client.log.Warn("a look is left out", "error", err)
		return
	}
	d.mu.Lock()
	w := d.crews[worker]
	d.mu.Unlock()
	if w != nil {
		w.mu.Lock()
		listens := time.Since(w.heard) < newsWait+usualPatience && len(w.looks) < maxLooks
		if listens {
			if len(w.asked) >= 4*maxLooks { // that were never answered
				clear(w.asked)
			}
			w.looks, w.asked[question.ID] = append(w.looks, question), msg
			close(w.waiter)
			w.waiter = make(chan struct{})
		}
		w.mu.Unlock()
		if listens {
			return
		}
	}
	_ = msg.Respond(nil) // nobody answers
}

// picture passes the answer to a look on to who asked this worker for it.
func (d *Dispatcher) picture(_ context.Context, w *crew, sent pictureSent) (struct{}, error) {
	w.mu.Lock()
	asked := w.asked[sent.ID]
	delete(w.asked, sent.ID)
	w.mu.Unlock()
	if asked == nil {
		return struct{}{}, fmt.Errorf("nobody waits for picture %q: %w", clip(sent.ID), ErrNotBelieved)
	}
	data, err := encode(&sent.picture)
	if err == nil {
		err = asked.Respond(data)
	}
	return struct{}{}, err
}

// evidenceParts is evidence that comes in parts, of one question at a time.
type evidenceParts struct {
	id   string
	part int // that comes next
	data []byte
}

// evidence takes a part of what the worker was asked for, and keeps it when it is whole.
func (d *Dispatcher) evidence(ctx context.Context, w *crew, p evidencePart) (struct{}, error) {
	none := struct{}{}
	ask, open := d.bulletin.ask(w.name, p.ID)
	if !open {
		return none, fmt.Errorf("question %q was not asked: %w", clip(p.ID), ErrNotBelieved)
	}
	w.mu.Lock()
	parts := &w.parts
	if p.Part == 0 {
		*parts = evidenceParts{id: p.ID}
	}
	again := parts.id == p.ID && p.Part == parts.part-1 // its answer was lost
	fits := parts.id == p.ID && p.Part == parts.part && len(p.Data) <= evidencePartSize && len(parts.data)+len(p.Data) <= MaxEvidence
	if fits {
		parts.part++
		parts.data = append(parts.data, p.Data...)
	}
	data := parts.data
	if fits && p.Last {
		*parts = evidenceParts{}
	}
	w.mu.Unlock()
	switch {
	case !fits && !again:
		return none, errors.New("fleet: a part of evidence that does not follow the one before")
	case !p.Last || again:
		return none, nil
	}
	return none, d.Client.hand(ctx, w.name, ask, data, clip(p.Reason))
}

// chunks returns the consumer of chunks, which is asked for once.
func (d *Dispatcher) chunks(ctx context.Context) (jetstream.Consumer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.consumer != nil {
		return d.consumer, nil
	}
	consumer, err := d.Client.js.Consumer(ctx, jobsStream, chunkConsumer)
	if err == nil {
		d.consumer = consumer
	}
	return consumer, err
}

// chunk hands out a chunk of any batch, when one comes in time.
func (d *Dispatcher) chunk(ctx context.Context, w *crew, ask chunkAsk) (handed, error) {
	consumer, err := d.chunks(ctx)
	if err != nil {
		return handed{}, err
	}
	found, err := consumer.Fetch(1, jetstream.FetchMaxWait(min(max(time.Second, ask.Wait), newsWait)))
	if err != nil {
		return handed{}, err
	}
	msg, ok := <-found.Messages()
	if !ok {
		return handed{}, found.Error()
	}
	meta, err := msg.Metadata()
	if err != nil {
		return handed{}, err
	}
	chunk, err := decode[Chunk](msg.Data())
	if err == nil && msg.Subject() != chunkSubject(chunk.Batch, chunk.Number) {
		err = fmt.Errorf("chunk %d of batch %s as %s", chunk.Number, chunk.Batch, msg.Subject())
	}
	if err != nil {
		_ = msg.TermWithReason(err.Error()) // otherwise the next core gets it
		return handed{}, fmt.Errorf("%w: %w", ErrBadJob, err)
	}
	if !d.admits(w.name) {
		return handed{}, msg.Nak()
	}
	h := &handing{Worker: w.name, Delivery: int(meta.NumDelivered), Ack: msg.Reply()}
	return d.handOut(chunk.Batch, chunk.Number, h, msg.Data())(ctx)
}

// answer keeps the answer to a chunk that the worker has, and ends it.
func (d *Dispatcher) answer(ctx context.Context, w *crew, a answerSent) (struct{}, error) {
	none := struct{}{}
	name := jobName{a.Batch, a.Number, a.Delivery}
	h, err := d.handings.held(ctx, w.name, name)
	if err == nil && (h.Game != "" || a.Worker != w.name) {
		err = fmt.Errorf("an answer of worker %q: %w", clip(a.Worker), ErrNotBelieved)
	}
	if err != nil {
		return none, err
	}
	data, err := encode(&a.Answer)
	if err != nil {
		return none, fmt.Errorf("%w: %w", ErrNotBelieved, err)
	}
	sent, err := d.Client.send(answerSubject(w.name, a.Batch), data, once(fmt.Sprintf("%s.%d.%d", a.Batch, a.Number, a.Delivery)))
	if err == nil {
		_, err = sent.wait(ctx)
	}
	if err != nil {
		return none, err
	}
	return none, d.handings.end(ctx, name, h)
}
