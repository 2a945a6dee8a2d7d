package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A stream that is kept on one server syncs its file for each message that it keeps, or once
// for all messages of an atomic batch, beside some syncs for the batch itself. So what is sent
// to it while it keeps something is sent together then.
const (
	// fewestTogether is from how many messages on a batch takes less than one after another.
	fewestTogether = 32
	// mostTogether and mostTogetherBytes bound a batch; the server takes a thousand messages.
	mostTogether      = 512
	mostTogetherBytes = 4 << 20
)

// sending is a message that is sent to a stream.
type sending struct {
	msg    *nats.Msg
	future jetstream.PubAckFuture // when it was sent alone

	unwanted atomic.Bool
	done     chan struct{} // otherwise: closed when the rest is known
	revision uint64
	err      error
}

// errUnwanted is the error of a message that was not sent since nobody wants it any more.
var errUnwanted = errors.New("fleet: a message that was taken back")

// takeBack returns when none of some messages is sent any more: what is not under way never
// is.
func takeBack(ctx context.Context, some []*sending) {
	for _, s := range some {
		s.unwanted.Store(true)
	}
	for _, s := range some {
		if s.done != nil {
			_, _ = s.wait(ctx) // kept or not
		}
	}
}

// wait returns the number that the stream gave the message, once it is kept. It is called
// once.
func (s *sending) wait(ctx context.Context) (uint64, error) {
	if s.future != nil {
		return settled(ctx, s.future)
	}
	select {
	case <-s.done:
		return s.revision, s.err
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

func (s *sending) settle(revision uint64, err error) {
	s.revision, s.err = revision, err
	close(s.done)
}

func settled(ctx context.Context, future jetstream.PubAckFuture) (uint64, error) {
	select {
	case ack := <-future.Ok():
		return ack.Sequence, nil
	case err := <-future.Err():
		return 0, err
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// header is one of a message.
type header struct{ name, value string }

// once has a stream keep one message of an ID, however often it is sent.
func once(id string) header { return header{jetstream.MsgIDHeader, id} }

// after has a bucket keep a value only when the key has that revision; 0 is none.
func after(revision uint64) header {
	return header{jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(revision, 10)}
}

// send sends a message without waiting for it to be kept. It waits when too many are under
// way.
func (c *Client) send(subject string, data []byte, headers ...header) (*sending, error) {
	msg := nats.NewMsg(subject)
	msg.Data = data
	for _, h := range headers {
		msg.Header.Set(h.name, h.value)
	}
	s := &sending{msg: msg}
	for _, p := range c.posts {
		if strings.HasPrefix(subject, p.prefix) {
			s.done = make(chan struct{})
			p.put(s)
			return s, nil
		}
	}
	var err error
	s.future, err = c.alone(msg)
	return s, err
}

func (c *Client) alone(msg *nats.Msg) (jetstream.PubAckFuture, error) {
	return c.js.PublishMsgAsync(msg, jetstream.WithStallWait(c.patience))
}

// post sends what is for one stream, together where that takes less.
type post struct {
	client *Client
	prefix string // of the stream's subjects

	mu      sync.Mutex
	waiting []*sending
	under   bool // way
}

// bindPosts finds the streams that take batches.
func (c *Client) bindPosts(ctx context.Context) error {
	c.posts = nil
	for name, prefix := range map[string]string{
		jobsStream: "tapwise.job.", resultsStream: "tapwise.result.",
		"KV_" + levelsBucket: keySubject(levelsBucket, ""), "KV_" + leasesBucket: keySubject(leasesBucket, ""), "KV_" + handedBucket: keySubject(handedBucket, ""),
	} {
		stream, err := c.js.Stream(ctx, name)
		if err != nil {
			return fmt.Errorf("stream %s: %w", name, err)
		}
		if stream.CachedInfo().Config.AllowAtomicPublish {
			c.posts = append(c.posts, &post{client: c, prefix: prefix})
		}
	}
	return nil
}

func (p *post) put(s *sending) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = append(p.waiting, s)
	if !p.under {
		p.under = true
		go p.run()
	}
}

// next takes what is to be sent next.
func (p *post) next() []*sending {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = slices.DeleteFunc(p.waiting, func(s *sending) bool {
		unwanted := s.unwanted.Load()
		if unwanted {
			s.settle(0, errUnwanted)
		}
		return unwanted
	})
	n, bytes := 0, 0
	for n < len(p.waiting) && n < mostTogether {
		if bytes += len(p.waiting[n].msg.Data); n > 0 && bytes > mostTogetherBytes {
			break
		}
		n++
	}
	p.under = n > 0
	some := p.waiting[:n:n]
	p.waiting = p.waiting[n:]
	return some
}

// run sends until nothing waits.
func (p *post) run() {
	for some := p.next(); len(some) > 0; some = p.next() {
		kept := make(chan struct{})
		go func() {
			defer close(kept)
			if len(some) < fewestTogether || !p.together(some) {
				p.alone(some)
			}
		}()
		// What comes later does not wait for an answer that does not come.
		late := time.NewTimer(max(leastPatience, p.client.lease/4))
		select {
		case <-kept:
		case <-late.C:
		}
		late.Stop()
	}
}

// alone sends messages one by one.
func (p *post) alone(some []*sending) {
	futures := make([]jetstream.PubAckFuture, len(some))
	for i, s := range some {
		var err error
		if futures[i], err = p.client.alone(s.msg); err != nil {
			s.settle(0, err)
		}
	}
	for i, s := range some {
		if futures[i] != nil {
			s.settle(settled(context.Background(), futures[i])) // it ends with the connection, or the patience
		}
	}
}

// together sends messages as a batch, of which all are kept or none. It reports whether there
// is no need to send them one by one: when one of them is refused, all are.
func (p *post) together(some []*sending) bool {
	c, id := p.client, NewID()
	last := len(some) - 1
	ack, err := askFor(context.Background(), c.link, c.patience, func(ctx context.Context) (*nats.Msg, error) {
		for i, s := range some {
			part := nats.NewMsg(s.msg.Subject)
			part.Data = s.msg.Data
			for name := range s.msg.Header {
				part.Header.Set(name, s.msg.Header.Get(name))
			}
			part.Header.Set("Nats-Batch-Id", id)
			part.Header.Set("Nats-Batch-Sequence", strconv.Itoa(i+1))
			if i == last {
				part.Header.Set("Nats-Batch-Commit", "1")
				return c.conn.RequestMsgWithContext(ctx, part)
			}
			if err := c.conn.PublishMsg(part); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	var answer struct {
		Seq   uint64              `json:"seq"`
		Count int                 `json:"count"`
		Batch string              `json:"batch"`
		Error *jetstream.APIError `json:"error"`
	}
	if err == nil {
		err = json.Unmarshal(ack.Data, &answer)
	}
	if answer.Error != nil || errors.Is(err, nats.ErrNoResponders) {
		c.log.Debug("messages are sent one by one", "to", p.prefix, "messages", len(some), "error", answer.Error)
		return false
	}
	if err == nil && (answer.Batch != id || answer.Count != len(some)) {
		err = fmt.Errorf("fleet: %d messages of batch %q are kept, expected %d of %q", answer.Count, answer.Batch, len(some), id)
	}
	for i, s := range some {
		s.settle(answer.Seq-uint64(last-i), err)
	}
	return true
}
