package player

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

const (
	// redoAfter is how long after the last touch a board that stands still is
	// taken for the result; before, the app may still be about to change it.
	redoAfter = 450 * time.Millisecond
	// maxRedone is how often what is missing is played again.
	maxRedone = 3
	// maxOthers is how many looks find another board than the one played before
	// it is believed: the app may have been in the middle of something.
	maxOthers = 3
)

// verify looks until the screen says that the level is won. When the board
// stands still and differs from the plan, what is missing is played again.
func (l *level) verify(ctx context.Context) (outcome, error) {
	began := l.time()
	defer func() { l.report.Verify += l.time().Sub(began) }()
	deadline := began.Add(l.Timing.WinDeadline)
	if l.progress.ended.IsZero() {
		l.progress.ended = began
	}
	if err := l.awaitPanel(ctx, began); err != nil {
		return "", err
	}
	var first, now sight // now is the last one that was looked at
	for {
		s, steady, err := l.glance(ctx)
		if err != nil {
			return "", err
		}
		if first.empty() {
			first = s
		}
		l.memory.keepEarly(s)
		since := s.at.Sub(l.progress.ended)
		if l.memory.restless() || steady && (since >= redoAfter || !first.sameFrame(s)) {
			if now, err = l.know(s); err != nil {
				return "", err
			}
			l.publishLook("verify", now)
			if on, err := l.judge(now, since, steady); on != "" || err != nil {
				return on, err
			}
		}
		if l.time().After(deadline) {
			if now.empty() {
				now = s
			} else if steady && l.panelClosed(now) {
				l.log().Info("the level is complete, BACK has closed its panel")
				return l.wonAt(now), nil
			}
			return "", fail(ErrNotWon, troubleOther, fmt.Sprintf("the level to be complete within %v", l.Timing.WinDeadline), now.describe(), nil)
		}
		if err := l.wait(ctx, l.Timing.SettleInterval); err != nil {
			return "", err
		}
	}
}

// awaitPanel waits for most of the time that the panel has taken at least in
// this run: to look before is to look in vain.
func (l *level) awaitPanel(ctx context.Context, began time.Time) error {
	early := l.progress.ended.Add(l.memory.celebration * 4 / 5)
	if !early.After(began) {
		return nil
	}
	if l.KeepSolved {
		// There is nothing else to look for yet.
		if err := l.wait(ctx, l.progress.ended.Add(l.memory.celebration/3).Sub(began)); err != nil {
			return err
		}
		if _, _, err := l.glance(ctx); err != nil {
			return err
		}
	}
	return l.wait(ctx, early.Sub(l.time()))
}

// judge decides on a look that was taken some time after the last touch, at a
// screen that may stand still. The empty outcome is to go on looking.
func (l *level) judge(s sight, since time.Duration, steady bool) (outcome, error) {
	switch {
	case s.place.Kind == screen.Won:
		if len(l.report.Tried) == 0 { // recovering takes time that is not the app's
			l.memory.notePanel(since)
		}
		return l.wonAt(s), nil
	case steady && since >= redoAfter:
		return l.unfinished(s)
	}
	return "", nil
}

// wonAt is the outcome of a level that is won, with how it left the screen.
func (l *level) wonAt(s sight) outcome {
	l.memory.carried = s
	return outcomeWon
}

// unfinished decides what to do about a screen that stands still and does not
// say that the level is won; the empty outcome is to go on looking.
func (l *level) unfinished(s sight) (outcome, error) {
	if c, ok := l.memory.newCard(s); ok && l.hidden(s) {
		return "", l.meet(s, c)
	}
	if s.place.Kind != screen.Level {
		return "", l.misplaced(s)
	}
	resumer, ok := l.solution.(solvers.Resumer)
	if !ok || l.progress.redone >= maxRedone {
		return "", nil
	}
	rest, err := resumer.Remaining(s.seen)
	if err != nil {
		return l.otherBoard(s, err)
	}
	l.memory.complete = l.memory.complete || !anyShows(rest)
	if len(rest) == 0 {
		return "", nil
	}
	l.log().Warn("some of it did not arrive on the screen; playing it again", "gestures", len(rest), "of", len(l.plan))
	l.report.Redone = true
	l.progress.redone++
	l.progress.missing = rest
	return outcomeMissing, nil
}

// otherBoard decides what to do about a board that is not the one played, for a
// reason given.
func (l *level) otherBoard(s sight, reason error) (outcome, error) {
	if l.progress.others++; l.progress.others < maxOthers {
		l.memory.looked = sight{}
		return "", nil
	}
	if l.movedOn(s) {
		return l.wonAt(s), nil
	}
	return "", fail(ErrNotWon, troubleOther, "the board that was played", "another one", reason)
}

// shows reports whether a gesture changes how the board looks. A short one may
// leave it looking the same.
func shows(g screen.Gesture) bool { return len(g.Points) > 2 }

func anyShows(gestures []screen.Gesture) bool { return slices.ContainsFunc(gestures, shows) }

// drawn reports whether nothing is missing on the board, but for what looks the
// same before and after it was played.
func drawn(r solvers.Resumer, seen *screen.Observation) bool {
	rest, err := r.Remaining(seen)
	return err == nil && !anyShows(rest)
}
