package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"tapwise/calibration"
	"tapwise/cmd/internal/calibrated"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// timeInputs draws the level's longest stroke by each way to touch, looks
// whether it arrived, and takes it back by a tap on where it begins. It also
// tells how long the screen moves after a stroke.
func (c *calibrating) timeInputs(ctx context.Context, p *calibration.Profile, level calibrated.Fitted) ([]timingRow, time.Duration, error) {
	resumer, ok := level.Solution.(solvers.Resumer)
	filler, fills := c.game.(solvers.Filler)
	if !ok || !fills {
		return nil, 0, badInputf("calibrate: what is drawn on a level of %s cannot be read: strokes cannot be timed", c.game.Name())
	}
	if fill, err := filler.Fill(level.Seen, level.Puzzle); err != nil || fill != "" {
		return nil, 0, badInputf("calibrate: something is drawn on the level already, expected a fresh one")
	}
	plan := level.Solution.Plan(level.Seen.Layout)
	if len(plan) < 2 {
		return nil, 0, badInputf("calibrate: a level of %d strokes, expected at least 2", len(plan))
	}
	// The longest: it has the most bends. One alone does not win the level.
	stroke := slices.MaxFunc(plan, func(a, b screen.Gesture) int { return len(a.Points) - len(b.Points) })
	undo := screen.Gesture{On: stroke.On, Points: stroke.Points[:1], Note: "take back"}
	device := *c.device
	device.profiles = &profiles{forced: &calibration.Named{Profile: p}}
	t := inputTimer{calibrating: c, device: device, level: level, eyes: calibrated.By(p), resumer: resumer, strokes: len(plan)}

	names, err := device.InputMethods(ctx)
	if err != nil {
		return nil, 0, phoneFailed(err)
	}
	var rows []timingRow
	var settled []time.Duration
	for _, name := range append(names, "taps") {
		row := timingRow{Kind: "input", Method: name}
		if name != "taps" {
			if err := device.UseInput(ctx, name); err != nil {
				return nil, 0, phoneFailed(err)
			}
		}
		var took []time.Duration
		for range 3 {
			gesture, want := stroke, len(plan)-1
			if name == "taps" {
				gesture, want = undo, len(plan) // a tap draws nothing
			}
			spent, still, left, err := t.try(ctx, gesture)
			if err != nil {
				return nil, 0, err
			}
			took, settled = append(took, spent), append(settled, still)
			if left != want {
				row.err = fmt.Errorf("%d of %d strokes are missing on the screen afterwards, expected %d", left, len(plan), want)
			}
			if _, _, left, err = t.try(ctx, undo); err != nil {
				return nil, 0, err
			}
			if left != len(plan) {
				return nil, 0, &solvers.ReadError{Reason: "a stroke could not be taken back by a tap on where it begins"}
			}
			if row.err != nil {
				break
			}
		}
		slices.Sort(took)
		row.Times, row.Min, row.Median, row.Max = len(took), took[0], took[len(took)/2], took[len(took)-1]
		rows = append(rows, row)
	}
	slices.Sort(settled)
	return rows, settled[len(settled)/2], nil
}

// inputTimer tries gestures on a level.
type inputTimer struct {
	*calibrating
	device  phone
	level   calibrated.Fitted
	eyes    calibrated.Eyes
	resumer solvers.Resumer
	strokes int
}

// settleLimit bounds how long a screen may move after a stroke.
const settleLimit = 5 * time.Second

// try makes a gesture, waits until the screen stands still, and tells how long
// both took and how many strokes of the solution are missing then.
func (t *inputTimer) try(ctx context.Context, g screen.Gesture) (took, settle time.Duration, missing int, err error) {
	began := time.Now()
	if err := t.device.Play(ctx, []screen.Gesture{g}); err != nil {
		return 0, 0, 0, phoneFailed(err)
	}
	took = time.Since(began)
	played := time.Now()
	var last *image.RGBA
	var frame *image.RGBA
	var on screen.Frame
	for {
		asked := time.Now()
		if frame, on, err = t.device.Capture(ctx); err != nil {
			return 0, 0, 0, phoneFailed(err)
		}
		if last != nil && same(last, frame, t.level.Seen.Layout.Board) {
			break
		}
		// It still moved when this frame was asked for.
		settle = asked.Sub(played)
		if settle > settleLimit {
			return 0, 0, 0, &solvers.ReadError{Reason: fmt.Sprintf("the screen does not stand still within %v of a stroke", settleLimit)}
		}
		last = frame
	}
	seen, err := t.eyes.Observe(frame, on, t.game.Spec())
	if err != nil {
		return 0, 0, 0, err
	}
	rest, err := t.resumer.Remaining(seen)
	var read *solvers.ReadError
	if errors.As(err, &read) {
		return 0, 0, 0, &solvers.ReadError{Reason: "the board after a stroke: " + err.Error()}
	}
	return took, settle, len(rest), err
}

// same reports whether two frames agree in a region, pixel by pixel.
func same(a, b *image.RGBA, region image.Rectangle) bool {
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
