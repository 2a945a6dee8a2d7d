package csp

// smallAtMostOne is the size up to which an at-most-one becomes a clause for
// each pair; above it a propagator needs less memory.
const smallAtMostOne = 5

// AddAtMostOne requires at most one of the literals to be true.
func (m *Model) AddAtMostOne(literals ...BoolVar) {
	if len(literals) <= smallAtMostOne {
		for i, a := range literals {
			for _, b := range literals[:i] {
				m.AddImplication(a, b.Not())
			}
		}
		return
	}
	m.AddAtMostK(1, literals...)
}

// AddExactlyOne requires exactly one of the literals to be true.
func (m *Model) AddExactlyOne(literals ...BoolVar) {
	m.AddAtMostOne(literals...)
	m.AddClause(literals...)
}

// AddAtMostK requires at most k of the literals to be true. A literal given
// twice counts twice.
func (m *Model) AddAtMostK(k int, literals ...BoolVar) {
	switch {
	case k < 0:
		m.AddClause()
	case k == 0:
		for _, b := range literals {
			m.AddClause(b.Not())
		}
	case k >= len(literals):
	case k == len(literals)-1:
		clause := make([]BoolVar, len(literals))
		for i, b := range literals {
			clause[i] = b.Not()
		}
		m.AddClause(clause...)
	default:
		p := &atMost{literals: append([]BoolVar(nil), literals...), bound: int32(k)}
		p.id = m.AddPropagator(p)
		for i, b := range p.literals {
			m.Watch(p.id, b, int32(i))
		}
	}
}

// AddAtLeastK requires at least k of the literals to be true.
func (m *Model) AddAtLeastK(k int, literals ...BoolVar) {
	negated := make([]BoolVar, len(literals))
	for i, b := range literals {
		negated[i] = b.Not()
	}
	m.AddAtMostK(len(literals)-k, negated...)
}

// AddExactlyK requires exactly k of the literals to be true.
func (m *Model) AddExactlyK(k int, literals ...BoolVar) {
	m.AddAtMostK(k, literals...)
	m.AddAtLeastK(k, literals...)
}

// atMost counts true literals and makes the others false when the bound is
// reached.
type atMost struct {
	id       PropagatorID
	literals []BoolVar
	bound    int32
	count    int32
}

func (p *atMost) Assigned(s *Search, literal BoolVar, tag int32) bool {
	p.count++
	if p.count < p.bound {
		return true
	}
	if p.count > p.bound {
		s.conflict = p.take(s, p.bound+1, int32(len(s.trail)), s.conflict[:0])
		return false
	}
	why := reason{ref: refPropagator - int32(p.id)}
	if p.bound == 1 {
		why = reason{ref: refBinary, aux: int32(literal)}
	}
	for _, b := range p.literals {
		if s.values[b] == 0 {
			s.assign(b.Not(), why)
		}
	}
	return true
}

// take appends n of the literals that were true at a time.
func (p *atMost) take(s *Search, n, at int32, to []BoolVar) []BoolVar {
	for _, b := range p.literals {
		if n > 0 && s.values[b] > 0 && s.positions[b>>1] < at {
			to = append(to, b)
			n--
		}
	}
	return to
}

func (p *atMost) Unassigned(*Search, BoolVar, int32) { p.count-- }

func (p *atMost) Propagate(*Search) bool { return true }

func (p *atMost) Explain(s *Search, literal BoolVar, _ int32, reason []BoolVar) []BoolVar {
	return p.take(s, p.bound, s.positions[literal>>1], reason)
}

func (p *atMost) twin() Propagator {
	q := *p
	return &q
}
