package asteroid

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Part is the solution's first moves, as many as are given.
func (s *Solution) Part(steps []int) solvers.Solution {
	return &Solution{puzzle: s.puzzle, moves: s.moves[:min(len(steps), len(s.moves))]}
}

// Advise returns the next move of the solution with the fewest moves, and how many more each of the
// other moves would take. Drawn are moves that were made already; other ones than the solution's
// get no advice.
func (p *Puzzle) Advise(drawn, solved solvers.Solution) *solvers.Advice {
	found, ok := solved.(*Solution)
	if !ok {
		var err error
		if found, _, err = p.shortest(context.Background()); err != nil {
			return nil
		}
	}
	done := 0
	if on, ok := drawn.(*Solution); ok {
		done = len(on.moves)
		if done > len(found.moves) || !slices.Equal(on.moves, found.moves[:done]) {
			return nil
		}
	}
	if done == len(found.moves) {
		return nil
	}
	r, at := p.rules()
	for _, m := range found.moves[:done] {
		at = at.slid(m.From)
	}
	move := found.moves[done]
	a := &solvers.Advice{Cells: []board.Cell{move.From}}
	if move.Exit {
		a.Rule, a.Text = "exit", move.words()+": nothing is in the spacecraft's way"
		return a
	}
	g, err := newGraph(context.Background(), r, at)
	if err != nil {
		return nil
	}
	left := g.distances(r.leaves) // slides, without the leaving
	a.Text = fmt.Sprintf("%s: %s then", move.words(), moves(left[g.next[0][move.Dir]]+1))
	var others, blocked []string
	for d := range board.Dir(4) {
		from := at.mover(d)
		if from == board.None || d == move.Dir {
			continue
		}
		if to := g.next[0][d]; to < 0 {
			blocked = append(blocked, size.Name(from))
			a.Look = append(a.Look, from)
		} else {
			others = append(others, fmt.Sprintf("%s after %q", moves(left[to]+1), Move{From: from, Dir: d}.words()))
		}
	}
	switch {
	case others != nil:
		a.Rule, a.Text = "exit", a.Text+", "+strings.Join(others, ", ")
	default:
		a.Rule, a.Text = "clear", a.Text+"; no other tile can slide"
	}
	if blocked != nil {
		a.Rule = "clear"
		a.Text += fmt.Sprintf("; the way of the tile at %s is not clear", strings.Join(blocked, " and of the one at "))
	}
	slices.Sort(a.Look)
	return a
}

// moves is a number of moves that are left, in words.
func moves(n int32) string {
	if n == 1 {
		return "1 move is left"
	}
	return fmt.Sprintf("%d moves are left", n)
}
