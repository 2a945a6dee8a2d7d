package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
)

// A look at a phone is a question that its worker hears and no other, and a picture at a
// subject to which nobody but that worker may publish. Neither is kept, and nothing flows
// unless somebody looks.
func lookSubject(worker string) string { return "tapwise.look." + worker }

// pictureSubject is where the answer to a question comes; * is any question.
func pictureSubject(worker, id string) string { return "tapwise.picture." + worker + "." + id }

const (
	// MaxPicture is the most bytes of a picture of a phone's screen.
	MaxPicture = 256 << 10
	// maxLooks is the most looks that wait at a worker, and looksAtOnce the most that it
	// answers at a time.
	maxLooks    = 16
	looksAtOnce = 2
)

// look is a question for a picture of a phone's screen.
type look struct {
	ID     string `json:"id"` // of the question
	Serial string `json:"serial"`
}

func (l *look) check() error {
	if !isName(l.ID) || l.Serial == "" || !isText(l.Serial, maxText) {
		return fmt.Errorf("fleet: look %q at phone %q, expected names", l.ID, l.Serial)
	}
	return nil
}

// picture is the answer: a JPEG, or the reason why there is none.
type picture struct {
	Serial string `json:"serial"`
	JPEG   []byte `json:"jpeg,omitempty"`
	Reason string `json:"reason,omitempty"`
}

func (p *picture) check() error {
	if !isText(p.Serial, maxText) || !isText(p.Reason, maxText) || len(p.JPEG) > MaxPicture || (len(p.JPEG) == 0) == (p.Reason == "") {
		return fmt.Errorf("fleet: a picture of %d bytes, expected 1 to %d, or a reason", len(p.JPEG), MaxPicture)
	}
	return nil
}

// ErrNoPicture is the error when a worker has no picture of a phone's screen.
var ErrNoPicture = errors.New("the worker has no picture of it")

// Look asks a worker for a picture of a phone's screen, a JPEG of at most [MaxPicture]
// bytes, as a stranger's. When nobody answers, the error is [ErrAway].
func (c *Client) Look(ctx context.Context, worker, serial string) ([]byte, error) {
	if err := CheckWorker(worker); err != nil {
		return nil, err
	}
	question := look{ID: NewID(), Serial: serial}
	data, err := encode(&question)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*c.patience)
	defer cancel()
	answers, err := c.conn.SubscribeSync(pictureSubject(worker, question.ID))
	if err != nil {
		return nil, c.unanswered(err)
	}
	defer func() { _ = answers.Unsubscribe() }() // the connection may have ended
	if err := c.conn.PublishRequest(lookSubject(worker), pictureSubject(worker, question.ID), data); err != nil {
		return nil, c.unanswered(err)
	}
	msg, err := answers.NextMsgWithContext(ctx)
	const nobody = "503" // the server's, when nobody hears the question
	if errors.Is(err, context.DeadlineExceeded) || err == nil && len(msg.Data) == 0 && msg.Header.Get("Status") == nobody {
		return nil, fmt.Errorf("worker %s: %w", worker, ErrAway)
	}
	if err != nil {
		return nil, err
	}
	p, err := decode[picture](msg.Data)
	switch {
	case err != nil:
		return nil, err
	case p.Serial != serial:
		return nil, fmt.Errorf("fleet: a picture of phone %q, expected %q", p.Serial, serial)
	case p.Reason != "":
		return nil, fmt.Errorf("%w: %s", ErrNoPicture, p.Reason)
	}
	return p.JPEG, nil
}

// Looks answers looks at a worker's phones by what show returns, which is called from
// several goroutines, until the context ends. Of more looks than wait, some get no answer.
func (c *Client) Looks(ctx context.Context, worker string, show func(ctx context.Context, serial string) ([]byte, error)) error {
	questions := make(chan *nats.Msg, maxLooks)
	heard, err := c.conn.ChanSubscribe(lookSubject(worker), questions)
	if err != nil {
		return err
	}
	defer func() { _ = heard.Unsubscribe() }() // the connection may have ended
	var wait sync.WaitGroup
	for range looksAtOnce {
		wait.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case msg := <-questions:
					c.show(ctx, worker, msg.Data, show)
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

// show answers one look.
func (c *Client) show(ctx context.Context, worker string, data []byte, show func(ctx context.Context, serial string) ([]byte, error)) {
	question, err := decode[look](data)
	if err != nil {
		c.log.Warn("a look is left out", "error", err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 2*c.patience)
	defer cancel()
	answer := picture{Serial: question.Serial}
	answer.JPEG, err = show(ctx, question.Serial)
	if err == nil {
		err = answer.check()
	}
	if err != nil {
		reason := strings.ToValidUTF8(err.Error(), "?")
		answer.JPEG, answer.Reason = nil, strings.ToValidUTF8(reason[:min(len(reason), maxText)], "")
	}
	data, err = encode(&answer)
	if err == nil {
		err = c.conn.Publish(pictureSubject(worker, question.ID), data)
	}
	if err != nil { // nobody waits any more when the hub is back
		c.log.Debug("a look was not answered", "phone", question.Serial, "error", err)
	}
}
