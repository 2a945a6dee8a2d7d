package sabr

import (
	"hash/maphash"
	"math/bits"
)

// boardSet numbers boards, from 0, in the order in which they come. A board is the
// symbols of its cells; it is kept in as few bits as its lists of symbols need.
type boardSet struct {
	bits   []uint8 // by cell
	width  int     // bytes of a board
	seed   maphash.Seed
	packed []byte   // by number
	table  []uint32 // a number and one, or 0; open addressing
	packs  []byte   // room for one board
}

// maxBoardSymbols is the most symbols of a list whose cells a boardSet can hold.
const maxBoardSymbols = 256

// newBoardSet is for the cells of a program. It is nil if a list is too long.
func newBoardSet(p *Program) *boardSet {
	s := &boardSet{bits: make([]uint8, len(p.board)), seed: maphash.MakeSeed(), table: make([]uint32, 1<<10)}
	total := 0
	for c := range p.board {
		n := len(p.lists[p.board[c].list].symbols)
		if n > maxBoardSymbols {
			return nil
		}
		s.bits[c] = uint8(bits.Len(uint(n - 1)))
		total += int(s.bits[c])
	}
	s.width = max(1, (total+7)/8)
	s.packs = make([]byte, s.width+8)
	return s
}

// len is the number of boards.
func (s *boardSet) len() int { return len(s.packed) / s.width }

// bytes is the memory that the boards take.
func (s *boardSet) bytes() int { return cap(s.packed) + 4*len(s.table) }

// pack writes a board into s.packs.
func (s *boardSet) pack(board []uint8) []byte {
	word, filled, at := uint64(0), uint(0), 0
	for c, b := range s.bits {
		word |= uint64(board[c]) << filled
		if filled += uint(b); filled >= 32 {
			s.packs[at], s.packs[at+1], s.packs[at+2], s.packs[at+3] = byte(word), byte(word>>8), byte(word>>16), byte(word>>24)
			word, filled, at = word>>32, filled-32, at+4
		}
	}
	for ; at < s.width; at++ {
		s.packs[at], word = byte(word), word>>8
	}
	return s.packs[:s.width]
}

// board reads the board with a number.
func (s *boardSet) board(id uint32, into []uint8) {
	packed := s.packed[int(id)*s.width : (int(id)+1)*s.width]
	word, filled, at := uint64(0), uint(0), 0
	for c, b := range s.bits {
		for filled < uint(b) {
			word |= uint64(packed[at]) << filled
			filled, at = filled+8, at+1
		}
		into[c] = uint8(word & (1<<b - 1))
		word, filled = word>>b, filled-uint(b)
	}
}

// find returns the number of a board, or the place in the table where it would go.
func (s *boardSet) find(packed []byte) (id uint32, place int, ok bool) {
	mask := len(s.table) - 1
	for place = int(maphash.Bytes(s.seed, packed)) & mask; s.table[place] != 0; place = (place + 1) & mask {
		id = s.table[place] - 1
		if string(s.packed[int(id)*s.width:(int(id)+1)*s.width]) == string(packed) {
			return id, place, true
		}
	}
	return 0, place, false
}

// add numbers a board that find did not find, with the place that it returned.
func (s *boardSet) add(packed []byte, place int) uint32 {
	id := uint32(s.len())
	s.packed = append(s.packed, packed...)
	s.table[place] = id + 1
	if 2*s.len() > len(s.table) {
		s.grow()
	}
	return id
}

// grow doubles the table.
func (s *boardSet) grow() {
	s.table = make([]uint32, 2*len(s.table))
	for id := range uint32(s.len()) {
		_, place, _ := s.find(s.packed[int(id)*s.width : (int(id)+1)*s.width])
		s.table[place] = id + 1
	}
}
