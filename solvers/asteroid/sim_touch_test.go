package asteroid

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tapwise/solvers/board"
	"tapwise/solvers/gametest"
	"tapwise/solvers/simapp"
)

// simTest is the app as the suite touches it. Points are rows and columns of
// places, and parts of them; the fact offset-R,C is how far the tile there is
// from its place, in rows and columns.
var simTest = gametest.Sim[*simApp]{
	Game: Game{},
	Place: func(a *simApp, name string) (x, y float64, ok bool) {
		l := a.lay()
		if row, col, ok := gametest.Point(name); ok {
			return l.centres[0][0] + col*l.pitch, l.centres[0][1] + row*l.pitch, true
		}
		button, ok := map[string]simButton{
			"previous": previousButton, "restart": restartButton, "next": nextButton, "play": playButton, "close": closeButton,
			"next-level": nextLevelButton, "again": againButton, "ok": okButton, "android-back": androidBackButton,
		}[name]
		x, y = l.buttons[button].Centre()
		return x, y, ok
	},
	Fact: func(a *simApp, name string, now time.Duration) any {
		if place, ok := strings.CutPrefix(name, "offset-"); ok {
			row, col, _ := gametest.Point(place)
			x, y := a.offset(size.At(int(row), int(col)), now)
			return fmt.Sprintf("%.2f,%.2f", y+0, x+0)
		}
		if name == "screen" {
			return a.Screen()
		}
		return nil
	},
}

// TestSimTouch shows how tiles slide, and where buttons lead.
func TestSimTouch(t *testing.T) { simTest.Scripts(t, "testdata/touch/*.txt") }

// FuzzSimTouch expects that every slide is one that the solver knows.
func FuzzSimTouch(f *testing.F) {
	puzzles := []string{"+--+--+--+\n|a |aa|  |\n|  |  |A |\n+--+--+--+\n|  |  |  |\n|a |  | a|\n+--+--+--+\n|a |SS|  |\n|  |  | a|\n+--+--+--+"}
	f.Add(uint8(0), []byte{0, 128, 189, 2, 128, 221, 0, 63, 63, 1, 96, 63, 2, 96, 63})
	f.Add(uint8(0), []byte{4, 60, 90, 6, 60, 90, 3, 0, 0, 0, 128, 128, 2, 128, 128, 0, 128, 205, 1, 128, 234, 2, 128, 234})
	simTest.FuzzTouch(f, puzzles, func(a *simApp) simapp.Box { return a.lay().board }, func(t *testing.T, a *simApp, touch func()) {
		before, moves, level := a.at, a.moves, a.level
		touch()
		if a.level == level && a.moves == moves+1 {
			checkSlide(t, before, a.at, a.escaped)
		} else if start := a.levels[a.level].at; a.at != before && a.at != start {
			t.Fatalf("without a move the board changed from\n%s\nto\n%s", draw(before), draw(a.at))
		}
	})
}

// checkSlide looks for the move that the solver would call what happened.
func checkSlide(t *testing.T, before, after [cells]piece, escaped bool) {
	r, p := (&Puzzle{at: before}).rules()
	if escaped {
		want := before
		want[door] = hole
		if !r.leaves(p) || after != want {
			t.Fatalf("the spacecraft left from\n%s\nto\n%s", draw(before), draw(after))
		}
		return
	}
	for d := range board.Dir(4) {
		if from := p.mover(d); from != board.None && r.slides(p, from, d) && slices.Equal(after[:], r.puzzleAt(p.slid(from))) {
			return
		}
	}
	t.Fatalf("no slide leads from\n%s\nto\n%s", draw(before), draw(after))
}

// puzzleAt is a position as pieces.
func (r *rules) puzzleAt(p position) []piece {
	at := r.puzzle(p).at
	return at[:]
}
