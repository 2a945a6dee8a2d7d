package fleet

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// overviewRuns is of how many orders, the newest, an overview counts the levels, besides those
// that are open.
const overviewRuns = 20

// Overview is what the fleet does, kept up to date. While the hub is away it does not change.
// It may be used from several goroutines.
type Overview struct {
	client *Client

	mu      sync.Mutex
	orders  map[string]Order
	tallies map[string]*tally    // of the newest orders, by run
	phones  map[string]heard     // by key
	drained map[string]bool      // by key
	wins    map[string][]instant // of an hour, by worker and serial
	skew    time.Duration        // the clock here less the hub's
}

// instant is a time by the hub's clock.
type instant = time.Time

// tally is how far an order is.
type tally struct {
	stop        context.CancelFunc
	won, failed int
	revision    uint64 // of the last level that was counted; after the hub was away all are told again
}

// heard is a phone and when it was heard of, by the clock here.
type heard struct {
	phone Phone
	at    time.Time
}

// PhoneView is a phone as an overview shows it.
type PhoneView struct {
	Phone
	PerHour  float64       // levels won in an hour, by what was booked in the last one; 0: unknown
	For      time.Duration // for how long it has been in its state; 0: unknown
	Draining bool          // it or its worker is drained
}

// RunView is an order and how far it is.
type RunView struct {
	Order
	Won, Failed int
}

// View is one moment of the fleet.
type View struct {
	Phones  []PhoneView // by worker and serial
	Runs    []RunView   // the newest first
	Drained []string    // workers
}

// Overview keeps an overview of the fleet until the context ends.
func (c *Client) Overview(ctx context.Context) *Overview {
	o := &Overview{
		client: c, orders: map[string]Order{}, tallies: map[string]*tally{}, phones: map[string]heard{},
		drained: map[string]bool{}, wins: map[string][]instant{},
	}
	go o.watch(ctx, c.runs, ">", func(e jetstream.KeyValueEntry) { o.order(ctx, e) })
	go o.watch(ctx, c.phones, ">", o.phone)
	go o.watch(ctx, c.control, ">", func(e jetstream.KeyValueEntry) {
		delete(o.drained, e.Key())
		if len(e.Value()) > 0 {
			o.drained[e.Key()] = true
		}
	})
	return o
}

// watch calls each, which has the lock, with every entry of a bucket now and when it
// changes.
func (o *Overview) watch(ctx context.Context, bucket jetstream.KeyValue, keys string, each func(jetstream.KeyValueEntry)) {
	returned := o.client.returned()
	live := false // what comes was written just now
	o.client.watchEntries(ctx, bucket, keys, func(e jetstream.KeyValueEntry) {
		select {
		case <-returned: // it begins again with what is old
			live, returned = false, o.client.returned()
		default:
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		if live {
			o.skew = time.Since(e.Created())
		}
		each(e)
	}, func() { live = true })
}

// order takes an order, and has the levels of the newest ones counted.
func (o *Overview) order(ctx context.Context, e jetstream.KeyValueEntry) {
	order, err := decode[Order](e.Value())
	if err != nil { // it was deleted, or is no order
		delete(o.orders, e.Key())
	} else {
		o.orders[order.ID] = order
	}
	newest := map[string]bool{}
	for _, order := range o.newest() {
		newest[order.ID] = true
		if o.tallies[order.ID] != nil {
			continue
		}
		counting, stop := context.WithCancel(ctx)
		t := &tally{stop: stop}
		o.tallies[order.ID] = t
		go o.watch(counting, o.client.levels, order.ID+".*", func(e jetstream.KeyValueEntry) { o.count(t, e) })
	}
	for id, t := range o.tallies {
		if !newest[id] {
			t.stop()
			delete(o.tallies, id)
		}
	}
}

// newest returns the orders to show, the newest first.
func (o *Overview) newest() []Order {
	var all []Order
	for _, order := range o.orders {
		all = append(all, order)
	}
	slices.SortFunc(all, func(a, b Order) int {
		return cmp.Or(b.Created.Compare(a.Created), strings.Compare(a.ID, b.ID))
	})
	newest := all[:min(len(all), overviewRuns)]
	for _, order := range all[len(newest):] {
		if order.State == Open && len(newest) < mostOrders {
			newest = append(newest, order)
		}
	}
	return newest
}

// count counts a booked level, which is booked once.
func (o *Overview) count(t *tally, e jetstream.KeyValueEntry) {
	b, err := decode[Booked](e.Value())
	if err != nil || e.Revision() <= t.revision {
		return
	}
	t.revision = e.Revision()
	if b.Verdict != Won {
		t.failed++
		return
	}
	t.won++
	key := b.Worker + " " + b.Phone
	o.wins[key] = lately(append(o.wins[key], e.Created()), time.Now().Add(-o.skew))
}

// lately leaves the times out that are more than an hour before now.
func lately(times []instant, now instant) []instant {
	return slices.DeleteFunc(times, func(at instant) bool { return now.Sub(at) > time.Hour })
}

// phone takes what a worker says of a phone.
func (o *Overview) phone(e jetstream.KeyValueEntry) {
	p, err := decode[Phone](e.Value())
	if err != nil { // it is gone, or no phone
		delete(o.phones, e.Key())
		return
	}
	o.phones[e.Key()] = heard{p, time.Now()}
}

// Now returns what the fleet does now, as far as is known.
func (o *Overview) Now() View {
	o.mu.Lock()
	defer o.mu.Unlock()
	now, there := time.Now(), o.client.Trouble() == nil
	var v View
	for key, h := range o.phones {
		age := now.Sub(h.at)
		if there && age > 2*o.client.lease { // its key has run out, of which nobody is told
			delete(o.phones, key)
			continue
		}
		view := PhoneView{Phone: h.phone, Draining: drains(o.drained, h.phone)}
		if h.phone.StateSeconds > 0 {
			view.For = time.Duration(h.phone.StateSeconds*float64(time.Second)) + age
		}
		won := h.phone.Worker + " " + h.phone.Serial
		o.wins[won] = lately(o.wins[won], now.Add(-o.skew))
		view.PerHour = perHour(o.wins[won], now.Add(-o.skew))
		v.Phones = append(v.Phones, view)
	}
	slices.SortFunc(v.Phones, func(a, b PhoneView) int { return byPlace(a.Phone, b.Phone) })
	for _, order := range o.newest() {
		run := RunView{Order: order}
		if t := o.tallies[order.ID]; t != nil {
			run.Won, run.Failed = t.won, t.failed
		}
		v.Runs = append(v.Runs, run)
	}
	for key := range o.drained {
		if worker, ok := strings.CutPrefix(key, drainKey("", "")); ok && !strings.Contains(worker, ".") {
			v.Drained = append(v.Drained, worker)
		}
	}
	slices.Sort(v.Drained)
	return v
}

// perHour is how many levels are won in an hour, by those times of an hour until now: the
// first begins the time that is counted, and so is not counted itself. 0 is unknown.
func perHour(wins []instant, now instant) float64 {
	if len(wins) < 2 {
		return 0
	}
	first := slices.MinFunc(wins, time.Time.Compare)
	took := now.Sub(first).Hours()
	if took <= 0 {
		return 0
	}
	return float64(len(wins)-1) / took
}
