package flow

import (
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// The rules that an advice names.
const (
	ruleEnd     = "only way"     // an end has one way left
	ruleCorner  = "corner"       // a cell in a corner has two
	ruleTwoWays = "two ways"     // another cell has two
	ruleWayOut  = "only way out" // cells around an end have one way out
	ruleDeadEnd = "dead end"     // without the step a cell would be one
	ruleCut     = "cut"          // without the step something would be cut off
	ruleCross   = "crossing"     // without the step pipes would have to cross
	ruleParity  = "parity"       // without the step a checkerboard would not come out even
	ruleRoom    = "room"         // without the step cells would need more than their neighbours have
	ruleFollows = "consequence"  // without the step those that follow contradict each other
)

// An argument says why steps that are left allow no solution, empty if it does not know.
type argument struct {
	rule string
	find func(*routes) string
}

// arguments are all of them, the simplest first.
func arguments() []argument {
	return []argument{
		{ruleDeadEnd, (*routes).deadEnd}, {ruleCut, (*routes).cutOff}, {ruleCross, (*routes).crossing}, {ruleParity, (*routes).checkerboard},
		{ruleRoom, (*routes).shortage}, {ruleRoom, (*routes).crowd}, {ruleCut, (*routes).passage},
	}
}

// mostTrials bounds the steps that Advise tries times the cells of the board: 0.1 s to
// 1 s.
const mostTrials = 1_000_000

// Advise returns a step that every solution takes and that is not drawn, by the simplest rule
// that forces one. It does not rely on what is drawn, which may be wrong. It returns nil if no
// rule forces a step.
func (p *Puzzle) Advise(drawn, _ solvers.Solution) *solvers.Advice {
	if reason := p.Reason(); reason != "" {
		return nil
	}
	a := &adviser{routes: newRoutes(p), ruledOut: map[int]string{}}
	if s, ok := drawn.(*Solution); ok && s != nil {
		a.drawn = s
	}
	a.mate = a.mates()
	trials := mostTrials / len(a.cell)
	for {
		if advice, contradiction := a.forced(); advice != nil || contradiction {
			return advice
		}
		advice, learned := a.wayOut()
		if advice == nil && !learned {
			advice, learned = a.try(&trials)
		}
		if advice != nil || !learned {
			return advice
		}
	}
}

// adviser is the steps that are left, with the reasons why others are not.
type adviser struct {
	*routes
	mate     []int
	ruledOut map[int]string // by step, in both directions: why it is not possible
	drawn    *Solution      // nil when nothing is drawn
}

// forced draws steps that are forced at a node, as force does, up to the first that is
// not drawn on the board yet.
func (a *adviser) forced() (advice *solvers.Advice, contradiction bool) {
	for again := true; again; {
		again = false
		for v := range a.cell {
			ways := a.routes.forced[v*a.dirs : (v+1)*a.dirs]
			before := slices.Clone(ways)
			why, acted := a.forceAt(v, a.mate)
			if why != "" {
				return nil, true // the search knows better whether there is a solution
			}
			again = again || acted
			for way := range a.around(v) {
				if a.routes.forced[way] && !before[way-v*a.dirs] && !a.isDrawn(way) {
					return a.atNode(v, way), false
				}
			}
		}
	}
	return nil, false
}

// atNode is the advice to take a step because its node has no other.
func (a *adviser) atNode(v, way int) *solvers.Advice {
	var ways, reasons []string
	closed := 0
	for at := v * a.dirs; at < (v+1)*a.dirs; at++ {
		if to := a.to[at]; to >= 0 {
			ways = append(ways, a.name(to))
		} else if a.puzzle.beside(a.cell[v], board.Dir(at%a.dirs)) == board.None {
			closed++
		}
		if why, ok := a.ruledOut[at]; ok {
			reasons = append(reasons, why)
		}
	}
	advice := &solvers.Advice{Rule: ruleTwoWays, Cells: []board.Cell{a.cell[v], a.cell[a.to[way]]}}
	switch {
	case a.end[v] >= 0:
		advice.Rule = ruleEnd
		advice.Text = fmt.Sprintf("the end of %s at %s has only one way to go, to %s", a.label(a.end[v]), a.name(v), ways[0])
	case closed > 1 && len(reasons) == 0:
		advice.Rule = ruleCorner
		advice.Text = fmt.Sprintf("%s is in a corner: the pipe through it joins %s", a.name(v), strings.Join(ways, " and "))
	default:
		advice.Text = fmt.Sprintf("the pipe through %s has only the ways to %s", a.name(v), strings.Join(ways, " and "))
	}
	slices.Sort(reasons)
	for _, why := range slices.Compact(reasons) {
		advice.Text += "; " + why
	}
	return advice
}

// wayOut looks for a step that a pipe takes wherever it runs, since no other leads out
// of the cells that it can reach from one of its ends. learned says that there is one,
// even if it is drawn.
func (a *adviser) wayOut() (advice *solvers.Advice, learned bool) {
	if len(a.ends)*len(a.cell) > mostPassages {
		return nil, false
	}
	owner := make([]int, len(a.cell))
	for v := range owner {
		owner[v] = -1
	}
	t := newTree(len(a.cell))
	for k, ends := range a.ends {
		if _, reached := a.musts(k, owner, &t); !reached {
			return nil, false
		}
		for v := ends[1]; v != ends[0]; v = t.parent[v] {
			u := t.parent[v]
			if t.low[v] <= t.mark[u] {
				continue // there is another way
			}
			for way, to := range a.around(u) {
				if to != v || a.routes.forced[way] {
					continue
				}
				_ = a.drawOne(way, a.mate) // what is contradictory the next round finds
				if a.isDrawn(way) {
					return nil, true
				}
				from, out, side := ends[0], way, len(t.order)-t.below(v)
				if beyond := t.below(v); beyond < side {
					from, out, side = ends[1], a.back(way), beyond
				}
				return &solvers.Advice{
					Rule:  ruleWayOut,
					Cells: []board.Cell{a.cell[out/a.dirs], a.cell[a.to[out]]},
					Text: fmt.Sprintf("the end of %s at %s is among %s that its pipe can leave only by the step from %s to %s",
						a.label(k), a.name(from), board.Count(side, "cell"), a.name(out/a.dirs), a.name(a.to[out])),
				}, true
			}
		}
	}
	return nil, false
}

// isDrawn reports whether both cells of a step are drawn as one pipe's.
func (a *adviser) isDrawn(way int) bool {
	if a.drawn == nil {
		return false
	}
	one, other := a.drawn.pipe[a.cell[way/a.dirs]], a.drawn.pipe[a.cell[a.to[way]]]
	return one >= 0 && one == other
}

// try assumes of each step that is left that it is not taken, and that it is: one that
// cannot be left out is the advice, and one that cannot be taken is ruled out. learned
// says that one was.
func (a *adviser) try(trials *int) (advice *solvers.Advice, learned bool) {
	for way, to := range a.to {
		v := way / a.dirs
		if to < v || a.routes.forced[way] {
			continue
		}
		if *trials--; *trials < 0 {
			return nil, false
		}
		without := a.assume(func(g *routes, _ []int) string {
			g.drop(way)
			return ""
		})
		if without.why != "" {
			_ = a.drawOne(way, a.mate) // what is contradictory the next round finds
			if !a.isDrawn(way) {
				return &solvers.Advice{
					Rule:  without.rule,
					Cells: []board.Cell{a.cell[v], a.cell[to]},
					Text:  fmt.Sprintf("%s and %s are joined: otherwise %s", a.name(v), a.name(to), without.why),
				}, true
			}
			return nil, true
		}
		with := a.assume(func(g *routes, mate []int) string { return g.drawOne(way, mate) })
		if with.why != "" {
			text := fmt.Sprintf("%s and %s cannot be joined, since %s", a.name(v), a.name(to), with.why)
			a.ruledOut[way], a.ruledOut[a.back(way)] = text, text
			a.drop(way)
			return nil, true
		}
	}
	return nil, false
}

// refutation is a contradiction, in words, and the rule by which it was found.
type refutation struct{ rule, why string }

// assume tries a change of the steps that are left.
func (a *adviser) assume(change func(*routes, []int) string) refutation {
	g := *a.routes
	g.to, g.forced = slices.Clone(a.to), slices.Clone(a.routes.forced)
	mate := slices.Clone(a.mate)
	if why := change(&g, mate); why != "" {
		return refutation{ruleFollows, why}
	}
	for _, argument := range arguments() {
		if why := argument.find(&g); why != "" {
			return refutation{argument.rule, why}
		}
	}
	return refutation{ruleFollows, g.follow(mate)}
}

// follow takes the steps that are forced and says how they contradict each other, if
// they do.
func (g *routes) follow(mate []int) string {
	for again := true; again; {
		again = false
		for v := range g.cell {
			why, acted := g.forceAt(v, mate)
			if why != "" {
				return why
			}
			again = again || acted
		}
	}
	return ""
}
