package sabr

import (
	"slices"

	"tapwise/solvers/engine/csp"
)

// counts bounds how many cells hold each symbol, stage by stage. Steps that
// move symbols keep their number, steps that take one away lower it by one. Local
// constraints alone would not show that a board with a single hole cannot become
// one with two.
type counts struct {
	symbols []symbolCount
}

// symbolCount bounds the number of cells of one list that hold one of its symbols.
type symbolCount struct {
	symbol
	cells  []int
	now    bounds // at the last stage added
	change bounds // in any one step
}

// bounds are the least and the most of a number.
type bounds struct {
	least, most int
}

func (b bounds) plus(c bounds) bounds { return bounds{b.least + c.least, b.most + c.most} }

// newCounts finds the bounds at the first stage. It knows nothing about steps
// that happen at the same time.
func newCounts(u *unrolling) *counts {
	p := u.program
	k := &counts{}
	if !p.HasSteps() {
		return k
	}
	for i := range p.steps {
		if p.steps[i].simultaneous {
			return k
		}
	}
	var start *pattern
	if p.start != nil {
		if start = u.lookup(p.start, u.whole()); start == nil {
			return k
		}
	}
	byList := make([][]int, len(p.lists))
	for c := range p.board {
		byList[p.board[c].list] = append(byList[p.board[c].list], c)
	}
	moves := u.countedMoves()
	for l, list := range p.lists {
		cells := byList[l]
		if len(cells) == 0 {
			continue
		}
		for s := range list.symbols {
			if !u.pay(symbolCountBytes) || !u.work(len(cells)) {
				return k
			}
			n := symbolCount{symbol: symbol{l, s}, cells: cells, now: bounds{0, len(cells)}}
			if start != nil {
				n.now = bounds{}
				for _, c := range cells {
					n.now = n.now.plus(start.count(n.symbol, c, c+1))
				}
			}
			for i, m := range moves {
				if !u.work(m.work()) {
					return k
				}
				change := m.change(n.symbol)
				if i == 0 {
					n.change = change
				}
				n.change = bounds{min(n.change.least, change.least), max(n.change.most, change.most)}
			}
			k.symbols = append(k.symbols, n)
		}
	}
	return k
}

// symbolCountBytes is the size of a symbolCount.
const symbolCountBytes = 96

// countedMove is a move, or several that change numbers alike.
type countedMove struct {
	pattern *pattern // nil: a cell plays two parts, and counted twice it would be wrong
	cells   int
}

// countedMoves are the moves, one for each way to change the number of symbols.
func (u *unrolling) countedMoves() (list []countedMove) {
	known := map[countedMove]bool{}
	for i := range u.moves {
		m := countedMove{cells: len(u.moves[i].cells)}
		seen := map[int]bool{}
		for _, c := range u.moves[i].cells {
			seen[c] = true
		}
		if len(seen) == m.cells {
			if m.pattern = u.lookup(u.moves[i].rules, twice(u.moves[i].cells)); m.pattern == nil {
				return nil
			}
		}
		if !known[m] {
			known[m] = true
			list = append(list, m)
		}
	}
	return list
}

// work is the approximate number of steps that change takes.
func (m countedMove) work() int {
	if m.pattern == nil {
		return 1
	}
	return (1 + len(m.pattern.variables)) * 2 * m.cells
}

// twice are the cells of a step before and after it.
func twice(cells []int) []int { return slices.Concat(cells, cells) }

// change bounds by how much the move changes the number of a symbol.
func (m countedMove) change(s symbol) bounds {
	t, n := m.pattern, m.cells
	if t == nil {
		return bounds{-n, n}
	}
	before, after := t.count(s, 0, n), t.count(s, n, 2*n)
	change := bounds{after.least - before.most, after.most - before.least}
	// A variable counts the same wherever it stands.
	for v := range t.variables {
		b, a := t.equals(v, s, 0, n), t.equals(v, s, n, 2*n)
		both := min(a, b)
		change = change.plus(bounds{both, -both})
	}
	return change
}

// count bounds how many of the places from first up to end hold a symbol.
func (t *pattern) count(s symbol, first, end int) (b bounds) {
	for _, r := range t.places[first:end] {
		if r.may(s) {
			b.most++
		}
		if r.must(s) {
			b.least++
		}
	}
	return b
}

// equals is how many of the places are equal to a variable and could hold the
// symbol.
func (t *pattern) equals(v int, s symbol, first, end int) (n int) {
	for _, r := range t.places[first:end] {
		if !r.anything && r.equal == v && r.may(s) && !r.must(s) {
			n++
		}
	}
	return n
}

// may reports whether the symbol could fit the place.
func (r *placeRule) may(s symbol) bool {
	return r.list == s.list && (r.anything || r.allowed[s.index] || len(r.same) > 0 || len(r.other) > 0)
}

// must reports whether no other symbol fits the place.
func (r *placeRule) must(s symbol) bool {
	if !r.may(s) || len(r.same) > 0 || len(r.other) > 0 {
		return false
	}
	if r.anything {
		return r.symbols == 1
	}
	return r.choices == 1
}

// manyHolders is the number of cells from which on it does not pay to count those
// that hold a symbol.
const manyHolders = 5

// addTo bounds the counts of the next stage.
func (k *counts) addTo(u *unrolling, t int) {
	if t == 0 {
		return
	}
	for i := range k.symbols {
		n := &k.symbols[i]
		if n.now.least >= manyHolders && n.change == (bounds{}) {
			continue
		}
		n.now = n.now.plus(n.change)
		n.now = bounds{max(n.now.least, 0), min(n.now.most, len(n.cells))}
		if n.now == (bounds{0, len(n.cells)}) {
			continue
		}
		if !u.pay(2 * len(n.cells) * holderBytes) {
			return
		}
		var literals []csp.BoolVar
		for _, c := range n.cells {
			literals = append(literals, u.stages[t][c][n.index])
		}
		if n.now.most < len(literals) {
			u.model.AddAtMostK(n.now.most, literals...)
		}
		if n.now.least > 0 {
			u.model.AddAtLeastK(n.now.least, literals...)
		}
	}
}
