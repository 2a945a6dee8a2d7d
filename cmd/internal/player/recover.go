package player

import (
	"context"
	"time"
)

// The waits of the ladder.
const (
	shortWait = time.Second      // before the phone is asked again; it doubles
	longWait  = 16 * time.Second // at most
)

// recover climbs one rung of the ladder and leads back to where there was trouble.
func (l *level) recover(ctx context.Context) (outcome, error) {
	t := l.failure.trouble
	for {
		steps := ladder(t)
		n := l.climbed[t]
		if n >= len(steps) || len(l.report.Tried) >= maxRungs {
			return gaveUp, nil
		}
		l.climbed[t]++
		step := steps[n]
		if !l.possible(step) {
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
		return ready, nil
	case StateVerify:
		return played, nil
	case StateNext:
		return goOn, nil
	}
	return lookAgain, nil
}

// possible reports whether a rung can be climbed on this device, in this run.
func (l *level) possible(step rung) bool {
	switch step {
	case back, reconnect:
		return l.keeper() != nil && !l.preview
	case reopen:
		return l.keeper() != nil && !l.preview && l.App != ""
	case choose:
		return !l.preview
	}
	return true
}

// climb does what a rung is.
func (l *level) climb(ctx context.Context, step rung, t trouble) error {
	k := l.keeper()
	var do func(context.Context) error
	switch step {
	case look:
		return l.wait(ctx, l.Timing.SettleInterval)
	case pause:
		l.backoff = min(max(2*l.backoff, shortWait), longWait)
		return l.wait(ctx, l.backoff)
	case back:
		do = k.Back
	case reopen:
		restart := t == unknown || t == restless
		do = func(ctx context.Context) error { return k.Reopen(ctx, l.App, restart) }
	case reconnect:
		do = k.Reconnect
	case choose:
		return l.choose(ctx)
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
		return fail(ErrUnreadable, hopeless, "a level that is not complete", s.describe(), nil)
	}
	l.leave = false
	return l.tap(ctx, s, at, "choose the level")
}
