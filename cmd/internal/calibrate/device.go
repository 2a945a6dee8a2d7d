package calibrate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tapwise/adb"
	"tapwise/calibration"
	"tapwise/cmd/internal/calibrate/fit"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/solvers"
)

// Timing tells how long one way to capture or to touch took.
type Timing struct {
	Kind             string // capture, input
	Method           string
	Times            int // that it was tried
	Min, Median, Max time.Duration
	Best             bool  // it is the one that the profile names
	Err              error // why it cannot be used
}

// captures is how often each way to capture is timed.
const captures = 5

// measureDevice measures what only a phone can show.
func (s *Session) measureDevice(ctx context.Context, p *calibration.Profile, fitted []fit.Fitted) error {
	if s.device == nil {
		return nil
	}
	cutout, err := s.device.Cutout(ctx)
	if err != nil {
		return cause.Phone(err)
	}
	w, h := float64(p.Phone.Frame.X), float64(p.Phone.Frame.Y)
	p.Safe = calibration.Insets{Left: float64(cutout.Left) / w, Top: float64(cutout.Top) / h, Right: float64(cutout.Right) / w, Bottom: float64(cutout.Bottom) / h}
	level := slices.IndexFunc(fitted, func(f fit.Fitted) bool { return f.Puzzle != nil })
	if s.Touch {
		touched, err := fit.MeasureTouch(ctx, s.Game, s.device, fitted[level])
		if err != nil {
			return unmeasured(err)
		}
		p.SetTouch(touched.Touch)
		// The way to touch by which a finger was seen is trusted from now on.
		s.device.TouchSeen(len(touched.Landings), len(touched.Landings))
		s.Tell.Touched(touched, p.Phone.Frame)
	}
	if s.Timing {
		return s.measureTiming(ctx, p, fitted[level])
	}
	return nil
}

// unmeasured marks an error of measuring for the exit code: it was the screen's,
// or else the phone's.
func unmeasured(err error) error {
	var read *solvers.ReadError
	if errors.As(err, &read) || errors.Is(err, fit.ErrNoHalo) || errors.Is(err, calibration.ErrTouchUnclear) {
		return &solvers.ReadError{Reason: "nothing written: " + err.Error()}
	}
	return cause.Phone(err)
}

// measureTiming times the ways to capture and to touch, and puts the best into the
// profile.
func (s *Session) measureTiming(ctx context.Context, p *calibration.Profile, level fit.Fitted) error {
	timings, err := s.device.TimeCaptures(ctx, captures)
	if err != nil {
		return cause.Phone(err)
	}
	var rows []Timing
	var best time.Duration
	for _, t := range timings {
		rows = append(rows, Timing{Kind: "capture", Method: string(t.Method), Times: t.Captures, Min: t.Min, Median: t.Median, Max: t.Max, Err: t.Err})
		if t.Err == nil && (best == 0 || t.Median < best) {
			best, p.Capture = t.Median, string(t.Method)
		}
	}
	if p.Capture == "" {
		return cause.Phone(fmt.Errorf("no way to capture works: %w", timings[0].Err))
	}
	if err := s.device.UseMethod(adb.Method(p.Capture)); err != nil {
		return err
	}
	inputs, settle, err := fit.MeasureInput(ctx, s.Game, s.device.With(profiles.Only(p)), level, p, time.Now)
	switch {
	case errors.Is(err, fit.ErrNoTrial):
		s.Opener.Log.Warn("ways to touch are left out", "reason", err)
	case err != nil:
		return unmeasured(err)
	}
	p.Settle = settle.Round(time.Millisecond)
	for _, t := range inputs {
		rows = append(rows, Timing{Kind: "input", Method: t.Method, Times: t.Times, Min: t.Min, Median: t.Median, Max: t.Max, Err: t.Err})
	}
	if best := fit.BestInput(inputs); best != "" {
		p.Input = best
	}
	for _, r := range rows {
		r.Best = r.Kind == "capture" && r.Method == p.Capture || r.Kind == "input" && r.Method == p.Input
		if err := s.Tell.Timed(r); err != nil {
			return err
		}
	}
	if len(inputs) > 0 {
		s.Tell.Settled(p.Settle)
	}
	return nil
}
