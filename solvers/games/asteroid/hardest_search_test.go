package asteroid

import (
	"context"
	"slices"

	"tapwise/solvers/board"
)

// Record is the result of Hardest.
type Record struct {
	Moves int // the moves that the hardest starts need, the exit included
	// Boards are those starts, one of each two that are mirror images of each other.
	Boards []*Puzzle
	// Starts is the number of starts by their fewest moves, mirror images included: in
	// Starts[1] the spacecraft may leave at once.
	Starts []int64
}

// Hardest searches all positions of the standard pieces in all their
// orientations for the starts that need the most moves. It takes some
// seconds, and calls progress, if not nil, after each set of orientations.
//
// Orientations never change during a game, so each set of them is a game of
// its own: one search from all its positions in which the spacecraft may leave
// tells the fewest moves of every start. Two symmetries make it less, and
// neither leaves out a start. The three pieces with one small asteroid are
// alike, so swapping two of them that are turned the same way changes nothing.
// The board with its exit is its own mirror image, and so is the spacecraft,
// so that of a set and its mirror image one is enough.
func Hardest(ctx context.Context, progress func(done, total int)) (Record, error) {
	var record Record
	all := spaces{}
	sets := standardSets()
	for i, set := range sets {
		s, err := all.of(ctx, set)
		if err != nil {
			return Record{}, err
		}
		r := rulesOf(slices.Compact(slices.Clone(set)))
		s.search(r)
		moves := 0
		if n := len(s.queue); n > 0 {
			moves = int(s.moves[s.queue[n-1]])
		}
		if moves > record.Moves {
			record.Moves, record.Boards = moves, nil
			record.Starts = append(record.Starts, make([]int64, moves+1-len(record.Starts))...)
		}
		for _, at := range s.queue {
			record.Starts[s.moves[at]] += 2
			if int(s.moves[at]) == record.Moves {
				record.Boards = append(record.Boards, r.puzzle(s.graph.positions[at]))
			}
		}
		if progress != nil {
			progress(i+1, len(sets))
		}
	}
	return record, nil
}

// standardSets are the standard pieces in all sets of orientations, but only
// one of two sets that are mirror images; none is its own, since no big corner
// is. The spacecraft comes first in each, then pieces that are alike.
func standardSets() [][]piece {
	var sets [][]piece
	each(oneSmall, func(a piece) {
		for b := a; b < oppositeSmall; b++ {
			for c := b; c < oppositeSmall; c++ {
				each(oppositeSmall, func(d piece) {
					each(edgeSmall, func(e piece) {
						each(bigCorner, func(f piece) {
							each(bigEdge, func(g piece) {
								set := []piece{spacecraft, a, b, c, d, e, f, g}
								if slices.Compare(set, mirrored(set)) > 0 {
									return
								}
								if a != b && b == c {
									set[1], set[3] = set[3], set[1]
								}
								sets = append(sets, set)
							})
						})
					})
				})
			}
		}
	})
	return sets
}

// each visits the orientations of a kind, given the first.
func each(first piece, visit func(piece)) {
	kinds := []piece{oneSmall, oppositeSmall, edgeSmall, bigCorner, bigEdge, pieces}
	for p := first; p < kinds[slices.Index(kinds, first)+1]; p++ {
		visit(p)
	}
}

// mirrored is a set with left and right exchanged.
func mirrored(set []piece) []piece {
	image := make([]piece, len(set))
	for i, p := range set {
		t := corners[p]
		text := string([]byte{t[1], t[0], t[3], t[2]})
		image[i] = piece(slices.Index(corners[:], text))
	}
	slices.Sort(image)
	return image
}

// arrangements are all positions of a set of eight pieces, and the slides as
// they would be if nothing ever met.
func arrangements(ctx context.Context, set []piece) (*graph, error) {
	classes := slices.Compact(slices.Clone(set))
	start := position{hole: cells - 1}
	for i, p := range set {
		start.tiles |= 1 << (8*i + slices.Index(classes, p))
	}
	// Slides alone reach half of the arrangements of tiles that are all
	// different; the others are reached after swapping two.
	const last = 6 * 8
	swapped := start
	first, second := start.tiles>>last&0xff, start.tiles>>(last+8)
	swapped.tiles ^= (first ^ second) * (1<<last + 1<<(last+8))
	return newGraph(ctx, &rules{}, start, swapped)
}

// space is the graph that Hardest searches for all sets with the same numbers of
// equal pieces.
type space struct {
	graph *graph
	moves []int16 // by position found: the fewest moves
	queue []int32 // positions found, by their fewest moves
}

// spaces are those made so far, by the number of classes.
type spaces map[int]*space

// of is the space of a set that standardSets made.
func (all spaces) of(ctx context.Context, set []piece) (*space, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	classes := len(slices.Compact(slices.Clone(set)))
	if all[classes] == nil {
		g, err := arrangements(ctx, set)
		if err != nil {
			return nil, err
		}
		all[classes] = &space{graph: g, moves: make([]int16, len(g.positions))}
	}
	return all[classes], nil
}

// search finds the fewest moves of all starts.
func (s *space) search(r *rules) {
	s.queue = s.queue[:0]
	clear(s.moves)
	for i, p := range s.graph.positions {
		if r.leaves(p) && r.apart(p) {
			s.moves[i] = 1
			s.queue = append(s.queue, int32(i))
		}
	}
	for head := 0; head < len(s.queue); head++ {
		at := s.queue[head]
		p := s.graph.positions[at]
		for d, next := range s.graph.next[at] {
			if next < 0 || s.moves[next] != 0 {
				continue
			}
			if d := board.Dir(d); r.slides(p, p.mover(d), d) {
				s.moves[next] = s.moves[at] + 1
				s.queue = append(s.queue, next)
			}
		}
	}
}
