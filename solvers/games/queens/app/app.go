package app

import (
	"image/color"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/queens"
	"tapwise/solvers/screen"
)

// New makes an app that offers the levels in order. The options' Style is light (the
// usual one) or dark.
func New(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	return simapp.GridGame[*queens.Puzzle]{
		Game: queens.Game{}, Title: "Queens", Done: "You placed all queens", Looks: queens.Looks(),
		Size: func(p *queens.Puzzle) board.Size { return p.Regions.Size },
		New: func(p *queens.Puzzle) simapp.GridLevel {
			return &level{Tapped: simapp.Tapped{Placed: p.Empty()}, puzzle: p}
		},
	}.Make(levels, o)
}

// level is a level as taps change it.
type level struct {
	simapp.Tapped
	puzzle *queens.Puzzle
}

// Complete reports whether all queens stand.
func (l *level) Complete() bool {
	s, err := l.puzzle.ParseSolution(l.String())
	return err == nil && s.Check() == nil
}

// Widths of lines, in pitches: within a region, between two, around the board.
const (
	thin    = 0.022
	thick   = 0.08
	outline = 0.13
)

// Draw paints the regions, their borders and what stands on the cells.
func (l *level) Draw(d *simapp.GridDrawing) {
	black := color.NRGBA{A: 255}
	d.Grid(l.puzzle.Colour, thin, black)
	for _, e := range l.puzzle.Borders() {
		d.Line(e, thick, black)
	}
	d.Outline(outline, black)
	for i, holds := range l.Cells {
		c := board.Cell(i)
		switch at := d.Centre(c); holds {
		case 'x':
			simapp.Cross(d, at[0], at[1], 0.08*d.Pitch, 0.03*d.Pitch, color.NRGBA{A: 180})
		case 'Q':
			d.Crown(c, black)
		}
	}
}
