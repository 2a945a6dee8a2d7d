package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"tapwise/cmd/internal/console/pause"
	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/journal"
)

// Task is what a phone is to play.
type Task struct {
	fleet.Job
	Left []fleet.Level // of the job's levels, those to play
	// Begin is called before a level is touched. It returns an error when that level is
	// not to be played.
	Begin func(level int) error
	// Done is called after a level was won or failed. The event has what the phone knows about
	// it, the folder is the evidence that a failure left, empty for none. An error ends the
	// task.
	Done func(e fleet.Event, evidence string) error
}

// Shelf is the phones of a host.
type Shelf interface {
	// Phones returns the phones that there are, except for what only a worker knows of them.
	// Those that are unready say so, and are not played on.
	Phones(ctx context.Context) ([]fleet.Phone, error)
	// Play plays the levels of a task on a phone, and returns when all are done, one failed, or
	// the context has ended; the finger is up then.
	Play(ctx context.Context, serial string, task Task) error
}

// Eyes show what is on the screens of phones.
type Eyes interface {
	// Picture returns what a phone shows now, as a JPEG of at most that many bytes.
	Picture(ctx context.Context, serial string, most int) ([]byte, error)
}

// Outbox keeps what is to be delivered.
type Outbox interface {
	Add(ctx context.Context, p journal.Parcel) error
	Oldest(ctx context.Context, n int) ([]journal.Parcel, error)
	Remove(ctx context.Context, id string) error
}

// Worker plays jobs on the phones of a shelf.
type Worker struct {
	Name   string
	Agent  *fleet.Agent
	Shelf  Shelf
	Outbox Outbox
	Code   func(error) int // the exit code of a failure
	// Hint, when set, says what a person can do about what keeps a phone from playing.
	Hint func(error) string
	// Evidence, when set, is asked for what failures left.
	Evidence Evidence
	// Eyes, when set, show the screens of the phones to who looks at them.
	Eyes Eyes
	Tell func(fleet.Phone) // when set, is told how phones are, from several goroutines
	Log  *slog.Logger

	// AtOnce is on how many phones it plays at a time: those that this host simulates
	// want its processors. 0 is all.
	AtOnce int

	turns   chan struct{} // has an element for each phone that is being played on; nil: no bound
	board   *fleet.Board
	deliver *delivery
	tell    *teller
	clock   clock
}

const (
	// tries is how often a job may be handed out before a failure ends it.
	tries = 5
	// deliveries is how often a job may be handed out before it is given up: whatever
	// it is that ends workers, it may be the job.
	deliveries = 20
	// lookForPhones is the pause between two looks at which phones there are.
	lookForPhones = 2 * time.Second
	// longestRest is the longest pause after a phone failed.
	longestRest = time.Minute
)

// Run works until the context ends; then phones end the stroke under way.
func (w *Worker) Run(ctx context.Context) error {
	if w.AtOnce > 0 {
		w.turns = make(chan struct{}, w.AtOnce)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-w.Agent.Ended():
			cancel()
		case <-ctx.Done():
		}
	}()
	w.board = w.Agent.Watch()
	w.deliver = newDelivery(w.Agent, w.Outbox, w.Log)
	w.tell = &teller{agent: w.Agent, log: w.Log, full: make(chan struct{}, 1), news: map[string]fleet.Phone{}}
	go w.tell.run(ctx)
	var wait sync.WaitGroup
	defer wait.Wait()
	wait.Go(func() { w.deliver.run(ctx) })
	if w.Evidence != nil {
		wait.Go(func() { w.answer(ctx) })
	}
	if w.Eyes != nil {
		wait.Go(func() {
			w.Agent.Looks(ctx, func(ctx context.Context, serial string) ([]byte, error) {
				return w.Eyes.Picture(ctx, serial, fleet.MaxPicture)
			})
		})
	}
	known := map[string]plugged{} // by the phone's ID
	var unusable unready
	for {
		phones, err := w.Shelf.Phones(ctx)
		if err != nil && ctx.Err() == nil {
			w.Log.Warn("the phones are not known now", "error", err)
		}
		there := map[string]bool{}
		for i := range phones {
			phones[i].Worker = w.Name
		}
		if err == nil {
			unusable.tell(ctx, w, phones)
		}
		for _, p := range phones {
			if p.State == fleet.Unready {
				continue
			}
			there[p.ID()] = true
			if before := known[p.ID()]; before.serial != p.Serial {
				known[p.ID()] = w.plug(ctx, &wait, p, before)
			}
		}
		for id, p := range known {
			if err == nil && !there[id] {
				p.off()
				delete(known, id)
			}
		}
		if pause.For(ctx, lookForPhones) != nil {
			return w.Agent.Err()
		}
	}
}

// unready are the phones that are there and cannot be used, by ID, and when the hub was told
// of them last.
type unready map[string]unreadyPhone

type unreadyPhone struct {
	phone fleet.Phone
	since time.Time
	told  time.Time
}

// tell tells the hub of those among the phones that there are now, as long as they are so.
func (u *unready) tell(ctx context.Context, w *Worker, phones []fleet.Phone) {
	now := unready{}
	used := map[string]bool{}
	for _, p := range phones {
		id := p.ID()
		if p.State != fleet.Unready {
			used[id] = true
			continue
		}
		one, before := (*u)[id]
		if !before {
			one.since = time.Now()
		}
		p.StateSeconds = time.Since(one.since).Seconds()
		if one.phone.Why != p.Why || time.Since(one.told) > w.Agent.Lease()/2 {
			one.told = time.Now()
			w.tell.put(p)
		}
		one.phone = p
		now[id] = one
	}
	for id, one := range *u {
		if _, still := now[id]; still || used[id] {
			continue
		}
		if err := w.tell.forget(ctx, one.phone); err != nil {
			w.Log.Debug("the hub was not told that a phone is gone", "phone", one.phone.Serial, "error", err)
		}
	}
	*u = now
}

// plug begins to work on a phone, once the work over its connection before has ended, if
// there was one.
func (w *Worker) plug(ctx context.Context, wait *sync.WaitGroup, p fleet.Phone, before plugged) plugged {
	if before.off != nil { // its best connection is another one now
		before.off()
	}
	on, off := context.WithCancel(ctx)
	done := make(chan struct{})
	wait.Go(func() {
		defer close(done)
		if before.done != nil {
			<-before.done
		}
		w.phone(on, p)
	})
	return plugged{p.Serial, off, done}
}

// plugged is a phone that is there.
type plugged struct {
	serial string // by which it is played on
	off    context.CancelFunc
	done   chan struct{} // closed when it is not played on any more
}

// handset is the work with one phone.
type handset struct {
	*Worker
	began time.Time
	rest  time.Duration // after the last failure; 0: there was none
	pause time.Duration // before the next job
	left  string        // the folder that the last failure of the job left; empty for none

	mu    sync.Mutex
	phone fleet.Phone
	since time.Time // when its state became what it is
}

// phone plays on a phone until the context ends.
func (w *Worker) phone(ctx context.Context, p fleet.Phone) {
	h := &handset{Worker: w, phone: p, began: time.Now(), since: time.Now()}
	session := fleet.NewID() // of this loop: after a phone was away there may be two for a moment
	for ctx.Err() == nil {
		held, lease, err := w.Agent.Hold(ctx, p, session)
		switch {
		case errors.Is(err, fleet.ErrHeld):
			h.stand(fleet.Taken, err)
		case err == nil:
			h.play(held, lease)
		default:
			w.Log.Debug("no lease", "phone", p.Serial, "error", err)
		}
		// Who has the phone may have died, and it is not to stand still for long then.
		_ = pause.For(ctx, w.Agent.Lease()/8) // the loop sees that it ended
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := w.tell.forget(ending, p); err != nil {
		w.Log.Debug("the hub was not told that a phone is gone", "phone", p.Serial, "error", err)
	}
}

// change changes what is known of the phone, and tells it.
func (h *handset) change(f func(*fleet.Phone)) {
	h.mu.Lock()
	state, why := h.phone.State, h.phone.Why
	f(&h.phone)
	if h.phone.State != state || h.phone.Why != why {
		h.since = time.Now()
	}
	h.phone.Seconds, h.phone.StateSeconds = time.Since(h.began).Seconds(), time.Since(h.since).Seconds()
	p := h.phone
	h.mu.Unlock()
	if h.Tell != nil {
		h.Tell(p)
	}
	h.tell.put(p)
}

// stand changes what the phone does, and why it stands still when there is an error.
func (h *handset) stand(state string, why error) {
	h.change(func(p *fleet.Phone) { h.explain(p, state, why) })
}

// rests is stand of a phone that plays no run.
func (h *handset) rests(state string, why error) {
	h.change(func(p *fleet.Phone) {
		h.explain(p, state, why)
		p.Run, p.Job, p.Level = "", 0, 0
	})
}

// explain has a phone say what it does, and why when there is an error.
func (w *Worker) explain(p *fleet.Phone, state string, why error) {
	p.State, p.Why, p.Helps = state, "", ""
	if why != nil {
		p.Why = short(wording.Of(why))
		if w.Hint != nil {
			p.Helps = short(w.Hint(why))
		}
	}
}

// now is the phone as it is known now.
func (h *handset) now() fleet.Phone {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.phone
}

// play takes jobs as long as the lease lasts.
func (h *handset) play(ctx context.Context, lease *fleet.Held) {
	var wait sync.WaitGroup
	defer wait.Wait()
	wait.Add(1)
	go func() {
		defer wait.Done()
		h.clock.look(lease, h.Log)
		renewed := 0
		lease.Keep(ctx, func() {
			h.clock.look(lease, h.Log)
			// What is told lasts as long as the lease, of which this is a half.
			if renewed++; renewed%2 == 0 {
				h.change(func(*fleet.Phone) {})
			}
		})
	}()
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		lease.Release(ending)
	}()
	for ctx.Err() == nil {
		orders, drained, changed := h.board.For(h.now())
		if drained {
			h.rests(fleet.Drained, nil)
			h.await(ctx, changed, h.Agent.Lease())
			continue
		}
		if err := h.deliver.remembers(ctx); err != nil {
			h.rests(fleet.Failing, err)
			h.await(ctx, changed, h.Agent.Lease()/4)
			continue
		}
		if !h.sure(lease) { // the hub is away, or slow
			h.await(ctx, changed, h.Agent.Lease()/8)
			continue
		}
		if !h.turn(ctx, orders) {
			continue
		}
		work := h.next(ctx, orders)
		if work == nil {
			h.turnOver(orders)
			if h.now().State != fleet.Idle {
				h.rests(fleet.Idle, nil)
			}
			// A job that another phone gave back, or lost, comes without being told of.
			h.await(ctx, changed, h.lookForJobs())
			continue
		}
		h.pause = 0
		h.work(ctx, work, lease)
		h.turnOver(orders)
		_ = pause.For(ctx, h.pause) // the loop sees that it ended
	}
}

// lookForJobs is the pause between two looks of a phone that has nothing to do.
func (h *handset) lookForJobs() time.Duration { return min(2*time.Second, h.Agent.Lease()/8) }

// turn waits for the phone's turn, when there is something to play, and reports false
// when the context ended first.
func (h *handset) turn(ctx context.Context, orders []fleet.Order) bool {
	if h.turns == nil || len(orders) == 0 {
		return true
	}
	select {
	case h.turns <- struct{}{}:
		return true
	default:
	}
	h.rests(fleet.Queued, fmt.Errorf("its turn comes; its host plays on %d phones at a time", h.AtOnce))
	select {
	case h.turns <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// turnOver gives the turn that the phone had for these orders to the next phone.
func (h *handset) turnOver(orders []fleet.Order) {
	if h.turns != nil && len(orders) > 0 {
		<-h.turns
	}
}

// sure reports whether the lease lasts long enough to begin something.
func (h *handset) sure(lease *fleet.Held) bool { return lease.Sure(h.Agent.Lease() / 3) }

// next takes the next job of the orders, nil when there is none.
func (h *handset) next(ctx context.Context, orders []fleet.Order) *fleet.Work {
	for _, o := range orders {
		work, err := h.Agent.Next(ctx, o.ID, h.now())
		if err != nil && ctx.Err() == nil {
			h.Log.Debug("no job", "run", o.ID, "error", err)
		}
		if work != nil {
			return work
		}
	}
	return nil
}

// await waits for a change, for some time.
func (h *handset) await(ctx context.Context, changed <-chan struct{}, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-changed:
	case <-timer.C:
	}
}
