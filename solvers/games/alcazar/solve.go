package alcazar

import (
	"context"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/reason"
)

// Solve finds a solution, or fails with solvers.ErrNoSolution if there is provably none (with
// the reason if it is short), or with the context's error.
func (p *Puzzle) Solve(ctx context.Context) (solvers.Solution, error) {
	if reason := p.hopeless(); reason != "" {
		return nil, &solvers.NoSolutionError{Reason: reason}
	}
	m, err := p.model(true)
	if err != nil {
		return nil, err
	}
	switch m.Solve(ctx) {
	case csp.Feasible:
		return m.solution(), nil
	case csp.Infeasible:
		return nil, solvers.NoSolution(p.crowded())
	}
	return nil, ctx.Err()
}

// Enumerate lists the solutions, which are not lists of moves.
func (p *Puzzle) Enumerate(ctx context.Context, o solvers.EnumerateOptions, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	if o.MaxMoves != 0 {
		return solvers.Stats{}, solvers.ErrNoMoves
	}
	if p.hopeless() != "" {
		return solvers.Stats{}, nil
	}
	m, err := p.model(true)
	if err != nil {
		return solvers.Stats{}, err
	}
	return engine.Enumerate(ctx, o, m.Model, m.literals, m.solution, func(s *Solution) bool { return yield(s) })
}

// wholeBoard is all conditions of the rules; that of a room is that the path goes through it.
type wholeBoard struct{}

// Grade is how hard the puzzle is, by the borders that the path crosses.
func (p *Puzzle) Grade(ctx context.Context) (solvers.Grade, error) {
	found, err := p.Solve(ctx)
	if err != nil {
		return solvers.Grade{}, err
	}
	q := reason.Question{Size: len(p.open), Grounds: []reason.Ground{{Of: wholeBoard{}}}}
	for _, c := range p.rooms {
		g := reason.Ground{Open: true}
		for d := range board.Dir(4) {
			g.Scope = append(g.Scope, border(p.size, c, d))
		}
		q.Grounds = append(q.Grounds, g)
	}
	q.Post = func(grounds []reason.Ground) (*csp.Model, func(v int) []csp.BoolVar) {
		m := &model{Model: csp.NewModel(csp.Config{}), puzzle: p}
		crossed := m.NewBoolVars(len(p.open))
		if len(grounds) > 0 && grounds[0].Of == (wholeBoard{}) {
			m, _ = p.model(false) // its nodes are right
			crossed, grounds = m.crossed(), nil
		}
		for v, open := range p.open {
			if !open {
				m.AddClause(crossed[v].Not())
			}
		}
		for _, g := range grounds {
			var sides []csp.BoolVar
			for _, v := range g.Scope {
				sides = append(sides, crossed[v])
			}
			m.AddExactlyK(2, sides...)
		}
		return m.Model, func(v int) []csp.BoolVar { return reason.As(crossed[v], found.(*Solution).used[v]) }
	}
	return q.Grade(ctx)
}

// crossed tells by border whether the path crosses it.
func (m *model) crossed() []csp.BoolVar {
	crossed := slices.Repeat([]csp.BoolVar{m.False()}, len(m.puzzle.open))
	for i, literal := range m.literals {
		if b := m.borders[i]; crossed[b] == m.False() {
			crossed[b] = literal
		} else { // an opening, by which the path may come in or go out
			either := m.NewBoolVar()
			m.AddImplication(crossed[b], either)
			m.AddImplication(literal, either)
			m.AddClause(either.Not(), crossed[b], literal)
			crossed[b] = either
		}
	}
	return crossed
}

// model is a puzzle as constraints: a path from a node outside the board
// through all rooms to another node outside.
type model struct {
	*csp.Model
	puzzle   *Puzzle
	edges    []csp.PathEdge
	borders  []int // by edge: the border that it crosses
	literals []csp.BoolVar
}

// model is the puzzle's. If it is directed, the path has one direction only.
func (p *Puzzle) model(directed bool) (*model, error) {
	m := &model{Model: csp.NewModel(csp.Config{}), puzzle: p}
	node := p.nodes()
	entrance, exit := len(p.rooms), len(p.rooms)+1
	edge := func(a, b, border int) csp.BoolVar {
		literal := m.NewBoolVar()
		m.edges = append(m.edges, csp.PathEdge{A: a, B: b, Literal: literal})
		m.borders = append(m.borders, border)
		m.literals = append(m.literals, literal)
		return literal
	}
	for _, c := range p.rooms {
		for _, d := range []board.Dir{board.East, board.South} {
			if n := p.neighbour(c, d); n != board.None && p.Open(c, d) {
				edge(node[c], node[n], border(p.size, c, d))
			}
		}
	}
	// With as many dark rooms as light ones the path leads from a light one to
	// a dark one, and that gives it its direction. Else it begins and ends in
	// rooms of the colour with one room more.
	surplus := p.surplus()
	if surplus < -1 || surplus > 1 {
		m.AddClause()
	}
	var earlier []csp.BoolVar // where the path begins if at an opening before this one
	for _, o := range p.Openings() {
		at := border(p.size, o.Room, o.Side)
		switch {
		case surplus == 0 && p.light(o.Room):
			edge(node[o.Room], entrance, at)
		case surplus == 0:
			edge(node[o.Room], exit, at)
		case p.light(o.Room) == (surplus > 0):
			// The entrance is the first of the two openings: the exit needs an
			// entrance before it.
			out := edge(node[o.Room], exit, at)
			if directed {
				m.AddClause(append([]csp.BoolVar{out.Not()}, earlier...)...)
			}
			earlier = append(earlier, edge(node[o.Room], entrance, at))
		}
	}
	_, err := m.AddPaths(csp.Paths{
		Nodes:  len(p.rooms) + 2,
		Edges:  m.edges,
		Pairs:  [][2]int{{entrance, exit}},
		Colors: true,
	})
	return m, err
}

// light reports whether a room has the corners' colour when the board is
// coloured like a chessboard from the upper left.
func (p *Puzzle) light(c board.Cell) bool { return (p.size.Row(c)+p.size.Col(c))%2 == 0 }

// surplus is how many more light rooms there are than dark ones.
func (p *Puzzle) surplus() int {
	n := 0
	for _, c := range p.rooms {
		if p.light(c) {
			n++
		} else {
			n--
		}
	}
	return n
}

// nodes numbers the rooms, by cell.
func (p *Puzzle) nodes() []int {
	node := make([]int, p.size.Cells())
	for i, c := range p.rooms {
		node[c] = i
	}
	return node
}

// literalsOf are the literals that are true in the solution that crosses the
// used borders.
func (m *model) literalsOf(used []bool) []csp.BoolVar {
	var literals []csp.BoolVar
	entrance := len(m.puzzle.rooms)
	openings := map[int]int{} // entrance or exit to the edge's index in literals
	for i, e := range m.edges {
		if !used[m.borders[i]] {
			continue
		}
		if e.B >= entrance {
			// Of each opening's two edges the exit's comes first: the last of
			// the exit's and the first of the entrance's are right.
			if at, ok := openings[e.B]; ok {
				if e.B > entrance {
					literals[at] = m.literals[i]
				}
				continue
			}
			openings[e.B] = len(literals)
		}
		literals = append(literals, m.literals[i])
	}
	return literals
}

// solution reads the solution found last.
func (m *model) solution() *Solution {
	s := &Solution{puzzle: m.puzzle, used: make([]bool, len(m.puzzle.open))}
	for i, b := range m.literals {
		if m.Value(b) {
			s.used[m.borders[i]] = true
		}
	}
	return s
}
