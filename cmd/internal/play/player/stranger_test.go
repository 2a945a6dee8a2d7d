package player

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"testing"
	"time"

	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// keptGlass is a glass that is a Keeper: the test decides what BACK does.
type keptGlass struct {
	*glass
	back  func()
	backs int
}

func (g *keptGlass) PlayOn(ctx context.Context, _ string, gestures []screen.Gesture, began func(int)) error {
	for i := range gestures {
		began(i)
		if err := g.Play(ctx, gestures[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (g *keptGlass) Front(context.Context) (string, error)      { return "game", nil }
func (g *keptGlass) Reopen(context.Context, string, bool) error { return nil }
func (g *keptGlass) Reconnect(context.Context) error            { return nil }
func (g *keptGlass) Facts() map[string]string                   { return nil }
func (g *keptGlass) Back(context.Context) error                 { g.backs++; g.back(); return nil }

// drawCard covers the app's own panel, if it shows, with another one in light
// colours, whose first button has its centre at a given place.
func drawCard(frame *image.RGBA, at image.Point, shape string, shade uint8) {
	w, h := frame.Rect.Dx(), frame.Rect.Dy()
	fill := func(r image.Rectangle, c color.RGBA) {
		draw.Draw(frame, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(image.Rect(w/12, h/4, w-w/12, h-h/4), color.RGBA{240, 244, shade, 255})
	green, grey := color.RGBA{20, 160, 80, 255}, color.RGBA{180, 190, 205, 255}
	button := image.Rect(w/5, at.Y-h/40, w-w/5, at.Y+h/40)
	switch shape {
	case "column":
		fill(button, green)
		fill(button.Add(image.Pt(0, h/11)), grey)
	case "single":
		fill(button, green)
	case "row":
		fill(image.Rect(w/8, h/2, w/2-w/20, h/2+h/20), green)
		fill(image.Rect(w/2+w/20, h/2, w-w/8, h/2+h/20), grey)
	}
}

// TestStrangePanel plays an app whose panel of a won level is unknown, and meets
// prompts that look like it.
func TestStrangePanel(t *testing.T) {
	gametest.Long(t)
	for _, test := range []struct {
		name   string
		shape  string
		middle bool // it comes after the second stroke, else after the last
		closes bool // BACK closes it
		again  bool // then another one comes
		won    int
		backs  int
		kind   error
	}{
		{name: "two buttons", shape: "column", won: 2, backs: 2},
		{name: "one button", shape: "single", won: 2, backs: 2},
		// The whole solution was seen before: won, unconfirmed, and no way on is known.
		{name: "side by side", shape: "row", won: 1, backs: 10, kind: ErrUnreadable},
		{name: "no button", shape: "none", won: 1, backs: 10, kind: ErrUnreadable},
		{name: "closed by BACK", shape: "column", closes: true, won: 2, backs: 1},
		{name: "one after the other", shape: "column", again: true, backs: 2, kind: ErrUnreadable},
		{name: "in the middle", shape: "column", middle: true, backs: 2, kind: ErrUnreadable},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, p := newGlass(t)
			k := &keptGlass{glass: g}
			p.Device = k
			shows, gone := false, 0
			k.back = func() {
				if test.closes {
					shows, gone = false, 1
				}
			}
			stray := 0
			g.lose = func(int) bool {
				if shows && (test.middle || test.kind != nil) {
					stray++
				}
				return shows && test.middle
			}
			level := 0
			next := image.Pt(g.size.X/2, g.size.Y/2) // the app's own button
			g.smudge = func(frame *image.RGBA, n int) {
				state := g.app.(interface {
					Screen() string
					Level() int
				})
				if state.Level() != level {
					level, shows = state.Level(), false
				}
				complete := state.Screen() == "complete"
				if complete && !shows {
					seen, err := p.Eyes.Observe(frame, g.frame(), p.Game.Spec())
					if err != nil {
						t.Fatal(err)
					}
					if b, ok := p.Game.Locate(seen).Button("next"); ok {
						next = b.At
					}
				}
				if complete && gone == 0 || test.middle && g.touched >= 2 && gone == 0 {
					shows = true
				}
				if shows {
					shade := uint8(250)
					if test.again {
						shade -= uint8(40 * k.backs)
					}
					drawCard(frame, next, test.shape, shade)
				}
			}
			won, err := p.Clear(context.Background(), 2, func(r Report, _ error) {
				if unconfirmed := r.Won && test.won == 1; unconfirmed != (r.Unconfirmed != "") {
					t.Errorf("unconfirmed for %q, expected %t", r.Unconfirmed, unconfirmed)
				}
			})
			if won != test.won || !errors.Is(err, test.kind) || (err == nil) != (test.kind == nil) {
				t.Errorf("won %d, %v, expected %d and %v", won, err, test.won, test.kind)
			}
			if k.backs != test.backs || stray > 0 {
				t.Errorf("%d times BACK and %d gestures on the panel, expected %d and none", k.backs, stray, test.backs)
			}
			if taken := p.memory.own != nil; taken != (test.won == 2 && !test.closes) {
				t.Errorf("taken for the level's own: %s", fmt.Sprint(taken))
			}
		})
	}
}

// TestPanelClosed meets a notice that goes by itself just before BACK, which
// closes the panel of the completed level instead: that level is won, once, and
// its board is left for the next one. If a stroke was lost as well, it is played
// again.
func TestPanelClosed(t *testing.T) {
	gametest.Long(t)
	for _, lost := range []bool{false, true} {
		t.Run(fmt.Sprintf("a stroke lost %t", lost), func(t *testing.T) {
			g, p := newGlass(t)
			k := &keptGlass{glass: g}
			p.Device, p.OnFail = k, FailRetry
			app := g.app.(interface {
				Screen() string
				Wins() []int
				Back(now time.Duration)
			})
			if lost {
				g.lose = func(i int) bool { return k.backs == 0 && i == 1 }
			}
			k.back = func() { app.Back(g.now) }
			g.smudge = func(frame *image.RGBA, n int) {
				if k.backs == 0 && (app.Screen() == "complete" || lost && g.touched == 4) {
					drawCard(frame, image.Pt(g.size.X/2, g.size.Y/2), "single", 250)
				}
			}
			var boards []string
			won, err := p.Clear(context.Background(), 0, func(r Report, err error) {
				if !r.Won {
					t.Errorf("not won: %v", err)
				}
				boards = append(boards, r.Board)
			})
			if err != nil || won != 2 || len(boards) != 2 || boards[0] == boards[1] {
				t.Errorf("won %d, %v, expected 2 levels:\n%s", won, err, strings.Join(boards, "\n\n"))
			}
			if wins := app.Wins(); !slices.Equal(wins, []int{1, 1}) {
				t.Errorf("the app counts %v, expected each level once", wins)
			}
			if k.backs == 0 {
				t.Error("BACK was never pressed")
			}
		})
	}
}

// TestHidden tells a panel that lies over the rim of a board that can be read from wide
// pipes within the board and from what lies beside it.
func TestHidden(t *testing.T) {
	g, p := newGlass(t)
	frame, on, err := g.Capture(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l := p.level(StateVerify)
	s, err := l.know(sight{frame: frame, on: on, at: l.time()})
	if err != nil || s.Place.Kind != screen.Level {
		t.Fatalf("%v, saw %s, expected a level", err, s.describe())
	}
	board, pitch := s.Seen.Layout.Board, int(s.Seen.Layout.Pitch)
	puzzle, err := p.Game.Read(s.Seen)
	if err != nil {
		t.Fatal(err)
	}
	l.report.Board = puzzle.String()
	for _, test := range []struct {
		name   string
		bounds image.Rectangle
		want   bool
	}{
		{"all of the board", board, false},
		{"a part of the board", board.Inset(pitch), false},
		{"below the board", image.Rect(board.Min.X, board.Max.Y, board.Max.X, board.Max.Y+3*pitch), false},
		{"over the last row", image.Rect(board.Min.X, board.Max.Y-pitch/3, board.Max.X, board.Max.Y+3*pitch), true},
		{"over the whole board", board.Inset(-pitch), false}, // which could not be read then
	} {
		if got := l.hidden(s, vision.Card{Bounds: test.bounds}); got != test.want {
			t.Errorf("a panel over %s: hidden is %t, expected %t", test.name, got, test.want)
		}
	}
}

// TestWonBeforeLast plays a level that is complete before its last stroke, as one of which a run
// that was killed had drawn more than its frame showed: nothing is drawn on its panel.
func TestWonBeforeLast(t *testing.T) {
	g, p := newGlass(t)
	k := &keptGlass{glass: g}
	early := &earlyGlass{keptGlass: k}
	p.Device = early
	_, plan, err := p.Preview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	early.last = plan[len(plan)-1]
	r, err := p.Level(t.Context())
	if err != nil || !r.Won || r.Strokes != len(plan)-1 {
		t.Errorf("%d strokes of %d, won %t, %v, expected the level won without the last", r.Strokes, len(plan), r.Won, err)
	}
}

// offEyes find the cells of a board that is drawn on a pixel further down and to the right.
type offEyes struct {
	Eyes
	drawn func() bool
}

func (e offEyes) Observe(frame *image.RGBA, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
	seen, err := e.Eyes.Observe(frame, on, spec)
	if err == nil && e.drawn() {
		for i := range seen.Layout.Centres {
			seen.Layout.Centres[i] = seen.Layout.Centres[i].Add(image.Pt(1, 1))
		}
	}
	return seen, err
}

// TestLookBeforeLast: the strokes before the last are seen at once, though the cells are found a
// pixel away from where they were before anything was drawn.
func TestLookBeforeLast(t *testing.T) {
	g, p := newGlass(t)
	p.Device = &keptGlass{glass: g}
	p.Eyes = offEyes{p.Eyes, func() bool { return g.touched > 0 }}
	r, err := p.Level(t.Context())
	if err != nil || !r.Won || !p.memory.beforeLast {
		t.Errorf("won %t, %v; all but the last stroke seen: %t", r.Won, err, p.memory.beforeLast)
	}
}

// earlyGlass is a glass on which a stroke appears beside the first that are made.
type earlyGlass struct {
	*keptGlass
	last screen.Gesture
	done bool
}

func (g *earlyGlass) PlayOn(ctx context.Context, app string, gestures []screen.Gesture, began func(int)) error {
	if err := g.keptGlass.PlayOn(ctx, app, gestures, began); err != nil || g.done {
		return err
	}
	g.done = true
	return g.Play(ctx, []screen.Gesture{g.last})
}
