package app

import (
	"slices"

	"tapwise/solvers/board"
)

// LineStep is a cell of a drawn line and the direction in which it was entered, -1 for the first.
type LineStep struct {
	Cell board.Cell
	Dir  board.Dir
}

// Joining is a level on which a finger joins pairs of ends by lines: what a [BoardLevel] of cells does
// under a finger. From an end its line starts anew, from its tip a line continues, and on its body it
// is cut back to the finger.
type Joining struct {
	Lines  [][]LineStep       // as drawn, from where each was begun; nil for none
	Stroke int                // the line under the finger, -1 when no finger draws
	Slot   func(LineStep) int // the place that a step takes

	endAt func(board.Cell) int                                      // whose end is on a cell, -1 for none
	way   func(from LineStep, to board.Cell) (d board.Dir, ok bool) // how a line goes on; not ok where none may

	moves   int // strokes, but those that go on with the same line count once
	last    int // the line touched last, -1 when none was
	before  [][]LineStep
	history []moment // the oldest first
}

// moment is what Undo goes back to.
type moment struct {
	lines       [][]LineStep
	moves, last int
}

// NewJoining is a level of some lines on which nothing is drawn. Slot may be nil, if a step takes its
// cell.
func NewJoining(lines int, endAt func(board.Cell) int, way func(LineStep, board.Cell) (board.Dir, bool), slot func(LineStep) int) Joining {
	if slot == nil {
		slot = func(s LineStep) int { return int(s.Cell) }
	}
	return Joining{Lines: make([][]LineStep, lines), Stroke: -1, Slot: slot, endAt: endAt, way: way, last: -1}
}

// Cells are those of each line, in order.
func (b *Joining) Cells() [][]board.Cell {
	cells := make([][]board.Cell, len(b.Lines))
	for i, line := range b.Lines {
		for _, s := range line {
			cells[i] = append(cells[i], s.Cell)
		}
	}
	return cells
}

// Moves is the number of moves made on the level.
func (b *Joining) Moves() int { return b.moves }

// Begin puts the finger down on a cell. It reports whether there was a line to take hold of.
func (b *Joining) Begin(c board.Cell) bool {
	if line := b.endAt(c); line >= 0 {
		b.grab(line)
		b.Lines[line] = []LineStep{{c, -1}}
		return true
	}
	line, length := -1, 0
	for q, path := range b.Lines {
		for i, s := range path {
			tip := i == len(path)-1
			if s.Cell == c && (line < 0 || tip) {
				line, length = q, i+1
			}
		}
	}
	if line < 0 {
		return false
	}
	b.grab(line)
	b.Lines[line] = b.Lines[line][:length:length]
	return true
}

// grab begins a stroke of a line. A move is counted when it is another line than the last time.
func (b *Joining) grab(line int) {
	b.history = append(b.history, moment{slices.Clone(b.Lines), b.moves, b.last})
	if b.last != line {
		b.moves++
	}
	b.last, b.Stroke = line, line
	b.before = slices.Clone(b.Lines)
}

// Enter moves the finger into a cell.
func (b *Joining) Enter(c board.Cell) {
	path := b.Lines[b.Stroke]
	tip := path[len(path)-1]
	if c == tip.Cell {
		return
	}
	if d, ok := b.way(tip, c); ok && !b.Finished(b.Stroke) && (b.endAt(c) < 0 || b.endAt(c) == b.Stroke) {
		next := LineStep{c, d}
		if i := slices.IndexFunc(path, func(s LineStep) bool { return b.Slot(s) == b.Slot(next) }); i >= 0 {
			b.draw(path[:i+1])
		} else {
			b.draw(append(slices.Clip(path), next))
		}
		return
	}
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Cell == c {
			b.draw(path[:i+1])
			return
		}
	}
}

// draw makes path the line under the finger and cuts those that it crosses. They are cut as they
// were when the finger came down, so that they come back where the finger goes back.
func (b *Joining) draw(path []LineStep) {
	b.Lines[b.Stroke] = path
	taken := make(map[int]bool, len(path))
	for _, s := range path {
		taken[b.Slot(s)] = true
	}
	for q, other := range b.before {
		if q == b.Stroke {
			continue
		}
		if i := slices.IndexFunc(other, func(s LineStep) bool { return taken[b.Slot(s)] }); i >= 0 {
			other = other[:i:i]
		}
		b.Lines[q] = other
	}
}

// Lift takes the finger off. A line of a single cell is none.
func (b *Joining) Lift() {
	for q, path := range b.Lines {
		if len(path) < 2 {
			b.Lines[q] = nil
		}
	}
	if slices.EqualFunc(b.Lines, b.before, slices.Equal) {
		b.history = b.history[:len(b.history)-1]
	}
	b.Stroke, b.before = -1, nil
}

// CanUndo reports whether there is a stroke to take back.
func (b *Joining) CanUndo() bool { return len(b.history) > 0 }

// Undo takes the last stroke back, and the moves that it cost.
func (b *Joining) Undo() {
	if n := len(b.history); n > 0 {
		was := b.history[n-1]
		b.Lines, b.moves, b.last = was.lines, was.moves, was.last
		b.history = b.history[:n-1]
	}
}

// Finished reports whether a line leads from one end to the other.
func (b *Joining) Finished(line int) bool {
	path := b.Lines[line]
	return len(path) > 1 && b.endAt(path[len(path)-1].Cell) == line
}

// Joined is the number of finished lines.
func (b *Joining) Joined() int {
	n := 0
	for line := range b.Lines {
		if b.Finished(line) {
			n++
		}
	}
	return n
}

// Taken counts the places that lines take.
func (b *Joining) Taken() int {
	taken := 0
	for _, path := range b.Lines {
		if len(path) > 1 {
			taken += len(path)
		}
	}
	return taken
}

// On is the line on each of some cells, ends always; -1 for none.
func (b *Joining) On(cells int) []int {
	on := make([]int, cells)
	for c := range on {
		on[c] = b.endAt(board.Cell(c))
	}
	for line, path := range b.Lines {
		for _, s := range path {
			on[s.Cell] = line
		}
	}
	return on
}
