package adrift

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Generate makes a puzzle. Rows is the number of rows of a face, 5 when it is 0; Cols is the
// same or 0. Colours is the number of colours, the number of a face's rows when it is 0.
// Variant is "stones-N" for at most N stones, and it is an error if no such puzzle is found;
// without it there are few stones for the number of colours.
func (Game) Generate(ctx context.Context, o solvers.GenerateOptions, random *rand.Rand) (solvers.Puzzle, error) {
	side := cmp.Or(o.Rows, o.Cols, 5)
	if o.Cols != 0 && o.Cols != side {
		return nil, fmt.Errorf("adrift: %d rows and %d columns wanted, expected one number, those of a face", o.Rows, o.Cols)
	}
	if side < MinSide || side > MaxSide {
		return nil, fmt.Errorf("adrift: faces of %d rows wanted, expected %d to %d", side, MinSide, MaxSide)
	}
	k := cube{side}
	colours := cmp.Or(o.Colours, side)
	if most := min(MostColours, k.cells()/2); colours < 1 || colours > most {
		return nil, fmt.Errorf("adrift: %d colours wanted, expected 1 to %d on faces of %d rows", colours, most, side)
	}
	stones, bound := k.cells()/10, false
	if o.Variant != "" {
		number, ok := strings.CutPrefix(o.Variant, "stones-")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n < 0 {
			return nil, fmt.Errorf("adrift: variant %q, expected stones-N for at most N stones", o.Variant)
		}
		stones, bound = n, true
	}
	for range mostDraws {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := newDraft(k, colours, random)
		d.improve(stones)
		if bound && d.stones() > stones {
			continue
		}
		p, ok, err := d.settle(ctx, o.Unique)
		if err != nil {
			return nil, err
		}
		if ok && (!bound || d.stones() <= stones) {
			return p, nil
		}
	}
	return nil, fmt.Errorf("adrift: no puzzle of %d colours with at most %d stones found on faces of %d rows in %d draws", colours, stones, side, mostDraws)
}

const (
	mostDraws   = 1000 // of chains, until one can be used
	mostRepairs = 10   // of chains that are not the only way to join their ends
)

// draft is chains that keep the rules and need not cover every cell.
type draft struct {
	cube
	near   [][]board.Cell // by cell: its neighbours
	colour []int          // by cell: a colour or free
	chains [][]board.Cell // by colour, from tip to tip
	random *rand.Rand
}

// newDraft lets a chain of each colour grow from a cell of its own.
func newDraft(k cube, colours int, random *rand.Rand) *draft {
	d := &draft{cube: k, near: make([][]board.Cell, k.cells()), colour: slices.Repeat([]int{free}, k.cells()), random: random}
	for c := range d.near {
		d.near[c] = k.neighbours(board.Cell(c))
	}
	for i, c := range random.Perm(k.cells())[:colours] {
		d.colour[c] = i
		d.chains = append(d.chains, []board.Cell{board.Cell(c)})
	}
	d.grow()
	return d
}

// grow lengthens chains at their tips until none can grow any more. A cell with
// few free neighbours goes first: it would soon be out of reach.
func (d *draft) grow() {
	type step struct {
		chain int
		first bool // before the first cell, otherwise after the last
		to    board.Cell
	}
	var steps []step
	for {
		steps = steps[:0]
		fewest := len(d.colour)
		for i, chain := range d.chains {
			for _, first := range []bool{true, false} {
				tip := chain[len(chain)-1]
				if first {
					tip = chain[0]
				}
				for _, to := range d.near[tip] {
					if d.colour[to] != free || d.count(to, i) != 1 {
						continue
					}
					left := d.count(to, free)
					if left < fewest {
						fewest = left
						steps = steps[:0]
					}
					if left == fewest {
						steps = append(steps, step{i, first, to})
					}
				}
			}
		}
		if len(steps) == 0 {
			return
		}
		s := steps[d.random.IntN(len(steps))]
		d.colour[s.to] = s.chain
		if s.first {
			d.chains[s.chain] = slices.Insert(d.chains[s.chain], 0, s.to)
		} else {
			d.chains[s.chain] = append(d.chains[s.chain], s.to)
		}
	}
}

// count is the number of a cell's neighbours with a colour.
func (d *draft) count(c board.Cell, colour int) int {
	n := 0
	for _, near := range d.near[c] {
		if d.colour[near] == colour {
			n++
		}
	}
	return n
}

// stones is the number of cells that no chain covers.
func (d *draft) stones() int {
	n := 0
	for _, k := range d.colour {
		if k == free {
			n++
		}
	}
	return n
}

// hasShort reports whether a chain has fewer cells than a number.
func (d *draft) hasShort(cells int) bool {
	return slices.ContainsFunc(d.chains, func(chain []board.Cell) bool { return len(chain) < cells })
}

// faults counts what improve reduces: cells without a chain, and chains that are
// too short to be of interest (two cells) or to have two ends (one cell).
func (d *draft) faults() int {
	n := d.stones()
	for _, chain := range d.chains {
		switch len(chain) {
		case 1:
			n += d.cells()
		case 2:
			n++
		}
	}
	return n
}

// clone is a copy to be changed.
func (d *draft) clone() *draft {
	e := *d
	e.colour = slices.Clone(d.colour)
	e.chains = make([][]board.Cell, len(d.chains))
	for i, chain := range d.chains {
		e.chains[i] = slices.Clone(chain)
	}
	return &e
}

// cut removes a cell and all cells on one side of it from its chain, and lets the
// chains grow again. It does nothing to a chain of one cell.
func (d *draft) cut(c board.Cell) {
	chain := d.chains[d.colour[c]]
	if len(chain) == 1 {
		return
	}
	i := slices.Index(chain, c)
	keep, off := chain[:i], chain[i:]
	if i == 0 || i < len(chain)-1 && d.random.IntN(2) == 0 {
		keep, off = chain[i+1:], chain[:i+1]
	}
	d.chains[d.colour[c]] = slices.Clone(keep)
	for _, c := range off {
		d.colour[c] = free
	}
	d.grow()
}

// improve draws tails of chains anew until there are at most as many faults as
// given: beside cells that no chain covers, and beside chains that are too short.
// It undoes what leaves more faults.
func (d *draft) improve(faults int) {
	now := d.faults()
	for range d.cells() {
		if now <= faults && !d.hasShort(2) {
			return
		}
		var places []board.Cell // beside the faults
		for c, k := range d.colour {
			if k == free || len(d.chains[k]) < 3 {
				for _, near := range d.near[c] {
					if d.colour[near] != free {
						places = append(places, near)
					}
				}
			}
		}
		if len(places) == 0 {
			return
		}
		e := d.clone()
		e.cut(places[d.random.IntN(len(places))])
		if after := e.faults(); after <= now {
			*d, now = *e, after
		}
	}
}

// puzzle has the tips of the chains as ends, and stones where no chain is.
func (d *draft) puzzle() (*Puzzle, error) {
	b := Board{Side: d.side}
	for c, k := range d.colour {
		if k == free {
			b.Stones = append(b.Stones, board.Cell(c))
		}
	}
	for _, chain := range d.chains {
		b.Ends = append(b.Ends, [2]board.Cell{min(chain[0], chain[len(chain)-1]), max(chain[0], chain[len(chain)-1])})
	}
	// As they are found in the notation.
	slices.SortFunc(b.Ends, func(x, y [2]board.Cell) int { return cmp.Compare(x[0], y[0]) })
	return New(b)
}

// settle makes the draft's puzzle. If it is to be unique and has another
// solution, the tail of a chain is drawn anew where the two differ, a few times.
func (d *draft) settle(ctx context.Context, unique bool) (p *Puzzle, ok bool, err error) {
	for range mostRepairs {
		if d.hasShort(2) {
			return nil, false, nil
		}
		if p, err = d.puzzle(); err != nil || !unique {
			return p, err == nil, err
		}
		// The puzzle numbers the colours differently.
		var differs []board.Cell
		if _, err := p.enumerate(ctx, solvers.EnumerateOptions{}, func(s *Solution) bool {
			for c, k := range s.colour {
				if k >= 0 && d.colour[c] != d.colour[p.ends[k][0]] {
					differs = append(differs, board.Cell(c))
				}
			}
			return len(differs) == 0
		}); err != nil {
			return nil, false, err
		}
		if len(differs) == 0 {
			return p, true, nil
		}
		d.cut(differs[d.random.IntN(len(differs))])
	}
	return nil, false, nil
}
