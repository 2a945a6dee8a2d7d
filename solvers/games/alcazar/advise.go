package alcazar

import (
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// The rules that an advice names.
const (
	ruleTwoDoors = "two doors" // a room has two doors left
	ruleNeeded   = "only way"  // without the door there is no solution, for a short reason
)

// mostTrials bounds the doors that Advise tries times the rooms of the board: 0.1 s to
// 1 s.
const mostTrials = 1_000_000

// Advise returns a door that every solution uses and that is not drawn, by the simplest rule
// that forces one. It does not rely on what is drawn, which may be wrong. It returns nil if no
// rule forces a door.
func (p *Puzzle) Advise(drawn, _ solvers.Solution) *solvers.Advice {
	if p.hopeless() != "" {
		return nil
	}
	a := &adviser{Puzzle: *p, needed: make([]bool, len(p.open))}
	a.open = slices.Clone(p.open)
	if s, ok := drawn.(*Solution); ok && s != nil {
		a.drawn = s.used
	}
	for a.force() {
		if a.hopeless() != "" {
			return nil // the search knows better whether there is a solution
		}
	}
	if a.advice != nil {
		return a.advice
	}
	return a.try()
}

// adviser is a puzzle whose doors that no solution uses are closed one by one.
type adviser struct {
	Puzzle
	needed []bool // by border: every solution uses it
	drawn  []bool // by border, nil when nothing is drawn
	advice *solvers.Advice
}

// force finds the doors of rooms that have two left, and closes those of rooms and of the
// rim that can use no more. It reports whether it closed any.
func (a *adviser) force() (closed bool) {
	for _, c := range a.rooms {
		if a.doors(c) == 2 {
			a.need(c)
		}
	}
	chains := board.NewSets(a.size.Cells())
	for _, c := range a.rooms {
		for _, d := range []board.Dir{board.East, board.South} {
			if n := a.neighbour(c, d); n != board.None && a.needed[border(a.size, c, d)] {
				chains.Join(int(c), int(n))
			}
		}
	}
	openings := 0
	for _, o := range a.Openings() {
		if a.needed[border(a.size, o.Room, o.Side)] {
			openings++
		}
	}
	for _, c := range a.rooms {
		used := 0
		for d := range board.Dir(4) {
			if a.needed[border(a.size, c, d)] {
				used++
			}
		}
		for d := range board.Dir(4) {
			at, n := border(a.size, c, d), a.neighbour(c, d)
			if !a.open[at] || a.needed[at] {
				continue
			}
			loop := n != board.None && chains.Find(int(c)) == chains.Find(int(n))
			if used >= 2 || loop || n == board.None && openings >= 2 {
				a.open[at] = false
				closed = true
			}
		}
	}
	return closed
}

// need notes that a room's two doors are used. The first that is not drawn is advised.
func (a *adviser) need(c board.Cell) {
	var ways []string
	fresh := -1
	cells := []board.Cell{c}
	for d := range board.Dir(4) {
		if !a.Open(c, d) {
			continue
		}
		n, at := a.neighbour(c, d), border(a.size, c, d)
		if n == board.None {
			ways = append(ways, a.name(Opening{Room: c, Side: d}))
		} else {
			ways = append(ways, a.size.Name(n))
		}
		if !a.needed[at] && !a.isDrawn(at) && fresh < 0 {
			fresh = at
			if n != board.None {
				cells = append(cells, n)
			}
		}
		a.needed[at] = true
	}
	if fresh >= 0 && a.advice == nil {
		a.advice = &solvers.Advice{
			Rule: ruleTwoDoors, Cells: cells,
			Text: fmt.Sprintf("%s has only two doors left: the path joins it to %s", a.size.Name(c), strings.Join(ways, " and ")),
		}
	}
}

func (a *adviser) isDrawn(border int) bool { return a.drawn != nil && a.drawn[border] }

// try closes one door after the other: one without which there is a short reason for no
// solution is the advice.
func (a *adviser) try() *solvers.Advice {
	trials := mostTrials / len(a.rooms)
	for _, c := range a.rooms {
		for d := range board.Dir(4) {
			at, n := border(a.size, c, d), a.neighbour(c, d)
			if !a.open[at] || a.needed[at] || a.isDrawn(at) || n != board.None && d != board.East && d != board.South {
				continue
			}
			if trials--; trials < 0 {
				return nil
			}
			a.open[at] = false
			why := a.hopeless()
			if why == "" {
				why = a.crowded()
			}
			a.open[at] = true
			if why == "" {
				continue
			}
			if n == board.None {
				return &solvers.Advice{Rule: ruleNeeded, Cells: []board.Cell{c},
					Text: fmt.Sprintf("the path uses %s: otherwise %s", a.name(Opening{Room: c, Side: d}), why)}
			}
			return &solvers.Advice{Rule: ruleNeeded, Cells: []board.Cell{c, n},
				Text: fmt.Sprintf("the path joins %s and %s: otherwise %s", a.size.Name(c), a.size.Name(n), why)}
		}
	}
	return nil
}
