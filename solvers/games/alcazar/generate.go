package alcazar

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
)

// defaultSide is the number of rows and columns when none is asked for.
const defaultSide = 10

// looseWalls is the share of the borders off the path that get a random wall. More
// of them make an easier board in less time.
func looseWalls(s board.Size) float64 {
	if s.Cells() <= largeCells {
		return 0.15
	}
	return 0.3
}

const largeCells = 500

// reopenings is the most walls that are tested for whether they are needed, so that
// a large board takes seconds.
func reopenings(s board.Size) int { return 100_000 / s.Cells() }

// The rim of a board is mostly closed. The share of it that is open lies
// between these two, and there are at least minOpenings where there is room for
// them.
const (
	leastOpen   = 1.0 / 8
	mostOpen    = 1.0 / 3
	minOpenings = 4
)

// Generate makes a board around a random path. Variant is words: the form that it is written
// in, "grid" (the usual one), "box" or "plain", and "holes" for a board with places without a
// room: the path loses its first and last rooms. The rim has a few openings besides the two
// that the path uses. Without Unique the walls between rooms are random. With Unique one is
// built wherever another solution goes a different way, until there is no other; then unneeded
// walls are removed again, on boards of up to about 20×20 all of them.
func (Game) Generate(ctx context.Context, o solvers.GenerateOptions, random *rand.Rand) (solvers.Puzzle, error) {
	size := board.Size{Rows: cmp.Or(o.Rows, o.Cols, defaultSide), Cols: cmp.Or(o.Cols, o.Rows, defaultSide)}
	if size.Rows < 1 || size.Cols < 1 || size.Rows > MaxSide || size.Cols > MaxSide {
		return nil, fmt.Errorf("alcazar: board of %d rows and %d columns, expected 1 to %d", size.Rows, size.Cols, MaxSide)
	}
	if o.Colours != 0 {
		return nil, fmt.Errorf("alcazar: %d colours, expected none: the game has no colours", o.Colours)
	}
	form, holes, err := parseVariant(o.Variant)
	if err != nil {
		return nil, err
	}
	g := generator{size: size, random: random}
	if err := g.findPath(ctx); err != nil {
		return nil, err
	}
	if holes {
		g.shorten()
	}
	if err := g.start(o.Unique); err != nil {
		return nil, err
	}
	if o.Unique {
		if err := g.close(ctx); err != nil {
			return nil, err
		}
		if err := g.reopen(ctx); err != nil {
			return nil, err
		}
	}
	p := g.puzzle()
	p.form = Plain
	return p.As(Grid).As(form), nil
}

// parseVariant reads the words of a variant.
func parseVariant(variant string) (form Form, holes bool, err error) {
	form = Grid
	for _, word := range strings.Fields(variant) {
		switch word {
		case Grid.String():
			form = Grid
		case Box.String():
			form = Box
		case Plain.String():
			form = Plain
		case holesWord:
			holes = true
		default:
			return form, false, fmt.Errorf("alcazar: variant %q, expected %s, %s or %s, and %s", word, Grid, Box, Plain, holesWord)
		}
	}
	return form, holes, nil
}

// holesWord is the word of a variant that asks for places without a room.
const holesWord = "holes"

// The share of the places that have no room on a board with holes lies between
// these two.
const (
	leastHoles = 1.0 / 10
	mostHoles  = 1.0 / 4
)

// generator makes one board.
type generator struct {
	size   board.Size
	random *rand.Rand
	path   []board.Cell
	none   []rune // as in a Puzzle
	board  *Puzzle
	used   []bool // of each border: the path crosses it
	open   []bool // of each border
}

// puzzle is the board as it is so far.
func (g *generator) puzzle() *Puzzle {
	return &Puzzle{size: g.size, rooms: g.board.rooms, none: g.none, open: g.open}
}

// shorten removes rooms where the path begins and where it ends. The new ends lie on
// the rim, beside the rooms removed.
func (g *generator) shorten() {
	n := len(g.path)
	share := leastHoles + g.random.Float64()*(mostHoles-leastHoles)
	holes := min(max(int(share*float64(n)), 1), n-1)
	first := g.random.IntN(holes + 1)
	last := n - (holes - first)
	g.none = make([]rune, n)
	for i, c := range g.path {
		if i < first || i >= last {
			g.none[c] = noRoom
		}
	}
	g.path = g.path[first:last]
}

// findPath looks for a random path through all rooms, from the rim to the rim.
// It begins with a simple one and changes it at its ends, again and again: the
// end is joined to another room beside it, and the loop that this makes is cut
// open, so that the path ends elsewhere (a backbite).
func (g *generator) findPath(ctx context.Context) error {
	n := g.size.Cells()
	at := make([]int, n) // by room: its place on the path
	for row := range g.size.Rows {
		for col := range g.size.Cols {
			if row%2 == 1 {
				col = g.size.Cols - 1 - col
			}
			c := g.size.At(row, col)
			at[c] = len(g.path)
			g.path = append(g.path, c)
		}
	}
	reverse := func(a, b int) {
		for ; a <= b; a, b = a+1, b-1 {
			g.path[a], g.path[b] = g.path[b], g.path[a]
			at[g.path[a]], at[g.path[b]] = a, b
		}
	}
	for i := 0; i < 40*n || !g.size.OnRim(g.path[0]) || !g.size.OnRim(g.path[n-1]); i++ {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		end, d := g.random.IntN(2)*(n-1), board.Dir(g.random.IntN(4))
		beside := g.size.Beside(g.path[end], d)
		switch {
		case beside == board.None:
		case end == 0:
			reverse(0, at[beside]-1)
		default:
			reverse(at[beside]+1, n-1)
		}
	}
	return nil
}

// start opens the borders that the path uses, and others. Between rooms these are
// about half of the rest, or all but a few when a solver is going to close those
// that lead elsewhere; in the rim they are those that openRim chooses.
func (g *generator) start(unique bool) error {
	g.board = &Puzzle{size: g.size, none: g.none}
	if err := g.board.settle(); err != nil {
		return err
	}
	g.used = make([]bool, borders(g.size))
	for i, c := range g.path[1:] {
		for d := range board.Dir(4) {
			if g.board.neighbour(g.path[i], d) == c {
				g.used[border(g.size, g.path[i], d)] = true
			}
		}
	}
	for _, c := range g.ends() {
		for _, d := range g.random.Perm(4) {
			// A board of one room has both openings there.
			if b := border(g.size, c, board.Dir(d)); g.board.neighbour(c, board.Dir(d)) == board.None && !g.used[b] {
				g.used[b] = true
				break
			}
		}
	}
	walls := 0.5
	if unique {
		walls = looseWalls(g.size)
	}
	g.open = slices.Clone(g.used)
	for _, b := range g.inner() {
		g.open[b] = g.used[b] || g.random.Float64() >= walls
	}
	g.openRim()
	return nil
}

// ends are the rooms where the path begins and ends.
func (g *generator) ends() [2]board.Cell {
	return [2]board.Cell{g.path[0], g.path[len(g.path)-1]}
}

// inner are the borders between two rooms.
func (g *generator) inner() []int {
	var all []int
	for _, c := range g.board.rooms {
		for _, d := range []board.Dir{board.East, board.South} {
			if g.board.neighbour(c, d) != board.None {
				all = append(all, border(g.size, c, d))
			}
		}
	}
	return all
}

// openRim makes random openings besides the two that the path uses. None is in
// a room where the path ends, since it could end there just as well. For each end
// there is, where possible, one more opening at a room of its colour, so that
// counting light and dark rooms does not tell which openings are used.
func (g *generator) openRim() {
	ends := g.ends()
	var more []Opening
	rim := 0
	for _, c := range g.board.rooms {
		for d := range board.Dir(4) {
			if g.board.neighbour(c, d) != board.None {
				continue
			}
			rim++
			if c != ends[0] && c != ends[1] {
				more = append(more, Opening{Room: c, Side: d})
			}
		}
	}
	g.random.Shuffle(len(more), func(i, k int) { more[i], more[k] = more[k], more[i] })
	p := g.board
	for i, end := range ends {
		for k := i; k < len(more); k++ {
			if p.light(more[k].Room) == p.light(end) {
				more[i], more[k] = more[k], more[i]
				break
			}
		}
	}
	share := leastOpen + g.random.Float64()*(mostOpen-leastOpen)
	openings := max(int(share*float64(rim)), minOpenings)
	for _, o := range more[:min(len(more), openings-len(ends))] {
		g.open[border(g.size, o.Room, o.Side)] = true
	}
}

// model is the board as it is, without the path's own solution.
func (g *generator) model() (*model, error) {
	p := g.puzzle()
	m, err := p.model(true)
	if err != nil {
		return nil, err
	}
	var same []csp.BoolVar
	for _, b := range m.literalsOf(g.used) {
		same = append(same, b.Not())
	}
	m.AddClause(same...)
	return m, nil
}

// close builds walls between rooms until the path is the only solution. Walls in the
// rim are not needed: another solution goes another way through the rooms, because
// the rooms where the path ends have no second opening.
func (g *generator) close(ctx context.Context) error {
	m, err := g.model()
	if err != nil {
		return err
	}
	inner := make([]bool, len(g.open))
	for _, b := range g.inner() {
		inner[b] = true
	}
	for {
		switch m.Solve(ctx) {
		case csp.Unknown:
			return ctx.Err()
		case csp.Infeasible:
			return nil
		}
		var elsewhere []int
		for i, b := range m.literals {
			if at := m.borders[i]; m.Value(b) && inner[at] && !g.used[at] {
				elsewhere = append(elsewhere, at)
			}
		}
		g.random.Shuffle(len(elsewhere), func(i, k int) { elsewhere[i], elsewhere[k] = elsewhere[k], elsewhere[i] })
		// One wall would do; when the other solution is very different, more
		// save time.
		for _, wall := range elsewhere[:1+len(elsewhere)/10] {
			g.open[wall] = false
		}
		for i, b := range m.literals {
			if !g.open[m.borders[i]] {
				m.AddClause(b.Not())
			}
		}
	}
}

// reopen tears down walls between rooms that are not needed.
func (g *generator) reopen(ctx context.Context) error {
	var walls []int
	for _, b := range g.inner() {
		if !g.open[b] {
			walls = append(walls, b)
		}
	}
	g.random.Shuffle(len(walls), func(i, k int) { walls[i], walls[k] = walls[k], walls[i] })
	for _, wall := range walls[:min(len(walls), reopenings(g.size))] {
		g.open[wall] = true
		m, err := g.model()
		if err != nil {
			return err
		}
		switch m.Solve(ctx) {
		case csp.Unknown:
			return ctx.Err()
		case csp.Feasible:
			g.open[wall] = false
		}
	}
	return nil
}
