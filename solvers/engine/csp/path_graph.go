package csp

import "math/bits"

// pathGraph is the propagator behind AddPaths. Chosen edges join nodes to
// fragments, each a path; mate[v] is the other end of the fragment that ends in
// v, and means nothing within one.
type pathGraph struct {
	id        PropagatorID
	nodes     int
	pairs     [][2]int
	chordless BoolVar
	shallow   bool
	optional  []bool     // by node: it may be on no path
	pair      []int32    // by node: the pair it is an end of, or -1
	ends      [][2]int32 // by edge
	literals  []BoolVar  // by edge
	edgeOf    []int32    // by variable
	start     []int32    // by node: where its part of edges and neighbors begins
	edges     []int32
	neighbors []int32

	on   []int8  // by node: edges chosen
	free []int16 // by node: edges not ruled out
	need []int8  // by node: how many edges must be chosen, if any
	mate []int32

	joined [][2]int32 // for each chosen edge, the ends of the fragment it made

	colors     int
	firstColor BoolVar
	colorTags  int32
	domain     []uint64 // by node: colours not ruled out
	label      []int8   // by node: its colour, or -1
	dirty      uint64   // colours whose connectivity must be looked at again
	anyDirty   bool     // an edge was ruled out; for graphs without colours
	settled    bool     // chordless is true

	anyOptional bool // some node may be on no path: the last colour says that it is

	// Scratch of searches through the graph.
	mark, low, parent, next []int32
	order                   []int32
	clock                   int32
}

// Kinds of implications, the low bits of a tag.
const (
	becauseDegree    = iota // edge: the other edges of a node; payload node
	becauseLoop             // edge: would close a loop; payload the edge that joined last
	becauseEnds             // edge: would join two different paths; payload the edge that joined last
	becauseDifferent        // edge: its nodes have different colours; payload colour
	becauseDisjoint         // edge: its nodes have no common colour
	becauseJoined           // colour: same as across a chosen edge; payload edge
	becauseLast             // colour: the only one left
	becauseCut              // colour: separates its ends
	becauseHanging          // colour: behind a node that would be passed twice; payload node+1, 0 for none
	becauseChord            // colour or edge: a chord; payload edge
	reasonKindBits   = 4
)

func tagOf(kind int, payload int32) int32 { return payload<<reasonKindBits | int32(kind) }

func (g *pathGraph) edgesAt(v int32) []int32 { return g.edges[g.start[v]:g.start[v+1]] }

func (g *pathGraph) color(v int32, k int) BoolVar {
	return g.firstColor + BoolVar(2*(int(v)*g.colors+k))
}

// unused is the literal that is true when no path goes through node v. There is
// one only where nodes may be on no path.
func (g *pathGraph) unused(v int32) BoolVar { return g.color(v, len(g.pairs)) }

func (g *pathGraph) Assigned(s *Search, literal BoolVar, tag int32) bool {
	switch {
	case tag >= g.colorTags:
		i := (tag - g.colorTags) / 2
		v, k := i/int32(g.colors), int(i)%g.colors
		if (tag-g.colorTags)&1 == 0 {
			return g.colored(s, v, k)
		}
		return g.uncolored(s, v, k)
	case tag == g.colorTags-1:
		g.settled = true
		return g.forbidChords(s)
	case tag&1 == 0:
		return g.chosen(s, tag/2)
	default:
		return g.ruledOut(s, tag/2)
	}
}

func (g *pathGraph) Unassigned(s *Search, literal BoolVar, tag int32) {
	switch {
	case tag >= g.colorTags:
		if i := (tag - g.colorTags) / 2; (tag-g.colorTags)&1 != 0 {
			g.domain[i/int32(g.colors)] |= 1 << (i % int32(g.colors))
		} else if v := i / int32(g.colors); g.label[v] == int8(i%int32(g.colors)) {
			g.label[v] = -1
		}
	case tag == g.colorTags-1:
		g.settled = false
	case tag&1 == 0:
		u, v := g.ends[tag/2][0], g.ends[tag/2][1]
		g.on[u]--
		g.on[v]--
		last := g.joined[len(g.joined)-1]
		g.joined = g.joined[:len(g.joined)-1]
		if last[0] >= 0 {
			g.mate[last[0]] = u
			g.mate[last[1]] = v
		}
	default:
		g.free[g.ends[tag/2][0]]++
		g.free[g.ends[tag/2][1]]++
	}
}

// chosen joins the two fragments that an edge is between.
func (g *pathGraph) chosen(s *Search, e int32) bool {
	u, v := g.ends[e][0], g.ends[e][1]
	g.on[u]++
	g.on[v]++
	if g.on[u] > g.need[u] || g.on[v] > g.need[v] {
		g.joined = append(g.joined, [2]int32{-1, -1})
		if g.on[u] > g.need[u] {
			return g.tooMany(s, u)
		}
		return g.tooMany(s, v)
	}
	a, b := g.mate[u], g.mate[v]
	if a == v {
		g.joined = append(g.joined, [2]int32{-1, -1})
		s.conflict = append(g.walk(s, v, u, e, e, s.conflict[:0]), g.literals[e])
		return false
	}
	g.joined = append(g.joined, [2]int32{a, b})
	g.mate[a], g.mate[b] = b, a
	if !g.degree(s, u) || !g.degree(s, v) {
		return false
	}
	if g.pair[a] >= 0 && g.pair[b] >= 0 && g.pair[a] != g.pair[b] {
		s.conflict = g.walk(s, a, b, e, -1, s.conflict[:0])
		return false
	}
	if !g.keepOpen(s, a, b, e) {
		return false
	}
	if g.colors == 0 {
		return g.keepApart(s, a, b, e) && g.keepApart(s, b, a, e)
	}
	return g.shareColors(s, u, v, e)
}

// keepOpen rules out the edges that would join the two ends of a fragment,
// which edge e made.
func (g *pathGraph) keepOpen(s *Search, a, b, e int32) bool {
	for i := g.start[a]; i < g.start[a+1]; i++ {
		if g.neighbors[i] == b && g.edges[i] != e {
			if !s.Imply(g.id, g.literals[g.edges[i]].Not(), tagOf(becauseLoop, e)) {
				return false
			}
		}
	}
	return true
}

// shareColors rules out the colours that only one of the nodes of a chosen edge
// can have.
func (g *pathGraph) shareColors(s *Search, u, v, e int32) bool {
	for d := g.domain[u] ^ g.domain[v]; d != 0; d &= d - 1 {
		k := bits.TrailingZeros64(d)
		w := v
		if g.domain[u]>>k&1 != 0 {
			w = u
		}
		if !s.Imply(g.id, g.color(w, k).Not(), tagOf(becauseJoined, e)) {
			return false
		}
	}
	return true
}

// keepApart rules out the edges at the end b of a fragment that lead to fragments
// of other paths. It does nothing unless the other end, a, is the end of a path.
func (g *pathGraph) keepApart(s *Search, a, b, e int32) bool {
	if g.pair[a] < 0 || g.on[b] >= g.need[b] {
		return true
	}
	for i := g.start[b]; i < g.start[b+1]; i++ {
		w := g.neighbors[i]
		if g.on[w] >= g.need[w] {
			continue
		}
		if c := g.pair[g.mate[w]]; c >= 0 && c != g.pair[a] {
			if !s.Imply(g.id, g.literals[g.edges[i]].Not(), tagOf(becauseEnds, e)) {
				return false
			}
		}
	}
	return true
}

// degree implies the edges at a node that its number of edges leaves no choice
// about.
func (g *pathGraph) degree(s *Search, v int32) bool {
	on, need := g.on[v], g.need[v]
	switch {
	case on >= need:
		if int16(on) == g.free[v] {
			return true
		}
		for _, e := range g.edgesAt(v) {
			b := g.literals[e]
			if s.values[b] == 0 {
				s.assign(b.Not(), reason{ref: refPropagator - int32(g.id), aux: tagOf(becauseDegree, v)})
			}
		}
	case g.free[v] <= int16(need) && (on > 0 || !g.optional[v]):
		for _, e := range g.edgesAt(v) {
			b := g.literals[e]
			if s.values[b] == 0 {
				s.assign(b, reason{ref: refPropagator - int32(g.id), aux: tagOf(becauseDegree, v)})
			}
		}
		if g.free[v] < int16(need) {
			return g.tooFew(s, v)
		}
	case g.free[v] < int16(need): // optional, and without a chosen edge
		for _, e := range g.edgesAt(v) {
			b := g.literals[e]
			if s.values[b] == 0 {
				s.assign(b.Not(), reason{ref: refPropagator - int32(g.id), aux: tagOf(becauseDegree, v)})
			}
		}
	}
	return true
}

func (g *pathGraph) tooMany(s *Search, v int32) bool {
	s.conflict = s.conflict[:0]
	for _, e := range g.edgesAt(v) {
		if b := g.literals[e]; s.values[b] > 0 && len(s.conflict) <= int(g.need[v]) {
			s.conflict = append(s.conflict, b)
		}
	}
	return false
}

func (g *pathGraph) tooFew(s *Search, v int32) bool {
	s.conflict = s.conflict[:0]
	free := 0
	chosen := noVar
	for _, e := range g.edgesAt(v) {
		switch b := g.literals[e]; {
		case s.values[b] < 0:
			s.conflict = append(s.conflict, b.Not())
		case s.values[b] > 0:
			chosen = b
			free++
		default:
			free++
		}
	}
	if g.optional[v] {
		s.conflict = append(s.conflict, chosen)
	}
	return false
}

func (g *pathGraph) ruledOut(s *Search, e int32) bool {
	u, v := g.ends[e][0], g.ends[e][1]
	g.free[u]--
	g.free[v]--
	if g.colors > 0 {
		g.dirty |= g.domain[u] & g.domain[v]
		if g.settled && !g.forbidChord(s, e) {
			return false
		}
	}
	g.anyDirty = true
	s.schedule(g.id)
	return g.degree(s, u) && g.degree(s, v)
}

// colored handles that node v has colour k.
func (g *pathGraph) colored(s *Search, v int32, k int) bool {
	if g.label[v] < 0 {
		g.label[v] = int8(k)
	}
	why := reason{ref: refBinary, aux: int32(g.color(v, k))}
	for d := g.domain[v] &^ (1 << k); d != 0; d &= d - 1 {
		b := g.color(v, bits.TrailingZeros64(d))
		if s.values[b] > 0 {
			return s.Conflict(b, g.color(v, k))
		}
		if s.values[b] == 0 {
			s.assign(b.Not(), why)
		}
	}
	for i := g.start[v]; i < g.start[v+1]; i++ {
		w, e := g.neighbors[i], g.edges[i]
		if g.domain[w]>>k&1 == 0 {
			if !s.Imply(g.id, g.literals[e].Not(), tagOf(becauseDifferent, int32(k))) {
				return false
			}
			continue
		}
		if s.values[g.literals[e]] > 0 {
			if !s.Imply(g.id, g.color(w, k), tagOf(becauseJoined, e)) {
				return false
			}
			continue
		}
		if g.settled && k < len(g.pairs) && !g.forbidChord(s, e) {
			return false
		}
	}
	return true
}

// uncolored handles that node v does not have colour k.
func (g *pathGraph) uncolored(s *Search, v int32, k int) bool {
	g.domain[v] &^= 1 << k
	d := g.domain[v]
	if d&(d-1) == 0 {
		if d == 0 {
			s.conflict = s.conflict[:0]
			for k := range g.colors {
				s.conflict = append(s.conflict, g.color(v, k).Not())
			}
			return false
		}
		if !s.Imply(g.id, g.color(v, bits.TrailingZeros64(d)), tagOf(becauseLast, 0)) {
			return false
		}
	}
	g.dirty |= 1 << k
	s.schedule(g.id)
	for i := g.start[v]; i < g.start[v+1]; i++ {
		w, e := g.neighbors[i], g.edges[i]
		switch b := g.literals[e]; {
		case s.values[b] > 0:
			if g.domain[w]>>k&1 != 0 && !s.Imply(g.id, g.color(w, k).Not(), tagOf(becauseJoined, e)) {
				return false
			}
		case s.values[b] == 0:
			if s.values[g.color(w, k)] > 0 {
				if !s.Imply(g.id, b.Not(), tagOf(becauseDifferent, int32(k))) {
					return false
				}
			} else if d&g.domain[w] == 0 {
				if !s.Imply(g.id, b.Not(), tagOf(becauseDisjoint, 0)) {
					return false
				}
			}
		}
	}
	return true
}

func (g *pathGraph) forbidChords(s *Search) bool {
	for e := range g.ends {
		if !g.forbidChord(s, int32(e)) {
			return false
		}
	}
	return true
}

// forbidChord makes an edge chosen if and only if its nodes have one colour.
func (g *pathGraph) forbidChord(s *Search, e int32) bool {
	u, v := g.ends[e][0], g.ends[e][1]
	if s.values[g.literals[e]] > 0 {
		return true
	}
	for range 2 {
		if k := int(g.label[u]); k >= 0 && k < len(g.pairs) {
			if s.values[g.literals[e]] < 0 {
				if !s.Imply(g.id, g.color(v, k).Not(), tagOf(becauseChord, e)) {
					return false
				}
			} else if s.values[g.color(v, k)] > 0 {
				if !s.Imply(g.id, g.literals[e], tagOf(becauseChord, e)) {
					return false
				}
			}
		}
		u, v = v, u
	}
	return true
}
