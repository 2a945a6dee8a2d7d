package described

import (
	"math"

	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// poster tells terms to the engine.
type poster struct {
	m        *csp.Model
	variable []csp.BoolVar // of conditions
	integer  []csp.IntVar  // of numbers
	literals map[*term]csp.BoolVar
	sums     map[*term]csp.IntVar
	details  map[any]any // what the rules with code of their own have made
}

// newPoster makes the variables of a board, and the literals that tell solutions apart.
func newPoster(l *layout) (*poster, []csp.BoolVar) {
	p := &poster{m: csp.NewModel(csp.Config{}), variable: make([]csp.BoolVar, l.n), integer: make([]csp.IntVar, l.n),
		literals: map[*term]csp.BoolVar{}, sums: map[*term]csp.IntVar{}, details: map[any]any{}}
	var decided []csp.BoolVar
	for i, y := range l.layers {
		lo, hi := y.bounds()
		if y.kind != symbolsLayer && y.kind != numbersLayer {
			literals := p.m.NewBoolVars(y.variables(l.size))
			copy(p.variable[l.first[i]:], literals)
			decided = append(decided, literals...)
			continue
		}
		for k := l.first[i]; k < l.first[i]+y.variables(l.size); k++ {
			p.integer[k] = p.m.NewIntVar(lo, hi)
			decided = append(decided, p.m.Literals(p.integer[k])...)
		}
	}
	return p, decided
}

// values reads the solution found last.
func (p *poster) values(l *layout) []int {
	values := make([]int, l.n)
	for i, y := range l.layers {
		for k := l.first[i]; k < l.first[i]+y.variables(l.size); k++ {
			if y.kind == symbolsLayer || y.kind == numbersLayer {
				values[k] = p.m.IntValue(p.integer[k])
			} else if p.m.Value(p.variable[k]) {
				values[k] = 1
			}
		}
	}
	return values
}

// require has a condition hold.
func (p *poster) require(t *term) {
	switch t.op {
	case opAnd:
		for _, a := range t.args {
			p.require(a)
		}
	case opOr:
		p.m.AddClause(p.all(t.args)...)
	case opNot:
		p.forbid(t.args[0])
	case opSame:
		p.m.AddEquivalence(p.literal(t.args[0]), p.literal(t.args[1]))
	case opEqual:
		if !p.requireValue(t) {
			p.bound(t, 0, 0)
		}
	case opAtMost:
		p.bound(t, math.MinInt, 0)
	case opGlobal:
		t.detail.(globalRule).post(p)
	default:
		p.m.AddClause(p.literal(t))
	}
}

func (p *poster) forbid(t *term) {
	switch t.op {
	case opAnd:
		var clause []csp.BoolVar
		for _, a := range t.args {
			clause = append(clause, p.literal(a).Not())
		}
		p.m.AddClause(clause...)
	case opOr:
		for _, a := range t.args {
			p.forbid(a)
		}
	case opNot:
		p.require(t.args[0])
	case opAtMost:
		p.bound(t, 1, math.MaxInt)
	default:
		p.m.AddClause(p.literal(t).Not())
	}
}

func (p *poster) all(terms []*term) []csp.BoolVar {
	literals := make([]csp.BoolVar, len(terms))
	for i, t := range terms {
		literals[i] = p.literal(t)
	}
	return literals
}

// requireValue posts that a variable has a value.
func (p *poster) requireValue(t *term) bool {
	a, b := t.args[0], t.args[1]
	if a.op == opConst {
		a, b = b, a
	}
	if a.op == opVar && !a.boolean && b.op == opConst {
		p.m.AddClause(p.m.Equal(p.integer[a.k], b.k))
		return true
	}
	return false
}

// difference is the first number of a comparison less the second, as terms with factors.
func difference(t *term) (k int, args []*term, factors []int) {
	for i, side := range t.args {
		sign := 1 - 2*i
		switch side.op {
		case opConst:
			k += sign * side.k
		case opSum:
			k += sign * side.k
			for i, a := range side.args {
				args, factors = append(args, a), append(factors, sign*side.factors[i])
			}
		default:
			args, factors = append(args, side), append(factors, sign)
		}
	}
	return k, args, factors
}

// bound has lo <= first - second <= hi, only if some literals are true.
func (p *poster) bound(t *term, lo, hi int, onlyIf ...csp.BoolVar) {
	k, args, factors := difference(t)
	if len(onlyIf) == 0 && p.countBound(k, args, factors, lo, hi) {
		return
	}
	e := csp.NewLinearExpr().AddConstant(k)
	for i, a := range args {
		e.AddTerm(p.number(a), factors[i])
	}
	p.m.AddLinearConstraint(e, lo, hi, onlyIf...)
}

// countBound posts a bound of a count of conditions by its own constraint.
func (p *poster) countBound(k int, args []*term, factors []int, lo, hi int) bool {
	if len(args) == 0 {
		return false
	}
	for i, a := range args {
		if !a.boolean || factors[i] != factors[0] || factors[0] != 1 && factors[0] != -1 {
			return false
		}
	}
	if factors[0] < 0 { // k - n between lo and hi
		k, lo, hi = -k, negated(hi), negated(lo)
	}
	literals := p.all(args)
	if hi != math.MaxInt {
		p.m.AddAtMostK(hi-k, literals...)
	}
	if lo != math.MinInt && lo-k > 0 {
		p.m.AddAtLeastK(lo-k, literals...)
	}
	return true
}

func negated(bound int) int {
	switch bound {
	case math.MaxInt:
		return math.MinInt
	case math.MinInt:
		return math.MaxInt
	}
	return -bound
}

// number is a term in a linear constraint.
func (p *poster) number(t *term) csp.LinearArgument {
	switch {
	case t.op == opConst:
		return csp.NewConstant(t.k)
	case t.boolean:
		return p.literal(t)
	case t.op == opVar:
		return p.integer[t.k]
	case t.op == opBeam:
		return p.turns(t)
	}
	e := csp.NewLinearExpr().AddConstant(t.k)
	for i, a := range t.args {
		e.Add(csp.NewLinearExpr().AddTerm(p.number(a), t.factors[i]))
	}
	return e
}

// whole is a number as a variable of the engine.
func (p *poster) whole(t *term) csp.IntVar {
	if t.op == opVar {
		return p.integer[t.k]
	}
	x, ok := p.sums[t]
	if !ok {
		x = p.m.NewIntVar(t.lo, t.hi)
		p.sums[t] = x
		p.m.AddEquality(x, p.number(t))
	}
	return x
}

// literal is a condition as a literal.
func (p *poster) literal(t *term) csp.BoolVar {
	switch t.op {
	case opConst:
		return p.m.Constant(t.k == 1)
	case opVar:
		return p.variable[t.k]
	case opNot:
		return p.literal(t.args[0]).Not()
	}
	l, ok := p.literals[t]
	if !ok {
		l = p.define(t)
		p.literals[t] = l
	}
	return l
}

func (p *poster) define(t *term) csp.BoolVar {
	switch t.op {
	case opWay:
		return p.way(t.detail.(*way))[t.k]
	case opForms:
		return p.forms(t)
	case opEqual:
		a, b := t.args[0], t.args[1]
		if a.op == opConst {
			a, b = b, a
		}
		if a.op == opVar && b.op == opConst {
			return p.m.Equal(p.integer[a.k], b.k)
		}
	}
	l := p.m.NewBoolVar()
	switch t.op {
	case opAnd:
		clause := []csp.BoolVar{l}
		for _, a := range p.all(t.args) {
			p.m.AddImplication(l, a)
			clause = append(clause, a.Not())
		}
		p.m.AddClause(clause...)
	case opOr:
		clause := []csp.BoolVar{l.Not()}
		for _, a := range p.all(t.args) {
			p.m.AddImplication(a, l)
			clause = append(clause, a)
		}
		p.m.AddClause(clause...)
	case opSame:
		a, b := p.literal(t.args[0]), p.literal(t.args[1])
		p.m.AddClause(l.Not(), a.Not(), b)
		p.m.AddClause(l.Not(), a, b.Not())
		p.m.AddClause(l, a, b)
		p.m.AddClause(l, a.Not(), b.Not())
	case opEqual:
		p.equal(l, t)
	case opAtMost:
		p.bound(t, math.MinInt, 0, l)
		p.bound(t, 1, math.MaxInt, l.Not())
	case opRuns:
		p.runs(l, t)
	}
	return l
}

// equal has l be true just where two numbers are equal.
func (p *poster) equal(l csp.BoolVar, t *term) {
	a, b := t.args[0], t.args[1]
	if a.op == opVar && b.op == opVar {
		for v := min(a.lo, b.lo); v <= max(a.hi, b.hi); v++ {
			x, y := p.m.Equal(p.integer[a.k], v), p.m.Equal(p.integer[b.k], v)
			p.m.AddClause(l.Not(), x.Not(), y)
			p.m.AddClause(l.Not(), x, y.Not())
			p.m.AddClause(l, x.Not(), y.Not())
		}
		return
	}
	below, above := p.m.NewBoolVar(), p.m.NewBoolVar()
	p.m.AddExactlyOne(l, below, above)
	p.bound(t, 0, 0, l)
	p.bound(t, math.MinInt, -1, below)
	p.bound(t, 1, math.MaxInt, above)
}

// runs forbids, or has l tell, each way to fill the places: by splitting what is written
// twice around at its gaps.
func (p *poster) runs(l csp.BoolVar, t *term) {
	places := p.all(t.args)
	n := len(places)
	for mask := range 1 << n {
		fits := false
		for _, want := range t.detail.([][]int) {
			fits = fits || hasRuns(mask, n, want)
		}
		clause := make([]csp.BoolVar, 0, n+1)
		for i, b := range places {
			if mask>>i&1 == 1 {
				b = b.Not()
			}
			clause = append(clause, b)
		}
		if fits {
			clause = append(clause, l)
		} else {
			clause = append(clause, l.Not())
		}
		p.m.AddClause(clause...)
	}
}

// hasRuns takes the wanted lengths away from a round of bits, the longest first and the
// ones of any length last.
func hasRuns(mask, n int, want []int) bool {
	full := 1<<n - 1
	turn := func(m, by int) int { return (m<<by | m>>(n-by)) & full }
	if mask == full {
		return len(want) == 1 && (want[0] == n || want[0] == 0)
	}
	lengths := map[int]int{} // how many runs there are of each length
	for i := range n {
		m := turn(mask, i)
		if m&1 == 1 && m>>(n-1)&1 == 0 { // a run begins here
			length := 0
			for m&1 == 1 {
				m, length = m>>1, length+1
			}
			lengths[length]++
		}
	}
	free := 0
	for _, w := range want {
		if w == 0 {
			free++
			continue
		}
		lengths[w]--
	}
	for _, k := range lengths {
		if k < 0 {
			return false
		}
		free -= k
	}
	return free == 0
}

// forms is true where some place of the shape is just what is true.
func (p *poster) forms(t *term) csp.BoolVar {
	r := t.detail.(*forms)
	index := map[board.Cell]int{}
	for i, c := range r.cells {
		index[c] = i
	}
	l := p.m.NewBoolVar()
	places := []csp.BoolVar{l.Not()}
	cells := p.all(t.args)
	seen := map[string]bool{}
	for _, form := range turned(r.shape) {
		for _, c := range r.cells {
			in := make([]byte, len(r.cells))
			fits := true
			for _, s := range form {
				i, ok := index[r.size.At(r.size.Row(c)+s[0], r.size.Col(c)+s[1])]
				if fits = fits && ok; fits {
					in[i] = 1
				}
			}
			if !fits || seen[string(in)] {
				continue
			}
			seen[string(in)] = true
			place := p.m.NewBoolVar()
			exactly := []csp.BoolVar{place}
			for i, b := range cells {
				if in[i] == 0 {
					b = b.Not()
				}
				p.m.AddImplication(place, b)
				exactly = append(exactly, b.Not())
			}
			p.m.AddClause(exactly...)
			p.m.AddImplication(place, l)
			places = append(places, place)
		}
	}
	p.m.AddClause(places...)
	return l
}

// turned are the eight forms of a shape, each from its first square.
func turned(shape [][2]int) (forms [][][2]int) {
	for turn := range turnedBy {
		var form [][2]int
		for _, s := range shape {
			form = append(form, turnStep(turn, [2]int{s[0] - shape[0][0], s[1] - shape[0][1]}))
		}
		forms = append(forms, form)
	}
	return forms
}

func (r *allDifferent) post(p *poster) {
	vars := make([]csp.IntVar, len(r.terms))
	for i, t := range r.terms {
		vars[i] = p.whole(t)
	}
	p.m.AddAllDifferent(vars...)
}

// must is for constraints on nodes that this package numbers itself.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func edgesOf(size board.Size) (edges [][2]int) {
	for _, e := range size.Edges() {
		edges = append(edges, [2]int{int(e.A), int(e.B)})
	}
	return edges
}

func (r *connected) post(p *poster) {
	must(p.m.AddConnected(p.all(r.f.at), edgesOf(r.f.b.givens.size)))
}

// post goes by what is around: cells without a loop leave the others joined to the rim, over
// corners too, and fill no block of two rows and columns.
func (r *noLoop) post(p *poster) {
	b, size := r.f.b, r.f.b.givens.size
	nodes := []csp.BoolVar{}
	var edges [][2]int
	for c, l := range p.all(r.f.at) {
		nodes = append(nodes, l.Not())
		for i, n := range b.cells[c].around() {
			switch {
			case n == nil && i%2 == 0:
				edges = append(edges, [2]int{c, size.Cells()})
			case n != nil && int(n.at) > c:
				edges = append(edges, [2]int{c, int(n.at)})
			}
		}
	}
	must(p.m.AddConnected(append(nodes, p.m.True()), edges))
	for row := range size.Rows - 1 {
		for col := range size.Cols - 1 {
			c := int(size.At(row, col))
			p.m.AddClause(nodes[c], nodes[c+1], nodes[c+size.Cols], nodes[c+size.Cols+1])
		}
	}
}

// joinLines posts that what is drawn is in one piece, and returns by node the links there
// and whether any is drawn.
func joinLines(p *poster, l *lines) (at [][]csp.BoolVar, visited []csp.BoolVar) {
	at = make([][]csp.BoolVar, l.nodes)
	var drawn []csp.BoolVar
	var edges [][2]int
	for i, k := range l.links {
		d := p.literal(k.drawn)
		drawn = append(drawn, d)
		for _, n := range []int{k.a, k.b} {
			at[n] = append(at[n], d)
			edges = append(edges, [2]int{i, len(l.links) + n})
		}
	}
	for _, here := range at {
		v := p.m.NewBoolVar()
		clause := []csp.BoolVar{v.Not()}
		for _, d := range here {
			p.m.AddImplication(d, v)
			clause = append(clause, d)
		}
		p.m.AddClause(clause...)
		visited = append(visited, v)
	}
	must(p.m.AddConnected(append(drawn, visited...), edges))
	return at, visited
}

func (r *joined) post(p *poster) { joinLines(p, r.l) }

func (r *oneLoop) post(p *poster) {
	at, visited := joinLines(p, r.l)
	for _, here := range at {
		twoOrNone(p.m, here)
	}
	p.m.AddClause(visited...)
}

// twoOrNone has two of at most four literals be true, or none.
func twoOrNone(m *csp.Model, here []csp.BoolVar) {
	for i, a := range here {
		others := []csp.BoolVar{a.Not()}
		for k, b := range here {
			if k != i {
				others = append(others, b)
			}
		}
		m.AddClause(others...)
	}
	m.AddAtMostK(2, here...)
}

// post gives each cell of the field to one of the seeds that can reach it.
func (r *islands) post(p *poster) {
	size := r.f.b.givens.size
	in := p.all(r.f.at)
	given := make([][]csp.BoolVar, size.Cells())
	for _, s := range r.seeds {
		p.m.AddClause(in[s.at])
		distance := r.reach(s)
		of := make([]csp.BoolVar, size.Cells())
		index := make([]int, size.Cells())
		var nodes []csp.BoolVar
		for c := range of {
			of[c] = p.m.False()
			if distance[c] >= 0 {
				of[c] = p.m.NewBoolVar()
				given[c] = append(given[c], of[c])
				p.m.AddImplication(of[c], in[c])
				index[c] = len(nodes)
				nodes = append(nodes, of[c])
			}
		}
		p.m.AddClause(of[s.at])
		var edges [][2]int
		for _, e := range size.Edges() {
			if distance[e.A] >= 0 && distance[e.B] >= 0 {
				edges = append(edges, [2]int{index[e.A], index[e.B]})
			}
			p.m.AddClause(of[e.A].Not(), in[e.B].Not(), of[e.B])
			p.m.AddClause(of[e.B].Not(), in[e.A].Not(), of[e.A])
		}
		must(p.m.AddConnected(nodes, edges))
		if s.size > 0 {
			p.m.AddExactlyK(s.size, nodes...)
		}
	}
	for c, of := range given {
		p.m.AddClause(append(of, in[c].Not())...)
		p.m.AddAtMostOne(of...)
	}
}

// reach are the steps from a seed to each cell that its area could hold, -1 for others.
func (r *islands) reach(s seed) []int {
	size := r.f.b.givens.size
	distance := make([]int, size.Cells())
	for c := range distance {
		distance[c] = -1
	}
	barred := map[board.Cell]bool{}
	for _, o := range r.seeds {
		for _, n := range append(size.Neighbours(o.at), o.at) {
			barred[n] = barred[n] || o.at != s.at
		}
	}
	if barred[s.at] {
		barred[s.at] = false // beside another seed: no solution, which the engine finds
	}
	distance[s.at] = 0
	queue := []board.Cell{s.at}
	for i := 0; i < len(queue); i++ {
		c := queue[i]
		if s.size > 0 && distance[c] == s.size-1 {
			break
		}
		for _, n := range size.Neighbours(c) {
			if distance[n] < 0 && !barred[n] && !r.f.at[n].isConst(0) {
				distance[n] = distance[c] + 1
				queue = append(queue, n)
			}
		}
	}
	return distance
}

// way makes the cells of a way: its ends have one neighbour on it, the others two. A field
// without loops has no other cells like that.
func (p *poster) way(w *way) []csp.BoolVar {
	if made, ok := p.details[w]; ok {
		return made.([]csp.BoolVar)
	}
	on := p.m.NewBoolVars(len(w.f.at))
	p.details[w] = on
	size := w.f.b.givens.size
	for c, b := range on {
		c := board.Cell(c)
		p.m.AddImplication(b, p.literal(w.f.at[c]))
		var beside []csp.BoolVar
		for _, n := range size.Neighbours(c) {
			beside = append(beside, on[n])
		}
		e := csp.NewLinearExpr()
		for _, n := range beside {
			e.Add(n)
		}
		switch {
		case c == w.from && c == w.to:
			p.m.AddClause(b)
			p.m.AddLinearConstraint(e, 0, 0)
		case c == w.from || c == w.to:
			p.m.AddClause(b)
			p.m.AddExactlyOne(beside...)
		default:
			p.m.AddLinearConstraint(e, 2, 2, b)
		}
	}
	return on
}

// flow are the arcs of beams, by cell and way, and what is left of turns in each cell.
type flow struct {
	arc  [][4]csp.BoolVar
	left []csp.IntVar
}

func (r *beams) flow(p *poster) *flow {
	if made, ok := p.details[r]; ok {
		return made.(*flow)
	}
	size := r.l.b.givens.size
	f := &flow{arc: make([][4]csp.BoolVar, len(r.l.at)), left: make([]csp.IntVar, len(r.l.at))}
	p.details[r] = f
	for c := range f.arc {
		f.left[c] = p.m.NewIntVar(0, r.most+1)
		for d := range ways {
			f.arc[c][d] = p.m.False()
			if !r.l.at[c][d].isConst(0) {
				f.arc[c][d] = p.m.NewBoolVar()
			}
		}
	}
	for c := range f.arc {
		for d := range ways {
			n := size.Beside(board.Cell(c), board.Dir(d))
			if n < 0 {
				continue
			}
			out, back, drawn := f.arc[c][d], f.arc[n][(d+2)%4], p.literal(r.l.at[c][d])
			p.m.AddImplication(out, drawn)
			p.m.AddClause(drawn.Not(), out, back)
			p.m.AddClause(out.Not(), back.Not())
		}
	}
	for c := range f.arc {
		r.postCell(p, f, board.Cell(c))
	}
	return f
}

// entering are the arcs into a cell, by the way that they come from.
func (f *flow) entering(p *poster, size board.Size, c board.Cell) (in [4]csp.BoolVar) {
	for d := range ways {
		in[d] = p.m.False()
		if n := size.Beside(c, board.Dir(d)); n >= 0 {
			in[d] = f.arc[n][(d+2)%4]
		}
	}
	return in
}

func (r *beams) postCell(p *poster, f *flow, c board.Cell) {
	m, size := p.m, r.l.b.givens.size
	in := f.entering(p, size, c)
	if start, ok := r.dots[c]; ok {
		for d, out := range f.arc[c] {
			if d == start {
				m.AddClause(out)
				m.AddClause(in[d].Not())
			} else {
				m.AddClause(out.Not())
			}
		}
	} else {
		m.AddAtMostOne(in[:]...)
		m.AddAtMostOne(f.arc[c][:]...)
		for d := range ways {
			m.AddClause(append([]csp.BoolVar{in[d].Not()}, f.arc[c][:]...)...)
			m.AddClause(append([]csp.BoolVar{f.arc[c][d].Not()}, in[:]...)...)
		}
	}
	// What is left here is what is left in the next cell, and one more for a turn.
	for d, out := range f.arc[c] {
		n := size.Beside(c, board.Dir(d))
		if n < 0 {
			continue
		}
		straight := in[(d+2)%4] // the cell that it comes from is on the other side
		_, dot := r.dots[n]
		_, begins := r.dots[c]
		for v := 0; v <= r.most+1; v++ {
			next := m.AtLeast(f.left[n], v)
			if dot {
				next = m.Constant(v <= 0)
			}
			same, more := m.AtLeast(f.left[c], v), m.AtLeast(f.left[c], min(v+1, r.most+1))
			if begins {
				iff(m, next, same, out)
				continue
			}
			iff(m, next, same, out, straight)
			if v <= r.most {
				iff(m, next, more, out, straight.Not())
			}
		}
		if !begins {
			m.AddClause(out.Not(), straight, m.AtLeast(f.left[c], 1))
		}
	}
}

// iff has two literals be alike where some others are true.
func iff(m *csp.Model, a, b csp.BoolVar, onlyIf ...csp.BoolVar) {
	var clause []csp.BoolVar
	for _, l := range onlyIf {
		clause = append(clause, l.Not())
	}
	m.AddClause(append(append([]csp.BoolVar{}, clause...), a.Not(), b)...)
	m.AddClause(append(append([]csp.BoolVar{}, clause...), a, b.Not())...)
}

func (r *beams) post(p *poster) { r.flow(p) }

// turns is the number of turns of the beam that starts in a cell.
func (p *poster) turns(t *term) csp.IntVar { return t.detail.(*beams).flow(p).left[t.k] }
