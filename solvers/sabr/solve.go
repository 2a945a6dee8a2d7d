package sabr

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/csp"
)

// DefaultStages is the most stages of a program with steps when Options does
// not say.
const DefaultStages = 20

// Options say how a program is solved. The zero value is a good default.
type Options struct {
	// Stages is the most stages that may be used, from 1; 0 means DefaultStages. A
	// program without steps has one stage, whatever is said here.
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

// Enumerate calls yield with each result of the fewest stages, once, until
// yield returns false. Results differ when a board differs, or the printed steps
// do in anything but their order; which of several sections or instances of the
// same name took a step makes no difference. It returns nil
// after yield returned false or when the list was complete, an UnsatisfiableError
// if there is nothing to list, a TooLargeError if the program cannot be tried, and
// the context's error if that is done first. The Stats of the results are left
// empty.
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
	began := time.Now()
	u := newUnrolling(ctx, p, mostMemory)
	stats := func() Stats {
		s := u.model.Stats()
		return Stats{
			Stats:     solvers.Stats{Seconds: time.Since(began).Seconds(), Nodes: s.Decisions, Conflicts: s.Conflicts},
			Stages:    len(u.stages),
			Variables: s.Variables,
			Clauses:   s.Clauses,
		}
	}
	exactly := o.Exactly && p.HasSteps()
	for t := range most {
		if o.Progress != nil {
			o.Progress(t + 1)
		}
		if u.addStage(); u.err != nil {
			return stats(), u.err
		}
		if exactly && t < most-1 {
			continue
		}
		last := u.last(t)
		if u.err != nil {
			return stats(), u.err
		}
		switch u.model.Solve(ctx, last) {
		case csp.Feasible:
			return p.list(ctx, u, last, yield, stats)
		case csp.Unknown:
			return stats(), ctx.Err()
		}
		if exactly {
			break
		}
		if len(u.model.Core()) == 0 {
			// It is not End that fails: there cannot be that many stages.
			return stats(), &UnsatisfiableError{Stages: most, Ever: true, Stats: stats()}
		}
		u.model.AddClause(last.Not())
	}
	return stats(), &UnsatisfiableError{Stages: most, Exactly: exactly, Ever: !p.HasSteps(), Stats: stats()}
}

// list yields the results with the stages there are, of which one has been
// found.
func (p *Program) list(ctx context.Context, u *unrolling, last csp.BoolVar, yield func(*Result) bool, stats func() Stats) (Stats, error) {
	// The result found already comes first: a caller that wants no more does not
	// wait until the search finds it again.
	first := u.result()
	if !yield(first) {
		return stats(), nil
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
		return stats(), ctx.Err()
	}
	return stats(), nil
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
