package csp

import "math/bits"

// Propagate looks at which nodes are still connected.
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

// route looks at the nodes and edges that the path of pair k may use. It requires
// the path to go through the nodes that all its ways pass, and keeps it out of dead
// ends.
func (g *pathGraph) route(s *Search, k int) bool {
	a, b := int32(g.pairs[k][0]), int32(g.pairs[k][1])
	base := g.clock
	g.explore(s, a, k)
	if g.mark[b] <= base {
		s.conflict = g.cut(s, a, -1, k, int32(len(s.trail)), s.conflict[:0])
		return false
	}
	g.requireCuts(s, a, b, k)
	return g.forbidHanging(s, a, k) && g.forbidUnreached(s, k, base)
}

// explore searches depth first from node a through the nodes and edges that the
// path of pair k may use. low becomes the earliest node that a subtree has an edge
// to (Tarjan).
func (g *pathGraph) explore(s *Search, a int32, k int) {
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
			return
		}
		u := g.across(e, v)
		g.low[u] = min(g.low[u], g.low[v])
		v = u
	}
}

// across is the other end of edge e, seen from node v.
func (g *pathGraph) across(e, v int32) int32 { return g.ends[e][0] ^ g.ends[e][1] ^ v }

// requireCuts climbs the tree of explore from b to a: a node on the way without
// which b is out of reach is on the path. The way is marked with low = 0.
func (g *pathGraph) requireCuts(s *Search, a, b int32, k int) {
	for v := b; v != a; {
		u := g.across(g.parent[v], v)
		if u != a && g.low[v] >= g.mark[u] && s.values[g.color(u, k)] == 0 {
			s.assign(g.color(u, k), reason{ref: refPropagator - int32(g.id), aux: tagOf(becauseCut, 0)})
		}
		g.low[v] = 0
		v = u
	}
	g.low[a] = 0
}

// forbidHanging keeps the path out of the parts that only a single node joins to
// the way from a: it would pass that node twice. next becomes that node.
func (g *pathGraph) forbidHanging(s *Search, a int32, k int) bool {
	for _, v := range g.order[1:] { // in the order of discovery
		u := g.across(g.parent[v], v)
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
	return true
}

// forbidUnreached keeps the path out of the nodes that explore, which began at
// clock base, did not come to.
func (g *pathGraph) forbidUnreached(s *Search, k int, base int32) bool {
	if len(g.order) == g.nodes {
		return true
	}
	bit := uint64(1) << k
	for v, d := range g.domain {
		if d&bit != 0 && g.mark[v] <= base {
			if !s.Imply(g.id, g.color(int32(v), k).Not(), tagOf(becauseHanging, 0)) {
				return false
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

// connected checks, without colours, that both ends of each pair are in one
// connected component of the graph without the edges ruled out.
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
