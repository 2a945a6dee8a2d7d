package reason

import (
	"cmp"
	"context"
	"slices"

	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// The bounds of a search for a reason.
const (
	// reasonConflicts is how many conflicts of the engine a reason may take. Those that people see
	// at once take a few.
	reasonConflicts = 300
	// farSteps is how many steps are tried where none follows from a single condition.
	farSteps = 6
	// enoughReasons is how many reasons of a single condition are compared.
	enoughReasons = 24
	// enoughWork is after how much work no further step, and no other order of the grounds, is tried
	// if a reason was found: about a second.
	enoughWork = 2_500_000
	// hardConflicts is how many conflicts the reason of a step may take that nothing less leads to.
	hardConflicts = 10_000
)

// Ground is something that a step may follow from: a condition of a rule, or what is known of a
// variable because it is drawn.
type Ground struct {
	Rule  string       // empty for what is drawn
	Scope []int        // the variables that it is about, in order; nil for all of them
	Of    any          // what Post needs to know of it
	At    []board.Cell // the cells to look at, nil for all that it is about
	Name  string       // of the place that it is about, empty for that of its cells
	Text  string       // how it is said, if not by its rule and place
	Open  bool         // it may leave its only variable several values
}

// Known reports whether the ground says what one variable is: a clue, or something drawn.
func (g Ground) Known() bool { return len(g.Scope) == 1 && !g.Open }

// Question is a puzzle with one solution, as far as it is played.
type Question struct {
	Grounds []Ground
	Wanted  []int // the variables of steps that are missing
	Size    int   // the number of variables
	// Post makes a model of some grounds. It returns what is true of a variable in the solution:
	// first the literal that it is as there, then those that it is nothing else.
	Post func(grounds []Ground) (m *csp.Model, of func(v int) []csp.BoolVar)
	// Sets are further conditions, each of which says several at once that are worth looking at when
	// so much is known: those variables of which it is settled that they are as in the solution.
	Sets func(known func(v int) bool) []Ground

	work *int64 // by models, in their variables and what was set in them
}

// posted is a model of some grounds.
type posted struct {
	m    *csp.Model
	of   func(v int) []csp.BoolVar
	work *int64
}

func (q Question) post(grounds []Ground) posted {
	m, of := q.Post(grounds)
	return posted{m, of, q.work}
}

// Answer is the variable of a missing step with the smallest reason, which is nil where none is known.
func (q Question) Answer() (step int, reason []Ground) {
	q.work = new(int64)
	for _, g := range q.Grounds {
		if g.Known() && g.Rule != "" && slices.Contains(q.Wanted, g.Scope[0]) {
			return g.Scope[0], []Ground{g} // such as the only cell of a region
		}
	}
	if step, reason = q.single(); reason != nil {
		return step, reason
	}
	if step, reason = q.inRounds(); reason != nil {
		return step, reason
	}
	if step, reason = q.together(); reason != nil {
		return step, reason
	}
	return q.byRules()
}

// follows reports whether a variable must be as it is, by what was posted.
func (p posted) follows(v int) bool { return p.followsWithin(reasonConflicts, v) }

func (p posted) followsWithin(conflicts int64, v int) bool {
	bounded, release := csp.WithBudget(context.Background(), conflicts)
	defer release()
	before := p.m.Stats()
	impossible := p.m.Solve(bounded, p.of(v)[0].Not()) == csp.Infeasible
	after := p.m.Stats()
	*p.work += int64(after.Variables) + after.Propagations - before.Propagations
	return impossible
}

// reason leaves out what is not needed of grounds from which a variable follows.
func (q Question) reason(grounds []Ground, v int) []Ground {
	var kept []Ground
	for _, i := range Core(len(grounds), func(kept []int) bool {
		return q.post(chosen(grounds, kept)).follows(v)
	}) {
		kept = append(kept, grounds[i])
	}
	return kept
}

func chosen(grounds []Ground, indices []int) []Ground {
	picked := make([]Ground, len(indices))
	for i, k := range indices {
		picked[i] = grounds[k]
	}
	return picked
}

// single finds the step with the smallest reason among those that follow from one condition and
// what is known of its cells. Conditions about few cells come first.
func (q Question) single() (step int, best []Ground) {
	known := q.known()
	var conditions []Ground
	for _, g := range q.Grounds {
		if !g.Known() {
			conditions = append(conditions, g)
		}
	}
	slices.SortStableFunc(conditions, func(a, b Ground) int { return cmp.Compare(q.size(a), q.size(b)) })
	found := 0
	for _, g := range conditions {
		if best != nil && q.size(g) > 2*len(best) && found > 0 {
			break
		}
		grounds := append([]Ground{g}, q.clues(g.Scope)...)
		var p *posted
		for _, v := range q.Wanted {
			if known[v] || g.Scope != nil && !slices.Contains(g.Scope, v) {
				continue
			}
			if p == nil {
				made := q.post(grounds)
				p = &made
			}
			if !p.follows(v) {
				continue
			}
			if reason := q.reason(grounds, v); best == nil || len(reason) < len(best) {
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
func (q Question) size(g Ground) int {
	if g.Scope == nil {
		return q.Size
	}
	return len(g.Scope)
}

// clues are the grounds about one of some variables each, all for nil.
func (q Question) clues(scope []int) []Ground {
	var grounds []Ground
	for _, g := range q.Grounds {
		if g.Known() && (scope == nil || slices.Contains(scope, g.Scope[0])) {
			grounds = append(grounds, g)
		}
	}
	return grounds
}

// together finds the step of some that follows from the fewest conditions. Those about cells near
// the step are preferred.
func (q Question) together() (step int, best []Ground) {
	known := q.known()
	all := q.post(q.Grounds)
	tried := 0
	for _, v := range q.Wanted {
		if tried == farSteps {
			break
		}
		if known[v] || !all.follows(v) {
			continue
		}
		tried++
		for _, order := range [][]Ground{q.near(v), q.small(v)} {
			if best != nil && *q.work >= enoughWork {
				return step, best
			}
			if reason := q.reason(order, v); best == nil || len(reason) < len(best) {
				best, step = reason, v
			}
		}
	}
	return step, best
}

// byRules finds a step of a board that people hardly solve, and the rules from which it follows with all
// that is known; no rule can be left out.
func (q Question) byRules() (step int, best []Ground) {
	known := q.known()
	all := q.post(q.Grounds)
	at := slices.IndexFunc(q.Wanted, func(v int) bool { return !known[v] && all.followsWithin(hardConflicts, v) })
	if at < 0 {
		return 0, nil
	}
	step = q.Wanted[at]
	left := slices.Clone(q.Grounds)
	for _, g := range q.Grounds {
		if g.Known() || slices.ContainsFunc(best, func(b Ground) bool { return b.Rule == g.Rule }) {
			continue
		}
		without := slices.DeleteFunc(slices.Clone(left), func(l Ground) bool { return !l.Known() && l.Rule == g.Rule })
		switch {
		case len(without) == len(left):
		case q.post(without).followsWithin(hardConflicts, step):
			left = without
		default:
			best = append(best, Ground{Rule: g.Rule})
		}
	}
	return step, append(best, q.clues(nil)...)
}

// small are the grounds, those first that are about the fewest variables, of as many the near ones.
func (q Question) small(v int) []Ground {
	grounds := q.near(v)
	slices.SortStableFunc(grounds, func(a, b Ground) int { return cmp.Compare(q.size(a), q.size(b)) })
	return grounds
}

// near are the grounds, those first that are about a variable, then those about one that shares a
// ground with it, and so on; what is about the whole board comes last.
func (q Question) near(v int) []Ground {
	distance := map[int]int{v: 0}
	at := make([]int, len(q.Grounds)) // by ground
	for i := range at {
		at[i] = q.Size + 1
	}
	for round := 0; ; round++ {
		grown := false
		for i, g := range q.Grounds {
			if at[i] <= round || g.Scope == nil || !slices.ContainsFunc(g.Scope, func(v int) bool { d, ok := distance[v]; return ok && d <= round }) {
				continue
			}
			at[i], grown = round, true
			for _, v := range g.Scope {
				if _, ok := distance[v]; !ok {
					distance[v] = round + 1
				}
			}
		}
		if !grown {
			break
		}
	}
	order := make([]int, len(q.Grounds))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	return chosen(q.Grounds, order)
}

// known tells of which variables there is a ground about it alone.
func (q Question) known() []bool {
	known := make([]bool, q.Size)
	for _, g := range q.Grounds {
		if g.Known() {
			known[g.Scope[0]] = true
		}
	}
	return known
}
