package adrift

import (
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/gametest"
)

// TestGame runs the suite that every game passes.
func TestGame(t *testing.T) { gametest.Run(t, Game{}, "testdata/cases/*.txt") }

// FuzzParse expects chains of each right solution.
func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, Game{}, "testdata/cases/*.txt", func(t *testing.T, p solvers.Puzzle, solution string) {
		s, err := p.ParseSolution(solution)
		if err == nil && s.Check() == nil && s.(*Solution).Paths() == nil {
			t.Fatalf("a right solution without chains\n%s\n%s", p, s)
		}
	})
}

type pairs = [][2]board.Cell

// TestNewRefuses tries givens that are no puzzle.
func TestNewRefuses(t *testing.T) {
	for want, b := range map[string]Board{
		"faces of 1 rows":                         {Side: 1, Ends: pairs{{0, 1}}},
		"faces of 8 rows":                         {Side: 8, Ends: pairs{{0, 1}}},
		"no ends":                                 {Side: 2},
		"2 letters for 1 colours":                 {Side: 2, Ends: pairs{{0, 1}}, Labels: "AB"},
		"expected a letter other than X":          {Side: 2, Ends: pairs{{0, 1}}, Labels: "X"},
		"two colours A":                           {Side: 2, Ends: pairs{{0, 1}, {2, 3}}, Labels: "AA"},
		"an end of A on cell 12":                  {Side: 2, Ends: pairs{{0, 12}}},
		"a stone on cell -1":                      {Side: 2, Ends: pairs{{0, 1}}, Stones: []board.Cell{-1}},
		"top row 1 column 1: an end of B":         {Side: 2, Ends: pairs{{0, 1}, {2, 0}}},
		"left row 1 column 1: an end of A on a":   {Side: 2, Ends: pairs{{4, 1}}, Stones: []board.Cell{4}},
		"52 colours, expected at most 51":         {Side: 7, Ends: make(pairs, 52)},
		"right row 2 column 2: a stone on a cell": {Side: 2, Ends: pairs{{4, 1}}, Stones: []board.Cell{11, 11}},
	} {
		if p, err := New(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, %v, expected an error with %q", b, p, err, want)
		}
	}
}
