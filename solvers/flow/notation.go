package flow

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tapwise/solvers/board"
)

// form is how a puzzle was written, so that it prints back the same.
type form struct {
	style    style
	sizeLine bool           // a grid or numbers with their size before them
	header   []string       // of a pack's level: the fields before the first ';'
	paths    [][]board.Cell // of a pack's level: the designer's pipes
}

type style int

const (
	gridStyle style = iota
	numberStyle
	packStyle
)

var (
	packLine = regexp.MustCompile(`^[WX]?_?\d+(:\d+)?[+:A-Z]*,[^;]*;`)
	packSize = regexp.MustCompile(`^([WX]_)?([1-9]\d{0,3})(?::([1-9]\d{0,3}))?(?:[+:][A-Z])*$`)
	sizeLine = regexp.MustCompile(`^([1-9]\d{0,3}) ([1-9]\d{0,3})$`)
)

// Parse reads a puzzle in any of the notations of the package comment.
func Parse(text string) (*Puzzle, error) {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil, fmt.Errorf("flow: empty puzzle, expected a grid or a level")
	}
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("flow: the puzzle is not UTF-8 text")
	}
	for i, line := range strings.Split(text, "\n") {
		for _, r := range line {
			if !unicode.IsPrint(r) {
				return nil, fmt.Errorf("flow: line %d: unprintable character %q", i+1, r)
			}
		}
	}
	if packLine.MatchString(text) {
		if n := strings.Count(text, "\n"); n > 0 {
			return nil, fmt.Errorf("flow: a level of a pack is one line, here are %d", n+1)
		}
		return parsePack(text)
	}
	return parseLines(strings.Split(text, "\n"))
}

// split takes the levels of a pack apart, and boards that follow each other
// with nothing but their size lines between them.
func split(block string) []string {
	lines := strings.Split(strings.TrimRight(block, "\n"), "\n")
	if !slices.ContainsFunc(lines, func(line string) bool { return !packLine.MatchString(line) }) {
		return lines
	}
	var boards []string
	for n := boardLines(lines); n > 0 && n < len(lines) && sizeLine.MatchString(lines[n]); n = boardLines(lines) {
		boards = append(boards, strings.Join(lines[:n], "\n"))
		lines = lines[n:]
	}
	if boards == nil {
		return []string{block}
	}
	return append(boards, strings.Join(lines, "\n"))
}

// boardLines is how many lines the first board should have by its size line,
// 0 when it has none.
func boardLines(lines []string) int {
	m := sizeLine.FindStringSubmatch(lines[0])
	if m == nil {
		return 0
	}
	n := 1
	for n < len(lines) && (lines[n] == "hex" || lines[n] == "warp" || strings.HasPrefix(lines[n], "walls ")) {
		n++
	}
	rows := m[2]
	if n < len(lines) && strings.Contains(lines[n], " ") {
		rows = m[1]
	}
	height, _ := strconv.Atoi(rows)
	return n + height
}

// parseLines reads a grid or a board of numbers with the lines before it.
func parseLines(lines []string) (*Puzzle, error) {
	var (
		b     Board
		f     form
		first = 0 // the board's first line
		given [2]int
		walls string
	)
	next := func() string {
		if first < len(lines) {
			return lines[first]
		}
		return ""
	}
	if m := sizeLine.FindStringSubmatch(next()); m != nil && len(lines) > 1 {
		f.sizeLine = true
		given[0], _ = strconv.Atoi(m[1])
		given[1], _ = strconv.Atoi(m[2])
		first++
	}
	switch next() {
	case "hex":
		b.Topology = Hex
		first++
	case "warp":
		b.Topology = Warp
		first++
	}
	wallLine := first + 1
	if rest, ok := strings.CutPrefix(next(), "walls "); ok {
		walls = rest
		first++
	}
	rows := lines[first:]
	if len(rows) == 0 {
		return nil, fmt.Errorf("flow: line %d: the board is missing", len(lines)+1)
	}
	// Cells stand apart by blanks only on a board of numbers. One of a single
	// column has none to show it, but its size line would be wrong for a grid.
	cellsOf := func(row string) []string { return strings.Split(row, "") }
	if strings.Contains(rows[0], " ") || f.sizeLine && given[1] == 1 && given[0] == len(rows) && given[0] > 1 {
		f.style = numberStyle
		cellsOf = func(row string) []string { return strings.Split(row, " ") }
		given[0], given[1] = given[1], given[0]
	}
	b.Rows, b.Cols = len(rows), len(cellsOf(rows[0]))
	if f.sizeLine && (given[0] != b.Cols || given[1] != b.Rows) {
		return nil, fmt.Errorf("flow: line 1 says %d columns and %d rows, the board has %d and %d", given[0], given[1], b.Cols, b.Rows)
	}
	if b.Rows > MaxSide || b.Cols > MaxSide {
		return nil, fmt.Errorf("flow: board is %d wide and %d high, expected 1 to %d", b.Cols, b.Rows, MaxSide)
	}
	found := map[string][]board.Cell{}
	for r, row := range rows {
		cells := cellsOf(row)
		if len(cells) != b.Cols {
			return nil, fmt.Errorf("flow: line %d: the row has %d cells, expected %d as in the first", first+r+1, len(cells), b.Cols)
		}
		for c, text := range cells {
			cell := b.At(r, c)
			switch {
			case f.style == gridStyle && text == "." || f.style == numberStyle && text == "-":
			case text == "#":
				b.Holes = append(b.Holes, cell)
			case text == "+":
				b.Bridges = append(b.Bridges, cell)
			case f.style == numberStyle && !isNumber(text):
				return nil, fmt.Errorf("flow: line %d: cell %q, expected a number, '-', '#' or '+'", first+r+1, text)
			case text == " ":
				return nil, fmt.Errorf("flow: line %d: a blank in a row of characters", first+r+1)
			default:
				if len(found[text]) == 0 {
					b.Labels = append(b.Labels, text)
				}
				found[text] = append(found[text], cell)
			}
		}
	}
	for _, label := range b.Labels {
		cells := found[label]
		if len(cells) != 2 {
			return nil, fmt.Errorf("flow: line %d: %q stands on %s, expected exactly 2 ends", first+b.Row(cells[0])+1, label, board.Count(len(cells), "cell"))
		}
		b.Ends = append(b.Ends, [2]board.Cell{cells[0], cells[1]})
	}
	if walls != "" {
		for _, pair := range strings.Split(walls, " ") {
			var edge board.Edge
			var r1, c1, r2, c2 int
			if _, err := fmt.Sscanf(pair, "%d,%d|%d,%d", &r1, &c1, &r2, &c2); err != nil || pair != fmt.Sprintf("%d,%d|%d,%d", r1, c1, r2, c2) {
				return nil, fmt.Errorf("flow: line %d: wall %q, expected r,c|r,c", wallLine, pair)
			}
			edge.A, edge.B = b.At(r1, c1), b.At(r2, c2)
			if edge.A == board.None || edge.B == board.None {
				return nil, fmt.Errorf("flow: line %d: wall %q lies outside the board of %d rows and %d columns", wallLine, pair, b.Rows, b.Cols)
			}
			b.Walls = append(b.Walls, edge)
		}
	}
	p, err := build(b)
	if err != nil {
		return nil, err
	}
	p.form = f
	return p, nil
}

// isNumber reports whether a cell's text is a number as this package prints it.
func isNumber(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 0 && strconv.Itoa(n) == text
}

// parsePack reads one level of a pack.
func parsePack(line string) (*Puzzle, error) {
	parts := strings.Split(line, ";")
	fields := strings.Split(parts[0], ",")
	if len(fields) < 4 || len(fields) > 7 {
		return nil, fmt.Errorf("flow: the level has %d fields before its paths, expected 4 to 7", len(fields))
	}
	var b Board
	m := packSize.FindStringSubmatch(fields[0])
	if m == nil {
		return nil, fmt.Errorf("flow: size %q, expected N or W:H", fields[0])
	}
	switch m[1] {
	case "W_":
		b.Topology = Warp
	case "X_":
		b.Topology = Hex
	}
	b.Cols, _ = strconv.Atoi(m[2])
	b.Rows = b.Cols
	if m[3] != "" {
		b.Rows, _ = strconv.Atoi(m[3])
	}
	if b.Rows > MaxSide || b.Cols > MaxSide {
		return nil, fmt.Errorf("flow: board is %d wide and %d high, expected 1 to %d", b.Cols, b.Rows, MaxSide)
	}
	for i, name := range []string{"kind", "number", "flows"} {
		if !isNumber(fields[i+1]) {
			return nil, fmt.Errorf("flow: %s %q, expected a number", name, fields[i+1])
		}
	}
	cell := func(text, where string) (board.Cell, error) {
		if n, err := strconv.Atoi(text); err == nil && isNumber(text) && n < b.Cells() {
			return board.Cell(n), nil
		}
		return board.None, fmt.Errorf("flow: %s: cell %q, expected a number below %d", where, text, b.Cells())
	}
	list := func(i int) []string {
		if i >= len(fields) || fields[i] == "" {
			return nil
		}
		return strings.Split(fields[i], ":")
	}
	for i, target := range []*[]board.Cell{&b.Bridges, &b.Holes} {
		name := []string{"bridges", "voids"}[i]
		for _, item := range list(4 + i) {
			number, _, _ := strings.Cut(item, "_")
			c, err := cell(number, name)
			if err != nil {
				return nil, err
			}
			*target = append(*target, c)
		}
	}
	for _, item := range list(6) {
		a, z, ok := strings.Cut(item, "|")
		if !ok {
			return nil, fmt.Errorf("flow: wall %q, expected a|b", item)
		}
		from, err := cell(a, "wall "+item)
		if err != nil {
			return nil, err
		}
		to, err := cell(z, "wall "+item)
		if err != nil {
			return nil, err
		}
		b.Walls = append(b.Walls, board.Edge{A: from, B: to})
	}
	f := form{style: packStyle, header: fields}
	if want, _ := strconv.Atoi(fields[3]); want != len(parts)-1 {
		return nil, fmt.Errorf("flow: the level has %s, its line says %d", board.Count(len(parts)-1, "path"), want)
	}
	paths, err := parsePaths(parts[1:], cell)
	if err != nil {
		return nil, err
	}
	f.paths = paths
	for _, path := range f.paths {
		b.Ends = append(b.Ends, [2]board.Cell{path[0], path[len(path)-1]})
	}
	b.Labels = defaultLabels(len(b.Ends))
	p, err := build(b)
	if err != nil {
		return nil, err
	}
	p.form = f
	return p, nil
}

// parsePaths reads paths of cells joined by ','.
func parsePaths(parts []string, cell func(text, where string) (board.Cell, error)) ([][]board.Cell, error) {
	paths := make([][]board.Cell, len(parts))
	for i, part := range parts {
		for _, text := range strings.Split(part, ",") {
			c, err := cell(text, fmt.Sprintf("path %d", i+1))
			if err != nil {
				return nil, err
			}
			paths[i] = append(paths[i], c)
		}
		if len(paths[i]) < 2 {
			return nil, fmt.Errorf("flow: path %d has 1 cell, expected 2 or more", i+1)
		}
	}
	return paths, nil
}

// String is the puzzle in the notation it was read in.
func (p *Puzzle) String() string {
	if p.form.style == packStyle {
		return p.packString(p.form.paths)
	}
	var s strings.Builder
	if p.form.sizeLine {
		a, b := p.size.Cols, p.size.Rows
		if p.form.style == numberStyle {
			a, b = b, a
		}
		fmt.Fprintf(&s, "%d %d\n", a, b)
	}
	if p.topology != Square {
		fmt.Fprintf(&s, "%s\n", p.topology)
	}
	for i, w := range p.walls {
		if i == 0 {
			s.WriteString("walls")
		}
		fmt.Fprintf(&s, " %d,%d|%d,%d", p.size.Row(w.A), p.size.Col(w.A), p.size.Row(w.B), p.size.Col(w.B))
	}
	if len(p.walls) > 0 {
		s.WriteByte('\n')
	}
	s.WriteString(p.cellsString(p.pipe))
	return s.String()
}

// Grid is the puzzle as a grid or board of numbers, whatever notation it came in.
func (p *Puzzle) Grid() *Puzzle {
	b := Board{Size: p.size, Topology: p.topology, Ends: p.ends, Labels: p.labels, Walls: slices.Clone(p.walls)}
	for c, k := range p.kind {
		switch k {
		case hole:
			b.Holes = append(b.Holes, board.Cell(c))
		case bridge:
			b.Bridges = append(b.Bridges, board.Cell(c))
		}
	}
	q, err := New(b)
	if err != nil { // p was checked when it was made
		return p
	}
	q.covering, q.colours = p.covering, p.colours
	return q
}

// Drawn is the board in the notation of solutions, given the pipe on each cell,
// -1 for none.
func (p *Puzzle) Drawn(pipe []int) string { return p.cellsString(pipe) }

// cellsString is the board with each cell's pipe, -1 for none.
func (p *Puzzle) cellsString(pipe []int) string {
	empty, gap := ".", ""
	if p.form.style == numberStyle {
		empty, gap = "-", " "
	}
	var s strings.Builder
	for c := range board.Cell(p.size.Cells()) {
		switch {
		case p.size.Col(c) > 0:
			s.WriteString(gap)
		case c > 0:
			s.WriteByte('\n')
		}
		switch {
		case p.kind[c] == hole:
			s.WriteByte('#')
		case p.kind[c] == bridge:
			s.WriteByte('+')
		case pipe[c] < 0:
			s.WriteString(empty)
		default:
			s.WriteString(p.labels[pipe[c]])
		}
	}
	return s.String()
}

// packString is the level's line with the given paths.
func (p *Puzzle) packString(paths [][]board.Cell) string {
	var s strings.Builder
	s.WriteString(strings.Join(p.form.header, ","))
	for _, path := range paths {
		s.WriteByte(';')
		for i, c := range path {
			if i > 0 {
				s.WriteByte(',')
			}
			s.WriteString(strconv.Itoa(int(c)))
		}
	}
	return s.String()
}
