package flow

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// The measures of the spec, in its order. An end is a disc of radius 0.35
// pitches; a pipe is 0.34 pitches wide and runs through the middle of its
// cells. So a ring of radius 0.27 lies wholly on an end, mostly off a pipe.
const (
	centre  = iota
	ring    // on an end, but not under the letter or the check mark on it
	rim     // off the end, within its cell
	inside  // the whole cell
	toNorth // where a pipe would leave to each side
	toEast
	toSouth
	toWest
	toNorthEast // the same of hexagons, beside north and south
	toSouthEast
	toSouthWest
	toNorthWest
	corner   // where a bridge's lines meet, in the four corners
	measures = corner + 4
)

func spec() screen.Spec {
	m := make([]screen.Measure, measures)
	m[centre] = screen.Measure{Name: "centre", Radius: 0.09}
	m[ring] = screen.Measure{Name: "ring", Inner: 0.23, Radius: 0.31}
	m[rim] = screen.Measure{Name: "rim", Inner: 0.39, Radius: 0.45}
	m[inside] = screen.Measure{Name: "inside", Radius: 0.42}
	m[toNorth] = screen.Measure{Name: "north", Y: -0.42, Radius: 0.06}
	m[toEast] = screen.Measure{Name: "east", X: 0.42, Radius: 0.06}
	m[toSouth] = screen.Measure{Name: "south", Y: 0.42, Radius: 0.06}
	m[toWest] = screen.Measure{Name: "west", X: -0.42, Radius: 0.06}
	slanted := 0.42 * math.Sqrt(3) / 2
	m[toNorthEast] = screen.Measure{Name: "northeast", X: slanted, Y: -0.21, Radius: 0.06}
	m[toSouthEast] = screen.Measure{Name: "southeast", X: slanted, Y: 0.21, Radius: 0.06}
	m[toSouthWest] = screen.Measure{Name: "southwest", X: -slanted, Y: 0.21, Radius: 0.06}
	m[toNorthWest] = screen.Measure{Name: "northwest", X: -slanted, Y: -0.21, Radius: 0.06}
	for i, name := range []string{"first", "second", "third", "fourth"} {
		m[corner+i] = screen.Measure{Name: name + "corner", X: 0.25 * float64(2*(i%2)-1), Y: 0.37 * float64(2*(i/2)-1), Radius: 0.06}
	}
	return screen.Spec{
		Topologies: []screen.Topology{screen.Square, screen.Hex},
		MinSide:    3,
		MaxSide:    20,
		Dark:       true,
		Open:       true,
		Measures:   m,
		Boxes:      true,
		Discs:      true,
		Slanted:    true,

		OneSolution: true, // but for a few levels of the real game's older versions
	}
}

// exits are the measures where a pipe would leave a cell, by direction.
func exits(t Topology) []int {
	if t == Hex {
		return []int{toNorth, toNorthEast, toSouthEast, toSouth, toSouthWest, toNorthWest}
	}
	return []int{toNorth, toEast, toSouth, toWest}
}

// look is what a cell looks like.
type look int

const (
	odd      look = iota // like nothing known
	empty                // the background all over
	end                  // a disc
	pipe                 // a pipe leads through or to the middle
	crossing             // a bridge, with pipes or without
)

// What stands out from a cell's background by less than dim is background: glow
// and tints. What stands out by more than clear is drawn on it. Between the two
// nothing is decided.
const (
	dim   = 38
	clear = 48
)

func lookOf(r []screen.Reading) look {
	lines := lined(r)
	onRing := screen.Contrast(r[ring].Colour, r[rim].Colour)
	onCentre := screen.Contrast(r[centre].Colour, r[rim].Colour)
	switch {
	case onRing >= clear && r[ring].Spread <= 4+0.1*float64(onRing) && brighter(r[ring], r[rim]):
		return end
	case lines == 4 && r[centre].Spread <= 12:
		return crossing
	case onRing <= dim && onCentre <= dim && lines < 3 && r[inside].Spread <= 40 && r[centre].Spread <= 60 && r[ring].Spread <= 30:
		return empty // but for something thin over it
	case onCentre >= clear && r[centre].Spread <= 4+0.1*float64(onCentre) && brighter(r[centre], r[rim]):
		return pipe
	}
	return odd
}

// lined is in how many corners of a cell, where neither an end nor a pipe is,
// there are lines.
func lined(r []screen.Reading) int {
	n := 0
	for i := range 4 {
		if at := r[corner+i]; at.Spread >= 18 || screen.Contrast(at.Colour, r[rim].Colour) > clear {
			n++
		}
	}
	return n
}

func brighter(a, b screen.Reading) bool { return screen.Value(a.Colour) > screen.Value(b.Colour) }

// picture is a board as it looks, before it is known which ends belong together.
type picture struct {
	grid    *Puzzle // the cells and how they touch, nothing else
	size    board.Size
	look    []look
	colour  []color.RGBA // of the end or the pipe on each cell
	rim     []uint8      // of each cell: how bright it is beside what is drawn on it
	links   [][6]bool    // of each cell, by direction: a pipe leads over the side
	walls   map[board.Edge]bool
	outside []bool // places without a cell
}

// read makes a puzzle of what was seen.
func read(seen *screen.Observation) (*Puzzle, error) {
	p, _, err := readAll(seen, false)
	return p, err
}

// readAll reads the board and the pipes drawn on it. One that is being played is
// known to be no mere drawing.
func readAll(seen *screen.Observation, played bool) (*Puzzle, *Solution, error) {
	if place := locate(seen); place.Kind == screen.Won || place.Kind == screen.Popup {
		return nil, nil, solvers.Refuse("the board is covered: %s", place.Reason)
	}
	if err := checkObservation(seen); err != nil {
		return nil, nil, err
	}
	v, err := newPicture(seen)
	if err != nil {
		return nil, nil, err
	}
	var ends []board.Cell
	for c, l := range v.look {
		if l == end {
			ends = append(ends, board.Cell(c))
		}
	}
	pairs, err := v.pairUp(ends)
	if err != nil {
		return nil, nil, err
	}
	b := Board{Size: v.size, Topology: v.grid.topology, Ends: pairs}
	for c, outside := range v.outside {
		switch {
		case outside:
			b.Holes = append(b.Holes, board.Cell(c))
		case v.look[c] == crossing:
			b.Bridges = append(b.Bridges, board.Cell(c))
		}
	}
	for edge := range v.walls {
		if !v.outside[edge.A] && !v.outside[edge.B] {
			b.Walls = append(b.Walls, edge)
		}
	}
	slices.SortFunc(b.Walls, func(x, y board.Edge) int {
		if x.A != y.A {
			return int(x.A - y.A)
		}
		return int(x.B - y.B)
	})
	p, err := New(b)
	if err != nil {
		return nil, nil, solvers.Refuse("%v", err)
	}
	for _, ends := range pairs {
		seen := seen.Readings[ends[0]][ring].OnScreen()
		p.colours = append(p.colours, color.NRGBA{seen.R, seen.G, seen.B, 255})
	}
	s, err := v.drawn(p, played)
	if err != nil {
		return nil, nil, err
	}
	return p, s, nil
}

// checkObservation makes sure that an observation has what spec asked for.
func checkObservation(seen *screen.Observation) error {
	l := seen.Layout
	if err := solvers.CheckBoard(seen); err != nil {
		return err
	}
	cells := l.Rows * l.Cols
	complete := len(seen.Horizontal) == cells+l.Cols && len(seen.Vertical) == cells+l.Rows
	if l.Topology == screen.Hex {
		complete = len(seen.Sides) == 6*cells
	}
	if len(l.Centres) != cells || len(seen.Readings) != cells || !complete {
		return solvers.Refuse("the observation of %dx%d cells is not complete", l.Cols, l.Rows)
	}
	// The app fills the screen; what does not is a picture of it, in a shop say.
	if shorter := min(seen.On.Size.X, seen.On.Size.Y); 2*max(l.Board.Dx(), l.Board.Dy()) < shorter {
		return solvers.Refuse("the board at %v is too small to be played on, expected half of the screen's %d pixels", l.Board, shorter)
	}
	return solvers.CheckCells(seen, measures, "the board's lines", 0.5)
}

// newPicture tells what each cell and each side of a cell is.
func newPicture(seen *screen.Observation) (*picture, error) {
	size := board.Size{Rows: seen.Layout.Rows, Cols: seen.Layout.Cols}
	grid := &Puzzle{size: size, kind: make([]kind, size.Cells())}
	if seen.Layout.Topology == screen.Hex {
		grid.topology = Hex
	}
	v := &picture{
		grid:    grid,
		size:    size,
		look:    make([]look, size.Cells()),
		colour:  make([]color.RGBA, size.Cells()),
		rim:     make([]uint8, size.Cells()),
		links:   make([][6]bool, size.Cells()),
		walls:   map[board.Edge]bool{},
		outside: make([]bool, size.Cells()),
	}
	for c, readings := range seen.Readings {
		v.look[c] = lookOf(readings)
		v.rim[c] = screen.Value(readings[rim].Colour)
		switch v.look[c] {
		case end:
			v.colour[c] = readings[ring].Colour
		case pipe:
			v.colour[c] = readings[centre].Colour
		default:
			continue
		}
		for d, at := range exits(grid.topology) {
			out := readings[at]
			v.links[c][d] = screen.Distance(out.Colour, v.colour[c]) < 0.4*screen.Distance(v.colour[c], readings[rim].Colour) && out.Spread <= 24
		}
	}
	lines := v.readLines
	if grid.topology == Hex {
		lines = v.readHexLines
	}
	if err := lines(seen); err != nil {
		return nil, err
	}
	for c, l := range v.look {
		if l == odd && !v.outside[c] {
			return nil, solvers.RefuseAt(board.Cell(c), "%s is neither empty nor an end nor a pipe", size.Name(board.Cell(c)))
		}
		switch {
		case !v.outside[c]:
		case l == end && screen.Contrast(seen.Readings[c][ring].Colour, seen.Readings[c][rim].Colour) >= 2*clear:
			return nil, solvers.RefuseAt(board.Cell(c), "%s: an end lies outside the board", size.Name(board.Cell(c)))
		default: // whatever glows there
			v.look[c], v.links[c] = empty, [6]bool{}
		}
	}
	return v, nil
}

// side is the line on one side of a cell.
func side(seen *screen.Observation, row, col int, d board.Dir) screen.Line {
	cols := seen.Layout.Cols
	switch d {
	case board.North:
		return seen.Horizontal[row*cols+col]
	case board.South:
		return seen.Horizontal[(row+1)*cols+col]
	case board.West:
		return seen.Vertical[row*(cols+1)+col]
	default:
		return seen.Vertical[row*(cols+1)+col+1]
	}
}

// lines are those on the sides of the board's cells.
func (v *picture) lines(seen *screen.Observation) []screen.Line {
	if v.grid.topology == Hex {
		return seen.Sides
	}
	return slices.Concat(seen.Horizontal, seen.Vertical)
}

// thinLines are how wide and how bright the lines between cells are. They are
// the most on any board; a quarter from the thinnest is one.
func thinLines(lines []screen.Line) (width, level float64, err error) {
	var widths, levels []float64
	for _, line := range lines {
		if line.Support >= 0.6 {
			widths = append(widths, line.Width)
			levels = append(levels, float64(screen.Value(line.Colour)))
		}
	}
	if len(widths) == 0 {
		return 0, 0, solvers.Refuse("no lines between the cells")
	}
	slices.Sort(widths)
	slices.Sort(levels)
	return widths[len(widths)/4], levels[len(levels)/4], nil
}

// readLines finds walls and holes. Cells are separated by thin dim lines;
// walls and the outlines of irregular boards are thick and bright; between two
// places without a cell there is no line.
func (v *picture) readLines(seen *screen.Observation) error {
	thin, level, err := thinLines(v.lines(seen))
	if err != nil {
		return err
	}
	thick := func(c board.Cell, d board.Dir) bool {
		row, col := v.size.Row(c), v.size.Col(c)
		line := side(seen, row, col, d)
		bright := float64(screen.Value(line.Colour))
		// The step between a cell that a pipe dyes and one that is black is no wall.
		beside := float64(screen.Value(seen.Readings[c][rim].Colour))
		dr, dc := d.Step()
		if n := v.size.At(row+dr, col+dc); n != board.None {
			beside = max(beside, float64(screen.Value(seen.Readings[n][rim].Colour)))
		}
		return line.Support >= 0.6 && line.Width >= 1.6*thin && line.Width >= thin+2 && bright >= 1.5*level && bright >= beside+20
	}

	if err := v.readRim(seen, thick); err != nil {
		return err
	}
	// What can be reached from outside without crossing a thick line, over
	// sides without any line, is no cell.
	v.findOutside(seen, thick)
	for c := range board.Cell(v.size.Cells()) {
		row, col := v.size.Row(c), v.size.Col(c)
		for d := range board.Dir(4) {
			dr, dc := d.Step()
			n := v.size.At(row+dr, col+dc)
			if v.grid.topology == Warp {
				n = v.grid.beside(c, d)
			}
			line := side(seen, row, col, d)
			name := fmt.Sprintf("%s, %s side", v.size.Name(c), [...]string{"upper", "right", "lower", "left"}[d])
			beyond := n == board.None || v.outside[n]
			switch {
			case v.outside[c]:
			case thick(c, d):
				if n != board.None {
					v.walls[board.EdgeOf(c, n)] = true
				}
				if v.links[c][d] {
					return solvers.RefuseAt(c, "%s: a pipe goes through a wall", name)
				}
			case beyond && n != board.None:
				return solvers.RefuseAt(c, "%s: the board ends without an outline", name)
			case line.Support < 0.6 && v.look[c] == empty && (n == board.None && !atRim(seen, d) || n != board.None && v.look[n] == empty):
				return solvers.RefuseAt(c, "%s: no line, expected one", name)
			case beyond && v.links[c][d]:
				return solvers.RefuseAt(c, "%s: a pipe leaves the board", name)
			}
		}
	}
	return nil
}

// readRim finds out whether the board is a warp: over each side in its rim that
// is no wall the lines of the lattice reach a little, at both ends of a row or
// column. Where they reach over some sides only, the board goes on.
func (v *picture) readRim(seen *screen.Observation, thick func(board.Cell, board.Dir) bool) error {
	const leastReach = 0.75
	open, odd := 0, 0
	check := func(a, b board.Cell, d board.Dir) {
		isOpen := func(c board.Cell, d board.Dir) bool {
			line := side(seen, v.size.Row(c), v.size.Col(c), d)
			return line.Support >= 0.6 && line.Ends >= leastReach && !thick(c, d)
		}
		switch first, second := isOpen(a, d), isOpen(b, d.Opposite()); {
		case first && second:
			open++
		case first != second || !thick(a, d) || !thick(b, d.Opposite()):
			odd++
		}
	}
	for col := range v.size.Cols {
		check(v.size.At(0, col), v.size.At(v.size.Rows-1, col), board.North)
	}
	for row := range v.size.Rows {
		check(v.size.At(row, 0), v.size.At(row, v.size.Cols-1), board.West)
	}
	if open == 0 {
		return nil
	}
	if odd > 0 {
		return solvers.Refuse("the lattice reaches over parts of the board's rim: it goes on there")
	}
	// Of a board that is cut off on all sides, nobody knows how far it goes on.
	b, size := seen.Layout.Board, seen.On.Size
	const room = 0.35
	if least := room * seen.Layout.Pitch; float64(min(b.Min.Y, size.Y-b.Max.Y)) < least && float64(min(b.Min.X, size.X-b.Max.X)) < least {
		return solvers.Refuse("the lattice reaches to the frame's rim: the board goes on there")
	}
	v.grid.topology = Warp
	return nil
}

// readHexLines finds the cells of a board of hexagons: what has lines all
// around. Its outline, and walls, are thick, and in some looks brighter.
func (v *picture) readHexLines(seen *screen.Observation) error {
	thin, level, err := thinLines(v.lines(seen))
	if err != nil {
		return err
	}
	wide := func(line screen.Line) bool {
		return line.Support >= 0.6 && line.Width >= 1.6*thin && line.Width >= thin+2
	}
	thick := func(line screen.Line) bool {
		// On small screens a pixel more is all that there is.
		return wide(line) || line.Support >= 0.6 && line.Width > thin && float64(screen.Value(line.Colour)) >= 1.6*level
	}
	// Words beside the board may look like pieces of a cell's sides.
	const leastSupport = 4.75
	around := func(c board.Cell) []screen.Line { return seen.Sides[6*int(c) : 6*int(c)+6] }
	for c := range board.Cell(v.size.Cells()) {
		lines, outlines, support := 0, 0, 0.0
		for _, line := range around(c) {
			support += line.Support
			if line.Support >= 0.5 {
				lines++
			}
			if thick(line) {
				outlines++
			}
		}
		switch {
		case lines < 5 || support < leastSupport || outlines == 6:
			v.outside[c] = true
		case outlines == 5 && lines == 6:
			return solvers.RefuseAt(c, "%s: walled in", v.size.Name(c))
		}
	}
	outline := v.outlineLevel(around)
	for c := range board.Cell(v.size.Cells()) {
		if v.outside[c] {
			continue
		}
		for d, line := range around(c) {
			n := v.grid.beside(c, board.Dir(d))
			switch {
			case n == board.None || v.outside[n]:
				if !thick(line) {
					return solvers.RefuseAt(c, "%s: the board ends without an outline", v.size.Name(c))
				}
				if v.links[c][d] {
					return solvers.RefuseAt(c, "%s: a pipe leaves the board", v.size.Name(c))
				}
			case thick(line) && v.links[c][d]:
				return solvers.RefuseAt(c, "%s: a pipe goes through a wall", v.size.Name(c))
			case thick(line):
				// What is seen tells of the side at both cells.
				if other := around(n)[v.grid.Opposite(board.Dir(d))]; !wide(line) || !wide(other) || float64(screen.Value(line.Colour)) < 0.7*outline {
					return solvers.RefuseAt(c, "%s: a side that may be a wall or not", v.size.Name(c))
				}
				v.walls[board.EdgeOf(c, n)] = true
			}
		}
	}
	return nil
}

// outlineLevel is how bright the outline of a board of hexagons is: that of the
// middle one of its sides.
func (v *picture) outlineLevel(around func(board.Cell) []screen.Line) float64 {
	var levels []float64
	for c := range board.Cell(v.size.Cells()) {
		if v.outside[c] {
			continue
		}
		for d, line := range around(c) {
			if n := v.grid.beside(c, board.Dir(d)); n == board.None || v.outside[n] {
				levels = append(levels, float64(screen.Value(line.Colour)))
			}
		}
	}
	if len(levels) == 0 {
		return 0
	}
	slices.Sort(levels)
	return levels[len(levels)/2]
}

// atRim reports whether a side of the board lies so near the frame's rim that
// its line may be cut off.
func atRim(seen *screen.Observation, d board.Dir) bool {
	b, size := seen.Layout.Board, seen.On.Size
	room := [...]int{b.Min.Y, size.X - b.Max.X, size.Y - b.Max.Y, b.Min.X}[d]
	return float64(room) < 0.1*seen.Layout.Pitch
}

// findOutside marks the places without a cell: those that hang together by
// sides without a line, with an outline all around, and single ones with an
// outline on every side.
func (v *picture) findOutside(seen *screen.Observation, thick func(board.Cell, board.Dir) bool) {
	for c := range board.Cell(v.size.Cells()) {
		row, col := v.size.Row(c), v.size.Col(c)
		hole := v.look[c] == empty
		outlines := 0
		lines := 0
		for d := range board.Dir(4) {
			line := side(seen, row, col, d)
			dr, dc := d.Step()
			rim := v.size.At(row+dr, col+dc) == board.None
			switch {
			case thick(c, d):
				outlines++
			case line.Support > 0.3:
				lines++
				hole = hole && rim // a thin line, as only a cell has
			}
		}
		v.outside[c] = hole && (outlines > 0 || lines == 0)
	}
}

// pairUp finds the two ends of each colour. No palette is known: two ends
// belong together when each is the other's nearest and every other is far.
func (v *picture) pairUp(ends []board.Cell) ([][2]board.Cell, error) {
	if len(ends) < 2 {
		return nil, solvers.Refuse("%s found, expected at least one pair", board.Count(len(ends), "end"))
	}
	var brightest uint8
	for _, c := range ends {
		brightest = max(brightest, screen.Value(v.colour[c]))
	}
	scale := float64(brightest) / 255
	var pairs [][2]board.Cell
	for _, c := range ends {
		nearest, next := math.Inf(1), math.Inf(1)
		mate := board.None
		for _, other := range ends {
			if other == c {
				continue
			}
			d := screen.Distance(v.colour[c], v.colour[other])
			if d < nearest {
				mate, nearest, next = other, d, nearest
			} else if d < next {
				next = d
			}
		}
		if nearest > 40*scale {
			return nil, solvers.RefuseBoth(c, mate, "the end at %s has no other of its colour: the nearest, at %s, is off by %.0f", v.size.Name(c), v.size.Name(mate), nearest)
		}
		if next < 2*nearest+16*scale {
			return nil, solvers.RefuseAt(c, "the end at %s has two others of about its colour, off by %.0f and %.0f", v.size.Name(c), nearest, next)
		}
		switch {
		case mate > c:
			pairs = append(pairs, [2]board.Cell{c, mate})
		case !slices.Contains(pairs, [2]board.Cell{mate, c}):
			return nil, solvers.RefuseAt(c, "the end at %s has no other of its colour", v.size.Name(c))
		}
	}
	if 2*len(pairs) != len(ends) {
		return nil, solvers.Refuse("%s, which do not form pairs", board.Count(len(ends), "end"))
	}
	return pairs, nil
}

// drawn follows the pipes from the ends. Each must lead from cell to cell as
// the game draws it: whatever else is drawn was not understood.
func (v *picture) drawn(p *Puzzle, played bool) (*Solution, error) {
	s := newSolution(p, nil)
	for c := range board.Cell(v.size.Cells()) {
		links := 0
		for d := range board.Dir(p.Dirs()) {
			if !v.links[c][d] {
				continue
			}
			links++
			n := v.across(c, d)
			if n == board.None || !v.links[n][p.Opposite(d)] {
				return nil, solvers.RefuseAt(c, "%s: a pipe breaks off at the cell's side", v.size.Name(c))
			}
		}
		switch {
		case v.look[c] == end && links > 1:
			return nil, solvers.RefuseAt(c, "%s: %d pipes lead to one end", v.size.Name(c), links)
		case v.look[c] == pipe && (links == 0 || links > 2):
			return nil, solvers.RefuseAt(c, "%s: a pipe over %d of the cell's sides", v.size.Name(c), links)
		}
	}
	var finished []board.Cell // the cells of pipes between their ends
	for i, pair := range p.ends {
		for _, from := range pair {
			// No cell has more than two links and an end not more than one, so
			// that the way from an end is clear and comes back to no cell.
			came := board.Dir(-1)
			var way []board.Cell
			for at := from; at != board.None; {
				if v.look[at] == end && p.pipe[at] != i {
					return nil, solvers.RefuseAt(at, "%s: a pipe of another colour leads to this end", v.size.Name(at))
				}
				if screen.Distance(v.colour[at], v.colour[from]) > 60 {
					return nil, solvers.RefuseAt(at, "%s: a pipe changes its colour", v.size.Name(at))
				}
				s.pipe[at] = i
				if at == pair[1] && from == pair[0] {
					finished = append(finished, way...)
				}
				way = append(way, at)
				next := board.None
				for d := range board.Dir(p.Dirs()) {
					if v.links[at][d] && (came < 0 || d != p.Opposite(came)) {
						next, came = v.across(at, d), d
						break
					}
				}
				at = next
			}
		}
	}
	if !played && v.undyed(finished) {
		return nil, solvers.Refuse("finished pipes do not dye their cells: a drawing of a board, not the game's")
	}
	for c, l := range v.look {
		if l == pipe && s.pipe[c] < 0 {
			return nil, solvers.RefuseAt(board.Cell(c), "%s: a pipe that leads to no end", v.size.Name(board.Cell(c)))
		}
	}
	return s, nil
}

// undyed reports whether most of some cells, three or more, are as dark as if
// nothing were drawn on them. In the game, a finished pipe dyes its cells.
func (v *picture) undyed(cells []board.Cell) bool {
	dark := 0
	for _, c := range cells {
		if v.rim[c] < 20 {
			dark++
		}
	}
	return len(cells) >= 3 && 2*dark > len(cells)
}

// across is the cell to which a pipe leads over a side: over bridges it goes
// on straight.
func (v *picture) across(c board.Cell, d board.Dir) board.Cell {
	n := v.grid.beside(c, d)
	for n != board.None && v.look[n] == crossing {
		n = v.grid.beside(n, d)
	}
	return n
}

// fill reads the pipes drawn on the screen of a puzzle, as a solution of which
// only the drawn part is there.
func fill(seen *screen.Observation, p *Puzzle) (*Solution, error) {
	shown, s, err := readAll(seen, true)
	if err != nil {
		return nil, err
	}
	if shown.size != p.size {
		return nil, solvers.Refuse("the board on the screen has %d columns and %d rows, expected %d and %d", shown.size.Cols, shown.size.Rows, p.size.Cols, p.size.Rows)
	}
	drawn := newSolution(p, nil)
	for c := range board.Cell(p.size.Cells()) {
		if shown.kind[c] != p.kind[c] || (shown.pipe[c] < 0) != (p.pipe[c] < 0) {
			return nil, solvers.RefuseAt(c, "%s looks different from the puzzle's", p.size.Name(c))
		}
		if i := s.pipe[c]; i >= 0 {
			drawn.pipe[c] = p.pipe[shown.ends[i][0]]
			if p.pipe[shown.ends[i][0]] != p.pipe[shown.ends[i][1]] {
				return nil, solvers.RefuseAt(c, "%s: the ends of a colour differ from the puzzle's", p.size.Name(c))
			}
		}
	}
	return drawn, nil
}

// locate tells where in the app the phone is. A level is complete when a panel
// shows with at least two buttons, one below the other, outlined in white; the
// first of them leads on. A panel with a single one is a message, such as that
// the pack is complete; what one in other colours says, nobody knows.
func locate(seen *screen.Observation) screen.Place {
	shorter := min(seen.On.Size.X, seen.On.Size.Y)
	var buttons []screen.Box
	for _, b := range seen.Boxes {
		w, h := b.Bounds.Dx(), b.Bounds.Dy()
		white := min(b.Line.R, b.Line.G, b.Line.B) >= 140
		if white && 5*w >= shorter && w >= 2*h && 3*h <= shorter {
			buttons = append(buttons, b)
		}
	}
	slices.SortStableFunc(buttons, func(a, b screen.Box) int { return a.Bounds.Min.Y - b.Bounds.Min.Y })
	var strange screen.Place
	for i, first := range buttons {
		n := 1
		column := first.Bounds
		for _, b := range buttons[i+1:] {
			slack := first.Bounds.Dx() / 20
			if near(b.Bounds.Min.X, column.Min.X, slack) && near(b.Bounds.Max.X, column.Max.X, slack) && b.Bounds.Min.Y >= column.Max.Y-slack {
				column = column.Union(b.Bounds)
				n++
			}
		}
		for _, panel := range slices.Backward(seen.Boxes) { // the smallest that holds the buttons
			if panel.Bounds == column || !column.In(panel.Bounds) || 2*column.Dx() < panel.Bounds.Dx() {
				continue
			}
			if look := (screen.PanelLook{Bar: panel.Bar, Fill: panel.Fill, Button: first.Fill}); !look.Like(panelLook()) {
				strange = screen.Place{Kind: screen.Popup, Reason: fmt.Sprintf("a panel with %s, in colours that are not the game's", board.Count(n, "button"))}
				continue
			}
			place := screen.Place{
				Kind:    screen.Won,
				Buttons: []screen.Button{{Name: "next", At: middle(first.Bounds)}},
				Reason:  fmt.Sprintf("a panel with %d buttons, as when a level is complete", n),
			}
			if n < 2 {
				place = screen.Place{Kind: screen.Popup, Reason: "a panel with one button"}
			}
			if bar := panel.Title; !bar.Empty() {
				place.Buttons = append(place.Buttons, screen.Button{Name: "close", At: image.Pt(bar.Max.X-bar.Dy()/2, middle(bar).Y)})
			}
			return place
		}
		// The panel of the old app is half transparent, so that its outline may not
		// be seen; it covers the middle of a board.
		if around := column.Inset(-column.Dx() / 4); n >= 2 && isFull(seen, around) && column.In(seen.Layout.Board) && middle(seen.Layout.Board).In(around) {
			return screen.Place{
				Kind:    screen.Won,
				Buttons: []screen.Button{{Name: "next", At: middle(first.Bounds)}},
				Reason:  fmt.Sprintf("%d buttons over the board, as when a level is complete", n),
			}
		}
	}
	if strange.Kind == screen.Popup {
		return strange
	}
	if seen.Layout.Rows > 0 {
		for _, b := range seen.Boxes {
			if b.Bounds.Dx() > seen.Layout.Board.Dx()/3 && middle(seen.Layout.Board).In(b.Bounds) && b.Bounds.In(seen.Layout.Board) && covers(seen, b.Bounds) {
				return screen.Place{Kind: screen.Popup, Reason: fmt.Sprintf("a box at %v covers the board", b.Bounds)}
			}
		}
		return screen.Place{Kind: screen.Level, Reason: fmt.Sprintf("a board of %d columns and %d rows", seen.Layout.Cols, seen.Layout.Rows)}
	}
	return screen.Place{Kind: screen.Elsewhere, Reason: "no board and no panel"}
}

// panelLook is what the app's panels look like: black, with a dark green title.
func panelLook() screen.PanelLook {
	black := color.RGBA{A: 255}
	return screen.PanelLook{Bar: color.RGBA{G: 56, A: 255}, Fill: black, Button: black}
}

// covers reports whether a box hides what lies under it. Between the lines of
// hexagons there may be rectangles, too: what all their sides are seen through is
// none.
func covers(seen *screen.Observation, box image.Rectangle) bool {
	l := seen.Layout
	if l.Topology != screen.Hex || len(seen.Sides) != 6*len(l.Centres) {
		return true
	}
	for c, at := range l.Centres {
		if at.In(box) && slices.ContainsFunc(seen.Sides[6*c:6*c+6], func(line screen.Line) bool { return line.Support < 0.6 }) {
			return true
		}
	}
	return false
}

// isFull reports whether there is something on nearly all of the board's cells
// that something does not cover, as when the level is complete.
func isFull(seen *screen.Observation, covered image.Rectangle) bool {
	l := seen.Layout
	if len(seen.Readings) != len(l.Centres) {
		return false
	}
	shown, bare := 0, 0
	for c, readings := range seen.Readings {
		if l.Centres[c].In(covered) || len(readings) != measures {
			continue
		}
		shown++
		if lookOf(readings) == empty {
			bare++
		}
	}
	return shown > 0 && 10*bare <= shown
}

func near(a, b, slack int) bool { return a-b <= slack && b-a <= slack }

func middle(r image.Rectangle) image.Point { return r.Min.Add(r.Max).Div(2) }
