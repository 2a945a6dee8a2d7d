package fit

import (
	"context"
	"errors"
	"image"
	"slices"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/configs"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

var slowSize = image.Pt(540, 1170)

// slowGlass is an app on a phone whose clock advances by what is done to it.
type slowGlass struct {
	app     screen.App
	now     time.Duration
	capture time.Duration            // duration of a capture
	costs   map[string]time.Duration // duration of a gesture, by method
	method  string
	lost    string // the method with which only the stroke's first point arrives
	touched int
}

func (g *slowGlass) time() time.Time { return time.Unix(0, 0).Add(g.now) }

func (g *slowGlass) Capture(context.Context) (*image.RGBA, screen.Frame, error) {
	frame := simphone.Render(g.app, slowSize, g.now)
	g.now += g.capture
	return frame, screen.Frame{Size: slowSize}, nil
}

func (g *slowGlass) Play(_ context.Context, gestures []screen.Gesture) error {
	for _, gesture := range gestures {
		g.touched++
		g.now += g.costs[g.method]
		points := gesture.Points
		if g.lost != "" && g.method == g.lost {
			points = points[:1]
		}
		for i, p := range points {
			action := screen.TouchMove
			if i == 0 {
				action = screen.TouchDown
			}
			g.app.Touch(action, float64(p.X), float64(p.Y), g.now)
		}
		end := points[len(points)-1]
		g.app.Touch(screen.TouchUp, float64(end.X), float64(end.Y), g.now)
	}
	return nil
}

func (g *slowGlass) InputMethods(context.Context) ([]string, error) {
	return []string{"motion", "corners", "swipes"}, nil
}

func (g *slowGlass) UseInput(_ context.Context, method string) error {
	g.method = method
	return nil
}

// pulsing is a phone with a theme whose clues swell for the given time after a
// stroke, calibrated on its level.
func pulsing(t *testing.T, pulse time.Duration) (*slowGlass, Fitted, *calibration.Profile) {
	t.Helper()
	text, err := configs.Theme("paper")
	if err != nil {
		t.Fatal(err)
	}
	theme, err := simulation.ReadTheme("paper", append(text, "\npulse: "+pulse.String()+"\n"...))
	if err != nil {
		t.Fatal(err)
	}
	puzzle, err := flow.Parse(touchLevel)
	if err != nil {
		t.Fatal(err)
	}
	app, err := flowapp.New([]solvers.Puzzle{puzzle}, simapp.Options{Theme: theme})
	if err != nil {
		t.Fatal(err)
	}
	g := &slowGlass{app: app, capture: 30 * time.Millisecond, costs: map[string]time.Duration{
		"motion": 80 * time.Millisecond, "corners": 40 * time.Millisecond, "swipes": 150 * time.Millisecond,
	}}
	frame, on, _ := g.Capture(context.Background())
	profile, fitted, err := Profile(context.Background(), flow.Game{}, []Picture{{Name: "level", Frame: frame, Rotation: on.Rotation}})
	if err != nil {
		t.Fatal(err)
	}
	return g, fitted[0], profile
}

// TestMeasureInput times ways to touch on an app whose animations last 250 ms,
// and on one where they are twice as slow.
func TestMeasureInput(t *testing.T) {
	gametest.Long(t)
	for _, pulse := range []time.Duration{250 * time.Millisecond, 500 * time.Millisecond} {
		g, level, profile := pulsing(t, pulse)
		before := level.Frame
		times, settle, err := MeasureInput(context.Background(), flow.Game{}, g, level, profile, g.time)
		if err != nil {
			t.Fatalf("pulse of %v: %v", pulse, err)
		}
		// The precision is that of one frame.
		if settle < pulse-g.capture || settle > pulse+g.capture {
			t.Errorf("animations of %v taken for ones of %v, with a frame every %v", pulse, settle, g.capture)
		}
		var methods []string
		for _, m := range times {
			methods = append(methods, m.Method)
			want, n := g.costs[m.Method], inputTries
			if m.Method == Taps {
				n = 3 * inputTries
				want = g.costs["motion"] // the median
			}
			if m.Err != nil || m.Times != n || m.Median != want {
				t.Errorf("pulse of %v: %+v, expected %v as median of %d", pulse, m, want, n)
			}
		}
		if want := []string{"motion", "corners", "swipes", Taps}; !slices.Equal(methods, want) {
			t.Errorf("timed %v, expected %v", methods, want)
		}
		if best := BestInput(times); best != "corners" {
			t.Errorf("%q is best of %+v, expected corners", best, times)
		}
		if after, _, _ := g.Capture(context.Background()); !sameIn(level.Seen.Layout.Board, before, after) {
			t.Errorf("pulse of %v: the level is not as it was", pulse)
		}
		t.Logf("animations of %v measured as %v", pulse, settle)
	}
}

// TestMeasureInputLost expects a method whose strokes do not arrive to be found
// out.
func TestMeasureInputLost(t *testing.T) {
	g, level, profile := pulsing(t, 0)
	g.lost = "corners"
	times, _, err := MeasureInput(context.Background(), flow.Game{}, g, level, profile, g.time)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range times {
		if (m.Err != nil) != (m.Method == g.lost) {
			t.Errorf("%s: error %v, expected one of %s only", m.Method, m.Err, g.lost)
		}
	}
	if best := BestInput(times); best != "motion" {
		t.Errorf("%q is best of %+v, expected motion", best, times)
	}
}

// TestMeasureInputRefuses expects no touch on a level where no stroke can be tried.
func TestMeasureInputRefuses(t *testing.T) {
	ctx := context.Background()
	g, level, profile := pulsing(t, time.Second)
	final := level
	final.Solution = struct{ solvers.Solution }{level.Solution}
	if _, _, err := MeasureInput(ctx, flow.Game{}, g, final, profile, g.time); !errors.Is(err, ErrNoTrial) || g.touched != 0 {
		t.Errorf("a solution whose strokes cannot be taken back: %v after %d gestures", err, g.touched)
	}
	// Something has been drawn already.
	plan := level.Solution.Plan(level.Seen.Layout)
	if err := g.Play(ctx, plan[:1]); err != nil {
		t.Fatal(err)
	}
	g.now += time.Minute
	frame, on, err := g.Capture(ctx)
	if err != nil {
		t.Fatal(err)
	}
	drawn := level
	if drawn.Seen, err = calibrated.By(profile).Observe(frame, on, flow.Game{}.Spec()); err != nil {
		t.Fatal(err)
	}
	var read *solvers.ReadError
	if _, _, err := MeasureInput(ctx, flow.Game{}, g, drawn, profile, g.time); !errors.As(err, &read) || g.touched != 1 {
		t.Errorf("a level that is begun: %v after %d gestures", err, g.touched-1)
	}
	// The board never stands still.
	g, level, profile = pulsing(t, 9*time.Second)
	if _, _, err := MeasureInput(ctx, flow.Game{}, g, level, profile, g.time); !errors.Is(err, ErrNoTrial) {
		t.Errorf("a board that does not stand still: %v", err)
	}
	g.now += time.Minute
	if after, _, _ := g.Capture(ctx); !sameIn(level.Seen.Layout.Board, level.Frame, after) {
		t.Error("a stroke was left on the level")
	}
}
