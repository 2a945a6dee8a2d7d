package cells

import (
	"image"
	"image/color"
	"slices"
)

// Mark is what a cell shows.
type Mark int

// What cells show. Marks from Alike on are groups: equal numbers look alike.
const (
	Unclear Mark = iota - 1
	Empty
	Through // a pipe leads through, or ends here without a mark
	Alike
)

// Cell is what was seen in a cell.
type Cell struct {
	Mark  Mark
	Links [4]bool // pipes that leave to the north, east, south, west
	// Colour is the mean colour of what is drawn on it; not opaque where nothing is.
	Colour color.RGBA
}

// Board is a lattice with what its cells show, row by row.
type Board struct {
	Lattice
	Cells []Cell
	// Margin is how much more the two marks of a pair that look least alike differ
	// from any other mark than from each other, 0 to 255.
	Margin int
	inTurn bool // its cells have two grounds in turn
	sorter *sorter
}

// Limits of what looks alike. Differences are the greatest of the three channels,
// 0 to 255.
const (
	fine        = 48   // most samples across a cell
	sameCell    = 10   // most that two empty cells differ anywhere
	plainCell   = 40   // most that an empty cell varies in its middle, where others have a picture
	plainRim    = 0.04 // of a cell along its sides that does not count for that: a part of a line lies there,
	plainMiddle = 0.17 // or a border or shadow
	turnShade   = 40   // most that two grounds in turn differ when only one cell shows the other one
	drawn       = 16   // least that what is drawn on a cell differs from its ground
	opaque      = 20   // likewise, of what hides it altogether
	alikeMark   = 80   // most that two marks that look alike differ anywhere
	apartMark   = 10   // least that the next mark differs more
	onePipe     = 30   // most that a pipe's colour varies across the border of two cells
	speck       = 0.01 // of a cell's area that is drawn on and yet nothing
	leastEmpty  = 0.1  // of a board's cells that are empty or have a pipe
	inBorder    = 0.03 // how far within its cell a pipe's crossing of the border begins, in pitches,
	pastOutline = 0.1  // and how far within the other cell where an end's outline hides that
	reachesIn   = 0.6  // of the quarter of a cell along its middle up to a side that a pipe covers there
	spillsIn    = 0.12 // of a cell along a side, into which its neighbour's label may reach
	inPipe      = 0.06 // how far from the middle of a pipe its colour is looked at, in pitches
	leastLabel  = 3    // of 48 places on a pipe's tip that have another colour where a label lies over it
	tintsDiffer = 8    // most that a tint differs along the rim of a cell
	sameMark    = 20   // most that two marks differ that need no closer look
	nudge       = 0.5  // pixels
	inner       = 0.94 // of a cell's side that is looked at
	purer       = 3    // how much closer mean colours of like marks are than the marks themselves
	likeMarks   = 0.82 // least extent of an end under a pipe, in extents of other ends,
	widerEnd    = 1.2  // or in halves of the pipe's width
)

// sortCells tells which cells of a board look alike. It reports false where too few are
// empty to tell what is drawn on the others. The cells' patches are taken if they are nil.
func sortCells(frame *image.RGBA, l Lattice, patches []reach) (Board, bool) {
	s := newSorter(frame, l, patches)
	if !s.grounds() {
		return s.board, false
	}
	s.strip()
	s.links()
	s.marks()
	if !s.plainly() {
		return s.board, false
	}
	s.pair()
	s.colours()
	s.board.sorter = s
	return s.board, true
}

// newSorter samples the cells of a lattice, unless their patches are known.
func newSorter(frame *image.RGBA, l Lattice, patches []reach) *sorter {
	s := &sorter{frame: frame, board: Board{Lattice: l, Cells: make([]Cell, l.Rows*l.Cols)}, patches: patches}
	if patches != nil {
		return s
	}
	n := min(fine, max(8, int(inner*l.Side)))
	for row := range l.Rows {
		for col := range l.Cols {
			x, y := l.Centre(row, col)
			s.patches = append(s.patches, reachOf(sample(frame, x, y, inner*l.Side, n)))
		}
	}
	return s
}

type sorter struct {
	frame   *image.RGBA
	board   Board
	patches []reach
	inTurn  bool     // cells have two grounds in turn, as on a chess board
	beyond  []bool   // of cells beside the board: they do not count for its grounds; nil is none
	ground  [2]reach // of cells whose row and column add up to an even and an odd number
	empty   []bool
	tinted  []int                // cells that are empty except for their shade
	shown   []reach              // each cell without its tint; on grey where grounds are in turn
	nudged  map[nudgeKey][]reach // likewise, a little off its middle, in nine ways; empty until it is asked for
	drawn   [][]bool
	border  map[image.Point]*[3]uint8 // what separates empty cells, by the direction from one to the other
	core    [][]bool                  // drawn without the edges
}

// nudgeKey is a cell, with or without what its mark surrounds.
type nudgeKey struct {
	cell  int
	whole bool
}

func (s *sorter) parity(cell int) int { return (cell/s.board.Cols + cell%s.board.Cols) % 2 }

func (s *sorter) isBeyond(cell int) bool { return s.beyond != nil && s.beyond[cell] }

// grounds finds what empty cells look like: as most cells do.
func (s *sorter) grounds() bool {
	count := len(s.patches)
	// Nearly all cells may have pipes, many of them alike: plain cells go first, and among
	// them those that a large end does not fill.
	best := s.likeliest(func(cell int) bool { return s.patches[cell].varies(plainRim) <= plainCell })
	if len(best[0])+len(best[1]) == 0 {
		best = s.likeliest(func(cell int) bool { return s.patches[cell].varies(plainMiddle) <= plainCell })
	}
	if len(best[0])+len(best[1]) == 0 {
		best = s.likeliest(func(int) bool { return true })
	}
	// Where cells are not coloured in turn, both have the ground of the more.
	more, fewer := 0, 1
	if len(best[1]) > len(best[0]) {
		more, fewer = 1, 0
	}
	if len(best[more]) == 0 {
		return false
	}
	s.ground[more] = s.patches[best[more][0]]
	s.ground[fewer] = s.ground[more]
	alike := 0 // of the other cells, as the ground of the more
	for i := range count {
		if s.parity(i) == fewer && !s.isBeyond(i) && unlike(s.ground[more], s.patches[i], sameCell) <= sameCell {
			alike++
		}
	}
	if alike == 0 && len(best[fewer]) > 0 {
		other := s.patches[best[fewer][0]]
		if len(best[fewer]) > 1 || unlike(s.ground[more], other, turnShade) <= turnShade {
			s.ground[fewer], s.inTurn = other, true
		}
	}
	s.board.inTurn = s.inTurn
	s.empty = make([]bool, count)
	empty := 0
	for i, p := range s.patches {
		if s.empty[i] = unlike(p, s.ground[s.parity(i)], sameCell) <= sameCell; s.empty[i] && !s.isBeyond(i) {
			empty++
		}
	}
	return empty > 0
}

// plainly reports whether enough cells are empty, or have nothing but a pipe, to tell what
// is drawn on the others.
func (s *sorter) plainly() bool {
	plain := 0
	for _, c := range s.board.Cells {
		if c.Mark == Empty || c.Mark == Through {
			plain++
		}
	}
	return isEnough(plain, len(s.board.Cells))
}

// isEnough reports whether so many of a board's cells tell what its cells look like.
func isEnough(count, all int) bool {
	return count >= 2 && float64(count) >= leastEmpty*float64(all)
}

// likeliest returns, for both parities, the most cells of those wanted that look alike.
func (s *sorter) likeliest(wanted func(cell int) bool) (best [2][]int) {
	count := len(s.patches)
	for parity := range 2 {
		taken := make([]bool, count)
		for i := range count {
			taken[i] = s.parity(i) != parity || s.isBeyond(i) || !wanted(i)
		}
		for i := range count {
			if taken[i] {
				continue
			}
			var alike []int
			for j := i; j < count; j++ {
				if !taken[j] && unlike(s.patches[i], s.patches[j], sameCell) <= sameCell {
					alike = append(alike, j)
					taken[j] = true
				}
			}
			if len(alike) > len(best[parity]) {
				best[parity] = alike
			}
		}
	}
	return best
}

// grey is what marks are laid on to compare them.
var grey = [3]uint8{128, 128, 128}

// strip takes the ground away from what is drawn on each cell. A tint over the whole
// cell belongs to the ground.
func (s *sorter) strip() {
	for cell, p := range s.patches {
		shown, mask := s.stripped(cell, p.patch)
		s.shown = append(s.shown, reachOf(shown))
		s.drawn = append(s.drawn, mask)
		s.core = append(s.core, coreOf(mask, p.n))
	}
}

// stripped takes the ground away from a cell's patch. It returns what is drawn, and
// where.
func (s *sorter) stripped(cell int, p patch) (patch, []bool) {
	ground := s.ground[s.parity(cell)]
	tint := tintOf(p, ground.patch)
	shown := patch{p.n, make([][3]uint8, len(p.pix))}
	mask := make([]bool, len(p.pix))
	for k := range p.pix {
		d := 0
		for c, value := range p.pix[k] {
			plain := uint8(min(255, max(0, int(value)-tint[c])))
			d = max(d, beyond(plain, ground.least.pix[k][c], ground.most.pix[k][c]))
			shown.pix[k][c] = plain // where all cells have one ground, it need not be taken away
		}
		skip := cornerIn(k/p.n, p.n)
		mask[k] = d >= drawn && k%p.n >= skip && k%p.n < p.n-skip
		for c, value := range p.pix[k] {
			if s.inTurn {
				shown.pix[k][c] = uint8((int(value)*min(d, opaque) + int(grey[c])*(opaque-min(d, opaque))) / opaque)
			}
		}
	}
	return shown, mask
}

// distance is how much two marks differ. Where grounds are in turn, a part of a mark that
// has the colour of one of them shows as ground there: what a mark surrounds may be its own
// as well.
func (s *sorter) distance(a, b int) int {
	colour := min(255, purer*s.otherColour(a, b))
	least := s.unlikeMoved(a, b, false, colour > alikeMark)
	if s.inTurn && s.parity(a) != s.parity(b) && least > sameMark && colour <= alikeMark {
		least = min(least, s.unlikeMoved(a, b, true, false))
	}
	return max(least, colour)
}

// unlikeMoved is how much two marks differ, with or without what they surround. A mark may
// lie a part of a pixel elsewhere in its cell than the other in its own, so that thin strokes
// come out lighter or darker: each is looked at in nine places, so that it does not matter
// which of them is the first, but roughly only in one.
func (s *sorter) unlikeMoved(a, b int, whole, roughly bool) int {
	one, other := s.shown[a], s.shown[b]
	if whole {
		one, other = reachOf(s.whole(a, s.patches[a].patch)), reachOf(s.whole(b, s.patches[b].patch))
	}
	least := unlike(one, other, 255)
	if roughly || least <= sameMark || least > alikeMark+alikeMark/2 {
		return least
	}
	for _, moved := range s.nudges(b, whole) {
		least = min(least, unlike(one, moved, least))
	}
	for _, moved := range s.nudges(a, whole) {
		least = min(least, unlike(other, moved, least))
	}
	return least
}

// nudges are what a cell shows a little off its middle, with or without what its mark
// surrounds.
func (s *sorter) nudges(cell int, whole bool) []reach {
	key := nudgeKey{cell, whole}
	if s.nudged == nil {
		s.nudged = map[nudgeKey][]reach{}
	}
	if s.nudged[key] == nil {
		l := s.board.Lattice
		x, y := l.Centre(cell/l.Cols, cell%l.Cols)
		for _, dy := range []float64{-nudge, 0, nudge} {
			for _, dx := range []float64{-nudge, 0, nudge} {
				p := sample(s.frame, x+dx, y+dy, inner*l.Side, s.patches[cell].n)
				shown, _ := s.stripped(cell, p)
				if whole {
					shown = s.whole(cell, p)
				}
				s.nudged[key] = append(s.nudged[key], reachOf(shown))
			}
		}
	}
	return s.nudged[key]
}

// whole is what is drawn on a cell's patch together with what that surrounds: places between
// others in their row and in their column, as a label's on a disc are.
func (s *sorter) whole(cell int, p patch) patch {
	shown, mask := s.stripped(cell, p)
	n := p.n
	var first, last [2][]int // of the rows and of the columns: where something is drawn
	for i := range first {
		first[i], last[i] = slices.Repeat([]int{n}, n), slices.Repeat([]int{-1}, n)
	}
	for k, is := range mask {
		if x, y := k%n, k/n; is {
			first[0][y], last[0][y] = min(first[0][y], x), max(last[0][y], x)
			first[1][x], last[1][x] = min(first[1][x], y), max(last[1][x], y)
		}
	}
	for k := range shown.pix {
		if x, y := k%n, k/n; x > first[0][y] && x < last[0][y] && y > first[1][x] && y < last[1][x] {
			shown.pix[k] = p.pix[k]
		}
	}
	return shown
}

// colours tells the colour of what is drawn on each cell.
func (s *sorter) colours() {
	for cell := range s.board.Cells {
		c := &s.board.Cells[cell]
		if c.Mark == Empty {
			continue
		}
		if sum, count := s.patches[cell].sum(s.core[cell]); count > 0 {
			c.Colour = color.RGBA{uint8(sum[0] / count), uint8(sum[1] / count), uint8(sum[2] / count), 255}
		}
	}
}

// otherColour is how much the mean colours of two marks differ, where both are drawn.
func (s *sorter) otherColour(a, b int) int {
	sumA, count := s.patches[a].sum(s.core[a], s.core[b])
	sumB, _ := s.patches[b].sum(s.core[a], s.core[b])
	most := 0
	for c := range 3 {
		if d := sumA[c] - sumB[c]; count > 0 {
			most = max(most, d/count, -d/count)
		}
	}
	return most
}

// rimPlaces are eight places along the sides of a patch of n by n samples, beside pipes that
// lead through the middle of a side, and beside rounded corners.
func rimPlaces(n int) [8]image.Point {
	far, near, side := n-1, n/5, n-1-n/5
	return [8]image.Point{{near, 0}, {side, 0}, {far, near}, {far, side}, {side, far}, {near, far}, {0, side}, {0, near}}
}

// tintOf is how much lighter or darker than its ground a cell is along its rim, in
// each channel; 0 where the rim is not of one tint. It is looked at in eight places,
// beside pipes and rounded corners; a pipe may hide two.
func tintOf(p, ground patch) [3]int {
	var tints [][3]int
	for _, at := range rimPlaces(p.n) {
		a, b := p.at(at.X, at.Y), ground.at(at.X, at.Y)
		tints = append(tints, [3]int{int(a[0]) - int(b[0]), int(a[1]) - int(b[1]), int(a[2]) - int(b[2])})
	}
	var tint [3]int
	for c := range tint {
		values := make([]int, len(tints))
		for i, t := range tints {
			values[i] = t[c]
		}
		tint[c] = median(values)
	}
	agree := 0
	for _, t := range tints {
		if max(abs(t[0]-tint[0]), abs(t[1]-tint[1]), abs(t[2]-tint[2])) <= tintsDiffer {
			agree++
		}
	}
	if agree < len(tints)-2 {
		return [3]int{}
	}
	return tint
}

// The directions, as Links has them.
var steps = [4]image.Point{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}

// links finds the pipes: a strip of one colour from a cell into the next, over what
// separates them.
func (s *sorter) links() {
	l := s.board.Lattice
	s.border = map[image.Point]*[3]uint8{steps[1]: s.usualBorder(steps[1]), steps[2]: s.usualBorder(steps[2])}
	for cell := range s.board.Cells {
		row, col := cell/l.Cols, cell%l.Cols
		for d := 1; d <= 2; d++ { // east and south; the others are these, seen from the other cell
			r, c := row+steps[d].Y, col+steps[d].X
			if r >= l.Rows || c >= l.Cols {
				continue
			}
			if other := r*l.Cols + c; s.crosses(cell, other, steps[d]) {
				s.board.Cells[cell].Links[d] = true
				s.board.Cells[other].Links[(d+2)%4] = true
			}
		}
	}
}

// crosses reports whether a pipe leads from a cell to its neighbour in a direction.
func (s *sorter) crosses(cell, other int, to image.Point) bool {
	if s.empty[cell] || s.empty[other] {
		return false
	}
	// Ground does not differ from itself: it takes a colour that is drawn on both.
	n := s.patches[cell].n
	edge := func(p int, to image.Point) bool {
		x, y := n/2+to.X*n/2, n/2+to.Y*n/2
		return s.drawn[p][min(y, n-1)*n+min(x, n-1)]
	}
	if !edge(cell, to) || !edge(other, image.Pt(-to.X, -to.Y)) {
		return false
	}
	// The outline of a large end may lie over its pipe where it leaves the cell.
	l := s.board.Lattice
	within, rim, deeper := l.Side/2-inBorder*l.Pitch, l.Pitch/2, l.Side/2-pastOutline*l.Pitch
	hides := s.hidesBorder(cell, to)
	return hides >= drawn && s.reaches(cell, to) && s.reaches(other, image.Pt(-to.X, -to.Y)) &&
		min(s.variation(cell, to, within, within), s.variation(cell, to, rim, deeper), s.variation(cell, to, deeper, rim)) <= min(onePipe, hides)
}

// reaches reports whether what is drawn at the middle of a cell's side goes on towards the
// middle of the cell, as a pipe does: a wide label may only reach over the border. A label
// of the ground's colour may hide the middle of the pipe.
func (s *sorter) reaches(cell int, to image.Point) bool {
	n, most := s.patches[cell].n, 0
	for _, aside := range []int{-int(inPipe * float64(n)), 0, int(inPipe * float64(n))} {
		drawn := 0
		for i := n/2 + n/4; i < n; i++ {
			along := i - n/2
			if s.drawn[cell][(n/2+to.Y*along+to.X*aside)*n+n/2+to.X*along+to.Y*aside] {
				drawn++
			}
		}
		most = max(most, drawn)
	}
	return float64(most) >= reachesIn*float64(n-n/2-n/4)
}

// spills reports whether all that is drawn on a cell lies along one side, where its
// neighbour is drawn on, too: what shows is the neighbour's label.
func (s *sorter) spills(cell int) bool {
	n, l := s.patches[cell].n, s.board.Lattice
	depth := int(spillsIn * float64(n))
	for d, to := range steps {
		row, col := cell/l.Cols+to.Y, cell%l.Cols+to.X
		if row < 0 || col < 0 || row >= l.Rows || col >= l.Cols {
			continue
		}
		all, beside := true, false
		for k, is := range s.drawn[cell] {
			x, y := k%n, k/n
			from := [4]int{y, n - 1 - x, n - 1 - y, x}[d] // the side
			all = all && (!is || from < depth)
			other := [4]int{n - 1 - y, x, y, n - 1 - x}[d] // the neighbour's side
			beside = beside || other == 0 && s.drawn[row*l.Cols+col][k]
		}
		if all && beside {
			return true
		}
	}
	return false
}

// hidesBorder is how much the border of a cell in a direction differs from what separates
// empty cells, 0 to 255. Where that shows there is no pipe, though an end may have nearly
// its colour; nor is there one that varies more than it differs: the glows of two dark ends
// meet at the border.
func (s *sorter) hidesBorder(cell int, to image.Point) int {
	usual := s.border[to]
	if usual == nil {
		return 255
	}
	return difference(s.borderOf(cell, to), *usual)
}

// usualBorder is the median colour in the middle of the borders between two empty cells,
// one of which lies in that direction of the other; nil where there are none.
func (s *sorter) usualBorder(to image.Point) *[3]uint8 {
	var colours [][3]uint8
	l := s.board.Lattice
	for cell := range s.patches {
		other := cell + to.Y*l.Cols + to.X
		if s.empty[cell] && cell%l.Cols+to.X < l.Cols && other < len(s.empty) && s.empty[other] {
			colours = append(colours, s.borderOf(cell, to))
		}
	}
	if len(colours) == 0 {
		return nil
	}
	usual := medianColour(colours)
	return &usual
}

// borderOf is the colour in the middle of a cell's border in a direction.
func (s *sorter) borderOf(cell int, to image.Point) [3]uint8 {
	l := s.board.Lattice
	x, y := l.Centre(cell/l.Cols, cell%l.Cols)
	return s.pixel(x+l.Pitch/2*float64(to.X), y+l.Pitch/2*float64(to.Y))
}

// variation is the most that colours differ from the first, 0 to 255, from so many pixels
// beyond the middle of a cell to so many before the middle of its neighbour.
func (s *sorter) variation(cell int, to image.Point, from, before float64) int {
	l := s.board.Lattice
	x, y := l.Centre(cell/l.Cols, cell%l.Cols)
	var first [3]uint8
	most := 0
	const samples = 24
	for i := range samples + 1 {
		along := from + (l.Pitch-before-from)*float64(i)/samples
		now := s.pixel(x+along*float64(to.X), y+along*float64(to.Y))
		if i == 0 {
			first = now
		}
		most = max(most, difference(first, now))
	}
	return most
}

func (s *sorter) pixel(x, y float64) [3]uint8 {
	c := s.frame.RGBAAt(int(x), int(y))
	return [3]uint8{c.R, c.G, c.B}
}

// labelled reports whether a label lies over a pipe between the middle of the cell that
// it ends in and the side that it comes from.
func (s *sorter) labelled(cell int) bool {
	l := s.board.Lattice
	x, y := l.Centre(cell/l.Cols, cell%l.Cols)
	for d, link := range s.board.Cells[cell].Links {
		if !link {
			continue
		}
		to := steps[d]
		away := l.Side/2 - inBorder*l.Pitch
		pipe := s.pixel(x+away*float64(to.X), y+away*float64(to.Y))
		const samples = 16
		other := 0
		for i := range samples {
			for _, aside := range []float64{-1, 0, 1} {
				along, across := away*float64(i)/samples, aside*inPipe*l.Pitch
				if difference(pipe, s.pixel(x+along*float64(to.X)+across*float64(to.Y), y+along*float64(to.Y)+across*float64(to.X))) > alikeMark {
					other++
				}
			}
		}
		return other >= leastLabel
	}
	return false
}

func (s *sorter) degree(cell int) int {
	n := 0
	for _, link := range s.board.Cells[cell].Links {
		if link {
			n++
		}
	}
	return n
}

// marks tells ends from pipes. Ends that no pipe reaches are told by being drawn on;
// of pipes' ends, by being as wide as those.
func (s *sorter) marks() {
	var widths []int
	for cell := range s.board.Cells {
		c := &s.board.Cells[cell]
		area := 0
		for _, is := range s.drawn[cell] {
			if is {
				area++
			}
		}
		switch degree := s.degree(cell); {
		case degree == 0 && (s.empty[cell] || float64(area) < speck*float64(len(s.drawn[cell]))):
			c.Mark = Empty
			if tint := tintOf(s.patches[cell].patch, s.ground[s.parity(cell)].patch); max(abs(tint[0]), abs(tint[1]), abs(tint[2])) > sameCell {
				s.tinted = append(s.tinted, cell)
			}
		case degree == 0 && s.spills(cell):
			c.Mark = Empty
		case degree == 0:
			c.Mark = Alike
			widths = append(widths, s.extent(cell))
		case degree == 2:
			c.Mark = Through
		case degree == 1:
			c.Mark = Alike // or the tip of a pipe: see below
		default:
			c.Mark = Unclear
		}
	}
	if len(widths) == 0 {
		return
	}
	usual := median(widths)
	for cell := range s.board.Cells {
		if c := &s.board.Cells[cell]; s.degree(cell) == 1 && !s.isEnd(cell, usual) {
			c.Mark = Through
		}
	}
}

// isEnd reports whether there is an end where a pipe ends: it is as wide as other ends, or
// wider than its pipe, or has a label.
func (s *sorter) isEnd(cell, usual int) bool {
	extent := s.extent(cell)
	return float64(extent) >= likeMarks*float64(usual) || float64(extent) >= widerEnd*float64(s.halfPipe(cell))+1 || s.labelled(cell)
}

// halfPipe is half the width, in samples, of a pipe on the side where it leaves its cell.
func (s *sorter) halfPipe(cell int) int {
	n, width := s.patches[cell].n, 0
	for i := range n {
		for d, at := range [4]int{i, i*n + n - 1, (n-1)*n + i, i * n} {
			if s.board.Cells[cell].Links[d] && s.drawn[cell][at] {
				width++
			}
		}
	}
	return (width + 1) / 2
}

// extent is how far a cell is drawn on across and, without the side to which a pipe
// leaves, along: the greatest distance of what is drawn from the middle, in samples.
func (s *sorter) extent(cell int) int {
	n := s.patches[cell].n
	links := s.board.Cells[cell].Links
	most := 0
	for y := range n {
		for x := range n {
			if !s.drawn[cell][y*n+x] {
				continue
			}
			dx, dy := x-n/2, y-n/2
			if links[0] || links[2] { // the pipe is upright: measure across it
				dy = 0
			}
			if links[1] || links[3] {
				dx = 0
			}
			most = max(most, dx, -dx, dy, -dy)
		}
	}
	return most
}

// medianColour is the median of colours, channel by channel.
func medianColour(colours [][3]uint8) (m [3]uint8) {
	values := make([]uint8, len(colours))
	for c := range m {
		for i, colour := range colours {
			values[i] = colour[c]
		}
		slices.Sort(values)
		m[c] = values[len(values)/2]
	}
	return m
}

func median(list []int) int {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

// pair gives ends that look alike a common number. Two ends that a pipe joins are
// alike; the others are when each looks most like the other, and clearly so.
func (s *sorter) pair() {
	next := Alike
	s.board.Margin = 255
	var single []int
	for cell, c := range s.board.Cells {
		if c.Mark != Alike {
			continue
		}
		other, ok := s.follow(cell)
		switch {
		case ok && s.board.Cells[other].Mark == Alike && other > cell:
			next++
			s.board.Cells[cell].Mark, s.board.Cells[other].Mark = next, next
		case ok && s.board.Cells[other].Mark == Alike: // numbered from the other end
		default:
			single = append(single, cell)
		}
	}
	for _, cell := range single {
		s.board.Cells[cell].Mark = Unclear
	}
	distance := make([][]int, len(single))
	for i, a := range single {
		distance[i] = make([]int, len(single))
		for j, b := range single[:i] {
			distance[i][j] = s.distance(a, b)
			distance[j][i] = distance[i][j]
		}
	}
	nearest := func(i int) (best, second int) {
		best, second = -1, -1
		for j := range single {
			switch {
			case j == i:
			case best < 0 || distance[i][j] < distance[i][best]:
				best, second = j, best
			case second < 0 || distance[i][j] < distance[i][second]:
				second = j
			}
		}
		return best, second
	}
	for i, cell := range single {
		j, k := nearest(i)
		if j < i {
			continue
		}
		back, after := nearest(j)
		if back != i || distance[i][j] > alikeMark {
			continue
		}
		margin := 255
		for _, d := range [][2]int{{i, k}, {j, after}} {
			if d[1] >= 0 {
				margin = min(margin, distance[d[0]][d[1]]-distance[i][j])
			}
		}
		if margin < apartMark+distance[i][j]/4 {
			continue
		}
		s.board.Margin = min(s.board.Margin, margin)
		next++
		s.board.Cells[cell].Mark, s.board.Cells[single[j]].Mark = next, next
	}
}

// follow leads along a pipe from one of its ends to the other.
func (s *sorter) follow(cell int) (int, bool) {
	if s.degree(cell) != 1 {
		return 0, false
	}
	from := -1
	for range s.board.Cells {
		next := -1
		for d, link := range s.board.Cells[cell].Links {
			if to := cell + steps[d].Y*s.board.Cols + steps[d].X; link && to != from {
				next = to
			}
		}
		if next < 0 {
			return cell, true
		}
		from, cell = cell, next
	}
	return 0, false
}
