package player

import (
	"context"
	"fmt"
	"time"

	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// glance captures a frame and reports whether it agrees with the one before
// where the board is.
func (l *level) glance(ctx context.Context) (s sight, steady bool, err error) {
	s.begun = l.time()
	err = l.phone(ctx, "capture", func(ctx context.Context) (err error) {
		s.frame, s.on, err = l.Device.Capture(ctx)
		return err
	})
	s.at = l.time()
	l.report.Captures++
	if err != nil {
		l.memory.last = sight{}
		return s, false, phoneFailure(err)
	}
	steady = l.memory.captured(s)
	l.publish(Event{Frame: s.frame})
	return s, steady, nil
}

// know finds out what is on a frame. One that is the same as the last one that
// was looked at is not looked at again: looking costs more than everything else.
func (l *level) know(s sight) (sight, error) {
	if !l.memory.recall(&s) {
		end := l.Trace.begin(l.time, "look", nil)
		began := l.time()
		if err := l.observe(&s); err != nil {
			return s, fail(ErrUnreadable, troubleOther, "a frame", "", err)
		}
		l.memory.lookTook = l.time().Sub(began)
		l.report.Read.Duration += l.memory.lookTook
		end()
		l.log().Debug("looked", "state", l.state, "place", s.Place.Kind, "reason", s.Place.Reason)
	}
	if s.Place.Kind != screen.Won && (l.state == StateVerify || l.state == StateNext) {
		if place, ok := l.ownPanelOn(s); ok {
			s.Place = place
		}
	}
	if s.Place.Kind == screen.List && vision.Covered(s.frame) {
		s.Place = screen.Place{Kind: screen.Popup, Reason: "something lies over the list of levels"}
	}
	l.memory.note(s)
	if k := s.Place.Kind; l.App == "" && (k == screen.Level || k == screen.Won) {
		l.App = l.front
	}
	return s, nil
}

// see captures a frame and finds out what is on it.
func (l *level) see(ctx context.Context) (sight, error) {
	s, _, err := l.glance(ctx)
	if err != nil {
		return s, err
	}
	return l.know(s)
}

// observe finds out what is on a frame. After playing, the panel is expected,
// and a look for panels alone is quicker than one for boards.
func (l *level) observe(s *sight) error {
	spec := l.Game.Spec()
	if l.state == StateVerify && spec.Boxes {
		seen, err := l.Eyes.Observe(s.frame, s.on, panelsOf(spec))
		if err != nil {
			return err
		}
		if now := l.of(seen); now.Place.Kind == screen.Won {
			s.Sight = now
			return nil
		}
	}
	known := l.memory.read.Seen
	bySigns := known != nil && len(known.Signs) > 0
	if bySigns && l.playing() && l.redraw(s) {
		return nil
	}
	// Once a board was read by its lines, a screen without one has none to be looked for
	// by its cells.
	see := recognise.See
	if known != nil && !bySigns {
		see = recognise.Glance
	}
	now, err := see(l.Eyes, s.frame, s.on, l.Game)
	if err != nil {
		return err
	}
	s.Sight = l.located(now)
	if k := s.Place.Kind; !bySigns && l.playing() && (k == screen.Level || k == screen.Elsewhere) {
		if _, err := s.Read(); err != nil {
			l.redraw(s)
		}
	}
	return nil
}

// panelsOf asks for what a spec asks for, without boards.
func panelsOf(spec screen.Spec) screen.Spec {
	return screen.Spec{MinSide: spec.MinSide, MaxSide: spec.MaxSide, Dark: spec.Dark, Either: spec.Either, Boxes: true}
}

// playing reports whether the level's board may be on the screen with pipes that were just
// drawn on it.
func (l *level) playing() bool {
	switch l.state {
	case StatePlay, StateVerify:
		return true
	case StateRecover:
		return l.progress.touched
	}
	return l.state == StateNext && l.memory.bare != nil
}

// settle looks until the screen stands still: two frames in a row that agree
// where the board is.
func (l *level) settle(ctx context.Context) (outcome, error) {
	began := l.time()
	defer func() { l.report.Settle.Duration += l.time().Sub(began) }()
	l.memory.disturb()
	s, ok := l.memory.takeCarried(began)
	if !ok {
		var err error
		if s, err = l.standing(ctx, began.Add(l.Timing.SettleDeadline)); err != nil {
			return "", err
		}
	}
	switch {
	case s.Place.Kind == screen.Level:
		l.memory.read = s
		return outcomeStill, nil
	case s.Place.Kind == screen.Won && l.progress.touched:
		return outcomeWon, nil
	case s.Place.Kind == screen.Won:
		return "", ErrComplete
	}
	return "", l.misplaced(s)
}

// standing looks until two frames agree, and finds out what is on the second.
func (l *level) standing(ctx context.Context, deadline time.Time) (sight, error) {
	if s, ok, err := l.standingByStream(ctx, deadline); ok || err != nil {
		return s, err
	}
	for {
		s, steady, err := l.glance(ctx)
		if err != nil {
			return s, err
		}
		if steady {
			return l.know(s)
		}
		if l.memory.restless() {
			if s, err = l.know(s); err != nil {
				return s, err
			}
		}
		if l.time().After(deadline) {
			return s, fail(ErrUnreadable, troubleRestless, fmt.Sprintf("a screen that stands still within %v", l.Timing.SettleDeadline), "one that keeps moving", nil)
		}
		if err := l.untilNext(ctx, s); err != nil {
			return s, err
		}
	}
}

// leastPause is the least time between two captures, as a part of the time between the
// beginnings of two looks: the phone needs some for the app.
const leastPause = 6

// untilNext waits between two looks, which begin an interval apart, and uses the time:
// the frame is looked at, and its board solved. When the next frame is the same, that is
// known already; else nothing has come of it.
func (l *level) untilNext(ctx context.Context, s sight) error {
	if l.memory.stood { // no frame tells more than the one before until one is pushed
		return l.untilFrame(ctx, l.time().Add(answerPatience))
	}
	interval := l.Timing.SettleInterval
	left := func() time.Duration { return interval - l.time().Sub(s.begun) }
	if l.memory.moving < restlessFrames && l.memory.lookTook <= left() {
		if now, err := l.know(s); err == nil {
			l.solveAhead(ctx, now, left())
		}
	}
	return l.wait(ctx, max(left(), interval/leastPause))
}

// misplaced is the failure of not being on a level.
func (l *level) misplaced(s sight) error {
	t := troubleUnknown
	switch s.Place.Kind {
	case screen.Elsewhere:
		// A game may call a board that it refuses no level; it says why when it reads it.
		if s.Seen != nil && s.Seen.Layout.Rows > 0 && l.refused(s) == troubleSenseless {
			if _, err := s.Read(); err != nil {
				return fail(ErrUnreadable, troubleSenseless, "", "", err)
			}
		}
	case screen.Popup:
		t = troubleDialog
	case screen.List:
		t = troubleList
	case screen.Won:
		t = troubleOther
	}
	return fail(ErrUnreadable, t, "a level of "+l.Game.Name(), s.describe(), nil)
}
