package csp

// Marks of variables while a conflict is analysed.
const (
	seenMark   = 1 // part of the clause being learned, or to be resolved
	seenPoison = 2 // known not to follow from the rest of the clause
	seenImply  = 4 // known to follow from the rest of the clause
)

// because appends the true literals that implied p to s.explained.
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
// level to go back to, and in how many levels the clause has literals (its LBD).
// It returns level -1 if the model has no solution.
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
	s.resolve(top)
	if !s.config.InOrder {
		s.minimize() // in order a reason is often a whole pipe, and little is dropped
		if s.config.BumpReasons {
			s.bumpReasons()
		}
	}
	for _, v := range s.toClear {
		s.seen[v] = 0
	}
	return s.backLevel(), s.lbd()
}

// resolve makes s.learnt of s.conflict, whose highest level is top: it replaces
// literals of that level by what implied them, the latest first, until one is
// left.
func (s *Search) resolve(top int32) {
	s.learnt = append(s.learnt[:0], 0)
	s.toClear = s.toClear[:0]
	open := s.include(s.conflict, top) // literals of the top level still to be resolved
	for at := len(s.trail) - 1; ; at-- {
		for s.seen[s.trail[at]>>1]&seenMark == 0 {
			at--
		}
		p := s.trail[at]
		open--
		if open == 0 {
			s.learnt[0] = p ^ 1
			return
		}
		if r := s.reasons[p>>1].ref; r >= 0 {
			s.touch(r)
		}
		n := len(s.explained)
		s.because(p)
		open += s.include(s.explained[n:], top)
		s.explained = s.explained[:n]
	}
}

// include makes true literals part of what is resolved: those of the top level,
// which it counts, are marked, the others go into the learned clause.
func (s *Search) include(literals []BoolVar, top int32) (open int) {
	for _, p := range literals {
		v := p.variable()
		if s.seen[v] != 0 || s.levels[v] == 0 {
			continue
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
	return open
}

// minimize drops the literals of the learned clause that follow from the others.
func (s *Search) minimize() {
	s.stamp++
	for _, p := range s.learnt {
		s.levelStamp[s.levels[p>>1]] = s.stamp
	}
	kept := s.learnt[:1]
	for _, p := range s.learnt[1:] {
		if s.reasons[p>>1].ref == refNone || !s.redundant(p^1, 0) {
			kept = append(kept, p)
		}
	}
	s.learnt = kept
}

// bumpReasons raises the activity of the variables that implied literals of the learned clause,
// too, once each (Liang, Ganesh, Poupart and Czarnecki, Learning Rate Based Branching Heuristic for
// SAT Solvers, 2016, count them likewise).
func (s *Search) bumpReasons() {
	n := len(s.explained)
	for _, p := range s.learnt {
		if s.reasons[p>>1].ref != refNone {
			s.because(p ^ 1)
		}
	}
	for _, q := range s.explained[n:] {
		v := q.variable()
		if s.seen[v]&seenMark != 0 || s.levels[v] == 0 {
			continue
		}
		s.seen[v] = seenMark
		s.toClear = append(s.toClear, v)
		s.bumpBy(v, s.activityStep)
	}
	s.explained = s.explained[:n]
}

// backLevel puts a literal of the highest level of the learned clause, but for
// its first, second, and returns that level; it is 0 for a clause of one literal.
func (s *Search) backLevel() int {
	if len(s.learnt) == 1 {
		return 0
	}
	highest := 1
	for i := 2; i < len(s.learnt); i++ {
		if s.levels[s.learnt[i]>>1] > s.levels[s.learnt[highest]>>1] {
			highest = i
		}
	}
	s.learnt[1], s.learnt[highest] = s.learnt[highest], s.learnt[1]
	return int(s.levels[s.learnt[1]>>1])
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

// redundancyDepth is how deep redundant looks.
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
		// What follows from the clause has its level in common with a literal there.
		if s.reasons[v].ref == refNone || s.seen[v]&seenPoison != 0 || s.levelStamp[s.levels[v]] != s.stamp || !s.redundant(q, depth+1) {
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
	if s.sharing && lbd <= exchangedLBD {
		s.lessons.note(s.learnt, lbd)
	}
	switch len(s.learnt) {
	case 1:
		s.assign(s.learnt[0], reason{ref: refNone})
	case 2:
		a, b := s.learnt[0], s.learnt[1]
		s.binary[a^1] = append(s.binary[a^1], b)
		s.binary[b^1] = append(s.binary[b^1], a)
		s.assign(a, reason{ref: refBinary, aux: int32(b ^ 1)})
	default:
		ref := s.storeLearned(s.learnt, lbd)
		s.attach(ref)
		s.assign(s.learnt[0], reason{ref: ref})
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
