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

// form is the form that a puzzle was written in, so that it prints back the same.
type form struct {
	style    style
	sizeLine bool           // a grid or numbers with their size before them
	header   []string       // of a pack's level: the fields before the first ';'
	paths    [][]board.Cell // of a pack's level: the reference answer
}

type style int

const (
	gridStyle style = iota
	numberStyle
	packStyle
)

// The text of a cell that is a hole, and of a bridge, in a grid and on a board of
// numbers.
const (
	holeText   = "#"
	bridgeText = "+"
)

// empty is the text of an empty cell.
func (s style) empty() string {
	if s == numberStyle {
		return "-"
	}
	return "."
}

// gap stands between the cells of a row.
func (s style) gap() string {
	if s == numberStyle {
		return " "
	}
	return ""
}

// cells are the texts of a row's cells.
func (s style) cells(row string) []string { return strings.Split(row, s.gap()) }

var (
	packLine = regexp.MustCompile(`^[WX]?_?\d+(:\d+)?[+:A-Z]*,[^;]*;`)
	packSize = regexp.MustCompile(`^([WX]_)?([1-9]\d{0,3})(?::([1-9]\d{0,3}))?(?:[+:][A-Z])*$`)
	sizeLine = regexp.MustCompile(`^([1-9]\d{0,3}) ([1-9]\d{0,3})$`)
)

// Parse reads a puzzle in any of the notations of the package comment. The error
// names the line and what was expected there.
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

// Split separates the levels of a pack, one a line, and boards that follow each other with only
// their size lines between them.
func (Game) Split(block string) []string {
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

// boardLines is the number of lines that the first board has by its size line, 0
// without one.
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
	r := lineReader{lines: lines}
	r.readHead()
	for _, read := range []func() error{r.readSize, r.readCells, r.readEnds, r.readWalls} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	p, err := build(r.Board)
	if err != nil {
		return nil, err
	}
	p.form = r.form
	return p, nil
}

// lineReader reads a grid or a board of numbers.
type lineReader struct {
	Board
	form   form
	lines  []string
	first  int                     // index of the board's first line
	given  [2]int                  // columns and rows by the size line
	walls  string                  // the pairs of cells in the line of walls
	walled bool                    // there is such a line
	found  map[string][]board.Cell // by label
}

// next is the line after those read, empty after the last.
func (r *lineReader) next() string {
	if r.first < len(r.lines) {
		return r.lines[r.first]
	}
	return ""
}

// readHead reads the lines before the board, each of which may be left out.
func (r *lineReader) readHead() {
	if m := sizeLine.FindStringSubmatch(r.next()); m != nil && len(r.lines) > 1 {
		r.form.sizeLine = true
		r.given[0], _ = strconv.Atoi(m[1])
		r.given[1], _ = strconv.Atoi(m[2])
		r.first++
	}
	switch r.next() {
	case "hex":
		r.Topology = Hex
		r.first++
	case "warp":
		r.Topology = Warp
		r.first++
	}
	if walls, ok := strings.CutPrefix(r.next(), "walls "); ok {
		r.walls, r.walled = walls, true
		r.first++
	}
}

// rows are the lines of the board.
func (r *lineReader) rows() []string { return r.lines[r.first:] }

// readSize finds out the style and the size of the board, and compares it with
// the size line. Cells stand apart by blanks only on a board of numbers. One of a
// single column has none to show it, but its size line would be wrong for a grid.
func (r *lineReader) readSize() error {
	rows := r.rows()
	if len(rows) == 0 {
		return fmt.Errorf("flow: line %d: the board is missing", len(r.lines)+1)
	}
	oneColumn := r.form.sizeLine && r.given[1] == 1 && r.given[0] == len(rows) && r.given[0] > 1
	if strings.Contains(rows[0], " ") || oneColumn {
		r.form.style = numberStyle
		r.given[0], r.given[1] = r.given[1], r.given[0]
	}
	r.Rows, r.Cols = len(rows), len(r.form.style.cells(rows[0]))
	if r.form.sizeLine && (r.given[0] != r.Cols || r.given[1] != r.Rows) {
		return fmt.Errorf("flow: line 1 says %d columns and %d rows, the board has %d and %d", r.given[0], r.given[1], r.Cols, r.Rows)
	}
	return checkSize(r.Size)
}

// checkSize refuses a board that is too large.
func checkSize(size board.Size) error {
	if size.Rows > MaxSide || size.Cols > MaxSide {
		return fmt.Errorf("flow: board is %d wide and %d high, expected 1 to %d", size.Cols, size.Rows, MaxSide)
	}
	return nil
}

// readCells reads what is on each cell.
func (r *lineReader) readCells() error {
	r.found = map[string][]board.Cell{}
	for row, line := range r.rows() {
		cells := r.form.style.cells(line)
		if len(cells) != r.Cols {
			return fmt.Errorf("flow: line %d: the row has %d cells, expected %d as in the first", r.first+row+1, len(cells), r.Cols)
		}
		for col, text := range cells {
			if err := r.readCell(r.At(row, col), text); err != nil {
				return fmt.Errorf("flow: line %d: %w", r.first+row+1, err)
			}
		}
	}
	return nil
}

func (r *lineReader) readCell(c board.Cell, text string) error {
	switch {
	case text == r.form.style.empty():
	case text == holeText:
		r.Holes = append(r.Holes, c)
	case text == bridgeText:
		r.Bridges = append(r.Bridges, c)
	case r.form.style == numberStyle && !isNumber(text):
		return fmt.Errorf("cell %q, expected a number, '-', '#' or '+'", text)
	case text == " ":
		return fmt.Errorf("a blank in a row of characters")
	default:
		if len(r.found[text]) == 0 {
			r.Labels = append(r.Labels, text)
		}
		r.found[text] = append(r.found[text], c)
	}
	return nil
}

// readEnds pairs the cells with the same label.
func (r *lineReader) readEnds() error {
	for _, label := range r.Labels {
		cells := r.found[label]
		switch line := r.first + r.Row(cells[0]) + 1; {
		case len(cells) != 2:
			return fmt.Errorf("flow: line %d: %q stands on %s, expected exactly 2 ends", line, label, board.Count(len(cells), "cell"))
		case label == "0" && len(r.Labels) > 1 && r.full() && !slices.ContainsFunc(r.Labels, func(l string) bool { return !isNumber(l) }):
			return fmt.Errorf("flow: line %d: 0 stands on 2 cells and no cell is empty, expected %q for an empty cell, and another number for a pipe", line, r.form.style.empty())
		}
		r.Ends = append(r.Ends, [2]board.Cell{cells[0], cells[1]})
	}
	return nil
}

// full reports whether no cell is empty.
func (r *lineReader) full() bool {
	taken := len(r.Holes) + len(r.Bridges)
	for _, cells := range r.found {
		taken += len(cells)
	}
	return taken == r.Cells()
}

// readWalls reads the line of walls, which is the last before the board.
func (r *lineReader) readWalls() error {
	if !r.walled {
		return nil
	}
	for _, pair := range strings.Split(r.walls, " ") {
		var r1, c1, r2, c2 int
		if _, err := fmt.Sscanf(pair, "%d,%d|%d,%d", &r1, &c1, &r2, &c2); err != nil || pair != fmt.Sprintf("%d,%d|%d,%d", r1, c1, r2, c2) {
			return fmt.Errorf("flow: line %d: wall %q, expected r,c|r,c", r.first, pair)
		}
		edge := board.Edge{A: r.At(r1, c1), B: r.At(r2, c2)}
		if edge.A == board.None || edge.B == board.None {
			return fmt.Errorf("flow: line %d: wall %q lies outside the board of %d rows and %d columns", r.first, pair, r.Rows, r.Cols)
		}
		r.Walls = append(r.Walls, edge)
	}
	return nil
}

// isNumber reports whether a text is a number as this package prints it.
func isNumber(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 0 && strconv.Itoa(n) == text
}

// parsePack reads one level of a pack.
func parsePack(line string) (*Puzzle, error) {
	parts := strings.Split(line, ";")
	r := packReader{fields: strings.Split(parts[0], ","), paths: parts[1:]}
	for _, read := range []func() error{r.readSize, r.readNumbers, r.readCells, r.readWalls, r.readPaths} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	p, err := build(r.Board)
	if err != nil {
		return nil, err
	}
	p.form = form{style: packStyle, header: r.fields, paths: r.pipes}
	return p, nil
}

// The fields of a level before its paths.
const (
	sizeField = iota
	kindField
	numberField
	flowsField
	bridgesField // from here on they may be left out
	voidsField
	wallsField
	mostFields
)

// packReader reads a level of a pack.
type packReader struct {
	Board
	fields []string
	paths  []string
	pipes  [][]board.Cell // the cells of each path
}

func (r *packReader) readSize() error {
	if len(r.fields) <= flowsField || len(r.fields) > mostFields {
		return fmt.Errorf("flow: the level has %d fields before its paths, expected 4 to 7", len(r.fields))
	}
	m := packSize.FindStringSubmatch(r.fields[sizeField])
	if m == nil {
		return fmt.Errorf("flow: size %q, expected N or W:H", r.fields[sizeField])
	}
	r.Topology = map[string]Topology{"": Square, "W_": Warp, "X_": Hex}[m[1]]
	r.Cols, _ = strconv.Atoi(m[2])
	r.Rows = r.Cols
	if m[3] != "" {
		r.Rows, _ = strconv.Atoi(m[3])
	}
	return checkSize(r.Size)
}

// readNumbers checks the level's kind and number, which are only kept, and its
// number of flows.
func (r *packReader) readNumbers() error {
	for _, field := range []struct {
		at   int
		name string
	}{{kindField, "kind"}, {numberField, "number"}, {flowsField, "flows"}} {
		if text := r.fields[field.at]; !isNumber(text) {
			return fmt.Errorf("flow: %s %q, expected a number", field.name, text)
		}
	}
	return nil
}

// list is the items of a field, none where it is empty or left out.
func (r *packReader) list(field int) []string {
	if field >= len(r.fields) || r.fields[field] == "" {
		return nil
	}
	return strings.Split(r.fields[field], ":")
}

// cell reads the number of a cell. The error tells where it stands.
func (r *packReader) cell(text, where string) (board.Cell, error) {
	if n, err := strconv.Atoi(text); err == nil && isNumber(text) && n < r.Cells() {
		return board.Cell(n), nil
	}
	return board.None, fmt.Errorf("flow: %s: cell %q, expected a number below %d", where, text, r.Cells())
}

// readCells reads the bridges and the voids, each with or without the style that
// it is drawn in.
func (r *packReader) readCells() error {
	for _, field := range []struct {
		at    int
		name  string
		cells *[]board.Cell
	}{{bridgesField, "bridges", &r.Bridges}, {voidsField, "voids", &r.Holes}} {
		for _, item := range r.list(field.at) {
			number, _, _ := strings.Cut(item, "_")
			c, err := r.cell(number, field.name)
			if err != nil {
				return err
			}
			*field.cells = append(*field.cells, c)
		}
	}
	return nil
}

func (r *packReader) readWalls() error {
	for _, item := range r.list(wallsField) {
		a, b, ok := strings.Cut(item, "|")
		if !ok {
			return fmt.Errorf("flow: wall %q, expected a|b", item)
		}
		from, err := r.cell(a, "wall "+item)
		if err != nil {
			return err
		}
		to, err := r.cell(b, "wall "+item)
		if err != nil {
			return err
		}
		r.Walls = append(r.Walls, board.Edge{A: from, B: to})
	}
	return nil
}

// readPaths reads the paths, of cells joined by ','. Their first and last cells
// are the ends.
func (r *packReader) readPaths() error {
	if want, _ := strconv.Atoi(r.fields[flowsField]); want != len(r.paths) {
		return fmt.Errorf("flow: the level has %s, its line says %d", board.Count(len(r.paths), "path"), want)
	}
	for i, text := range r.paths {
		var pipe []board.Cell
		for _, number := range strings.Split(text, ",") {
			c, err := r.cell(number, fmt.Sprintf("path %d", i+1))
			if err != nil {
				return err
			}
			pipe = append(pipe, c)
		}
		if len(pipe) < 2 {
			return fmt.Errorf("flow: path %d has 1 cell, expected 2 or more", i+1)
		}
		r.pipes = append(r.pipes, pipe)
		r.Ends = append(r.Ends, [2]board.Cell{pipe[0], pipe[len(pipe)-1]})
	}
	r.Labels = defaultLabels(len(r.Ends))
	return nil
}

// String is the puzzle in the notation that it was read in.
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

// Grid is the same puzzle, written as a grid or a board of numbers.
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
	q.covering, q.tidy, q.colours = p.covering, p.tidy, p.colours
	return q
}

// Drawn is the board in the notation of solutions, given the pipe on each cell,
// negative for none.
func (p *Puzzle) Drawn(pipe []int) string { return p.cellsString(pipe) }

// cellsString is the board with each cell's pipe, empty where that is negative.
func (p *Puzzle) cellsString(pipe []int) string {
	cells := make([]string, p.size.Cells())
	for c := range cells {
		switch {
		case p.kind[c] == hole:
			cells[c] = holeText
		case p.kind[c] == bridge:
			cells[c] = bridgeText
		case pipe[c] < 0:
			cells[c] = p.form.style.empty()
		default:
			cells[c] = p.labels[pipe[c]]
		}
	}
	return board.Notation{Separator: p.form.style.gap()}.Format(p.size, cells)
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
