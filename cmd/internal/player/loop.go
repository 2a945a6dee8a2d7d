package player

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// kept is how many of the last frames the evidence holds, beside the one that
// was read.
const kept = 4

// level is the work on one level, or on the way to the next one.
type level struct {
	*Player
	goal    State // settle: to win the level; next: to be on the next one
	preview bool  // to plan only
	leave   bool  // the level on the screen is to be left
	noMore  bool  // there are no more levels
	chosen  bool  // the level was chosen from the list

	state    State
	began    time.Time
	report   Report
	steps    []step // for the evidence
	failure  *Failure
	climbed  map[trouble]int
	resume   State         // where recovery leads back to
	backoff  time.Duration // of the last wait while recovering
	sights   []sight       // kept for the evidence, the newest last
	last     sight         // the last frame captured
	known    sight         // the last frame that was looked at
	moving   int           // frames in a row that differed
	left     sight         // of the level whose own button was tapped to leave it
	board    image.Rectangle
	read     sight // the frame that was read
	puzzle   solvers.Puzzle
	solution solvers.Solution
	unproved string // the board that was read, which its solutions do not prove: it is looked at twice
	plan     []screen.Gesture
	missing  []screen.Gesture
	touched  bool // something of the plan was played
	backed   bool // BACK was pressed after that
	redone   int
	others   int       // looks at a board that was not the one played
	playedAt time.Time // when the last touch ended

	patches    []patch   // of the frame that was read, nil before they are asked for
	stranger   *stranger // nil when none was met
	beforeLast bool      // the board was seen with all but the last stroke
	early      []sight   // the first frames after the last stroke
	complete   bool      // the whole solution was seen on the screen
}

// sight is one look at the screen.
type sight struct {
	frame *image.RGBA
	on    screen.Frame
	at    time.Time
	seen  *screen.Observation // nil when it was not looked at
	place screen.Place
}

// entrance is the state a level begins in.
func (l *level) entrance() State {
	if l.connected {
		return l.goal
	}
	return StateConnect
}

// run goes from state to state until done or stop.
func (l *level) run(ctx context.Context, state State) error {
	end := l.Trace.begin(l.time, "level", map[string]any{"level": l.number, "goal": string(l.goal)})
	defer func() { end() }()
	note := ""
	for {
		if state == StateDone {
			l.finish()
			l.enter(state, note)
			return nil
		}
		l.enter(state, note)
		on, err := l.bounded(ctx, state)
		note = string(on)
		if err != nil && ctx.Err() != nil {
			return l.stop(context.Cause(ctx))
		}
		var f *Failure
		switch {
		case errors.As(err, &f):
			f.Stage = string(state)
			l.failure, l.resume = f, l.back(state)
			on, note = troubled, f.Error()
		case err != nil:
			return l.stop(err)
		}
		if on == gaveUp {
			l.failure.Tried = l.report.Tried
			return l.stop(l.failure)
		}
		next, err := follow(state, on)
		if err != nil {
			return l.stop(err)
		}
		if l.preview && next == StateHold {
			next = StateDone
		}
		state = next
	}
}

// bounded does what a state is for within its deadline, if it has one.
func (l *level) bounded(ctx context.Context, state State) (outcome, error) {
	end := l.Trace.begin(l.time, string(state), nil)
	defer func() { end() }()
	if state == StateHold {
		return l.do(ctx, state)
	}
	ctx, cancel := context.WithTimeout(ctx, l.deadline(state)+cmp.Or(l.slack, deadlineSlack))
	defer cancel()
	on, err := l.do(ctx, state)
	if err == nil && ctx.Err() != nil { // it could not be broken off
		return "", fail(ErrUnreadable, hopeless, fmt.Sprintf("an end within %v", l.deadline(state)), "", ctx.Err())
	}
	return on, err
}

// do does what a state is for.
func (l *level) do(ctx context.Context, state State) (outcome, error) {
	switch state {
	case StateConnect:
		return l.connect(ctx)
	case StateSettle:
		return l.settle(ctx)
	case StateRead:
		return l.readBoard()
	case StateSolve:
		return l.solve(ctx)
	case StatePlan:
		return l.planStrokes(ctx)
	case StateHold:
		return l.holdOn(ctx)
	case StatePlay:
		return l.play(ctx, l.plan)
	case StateVerify:
		return l.verify(ctx)
	case StateRedo:
		return l.play(ctx, l.missing)
	case StateNext:
		return l.next(ctx)
	case StateRecover:
		return l.recover(ctx)
	}
	return "", fmt.Errorf("player: no such state: %s", state)
}

// back is where recovery leads to from trouble in a state.
func (l *level) back(state State) State {
	switch state {
	case StateRecover:
		return l.resume
	case StateConnect:
		return StateConnect
	case StateNext:
		return StateNext
	}
	if l.solution != nil && l.touched {
		return StateVerify // what is missing is played again there
	}
	return StateSettle
}

// finish computes what is known at the end.
func (l *level) finish() {
	l.report.Own = l.time().Sub(l.began) - l.report.Phone - l.report.Idle - l.report.Held
}

// wayThere is what the way to a level took.
type wayThere struct {
	report Report
	steps  []step
}

// arrive takes over what the way to the level took.
func (l *level) arrive(way *wayThere) {
	l.report = way.report
	l.steps = way.steps
	l.began = l.began.Add(-(way.report.Own + way.report.Phone + way.report.Idle + way.report.Held))
}

// stop ends in the state of that name, with the evidence of a failure.
func (l *level) stop(err error) error {
	l.finish()
	l.carried = sight{}
	l.state = StateStop
	l.publish(Event{Err: err, Note: err.Error()})
	var f *Failure
	if !errors.As(err, &f) || l.Evidence == "" {
		return err
	}
	folder, saveErr := l.save(f)
	if saveErr != nil {
		l.log().Error("the evidence could not be saved", "error", saveErr)
		return err
	}
	l.report.Evidence, f.Evidence = folder, folder
	return err
}

// fail makes a failure; its state is filled in by run.
func fail(kind error, t trouble, expected, seen string, err error) error {
	return &Failure{Kind: kind, trouble: t, Expected: expected, Seen: seen, Err: err}
}

// phoneFailure makes a failure of what the device answered.
func phoneFailure(err error) error {
	kind, t := ErrPhone, hopeless
	switch {
	case errors.Is(err, ErrScreenChanged):
		kind, t = ErrScreenChanged, turned
	case errors.Is(err, ErrNotInFront):
		t = behind
	case errors.Is(err, ErrLost):
		t = lost
	case errors.Is(err, ErrBlack):
		t = blackFrame
	case errors.Is(err, ErrFrame):
		t = badFrame
	}
	return fail(kind, t, "", "", err)
}

// connect asks the phone which app is in front.
func (l *level) connect(ctx context.Context) (outcome, error) {
	if k := l.keeper(); k != nil {
		var front string
		err := l.phone(ctx, "front", func(ctx context.Context) (err error) {
			front, err = k.Front(ctx)
			return err
		})
		if err != nil {
			return "", phoneFailure(err)
		}
		l.front = front
		if l.App != "" && front != "" && front != l.App {
			return "", fail(ErrPhone, behind, l.App+" in front", front, nil)
		}
	}
	l.connected = true
	if l.goal == StateNext {
		return between, nil
	}
	return ready, nil
}

// phone does something that waits for the phone.
func (l *level) phone(ctx context.Context, name string, do func(context.Context) error) error {
	end := l.Trace.begin(l.time, name, nil)
	began := l.time()
	err := do(ctx)
	l.report.Phone += l.time().Sub(began)
	end()
	return err
}

// wait sleeps between two looks.
func (l *level) wait(ctx context.Context, d time.Duration) error {
	began := l.time()
	defer func() { l.report.Idle += l.time().Sub(began) }()
	if l.sleep != nil {
		return l.sleep(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

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
		l.last = sight{}
		return s, false, phoneFailure(err)
	}
	region := l.board
	if region.Empty() || l.last.on != s.on {
		region = middle(s.frame.Bounds())
	}
	steady = l.last.frame != nil && s.on == l.last.on && same(l.last.frame, s.frame, region, 1000)
	if steady {
		l.moving = 0
	} else {
		l.moving++
	}
	l.last = s
	l.sights = append(l.sights, s)
	if len(l.sights) > kept {
		l.sights = l.sights[1:]
	}
	l.publish(Event{Frame: s.frame})
	return s, steady, nil
}

// restlessFrames is how many frames that differ make it worth to find out
// where the board is, since something beside it may be moving.
const restlessFrames = 4

// know tells what is on a frame. One that looks as the last one that was
// looked at is the same: looking costs more than everything else.
func (l *level) know(s sight) (sight, error) {
	if l.known.frame != nil && s.on == l.known.on && same(l.known.frame, s.frame, s.frame.Bounds(), 100_000) {
		s.seen, s.place = l.known.seen, l.known.place
	} else {
		end := l.Trace.begin(l.time, "look", nil)
		began := l.time()
		if err := l.observe(&s); err != nil {
			return s, fail(ErrUnreadable, hopeless, "a frame", "", err)
		}
		l.report.Read += l.time().Sub(began)
		end()
		l.log().Debug("looked", "state", l.state, "place", s.place.Kind, "reason", s.place.Reason)
	}
	if l.own != nil && s.place.Kind != screen.Won && (l.state == StateVerify || l.state == StateNext) {
		all := newCards(s, l.own.beside)
		if i := slices.IndexFunc(all, l.own.like); i >= 0 {
			s.place = all[i].place()
		}
	}
	if s.place.Kind == screen.List && covered(s) {
		s.place = screen.Place{Kind: screen.Popup, Reason: "something lies over the list of levels"}
	}
	l.known = s
	l.board = image.Rectangle{}
	if s.seen.Layout.Rows > 0 {
		l.board = s.seen.Layout.Board
	}
	if k := s.place.Kind; l.App == "" && (k == screen.Level || k == screen.Won) {
		l.App = l.front
	}
	for i := range l.sights {
		if l.sights[i].frame == s.frame {
			l.sights[i] = s
		}
	}
	return s, nil
}

// observe finds out what is on a frame. After playing it is the panel that is
// expected, and a look for panels alone is quicker than one for boards.
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
	seen, err := l.Eyes.Observe(s.frame, s.on, spec)
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
	l.moving, l.last = 0, sight{}
	s := l.carried
	l.carried = sight{}
	if s.frame == nil || began.Sub(s.at) > carriedAge {
		var err error
		if s, err = l.standing(ctx, began.Add(l.Timing.SettleDeadline)); err != nil {
			return "", err
		}
	} else {
		l.sights = append(l.sights, s)
		l.known = s
	}
	switch {
	case s.place.Kind == screen.Level:
		l.read = s
		return still, nil
	case s.place.Kind == screen.Won && l.touched:
		return won, nil
	case s.place.Kind == screen.Won:
		return "", ErrComplete
	}
	return "", l.misplaced(s)
}

// carriedAge is how old a look may be that is taken over from the step before.
const carriedAge = time.Second

// standing looks until two frames agree, and tells what is on the second.
func (l *level) standing(ctx context.Context, deadline time.Time) (sight, error) {
	for {
		s, steady, err := l.glance(ctx)
		if err != nil {
			return s, err
		}
		if steady {
			return l.know(s)
		}
		if l.moving >= restlessFrames {
			if s, err = l.know(s); err != nil {
				return s, err
			}
			l.moving = 1
		}
		if l.time().After(deadline) {
			return s, fail(ErrUnreadable, restless, fmt.Sprintf("a screen that stands still within %v", l.Timing.SettleDeadline), "one that keeps moving", nil)
		}
		if err := l.wait(ctx, l.Timing.SettleInterval); err != nil {
			return s, err
		}
	}
}

// misplaced is the failure of not being on a level.
func (l *level) misplaced(s sight) error {
	t := unknown
	switch s.place.Kind {
	case screen.Popup:
		t = dialog
	case screen.List:
		t = listed
	case screen.Won:
		t = hopeless
	}
	return fail(ErrUnreadable, t, "a level of "+l.Game.Name(), s.describe(), nil)
}

// middle is the part of a screen without its bars and banners.
func middle(r image.Rectangle) image.Rectangle {
	r.Min.Y += r.Dy() / 8
	r.Max.Y -= r.Dy() / 8
	return r
}

// same reports whether two frames agree in a region, but for noise: less than
// one in so many of the pixels compared differs by more than 24 of 255.
func same(a, b *image.RGBA, region image.Rectangle, oneIn int) bool {
	if a == b {
		return true
	}
	if a.Bounds() != b.Bounds() {
		return false
	}
	region = region.Intersect(a.Bounds())
	const every, most = 3, 24 // in pixels; of 255
	rows, columns := (region.Dy()+every-1)/every, (region.Dx()+every-1)/every
	allowed := rows * columns / oneIn
	different := 0
	for y := region.Min.Y; y < region.Max.Y; y += every {
		i := a.PixOffset(region.Min.X, y)
		j := b.PixOffset(region.Min.X, y)
		for x := region.Min.X; x < region.Max.X; x += every {
			for k := range 3 {
				d := int(a.Pix[i+k]) - int(b.Pix[j+k])
				if d > most || d < -most {
					if different++; different > allowed {
						return false
					}
					break
				}
			}
			i += 4 * every
			j += 4 * every
		}
	}
	return true
}

// readBoard makes a puzzle of what was seen.
func (l *level) readBoard() (outcome, error) {
	began := l.time()
	puzzle, err := l.Game.Read(l.read.seen)
	l.report.Read += l.time().Sub(began)
	if err != nil {
		return "", fail(ErrUnreadable, misread, "", "", err)
	}
	if puzzle, err = l.levels().Of(l.Game, puzzle); err != nil {
		return "", fmt.Errorf("profile: cover is false: %w", err)
	}
	l.puzzle = puzzle
	l.report.Board = puzzle.String()
	l.report.Rows, l.report.Cols = l.read.seen.Layout.Rows, l.read.seen.Layout.Cols
	return readIt, nil
}

// levels is in what the app's levels differ from the game's.
func (l *level) levels() solvers.Levels {
	if known := l.profile(l.read.on.Size); known != nil {
		return known.Levels
	}
	return solvers.Levels{}
}

// solve finds the solution. The solver is the eyes' checksum: a board that it
// does not prove, since it has several solutions, is looked at once more and has
// to come out the same.
func (l *level) solve(ctx context.Context) (outcome, error) {
	before := l.unproved
	l.unproved = ""
	if before != "" {
		if before != l.puzzle.String() {
			l.solution, l.report.Solution = nil, ""
			err := errors.New("misread: two looks at a board that has more than one solution found two boards")
			return "", fail(ErrUnreadable, senseless, "", "", err)
		}
		return solved, nil
	}
	began := l.time()
	solveCtx, cancel := context.WithTimeout(ctx, l.Timing.SolveDeadline)
	defer cancel()
	levels := l.levels()
	judged, err := solvers.JudgeRead(solveCtx, l.Game, levels, l.puzzle, l.read.seen)
	l.report.Solve += l.time().Sub(began)
	switch {
	case errors.Is(err, solvers.ErrNoSolution), errors.Is(err, solvers.ErrSeveral):
		return "", fail(ErrUnreadable, senseless, "", "", err)
	case err != nil:
		return "", fail(ErrUnsolved, hopeless, fmt.Sprintf("a solution within %v", l.Timing.SolveDeadline), "", err)
	}
	l.solution = judged.Solution
	l.report.Solution, l.report.Several = l.solution.String(), judged.Several
	if err := l.solution.Check(); err != nil {
		return "", fmt.Errorf("player: the solver's solution does not pass the checker: %w\n%s\n%s", err, l.puzzle, l.solution)
	}
	if judged.Several {
		l.log().Warn("the board has more than one solution, the game's levels have exactly one; it is looked at once more")
	}
	if judged.Several || levels.Unproved() {
		l.unproved = l.puzzle.String()
		l.last, l.known, l.carried = sight{}, sight{}, sight{} // a new frame, and a new look at it
		return lookAgain, nil
	}
	return solved, nil
}

// planStrokes turns the solution into gestures. When the solver took long, the
// board is looked at again before it is touched.
func (l *level) planStrokes(ctx context.Context) (outcome, error) {
	s := l.read
	l.plan = l.solution.Plan(s.seen.Layout)
	if err := inside(l.plan, s.on); err != nil {
		return "", fail(ErrUnreadable, hopeless, "", "", err)
	}
	plan, err := l.safe(l.plan, s.seen.Layout.Pitch)
	if err != nil {
		return "", fail(ErrUnreadable, hopeless, "a plan that is safe to touch", "", err)
	}
	l.plan = plan
	l.publish(Event{Stage: "read", Stroke: -1, Frame: s.frame, Seen: s.seen, Place: s.place.Kind, Puzzle: l.puzzle, Solution: l.solution, Plan: l.plan})
	if l.preview || l.time().Sub(s.at) <= carriedAge {
		return planned, nil
	}
	now, _, err := l.glance(ctx)
	if err != nil {
		return "", err
	}
	if now.on != s.on || !same(now.frame, s.frame, s.seen.Layout.Board, 1000) {
		return "", fail(ErrUnreadable, senseless, "the board that was read", "another picture after it was solved", nil)
	}
	return planned, nil
}

// holdOn waits while it is asked to. The board may be another one then.
func (l *level) holdOn(ctx context.Context) (outcome, error) {
	waited, err := l.hold(ctx)
	l.report.Held += waited
	switch {
	case err != nil:
		return "", err
	case waited > carriedAge:
		return lookAgain, nil
	}
	return free, nil
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

// play makes the gestures of the plan, or what is missing of them.
func (l *level) play(ctx context.Context, gestures []screen.Gesture) (outcome, error) {
	began := l.time()
	defer func() { l.report.Play += l.time().Sub(began) }()
	l.early = nil
	first := 0
	if n := len(gestures); l.wary(gestures) {
		first = n - 1
		if err := l.touchPart(ctx, gestures, 0, first); err != nil {
			return "", err
		}
		if err := l.lookBeforeLast(ctx, gestures[first]); err != nil {
			return "", err
		}
	}
	if err := l.touchPart(ctx, gestures, first, len(gestures)); err != nil {
		return "", err
	}
	return played, nil
}

// touch makes gestures on the app that is being played.
func (l *level) touch(ctx context.Context, gestures []screen.Gesture) error {
	return l.touchPart(ctx, gestures, 0, len(gestures))
}

// touchPart makes those of the gestures from one index to before another.
func (l *level) touchPart(ctx context.Context, gestures []screen.Gesture, from, to int) error {
	pitch := 0.0 // of what is not on the board
	if l.state == StatePlay || l.state == StateRedo {
		pitch = l.read.seen.Layout.Pitch
	}
	gestures, err := l.safe(gestures, pitch)
	if err != nil {
		return fail(ErrUnreadable, hopeless, "gestures that are safe to touch", "", err)
	}
	begin := func(i int) {
		l.report.Strokes++
		if l.state == StatePlay || l.state == StateRedo {
			l.touched, l.backed = true, false
		}
		l.publish(Event{Stroke: i, Plan: gestures, Note: gestures[i].Note, Puzzle: l.puzzle, Solution: l.solution})
	}
	err = l.phone(ctx, "touch", func(ctx context.Context) error {
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
	l.playedAt = l.time()
	l.last, l.moving = sight{}, 0
	if err != nil {
		return phoneFailure(err)
	}
	l.publish(Event{Note: "the finger is up"})
	return nil
}

// redoAfter is how long after the last touch a board that stands still is
// taken for what became of it; before, the app may still be about to change it.
const redoAfter = 450 * time.Millisecond

// maxRedone is how often what is missing is played again.
const maxRedone = 3

// verify looks until the screen says that the level is won. When the board
// stands still and differs from the plan, what is missing is played again.
func (l *level) verify(ctx context.Context) (outcome, error) {
	began := l.time()
	defer func() { l.report.Verify += l.time().Sub(began) }()
	deadline := began.Add(l.Timing.WinDeadline)
	if l.playedAt.IsZero() {
		l.playedAt = began
	}
	// The panel has never come sooner: to look before is to look in vain.
	if early := l.playedAt.Add(l.celebration * 4 / 5); early.After(began) {
		if l.KeepSolved {
			// While there is nothing to look for anyway.
			if err := l.wait(ctx, l.playedAt.Add(l.celebration/3).Sub(began)); err != nil {
				return "", err
			}
			if _, _, err := l.glance(ctx); err != nil {
				return "", err
			}
		}
		if err := l.wait(ctx, early.Sub(l.time())); err != nil {
			return "", err
		}
	}
	var first, now sight
	for {
		s, steady, err := l.glance(ctx)
		if err != nil {
			return "", err
		}
		if first.frame == nil {
			first = s
		}
		l.keepEarly(s)
		since := s.at.Sub(l.playedAt)
		changed := !same(first.frame, s.frame, s.frame.Bounds(), 1000)
		if steady && (changed || since >= redoAfter) || l.moving >= restlessFrames {
			if l.moving >= restlessFrames {
				l.moving = 1
			}
			if now, err = l.know(s); err != nil {
				return "", err
			}
			l.publish(Event{Stage: "verify", Stroke: -1, Frame: s.frame, Seen: now.seen, Place: now.place.Kind, Puzzle: l.puzzle, Solution: l.solution, Plan: l.plan})
			if now.place.Kind == screen.Won {
				// What it took to get rid of something else is not the app's.
				if len(l.report.Tried) == 0 && (l.celebration == 0 || since < l.celebration) {
					l.celebration = max(since, time.Millisecond)
				}
				l.carried = now
				return won, nil
			}
			if steady && since >= redoAfter {
				on, err := l.unfinished(now)
				if on != "" || err != nil {
					return on, err
				}
			}
		}
		if l.time().After(deadline) {
			if steady && l.panelClosed(now) {
				l.log().Info("the level is complete, BACK has closed its panel")
				l.carried = now
				return won, nil
			}
			if now.frame == nil {
				now = s
			}
			return "", fail(ErrNotWon, hopeless, fmt.Sprintf("the level to be complete within %v", l.Timing.WinDeadline), now.describe(), nil)
		}
		if err := l.wait(ctx, l.Timing.SettleInterval); err != nil {
			return "", err
		}
	}
}

// unfinished decides what to do about a screen that stands still and does not
// say that the level is won; the empty outcome is to go on looking.
func (l *level) unfinished(s sight) (outcome, error) {
	if c, ok := l.newCard(s); ok && l.hidden(s) {
		return "", l.meet(s, c)
	}
	if s.place.Kind != screen.Level {
		return "", l.misplaced(s)
	}
	if l.solution == nil || l.redone >= maxRedone {
		return "", nil
	}
	rest, err := l.solution.Remaining(s.seen)
	if err != nil {
		// It may have been in the middle of something: once more.
		if l.others++; l.others < 3 {
			l.known = sight{}
			return "", nil
		}
		if l.movedOn(s) {
			l.carried = s
			return won, nil
		}
		return "", fail(ErrNotWon, hopeless, "the board that was played", "another one", err)
	}
	l.complete = l.complete || !slices.ContainsFunc(rest, long)
	if len(rest) == 0 {
		return "", nil
	}
	l.log().Warn("some of it did not arrive on the screen; playing it again", "gestures", len(rest), "of", len(l.plan))
	l.report.Redone = true
	l.redone++
	l.missing = rest
	return missing, nil
}

// next leaves the panel of a won level, or the list, for a level that is not
// won. No more levels is where a message comes instead, and the app stays.
func (l *level) next(ctx context.Context) (outcome, error) {
	began := l.time()
	deadline := began.Add(l.Timing.NextDeadline)
	l.moving, l.last = 0, sight{}
	s := l.carried
	l.carried = sight{}
	carried := s.frame != nil && began.Sub(s.at) <= carriedAge
	if carried {
		l.sights = append(l.sights, s)
		l.known = s
	}
	tapped := 0
	var from sight // what was tapped
	var page sight // of the list, that had no level to play
	for {
		if !carried {
			var err error
			if s, err = l.standing(ctx, deadline); err != nil {
				return "", err
			}
		}
		carried = false
		// The app may take a moment: what was tapped is given time to go.
		waiting := from.frame != nil && s.place.Kind == from.place.Kind && l.time().Sub(l.playedAt) < tapPatience
		switch kind := s.place.Kind; {
		case waiting:
		case tapped > 0 && l.lastWords(from, s):
			l.log().Info("no more levels")
			l.noMore = true
			return noMore, nil
		case kind == screen.Level && l.leave && l.leftAlready(s):
			l.carried = s
			return newLevel, nil
		case kind == screen.Level && l.leave && l.canSkip(s):
			// The last level's button does nothing; a tap may have been lost.
			if tapped == maxTaps {
				l.noMore = true
				return noMore, nil
			}
			tapped++
			from, l.left = s, s
			button, _ := s.place.Button("next")
			if err := l.tap(ctx, s, button.At, "leave the level for the next one"); err != nil {
				return "", err
			}
			deadline = l.time().Add(l.Timing.NextDeadline)
		case kind == screen.Level && l.leave:
			return "", fail(ErrUnreadable, wonBefore, "the list of levels or a button that leads on", s.describe(), nil)
		case kind == screen.Level:
			// After the app was left and opened again it may offer what was won,
			// unless it was chosen from the list.
			if p, err := l.Game.Read(s.seen); err == nil && !l.chosen && l.wonBoards[p.String()] {
				return "", fail(ErrUnreadable, wonBefore, "the next level", "one that was won in this run", nil)
			}
			if l.own != nil && tapped > 0 {
				l.own.proven = true
			}
			l.carried = s
			return newLevel, nil
		case kind == screen.Won:
			most := maxTaps
			if l.own != nil && !l.own.proven {
				most = 1 // whatever it is, it is not tapped again
			}
			if button, ok := s.place.Button("next"); ok && tapped < most {
				tapped++
				from = s
				if err := l.tap(ctx, s, button.At, "next level"); err != nil {
					return "", err
				}
			}
		case kind == screen.List:
			if _, open := l.unplayed(s); open {
				return "", l.misplaced(s)
			}
			if page.frame != nil && same(page.frame, s.frame, s.frame.Bounds(), 1000) {
				l.noMore = true
				return noMore, nil
			}
			page = s
			if err := l.leaf(ctx, s); err != nil {
				return "", err
			}
			deadline = l.time().Add(l.Timing.NextDeadline)
		case kind == screen.Popup && tapped > 0 && len(s.place.Buttons) > 0:
			// A message of the game itself where a level should come.
			l.log().Info("no more levels", "reason", s.place.Reason)
			l.noMore = true
			return noMore, nil
		default:
			return "", l.misplaced(s)
		}
		if l.time().After(deadline) {
			return "", fail(ErrUnreadable, hopeless, fmt.Sprintf("a level of %s within %v", l.Game.Name(), l.Timing.NextDeadline), s.describe(), nil)
		}
		if err := l.wait(ctx, l.Timing.SettleInterval); err != nil {
			return "", err
		}
	}
}

// maxTaps is how often a button is tapped that does not seem to do anything.
const maxTaps = 3

// canSkip reports whether a level has a button of its own that leads to the next.
func (l *level) canSkip(s sight) bool {
	_, ok := s.place.Button("next")
	return ok
}

// leftAlready reports whether a level is another one than the one that was left.
func (l *level) leftAlready(s sight) bool {
	if l.left.frame == nil {
		return false
	}
	before, errBefore := l.Game.Read(l.left.seen)
	now, err := l.Game.Read(s.seen)
	if errBefore != nil || err != nil || l.left.on != s.on { // then by how it looks
		return !same(l.left.frame, s.frame, s.seen.Layout.Board, 1000)
	}
	return before.String() != now.String()
}

// tapPatience is how long a tap may take to show.
const tapPatience = 1500 * time.Millisecond

// tap touches one place.
func (l *level) tap(ctx context.Context, s sight, at image.Point, note string) error {
	return l.touch(ctx, []screen.Gesture{{On: s.on, Points: []image.Point{at}, Note: note}})
}

// leaf turns to the list's next page, which takes the app a moment.
func (l *level) leaf(ctx context.Context, s sight) error {
	w, h := s.on.Size.X, s.on.Size.Y
	swipe := screen.Gesture{On: s.on, Note: "the list's next page"}
	for _, part := range []int{80, 65, 50, 35, 20} {
		swipe.Points = append(swipe.Points, image.Pt(w*part/100, h/2))
	}
	if err := l.touch(ctx, []screen.Gesture{swipe}); err != nil {
		return err
	}
	return l.wait(ctx, afterStep)
}

// unplayed is the level to choose from the list: the first that is not
// complete, less those that were skipped.
func (l *level) unplayed(s sight) (image.Point, bool) {
	n := l.skipped
	for _, b := range s.place.Buttons {
		if b.Name != "level" {
			continue
		}
		if n == 0 {
			return b.At, true
		}
		n--
	}
	return image.Point{}, false
}
