package player

import (
	"context"
	"fmt"
	"time"

	"tapwise/cmd/internal/recognise"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// glance captures a frame and reports whether it agrees with the one before
// where the board is.
func (l *level) glance(ctx context.Context) (s sight, steady bool, err error) {
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
		l.report.Read += l.time().Sub(began)
		end()
		l.log().Debug("looked", "state", l.state, "place", s.place.Kind, "reason", s.place.Reason)
	}
	if s.place.Kind != screen.Won && (l.state == StateVerify || l.state == StateNext) {
		if place, ok := l.memory.ownPanelOn(s); ok {
			s.place = place
		}
	}
	if s.place.Kind == screen.List && vision.Covered(s.frame) {
		s.place = screen.Place{Kind: screen.Popup, Reason: "something lies over the list of levels"}
	}
	l.memory.note(s)
	if k := s.place.Kind; l.App == "" && (k == screen.Level || k == screen.Won) {
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
		boxes := screen.Spec{MinSide: spec.MinSide, MaxSide: spec.MaxSide, Dark: spec.Dark, Either: spec.Either, Boxes: true}
		seen, err := l.Eyes.Observe(s.frame, s.on, boxes)
		if err != nil {
			return err
		}
		if place := l.locate(seen); place.Kind == screen.Won {
			s.seen, s.place = seen, place
			return nil
		}
	}
	// Once a board was read by its lines, a screen without one has none to be looked for
	// by its cells.
	var seen *screen.Observation
	var err error
	if known := l.memory.read.seen; known != nil && len(known.Signs) == 0 {
		seen, err = l.Eyes.Observe(s.frame, s.on, spec)
	} else {
		seen, err = recognise.Observe(l.Eyes, s.frame, s.on, l.Game)
	}
	if err != nil {
		return err
	}
	s.seen, s.place = seen, l.locate(seen)
	return nil
}

// settle looks until the screen stands still: two frames in a row that agree
// where the board is.
func (l *level) settle(ctx context.Context) (outcome, error) {
	began := l.time()
	defer func() { l.report.Settle += l.time().Sub(began) }()
	l.memory.disturb()
	s, ok := l.memory.takeCarried(began)
	if !ok {
		var err error
		if s, err = l.standing(ctx, began.Add(l.Timing.SettleDeadline)); err != nil {
			return "", err
		}
	}
	switch {
	case s.place.Kind == screen.Level:
		l.memory.read = s
		l.memory.rows = rowsOf(s)
		return outcomeStill, nil
	case s.place.Kind == screen.Won && l.progress.touched:
		return outcomeWon, nil
	case s.place.Kind == screen.Won:
		return "", ErrComplete
	}
	return "", l.misplaced(s)
}

// standing looks until two frames agree, and finds out what is on the second.
func (l *level) standing(ctx context.Context, deadline time.Time) (sight, error) {
	if s, ok, err := l.standingByMarks(ctx, deadline); ok || err != nil {
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
		if err := l.wait(ctx, l.Timing.SettleInterval); err != nil {
			return s, err
		}
	}
}

// misplaced is the failure of not being on a level.
func (l *level) misplaced(s sight) error {
	t := troubleUnknown
	switch s.place.Kind {
	case screen.Popup:
		t = troubleDialog
	case screen.List:
		t = troubleList
	case screen.Won:
		t = troubleOther
	}
	return fail(ErrUnreadable, t, "a level of "+l.Game.Name(), s.describe(), nil)
}
