package player

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// recovery is how far the ladders of one level have been climbed.
type recovery struct {
	failure *Failure        // the trouble to overcome
	resume  State           // the state to lead back to
	climbed map[trouble]int // rungs tried or passed over, for each kind of trouble
	backoff time.Duration   // the length of the last wait
}

// recover climbs one rung of the ladder and leads back to where there was trouble.
func (l *level) recover(ctx context.Context) (outcome, error) {
	if err := l.awake(ctx); err != nil {
		return "", err
	}
	if err := l.beside(ctx); err != nil {
		return "", err
	}
	t := l.recovery.failure.trouble
	l.progress.cut = l.progress.cut || t == troubleLost
	step, ok := l.nextRung(t)
	if !ok {
		return outcomeGaveUp, nil
	}
	l.report.Tried = append(l.report.Tried, string(step))
	l.log().Warn("recovering", "step", step, "trouble", t, "error", l.recovery.failure)
	l.publish(Event{Note: string(step), Err: l.recovery.failure})
	if err := l.climb(ctx, step, t); err != nil {
		return "", err
	}
	l.memory.forget()
	switch l.recovery.resume {
	case StateConnect:
		return outcomeReady, nil
	case StateVerify:
		return outcomePlayed, nil
	case StateNext:
		return outcomeGoOn, nil
	}
	return outcomeLookAgain, nil
}

// nextRung takes the next rung that can be climbed against a kind of trouble; ok
// is false when there is none left.
func (l *level) nextRung(t trouble) (step rung, ok bool) {
	steps := ladder(t)
	if l.App == "" && t == troubleUnknown {
		steps = steps[:patienceWithStrangers]
	}
	for len(l.report.Tried) < maxRungs && l.recovery.climbed[t] < len(steps) {
		step = steps[l.recovery.climbed[t]]
		l.recovery.climbed[t]++
		if l.possible(step, t) {
			return step, true
		}
	}
	return "", false
}

// patienceWithStrangers is the number of rungs climbed on an unknown screen
// before the game was ever seen: most likely it is just not open.
const patienceWithStrangers = 2

// awake finds out whether a screen that was not understood is off, or shows the
// lock screen.
func (l *level) awake(ctx context.Context) error {
	k, ok := l.Device.(Waker)
	unclear := []trouble{troubleBlackFrame, troubleBehind, troubleUnknown, troubleRestless, troubleMisread}
	if !ok || !slices.Contains(unclear, l.recovery.failure.trouble) {
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
		case off: // opening the app switches it on
			l.recovery.failure.trouble = troubleBlackFrame
			if !errors.Is(l.recovery.failure, ErrScreenOff) {
				l.recovery.failure.Kind, l.recovery.failure.Err = ErrPhone, ErrScreenOff
				l.recovery.failure.Expected, l.recovery.failure.Seen = "", ""
			}
		}
		return nil
	})
}

// asleep turns the failure into one that only a person can do something about.
func (l *level) asleep(cause error) {
	f := fail(ErrPhone, troubleOther, "", "", cause)
	f.Stage = l.recovery.failure.Stage
	l.recovery.failure = f
}

// beside finds out whether a screen that was not understood is another app's:
// the keys meant for the game must not reach that one.
func (l *level) beside(ctx context.Context) error {
	k := l.keeper()
	unclear := []trouble{troubleUnknown, troubleDialog, troubleStrange, troubleRestless, troubleMisread, troubleSenseless, troubleWonBefore}
	if k == nil || l.preview || !slices.Contains(unclear, l.recovery.failure.trouble) {
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
			l.recovery.failure.trouble = troubleBehind
		}
		if seen := ", with " + front + " in front"; !strings.HasSuffix(l.recovery.failure.Seen, seen) {
			l.recovery.failure.Seen += seen
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
		// Where a level has a button of its own to the next one, BACK leads to a
		// page with no known way on.
		if _, ok := l.memory.looked.Place.Button("next"); ok && t == troubleMisread {
			return false
		}
		return l.possible(rungReopen, t)
	case rungReopen:
		return l.keeper() != nil && !l.preview && l.App != ""
	case rungChoose:
		return !l.preview
	case rungAccept:
		return l.takesOver()
	case rungLeft:
		return l.recovery.resume == StateVerify && l.hasLeft()
	}
	return true
}

// climb tries one rung.
func (l *level) climb(ctx context.Context, step rung, t trouble) error {
	k := l.keeper()
	var do func(context.Context) error
	switch step {
	case rungLook:
		return l.wait(ctx, l.Timing.SettleInterval)
	case rungWait:
		l.recovery.backoff = min(max(2*l.recovery.backoff, l.Timing.RecoverWait), 16*l.Timing.RecoverWait)
		return l.wait(ctx, l.recovery.backoff)
	case rungBack:
		do = k.Back
		l.progress.backed = l.progress.touched
		if t == troubleStrange {
			l.memory.stranger.backs++
		}
	case rungReopen:
		restart := t == troubleUnknown || t == troubleRestless
		do = func(ctx context.Context) error { return k.Reopen(ctx, l.App, restart) }
	case rungReconnect:
		do = k.Reconnect
	case rungChoose:
		return l.choose(ctx)
	case rungAccept:
		l.memory.own = &ownPanel{Card: l.memory.stranger.Card, beside: l.memory.readPatches}
		return nil
	case rungLeft:
		l.progress.left = true
		return nil
	}
	if err := l.phone(ctx, string(step), do); err != nil {
		return phoneFailure(err)
	}
	l.progress.ended = l.time()
	return l.wait(ctx, afterStep)
}

// afterStep is the time that an app needs to show that something was done.
const afterStep = 300 * time.Millisecond

// choose taps the level to play in the list on the screen, or turns the page.
func (l *level) choose(ctx context.Context) error {
	s := l.memory.looked
	at, ok := l.unplayed(s)
	if !ok {
		return l.leaf(ctx, s)
	}
	l.leave, l.chosen = false, true
	return l.tap(ctx, s, at, "choose the level")
}
