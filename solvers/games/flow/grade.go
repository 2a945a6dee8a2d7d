package flow

import (
	"context"

	"tapwise/solvers"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/reason"
)

// Grade is how hard the puzzle is, by the steps of its pipes and the colours of its cells.
func (p *Puzzle) Grade(ctx context.Context) (solvers.Grade, error) {
	found, err := p.Solve(ctx)
	if err != nil {
		return solvers.Grade{}, err
	}
	m, err := p.model(0, p.canColor())
	if err != nil {
		return solvers.Grade{}, err
	}
	return (&asked{model: m, on: m.taken(found.(*Solution))}).question().Grade(ctx)
}

// asked is a puzzle whose grade is asked for. Its variables are the edges and, if the model tells pipes
// apart, the colours of nodes; the last colour is that of no pipe.
type asked struct {
	*model
	on     []bool  // by edge, as found
	colour []int   // by node, as found
	at     [][]int // by node: its edges
}

// The conditions of the rules: what is at a node, and all of them.
type (
	pipeAt   int
	allPipes struct{}
)

func (a *asked) question() reason.Question {
	a.at, a.colour = make([][]int, len(a.cells)), make([]int, len(a.cells))
	for i, e := range a.graph {
		a.at[e.A], a.at[e.B] = append(a.at[e.A], i), append(a.at[e.B], i)
	}
	for v := range a.colour {
		a.colour[v] = len(a.pairs)
	}
	for k, path := range a.walk(a.on) {
		for _, v := range path {
			a.colour[v] = k
		}
	}
	q := reason.Question{Size: len(a.edges), Post: a.post, Grounds: []reason.Ground{{Of: allPipes{}}}}
	if a.colored {
		q.Size += len(a.cells)
	}
	for v, edges := range a.at {
		scope := append([]int{}, edges...)
		if a.colored {
			scope = append(scope, len(a.edges)+v)
			for _, e := range edges {
				scope = append(scope, len(a.edges)+a.across(e, v))
			}
			if a.end[v] {
				q.Grounds = append(q.Grounds, reason.Ground{Scope: []int{len(a.edges) + v}})
			}
		}
		q.Grounds = append(q.Grounds, reason.Ground{Scope: scope, Of: pipeAt(v), Open: true})
	}
	return q
}

// across is the other node of an edge.
func (a *asked) across(e, v int) int { return a.graph[e].A ^ a.graph[e].B ^ v }

// posted are conditions as constraints, with the literals that were asked for.
type posted struct {
	*csp.Model
	*asked
	edge   map[int]csp.BoolVar
	colour map[int][]csp.BoolVar
}

func (a *asked) post(grounds []reason.Ground) (*csp.Model, func(v int) []csp.BoolVar) {
	p := &posted{asked: a, edge: map[int]csp.BoolVar{}, colour: map[int][]csp.BoolVar{}}
	if len(grounds) > 0 && grounds[0].Of == (allPipes{}) {
		m, _ := a.puzzle.model(0, a.colored) // as before
		p.Model = m.Model
		for e, literal := range m.edges {
			p.edge[e] = literal
		}
		for v := range a.colour {
			for k := range len(a.pairs) {
				if a.colored {
					p.colour[v] = append(p.colour[v], m.colors.Color(v, k))
				}
			}
			if a.colored {
				p.colour[v] = append(p.colour[v], m.colors.Unused(m.Model, v))
			}
		}
		return p.Model, p.of
	}
	p.Model = csp.NewModel(csp.Config{})
	for _, g := range grounds {
		if v, ok := g.Of.(pipeAt); ok {
			p.pipe(int(v))
		} else {
			p.AddClause(p.of(g.Scope[0])[0])
		}
	}
	return p.Model, p.of
}

// of are the literals that a variable is as it was found.
func (p *posted) of(v int) []csp.BoolVar {
	if v < len(p.on) {
		return reason.As(p.edgeAt(v), p.on[v])
	}
	return reason.Only(p.colourAt(v-len(p.on)), p.asked.colour[v-len(p.on)])
}

func (p *posted) edgeAt(e int) csp.BoolVar {
	b, ok := p.edge[e]
	if !ok {
		b = p.NewBoolVar()
		p.edge[e] = b
	}
	return b
}

func (p *posted) colourAt(v int) []csp.BoolVar {
	of := p.colour[v]
	if of == nil {
		of = p.NewBoolVars(len(p.pairs) + 1)
		p.AddExactlyOne(of...)
		if p.end[v] || p.puzzle.covering {
			p.AddClause(of[len(p.pairs)].Not())
		}
		p.colour[v] = of
	}
	return of
}

// pipe is the condition that a pipe ends at a node, or goes through it, or none is there, and that what
// an edge joins is of one colour.
func (p *posted) pipe(v int) {
	var edges []csp.BoolVar
	for _, e := range p.at[v] {
		edges = append(edges, p.edgeAt(e))
	}
	var here []csp.BoolVar
	used := p.True()
	if p.colored {
		here = p.colourAt(v)
		used = here[len(p.pairs)].Not()
	} else if !p.end[v] && !p.puzzle.covering {
		used = p.NewBoolVar()
	}
	if p.end[v] {
		p.AddExactlyOne(edges...)
	} else {
		both := csp.NewLinearExpr()
		for _, b := range edges {
			both.Add(b)
			p.AddImplication(b, used)
		}
		p.AddLinearConstraint(both, 2, 2, used)
	}
	for i, e := range p.at[v] {
		if p.colored {
			for k, there := range p.colourAt(p.across(e, v)) {
				p.AddClause(edges[i].Not(), here[k].Not(), there)
				p.AddClause(edges[i].Not(), here[k], there.Not())
			}
		}
	}
}
