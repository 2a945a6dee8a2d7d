package sabr

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const (
	// mostSeeds is the most boards that Start, or End, may stand for, if the search
	// is to go out from them.
	mostSeeds = 1 << 12
	// mostValues is the most values that variables may take which stand nowhere on
	// their own.
	mostValues = 1 << 9
	// mostAround is the most symbols that may be looked at from one board.
	mostAround = 1 << 20
	// mostExplored is the memory that boards may take, in bytes: two million boards
	// of a cube.
	mostExplored = 64 << 20
)

// explorer finds the fewest stages by going from board to board: out from the
// boards that fit Start, and back from those that fit End, until the two meet. It
// looks at each board once, where the constraints of an unrolling tell the same
// board at two stages apart; but it cannot look at more boards than fit into memory.
type explorer struct {
	program  *Program
	moves    []move
	legal    []placedRules
	settled  int // from this stage on all sections hold or do not hold for good
	boards   *boardSet
	out      side // from Start
	back     side // from End; nil layers: only the last board is tested
	end      *placedRules
	exactly  bool
	laying   matcher // of steps
	testing  matcher // of boards
	known    []uint8
	other    []uint8
	set      []bool
	distinct []int // by list of symbols: the first of its symbols, counted through all
	holders  []int // by symbol: the last AllDif that met it
	differed int   // the number of AllDifs looked at
}

// side are the boards that lie a number of steps from Start, or from End.
type side struct {
	changes  []change
	layers   [][]uint32 // numbers of boards, rising
	standing int        // boards in layers
	partial  []uint32   // the next layer, as far as it is made
	done     int        // the boards of the last layer that it is made from
	// stamp is, by board, one more than the last layer that it lies in; 0: none.
	stamp []uint32
}

// placedRules are rules on some cells, of which one must hold: a Req, the Opts of a
// name, or an AllDif.
type placedRules struct {
	cells   []int
	choices []placedRule // none: the cells must differ
	span    span         // of an AllDif
}

type placedRule struct {
	span    span
	pattern *pattern
}

// depth is the number of steps to the last layer.
func (s *side) depth() int { return len(s.layers) - 1 }

// has reports whether a board lies in the last layer.
func (s *side) has(id uint32) bool {
	return int(id) < len(s.stamp) && int(s.stamp[id]) == len(s.layers)
}

// holds reports whether a board lies in a layer.
func (s *side) holds(depth int, id uint32) bool {
	_, ok := slices.BinarySearch(s.layers[depth], id)
	return ok
}

// newExplorer returns nil for a program that cannot be solved in this way.
func newExplorer(ctx context.Context, u *unrolling, exactly bool) *explorer {
	p := u.program
	if !p.HasSteps() || p.start == nil {
		return nil
	}
	x := &explorer{program: p, moves: u.moves, exactly: exactly, boards: newBoardSet(p)}
	for _, m := range []*matcher{&x.laying, &x.testing} {
		*m = matcher{ctx: ctx, least: -mostAround}
	}
	if x.boards == nil || slices.ContainsFunc(p.steps, func(t transition) bool { return t.simultaneous }) {
		return nil
	}
	x.known, x.other, x.set = make([]uint8, len(p.board)), make([]uint8, len(p.board)), make([]bool, len(p.board))
	symbols := 0
	for _, list := range p.lists {
		x.distinct = append(x.distinct, symbols)
		symbols += len(list.symbols)
	}
	x.holders = make([]int, symbols)
	if !x.addRules(u) || !x.addSteps(u) || !x.addEnds(u) {
		return nil
	}
	return x
}

// spans notes at which stages a section holds.
func (x *explorer) spans(s span) {
	x.settled = max(x.settled, s.first)
	if s.last < math.MaxInt {
		x.settled = max(x.settled, s.last+1)
	}
}

// lookup is the pattern of rules, or nil if there is none, or if too many values of
// its variables would have to be tried.
func (x *explorer) lookup(u *unrolling, rules []rule, cells []int) *pattern {
	t := u.lookup(rules, cells)
	if t == nil {
		return nil
	}
	values := 1
	for _, v := range t.variables {
		if v.place < 0 {
			if values *= v.symbols; values > mostValues {
				return nil
			}
		}
	}
	return t
}

// addRules adds the sections on boards.
func (x *explorer) addRules(u *unrolling) bool {
	p := x.program
	for i := range p.requires {
		if !x.addChoice(u, []*require{&p.requires[i]}) {
			return false
		}
	}
	for _, g := range u.groups {
		if !x.addChoice(u, g.options) {
			return false
		}
	}
	for _, d := range p.differs {
		x.spans(d.span)
		x.legal = append(x.legal, placedRules{cells: d.cells, span: d.span})
	}
	return true
}

// addChoice adds sections of which one must hold on each place of their object.
func (x *explorer) addChoice(u *unrolling, options []*require) bool {
	for _, o := range options {
		x.spans(o.span)
	}
	for _, o := range x.program.occurrences(options[0].object) {
		placed := placedRules{cells: o.cells}
		for _, option := range options {
			t := x.lookup(u, option.rules, o.cells)
			if t == nil || !u.pay(placeCost) {
				return false
			}
			placed.choices = append(placed.choices, placedRule{option.span, t})
		}
		x.legal = append(x.legal, placed)
	}
	return true
}

// addSteps adds the steps, as they are taken and as they are taken back.
func (x *explorer) addSteps(u *unrolling) bool {
	for k, m := range x.moves {
		x.spans(m.step.span)
		t := x.lookup(u, m.rules, twice(m.cells))
		if t == nil || !u.pay(len(m.cells)*placeCost) {
			return false
		}
		x.out.changes = append(x.out.changes, newChange(k, t, m.cells, false))
		x.back.changes = append(x.back.changes, newChange(k, t, m.cells, true))
	}
	return true
}

// addEnds adds the boards to go out from.
func (x *explorer) addEnds(u *unrolling) bool {
	if !x.seed(u, &x.out, x.program.start) {
		return false
	}
	if x.program.end == nil {
		return true
	}
	t := x.lookup(u, x.program.end, u.whole())
	if t == nil {
		return false
	}
	x.end = &placedRules{cells: u.whole(), choices: []placedRule{{span{0, math.MaxInt}, t}}}
	if x.settled == 0 {
		x.seed(u, &x.back, x.program.end)
	}
	return true
}

// seed makes the boards that fit rules the first layer, unless they are too many.
func (x *explorer) seed(u *unrolling, s *side, rules []rule) bool {
	t := x.lookup(u, rules, u.whole())
	if t == nil {
		return false
	}
	c := change{pattern: t}
	for i, cell := range u.whole() {
		c.places = append(c.places, changedPlace{i, cell, false})
	}
	laying := matcher{ctx: x.laying.ctx, left: mostSeeds * (len(c.places) + 1)}
	clear(x.known)
	clear(x.other)
	var layer []uint32
	(&changing{&laying, &c, x.known, x.other, x.set, func() {
		x.reach(s, 0, &layer)
	}}).each()
	if laying.broken() {
		s.stamp = nil
		clear(x.set)
		return false
	}
	s.add(layer)
	return true
}

// bytes is the memory of the layers.
func (s *side) bytes() int {
	return 4*(cap(s.stamp)+s.standing+cap(s.partial)) + layerBytes*len(s.layers)
}

// layerBytes is the size of a layer without boards.
const layerBytes = 64

// add adds a layer.
func (s *side) add(layer []uint32) {
	slices.Sort(layer)
	s.standing += len(layer)
	s.layers = append(s.layers, layer)
}

// allowed reports whether the board in x.other keeps to the sections on boards at a
// stage.
func (x *explorer) allowed(stage int) bool {
	for i := range x.legal {
		if !x.keeps(&x.legal[i], stage, x.other) {
			return false
		}
	}
	return true
}

// keeps reports whether a board keeps to rules at a stage.
func (x *explorer) keeps(r *placedRules, stage int, board []uint8) bool {
	if len(r.choices) == 0 {
		return !r.span.holds(stage) || x.differ(r.cells, board)
	}
	asked := false
	for _, c := range r.choices {
		if c.span.holds(stage) {
			if x.testing.fits(c.pattern, r.cells, board) {
				return true
			}
			asked = true
		}
	}
	return !asked
}

// differ reports whether all these cells hold different symbols.
func (x *explorer) differ(cells []int, board []uint8) bool {
	x.differed++
	for _, c := range cells {
		x.testing.step()
		s := x.distinct[x.program.board[c].list] + int(board[c])
		if x.holders[s] == x.differed {
			return false
		}
		x.holders[s] = x.differed
	}
	return true
}

// reach adds the board in x.other to the layer of a stage, if it may stand there
// and is new to it.
func (x *explorer) reach(s *side, stage int, layer *[]uint32) {
	packed := x.boards.pack(x.other)
	id, place, ok := x.boards.find(packed)
	depth := uint32(len(s.layers)) + 1
	if ok && int(id) < len(s.stamp) {
		seen := s.stamp[id]
		if seen == depth || !x.exactly && seen > uint32(x.settled) {
			return
		}
	}
	if !x.allowed(stage) {
		return
	}
	if !ok {
		id = x.boards.add(packed, place)
	}
	if n := int(id) + 1 - len(s.stamp); n > 0 {
		s.stamp = append(s.stamp, make([]uint32, n)...)
	}
	s.stamp[id] = depth
	*layer = append(*layer, id)
}

// full reports whether the boards take too much memory, or one leads to too many.
func (x *explorer) full() bool {
	return x.laying.broken() || x.testing.broken() || x.boards.bytes()+x.out.bytes()+x.back.bytes() > mostExplored
}

// deepen adds a layer to a side. It returns false when the boards take too much
// time or memory; given more time it goes on where it stopped.
func (x *explorer) deepen(s *side) bool {
	stage := 0
	if s == &x.out {
		stage = s.depth()
	}
	last := s.layers[s.depth()]
	for ; s.done < len(last); s.done++ {
		if x.laying.left < 0 || x.testing.left < 0 || x.full() {
			return false
		}
		x.around(s, last[s.done], stage, func(int) {
			x.reach(s, stage+1, &s.partial)
		})
	}
	if x.full() {
		return false
	}
	s.add(s.partial)
	s.partial, s.done = nil, 0
	return true
}

// around puts each board that a step leads to, or leads from, into x.other and
// calls yield with the step.
func (x *explorer) around(s *side, id uint32, stage int, yield func(move int)) {
	x.boards.board(id, x.known)
	copy(x.other, x.known)
	for i := range s.changes {
		c := &s.changes[i]
		if x.moves[c.move].step.span.holds(stage) {
			(&changing{&x.laying, c, x.known, x.other, x.set, func() { yield(c.move) }}).each()
		}
	}
}

// meets reports whether a board of the last layer from Start is one of the last layer
// from End.
func (x *explorer) meets() bool {
	return slices.ContainsFunc(x.out.layers[x.out.depth()], x.complete)
}

// complete reports whether a board of the last layer from Start is one of the last
// layer from End.
func (x *explorer) complete(id uint32) bool {
	if x.back.layers != nil {
		return x.back.has(id)
	}
	if x.end == nil {
		return true
	}
	x.boards.board(id, x.other)
	return x.keeps(x.end, 0, x.other)
}

// outcome is what an explorer found.
type outcome int

const (
	outOfTime   outcome = iota // it may be called again
	outOfMemory                // or the context is done
	met                        // there is a result
	neverMeets                 // there is none with any number of stages
	notWithin                  // there is none with as many stages as are allowed
)

// explore looks for the fewest stages up to most, or for exactly that number, for
// about so many looks at a symbol. It returns the number tried last: with fewer there
// is no result.
func (x *explorer) explore(looks, most int, progress func(stages int)) (outcome, int) {
	x.laying.left, x.testing.left = looks, looks
	for {
		stages := x.length() + 1
		progress(stages)
		if x.laying.ctx.Err() != nil {
			return outOfMemory, stages
		}
		if !x.exactly || stages == most {
			if x.meets() {
				return met, stages
			}
		}
		s := &x.out
		if x.back.layers != nil && len(x.back.layers[x.back.depth()]) < len(x.out.layers[x.out.depth()]) {
			s = &x.back
		}
		switch {
		case len(s.layers[s.depth()]) == 0 && !x.exactly:
			return neverMeets, stages
		case stages == most:
			return notWithin, stages
		case x.deepen(s):
		case x.full():
			return outOfMemory, stages
		default:
			return outOfTime, stages
		}
	}
}

// path is a way from Start to End, under way.
type path struct {
	*explorer
	marked [][]uint32 // by layer from Start: the boards from which it is possible to get there
	ids    []uint32
	steps  [][]Step
	yield  func(*Result) bool
}

// list calls yield with each result, until it returns false. It returns false if
// time did not suffice.
func (x *explorer) list(yield func(*Result) bool) bool {
	x.laying.left = math.MaxInt // what was found is listed, however long it takes
	p := &path{explorer: x, marked: make([][]uint32, len(x.out.layers)), yield: yield}
	last := x.out.depth()
	for _, id := range x.out.layers[last] {
		if x.complete(id) {
			p.marked[last] = append(p.marked[last], id)
		}
	}
	for t := last - 1; t >= 0; t-- {
		for _, id := range x.out.layers[t] {
			leads := false
			x.around(&x.out, id, t, func(int) {
				leads = leads || p.goes(t+1)
			})
			if leads {
				p.marked[t] = append(p.marked[t], id)
			}
			if x.laying.broken() {
				return false
			}
		}
	}
	for _, id := range p.marked[0] {
		p.ids = append(p.ids[:0], id)
		if !p.walk() {
			break
		}
	}
	return !x.laying.broken()
}

// goes reports whether the board in x.other may stand at a stage of a result.
func (p *path) goes(stage int) bool {
	id, _, ok := p.boards.find(p.boards.pack(p.other))
	if !ok {
		return false
	}
	if stage < len(p.marked) {
		_, ok = slices.BinarySearch(p.marked[stage], id)
		return ok
	}
	return p.back.holds(p.length()-stage, id)
}

// length is the number of steps of a result.
func (x *explorer) length() int { return x.out.depth() + max(0, x.back.depth()) }

// walk goes on from the last board in each way there is.
func (p *path) walk() bool {
	stage := len(p.ids) - 1
	if stage == p.length() {
		return p.yield(p.result())
	}
	type next struct {
		id   uint32
		step Step
	}
	var list []next
	p.around(&p.out, p.ids[stage], stage, func(k int) {
		if p.goes(stage + 1) {
			id, _, _ := p.boards.find(p.boards.pack(p.other))
			list = append(list, next{id, p.moves[k].name})
		}
	})
	if p.laying.broken() {
		return false
	}
	// Steps that print alike and lead to the same board are one.
	slices.SortStableFunc(list, func(a, b next) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.step.String(), b.step.String()))
	})
	list = slices.CompactFunc(list, func(a, b next) bool { return a.id == b.id && a.step.String() == b.step.String() })
	for _, n := range list {
		p.ids, p.steps = append(p.ids, n.id), append(p.steps, []Step{n.step})
		more := p.walk()
		p.ids, p.steps = p.ids[:stage+1], p.steps[:stage]
		if !more {
			return false
		}
	}
	return true
}

// result is the way that was walked.
func (p *path) result() *Result {
	r := &Result{program: p.program, Cells: p.program.Cells(), Steps: slices.Clone(p.steps)}
	board := make([]uint8, len(p.program.board))
	for _, id := range p.ids {
		p.boards.board(id, board)
		symbols := make([]string, len(board))
		for c, s := range board {
			symbols[c] = p.program.lists[p.program.board[c].list].symbols[s].text
		}
		r.Boards = append(r.Boards, symbols)
	}
	return r
}
