package flow

import (
	"context"
	"math/rand/v2"
	"slices"

	"tapwise/solvers/board"
)

// channels draws boards of few long pipes that mostly have one solution, and are quickly proved to: a
// channel of parallel pipes, its lanes, winds once over the whole board, between walls that are
// pipes, too.
//
// The board is parted into squares, as wide and high as the channel has lanes, with a line of cells
// between each two. The channel leads through all squares, along a random Hamiltonian path. The
// cells of the lines that it does not cross are its walls. Since the path is a spanning tree of the
// squares, they are trees, each of which touches the rim once. Rows and columns that are left over at two
// sides of the board are pipes along them. All pipes are then cut until there are as many as
// wanted. From wall to wall there is just room for the lanes, which is what a proof by
// classes of routings (package homotopy) looks at.
type channels struct {
	size             board.Size
	lanes            int
	rows, cols       int  // of squares
	upward, leftward bool // rows are counted from below, columns from the right
	used             []bool
	pipes            [][]board.Cell
}

const (
	// The shorter side of a board has manySquares to mostSquares squares; with more, lanes are
	// long and few, and there is more than one solution, or a proof takes long. Of 24 boards of 20×20 and
	// 40×40 with 3 to 6, 21 are proved. If none is, there are fewer squares, down to leastSquares.
	leastSquares = 2
	manySquares  = 4
	mostSquares  = 6
	// leastLanes is the fewest lanes of a channel.
	leastLanes = 2
	// channelConflicts is the budget of a proof. Nearly all boards of 40×40 and 50×50 that are proved
	// take 4,000 to 14,000 conflicts.
	channelConflicts = 40_000
	// triedCells bounds how many boards are tried with each number of squares, by the cells that they
	// have together.
	triedCells = 10_000
	// channelCells is the fewest cells of a board that is made of channels, and cellsPerLongPipe how
	// many there are for each pipe wanted, at least: other boards come up otherwise.
	channelCells     = 300
	cellsPerLongPipe = 10
)

// wantsChannels reports whether a board with so many pipes, if any are wanted, is one for channels.
func (b Board) wantsChannels(pipes int) bool {
	return pipes > 0 && b.Cells() >= channelCells && b.Cells() >= pipes*cellsPerLongPipe
}

// channelled makes a puzzle of channels with at most so many pipes. It is nil when none came up.
func channelled(ctx context.Context, b Board, blank *Puzzle, pipes int, random *rand.Rand) (*Puzzle, error) {
	for squares := manySquares + random.IntN(mostSquares-manySquares+1); squares >= leastSquares; squares-- {
		for range max(1, triedCells/b.Cells()) {
			c := newChannels(b.Size, squares, random)
			if c == nil || len(c.pipes) > pipes {
				continue
			}
			c.cut(pipes, random)
			random.Shuffle(len(c.pipes), func(i, j int) { c.pipes[i], c.pipes[j] = c.pipes[j], c.pipes[i] }) // lanes would have letters in order
			p, err := coverOf(blank, c.pipes).soleAfter(ctx, b, channelConflicts)
			if p != nil || err != nil {
				return p, err
			}
		}
	}
	return nil, nil
}

// newChannels draws channels with so many squares at the shorter side. It is nil if they would have too
// few lanes.
func newChannels(size board.Size, squares int, random *rand.Rand) *channels {
	lanes := (min(size.Rows, size.Cols)+1)/squares - 1
	if lanes < leastLanes {
		return nil
	}
	c := &channels{
		size: size, lanes: lanes, rows: (size.Rows + 1) / (lanes + 1), cols: (size.Cols + 1) / (lanes + 1),
		upward: random.IntN(2) == 0, leftward: random.IntN(2) == 0, used: make([]bool, size.Cells()),
	}
	c.addLanes(random)
	c.addStrips()
	c.addWalls()
	return c
}

// at is the cell of a row and a column, or board.None.
func (c *channels) at(row, col int) board.Cell {
	if c.upward {
		row = c.size.Rows - 1 - row
	}
	if c.leftward {
		col = c.size.Cols - 1 - col
	}
	return c.size.At(row, col)
}

// add makes a pipe of cells.
func (c *channels) add(pipe []board.Cell) {
	for _, cell := range pipe {
		c.used[cell] = true
	}
	c.pipes = append(c.pipes, pipe)
}

// spot is a square, or a step from one to another, by rows and columns.
type spot struct{ row, col int }

func (s spot) plus(t spot) spot  { return spot{s.row + t.row, s.col + t.col} }
func (s spot) minus(t spot) spot { return spot{s.row - t.row, s.col - t.col} }
func (s spot) times(n int) spot  { return spot{s.row * n, s.col * n} }

// left is the step to the left of a step.
func (s spot) left() spot { return spot{-s.col, s.row} }

// addLanes makes the channel, along a random path through all squares, of which there are at least two.
func (c *channels) addLanes(random *rand.Rand) {
	squares := board.Size{Rows: c.rows, Cols: c.cols}
	var route []spot
	for _, square := range squares.Tour(random) {
		route = append(route, spot{squares.Row(square), squares.Col(square)})
	}
	lanes := make([][]board.Cell, c.lanes)
	from := route[1].minus(route[0])
	for i, square := range route {
		to := from
		if i+1 < len(route) {
			to = route[i+1].minus(square)
		}
		for lane := range lanes {
			way := c.across(square, from, to, lane)
			if i+1 < len(route) {
				way = append(way, way[len(way)-1].plus(to)) // over the line
			}
			for _, s := range way {
				lanes[lane] = append(lanes[lane], c.at(s.row, s.col))
			}
		}
		from = to
	}
	for _, lane := range lanes {
		c.add(lane)
	}
}

// across is the way of a lane, counted from the left, over a square into which the channel comes by
// one step and leaves it by another.
func (c *channels) across(square, from, to spot, lane int) []spot {
	ahead, aside := c.lanes, 0 // how many cells before it turns, and after
	switch to {
	case from:
	case from.left():
		ahead, aside = lane+1, lane
	default:
		ahead, aside = c.lanes-lane, c.lanes-1-lane
	}
	// The channel comes in at the side of the first row or column, or of the last one if it leads up
	// or left; and so with its lanes, which lie one to the right of the other.
	right := spot{}.minus(from.left())
	at := spot{square.row * (c.lanes + 1), square.col * (c.lanes + 1)}
	for _, step := range []spot{from, right} {
		if step.row+step.col < 0 {
			at = at.minus(step.times(c.lanes - 1))
		}
	}
	at = at.plus(right.times(lane))
	way := []spot{at}
	for i := 1; i < ahead+aside; i++ {
		if i < ahead {
			at = at.plus(from)
		} else {
			at = at.plus(to)
		}
		way = append(way, at)
	}
	return way
}

// covered is how many rows and columns the squares and the lines between them cover.
func (c *channels) covered() (rows, cols int) {
	return c.rows*(c.lanes+1) - 1, c.cols*(c.lanes+1) - 1
}

// addStrips makes pipes of the rows and columns that are left over, one after the other around a corner.
func (c *channels) addStrips() {
	rows, cols := c.covered()
	for rows < c.size.Rows || cols < c.size.Cols {
		row, col := rows, cols
		rows, cols = min(rows+1, c.size.Rows), min(cols+1, c.size.Cols)
		var pipe []board.Cell
		if row < rows {
			for i := range cols {
				pipe = append(pipe, c.at(row, i))
			}
		}
		if col < cols {
			for i := row - 1; i >= 0; i-- {
				pipe = append(pipe, c.at(i, col))
			}
		}
		c.add(pipe)
	}
}

// addWalls makes pipes of the walls: of each tree the longest way from the rim, and likewise of what
// that leaves.
func (c *channels) addWalls() {
	var cover func(from board.Cell)
	cover = func(from board.Cell) {
		way := c.longest(from, board.None)
		c.add(way)
		for _, cell := range way {
			for _, n := range c.open(cell) {
				cover(n)
			}
		}
	}
	rows, cols := c.covered()
	for row := range rows {
		for col := range cols {
			cell := c.at(row, col)
			if rim := row == 0 || col == 0 || row == rows-1 || col == cols-1; rim && !c.used[cell] {
				cover(cell)
			}
		}
	}
}

// longest is the longest way in a tree of cells that are not used, from one of them to a leaf, its
// end first. It does not begin with a step back to another.
func (c *channels) longest(from, back board.Cell) []board.Cell {
	var best []board.Cell
	for _, n := range c.open(from) {
		if n != back {
			if way := c.longest(n, from); len(way) > len(best) {
				best = way
			}
		}
	}
	return append(best, from)
}

// open are the cells beside one that are not used.
func (c *channels) open(cell board.Cell) []board.Cell {
	return slices.DeleteFunc(c.size.Neighbours(cell), func(n board.Cell) bool { return c.used[n] })
}

// cut cuts pipes, inside the board, until there are so many, or no more can be cut.
func (c *channels) cut(pipes int, random *rand.Rand) {
	owner := make([]int, c.size.Cells())
	for i, pipe := range c.pipes {
		for _, cell := range pipe {
			owner[cell] = i
		}
	}
	for _, cell := range random.Perm(len(owner)) {
		if len(c.pipes) >= pipes {
			return
		}
		i := owner[cell]
		pipe := c.pipes[i]
		at := slices.Index(pipe, board.Cell(cell))
		if at < leastPipe || len(pipe)-at < leastPipe || c.size.OnRim(pipe[at-1]) || c.size.OnRim(pipe[at]) {
			continue
		}
		c.pipes[i] = pipe[:at:at]
		for _, cell := range pipe[at:] {
			owner[cell] = len(c.pipes)
		}
		c.pipes = append(c.pipes, pipe[at:])
	}
}

// coverOf is a cover by pipes of a board without bridges.
func coverOf(blank *Puzzle, pipes [][]board.Cell) *cover {
	c := &cover{cells: blank.size.Cells(), pipes: pipes}
	c.findPlaces(blank)
	c.compact()
	return c
}

// soleAfter is the puzzle of the pipes if they are proved its only solution within a budget of
// conflicts, and nil otherwise.
func (c *cover) soleAfter(ctx context.Context, b Board, conflicts int64) (*Puzzle, error) {
	p, err := c.puzzle(b)
	if err != nil {
		return nil, err
	}
	sole := true
	r := finder{Puzzle: p, yield: func(*Solution) bool {
		sole = false
		return false
	}}
	ended, err := within(ctx, conflicts, func(ctx context.Context) error { return r.rest(ctx, newSolution(p, c.paths()), false) })
	if !ended || !sole || err != nil {
		return nil, err
	}
	return p, nil
}
