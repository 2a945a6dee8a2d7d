package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
)

// lookSubject is where somebody looks at a worker's phones. The hub has the worker hear of it
// and no other, and passes that worker's picture on. Neither is kept, and nothing flows unless
// somebody looks.
func lookSubject(worker string) string { return "tapwise.look." + worker }

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

// Look asks a worker for a picture of a phone's screen, a JPEG of at most [MaxPicture] bytes,
// to be treated as a stranger's. If nobody answers, the error is [ErrAway].
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
	msg, err := c.conn.RequestWithContext(ctx, lookSubject(worker), data)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrNoResponders) || err == nil && len(msg.Data) == 0 {
		return nil, fmt.Errorf("worker %s: %w", worker, ErrAway)
	}
	if err != nil {
		return nil, c.unanswered(err)
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

// Looks answers looks at this worker's phones with what show returns, which is called from
// several goroutines, until the context ends. If too many looks wait, some get no answer.
func (a *Agent) Looks(ctx context.Context, show func(ctx context.Context, serial string) ([]byte, error)) {
	a.Watch()
	var wait sync.WaitGroup
	for range looksAtOnce {
		wait.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case question := <-a.looks:
					a.show(ctx, question, show)
				}
			}
		})
	}
	wait.Wait()
}

// show answers one look.
func (a *Agent) show(ctx context.Context, question look, show func(ctx context.Context, serial string) ([]byte, error)) {
	ctx, cancel := context.WithTimeout(ctx, 2*a.patience)
	defer cancel()
	sent := pictureSent{ID: question.ID, picture: picture{Serial: question.Serial}}
	var err error
	sent.JPEG, err = show(ctx, question.Serial)
	if err == nil {
		err = sent.check()
	}
	if err != nil {
		sent.JPEG, sent.Reason = nil, clip(strings.ToValidUTF8(err.Error(), "?"))
	}
	if _, err := a.pictures.ask(ctx, sent); err != nil { // nobody waits any more when the hub is back
		a.log.Debug("a look was not answered", "phone", question.Serial, "error", err)
	}
}
