package queens

import (
	"context"
	"fmt"
	"image/color"
	"strings"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

var notation = board.RegionNotation(MinSide, MaxSide)

// Puzzle is a board's regions, and how queens are put on it.
type Puzzle struct {
	board.Regions
	grid.Placing
	tints []color.NRGBA // of the regions as they were seen; nil for the app's
}

// Solution is what the cells hold.
type Solution struct {
	grid.Placed
	puzzle *Puzzle
}

func newPuzzle(regions board.Regions, tints []color.NRGBA) *Puzzle {
	p := &Puzzle{Regions: regions, tints: tints}
	p.Placing = grid.Placing{Size: regions.Size, Names: []string{"queen"}, Cycle: ".xQ", Tint: gold, Shown: p.shown, Blank: func() *grid.Picture {
		return grid.NewPicture(regions.Size, p.Colour, p.Borders())
	}, Draw: func(d *grid.Picture, _ grid.Placed, c board.Cell) {
		d.Polygon(color.NRGBA{A: 255}, solvers.Crown(d.At(c), 1)...)
	}}
	return p
}

// Parse reads a puzzle in the notation of the package comment.
func Parse(text string) (*Puzzle, error) {
	regions, err := board.ParseRegions(notation, strings.TrimRight(text, "\n"))
	if err != nil {
		return nil, fmt.Errorf("queens: %w", err)
	}
	return newPuzzle(regions, nil), nil
}

// String is the puzzle in the notation of the package comment.
func (p *Puzzle) String() string { return p.Regions.String() }

// ParseSolution reads a solution in the notation of the package comment.
func (p *Puzzle) ParseSolution(text string) (solvers.Solution, error) {
	placed, err := p.Placing.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("queens: solution: %w", err)
	}
	return &Solution{placed, p}, nil
}

// rules are those of the package comment. Queens beside each other are in a row or column.
func (p *Puzzle) rules() grid.OneEach {
	return grid.OneEach{Cells: p.Regions.Cells(), Units: append(p.RowsAndColumns(), p.Of), Apart: p.Corners}
}

// Irregularity is how the board differs from the game's own: the regions of a board that
// somebody wrote may be in parts, or more or fewer than rows.
func (p *Puzzle) Irregularity() string {
	if err := p.Regions.Check(); err != nil {
		return err.Error()
	}
	return ""
}

// Reason is that regions and rows are not as many: each holds one queen.
func (p *Puzzle) Reason() string {
	if regions := p.Regions.Regions(); regions != p.Regions.Rows {
		return fmt.Sprintf("%d rows with one queen each and %s with one queen each", p.Regions.Rows, board.Count(regions, "region"))
	}
	return ""
}

// Editable is the puzzle with letters from A on.
func (p *Puzzle) Editable() solvers.Puzzle { return newPuzzle(p.Lettered(), p.tints) }

// Solve finds a solution, or fails with solvers.ErrNoSolution or the context's error.
func (p *Puzzle) Solve(ctx context.Context) (solvers.Solution, error) {
	if reason := p.Reason(); reason != "" && ctx.Err() == nil {
		return nil, solvers.NoSolution(reason)
	}
	return solvers.SolveFirst(ctx, p)
}

// Enumerate lists the solutions, which are not lists of moves.
func (p *Puzzle) Enumerate(ctx context.Context, o solvers.EnumerateOptions, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	if p.Reason() != "" { // the engine would try all ways to put queens into too few regions
		return solvers.Stats{}, ctx.Err()
	}
	return p.rules().Enumerate(ctx, o, func(queens []board.Cell) solvers.Solution { return &Solution{p.At(queens), p} }, yield)
}

// Grade is how hard the puzzle is.
func (p *Puzzle) Grade(ctx context.Context) (solvers.Grade, error) {
	found, err := p.Solve(ctx)
	if err != nil {
		return solvers.Grade{}, err
	}
	return p.rules().Question(found, nil, p.words()).Grade(ctx)
}

// words are what the rules and their units are called.
func (p *Puzzle) words() grid.Words {
	kinds := []string{"row", "column", "region"}
	return grid.Words{Kinds: kinds, Apart: "touch", Cell: p.Placing.Size.Name, Unit: func(kind, i int) string {
		if kind == 2 {
			return kinds[kind] + " " + p.Label(i)
		}
		return fmt.Sprintf("%s %d", kinds[kind], i+1)
	}}
}

// Paint is gold for all taps.
func (p *Puzzle) Paint(plan []screen.Gesture) []color.NRGBA { return grid.Same(plan, gold) }

// Colour is that of a cell's region: as it was seen, else the app's.
func (p *Puzzle) Colour(c board.Cell) color.NRGBA {
	if k := p.Of[c]; k < len(p.tints) {
		return p.tints[k]
	}
	return simapp.Pastel(p.Of[c])
}

// Advise is a queen that must be put next, and why.
func (p *Puzzle) Advise(drawn, solved solvers.Solution) *solvers.Advice {
	return p.rules().Advise(p, p.Placing.Size, p.words(), drawn, solved)
}

// Part is the solution with some of its queens.
func (s *Solution) Part(queens []int) solvers.Solution {
	return &Solution{s.Placed.Part(queens), s.puzzle}
}
