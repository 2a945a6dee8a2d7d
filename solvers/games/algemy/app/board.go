package app

import (
	"slices"

	"tapwise/solvers/board"
	"tapwise/solvers/games/algemy"
)

// level is a level with the light sources put on it.
type level struct {
	puzzle  *algemy.Puzzle
	sources map[board.Cell]algemy.Colour // they break the rules until the level is solved
	moves   int
	before  [][]board.Cell // by axis and cell: the cell before it, the other way of Puzzle.Next
}

// noSource is what the middle of the wheel puts on a cell.
const noSource algemy.Colour = -1

func newLevel(p *algemy.Puzzle) *level {
	b := &level{puzzle: p, sources: map[board.Cell]algemy.Colour{}}
	for axis := range p.Axes() {
		before := slices.Repeat([]board.Cell{board.None}, p.Cells())
		for c := range board.Cell(p.Cells()) {
			if next := p.Next(c, axis); next != board.None {
				before[next] = c
			}
		}
		b.before = append(b.before, before)
	}
	return b
}

// solution is what is on the board.
func (b *level) solution() *algemy.Solution { return algemy.NewSolution(b.puzzle, b.sources) }

// put puts a light source on a cell, or with noSource takes the one there away.
func (b *level) put(c board.Cell, colour algemy.Colour) {
	if was, lit := b.sources[c]; lit && was == colour || !lit && colour == noSource {
		return
	}
	b.moves++
	if colour == noSource {
		delete(b.sources, c)
	} else {
		b.sources[c] = colour
	}
}

// sight is the cells without crystals that light from a cell reaches along an
// axis, forwards or back, the nearest first.
func (b *level) sight(c board.Cell, axis int, forwards bool) []board.Cell {
	var reached []board.Cell
	for {
		if forwards {
			c = b.puzzle.Next(c, axis)
		} else {
			c = b.before[axis][c]
		}
		if c == board.None || b.puzzle.Crystal(c) != algemy.Empty {
			return reached
		}
		reached = append(reached, c)
	}
}

// seen is the colours of the light that reaches a cell from others.
func (b *level) seen(c board.Cell) algemy.ColourSet {
	var seen algemy.ColourSet
	for axis := range b.puzzle.Axes() {
		for _, forwards := range []bool{false, true} {
			for _, at := range b.sight(c, axis, forwards) {
				if colour, lit := b.sources[at]; lit {
					seen |= algemy.Set(colour)
				}
			}
		}
	}
	return seen
}

// satisfied reports whether the crystal on a cell has its colour.
func (b *level) satisfied(c board.Cell) bool {
	return b.puzzle.Fills(c, b.seen(c))
}
