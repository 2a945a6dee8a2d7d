package sabr

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/engine/csp"
)

// DefaultStages is the most stages of a program with steps when Options does
// not say.
const DefaultStages = 20

// Options say how a program is solved. The zero value is a good default.
type Options struct {
	// Stages is the most stages that may be used, from 1; 0 means DefaultStages. A program
	// without steps always has one stage.
	Stages int
	// Exactly asks for exactly that number of stages, not for the fewest.
	Exactly bool
	// Progress, if not nil, is told each number of stages before it is tried.
	Progress func(stages int)
}

// Stats is the effort a search took.
type Stats struct {
	solvers.Stats
	Stages    int `json:"stages"`    // the most stages that were tried
	Variables int `json:"variables"` // Boolean variables of the engine
	Clauses   int `json:"clauses"`   // clauses of the engine with more than two literals
}

// Solve finds a result with the fewest stages, or exactly as many as the options
// say. It fails with an UnsatisfiableError when it has proved that there is none,
// with a TooLargeError, or with the context's error.
func (p *Program) Solve(ctx context.Context, o Options) (*Result, error) {
	var found *Result
	stats, err := p.Enumerate(ctx, o, func(r *Result) bool {
		found = r
		return false
	})
	if err != nil {
		return nil, err
	}
	found.Stats = stats
	return found, nil
}

// Enumerate calls yield with each result of the fewest stages, once, until yield returns false.
// Results differ if a board differs, or if the printed steps differ in more than their order;
// which of several sections or instances of the same name took a step makes no difference. It
// returns nil after yield returned false or when the list was complete, an UnsatisfiableError
// if there is nothing to list, a TooLargeError if the program cannot be tried, and the
// context's error if that is done first. The Stats of the results are left empty.
func (p *Program) Enumerate(ctx context.Context, o Options, yield func(*Result) bool) (Stats, error) {
	most := o.Stages
	switch {
	case most < 0 || most == 0 && o.Exactly:
		return Stats{}, fmt.Errorf("sabr: %d stages, expected at least 1", most)
	case !p.HasSteps():
		most = 1
	case most == 0:
		most = DefaultStages
	}
	s := p.newSearching(ctx, most, o)
	err := s.search(ctx, yield)
	return s.stats(), err
}

const (
	// firstLooks is the number of symbols that an explorer looks at before
	// constraints are tried: a few hundredths of a second.
	firstLooks = 1 << 22
	// firstConflicts is the number of conflicts before the explorer has another turn:
	// as long.
	firstConflicts = 1 << 10
	// longerTurns is by how much the turns grow.
	longerTurns = 4
)

// searching is a search for results: from board to board and by constraints, in
// turns. Either may be by far the quicker.
type searching struct {
	program   *Program
	most      int // stages
	exactly   bool
	progress  func(stages int)
	began     time.Time
	unrolling *unrolling
	last      csp.BoolVar // makes the last stage of the unrolling the last one
	open      bool        // that is being tried
	explorer  *explorer   // nil: the program is not for it
	boards    int         // that the explorer looked at
	without   int         // there is no result with that many stages or fewer
	told      int         // stages that progress was told
	looks     int         // of the explorer in its next turn
	conflicts int64       // of the constraints in theirs
}

// newSearching is a search with so many stages at most.
func (p *Program) newSearching(ctx context.Context, most int, o Options) *searching {
	s := &searching{
		program: p, most: most, exactly: o.Exactly && p.HasSteps(), progress: o.Progress, began: time.Now(),
		looks: firstLooks, conflicts: firstConflicts,
	}
	s.unrolling = newUnrolling(ctx, p, mostMemory)
	if s.unrolling.err == nil {
		s.explorer = newExplorer(ctx, s.unrolling, s.exactly)
	}
	return s
}

// search calls yield with the results.
func (s *searching) search(ctx context.Context, yield func(*Result) bool) error {
	for {
		if s.explorer != nil {
			if done, err := s.explore(ctx, yield); done {
				return err
			}
		}
		if done, err := s.unroll(ctx, yield); done {
			return err
		}
		s.looks, s.conflicts = longerTurns*s.looks, longerTurns*s.conflicts
	}
}

// tell tells of a number of stages that is about to be tried.
func (s *searching) tell(stages int) {
	for ; s.told < stages; s.told++ {
		if s.progress != nil {
			s.progress(s.told + 1)
		}
	}
}

// stats is the effort so far.
func (s *searching) stats() Stats {
	m := s.unrolling.model.Stats()
	return Stats{
		Stats:     solvers.Stats{Seconds: time.Since(s.began).Seconds(), Nodes: m.Decisions + int64(s.boards), Conflicts: m.Conflicts},
		Stages:    s.told,
		Variables: m.Variables,
		Clauses:   m.Clauses,
	}
}

// unsatisfiable is the error when there is no result with as many stages as may be.
func (s *searching) unsatisfiable(ever bool) error {
	return &UnsatisfiableError{Stages: s.most, Exactly: s.exactly && !ever, Ever: ever, Stats: s.stats()}
}

// explore goes from board to board. It returns false if that does not decide.
func (s *searching) explore(ctx context.Context, yield func(*Result) bool) (done bool, err error) {
	how, tried := s.explorer.explore(s.looks, s.most, s.tell)
	s.boards = s.explorer.boards.len()
	if !s.exactly {
		s.without = max(s.without, tried-1)
	}
	switch how {
	case met:
		if s.explorer.list(yield) {
			return true, nil
		}
	case neverMeets:
		return true, s.unsatisfiable(true)
	case notWithin:
		return true, s.unsatisfiable(false)
	case outOfMemory:
		s.explorer = nil
	}
	return ctx.Err() != nil, ctx.Err()
}

// unroll looks for results by constraints, which may stand for more boards than fit
// into memory. It returns false when the conflicts are used up and there is an
// explorer.
func (s *searching) unroll(ctx context.Context, yield func(*Result) bool) (done bool, err error) {
	u, within := s.unrolling, ctx
	if s.explorer != nil {
		var release context.CancelFunc
		within, release = csp.WithBudget(ctx, s.conflicts)
		defer release()
	}
	if s.open && len(u.stages) <= s.without {
		s.open = false // the explorer was quicker
	}
	for {
		if !s.open {
			t := len(u.stages)
			if t == s.most {
				return true, s.unsatisfiable(!s.program.HasSteps())
			}
			if t >= s.without {
				s.tell(t + 1)
			}
			if u.addStage(); u.err != nil {
				return true, u.err
			}
			if s.exactly && t < s.most-1 || t < s.without {
				continue
			}
			if s.last = u.last(t); u.err != nil {
				return true, u.err
			}
			s.open = true
		}
		switch u.model.Solve(within, s.last) {
		case csp.Feasible:
			return true, u.list(ctx, s.last, yield)
		case csp.Unknown:
			return ctx.Err() != nil, ctx.Err()
		}
		if s.exactly {
			return true, s.unsatisfiable(!s.program.HasSteps())
		}
		if len(u.model.Core()) == 0 {
			// It is not End that fails: there cannot be that many stages.
			return true, s.unsatisfiable(true)
		}
		u.model.AddClause(s.last.Not())
		s.open, s.without = false, max(s.without, len(u.stages))
	}
}

// list yields the results with the stages there are, of which one has been
// found.
func (u *unrolling) list(ctx context.Context, last csp.BoolVar, yield func(*Result) bool) error {
	// The result found already comes first: a caller that wants no more does not
	// wait until the search finds it again.
	first := u.result()
	if !yield(first) {
		return nil
	}
	text := first.String()
	again, more := false, true
	status := u.model.Enumerate(ctx, u.visible(), func() bool {
		r := u.result()
		if !again && r.String() == text {
			again = true
			return true
		}
		more = yield(r)
		return more
	}, last)
	if status == csp.Unknown && more {
		return ctx.Err()
	}
	return nil
}

// visible are literals in which any two results differ that print differently.
func (u *unrolling) visible() []csp.BoolVar {
	var literals []csp.BoolVar
	for _, cells := range u.stages {
		for _, choice := range cells {
			literals = append(literals, choice[1:]...) // the first follows from the others
		}
	}
	for _, taken := range u.taken {
		// Moves that print alike are told apart by what they do to the board.
		alike := map[string][]csp.BoolVar{}
		var names []string
		for k, b := range taken {
			if b == u.model.False() {
				continue
			}
			name := u.moves[k].name.String()
			if alike[name] == nil {
				names = append(names, name)
			}
			alike[name] = append(alike[name], b)
		}
		for _, name := range names {
			literals = append(literals, u.either(alike[name]))
		}
	}
	return literals
}

// either returns a literal that is true when one of the literals is.
func (u *unrolling) either(literals []csp.BoolVar) csp.BoolVar {
	if len(literals) == 1 {
		return literals[0]
	}
	either := u.model.NewBoolVar()
	for _, b := range literals {
		u.model.AddImplication(b, either)
	}
	u.model.AddClause(append(slices.Clone(literals), either.Not())...)
	return either
}

// result reads the result found last.
func (u *unrolling) result() *Result {
	p := u.program
	r := &Result{program: p, Cells: p.Cells()}
	for t, cells := range u.stages {
		symbols := make([]string, len(cells))
		for c, literals := range cells {
			s := slices.IndexFunc(literals, u.model.Value)
			symbols[c] = p.lists[p.board[c].list].symbols[s].text
		}
		r.Boards = append(r.Boards, symbols)
		if t == 0 {
			continue
		}
		var steps []Step
		for k, m := range u.moves {
			if u.model.Value(u.taken[t-1][k]) {
				steps = append(steps, m.name)
			}
		}
		r.Steps = append(r.Steps, steps)
	}
	return r
}
