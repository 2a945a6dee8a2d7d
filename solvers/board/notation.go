package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Notation is how a game writes boards of squares: a line for each row, the entries of
// its cells one after the other.
type Notation struct {
	Least, Most int    // fewest and most rows and columns
	Square      bool   // there are as many columns as rows
	Separator   string // between two entries of a row; without one, an entry is one byte
	Entries     string // in words: what an entry may be, for errors
	Is          func(entry string) bool
}

// Parse reads a board, without newlines at its end. The error names the line, the
// cell and what was expected there.
func (n Notation) Parse(text string) (Size, []string, error) {
	var size Size
	var entries []string
	if text == "" {
		return size, nil, fmt.Errorf("empty, expected %d to %d rows", n.Least, n.Most)
	}
	for line := range strings.SplitSeq(text, "\n") {
		size.Rows++
		row, err := n.Row(line)
		if err != nil {
			return size, nil, fmt.Errorf("line %d: %w", size.Rows, err)
		}
		switch {
		case size.Rows > 1 && len(row) != size.Cols:
			return size, nil, fmt.Errorf("line %d: the row has %d cells, expected %d as in the first", size.Rows, len(row), size.Cols)
		case len(row) < n.Least || len(row) > n.Most:
			return size, nil, fmt.Errorf("line %d: the row has %d cells, expected %d to %d", size.Rows, len(row), n.Least, n.Most)
		}
		size.Cols = len(row)
		entries = append(entries, row...)
	}
	switch {
	case n.Square && size.Rows != size.Cols:
		return size, nil, fmt.Errorf("the board has %d rows, expected %d: as many as columns", size.Rows, size.Cols)
	case size.Rows < n.Least || size.Rows > n.Most:
		return size, nil, fmt.Errorf("the board has %d rows, expected %d to %d", size.Rows, n.Least, n.Most)
	}
	return size, entries, nil
}

// Row splits a row into its entries. The error names the cell and what was expected there.
func (n Notation) Row(line string) ([]string, error) {
	row := strings.Split(line, n.Separator)
	if i := slices.IndexFunc(row, func(e string) bool { return !n.Is(e) }); i >= 0 {
		return nil, fmt.Errorf("cell %d is %q, expected %s", i+1, Clip(row[i]), n.Entries)
	}
	return row, nil
}

// ParseAs is Parse for a board that must have a size.
func (n Notation) ParseAs(size Size, text string) ([]string, error) {
	got, entries, err := n.Parse(text)
	if err == nil && got != size {
		err = fmt.Errorf("the board has %s cells, expected %s as the puzzle", got, size)
	}
	return entries, err
}

// Format is a board in the notation, without a newline at its end.
func (n Notation) Format(size Size, entries []string) string {
	var rows []string
	for row := range slices.Chunk(entries, size.Cols) {
		rows = append(rows, strings.Join(row, n.Separator))
	}
	return strings.Join(rows, "\n")
}

// The factors for a text's likeness when its rows are not a board's, and when there are
// not as many as any board has.
const (
	misshapen = 0.9
	tooFew    = 0.6
)

// Likeness is how much a text looks like the notation, 0 to 1: the share of its entries that
// the notation has, and less if their number is not a board's.
func (n Notation) Likeness(text string) float64 {
	lines := strings.Split(text, "\n")
	all, known, shape, rows := 0, 0, 1.0, 1.0
	if len(lines) < n.Least || len(lines) > n.Most {
		rows = tooFew
	}
	for _, line := range lines {
		row := strings.Split(line, n.Separator)
		if len(row) < n.Least || len(row) > n.Most || len(row) != len(strings.Split(lines[0], n.Separator)) || n.Square && len(row) != len(lines) {
			shape = misshapen
		}
		for _, entry := range row {
			all++
			if n.Is(entry) {
				known++
			}
		}
	}
	return shape * rows * float64(known) / float64(max(all, 1))
}

// wallsWord begins the line of walls.
const wallsWord = "walls"

// ParseWalls reads a line of walls, "walls 1,2|2,2 3,1|3,2": pairs of neighbouring cells, rows
// and columns counted from 1. It requires the form that FormatWalls writes.
func (s Size) ParseWalls(line string) ([]Edge, error) { return s.parseEdges(wallsWord, line) }

func (s Size) parseEdges(what, line string) ([]Edge, error) {
	words := strings.Split(line, " ")
	if words[0] != what || len(words) < 2 {
		return nil, fmt.Errorf("%q, expected %q and pairs of cells", Clip(line), what)
	}
	var walls []Edge
	for _, word := range words[1:] {
		wall, ok := s.parseWall(word)
		if !ok {
			return nil, fmt.Errorf("wall %q, expected two neighbouring cells of the %s board, such as 1,1|1,2", Clip(word), s)
		}
		walls = append(walls, wall)
	}
	if written := s.formatEdges(what, walls); written != line {
		return nil, fmt.Errorf("%q, expected the walls once and in order: %q", Clip(line), Clip(written))
	}
	return walls, nil
}

func (s Size) parseWall(word string) (Edge, bool) {
	var at [4]int
	for i, part := range strings.FieldsFunc(word, func(r rune) bool { return r == ',' || r == '|' }) {
		if i == len(at) {
			return Edge{}, false
		}
		at[i], _ = strconv.Atoi(part) // what is no number is no cell
	}
	a, b := s.At(at[0]-1, at[1]-1), s.At(at[2]-1, at[3]-1)
	return Edge{a, b}, a != None && b != None && (s.Beside(a, East) == b || s.Beside(a, South) == b)
}

// FormatWalls is the line of walls, in the order of their cells.
func (s Size) FormatWalls(walls []Edge) string { return s.formatEdges(wallsWord, walls) }

func (s Size) formatEdges(what string, walls []Edge) string {
	sorted := slices.Clone(walls)
	slices.SortFunc(sorted, Edge.compare)
	line := what
	for _, w := range slices.Compact(sorted) {
		line += fmt.Sprintf(" %d,%d|%d,%d", s.Row(w.A)+1, s.Col(w.A)+1, s.Row(w.B)+1, s.Col(w.B)+1)
	}
	return line
}

func (e Edge) compare(o Edge) int {
	if e.A != o.A {
		return int(e.A - o.A)
	}
	return int(e.B - o.B)
}

// Neighbours are the cells beside a cell, clockwise from the north.
func (s Size) Neighbours(c Cell) []Cell {
	var found []Cell
	for d := range Dir(4) {
		if n := s.Beside(c, d); n != None {
			found = append(found, n)
		}
	}
	return found
}

// Edges are the borders of all neighbouring cells, in the order of their cells.
func (s Size) Edges() []Edge {
	var found []Edge
	for c := range Cell(s.Cells()) {
		for _, d := range []Dir{East, South} {
			if n := s.Beside(c, d); n != None {
				found = append(found, Edge{c, n})
			}
		}
	}
	return found
}

// CharacterNotation writes one of some characters for each cell.
func CharacterNotation(least, most int, characters string) Notation {
	return Notation{Least: least, Most: most, Entries: fmt.Sprintf("one of %q", characters),
		Is: func(e string) bool { return len(e) == 1 && strings.Contains(characters, e) }}
}

// NumberNotation writes a number in each cell, or '.', with a blank between two cells.
func NumberNotation(least, most int) Notation {
	return Notation{Least: least, Most: most, Separator: " ", Entries: "a number or '.'", Is: func(e string) bool {
		n, err := strconv.Atoi(e)
		return e == "." || err == nil && n > 0 && strconv.Itoa(n) == e && n <= most*most
	}}
}

// ParseNumbers is Parse for a board of numbers, 0 for none.
func (n Notation) ParseNumbers(text string) (Size, []int, error) {
	size, entries, err := n.Parse(text)
	numbers := make([]int, len(entries))
	for i, e := range entries {
		numbers[i], _ = strconv.Atoi(e) // "." is 0
	}
	return size, numbers, err
}

// FormatNumbers is Format for a board of numbers.
func (n Notation) FormatNumbers(size Size, numbers []int) string {
	entries := make([]string, len(numbers))
	for i, number := range numbers {
		if entries[i] = "."; number > 0 {
			entries[i] = strconv.Itoa(number)
		}
	}
	return n.Format(size, entries)
}

// CutWalls separates a line of walls from the rows above it; it is empty when there is
// none.
func CutWalls(text string) (rows, walls string) {
	if i := strings.LastIndex(text, "\n"+wallsWord+" "); i >= 0 {
		return text[:i], text[i+1:]
	}
	return text, ""
}

// ParseStops reads a board of numbers, each from 1 to at least 2 once, and a last line of walls
// if there are any. It returns the cells of the numbers in order.
func (n Notation) ParseStops(text string) (Size, []Cell, []Edge, error) {
	rows, line := CutWalls(text)
	size, numbers, err := n.ParseNumbers(rows)
	if err != nil {
		return size, nil, nil, err
	}
	var walls []Edge
	if line != "" {
		if walls, err = size.ParseWalls(line); err != nil {
			return size, nil, nil, err
		}
	}
	stops, err := Stops(numbers)
	return size, stops, walls, err
}

// FormatStops is what ParseStops reads.
func (n Notation) FormatStops(size Size, stops []Cell, walls []Edge) string {
	numbers := make([]int, size.Cells())
	for i, c := range stops {
		numbers[c] = i + 1
	}
	text := n.FormatNumbers(size, numbers)
	if len(walls) > 0 {
		text += "\n" + size.FormatWalls(walls)
	}
	return text
}

// Stops are the cells of the numbers in order. It fails unless each from 1 to at least 2 is
// there once.
func Stops(numbers []int) ([]Cell, error) {
	count := 0
	for _, n := range numbers {
		if n > 0 {
			count++
		}
	}
	stops := make([]Cell, count)
	for n := range count {
		c := slices.Index(numbers, n+1)
		if c < 0 {
			return nil, fmt.Errorf("no number %d among %s, expected each from 1 on once", n+1, Count(count, "number"))
		}
		stops[n] = Cell(c)
	}
	if count < 2 {
		return nil, fmt.Errorf("%s, expected at least 2", Count(count, "number"))
	}
	return stops, nil
}
