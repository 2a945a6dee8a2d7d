package sabr

import "context"

// matcher lays patterns on boards, symbol by symbol.
type matcher struct {
	ctx   context.Context
	left  int   // steps that may still be taken before something else has its turn
	least int   // left may go down to this before the matching is broken off
	next  int   // steps until the context is asked again
	err   error // of the context
	value []int // of the variables of the pattern at hand; -1: none yet
	open  []int // the variables without a value, at the end
}

// step counts a step. It returns false when the matching must be broken off.
func (m *matcher) step() bool {
	m.left--
	if m.next--; m.next < 0 {
		m.next = stepsBetween
		if m.err == nil {
			m.err = m.ctx.Err()
		}
	}
	return !m.broken()
}

// broken reports whether matching was broken off: then some boards are missing.
func (m *matcher) broken() bool { return m.left < m.least || m.err != nil }

// begin forgets the values of variables.
func (m *matcher) begin(t *pattern) {
	m.value = m.value[:0]
	for range t.variables {
		m.value = append(m.value, -1)
	}
}

// verdict is what can be said of a symbol in its place as long as some variables
// have no value.
type verdict int

const (
	wrong verdict = iota
	right
	undecided
)

// judge tells whether a symbol fits its place, besides equalling a variable.
func (m *matcher) judge(r *placeRule, s int) verdict {
	if r.anything || r.allowed[s] {
		return right
	}
	known := true
	for _, v := range r.same {
		if m.value[v] == s {
			return right
		}
		known = known && m.value[v] >= 0
	}
	for _, v := range r.other {
		if m.value[v] >= 0 && m.value[v] != s {
			return right
		}
		known = known && m.value[v] >= 0
	}
	if known {
		return wrong
	}
	return undecided
}

// fits reports whether a board fits a pattern on these cells.
func (m *matcher) fits(t *pattern, cells []int, board []uint8) bool {
	m.begin(t)
	sure := true
	for i, c := range cells {
		r, s := &t.places[i], int(board[c])
		m.step()
		if r.equal >= 0 && !r.anything {
			if v := m.value[r.equal]; v >= 0 && v != s {
				return false
			}
			m.value[r.equal] = s
		}
		switch m.judge(r, s) {
		case wrong:
			return false
		case undecided:
			sure = false
		}
	}
	return sure || m.completes(t, func(i int) int { return int(board[cells[i]]) })
}

// completes reports whether the variables that have no value yet can be given some
// with which each symbol fits its place.
func (m *matcher) completes(t *pattern, symbol func(place int) int) bool {
	m.open = m.open[:0]
	for v, s := range m.value {
		if s < 0 {
			m.open = append(m.open, v)
			m.value[v] = 0
		}
	}
	fitting := false
	for searching := true; searching && !fitting && m.step(); {
		fitting = true
		for i := range t.places {
			if m.step(); !t.places[i].fits(symbol(i), m.value) {
				fitting = false
				break
			}
		}
		searching = false
		for _, v := range m.open {
			if m.value[v]++; m.value[v] < t.variables[v].symbols {
				searching = true
				break
			}
			m.value[v] = 0
		}
	}
	for _, v := range m.open {
		m.value[v] = -1
	}
	return fitting
}

// change is a step of one place of the board, seen from one side: it takes a board
// that is known to all boards that it leads to, or that lead to it.
type change struct {
	move    int // of the program's moves
	pattern *pattern
	places  []changedPlace
	// copies says all there is to a change that only moves symbols: to the second cell
	// of each pair goes the symbol of the first. It is nil for others.
	copies [][2]int
}

// changedPlace is a place of a change, those of the known board first.
type changedPlace struct {
	place, cell int
	known       bool
}

// newChange looks at a move from the board before it, or after it.
func newChange(move int, t *pattern, cells []int, backward bool) change {
	c := change{move: move, pattern: t}
	n := len(cells)
	for _, known := range []bool{true, false} {
		for i := range t.places {
			if known == (i < n != backward) {
				c.places = append(c.places, changedPlace{i, cells[i%n], known})
			}
		}
	}
	c.copies = c.onlyMoves()
	return c
}

// onlyMoves returns copies. The rules of such a change are variables and no more, each
// standing once on the known board.
func (c *change) onlyMoves() [][2]int {
	copies := [][2]int{}
	from, taken := map[int]int{}, map[int]bool{}
	for _, p := range c.places {
		r := &c.pattern.places[p.place]
		if r.equal < 0 || r.choices < r.symbols {
			return nil
		}
		cell, bound := from[r.equal]
		switch {
		case p.known == bound, !p.known && taken[p.cell]:
			return nil
		case p.known:
			from[r.equal] = p.cell
		default:
			taken[p.cell] = true
			if cell != p.cell {
				copies = append(copies, [2]int{cell, p.cell})
			}
		}
	}
	return copies
}

// changing is a change being made.
type changing struct {
	*matcher
	change *change
	board  []uint8 // the known board
	other  []uint8 // the other one; the same as board between changes
	set    []bool  // by cell: other holds what it must
	yield  func()
}

// each calls yield for each other board, which may come several times.
func (c *changing) each() {
	if copies := c.change.copies; copies != nil {
		c.left -= len(copies)
		if !c.step() {
			return
		}
		for _, p := range copies {
			c.other[p[1]] = c.board[p[0]]
		}
		c.yield()
		for _, p := range copies {
			c.other[p[1]] = c.board[p[1]]
		}
		return
	}
	c.begin(c.change.pattern)
	c.from(0, true)
	for _, p := range c.change.places {
		c.other[p.cell] = c.board[p.cell]
	}
}

// from goes on at the place with this number. sure tells whether all symbols before
// were seen to fit.
func (c *changing) from(i int, sure bool) {
	if !c.step() {
		return
	}
	if i == len(c.change.places) {
		if sure || c.completes(c.change.pattern, c.symbol) {
			c.yield()
		}
		return
	}
	p := c.change.places[i]
	r := &c.change.pattern.places[p.place]
	switch {
	case p.known:
		c.with(i, r, int(c.board[p.cell]), sure)
	case c.set[p.cell]:
		c.with(i, r, int(c.other[p.cell]), sure)
	default:
		first, last := 0, r.symbols-1
		if !r.anything && r.equal >= 0 && c.value[r.equal] >= 0 {
			first, last = c.value[r.equal], c.value[r.equal]
		}
		c.set[p.cell] = true
		for s := first; s <= last && s < r.symbols; s++ {
			c.other[p.cell] = uint8(s)
			c.with(i, r, s, sure)
		}
		c.set[p.cell] = false
	}
}

// with goes on with a symbol in a place.
func (c *changing) with(i int, r *placeRule, s int, sure bool) {
	binds := false
	if !r.anything && r.equal >= 0 {
		v := c.value[r.equal]
		if v >= 0 && v != s {
			return
		}
		binds = v < 0
		c.value[r.equal] = s
	}
	if verdict := c.judge(r, s); verdict != wrong {
		c.from(i+1, sure && verdict == right)
	}
	if binds {
		c.value[r.equal] = -1
	}
}

// symbol is the one that lies in a place of the pattern.
func (c *changing) symbol(place int) int {
	for _, p := range c.change.places {
		if p.place == place {
			if p.known {
				return int(c.board[p.cell])
			}
			return int(c.other[p.cell])
		}
	}
	return 0
}
