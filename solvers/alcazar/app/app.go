package app

import (
	"cmp"
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

// New makes an app that offers the levels in order. The options' Style is words:
// light (parchment, the default) or dark (a night), and thick or thin walls. Walls
// are thick when it is light and thin when it is dark unless the style says
// otherwise. The Seed chooses the path's colour. It fails without levels, with
// puzzles of another game and with a style of other words.
func New(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	look, err := parseStyle(o.Style, o.Seed)
	if err != nil {
		return nil, err
	}
	if len(levels) == 0 {
		return nil, fmt.Errorf("alcazar: no levels for the simulated app, expected at least one")
	}
	puzzles, err := simapp.Puzzles[*alcazar.Puzzle](alcazar.Game{}, levels)
	if err != nil {
		return nil, err
	}
	a := &app{levels: puzzles, look: look}
	a.App = simapp.App{Stage: stage{a}, Levels: len(levels), Title: cmp.Or(o.Pack, "Alcazar"), Celebration: simapp.Celebration, Bare: o.Bare}
	a.Show(1)
	return a, nil
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

// stage is the palace as [simapp.App] wants it.
type stage struct{ *app }

func (s stage) Open(int) {
	s.layout = nil
	s.Restart()
}

func (s stage) Restart()                { s.board = newLevel(s.levels[s.Shown]) }
func (s stage) Leave() bool             { return false }
func (s stage) Frame() simapp.Frame     { return s.lay() }
func (s stage) Begin(x, y float64) bool { return s.board.begin(s.lay().placeAt(x, y)) }

func (s stage) Drag(x, y float64) bool {
	s.Pass(x, y, s.lay().pitch, func(x, y float64) { s.board.enter(s.lay().placeAt(x, y)) })
	return false
}

func (s stage) Lift() bool {
	s.board.lift()
	return s.Complete()
}

func (s stage) Complete() bool { return s.board.complete() }

func (s stage) Completed() simapp.Panel {
	return simapp.Completed("You crossed the palace", "in "+board.Count(s.board.moves, "stroke")+".")
}

func (s stage) Ended() simapp.Panel {
	return simapp.Ended("You crossed every palace of", s.Title+".")
}

// place is where a finger is.
type place struct {
	room    board.Cell // board.None when it is in no room
	door    int        // in a room, the nearest of its openings; -1 when it has none
	outside int        // the opening that the finger is just outside of; -1 when it is not
}
