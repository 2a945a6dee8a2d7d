package flow

import (
	"math"
	"math/rand/v2"
	"slices"

	"tapwise/solvers/board"
)

// How thin makes few pipes of many, by simulated annealing: joining alone comes to
// rest at a pipe for about every 55 cells, on boards of any size, because the pipes
// lie in each other's way. To cut one now and then sets them free.
const (
	// stepsPerPlace is the most steps for each place. A board of 100×100 has a pipe
	// for every 100 cells after about 300, one of 50×50 a pipe for every 75 after 200.
	stepsPerPlace = 600
	// firstCutting and lastCutting are the shares of the steps that cut a pipe, at the
	// beginning and at the end. From 0.01 a board of 100×100 ends with 113 pipes
	// where from 0.03 it ends with 95; from 0.1 it takes longer to cool.
	firstCutting = 0.03
	lastCutting  = 0.001
	// stepsPerShare is the number of steps between two changes of that share.
	stepsPerShare = 1024
)

// thin makes the pipes fewer and longer until there are no more than wanted, and
// none too short, or it gives up. The end of a pipe takes a neighbouring cell and a
// piece of that cell's pipe; the end that is left moves on, and is joined to the
// first end that it comes to lie beside. Never does a pipe run beside itself for it,
// except on a winding board.
func (c *cover) thin(pipes int, random *rand.Rand) {
	c.compact()
	steps := stepsPerPlace * len(c.around)
	cutting := 0.0
	for n := range steps {
		if n%stepsPerShare == 0 {
			if len(c.pipes) <= pipes && !slices.ContainsFunc(c.pipes, tooShort) {
				return
			}
			done := float64(n) / float64(steps)
			cutting = math.Exp(math.Log(firstCutting)*(1-done) + math.Log(lastCutting)*done)
		}
		switch few := len(c.pipes) <= pipes; {
		case !few && random.Float64() < cutting:
			c.cutAnywhere(random)
		case !few:
			c.move(random.IntN(len(c.pipes)), random)
		default:
			c.moveShort(random)
		}
	}
}

// tooShort reports whether a pipe has too few cells to draw.
func tooShort(pipe []board.Cell) bool { return len(pipe) < leastPipe }

// moveShort moves an end of a pipe that is too short, if there is one.
func (c *cover) moveShort(random *rand.Rand) {
	if i := slices.IndexFunc(c.pipes, tooShort); i >= 0 {
		c.move(i, random)
	}
}

// cutAnywhere cuts a pipe in two, unless at a bridge.
func (c *cover) cutAnywhere(random *rand.Rand) {
	i := c.owner[random.IntN(len(c.owner))]
	if pipe := c.pipes[i]; len(pipe) > 1 {
		if at := 1 + random.IntN(len(pipe)-1); c.mayCut(pipe, at) {
			c.pipes[i] = pipe[:at:at]
			c.pipes = append(c.pipes, nil)
			c.give(pipe[at:], len(c.pipes)-1)
		}
	}
}

// mayCut reports whether a pipe may be cut before its cell at: no pipe ends on a
// bridge.
func (c *cover) mayCut(pipe []board.Cell, at int) bool {
	return c.bridge[pipe[at-1]] == board.None && c.bridge[pipe[at]] == board.None
}

// give appends cells to a pipe.
func (c *cover) give(cells []board.Cell, pipe int) {
	for _, cell := range cells {
		c.owner[cell] = pipe
	}
	c.pipes[pipe] = append(c.pipes[pipe], cells...)
}

// drop removes a pipe whose cells another has, and gives its number to the last.
func (c *cover) drop(pipe int) {
	last := len(c.pipes) - 1
	moved := c.pipes[last]
	c.pipes = c.pipes[:last]
	if pipe != last {
		c.pipes[pipe] = moved[:0:0]
		c.give(moved, pipe)
	}
}

// move has an end of a pipe take a neighbouring cell of another pipe, with the
// piece of that pipe on one side of the cell. The end that is left is then joined
// to an end beside it, if it can be. It reports whether the end could take that.
func (c *cover) move(i int, random *rand.Rand) bool {
	pipe := c.pipes[i]
	if random.IntN(2) == 0 {
		slices.Reverse(pipe)
	}
	a := pipe[len(pipe)-1]
	b := c.around[a][random.IntN(len(c.around[a]))]
	j := c.owner[b]
	if j == i {
		return false
	}
	other := c.pipes[j]
	at := slices.Index(other, b)
	if at > 0 && (at == len(other)-1 || random.IntN(2) == 0) {
		slices.Reverse(other)
		at = len(other) - 1 - at
	}
	if at > 0 && !c.mayCut(other, at) || !c.apart(other[at:], i, a) {
		return false
	}
	c.give(other[at:], i)
	if at == 0 {
		c.drop(j)
		return true
	}
	c.pipes[j] = other[:at:at]
	c.joinEnd(j)
	return true
}

// joinEnd joins the last cell of a pipe to an end of another pipe beside it, if it
// can.
func (c *cover) joinEnd(i int) {
	a := c.pipes[i][len(c.pipes[i])-1]
	for _, b := range c.around[a] {
		j := c.owner[b]
		if j == i {
			continue
		}
		other := c.pipes[j]
		if other[0] != b {
			if other[len(other)-1] != b {
				continue
			}
			slices.Reverse(other)
		}
		if c.apart(other, i, a) {
			c.give(other, i)
			c.drop(j)
			return
		}
	}
}

// apart reports whether a piece may be joined to the end a of a pipe by its first
// cell: it touches that pipe nowhere else, or the board is winding.
func (c *cover) apart(piece []board.Cell, pipe int, a board.Cell) bool {
	if c.winding {
		return true
	}
	for k, cell := range piece {
		for _, n := range c.around[cell] {
			if c.owner[n] == pipe && (k > 0 || n != a) {
				return false
			}
		}
	}
	return true
}
