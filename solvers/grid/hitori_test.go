package grid_test

import (
	"context"
	_ "embed" // the levels
	"image/color"
	"math/rand/v2"
	"testing"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/gametest"
	"tapwise/solvers/grid"
)

//go:embed testdata/hitori/pack.txt
var hitoriPack string

var green = color.NRGBA{20, 140, 90, 255}

// hitori is Hitori, as a game of its own would write it: black out numbers until none is twice in a row or column.
//
// # Rules
//
// The names of the rules are the ones that Check reports:
//
//   - twice: no number is on two white cells of a row or column.
//   - apart: no two black cells are beside each other.
//   - connected: the white cells are connected.
//
// # Notation
//
// A line for each row, a number in each cell. A solution has '#' for a black cell, '.' for others.
var hitori = &grid.Game{
	ID: "hitori", Pack: hitoriPack, Boards: solvers.Square(4, 7, ""), Least: 3, LeastRead: 4, Most: 9, Usual: 5, Equal: true, OneSolution: true,
	Accent: green, Panels: simapp.Seen(simapp.Pages(green)), Numbers: true,
	Things: []grid.Mark{{Char: '.', Ground: color.NRGBA{252, 252, 250, 255}}, {Char: '#', Name: "black", Ground: color.NRGBA{50, 54, 66, 255}}},
	Post:   hitoriPost, Rules: hitoriCheck, Make: hitoriGenerate,
}

// hitoriPost states the rules to the engine.
func hitoriPost(p *grid.Puzzle, m *grid.Model) {
	m.Connect('.')
	for _, e := range p.Size.Edges() {
		m.AddAtMostOne(m.Is(e.A, '#'), m.Is(e.B, '#'))
	}
	for _, line := range p.Size.Lines() {
		for i, a := range line {
			for _, b := range line[:i] {
				if p.Numbers[a] == p.Numbers[b] && p.Numbers[a] > 0 {
					m.AddClause(m.Is(a, '#'), m.Is(b, '#'))
				}
			}
		}
	}
}

// hitoriGenerate blacks out cells at random, numbers the others as in a Latin square and the black ones
// like a white one of their row, and gives up a board with several solutions.
func hitoriGenerate(ctx context.Context, p *grid.Puzzle, random *rand.Rand) (*grid.Puzzle, error) {
	s, err := p.Random(ctx, random)
	if err != nil {
		return nil, err
	}
	side := p.Size.Rows
	rows, cols, names := random.Perm(side), random.Perm(side), random.Perm(side)
	for c := range board.Cell(len(p.Numbers)) {
		p.Numbers[c] = names[(rows[p.Size.Row(c)]+cols[p.Size.Col(c)])%side] + 1
	}
	for _, c := range s.Things() {
		like := p.Size.At(p.Size.Row(c), random.IntN(side))
		p.Numbers[c] = p.Numbers[like]
	}
	other, err := solvers.Another(ctx, p, s.String())
	if err != nil || other != nil {
		return nil, err
	}
	return p, nil
}

// hitoriCheck tests every rule. It shares no code with the solver.
func hitoriCheck(s *grid.Solution) error {
	for i, line := range s.Size.Lines() {
		seen := map[int]bool{}
		for k, c := range line {
			n := s.Puzzle.Numbers[c]
			switch {
			case s.Cells[c] == '#' && k > 0 && s.Cells[line[k-1]] == '#':
				return solvers.Broken("apart", "%s and %s are black", s.Size.Name(line[k-1]), s.Size.Name(c))
			case s.Cells[c] == '.' && seen[n]:
				return solvers.Broken("twice", "%d is in %s twice", n, s.Size.LineName(i))
			case s.Cells[c] == '.':
				seen[n] = true
			}
		}
	}
	parts := s.Size.Parts(func(c board.Cell) bool { return s.Cells[c] == '.' })
	if parts != 1 {
		return solvers.Broken("connected", "the white cells are in %s, expected 1", board.Count(parts, "part"))
	}
	return nil
}

func TestHitori(t *testing.T) {
	const cases = "testdata/hitori/cases/*.txt"
	app := simapp.Things(hitori, "Hitori", "You found all black cells")
	gametest.Run(t, hitori, cases)
	gametest.Observations(t, hitori, "testdata/hitori/read/*.txt")
	gametest.RunApp(t, hitori, app, cases)
	gametest.Grid(t, hitori, app, cases)
}
