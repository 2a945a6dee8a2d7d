package app

import (
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/games/alcazar"
)

// level is a level as the app lets a finger change it. It knows rooms and
// openings only; app turns pixels into them.
type level struct {
	puzzle   *alcazar.Puzzle
	openings []alcazar.Opening
	path     path
	before   path // the path when the finger came down
	moves    int  // strokes that changed the path
}

// place is where a finger is.
type place struct {
	room    board.Cell // board.None when it is in no room
	door    int        // in a room, the nearest of its openings; -1 when it has none
	outside int        // the opening that the finger is just outside of; -1 when it is not
}

// path is the path as far as it is drawn.
type path struct {
	from  int // the opening where it begins; -1 when there is no path
	rooms []board.Cell
	to    int // the opening where it leaves, -1 when it has not yet
}

var noPath = path{from: -1, to: -1}

func newLevel(p *alcazar.Puzzle) *level {
	return &level{puzzle: p, openings: p.Openings(), path: noPath}
}

// Moves is the number of strokes that changed the path.
func (b *level) Moves() int { return b.moves }

// tip is the last room of the path, board.None without one.
func (p path) tip() board.Cell {
	if len(p.rooms) == 0 {
		return board.None
	}
	return p.rooms[len(p.rooms)-1]
}

// shortened is the path up to one of its rooms.
func (p path) shortened(last int) path {
	return path{from: p.from, rooms: p.rooms[: last+1 : last+1], to: -1}
}

// Begin puts the finger down. It reports whether it draws: from the tip it continues the path,
// at an opening it starts a new one, elsewhere on the path it cuts it back.
func (b *level) Begin(at place) bool {
	b.before = b.path
	on := slices.Index(b.path.rooms, at.room)
	switch {
	case at.outside >= 0:
		if b.path.to != at.outside {
			b.path = path{from: at.outside, to: -1}
		}
	case at.room == board.None:
		return false
	case at.room == b.path.tip():
		b.path = b.path.shortened(on)
	case at.door >= 0:
		b.path = path{from: at.door, rooms: []board.Cell{at.room}, to: -1}
	case on >= 0:
		b.path = b.path.shortened(on)
	default:
		return false
	}
	return true
}

// Enter moves the finger to a place.
func (b *level) Enter(at place) {
	path, tip := b.path, b.path.tip()
	switch {
	case at.outside >= 0:
		if tip == board.None || b.openings[at.outside].Room != tip || path.to >= 0 {
			return
		}
		if at.outside != path.from {
			b.path.to = at.outside
		} else if len(path.rooms) == 1 { // back out
			b.path.rooms = nil
		}
	case at.room == board.None:
	case tip == board.None:
		if b.openings[path.from].Room == at.room {
			b.path.rooms = []board.Cell{at.room}
		}
	case at.room == tip:
		b.path.to = -1
	case b.walled(tip, at.room):
	default:
		if on := slices.Index(path.rooms, at.room); on >= 0 {
			b.path = path.shortened(on)
		} else if path.to < 0 && b.beside(tip, at.room) {
			b.path.rooms = append(slices.Clip(path.rooms), at.room)
		}
	}
}

// beside reports whether two rooms are neighbours, with a wall or without.
func (b *level) beside(from, to board.Cell) bool {
	for d := range board.Dir(4) {
		if b.puzzle.Neighbour(from, d) == to {
			return true
		}
	}
	return false
}

// walled reports whether a wall stands between two neighbouring rooms.
func (b *level) walled(from, to board.Cell) bool {
	for d := range board.Dir(4) {
		if b.puzzle.Neighbour(from, d) == to && !b.puzzle.Open(from, d) {
			return true
		}
	}
	return false
}

// Lift takes the finger off. A path without rooms is none.
func (b *level) Lift() {
	if len(b.path.rooms) == 0 {
		b.path = noPath
	}
	if b.path.from != b.before.from || b.path.to != b.before.to || !slices.Equal(b.path.rooms, b.before.rooms) {
		b.moves++
	}
}

// Complete reports whether the path has left after a visit to every room.
func (b *level) Complete() bool {
	return b.path.to >= 0 && len(b.path.rooms) == len(b.puzzle.Rooms())
}

// Picture is the board as it stands.
func (b *level) Picture() solvers.Picture {
	opening := func(i int) *alcazar.Opening {
		if i < 0 {
			return nil
		}
		return &b.openings[i]
	}
	return b.puzzle.Sketch(opening(b.path.from), b.path.rooms, opening(b.path.to))
}

// String is the path in the notation of solutions.
func (b *level) String() string {
	var used []alcazar.Opening
	for _, o := range []int{b.path.from, b.path.to} {
		if o >= 0 {
			used = append(used, b.openings[o])
		}
	}
	return alcazar.NewSolution(b.puzzle, b.path.rooms, used...).String()
}
