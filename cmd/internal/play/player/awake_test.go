package player

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"testing"

	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// bedside is a phone that can be off and locked.
type bedside struct {
	*glass
	off, locked bool
	asked       int // the number of times that it was asked
	woken       int
}

func (b *bedside) Capture(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	frame, on, err := b.glass.Capture(ctx)
	if b.off && err == nil {
		return nil, screen.Frame{}, ErrBlack
	}
	return frame, on, err
}

func (b *bedside) PlayOn(ctx context.Context, _ string, gestures []screen.Gesture, began func(int)) error {
	if b.off || b.locked { // the system's window is in front
		return fmt.Errorf("%w: NotificationShade is", ErrNotInFront)
	}
	for i := range gestures {
		if began != nil {
			began(i)
		}
	}
	return b.glass.Play(ctx, gestures)
}

func (b *bedside) Front(context.Context) (string, error) { return b.app.Package(), nil }
func (b *bedside) Back(context.Context) error            { return nil }
func (b *bedside) Reconnect(context.Context) error       { return nil }
func (b *bedside) Facts() map[string]string              { return nil }

func (b *bedside) Reopen(context.Context, string, bool) error {
	b.woken++
	b.off = false
	return nil
}

func (b *bedside) Awake(context.Context) (off, locked bool, err error) {
	b.asked++
	return b.off, b.locked, nil
}

// TestAsleep: a screen that is off is switched on if the app is known, and
// reported if not; a lock is reported at once. Neither is touched.
func TestAsleep(t *testing.T) {
	gametest.Long(t)
	for name, test := range map[string]struct {
		off, locked bool
		after       int // frames; 0: from the start
		app         bool
		want        error // nil: it is won
		woken       int
	}{
		"awake":              {},
		"off, app unknown":   {off: true, want: ErrScreenOff},
		"off, app known":     {off: true, app: true, woken: 1},
		"off while it plays": {off: true, after: 3, woken: 1},
		"locked":             {locked: true, off: true, app: true, want: ErrLocked},
		"locked, screen on":  {locked: true, app: true, want: ErrLocked},
		"locked in the end":  {locked: true, off: true, after: 4, want: ErrLocked},
	} {
		t.Run(name, func(t *testing.T) {
			g, p := newGlass(t)
			phone := &bedside{glass: g}
			p.Device = phone
			if test.app {
				p.App = g.app.Package()
			}
			if test.after == 0 {
				phone.off, phone.locked = test.off, test.locked
			}
			g.after = func(g *glass) {
				if test.after > 0 && g.frames == test.after {
					phone.off, phone.locked = test.off, test.locked
				}
			}
			report, err := p.Level(context.Background())
			if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) || report.Won != (test.want == nil) {
				t.Errorf("ended with %v, won %t, expected %v", err, report.Won, test.want)
			}
			if test.want != nil && !errors.Is(err, ErrPhone) {
				t.Errorf("%v is no failure of the phone", err)
			}
			if phone.woken != test.woken {
				t.Errorf("the app was opened %d times, expected %d", phone.woken, test.woken)
			}
			if test.want != nil && len(report.Tried) > 1 {
				t.Errorf("tried %q, which cannot help", report.Tried)
			}
			if name == "awake" && phone.asked > 0 {
				t.Errorf("asked %d times while nothing was wrong", phone.asked)
			}
		})
	}
}

// TestComplete: a level that was complete before it was played is no failure.
func TestComplete(t *testing.T) {
	gametest.Long(t)
	g, p := newGlass(t)
	if _, err := p.Level(context.Background()); err != nil {
		t.Fatal(err)
	}
	touched := g.touched
	again := &Player{Device: g, Eyes: p.Eyes, Game: p.Game, Evidence: p.Evidence, Timing: p.Timing, now: p.now, sleep: p.sleep, slack: p.slack}
	var f *Failure
	for name, play := range map[string]func() (Report, error){
		"play": func() (Report, error) { return again.Level(context.Background()) },
		"preview": func() (Report, error) {
			report, _, err := again.Preview(context.Background())
			return report, err
		},
	} {
		report, err := play()
		if !errors.Is(err, ErrComplete) || errors.As(err, &f) || report.Won || report.Evidence != "" || len(report.Tried) > 0 {
			t.Errorf("%s: %+v, %v, expected %v alone", name, report, err, ErrComplete)
		}
	}
	if g.touched != touched {
		t.Error("it was touched")
	}
	if kept, err := os.ReadDir(p.Evidence); err != nil || len(kept) > 0 {
		t.Errorf("%d folders of evidence, %v", len(kept), err)
	}
	// Clear goes on from it.
	won, err := again.Clear(context.Background(), 0, func(Report, error) {})
	if won != 1 || err != nil {
		t.Errorf("clear won %d, %v, expected the next level", won, err)
	}
}
