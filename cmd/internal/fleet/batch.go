package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"tapwise/cmd/internal/console/pause"

	"github.com/nats-io/nats.go/jetstream"
)

// Batches are work that takes processors only, no phones. Their chunks lie in the stream
// of jobs and are handed out by one consumer to whoever offers a core; the answers lie in
// a stream of their own until whoever asked has read them. A batch is wanted for as long
// as its key in the bucket of leases is renewed: what was asked for by a process that
// died is done by nobody.
const (
	answersStream = "TAPWISE_ANSWERS" // tapwise.answer.WORKER.BATCH
	chunkConsumer = "batch"           // of tapwise.job.batch.BATCH.NUMBER
	answersAge    = 24 * time.Hour
)

func chunkSubject(batch string, number int) string {
	return "tapwise.job.batch." + batch + "." + strconv.Itoa(number)
}

// answerSubject is the subject of what a worker found of a batch; * is any batch.
func answerSubject(worker, batch string) string { return "tapwise.answer." + worker + "." + batch }

// batchKey has two parts, so that the subjects of phones' leases do not have it.
func batchKey(batch string) string { return "batch." + batch }

// setupBatches makes what batches need.
func (c *Client) setupBatches(ctx context.Context, replicas int, lease time.Duration) error {
	if _, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: answersStream, Subjects: []string{"tapwise.answer.>"}, MaxMsgSize: MaxMessage, MaxAge: answersAge,
		Duplicates: 10 * time.Minute, Discard: jetstream.DiscardNew, Replicas: replicas, Storage: jetstream.FileStorage,
	}); err != nil {
		return fmt.Errorf("stream %s: %w", answersStream, err)
	}
	if _, err := c.js.CreateOrUpdateConsumer(ctx, jobsStream, jetstream.ConsumerConfig{
		Durable: chunkConsumer, FilterSubject: "tapwise.job.batch.>", AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: lease, MaxAckPending: -1, MaxWaiting: maxCores,
	}); err != nil {
		return fmt.Errorf("consumer %s: %w", chunkConsumer, err)
	}
	return nil
}

// maxCores is the most cores that may wait for chunks at a time.
const maxCores = 1 << 16

// Chunk is a part of a batch, which a core does at a time.
type Chunk struct {
	Batch  string          `json:"batch"`
	Number int             `json:"chunk"` // from 1
	Data   json.RawMessage `json:"data"`  // for who does it to check
}

// Answer is what was found about a chunk: Data, or the Reason why there is none.
type Answer struct {
	Batch  string          `json:"batch"`
	Number int             `json:"chunk"`
	Worker string          `json:"worker"`
	Data   json.RawMessage `json:"data,omitempty"`
	Reason string          `json:"reason,omitempty"`
}

func (c *Chunk) check() error {
	if !isName(c.Batch) || c.Number < 1 || len(c.Data) == 0 {
		return fmt.Errorf("fleet: chunk %d of batch %q, expected a name and data", c.Number, c.Batch)
	}
	return nil
}

func (a *Answer) check() error {
	if !isName(a.Batch) || !isName(a.Worker) || a.Number < 1 || !isText(a.Reason, maxText) || (len(a.Data) == 0) == (a.Reason == "") {
		return fmt.Errorf("fleet: answer to chunk %d of batch %q by worker %q, expected names and data or a reason", a.Number, a.Batch, a.Worker)
	}
	return nil
}

// Batch is a batch, at the end of who asked for it.
type Batch struct {
	ID string

	client *Client
	tries  atomic.Int64
}

// OpenBatch begins a batch. It is wanted until it is closed, or was not kept for as long as a
// lease lasts.
func (c *Client) OpenBatch(ctx context.Context) (*Batch, error) {
	b := &Batch{ID: NewID(), client: c}
	if _, err := c.leases.Put(ctx, batchKey(b.ID), []byte("wanted")); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoHub, err)
	}
	return b, nil
}

// Keep keeps the batch wanted until the context ends. It calls lost if the batch was unwanted
// for a time, such as while the hub was away: chunks may have been dropped since.
func (b *Batch) Keep(ctx context.Context, lost func()) {
	for pause.For(ctx, b.client.lease/3) == nil {
		_, err := b.client.leases.Get(ctx, batchKey(b.ID))
		gone := errors.Is(err, jetstream.ErrKeyNotFound)
		if _, err := b.client.leases.Put(ctx, batchKey(b.ID), []byte("wanted")); err != nil {
			b.client.log.Debug("the hub was not told that a batch is wanted", "batch", b.ID, "error", err)
			continue
		}
		if gone {
			lost()
		}
	}
}

// Submit hands a chunk in, even if it was handed in before. It waits for a hub that is away
// until the context ends.
func (b *Batch) Submit(ctx context.Context, number int, data any) error {
	raw, err := json.Marshal(data)
	if err != nil {
		return err
	}
	message, err := encode(&Chunk{Batch: b.ID, Number: number, Data: raw})
	if err != nil {
		return err
	}
	id := fmt.Sprintf("%s.%d.%d", b.ID, number, b.tries.Add(1))
	for {
		if _, err = b.client.js.Publish(ctx, chunkSubject(b.ID, number), message, jetstream.WithMsgID(id)); err == nil {
			return nil
		}
		b.client.log.Debug("a chunk was not handed in", "batch", b.ID, "chunk", number, "error", err)
		if err := pause.For(ctx, retryWait); err != nil {
			return err
		}
	}
}

// Answers calls each with the answers to the batch's chunks, each at least once and from
// one goroutine, until the context ends.
func (b *Batch) Answers(ctx context.Context, each func(Answer)) {
	for ctx.Err() == nil {
		consumer, err := b.client.js.CreateOrUpdateConsumer(ctx, answersStream, jetstream.ConsumerConfig{
			Durable: "batch-" + b.ID, FilterSubject: answerSubject("*", b.ID), AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: 30 * time.Second, InactiveThreshold: time.Hour,
		})
		for err == nil && ctx.Err() == nil {
			err = readAnswers(ctx, consumer, b.client, each)
		}
		b.client.log.Debug("cannot read answers now", "batch", b.ID, "error", err)
		_ = pause.For(ctx, retryWait) // the loop sees that it ended
	}
}

// readAnswers reads those answers that are there, or that come within a time.
func readAnswers(ctx context.Context, consumer jetstream.Consumer, c *Client, each func(Answer)) error {
	found, err := consumer.Fetch(batch, jetstream.FetchMaxWait(2*time.Second))
	if err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case msg, ok := <-found.Messages():
			if !ok {
				return found.Error()
			}
			a, err := decode[Answer](msg.Data())
			if err == nil && msg.Subject() != answerSubject(a.Worker, a.Batch) {
				err = fmt.Errorf("fleet: an answer of worker %s to batch %s", a.Worker, a.Batch)
			}
			if err != nil {
				c.log.Warn("an answer is left out", "subject", msg.Subject(), "error", err)
			} else {
				each(a)
			}
			_ = msg.Ack() // or it comes again
		}
	}
}

// Cores returns how many cores the workers offer, busy or not.
func (b *Batch) Cores(ctx context.Context) (int, error) {
	consumer, err := b.client.js.Consumer(ctx, jobsStream, chunkConsumer)
	if err != nil {
		return 0, err
	}
	info := consumer.CachedInfo() // which was asked for just now
	return info.NumWaiting + info.NumAckPending, nil
}

// Close ends the batch, and removes what is left of it.
func (b *Batch) Close(ctx context.Context) error {
	failures := []error{b.client.leases.Delete(ctx, batchKey(b.ID))}
	for stream, subject := range map[string]string{jobsStream: "tapwise.job.batch." + b.ID + ".*", answersStream: answerSubject("*", b.ID)} {
		s, err := b.client.js.Stream(ctx, stream)
		if err == nil {
			err = s.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}
		failures = append(failures, err)
	}
	if err := b.client.js.DeleteConsumer(ctx, answersStream, "batch-"+b.ID); !errors.Is(err, jetstream.ErrConsumerNotFound) {
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}

// wanted reports whether somebody still waits for the answers of a batch.
func (c *Client) wanted(ctx context.Context, batch string) (bool, error) {
	if !isName(batch) {
		return false, fmt.Errorf("batch %q, expected a name", clip(batch))
	}
	_, err := c.leases.Get(ctx, batchKey(batch))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Portion is a chunk that a core has, until it is answered, put back, dropped, or its
// lease ends.
type Portion struct {
	Chunk
	Deliveries int // how often it was handed out, this time included

	agent *Agent
}

func (p *Portion) name() jobName { return jobName{p.Batch, p.Number, p.Deliveries} }

// NextPortion takes the next chunk of any batch, nil when none comes within a time.
func (a *Agent) NextPortion(ctx context.Context, wait time.Duration) (*Portion, error) {
	question, err := json.Marshal(chunkAsk{wait})
	if err != nil {
		return nil, err
	}
	found, err := a.request(ctx, chunkVerb, []json.RawMessage{question}, newsWait+a.patience)
	if err == nil {
		err = found[0].err()
	}
	if err != nil {
		return nil, err
	}
	var h handed
	if err := json.Unmarshal(found[0].Data, &h); err != nil || len(h.Message) == 0 {
		return nil, err
	}
	chunk, err := decode[Chunk](h.Message)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadJob, err)
	}
	return &Portion{Chunk: chunk, Deliveries: h.Delivery, agent: a}, nil
}

// Keep reports to the hub, every third of a lease until the context ends, that the chunk is
// under way. It calls unwanted if nobody waits for the answer any more, or nobody did when the
// chunk came.
func (p *Portion) Keep(ctx context.Context, unwanted func()) {
	for {
		wanted, asked := p.agent.wanteds.ask(ctx, batchName{p.Batch})
		if asked == nil && !wanted {
			unwanted()
			return
		}
		if asked != nil {
			p.agent.log.Debug("it is not known whether a chunk is wanted", "batch", p.Batch, "chunk", p.Number, "error", asked)
		}
		if pause.For(ctx, p.agent.lease/3) != nil {
			return
		}
		if _, err := p.agent.keeps.ask(ctx, p.name()); err != nil {
			p.agent.log.Debug("the hub was not told that a chunk is under way", "batch", p.Batch, "chunk", p.Number, "error", err)
		}
	}
}

// ErrLarge is the error for an answer that is larger than a message may be.
var ErrLarge = errors.New("an answer that is too large")

// Answer hands in what was found, or if data is nil, the reason why nothing was, and ends the
// chunk. It waits for a hub that is away until the context ends.
func (p *Portion) Answer(ctx context.Context, worker string, data any, reason string) error {
	a := Answer{Batch: p.Batch, Number: p.Number, Worker: worker, Reason: strings.ToValidUTF8(reason, "?")}
	if data != nil {
		raw, err := json.Marshal(data)
		if err != nil {
			return err
		}
		if len(raw) > MaxMessage-maxText {
			return fmt.Errorf("%w: %d bytes, expected %d at most", ErrLarge, len(raw), MaxMessage-maxText)
		}
		a.Data = raw
	}
	if err := a.check(); err != nil {
		return err
	}
	for {
		_, err := p.agent.answers.ask(ctx, answerSent{a, p.Deliveries})
		if err == nil {
			return nil
		}
		p.agent.log.Debug("an answer was not handed in", "batch", p.Batch, "chunk", p.Number, "error", err)
		if errors.Is(err, ErrNotHeld) || errors.Is(err, ErrNotBelieved) {
			return err // another has the chunk
		}
		if err := pause.For(ctx, retryWait); err != nil {
			return err
		}
	}
}

// Back lets another core have the chunk.
func (p *Portion) Back() { p.agent.back(jobEnd{jobName: p.name(), Back: true}) }

// Drop ends a chunk that nobody wants; when that is not so, it comes again.
func (p *Portion) Drop() { p.agent.back(jobEnd{jobName: p.name()}) }
