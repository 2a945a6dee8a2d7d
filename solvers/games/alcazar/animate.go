package alcazar

import "tapwise/solvers/board"

// Animation is the path growing, one border at a time, from the opening where it begins. A
// solution that breaks the rules may have no path; then Animation is only the empty board.
func (s *Solution) Animation() []string {
	p := s.puzzle
	grown := &Solution{puzzle: p, used: make([]bool, len(p.open))}
	pictures := []string{grown.String()}
	from, to, rooms, ok := s.Path()
	if !ok {
		return pictures
	}
	use := func(room board.Cell, side board.Dir) {
		grown.used[border(p.size, room, side)] = true
		pictures = append(pictures, grown.String())
	}
	use(from.Room, from.Side)
	for i, room := range rooms[1:] {
		for d := range board.Dir(4) {
			if p.neighbour(rooms[i], d) == room {
				use(rooms[i], d)
			}
		}
	}
	use(to.Room, to.Side)
	return pictures
}
