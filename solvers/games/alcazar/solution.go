package alcazar

import (
	"fmt"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Solution is somebody's claim of how the path runs. It may break the rules.
type Solution struct {
	puzzle *Puzzle
	used   []bool // by border: the path crosses it
	loose  bool   // a box drawing that shows the path in the rooms only
}

// NewSolution is a path through neighbouring rooms and the openings that it
// enters and leaves by. It may break the rules.
func NewSolution(p *Puzzle, rooms []board.Cell, openings ...Opening) *Solution {
	s := &Solution{puzzle: p, used: make([]bool, len(p.open))}
	for _, o := range openings {
		s.used[border(p.size, o.Room, o.Side)] = true
	}
	for i := 1; i < len(rooms); i++ {
		for d := range board.Dir(4) {
			if p.neighbour(rooms[i-1], d) == rooms[i] {
				s.used[border(p.size, rooms[i-1], d)] = true
			}
		}
	}
	return s
}

// ParseSolution reads a solution as String writes it, in the puzzle's form. In
// a box drawing the path may be drawn in the rooms only.
func (p *Puzzle) ParseSolution(text string) (solvers.Solution, error) {
	lines, err := splitLines(text)
	if err != nil {
		return nil, fmt.Errorf("solution: %w", err)
	}
	if len(lines) != 2*p.size.Rows+1 {
		return nil, fmt.Errorf("alcazar: the solution has %s, expected %d", board.Count(len(lines), "line"), 2*p.size.Rows+1)
	}
	width := p.form.pitch()*p.size.Cols + 1
	pad(lines, width)
	for i, line := range lines {
		if len(line) != width {
			return nil, fmt.Errorf("alcazar: solution line %d has %s, expected %d", i+1, board.Count(len(line), "character"), width)
		}
	}
	s := &Solution{puzzle: p, used: make([]bool, len(p.open))}
	if p.form == Box {
		if err := s.readStrokes(lines); err != nil {
			return nil, err
		}
		s.loose = sameText(lines, p.draw(s.used, false), "") == nil
	} else {
		s.readMarks(lines)
	}
	// All other text must be as it would be drawn.
	if err := sameText(lines, p.draw(s.used, !s.loose), "solution "); err != nil {
		return nil, err
	}
	return s, nil
}

// readStrokes reads the path from the rooms of a box drawing.
func (s *Solution) readStrokes(lines [][]rune) error {
	p := s.puzzle
	sides := make([]int, p.size.Cells())
	for _, c := range p.rooms {
		y, x := p.middle(c)
		sides[c] = slices.Index(strokes, lines[y][x])
		if sides[c] < 0 {
			return fmt.Errorf("alcazar: solution line %d column %d: %q, expected one of %q", y+1, x+1, lines[y][x], string(strokes))
		}
	}
	for _, c := range p.rooms {
		for d := range board.Dir(4) {
			if sides[c]>>d&1 == 0 {
				continue
			}
			s.used[border(p.size, c, d)] = true
			if n := p.neighbour(c, d); n != board.None && sides[n]>>d.Opposite()&1 == 0 {
				return fmt.Errorf("alcazar: solution: the path leads from %s to %s, but not back", p.size.Name(c), p.size.Name(n))
			}
		}
	}
	return nil
}

// readMarks reads the path from the borders of the other forms.
func (s *Solution) readMarks(lines [][]rune) {
	for i := range s.used {
		pl := s.puzzle.place(i)
		line := lines[pl.y]
		if pl.void {
			continue // no path can be there
		}
		if s.puzzle.form == Plain && pl.upright() {
			// A wall on the rim stays as it is: the rooms beside it tell.
			s.used[i] = pl.x > 0 && line[pl.x-1] == '*' || pl.x+1 < len(line) && line[pl.x+1] == '*'
			continue
		}
		s.used[i] = line[pl.x] == pl.mark(s.puzzle.form)
	}
}

// String is the solution in the puzzle's form.
func (s *Solution) String() string { return text(s.puzzle.draw(s.used, !s.loose)) }

// As is the same solution, in a form.
func (s *Solution) As(f Form) *Solution {
	return &Solution{puzzle: s.puzzle.As(f), used: s.used, loose: s.loose && f == Box}
}

// Used reports whether the path crosses a side of a room.
func (s *Solution) Used(room board.Cell, side board.Dir) bool {
	return s.used[border(s.puzzle.size, room, side)]
}

// Paths is a list of one path, the rooms in order. It is nil for a solution that
// breaks the rules.
func (s *Solution) Paths() [][]board.Cell {
	if _, _, rooms, ok := s.Path(); ok {
		return [][]board.Cell{rooms}
	}
	return nil
}

// Path is the openings where the path begins and ends, and its rooms in order. It
// begins at the first of its openings, counted room by room. It is not ok for a
// solution that breaks the rules.
func (s *Solution) Path() (from, to Opening, rooms []board.Cell, ok bool) {
	if s.Check() != nil {
		return Opening{}, Opening{}, nil, false
	}
	for _, o := range s.puzzle.Openings() {
		if s.Used(o.Room, o.Side) {
			from = o
			break
		}
	}
	rooms, to = s.follow(from)
	return from, to, rooms, true
}
