package player

import (
	"context"
	"errors"
	"image"
	"slices"
	"testing"

	"tapwise/calibration"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// bareGlass is a phone with an app that shows no panel over a completed level.
func bareGlass(t *testing.T) (*glass, *Player) {
	t.Helper()
	g, p := newGlass(t)
	puzzles := gametest.Parse(t, flow.Game{}, levels...)
	app, err := flowapp.New(puzzles, simapp.Options{Seed: 3, Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	g.app = app
	return g, p
}

// won is how often each level of the app was completed, by the app's own count.
func (g *glass) won() []int { return g.app.(interface{ Wins() []int }).Wins() }

// TestBare plays an app that shows no panel: the complete board is believed when it
// stands to the end, and not while a stroke is missing.
func TestBare(t *testing.T) {
	gametest.Long(t)
	for _, test := range []struct {
		name string
		lose func(int) bool
		kind error
		wins int
	}{
		{name: "nothing lost", wins: 1},
		{name: "the last stroke lost once", lose: loseOnce(4), wins: 1},
		{name: "the last stroke always lost", lose: func() func(int) bool {
			strokes := 0
			return func(int) bool { strokes++; return strokes >= 5 }
		}(), kind: ErrNotWon},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, p := bareGlass(t)
			g.lose = test.lose
			r, err := p.Level(t.Context())
			if !errors.Is(err, test.kind) || r.Won != (test.kind == nil) || r.Unconfirmed != "" {
				t.Errorf("won is %t, unconfirmed %q, %v, expected %v", r.Won, r.Unconfirmed, err, test.kind)
			}
			if wins := g.won(); wins[0] != test.wins {
				t.Errorf("the app counts %v, expected the first level %d times", wins, test.wins)
			}
		})
	}
}

// TestBareUnlike has an app that shows its panel after the first level and not after the
// second: then that one is not won, whatever its board looks like.
func TestBareUnlike(t *testing.T) {
	gametest.Long(t)
	g, p := newGlass(t)
	complete := g.app
	level := 0
	g.after = func(g *glass) {
		// The second level goes on in an app without panels.
		if now := complete.(interface{ Level() int }).Level(); now == 2 && level != 2 {
			level = 2
			bare, _ := bareGlass(t)
			g.app = bare.app
			g.app.(interface{ Show(int) }).Show(2)
		}
	}
	won, err := p.Clear(t.Context(), 2, func(Report, error) {})
	if won != 1 || !errors.Is(err, ErrNotWon) {
		t.Errorf("won %d, %v, expected 1 and %v", won, err, ErrNotWon)
	}
}

// TestBareNext goes on from a complete board by the button that the profile knows.
func TestBareNext(t *testing.T) {
	gametest.Long(t)
	g, p := bareGlass(t)
	k := &keptGlass{glass: g, back: func() {}}
	p.Device = k
	arrow := calibration.Point{X: 474.0 / 720, Y: 1260.0 / 1480} // the app's own button to the next level
	profile := &calibration.Profile{Buttons: map[string]calibration.Point{"next": arrow}}
	p.Profile = func(image.Point) *calibration.Profile { return profile }
	won, err := p.Clear(context.Background(), 2, func(Report, error) {})
	if won != 2 || err != nil || k.backs != 0 {
		t.Errorf("won %d with %d times BACK, %v, expected 2 without", won, k.backs, err)
	}
	if wins := g.won(); !slices.Equal(wins, []int{1, 1}) {
		t.Errorf("the app counts %v, expected each level once", wins)
	}
}

// hasty is a phone whose app goes on to the second level by itself, when moves says so
// after a number of strokes.
type hasty struct {
	*glass
	moves   func(strokes int) bool
	strokes int
	slow    bool // what is played shows one frame later
	before  func() (*image.RGBA, screen.Frame, error)
}

func (h *hasty) Capture(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	if before := h.before; before != nil {
		h.before = nil
		return before()
	}
	return h.glass.Capture(ctx)
}

func (h *hasty) Play(ctx context.Context, gestures []screen.Gesture) error {
	if h.slow {
		frame, on, err := h.glass.Capture(ctx)
		h.before = func() (*image.RGBA, screen.Frame, error) { return frame, on, err }
	}
	for _, gesture := range gestures {
		if err := h.glass.Play(ctx, []screen.Gesture{gesture}); err != nil {
			return err
		}
		if h.strokes++; h.level() == 1 && h.moves(h.strokes) {
			h.app.(interface{ Show(int) }).Show(2)
		}
	}
	return nil
}

func (h *hasty) level() int { return h.app.(interface{ Level() int }).Level() }

// TestMovedOn plays an app that goes on to the next level as soon as one is complete, so
// that the whole solution is never seen: the level is won, and that is not certain. When it
// goes on before the last stroke, the level is not won.
func TestMovedOn(t *testing.T) {
	gametest.Long(t)
	for _, test := range []struct {
		name  string
		early int // strokes before the last
		slow  bool
		kind  error
		why   string
	}{
		{name: "with the last stroke", why: unconfirmedNext},
		{name: "with the last stroke, drawn late", slow: true, why: unconfirmedNext},
		{name: "before the last stroke", early: 1, kind: ErrNotWon},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, p := bareGlass(t)
			h := &hasty{glass: g, slow: test.slow, moves: func(strokes int) bool { return strokes == 5-test.early }}
			p.Device = h
			r, err := p.Level(t.Context())
			if !errors.Is(err, test.kind) || r.Won != (test.kind == nil) || r.Unconfirmed != test.why {
				t.Errorf("won is %t, unconfirmed %q, %v, expected %q, %v", r.Won, r.Unconfirmed, err, test.why, test.kind)
			}
			if wins := g.won(); wins[0] != 1-test.early || h.level() != 2 {
				t.Errorf("the app counts %v and shows level %d, expected the first level %d times and the second", wins, h.level(), 1-test.early)
			}
		})
	}
}

// TestDrawnBefore plays a level of which the last stroke was played before, in an app that
// goes on to the next level as soon as one is complete: only what is missing is played, and
// nothing on the next level.
func TestDrawnBefore(t *testing.T) {
	gametest.Long(t)
	g, p := bareGlass(t)
	frame, on, err := g.Capture(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen, err := p.Eyes.Observe(frame, on, p.Game.Spec())
	if err != nil {
		t.Fatal(err)
	}
	puzzle, err := p.Game.Read(seen)
	if err != nil {
		t.Fatal(err)
	}
	judged, err := solvers.JudgeRead(t.Context(), p.Game, solvers.Levels{}, puzzle, seen)
	if err != nil {
		t.Fatal(err)
	}
	plan := judged.Solution.Plan(seen.Layout)
	last := len(plan) - 1
	if err := g.Play(t.Context(), plan[last:]); err != nil {
		t.Fatal(err)
	}
	h := &hasty{glass: g, moves: func(strokes int) bool { return strokes == last }}
	p.Device = h
	r, err := p.Level(t.Context())
	if err != nil || !r.Won || r.Strokes != last {
		t.Errorf("won is %t after %d strokes, %v, expected after %d", r.Won, r.Strokes, err, last)
	}
	if wins := g.won(); wins[0] != 1 || h.level() != 2 || g.touched != len(plan) {
		t.Errorf("the app counts %v, shows level %d and was touched %d times, expected one win, level 2 and %d", wins, h.level(), g.touched, len(plan))
	}
}
