package player

import (
	"context"
	"errors"
	"image"
	"time"

	"tapwise/solvers/screen"
)

// A Watcher is a Device whose phone pushes a frame, scaled down, whenever its screen changes.
type Watcher interface {
	Device
	// Glimpse waits until a frame has come after the one of that number, or none has for
	// quiet, and returns the newest; a quiet of 0 waits for a frame only. It fails where
	// none is pushed: then frames are captured.
	Glimpse(ctx context.Context, after int, quiet time.Duration) (Glimpse, error)
}

// A Glimpse is the newest frame that was pushed.
type Glimpse struct {
	Frame  *image.RGBA  // nil when there is none after the one that was asked after
	Full   screen.Frame // the screen that it is a scaled picture of
	Number int
	Began  time.Time     // when it began to arrive
	Took   time.Duration // how long a frame is on its way
	Quiet  bool          // none came for as long as was asked: the screen stands still
}

const (
	// leastQuiet is the least time without a frame that says that the screen stands still:
	// a few frames of a slow display.
	leastQuiet = 50 * time.Millisecond
	// answerPatience is how long the first frame after a touch may take.
	answerPatience = 400 * time.Millisecond
	// onItsWay is how long a frame may have been on its way, besides the time of its bytes,
	// when the finger came down.
	onItsWay = 20 * time.Millisecond
	// restlessStream is how long the screen may go on changing until frames are captured:
	// something beside the board may move for good. Where it did before in this run, half as
	// long is waited.
	restlessStream = time.Second
)

// errUnwatched: no frames are pushed.
var errUnwatched = errors.New("no frames are pushed")

// quiet is how long no frame has to come on a screen that stands still.
func (l *level) quiet() time.Duration { return max(l.Timing.SettleInterval, leastQuiet) }

// glimpse waits for a frame that is pushed or, where quiet is not 0, for silence, until a
// moment. It is an errUnwatched where none is pushed, and says nothing when the moment comes.
func (l *level) glimpse(ctx context.Context, quiet time.Duration, until time.Time) (g Glimpse, over bool, err error) {
	w, ok := l.Device.(Watcher)
	if !ok || l.preview { // for which nobody holds the phone
		return g, false, errUnwatched
	}
	began := l.time()
	end := l.Trace.begin(l.time, "watch", nil)
	within, cancel := context.WithTimeout(ctx, until.Sub(began))
	defer cancel()
	g, err = w.Glimpse(within, l.memory.glimpsed, quiet)
	if err == nil || within.Err() != nil {
		l.report.Idle += l.time().Sub(began)
		end()
	}
	switch {
	case ctx.Err() != nil:
		return g, false, context.Cause(ctx)
	case within.Err() != nil:
		return g, true, nil
	case err != nil:
		return g, false, errUnwatched
	}
	if g.Frame != nil {
		l.memory.glimpsed = g.Number
		l.report.Pushed++
	}
	return g, false, nil
}

// answered reports whether the screen has had its time to show what was touched last: a
// frame has come that was not on its way when the finger came down.
func (l *level) answered(g Glimpse) bool {
	if l.time().Sub(l.progress.ended) >= answerPatience {
		return true
	}
	down := l.progress.down
	if !l.progress.stood {
		down = down.Add(g.Took + onItsWay)
	}
	return g.Began.After(down)
}

// standingByStream is standing where the phone pushes frames: when no more come, the screen
// stands still, and one frame is captured, which decides. On the way to the next level the
// panel of the last one is seen without. It reports false when no frames are pushed, or they
// come without an end.
func (l *level) standingByStream(ctx context.Context, deadline time.Time) (s sight, ok bool, err error) {
	restless := l.time().Add(l.streamPatience())
	if restless.After(deadline) {
		restless = deadline
	}
	var small sight
	defer func() { l.memory.neverStill = l.memory.neverStill || !ok && err == nil && l.memory.glimpsed > 0 }()
	for l.time().Before(restless) {
		g, over, err := l.glimpse(ctx, l.quiet(), restless)
		switch {
		case errors.Is(err, errUnwatched):
			return s, false, nil
		case err != nil:
			return s, false, err
		case over:
			return s, false, nil
		}
		if g.Frame != nil {
			small = l.scaledSight(g)
		}
		if !g.Quiet {
			continue
		}
		if !l.answered(g) {
			if err := l.untilFrame(ctx, l.progress.ended.Add(answerPatience)); err != nil {
				return s, false, err
			}
			continue
		}
		l.memory.stood = true
		if l.state == StateNext && !small.empty() && l.wonOn(&small) {
			return small, true, nil
		}
		if s, ok := l.readPushed(ctx, small); ok {
			return s, true, nil
		}
		if s, _, err = l.glance(ctx); err != nil {
			return s, false, err
		}
		if moved, err := l.moved(ctx); moved || err != nil {
			if err != nil {
				return s, false, err
			}
			continue
		}
		if s, err = l.know(s); err == nil {
			l.comparePushed(small, s)
		}
		return s, err == nil, err
	}
	return s, false, nil
}

// streamPatience is how long the screen may go on changing until frames are captured.
func (l *level) streamPatience() time.Duration {
	if l.memory.neverStill {
		return restlessStream / 2
	}
	return restlessStream
}

// peek is a glimpse that leaves what it shows to the next one.
func (l *level) peek(ctx context.Context, quiet time.Duration, until time.Time) (g Glimpse, over bool, err error) {
	before := l.memory.glimpsed
	g, over, err = l.glimpse(ctx, quiet, until)
	l.memory.glimpsed = before
	return g, over, err
}

// untilFrame waits for a frame, whatever it shows, which the next glimpse tells.
func (l *level) untilFrame(ctx context.Context, until time.Time) error {
	_, _, err := l.peek(ctx, 0, until)
	if errors.Is(err, errUnwatched) {
		l.memory.stood = false
		return nil
	}
	return err
}

// moved reports whether a frame was pushed after the last one that was seen, which the next
// glimpse tells.
func (l *level) moved(ctx context.Context) (bool, error) {
	g, over, err := l.peek(ctx, time.Nanosecond, l.time().Add(answerPatience))
	if errors.Is(err, errUnwatched) {
		return false, nil // what was captured is all that there is
	}
	return over || g.Frame != nil, err
}

// scaledSight is a look by a frame that was pushed.
func (l *level) scaledSight(g Glimpse) sight {
	return sight{frame: g.Frame, on: g.Full, begun: g.Began, at: l.time()}
}

// wonOn reports whether a frame that was pushed shows the panel of a won level. The panel's
// buttons are where they are on the whole screen.
func (l *level) wonOn(s *sight) bool {
	if s.Seen == nil {
		spec := l.Game.Spec()
		if !spec.Boxes {
			return false
		}
		began := l.time()
		on := screen.Frame{Size: s.frame.Rect.Size(), Rotation: s.on.Rotation}
		seen, err := l.Eyes.Observe(s.frame, on, panelsOf(spec))
		l.report.Read.Duration += l.time().Sub(began)
		if err != nil {
			return false
		}
		s.Sight = l.of(seen)
		buttons := make([]screen.Button, len(s.Place.Buttons))
		for i, b := range s.Place.Buttons {
			b.At = image.Pt((2*b.At.X+1)*s.on.Size.X/(2*on.Size.X), (2*b.At.Y+1)*s.on.Size.Y/(2*on.Size.Y))
			buttons[i] = b
		}
		s.Place.Buttons = buttons
	}
	return s.Place.Kind == screen.Won
}

// streamed is what was seen of a level after its last stroke on frames that are pushed.
type streamed struct {
	*level
	began, deadline time.Time
	last            sight     // the newest frame
	won             bool      // it shows the panel, or the one before if it was not looked at
	looked          bool      // the panel was looked for on it
	look            time.Time // before, the panel is looked for only on a screen that stands still
	stood           bool      // none came after it for long enough: the screen stands still
	calm            time.Time // when it was last seen to stand still by a captured frame, too; the beginning before
	still           sight     // a captured frame of how it stands, which was judged; empty before
	moves           int       // the number of captured frames after which it moved again, before they were judged
	kept            bool      // the solved board was captured for a watcher
}

// verifyByStream is verify where the phone pushes frames. The win is seen on them; whatever
// else there is to decide is decided on a captured frame of a screen that stands still. It
// reports false when no more are pushed, or they come without an end.
func (l *level) verifyByStream(ctx context.Context, began, deadline time.Time) (on outcome, ok bool, err error) {
	if l.memory.neverStill && !l.Game.Spec().Boxes {
		return "", false, nil // nothing but a captured frame would tell
	}
	v := &streamed{level: l, began: began, deadline: deadline, calm: began, kept: !l.KeepSolved}
	for {
		if l.time().After(deadline) {
			if v.still.empty() {
				return "", false, nil
			}
			on, err = l.lastVerdict(v.still, true)
			return on, true, err
		}
		if v.stood && v.still.empty() && v.due() {
			on, err = v.judgeStill(ctx)
		} else {
			on, err = v.watch(ctx)
		}
		switch {
		case errors.Is(err, errUnwatched):
			return "", false, nil
		case on != "" || err != nil:
			return on, true, err
		}
	}
}

// due reports whether a screen that stands still is worth a captured frame: it is the result,
// it shows the panel to a watcher, or it may show a panel of the app's own.
func (v *streamed) due() bool {
	return v.won || v.memory.own != nil || v.time().Sub(v.progress.ended) >= v.redoAfter()
}

// watch looks at the next frame, or waits until something is to be decided without one.
func (v *streamed) watch(ctx context.Context) (outcome, error) {
	quiet, until := v.quiet(), v.deadline.Add(time.Millisecond)
	if v.stood { // no frame tells more than the one before
		quiet = 0
		if at := v.nextLook(); at.Before(until) {
			until = at
		}
	}
	g, over, err := v.glimpse(ctx, quiet, until)
	switch {
	case err != nil:
		return "", err
	case over && v.progress.others > 0:
		v.still = sight{} // another one is captured
		return "", nil
	case over && !v.still.empty() && v.standsAgain(v.still, v.began):
		return v.wonBare(v.still, ""), nil
	case over:
		return "", nil
	}
	before := v.won
	if g.Frame != nil && !v.still.empty() || v.won {
		v.calm = v.time()
	}
	if g.Frame != nil {
		v.last, v.still, v.looked = v.scaledSight(g), sight{}, false
		if g.Began.After(v.progress.ended) {
			v.memory.keepEarly(sight{frame: g.Frame, on: screen.Frame{Size: g.Frame.Rect.Size(), Rotation: g.Full.Rotation}, begun: g.Began, at: v.last.at})
		}
	}
	v.stood = g.Quiet
	v.lookForPanel()
	if (!v.stood || v.moves > 1) && v.time().Sub(v.calm) >= v.streamPatience() {
		v.memory.neverStill = true
		return "", errUnwatched
	}
	if v.stood && !v.kept {
		v.kept = true
		_, _, err := v.glance(ctx)
		return "", err
	}
	// One frame alone may be of the middle of something.
	if v.won && v.looked && (before || v.stood) && !v.KeepSolved {
		return v.wonOnStream(), nil
	}
	return "", nil
}

// panelPause is how long the panel is not looked for while frames come, in looks.
const panelPause = 80

// lookForPanel looks for the panel on the newest frame, if the screen stands still or the last
// look was long enough ago: an app may draw a frame each 16 ms for as long as it celebrates.
func (v *streamed) lookForPanel() {
	began := v.time()
	if v.last.empty() || v.looked || !v.stood && began.Before(v.look) {
		return
	}
	v.won, v.looked = v.last.begun.After(v.progress.down) && v.wonOn(&v.last), true
	if ended := v.time(); !v.won { // else the next frame decides
		v.look = ended.Add(panelPause * ended.Sub(began))
	}
}

// nextLook is when something is to be decided though no frame comes.
func (v *streamed) nextLook() time.Time {
	now := v.time()
	switch {
	case !v.due():
		return v.progress.ended.Add(v.redoAfter())
	case v.progress.others > 0:
		return now.Add(v.quiet())
	case v.memory.endsBare:
		if at := v.began.Add(v.Timing.WinDeadline/bareSooner + time.Millisecond); at.After(now) {
			return at
		}
	}
	return v.deadline.Add(time.Millisecond)
}

// judgeStill captures a frame of a screen that stands still, and decides on it.
func (v *streamed) judgeStill(ctx context.Context) (outcome, error) {
	s, _, err := v.glance(ctx)
	if err != nil {
		return "", err
	}
	if moved, err := v.moved(ctx); moved || err != nil {
		v.stood = false
		v.moves++
		return "", err
	}
	if s, err = v.know(s); err != nil {
		return "", err
	}
	v.still = s
	v.publishLook("verify", s)
	return v.judge(s, true)
}

// wonOnStream is the outcome of a level whose panel was seen on a frame that was pushed.
func (v *streamed) wonOnStream() outcome {
	since := v.last.begun.Sub(v.progress.ended)
	if len(v.report.Tried) == 0 && since > 0 {
		v.memory.notePanel(since)
	}
	v.log().Debug("the panel was seen on a frame that was pushed", "after", since)
	v.publishLook("verify", v.last)
	v.feel(0)
	if v.memory.stood = v.stood; v.stood {
		v.memory.carried = v.last
	}
	return outcomeWon
}
