package batch

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"tapwise/cmd/internal/fleet"
)

// Fleet has work done by the workers of a hub.
type Fleet struct {
	Client *fleet.Client
	Log    *slog.Logger
}

const (
	// target is the time that a chunk is to take: long beside what handing it out takes,
	// short beside a lease.
	target = time.Second
	// maxItems is the most items of a chunk, and maxBytes the most bytes of them.
	maxItems = 512
	maxBytes = 256 << 10
	// forget is how much less an answer counts when the next one comes.
	forget = 0.9
	// look is the pause between two looks at how many cores there are.
	look = time.Second
	// alone is after how many of those in a row it is said that there are none.
	alone = 3
)

// farm has items done by others. Its methods are called from one goroutine.
type farm struct {
	Fleet
	sizes []int                 // bytes of each item
	ask   func(items []int) any // what a chunk of them says; it is sent as JSON
	// take takes in the answer to an item; without data the fleet cannot do it. It reports
	// whether the batch goes on.
	take func(item int, data json.RawMessage) bool
	// lost is told why an item that ends workers was given up; it reports as take does.
	lost func(item int, reason string) bool

	batch   *fleet.Batch
	queue   [][]int       // items that are not handed in, each part a chunk at most
	out     map[int][]int // the items of chunks that are not answered, by number
	number  int           // of the last chunk
	left    int           // items that are not done
	cores   int           // that were seen last
	largest int           // chunk, in items, so far
	seconds float64       // that lately answered items took
	items   float64       // that lately were answered
	busy    float64       // seconds for which cores worked, in all
}

// run returns when all items are done, one ended the batch, or the context ends.
func (f *farm) run(ctx context.Context) error {
	if len(f.sizes) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var err error
	if f.batch, err = f.Client.OpenBatch(ctx); err != nil {
		return err
	}
	defer f.end(ctx)
	all := make([]int, len(f.sizes))
	for i := range all {
		all[i] = i
	}
	f.queue, f.out, f.left, f.cores = [][]int{all}, map[int][]int{}, len(all), 1
	answers, dropped := make(chan fleet.Answer), make(chan struct{}, 1)
	go f.batch.Answers(ctx, func(a fleet.Answer) {
		select {
		case answers <- a:
		case <-ctx.Done():
		}
	})
	go f.batch.Keep(ctx, func() {
		select {
		case dropped <- struct{}{}:
		default: // it is known
		}
	})
	begin := time.Now()
	defer func() {
		f.Log.Debug("a batch is over", "batch", f.batch.ID, "items", len(f.sizes), "chunks", f.number, "cores", f.cores, "busy", f.busy, "took", time.Since(begin).Seconds())
	}()
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	without := f.count(ctx, 0)
	for f.left > 0 {
		if err := f.submit(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case a := <-answers:
			if !f.answered(a) {
				return nil
			}
		case <-dropped:
			if err := f.again(ctx); err != nil {
				return err
			}
		case <-ticker.C:
			if without = f.count(ctx, without); without == alone {
				f.Log.Warn("no worker of the hub offers cores yet, see tapwise worker --cores")
			}
		}
	}
	return nil
}

// end ends the batch; what is left of it ends by itself when the hub cannot be told.
func (f *farm) end(ctx context.Context) {
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := f.batch.Close(ending); err != nil {
		f.Log.Debug("a batch was not cleared away", "batch", f.batch.ID, "error", err)
	}
}

// count looks how many cores there are, and returns how often in a row there were none.
func (f *farm) count(ctx context.Context, without int) int {
	cores, err := f.batch.Cores(ctx)
	switch {
	case err != nil:
		f.Log.Debug("the cores are not known", "error", err)
		return without
	case cores == 0:
		return without + 1
	}
	f.cores = cores
	return 0
}

// submit hands chunks in until each core has one to come when its own is done.
func (f *farm) submit(ctx context.Context) error {
	for len(f.queue) > 0 && len(f.out) < 2*f.cores+1 {
		n := f.chunk(f.queue[0])
		items := f.queue[0][:n]
		if f.queue[0] = f.queue[0][n:]; len(f.queue[0]) == 0 {
			f.queue = f.queue[1:]
		}
		f.number++
		f.out[f.number] = items
		if err := f.batch.Submit(ctx, f.number, f.ask(items)); err != nil {
			return err
		}
	}
	return nil
}

// chunk is how many of the items are the next chunk.
func (f *farm) chunk(items []int) int {
	n := 1
	if f.items > 0 {
		cost := max(f.seconds/f.items, 1e-6)
		// Not by a few answers more than those were; and at the end every core is to
		// have something to do.
		n = min(int(target.Seconds()/cost), 4*f.largest, len(items)/(2*f.cores), maxItems)
	}
	n = min(max(1, n), len(items))
	bytes := 0
	for i, item := range items[:n] {
		if bytes += f.sizes[item]; i > 0 && bytes > maxBytes {
			return i
		}
	}
	return n
}

// again hands in once more what is not answered.
func (f *farm) again(ctx context.Context) error {
	for number, items := range f.out {
		if err := f.batch.Submit(ctx, number, f.ask(items)); err != nil {
			return err
		}
	}
	return nil
}

// answered takes an answer in; it reports whether the batch goes on.
func (f *farm) answered(a fleet.Answer) bool {
	items, expected := f.out[a.Number]
	if !expected {
		return true // it was answered before
	}
	delete(f.out, a.Number)
	var found found
	err := errors.New(a.Reason)
	if a.Reason == "" {
		err = json.Unmarshal(a.Data, &found)
	}
	switch {
	case err == nil && found.GivenUp != "":
		return f.givenUp(items, found.GivenUp)
	case err != nil || len(found.Items) != len(items):
		f.Log.Debug("a chunk was not done", "batch", a.Batch, "chunk", a.Number, "items", len(items), "worker", a.Worker, "error", err)
		found.Items = make([]json.RawMessage, len(items)) // nothing is known of them
	}
	f.seconds, f.items = forget*f.seconds+found.Seconds, forget*f.items+float64(len(items))
	f.busy += found.Seconds
	f.largest = max(f.largest, len(items))
	for i, item := range items {
		if !f.take(item, found.Items[i]) {
			return false
		}
		f.left--
	}
	return true
}

// givenUp hands the items of a chunk in one by one, since it may be one that ends workers.
func (f *farm) givenUp(items []int, reason string) bool {
	if len(items) > 1 {
		var parts [][]int
		for i := range items {
			parts = append(parts, items[i:i+1])
		}
		f.queue = append(parts, f.queue...)
		return true
	}
	f.left--
	return f.lost(items[0], reason)
}
