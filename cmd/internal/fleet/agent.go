package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"tapwise/cmd/internal/console/pause"
)

// Agent is a worker's connection to the hub: it asks, and the hub answers. It may be used
// from several goroutines.
type Agent struct {
	*link
	worker string

	hellos    queue[hello, greeting]
	leases    queue[leaseAsk, leased]
	phones    queue[phoneAsk, struct{}]
	jobs      queue[jobAsk, handed]
	keeps     queue[jobName, struct{}]
	ends      queue[jobEnd, struct{}]
	results   queue[json.RawMessage, struct{}]
	booked    queue[levelName, bool]
	evidences queue[evidencePart, struct{}]
	pictures  queue[pictureSent, struct{}]
	wanteds   queue[batchName, bool]
	answers   queue[answerSent, struct{}]

	empty sync.Map // until when a run is known to have no job to hand out, by run

	board  *Board
	looks  chan look
	polled sync.Once
	ctx    context.Context // ends with the agent
	cancel context.CancelFunc
}

// Join connects to a hub as the worker that the configuration names. With wait it waits until
// the hub answers, or the context ends; otherwise it fails with [ErrNoHub] if the hub does not
// answer. It fails with [ErrRefused] if the hub refuses the credential.
func Join(ctx context.Context, config Config, wait bool) (*Agent, error) {
	if err := CheckWorker(config.Name); err != nil {
		return nil, err
	}
	l, err := connect(config, wait)
	if err != nil {
		return nil, err
	}
	a := &Agent{link: l, worker: config.Name, looks: make(chan look, maxLooks)}
	a.board = &Board{changed: make(chan struct{})}
	a.ctx, a.cancel = context.WithCancel(context.WithoutCancel(ctx))
	a.hellos.on(a, helloVerb)
	a.leases.on(a, leaseVerb)
	a.phones.on(a, phonesVerb)
	a.jobs.on(a, jobVerb)
	a.keeps.on(a, keepVerb)
	a.ends.on(a, endVerb)
	a.results.on(a, resultVerb)
	a.booked.on(a, bookedVerb)
	a.evidences.on(a, evidenceVerb)
	a.pictures.on(a, pictureVerb)
	a.wanteds.on(a, wantedVerb)
	a.answers.on(a, answerVerb)
	// What no lease depends on has the time that the hub's disk may take.
	a.hellos.patience, a.results.patience, a.evidences.patience, a.answers.patience = l.patience, l.patience, l.patience, l.patience
	err = l.settle(ctx, wait, func(ctx context.Context) error {
		greeting, err := a.hellos.ask(ctx, hello{})
		a.lease = greeting.Lease
		return err
	})
	if err != nil {
		a.cancel()
		return nil, err
	}
	return a, nil
}

// Close ends the connection.
func (a *Agent) Close() {
	a.cancel()
	a.link.Close()
}

// maxAsking is the most requests of a kind that are under way at a time: what is asked
// meanwhile is asked together.
const maxAsking = 4

// queue is the questions of a kind that wait to be asked.
type queue[Q, A any] struct {
	agent    *Agent
	verb     string
	patience time.Duration // 0: what a lease leaves

	mu      sync.Mutex
	waiting []asked[A]
	under   int // way
}

// asked is one who waits for an answer.
type asked[A any] struct {
	data []byte
	got  chan outcome[A] // has room for one
}

// outcome is an answer, or why there is none.
type outcome[A any] struct {
	answer A
	err    error
}

func (q *queue[Q, A]) on(a *Agent, verb string) { q.agent, q.verb = a, verb }

// ask asks and waits for the answer, as far as the context lets it.
func (q *queue[Q, A]) ask(ctx context.Context, question Q) (A, error) {
	got, err := q.put(question)
	if err == nil {
		select {
		case o := <-got:
			return o.answer, o.err
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	var none A
	return none, err
}

// put asks, and returns where the answer comes.
func (q *queue[Q, A]) put(question Q) (<-chan outcome[A], error) {
	data, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	if len(data) > MaxMessage+maxText {
		return nil, fmt.Errorf("fleet: a question of %d bytes, expected %d at most", len(data), MaxMessage+maxText)
	}
	one := asked[A]{data, make(chan outcome[A], 1)}
	q.mu.Lock()
	q.waiting = append(q.waiting, one)
	begin := q.under < maxAsking
	if begin {
		q.under++
	}
	q.mu.Unlock()
	if begin {
		go q.run()
	}
	return one.got, nil
}

// next takes those who wait that are asked together.
func (q *queue[Q, A]) next() []asked[A] {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, bytes := 0, 0
	for n < len(q.waiting) && n < maxQuestions {
		if bytes += len(q.waiting[n].data); n > 0 && bytes > maxRequest {
			break
		}
		n++
	}
	if n == 0 {
		q.under--
	}
	some := q.waiting[:n:n]
	q.waiting = q.waiting[n:]
	return some
}

// run asks until nobody waits.
func (q *queue[Q, A]) run() {
	for some := q.next(); len(some) > 0; some = q.next() {
		questions := make([]json.RawMessage, len(some))
		for i, one := range some {
			questions[i] = one.data
		}
		found, err := q.agent.request(q.agent.ctx, q.verb, questions, q.patience)
		for i, one := range some {
			o := outcome[A]{err: err}
			if err == nil {
				if o.err = found[i].err(); o.err == nil && len(found[i].Data) > 0 {
					o.err = json.Unmarshal(found[i].Data, &o.answer)
				}
			}
			one.got <- o
		}
	}
}

// request asks questions, and returns as many answers. It waits for as long as it is told,
// or as a lease lets it.
func (a *Agent) request(ctx context.Context, verb string, questions []json.RawMessage, wait time.Duration) ([]answer, error) {
	data, err := json.Marshal(questions)
	if err != nil {
		return nil, err
	}
	msg, err := askFor(ctx, a.link, wait, func(ctx context.Context) ([]byte, error) {
		msg, err := a.conn.RequestWithContext(ctx, askSubject(a.worker, verb), data)
		if err != nil {
			return nil, err
		}
		return msg.Data, nil
	})
	if err != nil {
		return nil, a.unanswered(err)
	}
	var all answers
	if err := json.Unmarshal(msg, &all); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoHub, err)
	}
	if all.Error != "" {
		return nil, fmt.Errorf("the hub: %s", all.Error)
	}
	if len(all.Answers) != len(questions) {
		return nil, fmt.Errorf("%w: %d answers to %d questions", ErrNoHub, len(all.Answers), len(questions))
	}
	return all.Answers, nil
}

// Deliver sends encoded events, all at once, and returns for each why the hub has not kept it:
// [ErrNotBelieved] if it never will. The hub keeps an event with an ID once, however often it
// is sent.
func (a *Agent) Deliver(ctx context.Context, events ...[]byte) []error {
	failures, waits := make([]error, len(events)), make([]<-chan outcome[struct{}], len(events))
	for i, data := range events {
		waits[i], failures[i] = a.results.put(json.RawMessage(data))
	}
	for i, wait := range waits {
		if wait == nil {
			continue
		}
		select {
		case o := <-wait:
			failures[i] = o.err
		case <-ctx.Done():
			failures[i] = context.Cause(ctx)
		}
	}
	return failures
}

// Tell says how phones are, for as long as a lease lasts, and returns what waits until the
// hub knows it.
func (a *Agent) Tell(phones ...Phone) (arrived func(context.Context) error, err error) {
	var waits []<-chan outcome[struct{}]
	for _, p := range phones {
		if err := p.check(); err != nil {
			return nil, err
		}
		wait, err := a.phones.put(phoneAsk{Phone: p})
		if err != nil {
			return nil, err
		}
		waits = append(waits, wait)
	}
	return func(ctx context.Context) error {
		for _, wait := range waits {
			select {
			case o := <-wait:
				if o.err != nil {
					return o.err
				}
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	}, nil
}

// Forget takes a phone off the list.
func (a *Agent) Forget(ctx context.Context, p Phone) error {
	_, err := a.phones.ask(ctx, phoneAsk{Phone: p, Gone: true})
	return err
}

// IsBooked reports whether a level of an order is booked.
func (a *Agent) IsBooked(ctx context.Context, run string, level int) (bool, error) {
	return a.booked.ask(ctx, levelName{run, level})
}

// Next takes the next job of an order for a phone that this worker has, nil when there is
// none now.
func (a *Agent) Next(ctx context.Context, run string, p Phone) (*Work, error) {
	if until, ok := a.empty.Load(run); ok && time.Now().Before(until.(time.Time)) {
		return nil, nil
	}
	got, err := a.jobs.put(jobAsk{Run: run, Phone: p.ID()})
	if err != nil {
		return nil, err
	}
	select {
	case o := <-got:
		if errors.Is(o.err, errBusy) && pause.For(ctx, retryWait) == nil {
			return a.Next(ctx, run, p)
		}
		return a.work(run, o)
	case <-ctx.Done():
		go func() { // another phone is to have the job that may come
			if work, _ := a.work(run, <-got); work != nil {
				work.Back(0)
			}
		}()
		return nil, context.Cause(ctx)
	}
}

// work is the job of an answer.
func (a *Agent) work(run string, o outcome[handed]) (*Work, error) {
	switch {
	case o.err != nil:
		return nil, o.err
	case len(o.answer.Message) == 0:
		// Not so long that a job which a phone gives back has to wait for a phone.
		a.empty.Store(run, time.Now().Add(min(time.Second, a.lease/16)))
		return nil, nil
	}
	job, err := DecodeJob(o.answer.Message)
	if err == nil && job.Run != run {
		err = fmt.Errorf("job %d of run %s, expected run %s", job.Number, job.Run, run)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadJob, err)
	}
	return &Work{Job: job, Deliveries: o.answer.Delivery, agent: a}, nil
}

// Watch returns what the worker knows of the hub, which is kept up to date until the agent
// is closed.
func (a *Agent) Watch() *Board {
	a.polled.Do(func() { go a.poll() })
	return a.board
}

// poll asks for news until the agent is closed.
func (a *Agent) poll() {
	heard := ""
	for a.ctx.Err() == nil {
		question, err := json.Marshal(newsAsk{heard})
		var found []answer
		if err == nil {
			found, err = a.request(a.ctx, newsVerb, []json.RawMessage{question}, newsWait+a.patience)
		}
		var n news
		if err == nil {
			if err = found[0].err(); err == nil {
				err = json.Unmarshal(found[0].Data, &n)
			}
		}
		if err != nil {
			a.log.Debug("no news of the hub", "error", err)
			wait := time.NewTimer(retryWait)
			select {
			case <-a.ctx.Done():
			case <-wait.C:
			case <-a.returned():
			}
			wait.Stop()
			continue
		}
		if n.Version != heard {
			heard = n.Version
			a.board.put(n)
		}
		for _, l := range n.Looks {
			if err := l.check(); err != nil {
				a.log.Warn("a look is left out", "error", err)
				continue
			}
			select {
			case a.looks <- l:
			default: // of more looks than wait, some get no answer
			}
		}
	}
}

// Board is what a worker knows of the hub: the open orders, what is drained, and which
// evidence it is asked for.
type Board struct {
	mu      sync.Mutex
	orders  []Order // the oldest first
	drained map[string]bool
	asks    []Ask
	changed chan struct{} // closed, and replaced, at a change
}

func (b *Board) put(n news) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.orders, b.asks, b.drained = nil, nil, map[string]bool{}
	for _, o := range n.Orders {
		if o.check() == nil && o.State == Open {
			b.orders = append(b.orders, o)
		}
	}
	for _, key := range n.Drained {
		b.drained[key] = true
	}
	for _, ask := range n.Asks {
		if ask.check() == nil {
			b.asks = append(b.asks, ask)
		}
	}
	close(b.changed)
	b.changed = make(chan struct{})
}

// For returns the open orders that a phone fits, the oldest first, whether it is drained, and a
// channel that is closed when that may have changed.
func (b *Board) For(p Phone) (orders []Order, drained bool, changed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, o := range b.orders {
		if o.Phones.Fits(p) && p.Plays(o.Game) {
			orders = append(orders, o)
		}
	}
	return orders, drains(b.drained, p), b.changed
}

// Asked calls each with the requests for evidence to this worker, once for each, from one
// goroutine, until the context ends. If each fails, it is called again.
func (a *Agent) Asked(ctx context.Context, each func(Ask) error) {
	board := a.Watch()
	answered := map[string]bool{}
	for ctx.Err() == nil {
		board.mu.Lock()
		asks, changed := board.asks, board.changed
		board.mu.Unlock()
		open, failed := map[string]bool{}, false
		for _, ask := range asks {
			if answered[ask.ID] || each(ask) == nil {
				open[ask.ID] = true
			} else {
				failed = true
			}
		}
		answered = open // of what is not asked any more nothing is remembered
		var again <-chan time.Time
		if failed {
			again = time.After(retryWait)
		}
		select {
		case <-ctx.Done():
		case <-changed:
		case <-again:
		}
	}
}

// errPart is the error for evidence that is too large.
var errPart = errors.New("fleet: evidence that is too large")

// evidencePartSize is the most bytes of a part of evidence.
const evidencePartSize = 256 << 10

// Hand answers a question that this worker was asked: with packed evidence, or with the
// reason why there is none.
func (a *Agent) Hand(ctx context.Context, ask Ask, packed []byte, reason string) error {
	if len(packed) > MaxEvidence {
		return fmt.Errorf("%w: %d bytes, expected %d at most", errPart, len(packed), MaxEvidence)
	}
	for part := 0; ; part++ {
		n := min(len(packed), evidencePartSize)
		p := evidencePart{ID: ask.ID, Part: part, Data: packed[:n], Last: n == len(packed), Reason: clip(reason)}
		if _, err := a.evidences.ask(ctx, p); err != nil || p.Last {
			return err
		}
		packed = packed[n:]
	}
}
