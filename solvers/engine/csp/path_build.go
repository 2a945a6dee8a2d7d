package csp

import "fmt"

// newPathGraph makes the propagator of p, and adds the clauses that hold from
// the start.
func (m *Model) newPathGraph(p Paths) (*pathGraph, error) {
	g := emptyPathGraph(p)
	if err := g.setEnds(p.Pairs); err != nil {
		return nil, err
	}
	if err := p.checkEdges(); err != nil {
		return nil, err
	}
	if p.Colors && len(p.Pairs) > MaxColors {
		return nil, fmt.Errorf("csp: %d paths with colours, expected at most %d", len(p.Pairs), MaxColors)
	}
	g.setEdges(m, p.Edges)
	if p.Colors {
		g.addColors(m)
	}
	g.addDegreeClauses(m)
	if p.Colors && g.anyOptional {
		g.addUnusedClauses(m)
	}
	g.addApartClauses(m)
	if !g.anyOptional {
		m.addDegreeMatching(g)
	}
	return g, nil
}

// emptyPathGraph is the graph of p without its ends and edges.
func emptyPathGraph(p Paths) *pathGraph {
	g := &pathGraph{
		nodes:     p.Nodes,
		pairs:     p.Pairs,
		chordless: p.Chordless,
		shallow:   p.Shallow,
		optional:  make([]bool, p.Nodes),
		pair:      make([]int32, p.Nodes),
		ends:      make([][2]int32, len(p.Edges)),
		literals:  make([]BoolVar, len(p.Edges)),
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
	for v := range g.nodes {
		g.pair[v] = -1
		g.need[v] = 2
		g.mate[v] = int32(v)
		g.anyOptional = g.anyOptional || g.optional[v]
	}
	return g
}

// setEnds notes the ends of the paths, which need one edge each.
func (g *pathGraph) setEnds(pairs [][2]int) error {
	for k, ends := range pairs {
		for _, v := range ends {
			if v < 0 || v >= g.nodes {
				return fmt.Errorf("csp: end %d of path %d: expected a node below %d", v, k, g.nodes)
			}
			if g.pair[v] >= 0 {
				return fmt.Errorf("csp: node %d is the end of two paths, expected one", v)
			}
			g.pair[v] = int32(k)
			g.need[v] = 1
			g.optional[v] = false
		}
	}
	return nil
}

func (p Paths) checkEdges() error {
	for _, e := range p.Edges {
		if e.A < 0 || e.A >= p.Nodes || e.B < 0 || e.B >= p.Nodes || e.A == e.B {
			return fmt.Errorf("csp: edge %d-%d: expected two different nodes below %d", e.A, e.B, p.Nodes)
		}
	}
	return nil
}

// setEdges notes the edges, each with a variable of its own, and lists them by
// node.
func (g *pathGraph) setEdges(m *Model, edges []PathEdge) {
	used := make([]bool, len(m.s.levels))
	used[0] = true
	largest := BoolVar(0)
	for i, e := range edges {
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
	}
	g.edgeOf = make([]int32, largest.variable()+1)
	for i, b := range g.literals {
		g.edgeOf[b.variable()] = int32(i)
	}
	g.colorTags = int32(2*len(g.literals)) + 1
	g.start, g.edges = incidence(g.nodes, g.ends)
	g.neighbors = make([]int32, len(g.edges))
	for v := range g.nodes {
		g.free[v] = int16(g.start[v+1] - g.start[v])
		for i := g.start[v]; i < g.start[v+1]; i++ {
			e := g.edges[i]
			g.neighbors[i] = g.ends[e][0] ^ g.ends[e][1] ^ int32(v)
		}
	}
}

// incidence lists the edges at each node of a graph, of which ends are the two
// nodes of each edge: those at node v are at[start[v]:start[v+1]], in order.
func incidence(nodes int, ends [][2]int32) (start, at []int32) {
	start = make([]int32, nodes+1)
	for _, e := range ends {
		start[e[0]]++
		start[e[1]]++
	}
	total := int32(0)
	for v, n := range start {
		start[v] = total
		total += n
	}
	at = make([]int32, total)
	fill := append([]int32(nil), start...)
	for i, e := range ends {
		for _, v := range e {
			at[fill[v]] = int32(i)
			fill[v]++
		}
	}
	return start, at
}

// addColors makes the literals of the colours: one for each path and, when some
// node may be on no path, a last one that says so.
func (g *pathGraph) addColors(m *Model) {
	g.colors = len(g.pairs)
	if g.anyOptional {
		g.colors++
	}
	g.firstColor = BoolVar(2 * m.s.newVariables(g.colors*g.nodes))
	g.domain = make([]uint64, g.nodes)
	g.label = make([]int8, g.nodes)
	for v := range g.nodes {
		g.domain[v] = 1<<g.colors - 1
		g.label[v] = -1
		if k := g.pair[v]; k >= 0 {
			m.AddClause(g.color(int32(v), int(k)))
		}
		if g.anyOptional && !g.optional[v] {
			m.AddClause(g.unused(int32(v)).Not())
		}
	}
}

// addDegreeClauses decides the edges at the nodes whose number of edges leaves no
// choice.
func (g *pathGraph) addDegreeClauses(m *Model) {
	for v := range int32(g.nodes) {
		free, need := int(g.free[v]), int(g.need[v])
		switch {
		case free < need && !g.optional[v]:
			m.AddClause()
		case free < need:
			for _, e := range g.edgesAt(v) {
				m.AddClause(g.literals[e].Not())
			}
			if g.colors > 0 {
				m.AddClause(g.unused(v))
			}
		case free == need && !g.optional[v]:
			for _, e := range g.edgesAt(v) {
				m.AddClause(g.literals[e])
			}
		}
	}
}

// addUnusedClauses makes a node unused if and only if none of its edges is
// chosen.
func (g *pathGraph) addUnusedClauses(m *Model) {
	for v := range int32(g.nodes) {
		if !g.optional[v] {
			continue
		}
		clause := []BoolVar{g.unused(v)}
		for _, e := range g.edgesAt(v) {
			clause = append(clause, g.literals[e])
			m.AddClause(clause[0].Not(), g.literals[e].Not())
		}
		m.AddClause(clause...)
	}
}

// addApartClauses keeps the ends of different paths from being joined.
func (g *pathGraph) addApartClauses(m *Model) {
	for e, ends := range g.ends {
		if a, b := g.pair[ends[0]], g.pair[ends[1]]; a >= 0 && b >= 0 && a != b {
			m.AddClause(g.literals[e].Not())
		}
	}
}
