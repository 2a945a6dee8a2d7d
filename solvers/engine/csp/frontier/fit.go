package frontier

import (
	"cmp"
	"context"
	"math/big"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// fit tells which states of the one sweep go together with which of the other where they met.
// The border nodes are numbered, and so are those of them where a piece ends in both states:
// the open ones.
type fit struct {
	borders []border
	owner   [2][maxWidth]int // by place in a state of head or tail: the border node
	kinds   [4]uint32        // by kind, the border nodes as bits
	twoMore uint32           // those of must and may with more than one edge on a side
}

// A half is a state of one of the sweeps.
type half struct {
	ways               []uint64
	fresh, done, twice uint32          // border nodes as bits
	paired             uint32          // the open nodes whose piece leads to an end of a pair, as bits
	ends               [maxWidth]uint8 // by open node: the open node at the other end of its piece, or the pair's code
}

// sorted is a state and the border nodes, as bits, where a piece of it ends that are no ends of
// paths. States that fit have the same.
type sorted struct {
	open  uint32
	state int32
}

func newFit(borders []border) *fit {
	f := &fit{borders: borders}
	for i, b := range borders {
		f.owner[0][b.at[0]], f.owner[1][b.at[1]] = i, i
		f.kinds[b.kind] |= 1 << i
		if b.kind <= may && !b.single {
			f.twoMore |= 1 << i
		}
	}
	return f
}

// sort sorts the states of a side by their open nodes.
func (f *fit) sort(t *table, side int) []sorted {
	states := make([]sorted, t.states)
	var s state
	for n := range states {
		t.load(n, &s)
		open := uint32(0)
		for i, b := range f.borders {
			if b.kind <= may && s[b.at[side]] >= firstMate {
				open |= 1 << i
			}
		}
		states[n] = sorted{open, int32(n)}
	}
	slices.SortFunc(states, func(a, b sorted) int { return cmp.Compare(a.open, b.open) })
	return states
}

// read takes a state of a side apart.
func (f *fit) read(h *half, t *table, on sorted, side int) {
	var s state
	t.load(int(on.state), &s)
	*h = half{ways: t.ways(int(on.state))}
	var number [maxWidth]uint8 // of an open border node
	n := uint8(0)
	for i := range f.borders {
		if on.open&(1<<i) != 0 {
			number[i] = n
			n++
		}
	}
	for i, b := range f.borders {
		code := s[b.at[side]]
		switch {
		case on.open&(1<<i) != 0 && code >= firstPair:
			h.ends[number[i]] = code
			h.paired |= 1 << number[i]
		case on.open&(1<<i) != 0:
			h.ends[number[i]] = number[f.owner[side][code-firstMate]]
		case code == fresh:
			h.fresh |= 1 << i
		case code == done:
			h.done |= 1 << i
		case code == twice:
			h.twice |= 1 << i
		}
	}
}

// fits reports whether two states with the same open nodes, as bits by their numbers, together
// make paths.
func (f *fit) fits(head, tail *half, open uint32) bool {
	switch {
	case head.fresh&tail.fresh&f.kinds[must] != 0: // no path goes there
		return false
	case head.done&tail.done&f.twoMore != 0:
		// A node that may be left out is done too when a side leaves it too few edges;
		// with one edge on each side it cannot be otherwise.
		return false
	case (head.done^tail.done)&f.kinds[end] != f.kinds[end]: // one edge on one side
		return false
	case ((head.twice^tail.done)|(head.done^tail.twice))&f.kinds[closing] != 0: // two on one, or one on each
		return false
	}
	// Walk along the pieces, from each that leads to an end of a pair.
	walked := uint32(0)
	for starts := head.paired | tail.paired; starts != 0; starts &^= walked {
		at := uint8(bits.TrailingZeros32(starts))
		from, to := head, tail
		if from.paired&(1<<at) == 0 {
			from, to = to, from
		}
		pair := from.ends[at]
		for {
			walked |= 1 << at
			code := to.ends[at]
			if code >= firstPair {
				if code != pair {
					return false
				}
				break
			}
			at = code
			walked |= 1 << at
			from, to = to, from
		}
	}
	return walked == open // the others are loops
}

// unit is the most heads that are compared at a time, between two looks at the context.
const unit = 256

// count sums up the products of the ways to states that fit together.
func (m *meeting) count(ctx context.Context) (*big.Int, error) {
	f := newFit(m.borders())
	heads, tails := f.sort(m.head.now, 0), f.sort(m.tail.now, 1)
	var units [][]sorted // of heads with the same open nodes
	for from, to := 0, 0; from < len(heads); from = to {
		for to < len(heads) && to < from+unit && heads[to].open == heads[from].open {
			to++
		}
		units = append(units, heads[from:to])
	}
	sum, enough := new(big.Int), new(big.Int).SetUint64(m.head.limits.Enough)
	workers := 1
	if len(heads) >= togetherFrom {
		workers = runtime.GOMAXPROCS(0)
	}
	var mu sync.Mutex // of sum
	var taken atomic.Int64
	var counting sync.WaitGroup
	for range workers {
		counting.Go(func() {
			var some []half
			for ctx.Err() == nil {
				i := int(taken.Add(1)) - 1
				if i >= len(units) {
					return
				}
				var n *big.Int
				n, some = m.countUnit(f, units[i], tails, some)
				mu.Lock()
				if sum.Add(sum, n); enough.Sign() > 0 && sum.Cmp(enough) >= 0 {
					sum.Set(enough)
					taken.Store(int64(len(units)))
				}
				mu.Unlock()
			}
		})
	}
	counting.Wait()
	return sum, ctx.Err()
}

// countUnit is the part of count for heads with the same open nodes. some is room for tails, which
// it returns.
func (m *meeting) countUnit(f *fit, heads, tails []sorted, some []half) (*big.Int, []half) {
	mask := heads[0].open
	from, _ := slices.BinarySearchFunc(tails, mask, func(t sorted, mask uint32) int { return cmp.Compare(t.open, mask) })
	some = some[:0]
	for _, t := range tails[from:] {
		if t.open != mask {
			break
		}
		some = append(some, half{})
		f.read(&some[len(some)-1], m.tail.now, t, 1)
	}
	sum := new(big.Int)
	part := make([]uint64, m.tail.now.words+1) // the ways to the tails that fit one head
	open := uint32(1)<<bits.OnesCount32(mask) - 1
	var head half
	for _, on := range heads {
		f.read(&head, m.head.now, on, 0)
		clear(part)
		fitting := false
		for i := range some {
			if f.fits(&head, &some[i], open) {
				fitting = true
				addWords(part, some[i].ways)
			}
		}
		if fitting {
			ways := number(part)
			sum.Add(sum, ways.Mul(ways, number(head.ways)))
		}
	}
	return sum, some
}
