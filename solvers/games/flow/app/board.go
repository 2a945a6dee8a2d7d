package app

import (
	"slices"

	"tapwise/solvers/board"
	"tapwise/solvers/games/flow"
)

// level is a level as the real game lets a finger change it. It knows cells
// only; app turns pixels into cells.
type level struct {
	puzzle  *flow.Puzzle
	pipes   [][]step // by pipe: the steps drawn, from where it was begun; nil for none
	moves   int
	last    int      // the pipe touched last, -1 when none was
	stroke  int      // the pipe under the finger, -1 when no finger draws
	before  [][]step // the pipes when the finger came down
	history []moment // for undo, the oldest first
}

// step is a cell of a drawn pipe and the direction in which it was entered,
// -1 for the first cell.
type step struct {
	cell board.Cell
	dir  board.Dir
}

// moment is what undo goes back to.
type moment struct {
	pipes [][]step
	moves int
	last  int
}

func newLevel(p *flow.Puzzle) *level {
	return &level{puzzle: p, pipes: make([][]step, p.Pipes()), last: -1, stroke: -1}
}

// slot is the place that a step takes: a cell, or one of the two directions
// across a bridge.
func (b *level) slot(s step) int {
	if b.puzzle.Bridge(s.cell) {
		return 2*int(s.cell) + int(s.dir)%2
	}
	return 2 * int(s.cell)
}

// Moves is the number of moves made on the level.
func (b *level) Moves() int { return b.moves }

// Begin puts the finger down on a cell. It reports whether there was a pipe to take hold of:
// from an end its pipe starts anew, from its tip a pipe continues, and on its body it is cut
// back to the finger.
func (b *level) Begin(c board.Cell) bool {
	if pipe := b.puzzle.PipeAt(c); pipe >= 0 {
		b.grab(pipe)
		b.pipes[pipe] = []step{{c, -1}}
		return true
	}
	pipe, length := -1, 0
	for q, path := range b.pipes {
		for i, s := range path {
			tip := i == len(path)-1
			if s.cell == c && (pipe < 0 || tip) {
				pipe, length = q, i+1
			}
		}
	}
	if pipe < 0 {
		return false
	}
	b.grab(pipe)
	b.pipes[pipe] = b.pipes[pipe][:length:length]
	return true
}

// grab begins a stroke of a pipe. A move is counted when it is another pipe
// than the last time.
func (b *level) grab(pipe int) {
	b.history = append(b.history, moment{slices.Clone(b.pipes), b.moves, b.last})
	if b.last != pipe {
		b.moves++
	}
	b.last, b.stroke = pipe, pipe
	b.before = slices.Clone(b.pipes)
}

// Enter moves the finger into a cell.
func (b *level) Enter(c board.Cell) {
	path := b.pipes[b.stroke]
	tip := path[len(path)-1]
	if c == tip.cell {
		return
	}
	if !b.finished(b.stroke) {
		for d := range board.Dir(b.puzzle.Dirs()) {
			if b.puzzle.Neighbour(tip.cell, d) != c {
				continue
			}
			if b.puzzle.Bridge(tip.cell) && d != tip.dir {
				continue // a bridge is left straight ahead
			}
			if pipe := b.puzzle.PipeAt(c); pipe >= 0 && pipe != b.stroke {
				continue
			}
			next := step{c, d}
			if i := slices.IndexFunc(path, func(s step) bool { return b.slot(s) == b.slot(next) }); i >= 0 {
				b.draw(path[:i+1])
			} else {
				b.draw(append(slices.Clip(path), next))
			}
			return
		}
	}
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].cell == c {
			b.draw(path[:i+1])
			return
		}
	}
}

// draw makes path the pipe under the finger and cuts those that it crosses.
// They are cut as they were when the finger came down, so that they come back
// where the finger goes back.
func (b *level) draw(path []step) {
	b.pipes[b.stroke] = path
	taken := make(map[int]bool, len(path))
	for _, s := range path {
		taken[b.slot(s)] = true
	}
	for q, other := range b.before {
		if q == b.stroke {
			continue
		}
		if i := slices.IndexFunc(other, func(s step) bool { return taken[b.slot(s)] }); i >= 0 {
			other = other[:i:i]
		}
		b.pipes[q] = other
	}
}

// Lift takes the finger off. A pipe of a single cell is none.
func (b *level) Lift() {
	for q, path := range b.pipes {
		if len(path) < 2 {
			b.pipes[q] = nil
		}
	}
	if slices.EqualFunc(b.pipes, b.before, slices.Equal) {
		b.history = b.history[:len(b.history)-1]
	}
	b.stroke, b.before = -1, nil
}

// undo takes the last stroke back, and the moves that it cost.
func (b *level) undo() {
	if n := len(b.history); n > 0 {
		was := b.history[n-1]
		b.pipes, b.moves, b.last = was.pipes, was.moves, was.last
		b.history = b.history[:n-1]
	}
}

// finished reports whether a pipe leads from one end to the other.
func (b *level) finished(pipe int) bool {
	path := b.pipes[pipe]
	return len(path) > 1 && b.puzzle.PipeAt(path[len(path)-1].cell) == pipe
}

// flows is the number of finished pipes.
func (b *level) flows() int {
	n := 0
	for pipe := range b.pipes {
		if b.finished(pipe) {
			n++
		}
	}
	return n
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
	for _, path := range b.pipes {
		if len(path) > 1 {
			taken += len(path)
		}
	}
	return taken, all
}

// Complete reports whether the level is won.
func (b *level) Complete() bool {
	taken, all := b.covered()
	return b.flows() == len(b.pipes) && (taken == all || !b.puzzle.Covering())
}

// String is the board in the notation of solutions: each cell with the pipe
// drawn on it, ends always.
func (b *level) String() string {
	pipe := make([]int, b.puzzle.Size().Cells())
	for c := range pipe {
		pipe[c] = b.puzzle.PipeAt(board.Cell(c))
	}
	for q, path := range b.pipes {
		for _, s := range path {
			pipe[s.cell] = q
		}
	}
	return b.puzzle.Drawn(pipe)
}
