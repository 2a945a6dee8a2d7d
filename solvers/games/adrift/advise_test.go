package adrift

import (
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/reason"
	"tapwise/solvers/engine/reason/reasontest"
	"tapwise/solvers/gametest"
)

// TestAdvise tells all steps of levels, and tries the reasons out.
func TestAdvise(t *testing.T) {
	told, tried := 0, 0
	for i, level := range gametest.Levels(t, Game{}) {
		p := level.(*Puzzle)
		found := reason.Solution(p, nil).(*Solution)
		b := reasontest.Board{Values: found.colour, Says: func(v int) string { return p.Name(board.Cell(v)) }, Domain: func(v int) (all []int) {
			if p.Stone(board.Cell(v)) {
				return []int{stone}
			}
			for k := range p.ends {
				all = append(all, k)
			}
			return all
		}, Holds: func(g reason.Ground, values []int) bool {
			if k, ok := g.Of.(chainOf); ok {
				return connected(p, int(k), values)
			}
			c, alike := g.At[0], 0
			for _, n := range p.neighbours(c) {
				if values[n] == values[c] {
					alike++
				}
			}
			if p.colour[c] >= 0 {
				return alike == 1
			}
			return alike == 2
		}}
		n, m := b.Tell(t, found, func(v int) []board.Cell { return []board.Cell{board.Cell(v)} }, func(drawn solvers.Solution) reason.Question { return p.question(found, drawn) })
		told, tried = told+n, tried+m
		t.Logf("level %d: %d told of %d", i+1, n, len(p.ends))
	}
	t.Logf("%d steps are told, %d reasons are tried out", told, tried)
	if told < 20 || 3*tried < told {
		t.Error("too few to tell anything")
	}
}

// connected reports whether the cells of a colour are, by growing from one of them.
func connected(p *Puzzle, colour int, values []int) bool {
	all, reached := 0, map[board.Cell]bool{}
	for c, k := range values {
		if k != colour {
			continue
		}
		if all++; all == 1 {
			reached[board.Cell(c)] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for c := range reached {
			for _, n := range p.neighbours(c) {
				if values[n] == colour && !reached[n] {
					reached[n], grown = true, true
				}
			}
		}
	}
	return len(reached) == all
}
