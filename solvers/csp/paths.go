package csp

import (
	"fmt"
	"math/bits"
)

// PathEdge is an undirected edge between two nodes. It is chosen when Literal
// is true.
type PathEdge struct {
	A, B    int
	Literal BoolVar
}

// Paths describes a graph whose chosen edges must form disjoint simple paths,
// one between the two nodes of each pair, and nothing else: no loops, no loose
// ends.
type Paths struct {
	Nodes int        // nodes are numbered from 0
	Edges []PathEdge // no edge joins a node to itself
	Pairs [][2]int   // the ends of each path; a node is the end of at most one
	// Optional tells by node which nodes may be on no path. Nil means that
	// every node must be on one.
	Optional []bool
	// Colors makes a literal for each node and path that is true when the
	// path goes through the node. It is possible for up to 63 paths. It costs
	// memory and makes reasoning about paths that get into each other's way
	// much stronger.
	Colors bool
	// Chordless, if not the constant true, is a literal that when it is true
	// forbids two nodes of one path that are joined by an edge not to be next
	// to each other on the path. Chordless needs Colors.
	Chordless BoolVar
	// Shallow looks at connectivity, and at the degrees as a whole, only where
	// nothing is decided yet. Loops and colours are watched throughout all the
	// same. It pays where there are many paths: what they do to each other
	// then matters more, and is learned more cheaply.
	Shallow bool
}

// MaxColors is the most pairs that Paths with Colors may have.
const MaxColors = 63

// PathColors holds the literals that tell which path goes through a node.
type PathColors struct {
	first BoolVar
	count int
	pairs int
}

// Color returns the literal that is true when the path of a pair goes through
// the node. It must only be called when Paths.Colors was set.
func (c PathColors) Color(node, pair int) BoolVar {
	return c.first + BoolVar(2*(node*c.count+pair))
}

// Unused returns the literal that is true when no path goes through the node.
func (c PathColors) Unused(m *Model, node int) BoolVar {
	if c.count == c.pairs {
		return m.False()
	}
	return c.Color(node, c.pairs)
}

// AddPaths requires the chosen edges to form paths as described by p. Loops,
// dead ends and ends that are cut off from each other are found during the
// search, and explained.
func (m *Model) AddPaths(p Paths) (PathColors, error) {
	g, err := m.newPathGraph(p)
	if err != nil {
		return PathColors{}, err
	}
	g.id = m.AddPropagator(g)
	for e, b := range g.literals {
		m.Watch(g.id, b, int32(2*e))
		m.Watch(g.id, b.Not(), int32(2*e+1))
	}
	for i := range g.colors * p.Nodes {
		b := g.firstColor + BoolVar(2*i)
		m.Watch(g.id, b, g.colorTags+int32(2*i))
		m.Watch(g.id, b.Not(), g.colorTags+int32(2*i+1))
	}
	if g.chordless != m.True() {
		m.Watch(g.id, g.chordless, g.colorTags-1)
	}
	return PathColors{first: g.firstColor, count: g.colors, pairs: len(p.Pairs)}, nil
}

func (m *Model) newPathGraph(p Paths) (*pathGraph, error) {
	g := &pathGraph{
		nodes:     p.Nodes,
		pairs:     p.Pairs,
		chordless: p.Chordless,
		shallow:   p.Shallow,
		optional:  make([]bool, p.Nodes),
		pair:      make([]int32, p.Nodes),
		ends:      make([][2]int32, len(p.Edges)),
		literals:  make([]BoolVar, len(p.Edges)),
		start:     make([]int32, p.Nodes+1),
		on:        make([]int8, p.Nodes),
		free:      make([]int16, p.Nodes),
		need:      make([]int8, p.Nodes),
		mate:      make([]int32, p.Nodes),
		mark:      make([]int32, p.Nodes),
		low:       make([]int32, p.Nodes),
		order:     make([]int32, 0, p.Nodes),
		parent:    make([]int32, p.Nodes),
		next:      make([]int32, p.Nodes),
	}
	copy(g.optional, p.Optional)
	anyOptional := false
	for v := range g.nodes {
		g.pair[v] = -1
		g.need[v] = 2
		g.mate[v] = int32(v)
		anyOptional = anyOptional || g.optional[v]
	}
	for k, ends := range p.Pairs {
		for _, v := range ends {
			if v < 0 || v >= p.Nodes {
				return nil, fmt.Errorf("csp: end %d of path %d: expected a node below %d", v, k, p.Nodes)
			}
			if g.pair[v] >= 0 {
				return nil, fmt.Errorf("csp: node %d is the end of two paths, expected one", v)
			}
			g.pair[v] = int32(k)
			g.need[v] = 1
			g.optional[v] = false
		}
	}
	for _, e := range p.Edges {
		if e.A < 0 || e.A >= p.Nodes || e.B < 0 || e.B >= p.Nodes || e.A == e.B {
			return nil, fmt.Errorf("csp: edge %d-%d: expected two different nodes below %d", e.A, e.B, p.Nodes)
		}
	}
	// Each edge needs a variable of its own.
	used := make([]bool, len(m.s.levels))
	used[0] = true
	largest := BoolVar(0)
	for i, e := range p.Edges {
		b := e.Literal
		if used[b.variable()] {
			b = m.NewBoolVar()
			m.AddEquivalence(b, e.Literal)
		} else {
			used[b.variable()] = true
		}
		g.literals[i] = b
		largest = max(largest, b)
		g.ends[i] = [2]int32{int32(e.A), int32(e.B)}
		g.start[e.A]++
		g.start[e.B]++
	}
	g.edgeOf = make([]int32, largest.variable()+1)
	for i, b := range g.literals {
		g.edgeOf[b.variable()] = int32(i)
	}
	total := int32(0)
	for v, n := range g.start {
		g.start[v] = total
		total += n
		if v < g.nodes {
			g.free[v] = int16(n)
		}
	}
	g.edges = make([]int32, total)
	g.neighbors = make([]int32, total)
	fill := append([]int32(nil), g.start...)
	for i, e := range g.ends {
		for side, v := range e {
			g.edges[fill[v]] = int32(i)
			g.neighbors[fill[v]] = e[1-side]
			fill[v]++
		}
	}
	g.colorTags = int32(2*len(g.literals)) + 1
	if p.Colors {
		if len(p.Pairs) > MaxColors {
			return nil, fmt.Errorf("csp: %d paths with colours, expected at most %d", len(p.Pairs), MaxColors)
		}
		g.colors = len(p.Pairs)
		if anyOptional {
			g.colors++
		}
		g.firstColor = BoolVar(2 * m.s.newVariables(g.colors*g.nodes))
		g.domain = make([]uint64, g.nodes)
		g.label = make([]int8, g.nodes)
		for v := range g.domain {
			g.domain[v] = 1<<g.colors - 1
			g.label[v] = -1
		}
		for v := range g.nodes {
			if k := g.pair[v]; k >= 0 {
				m.AddClause(g.color(int32(v), int(k)))
			}
			if anyOptional && !g.optional[v] {
				m.AddClause(g.color(int32(v), len(p.Pairs)).Not())
			}
		}
	}
	// What degrees rule out from the start.
	for v := range g.nodes {
		switch n := int(g.free[v]); {
		case n < int(g.need[v]) && !g.optional[v]:
			m.AddClause()
		case n < int(g.need[v]):
			for _, e := range g.edgesAt(int32(v)) {
				m.AddClause(g.literals[e].Not())
			}
			if g.colors > 0 {
				m.AddClause(g.color(int32(v), len(p.Pairs)))
			}
		case n == int(g.need[v]) && !g.optional[v]:
			for _, e := range g.edgesAt(int32(v)) {
				m.AddClause(g.literals[e])
			}
		}
	}
	if g.colors > 0 && anyOptional {
		for v := range g.nodes {
			if !g.optional[v] {
				continue
			}
			// Unused is the same as having no chosen edge.
			clause := []BoolVar{g.color(int32(v), len(p.Pairs))}
			for _, e := range g.edgesAt(int32(v)) {
				clause = append(clause, g.literals[e])
				m.AddClause(clause[0].Not(), g.literals[e].Not())
			}
			m.AddClause(clause...)
		}
	}
	// Two ends of different paths are never joined.
	for e, ends := range g.ends {
		if a, b := g.pair[ends[0]], g.pair[ends[1]]; a >= 0 && b >= 0 && a != b {
			m.AddClause(g.literals[e].Not())
		}
	}
	if !anyOptional {
		m.addDegreeMatching(g)
	}
	return g, nil
}

// pathGraph is the propagator behind AddPaths. Chosen edges join nodes to
// fragments, each a path; mate[v] is the other end of the fragment that ends in
// v, and means nothing within one.
type pathGraph struct {
	id        PropagatorID
	nodes     int
	pairs     [][2]int
	chordless BoolVar
	shallow   bool
	optional  []bool
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

// chosen joins two fragments.
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
	// The fragment's own ends must not be joined.
	for i := g.start[a]; i < g.start[a+1]; i++ {
		if g.neighbors[i] == b && g.edges[i] != e {
			if !s.Imply(g.id, g.literals[g.edges[i]].Not(), tagOf(becauseLoop, e)) {
				return false
			}
		}
	}
	if g.colors == 0 {
		return g.keepApart(s, a, b, e) && g.keepApart(s, b, a, e)
	}
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

// keepApart rules out edges at the end b of a fragment whose other end a is the
// end of a path, where they lead to fragments of other paths; and if a is not,
// then edges that come from fragments of a path that b belongs to.
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

// degree implies what the number of edges at a node leaves no choice about.
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

// walk appends the chosen edges on the way from node a to node b, looking only
// at edges chosen up to when edge last was, and not setting out along came. With b
// negative it goes on to the end of the fragment.
func (g *pathGraph) walk(s *Search, a, b, last, came int32, to []BoolVar) []BoolVar {
	at := s.positions[g.literals[last]>>1]
	for a != b {
		step := int32(-1)
		for i := g.start[a]; i < g.start[a+1]; i++ {
			e := g.edges[i]
			if p := g.literals[e]; e != came && s.values[p] > 0 && s.positions[p>>1] <= at {
				to = append(to, p)
				came, step = e, g.neighbors[i]
				break
			}
		}
		if step < 0 {
			return to
		}
		a = step
	}
	return to
}

func (g *pathGraph) Explain(s *Search, literal BoolVar, tag int32, reason []BoolVar) []BoolVar {
	at := s.positions[literal>>1]
	payload := tag >> reasonKindBits
	kind := int(tag & (1<<reasonKindBits - 1))
	if literal >= g.firstColor && g.colors > 0 && int(literal-g.firstColor) < 2*g.colors*g.nodes {
		i := int32(literal-g.firstColor) / 2
		v, k := i/int32(g.colors), int(i)%g.colors
		switch kind {
		case becauseJoined:
			w := g.ends[payload][0] ^ g.ends[payload][1] ^ v
			return append(reason, g.literals[payload], g.color(w, k)|literal&1)
		case becauseChord:
			w := g.ends[payload][0] ^ g.ends[payload][1] ^ v
			return append(reason, g.chordless, g.literals[payload].Not(), g.color(w, k))
		case becauseLast:
			for other := range g.colors {
				if other != k {
					reason = append(reason, g.color(v, other).Not())
				}
			}
			return reason
		case becauseCut:
			return g.cut(s, int32(g.pairs[k][0]), v, k, at, reason)
		default: // becauseHanging
			return g.cut(s, v, payload-1, k, at, reason)
		}
	}
	e := g.edgeOf[literal.variable()]
	u, v := g.ends[e][0], g.ends[e][1]
	switch kind {
	case becauseLoop:
		return g.walk(s, u, v, payload, -1, reason)
	case becauseEnds:
		reason = g.walk(s, u, -1, payload, -1, reason)
		return g.walk(s, v, -1, payload, -1, reason)
	case becauseDifferent:
		k := int(payload)
		if a := g.color(u, k); s.values[a] > 0 {
			return append(reason, a, g.color(v, k).Not())
		}
		return append(reason, g.color(u, k).Not(), g.color(v, k))
	case becauseDisjoint:
		for k := range g.colors {
			a, b := g.color(u, k), g.color(v, k)
			if s.values[a] < 0 && s.positions[a>>1] < at {
				reason = append(reason, a.Not())
			} else {
				reason = append(reason, b.Not())
			}
		}
		return reason
	case becauseChord:
		k := 0
		for s.values[g.color(u, k)] <= 0 {
			k++
		}
		return append(reason, g.chordless, g.color(u, k), g.color(v, k))
	default: // becauseDegree
		return g.explainDegree(s, literal, payload, at, reason)
	}
}

func (g *pathGraph) explainDegree(s *Search, literal BoolVar, v, at int32, reason []BoolVar) []BoolVar {
	n := len(reason)
	implied := s.values[g.literals[g.edgeOf[literal.variable()]]] < 0
	// As when a conflict is explained the literal may be false.
	if s.values[literal] < 0 {
		implied = !implied
	}
	if implied {
		// Ruled out: enough other edges are chosen, or too few are left for one.
		for _, f := range g.edgesAt(v) {
			if p := g.literals[f]; s.values[p] > 0 && s.positions[p>>1] < at {
				reason = append(reason, p)
			}
		}
		if len(reason)-n >= int(g.need[v]) {
			return reason[:n+int(g.need[v])]
		}
		reason = reason[:n]
	}
	for _, f := range g.edgesAt(v) {
		p := g.literals[f]
		switch {
		case p>>1 == literal>>1 || s.values[p] == 0 || s.positions[p>>1] >= at:
		case s.values[p] < 0:
			reason = append(reason, p.Not())
		case g.optional[v]:
			reason = append(reason, p)
		}
	}
	return reason
}

// Propagate looks at what is still connected.
func (g *pathGraph) Propagate(s *Search) bool {
	if g.shallow && s.Level() > 0 {
		return true
	}
	if g.colors == 0 {
		return !g.anyDirty || g.connected(s)
	}
	for d := g.dirty; d != 0; d &= d - 1 {
		k := bits.TrailingZeros64(d)
		if k < len(g.pairs) {
			before := len(s.trail)
			if !g.route(s, k) {
				return false
			}
			if len(s.trail) > before {
				g.dirty &= d
				g.dirty &^= 1 << k
				if g.dirty != 0 {
					s.schedule(g.id)
				}
				return true
			}
		}
	}
	g.dirty = 0
	return true
}

// route looks at the nodes and edges that the path of pair k may use. It
// requires the path to go where all its ways lead through, and forbids it to go
// where it could not come back from.
func (g *pathGraph) route(s *Search, k int) bool {
	a, b := int32(g.pairs[k][0]), int32(g.pairs[k][1])
	// Depth first from a, with the earliest node that each subtree has an
	// edge to (Tarjan).
	base := g.clock
	g.order = g.order[:0]
	g.enter(a, -1)
	for v := a; v >= 0; {
		end := g.start[v+1]
		i := g.next[v]
		descended := false
		for ; i < end; i++ {
			e, w := g.edges[i], g.neighbors[i]
			if g.domain[w]>>k&1 == 0 || s.values[g.literals[e]] < 0 {
				continue
			}
			if g.mark[w] <= base {
				g.next[v] = i + 1
				g.enter(w, e)
				v = w
				descended = true
				break
			}
			if e != g.parent[v] {
				g.low[v] = min(g.low[v], g.mark[w])
			}
		}
		if descended {
			continue
		}
		g.next[v] = end
		e := g.parent[v]
		if e < 0 {
			break
		}
		u := g.ends[e][0] ^ g.ends[e][1] ^ v
		g.low[u] = min(g.low[u], g.low[v])
		v = u
	}
	if g.mark[b] <= base {
		s.conflict = g.cut(s, a, -1, k, int32(len(s.trail)), s.conflict[:0])
		return false
	}
	// Climb from b to a: what must be passed, and marking the way with low = 0.
	for v := b; ; {
		e := g.parent[v]
		if e < 0 {
			break
		}
		u := g.ends[e][0] ^ g.ends[e][1] ^ v
		if u != a && g.low[v] >= g.mark[u] && s.values[g.color(u, k)] == 0 {
			s.assign(g.color(u, k), reason{ref: refPropagator - int32(g.id), aux: tagOf(becauseCut, 0)})
		}
		g.low[v] = 0
		v = u
	}
	g.low[a] = 0
	// In the order of discovery: what hangs on a single node. next becomes
	// that node.
	for _, v := range g.order[1:] {
		e := g.parent[v]
		u := g.ends[e][0] ^ g.ends[e][1] ^ v
		g.next[v] = -1
		switch {
		case g.low[v] == 0:
			continue
		case u != a && g.next[u] >= 0:
			g.next[v] = g.next[u]
		case g.low[v] >= g.mark[u]:
			g.next[v] = u
		default:
			continue
		}
		if !s.Imply(g.id, g.color(v, k).Not(), tagOf(becauseHanging, g.next[v]+1)) {
			return false
		}
	}
	if len(g.order) < g.nodes {
		bit := uint64(1) << k
		for v, d := range g.domain {
			if d&bit != 0 && g.mark[v] <= base {
				if !s.Imply(g.id, g.color(int32(v), k).Not(), tagOf(becauseHanging, 0)) {
					return false
				}
			}
		}
	}
	return true
}

func (g *pathGraph) enter(v, e int32) {
	g.clock++
	g.mark[v] = g.clock
	g.low[v] = g.clock
	g.parent[v] = e
	g.next[v] = g.start[v]
	g.order = append(g.order, v)
}

// cut appends what separated, at a time, the nodes that a path of colour k can
// reach from a node without entering block.
func (g *pathGraph) cut(s *Search, from, block int32, k int, at int32, to []BoolVar) []BoolVar {
	g.clock++
	g.order = append(g.order[:0], from)
	g.mark[from] = g.clock
	for i := 0; i < len(g.order); i++ {
		u := g.order[i]
		for j := g.start[u]; j < g.start[u+1]; j++ {
			w := g.neighbors[j]
			if w == block || g.mark[w] == g.clock {
				continue
			}
			if c := g.color(w, k); s.values[c] < 0 && s.positions[c>>1] < at {
				continue
			}
			if p := g.literals[g.edges[j]]; s.values[p] < 0 && s.positions[p>>1] < at {
				continue
			}
			g.mark[w] = g.clock
			g.order = append(g.order, w)
		}
	}
	inside := g.clock
	g.clock++
	for _, u := range g.order {
		for j := g.start[u]; j < g.start[u+1]; j++ {
			w := g.neighbors[j]
			if w == block || g.mark[w] >= inside {
				continue
			}
			if c := g.color(w, k); s.values[c] < 0 && s.positions[c>>1] < at {
				g.mark[w] = g.clock
				to = append(to, c.Not())
				continue
			}
			to = append(to, g.literals[g.edges[j]].Not())
		}
	}
	return to
}

// connected checks, without colours, that both ends of each pair are in one
// component of what is left of the graph.
func (g *pathGraph) connected(s *Search) bool {
	g.anyDirty = false
	base := g.clock
	for _, ends := range g.pairs {
		a, b := int32(ends[0]), int32(ends[1])
		if g.mark[a] <= base {
			g.clock++
			g.order = append(g.order[:0], a)
			g.mark[a] = g.clock
			for i := 0; i < len(g.order); i++ {
				u := g.order[i]
				for j := g.start[u]; j < g.start[u+1]; j++ {
					if w := g.neighbors[j]; g.mark[w] <= base && s.values[g.literals[g.edges[j]]] >= 0 {
						g.mark[w] = g.clock
						g.order = append(g.order, w)
					}
				}
			}
		}
		if g.mark[a] != g.mark[b] {
			s.conflict = s.conflict[:0]
			for e, p := range g.literals {
				if in := g.mark[a]; (g.mark[g.ends[e][0]] == in) != (g.mark[g.ends[e][1]] == in) {
					s.conflict = append(s.conflict, p.Not())
				}
			}
			g.anyDirty = true
			return false
		}
	}
	return true
}

// sides gives every node a side, 1 or -1, so that edges join different sides
// where that is possible, and reports whether it is everywhere.
func (g *pathGraph) sides() (side []int8, twoSided bool) {
	side = make([]int8, g.nodes)
	twoSided = true
	for v := range g.nodes {
		if side[v] != 0 {
			continue
		}
		side[v] = 1
		g.order = append(g.order[:0], int32(v))
		for i := 0; i < len(g.order); i++ {
			u := g.order[i]
			for _, w := range g.neighbors[g.start[u]:g.start[u+1]] {
				if side[w] == 0 {
					side[w] = -side[u]
					g.order = append(g.order, w)
				} else if side[w] == side[u] {
					twoSided = false
				}
			}
		}
	}
	return side, twoSided
}
