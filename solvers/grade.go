package solvers

import (
	"cmp"
	"context"
	"fmt"
)

// Level is what it takes to see that a step follows.
type Level int

// The levels, the easiest first.
const (
	ByCondition Level = 1 + iota // one condition of a rule, and what is known of its cells
	ByBoard                      // one about the whole board, such as that cells are connected, or some taken as one
	ByAll                        // all conditions together, without assuming anything
	ByTrial                      // the contrary leads to a contradiction
	BySearch                     // none of these: trials within trials, or moves
)

// String is a word for the level.
func (l Level) String() string {
	if l < ByCondition || l > BySearch {
		return "nothing"
	}
	return []string{"condition", "board", "all rules", "trial", "search"}[l-1]
}

// Grade is how hard a puzzle is: it is solved in rounds, each of which takes all steps that follow at
// the lowest level at which any does. A puzzle that is turned, mirrored or renamed has the same.
type Grade struct {
	Level  Level `json:"level"`  // the highest that was needed
	Hard   int   `json:"hard"`   // the rounds at that level; steps that were left to a search
	Rounds int   `json:"rounds"` // all of them
	Open   int   `json:"open"`   // the fewest steps of a round at that level
}

// Count adds a round, in which there were so many steps.
func (g *Grade) Count(level Level, steps int) {
	if level > g.Level {
		g.Level, g.Hard, g.Open = level, 0, steps
	}
	g.Rounds++
	if level == g.Level {
		g.Hard, g.Open = g.Hard+1, min(g.Open, steps)
	}
	if level == BySearch {
		g.Hard = steps
	}
}

// Compare is negative if a puzzle is easier than another, and positive if it is harder.
func (g Grade) Compare(h Grade) int {
	return cmp.Or(cmp.Compare(g.Level, h.Level), cmp.Compare(g.Hard, h.Hard), cmp.Compare(g.Rounds, h.Rounds), cmp.Compare(h.Open, g.Open))
}

// String is the grade in words.
func (g Grade) String() string {
	if g.Level == BySearch {
		return fmt.Sprintf("%d (%s), %d steps after %d rounds", g.Level, g.Level, g.Hard, g.Rounds-1)
	}
	return fmt.Sprintf("%d (%s), %d of %d rounds, %d open", g.Level, g.Level, g.Hard, g.Rounds, g.Open)
}

// GradeMoves is the grade of a puzzle whose first solution is one with the fewest moves, none of
// which follows by a rule: a search for as many. It fails as Solve does.
func GradeMoves(ctx context.Context, p Puzzle) (g Grade, err error) {
	s, err := p.Solve(ctx)
	if err == nil {
		g.Count(BySearch, len(s.Steps(nil)))
	}
	return g, err
}
