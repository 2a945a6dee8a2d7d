package csp

// degreeMatching is a propagator beside pathGraph for graphs whose every node
// must have its number of chosen edges. It decides whether the degrees alone
// can still be met, and finds every edge on which they leave no choice. Local
// counting cannot see that a region has more nodes of one side of a
// checkerboard than its pipes can take; learning that clause by clause takes time
// exponential in the region's size.
//
// In a graph with two sides it keeps a choice of edges that meets all degrees
// and searches it for alternating cycles: an edge can change only if it lies on
// one. A graph that is not two-sided (bipartite) is doubled: each node stands on
// both sides, each edge once in each direction. What is impossible in the doubled
// graph is impossible in the graph.
type degreeMatching struct {
	id       PropagatorID
	literals []BoolVar // of edges, shared with the pathGraph
	arcs     []degreeArc
	start    []int32 // by node: where its part of incident begins; left nodes first
	incident []int32 // arcs
	left     int32   // nodes on the left side
	need     []int8
	count    []int8 // arcs taken, by node
	taken    []bool // by arc: the choice
	saved    []bool

	mark, low, next, from []int32
	stack, queue          []int32
	component             []int32
	clock                 int32
}

type degreeArc struct {
	left, right int32 // nodes; those on the right are numbered on from the left
	edge        int32
}

// addDegreeMatching watches the edges of g, none of whose nodes is optional.
func (m *Model) addDegreeMatching(g *pathGraph) {
	d := &degreeMatching{literals: g.literals}
	if side, twoSided := g.sides(); twoSided {
		d.setTwoSided(g, side)
	} else {
		d.setDoubled(g)
	}
	d.setIncident()
	d.takeGreedily()
	d.id = m.AddPropagator(d)
	if g.shallow {
		return // it runs once, before anything is decided
	}
	for _, b := range d.literals {
		m.Watch(d.id, b, 0)
		m.Watch(d.id, b.Not(), 0)
	}
}

// setTwoSided takes over a graph with two sides. The nodes are numbered anew,
// those of side 1, the left, before those of side -1.
func (d *degreeMatching) setTwoSided(g *pathGraph, side []int8) {
	number := make([]int32, g.nodes)
	d.need = make([]int8, 0, g.nodes)
	for _, s := range []int8{1, -1} {
		for v := range number {
			if side[v] == s {
				number[v] = int32(len(d.need))
				d.need = append(d.need, g.need[v])
			}
		}
		if s == 1 {
			d.left = int32(len(d.need))
		}
	}
	d.arcs = make([]degreeArc, 0, len(g.ends))
	for e, ends := range g.ends {
		u, v := ends[0], ends[1]
		if side[u] < 0 {
			u, v = v, u
		}
		d.arcs = append(d.arcs, degreeArc{number[u], number[v], int32(e)})
	}
}

// setDoubled takes over a graph that is not two-sided: each node stands on both
// sides, each edge is an arc in each direction.
func (d *degreeMatching) setDoubled(g *pathGraph) {
	d.left = int32(g.nodes)
	d.need = append(append(make([]int8, 0, 2*g.nodes), g.need...), g.need...)
	d.arcs = make([]degreeArc, 0, 2*len(g.ends))
	for e, ends := range g.ends {
		u, v := ends[0], ends[1]
		d.arcs = append(d.arcs, degreeArc{u, v + d.left, int32(e)}, degreeArc{v, u + d.left, int32(e)})
	}
}

// setIncident lists the arcs at each node, and makes the scratch of searches.
func (d *degreeMatching) setIncident() {
	ends := make([][2]int32, len(d.arcs))
	for i, a := range d.arcs {
		ends[i] = [2]int32{a.left, a.right}
	}
	n := len(d.need)
	d.start, d.incident = incidence(n, ends)
	d.count = make([]int8, n)
	d.taken = make([]bool, len(d.arcs))
	d.saved = make([]bool, len(d.arcs))
	d.mark = make([]int32, n)
	d.low = make([]int32, n)
	d.next = make([]int32, n)
	d.from = make([]int32, n)
	d.component = make([]int32, n)
	d.stack = make([]int32, 0, n)
	d.queue = make([]int32, 0, n)
}

// takeGreedily makes a first choice, which is nearly right.
func (d *degreeMatching) takeGreedily() {
	for i, a := range d.arcs {
		if d.count[a.left] < d.need[a.left] && d.count[a.right] < d.need[a.right] {
			d.flip(int32(i))
		}
	}
}

// sides gives every node a side, 1 or -1, so that edges join different sides where
// that is possible, and reports whether all edges do.
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

func (d *degreeMatching) Assigned(s *Search, _ BoolVar, _ int32) bool {
	s.schedule(d.id)
	return true
}

func (d *degreeMatching) Unassigned(*Search, BoolVar, int32) {}

func (d *degreeMatching) Propagate(s *Search) bool {
	if !d.repair(s) {
		return false
	}
	d.filter(s)
	return true
}

func (d *degreeMatching) value(s *Search, arc int32) int8 {
	return s.values[d.literals[d.arcs[arc].edge]]
}

// flip takes an arc, or gives it up.
func (d *degreeMatching) flip(arc int32) {
	change := int8(1)
	if d.taken[arc] {
		change = -1
	}
	d.taken[arc] = !d.taken[arc]
	d.count[d.arcs[arc].left] += change
	d.count[d.arcs[arc].right] += change
}

// repair makes the choice agree with the assignment again.
func (d *degreeMatching) repair(s *Search) bool {
	changed := false
	for i, taken := range d.taken {
		v := d.value(s, int32(i))
		if v != 0 && (v > 0) != taken {
			if !changed {
				copy(d.saved, d.taken)
				changed = true
			}
			d.flip(int32(i))
		}
	}
	for v := range d.need {
		for d.count[v] != d.need[v] {
			if !changed {
				copy(d.saved, d.taken)
				changed = true
			}
			// On the left a missing arc and on the right one too many are
			// mended by paths that take from left to right.
			forward := (d.count[v] < d.need[v]) == (int32(v) < d.left)
			if !d.augment(s, int32(v), forward) {
				s.conflict = d.border(s, forward, int32(len(s.trail)), s.conflict[:0])
				for i, taken := range d.saved {
					if taken != d.taken[i] {
						d.flip(int32(i))
					}
				}
				return false
			}
		}
	}
	return true
}

// step reports whether an alternating path may leave node v along an arc: a
// forward path takes arcs from left to right and gives them up from right to
// left; any other does the opposite.
func (d *degreeMatching) step(v, arc int32, forward bool) bool {
	return d.taken[arc] != ((v < d.left) == forward)
}

func (d *degreeMatching) across(v, arc int32) int32 {
	return d.arcs[arc].left ^ d.arcs[arc].right ^ v
}

// augment flips an alternating path from v to a node whose count it mends, too. If
// there is none, the nodes that it can reach remain marked.
func (d *degreeMatching) augment(s *Search, v int32, forward bool) bool {
	d.clock++
	d.mark[v] = d.clock
	d.queue = append(d.queue[:0], v)
	for i := 0; i < len(d.queue); i++ {
		u := d.queue[i]
		for _, arc := range d.incident[d.start[u]:d.start[u+1]] {
			w := d.across(u, arc)
			if d.mark[w] == d.clock || d.value(s, arc) != 0 || !d.step(u, arc, forward) {
				continue
			}
			d.mark[w] = d.clock
			d.from[w] = arc
			// The last arc is taken if the path arrives where it takes.
			if d.taken[arc] && d.count[w] > d.need[w] || !d.taken[arc] && d.count[w] < d.need[w] {
				for w != v {
					arc := d.from[w]
					w = d.across(w, arc)
					d.flip(arc)
				}
				return true
			}
			d.queue = append(d.queue, w)
		}
	}
	return false
}

// border appends the assigned edges that keep a path in the marked nodes: those
// that might be taken on the way out but are ruled out, and those that might be
// given up but are chosen.
func (d *degreeMatching) border(s *Search, forward bool, at int32, to []BoolVar) []BoolVar {
	for i := range d.arcs {
		a := &d.arcs[i]
		in := d.mark[a.left] == d.clock
		if in == (d.mark[a.right] == d.clock) {
			continue
		}
		p := d.literals[a.edge]
		if s.values[p] == 0 || s.positions[p>>1] >= at {
			continue
		}
		if in == forward {
			if s.values[p] < 0 {
				to = append(to, p.Not())
			}
		} else if s.values[p] > 0 {
			to = append(to, p)
		}
	}
	return to
}

// filter implies the edges that no alternating cycle contains: those between two
// strong components of the residual graph.
func (d *degreeMatching) filter(s *Search) {
	d.findComponents(s)
	for i := range d.arcs {
		a := &d.arcs[i]
		if d.component[a.left] == d.component[a.right] {
			continue
		}
		p := d.literals[a.edge]
		if s.values[p] != 0 {
			continue
		}
		if !d.taken[i] {
			p = p.Not()
		}
		s.assign(p, reason{ref: refPropagator - int32(d.id), aux: int32(i)})
	}
}

// findComponents numbers the strong components of the residual graph (Tarjan).
func (d *degreeMatching) findComponents(s *Search) {
	base := d.clock
	components := int32(0)
	d.stack = d.stack[:0]
	for root := range d.need {
		if d.mark[root] > base {
			continue
		}
		d.from[root] = -1
		for v := d.open(int32(root)); ; {
			end := d.start[v+1]
			i := d.next[v]
			child := int32(-1)
			for ; i < end; i++ {
				arc := d.incident[i]
				if d.value(s, arc) != 0 || !d.step(v, arc, true) {
					continue
				}
				w := d.across(v, arc)
				if d.mark[w] <= base {
					child = w
					d.from[w] = v
					i++
					break
				}
				if d.component[w] < 0 {
					d.low[v] = min(d.low[v], d.mark[w])
				}
			}
			d.next[v] = i
			if child >= 0 {
				v = d.open(child)
				continue
			}
			if d.low[v] == d.mark[v] {
				d.closeComponent(v, components)
				components++
			}
			u := d.from[v]
			if u < 0 {
				break
			}
			d.low[u] = min(d.low[u], d.low[v])
			v = u
		}
	}
}

// closeComponent takes the component of which v was found first off the stack.
func (d *degreeMatching) closeComponent(v, component int32) {
	for {
		w := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		d.component[w] = component
		if w == v {
			return
		}
	}
}

// open marks a node as found, and puts it on the stack.
func (d *degreeMatching) open(v int32) int32 {
	d.clock++
	d.mark[v] = d.clock
	d.low[v] = d.clock
	d.component[v] = -1
	d.next[v] = d.start[v]
	d.stack = append(d.stack, v)
	return v
}

// Explain finds the nodes that an alternating path that sets out along the edge can
// reach. The choice may have changed since, but a choice that agrees with more
// assignments agrees with fewer.
func (d *degreeMatching) Explain(s *Search, literal BoolVar, arc int32, reason []BoolVar) []BoolVar {
	at := s.positions[literal>>1]
	// A path that takes the arc goes on from its right node, one that gives it
	// up from its left node.
	v := d.arcs[arc].right
	if s.values[d.literals[d.arcs[arc].edge]] > 0 {
		v = d.arcs[arc].left
	}
	d.clock++
	d.mark[v] = d.clock
	d.queue = append(d.queue[:0], v)
	for i := 0; i < len(d.queue); i++ {
		u := d.queue[i]
		for _, arc := range d.incident[d.start[u]:d.start[u+1]] {
			w := d.across(u, arc)
			if d.mark[w] == d.clock || !d.step(u, arc, true) {
				continue
			}
			if p := d.literals[d.arcs[arc].edge]; s.values[p] != 0 && s.positions[p>>1] < at {
				continue
			}
			d.mark[w] = d.clock
			d.queue = append(d.queue, w)
		}
	}
	return d.border(s, true, at, reason)
}
