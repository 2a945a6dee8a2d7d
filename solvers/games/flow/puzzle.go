package flow

import (
	"fmt"
	"image/color"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Topology is the arrangement of a board's cells.
type Topology int

// The topologies.
const (
	Square Topology = iota // four neighbours
	Hex                    // six neighbours, in columns
	Warp                   // four neighbours; opposite rims of the board are joined
)

func (t Topology) String() string { return [...]string{"square", "hex", "warp"}[t] }

// MaxSide is the most rows or columns that a board may have.
const MaxSide = 256

// Board is a puzzle's givens in plain data, for New.
type Board struct {
	board.Size
	Topology Topology
	Ends     [][2]board.Cell // by pipe
	Labels   []string        // by pipe: a character or a number; nil: letters are chosen
	Holes    []board.Cell
	Bridges  []board.Cell
	Walls    []board.Edge
}

// Puzzle is a Flow level. It does not change.
type Puzzle struct {
	size     board.Size
	topology Topology
	ends     [][2]board.Cell
	labels   []string
	walls    []board.Edge // as given
	kind     []kind       // by cell
	pipe     []int        // by cell: the pipe whose end it is, or -1
	wall     map[board.Edge]bool
	covering bool
	tidy     bool // solutions of which a pipe can be shortened do not count
	form     form
	colours  []color.NRGBA // by pipe, as seen on a screen; nil when the puzzle was not read from one
}

// kind is the kind of a cell.
type kind uint8

const (
	plain kind = iota
	hole
	bridge
)

// New makes a puzzle of its givens. The error says what is wrong with them. The
// puzzle is written as a grid, or with numbers when it has more pipes than there
// are letters and digits.
func New(b Board) (*Puzzle, error) {
	if b.Labels == nil {
		b.Labels = defaultLabels(len(b.Ends))
	}
	p, err := build(b)
	if err != nil {
		return nil, err
	}
	p.form = form{style: gridStyle}
	if slices.ContainsFunc(b.Labels, func(l string) bool { return len([]rune(l)) != 1 }) {
		p.form = form{style: numberStyle, sizeLine: true}
	}
	return p, nil
}

// build checks the givens and makes the puzzle, without its form.
func build(b Board) (*Puzzle, error) {
	if b.Rows < 1 || b.Cols < 1 || b.Rows > MaxSide || b.Cols > MaxSide {
		return nil, fmt.Errorf("flow: board is %d wide and %d high, expected 1 to %d", b.Cols, b.Rows, MaxSide)
	}
	if len(b.Ends) == 0 {
		return nil, fmt.Errorf("flow: the board has no ends, expected at least one pair")
	}
	if len(b.Labels) != len(b.Ends) {
		return nil, fmt.Errorf("flow: %d labels for %d pipes", len(b.Labels), len(b.Ends))
	}
	p := &Puzzle{
		size:     b.Size,
		topology: b.Topology,
		ends:     slices.Clone(b.Ends),
		labels:   slices.Clone(b.Labels),
		walls:    slices.Clone(b.Walls),
		kind:     make([]kind, b.Cells()),
		pipe:     make([]int, b.Cells()),
		wall:     make(map[board.Edge]bool, len(b.Walls)),
		covering: true,
	}
	for i := range p.pipe {
		p.pipe[i] = -1
	}
	if err := p.place(hole, "hole", b.Holes); err != nil {
		return nil, err
	}
	if err := p.place(bridge, "bridge", b.Bridges); err != nil {
		return nil, err
	}
	if b.Topology == Hex && len(b.Bridges) > 0 {
		return nil, fmt.Errorf("flow: %s: a bridge on a hex board, expected none", p.size.Name(b.Bridges[0]))
	}
	if err := p.placeEnds(); err != nil {
		return nil, err
	}
	if err := p.placeWalls(); err != nil {
		return nil, err
	}
	return p, nil
}

// place makes cells holes or bridges.
func (p *Puzzle) place(k kind, name string, cells []board.Cell) error {
	for _, c := range cells {
		if !p.inside(c) {
			return fmt.Errorf("flow: %s at cell %d, the board has %d cells", name, c, p.size.Cells())
		}
		if p.kind[c] != plain {
			return fmt.Errorf("flow: %s: a %s where there is a hole or bridge already", p.size.Name(c), name)
		}
		p.kind[c] = k
	}
	return nil
}

func (p *Puzzle) placeEnds() error {
	for i, pair := range p.ends {
		for _, c := range pair {
			switch {
			case !p.inside(c):
				return fmt.Errorf("flow: pipe %s ends at cell %d, the board has %d cells", p.labels[i], c, p.size.Cells())
			case p.kind[c] != plain:
				return fmt.Errorf("flow: %s: pipe %s ends on a hole or bridge", p.size.Name(c), p.labels[i])
			case p.pipe[c] >= 0:
				return fmt.Errorf("flow: %s: pipe %s ends where pipe %s does", p.size.Name(c), p.labels[i], p.labels[p.pipe[c]])
			}
			p.pipe[c] = i
		}
	}
	return nil
}

func (p *Puzzle) placeWalls() error {
	for _, w := range p.walls {
		if !p.inside(w.A) || !p.inside(w.B) || !p.adjacent(w.A, w.B) {
			return fmt.Errorf("flow: wall between cells %d and %d, which are no neighbours", w.A, w.B)
		}
		edge := board.EdgeOf(w.A, w.B)
		if p.wall[edge] {
			return fmt.Errorf("flow: wall between cells %d and %d given twice", w.A, w.B)
		}
		p.wall[edge] = true
	}
	return nil
}

// Size is the number of rows and columns.
func (p *Puzzle) Size() board.Size { return p.size }

// Topology is the arrangement of the cells.
func (p *Puzzle) Topology() Topology { return p.topology }

// Pipes is the number of pipes.
func (p *Puzzle) Pipes() int { return len(p.ends) }

// Ends are the two ends of a pipe.
func (p *Puzzle) Ends(pipe int) [2]board.Cell { return p.ends[pipe] }

// Label is a pipe's character or number.
func (p *Puzzle) Label(pipe int) string { return p.labels[pipe] }

// Annotations are the labels of the ends by cell, empty elsewhere, for pictures.
func (p *Puzzle) Annotations() []string {
	texts := make([]string, p.size.Cells())
	for i, pair := range p.ends {
		texts[pair[0]], texts[pair[1]] = p.labels[i], p.labels[i]
	}
	return texts
}

// PipeAt is the pipe with an end on a cell, -1 where there is no end.
func (p *Puzzle) PipeAt(c board.Cell) int { return p.pipe[c] }

// Hole reports whether a place of the lattice has no cell.
func (p *Puzzle) Hole(c board.Cell) bool { return p.kind[c] == hole }

// Bridge reports whether a cell is a bridge.
func (p *Puzzle) Bridge(c board.Cell) bool { return p.kind[c] == bridge }

// Covering reports whether every cell must be covered.
func (p *Puzzle) Covering() bool { return p.covering }

// WithoutCover is the same puzzle without the rule that every cell is covered.
func (p *Puzzle) WithoutCover() solvers.Puzzle {
	q := *p
	q.covering = false
	return &q
}

// OnlyTidy is the same puzzle with the rule that no pipe can be shortened.
func (p *Puzzle) OnlyTidy() solvers.Puzzle {
	q := *p
	q.tidy = true
	return &q
}

// Dirs is the number of directions from a cell: 4, or 6 on a hex board. They are
// counted clockwise from the north.
func (p *Puzzle) Dirs() int {
	if p.topology == Hex {
		return 6
	}
	return 4
}

// Opposite is the direction that leads back.
func (p *Puzzle) Opposite(d board.Dir) board.Dir {
	n := board.Dir(p.Dirs())
	return (d + n/2) % n
}

// Neighbour is the cell next to c in a direction, or board.None if a pipe cannot go there: the
// rim, a wall, a hole.
func (p *Puzzle) Neighbour(c board.Cell, d board.Dir) board.Cell {
	n := p.beside(c, d)
	if n == board.None || p.kind[c] == hole || p.kind[n] == hole || p.wall[board.EdgeOf(c, n)] {
		return board.None
	}
	return n
}

// Beside is the place next to c in a direction, whether or not it is a hole or behind a wall,
// or board.None beyond the rim.
func (p *Puzzle) Beside(c board.Cell, d board.Dir) board.Cell { return p.beside(c, d) }

// Walled reports whether a wall stands between two neighbouring cells.
func (p *Puzzle) Walled(a, b board.Cell) bool { return p.wall[board.EdgeOf(a, b)] }

// Walls is the number of walls.
func (p *Puzzle) Walls() int { return len(p.walls) }

// beside is Neighbour without walls and holes.
func (p *Puzzle) beside(c board.Cell, d board.Dir) board.Cell {
	row, col := p.size.Row(c), p.size.Col(c)
	if p.topology == Hex {
		step := hexSteps[col%2][d]
		return p.size.At(row+step[0], col+step[1])
	}
	dr, dc := d.Step()
	row, col = row+dr, col+dc
	if p.topology == Warp {
		if p.size.Rows > 2 {
			row = (row + p.size.Rows) % p.size.Rows
		}
		if p.size.Cols > 2 {
			col = (col + p.size.Cols) % p.size.Cols
		}
	}
	return p.size.At(row, col)
}

// hexSteps are the changes of row and column towards north, north-east,
// south-east, south, south-west, north-west; first for even columns, which are
// set half a cell lower, then for odd ones.
var hexSteps = [2][6][2]int{
	{{-1, 0}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}},
	{{-1, 0}, {-1, 1}, {0, 1}, {1, 0}, {0, -1}, {-1, -1}},
}

func (p *Puzzle) adjacent(a, b board.Cell) bool {
	for d := range board.Dir(p.Dirs()) {
		if p.beside(a, d) == b {
			return true
		}
	}
	return false
}

func (p *Puzzle) inside(c board.Cell) bool { return c >= 0 && int(c) < p.size.Cells() }

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// defaultLabels are letters and digits, or numbers when there are more pipes than
// those.
func defaultLabels(n int) []string {
	labels := make([]string, n)
	for i := range labels {
		if n <= len(letters) {
			labels[i] = letters[i : i+1]
		} else {
			labels[i] = fmt.Sprint(i + 1)
		}
	}
	return labels
}
