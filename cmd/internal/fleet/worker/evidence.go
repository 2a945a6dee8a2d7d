package worker

import (
	"context"
	"time"

	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/fleet"
)

// Evidence is what failures left on this host, for who asks for it.
type Evidence interface {
	// Note remembers the folder that an event's failure left.
	Note(ctx context.Context, event, folder string) error
	// Pack returns the folder that was noted for an event as a zip archive of at most that many
	// bytes. Whoever asked gets the error.
	Pack(ctx context.Context, event string, most int) ([]byte, error)
}

// answerTime bounds how long it takes to pack evidence and to put it on the hub.
const answerTime = 2 * time.Minute

// answer gives evidence to who asks for it, until the context ends.
func (w *Worker) answer(ctx context.Context) {
	w.Agent.Asked(ctx, func(ask fleet.Ask) error {
		ctx, cancel := context.WithTimeout(ctx, answerTime)
		defer cancel()
		packed, err := w.Evidence.Pack(ctx, ask.Event, fleet.MaxEvidence)
		reason := ""
		if err != nil {
			packed, reason = nil, wording.Of(err)
		}
		err = w.Agent.Hand(ctx, ask, packed, reason)
		if err != nil {
			w.Log.Warn("evidence could not be put on the hub", "event", ask.Event, "error", err)
		}
		return err
	})
}

// note remembers the folder that an event's failure left. A level is not to end since its
// evidence cannot be found later.
func (w *Worker) note(ctx context.Context, event, folder string) {
	if w.Evidence == nil || folder == "" {
		return
	}
	if err := w.Evidence.Note(context.WithoutCancel(ctx), event, folder); err != nil {
		w.Log.Warn("the evidence of a failure will not be found", "event", event, "folder", folder, "error", err)
	}
}
