package asteroid

import (
	"context"
	"errors"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// errLeft is the reason for refusing a board that the spacecraft has left.
var errLeft = errors.New("no spacecraft, expected one: it has left the board")

// Remaining is the swipes that lead from the position on the screen to the exit: the rest of
// the solution's own, or others if a lost swipe has led away from them. There are none if the
// spacecraft has left.
func (s *Solution) Remaining(seen *screen.Observation) ([]screen.Gesture, error) {
	at, err := readTiles(seen)
	if errors.Is(err, errLeft) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if count(at) != count(s.puzzle.at) {
		return nil, solvers.Refuse("the tiles on the screen are not the puzzle's")
	}
	now := &Puzzle{at: at}
	rest := &Solution{puzzle: now}
	position := s.puzzle.at
	for i, m := range s.moves {
		if position == at {
			rest.moves = s.moves[i:]
			return rest.Plan(seen.Layout), nil
		}
		to := size.Beside(m.From, m.Dir)
		if m.Exit || to == board.None {
			break
		}
		position[to], position[m.From] = position[m.From], hole
	}
	other, err := now.Solve(context.Background())
	if errors.Is(err, solvers.ErrNoSolution) {
		return nil, solvers.Refuse("the position on the screen has no solution")
	}
	if err != nil {
		return nil, err
	}
	return other.Plan(seen.Layout), nil
}

// count is the number of each piece.
func count(at [cells]piece) (n [pieces]int) {
	for _, k := range at {
		n[k]++
	}
	return n
}

// Annotations are the letters of the tiles in the notation, by cell.
func (p *Puzzle) Annotations() []string {
	texts := make([]string, cells)
	for c, k := range p.at {
		texts[c] = strings.ReplaceAll(k.String(), " ", "")
	}
	return texts
}
