package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/journal"
)

// delivery brings what is in the outbox to the hub, in order.
type delivery struct {
	agent  *fleet.Agent
	outbox Outbox
	log    *slog.Logger
	full   chan struct{}      // has something in it when the outbox may have
	wanted chan chan struct{} // to be closed when the outbox is empty

	mu      sync.Mutex
	held    []journal.Parcel // that the outbox could not take
	why     error            // it could not take the last; nil: it could
	arrived map[string]bool  // what could not be removed from the outbox since it arrived, by ID; of what is held, too
}

// errForgetful is the error when what was played cannot be written down, such as on a disk
// that is full. It is not lost, unless this process dies before the hub has it.
var errForgetful = errors.New("what is played cannot be remembered")

func newDelivery(agent *fleet.Agent, outbox Outbox, log *slog.Logger) *delivery {
	return &delivery{agent: agent, outbox: outbox, log: log, full: make(chan struct{}, 1), wanted: make(chan chan struct{}), arrived: map[string]bool{}}
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

// add puts a parcel into the outbox, or fails with errForgetful and holds it until it has
// arrived and the outbox takes parcels again.
func (d *delivery) add(ctx context.Context, p journal.Parcel) error {
	defer d.wake()
	err := d.outbox.Add(ctx, p)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		err = fmt.Errorf("%w: %w", errForgetful, err)
		d.held = append(d.held, p)
	}
	d.why = err
	return err
}

// remembers reports why the outbox cannot take parcels, which it tries once more with one
// of those that are held. Nothing is to be played then.
func (d *delivery) remembers(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.why != nil && len(d.held) > 0 {
		// It may be there, and only the last word about it was missing.
		err := d.outbox.Remove(ctx, d.held[0].ID)
		if err == nil {
			err = d.outbox.Add(ctx, d.held[0])
		}
		if err != nil {
			d.why = fmt.Errorf("%w: %w", errForgetful, err)
			return d.why
		}
		d.held = d.held[1:]
		if len(d.held) == 0 {
			d.why = nil
			d.wake()
		}
	}
	return nil
}

// once delivers what there is, and reports whether nothing is left.
func (d *delivery) once(ctx context.Context) (empty bool, err error) {
	for {
		found, err := d.left(ctx)
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

// left returns the oldest parcels that have not arrived, and removes those that have.
func (d *delivery) left(ctx context.Context) ([]journal.Parcel, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	found, err := d.outbox.Oldest(ctx, parcels+len(d.arrived))
	if err != nil {
		return nil, err
	}
	var left []journal.Parcel
	for _, p := range found {
		switch {
		case !d.arrived[p.ID]:
			left = append(left, p)
		case d.outbox.Remove(ctx, p.ID) == nil:
			delete(d.arrived, p.ID)
		}
	}
	for _, p := range d.held {
		if !d.arrived[p.ID] {
			left = append(left, p)
		}
	}
	return left, nil
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

// send delivers parcels, all at a time, and removes those that have arrived, or that the hub
// will never believe. Its error is the first of those that are to be sent again.
func (d *delivery) send(ctx context.Context, parcels []journal.Parcel) error {
	events := make([][]byte, len(parcels))
	for i, p := range parcels {
		events[i] = p.Data
	}
	var failure error
	for i, err := range d.agent.Deliver(ctx, events...) {
		switch {
		case errors.Is(err, fleet.ErrNotBelieved):
			d.log.Warn("the hub does not take a result", "event", parcels[i].ID, "error", err)
			d.remove(ctx, parcels[i].ID)
		case err == nil:
			d.remove(ctx, parcels[i].ID)
		case failure == nil:
			failure = err
		}
	}
	return failure
}

// remove removes a parcel that has arrived, or remembers to do so.
func (d *delivery) remove(ctx context.Context, id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	isHeld := slices.ContainsFunc(d.held, func(p journal.Parcel) bool { return p.ID == id })
	if err := d.outbox.Remove(ctx, id); err != nil || isHeld {
		d.arrived[id] = true
	}
	if len(d.arrived) > 0 {
		d.log.Debug("what has arrived cannot be removed yet", "parcels", len(d.arrived))
	}
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
