package flow

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Generate makes a level whose pipes cover a board of the size asked for, 7×7 by default.
// Variant is empty, "bridges", "hex", "warp" or "winding". On a winding board a pipe of the
// solution runs beside itself: solvers that assume otherwise cannot solve it. Colours is the
// most pipes wanted. With 0 any number will do, and the mean pipe has about 8 cells. As few as
// the square root of the number of cells take seconds, up to 100×100. It is an error if there
// are more than the board has room for. A board with one solution may need more pipes than
// wanted; then another is made. Large boards with one solution and few pipes are made in
// another way (see channels).
//
// A board begins as a random tiling with dominoes that leaves out as few cells as possible.
// Tiles are then joined end to end, at random, never so that a pipe would run beside itself:
// such boards often have one solution already. When there are too many pipes, they take pieces
// of each other until more can be joined (see thin). While there is another solution, one of
// the pipes that differ in it is cut in two, which rules it out. If that makes more pipes than
// wanted, ends are moved until there are few enough (see fewer).
func (Game) Generate(ctx context.Context, o solvers.GenerateOptions, random *rand.Rand) (solvers.Puzzle, error) {
	b, err := boardOf(o)
	if err != nil {
		return nil, err
	}
	tries := mostCovers
	if o.Colours > 0 {
		tries = max(3, min(tries, mostPlaces/b.Cells()))
	}
	if o.Colours > 0 && o.Unique && o.Variant != windingVariant {
		tries = lucky(b.Size) + mostWalks
	}
	for i := range tries {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		p, err := try(ctx, b, o, i >= lucky(b.Size), random)
		if err != nil {
			return nil, err
		}
		if p != nil {
			return p, nil
		}
	}
	return nil, fmt.Errorf("flow: generate: no board of %s with at most %d pipes came up in %d tries", b.Size, o.Colours, tries)
}

// The variants of boards.
const (
	bridgesVariant = "bridges"
	hexVariant     = "hex"
	warpVariant    = "warp"
	windingVariant = "winding"
)

// boardOf is the size and the topology that the options ask for.
func boardOf(o solvers.GenerateOptions) (Board, error) {
	b := Board{Size: board.Size{Rows: cmp.Or(o.Rows, o.Cols, defaultSide), Cols: cmp.Or(o.Cols, o.Rows, defaultSide)}}
	if b.Rows < 1 || b.Cols < 1 || b.Rows > MaxSide || b.Cols > MaxSide || b.Cells() < 4 {
		return b, fmt.Errorf("flow: generate a board of %s, expected 2x2 to %dx%d", b.Size, MaxSide, MaxSide)
	}
	switch o.Variant {
	case "", windingVariant:
	case hexVariant:
		b.Topology = Hex
	case warpVariant:
		b.Topology = Warp
	case bridgesVariant:
		if b.Rows < 3 || b.Cols < 3 {
			return b, fmt.Errorf("flow: generate a board of %s with bridges, expected 3x3 or more", b.Size)
		}
	default:
		return b, fmt.Errorf("flow: generate variant %q, expected bridges, hex, warp or winding", o.Variant)
	}
	if most := mostPipes(b.Size, o.Variant == bridgesVariant); o.Colours < 0 || o.Colours > most {
		return b, fmt.Errorf("flow: generate: %d pipes wanted on a board of %s, expected 1 to %d: each has at least %d cells", o.Colours, b.Size, most, leastPipe)
	}
	return b, nil
}

// try covers a board once. It gives up (nil) when the board does not become what
// the options ask for; walk says whether to change one for long that has other solutions.
func try(ctx context.Context, b Board, o solvers.GenerateOptions, walk bool, random *rand.Rand) (*Puzzle, error) {
	winding := o.Variant == windingVariant
	if o.Variant == bridgesVariant {
		b.Bridges = chooseBridges(b.Size, random)
	}
	// Only for its neighbours: the ends are replaced.
	b.Ends = [][2]board.Cell{{0, 1}}
	blank, err := New(b)
	if err != nil {
		return nil, err
	}
	if o.Unique && o.Variant == "" && b.wantsChannels(o.Colours) {
		p, err := channelled(ctx, b, blank, o.Colours, random)
		if p != nil || err != nil || min(b.Rows, b.Cols) > sweepWidth {
			return p, err
		}
	}
	cover := newCover(blank, winding, o.Colours, random)
	if cover == nil {
		return nil, nil
	}
	if !o.Unique {
		if o.Colours > 0 && len(cover.pipes) > o.Colours {
			return nil, nil
		}
		return cover.puzzle(b)
	}
	var p *Puzzle
	if o.Colours > 0 && !winding {
		p, err = cover.fewer(ctx, b, o.Colours, walk, random)
	} else {
		p, err = cover.narrow(ctx, b, o.Colours, random)
	}
	if err != nil || p == nil {
		return nil, err
	}
	if winding && !cover.winds() {
		return nil, nil
	}
	return p, nil
}

// defaultSide is the number of rows and columns of a board when none is asked for.
const defaultSide = 7

// mostCovers is the number of boards that are tried before giving up.
const mostCovers = 5000

// mostPlaces bounds the tries on large boards with few pipes: it is the number of
// cells of all boards together.
const mostPlaces = 20_000

// leastPipe is the fewest cells of a generated pipe, so that there is something to
// draw.
const leastPipe = 3

// mostPipes is the number of pipes that a board has room for. Two of them share
// the cell of a bridge.
func mostPipes(size board.Size, bridges bool) int {
	places := size.Cells()
	if bridges {
		places += (size.Cells() + cellsPerBridge - 1) / cellsPerBridge
	}
	return places / leastPipe
}

// cellsPerBridge is the number of cells for each bridge.
const cellsPerBridge = 20

// chooseBridges places a bridge for about every cellsPerBridge cells, at least one.
// No two have a neighbour in common.
func chooseBridges(size board.Size, random *rand.Rand) []board.Cell {
	var bridges []board.Cell
	taken := make([]bool, size.Cells())
	for _, i := range random.Perm(size.Cells()) {
		row, col := size.Row(board.Cell(i)), size.Col(board.Cell(i))
		if row == 0 || col == 0 || row == size.Rows-1 || col == size.Cols-1 {
			continue
		}
		cross := []int{i, i - 1, i + 1, i - size.Cols, i + size.Cols}
		if slices.ContainsFunc(cross, func(c int) bool { return taken[c] }) {
			continue
		}
		for _, c := range cross {
			taken[c] = true
		}
		if bridges = append(bridges, board.Cell(i)); len(bridges)*cellsPerBridge >= size.Cells() {
			break
		}
	}
	slices.Sort(bridges)
	return bridges
}

// cover is a board covered by pipes. Its places are the board's cells and,
// behind them, one more for each bridge: the bridge's own cell is its row, the
// other its column.
type cover struct {
	cells   int            // of the board
	winding bool           // pipes may run beside themselves
	bridge  []board.Cell   // by place: the bridge that it is a half of, or board.None
	around  [][]board.Cell // by place: its neighbours
	pipes   [][]board.Cell
	owner   []int // by place: its pipe
}

// newCover covers a board. It is nil when a piece is left that is too short to be
// a pipe.
func newCover(p *Puzzle, winding bool, colours int, random *rand.Rand) *cover {
	c := &cover{cells: p.size.Cells(), winding: winding}
	c.findPlaces(p)
	c.tile(random)
	c.join(random)
	if colours > 0 {
		c.thin(colours, random)
	}
	c.lengthen(random)
	c.join(random)
	c.compact()
	if slices.ContainsFunc(c.pipes, tooShort) {
		return nil
	}
	random.Shuffle(len(c.pipes), func(i, j int) { c.pipes[i], c.pipes[j] = c.pipes[j], c.pipes[i] })
	return c
}

// findPlaces finds the places of a board and their neighbours.
func (c *cover) findPlaces(p *Puzzle) {
	column := map[board.Cell]board.Cell{} // by bridge
	for cell := range board.Cell(c.cells) {
		c.bridge = append(c.bridge, board.None)
		if p.kind[cell] == bridge {
			c.bridge[cell] = cell
			column[cell] = board.Cell(c.cells + len(column))
		}
	}
	for range column {
		c.bridge = append(c.bridge, board.None)
	}
	c.around = make([][]board.Cell, len(c.bridge))
	c.owner = make([]int, len(c.bridge))
	place := func(cell board.Cell, d board.Dir) board.Cell {
		if half, ok := column[cell]; ok && d%2 == 0 {
			c.bridge[half] = cell
			return half
		}
		return cell
	}
	for cell := range board.Cell(c.cells) {
		for d := range board.Dir(p.Dirs()) {
			if n := p.Neighbour(cell, d); n != board.None {
				from := place(cell, d)
				c.around[from] = append(c.around[from], place(n, d))
			}
		}
	}
}

// tile covers the places with pipes of two cells, or of one where that is all that
// is left. A pipe over a bridge is one of three from the start.
func (c *cover) tile(random *rand.Rand) {
	taken := make([]bool, len(c.bridge))
	for half, cell := range c.bridge {
		if cell != board.None {
			sides := c.around[half]
			c.pipes = append(c.pipes, []board.Cell{sides[0], board.Cell(half), sides[1]})
			taken[sides[0]], taken[half], taken[sides[1]] = true, true, true
		}
	}
	for at, mate := range c.tiling(taken, random) {
		switch {
		case taken[at]:
		case mate == board.None:
			c.pipes = append(c.pipes, []board.Cell{board.Cell(at)})
		case int(mate) > at:
			c.pipes = append(c.pipes, []board.Cell{board.Cell(at), mate})
		}
	}
	for i, pipe := range c.pipes {
		for _, at := range pipe {
			c.owner[at] = i
		}
	}
}

// tiling matches neighbouring places that are not taken, at random and as many as
// possible (augmenting paths). It returns the mate of each place, board.None for
// one left over.
func (c *cover) tiling(taken []bool, random *rand.Rand) []board.Cell {
	mate := make([]board.Cell, len(c.around))
	for i := range mate {
		mate[i] = board.None
	}
	seen := make([]int, len(mate)) // by place: the round in which it was seen last
	var augment func(from board.Cell, round int) bool
	augment = func(from board.Cell, round int) bool {
		options := slices.DeleteFunc(slices.Clone(c.around[from]), func(to board.Cell) bool { return taken[to] })
		random.Shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
		for _, to := range options {
			if mate[to] == board.None && to != from {
				mate[from], mate[to] = to, from
				return true
			}
		}
		for _, to := range options {
			if seen[to] == round {
				continue
			}
			seen[to] = round
			other := mate[to]
			if other == from || seen[other] == round {
				continue
			}
			seen[other] = round
			mate[from], mate[to], mate[other] = to, from, board.None
			if augment(other, round) {
				return true
			}
			mate[from], mate[to], mate[other] = board.None, other, to
		}
		return false
	}
	round := 0
	for _, cell := range random.Perm(len(mate)) {
		if mate[cell] == board.None && !taken[cell] {
			round++
			seen[cell] = round
			augment(board.Cell(cell), round)
		}
	}
	return mate
}

// join joins pipes whose ends touch, at random, until no more can be joined.
func (c *cover) join(random *rand.Rand) {
	type joint struct{ a, b board.Cell }
	var joints []joint
	for a, near := range c.around {
		for _, b := range near {
			if board.Cell(a) < b {
				joints = append(joints, joint{board.Cell(a), b})
			}
		}
	}
	random.Shuffle(len(joints), func(i, j int) { joints[i], joints[j] = joints[j], joints[i] })
	// Pipes that are too short come first, so that they are seldom left over.
	slices.SortStableFunc(joints, func(x, y joint) int {
		short := func(j joint) int { return min(len(c.pipes[c.owner[j.a]]), len(c.pipes[c.owner[j.b]]), leastPipe) }
		return short(x) - short(y)
	})
	for again := true; again; {
		again = false
		for _, j := range joints {
			if c.joinAt(j.a, j.b) {
				again = true
			}
		}
	}
}

// joinAt joins the pipes of two neighbouring cells if both cells are ends and
// the joined pipe does not run beside itself.
func (c *cover) joinAt(a, b board.Cell) bool {
	i, j := c.owner[a], c.owner[b]
	if i == j {
		return false
	}
	first, ok := endingAt(c.pipes[i], a)
	if !ok {
		return false
	}
	second, ok := endingAt(c.pipes[j], b)
	if !ok {
		return false
	}
	for _, cell := range first {
		if c.winding {
			break
		}
		for _, n := range c.around[cell] {
			if c.owner[n] == j && !(cell == a && n == b) {
				return false
			}
		}
	}
	slices.Reverse(second)
	c.pipes[i], c.pipes[j] = append(first, second...), nil
	for _, cell := range second {
		c.owner[cell] = i
	}
	return true
}

// extend has an end of a pipe take a piece of the pipe beside it, if it can.
func (c *cover) extend(pipe []board.Cell, random *rand.Rand) {
	a := pipe[random.IntN(2)*(len(pipe)-1)]
	if b := c.around[a][random.IntN(len(c.around[a]))]; c.owner[b] != c.owner[a] {
		c.takeFrom(a, b, random.IntN(2) == 0)
	}
}

// compact drops the pipes that were joined to others.
func (c *cover) compact() {
	c.pipes = slices.DeleteFunc(c.pipes, func(pipe []board.Cell) bool { return pipe == nil })
	for i, pipe := range c.pipes {
		for _, at := range pipe {
			c.owner[at] = i
		}
	}
}

// lengthen gives each pipe that is too short a piece of a neighbour, which may
// then be too short itself, until none is. It gives up after a number of turns.
func (c *cover) lengthen(random *rand.Rand) {
	for range 4 * len(c.around) {
		var short []int
		for i, pipe := range c.pipes {
			if len(pipe) > 0 && len(pipe) < leastPipe {
				short = append(short, i)
			}
		}
		if len(short) == 0 {
			return
		}
		c.extend(c.pipes[short[random.IntN(len(short))]], random)
	}
}

// takeFrom cuts the pipe of b before or after b, and joins the piece that ends at b
// to the end a of another pipe, unless that pipe would then run beside itself.
func (c *cover) takeFrom(a, b board.Cell, after bool) {
	i := c.owner[b]
	whole := c.pipes[i]
	at := slices.Index(whole, b)
	if after {
		at++
	}
	if at > 0 && at < len(whole) {
		if c.bridge[whole[at-1]] != board.None || c.bridge[whole[at]] != board.None {
			return
		}
		rest := len(c.pipes)
		c.pipes[i] = slices.Clone(whole[:at])
		c.pipes = append(c.pipes, slices.Clone(whole[at:]))
		for _, cell := range c.pipes[rest] {
			c.owner[cell] = rest
		}
	}
	if !c.joinAt(a, b) && len(c.pipes[i]) < len(whole) {
		c.pipes[i] = whole
		c.pipes = c.pipes[:len(c.pipes)-1]
		for _, cell := range whole {
			c.owner[cell] = i
		}
	}
}

// endingAt is a copy of a pipe, turned so that it ends at a cell. It is not ok when
// the cell is no end of the pipe.
func endingAt(pipe []board.Cell, end board.Cell) ([]board.Cell, bool) {
	pipe = slices.Clone(pipe)
	if pipe[0] == end {
		slices.Reverse(pipe)
	}
	return pipe, pipe[len(pipe)-1] == end
}

// puzzle is the board that the cover solves.
func (c *cover) puzzle(b Board) (*Puzzle, error) {
	b.Ends = nil
	for _, pipe := range c.pipes {
		b.Ends = append(b.Ends, [2]board.Cell{pipe[0], pipe[len(pipe)-1]})
	}
	b.Labels = defaultLabels(len(b.Ends))
	return New(b)
}

// winds reports whether a pipe runs beside itself.
func (c *cover) winds() bool {
	for _, pipe := range c.pipes {
		at := map[board.Cell]int{}
		for k, cell := range pipe {
			at[cell] = k
		}
		for k, cell := range pipe {
			for _, n := range c.around[cell] {
				if other, ok := at[n]; ok && other > k+1 {
					return true
				}
			}
		}
	}
	return false
}

// paths are the pipes in the board's cells.
func (c *cover) paths() [][]board.Cell {
	paths := make([][]board.Cell, len(c.pipes))
	for i, pipe := range c.pipes {
		paths[i] = slices.Clone(pipe)
		for k, at := range pipe {
			if c.bridge[at] != board.None {
				paths[i][k] = c.bridge[at]
			}
		}
	}
	return paths
}

// narrow cuts pipes until the cover is the only solution. The puzzle is nil when
// another solution differs in none of the pipes that are long enough to be cut, or when
// that takes more pipes than colours; with 0 any number will do.
func (c *cover) narrow(ctx context.Context, b Board, colours int, random *rand.Rand) (*Puzzle, error) {
	for {
		if colours > 0 && len(c.pipes) > colours {
			return nil, nil
		}
		p, err := c.puzzle(b)
		if err != nil {
			return nil, err
		}
		mine := c.paths()
		var other *Solution
		_, err = p.Search(ctx, SearchOptions{}, func(s *Solution) bool {
			if !slices.EqualFunc(s.paths, mine, samePipe) {
				other = s
			}
			return other == nil
		})
		if err != nil {
			return nil, err
		}
		if other == nil {
			return p, nil
		}
		if !c.cut(other, random) {
			return nil, nil
		}
	}
}

// samePipe reports whether two pipes are equal, in either direction.
func samePipe(a, b []board.Cell) bool {
	if slices.Equal(a, b) {
		return true
	}
	b = slices.Clone(b)
	slices.Reverse(b)
	return slices.Equal(a, b)
}

// cut cuts in two one of the pipes that the other solution draws differently. It
// is false when there is none to cut.
func (c *cover) cut(other *Solution, random *rand.Rand) bool {
	type place struct{ pipe, at int }
	var places []place
	for i, pipe := range c.pipes {
		for at := leastPipe; at <= len(pipe)-leastPipe; at++ {
			if c.bridge[pipe[at-1]] != board.None || c.bridge[pipe[at]] != board.None {
				continue // a pipe cannot end on a bridge
			}
			// The new ends stand where the other solution has other pipes.
			if other.pipe[pipe[at-1]] != i || other.pipe[pipe[at]] != i {
				places = append(places, place{i, at})
			}
		}
	}
	if len(places) == 0 {
		return false
	}
	chosen := places[random.IntN(len(places))]
	pipe := c.pipes[chosen.pipe]
	c.pipes[chosen.pipe] = pipe[:chosen.at:chosen.at]
	c.pipes = append(c.pipes, slices.Clone(pipe[chosen.at:]))
	return true
}
