package player

import (
	"context"
	"fmt"
	"testing"

	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// deafGlass takes touches in one of several ways, of which only the last works.
type deafGlass struct {
	*glass
	deaf  int // ways that do not work
	way   int
	seen  bool
	told  []string
	plays []int // gestures of each play
}

func (d *deafGlass) Play(ctx context.Context, gestures []screen.Gesture) error {
	d.plays = append(d.plays, len(gestures))
	if d.way < d.deaf {
		return nil
	}
	return d.glass.Play(ctx, gestures)
}

func (d *deafGlass) TouchTrusted() bool { return d.seen }

func (d *deafGlass) TouchSeen(made, arrived int) (again bool) {
	d.told = append(d.told, fmt.Sprintf("%d/%d", arrived, made))
	if arrived == 0 {
		d.way++
		return true
	}
	d.seen = true
	return false
}

// TestTouchesAreSeenToLand makes one gesture first, until the board shows it, and the
// others then; what was seen is told after each play.
func TestTouchesAreSeenToLand(t *testing.T) {
	gametest.Long(t)
	for deaf, want := range map[int]struct{ told, plays string }{
		// The last stroke waits for a look, as in every first level.
		0: {"[1/1 4/4]", "[1 3 1]"},
		2: {"[0/1 0/1 1/1 4/4]", "[1 1 1 3 1]"},
		4: {"[0/1 0/1 0/1 0/1 1/1 4/4]", "[1 1 1 1 1 3 1]"},
	} {
		g, p := newGlass(t)
		d := &deafGlass{glass: g, deaf: deaf}
		p.Device = d
		r, err := p.Level(context.Background())
		if err != nil || !r.Won || r.Redone {
			t.Errorf("%d ways that do not work: %+v, %v, expected it won and nothing redone", deaf, r, err)
		}
		if got := fmt.Sprint(d.told); got != want.told {
			t.Errorf("%d ways that do not work: told %s, expected %s", deaf, got, want.told)
		}
		if got := fmt.Sprint(d.plays); got != want.plays {
			t.Errorf("%d ways that do not work: played %s gestures, expected %s", deaf, got, want.plays)
		}
	}
}
