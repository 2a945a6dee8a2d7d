package player

import (
	"context"
	"errors"
	"fmt"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Standing is what became of a level that was begun some time ago.
type Standing int

// The standings.
const (
	Gone     Standing = iota // it is not on the screen any more
	Open                     // it is on the screen, not complete
	Complete                 // the panel of a completed level shows
)

// Standing finds out what became of a level that was begun some time ago, given
// its board and its solution as they were reported then, in the game's notation.
// A panel is taken to be this level's: whoever begins a level reports its end
// before the panel is left. Nothing is touched.
func (p *Player) Standing(ctx context.Context, board, solution string) (Standing, error) {
	puzzle, err := p.Game.Parse(board)
	if err != nil {
		return Gone, fmt.Errorf("player: the board of the level begun before: %w", err)
	}
	wanted, err := puzzle.ParseSolution(solution)
	if err != nil {
		return Gone, fmt.Errorf("player: the solution of the level begun before: %w", err)
	}
	l := p.level(StateSettle)
	l.enter(StateSettle, "what became of the level begun before")
	standing := Gone
	for {
		s, err := l.see(ctx)
		switch {
		case err != nil && ctx.Err() != nil:
			return Gone, context.Cause(ctx)
		case err != nil:
			// The next frame may be better.
		case s.Place.Kind == screen.Won:
			return Complete, nil
		case s.Place.Kind == screen.Level:
			var sure bool
			if standing, sure, err = l.compare(s, puzzle, wanted); sure {
				return standing, nil
			}
		}
		// The panel may be about to come, or the screen about to change.
		if l.time().Sub(l.began) > l.Timing.WinDeadline {
			var f *Failure
			if errors.As(err, &f) {
				f.Stage = string(l.state)
			}
			if err != nil {
				return Gone, l.stop(err)
			}
			return standing, nil
		}
		if err := l.wait(ctx, l.Timing.SettleInterval); err != nil {
			return Gone, err
		}
	}
}

// compare compares the board on the screen with the one begun. It is sure unless
// a panel may be about to come or the board is moving.
func (l *level) compare(s sight, puzzle solvers.Puzzle, wanted solvers.Solution) (standing Standing, sure bool, err error) {
	var unsure *solvers.ReadError
	seen, err := s.Read()
	switch {
	case errors.As(err, &unsure):
		return Gone, false, nil
	case err != nil:
		return Gone, false, err
	case seen.String() != puzzle.String():
		return Gone, true, nil
	}
	if wanted == nil {
		return Open, false, nil
	}
	rest, err := wanted.Remaining(s.Seen)
	switch {
	case errors.As(err, &unsure):
		return Open, false, nil
	case err != nil:
		return Gone, false, err
	}
	return Open, anyShows(rest), nil
}
