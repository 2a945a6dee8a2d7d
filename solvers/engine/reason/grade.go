package reason

import (
	"cmp"
	"context"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/engine/csp"
)

// followConflicts is how many conflicts of the engine it may take to see what follows from one
// condition. Conditions about some cells take a few.
const followConflicts = 10_000

// mostTrials bounds the trials of a round times the variables of the puzzle: a few seconds. What is
// left of a larger board is left to a search. It depends on the puzzle alone, as the grade must.
const mostTrials = 10_000_000

// As is a literal alone, or its negation.
func As(literal csp.BoolVar, holds bool) []csp.BoolVar {
	if !holds {
		literal = literal.Not()
	}
	return []csp.BoolVar{literal}
}

// Only are the literals that the k-th of some is true and the others are not; none is where there
// is no k-th.
func Only(of []csp.BoolVar, k int) (literals []csp.BoolVar) {
	for i, literal := range of {
		if i == k {
			literals = slices.Insert(literals, 0, literal)
		} else {
			literals = append(literals, literal.Not())
		}
	}
	return literals
}

// fact is something that is true of a variable in the solution: the index of a literal of it.
type fact struct{ variable, literal int }

// rounds is a puzzle on the way to its solution.
type rounds struct {
	Question
	ctx   context.Context
	all   posted         // with all grounds and what is known
	known [][]bool       // by variable, and by literal of it
	about [][]int        // by variable: the grounds about it and others
	stale []bool         // by ground: something has become known since it was looked at
	from  map[fact][]int // the grounds that a fact was taken from, in order; nil: nobody asks
}

// Grade solves the puzzle in rounds, each of which takes all that follows at the lowest level at
// which anything does. So it depends on the puzzle alone: no order of cells, conditions or values
// changes it. What is drawn counts as given. It fails with the context's error.
func (q Question) Grade(ctx context.Context) (solvers.Grade, error) {
	g := q.begin(ctx, nil)
	var grade solvers.Grade
	for {
		open := g.open()
		if len(open) == 0 {
			return grade, ctx.Err()
		}
		level, facts := g.round(open)
		if level > solvers.ByBoard {
			level, facts = g.together(open)
		}
		if ctx.Err() != nil {
			return solvers.Grade{}, ctx.Err()
		}
		grade.Count(level, variables(facts))
		if level == solvers.BySearch {
			return grade, nil
		}
		for _, f := range facts {
			g.learn(f)
		}
	}
}

// inRounds finds the step with the smallest reason among those that single conditions lead to one
// after the other, from one variable to the next; none where that leads to no step.
func (q Question) inRounds() (step int, best []Ground) {
	g := q.begin(context.Background(), map[fact][]int{})
	for {
		level, facts := g.round(g.open())
		if level > solvers.ByBoard {
			return 0, nil
		}
		var steps []fact
		for _, f := range facts {
			if f.literal == 0 && slices.Contains(g.Wanted, f.variable) {
				steps = append(steps, f)
			}
		}
		slices.SortStableFunc(steps, func(a, b fact) int { return len(g.from[a]) - len(g.from[b]) })
		for _, f := range steps[:min(len(steps), farSteps)] {
			grounds := chosen(g.Grounds, g.from[f])
			for range 2 { // what is about the most comes last, then first
				if reason := g.reason(grounds, f.variable); best == nil || len(reason) < len(best) {
					step, best = f.variable, reason
				}
				slices.Reverse(grounds)
			}
		}
		if best != nil {
			return step, best
		}
		for _, f := range facts {
			g.learn(f)
		}
	}
}

// begin takes what is given for known, and what the variables allow by themselves.
func (q Question) begin(ctx context.Context, from map[fact][]int) *rounds {
	if q.work == nil {
		q.work = new(int64)
	}
	q.Grounds = slices.Clip(q.Grounds)
	g := &rounds{Question: q, ctx: ctx, all: q.post(q.Grounds), known: make([][]bool, q.Size), about: make([][]int, q.Size), stale: slices.Repeat([]bool{true}, len(q.Grounds)), from: from}
	bare := g.post(nil)
	for v := range g.known {
		g.known[v] = make([]bool, len(g.all.of(v)))
		for i, literal := range bare.of(v) {
			g.known[v][i], _ = bare.m.Fixed(literal)
		}
	}
	for i, ground := range g.Grounds {
		for _, v := range ground.Scope {
			g.about[v] = append(g.about[v], i)
			for k := range g.known[v] {
				if ground.Known() {
					g.known[v][k] = true
					g.note(fact{v, k}, i)
				}
			}
		}
	}
	return g
}

// note keeps from which grounds something follows: one, and those of what is known of its variables.
func (g *rounds) note(f fact, ground int) {
	if g.from == nil {
		return
	}
	from := []int{ground}
	take := func(v int) {
		for k, known := range g.known[v] {
			if known {
				from = append(from, g.from[fact{v, k}]...)
			}
		}
	}
	switch scope := g.Grounds[ground].Scope; {
	case g.Grounds[ground].Known():
	case scope == nil:
		for v := range g.known {
			take(v)
		}
	default:
		for _, v := range scope {
			take(v)
		}
	}
	slices.Sort(from)
	if from = slices.Compact(from); g.from[f] == nil || len(from) < len(g.from[f]) {
		g.from[f] = from
	}
}

// open is what is not known.
func (g *rounds) open() (facts []fact) {
	for v, known := range g.known {
		for i, k := range known {
			if !k {
				facts = append(facts, fact{v, i})
			}
		}
	}
	return facts
}

// variables is how many variables facts are about. They are in order.
func variables(facts []fact) int {
	return len(slices.CompactFunc(slices.Clone(facts), func(a, b fact) bool { return a.variable == b.variable }))
}

func (g *rounds) learn(f fact) {
	g.known[f.variable][f.literal] = true
	g.all.m.AddClause(g.all.of(f.variable)[f.literal])
	for _, i := range g.about[f.variable] {
		g.stale[i] = true
	}
}

// round is what follows from single conditions: about some variables, or else about the whole board
// or a set of conditions.
func (g *rounds) round(open []fact) (solvers.Level, []fact) {
	var facts []fact
	take := func(i int, follow []fact) {
		for _, f := range follow {
			g.note(f, i)
		}
		facts = append(facts, follow...)
	}
	for i, stale := range g.stale {
		if ground := g.Grounds[i]; stale && ground.Scope != nil && !ground.Known() {
			take(i, g.byOne(ground))
			g.stale[i] = false
		}
	}
	if facts != nil {
		return solvers.ByCondition, ordered(facts)
	}
	for i := range g.stale {
		if g.Grounds[i].Scope == nil {
			take(i, g.byBoard(g.Grounds[i], open))
		}
	}
	if g.Sets != nil {
		for _, ground := range g.Sets(func(v int) bool { return g.known[v][0] }) {
			g.Grounds = append(g.Grounds, ground)
			take(len(g.Grounds)-1, g.byOne(ground))
		}
	}
	if facts != nil {
		return solvers.ByBoard, ordered(facts)
	}
	return solvers.ByAll, nil
}

// together is what follows from all conditions by propagation, or else by trial, or else by search.
func (g *rounds) together(open []fact) (level solvers.Level, facts []fact) {
	if facts = g.all.fixed(open); facts != nil {
		return solvers.ByAll, facts
	}
	for _, f := range open {
		if len(open)*g.Size <= mostTrials && g.ctx.Err() == nil && g.all.m.Refutes(g.all.of(f.variable)[f.literal].Not()) {
			facts = append(facts, f)
		}
	}
	if facts != nil {
		return solvers.ByTrial, facts
	}
	return solvers.BySearch, open
}

// ordered are facts in order, each once.
func ordered(facts []fact) []fact {
	slices.SortFunc(facts, func(a, b fact) int { return cmp.Or(a.variable-b.variable, a.literal-b.literal) })
	return slices.Compact(facts)
}

// fixed is what propagation shows.
func (p posted) fixed(open []fact) (facts []fact) {
	p.m.Propagate()
	for _, f := range open {
		if value, known := p.m.Fixed(p.of(f.variable)[f.literal]); known && value {
			facts = append(facts, f)
		}
	}
	return facts
}

// byBoard is what follows from a condition about the whole board by propagation.
func (g *rounds) byBoard(ground Ground, open []fact) []fact {
	p := g.post([]Ground{ground})
	for v, known := range g.known {
		for i, literal := range p.of(v) {
			if known[i] {
				p.m.AddClause(literal)
			}
		}
	}
	return p.fixed(open)
}

// byOne is all that follows from a condition and what is known of its variables.
func (g *rounds) byOne(ground Ground) (facts []fact) {
	bounded, release := csp.WithBudget(g.ctx, followConflicts)
	defer release()
	p := g.post([]Ground{ground})
	var open []fact
	var literals []csp.BoolVar
	for _, v := range ground.Scope {
		for i, literal := range p.of(v) {
			if g.known[v][i] {
				p.m.AddClause(literal)
			} else {
				open, literals = append(open, fact{v, i}), append(literals, literal)
			}
		}
	}
	otherwise := make([]bool, len(open)) // it was seen to be false in a way to fill the cells
	for i, literal := range literals {
		if otherwise[i] {
			continue
		}
		switch p.m.Solve(bounded, literal.Not()) {
		case csp.Infeasible:
			facts = append(facts, open[i])
		case csp.Feasible:
			for k, other := range literals {
				otherwise[k] = otherwise[k] || !p.m.Value(other)
			}
		}
	}
	return facts
}
