package csp

import (
	"math"
	"slices"
)

// LinearArgument may stand in a linear constraint: it is an IntVar, a BoolVar
// (counting 1 when true) or a *LinearExpr.
type LinearArgument interface {
	addTo(e *LinearExpr, coefficient int)
}

type linearTerm struct {
	boolean     bool
	variable    int32 // a BoolVar or an IntVar
	coefficient int
}

// LinearExpr is a sum of variables with coefficients and a constant. The zero
// value is 0. Coefficients and bounds must stay so small that no sum
// overflows an int.
type LinearExpr struct {
	terms    []linearTerm
	constant int
}

// NewLinearExpr returns the expression 0.
func NewLinearExpr() *LinearExpr { return &LinearExpr{} }

// NewConstant returns a constant expression.
func NewConstant(c int) *LinearExpr { return &LinearExpr{constant: c} }

// Add adds a to the expression and returns the expression.
func (e *LinearExpr) Add(a LinearArgument) *LinearExpr { return e.AddTerm(a, 1) }

// AddTerm adds a times coefficient to the expression and returns the expression.
func (e *LinearExpr) AddTerm(a LinearArgument, coefficient int) *LinearExpr {
	a.addTo(e, coefficient)
	return e
}

// AddSum adds all of the arguments to the expression and returns the expression.
func (e *LinearExpr) AddSum(arguments ...LinearArgument) *LinearExpr {
	for _, a := range arguments {
		a.addTo(e, 1)
	}
	return e
}

// AddConstant adds c to the expression and returns the expression.
func (e *LinearExpr) AddConstant(c int) *LinearExpr {
	e.constant += c
	return e
}

func (b BoolVar) addTo(e *LinearExpr, coefficient int) {
	e.terms = append(e.terms, linearTerm{true, int32(b), coefficient})
}

func (x IntVar) addTo(e *LinearExpr, coefficient int) {
	e.terms = append(e.terms, linearTerm{false, int32(x), coefficient})
}

func (e *LinearExpr) addTo(to *LinearExpr, coefficient int) {
	for _, t := range e.terms {
		t.coefficient *= coefficient
		to.terms = append(to.terms, t)
	}
	to.constant += e.constant * coefficient
}

// AddEquality requires left = right.
func (m *Model) AddEquality(left, right LinearArgument) {
	e := NewLinearExpr().Add(left).AddTerm(right, -1)
	m.AddLinearConstraint(e, 0, 0)
}

// AddLessOrEqual requires left <= right.
func (m *Model) AddLessOrEqual(left, right LinearArgument) {
	m.AddLinearConstraint(NewLinearExpr().Add(left).AddTerm(right, -1), math.MinInt, 0)
}

// AddLessThan requires left < right.
func (m *Model) AddLessThan(left, right LinearArgument) {
	m.AddLinearConstraint(NewLinearExpr().Add(left).AddTerm(right, -1), math.MinInt, -1)
}

// AddNotEqual requires left and right to differ.
func (m *Model) AddNotEqual(left, right LinearArgument) {
	e := NewLinearExpr().Add(left).AddTerm(right, -1)
	less := m.NewBoolVar()
	m.AddLinearConstraint(e, math.MinInt, -1, less)
	m.AddLinearConstraint(e, 1, math.MaxInt, less.Not())
}

// AddLinearConstraint requires lo <= e <= hi. math.MinInt and math.MaxInt stand
// for no bound. With literals in onlyIf the constraint need hold only when all
// of them are true. It propagates bounds.
func (m *Model) AddLinearConstraint(e *LinearExpr, lo, hi int, onlyIf ...BoolVar) {
	if hi != math.MaxInt {
		m.addAtMost(e, 1, hi-e.constant, onlyIf)
	}
	if lo != math.MinInt {
		m.addAtMost(e, -1, e.constant-lo, onlyIf)
	}
}

// addAtMost requires sign*(e without its constant) <= bound.
func (m *Model) addAtMost(e *LinearExpr, sign, bound int, onlyIf []BoolVar) {
	sum := linearSum{bound: bound, terms: make([]linearTerm, 0, len(e.terms)+len(onlyIf)), place: make(map[linearTerm]int, len(e.terms))}
	for _, t := range e.terms {
		t.coefficient *= sign
		sum.add(t)
	}
	sum.addConditions(m, onlyIf)
	slices.SortStableFunc(sum.terms, func(a, b linearTerm) int { return m.span(b) - m.span(a) })
	p := &linear{start: make([]int32, 0, len(sum.terms)+1), slack: sum.bound}
	for _, t := range sum.terms {
		if t.coefficient != 0 {
			p.addTerm(m, t)
		}
	}
	p.start = append(p.start, int32(len(p.literals)))
	p.least = make([]int32, len(p.coefficients))
	if p.slack < 0 {
		m.AddClause()
		return
	}
	if len(p.literals) == 0 {
		return
	}
	p.id = m.AddPropagator(p)
	for i, b := range p.literals {
		m.Watch(p.id, b, int32(i))
	}
}

// linearSum is a sum that is at most a bound, with one term for each variable.
type linearSum struct {
	terms []linearTerm
	bound int
	place map[linearTerm]int // of a variable, as a term without coefficient, in terms
}

// add adds a term to that of the same variable.
func (l *linearSum) add(t linearTerm) {
	if t.boolean && t.variable&1 != 0 { // c*(1-x)
		l.bound -= t.coefficient
		t.coefficient = -t.coefficient
		t.variable ^= 1
	}
	key := linearTerm{t.boolean, t.variable, 0}
	if at, ok := l.place[key]; ok {
		l.terms[at].coefficient += t.coefficient
		return
	}
	l.place[key] = len(l.terms)
	l.terms = append(l.terms, t)
}

// addConditions adds conditions as terms that make room for everything when one
// of them is false.
func (l *linearSum) addConditions(m *Model, onlyIf []BoolVar) {
	if len(onlyIf) == 0 {
		return
	}
	most := 0
	for _, t := range l.terms {
		lo, hi := m.termBounds(t)
		most += max(t.coefficient*lo, t.coefficient*hi)
	}
	room := max(0, most-l.bound)
	for _, b := range onlyIf {
		l.bound += room
		l.add(linearTerm{true, int32(b), room})
	}
}

// termBounds are the bounds of a term's variable.
func (m *Model) termBounds(t linearTerm) (lo, hi int) {
	if t.boolean {
		return 0, 1
	}
	return m.Bounds(IntVar(t.variable))
}

// addTerm adds a term with its lower bound moved to 0. A variable with a negative
// coefficient is counted down from its upper bound.
func (p *linear) addTerm(m *Model, t linearTerm) {
	lo, hi, literals := 0, 1, []BoolVar{BoolVar(t.variable)}
	if !t.boolean {
		d := m.ints[t.variable]
		lo, hi, literals = d.lo, d.hi, d.atLeast
	}
	p.start = append(p.start, int32(len(p.literals)))
	if t.coefficient > 0 {
		p.slack -= t.coefficient * lo
		p.literals = append(p.literals, literals...)
	} else {
		p.slack -= t.coefficient * hi
		t.coefficient = -t.coefficient
		for _, b := range slices.Backward(literals) {
			p.literals = append(p.literals, b.Not())
		}
	}
	p.coefficients = append(p.coefficients, t.coefficient)
	for len(p.termOf) < len(p.literals) {
		p.termOf = append(p.termOf, int32(len(p.coefficients)-1))
	}
}

// span is the most by which a term can change the sum.
func (m *Model) span(t linearTerm) int {
	lo, hi := m.termBounds(t)
	if t.coefficient < 0 {
		return -t.coefficient * (hi - lo)
	}
	return t.coefficient * (hi - lo)
}

// linear keeps the sum of coefficients[t]*x[t] within a bound. Every x[t]
// counts from 0, and literals[start[t]+i] is [x[t] >= i+1].
type linear struct {
	id           PropagatorID
	coefficients []int
	start        []int32
	literals     []BoolVar
	termOf       []int32 // by place in literals
	least        []int32 // lower bounds, by term
	slack        int     // the bound less the sum of lower bounds
	undo         []int32 // lower bounds before each Assigned
}

func (p *linear) twin() Propagator {
	q := *p
	q.least, q.undo = slices.Clone(p.least), slices.Clone(p.undo)
	return &q
}

func (p *linear) Assigned(s *Search, _ BoolVar, tag int32) bool {
	t := p.termOf[tag]
	p.undo = append(p.undo, p.least[t])
	if v := tag - p.start[t] + 1; v > p.least[t] {
		p.slack -= p.coefficients[t] * int(v-p.least[t])
		p.least[t] = v
		s.schedule(p.id)
	}
	return true
}

func (p *linear) Unassigned(_ *Search, _ BoolVar, tag int32) {
	t := p.termOf[tag]
	before := p.undo[len(p.undo)-1]
	p.undo = p.undo[:len(p.undo)-1]
	p.slack += p.coefficients[t] * int(p.least[t]-before)
	p.least[t] = before
}

func (p *linear) Propagate(s *Search) bool {
	if p.slack < 0 {
		s.conflict = s.conflict[:0]
		for t, v := range p.least {
			if v > 0 {
				s.conflict = append(s.conflict, p.literals[p.start[t]+v-1])
			}
		}
		return false
	}
	for t, c := range p.coefficients {
		size := int(p.start[t+1] - p.start[t])
		if c*size <= p.slack {
			break // the terms are sorted
		}
		most := int(p.least[t]) + p.slack/c
		if most >= size {
			continue
		}
		if b := p.literals[int(p.start[t])+most]; s.values[b] >= 0 && !s.Imply(p.id, b.Not(), int32(t)) {
			return false
		}
	}
	return true
}

func (p *linear) Explain(s *Search, literal BoolVar, tag int32, reason []BoolVar) []BoolVar {
	at := s.positions[literal>>1]
	for t := range p.coefficients {
		if int32(t) != tag { // what a term may reach does not depend on its own lower bound
			reason = p.lowerBound(s, t, at, reason)
		}
	}
	return reason
}

// lowerBound appends the literal that bounded a term from below at a time.
func (p *linear) lowerBound(s *Search, t int, at int32, to []BoolVar) []BoolVar {
	for i := p.least[t] - 1; i >= 0; i-- {
		b := p.literals[p.start[t]+i]
		if s.values[b] > 0 && s.positions[b>>1] < at {
			return append(to, b)
		}
	}
	return to
}
