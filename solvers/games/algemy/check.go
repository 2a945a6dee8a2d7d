package algemy

import (
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Check tests the rules of the package comment. The error is a *solvers.RuleError. Check sends
// the light of each source over the board, with independent code for the path of light and for
// its mixing, so that a mistake in the solver cannot hide.
func (s *Solution) Check() error {
	p := s.puzzle
	lamps := map[point]board.Cell{} // by the cell's middle
	middle := make([]point, 0, len(s.sources))
	for c := range board.Cell(len(s.sources)) {
		middle = append(middle, p.middle(c))
		lamps[middle[c]] = c
	}
	steps := []point{{0, 2}, {0, -2}, {2, 0}, {-2, 0}}
	if p.shape == Hexagon {
		steps = []point{{0, 2}, {0, -2}, {2, 1}, {2, -1}, {-2, 1}, {-2, -1}}
	}
	lit := make([]bool, len(s.sources))
	seen := make([]string, len(s.sources)) // by crystal: the letters of the colours
	for c, colour := range s.sources {
		if colour == noSource {
			continue
		}
		from := board.Cell(c)
		letter := colour.String()
		if p.crystals[c] != Empty {
			return solvers.Broken("place", "the light source at %s stands on a crystal", p.Name(from))
		}
		if !p.hard && !strings.Contains("RYB", letter) {
			return solvers.Broken("colours", "the light source at %s is %s, expected R, Y or B on an easy level", p.Name(from), letter)
		}
		lit[c] = true
		for _, step := range steps {
			at := middle[c]
			for {
				at = point{at.y + step.y, at.x + step.x}
				to, inside := lamps[at]
				if !inside {
					break
				}
				if p.crystals[to] != Empty {
					if !strings.Contains(seen[to], letter) {
						seen[to] += letter
					}
					break
				}
				if s.sources[to] != noSource {
					return solvers.Broken("apart", "the light sources at %s and %s see each other", p.Name(min(from, to)), p.Name(max(from, to)))
				}
				lit[to] = true
			}
		}
	}
	for c, crystal := range p.crystals {
		switch {
		case crystal == Empty && !lit[c]:
			return solvers.Broken("lit", "%s holds no light source and sees none", p.Name(board.Cell(c)))
		case crystal != Empty && !suits(crystal, seen[c], p.hard):
			return solvers.Broken("mixing", "the crystal %s at %s sees %s", crystal, p.Name(board.Cell(c)), lightOf(seen[c]))
		}
	}
	return nil
}

// lightOf lists the colours that a crystal sees, for people.
func lightOf(letters string) string {
	if letters == "" {
		return "no light"
	}
	return "the light " + strings.Join(strings.Split(letters, ""), ", ")
}

// point is a place in the plane, in half cells.
type point struct{ y, x int }

// middle is the middle of a cell: a hexagon's rows are centred below each other.
func (g lattice) middle(c board.Cell) point {
	for row := 0; ; row++ {
		if first, end := g.first[row], g.first[row+1]; c < end {
			shift := 0
			if g.shape == Hexagon {
				shift = 2*g.side - 1 - int(end-first)
			}
			return point{2 * row, shift + 2*int(c-first)}
		}
	}
}

// suits reports whether a crystal may see exactly the colours given by their
// letters.
func suits(crystal Crystal, seen string, hard bool) bool {
	switch crystal {
	case 'W':
		return seen == ""
	case 'R', 'Y', 'B':
		return seen == string(rune(crystal))
	}
	table := easyMixes
	if hard {
		table = hardMixes
	}
	for _, row := range table {
		if row.crystal == crystal {
			return !strings.ContainsAny(seen, row.never) && slices.ContainsFunc(row.sees, func(all string) bool { return holds(seen, all) })
		}
	}
	return false
}

// mix is a row of the mixing table of the package comment: a crystal sees all the
// colours of one of the sets, and none of those that it never may.
type mix struct {
	crystal Crystal
	sees    []string
	never   string
}

var (
	easyMixes = []mix{
		{'O', []string{"RY"}, "B"},
		{'G', []string{"YB"}, "R"},
		{'V', []string{"RB"}, "Y"},
		{'X', []string{"RYB"}, ""},
	}
	hardMixes = []mix{
		{'O', []string{"RY", "O"}, "GBV"},
		{'G', []string{"YB", "G"}, "ROV"},
		{'V', []string{"RB", "V"}, "OYG"},
		{'X', []string{"RYB", "RG", "OB", "YV", "OG", "GV", "VO"}, ""},
	}
)

// holds reports whether all of some letters are among those seen.
func holds(seen, letters string) bool {
	for _, letter := range letters {
		if !strings.ContainsRune(seen, letter) {
			return false
		}
	}
	return true
}
