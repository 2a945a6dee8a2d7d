package player

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"log/slog"
	"time"

	"tapwise/calibration"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Device is the phone.
type Device interface {
	// Capture takes a frame: opaque, whole, in the orientation of the screen.
	Capture(ctx context.Context) (*image.RGBA, screen.Frame, error)
	// Play makes the gestures in order. It refuses, with ErrScreenChanged and
	// before the first touch, gestures that were planned on another screen.
	Play(ctx context.Context, gestures []screen.Gesture) error
}

// Eyes turn a frame into an observation of what a game asks for.
type Eyes interface {
	Observe(frame *image.RGBA, on screen.Frame, spec screen.Spec) (*screen.Observation, error)
}

// The kinds of failure, for errors.Is.
var (
	ErrUnreadable    = errors.New("the screen could not be read")
	ErrPhone         = errors.New("the phone failed")
	ErrNotWon        = errors.New("the level was played but not won")
	ErrScreenChanged = errors.New("the screen is not the one that was planned on")
	ErrUnsolved      = errors.New("the puzzle was not solved in time")
)

// Failure says at which stage of the loop playing stopped and why.
type Failure struct {
	Kind     error  // one of the errors above
	Stage    string // of the loop
	Expected string
	Seen     string
	Evidence string // a folder, empty when none was kept
	Err      error  // the cause, may be nil
}

func (f *Failure) Error() string {
	s := fmt.Sprintf("%s: %v", f.Stage, f.Kind)
	if f.Expected != "" {
		s += ": expected " + f.Expected
	}
	if f.Seen != "" {
		s += ", saw " + f.Seen
	}
	if f.Err != nil {
		s += ": " + f.Err.Error()
	}
	return s
}

// Unwrap gives the kind and the cause.
func (f *Failure) Unwrap() []error {
	if f.Err == nil {
		return []error{f.Kind}
	}
	return []error{f.Kind, f.Err}
}

// Player plays one game on one phone.
type Player struct {
	Device Device
	Eyes   Eyes
	Game   solvers.Game
	Timing calibration.Timing
	// Evidence is the folder below which a failure leaves its frames, board
	// and commands; empty keeps nothing.
	Evidence string
	// Picture, when set, draws what was seen and planned over a frame, for
	// the evidence.
	Picture func(frame *image.RGBA, seen *screen.Observation, puzzle solvers.Puzzle, plan []screen.Gesture) (image.Image, error)
	// Commands, when set, tells how the device would make gestures, for the
	// evidence.
	Commands func([]screen.Gesture) []string
	// Watch, when set, is told of every change of state, every frame, every
	// gesture and every step to recover, in order and from the goroutine that
	// plays: it must return at once, or it holds up playing. What it is given
	// must not be changed.
	Watch func(Event)
	Log   *slog.Logger // nil logs nothing

	number int // of the level being played, from 1

	now   func() time.Time // nil is time.Now
	sleep func(context.Context, time.Duration) error
}

// Report is what happened with one level.
type Report struct {
	Game     string
	Board    string // the puzzle's notation, empty when none was read
	Solution string
	Rows     int
	Cols     int
	Settle   time.Duration // until the board stood still, captures included
	Read     time.Duration // frame → puzzle
	Solve    time.Duration // puzzle → checked solution
	Play     time.Duration // touching
	Verify   time.Duration // until the screen said that it is won
	Captures int
	Redone   bool // some of it had to be played again
	Won      bool
	Evidence string
}

// sight is one look at the screen.
type sight struct {
	frame *image.RGBA
	on    screen.Frame
	seen  *screen.Observation
	place screen.Place
}

// level is the work on one level.
type level struct {
	*Player
	report   Report
	sights   []sight // kept for the evidence, the newest last
	puzzle   solvers.Puzzle
	solution solvers.Solution
	plan     []screen.Gesture
	state    State
}

// enter changes the state.
func (l *level) enter(state State, note string) {
	l.state = state
	l.publish(Event{Note: note})
}

// publish tells the watcher of a moment.
func (l *level) publish(e Event) {
	if l.Watch == nil {
		return
	}
	e.At, e.State, e.Level = l.time(), l.state, l.number
	if len(e.Plan) == 0 {
		e.Stroke = -1
	}
	l.Watch(e)
}

// Preview reads and solves the level on the screen and returns what would be
// played. Nothing is touched.
func (p *Player) Preview(ctx context.Context) (Report, []screen.Gesture, error) {
	p.number++
	l := p.level()
	err := l.prepare(ctx)
	return l.report, l.plan, l.close(err)
}

// Level plays the level on the screen. The report tells how far it got, also
// when it fails.
func (p *Player) Level(ctx context.Context) (Report, error) {
	p.number++
	l := p.level()
	err := l.prepare(ctx)
	if err == nil {
		err = l.play(ctx)
		if errors.Is(err, ErrScreenChanged) && len(l.report.Evidence) == 0 {
			// Nothing was touched. The screen may just have been turned: look
			// once more, and play what is there now.
			l.log().Warn("the screen changed before playing; looking again", "error", err)
			if err = l.prepare(ctx); err == nil {
				err = l.play(ctx)
			}
		}
	}
	if err == nil {
		err = l.verify(ctx)
	}
	return l.report, l.close(err)
}

// Next goes from the panel of a won level to the next one, and reports false
// when there is none. It does nothing when a level is already on the screen.
func (p *Player) Next(ctx context.Context) (bool, error) {
	l := p.level()
	more, err := l.next(ctx)
	return more, l.close(err)
}

// Clear plays levels until limit of them are won (0: until there are no more),
// one fails, or the context ends. It calls done after each level.
func (p *Player) Clear(ctx context.Context, limit int, done func(Report, error)) (won int, err error) {
	for limit == 0 || won < limit {
		more, err := p.Next(ctx)
		if err != nil || !more {
			return won, err
		}
		report, err := p.Level(ctx)
		done(report, err)
		if err != nil {
			return won, err
		}
		won++
	}
	return won, nil
}

func (p *Player) level() *level {
	return &level{Player: p, report: Report{Game: p.Game.Name()}}
}

func (p *Player) log() *slog.Logger {
	if p.Log == nil {
		return slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return p.Log
}

func (p *Player) time() time.Time {
	if p.now == nil {
		return time.Now()
	}
	return p.now()
}

// wait sleeps until the next look is worth it.
func (p *Player) wait(ctx context.Context) error {
	d := p.Timing.SettleInterval
	if p.sleep != nil {
		return p.sleep(ctx, d)
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// close saves the evidence of a failure.
func (l *level) close(err error) error {
	if err == nil {
		l.enter(StateDone, "")
		return nil
	}
	l.state = StateStop
	l.publish(Event{Err: err, Note: err.Error()})
	var f *Failure
	if !errors.As(err, &f) || l.Evidence == "" {
		return err
	}
	if l.report.Evidence == "" {
		folder, saveErr := l.save(f)
		if saveErr != nil {
			l.log().Error("the evidence could not be saved", "error", saveErr)
			return err
		}
		l.report.Evidence = folder
	}
	f.Evidence = l.report.Evidence
	return err
}

// fail makes a failure, unless the context ended: that is its own reason.
func fail(ctx context.Context, kind error, stage, expected, seen string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &Failure{Kind: kind, Stage: stage, Expected: expected, Seen: seen, Err: err}
}
