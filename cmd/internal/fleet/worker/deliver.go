package worker

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/journal"
)

// delivery brings what is in the outbox to the hub, in order.
type delivery struct {
	client *fleet.Client
	outbox Outbox
	log    *slog.Logger
	full   chan struct{}      // has something in it when the outbox may have
	wanted chan chan struct{} // to be closed when the outbox is empty
}

func newDelivery(client *fleet.Client, outbox Outbox, log *slog.Logger) *delivery {
	return &delivery{client: client, outbox: outbox, log: log, full: make(chan struct{}, 1), wanted: make(chan chan struct{})}
}

const (
	parcels    = 64                     // that are read at a time
	redeliver  = 250 * time.Millisecond // the pause after one that did not arrive
	lookAnyway = 5 * time.Second
)

// wake has the outbox emptied.
func (d *delivery) wake() {
	select {
	case d.full <- struct{}{}:
	default:
	}
}

// run delivers until the context ends, and once more then, for a moment.
func (d *delivery) run(ctx context.Context) {
	var waiting []chan struct{}
	for {
		empty, err := d.once(ctx)
		if empty {
			for _, w := range waiting {
				close(w)
			}
			waiting = nil
		}
		pause := lookAnyway
		if err != nil {
			d.log.Debug("not delivered yet", "error", err)
			pause = redeliver
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			_, _ = d.once(ending) // what stays is delivered by the next worker on this journal
			cancel()
			return
		case <-d.full:
		case w := <-d.wanted:
			waiting = append(waiting, w)
		case <-timer.C:
		}
		timer.Stop()
	}
}

// once delivers what there is, and reports whether nothing is left.
func (d *delivery) once(ctx context.Context) (empty bool, err error) {
	for {
		found, err := d.outbox.Oldest(ctx, parcels)
		if err != nil || len(found) == 0 {
			return err == nil, err
		}
		for len(found) > 0 {
			n := together(found)
			if err := d.send(ctx, found[:n]); err != nil {
				return false, err
			}
			found = found[n:]
		}
	}
}

// together is how many of the parcels, from the first, may arrive in any order: those to
// one stream. A job that is given up is told of when what was won of it has arrived.
func together(found []journal.Parcel) int {
	poison := func(p journal.Parcel) bool { return strings.HasPrefix(p.Subject, fleet.PoisonSubject("")) }
	n := 1
	for n < len(found) && poison(found[n]) == poison(found[0]) {
		n++
	}
	return n
}

// send delivers parcels, all at a time, and removes those that have arrived. Its error is
// the first of those that have not.
func (d *delivery) send(ctx context.Context, parcels []journal.Parcel) error {
	var failure error
	var sent []func(context.Context) error
	for _, p := range parcels {
		arrived, err := d.client.Deliver(p.Subject, p.ID, p.Data)
		if err != nil {
			failure = err
			break
		}
		sent = append(sent, arrived)
	}
	for i, arrived := range sent {
		err := arrived(ctx)
		if err == nil {
			err = d.outbox.Remove(ctx, parcels[i].ID)
		}
		if failure == nil {
			failure = err
		}
	}
	return failure
}

// flush returns when everything that was in the outbox has arrived.
func (d *delivery) flush(ctx context.Context) error {
	arrived := make(chan struct{})
	select {
	case d.wanted <- arrived:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-arrived:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
