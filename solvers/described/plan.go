package described

import (
	"fmt"
	"image"
	"image/color"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	squares "tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// nothing is what an empty cell holds.
const nothing = '.'

// noCell is the note of a tap that only chooses a cell on which nothing is played.
const noCell = "no cell"

// played is how far a level is played: what each cell of the layer of cells holds, and which
// lines of the layer of lines are drawn.
type played struct {
	cells []rune
	sides []int
	// hidden are those along a side of the board that is thick from end to end, as rims are: whether a
	// line is on one of them is not seen.
	hidden []int
	// bare are the cells on white, where others are not: no part that was drawn has them, even if
	// walls of others are around it.
	bare []bool
}

// rune is how a value is played; nothing for a mark that is not there.
func (l *layer) rune(v int) rune {
	switch {
	case l.kind == numbersLayer:
		return rune('0' + v)
	case l.kind == marksLayer && v == 0:
		return nothing
	}
	return l.marks[v]
}

// valueOf is what a played character stands for, -1 for none.
func (l *layer) valueOf(r rune) int {
	switch {
	case l.kind == numbersLayer:
		if v := int(r - '0'); v >= l.lo && v <= l.hi {
			return v
		}
		return -1
	case l.kind == marksLayer:
		return max(slices.Index(l.marks, r), 0)
	}
	return slices.Index(l.marks, r)
}

// given is what a clue already says of the layer of cells: nothing, or its character; fixed
// says that the cell cannot be played.
func (p *Puzzle) given(l *layer, c board.Cell) (r rune, fixed bool) {
	k := p.givens.clue[c]
	full := slices.ContainsFunc(p.game.notations[0].parts, func(e *encoding) bool { return e.full })
	switch {
	case k.kind == noClue || full || k == unknown && l.kind == numbersLayer || p.game.isGround(l):
		return nothing, false
	case l.kind == numbersLayer && k.kind == numberClue:
		return rune('0' + k.number), true
	case l.kind == symbolsLayer && len([]rune(k.name)) == 1 && slices.Contains(l.marks, []rune(k.name)[0]):
		return []rune(k.name)[0], true
	}
	return nothing, true
}

// isGround reports whether all that a layer of cells has is drawn as their ground, on which a clue is
// seen, too: whether a cell with a clue can have it is for the rules to say.
func (g *Game) isGround(l *layer) bool {
	for _, r := range l.marks {
		if f := g.look[string(r)]; r != nothing && (f == nil || !f.ground) {
			return false
		}
	}
	return len(l.marks) > 0
}

// isOfCells reports whether a layer is of cells, not of lines.
func (l *layer) isOfCells() bool { return l.kind < lineLayer }

// blank is a level on which nothing is played.
func (p *Puzzle) blank() played {
	on := played{cells: slices.Repeat([]rune{nothing}, p.givens.size.Cells())}
	for _, l := range p.game.layers {
		if !l.isOfCells() {
			on.sides = make([]int, l.variables(p.givens.size))
			continue
		}
		for c := range on.cells {
			on.cells[c], _ = p.given(l, board.Cell(c))
		}
	}
	return on
}

// done is the level as the solution has it.
func (s *Solution) done() played {
	on := s.puzzle.blank()
	for i, l := range s.puzzle.game.layers {
		values := s.values[s.puzzle.givens.layout.first[i]:][:l.variables(s.puzzle.givens.size)]
		if !l.isOfCells() {
			on.sides = values
			continue
		}
		for c, v := range values {
			on.cells[c] = l.rune(v)
		}
	}
	return on
}

// Plan is the touches that play the solution on an empty board.
func (s *Solution) Plan(l screen.Layout) []screen.Gesture { return s.from(s.puzzle.blank(), l) }

// from is the touches that lead from a level as it is played to the solution.
func (s *Solution) from(on played, at screen.Layout) (plan []screen.Gesture) {
	p, want := s.puzzle, s.done()
	if len(at.Centres) != len(on.cells) {
		return nil
	}
	for _, l := range p.game.layers {
		t := p.game.touchOf(l)
		switch t.kind {
		case byTaps, byKeys:
			if c := p.fixed(l); t.choose && c != board.None { // else the first cell may be chosen already
				plan = append(plan, squares.Touch(at, noCell, c)...)
			}
			for i := range on.cells {
				c := board.Cell(i)
				if _, fixed := p.given(l, c); !fixed && on.cells[i] != want.cells[i] {
					plan = append(plan, t.onCell(at, l, c, on.cells[i], want.cells[i], fmt.Sprintf("%c at %s", want.cells[i], p.givens.size.Name(c)))...)
				}
			}
		case byCorners:
			plan = append(plan, p.rectangles(l, on, want.sides, at)...)
		default:
			for _, drawn := range []int{1, 0} { // what is wrong is taken away first
				note := map[int]string{0: "line", 1: "no line"}[drawn]
				for _, trail := range trails(l.linksOf(p.givens.size), func(i int) bool { return on.sides[i] == drawn && want.sides[i] != drawn }) {
					g := screen.Gesture{On: at.On, Note: note}
					for _, node := range trail {
						g.Points = append(g.Points, nodeAt(at, l, p.givens.size, node))
					}
					plan = append(plan, g)
				}
			}
		}
	}
	return plan
}

// fixed is a cell that cannot be played, board.None where all can.
func (p *Puzzle) fixed(l *layer) board.Cell {
	for c := range board.Cell(p.givens.size.Cells()) {
		if _, fixed := p.given(l, c); fixed {
			return c
		}
	}
	return board.None
}

// onCell is the touches that make a cell hold something else.
func (t *touch) onCell(at screen.Layout, l *layer, c board.Cell, has, want rune, note string) (plan []screen.Gesture) {
	if t.kind == byKeys {
		i := slices.Index(t.cycle, want)
		if i < 0 {
			return nil
		}
		return append(squares.Touch(at, note, c), screen.Gesture{On: at.On, Points: []image.Point{t.keyAt(at, i)}, Note: note})
	}
	from, to := slices.Index(t.cycle, has), slices.Index(t.cycle, want)
	if to < 0 || want == nothing && !slices.Contains(l.marks, has) { // a note of the player's
		return nil
	}
	for range number(t.choose) + (to-max(from, 0)+len(t.cycle))%len(t.cycle) {
		plan = append(plan, squares.Touch(at, note, c)...)
	}
	return plan
}

// keyAt is the middle of a key below the board.
func (t *touch) keyAt(at screen.Layout, i int) image.Point {
	w := float64(at.Board.Dx()) / float64(len(t.cycle))
	return image.Pt(at.Board.Min.X+int((float64(i)+0.5)*w), at.Board.Max.Y+int(t.below*at.Pitch))
}

// side is one that may be drawn between two nodes.
type side struct{ i, a, b int }

// linksOf are the layer's sides. The nodes of lines through cells are the cells, those of all
// others the corners of cells.
func (l *layer) linksOf(s board.Size) (all []side) {
	seen := make([]bool, l.variables(s))
	for c := range board.Cell(s.Cells()) {
		for d := range ways {
			i := l.side(s, c, d)
			if i < 0 || seen[i] {
				continue
			}
			seen[i] = true
			k := side{i, int(c), int(s.Beside(c, board.Dir(d)))}
			if l.kind != lineLayer {
				corner := s.Row(c)*(s.Cols+1) + s.Col(c)
				below := corner + s.Cols + 1
				k.a, k.b = [4]int{corner, corner + 1, below, corner}[d], [4]int{corner + 1, below + 1, below + 1, below}[d]
			}
			all = append(all, k)
		}
	}
	return all
}

// nodeAt is where a node lies on the screen.
func nodeAt(at screen.Layout, l *layer, s board.Size, node int) image.Point {
	if l.kind == lineLayer {
		return at.Centres[node]
	}
	row, col := node/(s.Cols+1), node%(s.Cols+1)
	dx, dy := float64(at.Board.Dx())/float64(s.Cols), float64(at.Board.Dy())/float64(s.Rows)
	return image.Pt(at.Board.Min.X+int(float64(col)*dx+0.5), at.Board.Min.Y+int(float64(row)*dy+0.5))
}

// move is one thing that is played: what a cell holds, a rectangle, or all lines; values are
// the variables that it decides.
type move struct {
	text   string
	cells  []board.Cell
	values []int
}

// moves are those of the whole solution, without what is given.
func (s *Solution) moves() (all []move) {
	p := s.puzzle
	want := s.done()
	for i, l := range p.game.layers {
		first := p.givens.layout.first[i]
		if l.isOfCells() {
			for i, r := range want.cells {
				if _, fixed := p.given(l, board.Cell(i)); !fixed && r != nothing {
					all = append(all, move{fmt.Sprintf("%c at %s", r, p.givens.size.Name(board.Cell(i))), []board.Cell{board.Cell(i)}, []int{first + i}})
				}
			}
			continue
		}
		lines := move{text: l.kind.String()}
		for k, drawn := range want.sides {
			if drawn == 1 {
				lines.values = append(lines.values, first+k)
				lines.cells = append(lines.cells, p.givens.layout.names(first+k)...)
			}
		}
		slices.Sort(lines.cells)
		lines.cells = slices.Compact(lines.cells)
		all = append(all, lines)
	}
	return all
}

// Steps are what is played, cell by cell, and all lines together.
func (s *Solution) Steps(drawn solvers.Solution) (steps []solvers.Step) {
	on, _ := drawn.(*Solution)
	for _, m := range s.moves() {
		same := on != nil && len(on.values) == len(s.values)
		for _, v := range m.values {
			same = same && on.values[v] == s.values[v]
		}
		steps = append(steps, solvers.Step{Text: m.text, Cells: m.cells, Drawn: same})
	}
	return steps
}

// Part is the solution with some of its steps only.
func (s *Solution) Part(steps []int) solvers.Solution {
	part := &Solution{values: slices.Repeat([]int{unknownValue}, len(s.values)), puzzle: s.puzzle}
	for i, m := range s.moves() {
		if slices.Contains(steps, i) {
			for _, v := range m.values {
				part.values[v] = s.values[v]
			}
		}
	}
	return part
}

// unknownValue is what a variable is in a part of a solution that does not say it.
const unknownValue = -1

// trails are strokes along sides, each of them once. Where lines end, strokes begin.
func trails(sides []side, wanted func(i int) bool) (found [][]int) {
	at := map[int][]side{}
	var nodes []int
	for _, k := range sides {
		if wanted(k.i) {
			at[k.a], at[k.b] = append(at[k.a], k), append(at[k.b], k)
			nodes = append(nodes, k.a, k.b)
		}
	}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
	slices.SortStableFunc(nodes, func(a, b int) int { return len(at[b])%2 - len(at[a])%2 })
	used := map[int]bool{}
	for _, from := range nodes {
		for {
			trail := []int{from}
			for last := from; ; {
				i := slices.IndexFunc(at[last], func(k side) bool { return !used[k.i] })
				if i < 0 {
					break
				}
				k := at[last][i]
				used[k.i] = true
				last = k.a + k.b - last
				trail = append(trail, last)
			}
			if len(trail) == 1 {
				break
			}
			found = append(found, trail)
		}
	}
	return found
}

// rectangles are the strokes that draw those of the solution that are not drawn.
func (p *Puzzle) rectangles(l *layer, on played, want []int, at screen.Layout) (plan []screen.Gesture) {
	s := p.givens.size
	for _, part := range partsOf(l, s, want) {
		right := !slices.ContainsFunc(part, func(c board.Cell) bool {
			if on.bare != nil && on.bare[c] {
				return true
			}
			for d := range ways {
				if i := l.side(s, c, d); i >= 0 && on.sides[i] != want[i] {
					return true
				}
			}
			return false
		})
		if !right || len(partsOf(l, s, want)) == 1 {
			plan = append(plan, squares.Touch(at, "rectangle from "+s.Name(part[0]), part[0], part[len(part)-1])...)
		}
	}
	return plan
}

// partsOf are the parts of a board between walls, each with its cells in order.
func partsOf(l *layer, s board.Size, walls []int) (parts [][]board.Cell) {
	joined := board.NewSets(s.Cells())
	for c := range board.Cell(s.Cells()) {
		for _, d := range []int{1, 2} {
			if i := l.side(s, c, d); i >= 0 && walls[i] == 0 {
				joined.Join(int(c), int(s.Beside(c, board.Dir(d))))
			}
		}
	}
	number := map[int]int{}
	for c := range s.Cells() {
		root := joined.Find(c)
		if _, ok := number[root]; !ok {
			number[root] = len(parts)
			parts = append(parts, nil)
		}
		parts[number[root]] = append(parts[number[root]], board.Cell(c))
	}
	return parts
}

// Remaining is the touches that are missing.
func (s *Solution) Remaining(seen *screen.Observation) ([]screen.Gesture, error) {
	on, err := s.puzzle.shown(seen)
	if err != nil {
		return nil, err
	}
	// A line that was begun is taken to be drawn along the rim, too.
	if slices.Contains(on.sides, 1) {
		want := s.done().sides
		for _, i := range on.hidden {
			on.sides[i] = want[i]
		}
	}
	missing := s.from(on, seen.Layout)
	if len(missing) == 1 && missing[0].Note == noCell {
		return nil, nil
	}
	return missing[:min(len(missing), len(s.Plan(seen.Layout)))], nil
}

// shown is how far the puzzle is played on a screen. It fails with a *solvers.ReadError where
// the screen shows another board.
func (p *Puzzle) shown(seen *screen.Observation) (played, error) {
	g, size, on := p.game, p.givens.size, p.blank()
	covered := slices.ContainsFunc(g.layers, func(l *layer) bool { return !l.isOfCells() }) || len(p.givens.roomClue) > 0
	cells, err := g.contents(seen, func(board.Cell) bool { return covered })
	if err != nil {
		return on, err
	}
	if squares.SizeOf(seen) != size {
		return on, solvers.Refuse("the board on the screen is another one: %s, expected %s", squares.SizeOf(seen), size)
	}
	for i, c := range cells {
		got, want := g.notations[0].clueShown(c), p.givens.clue[i]
		decided := !slices.ContainsFunc(g.layers, func(l *layer) bool { return l.isOfCells() && l.kind != marksLayer })
		if len(p.givens.roomClue) == 0 && got != want && (want.kind != noClue || decided) && !(covered && got.kind == noClue) {
			return on, solvers.RefuseAt(board.Cell(i), "the board on the screen is another one: it differs at %s", size.Name(board.Cell(i)))
		}
	}
	for _, readings := range seen.Readings {
		ground, _ := squares.Ground(readings)
		on.bare = append(on.bare, screen.Contrast(ground, color.RGBA{255, 255, 255, 255}) < readLimits.paper)
	}
	if !slices.Contains(on.bare, false) {
		on.bare = nil
	}
	for _, l := range g.layers {
		if !l.isOfCells() {
			on.sides, on.hidden, err = l.drawnOn(seen, size)
			continue
		}
		for i, c := range cells {
			for _, shown := range []string{c.ground, c.mark} {
				if r := []rune(shown); len(r) == 1 && slices.Contains(g.touchOf(l).cycle, r[0]) {
					on.cells[i] = r[0]
				}
			}
			if l.kind == numbersLayer && c.number >= 0 && c.number <= 9 {
				on.cells[i] = rune('0' + c.number)
			}
		}
	}
	return on, err
}

// drawnOn are the lines of a layer that a screen shows, and the sides of which it does not show it.
func (l *layer) drawnOn(seen *screen.Observation, s board.Size) (sides, hidden []int, err error) {
	sides = make([]int, l.variables(s))
	if l.kind == lineLayer {
		for _, k := range l.linksOf(s) {
			if linked(seen, board.EdgeOf(board.Cell(k.a), board.Cell(k.b))) {
				sides[k.i] = 1
			}
		}
		return sides, nil, nil
	}
	lines := make([]screen.Line, len(sides))
	var rim [4][]int // sides that lie on each side of the board
	for c := range board.Cell(s.Cells()) {
		right := s.Row(c)*(s.Cols+1) + s.Col(c) + 1
		for d, line := range [4]screen.Line{seen.Horizontal[c], seen.Vertical[right], seen.Horizontal[int(c)+s.Cols], seen.Vertical[right-1]} {
			if i := l.side(s, c, d); i >= 0 {
				lines[i] = line
				if s.Beside(c, board.Dir(d)) < 0 {
					rim[d] = append(rim[d], i)
				}
			}
		}
	}
	within := slices.Clone(lines) // a rim of the screen's colour is seen as a very thin line
	for _, i := range slices.Concat(rim[:]...) {
		within[i] = screen.Line{}
	}
	is, doubtful := thick(lines, within, seen.Layout.Pitch)
	if doubtful >= 0 {
		return nil, nil, solvers.Refuse("a line is %.1f pixels wide: neither thick nor thin", lines[doubtful].Width)
	}
	for i := range is {
		sides[i] = number(is[i])
	}
	for _, along := range rim {
		if !slices.ContainsFunc(along, func(i int) bool { return sides[i] == 0 }) {
			hidden = append(hidden, along...)
		}
	}
	for _, i := range hidden {
		sides[i] = 0
	}
	return sides, hidden, nil
}

// Paint is the colour of what each touch draws.
func (p *Puzzle) Paint(plan []screen.Gesture) []color.NRGBA { return squares.Same(plan, black) }
