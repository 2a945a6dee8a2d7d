package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Dispatcher answers what workers ask: it holds their leases, hands jobs out, and keeps what
// they deliver. Nobody else does: a worker reaches nothing that the hub keeps, and its word
// counts only about what the hub itself has handed it.
type Dispatcher struct {
	Client *Client
	// Admits, when set, reports whether a worker's credential is valid. Others are not
	// answered.
	Admits func(worker string) bool

	handings handings
	bulletin bulletin

	mu       sync.Mutex
	lines    map[string]*line   // by run
	crews    map[string]*crew   // by worker
	consumer jetstream.Consumer // of chunks; nil before the first is asked for
}

// What one worker may have.
const (
	// maxPhones is the most phones that it tells of or has the leases of.
	maxPhones = 1000
	// maxShort and maxLong are the most requests that are under way at a time: those that are
	// answered at once, and those that wait.
	maxShort = 64
	maxLong  = 2048
)

// crew is what the hub knows of a worker, until the hub ends.
type crew struct {
	name        string
	short, long chan struct{} // have one in them for each request

	mu     sync.Mutex
	leases map[string]*leaseKept // by the phone's ID
	phones map[string]time.Time  // that it told of, until when; by ID
	looks  []look                // that it has not heard
	asked  map[string]*nats.Msg  // looks that it has not answered, by ID
	heard  time.Time             // when it asked for news last
	waiter chan struct{}         // closed, and replaced, when there is a look
	parts  evidenceParts
}

// leaseKept is a lease that the hub has granted.
type leaseKept struct {
	serial, session string
	revision        uint64
	until           time.Time
}

// Run answers until the context ends.
func (d *Dispatcher) Run(ctx context.Context) error {
	c := d.Client
	d.mu.Lock()
	d.handings = handings{client: c, all: map[string]*handing{}}
	d.lines, d.crews = map[string]*line{}, map[string]*crew{}
	d.bulletin.watch(ctx, c)
	d.mu.Unlock()
	heard, err := c.conn.QueueSubscribe(askSubject("*", "*"), "hub", func(msg *nats.Msg) { d.hear(ctx, msg) })
	if err != nil {
		return err
	}
	defer func() { _ = heard.Unsubscribe() }() // the connection may have ended
	looks, err := c.conn.Subscribe(lookSubject("*"), d.look)
	if err != nil {
		return err
	}
	defer func() { _ = looks.Unsubscribe() }()
	<-ctx.Done()
	return context.Cause(ctx)
}

// crew returns what is known of a worker.
func (d *Dispatcher) crew(worker string) *crew {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := d.crews[worker]
	if w == nil {
		w = &crew{
			name: worker, short: make(chan struct{}, maxShort), long: make(chan struct{}, maxLong), leases: map[string]*leaseKept{}, phones: map[string]time.Time{},
			asked: map[string]*nats.Msg{}, waiter: make(chan struct{}),
		}
		d.crews[worker] = w
	}
	return w
}

func (d *Dispatcher) admits(worker string) bool { return d.Admits == nil || d.Admits(worker) }

// hear takes a request. The reply is to be the worker's own: the server sees to it where each
// worker has an account, and here where they have not.
func (d *Dispatcher) hear(ctx context.Context, msg *nats.Msg) {
	parts := strings.Split(msg.Subject, ".")
	if len(parts) != 4 || CheckWorker(parts[2]) != nil || !d.admits(parts[2]) {
		return
	}
	const mapped = "_R_." // of the server, for one in another account
	if !strings.HasPrefix(msg.Reply, inbox(parts[2])+".") && !strings.HasPrefix(msg.Reply, mapped) {
		return
	}
	w, handle, long := d.crew(parts[2]), d.handler(parts[3]), parts[3] == newsVerb || parts[3] == chunkVerb
	slots := w.short
	if long {
		slots = w.long
	}
	select {
	case slots <- struct{}{}:
	default:
		d.reply(msg, answers{Error: "too many questions at a time"})
		return
	}
	go func() {
		defer func() { <-slots }()
		limit := usualPatience
		if long {
			limit += newsWait
		}
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		d.reply(msg, handle(ctx, w, msg.Data))
	}()
}

// reply answers a request.
func (d *Dispatcher) reply(msg *nats.Msg, all answers) {
	data, err := json.Marshal(all)
	if err == nil {
		err = d.Client.conn.Publish(msg.Reply, data)
	}
	if err != nil {
		d.Client.log.Debug("a worker got no answer", "asked", msg.Subject, "error", err)
	}
}

type handler = func(context.Context, *crew, []byte) answers

// handler answers the questions of a kind.
func (d *Dispatcher) handler(verb string) handler {
	switch verb {
	case helloVerb:
		return each(func(context.Context, *crew, hello) (greeting, error) { return greeting{d.Client.lease}, nil })
	case newsVerb:
		return each(d.news)
	case leaseVerb:
		return piped(d.lease)
	case phonesVerb:
		return piped(d.tell)
	case jobVerb:
		return together(d.jobs)
	case keepVerb:
		return each(d.keep)
	case endVerb:
		return each(d.end)
	case resultVerb:
		return piped(d.result)
	case bookedVerb:
		return each(func(ctx context.Context, _ *crew, l levelName) (bool, error) {
			return d.Client.IsBooked(ctx, l.Run, l.Level)
		})
	case evidenceVerb:
		return each(d.evidence)
	case pictureVerb:
		return each(d.picture)
	case chunkVerb:
		return each(d.chunk)
	case wantedVerb:
		return each(func(ctx context.Context, _ *crew, b batchName) (bool, error) { return d.Client.wanted(ctx, b.Batch) })
	case answerVerb:
		return each(d.answer)
	}
	return func(context.Context, *crew, []byte) answers {
		return answers{Error: fmt.Sprintf("nobody knows what %q asks: is the hub older than the worker?", clip(verb))}
	}
}

// each answers questions one by one, all at the same time.
func each[Q, A any](one func(context.Context, *crew, Q) (A, error)) handler {
	return together(func(ctx context.Context, w *crew, questions []Q) []outcome[A] {
		all := make([]outcome[A], len(questions))
		var wait sync.WaitGroup
		for i := range questions[1:] {
			wait.Go(func() { all[i+1].answer, all[i+1].err = one(ctx, w, questions[i+1]) })
		}
		all[0].answer, all[0].err = one(ctx, w, questions[0])
		wait.Wait()
		return all
	})
}

// waits is what waits for an answer, which the server has been asked for.
type waits[A any] = func(context.Context) (A, error)

// piped answers questions in two steps: the server is asked what all of them need before the
// first answer is waited for.
func piped[Q, A any](begin func(context.Context, *crew, Q) waits[A]) handler {
	return together(func(ctx context.Context, w *crew, questions []Q) []outcome[A] {
		all, waits := make([]outcome[A], len(questions)), make([]waits[A], len(questions))
		for i, q := range questions {
			waits[i] = begin(ctx, w, q)
		}
		for i, wait := range waits {
			all[i].answer, all[i].err = wait(ctx)
		}
		return all
	})
}

// refused is what does not wait since there is an error.
func refused[A any](err error) waits[A] {
	return func(context.Context) (none A, _ error) { return none, err }
}

// aside is what waits for something that takes several steps, from now on.
func aside[A any](ctx context.Context, do func(context.Context) (A, error)) waits[A] {
	got := make(chan outcome[A], 1)
	go func() {
		answer, err := do(ctx)
		got <- outcome[A]{answer, err}
	}()
	return func(context.Context) (A, error) {
		o := <-got
		return o.answer, o.err
	}
}

// kept is what waits until a message is kept.
func kept(sent *sending, err error) waits[struct{}] {
	if err != nil {
		return refused[struct{}](err)
	}
	return func(ctx context.Context) (struct{}, error) {
		_, err := sent.wait(ctx)
		return struct{}{}, err
	}
}

// together answers the questions of a request, of which there is at least one.
func together[Q, A any](all func(context.Context, *crew, []Q) []outcome[A]) handler {
	return func(ctx context.Context, w *crew, data []byte) answers {
		var questions []Q
		if err := json.Unmarshal(data, &questions); err != nil || len(questions) == 0 || len(questions) > maxQuestions {
			return answers{Error: fmt.Sprintf("%d questions that can be read, expected 1 to %d", len(questions), maxQuestions)}
		}
		var written answers
		for _, o := range all(ctx, w, questions) {
			a := answer{}
			if o.err == nil {
				a.Data, o.err = json.Marshal(o.answer)
			}
			if o.err != nil {
				a = failure(o.err)
			}
			written.Answers = append(written.Answers, a)
		}
		return written
	}
}

// lease grants, renews or frees the lease of a phone. Only who has it is asked by its
// revision, which is the fence.
func (d *Dispatcher) lease(ctx context.Context, w *crew, ask leaseAsk) waits[leased] {
	value, err := encode(&Lease{Worker: w.name, Session: ask.Session, Serial: ask.Serial})
	if err == nil && !isName(ask.Phone) {
		err = fmt.Errorf("phone %q, expected a name", clip(ask.Phone))
	}
	if err != nil {
		return refused[leased](err)
	}
	kept := w.kept(ask.Phone)
	if kept != nil && (kept.session != ask.Session || kept.serial != ask.Serial) {
		kept = nil // this process knows nothing of this session's
	}
	asked := time.Now()
	granted := func(revision uint64, err error) (leased, error) {
		if errors.Is(err, ErrHeld) || err != nil && kept == nil {
			w.lose(ask.Phone)
		}
		if err != nil {
			return leased{}, err
		}
		w.keep(ask.Phone, &leaseKept{ask.Serial, ask.Session, revision, asked.Add(d.Client.lease)})
		return leased{Now: d.Client.now()}, nil
	}
	switch {
	case ask.Free:
		return aside(ctx, func(ctx context.Context) (leased, error) { return leased{}, d.free(ctx, w, ask, kept) })
	case kept == nil && w.full(ask.Phone, asked.Add(d.Client.lease)):
		return refused[leased](fmt.Errorf("worker %s has %d phones: %w", w.name, maxPhones, errTooMuch))
	case kept == nil:
		return aside(ctx, func(ctx context.Context) (leased, error) { return granted(d.grant(ctx, w, ask, value)) })
	}
	sent, err := d.Client.send(keySubject(leasesBucket, ask.Phone), value, after(kept.revision))
	if err != nil {
		return refused[leased](err)
	}
	return func(ctx context.Context) (leased, error) {
		revision, err := sent.wait(ctx)
		if isRevised(err) { // the answer to a renewal before may have been lost
			revision, err = d.again(ctx, w, ask, value)
		}
		return granted(revision, err)
	}
}

// grant grants a lease that is nobody's, or that is this session's and of which this process
// knows nothing; the latter only when it is to be renewed.
func (d *Dispatcher) grant(ctx context.Context, w *crew, ask leaseAsk, value []byte) (uint64, error) {
	revision, err := d.again(ctx, w, ask, value)
	if !errors.Is(err, errNobodys) || ask.Renew {
		return revision, err
	}
	sent, err := d.Client.send(keySubject(leasesBucket, ask.Phone), value, after(0))
	if err != nil {
		return 0, err
	}
	if revision, err = sent.wait(ctx); isRevised(err) { // it was freed, or is another's since
		revision, err = d.Client.leases.Create(ctx, ask.Phone, value)
	}
	if errors.Is(err, jetstream.ErrKeyExists) {
		revision, err = d.again(ctx, w, ask, value)
	}
	return revision, err
}

// errNobodys is the error when a lease is nobody's: it ran out, and may have been another's
// since.
var errNobodys = fmt.Errorf("%w: nobody has it", ErrHeld)

// again renews a lease when it is this session's, whatever its revision is.
func (d *Dispatcher) again(ctx context.Context, w *crew, ask leaseAsk, value []byte) (uint64, error) {
	revision, err := d.own(ctx, w, ask)
	if err != nil {
		return 0, err
	}
	return d.Client.leases.Update(ctx, ask.Phone, value, revision)
}

// own returns the revision of a lease when it is this session's.
func (d *Dispatcher) own(ctx context.Context, w *crew, ask leaseAsk) (uint64, error) {
	entry, err := d.Client.leases.Get(ctx, ask.Phone)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return 0, errNobodys
	case err != nil:
		return 0, err
	}
	l, err := decode[Lease](entry.Value())
	if err != nil || l.Worker != w.name || l.Session != ask.Session {
		return 0, ErrHeld
	}
	return entry.Revision(), nil
}

// free ends a lease when it is this session's.
func (d *Dispatcher) free(ctx context.Context, w *crew, ask leaseAsk, kept *leaseKept) (err error) {
	var revision uint64
	if kept != nil {
		revision = kept.revision
	} else if revision, err = d.own(ctx, w, ask); err != nil {
		return err
	}
	w.lose(ask.Phone)
	return d.Client.leases.Delete(ctx, ask.Phone, jetstream.LastRevision(revision))
}

func (w *crew) kept(phone string) *leaseKept {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.leases[phone]
}

func (w *crew) keep(phone string, l *leaseKept) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.leases[phone] = l
}

func (w *crew) lose(phone string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.leases, phone)
}

// full reports whether the worker has as many phones as it may without this one. Otherwise
// there is a place for it, for some time.
func (w *crew) full(phone string, until time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.leases[phone] != nil {
		return false
	}
	if len(w.leases) >= maxPhones {
		for id, l := range w.leases {
			if time.Now().After(l.until) {
				delete(w.leases, id)
			}
		}
	}
	if len(w.leases) >= maxPhones {
		return true
	}
	w.leases[phone] = &leaseKept{until: until}
	return false
}

// serial returns the serial of a phone whose lease the worker has.
func (d *Dispatcher) serial(ctx context.Context, w *crew, phone string) (string, error) {
	if kept := w.kept(phone); kept != nil && kept.session != "" && time.Now().Before(kept.until) {
		return kept.serial, nil
	}
	if !isName(phone) {
		return "", fmt.Errorf("phone %q, expected a name", clip(phone))
	}
	entry, err := d.Client.leases.Get(ctx, phone)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return "", fmt.Errorf("phone %s: the worker does not have it: %w", phone, ErrHeld)
	}
	if err != nil {
		return "", err
	}
	l, err := decode[Lease](entry.Value())
	if err != nil || l.Worker != w.name {
		return "", fmt.Errorf("phone %s: %w", phone, ErrHeld)
	}
	return l.Serial, nil
}

// tell keeps how a phone is, or takes it off the list.
func (d *Dispatcher) tell(ctx context.Context, w *crew, p phoneAsk) waits[struct{}] {
	if p.Worker != w.name {
		return refused[struct{}](fmt.Errorf("a phone of worker %q: %w", clip(p.Worker), ErrNotBelieved))
	}
	data, err := encode(&p.Phone)
	if err != nil {
		return refused[struct{}](err)
	}
	key := p.ID()
	if !w.lists(key, time.Now().Add(d.Client.lease)) {
		return refused[struct{}](fmt.Errorf("worker %s tells of %d phones: %w", w.name, maxPhones, errTooMuch))
	}
	if p.Gone {
		return aside(ctx, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, d.Client.phones.Delete(ctx, w.name+"."+key)
		})
	}
	return kept(d.Client.send(keySubject(phonesBucket, w.name+"."+key), data))
}

// lists reports whether the worker may tell of a phone, which is listed for some time then.
func (w *crew) lists(key string, until time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.phones[key].IsZero() && len(w.phones) >= maxPhones {
		for id, until := range w.phones {
			if time.Now().After(until) {
				delete(w.phones, id)
			}
		}
		if len(w.phones) >= maxPhones {
			return false
		}
	}
	w.phones[key] = until
	return true
}

// keep has a job last for who has it.
func (d *Dispatcher) keep(ctx context.Context, w *crew, name jobName) (struct{}, error) {
	h, err := d.handings.held(ctx, w.name, name)
	if err == nil {
		err = d.handings.keep(h)
	}
	return struct{}{}, err
}

// longestBack is the longest time after which another may have a job that is given back.
const longestBack = 2 * time.Minute

// end ends a job for who has it. It is done when of each of its levels there is a result, or
// it is booked; a chunk when it was answered, or nobody waits for it.
func (d *Dispatcher) end(ctx context.Context, w *crew, end jobEnd) (struct{}, error) {
	none := struct{}{}
	h, err := d.handings.held(ctx, w.name, end.jobName)
	switch {
	case err != nil:
		return none, err
	case end.Back:
		return none, d.handings.back(h, min(max(0, end.After), longestBack))
	case h.Game == "":
		wanted, err := d.Client.wanted(ctx, end.Run)
		if err == nil && wanted {
			err = fmt.Errorf("chunk %d of batch %s has no answer: %w", end.Job, end.Run, ErrNotBelieved)
		}
		if err != nil {
			return none, err
		}
	}
	for _, level := range d.handings.open(h) {
		booked, err := d.Client.IsBooked(ctx, end.Run, level)
		if err == nil && !booked {
			err = fmt.Errorf("level %d of job %d of run %s has no result: %w", level, end.Job, end.Run, ErrNotBelieved)
		}
		if err != nil {
			return none, err
		}
	}
	return none, d.handings.end(ctx, end.jobName, h)
}

// result keeps an event of a job that was handed to the worker: for one of its levels, on the
// phone for which it was handed out. That it is won is believed of who had the job before, too,
// since that worker may have been cut off meanwhile; that it is given up only of who has it.
func (d *Dispatcher) result(ctx context.Context, w *crew, raw json.RawMessage) waits[struct{}] {
	refuse := func(what string, words ...any) waits[struct{}] {
		return refused[struct{}](fmt.Errorf("%w: %s", ErrNotBelieved, fmt.Sprintf(what, words...)))
	}
	e, err := DecodeEvent(raw)
	if err != nil {
		return refuse("%v", err)
	}
	h, now, err := d.handings.was(ctx, w.name, jobName{e.Run, e.Job, e.Deliveries})
	levels := e.Levels
	if e.Verdict != Poison {
		levels = []int{e.Level}
	}
	switch {
	case err != nil:
		return refused[struct{}](err)
	case h == nil || h.Game == "":
		return refuse("job %d of run %s was not handed to the worker", e.Job, e.Run)
	case e.Worker != w.name || e.Phone != h.Serial || e.Game != h.Game:
		return refuse("event %s is of worker %s, phone %.80q and game %s, and the job was handed to phone %.80q for %s", e.ID, e.Worker, e.Phone, e.Game, h.Serial, h.Game)
	case e.Verdict == Poison && !now:
		return refuse("job %d of run %s was handed to another since", e.Job, e.Run)
	case slices.ContainsFunc(levels, func(level int) bool { return !slices.Contains(h.Levels, level) }):
		return refuse("event %s tells of levels %v, and the job has %v", e.ID, levels, h.Levels)
	case !d.handings.count(h):
		return refuse("there were %d events of job %d of run %s", h.mostResults(), e.Job, e.Run)
	}
	data, err := e.Encode()
	if err != nil {
		return refuse("%v", err)
	}
	subject := PoisonSubject(w.name)
	if e.Verdict != Poison {
		subject = "tapwise.result." + w.name + "." + Token(h.Serial)
	}
	// The ID is the worker's own: an event that has that of another's is none of it.
	wait := kept(d.Client.send(subject, data, once(w.name+"."+e.ID)))
	return func(ctx context.Context) (struct{}, error) {
		none, err := wait(ctx)
		switch {
		case err != nil:
			d.handings.uncount(h)
		case e.Verdict != Failed:
			d.handings.ended(h, levels...)
		}
		return none, err
	}
}

// Retire takes everything from a worker whose credential was revoked: its leases, its jobs
// and its phones are others'.
func (d *Dispatcher) Retire(ctx context.Context, worker string) error {
	c := d.Client
	var failures []error
	d.mu.Lock()
	delete(d.crews, worker)
	d.mu.Unlock()
	for _, h := range d.handings.of(worker) {
		failures = append(failures, d.handings.back(h, 0))
	}
	err := c.collect(ctx, c.leases, "*", func(key string, value []byte) {
		if l, err := decode[Lease](value); err == nil && l.Worker == worker {
			failures = append(failures, c.leases.Delete(ctx, key))
		}
	})
	failures = append(failures, err)
	err = c.collect(ctx, c.phones, worker+".*", func(key string, _ []byte) {
		failures = append(failures, c.phones.Delete(ctx, key))
	})
	return errors.Join(append(failures, err)...)
}
