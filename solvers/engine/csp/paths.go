package csp

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
	// Shallow looks at connectivity, and at the degrees as a whole, only where nothing is
	// decided yet. Loops and colours are still watched throughout. It pays if there are many
	// paths: their interactions then matter more, and are learned more cheaply.
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
