package player

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/algemy"
	algemyapp "tapwise/solvers/games/algemy/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// TestHold holds a run back for longer than any deadline, before each level is
// touched and on each way to the next one: nothing is touched meanwhile, and the
// time counts only as held. Somebody draws on the board meanwhile: it is looked
// at anew.
func TestHold(t *testing.T) {
	const long = 20 * time.Minute
	g, p := newGlass(t)
	p.Limit = long / 2
	calls, waits := 0, 0
	state := State("")
	p.Watch = func(e Event) { state = e.State }
	p.Hold = func(context.Context) error {
		calls++
		if calls%3 == 0 { // after it was looked at anew
			return nil
		}
		waits++
		if between := calls%3 == 1; between == (state == StateHold) {
			t.Errorf("call %d in state %q", calls, state)
		}
		if calls == 2 { // the first end is dragged into the next cell, and nothing comes of it
			g.app.Touch(screen.TouchDown, 100, 600, g.now)
			g.app.Touch(screen.TouchUp, 100, 600, g.now)
		}
		g.now += long
		return nil
	}
	var held, own time.Duration
	won, err := p.Clear(context.Background(), 0, func(r Report, err error) {
		held += r.Held
		own = max(own, r.Own)
	})
	if won != len(levels) || err != nil {
		t.Errorf("won %d, %v, expected %d", won, err, len(levels))
	}
	// Between, before, and after the last level once more.
	if want := 3*len(levels) + 1; calls != want {
		t.Errorf("held %d times, expected %d", calls, want)
	}
	if want := long * time.Duration(len(levels)); held != want || own > time.Minute {
		t.Errorf("the levels were held for %v and took %v at most, expected %v and not that", held, own, want)
	}
	if !p.NoMore() {
		t.Error("there are more levels, it says")
	}
}

// TestHoldEnds refuses to go on: nothing is touched.
func TestHoldEnds(t *testing.T) {
	refusal := errors.New("no")
	for _, after := range []int{1, 2} {
		g, p := newGlass(t)
		calls := 0
		p.Hold = func(context.Context) error {
			if calls++; calls == after {
				return refusal
			}
			return nil
		}
		won, err := p.Clear(context.Background(), 0, func(Report, error) {})
		if won != 0 || !errors.Is(err, refusal) || g.touched != 0 {
			t.Errorf("refused at call %d: won %d after %d gestures, %v", after, won, g.touched, err)
		}
	}
}

// sightless is Algemy without the ability to read boards of one size.
type sightless struct {
	algemy.Game
	cols int
}

func (s sightless) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	if seen.Layout.Cols == s.cols {
		return nil, &solvers.ReadError{Reason: "sightless"}
	}
	return s.Game.Read(seen)
}

// TestSkipWithoutList plays levels, some of which cannot be read, in an app
// without a list of levels: the level's own button leads on, also when the tap
// on it is lost, and ends the run on the last level, where it does nothing.
func TestSkipWithoutList(t *testing.T) {
	gametest.Long(t)
	const (
		three, another = "R - -\n- - -\n- - W", "- - R\n- - -\nW - -"
		four, next     = "- Y R -\nO - - R\n- O - -\nO - - O", "- - R Y\n- - V -\nG - - -\n- - - -"
	)
	for _, test := range []struct {
		name   string
		levels []string
		lost   int // gestures of the first skip
		rows   string
		says   string
	}{
		{"in the middle", []string{four, three, next}, 0, "won failed won", "1 levels were skipped"},
		{"two in a row", []string{three, another, four}, 0, "failed failed won", "2 levels were skipped"},
		{"the last", []string{four, three}, 0, "won failed", "1 levels were skipped"},
		{"a lost tap", []string{three, four}, 2, "failed won", "1 levels were skipped"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if testing.Short() && test.lost == 0 {
				t.Skip("-short loses a tap only")
			}
			g, p := newGlass(t)
			var puzzles []solvers.Puzzle
			for _, text := range test.levels {
				puzzle, err := algemy.Parse("hard\n" + text)
				if err != nil {
					t.Fatal(err)
				}
				puzzles = append(puzzles, puzzle)
			}
			app, err := algemyapp.New(puzzles, simapp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			g.app, p.Game, p.OnFail = app, sightless{cols: 3}, FailSkip
			lost := test.lost
			g.lose = func(int) bool {
				lost--
				return lost >= 0
			}
			var rows []string
			_, err = p.Clear(context.Background(), 0, func(_ Report, err error) {
				verdict := "won"
				if err != nil {
					verdict = "failed"
				}
				rows = append(rows, verdict)
			})
			if got := strings.Join(rows, " "); got != test.rows {
				t.Errorf("levels %s, expected %s", got, test.rows)
			}
			if !errors.Is(err, ErrUnreadable) || !strings.Contains(fmt.Sprint(err), test.says) || !p.NoMore() {
				t.Errorf("%v, more levels %t, expected %q", err, !p.NoMore(), test.says)
			}
		})
	}
}
