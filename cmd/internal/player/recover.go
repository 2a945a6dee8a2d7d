package player

import (
	"context"
	"errors"
	"strings"
	"time"
)

// recover climbs one rung of the ladder and leads back to where there was trouble.
func (l *level) recover(ctx context.Context) (outcome, error) {
	if err := l.awake(ctx); err != nil {
		return "", err
	}
	if err := l.beside(ctx); err != nil {
		return "", err
	}
	t := l.failure.trouble
	for {
		steps := ladder(t)
		n := l.climbed[t]
		if n >= len(steps) || n >= patienceWithStrangers && l.App == "" && t == troubleUnknown || len(l.report.Tried) >= maxRungs {
			return outcomeGaveUp, nil
		}
		l.climbed[t]++
		step := steps[n]
		if !l.possible(step, t) {
			continue
		}
		l.report.Tried = append(l.report.Tried, string(step))
		l.log().Warn("recovering", "step", step, "trouble", t, "error", l.failure)
		l.publish(Event{Note: string(step), Err: l.failure})
		if err := l.climb(ctx, step, t); err != nil {
			return "", err
		}
		break
	}
	l.moving, l.last, l.known, l.carried = 0, sight{}, sight{}, sight{}
	switch l.resume {
	case StateConnect:
		return outcomeReady, nil
	case StateVerify:
		return outcomePlayed, nil
	case StateNext:
		return outcomeGoOn, nil
	}
	return outcomeLookAgain, nil
}

// patienceWithStrangers is how far the ladder is climbed on an unknown screen
// before the game was ever seen: most likely it is just not open.
const patienceWithStrangers = 2

// awake finds out whether what is not understood is a screen that is off, or the
// lock screen.
func (l *level) awake(ctx context.Context) error {
	k, ok := l.Device.(Waker)
	switch l.failure.trouble {
	case troubleBlackFrame, troubleBehind, troubleUnknown, troubleRestless, troubleMisread:
	default:
		return nil
	}
	if !ok {
		return nil
	}
	return l.phone(ctx, "awake", func(ctx context.Context) error {
		off, locked, err := k.Awake(ctx)
		switch {
		case err != nil:
			return phoneFailure(err)
		case locked:
			l.asleep(ErrLocked)
		case off && !l.possible(rungReopen, troubleBlackFrame):
			l.asleep(ErrScreenOff)
		case off: // which opening the app switches on
			l.failure.trouble = troubleBlackFrame
			if !errors.Is(l.failure, ErrScreenOff) {
				l.failure.Kind, l.failure.Err = ErrPhone, ErrScreenOff
				l.failure.Expected, l.failure.Seen = "", ""
			}
		}
		return nil
	})
}

// asleep makes the failure one that only a person can do something about.
func (l *level) asleep(cause error) {
	f := fail(ErrPhone, troubleOther, "", "", cause)
	f.(*Failure).Stage = l.failure.Stage
	l.failure = f.(*Failure)
}

// beside finds out whether what is not understood is another app. The game's
// own keys must not reach that.
func (l *level) beside(ctx context.Context) error {
	k := l.keeper()
	switch l.failure.trouble {
	case troubleUnknown, troubleDialog, troubleStrange, troubleRestless, troubleMisread, troubleSenseless, troubleWonBefore:
	default:
		return nil
	}
	if k == nil || l.preview {
		return nil
	}
	return l.phone(ctx, "front", func(ctx context.Context) error {
		front, err := k.Front(ctx)
		if err != nil {
			return phoneFailure(err)
		}
		if front == "" || front == l.App {
			return nil
		}
		if l.App != "" {
			l.failure.trouble = troubleBehind
		}
		if seen := ", with " + front + " in front"; !strings.HasSuffix(l.failure.Seen, seen) {
			l.failure.Seen += seen
		}
		return nil
	})
}

// possible reports whether a rung can be climbed on this device, in this run.
func (l *level) possible(step rung, t trouble) bool {
	switch step {
	case rungReconnect:
		return l.keeper() != nil && !l.preview
	case rungBack:
		// A level with a button of its own to the next one is left by BACK for
		// a page that leads nowhere known.
		if t == troubleMisread && l.canSkip(l.known) {
			return false
		}
		return l.keeper() != nil && !l.preview && l.App != ""
	case rungReopen:
		return l.keeper() != nil && !l.preview && l.App != ""
	case rungChoose:
		return !l.preview
	case rungAccept:
		return l.takesOver()
	}
	return true
}

// climb does what a rung is.
func (l *level) climb(ctx context.Context, step rung, t trouble) error {
	k := l.keeper()
	var do func(context.Context) error
	switch step {
	case rungLook:
		return l.wait(ctx, l.Timing.SettleInterval)
	case rungWait:
		l.backoff = min(max(2*l.backoff, l.Timing.RecoverWait), 16*l.Timing.RecoverWait)
		return l.wait(ctx, l.backoff)
	case rungBack:
		do = k.Back
		l.backed = l.touched
		if t == troubleStrange {
			l.stranger.backs++
		}
	case rungReopen:
		restart := t == troubleUnknown || t == troubleRestless
		do = func(ctx context.Context) error { return k.Reopen(ctx, l.App, restart) }
	case rungReconnect:
		do = k.Reconnect
	case rungChoose:
		return l.choose(ctx)
	case rungAccept:
		l.own = &ownPanel{card: l.stranger.card, beside: l.patches}
		return nil
	}
	if err := l.phone(ctx, string(step), do); err != nil {
		return phoneFailure(err)
	}
	l.playedAt = l.time()
	return l.wait(ctx, afterStep)
}

// afterStep is what an app needs to show that something was done.
const afterStep = 300 * time.Millisecond

// choose taps the level to play in the list that is on the screen.
func (l *level) choose(ctx context.Context) error {
	s := l.known
	at, ok := l.unplayed(s)
	if !ok {
		return l.leaf(ctx, s)
	}
	l.leave, l.chosen = false, true
	return l.tap(ctx, s, at, "choose the level")
}
