package app

import (
	"image/color"
	"slices"
	"strconv"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/zip"
	"tapwise/solvers/screen"
)

// New makes an app that offers the levels in order. The options' Style is light (the
// usual one) or dark.
func New(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	return simapp.GridGame[*zip.Puzzle]{
		Game: zip.Game{}, Title: "Zip", Done: "You found the path", Looks: zip.Looks(),
		Size: func(p *zip.Puzzle) board.Size { return p.Size },
		New:  func(p *zip.Puzzle) simapp.GridLevel { return &level{simapp.NewStroked(p.Through)} },
	}.Make(levels, o)
}

// level is a level as a finger draws on it.
type level struct{ simapp.Stroked }

// Complete reports whether the path is a solution.
func (l *level) Complete() bool { return (&zip.Solution{Passed: l.Along(l.Drawn)}).Check() == nil }

// Sizes in pitches.
const (
	line   = 0.025
	wall   = 0.19
	band   = 0.42
	disc   = 0.3
	letter = 0.42
)

// Draw paints the cells, the path, the numbers and the walls.
func (l *level) Draw(d *simapp.GridDrawing) {
	cell, lines, ink, onInk := color.NRGBA{254, 254, 255, 255}, color.NRGBA{160, 162, 159, 255}, color.NRGBA{7, 7, 7, 255}, color.NRGBA{255, 255, 255, 255}
	if d.Dark {
		cell, lines, ink, onInk = color.NRGBA{34, 38, 45, 255}, color.NRGBA{112, 118, 128, 255}, color.NRGBA{240, 242, 245, 255}, color.NRGBA{20, 22, 26, 255}
	}
	d.Grid(func(c board.Cell) color.NRGBA {
		if slices.Contains(l.Drawn, c) {
			return simapp.Mix(cell, zip.Accent, 0.25)
		}
		return cell
	}, line, lines)
	d.Outline(line, lines)
	for _, e := range l.Walls {
		d.Line(e, wall, ink)
	}
	for i, c := range l.Drawn[1:] {
		d.Polyline([][2]float64{d.Centre(l.Drawn[i]), d.Centre(c)}, band*d.Pitch, zip.Accent)
	}
	for i, c := range l.Stops {
		at := d.Centre(c)
		d.Circle(at[0], at[1], disc*d.Pitch, ink)
		d.Text(at[0], at[1]+0.36*letter*d.Pitch, letter*d.Pitch, 0.5, strconv.Itoa(i+1), onInk)
	}
}
