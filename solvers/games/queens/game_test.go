package queens

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/gametest"
)

// TestGame runs the suite that every game passes.
func TestGame(t *testing.T) { gametest.Run(t, Game{}, "testdata/cases/*.txt") }

func FuzzParse(f *testing.F) { gametest.FuzzParse(f, Game{}, "testdata/cases/*.txt", nil) }

// TestRead reads kept observations of the simulated app.
func TestRead(t *testing.T) {
	gametest.Observations(t, Game{}, "testdata/read/*.txt", gametest.NoLines)
}

func FuzzRead(f *testing.F) { gametest.FuzzRead(f, Game{}, "testdata/read/*.txt") }

// naive lists the solutions of a puzzle by trying every column in every row.
func naive(p *Puzzle) []string {
	var found []string
	size := p.Regions.Size
	cells := make([]board.Cell, 0, size.Rows)
	var place func(row int)
	place = func(row int) {
		if row == size.Rows {
			if s := (&Solution{p.At(cells), p}); s.Check() == nil {
				found = append(found, s.String())
			}
			return
		}
		for col := range size.Cols {
			cells = append(cells, size.At(row, col))
			place(row + 1)
			cells = cells[:row]
		}
	}
	place(0)
	slices.Sort(found)
	return found
}

// TestBruteForce compares the solutions of random boards with those that trying all
// columns finds.
func TestBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 1))
	several, none := 0, 0
	for i := range 150 {
		size := board.Size{Rows: 4 + i%2, Cols: 4 + i%2}
		var seeds []board.Cell
		for _, c := range random.Perm(size.Cells())[:size.Rows] {
			seeds = append(seeds, board.Cell(c))
		}
		p := newPuzzle(board.GrowRegions(size, seeds, random), nil)
		want := naive(p)
		gametest.SameSolutions(t, p, want)
		if len(want) == 0 {
			none++
		} else if len(want) > 1 {
			several++
		}
	}
	if several == 0 || none == 0 {
		t.Errorf("%d boards with several solutions, %d with none, expected some of each", several, none)
	}
}

// TestGenerate makes boards of all usual sizes, each with one solution and a grade.
func TestGenerate(t *testing.T) {
	kinds := map[solvers.Level]int{}
	for side := MinSide; side <= 9; side++ {
		random := rand.New(rand.NewPCG(11, uint64(side)))
		for range 4 {
			made, err := Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: side}, random)
			if err != nil {
				t.Fatal(err)
			}
			p := made.(*Puzzle)
			if found := gametest.Solutions(t, p); p.Regions.Rows != side || len(found) != 1 {
				t.Errorf("%d rows wanted, %d solutions:\n%s", side, len(found), p)
			}
			grade, err := p.Grade(context.Background())
			if err != nil || grade.Level < solvers.ByCondition {
				t.Errorf("grade %v, %v, expected one\n%s", grade, err, p)
			}
			kinds[grade.Level]++
		}
	}
	if len(kinds) < 2 {
		t.Errorf("boards by their grade: %v, expected at least two kinds", kinds)
	}
}

func TestGenerateRefuses(t *testing.T) {
	gametest.GenerateRefuses(t, Game{}, map[string]solvers.GenerateOptions{
		"3 rows and 0 columns":  {Rows: 3},
		"27 rows and 0 columns": {Rows: 27},
		"8 rows and 9 columns":  {Rows: 8, Cols: 9},
		"7 regions wanted":      {Rows: 8, Colours: 7},
		`variant "hex"`:         {Variant: "hex"},
	})
}

// TestGrade grades boards by the reasons that they need.
func TestGrade(t *testing.T) {
	for _, c := range []struct {
		text string
		want solvers.Level // 0 for a board without a solution
	}{
		{"AABB\nACBB\nCCDB\nCCDD", solvers.ByBoard},
		{"AABBB\nAABBB\nCCDDD\nCCDDD\nEEEEE", solvers.BySearch}, // it has several solutions
		{"ABBC\nBBBC\nBCCC\nDDDD", 0},
	} {
		p, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if grade, err := p.Grade(context.Background()); errors.Is(err, solvers.ErrNoSolution) != (c.want == 0) || grade.Level != c.want {
			t.Errorf("grade %v, %v, expected level %d\n%s\n%s", grade, err, c.want, p, strings.Join(gametest.Solutions(t, p), "\n\n"))
		}
	}
}
