package fleet

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// close closes the orders of which nothing is to come.
func (k *Clerk) close(ctx context.Context, now time.Time) error {
	orders, err := k.Client.Orders(ctx)
	if err != nil {
		return err
	}
	var open error
	for _, o := range orders {
		if o.State != Open {
			continue
		}
		if err := k.closeOne(ctx, o, now); err != nil {
			open = fmt.Errorf("run %s: %w", o.ID, err) // the others may be over
		}
	}
	return open
}

func (k *Clerk) closeOne(ctx context.Context, o Order, now time.Time) error {
	c := k.Client
	left, err := c.waiting(ctx, jobsStream, consumerName(o.ID))
	if err != nil {
		return err
	}
	if left > 0 {
		delete(k.gone, o.ID)
		return nil
	}
	// A phone's job is done after its events have arrived. So once there are no jobs,
	// what the clerk has read is all there is.
	for _, stream := range []string{resultsStream, poisonStream} {
		unread, err := c.waiting(ctx, stream, clerkName)
		if err != nil || unread > 0 {
			return err
		}
	}
	booked, err := c.Booked(ctx, o.ID)
	if err != nil {
		return err
	}
	if len(booked) < o.Levels {
		if err := k.writeOff(ctx, o, booked, now); err != nil {
			return err
		}
		if booked, err = c.Booked(ctx, o.ID); err != nil {
			return err
		}
	}
	delete(k.gone, o.ID)
	var lost []int
	for _, b := range booked {
		if b.lost() {
			lost = append(lost, b.Level)
		}
	}
	why := ""
	if len(lost) > 0 {
		why = spans(lost) + ": " + goneReason
	}
	return c.end(ctx, o.ID, Complete, why)
}

// goneReason is why levels have failed whose jobs somebody removed or ended, or whose results
// were removed before they were booked.
const goneReason = "no result came, and the job is gone"

// lost reports whether a level was booked since its job was gone.
func (b Booked) lost() bool { return b.Verdict == Failed && b.Event == "" }

// writeOff books the levels of an order as failed of which there is neither a result nor a
// job, and tells the journal. A phone may still be at such a job, and is to tell how its level
// ended: nothing is booked before no phone has said for some time that it plays the order. An
// error says that it is too early.
func (k *Clerk) writeOff(ctx context.Context, o Order, booked []Booked, now time.Time) error {
	c := k.Client
	phones, err := c.Phones(ctx)
	if err != nil {
		return err
	}
	for _, p := range phones {
		if p.Run == o.ID && p.State == Playing {
			delete(k.gone, o.ID)
			return fmt.Errorf("%d levels of %d are booked, and there are no more jobs, but phone %.80q of worker %s plays", len(booked), o.Levels, p.Serial, p.Worker)
		}
	}
	since, seen := k.gone[o.ID]
	if !seen {
		if k.gone == nil {
			k.gone = map[string]time.Time{}
		}
		since = now
		k.gone[o.ID] = since
	}
	if now.Sub(since) < 2*c.lease {
		return fmt.Errorf("%d levels of %d are booked, and there are no more jobs", len(booked), o.Levels)
	}
	known := map[int]bool{}
	for _, b := range booked {
		known[b.Level] = true
	}
	var gone []Event
	for n := o.first(); n <= o.Last; n++ {
		if !known[n] {
			gone = append(gone, Event{ID: "gone-" + levelKey(o.ID, n), Run: o.ID, Level: n, Game: o.Game, Verdict: Failed, Reason: goneReason, Started: now, Ended: now})
		}
	}
	c.log.Warn("levels have neither a result nor a job", "run", o.ID, "levels", len(gone))
	for len(gone) > 0 {
		some := gone[:min(len(gone), batch)]
		if k.Keep != nil {
			if err := k.Keep(ctx, some); err != nil {
				return err
			}
		}
		var all booking
		for _, e := range some {
			sent, err := c.book(o.ID, Booked{Level: e.Level, Verdict: Failed, Reason: goneReason})
			if err != nil {
				return err
			}
			all.sent = append(all.sent, sent)
		}
		if err := all.wait(ctx); err != nil {
			return err
		}
		gone = gone[len(some):]
	}
	return nil
}

// first is the number of an order's first level: those of an order follow one another.
func (o Order) first() int { return o.Last - o.Levels + 1 }

// mostSpans is how many spans of levels are named.
const mostSpans = 50

// spans names levels, which are in order, as people do: levels 1, 3-5.
func spans(levels []int) string {
	var names []string
	for i := 0; i < len(levels); {
		j := i
		for j+1 < len(levels) && levels[j+1] == levels[j]+1 {
			j++
		}
		name := strconv.Itoa(levels[i])
		if j > i {
			name += "-" + strconv.Itoa(levels[j])
		}
		if len(names) == mostSpans {
			names = append(names, fmt.Sprintf("and %d more", len(levels)-i))
			break
		}
		names = append(names, name)
		i = j + 1
	}
	if len(levels) == 1 {
		return "level " + names[0]
	}
	return "levels " + strings.Join(names, ", ")
}
