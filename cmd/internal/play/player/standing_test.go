package player

import (
	"context"
	"errors"
	"testing"
	"time"

	"tapwise/cmd/internal/journal/attempt"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// TestStanding looks for a level that was begun: untouched, half played, complete
// before its panel comes, with the panel, and when the next level is there.
func TestStanding(t *testing.T) {
	gametest.Long(t)
	ctx := context.Background()
	g, p := newGlass(t)
	report, plan, err := p.Preview(ctx)
	if err != nil {
		t.Fatal(err)
	}
	frames := 0
	want := func(name string, want Standing) {
		t.Helper()
		frames = g.frames
		got, err := p.Standing(ctx, report.Board, report.Solution)
		if err != nil || got != want {
			t.Errorf("%s: %d, %v, expected %d", name, got, err, want)
		}
		frames = g.frames - frames
	}
	want("untouched", Open)
	if frames != 1 {
		t.Errorf("untouched: %d frames, expected 1", frames)
	}
	touched := g.touched
	if err := g.Play(ctx, plan[:2]); err != nil {
		t.Fatal(err)
	}
	want("two pipes drawn", Open)
	if err := g.Play(ctx, plan[2:]); err != nil {
		t.Fatal(err)
	}
	want("about to be won", Complete)
	if frames < 2 {
		t.Errorf("about to be won: %d frames, so the panel was there at once", frames)
	}
	want("won", Complete)
	if g.touched != touched+len(plan) {
		t.Errorf("%d gestures, expected the %d of the plan only", g.touched, len(plan))
	}
	if more, err := p.Next(ctx); err != nil || !more {
		t.Fatal(more, err)
	}
	want("the next level", Gone)
	// On the list of levels it is gone: Standing says so, but not at once.
	g.app.(interface{ Back(time.Duration) }).Back(g.now)
	began := g.now
	want("the list", Gone)
	if waited := g.now - began; waited < p.Timing.WinDeadline {
		t.Errorf("the list: gave up after %v, expected to wait %v", waited, p.Timing.WinDeadline)
	}
}

func TestStandingFails(t *testing.T) {
	g, p := newGlass(t)
	if _, err := p.Standing(context.Background(), "AB\nBA!", "?"); err == nil {
		t.Error("a board that is none was looked for")
	}
	g.broken = errors.New("unplugged")
	report := Report{Record: attempt.Record{Board: "AB\nAB", Solution: "AB\nAB"}}
	if _, err := p.Standing(context.Background(), report.Board, report.Solution); !errors.Is(err, ErrPhone) {
		t.Errorf("got %v, expected ErrPhone", err)
	}
}

var _ screen.App // the glass shows one
