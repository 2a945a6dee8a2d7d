package described

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// turnCell is where a cell is after one of the eight turns of turnStep, on the turned board.
func turnCell(turn int, from, to board.Size, c board.Cell) board.Cell {
	// Twice the distance from the middle, which stays.
	at := turnStep(turn, [2]int{2*from.Row(c) - from.Rows + 1, 2*from.Col(c) - from.Cols + 1})
	return to.At((at[0]+to.Rows-1)/2, (at[1]+to.Cols-1)/2)
}

// transposes reports whether rows become columns.
func transposes(turn int) bool { return turnStep(turn, [2]int{0, 1})[0] != 0 }

// turned is a board after a turn.
func (g *givens) turned(turn int) *givens {
	size := g.size
	if transposes(turn) {
		size = board.Size{Rows: g.size.Cols, Cols: g.size.Rows}
	}
	to := func(c board.Cell) board.Cell { return turnCell(turn, g.size, size, c) }
	turnWay := func(c clue) clue {
		if name, ok := map[string]string{"wide": "tall", "tall": "wide"}[c.name]; ok && transposes(turn) {
			c.name = name
		}
		if c.kind == arrowClue && c.way >= 0 {
			down, across := board.Dir(c.way).Step()
			at := turnStep(turn, [2]int{down, across})
			for d := range board.Dir(4) {
				if down, across := d.Step(); at == [2]int{down, across} {
					c.way = int(d)
				}
			}
		}
		return c
	}
	n := &givens{size: size, clue: make([]clue, size.Cells()), roomClue: slices.Clone(g.roomClue), sign: map[string][]board.Edge{}}
	for c, k := range g.clue {
		n.clue[to(board.Cell(c))] = turnWay(k)
	}
	if g.room != nil {
		n.room = make([]int, size.Cells())
		for c, r := range g.room {
			n.room[to(board.Cell(c))] = r
		}
	}
	if g.colour != nil {
		n.colour = make([]int, size.Cells())
		for c, k := range g.colour {
			n.colour[to(board.Cell(c))] = k
		}
	}
	if g.border != nil {
		n.border = map[board.Edge]bool{}
		for e, on := range g.border {
			n.border[board.EdgeOf(to(e.A), to(e.B))] = on
		}
	}
	for name, edges := range g.sign {
		for _, e := range edges {
			n.sign[name] = append(n.sign[name], board.EdgeOf(to(e.A), to(e.B)))
		}
	}
	return n
}

// renamed is a board of numbers after another order of them.
func (g *givens) renamed(order []int) *givens {
	n := *g
	n.clue = slices.Clone(g.clue)
	for i, c := range n.clue {
		if c.kind == numberClue {
			n.clue[i].number = order[c.number-1] + 1
		}
	}
	return &n
}

// published is a small board of others, where there is one.
func published(t *testing.T, g *Game) []*Puzzle {
	t.Helper()
	data, err := os.ReadFile(golden)
	if err != nil || testing.Short() {
		t.Logf("without published boards: %v", err)
		return nil
	}
	for _, url := range regexp.MustCompile(`https?://puzz.link/p\?[^"]*`).FindAllString(string(data), -1) {
		if p, err := g.parse(url); err == nil && p.givens.size.Cells() <= 80 {
			return []*Puzzle{p}
		}
	}
	return nil
}

// TestGradesOfTurnedBoards turns and mirrors levels, examples and made boards of all games that come
// along, and gives digits that are only names other ones: the grade stays.
func TestGradesOfTurnedBoards(t *testing.T) {
	eachShipped(t, func(t *testing.T, g *Game) {
		if g.levels == nil && g.examples == nil {
			g.sizes = [][2]int{{4, 5}} // its usual boards take long to make
		}
		boards := boardsOf(t, g)
		most := 3
		if testing.Short() {
			most = 1
		}
		boards = append(boards[:min(len(boards), most)], published(t, g)...)
		for i, p := range boards {
			want, err := p.Grade(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("board %d: %v", i, want)
			same := func(how string, turned *givens) {
				q, err := g.puzzle(turned, "")
				if err != nil {
					t.Fatal(err)
				}
				got, err := q.Grade(t.Context())
				if g.name == "dbchoco" {
					got.Hard, got.Rounds = want.Hard, want.Rounds // twins begins at an area's first cell
					got.Open = want.Open
				}
				if err != nil || got != want {
					t.Errorf("board %d %s: %v, %v, expected %v\n%s", i, how, got, err, want, p)
				}
			}
			for turn := range turnedBy {
				if g.name == "minisudoku" && transposes(turn) {
					continue // its boxes are wider than high
				}
				same(fmt.Sprintf("in turn %d", turn), p.givens.turned(turn))
			}
			if strings.Contains(g.name, "sudoku") {
				same("renamed", p.givens.renamed(rand.New(rand.NewPCG(1, 1)).Perm(p.givens.size.Rows)))
			}
		}
	})
}

// TestGrade grades boards whose steps are known.
func TestGrade(t *testing.T) {
	tango, sudoku := shipped(t, "tango"), shipped(t, "minisudoku")
	for _, c := range []struct {
		game *Game
		text string
		want solvers.Level
	}{
		{tango, "......\n......\n......\n......\n......\n......", solvers.BySearch}, // it has many solutions
		{sudoku, sudoku.levels[0], solvers.ByCondition},
	} {
		p, err := c.game.parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if grade, err := p.Grade(t.Context()); err != nil || grade.Level != c.want {
			t.Errorf("%v, %v, expected level %d\n%s", grade, err, c.want, c.text)
		}
	}
}
