package flow

import (
	"context"
	"errors"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// Solve finds a solution, or fails with solvers.ErrNoSolution when there is
// provably none (with the reason in words, when there is a short one), or with
// the context's error.
func (p *Puzzle) Solve(ctx context.Context) (solvers.Solution, error) {
	s, err := solvers.SolveFirst(ctx, p)
	if errors.Is(err, solvers.ErrNoSolution) {
		return nil, solvers.NoSolution(p.Reason())
	}
	return s, err
}

// Enumerate lists the solutions, which are not lists of moves.
// Solutions are different when a pipe takes different steps.
func (p *Puzzle) Enumerate(ctx context.Context, o solvers.EnumerateOptions, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	if o.MaxMoves != 0 {
		return solvers.Stats{}, solvers.ErrNoMoves
	}
	return p.Search(ctx, SearchOptions{}, func(s *Solution) bool { return yield(s) })
}

// SearchOptions choose how solutions are looked for; the zero value is a good
// choice. None of them changes which solutions there are.
type SearchOptions struct {
	Seed uint64 // of the order of search
	// Strict makes one complete search without any assumption that is proved
	// later, to compare with.
	Strict bool
}

// Search calls yield with each solution once, until yield returns false, ctx is
// done (its error is returned) or there are no more.
//
// It looks first for solutions of the kind that nearly all boards have, which
// are easy to find and easy to exclude. When it finds none, a short reason why
// there is none may settle it (see Reason). Next it tries to prove that there can
// be no others (see routings); only if that fails it searches everything.
func (p *Puzzle) Search(ctx context.Context, o SearchOptions, yield func(*Solution) bool) (solvers.Stats, error) {
	began := time.Now()
	r := finder{Puzzle: p, options: o, yield: yield}
	run := r.run
	if p.tidy {
		run = r.runTidy
	}
	err := run(ctx)
	r.stats.Seconds = time.Since(began).Seconds()
	return r.stats, err
}

// finder is one call of Search.
type finder struct {
	*Puzzle
	options SearchOptions
	yield   func(*Solution) bool
	stats   solvers.Stats
	routed  bool // routingProof has been tried
}

// run looks for a first solution of the easy kinds, and then for all others.
func (r *finder) run(ctx context.Context) error {
	found, untidy, err := r.first(ctx)
	switch {
	case err != nil:
		return err
	case found != nil && !r.yield(found):
		return nil
	case found == nil && !r.options.Strict && r.Reason() != "":
		return nil
	case ctx.Err() != nil:
		return ctx.Err() // before the larger models are built
	case found == nil && !r.options.Strict && !r.covering:
		if found, err = r.routing(ctx, r.options, &r.stats); found == nil || err != nil || !r.yield(found) {
			return err
		}
	}
	return r.rest(ctx, found, untidy)
}

// first looks for a solution of the easy kinds. It returns nil if it found none, and
// whether it proved that none is tidy.
func (r *finder) first(ctx context.Context) (found *Solution, untidy bool, err error) {
	if r.sparse() && !r.options.Strict {
		if found := r.reroute(ctx); found != nil || ctx.Err() != nil {
			return found, false, ctx.Err()
		}
		if r.Reason() != "" {
			return nil, false, nil // run looks at the reason, too
		}
	}
	m, untidy, err := r.front(ctx, r.options, &r.stats)
	if m == nil {
		return nil, untidy, err
	}
	return m.solution(), untidy, err
}

// others yields all solutions but the one found first, which may be nil, and those known
// beside it. untidy says that no solution is tidy.
func (r *finder) others(ctx context.Context, found *Solution, untidy bool, known ...*Solution) error {
	m, err := r.model(r.options.Seed, r.canColor())
	if err != nil {
		return err
	}
	defer func() { r.stats = r.stats.Add(m.effort()) }()
	m.exclude(found)
	for _, s := range known {
		m.exclude(s)
	}
	if m.Propagate() == csp.Infeasible {
		return nil // no pipes, tidy or not, can cover the board
	}
	if !r.options.Strict {
		if more, err := r.likely(ctx, m, found, untidy); !more || err != nil {
			return err
		}
	}
	if m.Enumerate(ctx, m.edges, func() bool { return r.yield(m.solution()) }) == csp.Unknown {
		return ctx.Err()
	}
	return nil
}

// likely yields the solutions of a model that are tidy, but the one found so far, which may be
// nil, and then tries to prove that there are no others. It reports whether to search on.
func (r *finder) likely(ctx context.Context, m *model, found *Solution, untidy bool) (more bool, err error) {
	if found != nil && r.covering && !untidy {
		if more, untidy, err = r.otherTidy(ctx, m, found); !more || err != nil {
			return false, err
		}
	}
	if found == nil && !untidy && !m.colored {
		if more, untidy, err = r.activeTidy(ctx, m); !more || err != nil {
			return false, err
		}
	}
	if !untidy {
		if more, err := m.tidySolutions(ctx, r.yield); !more || err != nil {
			return false, err
		}
	}
	if m.colored && r.covering {
		proved, effort, err := r.onlyNeat(ctx, r.options.Seed)
		r.stats = r.stats.Add(effort)
		return !proved, err
	}
	return true, nil
}

// activeTidy searches for a tidy solution of a board too large for colours, yields it and excludes
// it from the model of all solutions. It reports whether more are wanted, and whether there is
// none that is tidy. The search that front could not finish in its order goes by activity, and
// with tidiness as a fact several times as fast as with tidiness assumed.
func (r *finder) activeTidy(ctx context.Context, m *model) (more, untidy bool, err error) {
	active, err := r.tidyModel(csp.Config{Seed: r.options.Seed})
	if err != nil {
		return false, false, err
	}
	tidy, untidy, err := active.firstTidy(ctx, &r.stats)
	if tidy == nil || err != nil {
		return err == nil, untidy, err
	}
	if !r.yield(tidy.solution()) {
		return false, false, nil
	}
	m.exclude(tidy.solution())
	return true, untidy, nil
}

// otherTidy yields the tidy solutions but the one found, and excludes them from a model. It reports
// whether to go on, and whether these were all that there are. Every bend of tidy pipes that cover
// the board leads along a diagonal to an end, which leaves so little choice that all but two of the
// boards of Numberlink take fewer than 1,500 conflicts, without colours. If there are none, and
// it has not been tried before, it goes on with the proof by routings that there are none at all.
func (r *finder) otherTidy(ctx context.Context, m *model, found *Solution) (more, all bool, err error) {
	tidy, err := r.tidyModel(csp.Config{Seed: r.options.Seed})
	if err != nil {
		return false, false, err
	}
	tidy.exclude(found)
	sole := true
	all, err = within(ctx, proofConflicts, func(ctx context.Context) (err error) {
		more, err = tidy.each(ctx, tidy.True(), func(s *Solution) bool {
			sole = false
			m.exclude(s)
			return r.yield(s)
		})
		return err
	})
	r.stats = r.stats.Add(tidy.effort())
	if sole && all && !r.routed {
		_, done, err := r.routingProof(ctx, found)
		return !done, all, err
	}
	return more || !all, all, err
}

// canColor reports whether a model may tell the pipes apart.
func (p *Puzzle) canColor() bool {
	return len(p.ends) <= csp.MaxColors && len(p.ends)*p.size.Cells() <= maxColorLiterals
}

// frontConflicts is the number of conflicts after which front first goes on in another
// turn of the board. Boards of many cells are mostly solved with fewer, and what one turn
// has learned helps the next.
func (p *Puzzle) frontConflicts() int64 {
	if p.size.Cells() < manyCells {
		return 3000
	}
	return max(1000, int64(p.size.Cells()))
}

// frontRounds is how often front tries all turns, with twice the conflicts each time,
// before it gives up the order. A board too large for colours has only the search by
// activity left then, which solves few that the order does not.
func (p *Puzzle) frontRounds() int {
	switch {
	case p.size.Cells() < manyCells:
		return 1
	case p.canColor():
		return 3
	}
	return 7
}

// maxColorLiterals bounds the memory for colours to about 100 MB.
const maxColorLiterals = 300_000

// front looks for a tidy solution in the simplest way: no colours, and the
// edges decided in order, diagonal by diagonal. A tidy pipe has little choice
// there, as each of its bends needs the same bend in the next cell inwards, up
// to an end: so most boards are solved with a few decisions a diagonal. It looks
// only for pipes that cover the board, as they mostly do even if they need not. It
// returns nil if it found none, and whether it proved that there is none. The
// corner where it begins decides how hard a large board is, so that all of them take
// turns there, each with what those before it learned.
func (p *Puzzle) front(ctx context.Context, o SearchOptions, stats *solvers.Stats) (found *model, untidy bool, err error) {
	if o.Strict {
		return nil, false, nil
	}
	q := *p
	q.covering = true
	m, err := q.tidyModel(csp.Config{Seed: o.Seed, InOrder: true, MaxConflicts: p.frontConflicts()})
	if err != nil {
		return nil, false, err
	}
	turns, times := 1, 1 // times that the conflicts of the model are spent in one turn
	first := 0
	if p.size.Cells() >= manyCells {
		turns, first = p.turns(), p.firstTurn()
	}
	for round := range p.frontRounds() {
		for turn := range turns {
			if round+turn+first > 0 {
				m.SetOrder(m.turned(turn ^ first))
			}
			for range times {
				found, untidy, err = m.firstTidy(ctx, stats)
				if found != nil || untidy || err != nil {
					return found, untidy && p.covering, err
				}
			}
		}
		times = 1 << round
	}
	return nil, false, nil
}

// manyCells is the least number of cells of a board that front tries in every
// turn: a board of 80 by 30 is hard in four of the eight and solved in under
// 0.1 s in the others. Smaller boards are searched completely in the same time.
const manyCells = 400

// tidyModel is a model whose solutions are tidy, without colours.
func (p *Puzzle) tidyModel(c csp.Config) (*model, error) {
	m, err := p.modelOf(c, false)
	if err != nil {
		return nil, err
	}
	m.AddClause(m.tidy)
	m.addTidy()
	return m, nil
}

// firstTidy searches a model of tidyModel, from where it was left, for its first
// solution. It returns nil if it found none within the configured effort, and whether
// it proved that there is none.
func (m *model) firstTidy(ctx context.Context, stats *solvers.Stats) (found *model, untidy bool, err error) {
	before := m.effort()
	status := m.Solve(ctx)
	*stats = stats.Add(since(before, m.effort()))
	switch {
	case status == csp.Feasible:
		return m, false, nil
	case status == csp.Unknown && ctx.Err() != nil:
		return nil, false, ctx.Err()
	}
	return nil, status == csp.Infeasible, nil
}

// tidySolutions calls yield with each tidy solution, those first in which no
// pipe runs beside itself, and reports whether to go on.
func (m *model) tidySolutions(ctx context.Context, yield func(*Solution) bool) (more bool, err error) {
	if m.colored {
		if more, err := m.each(ctx, m.neat, yield); !more || err != nil {
			return false, err
		}
	}
	m.addTidy()
	return m.each(ctx, m.tidy, yield)
}

// each calls yield with each solution under an assumption, and reports whether
// to go on.
func (m *model) each(ctx context.Context, assumed csp.BoolVar, yield func(*Solution) bool) (more bool, err error) {
	for {
		switch m.Solve(ctx, assumed) {
		case csp.Infeasible:
			return true, nil
		case csp.Unknown:
			return false, ctx.Err()
		}
		found := m.solution()
		if !yield(found) {
			return false, nil
		}
		m.exclude(found)
	}
}

func (m *model) effort() solvers.Stats {
	return effortOf(m.Stats())
}

func effortOf(s csp.Stats) solvers.Stats {
	return solvers.Stats{Nodes: s.Decisions, Conflicts: s.Conflicts}
}

// since is the effort from an earlier one to a later one.
func since(before, after solvers.Stats) solvers.Stats {
	return solvers.Stats{Nodes: after.Nodes - before.Nodes, Conflicts: after.Conflicts - before.Conflicts}
}

// model is a puzzle as constraints. The nodes of its graph are the cells that
// pipes go through; a bridge has two, for its row and its column.
type model struct {
	*csp.Model
	puzzle  *Puzzle
	cells   []board.Cell // by node
	pairs   [][2]int
	graph   []csp.PathEdge
	edges   []csp.BoolVar
	end     []bool // by node
	colors  csp.PathColors
	colored bool        // it has colors
	neat    csp.BoolVar // assumed first: no pipe runs beside itself
	tidy    csp.BoolVar // assumed next: no pipe takes the long way around to a neighbour
}

func (p *Puzzle) model(seed uint64, colored bool) (*model, error) {
	return p.modelOf(csp.Config{Seed: seed}, colored)
}

func (p *Puzzle) modelOf(c csp.Config, colored bool) (*model, error) {
	m := &model{Model: csp.NewModel(c), puzzle: p, colored: colored}
	// The node of a cell; a bridge has its row's first, then its column's.
	node := make([]int, p.size.Cells())
	for c, k := range p.kind {
		node[c] = len(m.cells)
		switch k {
		case plain:
			m.cells = append(m.cells, board.Cell(c))
		case bridge:
			m.cells = append(m.cells, board.Cell(c), board.Cell(c))
		}
	}
	at := func(c board.Cell, d board.Dir) int {
		if p.kind[c] == bridge && d%2 == 0 {
			return node[c] + 1
		}
		return node[c]
	}
	m.graph = make([]csp.PathEdge, 0, len(m.cells)*p.Dirs()/2)
	p.eachEdge(0, func(c, n board.Cell, d board.Dir) {
		m.graph = append(m.graph, csp.PathEdge{A: at(c, d), B: at(n, p.Opposite(d))})
	})
	for _, e := range p.ends {
		m.pairs = append(m.pairs, [2]int{node[e[0]], node[e[1]]})
	}
	m.end = make([]bool, len(m.cells))
	for _, pair := range m.pairs {
		m.end[pair[0]], m.end[pair[1]] = true, true
	}
	m.edges = m.NewBoolVars(len(m.graph))
	for i := range m.graph {
		m.graph[i].Literal = m.edges[i]
	}
	m.neat = m.NewBoolVar()
	m.tidy = m.NewBoolVar()
	paths := csp.Paths{Nodes: len(m.cells), Edges: m.graph, Pairs: m.pairs, Shallow: true}
	if m.colored {
		paths.Colors = true
		paths.Chordless = m.neat
	}
	if !p.covering {
		paths.Optional = make([]bool, len(m.cells))
		for v := range paths.Optional {
			paths.Optional[v] = true
		}
	}
	var err error
	m.colors, err = m.AddPaths(paths)
	return m, err
}

// eachEdge visits the edges, each from one of its cells in a direction to the other, in
// the order that they would have if the board were turned or mirrored.
func (p *Puzzle) eachEdge(turn int, visit func(from, to board.Cell, d board.Dir)) {
	onward := p.onward(turn)
	for _, c := range p.diagonally(turn) {
		for _, d := range onward {
			if n := p.Neighbour(c, d); n != board.None {
				visit(c, n, d)
			}
		}
	}
}

// turned returns the edges in the order of a turn of the board.
func (m *model) turned(turn int) []csp.BoolVar {
	p := m.puzzle
	edge := make([]csp.BoolVar, p.size.Cells()*p.Dirs()) // by cell and direction
	place := func(c board.Cell, d board.Dir) *csp.BoolVar { return &edge[int(c)*p.Dirs()+int(d)] }
	next := 0
	p.eachEdge(0, func(from, to board.Cell, d board.Dir) {
		*place(from, d), *place(to, p.Opposite(d)) = m.edges[next], m.edges[next]
		next++
	})
	order := make([]csp.BoolVar, 0, len(m.edges))
	p.eachEdge(turn, func(from, _ board.Cell, d board.Dir) { order = append(order, *place(from, d)) })
	return order
}

// A turn is one of the symmetries of a board. Its number is the sum of what it
// swaps.
const (
	swapRows  = 1 // top and bottom
	swapCols  = 2 // left and right
	transpose = 4 // rows and columns; not on hexagons
)

// turns is the number of turns; turn 0 leaves the board as it is.
func (p *Puzzle) turns() int {
	if p.topology == Hex {
		return transpose
	}
	return 2 * transpose
}

// firstTurn is the turn in which front begins. On a board that is wider than high the
// diagonals are better decided from below to the top: 101 boards of 40×20 take six
// tenths of the conflicts.
func (p *Puzzle) firstTurn() int {
	if p.topology != Hex && p.size.Cols > p.size.Rows {
		return transpose
	}
	return 0
}

// diagonally returns the cells diagonal by diagonal, from the corner that a turn
// of the board brings to the top left.
func (p *Puzzle) diagonally(turn int) []board.Cell {
	rows, cols := p.size.Rows, p.size.Cols
	if turn&transpose != 0 {
		rows, cols = cols, rows
	}
	cells := make([]board.Cell, 0, p.size.Cells())
	for sum := range rows + cols - 1 {
		for row := max(0, sum-cols+1); row <= min(sum, rows-1); row++ {
			r, c := row, sum-row
			if turn&transpose != 0 {
				r, c = c, r
			}
			if turn&swapRows != 0 {
				r = p.size.Rows - 1 - r
			}
			if turn&swapCols != 0 {
				c = p.size.Cols - 1 - c
			}
			cells = append(cells, p.size.At(r, c))
		}
	}
	return cells
}

// onward returns half of the directions, in the order that a turn of the board
// gives them, so that each edge is met from one of its cells only. On hexagons they
// are the same for each turn.
func (p *Puzzle) onward(turn int) []board.Dir {
	var onward []board.Dir
	for d := board.Dir(1); int(d) <= p.Dirs()/2; d++ {
		onward = append(onward, d)
	}
	if p.topology == Hex {
		return onward
	}
	for i, d := range onward { // east and south
		if turn&transpose != 0 {
			d = board.East + board.South - d
		}
		if d == board.South && turn&swapRows != 0 || d == board.East && turn&swapCols != 0 {
			d = p.Opposite(d)
		}
		onward[i] = d
	}
	return onward
}

// addTidy makes the literal tidy forbid a pipe to take the long way from a cell
// to a neighbour: three sides of a square, or two of a triangle.
func (m *model) addTidy() {
	if m.puzzle.covering && m.puzzle.size.Cells() >= manyCells {
		m.addBends()
	}
	steps := m.steps()
	across := func(a, b int) bool {
		_, ok := find(steps[a], b)
		return ok
	}
	for i, e := range m.graph {
		for _, s := range steps[e.A] {
			if s.to == e.B {
				continue
			}
			// The edge i between a step at its one node and a step at its other.
			for _, t := range steps[e.B] {
				if t.to != e.A && t.to != s.to && across(s.to, t.to) {
					m.AddClause(m.tidy.Not(), m.edges[i].Not(), m.edges[s.edge].Not(), m.edges[t.edge].Not())
				}
			}
			if across(s.to, e.B) {
				m.AddClause(m.tidy.Not(), m.edges[i].Not(), m.edges[s.edge].Not())
			}
		}
		for _, t := range steps[e.B] {
			if t.to != e.A && across(t.to, e.A) {
				m.AddClause(m.tidy.Not(), m.edges[i].Not(), m.edges[t.edge].Not())
			}
		}
	}
}

const (
	// fewUnused is the most cells that routing leaves out in its first attempt.
	fewUnused = 4
	// fewConflicts is the number of conflicts after which it allows any number.
	fewConflicts = 30_000
)

// routing looks for pipes that need not cover the board, and returns nil when
// there are none. Where there are any, some of them are as short and as far to the
// top as possible (see routings), so that it looks for no others. The boards that
// people make leave out few cells, if any; that is tried first.
func (p *Puzzle) routing(ctx context.Context, o SearchOptions, stats *solvers.Stats) (*Solution, error) {
	few := csp.Config{Seed: o.Seed, MaxConflicts: fewConflicts}
	for _, c := range []csp.Config{few, {Seed: o.Seed}} {
		all := c.MaxConflicts == 0
		m, err := p.modelOf(c, all && p.canColor())
		if err != nil {
			return nil, err
		}
		m.AddClause(m.neat)
		m.AddClause(m.tidy)
		m.addTidy()
		m.addPushed()
		if m.colored {
			m.addCorners(true)
		}
		if !all {
			m.AddAtMostK(fewUnused, m.unused()...)
		}
		status := m.Solve(ctx)
		*stats = stats.Add(m.effort())
		switch {
		case status == csp.Feasible:
			return m.solution(), nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
	return nil, nil
}

// unused returns for each node that is no end a literal that is true when no
// pipe goes through it.
func (m *model) unused() []csp.BoolVar {
	var unused []csp.BoolVar
	for v, steps := range m.steps() {
		if m.end[v] {
			continue
		}
		u := m.NewBoolVar()
		clause := []csp.BoolVar{u}
		for _, s := range steps {
			clause = append(clause, m.edges[s.edge])
			m.AddImplication(u, m.edges[s.edge].Not())
		}
		m.AddClause(clause...)
		unused = append(unused, u)
	}
	return unused
}

// addPushed forbids a pipe to go from x through u to y where it might as well go
// through an unused node w of smaller number. Together with tidy, w is then used
// by another pipe, which steps neither to x nor to y.
func (m *model) addPushed() {
	steps := m.steps()
	for u := range steps {
		for i, x := range steps[u] {
			for _, y := range steps[u][:i] {
				for _, s := range steps[x.to] {
					w := s.to
					if _, touches := find(steps[y.to], w); w >= u || m.end[w] || !touches {
						continue
					}
					clause := []csp.BoolVar{m.edges[x.edge].Not(), m.edges[y.edge].Not()}
					for _, t := range steps[w] {
						if t.to != x.to && t.to != y.to {
							clause = append(clause, m.edges[t.edge])
						}
					}
					m.AddClause(clause...)
				}
			}
		}
	}
}

// addCorners says for each unused node which of its neighbours may belong to one
// pipe (see routings), pushed or not.
func (m *model) addCorners(pushed bool) {
	steps := m.steps()
	for w := range m.cells {
		if m.end[w] {
			continue
		}
		free := m.colors.Unused(m.Model, w)
		for i, first := range steps[w] {
			for _, second := range steps[w][:i] {
				m.addCorner(steps, w, first.to, second.to, free, pushed)
			}
		}
	}
}

// addCorner says when the neighbours x and y of the unused node w may belong to
// one pipe.
func (m *model) addCorner(steps [][]step, w, x, y int, unused csp.BoolVar, pushed bool) {
	if _, beside := find(steps[x], y); beside {
		return
	}
	var toX, toY csp.BoolVar // from u
	corners := 0
	for _, s := range steps[x] {
		if s.to < w || !pushed && s.to != w {
			if t, ok := find(steps[s.to], y); ok {
				corners++
				toX, toY = m.edges[s.edge], m.edges[t.edge]
			}
		}
	}
	if corners > 1 {
		return
	}
	for k := range m.pairs {
		a, b := m.colors.Color(x, k), m.colors.Color(y, k)
		if corners == 0 {
			m.AddClause(unused.Not(), a.Not(), b.Not())
		} else {
			m.AddClause(unused.Not(), a.Not(), b.Not(), toX)
			m.AddClause(unused.Not(), a.Not(), b.Not(), toY)
		}
	}
}

// A step is an edge as seen from one of its nodes.
type step struct{ edge, to int }

// steps are the steps from each node.
func (m *model) steps() [][]step {
	steps := make([][]step, len(m.cells))
	for v, slab := 0, make([]step, 6*len(m.cells)); v < len(steps); v++ {
		steps[v] = slab[6*v : 6*v : 6*v+6]
	}
	for i, e := range m.graph {
		steps[e.A] = append(steps[e.A], step{i, e.B})
		steps[e.B] = append(steps[e.B], step{i, e.A})
	}
	return steps
}

// find returns the step that leads to a node.
func find(steps []step, to int) (step, bool) {
	for _, s := range steps {
		if s.to == to {
			return s, true
		}
	}
	return step{}, false
}

// exclude rules out a solution, which may be nil. Naming the edges that it has is enough: with one more
// they are no solution.
func (m *model) exclude(found *Solution) {
	if found == nil {
		return
	}
	var other []csp.BoolVar
	for i, on := range m.taken(found) {
		if on {
			other = append(other, m.edges[i].Not())
		}
	}
	m.AddClause(other...)
}

// taken tells of each edge whether a solution takes it.
func (m *model) taken(found *Solution) []bool {
	on := map[board.Edge]bool{}
	for _, path := range found.paths {
		for i, c := range path[1:] {
			on[board.EdgeOf(path[i], c)] = true
		}
	}
	taken := make([]bool, len(m.graph))
	for i, e := range m.graph {
		taken[i] = on[board.EdgeOf(m.cells[e.A], m.cells[e.B])]
	}
	return taken
}

// solution reads the solution found last.
func (m *model) solution() *Solution {
	on := make([]bool, len(m.edges))
	for i, edge := range m.edges {
		on[i] = m.Value(edge)
	}
	return m.drawn(m.walk(on))
}

// drawn is the solution whose pipes go through the nodes of paths.
func (m *model) drawn(paths [][]int) *Solution {
	cells := make([][]board.Cell, len(paths))
	for i, path := range paths {
		cells[i] = make([]board.Cell, len(path))
		for k, v := range path {
			cells[i][k] = m.cells[v]
		}
	}
	return newSolution(m.puzzle, cells)
}

// walk returns the nodes of each pair's path in order, given which edges are on a path.
func (m *model) walk(taken []bool) [][]int {
	next := make([][2]int, len(m.cells)) // the neighbours on the pipe; an end has one
	on := make([]uint8, len(m.cells))
	for i, e := range m.graph {
		if taken[i] {
			next[e.A][on[e.A]] = e.B
			next[e.B][on[e.B]] = e.A
			on[e.A]++
			on[e.B]++
		}
	}
	paths := make([][]int, len(m.pairs))
	for i, pair := range m.pairs {
		from, v := -1, pair[0]
		for {
			paths[i] = append(paths[i], v)
			if v == pair[1] {
				break
			}
			step := next[v][0]
			if step == from {
				step = next[v][1]
			}
			from, v = v, step
		}
	}
	return paths
}
