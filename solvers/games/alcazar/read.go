package alcazar

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// The measures of the spec, in its order. A path is 0.26 pitches wide and runs
// through the middle of its rooms; a lighter line runs in the middle of it, and
// its tip is a disc with a dot.
const (
	middle  = iota // of a room, beside the middle of a path
	corner1        // of the floor, where no path and no wall is
	corner2
	toNorth // where a path would leave to each side
	toEast
	toSouth
	toWest
	measures
)

// Spec is a walled board of squares on a ground of any brightness, and where
// in a room to look for the path, the floor and the posts of openings.
func (Game) Spec() screen.Spec {
	m := make([]screen.Measure, measures)
	m[middle] = screen.Measure{Name: "middle", Inner: 0.095, Radius: 0.125}
	m[corner1] = screen.Measure{Name: "floor", X: -0.29, Y: -0.29, Radius: 0.08}
	m[corner2] = screen.Measure{Name: "floor2", X: 0.29, Y: 0.29, Radius: 0.08}
	m[toNorth] = screen.Measure{Name: "north", Y: -0.5, Inner: 0.05, Radius: 0.1}
	m[toEast] = screen.Measure{Name: "east", X: 0.5, Inner: 0.05, Radius: 0.1}
	m[toSouth] = screen.Measure{Name: "south", Y: 0.5, Inner: 0.05, Radius: 0.1}
	m[toWest] = screen.Measure{Name: "west", X: -0.5, Inner: 0.05, Radius: 0.1}
	return screen.Spec{
		Topologies: []screen.Topology{screen.Square},
		MinSide:    2,
		MaxSide:    24,
		Either:     true,
		Walled:     true,
		Measures:   m,
		Boxes:      true,
	}
}

// The limits of what the eyes saw. Between two of a kind nothing is decided.
const (
	// How much a side stands out, as a share of what walls do.
	leastWall   = 0.65 // a wall
	mostDots    = 0.45 // a dotted line of a passage
	leastDots   = 0.03
	mostOpening = 0.3 // an opening in the rim,
	leastPost   = 0.2 // and the posts at its ends, which are small and fade when blurred

	// The least width of an opening into a yard, in pitches: it looks wider than any
	// wall, as all of the yard stands out.
	leastEdge = 0.135

	// Contrasts, in levels of 0 to 255.
	leastPath  = 45  // of a path and the floor
	mostFloor  = 25  // within a floor without a path
	mostUneven = 48  // of two rooms' floors
	leastOther = 16  // of a wall and the usual wall, and
	timesOther = 1.5 // times what most walls have: so much more on pictures that were compressed,
	mostOther  = 80  // but no more than this

	// Widths of walls, which are all alike: one differs from the usual one by at most
	// this, in pixels or as a share, and by as much more as most walls do on a blurred picture.
	otherPixels = 1
	otherWidth  = 0.1

	leastSure = 0.5 // confidence in the walls, 0 to 1
)

// Read makes a puzzle of a board on the screen, written as a grid of characters.
func (Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	return solvers.AsPuzzle(read(seen))
}

// read makes a puzzle of what was seen.
func read(seen *screen.Observation) (*Puzzle, error) {
	if err := grid.CheckUncovered(Game{}.Locate(seen)); err != nil {
		return nil, err
	}
	if err := grid.CheckSure(Game{}.Spec(), seen, "the walls", leastSure); err != nil {
		return nil, err
	}
	size := grid.SizeOf(seen)
	yards, err := checkFloors(seen, size)
	if err != nil {
		return nil, err
	}
	b := Board{Size: size, NoRoom: yards}
	wall, ok := wallsOf(seen)
	if !ok {
		return nil, solvers.Refuse("no walls between %d columns and %d rows of rooms", size.Cols, size.Rows)
	}
	for row := range size.Rows + 1 {
		for col := range size.Cols {
			c, side := roomAt(size, row, col, board.North)
			open, err := isOpen(b, c, side, seen.Horizontal[row*size.Cols+col], wall, seen.Layout.Pitch)
			if err != nil {
				return nil, err
			}
			b.Above = append(b.Above, open)
		}
	}
	for row := range size.Rows {
		for col := range size.Cols + 1 {
			c, side := roomAt(size, row, col, board.West)
			open, err := isOpen(b, c, side, seen.Vertical[row*(size.Cols+1)+col], wall, seen.Layout.Pitch)
			if err != nil {
				return nil, err
			}
			b.Left = append(b.Left, open)
		}
	}
	p, err := New(b)
	if err != nil {
		return nil, solvers.Refuse("%v", err)
	}
	if n := len(p.Openings()); n < 2 {
		return nil, solvers.Refuse("%s in the rim, expected at least two", board.Count(n, "opening"))
	}
	p.path = pathColour(seen)
	return p, nil
}

// roomAt is a room at a border, and the side of the room that it is: the upper or
// left side of the room in a row and a column or, beyond the last, the other side of
// that one.
func roomAt(size board.Size, row, col int, side board.Dir) (board.Cell, board.Dir) {
	if c := size.At(row, col); c != board.None {
		return c, side
	}
	return size.At(min(row, size.Rows-1), min(col, size.Cols-1)), side.Opposite()
}

// pathColour is the colour of the path on the screen or, where none is drawn, one
// that stands out from the floors.
func pathColour(seen *screen.Observation) color.NRGBA {
	floor := 0
	for _, r := range seen.Readings {
		if c := r[middle].Colour; screen.Contrast(c, r[corner1].Colour) >= leastPath {
			return color.NRGBA{c.R, c.G, c.B, 255}
		}
		c := r[corner1].Colour
		floor += int(screen.Value(c))
	}
	if floor < 128*len(seen.Readings) {
		return DarkLook().Paths[0]
	}
	return LightLook().Paths[0]
}

// checkFloors finds the places without a room, yards, by their ground. It refuses a
// board with something over a part of it: all floors have about one colour, except
// for a tint where the path has been, and so have all yards. Something that covers
// whole rooms also covers their walls, which yards have around them: isOpen notices
// that they are missing.
func checkFloors(seen *screen.Observation, size board.Size) (yards []bool, err error) {
	usual := usualFloor(seen)
	yards, err = grid.ReadCells(seen, func(c board.Cell, r []screen.Reading) (bool, error) { return isYard(r, usual, size, c) })
	if err != nil {
		return nil, err
	}
	var grounds []color.RGBA
	for c, r := range seen.Readings {
		if yards[c] {
			grounds = append(grounds, r[corner1].Colour, r[corner2].Colour)
		}
	}
	ground := screen.MedianColour(grounds)
	for c, r := range seen.Readings {
		if yards[c] && max(screen.Contrast(r[corner1].Colour, ground), screen.Contrast(r[corner2].Colour, ground)) > mostUneven/2 {
			return nil, solvers.RefuseAt(board.Cell(c), "something covers the floor of %s", size.Name(board.Cell(c)))
		}
	}
	if len(grounds) > len(yards) { // two grounds a yard
		return nil, solvers.Refuse("%d of %d places have no room, expected fewer than half", len(grounds)/2, len(yards))
	}
	return yards, nil
}

// usualFloor is the median colour of the floors.
func usualFloor(seen *screen.Observation) color.RGBA {
	var floors []color.RGBA
	for _, r := range seen.Readings {
		floors = append(floors, r[corner1].Colour, r[corner2].Colour)
	}
	return screen.MedianColour(floors)
}

// isYard tells a place without a room from a room by its ground, and refuses one
// that is covered in part.
func isYard(r []screen.Reading, usual color.RGBA, size board.Size, c board.Cell) (bool, error) {
	other := 0
	for _, floor := range []color.RGBA{r[corner1].Colour, r[corner2].Colour} {
		if screen.Contrast(floor, usual) > mostUneven {
			other++
		}
	}
	if other == 1 {
		return false, solvers.RefuseAt(c, "something covers the floor of %s", size.Name(c))
	}
	if screen.Contrast(r[corner1].Colour, r[corner2].Colour) > mostUneven/2 {
		return false, solvers.RefuseAt(c, "something covers a part of %s", size.Name(c))
	}
	return other == 2, nil
}

// wallLook is how walls look: all that are the board's look alike.
type wallLook struct {
	colour   color.RGBA // the median
	width    float64    // the median, in pixels
	contrast int        // a wall's colour differs from the median by at most this,
	other    float64    // and its width, in pixels
}

// wallsOf is how the walls look. It reports whether there are any.
func wallsOf(seen *screen.Observation) (look wallLook, ok bool) {
	var colours []color.RGBA
	var widths []float64
	for _, line := range slices.Concat(seen.Horizontal, seen.Vertical) {
		if line.Support >= leastWall {
			colours = append(colours, line.Colour)
			widths = append(widths, line.Width)
		}
	}
	if len(colours) == 0 {
		return look, false
	}
	look.colour = screen.MedianColour(colours)
	var off []int
	for _, c := range colours {
		off = append(off, screen.Contrast(c, look.colour))
	}
	slices.Sort(off)
	slices.Sort(widths)
	// Something that lies over one side of the rim covers fewer walls than three of ten.
	look.contrast = min(mostOther, leastOther+int(timesOther*float64(off[len(off)*7/10])))
	look.width = widths[len(widths)/2]
	for i, w := range widths {
		widths[i] = math.Abs(w - look.width)
	}
	slices.Sort(widths)
	look.other = max(otherPixels+widths[len(widths)*7/10], otherWidth*look.width)
	return look, true
}

// check refuses a line that is as dark as a wall but looks otherwise: something lies
// over a side there, which may be open.
func (w wallLook) check(c board.Cell, name string, line screen.Line) error {
	if d := screen.Contrast(line.Colour, w.colour); d > w.contrast {
		return solvers.RefuseAt(c, "the wall %s has another colour than the others, off by %d", name, d)
	}
	if math.Abs(line.Width-w.width) > w.other {
		return solvers.RefuseAt(c, "the wall %s is %.0f pixels wide, the others %.0f", name, line.Width, w.width)
	}
	return nil
}

// isOpen tells a passage or an opening from a wall. A covered room that was taken for
// a yard has borders with dotted lines or without posts.
func isOpen(b Board, c board.Cell, side board.Dir, line screen.Line, wall wallLook, pitch float64) (bool, error) {
	name := fmt.Sprintf("%s %s", sideNames[side], b.Name(c))
	beyond := b.Beside(c, side)
	rim := beyond == board.None || b.NoRoom[c] || b.NoRoom[beyond]
	if b.NoRoom[c] && (beyond == board.None || b.NoRoom[beyond]) {
		if line.Support >= leastWall {
			return false, solvers.RefuseAt(c, "%s there is a wall with no room on either side", name)
		}
		return false, nil
	}
	if line.Support >= leastWall {
		return false, wall.check(c, name, line)
	}
	if !rim {
		if line.Support < leastDots || line.Support > mostDots {
			return false, solvers.RefuseAt(c, "%s there is neither a wall nor a dotted line (%.2f of a wall)", name, line.Support)
		}
		return true, nil
	}
	if yard := beyond != board.None; yard {
		if line.Width < leastEdge*pitch || line.Support > mostDots {
			return false, solvers.RefuseAt(c, "%s there is neither a wall nor an opening (%.2f of a wall, %.2f pitches wide)", name, line.Support, line.Width/pitch)
		}
	} else if line.Support > mostOpening {
		return false, solvers.RefuseAt(c, "%s there is neither a wall nor an opening (%.2f of a wall)", name, line.Support)
	}
	if line.Ends < leastPost {
		return false, solvers.RefuseAt(c, "%s there is an opening without posts (%.2f of a wall)", name, line.Ends)
	}
	return true, nil
}

// fill reads the path drawn on the screen of a puzzle, as a solution that has only
// the part already drawn.
func fill(seen *screen.Observation, p *Puzzle) (*Solution, error) {
	shown, err := read(seen)
	if err != nil {
		return nil, err
	}
	if shown.size != p.size {
		return nil, solvers.Refuse("the board on the screen has %d columns and %d rows, expected %d and %d", shown.size.Cols, shown.size.Rows, p.size.Cols, p.size.Rows)
	}
	s := &Solution{puzzle: p, used: make([]bool, len(p.open))}
	if !slices.Equal(shown.rooms, p.rooms) {
		return nil, solvers.Refuse("the rooms on the screen are not where the puzzle's are")
	}
	for _, c := range p.rooms {
		r := seen.Readings[c]
		visited := screen.Contrast(r[middle].Colour, r[corner1].Colour)
		if visited > mostFloor && visited < leastPath {
			return nil, solvers.RefuseAt(c, "%s: it is not clear whether the path is there", p.size.Name(c))
		}
		sides := 0
		for d := range board.Dir(4) {
			if shown.Open(c, d) != p.Open(c, d) {
				return nil, solvers.RefuseAt(c, "%s looks different from the puzzle's", p.size.Name(c))
			}
			if !p.Open(c, d) || visited < leastPath {
				continue
			}
			if out := r[toNorth+int(d)].Colour; screen.Contrast(out, r[middle].Colour) < screen.Contrast(out, r[corner1].Colour) {
				s.used[border(p.size, c, d)] = true
				sides++
			}
		}
		if visited >= leastPath && (sides == 0 || sides > 2) {
			return nil, solvers.RefuseAt(c, "%s: a path over %s", p.size.Name(c), board.Count(sides, "side"))
		}
	}
	return s, nil
}

// Locate tells where in the app the phone is.
func (Game) Locate(seen *screen.Observation) screen.Place {
	return grid.LocateBoard(seen, leastSure, panelLooks()...)
}

// panelLooks are the looks of the app's panels: the first button has the path's
// colour.
func panelLooks() []screen.PanelLook {
	var all []screen.PanelLook
	for _, look := range []Look{LightLook(), DarkLook()} {
		for _, path := range look.Paths {
			all = append(all, screen.OpaquePanel(look.Bar, look.Card, path))
		}
	}
	return all
}
