package asteroid

import (
	"context"
	"fmt"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Solve finds a solution with the fewest moves.
func (p *Puzzle) Solve(ctx context.Context) (solvers.Solution, error) {
	s, _, err := p.shortest(ctx)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// shortest is a solution with the fewest moves, and the number of positions that the
// search visited.
func (p *Puzzle) shortest(ctx context.Context) (*Solution, int64, error) {
	r, start := p.rules()
	e := newExplorer(r)
	e.find(start, unmoved)
	reached := false // the spacecraft, the door
	for at := 0; at < len(e.positions); at++ {
		if r.leaves(e.positions[at]) {
			return &Solution{puzzle: p, moves: e.movesTo(at)}, int64(at + 1), nil
		}
		here := e.positions[at]
		reached = reached || here.hole != door && here.class(door) == 0
		if at%1024 == 0 && ctx.Err() != nil {
			return nil, int64(at), ctx.Err()
		}
		e.expand(at)
	}
	return nil, int64(len(e.positions)), &solvers.NoSolutionError{Reason: reason(len(e.positions), reached)}
}

// reason says why the spacecraft leaves from none of the positions reached.
func reason(positions int, reached bool) string {
	switch {
	case positions == 1 && !reached:
		return "no tile can slide"
	case positions == 1:
		return "no tile can slide, and the spacecraft cannot leave"
	case reached:
		return fmt.Sprintf("something is in the spacecraft's way out in each of the %d positions that can be reached", positions)
	}
	return fmt.Sprintf("none of the %d positions that can be reached has the spacecraft at %s, above the exit", positions, size.Name(door))
}

// explorer finds positions, each once, in the order of their distance from
// the first ones.
type explorer struct {
	rules     *rules
	positions []position
	parents   []parent
	table     []int32 // open addressing; index of the position plus 1, 0 empty
	shift     int     // 64 less the binary logarithm of the table's length
}

// parent is the slide by which a position was found first.
type parent struct {
	index int32
	dir   int8 // a board.Dir
}

// unmoved is the parent of a first position.
var unmoved = parent{index: -1}

func newExplorer(r *rules) *explorer {
	const logarithm = 15
	return &explorer{rules: r, table: make([]int32, 1<<logarithm), shift: 64 - logarithm}
}

// find is the index of a position, which is added if it is new.
func (e *explorer) find(p position, from parent) int {
	slot := e.slot(p)
	if i := e.table[slot]; i != 0 {
		return int(i) - 1
	}
	e.positions = append(e.positions, p)
	e.parents = append(e.parents, from)
	e.table[slot] = int32(len(e.positions))
	if 2*len(e.positions) > len(e.table) {
		e.shift--
		e.table = make([]int32, 2*len(e.table))
		for i, q := range e.positions {
			e.table[e.slot(q)] = int32(i + 1)
		}
	}
	return len(e.positions) - 1
}

// slot is the slot of a position in the table, or the empty one where it belongs.
func (e *explorer) slot(p position) int {
	slot := int((p.tiles + uint64(p.hole)*0xd6e8feb86659fd93) * 0x9e3779b97f4a7c15 >> e.shift)
	for e.table[slot] != 0 && e.positions[e.table[slot]-1] != p {
		slot = (slot + 1) & (len(e.table) - 1)
	}
	return slot
}

// expand finds the positions one slide away, by the direction of the slide; -1
// where none is allowed.
func (e *explorer) expand(at int) [4]int32 {
	next := [4]int32{-1, -1, -1, -1}
	p := e.positions[at]
	for d := range board.Dir(4) {
		if from := p.mover(d); from != board.None && e.rules.slides(p, from, d) {
			next[d] = int32(e.find(p.slid(from), parent{int32(at), int8(d)}))
		}
	}
	return next
}

// leave is the last move.
var leave = Move{From: door, Dir: board.South, Exit: true}

// movesTo are the moves from the first position to one in which the spacecraft
// leaves, and its leaving.
func (e *explorer) movesTo(at int) []Move {
	moves := []Move{leave}
	for i := e.parents[at]; i.index >= 0; i = e.parents[i.index] {
		d := board.Dir(i.dir)
		moves = append(moves, Move{From: e.positions[i.index].mover(d), Dir: d})
	}
	slices.Reverse(moves)
	return moves
}
