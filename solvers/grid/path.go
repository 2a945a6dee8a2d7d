package grid

import (
	"context"
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/screen"
)

// Through is a puzzle on squares whose solutions are paths through all cells that begin at
// the first stop, pass the others in order and end at the last: one stroke.
type Through struct {
	Size  board.Size
	Stops []board.Cell // at least 2, at most csp.MaxColors+1
	Walls []board.Edge // that no step crosses
	Tint  color.NRGBA  // of the path, in pictures
	// Shown is the path on a screen, from the first stop on; it fails with a *ReadError
	// when the board there is another.
	Shown func(*screen.Observation) ([]board.Cell, error)
}

// Open reports whether a step leads from a cell to another.
func (p Through) Open(a, b board.Cell) bool {
	return slices.Contains(p.Size.Neighbours(a), b) && !slices.Contains(p.Walls, board.EdgeOf(a, b))
}

// Annotations are the numbers of the stops.
func (p Through) Annotations() []string {
	texts := make([]string, p.Size.Cells())
	for i, c := range p.Stops {
		texts[c] = strconv.Itoa(i + 1)
	}
	return texts
}

// notation is that of solutions: the order of the cells.
func (p Through) notation() board.Notation {
	return board.NumberNotation(1, max(p.Size.Rows, p.Size.Cols))
}

// Parse reads a solution, or the beginning of one.
func (p Through) Parse(text string) (Passed, error) {
	size, order, err := p.notation().ParseNumbers(strings.TrimRight(text, "\n"))
	if err == nil && size != p.Size {
		err = fmt.Errorf("the board has %s cells, expected %s as the puzzle", size, p.Size)
	}
	if err == nil && slices.Max(order) > len(order) {
		err = fmt.Errorf("number %d, expected at most %d", slices.Max(order), len(order))
	}
	return Passed{p, order}, err
}

// Along is the solution, or the beginning of one, that goes through cells in order.
func (p Through) Along(path []board.Cell) Passed {
	s := Passed{p, make([]int, p.Size.Cells())}
	for i, c := range path {
		s.Order[c] = i + 1
	}
	return s
}

// Picture is the board without a path.
func (p Through) Picture() solvers.Picture { return p.Along(nil).Picture(0, 0) }

// Spot is the middle of a cell on it.
func (p Through) Spot(c board.Cell) [2]float64 { return (&Picture{Size: p.Size}).At(c) }

// Fill is the path on a screen, in the notation of solutions; empty when there is none.
func (p Through) Fill(seen *screen.Observation) (string, error) {
	path, err := p.Shown(seen)
	if err != nil || len(path) < 2 {
		return "", err
	}
	return p.Along(path).String(), nil
}

// Paint is the path's colour.
func (p Through) Paint(plan []screen.Gesture) []color.NRGBA { return Same(plan, p.Tint) }

// Passed is a path, or what stands for one in a wrong solution. A solution embeds it, and
// adds what checks it.
type Passed struct {
	Through
	Order []int // by cell, from 1; 0 for a cell that is not on the path yet
}

// passed lets Steps see the path of another solution.
func (s Passed) passed() Passed { return s }

// String is the order of the cells.
func (s Passed) String() string { return s.notation().FormatNumbers(s.Size, s.Order) }

// Path is the cells in order, up to the first number that is on no cell or on several.
func (s Passed) Path() (cells []board.Cell) {
	at := make([][]board.Cell, len(s.Order)+1)
	for c, n := range s.Order {
		at[n] = append(at[n], board.Cell(c))
	}
	for n := 1; n < len(at) && len(at[n]) == 1; n++ {
		cells = append(cells, at[n][0])
	}
	return cells
}

// Paths are the path alone.
func (s Passed) Paths() [][]board.Cell { return [][]board.Cell{s.Path()} }

// pathNote is the note of the stroke.
const pathNote = "path"

// Plan is one stroke through all cells. There is none for a solution that is only begun.
func (s Passed) Plan(l screen.Layout) []screen.Gesture {
	path := s.Path()
	if len(path) != len(l.Centres) {
		return nil
	}
	return Touch(l, pathNote, path...)
}

// Remaining is the stroke from where the path on the screen leaves the solution's, and
// none when it does not.
func (s Passed) Remaining(seen *screen.Observation) ([]screen.Gesture, error) {
	on, err := s.Shown(seen)
	if err != nil {
		return nil, err
	}
	path := s.Path()
	same := 0
	for same < min(len(on), len(path)) && on[same] == path[same] {
		same++
	}
	if same == len(path) {
		return nil, nil
	}
	return Touch(seen.Layout, pathNote, path[max(same-1, 0):]...), nil
}

// Steps are the parts of the path from each stop to the next.
func (s Passed) Steps(drawn solvers.Solution) []solvers.Step {
	on := s.Along(nil)
	if d, ok := drawn.(interface{ passed() Passed }); ok && d.passed().Size == s.Size {
		on = d.passed()
	}
	var steps []solvers.Step
	path := s.Path()
	for from := 0; from < len(path)-1; {
		to := from + 1
		for to < len(path)-1 && !slices.Contains(s.Stops, path[to]) {
			to++
		}
		step := solvers.Step{Text: fmt.Sprintf("from %d:", slices.Index(s.Stops, path[from])+1), Cells: path[from : to+1], Drawn: true}
		for _, c := range step.Cells {
			step.Text += fmt.Sprintf(" %d,%d", s.Size.Row(c)+1, s.Size.Col(c)+1)
			step.Drawn = step.Drawn && on.Order[c] == s.Order[c]
		}
		steps = append(steps, step)
		from = to
	}
	return steps
}

// Picture is the board with some parts of the path.
func (s Passed) Picture(from, to int) solvers.Picture {
	d := NewPicture(s.Size, func(board.Cell) color.NRGBA { return color.NRGBA{} }, s.Walls)
	for i, step := range s.Steps(nil) {
		if i >= from && i < to {
			var points [][2]float64
			for _, c := range step.Cells {
				points = append(points, d.At(c))
			}
			d.Stroke(s.Tint, points...)
		}
	}
	for i, c := range s.Stops {
		d.End(d.At(c), fmt.Sprint(i+1), solvers.Ink)
	}
	return d.Picture
}

// Scene is the board with the first parts.
func (s Passed) Scene(done int) solvers.Picture { return s.Picture(0, done) }

// passes stands on the cells of the path that are no stops, in animations.
const passes = '*'

// Animation is the path growing, a cell at a time.
func (s Passed) Animation() []string {
	cells := slices.Repeat([]string{"  ."}, s.Size.Cells())
	for i, c := range s.Stops {
		cells[c] = fmt.Sprintf("%3d", i+1)
	}
	n := board.Notation{}
	pictures := []string{n.Format(s.Size, cells)}
	for _, c := range s.Path() {
		if !slices.Contains(s.Stops, c) {
			cells[c] = fmt.Sprintf("%3c", passes)
			pictures = append(pictures, n.Format(s.Size, cells))
		}
	}
	return pictures
}

// Tints are the path's colour.
func (s Passed) Tints() map[rune]color.NRGBA { return map[rune]color.NRGBA{passes: s.Tint} }

// Enumerate lists the solutions, each made of its path. A stop between the first and the
// last is two nodes with the same neighbours: one part of the path ends at one, and the
// next begins at the other.
func (p Through) Enumerate(ctx context.Context, o solvers.EnumerateOptions, solution func(path []board.Cell) solvers.Solution, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	m := csp.NewModel(csp.Config{})
	paths := csp.Paths{Nodes: p.Size.Cells(), Colors: true}
	nodes := make([][]int, p.Size.Cells()) // by cell
	for c := range nodes {
		nodes[c] = []int{c}
	}
	begin := int(p.Stops[0])
	for i, stop := range p.Stops[1:] {
		paths.Pairs = append(paths.Pairs, [2]int{begin, int(stop)})
		if i < len(p.Stops)-2 {
			begin = paths.Nodes
			paths.Nodes++
			nodes[stop] = append(nodes[stop], begin)
		}
	}
	var sides []board.Edge // by edge of the graph
	for _, side := range p.Size.Edges() {
		if !p.Open(side.A, side.B) {
			continue
		}
		for _, a := range nodes[side.A] {
			for _, b := range nodes[side.B] {
				paths.Edges = append(paths.Edges, csp.PathEdge{A: a, B: b})
				sides = append(sides, side)
			}
		}
	}
	literals := m.NewBoolVars(len(sides))
	for i := range literals {
		paths.Edges[i].Literal = literals[i]
	}
	if _, err := m.AddPaths(paths); err != nil {
		return solvers.Stats{}, err
	}
	return engine.Enumerate(ctx, o, m, literals, func() solvers.Solution {
		next := make([][]board.Cell, len(nodes))
		for i, side := range sides {
			if m.Value(literals[i]) {
				next[side.A], next[side.B] = append(next[side.A], side.B), append(next[side.B], side.A)
			}
		}
		path := []board.Cell{p.Stops[0]}
		for before := board.None; ; {
			last := path[len(path)-1]
			on := board.None
			for _, c := range next[last] {
				if c != before {
					on = c
				}
			}
			if on == board.None {
				return solution(path)
			}
			before, path = last, append(path, on)
		}
	}, yield)
}
