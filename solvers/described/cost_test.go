package described_test

import (
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/described"
	"tapwise/solvers/games/queens"
	"tapwise/solvers/gametest"
)

// queensDescribed is Queens as a description.
const queensDescribed = `
decide = marks(".Q", name = "queen")
notation = grid(rooms = True)

def rules(b):
    return {
        "row": [count(b.queen, r) == 1 for r in b.rows],
        "column": [count(b.queen, c) == 1 for c in b.cols],
        "region": [count(b.queen, r) == 1 for r in b.rooms],
        "touch": [count(b.queen, block) <= 1 for block in b.blocks],
    }
`

// queensBoards are boards of Queens, as the game writes them and as its description does.
func queensBoards(tb testing.TB) (g *described.Game, coded, told []solvers.Puzzle) {
	tb.Helper()
	g, err := described.Load("queens.star", []byte(queensDescribed))
	if err != nil {
		tb.Fatal(err)
	}
	for _, p := range gametest.Levels(tb, queens.Game{}) {
		rooms := p.String()
		empty := strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return '.'
		}, rooms)
		q, err := g.Parse(empty + "\n" + rooms)
		if err != nil {
			tb.Fatal(err)
		}
		coded, told = append(coded, p), append(told, q)
	}
	return g, coded, told
}

// TestQueensDescribed wants a description of Queens to have the solutions of the game that is
// programmed.
func TestQueensDescribed(t *testing.T) {
	_, coded, told := queensBoards(t)
	for i := range coded {
		want := gametest.Solutions(t, coded[i])
		got := gametest.Solutions(t, told[i])
		if len(got) != 1 || len(want) != 1 || strings.ReplaceAll(got[0], "\n", "") != queensOf(want[0]) {
			t.Errorf("%s\nhas the solutions %q as a description, and %q", coded[i], got, want)
		}
	}
}

// queensOf is a solution with its queens only.
func queensOf(solution string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n', ' ':
			return -1
		case 'Q':
			return r
		}
		return '.'
	}, solution)
}

// BenchmarkQueens compares the two in solving and in reading the notation, and tells what a
// description costs at the start.
func BenchmarkQueens(b *testing.B) {
	g, coded, told := queensBoards(b)
	for name, boards := range map[string][]solvers.Puzzle{"coded": coded, "described": told} {
		b.Run("solve/"+name, func(b *testing.B) {
			for b.Loop() {
				for _, p := range boards {
					if _, err := p.Solve(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(boards)), "µs/board")
		})
		b.Run("parse/"+name, func(b *testing.B) {
			parse := queens.Game{}.Parse
			if name == "described" {
				parse = g.Parse
			}
			for b.Loop() {
				for _, p := range boards {
					if _, err := parse(p.String()); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(boards)), "µs/board")
		})
	}
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			if _, err := described.Load("queens.star", []byte(queensDescribed)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
