package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"tapwise/cmd/internal/console/pause"

	"github.com/nats-io/nats.go/jetstream"
)

// Evidence of a level that failed stays with the worker until somebody asks for it. The
// question is a key, of which the worker is told; the answer is an object in a bucket for
// that worker's. Who asked takes both away; what nobody fetched
// disappears by itself.
const (
	askedBucket = "TAPWISE_ASKED" // WORKER.ID → Ask
	// AskedAge is for how long a question stays.
	AskedAge    = 10 * time.Minute
	evidenceAge = 24 * time.Hour
	// MaxEvidence is the most bytes of a packed folder of evidence, and maxShelved the most
	// that the hub stores of one worker.
	MaxEvidence = 16 << 20
	maxShelved  = 4 * MaxEvidence
)

// evidenceBucket is the object store of what a worker was asked for.
func evidenceBucket(worker string) string { return "TAPWISE_EVIDENCE_" + worker }

// Ask is what a worker is asked for: the evidence of something that it reported.
type Ask struct {
	ID    string `json:"id"`    // of the question
	Event string `json:"event"` // its ID
}

func (a *Ask) check() error {
	if !isName(a.ID) || !isName(a.Event) {
		return fmt.Errorf("fleet: question %q for the evidence of event %q, expected names", a.ID, a.Event)
	}
	return nil
}

var (
	// ErrNotFailed is the error for the evidence of a level that is not booked as failed.
	ErrNotFailed = errors.New("only a level that failed leaves evidence")
	// ErrNoEvidence is the error when a worker has no evidence to give.
	ErrNoEvidence = errors.New("the worker has no evidence of it")
	// ErrAway is the error when a worker does not answer in time.
	ErrAway = errors.New("the worker does not answer")
)

// Evidence asks the worker that ended a level of an order for its evidence, and returns the
// folder as a zip archive. Treat it as a stranger's: it has at most [MaxEvidence] bytes, and
// nothing else has been checked. If the context's time is over before the worker answers, the
// error is [ErrAway].
func (c *Client) Evidence(ctx context.Context, run string, level int) (Booked, []byte, error) {
	b, err := c.failed(ctx, run, level)
	if err != nil {
		return b, nil, err
	}
	store, err := c.evidenceStore(ctx, b.Worker)
	if err != nil {
		return b, nil, c.unanswered(err)
	}
	ask := Ask{ID: NewID(), Event: b.Event}
	data, err := encode(&ask)
	if err != nil {
		return b, nil, err
	}
	defer func() { // a question whose answer was lost may be there, too
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.patience)
		defer cancel()
		_ = c.asked.Purge(ending, b.Worker+"."+ask.ID) // or they disappear by themselves
		_ = store.Delete(ending, ask.ID)
	}()
	var packed []byte
	if _, err = c.asked.Create(ctx, b.Worker+"."+ask.ID, data); err != nil {
		err = c.unanswered(err)
	} else {
		packed, err = c.await(ctx, store, ask.ID)
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && err != nil {
		err = fmt.Errorf("worker %s: %w", b.Worker, ErrAway)
	}
	return b, packed, err
}

// failed returns how a level that failed is booked.
func (c *Client) failed(ctx context.Context, run string, level int) (Booked, error) {
	order, err := c.Order(ctx, run)
	if err != nil {
		return Booked{}, err
	}
	entry, err := c.levels.Get(ctx, levelKey(order.ID, level))
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return Booked{}, fmt.Errorf("level %d of run %s is not booked: %w", level, run, ErrNotFailed)
	case err != nil:
		return Booked{}, c.unanswered(err)
	}
	b, err := decode[Booked](entry.Value())
	if err == nil && b.lost() {
		err = fmt.Errorf("level %d of run %s: %s: %w", level, run, goneReason, ErrNotFailed)
	}
	if err == nil {
		err = CheckWorker(b.Worker)
	}
	if err == nil && b.Verdict != Failed {
		err = fmt.Errorf("level %d of run %s was %s: %w", level, run, b.Verdict, ErrNotFailed)
	}
	return b, err
}

// evidenceStore returns the bucket of a worker's evidence, and makes it where there is none.
func (c *Client) evidenceStore(ctx context.Context, worker string) (jetstream.ObjectStore, error) {
	store, err := c.js.ObjectStore(ctx, evidenceBucket(worker))
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return store, err
	}
	like, err := c.js.Stream(ctx, "KV_"+askedBucket)
	if err != nil {
		return nil, err
	}
	return c.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: evidenceBucket(worker), TTL: evidenceAge, MaxBytes: maxShelved, Storage: jetstream.FileStorage,
		Replicas: like.CachedInfo().Config.Replicas,
	})
}

// await waits for the answer to a question.
func (c *Client) await(ctx context.Context, store jetstream.ObjectStore, id string) ([]byte, error) {
	for {
		info, err := store.GetInfo(ctx, id)
		if err == nil {
			return fetch(ctx, store, info)
		}
		c.log.Debug("no evidence yet", "error", err) // the hub may be away, too
		if err := pause.For(ctx, retryWait); err != nil {
			return nil, err
		}
	}
}

// fetch reads the answer to a question, which a worker made.
func fetch(ctx context.Context, store jetstream.ObjectStore, info *jetstream.ObjectInfo) ([]byte, error) {
	switch {
	case info.Size > MaxEvidence:
		return nil, fmt.Errorf("%w: it has %d bytes, expected %d at most", ErrNoEvidence, info.Size, MaxEvidence)
	case info.Size == 0 && isText(info.Description, maxText):
		return nil, fmt.Errorf("%w: %s", ErrNoEvidence, info.Description)
	case info.Size == 0:
		return nil, ErrNoEvidence
	case info.Opts != nil && info.Opts.Link != nil: // it is another's
		return nil, fmt.Errorf("%w: it is a link", ErrNoEvidence)
	}
	object, err := store.Get(ctx, info.Name)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	data, err := io.ReadAll(io.LimitReader(object, MaxEvidence+1))
	if err == nil && len(data) > MaxEvidence {
		err = fmt.Errorf("%w: it has more than %d bytes", ErrNoEvidence, MaxEvidence)
	}
	return data, err
}

// hand keeps a worker's answer to a question, unless it is answered: packed evidence, or the
// reason why there is none.
func (c *Client) hand(ctx context.Context, worker string, ask Ask, packed []byte, reason string) error {
	store, err := c.js.ObjectStore(ctx, evidenceBucket(worker))
	if err != nil {
		return fmt.Errorf("bucket %s: %w", evidenceBucket(worker), err)
	}
	if _, err := store.GetInfo(ctx, ask.ID); err == nil {
		return nil
	}
	_, err = store.Put(ctx, jetstream.ObjectMeta{Name: ask.ID, Description: reason}, bytes.NewReader(packed))
	return err
}
