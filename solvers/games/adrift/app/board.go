package app

import (
	"image/color"
	"slices"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/adrift"
)

// level is a level as the app lets a finger change it. It knows cells only;
// app turns pixels into cells.
type level struct {
	simapp.Joining
	puzzle  *adrift.Puzzle
	colours []color.NRGBA // the chains', by colour
}

func newLevel(p *adrift.Puzzle, colours []color.NRGBA) *level {
	return &level{simapp.NewJoining(p.Colours(), p.EndAt, func(from simapp.LineStep, to board.Cell) (board.Dir, bool) {
		return 0, !p.Stone(to) && slices.Contains(p.Neighbours(from.Cell), to)
	}, nil), p, colours}
}

// covered counts the cells that chains take, and all that are not stones.
func (b *level) covered() (taken, all int) {
	for c := range board.Cell(b.puzzle.Cells()) {
		if !b.puzzle.Stone(c) {
			all++
		}
	}
	return b.Taken(), all
}

// touches are the pairs of cells at which a chain touches itself.
func (b *level) touches() []board.Edge {
	var found []board.Edge
	for _, chain := range b.Lines {
		for i, c := range chain {
			near := b.puzzle.Neighbours(c.Cell)
			for k := i + 2; k < len(chain); k++ {
				if slices.Contains(near, chain[k].Cell) {
					found = append(found, board.EdgeOf(c.Cell, chain[k].Cell))
				}
			}
		}
	}
	return found
}

// Complete reports whether every end is joined and every cell covered, and no
// chain touches itself.
func (b *level) Complete() bool {
	taken, all := b.covered()
	return taken == all && b.Joined() == len(b.Lines) && len(b.touches()) == 0
}

// Picture is the cube as it stands.
func (b *level) Picture() solvers.Picture { return b.puzzle.Sketch(b.Cells()) }

// String is the chains in the notation of solutions.
func (b *level) String() string { return b.puzzle.Drawn(b.On(b.puzzle.Cells())) }
