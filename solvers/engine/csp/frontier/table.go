package frontier

import (
	"encoding/binary"
	"math/big"
	"math/bits"
	"slices"
)

// table is the states of a level and the number of ways to each, by open addressing. Where there
// are many, they come in parts by their hash: what is added is written down first, part by part,
// and then taken in one part after the other. So the slots and states that are looked at are in the
// processor's cache, which takes half the time of going to any of millions.
type table struct {
	stride int      // words of a state
	words  int      // words of a count
	states int      // how many there are
	rows   []uint64 // by state: its words, then those of its count, the lowest first
	base   int      // the states of the parts before this one
	slots  []uint64 // by hash: the upper half of the hash, and the state's number in its part from 1; or 0
	mask   uint64
	parts  [][]uint64 // by the hash's highest bits: rows to be taken in; none where all is one part
	shift  int
}

// partStates is about how many states a part has. They and their slots take half a megabyte.
const partStates = 1 << 13

// mostParts bounds the parts, so that the ends of all are in the cache while they are written.
const mostParts = 1 << 10

// leastSlots is the size of the smallest table.
const leastSlots = 64

func newTable(stride int) *table {
	t := &table{stride: stride, words: 1}
	t.reset(0, 1)
	return t
}

// reset empties the table and makes room for about as many states as there were on the
// level before, with counts of as many words.
func (t *table) reset(before, words int) {
	t.states, t.base, t.rows, t.words = 0, 0, t.rows[:0], words
	t.parts = t.parts[:0]
	many := min(bits.Len(uint(before/partStates)), bits.Len(mostParts-1))
	if many < 2 {
		t.room(max(leastSlots, 1<<bits.Len(uint(2*before))))
		return
	}
	t.shift = 64 - many
	if cap(t.parts) < 1<<many {
		t.parts = slices.Grow(t.parts[:cap(t.parts)], 1<<many-cap(t.parts))
	}
	t.parts = t.parts[:1<<many]
	for i := range t.parts {
		t.parts[i] = t.parts[i][:0]
	}
}

// settle takes in what was added in parts.
func (t *table) settle(l *Limits) error {
	row := t.stride + t.words // one word less than later, when a count outgrows its words
	for _, part := range t.parts {
		t.base = t.states
		t.room(max(leastSlots, 1<<bits.Len(uint(len(part)/row*3/2))))
		for ; len(part) > 0; part = part[row:] {
			if err := t.insert(part[:t.stride], part[t.stride:row], l); err != nil {
				return err
			}
		}
	}
	t.base, t.parts = 0, t.parts[:0]
	return nil
}

// room makes empty slots.
func (t *table) room(slots int) {
	if cap(t.slots) < slots {
		t.slots = make([]uint64, slots)
	} else {
		t.slots = t.slots[:slots]
		clear(t.slots)
	}
	t.mask = uint64(slots - 1)
}

// slotNumber is the bits of a slot that hold a state's number.
const slotNumber = 1<<32 - 1

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

// add adds ways to a state: a number of no more words than the table's.
func (t *table) add(s *state, ways []uint64, l *Limits) error {
	var buffer [stateWords]uint64
	key := buffer[:t.stride]
	for i := range key {
		key[i] = binary.LittleEndian.Uint64(s[8*i:])
	}
	if len(t.parts) > 0 {
		part := &t.parts[hash(key)>>t.shift]
		*part = append(append(*part, key...), ways...)
		return nil
	}
	return t.insert(key, ways, l)
}

// insert is add to the part that is taken in now.
func (t *table) insert(key, ways []uint64, l *Limits) error {
	h := hash(key)
	tag := h &^ slotNumber
	at := h & t.mask
probe:
	for ; t.slots[at] != 0; at = (at + 1) & t.mask {
		if t.slots[at]&^slotNumber != tag {
			continue
		}
		n := t.base + int(t.slots[at]&slotNumber) - 1
		for i, w := range t.key(n) {
			if w != key[i] {
				continue probe
			}
		}
		t.sum(n, ways, l)
		return nil
	}
	if t.states == l.States {
		return ErrTooWide
	}
	t.rows = append(append(t.rows, key...), ways...)
	for range t.words - len(ways) {
		t.rows = append(t.rows, 0)
	}
	t.states++
	t.slots[at] = tag | uint64(t.states-t.base)
	if 2*(t.states-t.base) > len(t.slots) {
		t.grow()
	}
	return nil
}

// sum adds ways to those of a state that is there.
func (t *table) sum(n int, ways []uint64, l *Limits) {
	count := t.ways(n)
	carry := addWords(count, ways)
	switch {
	case l.Enough > 0 && (carry > 0 || count[0] > l.Enough):
		count[0] = l.Enough // one word is enough for it
	case carry > 0:
		t.widen()
		t.ways(n)[t.words-1] = carry
	}
}

// widen gives each count one more word.
func (t *table) widen() {
	row := t.stride + t.words
	wider := make([]uint64, 0, cap(t.rows)/row*(row+1))
	for n := range t.states {
		wider = append(append(wider, t.rows[n*row:(n+1)*row]...), 0)
	}
	t.rows, t.words = wider, t.words+1
}

// grow doubles the slots.
func (t *table) grow() {
	t.room(2 * len(t.slots))
	for n := range t.states - t.base {
		h := hash(t.key(t.base + n))
		at := h & t.mask
		for t.slots[at] != 0 {
			at = (at + 1) & t.mask
		}
		t.slots[at] = h&^slotNumber | uint64(n+1)
	}
}

// key are the words of a state.
func (t *table) key(n int) []uint64 {
	at := n * (t.stride + t.words)
	return t.rows[at : at+t.stride]
}

// ways are the words of a state's count.
func (t *table) ways(n int) []uint64 {
	end := (n + 1) * (t.stride + t.words)
	return t.rows[end-t.words : end]
}

func (t *table) load(n int, s *state) {
	for i, w := range t.key(n) {
		binary.LittleEndian.PutUint64(s[8*i:], w)
	}
}

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
