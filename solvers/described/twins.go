package described

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// twins says that walls divide the board into areas of two connected parts each, one of dark
// cells and one of light ones, which have the same shape up to turning and mirroring.
type twins struct {
	walls *lines
	dark  []bool             // by cell
	size  map[board.Cell]int // of the part of some cells
}

func twinsWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	l, err := takeLines(a, wallsLayer)
	if err != nil {
		return nil, err
	}
	v, err := a.value("dark")
	if err != nil {
		return nil, err
	}
	dark, err := cellsOf(v)
	if err != nil {
		return nil, fmt.Errorf("dark: %w", err)
	}
	r := &twins{walls: l, dark: make([]bool, l.b.givens.size.Cells()), size: map[board.Cell]int{}}
	for _, c := range dark {
		r.dark[c.at] = true
	}
	if sizes := a.optional("sizes"); sizes != nil {
		seeds, possible, err := seedsOf(sizes)
		if !possible || err != nil {
			return truth(false), err
		}
		for _, s := range seeds {
			if s.size > 0 {
				r.size[s.at] = s.size
			}
		}
	}
	return global(r), nil
}

// holds floods each area, and compares its two halves.
func (r *twins) holds(e *evaluation) (string, bool) {
	size := r.walls.b.givens.size
	areas := e.parts(r.walls)
	if where, ok := e.separate(r.walls, areas); !ok {
		return where, false
	}
	for _, area := range areas {
		var parts [2][][2]int
		for k := range parts {
			var part []board.Cell
			for _, c := range area {
				if r.dark[c] == (k == 1) {
					part = append(part, c)
					parts[k] = append(parts[k], [2]int{size.Row(c), size.Col(c)})
				}
			}
			if len(part) == 0 {
				return "the area of " + size.Name(area[0]) + " is of one colour", false
			}
			if joined := flood(size, part[0], func(_, to board.Cell, _ int) bool { return slices.Contains(part, to) }); len(joined) < len(part) {
				return "the area of " + size.Name(area[0]) + " has several parts of one colour", false
			}
			for _, c := range part {
				if n := r.size[c]; n > 0 && n != len(part) {
					return fmt.Sprintf("the part of %s has %s, expected %d", size.Name(c), board.Count(len(part), "cell"), n), false
				}
			}
		}
		if len(parts[0]) != len(parts[1]) || !slices.Equal(leastForm(parts[0]), leastForm(parts[1])) {
			return "the parts of the area of " + size.Name(area[0]) + " differ", false
		}
	}
	return "", true
}

// twinsPoster tells twins to the engine. An area is named by the first of its light cells. A
// motion, one of the eight turns with a shift, takes each light cell of an area to a dark one of
// it; it is the same for all cells of the area.
type twinsPoster struct {
	*twins
	*poster
	b       board.Size
	wall    map[board.Edge]csp.BoolVar
	region  []int                                     // by cell: the cells of its colour that are connected with it
	area    []map[board.Cell]csp.BoolVar              // by name: the cells that may be in it
	around  map[board.Cell]map[board.Cell]csp.BoolVar // by a cell whose part has a known size: those that may be in its area
	motions [][3]int                                  // a light cell, a dark one and a turn
	moved   map[[3]int]csp.BoolVar                    // whether they are
}

func (r *twins) post(p *poster) {
	size := r.walls.b.givens.size
	n := size.Cells()
	t := &twinsPoster{twins: r, poster: p, b: size, wall: map[board.Edge]csp.BoolVar{}, region: make([]int, n), area: make([]map[board.Cell]csp.BoolVar, n),
		around: map[board.Cell]map[board.Cell]csp.BoolVar{}, moved: map[[3]int]csp.BoolVar{}}
	for _, k := range r.walls.links {
		t.wall[board.EdgeOf(board.Cell(k.a), board.Cell(k.b))] = p.literal(k.drawn)
	}
	colour := board.NewSets(n)
	for _, e := range size.Edges() {
		if r.dark[e.A] == r.dark[e.B] {
			colour.Join(int(e.A), int(e.B))
		}
	}
	for c := range t.region {
		t.region[c] = colour.Find(c)
	}
	t.name()
	for _, e := range t.b.Edges() {
		t.together(e.A, e.B, t.wall[e].Not(), true)
	}
	for c := range board.Cell(n) {
		if n := r.size[c]; n > 0 {
			t.sized(c, n)
		}
	}
	t.move()
}

// name makes the literals of the cells that may be in each area. It and its light part are
// connected, and so is its dark part, which has the same shape.
func (t *twinsPoster) name() {
	beside := map[[2]int]bool{} // regions that touch
	for _, e := range t.b.Edges() {
		a, b := t.region[e.A], t.region[e.B]
		beside[[2]int{a, b}], beside[[2]int{b, a}] = true, true
	}
	of := make([][]csp.BoolVar, len(t.area)) // by cell
	for i := range t.area {
		t.area[i] = map[board.Cell]csp.BoolVar{}
		if t.dark[i] {
			continue
		}
		var cells, light []board.Cell
		for c := range board.Cell(len(t.area)) {
			switch {
			case t.dark[c] && !beside[[2]int{t.region[i], t.region[c]}], !t.dark[c] && (int(c) < i || t.region[c] != t.region[i]):
				continue
			case !t.dark[c]:
				light = append(light, c)
			}
			cells = append(cells, c)
			l := t.m.NewBoolVar()
			t.area[i][c] = l
			of[c] = append(of[c], l)
			t.m.AddImplication(l, t.area[i][board.Cell(i)])
		}
		t.connected(cells, t.area[i])
		t.connected(light, t.area[i])
	}
	for _, all := range of {
		t.m.AddExactlyOne(all...)
	}
}

// together has two cells be in one area just where a literal is true; with onlyIf false, they may
// be in one even so.
func (t *twinsPoster) together(a, b board.Cell, l csp.BoolVar, onlyIf bool) {
	for _, in := range t.area {
		x, y := t.literalOf(in, a), t.literalOf(in, b)
		if x == y { // neither may be
			continue
		}
		iff(t.m, x, y, l)
		if onlyIf {
			t.m.AddClause(l, x.Not(), y.Not())
		}
	}
}

// connected has those of some cells be connected whose literals are true.
func (t *twinsPoster) connected(cells []board.Cell, in map[board.Cell]csp.BoolVar) {
	index := map[board.Cell]int{}
	var nodes []csp.BoolVar
	for i, c := range cells {
		index[c] = i
		nodes = append(nodes, in[c])
	}
	var edges [][2]int
	for _, e := range t.b.Edges() {
		a, first := index[e.A]
		b, second := index[e.B]
		if first && second {
			edges = append(edges, [2]int{a, b})
		}
	}
	must(t.m.AddConnected(nodes, edges))
}

// sized has the part of a cell have as many cells as are given, and so the other part of its area.
func (t *twinsPoster) sized(from board.Cell, n int) {
	cells := t.reach(from, n)
	in := map[board.Cell]csp.BoolVar{}
	var own []board.Cell
	var parts [2][]csp.BoolVar
	for _, c := range cells {
		in[c] = t.m.NewBoolVar()
		k := number(t.dark[c] == t.dark[from])
		parts[k] = append(parts[k], in[c])
		if k == 1 {
			own = append(own, c)
		}
	}
	t.around[from] = in
	t.m.AddClause(in[from])
	t.m.AddExactlyK(n, parts[0]...)
	t.m.AddExactlyK(n, parts[1]...)
	for c := range board.Cell(len(t.area)) {
		t.together(from, c, t.literalOf(in, c), true)
	}
	for _, e := range t.b.Edges() {
		wall, a, b := t.wall[board.EdgeOf(e.A, e.B)], t.literalOf(in, e.A), t.literalOf(in, e.B)
		if a == b { // no cell of the area
			continue
		}
		iff(t.m, a, b, wall.Not())
		t.m.AddClause(wall.Not(), a.Not(), b.Not())
	}
	t.connected(cells, in)
	t.connected(own, in)
}

// reach are the cells that the area of a cell may hold, whose part has n cells.
func (t *twinsPoster) reach(from board.Cell, n int) []board.Cell {
	distance := map[board.Cell]int{from: 0}
	cells := []board.Cell{from}
	for k := 0; k < len(cells); k++ {
		for _, next := range t.b.Neighbours(cells[k]) {
			most := 2*n - 1
			if t.dark[next] == t.dark[from] {
				most = n - 1
				if t.region[next] != t.region[from] {
					continue
				}
			}
			if _, ok := distance[next]; !ok && distance[cells[k]] < most && (t.size[next] == 0 || t.size[next] == n) {
				distance[next] = distance[cells[k]] + 1
				cells = append(cells, next)
			}
		}
	}
	return cells
}

// literalOf is a literal that a cell may have.
func (t *twinsPoster) literalOf(in map[board.Cell]csp.BoolVar, c board.Cell) csp.BoolVar {
	if l, ok := in[c]; ok {
		return l
	}
	return t.m.False()
}

// turnedBy are the eight turns, as factors: row and column of the result by those before.
var turnedBy = [8][4]int{{1, 0, 0, 1}, {0, 1, -1, 0}, {-1, 0, 0, -1}, {0, -1, 1, 0}, {1, 0, 0, -1}, {0, 1, 1, 0}, {-1, 0, 0, 1}, {0, -1, -1, 0}}

// turnStep is where a step leads after a turn, turnBack where before it.
func turnStep(turn int, step [2]int) [2]int {
	f := turnedBy[turn]
	return [2]int{f[0]*step[0] + f[1]*step[1], f[2]*step[0] + f[3]*step[1]}
}

func turnBack(turn int, step [2]int) [2]int {
	f := turnedBy[turn]
	return [2]int{f[0]*step[0] + f[2]*step[1], f[1]*step[0] + f[3]*step[1]}
}

// move has each light cell be taken to a dark one of its area, and each dark one be reached.
func (t *twinsPoster) move() {
	from, to := make([][]csp.BoolVar, len(t.area)), make([][]csp.BoolVar, len(t.area))
	for c := range t.area {
		for d := range t.area {
			if t.dark[c] || !t.dark[d] || !t.mayMeet(board.Cell(c), board.Cell(d)) {
				continue
			}
			same := t.m.NewBoolVar()
			t.together(board.Cell(c), board.Cell(d), same, false)
			for turn := range turnedBy {
				l := t.m.NewBoolVar()
				t.moved[[3]int{c, d, turn}] = l
				t.motions = append(t.motions, [3]int{c, d, turn})
				t.m.AddImplication(l, same)
				from[c], to[d] = append(from[c], l), append(to[d], l)
			}
		}
	}
	for c := range t.area {
		if t.dark[c] {
			t.m.AddClause(to[c]...)
		} else {
			t.m.AddClause(from[c]...)
		}
	}
	for _, key := range t.motions {
		t.moveAlike(board.Cell(key[0]), board.Cell(key[1]), key[2], t.moved[key])
	}
}

// mayMeet reports whether two cells may be in one area.
func (t *twinsPoster) mayMeet(a, b board.Cell) bool {
	for c, to := range map[board.Cell]board.Cell{a: b, b: a} {
		if in, known := t.around[c]; known && t.literalOf(in, to) == t.m.False() {
			return false
		}
	}
	return slices.ContainsFunc(t.area, func(in map[board.Cell]csp.BoolVar) bool {
		return t.literalOf(in, a) != t.m.False() && t.literalOf(in, b) != t.m.False()
	})
}

// moveAlike has the cells beside a light cell and beside the dark one that it is taken to be taken in
// the same way, if no wall parts them.
func (t *twinsPoster) moveAlike(c, d board.Cell, turn int, moved csp.BoolVar) {
	for way := range ways {
		for _, from := range [2]board.Cell{c, d} {
			next := t.b.Beside(from, board.Dir(way))
			if next < 0 {
				continue
			}
			light, dark := next, next
			if t.dark[next] { // from which it is reached
				light = t.shifted(c, turnBack(turn, t.step(d, next)))
			} else {
				dark = t.shifted(d, turnStep(turn, t.step(c, next)))
			}
			wall := t.wall[board.EdgeOf(from, next)]
			clause := []csp.BoolVar{moved.Not(), wall}
			if light >= 0 && dark >= 0 {
				if l, ok := t.moved[[3]int{int(light), int(dark), turn}]; ok {
					clause = append(clause, l)
				}
			}
			t.m.AddClause(clause...)
		}
	}
}

// step is the way from one cell to another.
func (t *twinsPoster) step(from, to board.Cell) [2]int {
	return [2]int{t.b.Row(to) - t.b.Row(from), t.b.Col(to) - t.b.Col(from)}
}

// shifted is the cell that a step leads to, negative off the board.
func (t *twinsPoster) shifted(from board.Cell, step [2]int) board.Cell {
	return t.b.At(t.b.Row(from)+step[0], t.b.Col(from)+step[1])
}
