package app

import (
	"cmp"
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
	colours []color.NRGBA // the chains', by colour
	layout  *layout       // nil when it is to be laid out anew
	cube    *image.NRGBA  // the empty cube as the layout has it; nil when it is to be painted anew
}

// New makes an app that offers the levels in order. The options' Style is words:
// dark (a starry night, the default) or light (a bright day), and thick or thin
// lines. Lines are thin when it is dark and thick when it is light unless the
// style says otherwise. The Seed places what floats around the cube. It fails
// without levels, with puzzles of another game and with a style of other words.
func New(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	look, err := parseStyle(o.Style)
	if err != nil {
		return nil, err
	}
	if len(levels) == 0 {
		return nil, fmt.Errorf("adrift: no levels for the simulated app, expected at least one")
	}
	puzzles, err := simapp.Puzzles[*adrift.Puzzle](adrift.Game{}, levels)
	if err != nil {
		return nil, err
	}
	a := &app{levels: puzzles, seed: o.Seed, look: look}
	a.App = simapp.App{Stage: stage{a}, Levels: len(levels), Title: cmp.Or(o.Pack, "Adrift"), Celebration: simapp.Celebration, Bare: o.Bare}
	a.Show(1)
	return a, nil
}

// Package is the app's name on the phone.
func (a *app) Package() string { return "com.example.adrift" }

// Moves is the number of moves made on the level: strokes, but those that go on
// with the same chain count once.
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

// stage is the cube as [simapp.App] wants it.
type stage struct{ *app }

func (s stage) Open(level int) {
	s.layout = nil
	s.colours = s.look.Chains(s.levels[level])
	s.Restart()
}

func (s stage) Restart()            { s.board = newLevel(s.levels[s.Shown]) }
func (s stage) Leave() bool         { return false }
func (s stage) Frame() simapp.Frame { return s.lay() }

func (s stage) Begin(x, y float64) bool {
	c := s.lay().cellAt(x, y)
	return c != board.None && s.board.begin(c)
}

func (s stage) Drag(x, y float64) bool {
	s.Pass(x, y, s.lay().pitch, func(x, y float64) {
		if c := s.lay().cellAt(x, y); c != board.None {
			s.board.enter(c)
		}
	})
	return false
}

func (s stage) Lift() bool {
	s.board.lift()
	return s.Complete()
}

func (s stage) Complete() bool { return s.board.complete() }

func (s stage) Completed() simapp.Panel {
	return simapp.Completed("You joined all chains", "in "+board.Count(s.board.moves, "move")+".")
}

func (s stage) Ended() simapp.Panel {
	return simapp.Ended("You joined all chains of", s.Title+".")
}
