package solvers

import (
	"context"
	"errors"
	"fmt"

	"tapwise/solvers/screen"
)

// ErrSeveral means: more than one solution where the game's levels have one.
var ErrSeveral = errors.New("the board has more than one solution, the game's levels have exactly one")

// ErrNoCover means: a profile says that the app's levels need not be covered, but
// the game has no rule of covering.
var ErrNoCover = errors.New("the game has no rule that every cell is covered")

// Levels tell how an app's levels differ from what the game promises. The zero
// value: they do not.
type Levels struct {
	Several   bool // they may have several solutions
	Uncovered bool // their cells need not all be covered
}

// Unproved reports whether a solution is no evidence that a board was read right:
// nearly any board has several solutions that need not cover it.
func (l Levels) Unproved() bool { return l.Several || l.Uncovered }

// Of returns the puzzle by the rules of such a level. It fails with ErrNoCover.
func (l Levels) Of(game Game, puzzle Puzzle) (Puzzle, error) {
	if !l.Uncovered {
		return puzzle, nil
	}
	coverer, ok := puzzle.(Coverer)
	if !ok {
		return nil, fmt.Errorf("%s: %w", game.Name(), ErrNoCover)
	}
	return coverer.WithoutCover(), nil
}

// Judgement is what the solver says of a board that was read.
type Judgement struct {
	Solution Solution
	// Several means that there are more solutions, though the game's levels have
	// one. The board was seen clearly enough to be believed all the same.
	Several bool
	// Uncovered means that none of them covers every cell, though the game's rules ask
	// for it: another program's level, whose rules do not. It comes with Several.
	Uncovered bool
	Stats     Stats
}

// JudgeRead solves a puzzle that was read from an observation, to check the
// reading. A board without a solution was misread (ErrNoSolution). A board with
// several solutions, where the levels of the game and of the app have one, is
// believed when the game vouches for the observation; otherwise the error is
// ErrSeveral and says what was not clear. So is a board of another look that only has
// solutions that leave cells uncovered: programs with such rules are as frequent.
func JudgeRead(ctx context.Context, game Game, levels Levels, puzzle Puzzle, seen *screen.Observation) (Judgement, error) {
	var j Judgement
	var err error
	if levels.Unproved() {
		j.Solution, err = puzzle.Solve(ctx)
	} else {
		j.Solution, j.Stats, err = SolveRead(ctx, game, puzzle)
	}
	switch {
	case errors.Is(err, ErrNoSolution):
		if loose, ok := uncovered(ctx, game, levels, puzzle, seen); ok {
			return loose, nil
		}
		return j, fmt.Errorf("misread: %w", err)
	case !errors.Is(err, ErrSeveral):
		return j, err
	}
	voucher, ok := game.(Voucher)
	if !ok {
		return j, fmt.Errorf("%w, and nothing else tells that this one was read right", err)
	}
	if unclear := voucher.Vouch(seen); unclear != nil {
		return j, fmt.Errorf("%w, and this one was not seen clearly enough to be an exception: %w", err, unclear)
	}
	j.Several = true
	return j, nil
}

// uncovered judges a board that has no solution by the rules of programs that draw the
// game's levels in a look of their own, and whose cells need not all be covered.
func uncovered(ctx context.Context, game Game, levels Levels, puzzle Puzzle, seen *screen.Observation) (Judgement, bool) {
	voucher, vouches := game.(Voucher)
	coverer, covers := puzzle.(Coverer)
	if levels.Unproved() || len(seen.Signs) == 0 || !vouches || !covers || voucher.Vouch(seen) != nil {
		return Judgement{}, false
	}
	solution, err := coverer.WithoutCover().Solve(ctx)
	return Judgement{Solution: solution, Several: true, Uncovered: true}, err == nil
}

// SolveRead solves a puzzle that was read from a screen. The solver is the eyes'
// checksum: a board without a solution (ErrNoSolution) was misread, and a board
// with several, where the game's levels have one, often was (ErrSeveral, returned
// with one of them). A solution whose uniqueness could not be decided before the context ended
// is returned all the same.
func SolveRead(ctx context.Context, game Game, puzzle Puzzle) (Solution, Stats, error) {
	if !game.About().OneSolution {
		s, err := puzzle.Solve(ctx)
		return s, Stats{}, err
	}
	var found []Solution
	stats, err := puzzle.Enumerate(ctx, EnumerateOptions{}, func(s Solution) bool {
		found = append(found, s)
		return len(found) < 2
	})
	switch {
	case len(found) > 1:
		return found[0], stats, ErrSeveral
	case len(found) == 1:
		return found[0], stats, nil
	case err == nil:
		err = ErrNoSolution
	}
	return nil, stats, err
}
