package adrift

import (
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Parse reads a puzzle in the notation of the package comment. The error names the
// line and what was expected there.
func Parse(text string) (*Puzzle, error) {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil, fmt.Errorf("adrift: empty puzzle, expected three faces")
	}
	lines := strings.Split(text, "\n")
	var rows [][]string
	for i, line := range lines {
		row, err := notation.Row(line)
		if err != nil {
			return nil, fmt.Errorf("adrift: line %d: %w", i+1, err)
		}
		rows = append(rows, row)
	}
	side := len(rows[0])
	if side < MinSide || side > MaxSide {
		return nil, fmt.Errorf("adrift: line 1: the row has %d cells, expected %d to %d", side, MinSide, MaxSide)
	}
	for i, row := range rows {
		if len(row) != side {
			return nil, fmt.Errorf("adrift: line %d: the row has %d cells, expected %d as in the first", i+1, len(row), side)
		}
	}
	if len(rows) != 3*side {
		return nil, fmt.Errorf("adrift: the board has %d rows, expected %d: three faces of %d", len(rows), 3*side, side)
	}
	b := Board{Side: side}
	k := cube{side}
	var found [][]board.Cell // by colour
	for i, letter := range slices.Concat(rows...) {
		c := board.Cell(i)
		switch colour := strings.Index(b.Labels, letter); {
		case letter == ".":
		case letter == "X":
			b.Stones = append(b.Stones, c)
		case colour < 0:
			b.Labels += letter
			found = append(found, []board.Cell{c})
		default:
			found[colour] = append(found[colour], c)
		}
	}
	for i, cells := range found {
		if len(cells) != 2 {
			var names []string
			for _, c := range cells[:min(len(cells), 3)] {
				names = append(names, (&Puzzle{cube: k}).Name(c))
			}
			return nil, fmt.Errorf("adrift: %c stands on %d cells (%s), expected exactly 2", b.Labels[i], len(cells), strings.Join(names, ", "))
		}
		b.Ends = append(b.Ends, [2]board.Cell(cells))
	}
	return New(b)
}

// notation is that of puzzles and solutions, three faces below each other.
var notation = board.Notation{Separator: " ", Entries: "'.', 'X', a letter or a digit, one blank between cells",
	Is: func(e string) bool { return len(e) == 1 && (e == "." || e == "X" || isLabel(e[0])) }}

// String is the puzzle in its notation.
func (p *Puzzle) String() string { return p.text(p.colour) }

// Drawn is the puzzle in the notation of solutions, given the colour on each cell,
// -1 for none. Stones are drawn whatever is given for their cells.
func (p *Puzzle) Drawn(colour []int) string {
	drawn := slices.Clone(colour)
	for c, k := range p.colour {
		if k == stone {
			drawn[c] = stone
		}
	}
	return p.text(drawn)
}

// text draws the faces with a colour, nothing or a stone in each cell.
func (p *Puzzle) text(colour []int) string {
	var cells []string
	for _, k := range colour {
		switch k {
		case free:
			cells = append(cells, ".")
		case stone:
			cells = append(cells, "X")
		default:
			cells = append(cells, p.labels[k:k+1])
		}
	}
	return notation.Format(board.Size{Rows: 3 * p.side, Cols: p.side}, cells)
}

// Solution is somebody's claim of how the chains run. It may break the rules.
type Solution struct {
	puzzle *Puzzle
	colour []int // by cell: a colour, free or stone
}

// Colour is the colour of a cell. It is not ok for a stone or a cell without a
// chain.
func (s *Solution) Colour(c board.Cell) (colour int, ok bool) {
	return max(s.colour[c], 0), s.colour[c] >= 0
}

// ParseSolution reads a solution as String writes it. Its stones are the
// puzzle's.
func (p *Puzzle) ParseSolution(text string) (solvers.Solution, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) != 3*p.side {
		return nil, fmt.Errorf("adrift: the solution has %d rows, expected %d", len(lines), 3*p.side)
	}
	s := &Solution{puzzle: p}
	for i, line := range lines {
		row, err := notation.Row(line)
		if err != nil {
			return nil, fmt.Errorf("adrift: solution line %d: %w", i+1, err)
		}
		if len(row) != p.side {
			return nil, fmt.Errorf("adrift: solution line %d: the row has %d cells, expected %d", i+1, len(row), p.side)
		}
		for _, letter := range row {
			c := board.Cell(len(s.colour))
			colour := strings.Index(p.labels, letter)
			switch {
			case letter == "X":
				colour = stone
			case letter == ".":
				colour = free
			case colour < 0:
				return nil, fmt.Errorf("adrift: solution %s: %q, which is no colour of the puzzle", p.Name(c), letter[0])
			}
			if (colour == stone) != p.Stone(c) {
				return nil, fmt.Errorf("adrift: solution %s: %q, expected stones where the puzzle has them", p.Name(c), letter[0])
			}
			s.colour = append(s.colour, colour)
		}
	}
	return s, nil
}

// String is the solution in its notation.
func (s *Solution) String() string { return s.puzzle.text(s.colour) }

// Paths are the cells of each chain from end to end, nil for a solution whose cells
// do not form chains.
func (s *Solution) Paths() [][]board.Cell {
	p := s.puzzle
	paths := make([][]board.Cell, len(p.ends))
	for i, pair := range p.ends {
		came, at := board.None, pair[0]
		for {
			paths[i] = append(paths[i], at)
			if at == pair[1] {
				break
			}
			next := board.None
			for _, n := range p.neighbours(at) {
				if n != came && s.colour[n] == i {
					next = n
				}
			}
			if next == board.None || len(paths[i]) >= p.cells() {
				return nil
			}
			came, at = at, next
		}
	}
	return paths
}
