package frontier

import (
	"encoding/binary"
	"math/big"
	"math/bits"
)

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

// insert adds a state to an empty table.
func (t *table) insert(s *state, ways []uint64) {
	// An empty table has room, and nothing to sum up: there is nothing to fail.
	_ = t.add(s, ways, &Limits{States: 1})
}

// sum adds ways to those of a state that is there.
func (t *table) sum(n int, ways []uint64, l *Limits) error {
	count := t.ways(n)
	carry := addWords(count, ways)
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

// ways are the words of a state's count.
func (t *table) ways(n int) []uint64 { return t.counts[n*t.words : (n+1)*t.words] }

// addWords adds to a number of at least as many words, and returns what does not fit.
func addWords(sum, words []uint64) (carry uint64) {
	for i := range sum {
		var w uint64
		if i < len(words) {
			w = words[i]
		}
		sum[i], carry = bits.Add64(sum[i], w, carry)
	}
	return carry
}

// number is a number given by its words.
func number(words []uint64) *big.Int {
	data := make([]byte, 8*len(words))
	for i, w := range words {
		binary.BigEndian.PutUint64(data[8*(len(words)-1-i):], w)
	}
	return new(big.Int).SetBytes(data)
}
