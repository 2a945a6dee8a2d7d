package flow

import (
	"context"
	"math/rand/v2"
	"slices"

	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// How a board with one solution comes to few pipes. Of random boards with as few pipes as
// the square root of the number of cells, hardly any has one solution only from 15×15 on, or
// it cannot be proved. But of boards with one solution that differ from such a board in an end
// moved, most have one solution, too: so a walk from board to board leads to few pipes.
const (
	// mostProofs is the most boards that are tried on a walk. 15×15 with 15 pipes takes 300
	// to 2,300, 18×18 with 18 pipes 700 to 2,700.
	mostProofs = 5000
	// mostWalks is the most walks before giving up.
	mostWalks = 5
	// tidyConflicts is the budget of looking for another tidy solution, and neatConflicts that of
	// proving that there is no other one. Boards that need more are not worth their time: there are
	// others. Of boards of 15×15 and 18×18, 1,000 conflicts prove twice as many as a count along a
	// frontier of 10,000 states, in two thirds of its time. With 500 a fifth fewer are proved in three
	// quarters of the time, with 2,000 a tenth more in 1.2 times the time.
	tidyConflicts = 300
	neatConflicts = 1000
	// luckyTries is the number of boards of luckyCells and fewer that are tried as they come
	// before a walk: of 12×12 with 12 pipes one in twenty has one solution, of 15×15 with
	// 15 pipes none of 200.
	luckyTries = 60
	luckyCells = 180
	// mostMoves is the most ends that are moved between two proofs.
	mostMoves = 8
)

// lucky is the number of boards of a size that are tried as they come.
func lucky(size board.Size) int {
	if size.Cells() > luckyCells {
		return 0
	}
	return luckyTries
}

// fewer changes the pipes until they are the only solution of their board and no more than
// wanted. It cuts pipes until they are the only solution, and then moves their ends, which
// joins some, as long as they stay so. The puzzle is nil when it comes to no end.
// Without walk it does neither.
func (c *cover) fewer(ctx context.Context, b Board, wanted int, walk bool, random *rand.Rand) (*Puzzle, error) {
	if !walk {
		return c.soleAlready(ctx, b, wanted)
	}
	p, err := c.cutUntilSole(ctx, b, random)
	if p == nil || err != nil {
		return nil, err
	}
	moves := 1
	for range mostProofs {
		if len(c.pipes) <= wanted {
			return p, nil
		}
		next := c.clone()
		if !next.wander(moves, random) || len(next.pipes) > len(c.pipes) {
			continue
		}
		changed, err := next.puzzle(b)
		if err != nil {
			return nil, err
		}
		sole, _, err := changed.sole(ctx, next.paths())
		switch {
		case err != nil:
			return nil, err
		case sole:
			*c, p, moves = *next, changed, min(moves+1, mostMoves)
		default:
			moves = max(1, moves/2)
		}
	}
	return nil, nil
}

// soleAlready is the puzzle when the pipes are few enough and proved its only solution as
// they are, and nil otherwise.
func (c *cover) soleAlready(ctx context.Context, b Board, wanted int) (*Puzzle, error) {
	if len(c.pipes) > wanted {
		return nil, nil
	}
	p, err := c.puzzle(b)
	if err != nil {
		return nil, err
	}
	sole, _, err := p.sole(ctx, c.paths())
	if !sole || err != nil {
		return nil, err
	}
	return p, nil
}

// cutUntilSole cuts pipes until they are the only solution of their board. The puzzle is nil
// when no pipe is long enough to be cut.
func (c *cover) cutUntilSole(ctx context.Context, b Board, random *rand.Rand) (*Puzzle, error) {
	for {
		p, err := c.puzzle(b)
		if err != nil {
			return nil, err
		}
		sole, other, err := p.sole(ctx, c.paths())
		if sole || err != nil {
			return p, err
		}
		if other == nil || !c.cut(other, random) {
			if !c.cutLongest() {
				return nil, nil
			}
		}
		c.compact()
	}
}

// sole reports whether pipes that solve a puzzle are proved its only solution with little search.
// Another solution may come to light.
func (p *Puzzle) sole(ctx context.Context, paths [][]board.Cell) (sole bool, other *Solution, err error) {
	m, err := p.tidyModel(csp.Config{MaxConflicts: tidyConflicts})
	if err != nil {
		return false, nil, err
	}
	m.exclude(newSolution(p, paths))
	switch m.Solve(ctx) {
	case csp.Feasible:
		return false, m.solution(), nil
	case csp.Unknown:
		return false, nil, ctx.Err()
	}
	_, err = within(ctx, neatConflicts, func(ctx context.Context) (err error) {
		sole, _, err = p.onlyNeat(ctx, 0)
		return err
	})
	return sole, nil, err
}

// wander moves ends of pipes. It is false when the pipes do not come to be different, or
// one is too short.
func (c *cover) wander(moves int, random *rand.Rand) bool {
	moved := 0
	for range movesPerPipe * len(c.pipes) {
		if c.move(random.IntN(len(c.pipes)), random) {
			if moved++; moved >= moves {
				break
			}
		}
	}
	return moved > 0 && !slices.ContainsFunc(c.pipes, tooShort)
}

// movesPerPipe bounds the moves that are tried, of which most are none: the end lies beside
// its own pipe, or would come to.
const movesPerPipe = 4

// cutLongest cuts the longest pipe in two near its middle, and reports whether it could.
func (c *cover) cutLongest() bool {
	longest := 0
	for i, pipe := range c.pipes {
		if len(pipe) > len(c.pipes[longest]) {
			longest = i
		}
	}
	pipe := c.pipes[longest]
	for at := len(pipe) / 2; at <= len(pipe)-leastPipe && at >= leastPipe; at++ {
		if c.mayCut(pipe, at) {
			c.pipes[longest] = pipe[:at:at]
			c.pipes = append(c.pipes, slices.Clone(pipe[at:]))
			return true
		}
	}
	return false
}

// clone is a copy whose pipes may be changed.
func (c *cover) clone() *cover {
	other := *c
	other.owner = slices.Clone(c.owner)
	other.pipes = make([][]board.Cell, len(c.pipes))
	for i, pipe := range c.pipes {
		other.pipes[i] = slices.Clone(pipe)
	}
	return &other
}
