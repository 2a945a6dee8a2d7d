package alcazar

import (
	"fmt"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// leg is a part of the path that goes straight on.
type leg struct {
	dir   board.Dir
	rooms []board.Cell // in order; the first is where the path turned, or comes in
	in    bool         // it comes in by the opening where the path begins
	out   bool         // it goes out by the opening where the path ends
}

// legs are the path in its order. A solution that breaks the rules may have
// none.
func (s *Solution) legs() []leg {
	from, to, rooms, ok := s.Path()
	if !ok {
		return nil
	}
	legs := []leg{{dir: from.Side.Opposite(), rooms: rooms[:1], in: true}}
	for i := 1; i <= len(rooms); i++ {
		d := to.Side
		if i < len(rooms) {
			d = s.towards(rooms[i-1], rooms[i])
		}
		last := &legs[len(legs)-1]
		if last.dir != d {
			legs = append(legs, leg{dir: d, rooms: rooms[i-1 : i]})
			last = &legs[len(legs)-1]
		}
		if i < len(rooms) {
			last.rooms = rooms[i-len(last.rooms) : i+1]
		} else {
			last.out = true
		}
	}
	return legs
}

// towards is the side of a room on which a neighbour is.
func (s *Solution) towards(from, to board.Cell) board.Dir {
	for d := range board.Dir(4) {
		if s.puzzle.size.Beside(from, d) == to {
			return d
		}
	}
	return board.North // they are no neighbours: no path leads so
}

// Steps are the path's legs, from one turn to the next, beginning at the opening
// that the path comes in by.
func (s *Solution) Steps(drawn solvers.Solution) []solvers.Step {
	on, _ := drawn.(*Solution)
	size := s.puzzle.size
	var steps []solvers.Step
	for _, l := range s.legs() {
		first, last := l.rooms[0], l.rooms[len(l.rooms)-1]
		text := "from " + size.Name(first)
		if l.in {
			text = fmt.Sprintf("in by %s", s.puzzle.name(Opening{first, l.dir.Opposite()}))
		}
		if len(l.rooms) > 1 {
			text += fmt.Sprintf(", %s to %s", directions[l.dir], size.Name(last))
		}
		if l.out {
			text += fmt.Sprintf(", out by %s", s.puzzle.name(Opening{last, l.dir}))
		}
		steps = append(steps, solvers.Step{Text: text, Cells: l.rooms, Drawn: on != nil && len(on.used) == len(s.used) && on.has(l)})
	}
	return steps
}

// directions are the names of board.North, East, South and West.
var directions = [...]string{"up", "right", "down", "left"}

// has reports whether a leg is drawn.
func (s *Solution) has(l leg) bool {
	if l.in && !s.Used(l.rooms[0], l.dir.Opposite()) || l.out && !s.Used(l.rooms[len(l.rooms)-1], l.dir) {
		return false
	}
	return !slices.ContainsFunc(l.rooms[:len(l.rooms)-1], func(c board.Cell) bool { return !s.Used(c, l.dir) })
}

// Part is the solution with some of its legs only.
func (s *Solution) Part(legs []int) solvers.Solution {
	part := &Solution{puzzle: s.puzzle, used: make([]bool, len(s.used))}
	size := s.puzzle.size
	for i, l := range s.legs() {
		if !slices.Contains(legs, i) {
			continue
		}
		for _, c := range l.rooms[:len(l.rooms)-1] {
			part.used[border(size, c, l.dir)] = true
		}
		if l.in {
			part.used[border(size, l.rooms[0], l.dir.Opposite())] = true
		}
		if l.out {
			part.used[border(size, l.rooms[len(l.rooms)-1], l.dir)] = true
		}
	}
	return part
}
