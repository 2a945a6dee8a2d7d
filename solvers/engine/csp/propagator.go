package csp

// Propagator is a constraint with an algorithm of its own. It keeps its state in step with the
// search by being notified of every assignment it watches, and explains what it implied only
// when a conflict requires it.
//
// A propagator must be sound (imply only what follows), and it must detect
// every violation at the latest when all the literals it watches are assigned.
type Propagator interface {
	// Assigned reports that literal, watched with this tag, has become true. Calls come in the
	// order of the trail. It updates the state; it may call Imply, ImplyBecause and Schedule.
	// It returns false on a conflict, after calling Conflict (or after an Imply that returned
	// false).
	Assigned(s *Search, literal BoolVar, tag int32) bool

	// Unassigned takes back an Assigned with the same arguments; calls come
	// in exactly the reverse order.
	Unassigned(s *Search, literal BoolVar, tag int32)

	// Propagate does the expensive part after Schedule was called, once
	// everything cheaper has nothing left to imply. It returns false on a
	// conflict, like Assigned.
	Propagate(s *Search) bool

	// Explain appends to reason literals that are true, were assigned before
	// literal (compare s.Position) and together imply it. tag is the one given
	// to Imply. The propagator's state may by now include later assignments.
	Explain(s *Search, literal BoolVar, tag int32, reason []BoolVar) []BoolVar
}

// PropagatorID names a propagator within its Model.
type PropagatorID int32

// AddPropagator adds a propagator of the caller's own. It is notified of nothing until Watch is
// called, and of literals that are already fixed as of any other: through Assigned, once it
// watches them. Propagate runs at least once.
func (m *Model) AddPropagator(p Propagator) PropagatorID {
	s := &m.s
	s.cancelUntil(0)
	s.propagators = append(s.propagators, p)
	s.scheduled = append(s.scheduled, false)
	id := PropagatorID(len(s.propagators) - 1)
	s.schedule(id)
	return id
}

// Watch makes the propagator hear, with this tag, when literal becomes true.
// It must be called before the search or between searches.
func (m *Model) Watch(id PropagatorID, literal BoolVar, tag int32) {
	s := &m.s
	s.cancelUntil(0)
	s.pendingWakes = append(s.pendingWakes, pendingWake{literal: literal, wake: wake{propagator: int32(id), tag: tag}})
}

// IsTrue reports whether literal is assigned and true.
func (s *Search) IsTrue(literal BoolVar) bool { return s.values[literal] > 0 }

// IsFalse reports whether literal is assigned and false.
func (s *Search) IsFalse(literal BoolVar) bool { return s.values[literal] < 0 }

// IsFree reports whether literal is unassigned.
func (s *Search) IsFree(literal BoolVar) bool { return s.values[literal] == 0 }

// Position returns the place of literal's variable on the trail, which grows with
// time. The variable must be assigned.
func (s *Search) Position(literal BoolVar) int32 { return s.positions[literal>>1] }

// Level returns the number of decisions that are in force.
func (s *Search) Level() int { return len(s.limits) }

// Schedule asks for a call of the propagator's Propagate.
func (s *Search) Schedule(id PropagatorID) { s.schedule(id) }

// Imply assigns literal true on behalf of the propagator, to be explained with
// this tag if need be. It returns false on a conflict: the literal was false.
func (s *Search) Imply(id PropagatorID, literal BoolVar, tag int32) bool {
	switch v := s.values[literal]; {
	case v > 0:
		return true
	case v == 0:
		s.assign(literal, reason{ref: refPropagator - int32(id), aux: tag})
		return true
	}
	// Explain as though it had been implied now, after everything else.
	variable := literal.variable()
	position := s.positions[variable]
	s.positions[variable] = int32(len(s.trail))
	s.conflict = s.propagators[id].Explain(s, literal, tag, s.conflict[:0])
	s.positions[variable] = position
	s.conflict = append(s.conflict, literal.Not())
	return false
}

// ImplyBecause assigns literal true because all of the literals in because,
// which must be true, imply it. It returns false on a conflict. The slice is
// copied.
func (s *Search) ImplyBecause(literal BoolVar, because ...BoolVar) bool {
	switch v := s.values[literal]; {
	case v > 0:
		return true
	case v < 0:
		s.conflict = append(append(s.conflict[:0], because...), literal.Not())
		return false
	}
	if len(s.limits) == 0 {
		s.assign(literal, reason{ref: refNone})
		return true
	}
	if len(because) == 1 {
		s.assign(literal, reason{ref: refBinary, aux: int32(because[0])})
		return true
	}
	at := int32(len(s.stored))
	s.stored = append(s.stored, BoolVar(len(because)))
	s.stored = append(s.stored, because...)
	s.assign(literal, reason{ref: refStored, aux: at})
	return true
}

// Conflict notes that the literals, which must all be true, contradict each
// other, and returns false. The slice is copied.
func (s *Search) Conflict(because ...BoolVar) bool {
	s.conflict = append(s.conflict[:0], because...)
	return false
}
