package fit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// InputPhone is a phone whose ways to touch can be tried.
type InputPhone interface {
	Capture(ctx context.Context) (*image.RGBA, screen.Frame, error)
	Play(ctx context.Context, gestures []screen.Gesture) error
	// InputMethods returns the ways to make strokes, the surest first; UseInput
	// makes Play use one of them.
	InputMethods(ctx context.Context) ([]string, error)
	UseInput(ctx context.Context, method string) error
}

// InputTime says how long gestures took with one way to touch.
type InputTime struct {
	Method           string
	Times            int
	Min, Median, Max time.Duration
	Err              error // what happened on the screen instead of the gesture
}

// Taps is the name under which taps are timed, in addition to the ways to make
// strokes.
const Taps = "taps"

// ErrNoTrial means that no gesture can be tried on a level without harm, or that
// its effect could not be seen.
var ErrNoTrial = errors.New("no stroke can be tried on this level")

// MeasureInput draws the level's longest stroke by each way to touch, checks with the profile
// that it arrived, and undoes it. It also returns how long the screen moves after a stroke.
// Nothing may be drawn on the level, else the error is a *solvers.ReadError; at the end nothing
// is drawn on it. If no stroke can be tried, the error is ErrNoTrial.
func MeasureInput(ctx context.Context, game solvers.Game, device InputPhone, level Fitted, p *calibration.Profile, now func() time.Time) ([]InputTime, time.Duration, error) {
	retractor, retracts := level.Solution.(solvers.Retractor)
	filler, fills := level.Puzzle.(solvers.Filler)
	if !retracts || !fills {
		return nil, 0, fmt.Errorf("%s: %w", game.Name(), ErrNoTrial)
	}
	if fill, err := filler.Fill(level.Seen); err != nil || fill != "" {
		return nil, 0, &solvers.ReadError{Reason: "something is drawn on the level already, expected a fresh one"}
	}
	plan := level.Solution.Plan(level.Seen.Layout)
	if len(plan) < 2 {
		return nil, 0, fmt.Errorf("%s: %w: its only stroke wins it", game.Name(), ErrNoTrial)
	}
	// The longest one has the most bends. It does not win the level alone.
	stroke := slices.MaxFunc(plan, func(a, b screen.Gesture) int { return len(a.Points) - len(b.Points) })
	undo := retractor.Retract(stroke)
	t := inputTimer{device: device, now: now, eyes: calibrated.By(p), spec: game.Spec(), board: level.Seen.Layout.Board, solution: level.Solution}

	methods, err := device.InputMethods(ctx)
	if err != nil {
		return nil, 0, err
	}
	var times []InputTime
	var taps, settles []time.Duration
	for _, method := range methods {
		if err := device.UseInput(ctx, method); err != nil {
			return nil, 0, err
		}
		var took []time.Duration
		var arrived error
		for range inputTries {
			drawn, err := t.try(ctx, stroke)
			var unread *solvers.ReadError
			if errors.As(err, &unread) {
				// A level that has been begun cannot be read: leave it as it was.
				if undoErr := device.Play(ctx, []screen.Gesture{undo}); undoErr != nil {
					return nil, 0, undoErr
				}
				return nil, 0, fmt.Errorf("%w: %w", ErrNoTrial, err)
			}
			if err != nil {
				return nil, 0, err
			}
			took, settles = append(took, drawn.took), append(settles, drawn.settle)
			if drawn.missing != len(plan)-1 {
				arrived = fmt.Errorf("%d of %d strokes are missing on the screen afterwards, expected %d", drawn.missing, len(plan), len(plan)-1)
			}
			back, err := t.try(ctx, undo)
			if err != nil {
				return nil, 0, err
			}
			if back.missing != len(plan) {
				return nil, 0, &solvers.ReadError{Reason: "a stroke could not be taken back"}
			}
			taps = append(taps, back.took)
			if arrived != nil {
				break
			}
		}
		times = append(times, inputTime(method, took, arrived))
	}
	slices.Sort(settles)
	return append(times, inputTime(Taps, taps, nil)), settles[len(settles)/2], nil
}

// BestInput names the fastest of the ways to make strokes that work, or none if
// none does. The ways come in order of certainty: a later one has to save at least
// a tenth, and more than the difference between two commands on a quick phone.
func BestInput(times []InputTime) string {
	var best InputTime
	for _, t := range times {
		if t.Err == nil && t.Method != Taps && (best.Method == "" || t.Median < min(best.Median*9/10, best.Median-20*time.Millisecond)) {
			best = t
		}
	}
	return best.Method
}

// inputTries is how often each way to touch is tried.
const inputTries = 3

func inputTime(method string, took []time.Duration, err error) InputTime {
	slices.Sort(took)
	return InputTime{Method: method, Times: len(took), Min: took[0], Median: took[len(took)/2], Max: took[len(took)-1], Err: err}
}

// inputTimer tries gestures on a level.
type inputTimer struct {
	device   InputPhone
	now      func() time.Time
	eyes     calibrated.Eyes
	spec     screen.Spec
	board    image.Rectangle
	solution solvers.Solution
}

// tried is the outcome of a gesture.
type tried struct {
	took    time.Duration // duration of the gesture
	settle  time.Duration // from its end until the board stood still
	missing int           // number of the solution's strokes still missing then
}

const (
	// stillFor is how long a board has to look the same to count as standing still:
	// an animation may rest for a moment.
	stillFor = 150 * time.Millisecond
	// settleLimit bounds how long a board may move after a gesture.
	settleLimit = 5 * time.Second
)

// try makes a gesture and waits until the board stands still.
func (t *inputTimer) try(ctx context.Context, g screen.Gesture) (tried, error) {
	var r tried
	began := t.now()
	if err := t.device.Play(ctx, []screen.Gesture{g}); err != nil {
		return r, err
	}
	played := t.now()
	r.took = played.Sub(began)
	var last *image.RGBA
	var on screen.Frame
	for {
		asked := t.now()
		frame, now, err := t.device.Capture(ctx)
		if err != nil {
			return r, err
		}
		since := asked.Sub(played)
		if last != nil && sameIn(t.board, last, frame) {
			if since-r.settle >= stillFor {
				on = now
				break
			}
			continue
		}
		// It moved until this frame was asked for; the first frame shows the effect
		// of the gesture, with or without an animation.
		if last != nil {
			r.settle = since
		}
		if since > settleLimit {
			return r, &solvers.ReadError{Reason: fmt.Sprintf("the board does not stand still within %v of a stroke", settleLimit)}
		}
		last = frame
	}
	seen, err := t.eyes.Observe(last, on, t.spec)
	if err != nil {
		return r, err
	}
	rest, err := t.solution.Remaining(seen)
	var read *solvers.ReadError
	if errors.As(err, &read) {
		return r, &solvers.ReadError{Reason: "the board after a stroke: " + err.Error()}
	}
	r.missing = len(rest)
	return r, err
}

// sameIn reports whether two frames agree in a region, pixel by pixel.
func sameIn(region image.Rectangle, a, b *image.RGBA) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	region = region.Intersect(a.Bounds())
	for y := region.Min.Y; y < region.Max.Y; y++ {
		from, to := a.PixOffset(region.Min.X, y), a.PixOffset(region.Max.X, y)
		if !bytes.Equal(a.Pix[from:to], b.Pix[from:to]) {
			return false
		}
	}
	return true
}
