package csp

// Explain appends the literals that implied an edge or a colour.
func (g *pathGraph) Explain(s *Search, literal BoolVar, tag int32, reason []BoolVar) []BoolVar {
	payload := tag >> reasonKindBits
	kind := int(tag & (1<<reasonKindBits - 1))
	if literal >= g.firstColor && g.colors > 0 && int(literal-g.firstColor) < 2*g.colors*g.nodes {
		return g.explainColor(s, literal, kind, payload, reason)
	}
	return g.explainEdge(s, literal, kind, payload, reason)
}

// explainColor appends what implied the literal of a colour.
func (g *pathGraph) explainColor(s *Search, literal BoolVar, kind int, payload int32, reason []BoolVar) []BoolVar {
	at := s.positions[literal>>1]
	i := int32(literal-g.firstColor) / 2
	v, k := i/int32(g.colors), int(i)%g.colors
	switch kind {
	case becauseJoined:
		w := g.across(payload, v)
		return append(reason, g.literals[payload], g.color(w, k)|literal&1)
	case becauseChord:
		w := g.across(payload, v)
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

// explainEdge appends what implied the literal of an edge.
func (g *pathGraph) explainEdge(s *Search, literal BoolVar, kind int, payload int32, reason []BoolVar) []BoolVar {
	at := s.positions[literal>>1]
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

// explainDegree appends what implied the literal of an edge at node v, by the
// number of edges there at a time.
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

// walk appends the chosen edges on the way from node a to node b. It uses only
// edges that were chosen no later than edge last, and does not set out along edge
// came. With b negative it goes on to the end of the fragment.
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

// cut appends the literals that separated, at a time, the nodes that a path of
// colour k can reach from a node without entering block from all others.
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
