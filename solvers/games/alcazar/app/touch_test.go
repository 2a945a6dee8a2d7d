package app

import (
	"testing"
	"time"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/alcazar"
	"tapwise/solvers/gametest"
)

// suite is the app as the suite touches it. Points are rows and columns of
// rooms; 0.5 is half a room.
var suite = gametest.Sim[*app]{
	Game: alcazar.Game{},
	Make: New,
	Place: func(a *app, name string) (x, y float64, ok bool) {
		if row, col, ok := gametest.Point(name); ok {
			l := a.Layout()
			return l.board.X0 + (col+0.5)*l.Pitch, l.board.Y0 + (row+0.5)*l.Pitch, true
		}
		return gametest.SimappPlace(&a.App, name)
	},
	Fact: func(a *app, name string, _ time.Duration) any {
		switch name {
		case "screen":
			return a.Screen()
		case "rooms":
			return len(a.Play.path.rooms)
		}
		return nil
	},
}

// TestTouch shows how a finger draws the path, and where buttons lead.
func TestTouch(t *testing.T) { suite.Scripts(t, "testdata/touch/*.txt") }

// FuzzTouch expects that what is drawn is a path at every moment, and that a
// level that is won has passed the checker.
func FuzzTouch(f *testing.F) {
	f.Add(uint8(0), []byte{0, 45, 210, 1, 45, 45, 1, 210, 45, 2, 210, 210, 3, 0, 0, 0, 250, 250, 1, 0, 0})
	f.Add(uint8(1), []byte{0, 128, 224, 1, 128, 26, 2, 128, 26}) // wins
	f.Add(uint8(2), []byte{0, 45, 45, 1, 210, 45, 2, 210, 45})
	suite.FuzzTouch(f, puzzles, func(a *app) simapp.Box {
		b, reach := a.Layout().board, a.Layout().Pitch
		return simapp.NewBox(b.X0-reach, b.Y0-reach, b.X1+reach, b.Y1+reach)
	}, func(t *testing.T, a *app, touch func()) {
		touch()
		checkDrawn(t, a)
	})
}

// checkDrawn tests what must hold whatever the finger does.
func checkDrawn(t *testing.T, a *app) {
	b := a.Play
	if b.path.from < 0 && (len(b.path.rooms) > 0 || b.path.to >= 0) {
		t.Fatalf("a path without a beginning: %+v", b.path)
	}
	if b.path.to >= 0 && (b.path.to == b.path.from || b.openings[b.path.to].Room != b.path.tip()) {
		t.Fatalf("the path leaves by a wrong opening: %+v", b.path)
	}
	visited := map[board.Cell]bool{}
	for i, room := range b.path.rooms {
		if i == 0 && b.openings[b.path.from].Room != room {
			t.Fatalf("the path begins in %s, which is not at its opening", b.puzzle.Size().Name(room))
		}
		if i > 0 && (!b.beside(b.path.rooms[i-1], room) || b.walled(b.path.rooms[i-1], room)) {
			t.Fatalf("the path leads from %s to %s", b.puzzle.Size().Name(b.path.rooms[i-1]), b.puzzle.Size().Name(room))
		}
		if visited[room] {
			t.Fatalf("the path is in %s twice", b.puzzle.Size().Name(room))
		}
		visited[room] = true
	}
	s, err := b.puzzle.ParseSolution(b.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	if err := s.Check(); (err == nil) != b.Complete() {
		t.Fatalf("complete: %v, but the checker says %v\n%s", b.Complete(), err, b)
	}
}
