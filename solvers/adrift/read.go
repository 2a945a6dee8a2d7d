package adrift

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// The measures of the spec, in its order. An end is a disc of radius 0.33
// pitches with a dark rim; a chain is 0.24 pitches wide and runs through the
// middle of its cells; a stone fills its cell but for a gap of 0.09, and its
// rim slants, light on the upper left and dark on the lower right.
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

func spec() screen.Spec {
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

		OneSolution: true,
	}
}

// What stands out from a cell's face by less than dim, of 255, is the face;
// what does by more than clear is on it. Between the two nothing is decided.
const (
	dim       = 24
	clear     = 34
	leastSure = 0.75 // confidence: the share of sides with a line
	leastSide = 0.12 // of the usual line
	uneven    = 34   // how much two places of a face may differ
)

// look is what a cell looks like.
type look int

const (
	odd look = iota // like nothing known
	empty
	end
	chain
	stoned
)

func lookOf(r []screen.Reading) look {
	ground := r[corner2].Colour
	onMiddle, onRing := screen.Contrast(r[middle].Colour, ground), screen.Contrast(r[ring].Colour, ground)
	inside := screen.Contrast(r[middle].Colour, r[ring].Colour)
	slope := screen.Intensity(r[corner1].Colour) - screen.Intensity(r[corner3].Colour)
	corners := 0 // the most that two corners differ
	for i := range 4 {
		for k := range i {
			corners = max(corners, screen.Contrast(r[corner1+i].Colour, r[corner1+k].Colour))
		}
	}
	switch {
	case slope >= clear && inside <= dim:
		if b := screen.Intensity(r[middle].Colour); b < screen.Intensity(r[corner1].Colour) && b > screen.Intensity(r[corner3].Colour) && grey(r[middle].Colour) {
			return stoned
		}
	case corners > dim:
	case onMiddle <= dim && onRing <= dim:
		for i := toNorth; i <= toWest; i++ {
			if screen.Contrast(r[i].Colour, ground) > uneven+clear {
				return odd
			}
		}
		return empty
	case onMiddle >= clear && onRing >= clear && inside <= dim && r[ring].Spread <= 6+0.1*float64(onRing):
		return end
	case onMiddle >= clear && r[middle].Spread <= 6+0.1*float64(onMiddle):
		return chain
	}
	return odd
}

// grey reports whether a colour has about no hue, on a screen of any colour.
func grey(c color.RGBA) bool {
	return float64(max(c.R, c.G, c.B)-min(c.R, c.G, c.B)) <= 12+0.12*screen.Intensity(c)
}

// picture is a board as it looks.
type picture struct {
	cube
	look   []look
	colour []color.RGBA // of the end or the chain on each cell
	links  [][]bool     // of each cell, by its neighbours in their order: a chain leads there
}

// read makes a puzzle of what was seen.
func read(seen *screen.Observation) (*Puzzle, error) {
	p, _, err := readAll(seen)
	return p, err
}

// readAll reads the board and the chains drawn on it.
func readAll(seen *screen.Observation) (*Puzzle, *picture, error) {
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
	if b.Ends, err = v.pairUp(ends); err != nil {
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

// checkObservation makes sure that an observation has what spec asked for.
func checkObservation(seen *screen.Observation) error {
	l := seen.Layout
	cells := l.Rows * l.Cols
	if err := solvers.CheckBoard(seen); err != nil {
		return err
	}
	switch {
	case l.Topology != screen.Cube || l.Rows != 3*l.Cols || l.Cols < MinSide || l.Cols > MaxSide:
		return solvers.Refuse("a %s of %d rows and %d columns, expected a cube of %d to %d columns", l.Topology, l.Rows, l.Cols, MinSide, MaxSide)
	case len(l.Centres) != cells || len(seen.Readings) != cells || len(seen.Horizontal) != cells+3*l.Cols || len(seen.Vertical) != cells+l.Rows:
		return solvers.Refuse("the observation of a cube of %d columns is not complete", l.Cols)
	}
	if err := solvers.CheckCells(seen, measures, "the cube's lines", leastSure); err != nil {
		return err
	}
	if len(seen.Doubts) > 0 {
		return solvers.Refuse("%s", strings.Join(seen.Doubts, "; "))
	}
	return nil
}

// newPicture tells what each cell is and where chains lead.
func newPicture(seen *screen.Observation) (*picture, error) {
	k := cube{seen.Layout.Cols}
	v := &picture{cube: k, look: make([]look, k.cells()), colour: make([]color.RGBA, k.cells()), links: make([][]bool, k.cells())}
	puzzle := &Puzzle{cube: k} // for names
	var missing int
	for _, lines := range [][]screen.Line{seen.Horizontal, seen.Vertical} {
		for _, line := range lines {
			if line.Support < leastSide {
				missing++
			}
		}
	}
	if missing > 0 {
		return nil, solvers.Refuse("%d of the lines between cells are not seen: something covers them", missing)
	}
	for c, r := range seen.Readings {
		v.look[c] = lookOf(r)
		switch v.look[c] {
		case odd:
			return nil, solvers.RefuseAt(board.Cell(c), "%s is neither empty nor an end nor a chain nor a stone", puzzle.Name(board.Cell(c)))
		case end:
			v.colour[c] = r[ring].Colour
		case chain:
			v.colour[c] = r[middle].Colour
		}
	}
	if err := v.checkFaces(seen, puzzle); err != nil {
		return nil, err
	}
	for c := range board.Cell(k.cells()) {
		near := v.neighbours(c)
		v.links[c] = make([]bool, len(near))
		if v.look[c] != end && v.look[c] != chain {
			continue
		}
		links := 0
		for i, n := range near {
			if v.leads(seen, c, n) && v.leads(seen, n, c) {
				v.links[c][i] = true
				links++
			}
		}
		if v.look[c] == end && links > 1 {
			return nil, solvers.RefuseAt(c, "%s: %d chains lead to one end", puzzle.Name(c), links)
		}
		if v.look[c] == chain && (links == 0 || links > 2) {
			return nil, solvers.RefuseAt(c, "%s: a chain over %d of the cell's sides", puzzle.Name(c), links)
		}
	}
	return v, nil
}

// checkFaces refuses a cube of which something covers a part: the ground of a
// face is of about one colour.
func (v *picture) checkFaces(seen *screen.Observation, puzzle *Puzzle) error {
	for face := range 3 {
		var levels [3][]uint8
		for i := range v.side * v.side {
			c := face*v.side*v.side + i
			if v.look[c] != stoned {
				ground := seen.Readings[c][corner2].Colour
				for k, value := range [3]uint8{ground.R, ground.G, ground.B} {
					levels[k] = append(levels[k], value)
				}
			}
		}
		if len(levels[0]) == 0 {
			continue
		}
		var usual [3]uint8
		for k := range levels {
			slices.Sort(levels[k])
			usual[k] = levels[k][len(levels[k])/2]
		}
		for i := range v.side * v.side {
			c := face*v.side*v.side + i
			if ground := seen.Readings[c][corner2].Colour; v.look[c] != stoned && screen.Contrast(ground, color.RGBA{usual[0], usual[1], usual[2], 255}) > uneven {
				return solvers.RefuseAt(board.Cell(c), "something covers %s", puzzle.Name(board.Cell(c)))
			}
		}
	}
	return nil
}

// leastShade is by how much the faces of a lit cube differ at least in
// brightness, of 255, however dimmed the screen is.
const leastShade = 5

// distinguish refuses a cube that is nothing but lines: one without stones of
// which the top is not the brightest face and the right one the darkest.
func distinguish(seen *screen.Observation, p *Puzzle) error {
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
func (v *picture) leads(seen *screen.Observation, from, to board.Cell) bool {
	if v.look[from] != end && v.look[from] != chain {
		return false
	}
	r := seen.Readings[from]
	out := r[toNorth+int(v.sideTo(from, to))].Colour
	return screen.Distance(out, v.colour[from]) < 0.4*screen.Distance(v.colour[from], r[corner2].Colour)
}

// sideTo is the side of a cell that a neighbour lies on.
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

// pairUp finds the two ends of each colour. No palette is known: two ends
// belong together when each is the other's nearest and every other is far.
func (v *picture) pairUp(ends []board.Cell) ([][2]board.Cell, error) {
	name := (&Puzzle{cube: v.cube}).Name
	if len(ends) < 2 {
		return nil, solvers.Refuse("ends found: %d, expected at least one pair", len(ends))
	}
	var brightest uint8
	for _, c := range ends {
		brightest = max(brightest, v.colour[c].R, v.colour[c].G, v.colour[c].B)
	}
	scale := float64(brightest) / 255
	mates := make(map[board.Cell]board.Cell, len(ends))
	for _, c := range ends {
		nearest, next := math.Inf(1), math.Inf(1)
		mate := board.None
		for _, other := range ends {
			if other == c {
				continue
			}
			if d := screen.Distance(v.colour[c], v.colour[other]); d < nearest {
				mate, nearest, next = other, d, nearest
			} else if d < next {
				next = d
			}
		}
		if nearest > 30*scale {
			return nil, solvers.RefuseBoth(c, mate, "the end at %s has no other of its colour: the nearest, at %s, is off by %.0f", name(c), name(mate), nearest)
		}
		if next < 2*nearest+16*scale {
			return nil, solvers.RefuseAt(c, "the end at %s has two others of about its colour, off by %.0f and %.0f", name(c), nearest, next)
		}
		mates[c] = mate
	}
	var pairs [][2]board.Cell
	for _, c := range ends {
		mate := mates[c]
		if mates[mate] != c {
			return nil, solvers.RefuseAt(c, "the end at %s has no other of its colour", name(c))
		}
		if c < mate {
			pairs = append(pairs, [2]board.Cell{c, mate})
		}
	}
	return pairs, nil
}

// fill reads the chains drawn on the screen of a puzzle, as a solution of which
// only the drawn part is there, and tells which ends chains are drawn from.
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
		if nearest > 40 {
			return nil, nil, solvers.RefuseAt(c, "%s: a chain of no end's colour", p.Name(c))
		}
		s.colour[c] = best
	}
	return s, begun, nil
}

// locate tells where in the app the phone is.
func locate(seen *screen.Observation) screen.Place {
	if panel, ok := seen.Panel(); ok {
		return panel.Place(panelLook(darkLook), panelLook(lightLook))
	}
	if l := seen.Layout; l.Rows > 0 && l.Topology == screen.Cube {
		return screen.Place{Kind: screen.Level, Reason: fmt.Sprintf("a cube of %d columns a face", l.Cols)}
	}
	return screen.Place{Kind: screen.Elsewhere, Reason: "no cube and no panel"}
}

// panelLook is what a panel of the app looks like.
func panelLook(l simLook) screen.PanelLook {
	return screen.PanelLook{Bar: color.RGBA(l.bar), Fill: color.RGBA(l.card), Button: color.RGBA(l.accent)}
}
