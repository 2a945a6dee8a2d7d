package zip

import (
	"context"
	"fmt"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/reason"
	"tapwise/solvers/grid"
)

var notation = board.NumberNotation(MinSide, MaxSide)

// Puzzle is a board's numbers and walls.
type Puzzle struct{ grid.Through }

// Solution is the order of the cells.
type Solution struct{ grid.Passed }

// newPuzzle fails when there are more numbers than the engine has colours for.
func newPuzzle(size board.Size, stops []board.Cell, walls []board.Edge) (*Puzzle, error) {
	if len(stops) > mostNumbers {
		return nil, fmt.Errorf("%d numbers, expected at most %d", len(stops), mostNumbers)
	}
	p := &Puzzle{grid.Through{Size: size, Stops: stops, Walls: walls, Tint: Accent}}
	p.Shown = p.shown
	return p, nil
}

// mostNumbers is one more than the parts of a path, each of which has a colour.
const mostNumbers = csp.MaxColors + 1

// Parse reads a puzzle in the notation of the package comment.
func Parse(text string) (*Puzzle, error) {
	size, stops, walls, err := notation.ParseStops(strings.TrimRight(text, "\n"))
	if err == nil {
		var p *Puzzle
		if p, err = newPuzzle(size, stops, walls); err == nil {
			return p, nil
		}
	}
	return nil, fmt.Errorf("zip: %w", err)
}

// String is the puzzle in the notation of the package comment.
func (p *Puzzle) String() string { return notation.FormatStops(p.Size, p.Stops, p.Walls) }

// ParseSolution reads a solution in the notation of the package comment.
func (p *Puzzle) ParseSolution(text string) (solvers.Solution, error) {
	passed, err := p.Through.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("zip: solution: %w", err)
	}
	return &Solution{passed}, nil
}

// Solve finds a solution, or fails with solvers.ErrNoSolution or the context's error.
func (p *Puzzle) Solve(ctx context.Context) (solvers.Solution, error) {
	return solvers.SolveFirst(ctx, p)
}

// Enumerate lists the solutions, which are not lists of moves.
func (p *Puzzle) Enumerate(ctx context.Context, o solvers.EnumerateOptions, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	return p.Through.Enumerate(ctx, o, func(path []board.Cell) solvers.Solution { return &Solution{p.Along(path)} }, yield)
}

// Grade is how hard the puzzle is.
func (p *Puzzle) Grade(ctx context.Context) (solvers.Grade, error) {
	found, err := p.Solve(ctx)
	if err != nil {
		return solvers.Grade{}, err
	}
	return p.Through.Grade(ctx, found.(*Solution).Passed)
}

// Advise is a step of the path that must be taken, and why.
func (p *Puzzle) Advise(drawn, solved solvers.Solution) *solvers.Advice {
	found, ok := reason.Solution(p, solved).(*Solution)
	if !ok {
		return nil
	}
	return p.Through.Advise(found.Passed, grid.Rules{Cover: "cover", Step: "step", Order: "numbers"}, drawn)
}

// Part is the solution with some parts of the path only.
func (s *Solution) Part(steps []int) solvers.Solution { return &Solution{s.Passed.Part(steps)} }
