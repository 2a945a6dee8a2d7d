package csp

import (
	"context"
	"math/rand/v2"
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
	first  int32 // Search.first at that time
}

const (
	// restartMargin is the least ratio of the recent to the average LBD of learned
	// clauses that makes for a restart.
	restartMargin = 1.05
	// contextPropagations is how many literals are assigned between two looks at
	// the context. It is also looked at after each conflict, which on a graph of
	// thousands of nodes can take milliseconds to explain.
	contextPropagations = 1024
)

// Search is the state of a search as a Propagator sees it: which literals are
// assigned, and methods to imply more.
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

	order        []int32 // Config.InOrder: the variables in the order in which they are decided
	place        []int32 // by variable: where in order it is
	first        int32   // the variables in order before this place are assigned
	heap         []int32 // variables, most active first
	activityStep float64

	// The conflict being analysed.
	conflict    []BoolVar // literals that are all true and contradict each other
	learnt      []BoolVar
	explained   []BoolVar // a stack of explanations
	toClear     []int32
	levelStamp  []int32
	stamp       int32
	assumptions []BoolVar

	sharing bool // what is learned goes into lessons
	lessons lessons

	// verify, if set by a test, sees every explanation.
	verify func(literal BoolVar, reason []BoolVar)

	fastLBD, slowLBD float64
	lastRestart      int64
	nextReduction    int64
	reductions       int64
	redraws          int64
}

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
		s.order = append(s.order, int32(v))
		s.place = append(s.place, int32(v))
		s.activity[v] = s.noise()
		s.reopen(int32(v))
	}
	return int32(first)
}

// noise is a small activity at random by Config.Seed.
func (s *Search) noise() float64 {
	if s.random == nil {
		return 0
	}
	return s.random.Float64() * 1e-3
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
		s.values[p], s.values[p^1] = 0, 0
		if !s.config.InOrder {
			v := p.variable()
			s.phase[v] = p&1 == 0
			s.reopen(v)
		}
	}
	s.first = min(s.first, l.first)
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
	s.limits = append(s.limits, limit{int32(len(s.trail)), int32(len(s.stored)), s.first})
	if n := len(s.limits); n >= len(s.levelStamp) {
		s.levelStamp = append(s.levelStamp, make([]int32, n)...)
	}
	s.assign(p, reason{ref: refNone})
}

// pick returns the unassigned literal to decide next, or noVar.
func (s *Search) pick() BoolVar {
	if s.config.InOrder {
		for ; int(s.first) < len(s.order); s.first++ {
			if v := s.order[s.first]; s.values[2*v] == 0 {
				return s.preferred(v)
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
		s.first = min(s.first, s.place[v])
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
		switch {
		case !s.propagate():
			if !s.resolveConflict() {
				return exhausted
			}
			if check() || conflictLimit > 0 && s.stats.Conflicts >= conflictLimit {
				return stopped
			}
			continue
		case s.restartDue():
			s.stats.Restarts++
			s.lastRestart = s.stats.Conflicts
			s.cancelUntil(0)
			continue
		case int64(len(s.learned)) >= s.nextReduction:
			if !s.reduce() {
				return exhausted
			}
			continue
		}
		next, possible := s.assume()
		if !possible {
			return unassuming
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

// resolveConflict learns from a conflict and goes back to where the learned
// clause implies something. It returns false if the model has no solution.
func (s *Search) resolveConflict() bool {
	s.stats.Conflicts++
	back, lbd := s.analyze()
	if back < 0 {
		s.ok = false
		return false
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
	return true
}

// restartDue reports whether the clauses learned lately are worse than those
// learned on average.
func (s *Search) restartDue() bool {
	return !s.config.InOrder && s.stats.Conflicts-s.lastRestart >= int64(s.config.RestartInterval) && s.fastLBD > restartMargin*s.slowLBD
}

// assume returns the next assumption to decide, or noVar when all of them are
// true. It is not possible when one is false; s.conflict then holds why.
func (s *Search) assume() (next BoolVar, possible bool) {
	for len(s.limits) < len(s.assumptions) {
		p := s.assumptions[len(s.limits)]
		if s.values[p] < 0 {
			s.analyzeFinal(p)
			return noVar, false
		}
		if s.values[p] == 0 {
			return p, true
		}
		// True already: an empty level keeps levels and assumptions in step.
		s.limits = append(s.limits, limit{int32(len(s.trail)), int32(len(s.stored)), s.first})
	}
	return noVar, true
}

// start readies the search for a run.
func (s *Search) start() {
	s.cancelUntil(0)
	s.prepare()
	s.lastRestart = s.stats.Conflicts
}

// conflictLimit is the configured limit of conflicts of a run that begins, or 0.
func (s *Search) conflictLimit() int64 {
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
	return m.solve(ctx, m.s.conflictLimit(), assumptions)
}

// solve is Solve until there are so many conflicts, or without a limit.
func (m *Model) solve(ctx context.Context, limit int64, assumptions []BoolVar) Status {
	s := &m.s
	began := time.Now()
	s.start()
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

// Probe draws the consequences of assuming the literal and undoes it. If they are
// contradictory, its negation holds in every solution and is added, and Probe returns false.
func (m *Model) Probe(literal BoolVar) bool {
	s := &m.s
	fine, decided := s.try(literal)
	if fine || !decided {
		return fine
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

// Refutes is Probe without learning: it reports whether the consequences of assuming the literal
// are contradictory, and what it answers of other literals does not depend on which came before.
func (m *Model) Refutes(literal BoolVar) bool {
	fine, _ := m.s.try(literal)
	m.s.cancelUntil(0)
	return !fine
}

// try assumes a literal that is not known yet. It reports whether that may be, and whether a
// contradiction is one to the assumption, which is then still made.
func (s *Search) try(literal BoolVar) (fine, decided bool) {
	s.start()
	if !s.ok || !s.propagate() {
		s.ok = false
		return false, false
	}
	if s.values[literal] != 0 {
		return s.values[literal] > 0, false
	}
	s.decide(literal)
	if !s.propagate() {
		return false, true
	}
	s.cancelUntil(0)
	return true, true
}
