package alcazar

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Check tests the rules of the package comment by walking along the path. The error
// is a *solvers.RuleError.
func (s *Solution) Check() error {
	p := s.puzzle
	var used []Opening
	for _, c := range p.Rooms() {
		for d := range board.Dir(4) {
			if !s.Used(c, d) {
				continue
			}
			if !p.Open(c, d) {
				return solvers.Broken("walls", "the path goes through the wall %s %s", sideNames[d], p.size.Name(c))
			}
			if s.beyond(c, d) == board.None {
				used = append(used, Opening{Room: c, Side: d})
			}
		}
	}
	for _, c := range p.Rooms() {
		sides := 0
		for d := range board.Dir(4) {
			if s.Used(c, d) {
				sides++
			}
		}
		switch {
		case sides == 0:
			return solvers.Broken("cover", "the path does not visit %s", p.size.Name(c))
		case sides == 1:
			return solvers.Broken("through", "the path ends in %s, expected it to go on", p.size.Name(c))
		case sides > 2:
			return solvers.Broken("once", "the path uses %d sides of %s, expected 2", sides, p.size.Name(c))
		}
	}
	if len(used) != 2 {
		return solvers.Broken("openings", "the path uses %s, expected 2", board.Count(len(used), "opening"))
	}
	rooms, _ := s.follow(used[0])
	if len(rooms) == len(p.Rooms()) {
		return nil
	}
	on := make([]bool, p.size.Cells())
	for _, c := range rooms {
		on[c] = true
	}
	for _, c := range p.Rooms() {
		if !on[c] {
			return solvers.Broken("one", "the path from %s visits %s, not %s: that is on a loop of its own", p.name(used[0]),
				board.Count(len(rooms), "room"), p.size.Name(c))
		}
	}
	return nil
}

// beyond is the room on the other side of a border, board.None outside.
func (s *Solution) beyond(room board.Cell, side board.Dir) board.Cell {
	size := s.puzzle.size
	row, col := size.Row(room), size.Col(room)
	switch side {
	case board.North:
		row--
	case board.East:
		col++
	case board.South:
		row++
	default:
		col--
	}
	c := size.At(row, col)
	if c != board.None && s.puzzle.none != nil && s.puzzle.none[c] != 0 {
		return board.None // there is no room
	}
	return c
}

// follow walks from an opening until the path leaves the board. Every room
// must have two used sides.
func (s *Solution) follow(from Opening) (rooms []board.Cell, to Opening) {
	room, came := from.Room, from.Side
	for {
		rooms = append(rooms, room)
		for d := range board.Dir(4) {
			if d == came || !s.Used(room, d) {
				continue
			}
			next := s.beyond(room, d)
			if next == board.None {
				return rooms, Opening{Room: room, Side: d}
			}
			room, came = next, d.Opposite()
			break
		}
	}
}
