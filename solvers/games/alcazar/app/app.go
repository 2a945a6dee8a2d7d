package app

import (
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/alcazar"
	"tapwise/solvers/screen"
)

// app is the app of the simulated phone.
type app struct {
	*simapp.BoardApp[place, *level, *layout]
	look look
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
	a, err := simapp.BoardGame[*alcazar.Puzzle, place, *level, *layout]{
		Game: alcazar.Game{}, Title: "Alcazar", Done: "You crossed the palace", Counts: "stroke", Last: "You crossed every palace of",
		New: newLevel, Layout: newLayout,
	}.Make(levels, o)
	if err != nil {
		return nil, err
	}
	return &app{a, look}, nil
}
