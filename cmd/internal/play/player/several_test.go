package player

import (
	"context"
	"errors"
	"image"
	"strings"
	"testing"

	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// several is a level with several solutions, loose one that cannot be filled.
const (
	several = "...AB\n.AB..\n.....\n.C.C.\n....."
	loose   = "A....\n.B...\n.....\n...B.\n....A"
)

// filtered are eyes that change the observation, and count the looks at boards.
type filtered struct {
	calibrated.Eyes
	change func(seen *screen.Observation)
	looks  int
}

func (f *filtered) Observe(frame *image.RGBA, on screen.Frame, spec screen.Spec) (*screen.Observation, error) {
	seen, err := f.Eyes.Observe(frame, on, spec)
	if err == nil && len(spec.Measures) > 0 {
		f.looks++
		if f.change != nil {
			f.change(seen)
		}
	}
	return seen, err
}

// dulled lowers the confidence of an observation.
func dulled(seen *screen.Observation) { seen.Confidence = min(seen.Confidence, 0.9) }

// severalGlass is a phone with one level.
func severalGlass(t *testing.T, board string, levels solvers.Levels) (*glass, *Player, *filtered) {
	t.Helper()
	g, p := newGlass(t)
	parsed, err := flow.Parse(board)
	if err != nil {
		t.Fatal(err)
	}
	puzzle, err := levels.Of(flow.Game{}, parsed)
	if err != nil {
		t.Fatal(err)
	}
	if g.app, err = flowapp.New([]solvers.Puzzle{puzzle}, simapp.Options{Seed: 3}); err != nil {
		t.Fatal(err)
	}
	look := &filtered{}
	p.Eyes = look
	if levels != (solvers.Levels{}) {
		profile := &calibration.Profile{Game: "flow", Phone: calibration.Phone{Frame: g.size, Rotation: -1}, Levels: levels}
		p.Profile = func(image.Point) *calibration.Profile { return profile }
	}
	return g, p, look
}

// TestSeveral plays a level with several solutions, which is looked at twice
// before it is touched.
func TestSeveral(t *testing.T) {
	g, p, look := severalGlass(t, several, solvers.Levels{})
	looks := 0
	p.Watch = func(e Event) {
		if e.Stage == "read" {
			looks = look.looks
		}
	}
	report, err := p.Level(context.Background())
	if err != nil || !report.Won || !report.Several || report.Board != several {
		t.Fatalf("got %+v, error %v, expected a level won by one of several solutions", report, err)
	}
	if looks != 2 {
		t.Errorf("%d looks at the board before it was played, expected 2", looks)
	}
	if wins := g.app.(interface{ Wins() []int }).Wins(); wins[0] != 1 {
		t.Errorf("the app counted %v, expected one level won once", wins)
	}
}

// TestSeveralDoubted refuses a board with several solutions that was not seen
// clearly. It must not say that the board was misread: nobody knows.
func TestSeveralDoubted(t *testing.T) {
	g, p, look := severalGlass(t, several, solvers.Levels{})
	look.change = dulled
	p.Evidence = t.TempDir()
	report, err := p.Level(context.Background())
	if !errors.Is(err, ErrUnreadable) || !errors.Is(err, solvers.ErrSeveral) || g.touched > 0 || strings.Contains(err.Error(), "misread") || report.Evidence == "" {
		t.Errorf("got %v, %d gestures, evidence %q; expected a refusal with evidence that does not speak of misreading", err, g.touched, report.Evidence)
	}
}

// TestSeveralDiffers sees another board in every look, each with several
// solutions: it was misread then.
func TestSeveralDiffers(t *testing.T) {
	g, p, _ := severalGlass(t, several, solvers.Levels{})
	game := &restlessBoard{}
	p.Game = game
	_, err := p.Level(context.Background())
	if !errors.Is(err, ErrUnreadable) || g.touched > 0 || err == nil || !strings.Contains(err.Error(), "misread: two looks at a board that has more than one solution found two boards") {
		t.Errorf("got %v and %d gestures, expected a board that was misread", err, g.touched)
	}
}

// restlessBoard is Flow that reads another board from each observation.
type restlessBoard struct {
	flow.Game
	last  *screen.Observation
	reads int
}

func (r *restlessBoard) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	if seen != r.last {
		r.last = seen
		r.reads++
	}
	return flow.Parse([]string{several, "...AB\n.AB..\n.....\n.C..C\n....."}[r.reads%2])
}

// TestLevels plays the kinds of levels that a profile allows: with several
// solutions though not seen clearly, and without a need to be filled. A stroke
// gets lost.
func TestLevels(t *testing.T) {
	gametest.Long(t)
	for _, test := range []struct {
		name   string
		board  string
		levels solvers.Levels
	}{
		{"not unique", several, solvers.Levels{Several: true}},
		{"not covered", loose, solvers.Levels{Uncovered: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, p, look := severalGlass(t, test.board, test.levels)
			look.change = dulled
			lost := 0
			g.lose = func(gesture int) bool {
				if gesture == 0 {
					lost++
				}
				return gesture == 0 && lost == 1
			}
			report, err := p.Level(context.Background())
			if err != nil || !report.Won || report.Several || !report.Redone {
				t.Fatalf("got %+v, error %v, expected a level won after a stroke was played again", report, err)
			}
			if wins := g.app.(interface{ Wins() []int }).Wins(); wins[0] != 1 {
				t.Errorf("the app counted %v, expected one level won once", wins)
			}
			// Without the profile the level is refused.
			g, p, look = severalGlass(t, test.board, test.levels)
			look.change, p.Profile = dulled, nil
			if _, err := p.Level(context.Background()); !errors.Is(err, ErrUnreadable) || g.touched > 0 {
				t.Errorf("without the profile: got %v and %d gestures, expected a refusal", err, g.touched)
			}
		})
	}
}
