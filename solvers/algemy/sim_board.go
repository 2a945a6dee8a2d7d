package algemy

import (
	"slices"

	"tapwise/solvers/board"
)

// simBoard is a level with the light sources put on it.
type simBoard struct {
	puzzle   *Puzzle
	solution *Solution // what is on the board; it breaks the rules until the level is solved
	moves    int
	before   [][]board.Cell // by axis and cell: the cell before it, the other way of grid.next
}

func newSimBoard(p *Puzzle) *simBoard {
	b := &simBoard{puzzle: p}
	b.solution = &Solution{puzzle: p, sources: slices.Repeat([]Colour{noSource}, p.cells())}
	for axis := range p.axes() {
		before := slices.Repeat([]board.Cell{board.None}, p.cells())
		for c := range board.Cell(p.cells()) {
			if next := p.next(c, axis); next != board.None {
				before[next] = c
			}
		}
		b.before = append(b.before, before)
	}
	return b
}

// source is the colour of the light source on a cell, or noSource.
func (b *simBoard) source(c board.Cell) Colour { return b.solution.sources[c] }

// put puts a light source on a cell, or takes the one there away.
func (b *simBoard) put(c board.Cell, colour Colour) {
	if b.solution.sources[c] != colour {
		b.solution.sources[c] = colour
		b.moves++
	}
}

// sight is the cells without crystals that light from a cell reaches along an
// axis, forwards or back, the nearest first.
func (b *simBoard) sight(c board.Cell, axis int, forwards bool) []board.Cell {
	var reached []board.Cell
	for {
		if forwards {
			c = b.puzzle.next(c, axis)
		} else {
			c = b.before[axis][c]
		}
		if c == board.None || b.puzzle.crystals[c] != Empty {
			return reached
		}
		reached = append(reached, c)
	}
}

// seen is the colours of the light that comes to a cell from others.
func (b *simBoard) seen(c board.Cell) ColourSet {
	var seen ColourSet
	for axis := range b.puzzle.axes() {
		for _, forwards := range []bool{false, true} {
			for _, at := range b.sight(c, axis, forwards) {
				if colour := b.source(at); colour != noSource {
					seen |= Set(colour)
				}
			}
		}
	}
	return seen
}

// satisfied reports whether the crystal on a cell has its colour.
func (b *simBoard) satisfied(c board.Cell) bool {
	return mixing(b.puzzle.crystals[c], b.puzzle.hard).allows(b.seen(c))
}
