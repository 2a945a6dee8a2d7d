package described

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/reason"
)

// reasoner is a puzzle whose next step is looked for.
type reasoner struct {
	*Puzzle
	reason.Question
	values []int // of the solution
}

// Advise finds a step that follows from what is drawn, and the smallest reason that it knows: one
// condition of a rule and the cells that it needs, or else some conditions together, none of which
// can be left out. What is drawn wrong is not taken for known.
func (p *Puzzle) Advise(drawn, solved solvers.Solution) *solvers.Advice {
	solution, ok := reason.Solution(p, solved).(*Solution)
	if !ok {
		return nil
	}
	r := p.reasoner(solution, drawn)
	return r.Question.Advise(reason.Words{Cells: r.cellsOf, Says: r.says, Names: r.names})
}

// Grade is how hard the puzzle is.
func (p *Puzzle) Grade(ctx context.Context) (solvers.Grade, error) {
	solution, err := p.Solve(ctx)
	if err != nil {
		return solvers.Grade{}, err
	}
	return p.reasoner(solution.(*Solution), nil).Question.Grade(ctx)
}

func (p *Puzzle) reasoner(solution *Solution, drawn solvers.Solution) *reasoner {
	r := &reasoner{Puzzle: p, values: solution.values}
	r.Size, r.Post = p.givens.layout.n, r.post
	on, _ := drawn.(*Solution)
	moves := solution.moves()
	for i, s := range solution.Steps(drawn) {
		for _, v := range moves[i].values {
			if !s.Drawn {
				r.Wanted = append(r.Wanted, v)
			} else if on != nil {
				r.Grounds = append(r.Grounds, reason.Ground{Scope: []int{v}})
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
	scope, from := r.scopeOf(t)
	g := reason.Ground{Rule: rule, Scope: scope, Of: t, At: from}
	if g.Scope == nil || len(g.Scope) > 0 {
		r.Grounds = append(r.Grounds, g)
	}
}

// scopeOf is the variables of a term in order, nil where it is about the whole board, and the cell
// from which all of them are seen, if there is one.
func (r *reasoner) scopeOf(t *term) (scope []int, from []board.Cell) {
	scope, seen, whole := []int{}, map[*term]bool{}, false
	var visit func(*term)
	visit = func(t *term) {
		if seen[t] {
			return
		}
		seen[t] = true
		if t.from != nil && !slices.Contains(from, t.from.at) {
			from = append(from, t.from.at)
		}
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
	if len(from) > 1 {
		from = nil
	}
	if whole {
		return nil, from
	}
	slices.Sort(scope)
	return slices.Compact(scope), from
}

// post tells grounds to the engine.
func (r *reasoner) post(grounds []reason.Ground) (*csp.Model, func(v int) []csp.BoolVar) {
	p, _ := newPoster(r.givens.layout)
	for _, g := range grounds {
		if t, ok := g.Of.(*term); ok {
			p.require(t)
		} else {
			p.m.AddClause(r.of(p, g.Scope[0])[0])
		}
	}
	return p.m, func(v int) []csp.BoolVar { return r.of(p, v) }
}

// of are the literals that a variable is as in the solution, and nothing else.
func (r *reasoner) of(p *poster, v int) []csp.BoolVar {
	if l, _ := r.givens.layout.layerOf(v); l.kind == symbolsLayer || l.kind == numbersLayer {
		of := []csp.BoolVar{p.m.Equal(p.integer[v], r.values[v])}
		lo, hi := l.bounds()
		for value := lo; value <= hi; value++ {
			if value != r.values[v] {
				of = append(of, p.m.Equal(p.integer[v], value).Not())
			}
		}
		return of
	}
	return reason.As(p.variable[v], r.values[v] == 1)
}

// mostListed is how many cells are named one by one.
const mostListed = 4

// names are cells in words. Those of a row or a column, and the like, have a name together.
func (r *reasoner) names(cells []board.Cell) string {
	size := r.givens.layout.size
	text := size.Names(cells)
	if len(cells) > mostListed && strings.Contains(text, ", ") {
		return fmt.Sprintf("the %d cells from %s to %s", len(cells), size.Name(cells[0]), size.Name(cells[len(cells)-1]))
	}
	return text
}

// cellsOf are the cells that variables are about.
func (r *reasoner) cellsOf(scope []int) (cells []board.Cell) {
	for _, v := range scope {
		cells = append(cells, r.givens.layout.names(v)...)
	}
	return cells
}

// says tells in words what a variable is.
func (r *reasoner) says(v int) string {
	layout := r.givens.layout
	cells := layout.names(v)
	name := layout.size.Name(cells[0])
	l, _ := layout.layerOf(v)
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
