package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// line is the phones that wait for a job of one run. However many workers ask, jobs are
// fetched once at a time, for as many phones as there were: when an order comes, all phones of
// the fleet want a job at the same moment. Who has waited for too long gets none, since nobody
// may hear of it any more.
type line struct {
	mu      sync.Mutex
	waiting []*party
	serving bool
}

// party is the phones of one request that wait in a line. They are served together, since
// what they get has to fit into one answer.
type party struct {
	crew    *crew
	serials []string
	until   time.Time // they wait
	got     []outcome[handed]
	done    chan struct{}
}

const (
	// mostFetched is the most jobs that are fetched at a time, except for those of one party.
	mostFetched = 4 * maxQuestions
	// mostHanded is the most bytes of the jobs that are handed to one party.
	mostHanded = 2*MaxMessage - 64<<10
)

// jobs hands jobs out.
func (d *Dispatcher) jobs(ctx context.Context, w *crew, asks []jobAsk) []outcome[handed] {
	all, parties, places := make([]outcome[handed], len(asks)), map[string]*party{}, map[string][]int{}
	for i, ask := range asks {
		var serial string
		if !isName(ask.Run) {
			all[i].err = fmt.Errorf("run %q, expected a name", clip(ask.Run))
		} else if len(parties) > 0 && parties[ask.Run] == nil {
			all[i].err = errBusy // the answer has room for the jobs of one run
		} else if serial, all[i].err = d.serial(ctx, w, ask.Phone); all[i].err == nil {
			if parties[ask.Run] == nil {
				// Half of the time that a worker waits is for the way.
				wait := max(leastPatience, min(usualPatience, d.Client.lease/4)) / 2
				parties[ask.Run] = &party{crew: w, until: time.Now().Add(wait), done: make(chan struct{})}
			}
			parties[ask.Run].serials = append(parties[ask.Run].serials, serial)
			places[ask.Run] = append(places[ask.Run], i)
		}
	}
	for run, p := range parties {
		d.join(ctx, run, p)
		select {
		case <-p.done:
			for n, i := range places[run] {
				all[i] = p.got[n]
			}
		case <-ctx.Done():
			for _, i := range places[run] {
				all[i].err = context.Cause(ctx)
			}
		}
	}
	return all
}

// join puts a party into the line of a run.
func (d *Dispatcher) join(ctx context.Context, run string, p *party) {
	d.mu.Lock()
	l := d.lines[run]
	if l == nil {
		l = &line{}
		d.lines[run] = l
	}
	l.mu.Lock()
	l.waiting = append(l.waiting, p)
	begin := !l.serving
	l.serving = true
	l.mu.Unlock()
	d.mu.Unlock()
	if begin {
		go d.serve(context.WithoutCancel(ctx), run, l)
	}
}

// serve serves a line until nobody waits in it.
func (d *Dispatcher) serve(ctx context.Context, run string, l *line) {
	for {
		parties, n := d.head(run, l)
		if len(parties) == 0 {
			return
		}
		fetching, cancel := context.WithTimeout(ctx, usualPatience)
		messages, err := d.pull(fetching, run, n)
		d.handAll(fetching, run, parties, messages, err)
		cancel()
	}
}

// head takes those parties from a line that are served next, and says how many phones they
// have.
func (d *Dispatcher) head(run string, l *line) (parties []*party, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.waiting) > 0 {
		p := l.waiting[0]
		if n > 0 && n+len(p.serials) > mostFetched {
			return parties, n
		}
		l.waiting = l.waiting[1:]
		if time.Now().After(p.until) || !d.admits(p.crew.name) {
			p.end(errBusy)
			continue
		}
		parties, n = append(parties, p), n+len(p.serials)
	}
	if n == 0 {
		l.serving = false
		delete(d.lines, run)
	}
	return parties, n
}

// end answers those of a party that were not answered; without an error there is no job.
func (p *party) end(err error) {
	for len(p.got) < len(p.serials) {
		p.got = append(p.got, outcome[handed]{err: err})
	}
	close(p.done)
}

// pull fetches jobs of a run that fit into one answer. With errBusy there are more.
func (d *Dispatcher) pull(ctx context.Context, run string, n int) ([]*nats.Msg, error) {
	c := d.Client
	ask, err := json.Marshal(map[string]any{"batch": n, "max_bytes": mostHanded, "no_wait": true})
	if err != nil {
		return nil, err
	}
	// Not one of the connection's inboxes for answers: jobs come by their own subject, and would
	// be taken for the answer to whatever else is asked at the time.
	come, err := c.conn.SubscribeSync(c.conn.NewInbox())
	if err != nil {
		return nil, err
	}
	defer func() { _ = come.Unsubscribe() }() // the connection may have ended
	if err := c.conn.PublishRequest("$JS.API.CONSUMER.MSG.NEXT."+jobsStream+"."+consumerName(run), come.Subject, ask); err != nil {
		return nil, err
	}
	// How many come is known once a status says how many do not: of several servers it may
	// come before them.
	var messages []*nats.Msg
	var left error
	for len(messages) < n {
		msg, err := come.NextMsgWithContext(ctx)
		if err != nil {
			return messages, err
		}
		status := msg.Header.Get("Status")
		if status == "" {
			messages = append(messages, msg)
			continue
		}
		missing, err := strconv.Atoi(msg.Header.Get("Nats-Pending-Messages"))
		if err != nil { // there are none, or the run is closed
			return messages, nil
		}
		n -= missing
		if strings.Contains(msg.Header.Get("Description"), "MaxBytes") {
			left = errBusy // the next is larger than what is left
		}
	}
	return messages, left
}

// handAll hands jobs that were fetched to the parties, once it is written down to whom. Those
// for whom there is none get the error, or none.
func (d *Dispatcher) handAll(ctx context.Context, run string, parties []*party, messages []*nats.Msg, err error) {
	var waits []func(context.Context)
	for _, p := range parties {
		n := min(len(p.serials), len(messages))
		p.got = make([]outcome[handed], n)
		for i, msg := range messages[:n] {
			wait := d.hand(p.crew, run, p.serials[i], msg)
			waits = append(waits, func(ctx context.Context) { p.got[i].answer, p.got[i].err = wait(ctx) })
		}
		messages = messages[n:]
	}
	for _, wait := range waits {
		wait(ctx)
	}
	for _, p := range parties {
		p.end(err)
	}
}

// hand hands a job that was fetched to a worker's phone. What cannot be read is done with:
// otherwise the next phone gets it.
func (d *Dispatcher) hand(w *crew, run, serial string, msg *nats.Msg) waits[handed] {
	meta, err := msg.Metadata()
	if err != nil {
		return refused[handed](err)
	}
	job, err := DecodeJob(msg.Data)
	if err == nil && (job.Run != run || msg.Subject != jobSubject(job.Run, job.Number)) {
		err = fmt.Errorf("job %d of run %s as %s", job.Number, job.Run, msg.Subject)
	}
	if err != nil {
		_ = msg.Term()
		return refused[handed](fmt.Errorf("%w: %w", ErrBadJob, err))
	}
	h := &handing{Worker: w.name, Serial: serial, Game: job.Game, Delivery: int(meta.NumDelivered), Ack: msg.Reply}
	for _, l := range job.Levels {
		h.Levels = append(h.Levels, l.Number)
	}
	return d.handOut(run, job.Number, h, msg.Data)
}

// handOut hands a job or a chunk out, once it is written down to whom.
func (d *Dispatcher) handOut(run string, number int, h *handing, data []byte) waits[handed] {
	wait := kept(d.handings.put(run, number, h))
	return func(ctx context.Context) (handed, error) {
		if _, err := wait(ctx); err != nil {
			return handed{}, errors.Join(err, d.handings.back(h, retryWait)) // or it comes again by itself
		}
		return handed{Message: data, Delivery: h.Delivery}, nil
	}
}
