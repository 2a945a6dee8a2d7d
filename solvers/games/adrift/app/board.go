package app

import (
	"image/color"
	"slices"

	"tapwise/solvers/board"
	"tapwise/solvers/games/adrift"
)

// level is a level as the app lets a finger change it. It knows cells only;
// app turns pixels into cells.
type level struct {
	puzzle *adrift.Puzzle
	chains [][]board.Cell // by colour: the cells drawn, from where the chain was begun; nil for none
	moves  int            // strokes, but those that go on with the same chain count once
	last   int            // the chain touched last, -1 when none was
	stroke int            // the chain under the finger, -1 when no finger draws
	before [][]board.Cell // the chains when the finger came down

	colours []color.NRGBA // the chains', by colour
}

func newLevel(p *adrift.Puzzle, colours []color.NRGBA) *level {
	return &level{puzzle: p, chains: make([][]board.Cell, p.Colours()), last: -1, stroke: -1, colours: colours}
}

// Moves is the number of moves made on the level.
func (b *level) Moves() int { return b.moves }

// Begin puts the finger down on a cell. It reports whether there was a chain to take hold of:
// from an end its chain starts anew, from its tip a chain continues, and on its body it is cut
// back to the finger.
func (b *level) Begin(c board.Cell) bool {
	if colour := b.puzzle.EndAt(c); colour >= 0 {
		b.grab(colour, []board.Cell{c})
		return true
	}
	for colour, chain := range b.chains {
		if i := slices.Index(chain, c); i >= 0 {
			b.grab(colour, chain[:i+1:i+1])
			return true
		}
	}
	return false
}

// grab begins a stroke of a chain that keeps some of its cells. A move is counted
// when the last stroke was of another chain.
func (b *level) grab(colour int, kept []board.Cell) {
	if b.last != colour {
		b.moves++
	}
	b.last, b.stroke = colour, colour
	b.before = slices.Clone(b.chains)
	b.chains[colour] = kept
}

// Enter moves the finger into a cell.
func (b *level) Enter(c board.Cell) {
	chain := b.chains[b.stroke]
	if i := slices.Index(chain, c); i >= 0 {
		b.draw(chain[: i+1 : i+1])
		return
	}
	if end := b.puzzle.EndAt(c); b.finished(b.stroke) || b.puzzle.Stone(c) || end >= 0 && end != b.stroke {
		return
	}
	if slices.Contains(b.puzzle.Neighbours(chain[len(chain)-1]), c) {
		b.draw(append(slices.Clip(chain), c))
	}
}

// draw makes chain the one under the finger and cuts those that it crosses.
// They are cut as they were when the finger came down, so that they come back
// where the finger goes back.
func (b *level) draw(chain []board.Cell) {
	b.chains[b.stroke] = chain
	for colour, other := range b.before {
		if colour == b.stroke {
			continue
		}
		if i := slices.IndexFunc(other, func(c board.Cell) bool { return slices.Contains(chain, c) }); i >= 0 {
			other = other[:i:i]
		}
		b.chains[colour] = other
	}
}

// Lift takes the finger off. A chain of a single cell is none.
func (b *level) Lift() {
	for colour, chain := range b.chains {
		if len(chain) < 2 {
			b.chains[colour] = nil
		}
	}
	b.stroke, b.before = -1, nil
}

// finished reports whether a chain leads from one end to the other.
func (b *level) finished(colour int) bool {
	chain := b.chains[colour]
	return len(chain) > 1 && b.puzzle.EndAt(chain[len(chain)-1]) == colour
}

// joined is the number of finished chains.
func (b *level) joined() int {
	n := 0
	for colour := range b.chains {
		if b.finished(colour) {
			n++
		}
	}
	return n
}

// covered counts the cells that chains take, and all that are not stones.
func (b *level) covered() (taken, all int) {
	for c := range board.Cell(b.puzzle.Cells()) {
		if !b.puzzle.Stone(c) {
			all++
		}
	}
	for _, chain := range b.chains {
		if len(chain) > 1 {
			taken += len(chain)
		}
	}
	return taken, all
}

// touches are the pairs of cells at which a chain touches itself.
func (b *level) touches() []board.Edge {
	var found []board.Edge
	for _, chain := range b.chains {
		for i, c := range chain {
			near := b.puzzle.Neighbours(c)
			for k := i + 2; k < len(chain); k++ {
				if slices.Contains(near, chain[k]) {
					found = append(found, board.EdgeOf(c, chain[k]))
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
	return taken == all && b.joined() == len(b.chains) && len(b.touches()) == 0
}

// String is the chains in the notation of solutions.
func (b *level) String() string {
	drawn := make([]int, b.puzzle.Cells())
	for c := range drawn {
		drawn[c] = b.puzzle.EndAt(board.Cell(c))
	}
	for colour, chain := range b.chains {
		for _, c := range chain {
			drawn[c] = colour
		}
	}
	return b.puzzle.Drawn(drawn)
}
