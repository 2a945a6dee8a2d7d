package grid_test

import (
	"context"
	_ "embed" // the levels
	"fmt"
	"image/color"
	"math/rand/v2"
	"testing"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/gametest"
	"tapwise/solvers/grid"
)

//go:embed testdata/tango/pack.txt
var tangoPack string

var (
	orange = color.NRGBA{240, 150, 20, 255}
	blue   = color.NRGBA{60, 100, 200, 255}
	white  = color.NRGBA{250, 250, 252, 255}
	sand   = color.NRGBA{200, 190, 170, 255}
	ink    = color.NRGBA{110, 60, 30, 255}
)

// tango is Tango, as a game of its own would write it: a sun or a moon in each cell.
//
// # Rules
//
// The names of the rules are the ones that Check reports:
//
//   - given, full: what is given stays, and no cell is left empty.
//   - balance: each row and column has as many suns as moons.
//   - three: no three cells in a row or column, one beside the other, are alike.
//   - same, opposite: cells with '=' between them are alike, those with 'x' are not.
//
// # Notation
//
// A line for each row: 'S' is a sun, 'M' a moon, '.' an empty cell; below them a line "= 1,1|1,2"
// for the borders with '=', and one for those with 'x'. A solution has the rows alone.
var tango = &grid.Game{
	ID: "tango", Pack: tangoPack, Boards: solvers.Square(6, 6, ""), Least: 4, LeastRead: 4, Most: 10, Usual: 6, Equal: true, OneSolution: true,
	Accent: orange, Panels: simapp.Seen(simapp.Pages(orange)),
	Given: color.NRGBA{228, 232, 180, 255},
	Things: []grid.Mark{
		{Char: '.', Ground: white},
		{Char: 'S', Name: "sun", Shapes: []solvers.Shape{grid.Disc(0.3, orange)}},
		{Char: 'M', Name: "moon", Shapes: []solvers.Shape{grid.Disc(0.3, blue)}},
	},
	Signs: []grid.Mark{
		{Char: '=', Shapes: []solvers.Shape{grid.Disc(0.17, sand),
			grid.Line(0.06, ink, [2]float64{-0.1, -0.09}, [2]float64{0.1, -0.09}), grid.Line(0.06, ink, [2]float64{-0.1, 0.09}, [2]float64{0.1, 0.09})}},
		{Char: 'x', Shapes: []solvers.Shape{grid.Disc(0.17, sand),
			grid.Line(0.06, ink, [2]float64{-0.08, -0.08}, [2]float64{0.08, 0.08}), grid.Line(0.06, ink, [2]float64{-0.08, 0.08}, [2]float64{0.08, -0.08})}},
	},
	Valid: tangoValid, Post: tangoPost, Rules: tangoCheck, Make: tangoGenerate,
}

// tangoValid fails for boards that cannot be balanced.
func tangoValid(p *grid.Puzzle) error {
	if p.Size.Rows%2 != 0 {
		return fmt.Errorf("%d rows, expected an even number", p.Size.Rows)
	}
	return nil
}

// tangoPost states the rules to the engine.
func tangoPost(p *grid.Puzzle, m *grid.Model) {
	for _, line := range p.Size.Lines() {
		m.AddExactlyK(len(line)/2, m.All(line, 'S')...)
		for k := range len(line) - 2 {
			m.AddClause(m.All(line[k:k+3], 'S')...)
			m.AddClause(m.All(line[k:k+3], 'M')...)
		}
	}
	for e, sign := range p.Signs {
		if a, b := m.Is(e.A, 'S'), m.Is(e.B, 'S'); sign == '=' {
			m.AddEquivalence(a, b)
		} else {
			m.AddEquivalence(a, b.Not())
		}
	}
}

// tangoGenerate fills a board and drops clues.
func tangoGenerate(ctx context.Context, p *grid.Puzzle, random *rand.Rand) (*grid.Puzzle, error) {
	if err := tangoValid(p); err != nil {
		return nil, fmt.Errorf("tango: %w", err)
	}
	s, err := p.Random(ctx, random)
	if err != nil {
		return nil, err
	}
	copy(p.Clues, s.Cells)
	edges := p.Size.Edges()
	for _, e := range edges {
		if p.Signs[e] = 'x'; s.Cells[e.A] == s.Cells[e.B] {
			p.Signs[e] = '='
		}
	}
	return solvers.Thin(ctx, p, s.String(), len(p.Clues)+len(edges), func(p *grid.Puzzle, clue int) *grid.Puzzle {
		q := p.Copy()
		if clue < len(edges) {
			delete(q.Signs, edges[clue])
		} else {
			q.Clues[clue-len(edges)] = '.'
		}
		return q
	}, random)
}

// tangoCheck tests every rule. It shares no code with the solver.
func tangoCheck(s *grid.Solution) error {
	for i, line := range s.Size.Lines() {
		suns, alike, last := 0, 0, byte(0)
		for _, c := range line {
			if s.Cells[c] == 'S' {
				suns++
			}
			if alike++; s.Cells[c] != last {
				alike, last = 1, s.Cells[c]
			}
			if alike == 3 {
				return solvers.Broken("three", "three alike in %s", s.Size.LineName(i))
			}
		}
		if suns != len(line)/2 {
			return solvers.Broken("balance", "%s has %s, expected %d", s.Size.LineName(i), board.Count(suns, "sun"), len(line)/2)
		}
	}
	for e, sign := range s.Puzzle.Signs {
		alike := s.Cells[e.A] == s.Cells[e.B]
		switch {
		case sign == '=' && !alike:
			return solvers.Broken("same", "%s and %s differ", s.Size.Name(e.A), s.Size.Name(e.B))
		case sign == 'x' && alike:
			return solvers.Broken("opposite", "%s and %s are alike", s.Size.Name(e.A), s.Size.Name(e.B))
		}
	}
	return nil
}

func TestTango(t *testing.T) {
	const cases = "testdata/tango/cases/*.txt"
	app := simapp.Things(tango, "Tango", "You filled the board")
	gametest.Run(t, tango, cases)
	gametest.Observations(t, tango, "testdata/tango/read/*.txt")
	gametest.RunApp(t, tango, app, cases)
	gametest.Grid(t, tango, app, cases)
}
