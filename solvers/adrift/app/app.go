package app

import (
	"fmt"
	"image"
	"image/color"

	"tapwise/solvers"
	"tapwise/solvers/adrift"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
)

// app is the app of the simulated phone.
type app struct {
	simapp.App
	levels []*adrift.Puzzle
	seed   uint64
	look   look

	board   *level
	colours []color.NRGBA // of the board's chains
	layout  *layout       // nil when it is to be laid out anew
	cube    *image.NRGBA  // the empty cube as the layout has it; nil when it is to be painted anew
}

// newApp is an app that offers the levels, at least one, in order. The options'
// style has been checked; a word of it that is not known changes nothing.
func newApp(levels []*adrift.Puzzle, o simapp.Options) *app {
	look, _ := parseStyle(o.Style)
	a := &app{levels: levels, seed: o.Seed, look: look}
	a.Stage, a.Levels, a.Title = stage{a}, len(levels), o.Pack
	if a.Title == "" {
		a.Title = "Adrift"
	}
	a.Show(0)
	return a
}

// Package is the app's name on the phone.
func (a *app) Package() string { return "com.example.adrift" }

// Moves is the number of moves made on the level: strokes, of which those that
// go on with the same chain count once.
func (a *app) Moves() int { return a.board.moves }

// Board is the chains as they are drawn so far, in the notation of solutions.
func (a *app) Board() string { return a.board.String() }

// lay lays the screen out when its size or contents have changed.
func (a *app) lay() *layout {
	if a.layout == nil || a.layout.Size != a.Size {
		a.layout, a.cube = newLayout(a.Size, a.levels[a.Shown]), nil
	}
	return a.layout
}

// stage is the cube as the app's frame wants it.
type stage struct{ app *app }

func (s stage) Open(level int) {
	s.app.layout = nil
	s.app.colours = s.app.look.Chains(s.app.levels[level])
	s.Restart()
}

func (s stage) Restart()              { s.app.board = newLevel(s.app.levels[s.app.Shown]) }
func (s stage) Frame() *simapp.Layout { return &s.app.lay().Layout }
func (s stage) Pitch() float64        { return s.app.lay().pitch }
func (s stage) Lift()                 { s.app.board.lift() }
func (s stage) Complete() bool        { return s.app.board.complete() }

func (s stage) Begin(x, y float64) bool {
	c := s.app.lay().cellAt(x, y)
	return c != board.None && s.app.board.begin(c)
}

func (s stage) Enter(x, y float64) {
	if c := s.app.lay().cellAt(x, y); c != board.None {
		s.app.board.enter(c)
	}
}

func (s stage) Words() simapp.Words {
	return simapp.Words{
		Complete: []string{"You joined all chains", "in " + board.Count(s.app.board.moves, "move") + "."},
		Pack:     []string{"You joined all chains of", s.app.Title + "."},
	}
}

// New makes an app that offers the levels in order. The options' Style is words:
// dark (a starry night, the default) or light (a bright day), and thick or thin
// lines. Lines are thin when it is dark and thick when it is light unless the
// style says otherwise. The Seed places what floats around the cube. It fails
// without levels, with puzzles of another game and with a style of other words.
func New(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	if _, err := parseStyle(o.Style); err != nil {
		return nil, err
	}
	if len(levels) == 0 {
		return nil, fmt.Errorf("adrift: no levels for the simulated app, expected at least one")
	}
	puzzles, err := simapp.Puzzles[*adrift.Puzzle](adrift.Game{}, levels)
	if err != nil {
		return nil, err
	}
	return newApp(puzzles, o), nil
}
