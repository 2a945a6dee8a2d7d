package grid

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/reason"
	"tapwise/solvers/engine/reason/reasontest"
)

// placedAlone is a solution of a OneEach.
type placedAlone struct{ Placed }

func (placedAlone) Check() error { return nil }

func (s placedAlone) Part(steps []int) solvers.Solution { return placedAlone{s.Placed.Part(steps)} }

// onlyPlacing is a board with one solution, and that.
func onlyPlacing(t *testing.T, size board.Size, r *rand.Rand) (OneEach, placedAlone) {
	t.Helper()
	for {
		queens := size.Scatter(r)
		rows, cols := make([]int, size.Cells()), make([]int, size.Cells())
		for c := range board.Cell(size.Cells()) {
			rows[c], cols[c] = size.Row(c), size.Col(c)
		}
		o := OneEach{Cells: size.Cells(), Units: [][]int{rows, cols, board.GrowRegions(size, queens, r).Of}, Apart: size.Corners}
		found := placedAlone{Placing{Size: size, Cycle: ".Q", Names: []string{"queen"}}.At(queens)}
		solutions := 0
		_, err := o.Enumerate(t.Context(), solvers.EnumerateOptions{}, func([]board.Cell) solvers.Solution { return found }, func(solvers.Solution) bool { solutions++; return solutions < 2 })
		if err != nil {
			t.Fatal(err)
		}
		if solutions == 1 {
			return o, found
		}
	}
}

// allowed reports whether some cells can all be chosen, by looking at every two.
func (o OneEach) allowed(size board.Size, a, b board.Cell) bool {
	down, across := size.Row(a)-size.Row(b), size.Col(a)-size.Col(b)
	return a == b || down != 0 && across != 0 && down*down+across*across != 2 && o.Units[2][a] != o.Units[2][b]
}

// TestReasonsOneEach tells all steps of boards, and tries the reasons out on all ways to fill their
// cells, also those that take several conditions as one.
func TestReasonsOneEach(t *testing.T) {
	told, tried, named := 0, 0, map[string]int{}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		side := 4 + int(seed%3)
		size := board.Size{Rows: side, Cols: side}
		o, found := onlyPlacing(t, size, r)
		one := func(unit []board.Cell, values []int) bool {
			n := 0
			for _, c := range unit {
				n += values[c]
			}
			return n == 1
		}
		b := reasontest.Board{Values: make([]int, o.Cells), Domain: func(int) []int { return []int{0, 1} }, Says: func(v int) string { return size.Name(board.Cell(v)) }, Holds: func(g reason.Ground, values []int) bool {
			switch is := g.Of.(type) {
			case crowd:
				for _, unit := range is {
					if !one(unit, values) {
						return false
					}
				}
			case beside:
				for _, c := range g.Scope {
					if values[is] == 1 && values[c] == 1 && !o.allowed(size, board.Cell(c), board.Cell(is)) {
						return false
					}
				}
			case starve:
				for _, c := range is.unit {
					if values[is.by] == 1 && values[c] == 1 && !o.allowed(size, c, is.by) {
						return false
					}
				}
				return one(is.unit, values)
			}
			return true
		}}
		for _, c := range found.Things() {
			b.Values[c] = 1
		}
		words := Words{Kinds: []string{"row", "column", "region"}, Apart: "touch", Unit: func(kind, i int) string { return fmt.Sprint(kind, i) }, Cell: size.Name}
		n, m := b.Tell(t, found, func(v int) []board.Cell { return []board.Cell{board.Cell(v)} }, func(drawn solvers.Solution) reason.Question {
			q := o.Question(found, drawn, words)
			for _, g := range q.Grounds {
				if at := board.Cell(g.Scope[0]); g.Text != "" && (b.Values[g.At[0]] != 1 || at != g.At[0] && o.allowed(size, at, g.At[0])) {
					t.Fatalf("%s is said to be known by %s", size.Name(at), g.Text)
				}
			}
			_, why := q.Answer()
			for _, g := range why {
				for _, kind := range []string{"within", "none"} {
					if strings.Contains(g.Text, kind) {
						named[kind]++
					}
				}
			}
			return q
		})
		told, tried = told+n, tried+m
	}
	t.Logf("%d steps are told, %d reasons are tried out; named %v", told, tried, named)
	if told < 200 || tried*2 < told || named["within"] < 5 || named["none"] < 5 {
		t.Error("too few to tell anything")
	}
}
