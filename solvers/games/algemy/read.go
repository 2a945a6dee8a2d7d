package algemy

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// The measures of the spec, in its order. A crystal is a small cube inside a
// big one, both seen along a diagonal: hexagons that stand on a corner, with a
// line from the middle to every other corner. The big one's radius is about
// 0.42 pitches, the small one's 0.23.
const (
	core      = iota          // the middle: of a source, its dark spot
	body                      // around it: of a source, its colour
	inside                    // the whole of what lies in the cell
	innerFace                 // the middles of the small cube's faces: top, right, left
	outerFace = innerFace + 3 // those of the big one's, beside the small one
	corner    = outerFace + 3 // where the big cube has its corners, clockwise from the top
	flat      = corner + 6    // where the small one has the middles of its sides, clockwise
	axis      = flat + 6      // between crystal and cell, where beams would be
	wheel     = axis + 8      // where the colours of an open wheel would lie
	measures  = wheel + 6
)

// Spec is a board of squares or a hexagon, dark or light, and where in a cell
// to look for crystals, light sources and beams.
func (Game) Spec() screen.Spec {
	var list []screen.Measure
	at := func(name string, sixths, distance, radius float64) {
		sin, cos := math.Sincos(sixths * math.Pi / 3)
		list = append(list, screen.Measure{Name: name, X: distance * sin, Y: -distance * cos, Radius: radius})
	}
	list = append(list,
		screen.Measure{Name: "core", Radius: 0.07},
		screen.Measure{Name: "body", Inner: 0.17, Radius: 0.28},
		screen.Measure{Name: "inside", Radius: 0.33})
	for i, face := range []string{"top", "right", "left"} {
		at("inner-"+face, float64(2*i), 0.115, 0.04)
	}
	for i, face := range []string{"top", "right", "left"} {
		at("outer-"+face, float64(2*i), 0.325, 0.035)
	}
	for i := range 6 {
		at(fmt.Sprintf("corner%d", i), float64(i), 0.42, 0.04)
	}
	for i := range 6 {
		at(fmt.Sprintf("flat%d", i), float64(i)+0.5, 0.2, 0.035)
	}
	for i := range 6 {
		at(fmt.Sprintf("axis%d", i), float64(i)+0.5, 0.44, 0.025)
	}
	list = append(list,
		screen.Measure{Name: "axis-up", X: 0.04, Y: -0.463, Radius: 0.02},
		screen.Measure{Name: "axis-down", X: 0.04, Y: 0.463, Radius: 0.02})
	for i := range 6 {
		at("wheel-"+colourLetters[i:i+1], float64(i), wheelRadius, 0.06)
	}
	return screen.Spec{
		Topologies: []screen.Topology{screen.Square, screen.HexRows},
		MinSide:    MinSide,
		MaxSide:    MaxSide,
		Either:     true,
		Measures:   list,
		Boxes:      true,
	}
}

// picture is a board as it looks.
type picture struct {
	*Puzzle            // its colours are not decided
	filled  []bool     // by cell: its crystal is filled with colour
	sources []Colour   // by cell: the light source on it, or noSource
	ground  color.RGBA // the background
	noise   float64    // the spread of readings of one colour
}

// The contrast with the background, 0 to 255: at most plain it is the background, and
// from drawn on something is drawn there. Between the two nothing is decided.
const (
	plain = 26
	drawn = 42

	bleeding = 3 // times the contrast of a face: that of another face whose colour bled into it
)

// newPicture is a board with nothing on it.
func newPicture(g lattice) *picture {
	return &picture{
		Puzzle:  &Puzzle{lattice: g, crystals: slices.Repeat([]Crystal{Empty}, g.cells())},
		filled:  make([]bool, g.cells()),
		sources: slices.Repeat([]Colour{noSource}, g.cells()),
	}
}

// look finds out what is on each cell of a board.
func look(seen *screen.Observation) (*picture, error) {
	g, err := latticeOf(seen)
	if err != nil {
		return nil, err
	}
	v := newPicture(g)
	v.measureGround(seen)
	for c, r := range seen.Readings {
		if isWheel(r) {
			return nil, solvers.RefuseAt(board.Cell(c), "the wheel of colours around %s covers the board", g.Name(board.Cell(c)))
		}
	}
	if err := checkLines(seen); err != nil {
		return nil, err
	}
	for c, r := range seen.Readings {
		if err := v.lookAt(board.Cell(c), r); err != nil {
			return nil, solvers.RefuseAt(board.Cell(c), "%s: %v", g.Name(board.Cell(c)), err)
		}
	}
	if err := v.checkFilled(); err != nil {
		return nil, err
	}
	return v, nil
}

// latticeOf makes sure that an observation shows a board of the game, with all that
// spec asked for.
func latticeOf(seen *screen.Observation) (lattice, error) {
	l, shape, least := seen.Layout, Square, 0.4 // beams and crystals have upright edges, too
	if l.Topology == screen.HexRows {
		shape, least = Hexagon, 0.5
	}
	if err := grid.CheckSure(Game{}.Spec(), seen, "the board's lines", least); err != nil {
		return lattice{}, err
	}
	rows, cols := l.Sides()
	if rows != cols {
		return lattice{}, solvers.Refuse("a board of %d columns and %d rows, expected as many of both", cols, rows)
	}
	return newLattice(shape, rows), nil
}

// checkLines wants a line on every side of every cell of a square board. Where
// the board touches the frame's rim its outer lines may be cut off.
func checkLines(seen *screen.Observation) error {
	l := seen.Layout
	if l.Topology != screen.Square {
		return nil
	}
	margin := l.Pitch / 10
	b, size := l.Board, seen.On.Size
	cut := [4]bool{float64(b.Min.Y) < margin, float64(size.Y-b.Max.Y) < margin, float64(b.Min.X) < margin, float64(size.X-b.Max.X) < margin}
	for i, line := range seen.Horizontal {
		row := i / l.Cols
		if line.Support < 0.5 && !(row == 0 && cut[0]) && !(row == l.Rows && cut[1]) {
			return solvers.RefuseAt(board.Cell(min(i, len(l.Centres)-1)), "no line above row %d column %d, expected one", row+1, i%l.Cols+1)
		}
	}
	for i, line := range seen.Vertical {
		col := i % (l.Cols + 1)
		if line.Support < 0.5 && !(col == 0 && cut[2]) && !(col == l.Cols && cut[3]) {
			return solvers.RefuseAt(board.Cell(i/(l.Cols+1)*l.Cols+min(col, l.Cols-1)), "no line left of row %d column %d, expected one", i/(l.Cols+1)+1, col+1)
		}
	}
	return nil
}

// measureGround finds the background: the most frequent colour beside the crystals,
// where there may be many beams of many colours.
func (v *picture) measureGround(seen *screen.Observation) {
	const alike, candidates = 12, 64
	var colours []color.RGBA
	var spreads []float64
	for _, r := range seen.Readings {
		for _, reading := range r[corner:wheel] {
			spreads = append(spreads, reading.Spread)
		}
		for i := range 6 {
			colours = append(colours, r[corner+i].Colour, r[axis+i].Colour)
		}
	}
	most := 0
	var common color.RGBA
	tried := map[color.RGBA]bool{}
	for i := 0; i < len(colours); i += len(colours)/candidates + 1 {
		if tried[colours[i]] {
			continue
		}
		tried[colours[i]] = true
		like := 0
		for _, c := range colours {
			if screen.Contrast(c, colours[i]) <= alike {
				like++
			}
		}
		if like > most {
			most, common = like, colours[i]
		}
	}
	colours = slices.DeleteFunc(colours, func(c color.RGBA) bool { return screen.Contrast(c, common) > alike })
	slices.Sort(spreads)
	v.ground = screen.MedianColour(colours)
	v.noise = spreads[len(spreads)/6]
}

// isLined reports whether there are lines in the place of a reading, and isClean
// that there are none.
func (v *picture) isLined(r screen.Reading) bool { return r.Spread >= 9+1.8*v.noise }
func (v *picture) isClean(r screen.Reading) bool { return r.Spread <= 6+1.8*v.noise }

// isEdged reports whether there are lines as strong as a crystal's outline.
func (v *picture) isEdged(r screen.Reading) bool { return r.Spread >= 15+1.2*v.noise }

// isPlain reports whether a reading has the background's colour, and isDrawn that it
// has another.
func (v *picture) isPlain(r screen.Reading) bool { return screen.Contrast(r.Colour, v.ground) <= plain }
func (v *picture) isDrawn(r screen.Reading) bool { return screen.Contrast(r.Colour, v.ground) >= drawn }

// isBare reports whether a reading shows nothing but background, with any noise.
func (v *picture) isBare(r screen.Reading) bool { return v.isPlain(r) && r.Spread <= 5 }

// count is the number of readings with a property.
func count(readings []screen.Reading, property func(screen.Reading) bool) int {
	n := 0
	for _, r := range readings {
		if property(r) {
			n++
		}
	}
	return n
}

// lookAt finds out what is on a cell.
func (v *picture) lookAt(c board.Cell, r []screen.Reading) error {
	switch {
	case v.isEmpty(r):
		return nil
	case v.isSource(r):
		colour, ok := colourOf(r[body].Colour)
		if !ok {
			return fmt.Errorf("a light source of colour %s, expected one of %s", hex(r[body].Colour), colourLetters)
		}
		v.sources[c] = colour
		return nil
	case v.isOutlined(r) || v.isFull(r):
		return v.lookAtCrystal(c, r)
	case v.isLit(r) || v.isMarked(r):
		return nil
	}
	return fmt.Errorf("neither empty nor a light source nor a crystal")
}

// isEmpty reports whether there is nothing but background where a crystal has its
// lines.
func (v *picture) isEmpty(r []screen.Reading) bool {
	return v.isPlain(r[inside]) && v.isClean(r[inside]) && v.isPlain(r[core]) && v.isClean(r[core])
}

// isLit reports whether there is nothing but beams: background away from the axes
// of the board, and no corner of a crystal.
func (v *picture) isLit(r []screen.Reading) bool {
	beside := []int{corner + 1, corner + 2, corner + 4, corner + 5}
	if v.shape == Hexagon {
		beside = append(beside, corner, corner+3)
	} else {
		beside = append(beside, axis, axis+2, axis+3, axis+5)
	}
	calm, grazed := 0, 0 // where cells are small a beam may graze corners
	for _, i := range beside {
		switch {
		case v.betweenBeams(r, i):
			calm++
		case !v.isPlain(r[i]):
			return false
		case r[i].Spread <= 10+1.8*v.noise:
			calm++
		case v.isEdged(r[i]):
			grazed++
		}
	}
	if grazed > 2 || grazed > 0 && 2*calm < len(beside) || !v.isDrawn(r[core]) {
		return false
	}
	// A beam goes through the cell from side to side; a crystal filled with colour
	// may look like one on one side, when the picture is not sharp. A line drawn in
	// an explanation ends within a cell, and leaves bare the faces that are coloured
	// in a crystal.
	if count(r[outerFace+1:outerFace+3], v.isBare) == 2 && count(r[axis:axis+8], v.isDrawn) > 0 {
		return true
	}
	through := [][2]int{{1, 4}, {6, 7}}
	if v.shape == Hexagon {
		through = [][2]int{{0, 3}, {1, 4}, {2, 5}}
	}
	return slices.ContainsFunc(through, func(ends [2]int) bool {
		from, to := r[axis+ends[0]], r[axis+ends[1]]
		most := 60
		if v.isEdged(from) || v.isEdged(to) {
			most = 90 // a line between cells grazes it
		}
		return v.isDrawn(from) && v.isDrawn(to) && screen.Contrast(from.Colour, to.Colour) <= most
	})
}

// betweenBeams reports whether there is hardly anything in the place of a corner of a
// hexagonal cell that beams pass on both sides, which graze it where cells are small.
func (v *picture) betweenBeams(r []screen.Reading, i int) bool {
	k := i - corner
	return v.shape == Hexagon && k >= 0 && k < 6 && !v.isDrawn(r[i]) && v.isDrawn(r[axis+k]) && v.isDrawn(r[axis+(k+5)%6])
}

// isMarked reports whether there is nothing but thin marks in the middle: background
// where a crystal has its corners and a light source its colour.
func (v *picture) isMarked(r []screen.Reading) bool {
	beside := r[corner : corner+6]
	return count(beside, v.isBare) == 6 && count(r[outerFace:outerFace+3], v.isPlain) == 3 && v.isPlain(r[body])
}

// isSource reports whether there is a light source: a disc of one colour with
// a dark spot, whose beams leave to all sides. Its own beams may graze up to four of
// the places where a crystal has its corners.
func (v *picture) isSource(r []screen.Reading) bool {
	beams := []int{axis + 1, axis + 4, axis + 6, axis + 7}
	if v.shape == Hexagon {
		beams = []int{axis, axis + 1, axis + 2, axis + 3, axis + 4, axis + 5}
	}
	for _, i := range beams {
		if !v.isDrawn(r[i]) {
			return false
		}
	}
	return v.isDrawn(r[body]) && r[body].Spread <= 22+v.noise &&
		2*int(screen.Value(r[core].Colour)) < int(screen.Value(r[body].Colour)) &&
		count(r[corner:corner+6], v.isEdged) <= 4
}

// isOutlined reports whether there is the outline of a crystal: lines at its corners.
// Where cells are small or not sharp, a line may take all of such a place.
func (v *picture) isOutlined(r []screen.Reading) bool {
	corners := r[corner : corner+6]
	edged := count(corners, v.isEdged)
	return edged >= 5 || count(corners, v.isDrawn) == 6 && (edged >= 4 || count(corners, v.isLined) >= 5)
}

// isFull reports whether there is a crystal filled with colour, whose outline need
// not be seen: colour in all of its faces and background around it. Where hexagons are
// narrow, the lines between them graze some of the places around it, and one always
// stands above and below its corners.
func (v *picture) isFull(r []screen.Reading) bool {
	around, least := r[axis:axis+8], 8
	if v.shape == Hexagon {
		around, least = r[axis:axis+6], 4
	}
	return count(r[innerFace:outerFace+3], v.isDrawn) == 6 && count(around, v.isPlain) >= least && (least == len(around) || count(around, v.isDrawn) <= 1)
}

// lookAtCrystal finds out the colour of a crystal, which has the outline of the big
// cube or is filled with colour. A filled crystal may be orange or brown: then it
// stays orange until checkFilled.
func (v *picture) lookAtCrystal(c board.Cell, r []screen.Reading) error {
	inner, outer := r[innerFace:innerFace+3], r[outerFace:outerFace+3]
	blank := v.blankFaces(inner)
	for i, face := range inner {
		if !blank[i] && !v.isDrawn(face) {
			return fmt.Errorf("a crystal with a face of colour %s, neither plain nor coloured", hex(face.Colour))
		}
	}
	v.filled[c] = count(outer, v.isDrawn) == 3
	if !v.filled[c] && count(outer, v.isPlain) < 2 {
		return fmt.Errorf("a crystal half full of colour")
	}
	if v.filled[c] {
		inner = v.calmest(r[innerFace : outerFace+3]) // all of one colour
	}
	faces, shown, err := v.facesOf(inner)
	if err != nil {
		return err
	}
	if v.filled[c] && count(r[innerFace:outerFace+3], v.isDrawn) < 6 {
		return fmt.Errorf("a crystal half full of colour")
	}
	cube := count(r[flat:flat+6], func(r screen.Reading) bool {
		// Where cells are small, a line may take all of such a place.
		return v.isLined(r) || v.isDrawn(r) && screen.Contrast(r.Colour, shown) >= drawn
	})
	if faces == 0 || v.filled[c] && saturation(shown) < 0.3 {
		if cube > 1 {
			return fmt.Errorf("a crystal without a colour")
		}
		v.crystals[c] = WhiteCrystal
		return nil
	}
	if cube < 5 {
		return fmt.Errorf("a crystal without a small cube")
	}
	colour, ok := colourOf(shown)
	if !ok {
		return fmt.Errorf("a crystal of colour %s, expected one of %s", hex(shown), crystalLetters)
	}
	v.crystals[c] = Crystal(colourLetters[colour])
	if v.filled[c] {
		return nil
	}
	if faces == TopFace|LeftFace|RightFace && colour == Orange {
		v.crystals[c] = BrownCrystal
	}
	if v.crystals[c].Faces() != faces {
		return fmt.Errorf("a crystal with the colour of %s on other faces than that has", v.crystals[c])
	}
	return nil
}

// calmest are the readings of a full crystal's six faces, except for at most two on which
// a line lies: where cells are narrow, there is hardly room for the places of the faces
// between the lines.
func (v *picture) calmest(faces []screen.Reading) []screen.Reading {
	calm := slices.DeleteFunc(slices.Clone(faces), v.isEdged)
	if len(calm) < 4 {
		return faces
	}
	return calm
}

// blankFaces tells which of a crystal's faces have no colour: those that are plain, and those
// on which there is only a little of what another has, as compression spreads colours where
// cells are small. The faces of a crystal have to fit its colour, so that a mistake is refused.
func (v *picture) blankFaces(faces []screen.Reading) []bool {
	most := 0
	for _, face := range faces {
		most = max(most, screen.Contrast(face.Colour, v.ground))
	}
	blank := make([]bool, len(faces))
	for i, face := range faces {
		off := screen.Contrast(face.Colour, v.ground)
		blank[i] = off <= plain || most >= bleeding*drawn && bleeding*off <= most
	}
	return blank
}

// facesOf are the coloured faces of a crystal's cubes, as a set of bits, and their
// colour.
func (v *picture) facesOf(readings []screen.Reading) (faces Faces, shown color.RGBA, err error) {
	blank := v.blankFaces(readings)
	for i, face := range readings {
		if blank[i] {
			continue
		}
		if faces == 0 {
			shown = face.Colour
		}
		if screen.Contrast(face.Colour, shown) > 60 {
			return 0, shown, fmt.Errorf("a crystal of several colours, %s and %s", hex(shown), hex(face.Colour))
		}
		faces |= [...]Faces{TopFace, RightFace, LeftFace}[i%3]
	}
	return faces, shown, nil
}

// checkFilled wants crystals that are filled with colour to see the light that they
// need, which also tells orange from brown.
func (v *picture) checkFilled() error {
	l := v.lines()
	for c, k := range v.crystals {
		if k == Empty || !v.filled[c] {
			continue
		}
		sees := (&Solution{sources: v.sources}).sees(l, board.Cell(c))
		if k == OrangeCrystal && mixing(BrownCrystal, true).allows(sees) {
			v.crystals[c] = BrownCrystal
			continue
		}
		if !mixing(k, true).allows(sees) {
			return solvers.RefuseAt(board.Cell(c), "%s: a crystal full of colour that does not see what %s needs", v.Name(board.Cell(c)), k)
		}
	}
	return nil
}

// isWheel reports whether the wheel of colours is open around a cell: its colours
// lie around a middle without colour. Those that the level does not have are grey.
func isWheel(r []screen.Reading) bool {
	shown := 0
	for c, reading := range r[wheel : wheel+6] {
		if saturation(reading.Colour) < 0.2 {
			continue
		}
		if colour, ok := colourOf(reading.Colour); !ok || colour != Colour(c) || reading.Spread > 25 {
			return false
		}
		shown++
	}
	return shown >= 3 && saturation(r[body].Colour) < 0.2
}

// hues are the hues of the colours, in degrees: from and to.
var hues = [6][2]float64{{345, 15}, {18, 44}, {47, 76}, {85, 168}, {205, 262}, {272, 332}}

// colourOf is the colour of light with a colour on the screen. It is not ok when
// there is none.
func colourOf(c color.RGBA) (colour Colour, ok bool) {
	if saturation(c) < 0.3 {
		return noSource, false
	}
	high, low := float64(screen.Value(c)), float64(min(c.R, c.G, c.B))
	var hue float64
	switch red, green, blue := float64(c.R), float64(c.G), float64(c.B); high {
	case red:
		hue = 60 * (green - blue) / (high - low)
	case green:
		hue = 120 + 60*(blue-red)/(high-low)
	default:
		hue = 240 + 60*(red-green)/(high-low)
	}
	hue = math.Mod(hue+360, 360)
	for c, part := range hues {
		if part[0] < part[1] && hue >= part[0] && hue <= part[1] || part[0] > part[1] && (hue >= part[0] || hue <= part[1]) {
			return Colour(c), true
		}
	}
	return noSource, false
}

// saturation is a colour's saturation as in HSV, 0 for grey to 1.
func saturation(c color.RGBA) float64 {
	high := float64(screen.Value(c))
	return (high - float64(min(c.R, c.G, c.B))) / max(high, 1)
}

func hex(c color.RGBA) string { return fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B) }

// decideTime bounds the time for telling easy boards from hard ones.
const decideTime = time.Second / 2

// Read makes a puzzle of a board on the screen, with or without light sources. The colours of a
// level cannot always be seen, but follow from its having one solution: since a solution with
// the easy colours is one with the hard colours too, a board with any solution in the easy ones
// is an easy level, or a hard one with the same solution.
func (Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	if err := grid.CheckUncovered(locatePanel(seen)); err != nil {
		return nil, err
	}
	v, err := look(seen)
	if err != nil {
		return nil, err
	}
	p := *v.Puzzle
	for _, colour := range v.sources {
		p.hard = p.hard || colour != noSource && !easyColours.Has(colour)
	}
	if !p.hard {
		ctx, cancel := context.WithTimeout(context.Background(), decideTime)
		defer cancel()
		switch p.model(false, csp.Config{}).Solve(ctx) {
		case csp.Infeasible:
			p.hard = true
		case csp.Unknown:
			return nil, solvers.Refuse("it took too long to tell the colours of light from the board")
		}
	}
	return &p, nil
}

// shown is the light sources on the screen, as a solution that may break the
// rules.
func shown(seen *screen.Observation, p *Puzzle) (*Solution, error) {
	v, err := look(seen)
	if err != nil {
		return nil, err
	}
	if v.shape != p.shape || v.side != p.side {
		return nil, solvers.Refuse("a %s of side %d on the screen, expected a %s of side %d", v.shape, v.side, p.shape, p.side)
	}
	for c, k := range p.crystals {
		if v.crystals[c] != k {
			return nil, solvers.RefuseAt(board.Cell(c), "%s holds %s on the screen, expected %s", p.Name(board.Cell(c)), v.crystals[c], k)
		}
	}
	return &Solution{puzzle: p, sources: v.sources}, nil
}

// Locate says where in the app the phone is. A level is complete if the light sources on the
// screen break no rule.
func (Game) Locate(seen *screen.Observation) screen.Place {
	if place := locatePanel(seen); place.Kind != screen.Elsewhere {
		return place
	}
	l := seen.Layout
	if l.Rows <= 0 {
		return screen.Place{Kind: screen.Elsewhere, Reason: "no board and no panel"}
	}
	for c, r := range seen.Readings {
		if len(r) == measures && c < len(l.Centres) && isWheel(r) {
			return screen.Place{
				Kind:    screen.Popup,
				Buttons: []screen.Button{{Name: "close", At: l.Centres[c]}},
				Reason:  "the wheel of colours is open",
			}
		}
	}
	place := screen.Place{Kind: screen.Level, Buttons: bar(seen), Reason: fmt.Sprintf("a board of %d columns and %d rows", l.Cols, l.Rows)}
	if v, err := look(seen); err == nil {
		v.hard = true // where the easy rules hold, these do
		if (&Solution{puzzle: v.Puzzle, sources: v.sources}).Check() == nil {
			place.Kind = screen.Won
			place.Reason = "all is lit, and every crystal has its colour"
		}
	}
	return place
}

// locatePanel finds a message over the level, such as the one after the last.
// No panel of this game says that a level is complete.
func locatePanel(seen *screen.Observation) screen.Place {
	panel, ok := seen.Panel()
	if !ok {
		return screen.Place{}
	}
	place := screen.Place{Kind: screen.Popup, Reason: "a panel with buttons"}
	if len(panel.Buttons) == 1 {
		b := panel.Buttons[0]
		place.Buttons = []screen.Button{{Name: "close", At: b.Min.Add(b.Max).Div(2)}}
	}
	return place
}

// bar finds home, previous and next: boxes of one size in a row above the board, or
// in a column beside it on a screen in landscape. The last is filled with colour,
// and so no box to the eyes, when it leads on from a complete level. Where no boxes
// are seen, next lies where the real game has it.
func bar(seen *screen.Observation) []screen.Button {
	size := seen.On.Size
	shorter := min(size.X, size.Y)
	var boxes []image.Rectangle
	for _, b := range seen.Boxes {
		r := b.Bounds
		if r.Overlaps(seen.Layout.Board) || 20*r.Dx() < 2*shorter || 5*r.Dx() > shorter || r.Dx() < r.Dy() || r.Dx() > 2*r.Dy() {
			continue
		}
		if len(boxes) == 0 || near(r.Dx(), boxes[0].Dx()) && near(r.Dy(), boxes[0].Dy()) && !slices.ContainsFunc(boxes, r.Overlaps) {
			boxes = append(boxes, r)
		}
	}
	if buttons, ok := buttonsOn(boxes); ok {
		return buttons
	}
	if size.X > size.Y {
		return nil
	}
	// On 1080×1920 at 475,380.
	unit := min(float64(size.X), 0.6*float64(size.Y))
	return []screen.Button{{Name: "next", At: image.Pt(size.X/2-int(0.06*unit), size.Y*380/1920)}}
}

// buttonsOn is the buttons on two or three boxes that stand evenly in a row or a column.
func buttonsOn(boxes []image.Rectangle) (buttons []screen.Button, ok bool) {
	n := len(boxes)
	if n != 2 && n != 3 {
		return nil, false
	}
	slices.SortFunc(boxes, func(a, b image.Rectangle) int { return a.Min.X + a.Min.Y - b.Min.X - b.Min.Y })
	first := boxes[0].Min.Add(boxes[0].Max).Div(2)
	step := boxes[1].Min.Sub(boxes[0].Min)
	along, across := step.X, step.Y
	if step.X < step.Y {
		along, across = step.Y, step.X
	}
	even := n == 2 || near(2*step.X, boxes[2].Min.X-boxes[0].Min.X) && near(2*step.Y, boxes[2].Min.Y-boxes[0].Min.Y)
	if !even || 10*across >= along || 2*along >= 3*boxes[0].Dx() {
		return nil, false
	}
	return []screen.Button{{Name: "home", At: first}, {Name: "previous", At: first.Add(step)}, {Name: "next", At: first.Add(step.Mul(2))}}, true
}

// near reports whether two lengths are about the same.
func near(a, b int) bool {
	slack := max(4, max(a, b)/12)
	return a-b <= slack && b-a <= slack
}
