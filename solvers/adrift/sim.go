package adrift

import (
	"image"
	"image/color"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/simapp"
)

// simApp is the app of the simulated phone.
type simApp struct {
	simapp.App
	levels []*Puzzle
	seed   uint64
	look   simLook

	board   *simBoard
	colours []color.NRGBA // of the board's chains
	layout  *simLayout    // nil when it is to be laid out anew
	cube    *image.NRGBA  // the empty cube as the layout has it; nil when it is to be painted anew
}

// newApp is an app that offers the levels, at least one, in order. The options'
// style has been checked; a word of it that is not known changes nothing.
func newApp(levels []*Puzzle, o solvers.SimulateOptions) *simApp {
	look, _ := parseSimStyle(o.Style)
	a := &simApp{levels: levels, seed: o.Seed, look: look}
	a.Stage, a.Levels, a.Title = simStage{a}, len(levels), o.Pack
	if a.Title == "" {
		a.Title = "Adrift"
	}
	a.Show(0)
	return a
}

// Package is the app's name on the phone.
func (a *simApp) Package() string { return "com.example.adrift" }

// Moves is the number of moves made on the level: strokes, of which those that
// go on with the same chain count once.
func (a *simApp) Moves() int { return a.board.moves }

// Board is the chains as they are drawn so far, in the notation of solutions.
func (a *simApp) Board() string { return a.board.String() }

// lay lays the screen out when its size or contents have changed.
func (a *simApp) lay() *simLayout {
	if a.layout == nil || a.layout.Size != a.Size {
		a.layout, a.cube = newSimLayout(a.Size, a.levels[a.Shown]), nil
	}
	return a.layout
}

// simStage is the cube as the app's frame wants it.
type simStage struct{ app *simApp }

func (s simStage) Open(level int) {
	s.app.layout = nil
	s.app.colours = s.app.look.coloursOf(s.app.levels[level])
	s.Restart()
}

func (s simStage) Restart()              { s.app.board = newSimBoard(s.app.levels[s.app.Shown]) }
func (s simStage) Frame() *simapp.Layout { return &s.app.lay().Layout }
func (s simStage) Pitch() float64        { return s.app.lay().pitch }
func (s simStage) Lift()                 { s.app.board.lift() }
func (s simStage) Complete() bool        { return s.app.board.complete() }

func (s simStage) Begin(x, y float64) bool {
	c := s.app.lay().cellAt(x, y)
	return c != board.None && s.app.board.begin(c)
}

func (s simStage) Enter(x, y float64) {
	if c := s.app.lay().cellAt(x, y); c != board.None {
		s.app.board.enter(c)
	}
}

func (s simStage) Words() simapp.Words {
	return simapp.Words{
		Complete: []string{"You joined all chains", "in " + board.Count(s.app.board.moves, "move") + "."},
		Pack:     []string{"You joined all chains of", s.app.Title + "."},
	}
}
