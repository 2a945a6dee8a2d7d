package described

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// area is a shape on the board: a part that the board is divided into, or could be.
type area struct {
	value
	b      *grid
	cells  []board.Cell // in order
	corner board.Cell   // of an L
	ends   map[board.Cell]int
}

func (*area) String() string { return "<area>" }

// Type is "area".
func (*area) Type() string { return "area" }

// AttrNames are what an area knows.
func (*area) AttrNames() []string {
	return []string{"cells", "clues", "corner", "ends", "height", "size", "width"}
}

// Attr is one of them. Ends are those of an L and the ways from there to its corner.
func (a *area) Attr(name string) (starlark.Value, error) {
	switch name {
	case "size":
		return starlark.MakeInt(len(a.cells)), nil
	case "height", "width": // of a rectangle
		first, last := a.cells[0], a.cells[len(a.cells)-1]
		size := a.b.givens.size
		if name == "height" {
			return starlark.MakeInt(size.Row(last) - size.Row(first) + 1), nil
		}
		return starlark.MakeInt(size.Col(last) - size.Col(first) + 1), nil
	case "cells", "clues":
		var cells []*cell
		for _, c := range a.cells {
			if name == "cells" || a.b.givens.clue[c].kind != noClue {
				cells = append(cells, a.b.cells[c])
			}
		}
		return listOf(cells), nil
	case "corner":
		if a.ends == nil {
			return starlark.None, nil
		}
		return a.b.cells[a.corner], nil
	case "ends":
		ends := starlark.NewDict(2)
		for c, d := range a.ends {
			if err := ends.SetKey(a.b.cells[c], starlark.String(ways[d])); err != nil {
				return nil, err
			}
		}
		return ends, nil
	}
	return nil, nil
}

// family is a kind of shapes: it lists those on a board, and knows one when it sees it.
type family struct {
	value
	name string
	list func(b *grid, yield func(*area) error) error
	know func(b *grid, cells []board.Cell) *area // nil: it is none
}

func (f *family) String() string { return "<" + f.name + ">" }

// Type is "shapes".
func (*family) Type() string { return "shapes" }

var (
	rectangles = family{name: "rectangles", list: listRectangles, know: knowRectangle}
	ells       = family{name: "ells", list: listElls, know: knowEll}
)

func shapeFamily(f family) *family { return &f }

func listRectangles(b *grid, yield func(*area) error) error {
	size := b.givens.size
	for top := range board.Cell(size.Cells()) {
		for rows := 1; size.Row(top)+rows <= size.Rows; rows++ {
			for cols := 1; size.Col(top)+cols <= size.Cols; cols++ {
				a := &area{b: b}
				for i := range rows * cols {
					a.cells = append(a.cells, top+board.Cell(i/cols*size.Cols+i%cols))
				}
				if err := yield(a); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// knowRectangle compares the number of cells with that of the rectangle around them.
func knowRectangle(b *grid, cells []board.Cell) *area {
	size := b.givens.size
	top, left, bottom, right := size.Rows, size.Cols, 0, 0
	for _, c := range cells {
		top, bottom = min(top, size.Row(c)), max(bottom, size.Row(c))
		left, right = min(left, size.Col(c)), max(right, size.Col(c))
	}
	if (bottom-top+1)*(right-left+1) != len(cells) {
		return nil
	}
	return &area{b: b, cells: cells}
}

func listElls(b *grid, yield func(*area) error) error {
	size := b.givens.size
	for corner := range board.Cell(size.Cells()) {
		for _, d := range [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 0}} {
			var first []board.Cell
			for c := size.Beside(corner, board.Dir(d[0])); c >= 0; c = size.Beside(c, board.Dir(d[0])) {
				first = append(first, c)
				all := append(slices.Clone(first), corner)
				for e := size.Beside(corner, board.Dir(d[1])); e >= 0; e = size.Beside(e, board.Dir(d[1])) {
					all = append(all, e)
					a := &area{b: b, cells: slices.Clone(all), corner: corner, ends: map[board.Cell]int{c: (d[0] + 2) % 4, e: (d[1] + 2) % 4}}
					slices.Sort(a.cells)
					if err := yield(a); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// knowEll looks for the only cell at which an L turns, and for its two ends.
func knowEll(b *grid, cells []board.Cell) *area {
	size := b.givens.size
	a := &area{b: b, cells: cells, corner: -1, ends: map[board.Cell]int{}}
	for _, c := range cells {
		var leads []int
		for d := range ways {
			if slices.Contains(cells, size.Beside(c, board.Dir(d))) {
				leads = append(leads, d)
			}
		}
		switch {
		case len(leads) == 1:
			a.ends[c] = leads[0]
		case len(leads) == 2 && leads[1]-leads[0] == 2:
		case len(leads) == 2 && a.corner < 0:
			a.corner = c
		default:
			return nil
		}
	}
	if a.corner < 0 || len(a.ends) != 2 {
		return nil
	}
	return a
}

// division says that walls divide the board into shapes that fit.
type division struct {
	walls *lines
	shape *family
	fits  starlark.Value // a function of an area; nil when all fit
	all   []*area        // those that do
}

func dividedInto(thread *starlark.Thread, a *arguments) (starlark.Value, error) {
	l, err := takeLines(a, wallsLayer)
	if err != nil {
		return nil, err
	}
	f, err := take[*family](a, "shapes", "rectangles or ells")
	if err != nil {
		return nil, err
	}
	r := &division{walls: l, shape: f, fits: a.optional("fits")}
	if r.fits == starlark.None {
		r.fits = nil
	}
	err = f.list(l.b, func(s *area) error {
		if err := spend(thread, 10+len(s.cells)); err != nil {
			return err
		}
		ok, err := r.fit(thread, s)
		if ok {
			r.all = append(r.all, s)
		}
		return err
	})
	return global(r), err
}

// fit asks the description whether a shape fits.
func (r *division) fit(thread *starlark.Thread, s *area) (bool, error) {
	if r.fits == nil {
		return true, nil
	}
	v, err := starlark.Call(thread, r.fits, starlark.Tuple{s}, nil)
	if err != nil {
		return false, err
	}
	fits, ok := v.(starlark.Bool)
	if !ok {
		return false, fmt.Errorf("fits: the function returned %s, expected True or False", kindOf(v))
	}
	return bool(fits), nil
}

// parts are the cells that walls leave together.
func (e *evaluation) parts(l *lines) [][]board.Cell {
	size := l.b.givens.size
	done := map[board.Cell]bool{}
	var all [][]board.Cell
	for c := range board.Cell(size.Cells()) {
		if done[c] {
			continue
		}
		part := flood(size, c, func(from, _ board.Cell, d int) bool { return e.of(l.at[from][d]) == 0 })
		slices.Sort(part)
		for _, p := range part {
			done[p] = true
		}
		all = append(all, part)
	}
	return all
}

// separate reports whether each wall has two parts beside it.
func (e *evaluation) separate(l *lines, parts [][]board.Cell) (string, bool) {
	of := map[board.Cell]int{}
	for i, part := range parts {
		for _, c := range part {
			of[c] = i
		}
	}
	for _, k := range l.links {
		if a, b := board.Cell(k.a), board.Cell(k.b); e.of(k.drawn) == 1 && of[a] == of[b] {
			return fmt.Sprintf("the wall between %s and %s divides nothing", l.node(k.a), l.node(k.b)), false
		}
	}
	return "", true
}

func (r *division) holds(e *evaluation) (string, bool) {
	parts := e.parts(r.walls)
	if where, ok := e.separate(r.walls, parts); !ok {
		return where, false
	}
	for _, part := range parts {
		s := r.shape.know(r.walls.b, part)
		where := "the part with " + r.walls.b.givens.size.Name(part[0])
		if s == nil {
			return where + " has another shape", false
		}
		ok, err := r.fit(boundedThread(), s)
		if e.err = err; !ok || err != nil {
			return where + " does not fit", false
		}
	}
	return "", true
}

// post has each cell be in exactly one of the shapes that fit.
func (r *division) post(p *poster) {
	size := r.walls.b.givens.size
	of := make([][]csp.BoolVar, size.Cells())
	both := map[board.Edge][]csp.BoolVar{}
	for _, s := range r.all {
		x := p.m.NewBoolVar()
		for _, c := range s.cells {
			of[c] = append(of[c], x)
			for _, d := range []board.Dir{board.East, board.South} {
				if n := size.Beside(c, d); n >= 0 && slices.Contains(s.cells, n) {
					both[board.EdgeOf(c, n)] = append(both[board.EdgeOf(c, n)], x)
				}
			}
		}
	}
	for _, x := range of {
		p.m.AddExactlyOne(x...)
	}
	for _, k := range r.walls.links {
		wall := p.literal(k.drawn)
		clause := []csp.BoolVar{wall}
		for _, x := range both[board.EdgeOf(board.Cell(k.a), board.Cell(k.b))] {
			p.m.AddImplication(x, wall.Not())
			clause = append(clause, x)
		}
		p.m.AddClause(clause...)
	}
}
