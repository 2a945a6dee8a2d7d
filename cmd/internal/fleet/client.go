package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tapwise/cmd/internal/pause"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Config says how the hub is reached.
type Config struct {
	URL  string // nats://HOST:PORT or tls://HOST:PORT, several separated by commas
	Name string // of this end, for the hub's log and for its inbox; a worker's is its name
	// Options are those of the credentials; none for a hub on this machine.
	Options []nats.Option
	Log     *slog.Logger // nil logs nothing
	// Patience bounds one question to the hub; default 5 s.
	Patience time.Duration
}

// CheckURL reports whether a hub may be reached at an address without a credential: beyond
// this machine it may not.
func CheckURL(address string) error {
	for one := range strings.SplitSeq(address, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Hostname() == "" {
			return fmt.Errorf("hub %q, expected nats://HOST:PORT", one)
		}
		if ip := net.ParseIP(u.Hostname()); u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return fmt.Errorf("hub %s is beyond this machine, expected a credential, as tapwise hub prints it", one)
		}
	}
	return nil
}

// retryWait is the pause between two tries to reach the hub.
const retryWait = 250 * time.Millisecond

// maxAsking is the most questions for jobs that one end asks at a time, of all orders: the
// hub is not to have more questions than it answers in time, or jobs would go to phones that
// no longer wait for them.
const maxAsking = 4

// maxSent is the most messages that one end sends without having heard that they are kept.
const maxSent = 1024

// usualPatience is Config.Patience where that is not set.
const usualPatience = 5 * time.Second

// leastPatience bounds from below how long an answer is waited for that a lease needs.
const leastPatience = 500 * time.Millisecond

// ErrNoHub is the error when the hub does not answer.
var ErrNoHub = errors.New("the hub does not answer")

// Client is a connection to the hub. It stays when the hub goes away, and is the same
// again when that comes back. It may be used from several goroutines.
type Client struct {
	conn  *nats.Conn
	js    jetstream.JetStream
	log   *slog.Logger
	lease time.Duration
	// patience is Config.Patience.
	patience time.Duration
	now      func() time.Time // the clock of this host; decides nothing

	runs, levels, phones, leases, control, asked jetstream.KeyValue

	denied atomic.Pointer[error] // what the hub did not let this end do, last

	consumers sync.Map      // of jobs, by name
	lines     sync.Map      // of phones that wait for a job, by run
	asking    chan struct{} // has one in it for each question for jobs

	mu    sync.Mutex
	again chan struct{} // closed, and replaced, when the hub is back
	gone  chan struct{} // closed, and replaced, when the hub goes away
	ended chan struct{} // closed when the hub does not want this end any more
}

// Dial connects to a hub. With wait it waits until the hub is there and has been set up,
// or the context ends; without, it fails with [ErrNoHub] when it is not. It fails with
// [ErrRefused] when that refuses the credential.
func Dial(ctx context.Context, config Config, wait bool) (*Client, error) {
	c, err := connect(config, wait)
	if err != nil {
		return nil, err
	}
	for {
		connected, cancel := c.connected(ctx)
		err := c.bind(connected)
		cancel()
		if err == nil {
			return c, nil
		}
		if refused := c.Err(); refused != nil {
			return nil, refused
		}
		if !wait || ctx.Err() != nil {
			c.Close()
			return nil, c.unanswered(err)
		}
		c.log.Debug("the hub is not ready", "error", err)
		if err := pause.For(ctx, retryWait); err != nil {
			c.Close()
			return nil, err
		}
	}
}

func connect(config Config, wait bool) (*Client, error) {
	c := &Client{log: config.Log, patience: cmp.Or(config.Patience, usualPatience), now: time.Now, again: make(chan struct{}), gone: make(chan struct{}), asking: make(chan struct{}, maxAsking), ended: make(chan struct{})}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	options := append([]nats.Option{
		nats.Name(config.Name), nats.CustomInboxPrefix(inbox(config.Name)),
		nats.MaxReconnects(-1), nats.ReconnectWait(retryWait), nats.ReconnectJitter(retryWait/2, retryWait/2),
		nats.RetryOnFailedConnect(wait), nats.Timeout(c.patience), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		// What was to be sent to a hub that is away is not worth sending later: whoever
		// asked has to know.
		nats.ReconnectBufSize(-1),
		nats.ClosedHandler(func(*nats.Conn) { close(c.ended) }),
		nats.ReconnectHandler(func(*nats.Conn) { c.tell(&c.again) }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			c.log.Debug("the hub is away", "error", err)
			c.tell(&c.gone)
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				c.denied.Store(&err)
			}
			c.log.Debug("the hub", "error", err)
		}),
	}, config.Options...)
	conn, err := nats.Connect(config.URL, options...)
	if isRefusal(err) {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w at %s: %w", ErrNoHub, config.URL, err)
	}
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(c.patience), jetstream.WithPublishAsyncMaxPending(maxSent), jetstream.WithPublishAsyncTimeout(c.patience))
	if err != nil {
		conn.Close()
		return nil, err
	}
	c.conn, c.js = conn, js
	return c, nil
}

// bind finds the buckets.
func (c *Client) bind(ctx context.Context) error {
	for name, bucket := range map[string]*jetstream.KeyValue{
		runsBucket: &c.runs, levelsBucket: &c.levels, phonesBucket: &c.phones, leasesBucket: &c.leases, controlBucket: &c.control,
		askedBucket: &c.asked,
	} {
		var err error
		if *bucket, err = c.js.KeyValue(ctx, name); err != nil {
			return fmt.Errorf("bucket %s: %w", name, err)
		}
	}
	status, err := c.leases.Status(ctx)
	if err != nil {
		return err
	}
	c.lease = status.TTL()
	return nil
}

// tell tells those who wait for it that the hub went away, or that it is back.
func (c *Client) tell(what *chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(*what)
	*what = make(chan struct{})
}

// returned is closed when the hub was away and is back.
func (c *Client) returned() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.again
}

// connected returns a context that also ends when the connection does: the answer to what
// was asked before never comes.
func (c *Client) connected(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	c.mu.Lock()
	gone := c.gone
	c.mu.Unlock()
	go func() {
		select {
		case <-gone:
			cancel(ErrNoHub)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// ask asks the hub something that must not be waited for until a lease has run out. It
// fails with [ErrNoHub] when the connection ends, or no answer comes for a quarter of a lease.
func ask[T any](ctx context.Context, c *Client, question func(context.Context) (T, error)) (T, error) {
	asking, cancel := c.connected(ctx)
	defer cancel()
	asking, done := context.WithTimeoutCause(asking, max(leastPatience, min(c.patience, c.lease/4)), ErrNoHub)
	defer done()
	answer, err := question(asking)
	if err != nil && asking.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", context.Cause(asking), err)
	}
	return answer, err
}

// ErrRefused is the error when the hub does not, or not any more, accept a credential.
var ErrRefused = errors.New("the hub refuses the credential")

// Ended is closed when the connection has ended for good: by Close, or since the hub
// refuses the credential, which [Client.Err] tells.
func (c *Client) Ended() <-chan struct{} { return c.ended }

// Err is [ErrRefused] when the connection has ended for that reason.
func (c *Client) Err() error {
	if err := c.conn.LastError(); c.conn.IsClosed() && isRefusal(err) {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return nil
}

// Trouble says why the hub cannot be asked now; nil when it can. The connection comes back
// by itself, unless it has ended.
func (c *Client) Trouble() error {
	denied := c.denied.Load()
	switch {
	case c.Err() != nil:
		return c.Err()
	case !c.conn.IsConnected():
		return fmt.Errorf("%w; it is tried again", ErrNoHub)
	case denied != nil:
		return fmt.Errorf("%w: %w", ErrRefused, *denied)
	}
	return nil
}

// unanswered says why the hub gave no answer: it does not answer those who may not ask.
func (c *Client) unanswered(err error) error {
	if denied := c.denied.Load(); denied != nil {
		return fmt.Errorf("%w: %w", ErrRefused, *denied)
	}
	return fmt.Errorf("%w: %w", ErrNoHub, err)
}

func isRefusal(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked)
}

// Close ends the connection.
func (c *Client) Close() { c.conn.Close() }

// Lease is for how long a lease lasts that is not renewed, and after which a job is given
// to another phone: less than who set the hub up asked for, see [Setup].
func (c *Client) Lease() time.Duration { return c.lease }

// Setup makes the streams and buckets where they are not there, for a number of replicas.
// When nothing is heard of a worker, what it had is another's after lease: its leases run
// out after five eighths of that, so that there is time to find out and to begin. What is
// there keeps its contents.
func Setup(ctx context.Context, config Config, replicas int, lease time.Duration) error {
	c, err := connect(config, false)
	if err != nil {
		return err
	}
	defer c.Close()
	lease -= 3 * lease / 8
	const day = 24 * time.Hour
	for _, stream := range []jetstream.StreamConfig{
		{Name: jobsStream, Subjects: []string{"tapwise.job.>"}, Retention: jetstream.WorkQueuePolicy, MaxMsgSize: MaxMessage, Duplicates: 10 * time.Minute, Discard: jetstream.DiscardNew},
		{Name: resultsStream, Subjects: []string{"tapwise.result.>"}, MaxMsgSize: MaxMessage, Duplicates: 10 * time.Minute, DenyDelete: true, DenyPurge: true, Discard: jetstream.DiscardNew},
		{Name: poisonStream, Subjects: []string{"tapwise.poison.*"}, MaxMsgSize: MaxMessage, Duplicates: 10 * time.Minute, DenyDelete: true, DenyPurge: true, Discard: jetstream.DiscardNew},
	} {
		stream.Replicas, stream.Storage = replicas, jetstream.FileStorage
		if _, err := c.js.CreateOrUpdateStream(ctx, stream); err != nil {
			return fmt.Errorf("stream %s: %w", stream.Name, err)
		}
	}
	if err := c.setupBatches(ctx, replicas, lease); err != nil {
		return err
	}
	for _, bucket := range []jetstream.KeyValueConfig{
		{Bucket: runsBucket, TTL: 90 * day},
		{Bucket: levelsBucket},
		{Bucket: phonesBucket, TTL: lease},
		{Bucket: leasesBucket, TTL: lease},
		{Bucket: controlBucket},
		{Bucket: askedBucket, TTL: AskedAge},
	} {
		bucket.Replicas, bucket.History, bucket.MaxValueSize, bucket.Storage = replicas, 1, MaxMessage, jetstream.FileStorage
		if _, err := c.js.CreateOrUpdateKeyValue(ctx, bucket); err != nil {
			return fmt.Errorf("bucket %s: %w", bucket.Bucket, err)
		}
	}
	return nil
}

// watch calls each with every value below keys, now and whenever one changes, until the
// context ends: once more for all when the hub was away. A value that was deleted is
// empty; one whose time has run out is not told of. When all that was there has been
// told, it calls told.
func (c *Client) watch(ctx context.Context, bucket jetstream.KeyValue, keys string, each func(key string, value []byte), told func()) {
	c.watchEntries(ctx, bucket, keys, func(e jetstream.KeyValueEntry) { each(e.Key(), e.Value()) }, told)
}

// watchEntries is watch with all that the hub tells of a value.
func (c *Client) watchEntries(ctx context.Context, bucket jetstream.KeyValue, keys string, each func(jetstream.KeyValueEntry), told func()) {
	for ctx.Err() == nil {
		c.watchOnce(ctx, bucket, keys, each, told)
		_ = pause.For(ctx, retryWait) // the loop sees that it ended
	}
}

// watchOnce is watchEntries until the hub was away.
func (c *Client) watchOnce(ctx context.Context, bucket jetstream.KeyValue, keys string, each func(jetstream.KeyValueEntry), told func()) {
	returned := c.returned()
	ctx, cancel := c.connected(ctx)
	defer cancel()
	watcher, err := bucket.Watch(ctx, keys)
	if err != nil {
		c.log.Debug("cannot watch", "bucket", bucket.Bucket(), "error", err)
		return
	}
	defer func() { _ = watcher.Stop() }() // the hub may be away
	for {
		select {
		case <-ctx.Done():
			return
		case <-returned:
			return
		case entry, ok := <-watcher.Updates():
			switch {
			case !ok:
				return
			case entry == nil:
				told()
			default:
				each(entry)
			}
		}
	}
}

// collect calls each with every value below keys.
func (c *Client) collect(ctx context.Context, bucket jetstream.KeyValue, keys string, each func(key string, value []byte)) error {
	ctx, cancel := context.WithTimeout(ctx, 12*c.patience)
	defer cancel()
	watcher, err := bucket.Watch(ctx, keys, jetstream.IgnoreDeletes())
	if err != nil {
		return c.unanswered(err)
	}
	defer func() { _ = watcher.Stop() }()
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ErrNoHub, context.Cause(ctx))
		case entry, ok := <-watcher.Updates():
			if !ok || entry == nil {
				return nil
			}
			each(entry.Key(), entry.Value())
		}
	}
}
