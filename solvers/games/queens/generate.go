package queens

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

const (
	usualSide = 8 // rows of a board of which no size was asked for
	repairs   = 2 // times its cells: so often a board is repaired before another is drawn
)

// Generate makes a puzzle. Rows, or Cols, is the number of rows, usualSide when both are
// 0; regions are as many, and there are no variants. Every puzzle has one solution.
func (Game) Generate(ctx context.Context, o solvers.GenerateOptions, random *rand.Rand) (solvers.Puzzle, error) {
	side := cmp.Or(o.Rows, o.Cols, usualSide)
	switch {
	case o.Cols != 0 && o.Cols != side || side < MinSide || side > MaxSide:
		return nil, fmt.Errorf("queens: %d rows and %d columns wanted, expected one number from %d to %d", o.Rows, o.Cols, MinSide, MaxSide)
	case o.Colours != 0 && o.Colours != side:
		return nil, fmt.Errorf("queens: %d regions wanted, expected as many as rows: %d", o.Colours, side)
	case o.Variant != "":
		return nil, fmt.Errorf("queens: variant %q, expected none", o.Variant)
	}
	for {
		size := board.Size{Rows: side, Cols: side}
		queens := size.Scatter(random)
		p := newPuzzle(board.GrowRegions(size, queens, random), nil)
		for range repairs * size.Cells() {
			other, err := solvers.Another(ctx, p, p.At(queens).String())
			if err != nil {
				return nil, err
			}
			if other == nil {
				return p, nil
			}
			if !p.repair(other.(*Solution), queens, random) {
				break
			}
		}
	}
}

// repair gives a queen's cell of another solution to a region beside it, so that this is a
// solution no more. It reports false where no such cell can be spared.
func (p *Puzzle) repair(other *Solution, queens []board.Cell, random *rand.Rand) bool {
	cells := other.Things()
	random.Shuffle(len(cells), func(i, k int) { cells[i], cells[k] = cells[k], cells[i] })
	return slices.ContainsFunc(cells, func(c board.Cell) bool {
		home := slices.IndexFunc(queens, func(q board.Cell) bool { return p.Of[q] == p.Of[c] })
		return p.Give(c, queens[home], random)
	})
}
