package described

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"tapwise/solvers/board"
)

// layerKind is what a layer decides.
type layerKind uint8

const (
	marksLayer   layerKind = iota // a mark is in a cell, or not
	symbolsLayer                  // one of some symbols is in each cell
	numbersLayer                  // a number is in each cell
	lineLayer                     // a line leads from the middle of a cell to the next
	fenceLayer                    // a line leads along a side of a cell
	wallsLayer                    // a border is between two cells
)

func (k layerKind) String() string {
	return []string{"marks", "symbols", "numbers", "line", "fence", "walls"}[k]
}

// layer is a part of what a solution decides.
type layer struct {
	value
	kind   layerKind
	name   string
	marks  []rune // of cells, the first for none
	lo, hi int    // of numbers
}

func (l *layer) String() string { return "<" + l.name + ">" }

// Type is "layer".
func (*layer) Type() string { return "layer" }

// variables is how many the layer has on a board.
func (l *layer) variables(s board.Size) int {
	switch l.kind {
	case lineLayer, wallsLayer:
		return s.Rows*(s.Cols-1) + (s.Rows-1)*s.Cols
	case fenceLayer:
		return s.Rows*(s.Cols+1) + (s.Rows+1)*s.Cols
	}
	return s.Cells()
}

// bounds are the least and greatest value of a variable.
func (l *layer) bounds() (lo, hi int) {
	switch l.kind {
	case symbolsLayer:
		return 0, len(l.marks) - 1
	case numbersLayer:
		return l.lo, l.hi
	}
	return 0, 1
}

// layout are a board's layers, one after the other.
type layout struct {
	size   board.Size
	layers []*layer
	first  []int // by layer: its first variable
	n      int   // variables
}

func layOut(size board.Size, layers []*layer) *layout {
	l := &layout{size: size, layers: layers}
	for _, y := range layers {
		l.first = append(l.first, l.n)
		l.n += y.variables(size)
	}
	return l
}

// side is the variable of the side of a cell, counted from the layer's first; -1 where the
// layer has none.
func (l *layer) side(s board.Size, c board.Cell, d int) int {
	row, col := s.Row(c), s.Col(c)
	if l.kind == fenceLayer {
		return [4]int{row*s.Cols + col, (s.Rows+1)*s.Cols + row*(s.Cols+1) + col + 1, (row+1)*s.Cols + col, (s.Rows+1)*s.Cols + row*(s.Cols+1) + col}[d]
	}
	n := s.Beside(c, board.Dir(d))
	if n < 0 {
		return -1
	}
	if d == 0 || d == 3 {
		c = n
	}
	row, col = s.Row(c), s.Col(c)
	if d == 1 || d == 3 {
		return row*(s.Cols-1) + col
	}
	return s.Rows*(s.Cols-1) + row*s.Cols + col
}

// on is the layer as a description sees it, on a board whose layers are laid out.
func (l *layer) on(b *grid) starlark.Value {
	g := b.givens
	first := g.layout.first[slices.Index(g.layout.layers, l)]
	lo, hi := l.bounds()
	variable := func(i int) *term {
		t := &term{op: opVar, k: first + i, lo: lo, hi: hi}
		t.boolean = l.kind != symbolsLayer && l.kind != numbersLayer
		if l.kind == symbolsLayer {
			t.names = l.marks
		}
		return t
	}
	all := make([]*term, l.variables(g.size))
	for i := range all {
		all[i] = variable(i)
	}
	if l.kind < lineLayer {
		return &field{b: b, at: all}
	}
	n := &lines{b: b, layer: l, at: make([][4]*term, len(b.cells)), nodes: len(b.cells), fields: map[string]*field{}}
	seen := make([]bool, len(all))
	for c := range b.cells {
		row, col := g.size.Row(board.Cell(c)), g.size.Col(board.Cell(c))
		for d := range ways {
			i := l.side(g.size, board.Cell(c), d)
			if i < 0 {
				n.at[c][d] = truth(false)
				continue
			}
			n.at[c][d] = all[i]
			if seen[i] {
				continue
			}
			seen[i] = true
			k := link{drawn: all[i], a: c}
			if l.kind == fenceLayer {
				corner := func(row, col int) int { return row*(g.size.Cols+1) + col }
				k.a = [4]int{corner(row, col), corner(row, col+1), corner(row+1, col), corner(row, col)}[d]
				k.b = [4]int{corner(row, col+1), corner(row+1, col+1), corner(row+1, col+1), corner(row+1, col)}[d]
			} else {
				k.b = int(g.size.Beside(board.Cell(c), board.Dir(d)))
			}
			n.links = append(n.links, k)
		}
	}
	if l.kind == fenceLayer {
		n.nodes = (g.size.Rows + 1) * (g.size.Cols + 1)
	}
	return n
}

// bends are the characters of lines through the middle of a cell, by the ways they lead:
// 1 up, 2 right, 4 down, 8 left.
var bends = []rune("·╵╶└╷│┌├╴┘─┴┐┤┬┼")

// format is the layer's part of a solution.
func (l *layer) format(s board.Size, values []int) string {
	var rows []string
	switch l.kind {
	case fenceLayer, wallsLayer:
		return l.formatSides(s, values)
	case numbersLayer:
		width := len(strconv.Itoa(l.hi))
		for row := range s.Rows {
			var words []string
			for _, v := range values[row*s.Cols : (row+1)*s.Cols] {
				words = append(words, fmt.Sprintf("%*d", width, v))
			}
			rows = append(rows, strings.Join(words, " "))
		}
	default:
		for row := range s.Rows {
			var line []rune
			for col := range s.Cols {
				c := s.At(row, col)
				if l.kind != lineLayer {
					line = append(line, l.marks[values[c]])
					continue
				}
				bend := 0
				for d := range ways {
					if i := l.side(s, c, d); i >= 0 && values[i] == 1 {
						bend |= 1 << d
					}
				}
				line = append(line, bends[bend])
			}
			rows = append(rows, string(line))
		}
	}
	return strings.Join(rows, "\n")
}

// formatSides draws lines along the sides of cells, with a '+' at each corner.
func (l *layer) formatSides(s board.Size, values []int) string {
	rows := l.blankSides(s)
	l.eachSide(s, func(i, y, x int, drawn rune) {
		if values[i] == 1 {
			rows[y][x] = drawn
		}
	})
	var text []string
	for _, row := range rows {
		text = append(text, string(row))
	}
	return strings.Join(text, "\n")
}

// eachSide tells the place of each variable in the drawing, and its character.
func (l *layer) eachSide(s board.Size, visit func(i, y, x int, drawn rune)) {
	for c := range board.Cell(s.Cells()) {
		y, x := 2*s.Row(c), 2*s.Col(c)
		for d, at := range [4][2]int{{y, x + 1}, {y + 1, x + 2}, {y + 2, x + 1}, {y + 1, x}} {
			if i := l.side(s, c, d); i >= 0 {
				visit(i, at[0], at[1], []rune("-|")[d%2])
			}
		}
	}
}

func (l *layer) blankSides(s board.Size) [][]rune {
	rows := make([][]rune, 2*s.Rows+1)
	for y := range rows {
		rows[y] = []rune(strings.Repeat(".", 2*s.Cols+1))
		for x := range rows[y] {
			edge := l.kind == wallsLayer && (x == 0 || y == 0 || x == 2*s.Cols || y == 2*s.Rows)
			switch {
			case y%2 == 0 && x%2 == 0:
				rows[y][x] = '+'
			case edge:
				rows[y][x] = []rune("-|")[y%2]
			}
		}
	}
	return rows
}

// height is the number of lines of the layer's part of a solution.
func (l *layer) height(s board.Size) int {
	if l.kind == fenceLayer || l.kind == wallsLayer {
		return 2*s.Rows + 1
	}
	return s.Rows
}

// parse reads the layer's part of a solution.
func (l *layer) parse(s board.Size, rows []string) ([]int, error) {
	values := make([]int, l.variables(s))
	switch l.kind {
	case numbersLayer:
		for y, row := range rows {
			words := strings.Fields(row)
			if len(words) != s.Cols {
				return nil, fmt.Errorf("row %d has %d numbers, expected %d", y+1, len(words), s.Cols)
			}
			for x, w := range words {
				n, err := strconv.Atoi(w)
				if err != nil || n < l.lo || n > l.hi {
					return nil, fmt.Errorf("%s: %q, expected a number from %d to %d", s.Name(s.At(y, x)), board.Clip(w), l.lo, l.hi)
				}
				values[y*s.Cols+x] = n
			}
		}
		return values, nil
	case fenceLayer, wallsLayer:
		return values, l.parseSides(s, rows, values)
	}
	marks := l.marks
	if l.kind == lineLayer {
		marks = bends
	}
	drawn := make([]int, s.Cells())
	for y, row := range rows {
		line := []rune(row)
		if len(line) != s.Cols {
			return nil, fmt.Errorf("row %d has %d characters, expected %d", y+1, len(line), s.Cols)
		}
		for x, r := range line {
			i := slices.Index(marks, r)
			if i < 0 {
				return nil, fmt.Errorf("%s: %q, expected one of %s", s.Name(s.At(y, x)), r, string(marks))
			}
			drawn[y*s.Cols+x] = i
		}
	}
	if l.kind != lineLayer {
		return drawn, nil
	}
	for c := range board.Cell(s.Cells()) {
		for d, way := range ways {
			n := s.Beside(c, board.Dir(d))
			leads := drawn[c]>>d&1 == 1
			switch {
			case n < 0 && leads:
				return nil, fmt.Errorf("%s: the line leads %s, off the board", s.Name(c), way)
			case n >= 0 && leads != (drawn[n]>>((d+2)%4)&1 == 1):
				return nil, fmt.Errorf("%s and %s: a line leads from one that does not arrive at the other", s.Name(c), s.Name(n))
			case n >= 0 && leads:
				values[l.side(s, c, d)] = 1
			}
		}
	}
	return values, nil
}

func (l *layer) parseSides(s board.Size, rows []string, values []int) error {
	want := l.blankSides(s)
	var got [][]rune
	for y, row := range rows {
		line := []rune(row)
		if len(line) != len(want[y]) {
			return fmt.Errorf("line %d has %d characters, expected %d", y+1, len(line), len(want[y]))
		}
		got = append(got, line)
	}
	l.eachSide(s, func(i, y, x int, drawn rune) {
		if got[y][x] == drawn {
			values[i], want[y][x] = 1, drawn
		}
	})
	for y := range want {
		for x, r := range want[y] {
			if got[y][x] != r {
				return fmt.Errorf("line %d, character %d: %q, expected %q or a side", y+1, x+1, got[y][x], r)
			}
		}
	}
	return nil
}

// format is a whole solution, layer by layer.
func (l *layout) format(values []int) string {
	var parts []string
	for i, y := range l.layers {
		parts = append(parts, y.format(l.size, values[l.first[i]:l.first[i]+y.variables(l.size)]))
	}
	return strings.Join(parts, "\n")
}

func (l *layout) parse(text string) ([]int, error) {
	rows := strings.Split(strings.TrimRight(text, "\n"), "\n")
	want := 0
	for _, y := range l.layers {
		want += y.height(l.size)
	}
	if len(rows) != want {
		return nil, fmt.Errorf("%d lines, expected %d", len(rows), want)
	}
	var values []int
	for _, y := range l.layers {
		h := y.height(l.size)
		part, err := y.parse(l.size, rows[:h])
		if err != nil {
			if len(l.layers) > 1 {
				err = fmt.Errorf("%s: %w", y.name, err)
			}
			return nil, err
		}
		rows, values = rows[h:], append(values, part...)
	}
	return values, nil
}

// layerOf is the layer of a variable, and the variable's number there.
func (l *layout) layerOf(k int) (*layer, int) {
	i := len(l.first) - 1
	for l.first[i] > k {
		i--
	}
	return l.layers[i], k - l.first[i]
}

// names are the cells that a variable is about.
func (l *layout) names(k int) []board.Cell {
	y, k := l.layerOf(k)
	if y.kind < lineLayer {
		return []board.Cell{board.Cell(k)}
	}
	for c := range board.Cell(l.size.Cells()) {
		for d := range ways {
			if y.side(l.size, c, d) == k {
				if n := l.size.Beside(c, board.Dir(d)); n >= 0 {
					return []board.Cell{c, n}
				}
				return []board.Cell{c}
			}
		}
	}
	return nil
}
