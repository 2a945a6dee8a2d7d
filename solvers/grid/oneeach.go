package grid

import (
	"context"
	"math/bits"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine"
	"tapwise/solvers/engine/csp"
)

// OneEach is a puzzle whose solutions are cells, exactly one of each unit, and no two of
// some pairs: units are rows, columns, regions.
type OneEach struct {
	Cells int
	Units [][]int // by kind of unit, and by cell: the number of the cell's unit; each kind has as many units
	// Apart reports whether two cells of different units must not both be chosen.
	Apart func(a, b board.Cell) bool
}

// members are the cells of each unit of each kind, and all pairs that are apart.
func (o OneEach) members() (units [][]board.Cell, apart [][2]board.Cell) {
	for _, kind := range o.Units {
		first := len(units)
		for c, u := range kind {
			for first+u >= len(units) {
				units = append(units, nil)
			}
			units[first+u] = append(units[first+u], board.Cell(c))
		}
	}
	for b := range board.Cell(o.Cells) {
		for a := range b {
			if o.Apart(a, b) {
				apart = append(apart, [2]board.Cell{a, b})
			}
		}
	}
	return units, apart
}

// Enumerate lists the solutions, each made of its cells.
func (o OneEach) Enumerate(ctx context.Context, options solvers.EnumerateOptions, solution func(chosen []board.Cell) solvers.Solution, yield func(solvers.Solution) bool) (solvers.Stats, error) {
	m := csp.NewModel(csp.Config{})
	at := m.NewBoolVars(o.Cells)
	units, apart := o.members()
	for _, cells := range units {
		var literals []csp.BoolVar
		for _, c := range cells {
			literals = append(literals, at[c])
		}
		m.AddExactlyOne(literals...)
	}
	for _, pair := range apart {
		m.AddAtMostOne(at[pair[0]], at[pair[1]])
	}
	return engine.Enumerate(ctx, options, m, at, func() solvers.Solution {
		var chosen []board.Cell
		for c, literal := range at {
			if m.Value(literal) {
				chosen = append(chosen, board.Cell(c))
			}
		}
		return solution(chosen)
	}, yield)
}

// The kinds of deduction, the easiest first.
const (
	single = 1 + iota // a unit has one cell left
	starve            // a choice would leave a unit none
	crowd             // some units of one kind fill as many of another
	search            // none of these
)

// mostCrowded is the most units that are looked at together: people see no more.
const mostCrowded = 3

// Effort is the deepest kind of deduction that a puzzle with one solution needs: 1 a unit
// with one cell left, 2 a cell that would leave a unit none, 3 two or three units that
// fill as many of another kind, 4 a search; and up to 1 more, by how often it is needed.
func (o OneEach) Effort(ctx context.Context) (float64, error) {
	units, _ := o.members()
	d := deduction{OneEach: o, of: units, side: len(units) / len(o.Units), open: make([]bool, o.Cells), done: make([]bool, len(units))}
	for c := range d.open {
		d.open[c] = true
	}
	deepest, times := single, 0.0
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		kind := d.step()
		switch {
		case kind == 0:
			return float64(deepest) + times/(times+float64(d.side)), nil
		case kind == search:
			return search, nil
		case kind > deepest:
			deepest, times = kind, 1
		case kind == deepest:
			times++
		}
	}
}

// deduction is a puzzle of which some cells can still be chosen.
type deduction struct {
	OneEach
	of   [][]board.Cell // the units' cells, kind by kind
	side int            // units of a kind
	open []bool         // by cell: it can be chosen
	done []bool         // by unit: its cell is chosen
}

// step makes one deduction of the easiest kind there is; 0 when all is done.
func (d *deduction) step() int {
	left := 0
	for u, cells := range d.of {
		if d.done[u] {
			continue
		}
		left++
		if open := d.left(cells); len(open) == 1 {
			d.choose(open[0])
			return single
		}
	}
	if left == 0 {
		return 0
	}
	for c, open := range d.open {
		if open && d.starves(board.Cell(c)) {
			d.open[c] = false
			return starve
		}
	}
	for a := range d.Units {
		for b := range d.Units {
			if a != b && d.crowds(a, b, 0, 0, 0) {
				return crowd
			}
		}
	}
	return search
}

// left are the cells that can still be chosen.
func (d *deduction) left(cells []board.Cell) (open []board.Cell) {
	for _, c := range cells {
		if d.open[c] {
			open = append(open, c)
		}
	}
	return open
}

// excludes reports whether one cell's choice forbids another's.
func (d *deduction) excludes(a, b board.Cell) bool {
	for _, kind := range d.Units {
		if kind[a] == kind[b] {
			return true
		}
	}
	return d.Apart(a, b)
}

func (d *deduction) choose(at board.Cell) {
	for c := range d.open {
		d.open[c] = d.open[c] && !d.excludes(at, board.Cell(c))
	}
	for kind, units := range d.Units {
		d.done[kind*d.side+units[at]] = true
	}
}

// starves reports whether a choice would leave some unit without a cell.
func (d *deduction) starves(at board.Cell) bool {
	for u, cells := range d.of {
		if d.done[u] || d.Units[u/d.side][at] == u%d.side {
			continue
		}
		stays := false
		for _, c := range d.left(cells) {
			stays = stays || !d.excludes(at, c)
		}
		if !stays {
			return true
		}
	}
	return false
}

// crowds looks for some units of kind a, from a number on, whose cells lie in as many
// units of kind b, and closes the others' cells there. Chosen and covered are sets of
// units, a bit each.
func (d *deduction) crowds(a, b, from int, chosen, covered uint64) bool {
	n := bits.OnesCount64(chosen)
	if n > 1 && n == bits.OnesCount64(covered) {
		closed := false
		for c, open := range d.open {
			if open && covered>>d.Units[b][c]&1 == 1 && chosen>>d.Units[a][c]&1 == 0 {
				d.open[c], closed = false, true
			}
		}
		return closed
	}
	for u := from; u < d.side && n < mostCrowded; u++ {
		if d.done[a*d.side+u] {
			continue
		}
		cover := covered
		for _, c := range d.left(d.of[a*d.side+u]) {
			cover |= 1 << d.Units[b][c]
		}
		if bits.OnesCount64(cover) <= mostCrowded && d.crowds(a, b, u+1, chosen|1<<u, cover) {
			return true
		}
	}
	return false
}
