package csp

import "fmt"

// AddConnected requires the nodes whose literals are true to be connected: one or more edges
// lead from each of them to each other one over nodes that are true. Edges join nodes by their
// indices. No node or one node counts as connected. It fails if an edge does not join two
// nodes.
func (m *Model) AddConnected(nodes []BoolVar, edges [][2]int) error {
	c := &connected{
		nodes:  append([]BoolVar(nil), nodes...),
		beside: make([][]int32, len(nodes)),
		mark:   make([]int32, len(nodes)),
		low:    make([]int32, len(nodes)),
		next:   make([]int32, len(nodes)),
		parent: make([]int32, len(nodes)),
		needed: make([]int32, len(nodes)),
	}
	for _, e := range edges {
		for _, v := range e {
			if v < 0 || v >= len(nodes) {
				return fmt.Errorf("csp: edge %d-%d: expected nodes from 0 to %d", e[0], e[1], len(nodes)-1)
			}
		}
		c.beside[e[0]] = append(c.beside[e[0]], int32(e[1]))
		c.beside[e[1]] = append(c.beside[e[1]], int32(e[0]))
	}
	c.id = m.AddPropagator(c)
	for _, b := range c.nodes {
		m.Watch(c.id, b, 0)
		m.Watch(c.id, b.Not(), 0)
	}
	return nil
}

// connected is the propagator behind AddConnected. It keeps no state between calls: a
// depth-first search from a node that is true, over nodes that are not false, tells which
// nodes cannot be reached any more, and without which nodes another true one could not.
type connected struct {
	id     PropagatorID
	nodes  []BoolVar
	beside [][]int32 // by node: its neighbours

	// The search, by node: when it was reached, the earliest node that its subtree has an
	// edge to (Tarjan), the neighbour to look at next, the node it was reached from, and
	// a true node in its subtree, or -1.
	mark, low, next, parent, needed []int32
	clock                           int32
	order                           []int32
}

func (c *connected) Assigned(s *Search, _ BoolVar, _ int32) bool {
	s.Schedule(c.id)
	return true
}

func (c *connected) Unassigned(*Search, BoolVar, int32) {}

func (c *connected) Explain(_ *Search, _ BoolVar, _ int32, reason []BoolVar) []BoolVar {
	return reason // everything was explained when it was implied
}

func (c *connected) Propagate(s *Search) bool {
	root := int32(-1)
	for v, b := range c.nodes {
		if s.IsTrue(b) {
			root = int32(v)
			break
		}
	}
	if root < 0 {
		return true // any one node, or none, is connected
	}
	base := c.clock
	c.explore(s, root, -1)
	return c.forbidUnreached(s, root, base) && c.requireCuts(s, root)
}

// explore searches depth first from a node, over nodes that are not false and without
// one of them (-1: with all).
func (c *connected) explore(s *Search, root, without int32) {
	base := c.clock
	c.order = c.order[:0]
	c.enter(s, root, -1)
	for v := root; v >= 0; {
		if int(c.next[v]) == len(c.beside[v]) {
			u := c.parent[v]
			if u >= 0 {
				c.low[u] = min(c.low[u], c.low[v])
				if c.needed[u] < 0 {
					c.needed[u] = c.needed[v]
				}
			}
			v = u
			continue
		}
		w := c.beside[v][c.next[v]]
		c.next[v]++
		switch {
		case w == without || s.IsFalse(c.nodes[w]):
		case c.mark[w] > base:
			c.low[v] = min(c.low[v], c.mark[w])
		default:
			c.enter(s, w, v)
			v = w
		}
	}
}

func (c *connected) enter(s *Search, v, parent int32) {
	c.clock++
	c.mark[v], c.low[v] = c.clock, c.clock
	c.next[v], c.parent[v], c.needed[v] = 0, parent, -1
	if s.IsTrue(c.nodes[v]) {
		c.needed[v] = v
	}
	c.order = append(c.order, v)
}

// border appends to s.explained the negations of the false nodes beside those that the
// last search, which began at clock base, reached.
func (c *connected) border(s *Search, base int32) {
	for _, v := range c.order {
		for _, w := range c.beside[v] {
			if c.mark[w] <= base && s.IsFalse(c.nodes[w]) {
				s.explained = append(s.explained, c.nodes[w].Not())
			}
		}
	}
}

// forbidUnreached rules out the nodes that the search from root, which began at clock
// base, did not reach.
func (c *connected) forbidUnreached(s *Search, root, base int32) bool {
	begin := len(s.explained)
	defer func() { s.explained = s.explained[:begin] }()
	for v, b := range c.nodes {
		if c.mark[v] > base || s.IsFalse(b) {
			continue
		}
		if len(s.explained) == begin {
			s.explained = append(s.explained, c.nodes[root])
			c.border(s, base)
		}
		if !s.ImplyBecause(b.Not(), s.explained[begin:]...) {
			return false
		}
	}
	return true
}

// requireCuts requires the nodes without which a true node could not be reached from
// root. It spoils the search's results once it has one to require: the next one follows
// when it is called again.
func (c *connected) requireCuts(s *Search, root int32) bool {
	for _, v := range c.order[1:] {
		u := c.parent[v]
		if u == root || c.needed[v] < 0 || c.low[v] < c.mark[u] || !s.IsFree(c.nodes[u]) {
			continue
		}
		goal := c.needed[v]
		base := c.clock
		c.explore(s, goal, u)
		begin := len(s.explained)
		s.explained = append(s.explained, c.nodes[root], c.nodes[goal])
		c.border(s, base)
		ok := s.ImplyBecause(c.nodes[u], s.explained[begin:]...)
		s.explained = s.explained[:begin]
		return ok // its assignment schedules another call
	}
	return true
}
