package described

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"tapwise/solvers/board"
)

// ways are the names of the directions, in the order of board.Dir.
var ways = []string{"up", "right", "down", "left"}

// value is what the board's own values have in common: they do not change.
type value struct{}

func (value) Freeze()              {}
func (value) Truth() starlark.Bool { return true }
func (value) Hash() (uint32, error) {
	return 0, fmt.Errorf("only cells, numbers and strings can be keys of a dict")
}

// grid is the board as a description sees it.
type grid struct {
	value
	givens *givens
	cells  []*cell
	rooms  []*room
	layers map[string]starlark.Value
	// signNames are those that the notation has.
	signNames []string
}

func (*grid) String() string { return "<board>" }

// Type is "board".
func (*grid) Type() string { return "board" }

// cell is one cell of it.
type cell struct {
	value
	b  *grid
	at board.Cell
}

func (c *cell) String() string { return c.b.givens.size.Name(c.at) }

// Type is "cell".
func (*cell) Type() string { return "cell" }

// Hash lets cells be keys.
func (c *cell) Hash() (uint32, error) { return uint32(c.at), nil }

// room is a room that is given: its cells, in order, and its clue.
type room struct {
	value
	b     *grid
	cells []*cell
	clue  starlark.Value
}

func (*room) String() string { return "<room>" }

// Type is "room".
func (*room) Type() string { return "room" }

// Len and Index make a room a list of its cells, and Iterate goes through them.
func (r *room) Len() int                   { return len(r.cells) }
func (r *room) Index(i int) starlark.Value { return r.cells[i] }

// Iterate goes through the cells.
func (r *room) Iterate() starlark.Iterator { return listOf(r.cells).Iterate() }

func listOf[V starlark.Value](values []V) *starlark.List {
	list := make([]starlark.Value, len(values))
	for i, v := range values {
		list[i] = v
	}
	return starlark.NewList(list)
}

func newGrid(g *givens, layers []*layer) *grid {
	b := &grid{givens: g, layers: map[string]starlark.Value{}}
	for c := range board.Cell(g.size.Cells()) {
		b.cells = append(b.cells, &cell{b: b, at: c})
	}
	for i := range g.rooms() {
		r := &room{b: b, clue: starlark.None}
		if i < len(g.roomClue) {
			r.clue = g.roomClue[i].starlark()
		}
		b.rooms = append(b.rooms, r)
	}
	for c, r := range g.room {
		b.rooms[r].cells = append(b.rooms[r].cells, b.cells[c])
	}
	for _, l := range layers {
		b.layers[l.name] = l.on(b)
	}
	return b
}

// at is a cell by its row and column, nil off the board.
func (b *grid) at(row, col int) *cell {
	if c := b.givens.size.At(row, col); c >= 0 {
		return b.cells[c]
	}
	return nil
}

func orNone(c *cell) starlark.Value {
	if c == nil {
		return starlark.None
	}
	return c
}

var boardAttrs = []string{"blocks", "cells", "clues", "cols", "corners", "height", "lines", "pairs", "rooms", "rows", "signs", "width"}

// AttrNames are the board's parts and its layers.
func (b *grid) AttrNames() []string {
	names := slices.Clone(boardAttrs)
	for name := range b.layers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Attr is one of them.
func (b *grid) Attr(name string) (starlark.Value, error) {
	size := b.givens.size
	if l, ok := b.layers[name]; ok {
		return l, nil
	}
	switch name {
	case "width":
		return starlark.MakeInt(size.Cols), nil
	case "height":
		return starlark.MakeInt(size.Rows), nil
	case "cells":
		return listOf(b.cells), nil
	case "clues":
		var clues []*cell
		for _, c := range b.cells {
			if b.givens.clue[c.at].kind != noClue {
				clues = append(clues, c)
			}
		}
		return listOf(clues), nil
	case "rooms":
		return listOf(b.rooms), nil
	case "signs":
		return b.signs()
	case "rows", "cols", "lines":
		return b.straights(name), nil
	case "pairs":
		var pairs []starlark.Value
		for _, e := range size.Edges() {
			pairs = append(pairs, starlark.Tuple{b.cells[e.A], b.cells[e.B]})
		}
		return starlark.NewList(pairs), nil
	case "blocks":
		return b.blocks(2, 2), nil
	case "corners":
		var corners []starlark.Value
		for row := range size.Rows + 1 {
			for col := range size.Cols + 1 {
				corners = append(corners, starlark.NewList([]starlark.Value{
					orNone(b.at(row-1, col)), orNone(b.at(row, col)), orNone(b.at(row, col-1)), orNone(b.at(row-1, col-1))}))
			}
		}
		return starlark.NewList(corners), nil
	}
	return nil, nil
}

// signs are the pairs of cells between which a sign is, by the sign's name.
func (b *grid) signs() (starlark.Value, error) {
	all := starlark.NewDict(len(b.signNames))
	for _, name := range b.signNames {
		var pairs []starlark.Value
		for _, e := range b.givens.sign[name] {
			pairs = append(pairs, starlark.Tuple{b.cells[e.A], b.cells[e.B]})
		}
		if err := all.SetKey(starlark.String(name), starlark.NewList(pairs)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// straights are the rows, the columns or both.
func (b *grid) straights(name string) *starlark.List {
	size := b.givens.size
	var all []starlark.Value
	if name != "cols" {
		for row := range size.Rows {
			all = append(all, listOf(b.cells[row*size.Cols:(row+1)*size.Cols]))
		}
	}
	if name != "rows" {
		for col := range size.Cols {
			var line []*cell
			for row := range size.Rows {
				line = append(line, b.at(row, col))
			}
			all = append(all, listOf(line))
		}
	}
	return starlark.NewList(all)
}

// blocks are the rectangles of a size.
func (b *grid) blocks(rows, cols int) *starlark.List {
	var all []starlark.Value
	size := b.givens.size
	for row := range size.Rows - rows + 1 {
		for col := range size.Cols - cols + 1 {
			var block []*cell
			for i := range rows * cols {
				block = append(block, b.at(row+i/cols, col+i%cols))
			}
			all = append(all, listOf(block))
		}
	}
	return starlark.NewList(all)
}

// beside is the cell in a direction, nil off the board.
func (c *cell) beside(d int) *cell {
	if n := c.b.givens.size.Beside(c.at, board.Dir(d)); n >= 0 {
		return c.b.cells[n]
	}
	return nil
}

// around are the cells that touch it, clockwise from above.
func (c *cell) around() []*cell {
	row, col := c.b.givens.size.Row(c.at), c.b.givens.size.Col(c.at)
	var all []*cell
	for _, d := range [][2]int{{-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}} {
		all = append(all, c.b.at(row+d[0], col+d[1]))
	}
	return all
}

// AttrNames are what a cell knows.
func (*cell) AttrNames() []string {
	return []string{"around", "beside", "clue", "col", "colour", "parted", "room", "row", "step", "to"}
}

// Attr is one of them.
func (c *cell) Attr(name string) (starlark.Value, error) {
	g := c.b.givens
	switch name {
	case "row":
		return starlark.MakeInt(g.size.Row(c.at)), nil
	case "col":
		return starlark.MakeInt(g.size.Col(c.at)), nil
	case "clue":
		return g.clue[c.at].starlark(), nil
	case "colour":
		if g.colour == nil {
			return starlark.None, nil
		}
		return starlark.MakeInt(g.colour[c.at]), nil
	case "room":
		if g.room == nil {
			return starlark.None, nil
		}
		return c.b.rooms[g.room[c.at]], nil
	case "beside":
		var all []*cell
		for d := range ways {
			if n := c.beside(d); n != nil {
				all = append(all, n)
			}
		}
		return listOf(all), nil
	case "around":
		all := []starlark.Value{}
		for _, n := range c.around() {
			all = append(all, orNone(n))
		}
		return starlark.NewList(all), nil
	case "step":
		return word("step", c.step), nil
	case "to":
		return word("to", c.to), nil
	case "parted":
		return word("parted", func(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
			other, err := a.cell("cell")
			if err != nil {
				return nil, err
			}
			return starlark.Bool(g.parted(c.at, other.at)), nil
		}), nil
	}
	return nil, nil
}

// step is the next cell in a direction, or None.
func (c *cell) step(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	d, err := a.way("way")
	if err != nil {
		return nil, err
	}
	return orNone(c.beside(d)), nil
}

// to are the cells in a direction, up to the one before the first that `stop` is true of.
func (c *cell) to(thread *starlark.Thread, a *arguments) (starlark.Value, error) {
	d, err := a.way("way")
	if err != nil {
		return nil, err
	}
	stop := a.optional("stop")
	var all []*cell
	for n := c.beside(d); n != nil; n = n.beside(d) {
		if stop != nil {
			is, err := starlark.Call(thread, stop, starlark.Tuple{n}, nil)
			if err != nil {
				return nil, err
			}
			if _, ok := is.(*term); ok {
				return nil, fmt.Errorf("what stops depends on the solution, expected something that is given, such as c.clue != None")
			}
			if is.Truth() {
				break
			}
		}
		all = append(all, n)
	}
	return listOf(all), nil
}

// AttrNames are what a room knows.
func (*room) AttrNames() []string { return []string{"cells", "clue", "exits"} }

// Attr is one of them. Exits are cells and the ways that lead out of the room.
func (r *room) Attr(name string) (starlark.Value, error) {
	switch name {
	case "cells":
		return listOf(r.cells), nil
	case "clue":
		return r.clue, nil
	case "exits":
		var exits []starlark.Value
		for _, c := range r.cells {
			for d, way := range ways {
				if n := c.beside(d); n != nil && r.b.givens.room[n.at] != r.b.givens.room[c.at] {
					exits = append(exits, starlark.Tuple{c, starlark.String(way)})
				}
			}
		}
		return starlark.NewList(exits), nil
	}
	return nil, nil
}

// field is a term for each cell: what is decided of it, or what follows from that.
type field struct {
	value
	b  *grid
	at []*term
}

func (*field) String() string { return "<field>" }

// Type is "field".
func (*field) Type() string { return "field" }

// of is the term of a cell. Off the board nothing holds.
func (f *field) of(c *cell) *term {
	if c == nil {
		if f.at[0].boolean {
			return truth(false)
		}
		return constant(0)
	}
	return f.at[c.at]
}

// Get is f[c].
func (f *field) Get(key starlark.Value) (starlark.Value, bool, error) {
	c, err := asCell(key)
	if err != nil {
		return nil, false, err
	}
	return f.of(c), true, nil
}

func asCell(v starlark.Value) (*cell, error) {
	switch v := v.(type) {
	case *cell:
		return v, nil
	case starlark.NoneType:
		return nil, nil
	}
	return nil, fmt.Errorf("got %s, expected a cell", kindOf(v))
}

// Unary is ~ and - for all cells.
func (f *field) Unary(op syntax.Token) (starlark.Value, error) {
	to := &field{b: f.b}
	for _, t := range f.at {
		v, err := t.Unary(op)
		if err != nil {
			return nil, err
		}
		to.at = append(to.at, v.(*term))
	}
	return to, nil
}

// Binary is & | + - for all cells.
func (f *field) Binary(op syntax.Token, other starlark.Value, side starlark.Side) (starlark.Value, error) {
	o, ok := other.(*field)
	if !ok {
		return nil, fmt.Errorf("%s of a field and %s, expected two fields: or say of which cell, as in black[c]", op, kindOf(other))
	}
	to := &field{b: f.b}
	for i, t := range f.at {
		v, err := t.Binary(op, o.at[i], side)
		if v == nil || err != nil {
			return nil, err
		}
		to.at = append(to.at, v.(*term))
	}
	return to, nil
}

// link is a line or border that may be drawn between two nodes.
type link struct {
	drawn *term
	a, b  int
}

// lines is a layer of them: through the middles of cells, whose nodes are cells, or along
// their sides, whose nodes are the corners of cells.
type lines struct {
	value
	b      *grid
	layer  *layer
	links  []link
	nodes  int
	at     [][4]*term // by cell and direction
	fields map[string]*field
}

func (l *lines) String() string { return "<" + l.layer.kind.String() + ">" }

// Type is what the layer is called.
func (l *lines) Type() string { return l.layer.kind.String() }

// Get is l[c, way].
func (l *lines) Get(key starlark.Value) (starlark.Value, bool, error) {
	pair, ok := key.(starlark.Tuple)
	if !ok || len(pair) != 2 {
		return nil, false, fmt.Errorf("got %s, expected a cell and a way, as in %s[c, \"up\"]", kindOf(key), l.layer.name)
	}
	c, err := asCell(pair[0])
	if err != nil {
		return nil, false, err
	}
	d, err := wayOf(pair[1])
	if err != nil {
		return nil, false, err
	}
	if c == nil {
		return truth(false), true, nil
	}
	return l.at[c.at][d], true, nil
}

func wayOf(v starlark.Value) (int, error) {
	s, _ := starlark.AsString(v)
	if d := slices.Index(ways, s); d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("got %s, expected a way: up, right, down or left%s", kindOf(v), didYouMean(s, ways))
}

// AttrNames are the fields that follow from lines.
func (*lines) AttrNames() []string { return []string{"number", "straight", "turns", "visits"} }

// Attr is one of them.
func (l *lines) Attr(name string) (starlark.Value, error) {
	if f := l.fields[name]; f != nil {
		return f, nil
	}
	f := &field{b: l.b}
	for _, at := range l.at {
		up, right, down, left := at[0], at[1], at[2], at[3]
		switch name {
		case "number":
			f.at = append(f.at, total(at[:]))
		case "visits":
			f.at = append(f.at, or(at[:]...))
		case "straight":
			f.at = append(f.at, or(and(up, down), and(left, right)))
		case "turns":
			f.at = append(f.at, and(or(up, down), or(left, right)))
		default:
			return nil, nil
		}
	}
	l.fields[name] = f
	return f, nil
}
