package flow

import (
	"math"

	"tapwise/solvers/screen"
)

// The measures of the spec, in its order. An end is a disc of radius 0.35
// pitches; a pipe is 0.34 pitches wide and runs through the middle of its
// cells. So a ring of radius 0.27 lies wholly on an end and mostly off a pipe.
const (
	centre  = iota
	ring    // on an end, but not under the letter or the check mark on it
	rim     // off the end, within its cell
	inside  // the whole cell
	toNorth // where a pipe would leave over each side
	toEast
	toSouth
	toWest
	toNorthEast // the same on hexagons, in addition to north and south
	toSouthEast
	toSouthWest
	toNorthWest
	corner   // where the lines of a bridge meet, in the four corners
	measures = corner + 4
)

// Spec is a dark board of squares with bright lines, and where in a cell to
// look for ends and pipes.
func (Game) Spec() screen.Spec {
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
	}
}

// exits are the measures where a pipe would leave a cell, by direction.
func exits(t Topology) []int {
	if t == Hex {
		return []int{toNorth, toNorthEast, toSouthEast, toSouth, toSouthWest, toNorthWest}
	}
	return []int{toNorth, toEast, toSouth, toWest}
}

// look is the kind of thing that a cell looks like.
type look int

const (
	odd      look = iota // like nothing known
	empty                // the background all over
	end                  // a disc
	pipe                 // a pipe leads through the middle or ends there
	crossing             // a bridge, with pipes or without
)

// The limits of what is on a cell, in levels of 0 to 255: contrasts with the
// cell's background and spreads of readings. A place whose contrast lies between
// mostGround and leastMark is neither, and so the cell is odd.
const (
	mostGround = 38 // the background: glow and tints stand out less
	leastMark  = 48 // something is drawn there

	mostMarkSpread = 4   // of an end or a pipe, which have one colour,
	markNoise      = 0.1 // and the increase for each level of its contrast

	leastLineSpread    = 18 // a corner of a cell with the lines of a bridge in it
	mostCrossingSpread = 12 // the middle of a bridge

	// An empty cell: something thin may lie over it.
	mostEmptyInside = 40
	mostEmptyCentre = 60
	mostEmptyRing   = 30

	mostExitSpread = 24 // a pipe fills the place where it leaves a cell,
	// and its colour there differs from that in the cell by less than this share
	// of the difference from the background.
	mostExitShare = 0.4
)

func lookOf(r []screen.Reading) look {
	corners := linedCorners(r)
	onRing := screen.Contrast(r[ring].Colour, r[rim].Colour)
	onCentre := screen.Contrast(r[centre].Colour, r[rim].Colour)
	switch {
	case isMark(r[ring], r[rim]):
		return end
	case corners == 4 && r[centre].Spread <= mostCrossingSpread:
		return crossing
	case onRing <= mostGround && onCentre <= mostGround && corners < 3 &&
		r[inside].Spread <= mostEmptyInside && r[centre].Spread <= mostEmptyCentre && r[ring].Spread <= mostEmptyRing:
		return empty
	case isMark(r[centre], r[rim]):
		return pipe
	}
	return odd
}

// isMark reports whether something of one colour, brighter than the background,
// is drawn at a place.
func isMark(at, background screen.Reading) bool {
	contrast := screen.Contrast(at.Colour, background.Colour)
	return contrast >= leastMark && at.Spread <= mostMarkSpread+markNoise*float64(contrast) &&
		screen.Value(at.Colour) > screen.Value(background.Colour)
}

// linedCorners is the number of corners with lines in them, of a cell with
// neither an end nor a pipe.
func linedCorners(r []screen.Reading) int {
	n := 0
	for i := range 4 {
		if at := r[corner+i]; at.Spread >= leastLineSpread || screen.Contrast(at.Colour, r[rim].Colour) > leastMark {
			n++
		}
	}
	return n
}

// readCells finds out what is on each cell, and over which of its sides a pipe
// leads.
func (v *picture) readCells() {
	for c, r := range v.seen.Readings {
		v.look[c] = lookOf(r)
		v.rim[c] = screen.Value(r[rim].Colour)
		switch v.look[c] {
		case end:
			v.colour[c] = r[ring].Colour
		case pipe:
			v.colour[c] = r[centre].Colour
		default:
			continue
		}
		contrast := screen.Distance(v.colour[c], r[rim].Colour)
		for d, at := range exits(v.grid.topology) {
			v.links[c][d] = screen.Distance(r[at].Colour, v.colour[c]) < mostExitShare*contrast && r[at].Spread <= mostExitSpread
		}
	}
}
