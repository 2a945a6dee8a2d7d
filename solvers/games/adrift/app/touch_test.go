package app

import (
	"slices"
	"strings"
	"testing"
	"time"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/adrift"
	"tapwise/solvers/gametest"
)

// suite is the app as the suite touches it. Points are a face's first letter,
// row and column: t0,2; 0.5 is half a cell.
var suite = gametest.Sim[*app]{
	Game: adrift.Game{},
	Make: New,
	Place: func(a *app, name string) (x, y float64, ok bool) {
		if row, col, ok := gametest.Point(name[1:]); ok {
			face := strings.IndexByte("tlr", name[0])
			if face < 0 {
				return 0, 0, false
			}
			at := a.Layout().view.Faces[face].At(row+0.5, col+0.5)
			return at[0], at[1], true
		}
		return gametest.SimappPlace(&a.App, name)
	},
	Fact: func(a *app, name string, _ time.Duration) any {
		switch name {
		case "screen":
			return a.Screen()
		case "chains":
			return a.Play.Joined()
		case "filled":
			taken, all := a.Play.covered()
			return 100 * taken / all
		case "touches":
			return len(a.Play.touches())
		}
		return nil
	},
}

// TestTouch shows how a finger draws chains, and where buttons lead.
func TestTouch(t *testing.T) { suite.Scripts(t, "testdata/touch/*.txt") }

// FuzzTouch expects that what is drawn keeps the rules of drawing at every
// moment, and that a level that is won passes the checker.
func FuzzTouch(f *testing.F) {
	f.Add(uint8(0), []byte{0, 128, 38, 1, 71, 71, 1, 128, 123, 2, 250, 250, 3, 0, 0, 0, 250, 250, 1, 0, 0})
	f.Add(uint8(1), []byte{0, 128, 48, 1, 181, 75, 1, 128, 101, 2, 75, 75})
	f.Add(uint8(2), []byte{0, 128, 48, 1, 181, 75, 1, 128, 101, 2, 75, 75}) // wins
	suite.FuzzTouch(f, puzzles, func(a *app) simapp.Box { return a.Layout().board }, func(t *testing.T, a *app, touch func()) {
		touch()
		checkDrawn(t, a)
	})
}

// checkDrawn tests what must hold whatever the finger does.
func checkDrawn(t *testing.T, a *app) {
	b := a.Play
	used := map[board.Cell]int{}
	for colour, chain := range b.Lines {
		for i, step := range chain {
			c := step.Cell
			if i == 0 && b.puzzle.EndAt(c) != colour {
				t.Fatalf("chain %d begins at %s, which is no end of it", colour, b.puzzle.Name(c))
			}
			if i > 0 && !slices.Contains(b.puzzle.Neighbours(chain[i-1].Cell), c) {
				t.Fatalf("chain %d steps from %s to %s", colour, b.puzzle.Name(chain[i-1].Cell), b.puzzle.Name(c))
			}
			end := b.puzzle.EndAt(c)
			if b.puzzle.Stone(c) || end >= 0 && end != colour || end >= 0 && i > 0 && i < len(chain)-1 {
				t.Fatalf("chain %d runs over %s", colour, b.puzzle.Name(c))
			}
			if other, ok := used[c]; ok {
				t.Fatalf("chains %d and %d are both on %s", other, colour, b.puzzle.Name(c))
			}
			used[c] = colour
		}
	}
	s, err := b.puzzle.ParseSolution(b.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	// The notation does not tell whether two neighbouring ends are joined, so
	// the checker may be content before the finger is done.
	if err := s.Check(); err != nil && b.Complete() {
		t.Fatalf("complete, but the checker says %v\n%s", err, b)
	}
}
