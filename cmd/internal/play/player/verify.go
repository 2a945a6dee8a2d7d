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
	// redoAfter is the time after the last touch from which on a board that stands
	// still is taken for the result; before, the app may be about to change it. It
	// doubles each time that something is played again: the app may be slow.
	redoAfter = 450 * time.Millisecond
	// maxRedone is how often what is missing is played again without less being missing.
	maxRedone = 3
	// maxOthers is the number of looks that have to find a board other than the
	// one played: the app may have been in the middle of something.
	maxOthers = 3
	// bareSooner is how much sooner than at its deadline a complete board is believed in
	// an app whose levels ended so before.
	bareSooner = 4
)

// verify looks until the screen says that the level is won. When the board
// stands still and differs from the plan, what is missing is played again.
func (l *level) verify(ctx context.Context) (outcome, error) {
	began := l.time()
	defer func() { l.report.Verify.Duration += l.time().Sub(began) }()
	deadline := began.Add(l.Timing.WinDeadline)
	if l.progress.ended.IsZero() {
		l.progress.ended = began
	}
	if on, ok, err := l.verifyByStream(ctx, began, deadline); ok || err != nil {
		return on, err
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
		if l.worthReading(first, s, steady) {
			if now, err = l.know(s); err != nil {
				return "", err
			}
			l.publishLook("verify", now)
			if on, err := l.judge(now, steady); on != "" || err != nil {
				return on, err
			}
			if steady && l.standsAgain(now, began) {
				return l.wonBare(now, ""), nil
			}
		}
		// Another board is looked at often enough, whatever the time.
		doubtful := l.progress.others > 0 && l.progress.others < maxOthers && l.time().Before(deadline.Add(deadlineSlack/2))
		if l.time().After(deadline) && !doubtful {
			if now.empty() {
				now = s
			}
			return l.lastVerdict(now, steady)
		}
		if err := l.untilNext(ctx, s); err != nil {
			return "", err
		}
		if l.memory.looked.frame == s.frame && l.memory.looked.Place.Kind != screen.Won && len(l.report.Tried) == 0 {
			l.memory.noteNoPanel(s.begun.Sub(l.progress.ended))
		}
	}
}

// worthReading reports whether a frame after the last stroke may show how the level ended.
func (l *level) worthReading(first, s sight, steady bool) bool {
	return l.memory.restless() || steady && (l.late(s) || !first.sameFrame(s) || l.memory.seenWon(s))
}

// awaitPanel waits until the panel can be there, by the times that it took in this run:
// before that, there is no use in looking.
func (l *level) awaitPanel(ctx context.Context, began time.Time) error {
	due := l.memory.panelDue(l.Timing.SettleInterval * 3 / 2)
	// A look that is a little too early costs another one; a little later costs less.
	early := l.progress.ended.Add(due + l.Timing.SettleInterval/4)
	if due == 0 || !early.After(began) {
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

// late reports whether a look was taken so long after the last touch that a
// board standing still is the result.
func (l *level) late(s sight) bool { return s.at.Sub(l.progress.ended) >= l.redoAfter() }

// redoAfter is the time that the app has to show what was drawn.
func (l *level) redoAfter() time.Duration { return redoAfter << l.progress.redone }

// judge decides on a look; steady says that the screen stands still. The empty
// outcome means to go on looking.
func (l *level) judge(s sight, steady bool) (outcome, error) {
	switch {
	case s.Place.Kind == screen.Won:
		// Recovering takes time that is not the app's.
		if len(l.report.Tried) == 0 && l.memory.since.After(l.progress.ended) {
			l.memory.notePanel(l.memory.since.Sub(l.progress.ended))
		}
		l.feel(0)
		return l.wonAt(s), nil
	case steady && l.late(s):
		return l.unfinished(s)
	}
	return "", nil
}

// lastVerdict decides on the last look when the time for the panel is up.
func (l *level) lastVerdict(s sight, steady bool) (outcome, error) {
	if steady && l.panelClosed(s) {
		l.log().Info("the level is complete, BACK has closed its panel")
		return l.wonAt(s), nil
	}
	if stands, certain := l.stands(s); stands && steady {
		if !certain {
			return l.wonBare(s, unconfirmedShort), nil
		}
		return l.wonBare(s, ""), nil
	}
	return "", fail(ErrNotWon, troubleOther, fmt.Sprintf("the level to be complete within %v", l.Timing.WinDeadline), s.describe(), nil)
}

// wonAt is the outcome of a level that is won, with how it left the screen.
func (l *level) wonAt(s sight) outcome {
	l.memory.carried = s
	return outcomeWon
}

// unfinished decides what to do about a screen that stands still and does not
// say that the level is won. The empty outcome means to go on looking.
func (l *level) unfinished(s sight) (outcome, error) {
	if c, ok := l.memory.newCard(s); ok && l.hidden(s, c) {
		if l.isTaught(s, c) {
			l.memory.own = &ownPanel{Card: c, beside: l.memory.readPatches}
			return "", nil
		}
		return "", l.meet(s, c)
	}
	if l.progress.left || s.Place.Kind == screen.List && len(l.report.Tried) == 0 && l.hasLeft() {
		return l.wonBare(s, unconfirmedLeft), nil
	}
	if s.Place.Kind != screen.Level {
		return "", l.misplaced(s)
	}
	if l.solution == nil {
		return "", nil
	}
	rest, err := l.solution.Remaining(s.Seen)
	if err != nil {
		return l.otherBoard(s, err)
	}
	l.memory.complete = l.memory.complete || !anyShows(rest)
	again := l.feel(len(rest))
	rest = l.withCut(rest, s.on)
	if len(rest) == 0 {
		return "", nil
	}
	if again {
		l.progress.missing = rest
		return outcomeMissing, nil
	}
	if l.progress.redone > 0 && len(rest) < l.progress.fewest {
		l.progress.redone = 0
	}
	if l.progress.redone >= maxRedone {
		return "", nil
	}
	l.progress.fewest = len(rest)
	l.memory.beforeLast = len(rest) == 1 // and the last stroke is the one to come
	l.log().Warn("some of it did not arrive on the screen; playing it again", "gestures", len(rest), "of", len(l.plan))
	l.report.Redone = true
	l.progress.redone++
	l.progress.missing = rest
	return outcomeMissing, nil
}

// withCut adds the strokes to those that are missing which may be cut, since the phone was lost: a path
// that lacks only its last step looks complete, and is drawn anew from its first.
func (l *level) withCut(rest []screen.Gesture, on screen.Frame) []screen.Gesture {
	drawn, cut := l.progress.drawn, l.progress.cut
	l.progress.drawn, l.progress.cut = nil, false
	if _, paths := l.solution.(solvers.Pather); !paths || !cut {
		return rest
	}
	for _, g := range drawn {
		if g.On == on && !g.Tap() && !slices.ContainsFunc(rest, func(r screen.Gesture) bool { return l.sameEnds(r, g) }) {
			rest = append([]screen.Gesture{g}, rest...)
		}
	}
	return rest
}

// otherBoard decides what to do about a board that is not the one played, for
// the reason given.
func (l *level) otherBoard(s sight, reason error) (outcome, error) {
	if l.progress.others++; l.progress.others < maxOthers {
		l.memory.looked = sight{}
		return "", nil
	}
	if moved, certain := l.movedOn(s); moved {
		if !certain {
			l.report.Unconfirmed = unconfirmedNext
		}
		return l.wonAt(s), nil
	}
	if _, err := s.Read(); err != nil { // something may lie over it
		return "", fail(ErrUnreadable, troubleMisread, "", "", err)
	}
	return "", fail(ErrNotWon, troubleOther, "the board that was played", "another one", reason)
}

// anyShows reports whether any of the gestures changes how the board looks.
func anyShows(gestures []screen.Gesture) bool {
	return slices.ContainsFunc(gestures, func(g screen.Gesture) bool { return !g.Unseen })
}

// drawn reports whether nothing is missing on the board, except for gestures that
// do not show.
func drawn(solution solvers.Solution, seen *screen.Observation) bool {
	rest, err := solution.Remaining(seen)
	return err == nil && !anyShows(rest)
}
