package csp

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

// A reason says why a literal was assigned. ref is the place of a clause in
// the arena, or one of the marks below.
type reason struct {
	ref int32
	aux int32
}

const (
	refNone       int32 = -1 // a decision, or a fact
	refBinary     int32 = -2 // aux is the literal that implies this one
	refStored     int32 = -3 // aux is the place in stored: a length, then literals
	refPropagator int32 = -8 // refPropagator-id: the propagator explains, aux is its tag
)

// A watcher sits in the list of a literal that, when it becomes true, makes a
// watched literal of the clause false. If blocker is true the clause is
// satisfied and need not be looked at.
type watcher struct {
	ref     int32
	blocker BoolVar
}

type wake struct {
	propagator int32
	tag        int32
}

type pendingWake struct {
	literal BoolVar
	wake    wake
}

// A limit is where a decision level begins.
type limit struct {
	trail  int32
	stored int32
}

// Layout of a clause in the arena: a header of two words, then the literals.
// Word 0 is the size shifted left by flagBits, with flags; word 1 is the
// number of distinct levels (LBD) of a learned clause.
const (
	headerSize     = 2
	flagBits       = 3
	flagLearned    = 1
	flagDeleted    = 2
	flagUsed       = 4
	keepLBD        = 2 // learned clauses of at most this LBD are kept for good
	keepUsedLBD    = 6 // of at most this LBD: kept while they are being used
	firstReduction = 1000
	reductionStep  = 500
	restartMargin  = 1.05 // recent over average LBD of learned clauses that makes for a restart

	// The context is looked at after each conflict, which on a graph of thousands
	// of nodes can take milliseconds to explain, and after so many literals.
	contextPropagations = 1024
)

// Search is the state of a search as a Propagator sees it: which literals are
// assigned, and the calls to imply more.
type Search struct {
	config Config
	random *rand.Rand
	stats  Stats
	ok     bool // false once the model is known to have no solution

	// By literal.
	values  []int8      // 1 true, -1 false, 0 unassigned
	binary  [][]BoolVar // literals implied by this one
	watches [][]watcher
	wakes   [][]wake

	// By variable.
	levels    []int32
	positions []int32
	reasons   []reason
	phase     []bool
	activity  []float64
	heapIndex []int32 // place in heap, or -1
	seen      []uint8

	trail  []BoolVar
	limits []limit
	stored []BoolVar // explanations given eagerly
	head   int       // trail[:head] has been through the clauses
	told   int       // trail[:told] has been through the propagators

	arena   []int32
	learned []int32 // places of learned clauses
	clauses int

	pendingBinary  []BoolVar // pairs (a, b): a implies b
	pendingClauses []int32
	pendingWakes   []pendingWake

	propagators []Propagator
	scheduled   []bool
	queue       []int32

	first        int32   // Config.InOrder: the variables before it are assigned
	heap         []int32 // variables, most active first
	activityStep float64

	// Of the conflict being analysed.
	conflict    []BoolVar // literals that are all true and contradict each other
	learnt      []BoolVar
	explained   []BoolVar // a stack of explanations
	toClear     []int32
	levelStamp  []int32
	stamp       int32
	assumptions []BoolVar

	// verify, if set by a test, sees every explanation.
	verify func(literal BoolVar, reason []BoolVar)

	fastLBD, slowLBD float64
	lastRestart      int64
	nextReduction    int64
	reductions       int64
}

const (
	seenMark   = 1 // part of the clause being learned, or to be resolved
	seenPoison = 2 // known not to follow from the rest of the clause
	seenImply  = 4 // known to follow from the rest of the clause
)

func (s *Search) newVariables(n int) int32 {
	s.cancelUntil(0)
	first := len(s.levels)
	s.values = append(s.values, make([]int8, 2*n)...)
	s.binary = append(s.binary, make([][]BoolVar, 2*n)...)
	s.watches = append(s.watches, make([][]watcher, 2*n)...)
	s.wakes = append(s.wakes, make([][]wake, 2*n)...)
	s.levels = append(s.levels, make([]int32, n)...)
	s.positions = append(s.positions, make([]int32, n)...)
	s.reasons = append(s.reasons, make([]reason, n)...)
	s.phase = append(s.phase, make([]bool, n)...)
	s.activity = append(s.activity, make([]float64, n)...)
	s.heapIndex = append(s.heapIndex, make([]int32, n)...)
	s.seen = append(s.seen, make([]uint8, n)...)
	s.levelStamp = append(s.levelStamp, make([]int32, n+1)...)
	for v := first; v < first+n; v++ {
		s.heapIndex[v] = -1
		if s.random != nil {
			s.activity[v] = s.random.Float64() * 1e-3
		}
		s.reopen(int32(v))
	}
	return int32(first)
}

func (s *Search) assign(literal BoolVar, why reason) {
	v := literal >> 1
	s.values[literal] = 1
	s.values[literal^1] = -1
	s.levels[v] = int32(len(s.limits))
	s.positions[v] = int32(len(s.trail))
	s.reasons[v] = why
	s.trail = append(s.trail, literal)
}

// addClause adds a clause at level 0, without what is already decided there.
func (s *Search) addClause(literals []BoolVar) {
	s.cancelUntil(0)
	if !s.ok {
		return
	}
	kept := s.learnt[:0]
	satisfied := false
	for _, b := range literals {
		mark := uint8(1) << (b & 1) // of this literal, beside that of its negation
		seen := &s.seen[b.variable()]
		if s.values[b] > 0 || *seen != 0 && *seen != mark {
			satisfied = true
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
	if satisfied {
		return
	}
	switch len(kept) {
	case 0:
		s.ok = false
	case 1:
		s.assign(kept[0], reason{ref: refNone})
	case 2:
		s.pendingBinary = append(s.pendingBinary, kept[0].Not(), kept[1])
	default:
		s.pendingClauses = append(s.pendingClauses, s.store(kept, false))
		s.clauses++
	}
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

func (s *Search) schedule(id PropagatorID) {
	if !s.scheduled[id] {
		s.scheduled[id] = true
		s.queue = append(s.queue, int32(id))
	}
}

// propagate assigns all that follows from the assignments made so far. It
// returns false on a conflict, which is then in s.conflict.
func (s *Search) propagate() bool {
	for {
		for s.head < len(s.trail) {
			p := s.trail[s.head]
			s.head++
			s.stats.Propagations++
			if !s.propagateBinary(p) || !s.propagateClauses(p) {
				return false
			}
			fine := true
			for _, w := range s.wakes[p] {
				if fine {
					fine = s.propagators[w.propagator].Assigned(s, p, w.tag)
				} else {
					// State is kept exact even so; the first conflict stands.
					s.keepConflict(w, p)
				}
			}
			s.told = s.head
			if !fine {
				return false
			}
		}
		if len(s.queue) == 0 {
			return true
		}
		id := s.queue[0]
		s.queue = s.queue[:copy(s.queue, s.queue[1:])]
		s.scheduled[id] = false
		if !s.propagators[id].Propagate(s) {
			return false
		}
	}
}

func (s *Search) keepConflict(w wake, p BoolVar) {
	n := len(s.explained)
	s.explained = append(s.explained, s.conflict...)
	s.propagators[w.propagator].Assigned(s, p, w.tag)
	s.conflict = append(s.conflict[:0], s.explained[n:]...)
	s.explained = s.explained[:n]
}

func (s *Search) propagateBinary(p BoolVar) bool {
	for _, q := range s.binary[p] {
		switch v := s.values[q]; {
		case v == 0:
			s.assign(q, reason{ref: refBinary, aux: int32(p)})
		case v < 0:
			s.conflict = append(s.conflict[:0], p, q^1)
			return false
		}
	}
	return true
}

func (s *Search) propagateClauses(p BoolVar) bool {
	list := s.watches[p]
	falsified := int32(p ^ 1)
	values, arena := s.values, s.arena
	kept := 0
	for i := 0; i < len(list); i++ {
		w := list[i]
		if values[w.blocker] > 0 {
			list[kept] = w
			kept++
			continue
		}
		size := arena[w.ref] >> flagBits
		clause := arena[w.ref+headerSize : w.ref+headerSize+size : w.ref+headerSize+size]
		first := clause[0] ^ clause[1] ^ falsified
		if BoolVar(first) != w.blocker && values[first] > 0 {
			list[kept] = watcher{w.ref, BoolVar(first)}
			kept++
			continue
		}
		found := false
		for k := 2; k < len(clause); k++ {
			if q := clause[k]; values[q] >= 0 {
				clause[0], clause[1], clause[k] = first, q, falsified
				s.watches[q^1] = append(s.watches[q^1], watcher{w.ref, BoolVar(first)})
				found = true
				break
			}
		}
		if found {
			continue
		}
		list[kept] = watcher{w.ref, BoolVar(first)}
		kept++
		if values[first] < 0 {
			s.conflict = s.conflict[:0]
			for _, q := range clause {
				s.conflict = append(s.conflict, BoolVar(q^1))
			}
			kept += copy(list[kept:], list[i+1:])
			s.watches[p] = list[:kept]
			return false
		}
		clause[0], clause[1] = first, falsified
		s.assign(BoolVar(first), reason{ref: w.ref})
	}
	s.watches[p] = list[:kept]
	return true
}

// cancelUntil takes back all assignments above the level.
func (s *Search) cancelUntil(level int) {
	if len(s.limits) <= level {
		return
	}
	l := s.limits[level]
	for i := len(s.trail) - 1; i >= int(l.trail); i-- {
		p := s.trail[i]
		if i < s.told {
			wakes := s.wakes[p]
			for k := len(wakes) - 1; k >= 0; k-- {
				s.propagators[wakes[k].propagator].Unassigned(s, p, wakes[k].tag)
			}
		}
		v := p.variable()
		s.values[p], s.values[p^1] = 0, 0
		s.phase[v] = p&1 == 0
		s.reopen(v)
	}
	s.trail = s.trail[:l.trail]
	s.stored = s.stored[:l.stored]
	s.limits = s.limits[:level]
	s.head = int(l.trail)
	s.told = min(s.told, s.head)
	for _, id := range s.queue {
		s.scheduled[id] = false
	}
	s.queue = s.queue[:0]
}

func (s *Search) decide(p BoolVar) {
	s.limits = append(s.limits, limit{int32(len(s.trail)), int32(len(s.stored))})
	if n := len(s.limits); n >= len(s.levelStamp) {
		s.levelStamp = append(s.levelStamp, make([]int32, n)...)
	}
	s.assign(p, reason{ref: refNone})
}

// because appends to s.explained the true literals that implied p.
func (s *Search) because(p BoolVar) {
	n := len(s.explained)
	switch r := s.reasons[p>>1]; {
	case r.ref >= 0:
		size := s.arena[r.ref] >> flagBits
		for _, q := range s.arena[r.ref+headerSize : r.ref+headerSize+size] {
			if BoolVar(q) != p {
				s.explained = append(s.explained, BoolVar(q^1))
			}
		}
	case r.ref == refBinary:
		s.explained = append(s.explained, BoolVar(r.aux))
	case r.ref == refStored:
		n := int32(s.stored[r.aux])
		s.explained = append(s.explained, s.stored[r.aux+1:r.aux+1+n]...)
	case r.ref <= refPropagator:
		s.explained = s.propagators[refPropagator-r.ref].Explain(s, p, r.aux, s.explained)
	}
	if s.verify != nil {
		s.verify(p, s.explained[n:])
	}
}

// analyze learns a clause from s.conflict by resolving back to the first
// unique implication point. It leaves the clause in s.learnt, its asserting
// literal first and one of the highest other level second, and returns the
// level to go back to. It returns -1 if the model has no solution.
func (s *Search) analyze() (back int, lbd int32) {
	// A propagator may find a conflict that does not depend on the last
	// decisions.
	top := int32(0)
	for _, p := range s.conflict {
		top = max(top, s.levels[p>>1])
	}
	if top == 0 {
		return -1, 0
	}
	s.cancelUntil(int(top))

	s.learnt = append(s.learnt[:0], 0)
	s.toClear = s.toClear[:0]
	open := 0
	visit := func(p BoolVar) {
		v := p.variable()
		if s.seen[v] != 0 || s.levels[v] == 0 {
			return
		}
		s.seen[v] = seenMark
		s.toClear = append(s.toClear, v)
		if !s.config.InOrder {
			s.bumpBy(v, s.activityStep)
		}
		if s.levels[v] == top {
			open++
		} else {
			s.learnt = append(s.learnt, p^1)
		}
	}
	for _, p := range s.conflict {
		visit(p)
	}
	at := len(s.trail) - 1
	for {
		for s.seen[s.trail[at]>>1]&seenMark == 0 {
			at--
		}
		p := s.trail[at]
		at--
		open--
		if open == 0 {
			s.learnt[0] = p ^ 1
			break
		}
		if r := s.reasons[p>>1].ref; r >= 0 {
			s.touch(r)
		}
		n := len(s.explained)
		s.because(p)
		for _, q := range s.explained[n:] {
			visit(q)
		}
		s.explained = s.explained[:n]
	}

	// Drop literals that follow from the others.
	kept := s.learnt[:1]
	for _, p := range s.learnt[1:] {
		if s.reasons[p>>1].ref == refNone || !s.redundant(p^1, 0) {
			kept = append(kept, p)
		}
	}
	s.learnt = kept
	for _, v := range s.toClear {
		s.seen[v] = 0
	}

	if len(s.learnt) > 1 {
		highest := 1
		for i := 2; i < len(s.learnt); i++ {
			if s.levels[s.learnt[i]>>1] > s.levels[s.learnt[highest]>>1] {
				highest = i
			}
		}
		s.learnt[1], s.learnt[highest] = s.learnt[highest], s.learnt[1]
		back = int(s.levels[s.learnt[1]>>1])
	}
	return back, s.lbd()
}

// touch notes that a learned clause was of use, and improves its LBD.
func (s *Search) touch(ref int32) {
	if s.arena[ref]&flagLearned == 0 {
		return
	}
	s.arena[ref] |= flagUsed
	if s.arena[ref+1] <= keepLBD {
		return
	}
	s.stamp++
	n := int32(0)
	size := s.arena[ref] >> flagBits
	for _, q := range s.arena[ref+headerSize : ref+headerSize+size] {
		if l := s.levels[q>>1]; s.levelStamp[l] != s.stamp {
			s.levelStamp[l] = s.stamp
			n++
		}
	}
	s.arena[ref+1] = min(s.arena[ref+1], n)
}

func (s *Search) lbd() int32 {
	s.stamp++
	n := int32(0)
	for _, p := range s.learnt {
		if l := s.levels[p>>1]; s.levelStamp[l] != s.stamp {
			s.levelStamp[l] = s.stamp
			n++
		}
	}
	return n
}

// redundancyDepth bounds the recursion of redundant.
const redundancyDepth = 600

// redundant reports whether the true literal p follows from literals of the
// learned clause.
func (s *Search) redundant(p BoolVar, depth int) bool {
	if depth > redundancyDepth {
		return false
	}
	n := len(s.explained)
	s.because(p)
	end := len(s.explained)
	result := true
	for i := n; i < end; i++ {
		q := s.explained[i]
		v := q.variable()
		if s.levels[v] == 0 || s.seen[v]&(seenMark|seenImply) != 0 {
			continue
		}
		if s.reasons[v].ref == refNone || s.seen[v]&seenPoison != 0 || !s.redundant(q, depth+1) {
			result = false
			break
		}
	}
	s.explained = s.explained[:n]
	v := p.variable()
	if s.seen[v] == 0 {
		s.toClear = append(s.toClear, v)
	}
	if result {
		s.seen[v] |= seenImply
	} else {
		s.seen[v] |= seenPoison
	}
	return result
}

// learn adds the clause in s.learnt and asserts its first literal.
func (s *Search) learn(lbd int32) {
	s.stats.Learned++
	switch len(s.learnt) {
	case 1:
		s.assign(s.learnt[0], reason{ref: refNone})
	case 2:
		a, b := s.learnt[0], s.learnt[1]
		s.binary[a^1] = append(s.binary[a^1], b)
		s.binary[b^1] = append(s.binary[b^1], a)
		s.assign(a, reason{ref: refBinary, aux: int32(b ^ 1)})
	default:
		ref := s.store(s.learnt, true)
		s.arena[ref+1] = lbd
		s.learned = append(s.learned, ref)
		s.attach(ref)
		s.assign(s.learnt[0], reason{ref: ref})
	}
}

// reduce drops the less useful half of the learned clauses, and clauses that
// are true for good. It runs at level 0 only, where no clause is a reason that
// anybody will ask for.
func (s *Search) reduce() {
	s.cancelUntil(0)
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

// pick returns the unassigned literal to decide next, or noVar.
func (s *Search) pick() BoolVar {
	if s.config.InOrder {
		for ; int(s.first) < len(s.levels); s.first++ {
			if s.values[2*s.first] == 0 {
				return s.preferred(s.first)
			}
		}
		return noVar
	}
	for len(s.heap) > 0 {
		v := s.heapPop()
		if s.values[2*v] == 0 {
			return s.preferred(v)
		}
	}
	return noVar
}

// preferred is the literal of a variable that is to be tried first.
func (s *Search) preferred(v int32) BoolVar {
	if s.phase[v] {
		return BoolVar(2 * v)
	}
	return BoolVar(2*v + 1)
}

// reopen makes a variable that is no longer assigned one to pick from again.
func (s *Search) reopen(v int32) {
	if s.config.InOrder {
		s.first = min(s.first, v)
	} else if s.heapIndex[v] < 0 {
		s.heapInsert(v)
	}
}

// An outcome is how run ended.
type outcome int

const (
	stopped    outcome = iota // the context is done or a limit was reached
	found                     // everything is assigned
	exhausted                 // the model has no solution
	unassuming                // there is none under the assumptions
)

// run searches on from wherever the search stands.
func (s *Search) run(ctx context.Context, conflictLimit int64) outcome {
	done := ctx.Done()
	meter := s.meter(ctx)
	defer func() { meter.end(&s.stats) }()
	check := func() bool {
		meter.add(&s.stats)
		select {
		case <-done:
			return true
		default:
			return false
		}
	}
	if !s.ok {
		return exhausted
	}
	if check() {
		return stopped
	}
	nextCheck := s.stats.Propagations + contextPropagations
	if s.nextReduction == 0 {
		s.nextReduction = firstReduction
	}
	for {
		if !s.propagate() {
			s.stats.Conflicts++
			back, lbd := s.analyze()
			if back < 0 {
				s.ok = false
				return exhausted
			}
			s.cancelUntil(back)
			s.learn(lbd)
			s.activityStep /= s.config.ActivityDecay
			if s.activityStep > 1e100 {
				s.rescale()
			}
			s.fastLBD += (float64(lbd) - s.fastLBD) / 32
			s.slowLBD += (float64(lbd) - s.slowLBD) / 4096
			if s.stats.Conflicts < 4096 {
				s.slowLBD += (float64(lbd) - s.slowLBD) / float64(s.stats.Conflicts+1)
			}
			if check() {
				return stopped
			}
			if conflictLimit > 0 && s.stats.Conflicts >= conflictLimit {
				return stopped
			}
			continue
		}
		if !s.config.InOrder && s.stats.Conflicts-s.lastRestart >= int64(s.config.RestartInterval) && s.fastLBD > restartMargin*s.slowLBD {
			s.stats.Restarts++
			s.lastRestart = s.stats.Conflicts
			s.cancelUntil(0)
			continue
		}
		if int64(len(s.learned)) >= s.nextReduction {
			s.cancelUntil(0)
			if !s.propagate() {
				s.ok = false
				return exhausted
			}
			s.reduce()
			s.reductions++
			s.nextReduction = int64(len(s.learned)) + firstReduction + s.reductions*reductionStep
			continue
		}
		next := noVar
		for len(s.limits) < len(s.assumptions) {
			p := s.assumptions[len(s.limits)]
			if s.values[p] < 0 {
				s.analyzeFinal(p)
				return unassuming
			}
			if s.values[p] == 0 {
				next = p
				break
			}
			// True already: an empty level keeps levels and assumptions in step.
			s.limits = append(s.limits, limit{int32(len(s.trail)), int32(len(s.stored))})
		}
		if next == noVar {
			next = s.pick()
			if next == noVar {
				return found
			}
			s.stats.Decisions++
			if s.stats.Propagations >= nextCheck {
				nextCheck = s.stats.Propagations + contextPropagations
				if check() {
					s.reopen(next.variable())
					return stopped
				}
			}
		}
		s.decide(next)
	}
}

// analyzeFinal leaves in s.conflict the assumptions that imply the negation of
// the assumption p, with p.
func (s *Search) analyzeFinal(p BoolVar) {
	s.conflict = append(s.conflict[:0], p)
	if s.levels[p>>1] == 0 {
		return
	}
	s.toClear = append(s.toClear[:0], p.variable())
	s.seen[p>>1] = seenMark
	for i := len(s.trail) - 1; i >= int(s.limits[0].trail); i-- {
		q := s.trail[i]
		v := q.variable()
		if s.seen[v] == 0 {
			continue
		}
		if s.reasons[v].ref == refNone {
			s.conflict = append(s.conflict, q)
			continue
		}
		n := len(s.explained)
		s.because(q)
		for _, r := range s.explained[n:] {
			if w := r.variable(); s.levels[w] > 0 && s.seen[w] == 0 {
				s.seen[w] = seenMark
				s.toClear = append(s.toClear, w)
			}
		}
		s.explained = s.explained[:n]
	}
	for _, v := range s.toClear {
		s.seen[v] = 0
	}
}

// start readies the search for a run and returns its limit of conflicts.
func (s *Search) start() (conflictLimit int64) {
	s.cancelUntil(0)
	s.prepare()
	s.lastRestart = s.stats.Conflicts
	if s.config.MaxConflicts > 0 {
		return s.stats.Conflicts + s.config.MaxConflicts
	}
	return 0
}

// Solve looks for a solution in which all of the assumptions hold. On Feasible
// Value and IntValue read it; on Infeasible Core names the assumptions to
// blame; Unknown means that ctx was done or Config.MaxConflicts reached. What
// it learned stays in the model for the next call.
func (m *Model) Solve(ctx context.Context, assumptions ...BoolVar) Status {
	s := &m.s
	began := time.Now()
	limit := s.start()
	s.assumptions = append(s.assumptions[:0], assumptions...)
	m.core = m.core[:0]
	status := Unknown
	switch s.run(ctx, limit) {
	case found:
		status = Feasible
		m.keepSolution()
	case exhausted:
		status = Infeasible
	case unassuming:
		status = Infeasible
		m.core = append(m.core, s.conflict...)
	}
	s.assumptions = s.assumptions[:0]
	s.cancelUntil(0)
	s.stats.Seconds += time.Since(began).Seconds()
	return status
}

func (m *Model) keepSolution() {
	s := &m.s
	if cap(m.solution) < len(s.levels) {
		m.solution = make([]bool, len(s.levels))
	}
	m.solution = m.solution[:len(s.levels)]
	for v := range m.solution {
		m.solution[v] = s.values[2*v] > 0
	}
}

// Propagate draws the consequences that need no search, so that Fixed knows
// more. It returns Infeasible if they show that the model has no solution, and
// Unknown otherwise.
func (m *Model) Propagate() Status {
	s := &m.s
	s.start()
	if s.ok && !s.propagate() {
		s.ok = false
	}
	if !s.ok {
		return Infeasible
	}
	return Unknown
}

// Probe draws the consequences of assuming the literal and takes it back. If
// they are contradictory its negation holds in every solution and is added,
// and Probe returns false.
func (m *Model) Probe(literal BoolVar) bool {
	s := &m.s
	s.start()
	if !s.ok || !s.propagate() {
		s.ok = false
		return false
	}
	if s.values[literal] != 0 {
		return s.values[literal] > 0
	}
	s.decide(literal)
	if s.propagate() {
		s.cancelUntil(0)
		return true
	}
	s.stats.Conflicts++
	back, lbd := s.analyze()
	if back < 0 {
		s.ok = false
		return false
	}
	s.cancelUntil(0)
	s.learn(lbd)
	if !s.propagate() {
		s.ok = false
	}
	return false
}
