package player

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// glass is a phone without adb: an app that is drawn and touched directly, on
// a clock that only sleeping moves.
type glass struct {
	app     screen.App
	now     time.Duration
	size    image.Point
	turned  bool // held sideways
	touched int  // gestures that arrived

	lose   func(gesture int) bool         // drops a gesture
	broken error                          // the error that capturing fails with
	after  func(g *glass)                 // runs after each capture
	smudge func(frame *image.RGBA, n int) // draws on a frame
	frames int
}

func (g *glass) frame() screen.Frame {
	if g.turned {
		return screen.Frame{Size: image.Pt(g.size.Y, g.size.X), Rotation: 1}
	}
	return screen.Frame{Size: g.size}
}

func (g *glass) Capture(context.Context) (*image.RGBA, screen.Frame, error) {
	if g.broken != nil {
		return nil, screen.Frame{}, g.broken
	}
	g.now += 20 * time.Millisecond
	on := g.frame()
	frame := simphone.Render(g.app, on.Size, g.now)
	g.frames++
	if g.smudge != nil {
		g.smudge(frame, g.frames)
	}
	if g.after != nil {
		g.after(g)
	}
	return frame, on, nil
}

func (g *glass) Play(ctx context.Context, gestures []screen.Gesture) error {
	for i, gesture := range gestures {
		if err := ctx.Err(); err != nil {
			return err
		}
		if gesture.On != g.frame() {
			return ErrScreenChanged
		}
		if g.lose != nil && g.lose(i) {
			continue
		}
		g.touched++
		for k, p := range gesture.Points {
			g.now += 5 * time.Millisecond
			action := screen.TouchMove
			if k == 0 {
				action = screen.TouchDown
			}
			g.app.Touch(action, float64(p.X), float64(p.Y), g.now)
		}
		last := gesture.Points[len(gesture.Points)-1]
		g.app.Touch(screen.TouchUp, float64(last.X), float64(last.Y), g.now)
	}
	return nil
}

// levels are two boards for the tests, with one solution each.
var levels = []string{
	"EA..A\n....C\nDB.CB\n...E.\nD....",
	"B..AD\n.AC..\n....E\n.CB..\n...DE",
}

func newGlass(t testing.TB) (*glass, *Player) {
	t.Helper()
	puzzles := gametest.Parse(t, flow.Game{}, levels...)
	app, err := flowapp.New(puzzles, simapp.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	g := &glass{app: app, size: image.Pt(720, 1480)}
	p := &Player{
		Device: g, Eyes: calibrated.Eyes{}, Game: flow.Game{}, Evidence: t.TempDir(),
		Timing: calibration.Timing{
			SettleInterval: 50 * time.Millisecond, SettleDeadline: 3 * time.Second, SolveDeadline: 10 * time.Second,
			WinDeadline: 2 * time.Second, NextDeadline: 2 * time.Second, RecoverWait: time.Second,
		},
		Commands: func(plan []screen.Gesture) []string { return []string{"tap tap"} },
		now:      func() time.Time { return time.Unix(1e9, 0).Add(g.now) },
		sleep: func(ctx context.Context, d time.Duration) error {
			g.now += d
			return context.Cause(ctx)
		},
		slack: time.Hour, // deadlines go by the clock above, not by that of a busy machine
	}
	return g, p
}

func TestLevel(t *testing.T) {
	g, p := newGlass(t)
	r, err := p.Level(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !r.Won || r.Redone || r.Rows != 5 || r.Cols != 5 || g.touched != 5 {
		t.Errorf("got %+v after %d gestures, expected a 5x5 level won with 5", r, g.touched)
	}
	want, err := flow.Parse(levels[0])
	if err != nil {
		t.Fatal(err)
	}
	solution, err := want.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	// The labels differ, since the screen shows colours.
	if got := gametest.Relettered(r.Solution); got != gametest.Relettered(solution.String()) {
		t.Errorf("played\n%s\nexpected\n%s", r.Solution, solution)
	}
}

func TestClear(t *testing.T) {
	_, p := newGlass(t)
	n := 0
	won, err := p.Clear(context.Background(), 2, func(r Report, err error) { n++ })
	if won != 2 || n != 2 || err != nil {
		t.Errorf("won %d of %d, %v, expected 2 of 2", won, n, err)
	}
	won, err = p.Clear(context.Background(), 0, func(r Report, err error) { t.Errorf("another level: %+v, %v", r, err) })
	if won != 0 || err != nil {
		t.Errorf("after the last level: won %d, %v, expected 0 and no error", won, err)
	}
}

func TestPreviewTouchesNothing(t *testing.T) {
	g, p := newGlass(t)
	r, plan, err := p.Preview(context.Background())
	if err != nil || len(plan) != 5 || r.Solution == "" {
		t.Errorf("got %+v, %d gestures, %v", r, len(plan), err)
	}
	if g.touched != 0 {
		t.Errorf("%d gestures were made", g.touched)
	}
}

// loseOnce drops the stroke with an index, of five, the first time they are played.
func loseOnce(stroke int) func(int) bool {
	first := true
	return func(i int) bool {
		lost := first && i == stroke
		if i == 4 {
			first = false
		}
		return lost
	}
}

// TestLostStroke loses a stroke: what is missing is played again, once.
func TestLostStroke(t *testing.T) {
	g, p := newGlass(t)
	g.lose = loseOnce(2)
	r, err := p.Level(context.Background())
	if err != nil || !r.Won || !r.Redone {
		t.Errorf("got %+v, %v, expected a level won after playing some of it again", r, err)
	}
	if g.touched != 5 {
		t.Errorf("%d gestures arrived, expected 4 and the lost one again", g.touched)
	}
}

// TestDeadGlass loses every touch: the level is not won, and there is evidence.
func TestDeadGlass(t *testing.T) {
	gametest.Long(t)
	g, p := newGlass(t)
	g.lose = func(int) bool { return true }
	r, err := p.Level(context.Background())
	if !errors.Is(err, ErrNotWon) || r.Won {
		t.Fatalf("got %+v, %v, expected ErrNotWon", r, err)
	}
	var f *Failure
	if !errors.As(err, &f) || f.Evidence == "" || f.Evidence != r.Evidence {
		t.Fatalf("no evidence: %v, %+v", err, r)
	}
	for _, name := range []string{"error.txt", "board.txt", "solution.txt", "commands.txt", "frame-1.png"} {
		if info, err := os.Stat(filepath.Join(f.Evidence, name)); err != nil || info.Size() == 0 {
			t.Errorf("evidence %s: %v", name, err)
		}
	}
}

// TestTurned turns the phone between looking and playing. Turned once, it is
// looked at again and played as it is then; when it keeps turning, nothing is
// played.
func TestTurned(t *testing.T) {
	gametest.Long(t)
	g, p := newGlass(t)
	g.after = func(g *glass) {
		if g.frames == 2 {
			g.turned = true
		}
	}
	r, err := p.Level(context.Background())
	if err != nil || !r.Won {
		t.Errorf("turned once: %+v, %v, expected the level won sideways", r, err)
	}

	g, p = newGlass(t)
	g.after = func(g *glass) {
		if g.frames%2 == 0 {
			g.turned = !g.turned
		}
	}
	if r, err := p.Level(context.Background()); !errors.Is(err, ErrScreenChanged) || g.touched != 0 {
		t.Errorf("turned for ever: %+v, %v, %d gestures, expected ErrScreenChanged and none", r, err, g.touched)
	}
}

// TestRestless has a screen that never stands still.
func TestRestless(t *testing.T) {
	gametest.Long(t)
	g, p := newGlass(t)
	p.Timing.SettleDeadline = 6 * p.Timing.SettleInterval // every look is one at all candidates
	g.smudge = func(frame *image.RGBA, n int) {
		for y := 500; y < 900; y++ {
			for x := 100; x < 300; x++ {
				frame.Pix[frame.PixOffset(x, y)] = uint8(n * 60)
			}
		}
	}
	_, err := p.Level(context.Background())
	if !errors.Is(err, ErrUnreadable) || g.touched != 0 || !strings.Contains(err.Error(), "stands still") {
		t.Errorf("got %v and %d gestures, expected a screen that does not stand still", err, g.touched)
	}
}

// TestMisread sees a board without a solution: nothing is played.
func TestMisread(t *testing.T) {
	g, p := newGlass(t)
	p.Game = misreading{}
	_, err := p.Level(context.Background())
	if !errors.Is(err, ErrUnreadable) || !errors.Is(err, solvers.ErrNoSolution) || g.touched != 0 {
		t.Errorf("got %v and %d gestures, expected a misread board and none", err, g.touched)
	}
}

// misreading is Flow that reads every board as one without a solution.
type misreading struct{ flow.Game }

func (misreading) Read(*screen.Observation) (solvers.Puzzle, error) { return flow.Parse("AB\nBA") }

// refusing is Flow that is not sure of a cell.
type refusing struct{ flow.Game }

func (refusing) Read(*screen.Observation) (solvers.Puzzle, error) {
	return nil, solvers.RefuseAt(7, "row 2 column 3 is odd")
}

// TestRefusalIsDrawn expects the failure on the overlay of the frame that was
// read, and on no other one of the evidence.
func TestRefusalIsDrawn(t *testing.T) {
	gametest.Long(t)
	for _, game := range []solvers.Game{refusing{}, misreading{}} {
		_, p := newGlass(t)
		p.Game = game
		var failures []error
		p.Picture = func(frame *image.RGBA, _ *screen.Observation, _ solvers.Puzzle, _ []screen.Gesture, failure error) (image.Image, error) {
			failures = append(failures, failure)
			return frame, nil
		}
		_, err := p.Level(t.Context())
		var failure *Failure
		if !errors.As(err, &failure) || failure.Evidence == "" {
			t.Fatalf("got %v, expected a failure with evidence", err)
		}
		marked := slices.DeleteFunc(failures, func(err error) bool { return err == nil })
		var read *solvers.ReadError
		cell := errors.As(failure, &read) && slices.Equal(read.Cells, []board.Cell{7})
		if len(marked) != 1 || !errors.Is(marked[0], ErrUnreadable) || cell != (game == solvers.Game(refusing{})) {
			t.Errorf("%T: overlays are told of %v, expected %v once", game, marked, err)
		}
	}
}

func TestBrokenPhone(t *testing.T) {
	g, p := newGlass(t)
	g.broken = errors.New("unplugged")
	if _, err := p.Level(context.Background()); !errors.Is(err, ErrPhone) || !errors.Is(err, g.broken) {
		t.Errorf("got %v, expected ErrPhone", err)
	}
}

func TestCancelled(t *testing.T) {
	g, p := newGlass(t)
	ctx, cancel := context.WithCancel(context.Background())
	g.after = func(g *glass) {
		if g.frames == 2 {
			cancel()
		}
	}
	if _, err := p.Level(ctx); !errors.Is(err, context.Canceled) || g.touched != 0 {
		t.Errorf("got %v and %d gestures, expected the context's error and none", err, g.touched)
	}
}
