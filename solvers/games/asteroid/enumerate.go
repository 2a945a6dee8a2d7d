package asteroid

import (
	"context"
	"errors"
	"slices"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Enumerate lists the solutions, the shortest first. In a solution no position
// occurs twice. Without a bound on the number of moves there is nearly always a
// very large number of solutions. The effort's nodes are the positions tried, its
// conflicts those too far from the exit.
func (p *Puzzle) Enumerate(ctx context.Context, o solvers.EnumerateOptions, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	began := time.Now()
	l := lister{puzzle: p, yield: yield}
	err := l.run(ctx, o.MaxMoves)
	l.stats.Seconds = time.Since(began).Seconds()
	return l.stats, err
}

// lister walks all ways to the exit.
type lister struct {
	puzzle   *Puzzle
	yield    func(solvers.Solution) bool
	stats    solvers.Stats
	shortest *Solution // yielded before all others
	graph    *graph
	// distance holds, for each position, the slides to the nearest one that
	// the spacecraft leaves from, by the colour that the hole has there when
	// the board is coloured like a chessboard: each slide changes the colour.
	distance [2][]int32
	visited  []bool
	moves    []Move
	more     bool // there may be longer solutions than the ones just listed
	done     bool // yield returned false
}

// run yields one of the shortest solutions, which needs no list of all
// positions, and then the others.
func (l *lister) run(ctx context.Context, maxMoves int) error {
	var err error
	l.shortest, l.stats.Nodes, err = l.puzzle.shortest(ctx)
	switch {
	case errors.Is(err, solvers.ErrNoSolution):
		return nil
	case err != nil:
		return err
	case maxMoves > 0 && len(l.shortest.moves) > maxMoves, !l.yield(l.shortest):
		return nil
	}
	r, start := l.puzzle.rules()
	return l.list(ctx, r, start, maxMoves)
}

func (l *lister) list(ctx context.Context, r *rules, start position, maxMoves int) error {
	var err error
	if l.graph, err = newGraph(ctx, r, start); err != nil {
		return err
	}
	for colour := range l.distance {
		l.distance[colour] = l.graph.distances(func(p position) bool {
			return r.leaves(p) && int(p.hole)%2 == colour
		})
	}
	positions := len(l.graph.positions)
	l.visited = make([]bool, positions)
	if maxMoves == 0 || maxMoves > positions {
		maxMoves = positions
	}
	l.more = true
	for moves := len(l.shortest.moves); l.more && moves <= maxMoves; moves++ {
		l.more = false
		if err := l.enter(ctx, 0, moves-1); err != nil || l.done {
			return err
		}
	}
	return nil
}

// enter tries a position from which the spacecraft is to leave after exactly the
// number of slides given.
func (l *lister) enter(ctx context.Context, at, slides int) error {
	l.stats.Nodes++
	if l.stats.Nodes%1024 == 0 && ctx.Err() != nil {
		return ctx.Err()
	}
	here := l.graph.positions[at]
	distance := l.distance[(int(here.hole)+slides)%2][at]
	if distance < 0 || int(distance) > slides {
		l.stats.Conflicts++
		l.more = true
		return nil
	}
	if slides == 0 {
		moves := append(slices.Clone(l.moves), leave)
		if !slices.Equal(moves, l.shortest.moves) {
			l.done = !l.yield(&Solution{puzzle: l.puzzle, moves: moves})
		}
	}
	l.visited[at] = true
	defer func() { l.visited[at] = false }()
	for d, next := range l.graph.next[at] {
		switch {
		case l.done:
			return nil
		case next < 0 || l.visited[next]:
			continue
		case slides == 0:
			l.more = true
			continue
		}
		l.moves = append(l.moves, Move{From: here.mover(board.Dir(d)), Dir: board.Dir(d)})
		if err := l.enter(ctx, int(next), slides-1); err != nil {
			return err
		}
		l.moves = l.moves[:len(l.moves)-1]
	}
	return nil
}
