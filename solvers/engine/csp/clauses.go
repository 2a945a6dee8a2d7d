package csp

import "slices"

// Layout of a clause in the arena: a header of two words, then the literals.
// Word 0 is the size shifted left by flagBits, with flags; word 1 is the LBD of a
// learned clause, the number of distinct levels of its literals.
const (
	headerSize  = 2
	flagBits    = 3
	flagLearned = 1
	flagDeleted = 2
	flagUsed    = 4
)

// Which learned clauses are kept, and when the others are reduced.
const (
	keepLBD        = 2 // clauses of at most this LBD are kept for good
	keepUsedLBD    = 6 // clauses of at most this LBD are kept while they are being used
	firstReduction = 1000
	reductionStep  = 500 // by how many more clauses each reduction waits than the last
)

// addClause adds a clause at level 0, without the literals that are decided there.
func (s *Search) addClause(literals []BoolVar) {
	if long := s.addShort(literals); long != nil {
		s.pendingClauses = append(s.pendingClauses, s.store(long, false))
		s.clauses++
	}
}

// addLearned is addClause for a clause that another search has learned.
func (s *Search) addLearned(literals []BoolVar, lbd int32) {
	if long := s.addShort(literals); long != nil {
		ref := s.storeLearned(long, lbd)
		s.arena[ref] |= flagUsed // kept at the next reduction, if its LBD is small
		s.pendingClauses = append(s.pendingClauses, ref)
	}
}

// addShort adds a clause at level 0, without the literals that are decided there, if at most two
// are left, which need no place in the arena. It returns those of a longer clause.
func (s *Search) addShort(literals []BoolVar) (long []BoolVar) {
	kept, needed := s.open(literals)
	switch {
	case !needed:
	case len(kept) == 0:
		s.ok = false
	case len(kept) == 1:
		s.assign(kept[0], reason{ref: refNone})
	case len(kept) == 2:
		s.pendingBinary = append(s.pendingBinary, kept[0].Not(), kept[1])
	default:
		return kept
	}
	return nil
}

// open returns the literals of a clause that are not decided at level 0, each once. A clause that
// is true anyway is not needed.
func (s *Search) open(literals []BoolVar) (kept []BoolVar, needed bool) {
	s.cancelUntil(0)
	if !s.ok {
		return nil, false
	}
	kept = s.learnt[:0]
	needed = true
	for _, b := range literals {
		mark := uint8(1) << (b & 1) // of this literal, beside that of its negation
		seen := &s.seen[b.variable()]
		if s.values[b] > 0 || *seen != 0 && *seen != mark {
			needed = false
			break
		}
		if s.values[b] == 0 && *seen == 0 {
			*seen = mark
			kept = append(kept, b)
		}
	}
	for _, b := range kept {
		s.seen[b.variable()] = 0
	}
	s.learnt = kept
	return kept, needed
}

func (s *Search) store(literals []BoolVar, learned bool) int32 {
	ref := int32(len(s.arena))
	header := int32(len(literals)) << flagBits
	if learned {
		header |= flagLearned
	}
	s.arena = append(s.arena, header, 0)
	for _, b := range literals {
		s.arena = append(s.arena, int32(b))
	}
	return ref
}

// storeLearned is store for a learned clause.
func (s *Search) storeLearned(literals []BoolVar, lbd int32) int32 {
	ref := s.store(literals, true)
	s.arena[ref+1] = lbd
	s.learned = append(s.learned, ref)
	return ref
}

func (s *Search) attach(ref int32) {
	a, b := BoolVar(s.arena[ref+headerSize]), BoolVar(s.arena[ref+headerSize+1])
	s.watches[a^1] = append(s.watches[a^1], watcher{ref, b})
	s.watches[b^1] = append(s.watches[b^1], watcher{ref, a})
}

// prepare files what was added since the last search. Lists that are still
// empty are cut from one slab, so that building a model costs few allocations.
func (s *Search) prepare() {
	if n := len(s.pendingBinary); n > 0 {
		count := make([]int32, len(s.values))
		for i := 0; i < n; i += 2 {
			count[s.pendingBinary[i]]++
			count[s.pendingBinary[i+1]^1]++
		}
		grow(s.binary, count)
		for i := 0; i < n; i += 2 {
			a, b := s.pendingBinary[i], s.pendingBinary[i+1]
			s.binary[a] = append(s.binary[a], b)
			s.binary[b^1] = append(s.binary[b^1], a^1)
		}
		s.pendingBinary = s.pendingBinary[:0]
	}
	if len(s.pendingClauses) > 0 {
		count := make([]int32, len(s.values))
		for _, ref := range s.pendingClauses {
			count[s.arena[ref+headerSize]^1] += 2
			count[s.arena[ref+headerSize+1]^1] += 2
		}
		grow(s.watches, count)
		for _, ref := range s.pendingClauses {
			s.attach(ref)
		}
		s.pendingClauses = s.pendingClauses[:0]
	}
	if len(s.pendingWakes) > 0 {
		count := make([]int32, len(s.values))
		for _, p := range s.pendingWakes {
			count[p.literal]++
		}
		grow(s.wakes, count)
		for _, p := range s.pendingWakes {
			s.wakes[p.literal] = append(s.wakes[p.literal], p.wake)
			// One that is past already has to be told now.
			if s.values[p.literal] > 0 && int(s.positions[p.literal>>1]) < s.told {
				if !s.propagators[p.wake.propagator].Assigned(s, p.literal, p.wake.tag) {
					s.ok = false
				}
			}
		}
		s.pendingWakes = s.pendingWakes[:0]
	}
}

// grow gives each empty list of lists room for count elements.
func grow[T any](lists [][]T, count []int32) {
	total := 0
	for i, n := range count {
		if len(lists[i]) == 0 {
			total += int(n)
		}
	}
	slab := make([]T, total)
	for i, n := range count {
		if n > 0 && len(lists[i]) == 0 {
			lists[i] = slab[:0:n]
			slab = slab[n:]
		}
	}
}

// reduce drops the less useful half of the learned clauses, and clauses that are
// true for good. It goes back to level 0, where no clause is a reason that
// anybody will ask for, and returns false if the model has no solution.
func (s *Search) reduce() bool {
	s.cancelUntil(0)
	if !s.propagate() {
		s.ok = false
		return false
	}
	candidates := s.learned[:0:0]
	for _, ref := range s.learned {
		lbd, used := s.arena[ref+1], s.arena[ref]&flagUsed != 0
		s.arena[ref] &^= flagUsed
		if lbd <= keepLBD || lbd <= keepUsedLBD && used {
			continue
		}
		candidates = append(candidates, ref)
	}
	slices.SortStableFunc(candidates, func(a, b int32) int {
		if d := s.arena[b+1] - s.arena[a+1]; d != 0 {
			return int(d)
		}
		return int(s.arena[b] - s.arena[a]) // the longer first
	})
	for _, ref := range candidates[:len(candidates)/2] {
		s.arena[ref] |= flagDeleted
		s.stats.Removed++
	}
	s.compact()
	s.reductions++
	s.nextReduction = int64(len(s.learned)) + firstReduction + s.reductions*reductionStep
	return true
}

// compact drops deleted and satisfied clauses and moves the rest together.
func (s *Search) compact() {
	for _, p := range s.trail {
		s.reasons[p>>1] = reason{ref: refNone}
	}
	for i := range s.watches {
		s.watches[i] = s.watches[i][:0]
	}
	s.learned = s.learned[:0]
	s.clauses = 0
	to := int32(0)
	for from := int32(0); int(from) < len(s.arena); {
		header := s.arena[from]
		size := header >> flagBits
		next := from + headerSize + size
		keep := header&flagDeleted == 0
		if keep {
			for _, q := range s.arena[from+headerSize : next] {
				if s.values[q] > 0 {
					keep = false
					break
				}
			}
		}
		if keep {
			// Literals that are false for good go; propagation is complete at
			// level 0, so at least two remain.
			n := int32(0)
			lbd := s.arena[from+1]
			for k := from + headerSize; k < next; k++ {
				if q := s.arena[k]; s.values[q] == 0 {
					s.arena[to+headerSize+n] = q
					n++
				}
			}
			if n == 2 {
				a, b := BoolVar(s.arena[to+headerSize]), BoolVar(s.arena[to+headerSize+1])
				s.binary[a^1] = append(s.binary[a^1], b)
				s.binary[b^1] = append(s.binary[b^1], a)
			} else {
				s.arena[to] = n<<flagBits | header&(1<<flagBits-1)
				s.arena[to+1] = lbd
				if header&flagLearned != 0 {
					s.learned = append(s.learned, to)
				} else {
					s.clauses++
				}
				s.attach(to)
				to += headerSize + n
			}
		}
		from = next
	}
	s.arena = s.arena[:to]
}
