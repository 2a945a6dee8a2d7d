package algemy

import (
	"strings"

	"tapwise/solvers/board"
)

// Animation is the light sources lighting one after the other, row by row. A source is in
// parentheses, a crystal that sees what it needs in brackets; a lit cell has the light's colour
// as a small letter, '*' if there are several.
func (s *Solution) Animation() []string {
	p := s.puzzle
	lit := make([]ColourSet, p.cells())
	on := &Solution{puzzle: p, sources: make([]Colour, p.cells())}
	for c := range on.sources {
		on.sources[c] = noSource
	}
	l := p.lines()
	pictures := []string{on.frame(l, lit)}
	for c, colour := range s.sources {
		if colour == noSource {
			continue
		}
		on.sources[c] = colour
		for _, line := range l.at[c] {
			for _, at := range l.cells[line] {
				lit[at] |= Set(colour)
			}
		}
		pictures = append(pictures, on.frame(l, lit))
	}
	return pictures
}

// frame is a picture of an animation: the board, and the colours that fall on each
// cell.
func (s *Solution) frame(l lines, lit []ColourSet) string {
	p := s.puzzle
	var b strings.Builder
	for row := range p.rows() {
		if row > 0 {
			b.WriteByte('\n')
		}
		// Three characters a cell; a hexagon's shorter rows stand in the middle.
		indent := 0
		if p.shape == Hexagon {
			indent = (3*p.width(p.rows()/2) - 3*p.width(row)) / 2
		}
		b.WriteString(strings.Repeat(" ", indent))
		for c := p.first[row]; c < p.first[row+1]; c++ {
			b.WriteString(s.cell(c, l, lit))
		}
		if p.shape == Hexagon {
			b.WriteString(strings.Repeat(" ", 3*p.width(p.rows()/2)-3*p.width(row)-indent))
		}
	}
	return b.String()
}

// cell is three characters for a cell.
func (s *Solution) cell(c board.Cell, l lines, lit []ColourSet) string {
	crystal, source := s.puzzle.crystals[c], s.sources[c]
	switch {
	case crystal != Empty:
		if mixing(crystal, s.puzzle.hard).allows(s.sees(l, c)) {
			return "[" + crystal.String() + "]"
		}
		return " " + crystal.String() + " "
	case source != noSource:
		return "(" + source.String() + ")"
	case lit[c] == 0:
		return " - "
	}
	for colour := Red; colour <= Violet; colour++ {
		if lit[c] == Set(colour) {
			return " " + strings.ToLower(colour.String()) + " "
		}
	}
	return " * "
}

// sees is the colours that a crystal sees.
func (s *Solution) sees(l lines, c board.Cell) ColourSet {
	var sees ColourSet
	for _, line := range l.at[c] {
		for _, at := range l.cells[line] {
			if s.sources[at] != noSource {
				sees |= Set(s.sources[at])
			}
		}
	}
	return sees
}
