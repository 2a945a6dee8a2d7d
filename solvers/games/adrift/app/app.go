package app

import (
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/adrift"
	"tapwise/solvers/screen"
)

// app is the app of the simulated phone.
type app struct {
	*simapp.BoardApp[board.Cell, *level, *layout]
	seed uint64
	look look
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
	a, err := simapp.BoardGame[*adrift.Puzzle, board.Cell, *level, *layout]{
		Game: adrift.Game{}, Title: "Adrift", Done: "You joined all chains", Counts: "move", Last: "You joined all chains of",
		New:    func(p *adrift.Puzzle) *level { return newLevel(p, look.Chains(p)) },
		Layout: newLayout,
	}.Make(levels, o)
	if err != nil {
		return nil, err
	}
	return &app{a, o.Seed, look}, nil
}
