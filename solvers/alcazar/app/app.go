package app

import (
	"fmt"

	"tapwise/solvers"
	"tapwise/solvers/alcazar"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
)

// app is the app of the simulated phone.
type app struct {
	simapp.App
	levels []*alcazar.Puzzle
	look   look

	board  *level
	layout *layout // nil when it is to be laid out anew
}

// newApp is an app that offers the levels, at least one, in order. The options'
// style has been checked; a word of it that is not known changes nothing.
func newApp(levels []*alcazar.Puzzle, o simapp.Options) *app {
	look, _ := parseStyle(o.Style, o.Seed)
	a := &app{levels: levels, look: look}
	a.Stage, a.Levels, a.Title = stage{a}, len(levels), o.Pack
	if a.Title == "" {
		a.Title = "Alcazar"
	}
	a.Show(0)
	return a
}

// Package is the app's name on the phone.
func (a *app) Package() string { return "com.example.alcazar" }

// Moves is the number of strokes that changed the path.
func (a *app) Moves() int { return a.board.moves }

// Board is the path as it is drawn so far, in the notation of solutions.
func (a *app) Board() string { return a.board.String() }

// lay lays the screen out when its size or contents have changed.
func (a *app) lay() *layout {
	if a.layout == nil || a.layout.Size != a.Size {
		a.layout = newLayout(a.Size, a.levels[a.Shown])
	}
	return a.layout
}

// stage is the palace as the app's frame wants it.
type stage struct{ app *app }

func (s stage) Open(int) {
	s.app.layout = nil
	s.Restart()
}

func (s stage) Restart()                { s.app.board = newLevel(s.app.levels[s.app.Shown]) }
func (s stage) Frame() *simapp.Layout   { return &s.app.lay().Layout }
func (s stage) Pitch() float64          { return s.app.lay().pitch }
func (s stage) Begin(x, y float64) bool { return s.app.board.begin(s.app.lay().placeAt(x, y)) }
func (s stage) Enter(x, y float64)      { s.app.board.enter(s.app.lay().placeAt(x, y)) }
func (s stage) Lift()                   { s.app.board.lift() }
func (s stage) Complete() bool          { return s.app.board.complete() }

func (s stage) Words() simapp.Words {
	return simapp.Words{
		Complete: []string{"You crossed the palace", "in " + board.Count(s.app.board.moves, "stroke") + "."},
		Pack:     []string{"You crossed every palace of", s.app.Title + "."},
	}
}

// place is where a finger is.
type place struct {
	room    board.Cell // board.None when it is in no room
	door    int        // in a room, the nearest of its openings; -1 when it has none
	outside int        // the opening that the finger is just outside of; -1 when it is not
}

// New makes an app that offers the levels in order. The options' Style is words:
// light (parchment, the default) or dark (a night), and thick or thin walls. Walls
// are thick when it is light and thin when it is dark unless the style says
// otherwise. The Seed chooses the path's colour. It fails without levels, with
// puzzles of another game and with a style of other words.
func New(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	if _, err := parseStyle(o.Style, o.Seed); err != nil {
		return nil, err
	}
	if len(levels) == 0 {
		return nil, fmt.Errorf("alcazar: no levels for the simulated app, expected at least one")
	}
	puzzles, err := simapp.Puzzles[*alcazar.Puzzle](alcazar.Game{}, levels)
	if err != nil {
		return nil, err
	}
	return newApp(puzzles, o), nil
}
