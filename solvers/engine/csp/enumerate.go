package csp

import (
	"context"
	"slices"
	"time"
)

// Enumerate calls visit once for each combination of values that the given
// literals take in the solutions of the model, in no particular order; other
// variables then have some value that fits. During visit Value and IntValue
// read the solution; the model must not be changed. Enumerate returns
// Infeasible when there are no further solutions, Feasible when visit returned
// false to end it, and Unknown when ctx was done or the limit of conflicts
// reached. The solutions remain solutions of the model afterwards.
func (m *Model) Enumerate(ctx context.Context, literals []BoolVar, visit func() bool, assumptions ...BoolVar) Status {
	return m.EnumerateAdding(ctx, literals, func(func(...BoolVar)) bool { return visit() }, assumptions...)
}

// EnumerateAdding is Enumerate for rules that are stated only where a solution breaks
// them: visit may add clauses, by the function it is given, as AddClause would. They take
// effect once visit returns, and stay in the model.
func (m *Model) EnumerateAdding(ctx context.Context, literals []BoolVar, visit func(add func(literals ...BoolVar)) bool, assumptions ...BoolVar) Status {
	s := &m.s
	began := time.Now()
	defer func() { s.stats.Seconds += time.Since(began).Seconds() }()
	// Clauses that exclude a solution hold only while active does.
	active := m.NewBoolVar()
	limit := s.conflictLimit()
	s.start()
	s.assumptions = append(append(s.assumptions[:0], active), assumptions...)
	status := Unknown
	var added [][]BoolVar
	add := func(clause ...BoolVar) { added = append(added, slices.Clone(clause)) }
	for searching := true; searching; {
		switch s.run(ctx, limit) {
		case found:
			m.keepSolution()
			more := visit(add)
			excluded := more && s.exclude(literals)
			if len(added) > 0 {
				s.cancelUntil(0)
				for _, clause := range added {
					s.addClause(clause)
				}
				s.prepare()
				added = added[:0]
			}
			switch {
			case !more:
				status, searching = Feasible, false
			case !excluded:
				status, searching = Infeasible, false
			}
		case exhausted, unassuming:
			status, searching = Infeasible, false
		case stopped:
			searching = false
		}
	}
	s.assumptions = s.assumptions[:0]
	s.cancelUntil(0)
	s.prepare()
	s.addClause([]BoolVar{active.Not()})
	return status
}

// exclude rules out the current values of the literals, as long as the first
// assumption holds, and goes back to where the search can go on. It returns
// false if no other values are possible.
func (s *Search) exclude(literals []BoolVar) bool {
	block := make([]BoolVar, 0, len(literals)+1)
	block = append(block, s.assumptions[0].Not())
	for _, p := range literals {
		if s.levels[p>>1] == 0 {
			continue
		}
		if s.values[p] > 0 {
			p = p.Not()
		}
		block = append(block, p)
	}
	// The two of the highest levels first, to be watched.
	for i := 0; i < min(2, len(block)); i++ {
		for k := i + 1; k < len(block); k++ {
			if s.levels[block[k]>>1] > s.levels[block[i]>>1] {
				block[i], block[k] = block[k], block[i]
			}
		}
	}
	switch len(block) {
	case 1:
		return false
	case 2:
		a, b := block[0], block[1]
		s.binary[a^1] = append(s.binary[a^1], b)
		s.binary[b^1] = append(s.binary[b^1], a)
	default:
		s.attach(s.store(block, false))
		s.clauses++
	}
	s.conflict = s.conflict[:0]
	for _, p := range block {
		s.conflict = append(s.conflict, p.Not())
	}
	back, lbd := s.analyze()
	if back < 0 {
		return false
	}
	s.cancelUntil(back)
	s.learn(lbd)
	return true
}
