package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// handedBucket remembers to whom jobs and chunks were handed: RUN.JOB → handing, with as many
// revisions as a job is handed out at most. The hub believes a result by it, also after it was
// killed.
const (
	handedBucket = "TAPWISE_HANDED"
	handedAge    = 7 * 24 * time.Hour // a result that comes later is not believed
	handedTimes  = 32
)

// handing is one handing out of a job or a chunk.
type handing struct {
	Worker   string `json:"worker"`
	Serial   string `json:"serial,omitempty"` // of the phone; none for a chunk
	Game     string `json:"game,omitempty"`
	Levels   []int  `json:"levels,omitempty"`
	Delivery int    `json:"delivery"`
	Ack      string `json:"ack"` // the subject at which the job is kept and ended

	until   time.Time    // it is the worker's for sure
	results int          // that came
	ended   map[int]bool // levels, of which the hub has a result
}

func (h *handing) check() error {
	if !isName(h.Worker) || h.Delivery < 1 || len(h.Levels) > maxChunk {
		return fmt.Errorf("fleet: a job handed to worker %q for the time %d, expected a name and 1 or more", h.Worker, h.Delivery)
	}
	return nil
}

// mostResults bounds how many events a worker may send of a job that was handed to it: its
// levels may fail and be won, each of which may be told again.
func (h *handing) mostResults() int { return 4*len(h.Levels) + 4 }

// handings are the jobs that are handed out now, as far as this process knows.
type handings struct {
	client *Client

	mu  sync.Mutex
	all map[string]*handing // by key
}

func handedKey(run string, job int) string { return run + "." + strconv.Itoa(job) }

// put remembers that a job is handed out, and returns what waits until that is kept.
func (t *handings) put(run string, job int, h *handing) (*sending, error) {
	data, err := encode(h)
	if err != nil {
		return nil, err
	}
	h.until, h.ended = time.Now().Add(t.client.lease), map[int]bool{}
	t.mu.Lock()
	t.all[handedKey(run, job)] = h
	t.mu.Unlock()
	return t.client.send(keySubject(handedBucket, handedKey(run, job)), data)
}

// last returns the last handing out of a job; nil when it was never handed out. What another
// hub may have handed out since is looked up.
func (t *handings) last(ctx context.Context, run string, job int) (*handing, error) {
	if !isName(run) || job < 1 {
		return nil, nil
	}
	key := handedKey(run, job)
	t.mu.Lock()
	known := t.all[key]
	t.mu.Unlock()
	if known != nil && time.Now().Before(known.until) {
		return known, nil
	}
	entry, err := t.client.handed.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	h, err := decode[handing](entry.Value())
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.all[key]; now != nil && now.Delivery >= h.Delivery {
		now.until = time.Now().Add(t.client.lease)
		return now, nil
	}
	h.until, h.ended = time.Now().Add(t.client.lease), map[int]bool{}
	t.all[key] = &h
	return &h, nil
}

// held returns the job that a worker names, when that has it: nobody was handed it later.
func (t *handings) held(ctx context.Context, worker string, name jobName) (*handing, error) {
	h, err := t.last(ctx, name.Run, name.Job)
	if err != nil {
		return nil, err
	}
	if h == nil || h.Worker != worker || h.Delivery != name.Delivery {
		return nil, fmt.Errorf("job %d of run %q, handed out for the time %d: %w", name.Job, clip(name.Run), name.Delivery, ErrNotHeld)
	}
	return h, nil
}

// was returns a handing out of a job to a worker, be it the last or one before; nil when there
// was none.
func (t *handings) was(ctx context.Context, worker string, name jobName) (h *handing, now bool, err error) {
	h, err = t.last(ctx, name.Run, name.Job)
	if err != nil || h == nil || h.Delivery < name.Delivery {
		return nil, false, err
	}
	if h.Delivery == name.Delivery {
		if h.Worker != worker {
			return nil, false, nil
		}
		return h, true, nil
	}
	entries, err := t.client.handed.History(ctx, handedKey(name.Run, name.Job))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, false, nil
	}
	for _, entry := range entries {
		if h, err := decode[handing](entry.Value()); err == nil && h.Worker == worker && h.Delivery == name.Delivery {
			return &h, false, nil
		}
	}
	return nil, false, err
}

// keep has a job last as long as one that was handed out just now.
func (t *handings) keep(h *handing) error {
	t.mu.Lock()
	h.until = time.Now().Add(t.client.lease)
	t.mu.Unlock()
	return t.client.conn.Publish(h.Ack, []byte("+WPI"))
}

// back lets others have a job after a time.
func (t *handings) back(h *handing, after time.Duration) error {
	nak, err := json.Marshal(map[string]time.Duration{"delay": after})
	if err != nil {
		return err
	}
	return t.client.conn.Publish(h.Ack, append([]byte("-NAK "), nak...))
}

// end removes a job, and returns when the hub has written that down.
func (t *handings) end(ctx context.Context, name jobName, h *handing) error {
	if _, err := t.client.conn.RequestMsgWithContext(ctx, &nats.Msg{Subject: h.Ack, Data: []byte("+ACK")}); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.all, handedKey(name.Run, name.Job))
	return nil
}

// count counts a result of a job, unless there were too many.
func (t *handings) count(h *handing) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h.results >= h.mostResults() {
		return false
	}
	h.results++
	return true
}

// uncount takes back that a result was counted, which could not be kept: it comes again, however
// often that takes.
func (t *handings) uncount(h *handing) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h.results--
}

// ended remembers of which levels of a job the hub has a result.
func (t *handings) ended(h *handing, levels ...int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, level := range levels {
		if h.ended != nil {
			h.ended[level] = true
		}
	}
}

// open are the levels of a job of which the hub has no result.
func (t *handings) open(h *handing) []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(h.Levels), func(level int) bool { return h.ended[level] })
}

// of returns the jobs that a worker has, and forgets those whose time is over.
func (t *handings) of(worker string) []*handing {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []*handing
	for key, h := range t.all {
		switch {
		case time.Since(h.until) > t.client.lease:
			delete(t.all, key)
		case h.Worker == worker:
			all = append(all, h)
		}
	}
	return all
}
