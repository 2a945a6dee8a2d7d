package zip

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
	usualSide = 6 // rows of a board of which no size was asked for
	perNumber = 5 // cells for each number, where none is asked for
)

// Generate makes a puzzle. Rows and Cols are usualSide or as many as each other when they
// are 0; Colours is how many numbers there are, one for every five cells when it is 0.
// There are no variants. Every puzzle has one solution.
func (Game) Generate(ctx context.Context, o solvers.GenerateOptions, random *rand.Rand) (solvers.Puzzle, error) {
	size := board.Size{Rows: cmp.Or(o.Rows, o.Cols, usualSide), Cols: cmp.Or(o.Cols, o.Rows, usualSide)}
	numbers := cmp.Or(o.Colours, max(2, size.Cells()/perNumber))
	switch {
	case min(size.Rows, size.Cols) < MinSide || max(size.Rows, size.Cols) > MaxSide:
		return nil, fmt.Errorf("zip: %d rows and %d columns wanted, expected %d to %d", o.Rows, o.Cols, MinSide, MaxSide)
	case numbers < 2 || numbers > min(size.Cells(), mostNumbers):
		return nil, fmt.Errorf("zip: %d numbers wanted, expected 2 to %d", numbers, min(size.Cells(), mostNumbers))
	case o.Variant != "":
		return nil, fmt.Errorf("zip: variant %q, expected none", o.Variant)
	}
	path := size.Tour(random)
	at := append(random.Perm(len(path) - 2)[:numbers-2], -1, len(path)-2) // one less than on the path
	slices.Sort(at)
	var stops []board.Cell
	for _, i := range at {
		stops = append(stops, path[i+1])
	}
	p, err := newPuzzle(size, stops, nil)
	if err != nil {
		return nil, err
	}
	for {
		other, err := solvers.Another(ctx, p, p.Along(path).String())
		if err != nil || other == nil {
			return solvers.AsPuzzle(p, err)
		}
		strays := other.(*Solution).Path()
		i := 0
		for strays[i] == path[i] {
			i++
		}
		p.Walls = append(p.Walls, board.EdgeOf(strays[i-1], strays[i]))
	}
}
