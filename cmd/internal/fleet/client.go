package fleet

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"tapwise/cmd/internal/console/pause"

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

// maxSent is the most messages that one end sends without having heard that they are kept.
const maxSent = 1024

// Client reaches what the hub keeps. The hub itself has one, and everyone who gives orders or
// looks at the fleet. It may be used from several goroutines.
type Client struct {
	*link
	js    jetstream.JetStream
	posts []*post

	runs, levels, phones, leases, control, asked, handed jetstream.KeyValue
}

// Dial connects to a hub in order to give orders. With wait it waits until the hub is there and
// has been set up, or the context ends; otherwise it fails with [ErrNoHub] if it is not. It
// fails with [ErrRefused] if the hub refuses the credential.
func Dial(ctx context.Context, config Config, wait bool) (*Client, error) {
	c, err := reach(config, wait)
	if err != nil {
		return nil, err
	}
	if err := c.settle(ctx, wait, c.bind); err != nil {
		return nil, err
	}
	return c, nil
}

// reach connects to a hub's streams.
func reach(config Config, wait bool) (*Client, error) {
	l, err := connect(config, wait)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(l.conn, jetstream.WithDefaultTimeout(l.patience), jetstream.WithPublishAsyncMaxPending(maxSent), jetstream.WithPublishAsyncTimeout(l.patience))
	if err != nil {
		l.Close()
		return nil, err
	}
	return &Client{link: l, js: js}, nil
}

// bind finds the buckets.
func (c *Client) bind(ctx context.Context) error {
	for name, bucket := range map[string]*jetstream.KeyValue{
		runsBucket: &c.runs, levelsBucket: &c.levels, phonesBucket: &c.phones, leasesBucket: &c.leases, controlBucket: &c.control,
		askedBucket: &c.asked, handedBucket: &c.handed,
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
	return c.bindPosts(ctx)
}

// mostResults is the most bytes of results that are kept: those that are booked make room.
const mostResults = 1 << 30

// Setup makes missing streams and buckets, with a number of replicas. If a worker falls silent,
// others have its phones and jobs after lease: its leases run out after five eighths of that,
// so that there is time to notice and to begin. Existing streams and buckets keep their
// contents.
func Setup(ctx context.Context, config Config, replicas int, lease time.Duration) error {
	c, err := reach(config, false)
	if err != nil {
		return err
	}
	defer c.Close()
	lease -= 3 * lease / 8
	const day = 24 * time.Hour
	for _, stream := range []jetstream.StreamConfig{
		{Name: jobsStream, Subjects: []string{"tapwise.job.>"}, Retention: jetstream.WorkQueuePolicy, MaxMsgSize: MaxMessage, Duplicates: 10 * time.Minute, Discard: jetstream.DiscardNew},
		{Name: resultsStream, Subjects: []string{"tapwise.result.>"}, MaxMsgSize: MaxMessage, MaxBytes: mostResults, Duplicates: 10 * time.Minute, DenyDelete: true, Discard: jetstream.DiscardNew},
		{Name: poisonStream, Subjects: []string{"tapwise.poison.*"}, MaxMsgSize: MaxMessage, MaxBytes: mostResults / 8, Duplicates: 10 * time.Minute, DenyDelete: true, Discard: jetstream.DiscardNew},
	} {
		stream.Replicas, stream.Storage = replicas, jetstream.FileStorage
		stream.AllowAtomicPublish = replicas == 1 && stream.Name != poisonStream
		if before, err := c.js.Stream(ctx, stream.Name); err == nil && before.CachedInfo().Config.DenyPurge {
			stream.DenyPurge, stream.MaxBytes = true, 0 // of a hub before: that cannot be taken back
		}
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
		// What is told again within a lease need not be on a disk.
		{Bucket: phonesBucket, TTL: lease, Storage: jetstream.MemoryStorage},
		{Bucket: leasesBucket, TTL: lease},
		{Bucket: controlBucket},
		{Bucket: askedBucket, TTL: AskedAge},
		{Bucket: handedBucket, TTL: handedAge, History: handedTimes},
	} {
		bucket.Replicas, bucket.MaxValueSize = replicas, MaxMessage
		if err := c.setupBucket(ctx, bucket); err != nil {
			return fmt.Errorf("bucket %s: %w", bucket.Bucket, err)
		}
	}
	return nil
}

// setupBucket makes a bucket where it is not there. The engine's own way to make one does not
// know of batches.
func (c *Client) setupBucket(ctx context.Context, bucket jetstream.KeyValueConfig) error {
	config := jetstream.StreamConfig{
		Name: "KV_" + bucket.Bucket, Subjects: []string{keySubject(bucket.Bucket, ">")}, MaxMsgsPerSubject: max(1, int64(bucket.History)), MaxMsgs: -1, MaxBytes: -1, MaxConsumers: -1,
		MaxAge: bucket.TTL, MaxMsgSize: bucket.MaxValueSize, Storage: bucket.Storage, Replicas: bucket.Replicas, Discard: jetstream.DiscardNew, Duplicates: 2 * time.Minute,
		AllowRollup: true, DenyDelete: true, AllowDirect: true,
		AllowAtomicPublish: bucket.Replicas == 1 && slices.Contains([]string{levelsBucket, leasesBucket, handedBucket}, bucket.Bucket),
	}
	if bucket.TTL > 0 {
		config.Duplicates = min(config.Duplicates, bucket.TTL)
	}
	if before, err := c.js.Stream(ctx, config.Name); err == nil && before.CachedInfo().Config.Storage != config.Storage {
		if err := c.js.DeleteStream(ctx, config.Name); err != nil { // of a hub before, which kept it in a file
			return err
		}
	}
	_, err := c.js.CreateOrUpdateStream(ctx, config)
	return err
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
	return c.collectEntries(ctx, bucket, keys, func(e jetstream.KeyValueEntry) { each(e.Key(), e.Value()) })
}

// collectEntries is collect with all that the hub tells of a value.
func (c *Client) collectEntries(ctx context.Context, bucket jetstream.KeyValue, keys string, each func(jetstream.KeyValueEntry)) error {
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
			each(entry)
		}
	}
}
