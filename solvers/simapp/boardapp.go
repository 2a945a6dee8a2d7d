package simapp

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
}

// BoardLayout is where everything lies on a screen with a level.
type BoardLayout[At any] interface {
	Frame
	Base() *Layout
	// Under is where on the board a place of the screen is; false beside it.
	Under(x, y float64) (at At, ok bool)
}

// BoardGame is a game as an app of levels shows it, on each of which a finger draws or
// taps.
type BoardGame[P solvers.Puzzle, At any, L BoardLevel[At], Y BoardLayout[At]] struct {
	Game   solvers.Game
	Title  string // of the app, where the options have no pack
	Done   string // what a player did who completes a level: "You placed all queens"
	Counts string // what Moves counts: "move"
	Last   string // what a player reads after the last level, before the pack's name
	New    func(P) L
	Layout func(image.Point, P) Y
}

// BoardApp is an app of levels without its drawing.
type BoardApp[At any, L BoardLevel[At], Y BoardLayout[At]] struct {
	App
	Play L // the level on the screen

	game, done, counts, last string

	open   func(level int) L
	layOut func(level int) Y
	layout *Y // nil when it is to be laid out anew
}

// Make makes the app without its drawing. It fails without levels and with puzzles of
// another game.
func (g BoardGame[P, At, L, Y]) Make(levels []solvers.Puzzle, o Options) (*BoardApp[At, L, Y], error) {
	if len(levels) == 0 {
		return nil, fmt.Errorf("%s: no levels for the simulated app, expected at least one", g.Game.Name())
	}
	puzzles, err := Puzzles[P](g.Game, levels)
	if err != nil {
		return nil, err
	}
	a := &BoardApp[At, L, Y]{game: g.Game.Name(), done: g.Done, counts: g.Counts, last: g.Last}
	a.open = func(level int) L { return g.New(puzzles[level]) }
	a.layOut = func(level int) Y { return g.Layout(a.Size, puzzles[level]) }
	a.App = App{Stage: boardStage[At, L, Y]{a}, Levels: len(levels), Title: cmp.Or(o.Pack, g.Title), Celebration: Celebration, Bare: o.Bare}
	a.Show(1)
	return a, nil
}

// Package is the app's name on the phone.
func (a *BoardApp[At, L, Y]) Package() string { return "com.example." + a.game }

// Moves is the number of moves made on the level.
func (a *BoardApp[At, L, Y]) Moves() int { return a.Play.Moves() }

// Board is what is played, in the game's notation.
func (a *BoardApp[At, L, Y]) Board() string { return a.Play.String() }

// Layout is where everything lies on the screen.
func (a *BoardApp[At, L, Y]) Layout() Y {
	if a.layout == nil || (*a.layout).Base().Size != a.Size {
		l := a.layOut(a.Shown)
		a.layout = &l
	}
	return *a.layout
}

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

// DrawOver draws what lies over a level: Android's bars, and a panel where there is one.
func (a *App) DrawOver(c screen.Canvas, l *Layout, now time.Duration, look PanelLook) {
	l.DrawSystem(c, now, look.Ink)
	if a.Panel.Kind != NoPanel {
		l.DrawPanel(c, a.Panel, look)
	}
}

// boardStage is the board as [App] wants it.
type boardStage[At any, L BoardLevel[At], Y BoardLayout[At]] struct{ *BoardApp[At, L, Y] }

func (s boardStage[At, L, Y]) Open(int) {
	s.layout = nil
	s.Restart()
}

func (s boardStage[At, L, Y]) Restart()       { s.Play = s.open(s.Shown) }
func (s boardStage[At, L, Y]) Leave() bool    { return false }
func (s boardStage[At, L, Y]) Frame() Frame   { return s.Layout() }
func (s boardStage[At, L, Y]) Complete() bool { return s.Play.Complete() }

func (s boardStage[At, L, Y]) Begin(x, y float64) bool {
	at, ok := s.Layout().Under(x, y)
	return ok && s.Play.Begin(at)
}

func (s boardStage[At, L, Y]) Drag(x, y float64) bool {
	s.Pass(x, y, s.Layout().Base().Pitch, func(x, y float64) {
		if at, ok := s.Layout().Under(x, y); ok {
			s.Play.Enter(at)
		}
	})
	return false
}

func (s boardStage[At, L, Y]) Lift() bool {
	s.Play.Lift()
	return s.Complete()
}

func (s boardStage[At, L, Y]) Completed() Panel {
	return Completed(s.done, "in "+board.Count(s.Moves(), s.counts)+".")
}

func (s boardStage[At, L, Y]) Ended() Panel { return Ended(s.last, s.Title+".") }

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
