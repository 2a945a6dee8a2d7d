package app

import (
	"strconv"
	"strings"
	"testing"
	"time"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
)

// suite is the app as the suite touches it. Points are rows and columns; 0.5
// is half a cell.
var suite = gametest.Sim[*app]{
	Game: flow.Game{},
	Make: New,
	Place: func(a *app, name string) (x, y float64, ok bool) {
		l := a.Layout()
		if row, col, ok := gametest.Point(name); ok {
			if size := l.puzzle.Size(); l.puzzle.Topology() == flow.Hex {
				at := l.centres[int(row)*size.Cols+int(col)]
				return at[0], at[1], true
			}
			return l.centres[0][0] + col*l.Pitch, l.centres[0][1] + row*l.Pitch, true
		}
		if x, y, ok := gametest.SimappPlace(&a.App, name); ok {
			return x, y, true
		}
		kind, number, _ := strings.Cut(name, "-")
		n, _ := strconv.Atoi(number)
		button, ok := map[string]simapp.Button{
			"back": leaveButton, "film": filmButton, "gear": gearButton, "undo": undoButton, "android-back": simapp.BackKey,
		}[name]
		box := l.Buttons[button]
		if kind == "level" && n >= 1 {
			box, ok = l.square(n-1), true
		}
		x, y = box.Centre()
		return x, y, ok
	},
	Fact: func(a *app, name string, _ time.Duration) any {
		switch name {
		case "screen":
			return a.Screen()
		case "flows":
			return a.Play.Joined()
		case "pipe":
			taken, all := a.Play.covered()
			return 100 * taken / all
		case "undo":
			return a.Enabled(undoButton)
		}
		return nil
	},
}

// TestTouch shows how a finger draws pipes, and where buttons lead.
func TestTouch(t *testing.T) { suite.Scripts(t, "testdata/touch/*.txt") }

// FuzzTouch expects that what is drawn keeps the rules of the game at every
// moment, and that a level that is won has passed the checker.
func FuzzTouch(f *testing.F) {
	for i := range puzzles {
		f.Add(uint8(i), []byte{0, 0, 0, 1, 60, 0, 1, 120, 0, 1, 120, 60, 2, 250, 250, 3, 0, 0, 0, 250, 250, 1, 0, 0})
	}
	f.Add(uint8(9), []byte{0, 60, 120, 1, 190, 120, 2, 190, 120}) // wins
	suite.FuzzTouch(f, puzzles, func(a *app) simapp.Box { return a.Layout().board }, func(t *testing.T, a *app, touch func()) {
		touch()
		checkDrawn(t, a.Play)
	})
}

// checkDrawn tests what must hold whatever the finger does.
func checkDrawn(t *testing.T, b *level) {
	p := b.puzzle
	used := map[int]int{}
	for pipe, path := range b.Lines {
		for i, s := range path {
			if i == 0 && p.PipeAt(s.Cell) != pipe {
				t.Fatalf("pipe %d begins at cell %d, which is no end of it", pipe, s.Cell)
			}
			if i > 0 && p.Neighbour(path[i-1].Cell, s.Dir) != s.Cell {
				t.Fatalf("pipe %d steps from cell %d to %d", pipe, path[i-1].Cell, s.Cell)
			}
			if i > 1 && p.Bridge(path[i-1].Cell) && path[i-1].Dir != s.Dir {
				t.Fatalf("pipe %d turns on the bridge at cell %d", pipe, path[i-1].Cell)
			}
			if end := p.PipeAt(s.Cell); end >= 0 && end != pipe || i > 0 && i < len(path)-1 && end >= 0 {
				t.Fatalf("pipe %d runs over the end at cell %d", pipe, s.Cell)
			}
			if other, ok := used[b.Slot(s)]; ok {
				t.Fatalf("pipes %d and %d are both on cell %d", other, pipe, s.Cell)
			}
			used[b.Slot(s)] = pipe
		}
	}
	if !b.Complete() {
		return
	}
	s, err := p.ParseSolution(b.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	if err := s.Check(); err != nil {
		t.Fatalf("won, but %v\n%s", err, b)
	}
}
