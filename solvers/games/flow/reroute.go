package flow

import (
	"context"

	"tapwise/solvers/board"
)

const (
	// sparseCells is the least number of cells for each pipe of a board on which
	// pipes are drawn one by one before anything else, if they need not cover it: there
	// is room for detours, and a model of all cells is large.
	sparseCells = 64
	// rerouteRounds is how often all pipes in the way of others may be drawn anew.
	rerouteRounds = 300
	// plainStep is the cost of a cell that no pipe was ever in the way of another in.
	plainStep = 4
	// mostDear is the most that one of the two surcharges of a cell may come to: that of
	// the past, and that of each pipe on it, of which mostSharing are counted.
	mostDear    = 1 << 10
	mostSharing = 3
	// rerouteVisits and leastVisits are the work: visits of each cell of the board, and
	// some more on small boards.
	rerouteVisits = 400
	leastVisits   = 1 << 22
)

// sparse reports whether the board has room for pipes that are drawn one by one.
func (p *Puzzle) sparse() bool {
	return !p.covering && p.size.Cells() >= sparseCells*len(p.ends)
}

// rerouter draws pipes that need not cover the board, each the cheapest way. Pipes may
// share cells at first; what a shared cell costs grows with every round, until each
// pipe for which there is another way takes that (negotiated congestion, as in the
// routing of circuits). It proves nothing: where it fails there may be a solution.
type rerouter struct {
	*routes
	used   []int32 // by node: the pipes on it
	past   []int32 // by node: the rounds in which it was shared
	dear   int32   // the cost of sharing a node
	cost   []int32 // by node, of the cheapest way from an end; valid where seen is the search
	from   []int32 // by node: the one before it on that way
	seen   []int32 // by node: the last search that met it
	runs   int32   // searches so far
	queue  [][]int32
	visits int // that may still be made
}

// reroute looks for a solution; it returns nil if it found none.
func (p *Puzzle) reroute(ctx context.Context) *Solution {
	g := newRoutes(p)
	n := len(g.cell)
	r := &rerouter{routes: g, used: make([]int32, n), past: make([]int32, n), cost: make([]int32, n), from: make([]int32, n), seen: make([]int32, n), visits: leastVisits + rerouteVisits*n}
	pipes := make([][]int32, len(g.ends))
	for round := range rerouteRounds {
		shared := 0
		for k := range pipes {
			if round > 0 && !r.shares(pipes[k]) {
				continue
			}
			shared++
			r.take(pipes[k], -1)
			if ctx.Err() != nil || r.visits < 0 || !r.draw(k) {
				return nil
			}
			pipes[k] = r.way(g.ends[k], pipes[k][:0])
			r.take(pipes[k], 1)
		}
		if shared == 0 {
			return r.solution(pipes)
		}
		r.dear += plainStep
		r.dear = min(r.dear, mostDear)
		for v, pipes := range r.used {
			if pipes > 1 {
				r.past[v] = min(r.past[v]+4*plainStep, mostDear)
			}
		}
	}
	return nil
}

// shares reports whether a pipe goes through a node that another goes through.
func (r *rerouter) shares(pipe []int32) bool {
	for _, v := range pipe {
		if r.used[v] > 1 {
			return true
		}
	}
	return false
}

// take puts a pipe on the board, or takes it off.
func (r *rerouter) take(pipe []int32, by int32) {
	for _, v := range pipe {
		r.used[v] += by
	}
}

// draw finds the cheapest way from one end of a pipe to the other. It returns false if
// there is none, however many pipes share a cell.
func (r *rerouter) draw(pipe int) bool {
	r.runs++
	start, goal := r.ends[pipe][0], r.ends[pipe][1]
	r.cost[start], r.seen[start], r.from[start] = 0, r.runs, int32(start)
	// The queue is a ring of lists, one for each cost.
	if r.queue == nil {
		r.queue = make([][]int32, plainStep+(1+mostSharing)*mostDear+1)
	}
	for i := range r.queue {
		r.queue[i] = r.queue[i][:0]
	}
	ring := int32(len(r.queue))
	r.queue[0] = append(r.queue[0], int32(start))
	for cost, left := int32(0), 1; left > 0; cost++ {
		list := &r.queue[cost%ring]
		for i := 0; i < len(*list); i++ {
			v := int((*list)[i])
			left--
			if r.cost[v] != cost {
				continue // a cheaper way was found since
			}
			if v == goal {
				return true
			}
			r.visits--
			for _, w := range r.around(v) {
				if r.end[w] >= 0 && w != goal {
					continue
				}
				next := cost + plainStep + r.past[w] + min(r.used[w], mostSharing)*r.dear
				if r.seen[w] == r.runs && r.cost[w] <= next {
					continue
				}
				r.cost[w], r.seen[w], r.from[w] = next, r.runs, int32(v)
				r.queue[next%ring] = append(r.queue[next%ring], int32(w))
				left++
			}
		}
		*list = (*list)[:0]
	}
	return false
}

// way is the way found last, from end to end.
func (r *rerouter) way(ends [2]int, into []int32) []int32 {
	for v := int32(ends[1]); ; v = r.from[v] {
		into = append(into, v)
		if v == int32(ends[0]) {
			return into
		}
	}
}

// solution is the pipes as cells.
func (r *rerouter) solution(pipes [][]int32) *Solution {
	paths := make([][]board.Cell, len(pipes))
	for k, pipe := range pipes {
		for i := len(pipe) - 1; i >= 0; i-- {
			paths[k] = append(paths[k], r.cell[pipe[i]])
		}
	}
	return newSolution(r.puzzle, paths)
}
