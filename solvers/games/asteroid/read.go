package asteroid

import (
	"errors"
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

// probe is a place on a tile where the colour is measured, in units from the tile's
// centre: x to the right and y down.
type probe struct{ x, y float64 }

// The probes, in the order of the spec's measures. The covered ones tell the piece:
// an asteroid that sticks out of its tile covers inner probes of that tile, but never
// those of another.
const (
	middle     = 0
	inner      = middle + 1 // towards the corners: top left, top right, bottom left, bottom right
	corner     = inner + 4  // on the corner units
	side       = corner + 4 // on the edge units: up, right, down, left
	rimmed     = side + 4   // at the tile's rim, two a side
	probeCount = rimmed + 8
)

func probes() []probe {
	list := []probe{{}}
	for _, distance := range []float64{0.55, 1} {
		for _, y := range []float64{-distance, distance} {
			for _, x := range []float64{-distance, distance} {
				list = append(list, probe{x, y})
			}
		}
	}
	const near, far, rim = 0.5, 0.9, 1.36
	return append(list,
		probe{0, -far}, probe{far, 0}, probe{0, far}, probe{-far, 0},
		probe{-near, -rim}, probe{near, -rim}, probe{rim, -near}, probe{rim, near},
		probe{near, rim}, probe{-near, rim}, probe{-rim, near}, probe{-rim, -near})
}

// Spec is a board of 3×3 squares, dark or light, and where to look on a tile.
func (Game) Spec() screen.Spec {
	s := screen.Spec{
		Topologies: []screen.Topology{screen.Square},
		MinSide:    size.Rows,
		MaxSide:    size.Rows,
		Either:     true,
		Boxes:      true,
	}
	for i, p := range probes() {
		radius := 0.09
		if i >= rimmed {
			radius = 0.06
		}
		s.Measures = append(s.Measures, screen.Measure{Name: fmt.Sprintf("probe%d", i), X: p.x / 3, Y: p.y / 3, Radius: radius / 3})
	}
	return s
}

// standard are the pieces of the game's box, each kind by its first orientation.
var standard = []struct {
	first piece
	name  string
	count int
}{
	{hole, "nothing", 1},
	{spacecraft, "the spacecraft", 1},
	{oneSmall, "one small asteroid", 3},
	{oppositeSmall, "small asteroids in opposite corners", 1},
	{edgeSmall, "small asteroids along an edge", 1},
	{bigCorner, "a big asteroid in a corner", 1},
	{bigEdge, "a big asteroid along an edge", 1},
}

// firstOf is the first orientation of a piece's kind.
func firstOf(p piece) piece {
	first := hole
	for _, kind := range standard {
		if p >= kind.first {
			first = kind.first
		}
	}
	return first
}

// Read makes a puzzle of the position on the screen.
func (g Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	if err := grid.CheckUncovered(g.Locate(seen)); err != nil {
		return nil, err
	}
	at, err := readTiles(seen)
	if errors.Is(err, errLeft) {
		return nil, solvers.Refuse("%v", err)
	}
	if err != nil {
		return nil, err
	}
	p, err := newPuzzle(at)
	if err != nil {
		return nil, solvers.Refuse("%s", strings.TrimPrefix(err.Error(), "asteroid: "))
	}
	// All levels have the same pieces, those of the game's box.
	var have [pieces]int
	for _, k := range at {
		have[firstOf(k)]++
	}
	for _, kind := range standard {
		if have[kind.first] != kind.count {
			return nil, solvers.Refuse("%d tiles with %s, expected %d", have[kind.first], kind.name, kind.count)
		}
	}
	return p, nil
}

// picture is a board as it looks.
type picture struct {
	readings [][]screen.Reading
	tile     color.RGBA // of a tile without anything on it
	floor    color.RGBA // of the hole
}

// The limits of what covers a probe: contrasts, in levels of 0 to 255. Between plain
// and covered nothing is decided.
const (
	plain   = 9  // with a tile or the floor: nothing covers the probe
	covered = 28 // with a tile and the floor: something does
	deep    = 14 // of the hole's floor and the tiles
	alien   = 40 // of an asteroid and the spacecraft
)

// leastSure is the least confidence in the lattice, 0 to 1.
const leastSure = 0.35

// isClear reports whether nothing covers a probe of a tile, or of the hole.
func (v *picture) isClear(c board.Cell, i int, empty bool) bool {
	ground := v.tile
	if empty {
		ground = v.floor
	}
	return screen.Contrast(v.readings[c][i].Colour, ground) <= plain
}

// isCovered reports whether something covers a probe.
func (v *picture) isCovered(c board.Cell, i int) bool {
	colour := v.readings[c][i].Colour
	return screen.Contrast(colour, v.tile) >= covered && screen.Contrast(colour, v.floor) >= covered
}

// readTiles finds out what each tile carries, and refuses a board with anything else
// on it.
func readTiles(seen *screen.Observation) (at [cells]piece, err error) {
	if err := grid.CheckSure(Game{}.Spec(), seen, "the board's lines", leastSure); err != nil {
		return at, err
	}
	v := &picture{readings: seen.Readings}
	empty, err := v.findHole()
	if err != nil {
		return at, err
	}
	ship, err := v.findSpacecraft(empty)
	if err != nil {
		return at, err
	}
	at[ship] = spacecraft
	for c := range board.Cell(cells) {
		if c != empty && c != ship {
			if at[c], err = v.bigRock(c); err != nil {
				return at, err
			}
		}
	}
	large := at // small rocks are where nothing large is
	all := probes()
	for c := range board.Cell(cells) {
		if c == empty || large[c] != hole {
			continue
		}
		text := []byte("    ")
		for i := range text {
			p := all[corner+i]
			if gap(large, c, p) < sure {
				continue
			}
			switch {
			case v.isCovered(c, corner+i):
				text[i] = 'a'
			case !v.isClear(c, corner+i, false):
				return at, solvers.RefuseAt(c, "%s: neither a small asteroid nor none", size.Name(c))
			}
		}
		k := slices.Index(corners[:], string(text))
		if k <= 0 {
			return at, solvers.RefuseAt(c, "%s: no tile of the game, with small asteroids at %q", size.Name(c), text)
		}
		at[c] = piece(k)
	}
	return at, v.explain(at, empty, ship)
}

// explain wants every probe to look as it should with the pieces found.
func (v *picture) explain(at [cells]piece, empty, ship board.Cell) error {
	craft := v.readings[ship][corner].Colour
	for c := range board.Cell(cells) {
		for i, p := range probes() {
			switch g := gap(at, c, p); {
			case g > sure && !v.isClear(c, i, c == empty):
				return solvers.RefuseAt(c, "%s: something of no piece", size.Name(c))
			case g < -sure && !v.isCovered(c, i):
				return solvers.RefuseAt(c, "%s: a part of a piece is missing", size.Name(c))
			case g < -sure && i != middle:
				// The spacecraft looks like no asteroid.
				var only [cells]piece
				only[ship] = spacecraft
				part := gap(only, c, p) < -sure
				if off := screen.Contrast(v.readings[c][i].Colour, craft); part && off > alien || !part && off < alien {
					return solvers.RefuseAt(c, "%s: spacecraft and asteroids cannot be told apart", size.Name(c))
				}
			}
		}
	}
	return nil
}

// findHole finds the place without a tile: the only one of another colour than the
// tiles. It also measures the colours of tiles and floor.
func (v *picture) findHole() (board.Cell, error) {
	var colours screen.ColourHistogram
	for _, r := range v.readings {
		for _, reading := range r[:corner] {
			colours.Add(reading.Colour)
		}
	}
	v.tile = colours.Median()
	found := board.None
	for c, r := range v.readings {
		even := true
		for _, reading := range r[:corner] {
			even = even && screen.Contrast(reading.Colour, r[middle].Colour) <= plain
		}
		if !even || screen.Contrast(r[middle].Colour, v.tile) < deep {
			continue
		}
		if found != board.None {
			if c == int(door) || found == door {
				return board.None, errLeft
			}
			return board.None, solvers.RefuseBoth(found, board.Cell(c), "two places without a tile, %s and %s, expected one", size.Name(found), size.Name(board.Cell(c)))
		}
		found = board.Cell(c)
		v.floor = r[middle].Colour
	}
	if found == board.None {
		return board.None, solvers.Refuse("no place without a tile, expected one")
	}
	return found, nil
}

// findSpacecraft finds the tile with the spacecraft, whose body covers the
// tile from top to bottom.
func (v *picture) findSpacecraft(empty board.Cell) (board.Cell, error) {
	found := board.None
	for c := range board.Cell(cells) {
		if c == empty {
			continue
		}
		all := true
		for _, i := range []int{middle, side, side + 2, corner, corner + 1} {
			all = all && v.isCovered(c, i)
		}
		if !all || !v.isClear(c, inner+2, false) || !v.isClear(c, inner+3, false) {
			continue
		}
		if found != board.None {
			return board.None, solvers.RefuseBoth(found, c, "two spacecraft, at %s and %s, expected one", size.Name(found), size.Name(c))
		}
		found = c
	}
	if found == board.None {
		return board.None, solvers.Refuse("no spacecraft, expected one")
	}
	return found, nil
}

// bigRock is the piece of a tile with big asteroids, which cover inner probes; hole
// when there is none.
func (v *picture) bigRock(c board.Cell) (piece, error) {
	text := []byte("    ")
	for i := range text {
		switch {
		case v.isCovered(c, inner+i):
			text[i] = 'A'
		case !v.isClear(c, inner+i, false):
			return hole, solvers.RefuseAt(c, "%s: neither a big asteroid nor none", size.Name(c))
		}
	}
	k := slices.Index(corners[:], string(text))
	if k < 0 {
		return hole, solvers.RefuseAt(c, "%s: no tile of the game, with big asteroids at %q", size.Name(c), text)
	}
	return piece(k), nil
}

// sure is the least distance of a probe from an outline, in units, with which it is
// clear or covered with certainty.
const sure = 0.12

// gap is the distance of a probe from the nearest piece of a board, in units; within
// a piece it is negative.
func gap(at [cells]piece, c board.Cell, p probe) float64 {
	nearest := math.Inf(1)
	for d, k := range at {
		from := probe{
			p.x + 3*float64(size.Col(c)-size.Col(board.Cell(d))),
			p.y + 3*float64(size.Row(c)-size.Row(board.Cell(d))),
		}
		nearest = min(nearest, from.gapTo(k))
	}
	return nearest
}

// gapTo is the distance of a probe from a piece on its tile, as it is usually drawn,
// in units.
func (p probe) gapTo(k piece) float64 {
	if k == spacecraft {
		wing := p.toCapsule(-2.13, -0.97, 2.13, -0.97, 0.31)
		// The body tapers from below its middle on.
		wide := 0.45 - 0.25*max(0, p.y-0.3)
		body := max(math.Abs(p.x)-wide, -1.25-p.y, p.y-1.3)
		return min(wing, body)
	}
	nearest := math.Inf(1)
	text := k.String()
	for i, s := range [4]probe{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		switch {
		case text[i] == 'a':
			nearest = min(nearest, p.toCapsule(s.x, s.y, s.x, s.y, 0.41))
		case text[i] != 'A':
		case text[i^1] == 'A': // along the top or the bottom
			nearest = min(nearest, p.toCapsule(-0.27, 1.2*s.y, 0.27, 1.2*s.y, 1.1))
		case text[i^2] == 'A': // along the left or the right
			nearest = min(nearest, p.toCapsule(1.2*s.x, -0.27, 1.2*s.x, 0.27, 1.1))
		default:
			nearest = min(nearest, p.toCapsule(1.15*s.x, 1.15*s.y, 1.15*s.x, 1.15*s.y, 1.15))
		}
	}
	return nearest
}

// toCapsule is the distance from a capsule: the places within a radius of the line
// between two points.
func (p probe) toCapsule(x0, y0, x1, y1, radius float64) float64 {
	dx, dy := x1-x0, y1-y0
	part := 0.0
	if length := dx*dx + dy*dy; length > 0 {
		part = min(max(((p.x-x0)*dx+(p.y-y0)*dy)/length, 0), 1)
	}
	return math.Hypot(p.x-x0-part*dx, p.y-y0-part*dy) - radius
}

// Locate tells where in the app the phone is.
func (Game) Locate(seen *screen.Observation) screen.Place {
	var own []screen.PanelLook
	for _, l := range []Look{SpaceLook(), FlatLook()} {
		own = append(own, screen.OpaquePanel(l.Accent, l.Ground, l.Ground))
	}
	return grid.LocateBoard(seen, leastSure, own...)
}
