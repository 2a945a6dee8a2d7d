package player

import (
	"errors"
	"testing"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// unplaced is a game that refuses every board and calls none a level.
type unplaced struct{ refusing }

func (unplaced) Locate(*screen.Observation) screen.Place {
	return screen.Place{Kind: screen.Elsewhere, Reason: "no board"}
}

// blind is a game to which no cell looks like one of its own: as if something lay over
// the board.
type blind struct{ refusing }

func (blind) Familiarity(*screen.Observation) float64 { return 0.5 }

// TestNoBackFromABoard wants BACK to be pressed only where something may lie over the
// board, and the game's reason to be told wherever it refuses a board.
func TestNoBackFromABoard(t *testing.T) {
	for _, test := range []struct {
		name  string
		game  solvers.Game
		backs bool
	}{{"refused", refusing{}, false}, {"refused and no level", unplaced{}, false}, {"unlike a board", blind{}, true}} {
		t.Run(test.name, func(t *testing.T) {
			g, p := newGlass(t)
			k := &keptGlass{glass: g, back: func() {}}
			p.Device = k
			p.Game, p.App, p.Timing.RecoverWait = test.game, "game", time.Millisecond
			_, err := p.Level(t.Context())
			var failure *Failure
			if !errors.As(err, &failure) || !errors.Is(err, ErrUnreadable) || failure.Err == nil || failure.Err.Error() != "row 2 column 3 is odd" {
				t.Errorf("got %v, expected the game's reason", err)
			}
			if pressed := k.backs > 0; pressed != test.backs {
				t.Errorf("BACK was pressed %d times, expected it to be pressed: %v", k.backs, test.backs)
			}
		})
	}
}
