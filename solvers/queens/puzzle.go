package queens

import (
	"context"
	"fmt"
	"image/color"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
)

var notation = board.RegionNotation(MinSide, MaxSide)

// Puzzle is a board's regions, and how queens are put on it.
type Puzzle struct {
	board.Regions
	solvers.Placing
	tints []color.NRGBA // of the regions as they were seen; nil for the app's
}

// Solution is what the cells hold.
type Solution struct {
	solvers.Placed
	puzzle *Puzzle
}

func newPuzzle(regions board.Regions, tints []color.NRGBA) *Puzzle {
	p := &Puzzle{Regions: regions, tints: tints}
	p.Placing = solvers.Placing{Size: regions.Size, Thing: "queen", Cycle: ".xQ", Tint: gold, Shown: p.shown, Blank: func() *solvers.GridPicture {
		return solvers.NewGridPicture(regions.Size, p.Colour, p.Borders())
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
func (p *Puzzle) rules() solvers.OneEach {
	size := p.Regions.Size
	o := solvers.OneEach{Cells: size.Cells(), Units: [][]int{nil, nil, p.Of}, Apart: func(a, b board.Cell) bool {
		down, across := size.Row(a)-size.Row(b), size.Col(a)-size.Col(b)
		return down*down == 1 && across*across == 1
	}}
	for c := range board.Cell(o.Cells) {
		o.Units[0], o.Units[1] = append(o.Units[0], size.Row(c)), append(o.Units[1], size.Col(c))
	}
	return o
}

// Solve finds a solution, or fails with solvers.ErrNoSolution or the context's error.
func (p *Puzzle) Solve(ctx context.Context) (solvers.Solution, error) {
	return solvers.SolveFirst(ctx, p)
}

// Enumerate lists the solutions, which are not lists of moves.
func (p *Puzzle) Enumerate(ctx context.Context, o solvers.EnumerateOptions, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	return p.rules().Enumerate(ctx, o, func(queens []board.Cell) solvers.Solution { return &Solution{p.At(queens), p} }, yield)
}

// Effort is the deepest kind of deduction that the puzzle needs.
func (p *Puzzle) Effort(ctx context.Context) (float64, error) { return p.rules().Effort(ctx) }

// Paint is gold for all taps.
func (p *Puzzle) Paint(plan []screen.Gesture) []color.NRGBA { return solvers.Same(plan, gold) }

// colours are the app's, in the order in which it gives them to regions.
var colours = []color.NRGBA{{187, 163, 226, 255}, {255, 201, 146, 255}, {150, 190, 255, 255}, {179, 223, 160, 255}, {223, 223, 223, 255}, {255, 123, 96, 255},
	{230, 243, 136, 255}, {185, 178, 158, 255}, {223, 160, 191, 255}, {163, 210, 216, 255}, {98, 239, 233, 255}}

// Colour is that of a cell's region: as it was seen, else the app's or a hue of its own.
func (p *Puzzle) Colour(c board.Cell) color.NRGBA {
	switch k := p.Of[c]; {
	case k < len(p.tints):
		return p.tints[k]
	case k < len(colours):
		return colours[k]
	default:
		return simapp.Mix(simapp.Hue(float64(k)/(MaxSide-float64(len(colours))), 0.2, 0.9), color.NRGBA{A: 255}, 0.15)
	}
}
