package csp

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// BoolVar is a Boolean variable or its negation (a literal). It belongs to the
// Model that made it. The zero BoolVar is the constant true of every model.
type BoolVar int32

// Not returns the negation of b.
func (b BoolVar) Not() BoolVar { return b ^ 1 }

// String returns "x7" for a variable and "!x7" for its negation.
func (b BoolVar) String() string {
	if b&1 != 0 {
		return fmt.Sprintf("!x%d", b>>1)
	}
	return fmt.Sprintf("x%d", b>>1)
}

func (b BoolVar) variable() int32 { return int32(b >> 1) }

// noVar marks the absence of a literal.
const noVar BoolVar = -2

// Config sets how a Model is searched. The zero value is a good default.
type Config struct {
	// Seed varies the search; the same model, calls and seed give the same
	// search, decision by decision. Zero leaves the variables in the order in
	// which they were made.
	Seed uint64
	// MaxConflicts ends each Solve or Enumerate with Unknown after that many
	// conflicts. Zero means no limit.
	MaxConflicts int64
	// ActivityDecay is the share of its activity that a variable keeps at
	// each conflict, between 0.5 and 1. Zero means 0.9.
	ActivityDecay float64
	// InOrder decides variables in the order in which they were made, or in that of
	// SetOrder, instead of by how often they took part in conflicts, and never restarts.
	// Clauses are learned as they are, without dropping literals that follow from others, and
	// a variable is tried in the same way each time: as AddHint says, or false, not as
	// it was assigned last. It is for models whose author knows a good order; Seed and
	// AddPriority do not change it.
	InOrder bool
	// RestartInterval is the fewest conflicts between two restarts. Zero
	// means 16.
	RestartInterval int
	// BumpReasons counts a variable as part of a conflict also if it only implied a literal of
	// the clause that is learned, though not with InOrder. With it, lists of package homotopy
	// take two thirds to nine tenths of the conflicts, most other searches as many, some more.
	BumpReasons bool
}

// Status is the outcome of a search.
type Status int

const (
	// Unknown means that the search ended early: the context was done or a
	// limit was reached.
	Unknown Status = iota
	// Feasible means that a solution was found; its values can be read.
	Feasible
	// Infeasible means that no solution exists (under the assumptions, if
	// any were given).
	Infeasible
)

// String returns "unknown", "feasible" or "infeasible".
func (s Status) String() string {
	switch s {
	case Feasible:
		return "feasible"
	case Infeasible:
		return "infeasible"
	}
	return "unknown"
}

// Stats counts what a Model has done since it was made.
type Stats struct {
	Variables    int     // Boolean variables, those behind integers included
	Clauses      int     // clauses of the model with more than two literals that are still kept
	Decisions    int64   // nodes of the search tree
	Conflicts    int64   // dead ends
	Propagations int64   // literals assigned, decisions included
	Restarts     int64   // restarts of the search
	Learned      int64   // clauses learned from conflicts
	Removed      int64   // learned clauses dropped again
	Seconds      float64 // wall-clock time spent in Solve and Enumerate
}

// Add returns what two models have done together.
func (s Stats) Add(t Stats) Stats {
	return Stats{
		s.Variables + t.Variables, s.Clauses + t.Clauses, s.Decisions + t.Decisions, s.Conflicts + t.Conflicts,
		s.Propagations + t.Propagations, s.Restarts + t.Restarts, s.Learned + t.Learned, s.Removed + t.Removed, s.Seconds + t.Seconds,
	}
}

// Model holds variables, constraints and what has been learned about them.
// Variables and constraints may be added before and between calls of Solve and
// Enumerate, never during one. A Model is not safe for concurrent use.
type Model struct {
	s         Search
	ints      []intData
	solution  []bool // of the last Feasible search, by variable
	core      []BoolVar
	addBuffer []BoolVar
}

// NewModel returns an empty model.
func NewModel(c Config) *Model {
	if c.ActivityDecay == 0 {
		c.ActivityDecay = 0.9
	}
	if c.RestartInterval == 0 {
		c.RestartInterval = 16
	}
	m := &Model{}
	s := &m.s
	s.config = c
	s.ok = true
	s.activityStep = 1
	s.conflict = make([]BoolVar, 0, 64)
	s.random = newRandom(c.Seed)
	m.NewBoolVar()
	s.assign(m.True(), reason{ref: refNone})
	return m
}

// newRandom is where the noise of a seed comes from, or nil for 0.
func newRandom(seed uint64) *rand.Rand {
	if seed == 0 {
		return nil
	}
	return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
}

// True returns the literal that is always true.
func (m *Model) True() BoolVar { return 0 }

// False returns the literal that is always false.
func (m *Model) False() BoolVar { return 1 }

// Constant returns True or False.
func (m *Model) Constant(value bool) BoolVar {
	if value {
		return m.True()
	}
	return m.False()
}

// NewBoolVar returns a new Boolean variable.
func (m *Model) NewBoolVar() BoolVar { return BoolVar(m.s.newVariables(1) << 1) }

// NewBoolVars returns n new Boolean variables.
func (m *Model) NewBoolVars(n int) []BoolVar {
	first := m.s.newVariables(n)
	vars := make([]BoolVar, n)
	for i := range vars {
		vars[i] = BoolVar((int(first) + i) << 1)
	}
	return vars
}

// AddHint says which value the search should try first for b's variable: the
// one that makes b true. Without a hint false is tried first; afterwards the
// value it last had, unless Config.InOrder is set.
func (m *Model) AddHint(b BoolVar) { m.s.phase[b.variable()] = b&1 == 0 }

// AddPriority raises the activity of b's variable as if it had been part of
// weight conflicts, so that the search decides it earlier.
func (m *Model) AddPriority(b BoolVar, weight float64) {
	m.s.bumpBy(b.variable(), weight*m.s.activityStep)
}

// Defer makes the search decide the variables of these literals after all others, however often
// they take part in conflicts. It is for variables that follow from others, which only shorten
// what is learned. It does not change searches with Config.InOrder.
func (m *Model) Defer(literals ...BoolVar) {
	s := &m.s
	for _, b := range literals {
		v := b.variable()
		s.activity[v] = math.Inf(-1) // which no conflict raises
		if i := s.heapIndex[v]; i >= 0 {
			s.heapDown(int(i))
		}
	}
}

// SetOrder makes searches with Config.InOrder decide the variables of these literals
// first, in this order, each once, and then all others. What was learned in another order
// still holds.
func (m *Model) SetOrder(literals []BoolVar) {
	s := &m.s
	s.cancelUntil(0)
	s.order, s.first = s.order[:0], 0
	for v := range s.place {
		s.place[v] = -1
	}
	put := func(v int32) {
		if s.place[v] < 0 {
			s.place[v] = int32(len(s.order))
			s.order = append(s.order, v)
		}
	}
	for _, b := range literals {
		put(b.variable())
	}
	for v := range s.place {
		put(int32(v))
	}
}

// AddClause requires at least one of the literals to be true. It is the same
// as AddBoolOr.
func (m *Model) AddClause(literals ...BoolVar) { m.s.addClause(literals) }

// AddBoolOr requires at least one of the literals to be true.
func (m *Model) AddBoolOr(literals ...BoolVar) { m.s.addClause(literals) }

// AddBoolAnd requires all of the literals to be true.
func (m *Model) AddBoolAnd(literals ...BoolVar) {
	for _, b := range literals {
		m.addBuffer = append(m.addBuffer[:0], b)
		m.s.addClause(m.addBuffer)
	}
}

// AddBoolXor requires an odd number of the literals to be true.
func (m *Model) AddBoolXor(literals ...BoolVar) {
	if len(literals) == 0 {
		m.s.ok = false
		return
	}
	sum := literals[0]
	for _, b := range literals[1:] {
		next := m.NewBoolVar() // sum xor b
		m.AddClause(next.Not(), sum, b)
		m.AddClause(next.Not(), sum.Not(), b.Not())
		m.AddClause(next, sum.Not(), b)
		m.AddClause(next, sum, b.Not())
		sum = next
	}
	m.AddClause(sum)
}

// AddImplication requires b to be true when a is.
func (m *Model) AddImplication(a, b BoolVar) {
	m.addBuffer = append(m.addBuffer[:0], a.Not(), b)
	m.s.addClause(m.addBuffer)
}

// AddEquivalence requires a and b to have the same value.
func (m *Model) AddEquivalence(a, b BoolVar) {
	m.AddImplication(a, b)
	m.AddImplication(b, a)
}

// Value returns the value of b in the solution found last. Without a solution
// it returns false.
func (m *Model) Value(b BoolVar) bool {
	v := int(b.variable())
	return v < len(m.solution) && m.solution[v] == (b&1 == 0)
}

// Core returns the assumptions of the last Solve that together allow no
// solution. It is empty when the model has none at all.
func (m *Model) Core() []BoolVar { return m.core }

// Fixed reports whether b is known to have the same value in every solution,
// and that value. Searching and Propagate make more variables known.
func (m *Model) Fixed(b BoolVar) (value, known bool) {
	s := &m.s
	if s.values[b] == 0 || s.levels[b.variable()] != 0 {
		return false, false
	}
	return s.values[b] > 0, true
}

// Stats returns what the model has done so far.
func (m *Model) Stats() Stats {
	st := m.s.stats
	st.Variables = len(m.s.levels)
	st.Clauses = m.s.clauses
	return st
}
