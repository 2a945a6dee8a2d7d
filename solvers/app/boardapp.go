package app

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"strings"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// BoardLevel is a level as a finger changes it. It knows no pixels: At is where on the
// board a finger can be.
type BoardLevel[At any] interface {
	// Begin is a finger that comes down; false when it takes hold of nothing.
	Begin(at At) bool
	// Enter moves the finger that has hold of something, to a place or within one.
	Enter(at At)
	// Lift takes the finger off.
	Lift()
	Complete() bool
	Moves() int     // taps or strokes made so far
	String() string // what is played, in the game's notation
	Picture() solvers.Picture
}

// BoardLayout is where everything lies on a screen with a level.
type BoardLayout[At any] interface {
	Frame
	Base() *Layout
	// Under is where on the board a place of the screen is; false beside it.
	Under(x, y float64) (at At, ok bool)
	// Corner is where on the screen the corner of the level's picture would be.
	Corner() (x, y float64)
	Places() []Place
}

// BoardGame is a game as an app of levels shows it, on each of which a finger draws or
// taps.
type BoardGame[P solvers.Puzzle, At any, L BoardLevel[At], Y BoardLayout[At]] struct {
	Game        solvers.Game
	Title       string        // of the app, where the options have no pack
	Done        string        // what a player did who completes a level: "You placed all queens"
	Counts      string        // what Moves counts: "move"
	Last        string        // what a player reads after the last level, before the pack's name
	Celebration time.Duration // 0 is the usual one
	// Home says that the app has a home page, which is all that it shows without levels.
	Home   bool
	New    func(P) L
	Layout func(image.Point, P) Y // the puzzle is nil on the home page
}

// BoardApp is an app of levels without its drawing. It is its own [Stage]; an app that embeds
// it, replaces a part of that and sets Stage to itself has the rest from it.
type BoardApp[At any, L BoardLevel[At], Y BoardLayout[At]] struct {
	App
	Play L // the level on the screen

	game, done, counts, last string

	open   func(level int) L
	layOut func() Y
	layout *Y   // nil when it is to be laid out anew
	atHome bool // it is the home page's
}

// Make makes the app without its drawing. It fails with puzzles of another game and, for an
// app without a home page, without levels.
func (g BoardGame[P, At, L, Y]) Make(levels []solvers.Puzzle, o Options) (*BoardApp[At, L, Y], error) {
	if len(levels) == 0 && !g.Home {
		return nil, fmt.Errorf("%s: no levels for the simulated app, expected at least one", g.Game.Name())
	}
	puzzles, err := Puzzles[P](g.Game, levels)
	if err != nil {
		return nil, err
	}
	a := &BoardApp[At, L, Y]{game: g.Game.Name(), done: g.Done, counts: g.Counts, last: g.Last}
	a.open = func(level int) L { return g.New(puzzles[level]) }
	a.layOut = func() Y {
		var p P
		if !a.Home {
			p = puzzles[a.Shown]
		}
		return g.Layout(a.Size, p)
	}
	a.App = App{Stage: a, Levels: len(levels), Title: cmp.Or(o.Pack, g.Title), Celebration: cmp.Or(g.Celebration, Celebration), Bare: o.Bare, Home: g.Home}
	a.Show(1)
	return a, nil
}

// Package is the app's name on the phone.
func (a *BoardApp[At, L, Y]) Package() string { return "com.example." + a.game }

// Moves is the number of moves made on the level.
func (a *BoardApp[At, L, Y]) Moves() int {
	if a.Levels == 0 {
		return 0
	}
	return a.Play.Moves()
}

// Board is what is played, in the game's notation.
func (a *BoardApp[At, L, Y]) Board() string {
	if a.Levels == 0 {
		return ""
	}
	return a.Play.String()
}

// Layout is where everything lies on the screen.
func (a *BoardApp[At, L, Y]) Layout() Y {
	if a.layout == nil || (*a.layout).Base().Size != a.Size || a.atHome != a.Home {
		l := a.layOut()
		a.layout, a.atHome = &l, a.Home
	}
	return *a.layout
}

// Sheet is the board as it stands.
func (a *BoardApp[At, L, Y]) Sheet(size image.Point) Sheet {
	a.Size = size
	l := a.Layout()
	x, y := l.Corner()
	s := Sheet{Picture: a.Play.Picture(), X: x, Y: y, Pitch: l.Base().Pitch, Places: l.Places()}
	if play, ok := any(a.Play).(interface{ Over() []solvers.Shape }); ok {
		s.Over = play.Over()
	}
	return s
}

// Open shows a level as it begins.
func (a *BoardApp[At, L, Y]) Open(int) {
	a.layout = nil
	a.Stage.Restart()
}

// Restart begins the level anew.
func (a *BoardApp[At, L, Y]) Restart() { a.Play = a.open(a.Shown) }

// Leave leads nowhere.
func (a *BoardApp[At, L, Y]) Leave() bool { return false }

// Frame is Layout for a [Stage].
func (a *BoardApp[At, L, Y]) Frame() Frame { return a.Layout() }

// Begin takes hold of what is under the finger.
func (a *BoardApp[At, L, Y]) Begin(x, y float64) bool {
	at, ok := a.Layout().Under(x, y)
	return ok && a.Play.Begin(at)
}

// Drag moves the finger through all places on its way.
func (a *BoardApp[At, L, Y]) Drag(x, y float64) bool {
	a.Pass(x, y, a.Layout().Base().Pitch, func(x, y float64) {
		if at, ok := a.Layout().Under(x, y); ok {
			a.Play.Enter(at)
		}
	})
	return false
}

// Lift takes the finger off.
func (a *BoardApp[At, L, Y]) Lift() bool {
	a.Play.Lift()
	return a.Complete()
}

// Complete reports whether there is a level and it is complete.
func (a *BoardApp[At, L, Y]) Complete() bool { return a.Levels > 0 && a.Play.Complete() }

// Completed says what was done, and in how many moves.
func (a *BoardApp[At, L, Y]) Completed() Panel {
	return Completed(a.done, "in "+board.Count(a.Moves(), a.counts)+".")
}

// Ended says that it was the pack's last level.
func (a *BoardApp[At, L, Y]) Ended() Panel { return Ended(a.last, a.Title+".") }

// DrawButtons draws the four buttons beside a board, each with its ink: faint where it does
// nothing.
func (a *App) DrawButtons(ink, faint color.NRGBA, draw func(b Button, box Box, ink color.NRGBA)) {
	boxes := a.Stage.Frame().Boxes()
	for b := PreviousButton; b <= HintButton; b++ {
		if a.Enabled(b) {
			draw(b, boxes[b], ink)
		} else {
			draw(b, boxes[b], faint)
		}
	}
}

// DrawRoundButtons draws them as signs on discs.
func (a *App) DrawRoundButtons(c screen.Canvas, ink, faint, disc color.NRGBA) {
	a.DrawButtons(ink, faint, func(b Button, box Box, ink color.NRGBA) { RoundButton(c, b, box, disc, ink) })
}

// DrawOver draws what lies over a level: Android's bars, and a panel where there is one.
func (a *App) DrawOver(c screen.Canvas, l *Layout, now time.Duration, look PanelLook) {
	l.DrawSystem(c, now, look.Ink)
	if a.Panel.Kind != NoPanel {
		l.DrawPanel(c, a.Panel, look)
	}
}

// StyleWords reads a style of words: each is applied, in order. The error of one that
// apply does not know says what was expected.
func StyleWords(game solvers.Game, style, expected string, apply func(word string) bool) error {
	for _, word := range strings.Fields(style) {
		if !apply(word) {
			return fmt.Errorf("%s: style %q, expected %s", game.Name(), word, expected)
		}
	}
	return nil
}

// LinedStyle reads a style whose words name a look and how wide lines are. Without words it
// is the usual look; the width is 0 where no word tells one.
func LinedStyle[L any](game solvers.Game, style, expected string, usual L, looks map[string]L, widths map[string]float64) (look L, width float64, err error) {
	look = usual
	err = StyleWords(game, style, expected, func(word string) bool {
		named, isLook := looks[word]
		wide, isWidth := widths[word]
		if isLook {
			look = named
		}
		width = cmp.Or(wide, width)
		return isLook || isWidth
	})
	return look, width, err
}
