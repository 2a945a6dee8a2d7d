package described

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// evaluation is a full board on which terms have values. It knows nothing of the engine.
type evaluation struct {
	ctx    context.Context
	values []int // of the variables
	memo   map[*term]int
	err    error // of a function of the description
}

// Check tests the rules, in their order, on the solution. The error is a *solvers.RuleError.
func (s *Solution) Check() error {
	e := &evaluation{ctx: context.Background(), values: s.values, memo: map[*term]int{}}
	for _, r := range s.puzzle.rules {
		for _, t := range r.terms {
			detail, ok := e.require(t)
			if e.err != nil {
				return e.err
			}
			if !ok {
				if detail == "" {
					detail = s.puzzle.about(t)
				}
				return &solvers.RuleError{Rule: r.name, Detail: detail}
			}
		}
	}
	return nil
}

// about says which cells a term is about.
func (p *Puzzle) about(t *term) string {
	var cells []board.Cell
	seen := map[*term]bool{}
	var visit func(*term)
	visit = func(t *term) {
		if len(cells) > 8 || seen[t] {
			return
		}
		seen[t] = true
		if t.op == opVar {
			for _, c := range p.givens.layout.names(t.k) {
				if !slices.Contains(cells, c) {
					cells = append(cells, c)
				}
			}
		}
		for _, a := range t.args {
			visit(a)
		}
	}
	visit(t)
	slices.Sort(cells)
	var names []string
	for i, c := range cells {
		if i == 6 {
			names = append(names, "…")
			break
		}
		names = append(names, p.givens.size.Name(c))
	}
	if len(names) == 0 {
		return "whatever is on the board"
	}
	return "at " + strings.Join(names, ", ")
}

// require reports whether a condition holds, and where not, if that is known.
func (e *evaluation) require(t *term) (where string, ok bool) {
	switch t.op {
	case opGlobal:
		return t.detail.(globalRule).holds(e)
	case opAnd:
		for _, a := range t.args {
			if where, ok := e.require(a); !ok {
				return where, false
			}
		}
		return "", true
	case opEqual:
		a, b := e.of(t.args[0]), e.of(t.args[1])
		return e.mismatch(t, a, b), a == b
	}
	return "", e.of(t) == 1
}

func (e *evaluation) mismatch(t *term, a, b int) string {
	left, right := t.args[0], t.args[1]
	if left.op == opConst {
		left, right, a, b = right, left, b, a
	}
	if right.op != opConst || left.op == opVar || a == b {
		return ""
	}
	return fmt.Sprintf("%d, expected %d", a, b)
}

// of is the value of a term.
func (e *evaluation) of(t *term) int {
	switch t.op {
	case opConst:
		return t.k
	case opVar:
		return e.values[t.k]
	case opNot:
		return 1 - e.of(t.args[0])
	}
	if v, ok := e.memo[t]; ok {
		return v
	}
	v := e.compute(t)
	e.memo[t] = v
	return v
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (e *evaluation) compute(t *term) int {
	switch t.op {
	case opAnd:
		for _, a := range t.args {
			if e.of(a) == 0 {
				return 0
			}
		}
		return 1
	case opOr:
		for _, a := range t.args {
			if e.of(a) == 1 {
				return 1
			}
		}
		return 0
	case opSame, opEqual:
		return number(e.of(t.args[0]) == e.of(t.args[1]))
	case opAtMost:
		return number(e.of(t.args[0]) <= e.of(t.args[1]))
	case opSum:
		v := t.k
		for i, a := range t.args {
			v += t.factors[i] * e.of(a)
		}
		return v
	case opRuns:
		return number(e.runs(t))
	case opForms:
		return number(e.forms(t))
	case opWay:
		return number(slices.Contains(e.way(t.detail.(*way)), board.Cell(t.k)))
	case opBeam:
		_, turns := e.beam(t.detail.(*beams), board.Cell(t.k))
		return min(turns, t.hi)
	default: // opGlobal, within another condition
		_, ok := t.detail.(globalRule).holds(e)
		return number(ok)
	}
}

// runs walks once around, from a place where a run begins.
func (e *evaluation) runs(t *term) bool {
	n := len(t.args)
	var got []int
	length, start := 0, 0
	for start < n && e.of(t.args[start]) == 1 {
		start++
	}
	if start == n && n > 0 {
		got = []int{n}
	} else {
		for i := 1; i <= n; i++ {
			if e.of(t.args[(start+i)%n]) == 1 {
				length++
			} else if length > 0 {
				got, length = append(got, length), 0
			}
		}
	}
	for _, want := range t.detail.([][]int) {
		left := slices.Clone(got)
		fits := len(left) == len(want)
		for _, w := range want {
			if w > 0 && fits {
				i := slices.Index(left, w)
				if fits = i >= 0; fits {
					left = slices.Delete(left, i, i+1)
				}
			}
		}
		if fits {
			return true
		}
	}
	return false
}

// forms compares the shape of the true cells with the one wanted, both brought to the least
// of their eight turned and mirrored forms.
func (e *evaluation) forms(t *term) bool {
	r := t.detail.(*forms)
	var squares [][2]int
	for i, c := range r.cells {
		if e.of(t.args[i]) == 1 {
			squares = append(squares, [2]int{r.size.Row(c), r.size.Col(c)})
		}
	}
	return len(squares) == len(r.shape) && slices.Equal(leastForm(squares), leastForm(r.shape))
}

// leastForm is a shape turned and mirrored so that its squares, in order, come first.
func leastForm(squares [][2]int) [][2]int {
	var least [][2]int
	for turn := range 8 {
		form := make([][2]int, len(squares))
		for i, s := range squares {
			y, x := s[0], s[1]
			for range turn % 4 {
				y, x = x, -y
			}
			if turn >= 4 {
				x = -x
			}
			form[i] = [2]int{y, x}
		}
		top, left := form[0][0], form[0][1]
		for _, s := range form {
			top, left = min(top, s[0]), min(left, s[1])
		}
		for i := range form {
			form[i][0] -= top
			form[i][1] -= left
		}
		order := func(a, b [2]int) int {
			if a[0] != b[0] {
				return a[0] - b[0]
			}
			return a[1] - b[1]
		}
		slices.SortFunc(form, order)
		if least == nil || slices.CompareFunc(form, least, order) < 0 {
			least = form
		}
	}
	return least
}

// flood are the cells that can be reached from one over neighbours for which next is true.
func flood(size board.Size, from board.Cell, next func(from, to board.Cell, d int) bool) []board.Cell {
	found := []board.Cell{from}
	seen := map[board.Cell]bool{from: true}
	for i := 0; i < len(found); i++ {
		for d := range ways {
			if n := size.Beside(found[i], board.Dir(d)); n >= 0 && !seen[n] && next(found[i], n, d) {
				seen[n] = true
				found = append(found, n)
			}
		}
	}
	return found
}

func (r *allDifferent) holds(e *evaluation) (string, bool) {
	seen := map[int]bool{}
	for _, t := range r.terms {
		v := e.of(t)
		if seen[v] {
			return fmt.Sprintf("%d is there twice", v), false
		}
		seen[v] = true
	}
	return "", true
}

// areaOf are the cells of a field that are joined to one.
func (e *evaluation) areaOf(f *field, c board.Cell) []board.Cell {
	return flood(f.b.givens.size, c, func(_, to board.Cell, _ int) bool { return e.of(f.at[to]) == 1 })
}

func (e *evaluation) cellsOf(f *field) (cells []board.Cell) {
	for c, t := range f.at {
		if e.of(t) == 1 {
			cells = append(cells, board.Cell(c))
		}
	}
	return cells
}

func (r *connected) holds(e *evaluation) (string, bool) {
	cells := e.cellsOf(r.f)
	if len(cells) == 0 {
		return "", true
	}
	area := e.areaOf(r.f, cells[0])
	for _, c := range cells {
		if !slices.Contains(area, c) {
			size := r.f.b.givens.size
			return fmt.Sprintf("%s is cut off from %s", size.Name(c), size.Name(cells[0])), false
		}
	}
	return "", true
}

// holds counts: areas without a loop have one pair of neighbours less than cells, each.
func (r *noLoop) holds(e *evaluation) (string, bool) {
	size := r.f.b.givens.size
	done := map[board.Cell]bool{}
	for _, c := range e.cellsOf(r.f) {
		if done[c] {
			continue
		}
		area := e.areaOf(r.f, c)
		joints := 0
		for _, a := range area {
			done[a] = true
			for _, n := range size.Neighbours(a) {
				joints += e.of(r.f.at[n])
			}
		}
		if joints/2 != len(area)-1 {
			return fmt.Sprintf("the cells around %s make a loop", size.Name(c)), false
		}
	}
	return "", true
}

// trace follows the lines from a node, along unused ones, until it cannot go on.
func (r *oneLoop) holds(e *evaluation) (string, bool) {
	at := make([][]int, r.l.nodes)
	drawn := 0
	for _, k := range r.l.links {
		if e.of(k.drawn) == 1 {
			drawn++
			at[k.a], at[k.b] = append(at[k.a], k.b), append(at[k.b], k.a)
		}
	}
	start := -1
	for n, to := range at {
		if len(to) == 0 {
			continue
		}
		if len(to) != 2 {
			return fmt.Sprintf("%d lines meet at %s, expected 2", len(to), r.l.node(n)), false
		}
		start = n
	}
	if start < 0 {
		return "no line is drawn", false
	}
	length, before, n := 0, -1, start
	for {
		next := at[n][0]
		if next == before {
			next = at[n][1]
		}
		before, n = n, next
		if length++; n == start {
			break
		}
	}
	if length != drawn {
		return "there is more than one loop", false
	}
	return "", true
}

// node names a node of lines.
func (l *lines) node(n int) string {
	size := l.b.givens.size
	if l.layer.kind != fenceLayer {
		return size.Name(board.Cell(n))
	}
	row, col := n/(size.Cols+1), n%(size.Cols+1)
	return "a corner of " + size.Name(size.At(min(row, size.Rows-1), min(col, size.Cols-1)))
}

func (r *joined) holds(e *evaluation) (string, bool) {
	parts := board.NewSets(r.l.nodes)
	first := -1
	for _, k := range r.l.links {
		if e.of(k.drawn) == 1 {
			parts.Join(k.a, k.b)
			first = k.a
		}
	}
	for _, k := range r.l.links {
		if e.of(k.drawn) == 1 && parts.Find(k.a) != parts.Find(first) {
			return fmt.Sprintf("the lines at %s and %s are not joined", r.l.node(k.a), r.l.node(first)), false
		}
	}
	return "", true
}

func (r *islands) holds(e *evaluation) (string, bool) {
	size := r.f.b.givens.size
	covered := 0
	for _, s := range r.seeds {
		if e.of(r.f.at[s.at]) == 0 {
			return fmt.Sprintf("%s is in no area", size.Name(s.at)), false
		}
		area := e.areaOf(r.f, s.at)
		covered += len(area)
		if s.size > 0 && len(area) != s.size {
			return fmt.Sprintf("the area of %s has %s, expected %d", size.Name(s.at), board.Count(len(area), "cell"), s.size), false
		}
		for _, other := range r.seeds {
			if other.at != s.at && slices.Contains(area, other.at) {
				return fmt.Sprintf("%s and %s are in one area", size.Name(s.at), size.Name(other.at)), false
			}
		}
	}
	if all := len(e.cellsOf(r.f)); all != covered {
		return fmt.Sprintf("%s are in areas without a clue", board.Count(all-covered, "cell")), false
	}
	return "", true
}

// way walks breadth first, and back.
func (e *evaluation) way(w *way) []board.Cell {
	if e.of(w.f.at[w.from]) == 0 || e.of(w.f.at[w.to]) == 0 {
		return nil
	}
	size := w.f.b.givens.size
	back := map[board.Cell]board.Cell{}
	flood(size, w.from, func(from, to board.Cell, _ int) bool {
		if e.of(w.f.at[to]) == 0 {
			return false
		}
		if _, ok := back[to]; !ok {
			back[to] = from
		}
		return true
	})
	on := []board.Cell{w.to}
	for c := w.to; c != w.from; {
		from, ok := back[c]
		if !ok {
			return nil
		}
		c = from
		on = append(on, c)
	}
	return on
}

// beam follows the line from a dot to where it ends or splits.
func (e *evaluation) beam(r *beams, dot board.Cell) (end board.Cell, turns int) {
	size := r.l.b.givens.size
	c, d := dot, r.dots[dot]
	for range 4 * len(r.l.at) {
		if e.of(r.l.at[c][d]) == 0 {
			return -1, turns
		}
		c = size.Beside(c, board.Dir(d))
		if start, ok := r.dots[c]; ok {
			if start == (d+2)%4 {
				return -1, turns
			}
			return c, turns
		}
		next := -1
		for to := range ways {
			if to == (d+2)%4 || e.of(r.l.at[c][to]) == 0 {
				continue
			}
			if next >= 0 {
				return -1, turns
			}
			next = to
		}
		if next < 0 {
			return -1, turns
		}
		turns += number(next != d)
		d = next
	}
	return -1, turns
}

func (r *beams) holds(e *evaluation) (string, bool) {
	size := r.l.b.givens.size
	ends := 0
	for c, at := range r.l.at {
		n := 0
		for _, t := range at {
			n += e.of(t)
		}
		start, ok := r.dots[board.Cell(c)]
		switch {
		case !ok && n != 0 && n != 2:
			return fmt.Sprintf("%d lines meet at %s, expected 2", n, size.Name(board.Cell(c))), false
		case ok:
			ends += n - e.of(at[start])
			if end, _ := e.beam(r, board.Cell(c)); end < 0 {
				return fmt.Sprintf("the line from the dot of %s leads nowhere", size.Name(board.Cell(c))), false
			}
		}
	}
	if ends != len(r.dots) {
		return fmt.Sprintf("%d lines begin without a dot", (ends-len(r.dots)+1)/2), false
	}
	return "", true
}
