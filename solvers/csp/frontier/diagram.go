package frontier

import (
	"context"
	"encoding/binary"
	"errors"
	"math/big"
	"math/bits"
)

// maxWidth is the most nodes that a frontier may have. On a board there are hopelessly
// many states long before; it bounds the size of a state.
const maxWidth = 32

// What a frontier node is, one byte each. Nodes keep their places in a state as long as
// they are on the frontier; a place without a node is fresh, so that states that are
// alike are equal.
const (
	fresh     = 0                    // no edge of it is used
	done      = 1                    // as many are used as a path can use
	firstMate = 2                    // the end of a piece whose other end is in this place
	firstPair = firstMate + maxWidth // the end of a piece that begins at an end of this pair
	twice     = 255                  // the node of a closed path, no edge of it used
)

// state is what the decisions up to an edge leave on the frontier.
type state [maxWidth]uint8

// step is the decision about one edge.
type step struct {
	at      [2]int    // the places of its nodes
	enter   [2]uint8  // what they become first, when they come to the frontier; fresh: no change
	label   [2]uint8  // for a node that may be twice: what it is when one of its edges is used
	rest    [2]int    // the edges that they have after this one
	skip    [2]bool   // they may be on no path
	allowed [2]uint64 // the pairs on whose paths they may be
	used    bool      // the edge must be used
}

// diagram is a graph made ready to be counted.
type diagram struct {
	steps  []step
	limits Limits
	width  int // bytes of a state that are in use
	stats  Stats
}

var errOverflow = errors.New("a count needs more words")

// diagram makes the steps. It returns nil where a node has too few edges for any way to
// exist.
func (g Graph) diagram(l Limits) (*diagram, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	if l.States == 0 {
		l.States = usualStates
	}
	pair := make([]int, g.Nodes) // by node, or -1
	for v := range pair {
		pair[v] = -1
	}
	for k, ends := range g.Pairs {
		pair[ends[0]], pair[ends[1]] = k, k
	}
	rest := make([]int, g.Nodes)
	for _, e := range g.Edges {
		rest[e[0]]++
		rest[e[1]]++
	}
	for v, n := range rest {
		if n == 0 && (pair[v] >= 0 || g.Optional == nil || !g.Optional[v]) {
			return nil, nil
		}
	}
	d := &diagram{limits: l, steps: make([]step, len(g.Edges))}
	place := make([]int, g.Nodes) // by node; -1 before it comes
	for v := range place {
		place[v] = -1
	}
	var free []int // places that nodes have left
	for i, e := range g.Edges {
		s := &d.steps[i]
		s.used = g.Used != nil && g.Used[i]
		for side, v := range e {
			if place[v] < 0 {
				if len(free) > 0 {
					place[v], free = free[len(free)-1], free[:len(free)-1]
				} else {
					place[v] = d.width
					d.width++
				}
				if d.width > maxWidth {
					return nil, ErrTooWide
				}
				if k := pair[v]; k >= 0 {
					s.enter[side] = uint8(firstPair + k)
					if g.Pairs[k][0] == g.Pairs[k][1] {
						s.enter[side] = twice
					}
				}
			}
			rest[v]--
			s.at[side], s.rest[side] = place[v], rest[v]
			s.skip[side] = pair[v] < 0 && g.Optional != nil && g.Optional[v]
			if pair[v] >= 0 {
				s.label[side] = uint8(firstPair + pair[v])
			}
			s.allowed[side] = ^uint64(0)
			if g.Allowed != nil {
				s.allowed[side] = g.Allowed[v]
			}
		}
		for side, v := range e {
			if rest[v] == 0 {
				free = append(free, s.at[side])
			}
		}
	}
	d.stats.Width = d.width
	return d, nil
}

// contextEvery is the number of states after which the context is looked at: they take
// about a tenth of a millisecond.
const contextEvery = 1024

// run counts with a number of words for each count.
func (d *diagram) run(ctx context.Context, words int) (*big.Int, error) {
	stride := (d.width + 7) / 8
	d.stats = Stats{Width: d.width}
	now, next := newTable(stride, words), newTable(stride, words)
	one := make([]uint64, words)
	one[0] = 1
	var empty state
	if err := now.add(&empty, one, &d.limits); err != nil {
		return nil, err
	}
	for i := range d.steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next.reset(now.states)
		if err := d.level(ctx, &d.steps[i], now, next); err != nil {
			return nil, err
		}
		now, next = next, now
		d.stats.States += int64(now.states)
		d.stats.Widest = max(d.stats.Widest, now.states)
		if d.limits.Work > 0 && d.stats.States > d.limits.Work {
			return nil, ErrTooWide
		}
	}
	if now.states == 0 {
		return new(big.Int), nil
	}
	return now.count(0), nil
}

// level decides one edge in all states.
func (d *diagram) level(ctx context.Context, s *step, now, next *table) error {
	var from, to state
	for n := range now.states {
		if n%contextEvery == contextEvery-1 && ctx.Err() != nil {
			return ctx.Err()
		}
		now.load(n, &from)
		for side, code := range s.enter {
			if code != fresh {
				from[s.at[side]] = code
			}
		}
		counts := now.countWords(n)
		if !s.used {
			to = from
			if s.leave(&to) {
				if err := next.add(&to, counts, &d.limits); err != nil {
					return err
				}
			}
		}
		if s.join(&from) && s.leave(&from) {
			if err := next.add(&from, counts, &d.limits); err != nil {
				return err
			}
		}
	}
	return nil
}

// join uses the edge, and reports whether that is possible.
func (s *step) join(t *state) bool {
	u, v := s.at[0], s.at[1]
	a, b := t[u], t[v]
	if a == done || b == done {
		return false
	}
	a, b = s.open(t, 0), s.open(t, 1)
	switch {
	case a >= firstPair && b >= firstPair:
		return a == b
	case a >= firstPair:
		return s.lead(t, b, a)
	case b >= firstPair:
		return s.lead(t, a, b)
	case a == uint8(firstMate+v) && b == uint8(firstMate+u):
		return false // a loop
	}
	t[a-firstMate], t[b-firstMate] = b, a
	return true
}

// open returns what the piece is that ends at one node of the edge, as seen from there:
// its pair, or the place of its other end, which is the node itself when no edge of it
// is used. It leaves the node as it is when the edge is used.
func (s *step) open(t *state, side int) uint8 {
	at := s.at[side]
	switch code := t[at]; code {
	case fresh:
		return uint8(firstMate + at) // it remains an end
	case twice:
		t[at] = s.label[side]
		return s.label[side]
	default:
		t[at] = done
		return code
	}
}

// lead makes a piece, given by its far end, lead to an end of a pair.
func (s *step) lead(t *state, far, pair uint8) bool {
	bit := uint64(1) << (pair - firstPair)
	if pair-firstPair < maxAllowed && (s.allowed[0]&bit == 0 || s.allowed[1]&bit == 0) {
		return false
	}
	t[far-firstMate] = pair
	return true
}

// leave looks at what the edge's nodes can still become, and takes away those that have
// no edges left. It reports false where a path cannot be completed any more.
func (s *step) leave(t *state) bool {
	for side, at := range s.at {
		switch code := t[at]; code {
		case done:
		case fresh, twice:
			switch {
			case s.rest[side] > 1:
				continue
			case code == twice || !s.skip[side]:
				return false
			}
			t[at] = done // no path can go through it any more
		default:
			if s.rest[side] == 0 {
				return false
			}
		}
		if s.rest[side] == 0 {
			t[at] = fresh
		}
	}
	return true
}

// table is the states of a level and the number of ways to each, by open addressing.
type table struct {
	stride int      // words of a state
	words  int      // words of a count
	states int      // how many there are
	keys   []uint64 // stride words a state
	counts []uint64 // words words a state, the lowest first
	slots  []uint32 // by hash: the state's number from 1, or 0
	mask   uint64
}

// leastSlots is the size of the smallest table.
const leastSlots = 64

func newTable(stride, words int) *table {
	t := &table{stride: stride, words: words}
	t.reset(0)
	return t
}

// reset empties the table and makes room for about as many states as there were on the
// level before.
func (t *table) reset(before int) {
	t.states, t.keys, t.counts = 0, t.keys[:0], t.counts[:0]
	t.room(max(leastSlots, 1<<bits.Len(uint(2*before))))
}

// room makes empty slots.
func (t *table) room(slots int) {
	if cap(t.slots) < slots {
		t.slots = make([]uint32, slots)
	} else {
		t.slots = t.slots[:slots]
		clear(t.slots)
	}
	t.mask = uint64(slots - 1)
}

// stateWords is the number of words of a whole state.
const stateWords = maxWidth / 8

// hash mixes the words of a state (multiplication and shift, with the odd constant of
// the golden ratio).
func hash(key []uint64) uint64 {
	const golden = 0x9e3779b97f4a7c15
	h := uint64(0)
	for _, w := range key {
		h = (h ^ w) * golden
		h ^= h >> 32
	}
	return h
}

// add adds ways to a state.
func (t *table) add(s *state, ways []uint64, l *Limits) error {
	var buffer [stateWords]uint64
	key := buffer[:t.stride]
	for i := range key {
		key[i] = binary.LittleEndian.Uint64(s[8*i:])
	}
	at := hash(key) & t.mask
probe:
	for ; t.slots[at] != 0; at = (at + 1) & t.mask {
		n := int(t.slots[at]) - 1
		for i, w := range t.keys[n*t.stride : (n+1)*t.stride] {
			if w != key[i] {
				continue probe
			}
		}
		return t.sum(n, ways, l)
	}
	if t.states == l.States {
		return ErrTooWide
	}
	t.keys = append(t.keys, key...)
	t.counts = append(t.counts, ways...)
	t.states++
	t.slots[at] = uint32(t.states)
	if 2*t.states > len(t.slots) {
		t.grow()
	}
	return nil
}

// sum adds ways to those of a state that is there.
func (t *table) sum(n int, ways []uint64, l *Limits) error {
	count := t.countWords(n)
	var carry uint64
	for i, w := range ways {
		count[i], carry = bits.Add64(count[i], w, carry)
	}
	switch {
	case l.Enough > 0 && (carry > 0 || count[0] > l.Enough):
		count[0] = l.Enough // one word is enough for it
	case carry > 0:
		return errOverflow
	}
	return nil
}

// grow doubles the slots.
func (t *table) grow() {
	t.room(2 * len(t.slots))
	for n := range t.states {
		at := hash(t.keys[n*t.stride:(n+1)*t.stride]) & t.mask
		for t.slots[at] != 0 {
			at = (at + 1) & t.mask
		}
		t.slots[at] = uint32(n + 1)
	}
}

func (t *table) load(n int, s *state) {
	for i, w := range t.keys[n*t.stride : (n+1)*t.stride] {
		binary.LittleEndian.PutUint64(s[8*i:], w)
	}
}

// countWords are the words of a state's count.
func (t *table) countWords(n int) []uint64 { return t.counts[n*t.words : (n+1)*t.words] }

// count is a state's count as a number.
func (t *table) count(n int) *big.Int {
	data := make([]byte, 8*t.words)
	for i, w := range t.countWords(n) {
		binary.BigEndian.PutUint64(data[8*(t.words-1-i):], w)
	}
	return new(big.Int).SetBytes(data)
}
