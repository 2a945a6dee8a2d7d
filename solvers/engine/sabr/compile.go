package sabr

import (
	"context"
	"encoding/binary"
	"slices"

	"tapwise/solvers/engine/csp"
)

const (
	// boxLimit is the most boxes that the alternatives of one group of Opts
	// are spread out into.
	boxLimit = 512
	// keepLimit is the most pairs of a step and a set of cells that it leaves
	// alone for which clauses say so; it follows without them.
	keepLimit = 200_000
	// boxSymbols is the most bytes that those boxes may take while they are made.
	boxSymbols = 16 << 20
)

// unrolling is a program as constraints of the engine, as far as stages have
// been added.
type unrolling struct {
	program *Program
	model   *csp.Model

	// stages[t][c][s]: at stage t cell c holds symbol s of its list.
	stages [][][]csp.BoolVar
	// taken[t][k]: the step of moves[k] is taken between stages t and t+1;
	// the zero literal's negation, false, where its section does not apply.
	taken [][]csp.BoolVar

	moves    []move
	groups   []optionGroup
	counts   *counts
	patterns map[patternKey]*pattern

	budget
}

// patternKey names a rule list, by its first rule, and the lists of symbols of
// the cells that it lies on.
type patternKey struct {
	rules *rule
	lists string
}

// move is a step that may be taken: a section on one place of the board.
type move struct {
	step  *transition
	name  Step
	rules []rule // before and after
	cells []int
}

// optionGroup holds all Opts with the same name over one object.
type optionGroup struct {
	object  int
	options []*require
}

// newUnrolling begins to compile a program, into a number of bytes at most. The
// budget's err tells, here as after addStage, whether time and memory sufficed.
func newUnrolling(ctx context.Context, p *Program, most int) *unrolling {
	u := &unrolling{
		program:  p,
		model:    csp.NewModel(csp.Config{}),
		patterns: map[patternKey]*pattern{},
		budget:   budget{ctx: ctx, file: p.file, most: most},
	}
	// The first stage before all else: what is too large is known at once.
	if !u.pay(p.boardBytes()) {
		return u
	}
	for i := range p.steps {
		step := &p.steps[i]
		rules := slices.Concat(step.before, step.after)
		for _, o := range p.occurrences(step.object) {
			if !u.pay(moveBytes) {
				return u
			}
			u.moves = append(u.moves, move{step, Step{step.name, o.label}, rules, o.cells})
		}
	}
	type key struct {
		object int
		name   string
	}
	groups := map[key]int{}
	for i := range p.options {
		o := &p.options[i]
		k := key{o.object, o.name}
		at, ok := groups[k]
		if !ok {
			at = len(u.groups)
			groups[k] = at
			u.groups = append(u.groups, optionGroup{object: o.object})
		}
		u.groups[at].options = append(u.groups[at].options, o)
	}
	u.counts = newCounts(u)
	return u
}

// addStage adds one more stage, and the step to it from the stage before. It stops
// when the budget is spent.
func (u *unrolling) addStage() {
	p, m := u.program, u.model
	t := len(u.stages)
	u.stage = t
	if t > 0 && !u.pay(p.boardBytes()) {
		return
	}
	cells := make([][]csp.BoolVar, len(p.board))
	for c := range cells {
		if !u.work(len(p.lists[p.board[c].list].symbols)) {
			return
		}
		cells[c] = u.newChoice(len(p.lists[p.board[c].list].symbols))
	}
	u.stages = append(u.stages, cells)
	if t == 0 && p.start != nil {
		u.fit(m.True(), p.start, u.whole(), u.on(t, u.whole()))
	}
	for i := range p.requires {
		if r := &p.requires[i]; r.span.holds(t) {
			for _, o := range p.occurrences(r.object) {
				if !u.work(len(o.cells)) {
					return
				}
				u.fit(m.True(), r.rules, o.cells, u.on(t, o.cells))
			}
		}
	}
	for i := range u.groups {
		u.addOptions(&u.groups[i], t)
	}
	for _, d := range p.differs {
		if d.span.holds(t) {
			u.addDifferent(d.cells, t)
		}
	}
	if t > 0 {
		u.addStep(t - 1)
	}
	u.counts.addTo(u, t)
}

// last returns a literal that makes stage t the last one: End holds there.
func (u *unrolling) last(t int) csp.BoolVar {
	if u.program.end == nil {
		return u.model.True()
	}
	last := u.model.NewBoolVar()
	u.fit(last, u.program.end, u.whole(), u.on(t, u.whole()))
	return last
}

// newChoice returns literals of which exactly one is true.
func (u *unrolling) newChoice(n int) []csp.BoolVar {
	switch n {
	case 1:
		return []csp.BoolVar{u.model.True()}
	case 2:
		b := u.model.NewBoolVar()
		return []csp.BoolVar{b, b.Not()}
	}
	choice := u.model.NewBoolVars(n)
	u.model.AddExactlyOne(choice...)
	return choice
}

// on are the literals of cells at a stage, by cell and symbol.
func (u *unrolling) on(t int, cells []int) [][]csp.BoolVar {
	literals := make([][]csp.BoolVar, len(cells))
	for i, c := range cells {
		literals[i] = u.stages[t][c]
	}
	return literals
}

func (u *unrolling) whole() []int { return u.program.whole[0].cells }

// lookup is the pattern of a rule list on cells, made once for equal lists of
// symbols. It is nil when the budget is spent.
func (u *unrolling) lookup(rules []rule, cells []int) *pattern {
	if !u.work(len(cells)) {
		return nil
	}
	lists := u.program.listsOf(cells)
	key := patternKey{&rules[0], numbersKey(lists)}
	t := u.patterns[key]
	if t == nil {
		if !u.pay(u.program.patternCost(rules, lists)) {
			return nil
		}
		t = u.program.newPattern(rules, lists)
		u.patterns[key] = t
	}
	return t
}

// fit requires the rules to hold on the cells, whose literals are given by cell
// and symbol, when onlyIf is true.
func (u *unrolling) fit(onlyIf csp.BoolVar, rules []rule, cells []int, literals [][]csp.BoolVar) {
	t := u.lookup(rules, cells)
	if t == nil {
		return
	}
	m := u.model
	values := make([][]csp.BoolVar, len(t.variables))
	for v, d := range t.variables {
		if d.place >= 0 {
			values[v] = literals[d.place]
		} else if u.pay(choiceBytes(d.symbols)) {
			values[v] = u.newChoice(d.symbols)
		} else {
			return
		}
	}
	unless := onlyIf.Not()
	var clause []csp.BoolVar
	for i := range t.places {
		r := &t.places[i]
		if r.anything {
			continue
		}
		if !u.pay(r.clauseBytes(t, i)) {
			return
		}
		if r.equal >= 0 && t.variables[r.equal].place != i {
			for s, x := range literals[i] {
				m.AddClause(unless, x.Not(), values[r.equal][s])
				m.AddClause(unless, x, values[r.equal][s].Not())
			}
		}
		for s, x := range literals[i] {
			if r.allowed[s] {
				continue
			}
			if !u.work(2 + len(r.same) + len(r.other)) {
				return
			}
			clause = append(clause[:0], unless, x.Not())
			for _, v := range r.same {
				clause = append(clause, values[v][s])
			}
			for _, v := range r.other {
				clause = append(clause, values[v][s].Not())
			}
			m.AddClause(clause...)
		}
	}
}

// addOptions requires each occurrence to fit one of the group's alternatives.
func (u *unrolling) addOptions(g *optionGroup, t int) {
	var options []*require
	for _, o := range g.options {
		if o.span.holds(t) {
			options = append(options, o)
		}
	}
	if len(options) == 0 {
		return
	}
	for _, o := range u.program.occurrences(g.object) {
		if !u.work(len(o.cells)) {
			return
		}
		literals := u.on(t, o.cells)
		if !u.addBoxes(options, o.cells, literals) {
			if !u.pay(choiceBytes(len(options))) {
				return
			}
			chosen := u.model.NewBoolVars(len(options))
			for i, option := range options {
				u.fit(chosen[i], option.rules, o.cells, literals)
			}
			u.model.AddClause(chosen...)
		}
	}
}

// addBoxes requires one of the options to fit, as a choice among boxes: then a
// symbol that is in none of those still possible is seen to be impossible. It
// returns false, having done nothing, if they are too many or too large.
func (u *unrolling) addBoxes(options []*require, cells []int, literals [][]csp.BoolVar) bool {
	size := 0 // of a box
	for _, choice := range literals {
		size += len(choice)
	}
	var boxes []box
	for _, option := range options {
		t := u.lookup(option.rules, cells)
		if t == nil {
			return false
		}
		count, ok := t.boxCount(boxLimit - len(boxes))
		if !ok || (len(boxes)+count)*size > boxSymbols || !u.work(count*size) {
			return false
		}
		boxes = append(boxes, t.boxes(count)...)
	}
	if !u.pay(choiceBytes(len(boxes))) {
		return false
	}
	chosen := u.model.NewBoolVars(len(boxes))
	u.model.AddClause(chosen...)
	for i, choice := range literals {
		for s, x := range choice {
			support := []csp.BoolVar{x.Not()}
			for k, b := range boxes {
				if b[i][s] {
					support = append(support, chosen[k])
				}
			}
			without := len(boxes) + 1 - len(support)
			if !u.work(len(boxes)) || without > 0 && !u.pay(clauseBytes+len(support)*literalBytes+without*binaryBytes) {
				return false
			}
			for k, b := range boxes {
				if !b[i][s] {
					u.model.AddImplication(chosen[k], x.Not())
				}
			}
			if len(support) <= len(boxes) {
				u.model.AddClause(support...)
			}
		}
	}
	return true
}

// addDifferent requires the cells to hold different symbols.
func (u *unrolling) addDifferent(cells []int, t int) {
	byList := map[int][]int{}
	var lists []int
	for _, c := range cells {
		list := u.program.board[c].list
		if byList[list] == nil {
			lists = append(lists, list)
		}
		byList[list] = append(byList[list], c)
	}
	for _, list := range lists {
		same := byList[list]
		n := len(u.program.lists[list].symbols)
		if len(same) > n {
			u.model.AddClause()
			return
		}
		if !u.pay(n * len(same) * 2 * holderBytes) {
			return
		}
		for s := range n {
			if !u.work(len(same)) {
				return
			}
			var holders []csp.BoolVar
			for _, c := range same {
				holders = append(holders, u.stages[t][c][s])
			}
			u.model.AddAtMostOne(holders...)
			if len(same) == n {
				u.model.AddClause(holders...)
			}
		}
	}
}

// addStep adds the step from stage t to the next: either one Trans, or at
// least one TransSim; cells outside of what is taken stay.
func (u *unrolling) addStep(t int) {
	m := u.model
	taken := make([]csp.BoolVar, len(u.moves))
	var alone, together []csp.BoolVar
	for k := range u.moves {
		step := u.moves[k].step
		taken[k] = m.False()
		if !step.span.holds(t) {
			continue
		}
		if !u.pay(variableBytes + 2*holderBytes) {
			return
		}
		taken[k] = m.NewBoolVar()
		if step.simultaneous {
			together = append(together, taken[k])
		} else {
			alone = append(alone, taken[k])
		}
		cells := u.moves[k].cells
		u.fit(taken[k], u.moves[k].rules, twice(cells), slices.Concat(u.on(t, cells), u.on(t+1, cells)))
		if u.err != nil {
			return
		}
	}
	u.taken = append(u.taken, taken)
	m.AddClause(slices.Concat(alone, together)...)
	if len(together) == 0 {
		m.AddAtMostOne(alone...)
	} else if len(alone) > 0 {
		many := m.NewBoolVar()
		for _, b := range together {
			m.AddImplication(b, many)
		}
		m.AddAtMostOne(append(alone, many)...)
	}

	// Cells that the same moves touch stay or may change together.
	touching := make([][]int, len(u.stages[t]))
	for k := range u.moves {
		if taken[k] == m.False() {
			continue
		}
		if !u.work(len(u.moves[k].cells)) {
			return
		}
		for _, c := range u.moves[k].cells {
			if n := len(touching[c]); n == 0 || touching[c][n-1] != k {
				touching[c] = append(touching[c], k)
			}
		}
	}
	stays := map[string]csp.BoolVar{}
	for c, moves := range touching {
		if !u.pay(len(u.stages[t][c])*2*clauseBytes) || !u.work(len(moves)) {
			return
		}
		key := numbersKey(moves)
		stay, ok := stays[key]
		if !ok {
			if !u.pay(variableBytes+clauseBytes+len(moves)*literalBytes) || !u.work(len(taken)) {
				return
			}
			stay = u.addStay(moves, taken, len(touching))
			stays[key] = stay
		}
		for s, before := range u.stages[t][c] {
			after := u.stages[t+1][c][s]
			m.AddClause(stay.Not(), before.Not(), after)
			m.AddClause(stay.Not(), before, after.Not())
		}
	}
}

// numbersKey is a key for maps that is equal for equal lists of numbers.
func numbersKey(numbers []int) string {
	var key []byte
	for _, n := range numbers {
		key = binary.AppendUvarint(key, uint64(n))
	}
	return string(key)
}

// addStay returns a literal that is true unless one of the moves is taken.
func (u *unrolling) addStay(moves []int, taken []csp.BoolVar, cells int) csp.BoolVar {
	m := u.model
	if len(moves) == 0 {
		return m.True()
	}
	stay := m.NewBoolVar()
	clause := []csp.BoolVar{stay}
	touches := make([]bool, len(taken))
	for _, k := range moves {
		clause = append(clause, taken[k])
		touches[k] = true
	}
	m.AddClause(clause...)
	if cells*len(taken) > keepLimit {
		return stay
	}
	for k := range taken {
		if !u.moves[k].step.simultaneous && !touches[k] {
			m.AddImplication(taken[k], stay)
		}
	}
	return stay
}
