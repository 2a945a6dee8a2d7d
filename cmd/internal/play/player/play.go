package player

import (
	"context"
	"image"
	"time"

	"tapwise/solvers/screen"
)

// progress is how far the plan was played, and with what result.
type progress struct {
	touched bool             // something of the plan was played
	backed  bool             // BACK was pressed after that
	down    time.Time        // when the last touch began
	stood   bool             // the screen was known to stand still before it
	ended   time.Time        // when the last touch, or the last step to recover, was over
	missing []screen.Gesture // the gestures to make again
	redone  int              // the number of times that gestures were made again since fewer were missing
	fewest  int              // the number of gestures that were missing then
	left    bool             // the app has left the board, most likely since the level is complete
	others  int              // looks at a board that was not the one played
	felt    felt             // of the last play
	// drawn are the strokes since the board was judged last, the one under way among them. If the
	// phone is lost then, any may be cut: what is sent by a stream is not answered.
	drawn []screen.Gesture
	cut   bool
}

// holdOn waits until Hold returns. The board may be another one then.
func (l *level) holdOn(ctx context.Context) (outcome, error) {
	waited, err := l.hold(ctx)
	l.report.Held += waited
	switch {
	case err != nil:
		return "", err
	case waited > carriedAge:
		return outcomeLookAgain, nil
	}
	return outcomeFree, nil
}

// play makes the gestures of the plan, or those of them that are missing.
func (l *level) play(ctx context.Context, gestures []screen.Gesture) (outcome, error) {
	began := l.time()
	defer func() { l.report.Play.Duration += l.time().Sub(began) }()
	l.memory.early = nil
	l.progress.felt = felt{made: len(gestures), missing: len(gestures)}
	if n := l.trial(gestures); n > 0 {
		l.progress.felt.made, l.progress.felt.trial = n, true
		if err := l.touchPart(ctx, gestures, 0, n); err != nil {
			return "", err
		}
		return outcomePlayed, nil
	}
	first := 0
	if l.wary(gestures) {
		first = len(gestures) - 1
		if err := l.touchPart(ctx, gestures, 0, first); err != nil {
			return "", err
		}
		switch over, err := l.lookBeforeLast(ctx, gestures[first]); {
		case err != nil:
			return "", err
		case over:
			return outcomePlayed, nil
		}
	}
	if err := l.touchPart(ctx, gestures, first, len(gestures)); err != nil {
		return "", err
	}
	return outcomePlayed, nil
}

// touchPart makes gestures[from:to] on the app that is being played.
func (l *level) touchPart(ctx context.Context, gestures []screen.Gesture, from, to int) error {
	onBoard := l.state == StatePlay || l.state == StateRedo
	pitch := 0.0 // of a gesture beside the board
	if onBoard {
		pitch = l.memory.read.Seen.Layout.Pitch
	}
	gestures, err := l.safe(gestures, pitch)
	if err != nil {
		return fail(ErrUnreadable, troubleOther, "gestures that are safe to touch", "", err)
	}
	begin := func(i int) {
		l.report.Strokes++
		if onBoard {
			l.progress.touched, l.progress.backed = true, false
			l.progress.drawn = append(l.progress.drawn, gestures[i])
		}
		l.publish(Event{Stroke: i, Plan: gestures, Note: gestures[i].Note, Puzzle: l.puzzle, Solution: l.solution})
	}
	l.progress.down, l.progress.stood = l.time(), l.memory.stood
	err = l.phone(ctx, "touch", func(ctx context.Context) error {
		if ok, err := l.playMending(ctx, gestures[from:to], func(i int) { begin(from + i) }); ok {
			return err
		}
		if k := l.keeper(); k != nil {
			return k.PlayOn(ctx, l.App, gestures[from:to], func(i int) { begin(from + i) })
		}
		err := l.Device.Play(ctx, gestures[from:to])
		if err == nil {
			for i := from; i < to; i++ {
				begin(i)
			}
		}
		return err
	})
	l.progress.ended = l.time()
	l.memory.disturb()
	l.memory.stood = false
	if err != nil {
		return phoneFailure(err)
	}
	l.publish(Event{Note: "the finger is up"})
	return nil
}

// touch makes one gesture.
func (l *level) touch(ctx context.Context, g screen.Gesture) error {
	return l.touchPart(ctx, []screen.Gesture{g}, 0, 1)
}

// tap touches one place of the screen that a look shows.
func (l *level) tap(ctx context.Context, s sight, at image.Point, note string) error {
	return l.touch(ctx, screen.Gesture{On: s.on, Points: []image.Point{at}, Note: note})
}

// leaf turns to the list's next page, which takes the app a moment.
func (l *level) leaf(ctx context.Context, s sight) error {
	w, h := s.on.Size.X, s.on.Size.Y
	swipe := screen.Gesture{On: s.on, Note: "the list's next page"}
	for _, part := range []int{80, 65, 50, 35, 20} { // percent of the width
		swipe.Points = append(swipe.Points, image.Pt(w*part/100, h/2))
	}
	if err := l.touch(ctx, swipe); err != nil {
		return err
	}
	return l.wait(ctx, afterStep)
}
