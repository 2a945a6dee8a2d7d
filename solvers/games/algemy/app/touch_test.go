package app

import (
	"math"
	"strings"
	"testing"
	"time"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/algemy"
	"tapwise/solvers/gametest"
)

// suite is the app as the suite touches it. Points are rows and columns of
// cells, and parts of them; wheel-R is that colour on the wheel, wheel-middle
// its middle.
var suite = gametest.Sim[*app]{
	Game: algemy.Game{},
	Make: New,
	Place: func(a *app, name string) (x, y float64, ok bool) {
		l := a.lay()
		if row, col, ok := gametest.Point(name); ok {
			r := min(max(int(math.Round(row)), 0), l.puzzle.Rows()-1)
			c := min(max(int(math.Round(col)), 0), l.puzzle.RowWidth(r)-1)
			at := l.centres[l.puzzle.At(r, c)]
			return at[0] + (col-float64(c))*l.Pitch, at[1] + (row-float64(r))*l.Pitch, true
		}
		if colour, ok := strings.CutPrefix(name, "wheel-"); ok {
			if a.wheel == board.None {
				return 0, 0, false
			}
			at := l.centres[a.wheel]
			if k := strings.Index("ROYGBV", colour); k >= 0 {
				sin, cos := math.Sincos(float64(k) * math.Pi / 3)
				at[0], at[1] = at[0]+0.75*l.Pitch*sin, at[1]-0.75*l.Pitch*cos
			}
			return at[0], at[1], true
		}
		if x, y, ok := gametest.SimappPlace(&a.App, name); ok {
			return x, y, true
		}
		panel := l.Panel(simapp.Panel{})
		box, ok := map[string]simapp.Box{
			"home": l.Buttons[homeButton], "toggle": l.Buttons[toggleButton], "play": l.Buttons[playButton],
			"android-back": l.Buttons[simapp.BackKey], "ok": panel.Buttons[0], "close": panel.Close,
		}[name]
		x, y = box.Centre()
		return x, y, ok
	},
	Fact: func(a *app, name string, now time.Duration) any {
		switch name {
		case "screen":
			return a.Screen()
		case "night":
			return a.night
		case "full": // crystals that have their colour
			n := 0
			for c := range board.Cell(a.board.puzzle.Cells()) {
				if a.board.puzzle.Crystal(c) != algemy.Empty && a.board.satisfied(c) {
					n++
				}
			}
			return n
		}
		return nil
	},
}

// TestTouch shows what taps do, and where buttons lead.
func TestTouch(t *testing.T) { suite.Scripts(t, "testdata/touch/*.txt") }

// FuzzTouch expects that sources stand where they may, and that a level that
// is won has passed the checker.
func FuzzTouch(f *testing.F) {
	puzzles := []string{"- - -\n- R -\n- - -", "hard\n- - -\n- - X -\n- B - - -\n- - - -\nV - -"}
	f.Add(uint8(0), []byte{0, 71, 122, 2, 71, 122, 0, 71, 96, 2, 71, 96})
	f.Add(uint8(1), []byte{4, 60, 90, 6, 60, 90, 3, 0, 0, 0, 105, 105, 2, 105, 105, 0, 113, 113, 2, 113, 113})
	suite.FuzzTouch(f, puzzles, func(a *app) simapp.Box { return a.lay().board }, func(t *testing.T, a *app, touch func()) {
		touch()
		p := a.board.puzzle
		for c, colour := range a.board.sources {
			if p.Crystal(c) != algemy.Empty || !p.Colours().Has(colour) {
				t.Fatalf("source %v on %s", colour, p.Name(c))
			}
		}
		if err := a.board.solution().Check(); a.Won() != (err == nil) {
			t.Fatalf("won %v, but the checker says %v\n%s", a.Won(), err, a.Board())
		}
	})
}
