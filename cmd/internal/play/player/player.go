package player

import (
	"context"
	"image"
	"io"
	"log/slog"
	"time"

	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/cmd/internal/journal/attempt"
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

// Keeper is a Device that recovery can act on.
type Keeper interface {
	Device
	// PlayOn is Play for an app that must be in front: otherwise it touches
	// nothing and fails with ErrNotInFront. The empty name stands for any app. It
	// calls began as each gesture begins, with the gesture's index. When ctx is
	// cancelled it ends the gesture under way, and the finger is up when it returns.
	PlayOn(ctx context.Context, app string, gestures []screen.Gesture, began func(int)) error
	// Front returns the package of the app in front, empty if the phone gives no answer.
	Front(ctx context.Context) (string, error)
	// Back presses the BACK key.
	Back(ctx context.Context) error
	// Reopen switches the screen on and brings an app to the front; with restart
	// it ends an app that is there already and starts it anew.
	Reopen(ctx context.Context, app string, restart bool) error
	// Reconnect gets a lost phone back, its finger off the screen.
	Reconnect(ctx context.Context) error
	// Facts returns what describes the phone, for the evidence.
	Facts() map[string]string
}

// A Waker is a Keeper that tells why nothing can be seen or touched on its screen.
type Waker interface {
	Keeper
	// Awake reports whether the screen is off, and whether the lock screen covers the apps;
	// both are false if the phone gives no answer.
	Awake(ctx context.Context) (off, locked bool, err error)
}

// Eyes turn a frame into an observation of what a game asks for.
type Eyes interface {
	Observe(frame *image.RGBA, on screen.Frame, spec screen.Spec) (*screen.Observation, error)
}

// Player plays one game on one phone.
type Player struct {
	Device Device
	Eyes   Eyes
	Game   solvers.Game
	Timing calibration.Timing
	// Profile returns what was calibrated for frames of a size, nil for none:
	// where buttons are and which part of the screen may be touched. It may be nil.
	Profile func(size image.Point) *calibration.Profile
	// App is the game's package on the phone; if it is empty, the app in which
	// the first level is seen becomes it. No other app is ever touched.
	App string
	// Evidence is the folder below which a failure leaves its frames, board
	// and commands; empty keeps nothing.
	Evidence string
	// Picture, when set, draws what was seen and planned over a frame, and
	// where it went wrong, for the evidence.
	Picture func(frame *image.RGBA, seen *screen.Observation, puzzle solvers.Puzzle, plan []screen.Gesture, failure error) (image.Image, error)
	// Commands, when set, returns the commands by which the device would make
	// gestures, for the evidence.
	Commands func([]screen.Gesture) []string
	// Watch, when set, is called with every change of state, every frame, every
	// gesture and every step to recover, in order and on the goroutine that
	// plays: it must return at once, or it holds up playing. It must not change
	// what the event points to.
	Watch func(Event)
	// If KeepSolved is set, the solved board is captured before a panel covers it, for a
	// watcher that keeps it. Otherwise the player waits for the panel first.
	KeepSolved bool
	// Hold, when set, is called before a level is first touched, and before the way to the next
	// one. It returns when playing may go on, or with an error that ends the run. Its time
	// counts in no deadline, nor in Limit, and the screen is looked at anew afterwards.
	Hold  func(context.Context) error
	Trace *Trace       // when set, notes how long everything took
	Log   *slog.Logger // nil logs nothing

	OnFail OnFail        // how Clear goes on; empty is FailStop
	Limit  time.Duration // after which Clear begins no more level; 0 is none

	number    int           // of the level being played, from 1
	connected bool          // the phone has been asked which app is in front
	front     string        // the app that was in front then
	memory    memory        // what was seen
	skipped   int           // levels left behind on the list
	held      time.Duration // waited because of Hold, in all
	ended     bool          // there are no more levels
	way       *wayThere     // to the level about to be played, nil when there was none

	now   func() time.Time // nil is time.Now
	sleep func(context.Context, time.Duration) error
	slack time.Duration // 0 is deadlineSlack
}

// Report is what happened in one level, including the way to it.
type Report struct {
	attempt.Record
	Game      string
	Phone     time.Duration // the part of all that spent waiting for the phone
	Idle      time.Duration // the part spent waiting between looks
	Held      time.Duration // waiting because of Hold, which is no part of the others
	Own       time.Duration // the rest of the time
	Pushed    int           // frames that the phone pushed and that were looked at
	Received  int64         // bytes from the phone; 0 where the device does not count them
	Sent      int64         // bytes to the phone
	Strokes   int           // gestures made
	Tried     []string      // steps to recover
	Several   bool          // the board has several solutions, though the game's levels have one
	Uncovered bool          // moreover, none of them covers every cell
	Won       bool
	Evidence  string
}

// Preview reads and solves the level on the screen and returns the gestures that would play it.
// It touches nothing, and recovers only by looking again.
func (p *Player) Preview(ctx context.Context) (Report, []screen.Gesture, error) {
	p.number++
	p.memory.carried = sight{}
	l := p.level(StateSettle)
	l.preview = true
	err := l.run(ctx, StateSettle)
	return l.report, l.plan, err
}

// Level plays the level on the screen. The report says how far it got, also
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
		p.memory.noteWon(l.report.Board)
	}
	return l.report, err
}

// Next goes from the panel of a won level to the next one, or from the list of
// levels to the first that is not complete, and reports false when there is
// none. It does nothing when a level is already on the screen.
func (p *Player) Next(ctx context.Context) (bool, error) {
	return p.level(StateNext).goOn(ctx)
}

// Skip leaves the level on the screen for the list of levels and opens the one
// after it. It reports false when there is none.
func (p *Player) Skip(ctx context.Context) (bool, error) {
	p.skipped++
	p.memory.carried = sight{}
	l := p.level(StateNext)
	l.leave = true
	return l.goOn(ctx)
}

// goOn goes to the next level, and reports false when there is none.
func (l *level) goOn(ctx context.Context) (bool, error) {
	err := l.run(ctx, l.entrance())
	l.way = &wayThere{l.report, l.steps}
	l.ended = err == nil && l.noMore
	return err == nil && !l.noMore, err
}

// NoMore reports whether the last level was left for the next one and there
// was none.
func (p *Player) NoMore() bool { return p.ended }

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

// profile returns what was calibrated for frames of a size, nil if nothing was.
func (p *Player) profile(size image.Point) *calibration.Profile {
	if p.Profile == nil {
		return nil
	}
	return p.Profile(size)
}

// of is the sight of a frame that was observed, with the buttons of the profile in use.
func (p *Player) of(seen *screen.Observation) recognise.Sight {
	return p.located(recognise.Of(p.Game, seen))
}

// located is a sight with the app's buttons where the profile in use has them.
func (p *Player) located(s recognise.Sight) recognise.Sight {
	if known := p.profile(s.Seen.On.Size); known != nil {
		s.Place = known.Place(s.Place, s.Seen.On.Size)
	}
	return s
}

// safe keeps gestures within the part of the screen that may be touched.
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

// keeper is the device as a Keeper, nil if it is none.
func (p *Player) keeper() Keeper {
	k, _ := p.Device.(Keeper)
	return k
}
