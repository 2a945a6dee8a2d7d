package algemy

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
		return nil, fmt.Errorf("algemy: empty puzzle, expected a board")
	}
	lines := strings.Split(text, "\n")
	var b Board
	above := 0 // lines above the board
	easyLine := lines[0] == "easy"
	if easyLine || lines[0] == "hard" {
		b.Hard = !easyLine
		above = 1
	}
	rows := make([]string, 0, len(lines)) // the letters of each
	for i, line := range lines[above:] {
		letters, err := cellsOf(line, "-"+crystalLetters)
		if err != nil {
			return nil, fmt.Errorf("algemy: line %d: %w", above+i+1, err)
		}
		rows = append(rows, letters)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("algemy: line 2: the board is missing")
	}
	b.Side = len(rows[0])
	if b.Side < MinSide || b.Side > MaxSide {
		return nil, fmt.Errorf("algemy: line %d: the row has %d cells, expected %d to %d", above+1, b.Side, MinSide, MaxSide)
	}
	// A second row that is longer makes a hexagon.
	if len(rows) > 1 && len(rows[1]) > b.Side {
		b.Shape = Hexagon
	}
	g := newLattice(b.Shape, b.Side)
	for i, letters := range rows[:min(len(rows), g.rows())] {
		if len(letters) != g.width(i) {
			return nil, fmt.Errorf("algemy: line %d: the row has %d cells, expected %d", above+i+1, len(letters), g.width(i))
		}
		b.Crystals = append(b.Crystals, []Crystal(letters)...)
	}
	if len(rows) != g.rows() {
		return nil, fmt.Errorf("algemy: a %s of side %d has %d rows, here are %d", b.Shape, b.Side, g.rows(), len(rows))
	}
	p, err := New(b)
	if err != nil {
		return nil, err
	}
	p.easyLine = easyLine
	return p, nil
}

// cellsOf splits a line of cells, each one of the letters allowed, with one blank
// between them.
func cellsOf(line string, allowed string) (letters string, err error) {
	n := board.Notation{Separator: " ", Entries: fmt.Sprintf("one of %s, one blank between cells", allowed),
		Is: func(e string) bool { return len(e) == 1 && strings.Contains(allowed, e) }}
	cells, err := n.Row(line)
	return strings.Join(cells, ""), err
}

// String is the puzzle in its notation.
func (p *Puzzle) String() string {
	first := ""
	switch {
	case p.hard:
		first = "hard\n"
	case p.easyLine:
		first = "easy\n"
	}
	return first + p.text(func(c board.Cell) byte { return byte(p.crystals[c]) })
}

// text draws a board with a letter in each cell.
func (g lattice) text(letter func(board.Cell) byte) string {
	var rows []string
	for row := range g.rows() {
		var letters []string
		for c := g.first[row]; c < g.first[row+1]; c++ {
			letters = append(letters, string(letter(c)))
		}
		rows = append(rows, strings.Join(letters, " "))
	}
	return strings.Join(rows, "\n")
}

// Solution is somebody's claim of where the light sources are. It may break the
// rules.
type Solution struct {
	puzzle  *Puzzle
	sources []Colour // by cell: a colour or noSource
}

const noSource Colour = -1

// NewSolution is a puzzle with light sources on cells. It may break the rules.
func NewSolution(p *Puzzle, sources map[board.Cell]Colour) *Solution {
	s := &Solution{puzzle: p, sources: slices.Repeat([]Colour{noSource}, p.cells())}
	for c, colour := range sources {
		s.sources[c] = colour
	}
	return s
}

// Source is the colour of the light source on a cell. It is not ok where there is
// none.
func (s *Solution) Source(c board.Cell) (colour Colour, ok bool) {
	return max(s.sources[c], 0), s.sources[c] != noSource
}

// ParseSolution reads a solution as String writes it.
func (p *Puzzle) ParseSolution(text string) (solvers.Solution, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) != p.rows() {
		return nil, fmt.Errorf("algemy: the solution has %d rows, expected %d", len(lines), p.rows())
	}
	s := &Solution{puzzle: p}
	for row, line := range lines {
		letters, err := cellsOf(line, "-"+colourLetters)
		if err != nil {
			return nil, fmt.Errorf("algemy: solution line %d: %w", row+1, err)
		}
		if len(letters) != p.width(row) {
			return nil, fmt.Errorf("algemy: solution line %d: the row has %d cells, expected %d", row+1, len(letters), p.width(row))
		}
		for i := range letters {
			s.sources = append(s.sources, Colour(strings.IndexByte(colourLetters, letters[i])))
		}
	}
	return s, nil
}

// String is the solution in its notation.
func (s *Solution) String() string {
	return s.puzzle.text(func(c board.Cell) byte {
		if colour := s.sources[c]; colour != noSource {
			return colourLetters[colour]
		}
		return '-'
	})
}
