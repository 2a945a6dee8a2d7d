package app

import (
	"image"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// Desk is an app whose board can be played by itself, without what is around it on a screen.
type Desk interface {
	// Sheet is the board as it stands, as the app would have it on a screen of a size.
	Sheet(size image.Point) Sheet
	// Hand is one finger on the board, in pixels of that screen, where nothing else is.
	Hand(action int, x, y float64)
	Won() bool
	Moves() int
	Board() string // what is played, in the game's notation
}

// Sheet is the picture of a board as it stands.
type Sheet struct {
	Picture solvers.Picture
	Over    []solvers.Shape // what lies over it and is no part of the board: keys, a choice
	X, Y    float64         // of the picture's corner on the screen, in pixels
	Pitch   float64         // in pixels
	Places  []Place         // where a finger can be
}

// Place is where a finger can be: a cell, a corner of cells, a key.
type Place struct {
	Name string
	At   [2]float64 // its middle, in pixels
}

// CellPlaces are the cells of a board but those to leave out, nil for none.
func CellPlaces(name func(board.Cell) string, middles [][2]float64, without func(board.Cell) bool) (places []Place) {
	for i, at := range middles {
		if c := board.Cell(i); without == nil || !without(c) {
			places = append(places, Place{name(c), at})
		}
	}
	return places
}

// Hand is a finger on the board, however near a button would be.
func (a *App) Hand(action int, x, y float64) {
	switch action {
	case screen.TouchDown:
		a.Finger = [2]float64{x, y}
		a.Touching = !a.Touching && !a.Stage.Complete() && a.Stage.Begin(x, y)
	case screen.TouchMove:
		a.drag(x, y)
	case screen.TouchUp:
		a.drag(x, y)
		a.up(x, y)
	}
}
