package asteroid

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// difficulties are the chapters of a catalogue, by the fewest moves.
var difficulties = []struct {
	name        string
	least, most int
}{
	{"starter", 5, 12},
	{"junior", 13, 20},
	{"expert", 21, 32},
	{"master", 33, 48},
	{"wizard", 49, math.MaxInt},
}

// Grades are the chapters of a catalogue, from starter to wizard.
func (Game) Grades() []string {
	names := make([]string, len(difficulties))
	for i, d := range difficulties {
		names[i] = d.name
	}
	return names
}

// Grade is a search for the moves of a shortest solution.
func (p *Puzzle) Grade(ctx context.Context) (solvers.Grade, error) { return solvers.GradeMoves(ctx, p) }

// Generate makes a puzzle of the standard pieces. The variant is how difficult
// it is, by its fewest moves: "starter" 5 to 12, "junior" 13 to 20, "expert" 21
// to 32, "master" 33 to 48, "wizard" more; without one any of the five. Unique
// asks for exactly one shortest solution; there are nearly always longer ones.
//
// A random set of orientations and a random position in which the spacecraft
// may leave are drawn. The puzzle starts at one of the positions of that difficulty
// that lead there and are farthest away: no slide leads farther.
func (Game) Generate(ctx context.Context, o solvers.GenerateOptions, random *rand.Rand) (solvers.Puzzle, error) {
	least, most, err := wanted(o, random)
	if err != nil {
		return nil, err
	}
	for {
		r, set := randomSet(random)
		for range 100 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			end := randomEnd(set, random)
			if !r.leaves(end) || !r.apart(end) {
				continue
			}
			g, err := newGraph(ctx, r, end)
			if err != nil {
				return nil, err
			}
			if starts := g.farthest(least, most, o.Unique); len(starts) > 0 {
				return r.puzzle(starts[random.IntN(len(starts))]), nil
			}
		}
	}
}

// wanted are the bounds of the shortest solution's moves that the options ask for.
func wanted(o solvers.GenerateOptions, random *rand.Rand) (least, most int, err error) {
	if (o.Rows != 0 && o.Rows != size.Rows) || (o.Cols != 0 && o.Cols != size.Cols) {
		return 0, 0, fmt.Errorf("asteroid: a board of %d rows and %d columns, expected 3 and 3", o.Rows, o.Cols)
	}
	if o.Colours != 0 {
		return 0, 0, fmt.Errorf("asteroid: %d colours, expected none: the pieces are always the same", o.Colours)
	}
	d := difficulties[random.IntN(len(difficulties))]
	if o.Variant != "" {
		var names []string
		for _, d = range difficulties {
			if d.name == o.Variant {
				break
			}
			names = append(names, d.name)
		}
		if d.name != o.Variant {
			return 0, 0, fmt.Errorf("asteroid: variant %q, expected one of %s", o.Variant, strings.Join(names, ", "))
		}
	}
	if d.most == math.MaxInt {
		return d.least, d.most, nil
	}
	return d.least, d.least + random.IntN(d.most-d.least+1), nil
}

// randomSet draws the orientations of the standard pieces: their rules, and
// the eight pieces as classes of them. The spacecraft comes first.
func randomSet(random *rand.Rand) (*rules, []int) {
	turned := func(first piece, orientations int) piece { return first + piece(random.IntN(orientations)) }
	pieces := []piece{
		spacecraft,
		turned(oneSmall, 4), turned(oneSmall, 4), turned(oneSmall, 4),
		turned(oppositeSmall, 2), turned(edgeSmall, 4), turned(bigCorner, 4), turned(bigEdge, 4),
	}
	var classes []piece
	set := make([]int, len(pieces))
	for i, p := range pieces {
		for set[i] < len(classes) && classes[set[i]] != p {
			set[i]++
		}
		if set[i] == len(classes) {
			classes = append(classes, p)
		}
	}
	return rulesOf(classes), set
}

// randomEnd draws a position with the spacecraft above the exit.
func randomEnd(set []int, random *rand.Rand) position {
	p := position{hole: board.Cell(random.IntN(cells - 1))}
	if p.hole == door {
		p.hole++
	}
	order := random.Perm(len(set) - 1)
	for c := range board.Cell(cells) {
		class := 0
		switch {
		case c == p.hole:
			continue
		case c != door:
			class = set[1+order[0]]
			order = order[1:]
		}
		p.tiles |= 1 << (8*p.slot(c) + class)
	}
	return p
}

// farthest are the positions that need the most moves, between least and most, of
// those from which no slide leads farther away.
func (g *graph) farthest(least, most int, unique bool) []position {
	distance := g.distances(g.rules.leaves)
	var starts []position
	for at, p := range g.positions {
		moves := int(distance[at]) + 1
		if moves < least || moves > most {
			continue
		}
		end := true
		for _, next := range g.next[at] {
			end = end && (next < 0 || distance[next] <= distance[at])
		}
		if !end || unique && g.shortest(at, distance) > 1 {
			continue
		}
		if moves > least {
			least, starts = moves, nil
		}
		starts = append(starts, p)
	}
	return starts
}

// shortest is the number of shortest solutions from a position, at most 2.
func (g *graph) shortest(at int, distance []int32) int {
	if distance[at] == 0 {
		return 1
	}
	count := 0
	for _, next := range g.next[at] {
		if next >= 0 && distance[next] < distance[at] {
			count += g.shortest(int(next), distance)
		}
		if count > 1 {
			break
		}
	}
	return min(count, 2)
}
