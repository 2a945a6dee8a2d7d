package adrift

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// The measures of the spec, in its order. An end is a disc of radius 0.33
// pitches with a dark rim; a chain is 0.24 pitches wide and runs through the
// middle of its cells; a stone fills its cell up to a gap of 0.09 pitches, and its
// bevelled rim is light on the upper left and dark on the lower right.
const (
	middle  = iota
	ring    // on an end, beside a chain
	toNorth // where a chain would leave to each side
	toEast
	toSouth
	toWest
	corner1 // outside an end, clockwise from the upper left
	corner2
	corner3
	corner4
	measures
)

// Spec is a cube on a ground of any brightness, and where in a cell to look for
// ends, chains and stones.
func (Game) Spec() screen.Spec {
	m := make([]screen.Measure, measures)
	m[middle] = screen.Measure{Name: "middle", Radius: 0.08}
	m[ring] = screen.Measure{Name: "ring", Inner: 0.21, Radius: 0.28}
	m[toNorth] = screen.Measure{Name: "north", Y: -0.4, Radius: 0.03}
	m[toEast] = screen.Measure{Name: "east", X: 0.4, Radius: 0.03}
	m[toSouth] = screen.Measure{Name: "south", Y: 0.4, Radius: 0.03}
	m[toWest] = screen.Measure{Name: "west", X: -0.4, Radius: 0.03}
	for i, at := range [4][2]float64{{-0.355, -0.355}, {0.355, -0.355}, {0.355, 0.355}, {-0.355, 0.355}} {
		m[corner1+i] = screen.Measure{Name: fmt.Sprint("corner", i+1), X: at[0], Y: at[1], Radius: 0.04}
	}
	return screen.Spec{
		Topologies: []screen.Topology{screen.Cube},
		MinSide:    MinSide,
		MaxSide:    MaxSide,
		Either:     true,
		Measures:   m,
		Boxes:      true,
	}
}

// The limits of what is on a cell, in levels of 0 to 255: contrasts with the cell's
// face and spreads of readings. A place whose contrast lies between mostFace and
// leastMark is neither, and so the cell is odd.
const (
	mostFace  = 24 // the bare face
	leastMark = 34 // something is on the face
	uneven    = 34 // the most contrast of two places of a bare face

	leastBetween = 0.08 // of a blurred stone: share of its rim's range by which its other corners lie inside it,
	mostBlur     = 24   // and its middle beyond it, at most

	mostMarkSpread = 6   // of an end or a chain, which have one colour,
	markNoise      = 0.1 // and the increase for each level of its contrast

	mostHue     = 12   // difference of the channels of a grey,
	huePerLevel = 0.12 // and the increase for each level of its intensity
)

// The limits of the rest.
const (
	leastSure = 0.75 // confidence, the share of sides with a line
	leastSide = 0.12 // support of a line between cells, as a share of the usual line's

	// A chain leads over a side: the share of the difference of the chain's colour
	// from the face's by which the colour at the side may differ from the chain's.
	mostExitShare = 0.4

	// Distances of colours; that of a pair is on a screen whose brightest end has a
	// channel of 255.
	mostPairDistance  = 30
	mostChainDistance = 40 // of a chain's colour from that of an end

	// The least difference in brightness of the faces of a lit cube, in levels,
	// however dimmed the screen is.
	leastShade = 5
)

// look is the kind of thing that a cell looks like.
type look int

const (
	odd look = iota // like nothing known
	empty
	end
	chain
	stoned
)

// lookOf is what a cell looks like. The outline of its face may graze the sides that
// lie on the face's edge, where cells are small.
func lookOf(r []screen.Reading, onEdge [4]bool) look {
	face := r[corner2].Colour
	onMiddle, onRing := screen.Contrast(r[middle].Colour, face), screen.Contrast(r[ring].Colour, face)
	inside := screen.Contrast(r[middle].Colour, r[ring].Colour)
	slope := screen.Intensity(r[corner1].Colour) - screen.Intensity(r[corner3].Colour)
	switch {
	case slope >= leastMark && inside <= mostFace:
		if isStone(r) {
			return stoned
		}
	case cornerContrast(r) > mostFace:
	case onMiddle <= mostFace && onRing <= mostFace:
		for i, edge := range onEdge {
			off := screen.Contrast(r[toNorth+i].Colour, face)
			if off > uneven+leastMark && !(edge && !isEven(r[toNorth+i], off)) {
				return odd
			}
		}
		return empty
	case onMiddle >= leastMark && onRing >= leastMark && inside <= mostFace && isEven(r[ring], onRing):
		return end
	case onMiddle >= leastMark && isEven(r[middle], onMiddle):
		return chain
	}
	return odd
}

// isEven reports whether something drawn with a contrast has one colour.
func isEven(r screen.Reading, contrast int) bool {
	return r.Spread <= mostMarkSpread+markNoise*float64(contrast)
}

// isStone reports whether the middle of a cell is grey and its brightness lies
// between those of the rim on the upper left and on the lower right. Blur draws the rim's
// colours towards the face's, so that the middle may lie a little beyond them; but then the
// other two corners lie between the two, as they do not where something covers a part of the
// cell.
func isStone(r []screen.Reading) bool {
	if !isGrey(r[middle].Colour) {
		return false
	}
	bright, light, dark := screen.Intensity(r[middle].Colour), screen.Intensity(r[corner1].Colour), screen.Intensity(r[corner3].Colour)
	if bright < light && bright > dark {
		return true
	}
	margin := (light - dark) * leastBetween
	for _, c := range []int{corner2, corner4} {
		if at := screen.Intensity(r[c].Colour); at > light-margin || at < dark+margin {
			return false
		}
	}
	return bright < light+mostBlur && bright > dark-mostBlur
}

// cornerContrast is the most contrast of two corners of a cell.
func cornerContrast(r []screen.Reading) int {
	most := 0
	for i := range 4 {
		for k := range i {
			most = max(most, screen.Contrast(r[corner1+i].Colour, r[corner1+k].Colour))
		}
	}
	return most
}

// isGrey reports whether a colour has almost no hue, on a screen of any tint.
func isGrey(c color.RGBA) bool {
	return float64(max(c.R, c.G, c.B)-min(c.R, c.G, c.B)) <= mostHue+huePerLevel*screen.Intensity(c)
}

// picture is a board as it looks.
type picture struct {
	*Puzzle // the cells and their names, nothing else
	seen    *screen.Observation
	look    []look       // by cell
	colour  []color.RGBA // by cell: the colour of the end or the chain on it
	links   [][]bool     // by cell and neighbour, in their order: a chain leads there
}

// Read makes a puzzle of a board on the screen, with letters from A on.
func (Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	p, _, err := readAll(seen)
	return solvers.AsPuzzle(p, err)
}

// readAll reads the board and the chains drawn on it.
func readAll(seen *screen.Observation) (*Puzzle, *picture, error) {
	if err := grid.CheckUncovered(Game{}.Locate(seen)); err != nil {
		return nil, nil, err
	}
	if err := checkObservation(seen); err != nil {
		return nil, nil, err
	}
	v, err := newPicture(seen)
	if err != nil {
		return nil, nil, err
	}
	b := Board{Side: v.side}
	var ends []board.Cell
	for c, l := range v.look {
		switch l {
		case end:
			ends = append(ends, board.Cell(c))
		case stoned:
			b.Stones = append(b.Stones, board.Cell(c))
		}
	}
	if b.Ends, err = grid.PairByColour(ends, v.colour, mostPairDistance, v.Name); err != nil {
		return nil, nil, err
	}
	p, err := New(b)
	if err != nil {
		return nil, nil, solvers.Refuse("%v", err)
	}
	for _, ends := range b.Ends {
		seen := v.colour[ends[0]]
		p.shades = append(p.shades, color.NRGBA{seen.R, seen.G, seen.B, 255})
	}
	return p, v, nil
}

// checkObservation refuses an observation that has not what spec asked for, or in which
// something was odd.
func checkObservation(seen *screen.Observation) error {
	if err := grid.CheckSure(Game{}.Spec(), seen, "the cube's lines", leastSure); err != nil {
		return err
	}
	if len(seen.Doubts) > 0 {
		return solvers.Refuse("%s", strings.Join(seen.Doubts, "; "))
	}
	return nil
}

// newPicture finds out what is on each cell and where chains lead.
func newPicture(seen *screen.Observation) (*picture, error) {
	k := cube{seen.Layout.Cols}
	v := &picture{
		Puzzle: &Puzzle{cube: k},
		seen:   seen,
		colour: make([]color.RGBA, k.cells()),
		links:  make([][]bool, k.cells()),
	}
	for _, step := range []func() error{v.readCells, v.checkLines, v.checkFaces, v.readLinks} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// checkLines wants a line on every side of every cell, except for two stones side by side, which
// leave too little of it on small or blurred screens.
func (v *picture) checkLines() error {
	missing := 0
	count := func(lines []screen.Line, rows, cols, step int) {
		for i, line := range lines {
			face, row, col := i/(rows*cols), i/cols%rows, i%cols
			at := row
			if step == 1 {
				at = col
			}
			c := board.Cell(face*v.side*v.side + row*v.side + col) // right of the line, or below it
			between := at > 0 && at < v.side && v.look[c] == stoned && v.look[c-board.Cell(step)] == stoned
			if line.Support < leastSide && !between {
				missing++
			}
		}
	}
	count(v.seen.Horizontal, v.side+1, v.side, v.side)
	count(v.seen.Vertical, v.side, v.side+1, 1)
	if missing > 0 {
		return solvers.Refuse("%d of the lines between cells are not seen: something covers them", missing)
	}
	return nil
}

// readCells finds out what is on each cell.
func (v *picture) readCells() (err error) {
	v.look, err = grid.ReadCells(v.seen, func(c board.Cell, r []screen.Reading) (look, error) {
		_, row, col := v.place(c)
		l := lookOf(r, [4]bool{row == 0, col == v.side-1, row == v.side-1, col == 0})
		switch l {
		case odd:
			return l, solvers.RefuseAt(c, "%s is neither empty nor an end nor a chain nor a stone", v.Name(c))
		case end:
			v.colour[c] = r[ring].Colour
		case chain:
			v.colour[c] = r[middle].Colour
		}
		return l, nil
	})
	return err
}

// readLinks finds out to which neighbours chains lead, and refuses chains that fork
// and ends with several.
func (v *picture) readLinks() error {
	for c := range board.Cell(v.cells()) {
		near := v.neighbours(c)
		v.links[c] = make([]bool, len(near))
		if v.look[c] != end && v.look[c] != chain {
			continue
		}
		links := 0
		for i, n := range near {
			if v.leads(c, n) && v.leads(n, c) {
				v.links[c][i] = true
				links++
			}
		}
		if v.look[c] == end && links > 1 {
			return solvers.RefuseAt(c, "%s: %d chains lead to one end", v.Name(c), links)
		}
		if v.look[c] == chain && (links == 0 || links > 2) {
			return solvers.RefuseAt(c, "%s: a chain over %d of the cell's sides", v.Name(c), links)
		}
	}
	return nil
}

// checkFaces refuses a cube with something over a part of it: each face has about
// one colour.
func (v *picture) checkFaces() error {
	for face := range 3 {
		first := face * v.side * v.side
		var grounds []color.RGBA
		for c := first; c < first+v.side*v.side; c++ {
			if v.look[c] != stoned {
				grounds = append(grounds, v.seen.Readings[c][corner2].Colour)
			}
		}
		usual := screen.MedianColour(grounds)
		for c := first; c < first+v.side*v.side; c++ {
			if v.look[c] != stoned && screen.Contrast(v.seen.Readings[c][corner2].Colour, usual) > uneven {
				return solvers.RefuseAt(board.Cell(c), "something covers %s", v.Name(board.Cell(c)))
			}
		}
	}
	return nil
}

// Distinguish refuses a cube that is only lines, on which other games also draw chains: it has
// no stones, and its top is not the brightest face or its right face not the darkest.
func (p *Puzzle) Distinguish(seen *screen.Observation) error {
	if slices.Contains(p.colour, stone) {
		return nil
	}
	if err := checkObservation(seen); err != nil {
		return err
	}
	var shade [3]float64
	for face := range shade {
		var levels []float64
		for _, r := range seen.Readings[face*p.side*p.side : (face+1)*p.side*p.side] {
			levels = append(levels, screen.Intensity(r[corner2].Colour))
		}
		slices.Sort(levels)
		shade[face] = levels[len(levels)/2]
	}
	if shade[top] < shade[left]+leastShade || shade[left] < shade[right]+leastShade {
		return solvers.Refuse("a cube without stones whose faces are of one shade may be a board of another game")
	}
	return nil
}

// leads reports whether a chain leads from a cell over the side to a neighbour.
func (v *picture) leads(from, to board.Cell) bool {
	if v.look[from] != end && v.look[from] != chain {
		return false
	}
	r := v.seen.Readings[from]
	out := r[toNorth+int(v.sideTo(from, to))].Colour
	return screen.Distance(out, v.colour[from]) < mostExitShare*screen.Distance(v.colour[from], r[corner2].Colour)
}

// sideTo is the side of a cell on which a neighbour lies.
func (v *picture) sideTo(from, to board.Cell) board.Dir {
	face, row, col := v.place(from)
	other, r, c := v.place(to)
	if face == other {
		for d := range board.Dir(4) {
			if dr, dc := d.Step(); row+dr == r && col+dc == c {
				return d
			}
		}
	}
	switch {
	case face == top && other == left:
		return board.South
	case face == top && other == right, face == left && other == right:
		return board.East
	case face == right && other == left:
		return board.West
	default:
		return board.North
	}
}

// fill reads the chains drawn on the screen of a puzzle, as a solution that has only
// the part already drawn, and tells from which ends chains are drawn.
func fill(seen *screen.Observation, p *Puzzle) (s *Solution, begun []bool, err error) {
	shown, v, err := readAll(seen)
	if err != nil {
		return nil, nil, err
	}
	if shown.side != p.side {
		return nil, nil, solvers.Refuse("the cube on the screen has %d columns a face, expected %d", shown.side, p.side)
	}
	s = &Solution{puzzle: p, colour: slices.Clone(p.colour)}
	begun = make([]bool, p.cells())
	for c := range board.Cell(p.cells()) {
		if (shown.colour[c] == stone) != (p.colour[c] == stone) || (shown.colour[c] >= 0) != (p.colour[c] >= 0) {
			return nil, nil, solvers.RefuseAt(c, "%s looks different from the puzzle's", p.Name(c))
		}
		if i := shown.colour[c]; i >= 0 {
			if pair := shown.ends[i]; p.colour[pair[0]] != p.colour[pair[1]] {
				return nil, nil, solvers.RefuseAt(c, "%s: the ends of a colour differ from the puzzle's", p.Name(c))
			}
			begun[c] = slices.Contains(v.links[c], true)
		}
		if v.look[c] != chain {
			continue
		}
		best, nearest := 0, math.Inf(1)
		for i, pair := range p.ends {
			if d := screen.Distance(v.colour[c], v.colour[pair[0]]); d < nearest {
				best, nearest = i, d
			}
		}
		if nearest > mostChainDistance {
			return nil, nil, solvers.RefuseAt(c, "%s: a chain of no end's colour", p.Name(c))
		}
		s.colour[c] = best
	}
	return s, begun, nil
}

// Locate tells where in the app the phone is.
func (Game) Locate(seen *screen.Observation) screen.Place {
	dark, light := DarkLook(), LightLook()
	return grid.LocateBoard(seen, 0, screen.OpaquePanel(dark.Bar, dark.Card, dark.Accent), screen.OpaquePanel(light.Bar, light.Card, light.Accent))
}
