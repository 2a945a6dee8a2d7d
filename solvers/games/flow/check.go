package flow

import (
	"tapwise/solvers"
	"tapwise/solvers/board"
)

// Check tests the rules of the package comment. The error is a *solvers.RuleError. Check finds
// neighbours with independent code, so that a mistake in the solver cannot hide.
func (s *Solution) Check() error {
	paths := s.paths
	if paths == nil {
		var err error
		if paths, err = s.trace(); err != nil {
			return err
		}
	}
	p := s.puzzle
	if len(paths) != len(p.ends) {
		return solvers.Broken("ends", "%s for %s", board.Count(len(paths), "path"), board.Count(len(p.ends), "pipe"))
	}
	w := walk{Puzzle: p, user: make([]int, p.size.Cells()), crossed: make([][2]bool, p.size.Cells())}
	for i, path := range paths {
		if err := w.checkEnds(i, path); err != nil {
			return err
		}
		for k := range path {
			if err := w.enter(i, path, k); err != nil {
				return err
			}
		}
	}
	if p.covering {
		if err := w.checkCover(); err != nil {
			return err
		}
	}
	if p.tidy {
		for i, path := range paths {
			if err := w.checkTidy(i, path); err != nil {
				return err
			}
		}
	}
	return nil
}

// A place is a plain cell, or a bridge along an axis.
type place struct {
	cell board.Cell
	axis int
}

// checkTidy tests that no way between the ends of a pipe is shorter that goes over cells of its
// own and unused ones. It goes from the one end in all directions at once.
func (w *walk) checkTidy(i int, path []board.Cell) error {
	own := map[place]bool{}
	at := func(from, c board.Cell) place {
		if w.kind[c] == bridge {
			return place{c, w.axis(from, c)}
		}
		return place{cell: c}
	}
	for k, c := range path {
		own[at(path[max(0, k-1)], c)] = true
	}
	free := func(p place) bool {
		switch {
		case own[p]:
			return true
		case w.kind[p.cell] == bridge:
			return !w.crossed[p.cell][p.axis]
		}
		return w.kind[p.cell] == plain && w.user[p.cell] == 0 && w.pipe[p.cell] < 0
	}
	goal := path[len(path)-1]
	seen := map[place]bool{{cell: path[0]}: true}
	reached := []place{{cell: path[0]}}
	for steps := 1; len(reached) > 0; steps++ {
		var next []place
		for _, from := range reached {
			for _, c := range w.around(from.cell) {
				to := at(from.cell, c)
				if w.kind[from.cell] == bridge && w.axis(from.cell, c) != from.axis || seen[to] || !free(to) {
					continue
				}
				if c == goal && steps < len(path)-1 {
					return solvers.Broken("tidy", "pipe %s takes %s from %s to %s, expected %d", w.labels[i], board.Count(len(path)-1, "step"),
						w.size.Name(path[0]), w.size.Name(goal), steps)
				}
				seen[to] = true
				next = append(next, to)
			}
		}
		reached = next
	}
	return nil
}

// walk goes along the paths of a solution, one after the other.
type walk struct {
	*Puzzle
	user    []int     // by plain cell: the pipe that uses it, from 1
	crossed [][2]bool // by bridge: whether it is crossed along its row and its column
}

// checkEnds tests that a path leads from one end of its pipe to the other.
func (w *walk) checkEnds(i int, path []board.Cell) error {
	first, last := path[0], path[len(path)-1]
	if want := w.ends[i]; want != [2]board.Cell{first, last} && want != [2]board.Cell{last, first} {
		return solvers.Broken("ends", "pipe %s leads from %s to %s, expected from %s to %s", w.labels[i],
			w.size.Name(first), w.size.Name(last), w.size.Name(want[0]), w.size.Name(want[1]))
	}
	return nil
}

// enter tests the step to the k-th cell of a path, and what is there.
func (w *walk) enter(i int, path []board.Cell, k int) error {
	c := path[k]
	switch {
	case w.kind[c] == hole:
		return solvers.Broken("steps", "pipe %s goes through the hole at %s", w.labels[i], w.size.Name(c))
	case k > 0 && !w.steps(path[k-1], c):
		return solvers.Broken("steps", "pipe %s cannot step from %s to %s", w.labels[i], w.size.Name(path[k-1]), w.size.Name(c))
	case w.kind[c] == bridge:
		return w.cross(i, path, k)
	}
	if other := w.user[c]; other != 0 {
		return solvers.Broken("once", "%s is used by %s and by %s", w.size.Name(c), w.labels[other-1], w.labels[i])
	}
	w.user[c] = i + 1
	if e := w.pipe[c]; e >= 0 && (e != i || k > 0 && k < len(path)-1) {
		return solvers.Broken("ends", "pipe %s runs over the end of %s at %s", w.labels[i], w.labels[e], w.size.Name(c))
	}
	return nil
}

// cross tests that a path goes straight over the bridge that is its k-th cell.
func (w *walk) cross(i int, path []board.Cell, k int) error {
	c := path[k]
	if k == 0 || k == len(path)-1 {
		return solvers.Broken("straight", "pipe %s ends on the bridge at %s", w.labels[i], w.size.Name(c))
	}
	axis := w.axis(path[k-1], c)
	if axis != w.axis(c, path[k+1]) || path[k-1] == path[k+1] {
		return solvers.Broken("straight", "pipe %s turns on the bridge at %s", w.labels[i], w.size.Name(c))
	}
	// The cells on both sides show it when two pipes cross the same way.
	w.crossed[c][axis] = true
	return nil
}

// checkCover tests that every cell is used.
func (w *walk) checkCover() error {
	for c := range w.user {
		switch {
		case w.kind[c] == plain && w.user[c] == 0:
			return solvers.Broken("cover", "no pipe covers %s", w.size.Name(board.Cell(c)))
		case w.kind[c] == bridge && (!w.crossed[c][0] || !w.crossed[c][1]):
			return solvers.Broken("cover", "the bridge at %s is not crossed in both directions", w.size.Name(board.Cell(c)))
		}
	}
	return nil
}

// around are the cells that a pipe may step to from a cell.
func (p *Puzzle) around(c board.Cell) []board.Cell {
	var cells []board.Cell
	row, col := p.size.Row(c), p.size.Col(c)
	for r := range p.size.Rows {
		if distance(r, row) > 1 && r > 0 && r < p.size.Rows-1 {
			continue
		}
		for k := range p.size.Cols {
			if n := p.size.At(r, k); (distance(k, col) <= 1 || k == 0 || k == p.size.Cols-1) && p.steps(c, n) {
				cells = append(cells, n)
			}
		}
	}
	return cells
}

// steps reports whether a pipe may step between two cells.
func (p *Puzzle) steps(a, b board.Cell) bool {
	if p.wall[board.EdgeOf(a, b)] {
		return false
	}
	ar, ac := p.size.Row(a), p.size.Col(a)
	br, bc := p.size.Row(b), p.size.Col(b)
	dr, dc := distance(ar, br), distance(ac, bc)
	switch p.topology {
	case Hex:
		if dc == 0 {
			return dr == 1
		}
		// Half cells from the top: neighbours in the next column lie one off.
		return dc == 1 && distance(2*ar+1-ac%2, 2*br+1-bc%2) == 1
	case Warp:
		if dr == p.size.Rows-1 && dr > 1 {
			dr = 1
		}
		if dc == p.size.Cols-1 && dc > 1 {
			dc = 1
		}
	}
	return dr+dc == 1
}

// axis is 0 for a step along a row, 1 for one along a column.
func (p *Puzzle) axis(a, b board.Cell) int {
	if p.size.Row(a) == p.size.Row(b) {
		return 0
	}
	return 1
}

func distance(a, b int) int {
	if a < b {
		return b - a
	}
	return a - b
}

// trace finds each pipe's path when only the cells' pipes are known: from its
// first end through all its cells to the other. There are several ways to draw a
// pipe that runs beside itself; any that keeps the rules will do.
func (s *Solution) trace() ([][]board.Cell, error) {
	p := s.puzzle
	t := tracer{s: s, used: make([]bool, p.size.Cells()), left: make([]int, len(p.ends)), steps: 1000 + 20*p.size.Cells()}
	for _, i := range s.pipe {
		if i >= 0 {
			t.left[i]++
		}
	}
	paths := make([][]board.Cell, len(p.ends))
	for i, pair := range p.ends {
		for _, c := range pair {
			if s.pipe[c] != i {
				return nil, solvers.Broken("ends", "%s is an end of %s and has another pipe's cell", p.size.Name(c), p.labels[i])
			}
		}
		t.path = nil
		if !t.extend(i, pair[0]) {
			if t.steps <= 0 {
				return nil, solvers.Broken("steps", "pipe %s is too tangled to be followed", p.labels[i])
			}
			return nil, solvers.Broken("steps", "the cells of %s do not form one pipe from %s to %s", p.labels[i], p.size.Name(pair[0]), p.size.Name(pair[1]))
		}
		paths[i] = t.path
	}
	return paths, nil
}

// tracer is the search of trace.
type tracer struct {
	s     *Solution
	used  []bool
	left  []int // by pipe: the number of its cells that are not on its path yet
	path  []board.Cell
	steps int // left before the search gives up
}

// extend continues pipe i at cell c, and reports whether it reached the other end
// with no cell left over.
func (t *tracer) extend(i int, c board.Cell) bool {
	p := t.s.puzzle
	t.steps--
	if t.steps <= 0 {
		return false
	}
	t.used[c] = true
	t.left[i]--
	length := len(t.path)
	t.path = append(t.path, c)
	if c == p.ends[i][1] {
		if t.left[i] == 0 {
			return true
		}
	} else {
		for _, leap := range t.leaps(i, c) {
			t.path = append(t.path, leap.over...)
			if t.extend(i, leap.to) {
				return true
			}
			t.path = t.path[:length+1]
		}
	}
	t.path = t.path[:length]
	t.left[i]++
	t.used[c] = false
	return false
}

// leap is a step of a pipe to a plain cell, straight over bridges where there are
// any.
type leap struct {
	over []board.Cell
	to   board.Cell
	ways int // the number of leaps from there
}

// leaps are the leaps from a cell, first those from which the fewest lead on: that
// is nearly always the right order.
func (t *tracer) leaps(i int, c board.Cell) []leap {
	var leaps []leap
	t.around(c, func(over []board.Cell, to board.Cell) {
		if t.s.pipe[to] != i || t.used[to] {
			return
		}
		l := leap{over: over, to: to}
		t.around(to, func(_ []board.Cell, next board.Cell) {
			if t.s.pipe[next] == i && !t.used[next] {
				l.ways++
			}
		})
		k := len(leaps)
		leaps = append(leaps, l)
		for ; k > 0 && leaps[k-1].ways > l.ways; k-- {
			leaps[k], leaps[k-1] = leaps[k-1], leaps[k]
		}
	})
	return leaps
}

// around calls visit with each plain cell that a pipe can reach from c, and
// the bridges that it crosses on the way.
func (t *tracer) around(c board.Cell, visit func(over []board.Cell, to board.Cell)) {
	p := t.s.puzzle
	row, col := p.size.Row(c), p.size.Col(c)
	for dr := -1; dr <= 1; dr++ {
		for dc := -1; dc <= 1; dc++ {
			var over []board.Cell
			from, r, k := c, row, col
			for range p.size.Rows + p.size.Cols {
				r, k = r+dr, k+dc
				if p.topology == Warp {
					r, k = (r+p.size.Rows)%p.size.Rows, (k+p.size.Cols)%p.size.Cols
				}
				to := p.size.At(r, k)
				if to == board.None || p.kind[to] == hole || !p.steps(from, to) {
					break
				}
				if p.kind[to] == plain {
					visit(over, to)
					break
				}
				over = append(over, to)
				from = to
			}
		}
	}
}
