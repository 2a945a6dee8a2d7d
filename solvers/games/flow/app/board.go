package app

import (
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/flow"
)

// level is a level as the real game lets a finger change it. It knows cells
// only; app turns pixels into cells.
type level struct {
	simapp.Joining
	puzzle *flow.Puzzle
}

func newLevel(p *flow.Puzzle) *level {
	return &level{simapp.NewJoining(p.Pipes(), p.PipeAt, func(from simapp.LineStep, to board.Cell) (board.Dir, bool) {
		for d := range board.Dir(p.Dirs()) {
			// A bridge is left straight ahead.
			if p.Neighbour(from.Cell, d) == to && (d == from.Dir || !p.Bridge(from.Cell)) {
				return d, true
			}
		}
		return 0, false
	}, func(s simapp.LineStep) int {
		if p.Bridge(s.Cell) {
			return 2*int(s.Cell) + int(s.Dir)%2 // one of the two directions across
		}
		return 2 * int(s.Cell)
	}), p}
}

// covered counts the places that pipes take, and all there are. A bridge is
// two places.
func (b *level) covered() (taken, all int) {
	for c := range board.Cell(b.puzzle.Size().Cells()) {
		switch {
		case b.puzzle.Bridge(c):
			all += 2
		case !b.puzzle.Hole(c):
			all++
		}
	}
	return b.Taken(), all
}

// Complete reports whether the level is won.
func (b *level) Complete() bool {
	taken, all := b.covered()
	return b.Joined() == len(b.Lines) && (taken == all || !b.puzzle.Covering())
}

// Picture is the board as it stands.
func (b *level) Picture() solvers.Picture { return b.puzzle.Sketch(b.Cells()) }

// String is the board in the notation of solutions: each cell with the pipe
// drawn on it, ends always.
func (b *level) String() string { return b.puzzle.Drawn(b.On(b.puzzle.Size().Cells())) }
