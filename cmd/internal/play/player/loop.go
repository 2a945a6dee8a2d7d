package player

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"tapwise/cmd/internal/console/pause"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

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
	recovery recovery

	puzzle   solvers.Puzzle
	solution solvers.Solution
	unproved string // a board that was read but has several solutions: it is looked at twice
	plan     []screen.Gesture
	progress progress
}

// level begins the work on a level, or on the way to one.
func (p *Player) level(goal State) *level {
	p.memory.begin()
	return &level{
		Player: p, goal: goal, began: p.time(), report: Report{Game: p.Game.Name()},
		recovery: recovery{climbed: map[trouble]int{}},
	}
}

// entrance is the state that a level begins in.
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
	defer l.countTraffic()()
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
			l.recovery.failure, l.recovery.resume = f, l.resumeAfter(state)
			on, note = outcomeTrouble, f.Error()
		case err != nil:
			return l.stop(err)
		}
		if on == outcomeGaveUp {
			l.recovery.failure.Tried = l.report.Tried
			return l.stop(l.recovery.failure)
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

// bounded does the work of a state within its deadline, if it has one.
func (l *level) bounded(ctx context.Context, state State) (outcome, error) {
	end := l.Trace.begin(l.time, string(state), nil)
	defer func() { end() }()
	if state == StateHold {
		return l.do(ctx, state)
	}
	ctx, cancel := context.WithTimeout(ctx, l.deadline(state)+cmp.Or(l.slack, max(deadlineSlack, l.Timing.SettleDeadline)))
	defer cancel()
	on, err := l.do(ctx, state)
	if err == nil && ctx.Err() != nil { // it could not be broken off
		return "", fail(ErrUnreadable, troubleOther, fmt.Sprintf("an end within %v", l.deadline(state)), "", ctx.Err())
	}
	return on, err
}

// do does the work of a state.
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
		return l.play(ctx, l.progress.missing)
	case StateNext:
		return l.next(ctx)
	case StateRecover:
		return l.recover(ctx)
	}
	return "", fmt.Errorf("player: no such state: %s", state)
}

// resumeAfter is the state that recovery from trouble in a state leads back to.
func (l *level) resumeAfter(state State) State {
	switch state {
	case StateRecover:
		return l.recovery.resume
	case StateConnect:
		return StateConnect
	case StateNext:
		return StateNext
	}
	if l.solution != nil && l.progress.touched {
		return StateVerify // what is missing is played again there
	}
	return StateSettle
}

// finish completes the report.
func (l *level) finish() {
	l.report.Own = l.time().Sub(l.began) - l.report.Phone - l.report.Idle - l.report.Held
}

// wayThere is what happened on the way to a level.
type wayThere struct {
	report Report
	steps  []step
}

// arrive counts the way to the level as a part of it.
func (l *level) arrive(way *wayThere) {
	l.report = way.report
	l.steps = way.steps
	l.began = l.began.Add(-(way.report.Own + way.report.Phone + way.report.Idle + way.report.Held))
}

// stop enters the state of that name and saves the evidence of a failure.
func (l *level) stop(err error) error {
	l.finish()
	l.memory.carried = sight{}
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
			return "", fail(ErrPhone, troubleBehind, l.App+" in front", front, nil)
		}
	}
	l.connected = true
	if l.goal == StateNext {
		return outcomeReadyForNext, nil
	}
	return outcomeReady, nil
}

// phone does something that waits for the phone, and counts the time.
func (l *level) phone(ctx context.Context, name string, do func(context.Context) error) error {
	end := l.Trace.begin(l.time, name, nil)
	began := l.time()
	err := do(ctx)
	l.report.Phone += l.time().Sub(began)
	end()
	return err
}

// wait sleeps between two looks, and counts the time.
func (l *level) wait(ctx context.Context, d time.Duration) error {
	began := l.time()
	defer func() { l.report.Idle += l.time().Sub(began) }()
	if l.sleep != nil {
		return l.sleep(ctx, d)
	}
	return pause.For(ctx, d)
}
