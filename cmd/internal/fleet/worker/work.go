package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tapwise/cmd/internal/console/pause"
	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/journal"
)

// ErrStop is what Begin returns when the task is to end before a level; nothing failed.
var ErrStop = errors.New("the task ends here")

// ErrBooked is what Begin returns for a level that another phone won: the task goes on
// with the next.
var ErrBooked = errors.New("the level is booked")

// work plays a job.
func (h *handset) work(ctx context.Context, work *fleet.Work, lease *fleet.Held) {
	keeping, done := context.WithCancel(ctx)
	defer done()
	go work.Keep(keeping)
	h.left = ""
	h.change(func(p *fleet.Phone) {
		p.State, p.Why, p.Helps, p.Run, p.Job = fleet.Playing, "", "", work.Run, work.Number
	})
	if work.Deliveries > deliveries {
		h.giveUp(ctx, work, fmt.Errorf("it was handed out %d times and never ended", work.Deliveries-1))
		return
	}
	begun, err := h.tryJob(ctx, work, lease)
	switch {
	case ctx.Err() != nil:
		return // the job comes to another phone when its time runs out
	case err == nil:
		h.rest = 0
		if err = h.deliver.flush(ctx); err == nil {
			err = work.Done(ctx)
		}
		if err != nil { // it will come again, and be found done
			h.Log.Debug("the hub was not told that a job is done", "run", work.Run, "job", work.Number, "error", err)
		}
		return
	case errors.Is(err, errForgetful):
		// What was won is to be known before another phone begins, if the hub is there.
		h.Log.Warn("a job is given back", "phone", h.phone.Serial, "run", work.Run, "job", work.Number, "error", err)
		known, cancel := context.WithTimeout(ctx, h.Agent.Lease()/2)
		_ = h.deliver.flush(known)
		cancel()
		work.Back(0)
		return
	case errors.Is(err, ErrStop):
		work.Back(0)
		h.pause = h.Agent.Lease() / 8 // whatever it is takes some time
		return
	}
	h.Log.Warn("a job failed", "phone", h.phone.Serial, "run", work.Run, "job", work.Number, "try", work.Deliveries, "error", err)
	over := begun && work.Deliveries >= tries
	if over {
		h.stand(fleet.Failing, fmt.Errorf("job %d is out of tries, of which it has %d: %w", work.Number, tries, err))
	} else {
		h.stand(fleet.Failing, err)
	}
	h.rest = min(max(2*h.rest, h.Agent.Lease()/4), longestRest)
	h.pause = h.rest
	switch {
	case !begun: // nothing is wrong with the job: a host whose phones are lost must not end it
		work.Back(h.rest)
		h.pause += 2 * h.lookForJobs() // so that a phone that has nothing to do takes it first
	case over:
		h.giveUp(ctx, work, err)
	default: // another phone may do better
		work.Back(0)
	}
	done()
}

// tryJob plays those levels of a job that are not booked. It tells whether it came to a
// level.
func (h *handset) tryJob(ctx context.Context, work *fleet.Work, lease *fleet.Held) (begun bool, err error) {
	left, err := work.Left(ctx)
	if err != nil {
		// Neither the phone nor the job has failed.
		h.Log.Debug("it is not known what is left of a job", "run", work.Run, "job", work.Number, "error", err)
		return false, ErrStop
	}
	if len(left) == 0 {
		return false, nil
	}
	err = h.Shelf.Play(ctx, h.phone.Serial, Task{Job: work.Job, Left: left,
		Begin: func(level int) error {
			begun = true
			return h.begin(ctx, work, level, lease)
		},
		Done: func(e fleet.Event, evidence string) error { return h.happened(ctx, work, e, evidence) },
	})
	return begun, err
}

// begin is asked before a level is touched. While the hub is away it waits for as long as
// the lease is sure.
func (h *handset) begin(ctx context.Context, work *fleet.Work, level int, lease *fleet.Held) error {
	for ctx.Err() == nil {
		orders, drained, _ := h.board.For(h.now())
		open := slices.ContainsFunc(orders, func(o fleet.Order) bool { return o.ID == work.Run })
		if drained || !open || !h.sure(lease) {
			return ErrStop
		}
		booked, err := h.Agent.IsBooked(ctx, work.Run, level)
		switch {
		case err != nil:
			_ = pause.For(ctx, redeliver) // the loop sees that it ended
		case booked:
			return ErrBooked
		default:
			h.change(func(p *fleet.Phone) { p.Level = level })
			return nil
		}
	}
	return context.Cause(ctx)
}

// happened keeps what happened with a level.
func (h *handset) happened(ctx context.Context, work *fleet.Work, e fleet.Event, evidence string) error {
	h.mu.Lock()
	if e.Verdict == fleet.Won {
		h.phone.Won++
	} else {
		h.phone.Failed++
	}
	phone := h.phone
	h.mu.Unlock()
	h.left = evidence
	return h.put(ctx, work, e, fleet.ResultSubject(phone))
}

// put fills an event in and puts it into the outbox; that a job is given up has the
// evidence of its last failure.
func (h *handset) put(ctx context.Context, work *fleet.Work, e fleet.Event, subject string) error {
	e.ID, e.Run, e.Job, e.Game, e.Deliveries = fleet.NewID(), work.Run, work.Number, work.Game, work.Deliveries
	e.Worker, e.Phone, e.Model, e.Reason, e.Unconfirmed = h.Name, h.phone.Serial, h.phone.Model, short(e.Reason), short(e.Unconfirmed)
	e.Started, e.Ended = h.clock.right(e.Started), h.clock.right(e.Ended)
	data, err := e.Encode()
	if err != nil {
		return err
	}
	h.note(ctx, e.ID, h.left)
	// Also when the lease ends now: it did happen.
	return h.deliver.add(context.WithoutCancel(ctx), journal.Parcel{ID: e.ID, Subject: subject, Data: data})
}

// giveUp ends a job that was tried often enough.
func (h *handset) giveUp(ctx context.Context, work *fleet.Work, why error) {
	e := fleet.Event{Verdict: fleet.Poison, Reason: wording.Of(why), Code: h.Code(why), Started: time.Now(), Ended: time.Now()}
	for _, l := range work.Levels {
		e.Levels = append(e.Levels, l.Number)
	}
	err := h.put(ctx, work, e, fleet.PoisonSubject(h.Name))
	if err == nil {
		err = h.deliver.flush(ctx)
	}
	if err == nil {
		err = work.Done(ctx)
	}
	if err != nil {
		h.Log.Warn("a job could not be given up", "run", work.Run, "job", work.Number, "error", err)
	}
}

// short returns text that an event may have.
func short(text string) string {
	const most = 1000
	text = strings.ToValidUTF8(text, "?")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
