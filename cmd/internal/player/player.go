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

// Keeper is a Device that can be looked after: what it takes to recover.
type Keeper interface {
	Device
	// PlayOn is Play for an app that must be in front, else ErrNotInFront and
	// nothing is touched; the empty app is any. It calls began as each gesture
	// begins, with its index. When ctx is cancelled it ends the gesture under
	// way, and the finger is up when it returns.
	PlayOn(ctx context.Context, app string, gestures []screen.Gesture, began func(int)) error
	// Front is the app in front, empty when the phone does not tell.
	Front(ctx context.Context) (string, error)
	// Back presses the BACK key.
	Back(ctx context.Context) error
	// Reopen switches the screen on and brings an app to the front; with
	// restart an app that is there already is ended and started anew.
	Reopen(ctx context.Context, app string, restart bool) error
	// Reconnect gets a lost phone back, its finger off the screen.
	Reconnect(ctx context.Context) error
	// Facts describe the phone, for the evidence.
	Facts() map[string]string
}

// A Waker is a Keeper that tells why nothing can be seen or touched on its screen.
type Waker interface {
	Keeper
	// Awake reports whether the screen is off, and whether the lock lies over
	// the apps; what is not known is false.
	Awake(ctx context.Context) (off, locked bool, err error)
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

// ErrComplete is how a level ends that was complete before anything was played.
// It is no Failure: nothing went wrong, and there is nothing to do.
var ErrComplete = errors.New("this level is complete; tap next, or use clear")

// What a Device's errors are, for errors.Is: each is recovered from in its own way.
var (
	ErrLost       = errors.New("the phone does not answer")
	ErrFrame      = errors.New("the frame is broken")
	ErrBlack      = errors.New("the frame is black")
	ErrNotInFront = errors.New("the app is not in front")
)

// The causes that a Waker tells. Nothing but a person helps against the second.
var (
	ErrScreenOff = errors.New("the phone's screen is off")
	ErrLocked    = errors.New("the phone is locked")
)

// Failure says in which state of the loop playing stopped and why.
type Failure struct {
	Kind     error  // one of the errors above
	Stage    string // the state of the loop
	Expected string
	Seen     string
	Tried    []string // the rungs climbed before giving up
	Evidence string   // a folder, empty when none was kept
	Err      error    // the cause, may be nil

	trouble trouble
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
	if len(f.Tried) > 0 {
		s += fmt.Sprintf(" (after %d steps to recover)", len(f.Tried))
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

// OnFail says how Clear goes on after a level that failed.
type OnFail string

// The ways to go on.
const (
	FailStop  OnFail = "stop"  // it ends the run; the default
	FailRetry OnFail = "retry" // the level is played again, twice at most
	FailSkip  OnFail = "skip"  // the next level is chosen from the list
)

// retries is how often FailRetry plays a level again.
const retries = 2

// Player plays one game on one phone.
type Player struct {
	Device Device
	Eyes   Eyes
	Game   solvers.Game
	Timing calibration.Timing
	// Profile is what was calibrated for frames of a size, nil for none: where
	// buttons are and what of the screen may be touched. A nil function has none.
	Profile func(size image.Point) *calibration.Profile
	// App is the game's package on the phone. Where it is empty, it is the app
	// in which the first level was seen. Nothing else is ever touched.
	App string
	// Evidence is the folder below which a failure leaves its frames, board
	// and commands; empty keeps nothing.
	Evidence string
	// Picture, when set, draws what was seen and planned over a frame, and
	// where it went wrong, for the evidence.
	Picture func(frame *image.RGBA, seen *screen.Observation, puzzle solvers.Puzzle, plan []screen.Gesture, failure error) (image.Image, error)
	// Commands, when set, tells how the device would make gestures, for the
	// evidence.
	Commands func([]screen.Gesture) []string
	// Watch, when set, is told of every change of state, every frame, every
	// gesture and every step to recover, in order and from the goroutine that
	// plays: it must return at once, or it holds up playing. What it is given
	// must not be changed.
	Watch func(Event)
	// KeepSolved has the solved board looked at before a panel covers it, for a
	// watcher that keeps it. Else the player waits for the panel without a look.
	KeepSolved bool
	// Hold, when set, is called before a level is first touched, and before
	// the way to the next one: it returns when playing may go on, or with an
	// error that ends it. What it takes counts in no deadline, nor in Limit, and
	// the screen is looked at anew after it.
	Hold  func(context.Context) error
	Trace *Trace       // when set, notes what took how long
	Log   *slog.Logger // nil logs nothing

	OnFail OnFail        // how Clear goes on; empty is FailStop
	Limit  time.Duration // after which Clear begins no more level; 0 is none

	number      int             // of the level being played, from 1
	connected   bool            // the phone has been asked what is in front
	front       string          // what was in front when it was asked
	carried     sight           // how the last level or step left the screen, settled
	wonBoards   map[string]bool // of the levels won in this run
	celebration time.Duration   // the shortest time from the last stroke to the panel; 0 unknown
	skipped     int             // levels left behind on the list
	own         *ownPanel       // the panel of a won level, when it is not as the game's; nil unknown
	held        time.Duration   // waited because of Hold, in all
	ended       bool            // there are no more levels
	way         *wayThere       // to the level about to be played, nil when there was none

	now   func() time.Time // nil is time.Now
	sleep func(context.Context, time.Duration) error
	slack time.Duration // 0 is deadlineSlack
}

// Report is what happened with one level, the way to it included.
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
	Phone    time.Duration // of all that, waiting for the phone
	Idle     time.Duration // and waiting between looks
	Held     time.Duration // beside that, waiting because of Hold
	Own      time.Duration // the rest of the time, less Held
	Captures int
	Strokes  int      // gestures made
	Redone   bool     // some of it had to be played again
	Tried    []string // steps to recover
	Several  bool     // the board has several solutions, though the game's levels have one
	Won      bool
	Evidence string
}

// Preview reads and solves the level on the screen and returns what would be
// played. Nothing is touched, and nothing is done to recover but to look again.
func (p *Player) Preview(ctx context.Context) (Report, []screen.Gesture, error) {
	p.number++
	p.carried = sight{}
	l := p.level(StateSettle)
	l.preview = true
	err := l.run(ctx, StateSettle)
	return l.report, l.plan, err
}

// Level plays the level on the screen. The report tells how far it got, also
// when it fails.
func (p *Player) Level(ctx context.Context) (Report, error) {
	p.number++
	l := p.level(StateSettle)
	if p.way != nil {
		l.arrive(p.way)
		p.way = nil
	}
	err := l.run(ctx, l.entrance())
	if err == nil {
		l.report.Won = true
		if p.wonBoards == nil {
			p.wonBoards = map[string]bool{}
		}
		p.wonBoards[l.report.Board] = true
	}
	return l.report, err
}

// Next goes from the panel of a won level to the next one, or from the list of
// levels to the first that is not complete, and reports false when there is
// none. It does nothing when a level is already on the screen.
func (p *Player) Next(ctx context.Context) (bool, error) {
	l := p.level(StateNext)
	err := l.run(ctx, l.entrance())
	p.way = &wayThere{l.report, l.steps}
	p.ended = err == nil && l.noMore
	return err == nil && !l.noMore, err
}

// Skip leaves the level on the screen for the list of levels and opens the one
// after it. It reports false when there is none.
func (p *Player) Skip(ctx context.Context) (bool, error) {
	p.skipped++
	p.carried = sight{}
	l := p.level(StateNext)
	l.leave = true
	err := l.run(ctx, l.entrance())
	p.way = &wayThere{l.report, l.steps}
	p.ended = err == nil && l.noMore
	return err == nil && !l.noMore, err
}

// Clear plays levels until limit of them are won (0: until there are no more),
// the time is up, the context ends or one fails that OnFail does not get over.
// It calls done after each level. A phone that could not be got back ends the
// run whatever OnFail says. Where levels were skipped, the error says so.
func (p *Player) Clear(ctx context.Context, limit int, done func(Report, error)) (won int, err error) {
	began := p.time()
	p.held = 0
	failed, complete := 0, 0 // in a row
	var left []error
	for {
		if _, err := p.hold(ctx); err != nil {
			return won, skippedLevels(left, err)
		}
		more, err := p.Next(ctx)
		if err != nil || !more {
			return won, skippedLevels(left, err)
		}
		report, failure := p.Level(ctx)
		if errors.Is(failure, ErrComplete) && complete < completeInRow {
			complete++ // its panel came late, or somebody played: it is gone on from
			continue
		}
		complete = 0
		done(report, failure)
		var f *Failure
		switch {
		case failure == nil:
			won++
			failed = 0
		case !errors.As(failure, &f), errors.Is(failure, ErrPhone):
			return won, failure
		case p.OnFail == FailRetry && failed < retries:
			failed++
		case p.OnFail == FailSkip:
			left = append(left, failure)
			if more, err := p.Skip(ctx); err != nil || !more {
				return won, skippedLevels(left, err)
			}
		default:
			return won, failure
		}
		if limit > 0 && won >= limit || p.Limit > 0 && p.time().Sub(began)-p.held >= p.Limit {
			return won, skippedLevels(left, nil)
		}
	}
}

// completeInRow is how many levels Clear finds complete before it gives up.
const completeInRow = 3

// NoMore reports whether the last level was left for the next one and there
// was none.
func (p *Player) NoMore() bool { return p.ended }

// hold waits while it is asked to, and reports how long that was.
func (p *Player) hold(ctx context.Context) (time.Duration, error) {
	if p.Hold == nil {
		return 0, nil
	}
	began := p.time()
	err := p.Hold(ctx)
	waited := p.time().Sub(began)
	p.held += waited
	return waited, err
}

// skippedLevels is how a run ends in which levels were left behind.
func skippedLevels(left []error, err error) error {
	if err != nil || len(left) == 0 {
		return err
	}
	return fmt.Errorf("%d levels were skipped, the last: %w", len(left), left[len(left)-1])
}

func (p *Player) level(goal State) *level {
	return &level{Player: p, goal: goal, climbed: map[trouble]int{}, began: p.time(), report: Report{Game: p.Game.Name()}}
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

// profile is what was calibrated for frames of a size, nil when nothing was.
func (p *Player) profile(size image.Point) *calibration.Profile {
	if p.Profile == nil {
		return nil
	}
	return p.Profile(size)
}

// locate tells where in the app an observation is, the buttons there where the
// profile knows them.
func (p *Player) locate(seen *screen.Observation) screen.Place {
	place := p.Game.Locate(seen)
	if known := p.profile(seen.On.Size); known != nil {
		return known.Place(place, seen.On.Size)
	}
	return place
}

// safe keeps gestures within what of the screen may be touched.
func (p *Player) safe(gestures []screen.Gesture, pitch float64) ([]screen.Gesture, error) {
	if len(gestures) == 0 {
		return gestures, nil
	}
	known := p.profile(gestures[0].On.Size)
	if known == nil {
		return gestures, nil
	}
	return known.KeepSafe(gestures, pitch)
}

// keeper is the device as one that can be looked after, nil if it cannot.
func (p *Player) keeper() Keeper {
	k, _ := p.Device.(Keeper)
	return k
}
