package film

import (
	"image"
	"slices"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/puzzles/drawing"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// overlay draws what was seen and the plan, in one colour.
func overlay(frame *image.RGBA, seen *screen.Observation, _ solvers.Puzzle, plan []screen.Gesture, _ error) (image.Image, error) {
	var marks []vision.Mark
	for _, g := range plan {
		marks = append(marks, vision.Mark{Points: g.Points})
	}
	return vision.Overlay(frame, seen, marks)
}

// filmed is a level of the simulated app as a player sees it: as it is found,
// solved, and under the panel.
type filmed struct {
	read   player.Event
	solved *image.RGBA
	panel  *image.RGBA
}

func filmLevel(t *testing.T) filmed {
	t.Helper()
	game := flow.Game{}
	level, err := game.Parse("EA..A\n....C\nDB.CB\n...E.\nD....")
	if err != nil {
		t.Fatal(err)
	}
	app, err := flowapp.New([]solvers.Puzzle{level, level}, simapp.Options{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	size := image.Pt(480, 800)
	now := time.Second
	found := simphone.Render(app, size, now)
	seen, err := vision.Observe(found, screen.Frame{Size: size, Rotation: -1}, game.Spec())
	if err != nil {
		t.Fatal(err)
	}
	puzzle, err := game.Read(seen)
	if err != nil {
		t.Fatal(err)
	}
	solution, err := puzzle.Solve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan := solution.Plan(seen.Layout)
	gametest.Play(app, now, plan...)
	return filmed{
		read: player.Event{State: player.StatePlan, Stage: "read", Stroke: -1, Frame: found, Seen: seen, Puzzle: puzzle, Solution: solution, Plan: plan},
		// The last stroke shows at once, the panel after a while.
		solved: simphone.Render(app, size, now+100*time.Millisecond),
		panel:  simphone.Render(app, size, now+10*time.Second),
	}
}

// TestFilm shows the solved board on the strip and last in the movie, not the
// panel over it, whatever was seen in between.
func TestFilm(t *testing.T) {
	l := filmLevel(t)
	half := drawing.Shrink(l.read.Frame, 480) // the board before its last stroke arrived
	for name, c := range map[string]struct {
		looks []*image.RGBA
		want  *image.RGBA // nil: the plan over the board
	}{
		"one look before the panel":     {[]*image.RGBA{l.solved, l.panel}, l.solved},
		"many looks":                    {[]*image.RGBA{half, half, l.solved, l.solved, l.panel, l.panel, l.panel}, l.solved},
		"something over it first":       {[]*image.RGBA{l.panel, l.solved, l.panel}, l.solved},
		"the last stroke does not show": {[]*image.RGBA{half, l.panel}, half},
		"only the panel":                {[]*image.RGBA{l.panel}, nil},
	} {
		f := &Film{Game: flow.Game{}, Eyes: calibrated.Eyes{}, Overlay: overlay}
		f.Watch(l.read)
		f.Watch(player.Event{State: player.StateVerify, Stroke: -1, Frame: l.panel}) // before the strokes: forgotten
		for i := range l.read.Plan {
			f.Watch(player.Event{State: player.StatePlay, Stroke: i, Plan: l.read.Plan})
		}
		for _, frame := range c.looks {
			f.Watch(player.Event{State: player.StateVerify, Stroke: -1, Frame: frame})
		}
		won := l.read
		won.State, won.Stage, won.Frame, won.Place = player.StateVerify, "verify", l.panel, screen.Won
		f.Watch(won)
		want := image.Image(c.want)
		if c.want == nil {
			var err error
			if want, err = overlay(l.read.Frame, l.read.Seen, l.read.Puzzle, l.read.Plan, nil); err != nil {
				t.Fatal(err)
			}
		}
		if got := f.levels[0].left; got == nil || !slices.Equal(got.Pix, drawing.Shrink(want, stripWidth).Pix) {
			t.Errorf("%s: the strip does not show it", name)
		}
		if last := f.frames[len(f.frames)-1]; !slices.Equal(last.Pix, drawing.Shrink(want, movieWidth).Pix) {
			t.Errorf("%s: the movie does not end with it", name)
		}
	}
}

// TestFilmOfStrokes shows each frame that was pushed while strokes were drawn once, and no more of
// a run than is bounded.
func TestFilmOfStrokes(t *testing.T) {
	l := filmLevel(t)
	pushed := []*image.RGBA{nil, l.read.Frame, l.read.Frame, l.solved} // when the second stroke begins, and so on
	f := &Film{Game: flow.Game{}, Eyes: calibrated.Eyes{}, Overlay: overlay, Pushed: func() *image.RGBA {
		var next *image.RGBA
		if len(pushed) > 0 {
			next, pushed = pushed[0], pushed[1:]
		}
		return next
	}}
	f.Watch(l.read)
	before := len(f.frames)
	for i := range 5 {
		f.Watch(player.Event{State: player.StatePlay, Stroke: i, Plan: l.read.Plan})
	}
	if shown := f.frames[before:]; len(shown) != 2 || !slices.Equal(shown[1].Pix, drawing.Shrink(l.solved, movieWidth).Pix) {
		t.Errorf("%d frames of strokes are shown, expected 2, the last of the solved board", len(shown))
	}
	for i := range 2 * drawnFrames {
		pushed = []*image.RGBA{image.NewRGBA(image.Rect(0, 0, 9, 16))}
		f.Watch(player.Event{State: player.StatePlay, Stroke: 1 + i, Plan: l.read.Plan})
	}
	if shown := len(f.frames) - before; shown != drawnFrames {
		t.Errorf("%d frames of strokes are shown, expected at most %d", shown, drawnFrames)
	}
}
