package alcazar

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/simapp"
)

// simApp is the app of the simulated phone.
type simApp struct {
	simapp.App
	levels []*Puzzle
	look   simLook

	board  *simBoard
	layout *simLayout // nil when it is to be laid out anew
}

// newApp is an app that offers the levels, at least one, in order. The options'
// style has been checked; a word of it that is not known changes nothing.
func newApp(levels []*Puzzle, o solvers.SimulateOptions) *simApp {
	look, _ := parseSimStyle(o.Style, o.Seed)
	a := &simApp{levels: levels, look: look}
	a.Stage, a.Levels, a.Title = simStage{a}, len(levels), o.Pack
	if a.Title == "" {
		a.Title = "Alcazar"
	}
	a.Show(0)
	return a
}

// Package is the app's name on the phone.
func (a *simApp) Package() string { return "com.example.alcazar" }

// Moves is the number of strokes that changed the path.
func (a *simApp) Moves() int { return a.board.moves }

// Board is the path as it is drawn so far, in the notation of solutions.
func (a *simApp) Board() string { return a.board.String() }

// lay lays the screen out when its size or contents have changed.
func (a *simApp) lay() *simLayout {
	if a.layout == nil || a.layout.Size != a.Size {
		a.layout = newSimLayout(a.Size, a.levels[a.Shown])
	}
	return a.layout
}

// simStage is the palace as the app's frame wants it.
type simStage struct{ app *simApp }

func (s simStage) Open(int) {
	s.app.layout = nil
	s.Restart()
}

func (s simStage) Restart()                { s.app.board = newSimBoard(s.app.levels[s.app.Shown]) }
func (s simStage) Frame() *simapp.Layout   { return &s.app.lay().Layout }
func (s simStage) Pitch() float64          { return s.app.lay().pitch }
func (s simStage) Begin(x, y float64) bool { return s.app.board.begin(s.app.lay().placeAt(x, y)) }
func (s simStage) Enter(x, y float64)      { s.app.board.enter(s.app.lay().placeAt(x, y)) }
func (s simStage) Lift()                   { s.app.board.lift() }
func (s simStage) Complete() bool          { return s.app.board.complete() }

func (s simStage) Words() simapp.Words {
	return simapp.Words{
		Complete: []string{"You crossed the palace", "in " + board.Count(s.app.board.moves, "stroke") + "."},
		Pack:     []string{"You crossed every palace of", s.app.Title + "."},
	}
}

// simPlace is where a finger is.
type simPlace struct {
	room    board.Cell // board.None when it is in no room
	door    int        // in a room, the nearest of its openings; -1 when it has none
	outside int        // the opening that the finger is just outside of; -1 when it is not
}
