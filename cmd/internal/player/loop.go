package player

import (
	"context"
	"errors"
	"fmt"
	"image"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// kept is how many of the last frames the evidence holds.
const kept = 4

// capture takes a frame.
func (l *level) capture(ctx context.Context, stage string) (sight, error) {
	frame, on, err := l.Device.Capture(ctx)
	l.report.Captures++
	if err != nil {
		return sight{}, fail(ctx, ErrPhone, stage, "", "", err)
	}
	s := sight{frame: frame, on: on}
	l.sights = append(l.sights, s)
	if len(l.sights) > kept {
		l.sights = l.sights[1:]
	}
	l.publish(Event{Frame: frame})
	return s, nil
}

// observe tells what is on a captured frame.
func (l *level) observe(ctx context.Context, stage string, s sight) (sight, error) {
	seen, err := l.Eyes.Observe(s.frame, s.on, l.Game.Spec())
	if err != nil {
		return s, fail(ctx, ErrUnreadable, stage, "a frame", "", err)
	}
	s.seen = seen
	if n, ok := l.Game.(solvers.Navigator); ok {
		s.place = n.Locate(seen)
	} else if seen.Layout.Rows > 0 {
		s.place.Kind = screen.Level
	}
	l.sights[len(l.sights)-1] = s
	l.log().Debug("looked", "stage", stage, "place", s.place.Kind, "reason", s.place.Reason)
	return s, nil
}

// look captures and observes.
func (l *level) look(ctx context.Context, stage string) (sight, error) {
	s, err := l.capture(ctx, stage)
	if err != nil {
		return s, err
	}
	return l.observe(ctx, stage, s)
}

// settle looks until the screen stands still: two frames in a row that agree
// where the board is.
func (l *level) settle(ctx context.Context) (sight, error) {
	l.enter(StateSettle, "")
	began := l.time()
	defer func() { l.report.Settle += l.time().Sub(began) }()
	last, err := l.look(ctx, "settle")
	if err != nil {
		return last, err
	}
	for {
		s, err := l.capture(ctx, "settle")
		if err != nil {
			return s, err
		}
		region := last.seen.Layout.Board
		if region.Empty() {
			region = middle(s.frame.Bounds())
		}
		if s.on == last.on && still(last.frame, s.frame, region) {
			last.frame = s.frame
			l.sights[len(l.sights)-1] = last
			return last, nil
		}
		if l.time().Sub(began) > l.Timing.SettleDeadline {
			return last, fail(ctx, ErrUnreadable, "settle", fmt.Sprintf("a screen that stands still within %v", l.Timing.SettleDeadline), "one that keeps moving", nil)
		}
		if err := l.wait(ctx); err != nil {
			return last, err
		}
		if last, err = l.observe(ctx, "settle", s); err != nil {
			return last, err
		}
	}
}

// middle is the part of a screen without its bars and banners.
func middle(r image.Rectangle) image.Rectangle {
	r.Min.Y += r.Dy() / 8
	r.Max.Y -= r.Dy() / 8
	return r
}

// still reports whether two frames agree in a region, but for noise: less than
// one in a thousand of the pixels compared differs by more than 24 of 255.
func still(a, b *image.RGBA, region image.Rectangle) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	region = region.Intersect(a.Bounds())
	const every, most = 3, 24 // in pixels; of 255
	compared, different := 0, 0
	for y := region.Min.Y; y < region.Max.Y; y += every {
		i := a.PixOffset(region.Min.X, y)
		j := b.PixOffset(region.Min.X, y)
		for x := region.Min.X; x < region.Max.X; x += every {
			compared++
			for k := range 3 {
				d := int(a.Pix[i+k]) - int(b.Pix[j+k])
				if d > most || d < -most {
					different++
					break
				}
			}
			i += 4 * every
			j += 4 * every
		}
	}
	return different*1000 <= compared
}

// prepare settles, reads, solves, checks and plans. A board that cannot be
// read or has no solution is looked at once more.
func (l *level) prepare(ctx context.Context) error {
	err := l.attempt(ctx)
	if errors.Is(err, ErrUnreadable) && ctx.Err() == nil {
		l.log().Warn("looking again", "error", err)
		l.state = StateRecover
		l.publish(Event{Note: "look again", Err: err})
		if waitErr := l.wait(ctx); waitErr != nil {
			return waitErr
		}
		err = l.attempt(ctx)
	}
	return err
}

func (l *level) attempt(ctx context.Context) error {
	s, err := l.settle(ctx)
	if err != nil {
		return err
	}
	if s.place.Kind != screen.Level {
		return fail(ctx, ErrUnreadable, "read", "a level of "+l.Game.Name(), s.describe(), nil)
	}
	l.enter(StateRead, "")
	began := l.time()
	l.puzzle, err = l.Game.Read(s.seen)
	l.report.Read = l.time().Sub(began)
	if err != nil {
		return fail(ctx, ErrUnreadable, "read", "", "", err)
	}
	l.report.Board = l.puzzle.String()
	l.report.Rows, l.report.Cols = s.seen.Layout.Rows, s.seen.Layout.Cols

	l.enter(StateSolve, "")
	began = l.time()
	solveCtx, cancel := context.WithTimeout(ctx, l.Timing.SolveDeadline)
	defer cancel()
	l.solution, _, err = solvers.SolveRead(solveCtx, l.Game, l.puzzle)
	l.report.Solve = l.time().Sub(began)
	switch {
	case errors.Is(err, solvers.ErrNoSolution), errors.Is(err, solvers.ErrSeveral):
		return fail(ctx, ErrUnreadable, "solve", "", "", fmt.Errorf("misread: %w", err))
	case err != nil:
		return fail(ctx, ErrUnsolved, "solve", fmt.Sprintf("a solution within %v", l.Timing.SolveDeadline), "", err)
	}
	l.report.Solution = l.solution.String()
	if err := l.solution.Check(); err != nil {
		return fmt.Errorf("player: the solver's solution does not pass the checker: %w\n%s\n%s", err, l.puzzle, l.solution)
	}
	l.enter(StatePlan, "")
	l.plan = l.solution.Plan(s.seen.Layout)
	if err := inside(l.plan, s.on); err != nil {
		return fail(ctx, ErrUnreadable, "plan", "", "", err)
	}
	l.publish(Event{Stage: "read", Stroke: -1, Frame: s.frame, Seen: s.seen, Place: s.place.Kind, Puzzle: l.puzzle, Solution: l.solution, Plan: l.plan})
	return nil
}

// describe tells for people what was on the screen.
func (s sight) describe() string {
	text := s.place.Kind.String()
	if s.place.Reason != "" {
		text += " (" + s.place.Reason + ")"
	}
	if s.seen != nil {
		for _, doubt := range s.seen.Doubts {
			text += "; " + doubt
		}
	}
	return text
}

// inside tests that a plan is one for the given screen.
func inside(plan []screen.Gesture, on screen.Frame) error {
	if len(plan) == 0 {
		return errors.New("the plan has no gestures")
	}
	bounds := image.Rectangle{Max: on.Size}
	for _, g := range plan {
		for _, point := range g.Points {
			if g.On != on || !point.In(bounds) {
				return fmt.Errorf("%s at %v on %v lies outside the screen %v", g.Note, point, g.On, on)
			}
		}
	}
	return nil
}

func (l *level) play(ctx context.Context) error {
	l.enter(StatePlay, "")
	return l.touch(ctx, "play", l.plan)
}

// touch makes gestures.
func (l *level) touch(ctx context.Context, stage string, gestures []screen.Gesture) error {
	began := l.time()
	for i, g := range gestures {
		l.publish(Event{Stroke: i, Plan: gestures, Note: g.Note, Puzzle: l.puzzle, Solution: l.solution})
	}
	err := l.Device.Play(ctx, gestures)
	l.report.Play += l.time().Sub(began)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrScreenChanged):
		return fail(ctx, ErrScreenChanged, stage, "", "", err)
	}
	return fail(ctx, ErrPhone, stage, "", "", err)
}

// verify looks until the screen says that the level is won. Once, when the
// board stands still and differs from the plan, what is missing is played
// again.
func (l *level) verify(ctx context.Context) error {
	l.enter(StateVerify, "")
	began := l.time()
	played := l.report.Play
	defer func() { l.report.Verify = l.time().Sub(began) - (l.report.Play - played) }()
	deadline := began.Add(l.Timing.WinDeadline)
	var last sight
	for {
		s, err := l.look(ctx, "verify")
		if err != nil {
			return err
		}
		l.publish(Event{Stage: "verify", Stroke: -1, Frame: s.frame, Seen: s.seen, Place: s.place.Kind, Puzzle: l.puzzle, Solution: l.solution, Plan: l.plan})
		if s.place.Kind == screen.Won {
			l.report.Won = true
			return nil
		}
		if !l.report.Redone && s.place.Kind == screen.Level && last.frame != nil && s.on == last.on &&
			still(last.frame, s.frame, s.seen.Layout.Board) {
			if err := l.redo(ctx, s); err != nil {
				return err
			}
			if l.report.Redone {
				deadline = l.time().Add(l.Timing.WinDeadline)
			}
		}
		if l.time().After(deadline) {
			return fail(ctx, ErrNotWon, "verify", fmt.Sprintf("the level to be complete within %v", l.Timing.WinDeadline), s.describe(), nil)
		}
		last = s
		if err := l.wait(ctx); err != nil {
			return err
		}
	}
}

// redo plays what is missing on the board, if anything is.
func (l *level) redo(ctx context.Context, s sight) error {
	resumer, ok := l.solution.(solvers.Resumer)
	if !ok {
		return nil
	}
	missing, err := resumer.Remaining(s.seen)
	if err != nil {
		return fail(ctx, ErrNotWon, "verify", "the board that was played", "", err)
	}
	if len(missing) == 0 {
		return nil
	}
	l.log().Warn("some of it did not arrive on the screen; playing it again", "gestures", len(missing), "of", len(l.plan))
	l.report.Redone = true
	l.enter(StateRedo, fmt.Sprintf("%d of %d gestures", len(missing), len(l.plan)))
	defer l.enter(StateVerify, "")
	return l.touch(ctx, "redo", missing)
}

// next leaves the panel of a won level for the next level. It reports false
// when a message comes instead, and stays: the pack is complete.
func (l *level) next(ctx context.Context) (bool, error) {
	l.enter(StateNext, "")
	began := l.time()
	deadline := began.Add(l.Timing.NextDeadline)
	tapped, messages := 0, 0
	for {
		s, err := l.look(ctx, "next")
		if err != nil {
			return false, err
		}
		switch s.place.Kind {
		case screen.Level:
			return true, nil
		case screen.Won:
			button, ok := s.place.Button("next")
			if ok && tapped < 2 {
				tapped++
				tap := screen.Gesture{On: s.on, Points: []image.Point{button.At}, Note: "next level"}
				if err := l.touch(ctx, "next", []screen.Gesture{tap}); err != nil {
					return false, err
				}
			}
		case screen.Popup:
			if messages++; tapped > 0 && messages > 1 {
				l.log().Info("no more levels", "reason", s.place.Reason)
				return false, nil
			}
		}
		if l.time().After(deadline) {
			return false, fail(ctx, ErrUnreadable, "next", fmt.Sprintf("a level of %s within %v", l.Game.Name(), l.Timing.NextDeadline), s.describe(), nil)
		}
		if err := l.wait(ctx); err != nil {
			return false, err
		}
	}
}
