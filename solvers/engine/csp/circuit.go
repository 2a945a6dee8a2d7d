package csp

import "fmt"

// Arc is a directed edge from Tail to Head. It is chosen when Literal is true.
type Arc struct {
	Tail, Head int
	Literal    BoolVar
}

// AddCircuit requires the chosen arcs to form one circuit through all nodes
// that appear in arcs. A node with an arc to itself may be left out: that arc
// is chosen when it is. At least one node must be on the circuit, unless there are
// no arcs. It fails when a node is negative.
func (m *Model) AddCircuit(arcs []Arc) error {
	nodes := 0
	for _, a := range arcs {
		if a.Tail < 0 || a.Head < 0 {
			return fmt.Errorf("csp: arc %d-%d: expected nodes that are not negative", a.Tail, a.Head)
		}
		nodes = max(nodes, a.Tail+1, a.Head+1)
	}
	if len(arcs) == 0 {
		return nil
	}
	c := newCircuit(nodes, arcs)
	c.addDegrees(m)
	c.id = m.AddPropagator(c)
	for i, a := range c.arcs {
		if a.Tail != a.Head {
			m.Watch(c.id, a.Literal, int32(2*i))
			m.Watch(c.id, a.Literal.Not(), int32(2*i+1))
		}
	}
	for v, b := range c.self {
		m.Watch(c.id, b.Not(), int32(2*(len(c.arcs)+v)))
	}
	return nil
}

func newCircuit(nodes int, arcs []Arc) *circuit {
	c := &circuit{
		nodes:    nodes,
		arcs:     append([]Arc(nil), arcs...),
		out:      make([][]int32, nodes),
		in:       make([][]int32, nodes),
		self:     make([]BoolVar, nodes),
		next:     make([]int32, nodes),
		previous: make([]int32, nodes),
		mark:     make([]int32, nodes),
	}
	for v := range nodes {
		c.next[v], c.previous[v] = -1, -1
	}
	return c
}

// addDegrees lets one arc enter and one leave each node, and lists the arcs by
// node.
func (c *circuit) addDegrees(m *Model) {
	leaving := make([][]BoolVar, c.nodes)
	entering := make([][]BoolVar, c.nodes)
	for i, a := range c.arcs {
		leaving[a.Tail] = append(leaving[a.Tail], a.Literal)
		entering[a.Head] = append(entering[a.Head], a.Literal)
		if a.Tail == a.Head {
			// Several are as good as one: exactly one arc leaves the node.
			self := a.Literal
			if c.self[a.Tail] != 0 {
				self = m.NewBoolVar()
				m.AddClause(self.Not(), c.self[a.Tail], a.Literal)
				m.AddImplication(c.self[a.Tail], self)
				m.AddImplication(a.Literal, self)
			}
			c.self[a.Tail] = self
			continue
		}
		c.out[a.Tail] = append(c.out[a.Tail], int32(i))
		c.in[a.Head] = append(c.in[a.Head], int32(i))
	}
	some := make([]BoolVar, 0, c.nodes)
	for v := range c.nodes {
		if len(leaving[v]) == 0 && len(entering[v]) == 0 {
			c.self[v] = m.True() // appears in no arc
			continue
		}
		m.AddExactlyOne(leaving[v]...)
		m.AddExactlyOne(entering[v]...)
		if c.self[v] == 0 {
			c.self[v] = m.False()
		}
		some = append(some, c.self[v].Not())
	}
	m.AddClause(some...)
}

// circuit is the propagator behind AddCircuit. Other constraints see to it that
// each node has one arc in and one out; this one forbids a second circuit and
// choices that leave a node out of reach.
type circuit struct {
	id             PropagatorID
	nodes          int
	arcs           []Arc
	out, in        [][]int32 // arcs by node, without those to itself
	self           []BoolVar // true when the node is left out
	next, previous []int32   // chosen arcs by node, or -1
	undo           []bool    // for each chosen arc: whether it was entered in next
	mark           []int32
	clock          int32
	queue          []int32
}

func (c *circuit) Assigned(s *Search, _ BoolVar, tag int32) bool {
	if tag&1 == 0 && int(tag/2) < len(c.arcs) {
		a := &c.arcs[tag/2]
		fine := c.next[a.Tail] < 0 && c.previous[a.Head] < 0
		c.undo = append(c.undo, fine)
		if !fine {
			other := c.next[a.Tail]
			if other < 0 {
				other = c.previous[a.Head]
			}
			return s.Conflict(a.Literal, c.arcs[other].Literal)
		}
		c.next[a.Tail], c.previous[a.Head] = tag/2, tag/2
	}
	s.schedule(c.id)
	return true
}

func (c *circuit) Unassigned(_ *Search, _ BoolVar, tag int32) {
	if tag&1 == 0 && int(tag/2) < len(c.arcs) {
		fine := c.undo[len(c.undo)-1]
		c.undo = c.undo[:len(c.undo)-1]
		if fine {
			a := &c.arcs[tag/2]
			c.next[a.Tail], c.previous[a.Head] = -1, -1
		}
	}
}

func (c *circuit) Propagate(s *Search) bool {
	// Circuits that are closed leave no room for other nodes, and chains must
	// not close while other nodes wait.
	needed := int32(-1) // a node that cannot be left out
	for v := range c.nodes {
		if s.values[c.self[v]] < 0 {
			needed = int32(v)
			break
		}
	}
	c.clock++
	for v := range c.nodes {
		if c.next[v] < 0 || c.mark[v] == c.clock {
			continue
		}
		first, closed := c.beginning(int32(v))
		begin := len(s.explained)
		last := c.markChain(s, first)
		var ok bool
		if closed {
			ok = c.leaveOut(s, first, begin)
		} else {
			ok = c.keepOpen(s, first, last, begin)
		}
		s.explained = s.explained[:begin]
		if !ok {
			return false
		}
	}
	if needed < 0 {
		return true
	}
	return c.reach(s, needed, c.out, true) && c.reach(s, needed, c.in, false)
}

// beginning is the first node of the chain that node v is on. On a circuit, which
// is closed, it is v.
func (c *circuit) beginning(v int32) (first int32, closed bool) {
	first = v
	for c.previous[first] >= 0 {
		first = int32(c.arcs[c.previous[first]].Tail)
		if first == v {
			return first, true
		}
	}
	return first, false
}

// markChain marks the nodes of the chain or circuit that starts at first, appends
// its arcs to s.explained, and returns its last node.
func (c *circuit) markChain(s *Search, first int32) (last int32) {
	last = first
	for {
		c.mark[last] = c.clock
		e := c.next[last]
		if e < 0 {
			return last
		}
		s.explained = append(s.explained, c.arcs[e].Literal)
		last = int32(c.arcs[e].Head)
		if last == first {
			return last
		}
	}
}

// leaveOut has all nodes left out that are not on the circuit that starts at
// first. Its arcs stand in s.explained from begin on.
func (c *circuit) leaveOut(s *Search, first int32, begin int) bool {
	chain := s.explained[begin:]
	for w := range c.nodes {
		if c.mark[w] != c.clock || !c.within(first, int32(w)) {
			if !s.ImplyBecause(c.self[w], chain...) {
				return false
			}
		}
	}
	return true
}

// keepOpen keeps the chain from first to last from being closed while a node that
// is not on it cannot be left out. Its arcs stand in s.explained from begin on.
func (c *circuit) keepOpen(s *Search, first, last int32, begin int) bool {
	outside := c.neededOutside(s, first)
	if outside < 0 {
		return true
	}
	s.explained = append(s.explained, c.self[outside].Not())
	for _, e := range c.out[last] {
		if int32(c.arcs[e].Head) == first {
			if !s.ImplyBecause(c.arcs[e].Literal.Not(), s.explained[begin:]...) {
				return false
			}
		}
	}
	return true
}

// within reports whether node w is on the chain or circuit that starts at first.
func (c *circuit) within(first, w int32) bool {
	for v := first; ; {
		if v == w {
			return true
		}
		e := c.next[v]
		if e < 0 {
			return false
		}
		v = int32(c.arcs[e].Head)
		if v == first {
			return false
		}
	}
}

// neededOutside returns a node that cannot be left out and is not on the
// chain that starts at first, or -1.
func (c *circuit) neededOutside(s *Search, first int32) int32 {
	for w := range c.nodes {
		if s.values[c.self[w]] < 0 && !c.within(first, int32(w)) {
			return int32(w)
		}
	}
	return -1
}

// reach makes all nodes that cannot be reached from a needed one be left out.
func (c *circuit) reach(s *Search, from int32, arcs [][]int32, forward bool) bool {
	c.clock++
	c.queue = append(c.queue[:0], from)
	c.mark[from] = c.clock
	other := func(e int32) int32 {
		if forward {
			return int32(c.arcs[e].Head)
		}
		return int32(c.arcs[e].Tail)
	}
	for i := 0; i < len(c.queue); i++ {
		for _, e := range arcs[c.queue[i]] {
			if w := other(e); c.mark[w] != c.clock && s.values[c.arcs[e].Literal] >= 0 {
				c.mark[w] = c.clock
				c.queue = append(c.queue, w)
			}
		}
	}
	if len(c.queue) == c.nodes {
		return true
	}
	begin := len(s.explained)
	s.explained = append(s.explained, c.self[from].Not())
	for _, v := range c.queue {
		for _, e := range arcs[v] {
			if c.mark[other(e)] != c.clock {
				s.explained = append(s.explained, c.arcs[e].Literal.Not())
			}
		}
	}
	ok := true
	for v := range c.nodes {
		if ok && c.mark[v] != c.clock {
			ok = s.ImplyBecause(c.self[v], s.explained[begin:]...)
		}
	}
	s.explained = s.explained[:begin]
	return ok
}

func (c *circuit) Explain(_ *Search, _ BoolVar, _ int32, reason []BoolVar) []BoolVar {
	return reason // everything was explained when it was implied
}
