package player

import (
	"context"
	"fmt"
	"image"
	"slices"
	"testing"

	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// TestEvents watches a level with a stroke that is lost: every state, every
// frame and every gesture has its event, in order, with the time and the level.
func TestEvents(t *testing.T) {
	g, p := newGlass(t)
	g.lose = loseOnce(2)
	var events []Event
	p.Watch = func(e Event) { events = append(events, e) }
	if _, err := p.Level(context.Background()); err != nil {
		t.Fatal(err)
	}
	var states []State
	frames, strokes := 0, []string{}
	stages := map[string]int{}
	for i, e := range events {
		if len(states) == 0 || states[len(states)-1] != e.State {
			states = append(states, e.State)
		}
		if e.At.IsZero() || i > 0 && e.At.Before(events[i-1].At) || e.Level != 1 {
			t.Errorf("event %d is at %v of level %d", i, e.At, e.Level)
		}
		if e.Frame != nil && e.Stage == "" {
			frames++
		}
		if e.Stroke >= 0 {
			strokes = append(strokes, fmt.Sprintf("%s %d of %d", e.State, e.Stroke, len(e.Plan)))
		}
		stages[e.Stage]++
	}
	want := []State{StateConnect, StateSettle, StateRead, StateSolve, StatePlan, StateHold, StatePlay, StateVerify, StateRedo, StateVerify, StateDone}
	if !slices.Equal(states, want) {
		t.Errorf("states %v, expected %v", states, want)
	}
	wantStrokes := []string{"play 0 of 5", "play 1 of 5", "play 2 of 5", "play 3 of 5", "play 4 of 5", "redo 0 of 1"}
	if !slices.Equal(strokes, wantStrokes) {
		t.Errorf("strokes %v, expected %v", strokes, wantStrokes)
	}
	if frames != g.frames || stages["read"] != 1 || stages["verify"] == 0 {
		t.Errorf("%d of %d frames told, stages %v", frames, g.frames, stages)
	}
}

// TestKeepSolved expects a frame of each solved board before its panel, also when
// the player knows how long the panel takes and does not look for it earlier.
func TestKeepSolved(t *testing.T) {
	gametest.Long(t)
	for _, keep := range []bool{true, false} {
		_, p := newGlass(t)
		p.KeepSolved = keep
		var since []*image.RGBA // frames since the last stroke
		solved := []bool{}
		p.Watch = func(e Event) {
			switch {
			case e.Stroke >= 0:
				since = nil
			case e.Stage == "verify" && e.Place == screen.Won:
				solved = append(solved, slices.ContainsFunc(since, func(frame *image.RGBA) bool {
					seen, err := p.Eyes.Observe(frame, screen.Frame{Size: frame.Rect.Size()}, p.Game.Spec())
					return err == nil && p.Game.Locate(seen).Kind == screen.Level && drawn(e.Solution, seen)
				}))
			case e.State == StateVerify && e.Stage == "" && e.Frame != nil:
				since = append(since, e.Frame)
			}
		}
		if won, err := p.Clear(t.Context(), 2, func(Report, error) {}); won != 2 || err != nil {
			t.Fatalf("won %d, %v", won, err)
		}
		if want := []bool{true, keep}; !slices.Equal(solved, want) {
			t.Errorf("keep %v: frames of the solved boards %v, expected %v", keep, solved, want)
		}
	}
}
