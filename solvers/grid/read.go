package grid

import (
	"image/color"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// paneLimits bound what is read on a board of panes. Colours are compared by their
// distance, 0 to 442.
var paneLimits = struct {
	corner, alike, apart     float64
	shade, asShaded          float64
	thicker, asThick, asThin float64
	uneven, parted           float64
	nearest, crisp           float64
	spread                   float64
	contrast                 int
}{
	corner:   24,   // distance: the corners of one cell differ by at most this
	alike:    14,   // distance: from one cell of a region to the next most alike, at most this
	apart:    20,   // distance: two regions' colours differ by at least this
	shade:    0.8,  // share of its colour that a cell under a pointer has,
	asShaded: 12,   // distance: give or take this
	thicker:  1.4,  // widths of lines inside regions: lines between regions that have at least this tell regions
	asThick:  0.85, // widths of lines between regions: no line inside one has as much,
	asThin:   1.15, // widths of lines inside regions: and no line between two as little
	uneven:   0.2,  // share of the lines inside regions: if more are as thick as those between, lines tell nothing
	parted:   1.05, // widths of the widest line inside regions: if every line between has that, lines part regions
	crisp:    40,   // distance: colours of regions that differ by at least this, and inside by at most nearest, are clear
	nearest:  3,    // distance: colours of regions that lines tell apart differ by more than this
	spread:   6,    // brightness levels: a reading that spreads more has something drawn on it, or
	contrast: 40,   // brightness levels: one that differs from its cell by at least this
}

// corners are the measures of PaneMeasures before the middle and the ring around it.
const corners = 4

// PaneMeasures are a cell's ground near its corners, its middle, which small marks fill,
// and the ring around that, which only large ones reach.
func PaneMeasures() []screen.Measure {
	const off, small = 0.36, 0.06 // pitches: beside thick lines, and beside marks 0.6 wide
	return []screen.Measure{
		{Name: "northwest", X: -off, Y: -off, Radius: small}, {Name: "northeast", X: off, Y: -off, Radius: small},
		{Name: "southwest", X: -off, Y: off, Radius: small}, {Name: "southeast", X: off, Y: off, Radius: small},
		{Name: "middle", Radius: 0.08}, {Name: "around", Inner: 0.13, Radius: 0.24},
	}
}

// Ground is a cell's colour, and whether at least three of its corners agree on it.
func Ground(readings []screen.Reading) (color.RGBA, bool) {
	var colours []color.RGBA
	for _, r := range readings[:corners] {
		colours = append(colours, r.Colour)
	}
	median := screen.MedianColour(colours)
	odd := 0
	for _, c := range colours {
		if screen.Distance(c, median) > paneLimits.corner {
			odd++
		}
	}
	return median, odd <= 1
}

// MarkSize is what stands in a cell's middle.
type MarkSize int

// The sizes of marks.
const (
	NoMark MarkSize = iota
	SmallMark
	LargeMark
)

// MarkOn is the size of the mark on a cell.
func MarkOn(readings []screen.Reading) MarkSize {
	own, _ := Ground(readings)
	drawn := func(r screen.Reading) bool {
		return r.Spread > paneLimits.spread || screen.Contrast(r.Colour, own) >= paneLimits.contrast
	}
	switch {
	case drawn(readings[corners+1]):
		return LargeMark
	case drawn(readings[corners]):
		return SmallMark
	}
	return NoMark
}

// ReadRegions makes regions of cells of similar colours, as many as rows, and also returns
// their colours. It refuses, with a *ReadError, cells of doubtful colours, and lines that show
// other regions. The observation has the readings of PaneMeasures.
func ReadRegions(seen *screen.Observation) (board.Regions, []color.NRGBA, error) {
	r := board.Regions{Size: SizeOf(seen)}
	if r.Rows != r.Cols {
		return r, nil, solvers.Refuse("a board of %s cells, expected as many rows as columns", r.Size)
	}
	colours, err := ReadCells(seen, func(c board.Cell, readings []screen.Reading) (color.RGBA, error) {
		ground, ok := Ground(readings)
		if !ok {
			return ground, solvers.RefuseAt(c, "the ground of %s has several colours", r.Name(c))
		}
		return ground, nil
	})
	if err != nil {
		return r, nil, err
	}
	unshade(r.Size, colours)
	if r.Of, err = regionsOf(r.Size, colours, seen); err != nil {
		return r, nil, err
	}
	if err := r.Check(); err != nil {
		return r, nil, solvers.Refuse("misread: %v", err)
	}
	var tints []color.NRGBA
	for k := range r.Rows {
		c := colours[slices.Index(r.Of, k)]
		tints = append(tints, color.NRGBA{c.R, c.G, c.B, 255})
	}
	return r, tints, compareLines(r, seen)
}

// regionsOf parts cells into regions by their colours. Where two colours are too near each other
// for any picture, they may be far apart for this one, whose cells of one region spread less: then
// the lines decide, which have to tell the same regions.
func regionsOf(size board.Size, colours []color.RGBA, seen *screen.Observation) ([]int, error) {
	of, groups, a, b := screen.GroupColours(colours, paneLimits.alike, paneLimits.apart)
	if a < 0 && groups >= size.Rows {
		return of, nil
	}
	for same := paneLimits.alike; same > paneLimits.nearest; same /= 2 {
		near, n, _, _ := screen.GroupColours(colours, same, 0)
		nearer, _, _, _ := screen.GroupColours(colours, same/2, 0)
		if n != size.Rows || !slices.Equal(near, nearer) {
			continue // something lies between what is alike and what is not
		}
		if parted(board.Regions{Size: size, Of: near}, seen) {
			return near, nil
		}
	}
	if a < 0 {
		return of, nil // too few, which says more than that they are alike
	}
	return nil, solvers.RefuseBoth(board.Cell(a), board.Cell(b), "the colours of %s and %s are neither alike nor different", size.Name(board.Cell(a)), size.Name(board.Cell(b)))
}

// unshade gives a cell under a pointer its neighbours' colour, where only one cell is so:
// its colour is no other's, and without it there are as many regions as rows.
func unshade(size board.Size, colours []color.RGBA) {
	group, groups, _, _ := screen.GroupColours(colours, paneLimits.alike, 0)
	if groups != size.Rows+1 {
		return
	}
	for c, k := range group {
		if slices.Index(group, k) != c || slices.Contains(group[c+1:], k) {
			continue
		}
		for _, n := range size.Neighbours(board.Cell(c)) {
			dim := func(v uint8) uint8 { return uint8(paneLimits.shade*float64(v) + 0.5) }
			of := colours[n]
			if screen.Distance(colours[c], color.RGBA{dim(of.R), dim(of.G), dim(of.B), 255}) <= paneLimits.asShaded {
				colours[c] = of
				return
			}
		}
	}
}

// lineWidths are the widths of the lines inside regions and between them, sorted.
func lineWidths(r board.Regions, seen *screen.Observation) (inside, between []float64) {
	for _, e := range r.Edges() {
		if width := LineBetween(seen, e).Width; r.Of[e.A] == r.Of[e.B] {
			inside = append(inside, width)
		} else {
			between = append(between, width)
		}
	}
	slices.Sort(inside)
	slices.Sort(between)
	return inside, between
}

// parted reports whether every line between regions is wider than any inside one.
func parted(r board.Regions, seen *screen.Observation) bool {
	inside, between := lineWidths(r, seen)
	return len(inside) > 0 && len(between) > 0 && inside[len(inside)-1]*paneLimits.parted <= between[0]
}

// VouchRegions fails, with a *ReadError, unless lines and colours of a board both tell the same
// regions, or colours that are the same throughout a region and far from any other do.
func VouchRegions(seen *screen.Observation) error {
	r, _, err := ReadRegions(seen)
	if err != nil || parted(r, seen) {
		return err
	}
	var colours []color.RGBA
	for _, readings := range seen.Readings {
		ground, _ := Ground(readings)
		colours = append(colours, ground)
	}
	if of, _, near, _ := screen.GroupColours(colours, paneLimits.nearest, paneLimits.crisp); near >= 0 || !slices.Equal(of, r.Of) {
		return solvers.Refuse("the regions differ neither clearly in colour nor by the lines between them")
	}
	return nil
}

// compareLines refuses a board whose lines tell other regions than its colours.
func compareLines(r board.Regions, seen *screen.Observation) error {
	inside, between := lineWidths(r, seen)
	if len(inside) == 0 || len(between) == 0 {
		return nil
	}
	if parted(r, seen) {
		return nil
	}
	thin, thick := inside[len(inside)/2], between[len(between)/2]
	if thick < paneLimits.thicker*thin {
		return nil // all lines are alike
	}
	asThick, _ := slices.BinarySearch(inside, paneLimits.asThick*thick)
	if float64(len(inside)-asThick) > paneLimits.uneven*float64(len(inside)) {
		return nil // any line may be thick: drawn so, or rescaled
	}
	for _, e := range r.Edges() {
		width, same := LineBetween(seen, e).Width, r.Of[e.A] == r.Of[e.B]
		if same && width >= paneLimits.asThick*thick || !same && width <= paneLimits.asThin*thin {
			return solvers.RefuseBoth(e.A, e.B, "the line between %s and %s is %.1f pixels wide, but their colours tell another region", r.Name(e.A), r.Name(e.B), width)
		}
	}
	return nil
}

// lined is how much of what was seen looks like cells between lines, half to 1: games with
// other cells may find a lattice where this kind of board has none.
func lined(seen *screen.Observation) float64 { return (1 + seen.Confidence) / 2 }

// RegionFamiliarity is how much of what was seen looks like regions of colours, 0 to 1: the
// share of cells of one ground, times that of the colours that a board of its size has,
// less where the lines between the cells are not clear.
func RegionFamiliarity(spec screen.Spec, seen *screen.Observation) float64 {
	if CheckBoard(spec, seen) != nil {
		return 0
	}
	var colours []color.RGBA
	for _, readings := range seen.Readings {
		if colour, ok := Ground(readings); ok {
			colours = append(colours, colour)
		}
	}
	_, groups, _, _ := screen.GroupColours(colours, paneLimits.alike, 0)
	rows := seen.Layout.Rows
	return lined(seen) * float64(len(colours)) / float64(len(seen.Readings)) * float64(min(groups, rows)) / float64(max(groups, rows))
}

// CheckSame refuses, with a *ReadError, an observation of another board than a puzzle's.
func CheckSame(game solvers.Game, p solvers.Puzzle, seen *screen.Observation) error {
	again, err := game.Read(seen)
	if err != nil {
		return err
	}
	if e, ok := p.(solvers.Editable); ok { // with the letters that Read gives
		p = e.Editable()
	}
	if again.String() != p.String() {
		return solvers.Refuse("the board on the screen is another one")
	}
	return nil
}

// wallLimits bound what is read of walls and of a path on a board of panes.
var wallLimits = struct {
	line, wall float64
	beyond     float64
	seen       float64
	band       int
	even       float64
	gap        int
}{
	line:   0.085, // pitches: a line is at most this wide; the widest seen has 0.052
	wall:   0.125, // pitches: a wall at least this; the narrowest seen has 0.18
	beyond: 60,    // brightness levels: the ground on one side of what a wall leads to spreads by at most this
	seen:   0.5,   // support: a side with less has no line
	even:   24,    // brightness levels: and spreads by at most this; two grounds side by side spread more
	gap:    8,     // brightness levels: and what is left of the ground between two bands is no further from it
	band:   40,    // brightness levels: a band of a path differs from the grounds beside it by at least this
}

// LinkMeasures are PaneMeasures and the middles of the sides to the right and below.
func LinkMeasures() []screen.Measure {
	return append(PaneMeasures(), screen.Measure{Name: "right", X: 0.5, Radius: 0.12}, screen.Measure{Name: "below", Y: 0.5, Radius: 0.12})
}

// ReadWalls are the borders whose lines are far wider than others. It refuses, with a
// *ReadError, lines of doubtful width, and walls that end beside a cell's corner: something
// else covers the board there. The observation has the readings of PaneMeasures.
func ReadWalls(seen *screen.Observation) ([]board.Edge, error) {
	size := SizeOf(seen)
	var walls []board.Edge
	for _, e := range size.Edges() {
		line := LineBetween(seen, e)
		switch width := line.Width / seen.Layout.Pitch; {
		case line.Support < wallLimits.seen || width <= wallLimits.line || isGap(seen, e):
		case width >= wallLimits.wall:
			walls = append(walls, e)
		default:
			return nil, solvers.RefuseBoth(e.A, e.B, "the line between %s and %s is %.2f of a cell wide: neither a line nor a wall", size.Name(e.A), size.Name(e.B), width)
		}
	}
	for _, e := range walls {
		if err := checkEnds(seen, e, walls); err != nil {
			return nil, err
		}
	}
	return walls, nil
}

// A wallEnd is one end of a wall: where the board goes on there, and the corners of the next
// cell before and behind the border that lie at it, in the order of PaneMeasures.
type wallEnd struct {
	to             board.Dir
	before, behind int
}

var (
	endsAcross = []wallEnd{{board.East, 2, 0}, {board.West, 3, 1}}   // of a wall between a cell and the one below
	endsUp     = []wallEnd{{board.South, 1, 0}, {board.North, 3, 2}} // of a wall between a cell and the one to its right
)

// checkEnds refuses a wall that goes on at both sides of the next border in its direction, where no
// wall is.
func checkEnds(seen *screen.Observation, wall board.Edge, walls []board.Edge) error {
	size := SizeOf(seen)
	ends := endsAcross
	if size.Row(wall.A) == size.Row(wall.B) {
		ends = endsUp
	}
	for _, end := range ends {
		a, b := size.Beside(wall.A, end.to), size.Beside(wall.B, end.to)
		if a == board.None || slices.Contains(walls, board.EdgeOf(a, b)) {
			continue
		}
		if min(seen.Readings[a][end.before].Spread, seen.Readings[b][end.behind].Spread) > wallLimits.beyond {
			return solvers.RefuseBoth(wall.A, wall.B, "the wall between %s and %s goes on beside the next cells: something lies there", size.Name(wall.A), size.Name(wall.B))
		}
	}
	return nil
}

// links are the borders that a band crosses from one cell's middle to the next's: a colour
// other than the grounds beside it, where no wall is. The observation has the readings of
// LinkMeasures.
func links(seen *screen.Observation) (linked []board.Edge) {
	size := SizeOf(seen)
	for _, e := range size.Edges() {
		side := corners + 2 // right
		if size.Col(e.A) == size.Col(e.B) {
			side++
		}
		here := seen.Readings[e.A][side]
		a, _ := Ground(seen.Readings[e.A])
		b, _ := Ground(seen.Readings[e.B])
		if (LineBetween(seen, e).Width < wallLimits.wall*seen.Layout.Pitch || isGap(seen, e)) && here.Spread <= wallLimits.even &&
			min(screen.Contrast(here.Colour, a), screen.Contrast(here.Colour, b)) >= wallLimits.band {
			linked = append(linked, e)
		}
	}
	return linked
}

// isGap reports whether what was seen between two cells is no line but their ground, between the
// bands of a path on both sides.
func isGap(seen *screen.Observation, e board.Edge) bool {
	colour := LineBetween(seen, e).Colour
	a, _ := Ground(seen.Readings[e.A])
	b, _ := Ground(seen.Readings[e.B])
	return max(screen.Contrast(colour, a), screen.Contrast(colour, b)) <= wallLimits.gap
}

// supposed takes numbers that are not clear for what they likely are, and reports whether there is
// then each from 1 on once.
func supposed(numbers []int, unclear []board.Cell, seen *screen.Observation) bool {
	for _, c := range unclear {
		numbers[c] = seen.Numbers[c].Value
		if numbers[c] == 0 {
			return false
		}
	}
	_, err := board.Stops(numbers)
	return err == nil
}

// ReadStops are the cells of the numbers from 1 on. It refuses, with a *ReadError, a number
// that is not clear, unless it is the only unclear one and the only number missing between
// others, or the unclear ones likely are just those that are missing; and a cell with something on it that is neither a number nor part of a path. The
// observation has the readings of LinkMeasures.
func ReadStops(seen *screen.Observation) ([]board.Cell, error) {
	size := SizeOf(seen)
	linked := map[board.Cell]bool{}
	for _, e := range links(seen) {
		linked[e.A], linked[e.B] = true, true
	}
	numbers := make([]int, size.Cells())
	var unclear []board.Cell
	for i, n := range seen.Numbers {
		c := board.Cell(i)
		switch {
		case n.Seen == screen.ReadNumber:
			numbers[c] = n.Value
		case linked[c]:
		case n.Seen == screen.UnclearNumber:
			unclear = append(unclear, c)
		case MarkOn(seen.Readings[c]) != NoMark:
			return nil, solvers.RefuseAt(c, "what stands at %s is no number", size.Name(c))
		}
	}
	if len(unclear) > 0 {
		missing := 1
		for slices.Contains(numbers, missing) {
			missing++
		}
		if len(unclear) == 1 && missing < slices.Max(numbers) {
			numbers[unclear[0]] = missing
		} else if !supposed(numbers, unclear, seen) {
			return nil, &solvers.ReadError{Reason: strings.Join(append([]string{"the number at " + size.Name(unclear[0]) + " is not clear"}, seen.Doubts...), "; "), Cells: unclear}
		}
	}
	stops, err := board.Stops(numbers)
	if err != nil {
		return nil, solvers.Refuse("misread: %v", err)
	}
	return stops, nil
}

// CheckThrough refuses, with a *ReadError, an observation of another board than a puzzle's: of
// another size, with other walls, or with a number where the puzzle has another or none. An
// unclear number may be the puzzle's: a drawn path lies under numbers.
func CheckThrough(spec screen.Spec, p Through, seen *screen.Observation) error {
	if err := Check(spec, seen); err != nil {
		return err
	}
	walls, err := ReadWalls(seen)
	if err != nil {
		return err
	}
	if size := SizeOf(seen); size != p.Size || size.FormatWalls(walls) != size.FormatWalls(p.Walls) {
		return solvers.Refuse("the board on the screen is another one: its size is %s, or its walls differ", size)
	}
	for c, n := range seen.Numbers {
		if stop := slices.Index(p.Stops, board.Cell(c)) + 1; n.Seen == screen.ReadNumber && n.Value != stop {
			return solvers.RefuseAt(board.Cell(c), "the board on the screen is another one: a %d at %s", n.Value, p.Size.Name(board.Cell(c)))
		}
	}
	return nil
}

// ReadPath is the path that bands form, from a cell on. It refuses, with a *ReadError, bands
// that form no path from there. The observation has the readings of LinkMeasures.
func ReadPath(seen *screen.Observation, from board.Cell) ([]board.Cell, error) {
	left := links(seen)
	path := []board.Cell{from}
	for {
		last := path[len(path)-1]
		i := slices.IndexFunc(left, func(e board.Edge) bool { return e.A == last || e.B == last })
		if i < 0 {
			break
		}
		next := left[i].A + left[i].B - last
		if slices.Contains(path, next) {
			break
		}
		left = slices.Delete(left, i, i+1)
		path = append(path, next)
	}
	if len(left) > 0 {
		return nil, solvers.RefuseBoth(left[0].A, left[0].B, "the band between %s and %s is no part of a path from %s", SizeOf(seen).Name(left[0].A), SizeOf(seen).Name(left[0].B), SizeOf(seen).Name(from))
	}
	return path, nil
}

// NumberFamiliarity is how much of what was seen looks like a board of numbers between lines, 0
// to 1: the share of cells of one ground whose number, or none, is clear; half of that if there
// is no number, and less if the lines between the cells are not clear.
func NumberFamiliarity(spec screen.Spec, seen *screen.Observation) float64 {
	if CheckBoard(spec, seen) != nil {
		return 0
	}
	clear, numbers := 0, 0
	for c, n := range seen.Numbers {
		if _, ok := Ground(seen.Readings[c]); ok && n.Seen != screen.UnclearNumber {
			clear++
		}
		if n.Seen == screen.ReadNumber {
			numbers++
		}
	}
	share := float64(clear) / float64(len(seen.Numbers))
	if numbers < 2 {
		share /= 2
	}
	return lined(seen) * share
}
