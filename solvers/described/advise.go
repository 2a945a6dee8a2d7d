package described

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine"
	"tapwise/solvers/engine/csp"
)

// The bounds of a search for a reason, in conflicts of the engine: for the solution, and for
// whether a step follows from some grounds. Those that people see at once follow with a few.
const (
	solutionConflicts = 200_000
	reasonConflicts   = 300
	// farSteps is how many steps are tried where none follows from a single condition.
	farSteps = 6
	// enoughReasons is how many reasons of a single condition are compared.
	enoughReasons = 24
)

// ground is something that a step may follow from: a condition of a rule, or what is known of a
// variable because it is drawn.
type ground struct {
	rule  string // empty for what is drawn
	term  *term
	scope []int // the variables that it is about; nil for all of them
}

// given reports whether the ground is about one variable: a clue, or something drawn.
func (g ground) given() bool { return len(g.scope) == 1 }

// reasoner looks for the smallest reason for a step.
type reasoner struct {
	*Puzzle
	values  []int // of the solution
	grounds []ground
	known   []bool // by variable: some ground is about it alone
	wanted  []int  // the variables of steps that are missing
}

// Advise finds a step that follows from what is drawn, and the smallest reason that it knows: one
// condition of a rule and the cells that it needs, or else some conditions together, none of which
// can be left out. What is drawn wrong is not taken for known.
func (p *Puzzle) Advise(drawn solvers.Solution) *solvers.Advice {
	r := p.reasoner(drawn)
	if r == nil {
		return nil
	}
	v, reason := r.best()
	if reason == nil {
		return nil
	}
	return r.advice(v, reason)
}

// best is the variable of a missing step with the smallest reason, which is nil where none is known.
func (r *reasoner) best() (v int, reason []ground) {
	if v, reason = r.single(); reason != nil {
		return v, reason
	}
	return r.together()
}

func (p *Puzzle) reasoner(drawn solvers.Solution) *reasoner {
	bounded, release := csp.WithBudget(context.Background(), solutionConflicts)
	defer release()
	found, err := solvers.SolveFirst(bounded, p)
	if err != nil {
		return nil
	}
	solution := found.(*Solution)
	r := &reasoner{Puzzle: p, values: solution.values, known: make([]bool, p.givens.layout.n)}
	on, _ := drawn.(*Solution)
	for i, s := range solution.Steps(drawn) {
		for _, v := range solution.moves()[i].values {
			if !s.Drawn {
				r.wanted = append(r.wanted, v)
			} else if on != nil {
				r.known[v] = true
				r.grounds = append(r.grounds, ground{scope: []int{v}})
			}
		}
	}
	for _, rule := range p.rules {
		for _, t := range rule.terms {
			r.add(rule.name, t)
		}
	}
	return r
}

// add adds a condition, part by part.
func (r *reasoner) add(rule string, t *term) {
	if t.op == opAnd {
		for _, a := range t.args {
			r.add(rule, a)
		}
		return
	}
	g := ground{rule: rule, term: t, scope: r.scopeOf(t)}
	if g.given() {
		r.known[g.scope[0]] = true
	}
	if g.scope == nil || len(g.scope) > 0 {
		r.grounds = append(r.grounds, g)
	}
}

// scopeOf is the variables of a term in order, nil where it is about the whole board.
func (r *reasoner) scopeOf(t *term) []int {
	scope, seen, whole := []int{}, map[*term]bool{}, false
	var visit func(*term)
	visit = func(t *term) {
		if seen[t] {
			return
		}
		seen[t] = true
		different, ok := t.detail.(*allDifferent)
		whole = whole || t.op == opGlobal && !ok || t.op == opWay || t.op == opBeam
		if ok {
			for _, a := range different.terms {
				visit(a)
			}
		}
		if t.op == opVar {
			scope = append(scope, t.k)
		}
		for _, a := range t.args {
			visit(a)
		}
	}
	visit(t)
	if whole {
		return nil
	}
	slices.Sort(scope)
	return slices.Compact(scope)
}

// post tells grounds to the engine.
func (r *reasoner) post(grounds []ground) *poster {
	p, _ := newPoster(r.givens.layout)
	for _, g := range grounds {
		if g.rule == "" {
			p.m.AddClause(r.as(p, g.scope[0]))
		} else {
			p.require(g.term)
		}
	}
	return p
}

// as is the literal that a variable is as in the solution.
func (r *reasoner) as(p *poster, v int) csp.BoolVar {
	switch l, _ := r.layerOf(v); {
	case l.kind == symbolsLayer || l.kind == numbersLayer:
		return p.m.Equal(p.integer[v], r.values[v])
	case r.values[v] == 1:
		return p.variable[v]
	}
	return p.variable[v].Not()
}

// layerOf is the layer of a variable, and its number there.
func (r *reasoner) layerOf(v int) (*layer, int) {
	layout := r.givens.layout
	i := len(layout.first) - 1
	for layout.first[i] > v {
		i--
	}
	return layout.layers[i], v - layout.first[i]
}

// follows reports whether a variable must be as it is, by what was posted.
func (r *reasoner) follows(p *poster, v int) bool {
	bounded, release := csp.WithBudget(context.Background(), reasonConflicts)
	defer release()
	return p.m.Solve(bounded, r.as(p, v).Not()) == csp.Infeasible
}

// reason leaves out what is not needed of grounds from which a variable follows.
func (r *reasoner) reason(grounds []ground, v int) []ground {
	var kept []ground
	for _, i := range engine.Core(len(grounds), func(kept []int) bool {
		return r.follows(r.post(chosen(grounds, kept)), v)
	}) {
		kept = append(kept, grounds[i])
	}
	return kept
}

func chosen(grounds []ground, indices []int) []ground {
	picked := make([]ground, len(indices))
	for i, k := range indices {
		picked[i] = grounds[k]
	}
	return picked
}

// single finds the step with the smallest reason among those that follow from one condition and
// what is known of its cells. Conditions about few cells come first.
func (r *reasoner) single() (step int, best []ground) {
	var conditions []ground
	for _, g := range r.grounds {
		if !g.given() {
			conditions = append(conditions, g)
		}
	}
	slices.SortStableFunc(conditions, func(a, b ground) int { return cmp.Compare(r.size(a), r.size(b)) })
	found := 0
	for _, g := range conditions {
		if best != nil && r.size(g) > 2*len(best) && found > 0 {
			break
		}
		grounds := append([]ground{g}, r.clues(g.scope)...)
		var p *poster
		for _, v := range r.wanted {
			if r.known[v] || g.scope != nil && !slices.Contains(g.scope, v) {
				continue
			}
			if p == nil {
				p = r.post(grounds)
			}
			if !r.follows(p, v) {
				continue
			}
			if reason := r.reason(grounds, v); best == nil || len(reason) < len(best) {
				best, step = reason, v
			}
			if found++; found == enoughReasons {
				return step, best
			}
		}
	}
	return step, best
}

// size is the number of variables that a ground is about.
func (r *reasoner) size(g ground) int {
	if g.scope == nil {
		return len(r.values)
	}
	return len(g.scope)
}

// clues are the grounds about one of some variables each, all for nil.
func (r *reasoner) clues(scope []int) []ground {
	var grounds []ground
	for _, g := range r.grounds {
		if g.given() && (scope == nil || slices.Contains(scope, g.scope[0])) {
			grounds = append(grounds, g)
		}
	}
	return grounds
}

// together finds the step of some that follows from the fewest conditions. Those about cells near
// the step are preferred.
func (r *reasoner) together() (step int, best []ground) {
	all := r.post(r.grounds)
	tried := 0
	for _, v := range r.wanted {
		if tried == farSteps {
			break
		}
		if r.known[v] || !r.follows(all, v) {
			continue
		}
		tried++
		if reason := r.reason(r.near(v), v); best == nil || len(reason) < len(best) {
			best, step = reason, v
		}
	}
	return step, best
}

// near are the grounds, those first that are about a variable, then those about one that shares a
// ground with it, and so on; what is about the whole board comes last.
func (r *reasoner) near(v int) []ground {
	distance := map[int]int{v: 0}
	at := make([]int, len(r.grounds)) // by ground
	for i := range at {
		at[i] = len(r.values) + 1
	}
	for round := 0; ; round++ {
		grown := false
		for i, g := range r.grounds {
			if at[i] <= round || g.scope == nil || !slices.ContainsFunc(g.scope, func(v int) bool { d, ok := distance[v]; return ok && d <= round }) {
				continue
			}
			at[i], grown = round, true
			for _, v := range g.scope {
				if _, ok := distance[v]; !ok {
					distance[v] = round + 1
				}
			}
		}
		if !grown {
			break
		}
	}
	order := make([]int, len(r.grounds))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	return chosen(r.grounds, order)
}

// mostNamed is the most cells and rules that a sentence names.
const mostNamed = 6

// advice puts a reason in words.
func (r *reasoner) advice(v int, reason []ground) *solvers.Advice {
	layout := r.givens.layout
	var rules, parts, known []string
	cells := []board.Cell{}
	look := func(t []int) {
		for _, v := range t {
			cells = append(cells, layout.names(v)...)
		}
	}
	for _, g := range reason {
		if g.given() {
			known = append(known, r.says(g.scope[0]))
		} else if rules = append(rules, g.rule); len(parts) < mostNamed {
			part := fmt.Sprintf("%q", g.rule)
			if g.scope != nil {
				part += " at " + r.names(g.scope)
			}
			parts = append(parts, part)
		}
		look(g.scope)
	}
	text := r.says(v) + ": "
	if len(parts) > 0 {
		text += strings.Join(parts, " and ") + " "
		if len(parts) < len(rules) {
			text += fmt.Sprintf("and %d more ", len(rules)-len(parts))
		}
	}
	text += map[bool]string{true: "leave", false: "leaves"}[len(rules) > 1] + " nothing else"
	if len(known) > 0 {
		slices.Sort(known)
		known = slices.Compact(known)
		more := len(known) - mostNamed
		text += ", with " + strings.Join(known[:min(len(known), mostNamed)], ", ")
		if more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
	}
	slices.Sort(cells)
	rule := ""
	if len(rules) > 0 {
		rule = rules[0]
	}
	return &solvers.Advice{Rule: rule, Text: text, Cells: layout.names(v), Look: slices.Compact(cells)}
}

// names are the cells of some variables: a row, a column or a part of one by its name, and of many
// others only the first.
func (r *reasoner) names(scope []int) string {
	var cells []board.Cell
	for _, v := range scope {
		cells = append(cells, r.givens.layout.names(v)...)
	}
	slices.Sort(cells)
	cells = slices.Compact(cells)
	size := r.givens.layout.size
	first, last := cells[0], cells[len(cells)-1]
	top, left, bottom, right := size.Row(first), size.Col(first), size.Row(last), size.Col(last)
	switch n := len(cells); {
	case n == 1:
		return size.Name(first)
	case top == bottom && n == size.Cols:
		return fmt.Sprintf("row %d", top+1)
	case left == right && n == size.Rows && bottom-top == n-1:
		return fmt.Sprintf("column %d", left+1)
	case top == bottom && right-left == n-1:
		return fmt.Sprintf("row %d columns %d to %d", top+1, left+1, right+1)
	case left == right && bottom-top == n-1 && !slices.ContainsFunc(cells, func(c board.Cell) bool { return size.Col(c) != left }):
		return fmt.Sprintf("column %d rows %d to %d", left+1, top+1, bottom+1)
	}
	var names []string
	for i, c := range cells {
		if i == mostNamed {
			names = append(names, "…")
			break
		}
		names = append(names, size.Name(c))
	}
	return strings.Join(names, ", ")
}

// says tells in words what a variable is.
func (r *reasoner) says(v int) string {
	layout := r.givens.layout
	cells := layout.names(v)
	name := layout.size.Name(cells[0])
	l, _ := r.layerOf(v)
	switch {
	case l.isOfCells():
		mark := l.rune(r.values[v])
		if mark == nothing {
			return "nothing at " + name
		}
		return fmt.Sprintf("%c at %s", mark, name)
	case len(cells) > 1:
		name += "–" + layout.size.Name(cells[1])
	}
	if r.values[v] == 0 {
		return fmt.Sprintf("no %s at %s", l.kind, name)
	}
	return fmt.Sprintf("%s at %s", l.kind, name)
}
