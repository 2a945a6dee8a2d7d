package described

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// The effort of making a puzzle: conflicts of one search, changes that are tried for one
// that excludes a solution, and changes of a board before another is begun.
const (
	mostEffort  = 20_000
	mostTried   = 400
	mostChanges = 200
	mostLabel   = 9 // numbers of named clues are less
)

// errDead says that a board led nowhere.
var errDead = errors.New("no such puzzle was found from here")

// Generate makes a puzzle: it draws a board that has a solution, and while there is another
// changes what is given so that the first remains and the other does not. Clues without
// which the solution is still the only one are left out. It goes by the rules alone, so it
// knows nothing of what makes a kind of puzzles good.
func (g *Game) Generate(ctx context.Context, o solvers.GenerateOptions, random *rand.Rand) (solvers.Puzzle, error) {
	usual := g.generated()[0]
	size := board.Size{Cols: cmp.Or(o.Cols, o.Rows, usual[0]), Rows: cmp.Or(o.Rows, o.Cols, usual[1])}
	switch {
	case o.Colours != 0 || o.Variant != "":
		return nil, fmt.Errorf("%s: %d colours and variant %q, expected neither: a described game has one kind of boards", g.name, o.Colours, o.Variant)
	case size.Rows < 1 || size.Cols < 1 || size.Rows > maxCells || size.Cols > maxCells || size.Cells() > maxCells:
		return nil, fmt.Errorf("%s: %d columns and %d rows, expected at most %d cells", g.name, size.Cols, size.Rows, maxCells)
	}
	m := &maker{ctx: ctx, game: g, random: random, notation: g.notations[0]}
	m.learn()
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := m.make(size, o.Unique)
		if err == nil {
			return p, nil
		}
		if !errors.Is(err, errDead) {
			return nil, err
		}
	}
}

// maker makes puzzles in a notation.
type maker struct {
	ctx              context.Context
	game             *Game
	random           *rand.Rand
	notation         *notation
	clues, once, of  []clue // of cells, of one cell each, of rooms
	rooms, full, any bool
	coloured         bool
}

// learn finds out what the notation may give.
func (m *maker) learn() {
	n := m.notation
	m.rooms = n.rooms
	if n.name == "" {
		for _, r := range keysOf(n.names) {
			if !n.numbered {
				m.clues = append(m.clues, clue{kind: namedClue, name: n.names[r]})
				continue
			}
			for k := range mostLabel {
				m.clues = append(m.clues, clue{kind: labelClue, name: n.names[r], number: cmp.Or(k, -1), way: -1})
			}
		}
		if len(n.names) == 0 {
			m.clues = numberClues(0, 6)
		}
	}
	for _, e := range n.parts {
		if e.ofRooms {
			m.of = append(m.of, e.clues...)
		} else {
			m.clues = append(m.clues, e.clues...)
		}
		m.once = append(m.once, e.once...)
		m.rooms, m.full, m.coloured = m.rooms || e.rooms, m.full || e.full, m.coloured || e.coloured
	}
	m.any = slices.ContainsFunc(m.clues, func(c clue) bool { return c.kind == numberClue }) && !m.full
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// draw makes the givens of a new board: no clues, or some of which the numbers are not told.
func (m *maker) draw(size board.Size) *givens {
	g := &givens{size: size, clue: make([]clue, size.Cells())}
	if m.rooms {
		g.numberRooms(connectedRooms(size, m.grown(size, 4+m.random.IntN(3))))
	}
	if m.coloured {
		const each = 3 // cells of a patch
		colour := make([]int, size.Cells())
		for i := range colour {
			colour[i] = m.random.IntN(2)
		}
		for _, patch := range m.grown(size, each) {
			g.colour = append(g.colour, colour[patch])
		}
	}
	places := m.random.Perm(size.Cells())
	for i, c := range m.once {
		if i < len(places) {
			g.clue[places[i]] = c
		}
	}
	some := 0
	if len(m.clues) > 0 && m.random.IntN(2) == 0 {
		some = m.random.IntN(size.Cells()/3 + 1)
	}
	if m.full {
		some = len(places)
	}
	for _, c := range places[min(len(m.once), len(places)):] {
		if some--; some < 0 {
			break
		}
		g.clue[c] = pick(m.random, m.clues)
		switch k := &g.clue[c]; {
		case m.full && k.kind == numberClue:
			k.number = 1 + m.random.IntN(max(size.Rows, size.Cols))
		case k.kind == numberClue && m.any && m.random.IntN(4) > 0:
			*k = unknown
		case k.kind == arrowClue || k.kind == labelClue:
			k.number = -1
		}
	}
	return g
}

// grown divides a board into patches of so many cells on average.
func (m *maker) grown(size board.Size, each int) []int {
	seeds := []board.Cell{}
	for _, c := range m.random.Perm(size.Cells())[:max(1, size.Cells()/each)] {
		seeds = append(seeds, board.Cell(c))
	}
	return board.GrowRegions(size, seeds, m.random).Of
}

// make makes one puzzle, or fails with errDead.
func (m *maker) make(size board.Size, unique bool) (*Puzzle, error) {
	p := m.puzzle(m.draw(size))
	if p == nil {
		return nil, errDead
	}
	first, err := m.another(p, nil)
	if err != nil || !slices.ContainsFunc(first, func(v int) bool { return v != 0 }) { // with nothing to draw, it is no puzzle
		return nil, cmp.Or(err, errDead)
	}
	for range mostChanges {
		if !unique {
			return m.finished(m.told(p, first))
		}
		other, err := m.another(p, first)
		if err != nil {
			return nil, err
		}
		if other == nil {
			if p, err = m.leaveOut(p, first); err != nil {
				return nil, err
			}
			return m.finished(m.told(p, first))
		}
		if p = m.exclude(p, first, other); p == nil {
			return nil, cmp.Or(m.ctx.Err(), errDead)
		}
	}
	return nil, errDead
}

// told tells the numbers that a puzzle leaves open, as the solution has them: a board is read from
// screens by its numbers.
func (m *maker) told(p *Puzzle, known []int) *Puzzle {
	for i, c := range p.givens.clue {
		if c != unknown {
			continue
		}
		for number := range len(p.givens.clue) + 1 {
			g := *p.givens
			g.clue = slices.Clone(g.clue)
			g.clue[i] = clue{kind: numberClue, number: number}
			if next := m.puzzle(&g); next != nil && (&Solution{known, next}).Check() == nil {
				p = next
				break
			}
		}
	}
	return p
}

// finished is the puzzle as it is read back.
func (m *maker) finished(p *Puzzle) (*Puzzle, error) { return m.game.parse(p.text) }

// puzzle evaluates the rules on a board, nil where the description cannot.
func (m *maker) puzzle(g *givens) *Puzzle {
	p, err := m.game.puzzle(g, m.notation.format(g))
	if err != nil {
		return nil
	}
	return p
}

// another finds a solution that is not the known one, trying values at random first; nil
// when there is none. It fails with errDead when that takes long.
func (m *maker) another(p *Puzzle, known []int) (found []int, err error) {
	ctx, cancel := csp.WithBudget(m.ctx, mostEffort)
	defer cancel()
	post, decided := newPoster(p.givens.layout)
	for _, r := range p.rules {
		for _, t := range r.terms {
			post.require(t)
		}
	}
	for _, b := range decided {
		if m.random.IntN(2) == 0 {
			b = b.Not()
		}
		post.m.AddHint(b)
	}
	status := post.m.Enumerate(ctx, decided, func() bool {
		if values := post.values(p.givens.layout); !slices.Equal(values, known) {
			found = values
		}
		return found == nil
	})
	if status == csp.Unknown {
		return nil, cmp.Or(m.ctx.Err(), errDead)
	}
	return found, nil
}

// exclude looks for a change of what is given that keeps one solution and not the other.
func (m *maker) exclude(p *Puzzle, keep, drop []int) *Puzzle {
	for range mostTried {
		if m.ctx.Err() != nil {
			return nil
		}
		g := m.changed(p.givens)
		if g == nil {
			continue
		}
		if next := m.puzzle(g); next != nil && (&Solution{keep, next}).Check() == nil && (&Solution{drop, next}).Check() != nil {
			return next
		}
	}
	return nil
}

// changed changes a clue, or gives a cell to a room beside it; nil where that makes no board.
func (m *maker) changed(from *givens) *givens {
	g := *from
	g.clue, g.roomClue = slices.Clone(from.clue), slices.Clone(from.roomClue)
	kind := m.random.IntN(3)
	switch {
	case len(m.notation.signs) > 0 && kind > 0:
		g.setSign(pick(m.random, g.size.Edges()), pick(m.random, m.notation.signs))
	case len(m.of) > 0 && kind == 0 && len(g.roomClue) > 0:
		g.roomClue[m.random.IntN(len(g.roomClue))] = pick(m.random, m.of)
	case m.rooms && (kind == 1 || len(m.clues) == 0 && len(m.of) == 0):
		return m.movedRoom(&g)
	case len(m.clues) > 0:
		c := m.random.IntN(len(g.clue))
		if slices.Contains(m.once, g.clue[c]) {
			return nil
		}
		g.clue[c] = pick(m.random, m.clues)
		if m.full {
			g.clue[c].number = 1 + m.random.IntN(max(g.size.Rows, g.size.Cols))
		}
	}
	return &g
}

// setSign puts a sign between two cells, the only one there, or none.
func (g *givens) setSign(e board.Edge, name string) {
	sign := map[string][]board.Edge{}
	for n, edges := range g.sign {
		sign[n] = slices.DeleteFunc(slices.Clone(edges), func(o board.Edge) bool { return o == e })
	}
	if name != "" {
		sign[name] = append(sign[name], e)
	}
	g.sign = sign
}

// movedRoom gives a cell to a room beside it, if both rooms stay in one piece.
func (m *maker) movedRoom(g *givens) *givens {
	c := board.Cell(m.random.IntN(g.size.Cells()))
	n := pick(m.random, g.size.Neighbours(c))
	if g.room[c] == g.room[n] {
		return nil
	}
	clues := map[int]clue{}
	rooms := slices.Clone(g.room)
	rooms[c] = rooms[n]
	joined := connectedRooms(g.size, rooms)
	for i, r := range g.room {
		if rooms[i] == r {
			clues[joined.Find(i)] = g.roomClue[r]
		}
	}
	before := len(g.roomClue)
	g.border = nil
	g.numberRooms(joined)
	if len(g.roomClue) != before {
		return nil
	}
	for root := range maps.Keys(clues) {
		g.roomClue[g.room[root]] = clues[root]
	}
	return g
}

// leaveOut takes away clues, in random order, as long as the solution stays the only one.
func (m *maker) leaveOut(p *Puzzle, known []int) (*Puzzle, error) {
	if m.full {
		return p, nil
	}
	n, rooms, edges := len(p.givens.clue), len(p.givens.roomClue), p.givens.size.Edges()
	for _, i := range m.random.Perm(n + rooms + len(edges)) {
		g := *p.givens
		g.clue, g.roomClue = slices.Clone(g.clue), slices.Clone(g.roomClue)
		if i >= n+rooms {
			e := edges[i-n-rooms]
			if !slices.ContainsFunc(m.notation.signs, func(name string) bool { return slices.Contains(g.sign[name], e) }) {
				continue
			}
			g.setSign(e, "")
		} else {
			at := &g.clue[i%n]
			if i >= n {
				at = &g.roomClue[i-n]
			}
			if at.kind == noClue || slices.Contains(m.once, *at) {
				continue
			}
			*at = clue{}
		}
		next := m.puzzle(&g)
		if next == nil || (&Solution{known, next}).Check() != nil {
			continue
		}
		other, err := m.another(next, known)
		switch {
		case errors.Is(err, errDead), err == nil && other != nil:
		case err != nil:
			return nil, err
		default:
			p = next
		}
	}
	return p, nil
}
