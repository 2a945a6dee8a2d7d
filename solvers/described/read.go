package described

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"tapwise/solvers"
	"tapwise/solvers/board"
	squares "tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// readLimits bound what is read of boards. Colours are compared by their distance, 0 to 442,
// or by their greatest difference in a channel, 0 to 255.
var readLimits = struct {
	ink, traces        int
	clear              float64
	missed, more       int
	sure               float64
	thick, widest, rim float64
	step, dot          float64
	signStep, signDot  float64
	margin, signMargin float64
	link, flat, uneven float64
	paper              int
}{
	ink:        48,    // brightness levels: what is drawn differs from its ground by at least this
	traces:     1,     // places: a cell on which at most as many are drawn on is empty
	clear:      0.75,  // distances: a colour is told if the next is that much further away
	missed:     4,     // places: a figure is told if at most as many are otherwise,
	more:       4,     // places: and the next figure has that many more
	sure:       0.9,   // confidence: of the lattice, at least
	thick:      1.7,   // widths of thin lines: a thick one has at least this
	widest:     1.35,  // widths of thin lines: and a thin one at most this
	rim:        0.06,  // pitches: on a board whose lines are all alike they are thick from this width on
	step:       0.115, // pitches: from one place in a cell to the next
	dot:        0.03,  // pitches: radius of such a place
	signStep:   0.125, // widths of the widest sign: likewise between two cells
	signDot:    0.04,
	margin:     0.075, // pitches: a place so near a figure's edge may be drawn on or not
	signMargin: 0.03,
	uneven:     20,   // brightness levels: an edge of something runs through a place that spreads more
	link:       0.46, // pitches: from a cell's middle to where a line leaves the cell
	paper:      12,   // brightness levels: a ground that differs from white by less is bare
	flat:       6,    // brightness levels: what spreads more on a figure is a number
}

// places are a square of places around x,y, seven by seven.
func places(x, y, step float64) (at [][2]float64) {
	for row := -3; row <= 3; row++ {
		for col := -3; col <= 3; col++ {
			at = append(at, [2]float64{x + float64(col)*step, y + float64(row)*step})
		}
	}
	return at
}

// The measures of a cell: those of panes, where lines leave the cell (upwards, then
// clockwise), places of figures, places of signs to the right and below.
const (
	middleAt  = 4
	linksAt   = 6
	figuresAt = 10
	perFigure = 49
)

func measures(sign float64) []screen.Measure {
	all := squares.PaneMeasures()
	add := func(name string, at [][2]float64, r float64) {
		for i, p := range at {
			all = append(all, screen.Measure{Name: fmt.Sprintf("%s%d", name, i), X: p[0], Y: p[1], Radius: r})
		}
	}
	l := readLimits.link
	add("link", [][2]float64{{0, -l}, {l, 0}, {0, l}, {-l, 0}}, readLimits.dot)
	add("place", places(0, 0, readLimits.step), readLimits.dot)
	if sign > 0 {
		add("right", places(0.5, 0, readLimits.signStep*sign), readLimits.signDot*sign)
		add("below", places(0, 0.5, readLimits.signStep*sign), readLimits.signDot*sign)
	}
	return all
}

// Spec is flat cells between lines, and the places where the look's figures are told apart;
// without a look there are no measures, and nothing can be read.
func (g *Game) Spec() screen.Spec {
	spec := screen.Spec{Topologies: []screen.Topology{screen.Square}, MinSide: 3, MaxSide: 24, Either: true, Panes: true, Pencil: true, Boxes: true}
	if len(g.lacks) > 0 {
		return spec
	}
	if g.sizes != nil {
		spec.MinSide, spec.MaxSide, spec.Equal = spec.MaxSide, 1, true
	}
	for _, s := range g.sizes {
		spec.MinSide, spec.MaxSide, spec.Equal = min(spec.MinSide, s[0], s[1]), max(spec.MaxSide, s[0], s[1]), spec.Equal && s[0] == s[1]
	}
	spec.Numbers = g.showsNumbers()
	spec.Measures = measures(g.signWidth())
	return spec
}

// signWidth is that of the widest sign between cells, 0 without one.
func (g *Game) signWidth() (w float64) {
	for _, name := range g.notations[0].signs {
		w = max(w, g.look[name].size)
	}
	return w
}

// showsNumbers reports whether a board of the game may show any.
func (g *Game) showsNumbers() bool {
	n := g.notations[0]
	if n.name == "" && (len(n.names) == 0 || n.numbered) || slices.ContainsFunc(g.layers, func(l *layer) bool { return l.kind == numbersLayer }) {
		return true
	}
	return slices.ContainsFunc(n.parts, func(e *encoding) bool {
		return slices.ContainsFunc(e.clues, func(c clue) bool { return c.kind == numberClue })
	})
}

// content is what a cell shows: a number or -1, and names of the look or nothing.
type content struct {
	number       int
	ground, mark string
}

// covers tells how a figure stands to a place: 1 drawn on, -1 not, 0 too near its edge.
func (f *figure) covers(x, y, margin float64) int {
	in := 0
	for _, d := range [][2]float64{{0, 0}, {margin, 0}, {-margin, 0}, {0, margin}, {0, -margin}} {
		if f.has(x+d[0], y+d[1]) {
			in++
		}
	}
	switch in {
	case 0:
		return -1
	case 5:
		return 1
	}
	return 0
}

// has reports whether a figure is drawn on a place.
func (f *figure) has(x, y float64) bool {
	for _, area := range f.areas {
		in := false
		for i, p := range area {
			q := area[(i+len(area)-1)%len(area)]
			if (p[1] > y) != (q[1] > y) && x < p[0]+(y-p[1])*(q[0]-p[0])/(q[1]-p[1]) {
				in = !in
			}
		}
		if in {
			return true
		}
	}
	for _, line := range f.lines {
		for i := range line[1:] {
			p, q := line[i], line[i+1]
			dx, dy := q[0]-p[0], q[1]-p[1]
			t := min(max(((x-p[0])*dx+(y-p[1])*dy)/(dx*dx+dy*dy), 0), 1)
			if math.Hypot(x-p[0]-t*dx, y-p[1]-t*dy) <= f.width/2 {
				return true
			}
		}
	}
	return false
}

// figureOf names the figure that is drawn at some places, empty where nothing is drawn: the
// one of which the fewest places are otherwise. Ignored places are those where something else
// may be drawn. It is not ok where two are nearly as likely, or none is likely.
func (g *Game) figureOf(names []string, at [][2]float64, readings []screen.Reading, ground color.RGBA, margin float64, ignore func(p [2]float64) bool) (name string, ok bool) {
	drawn := make([]bool, len(at))
	inks, uneven := []color.RGBA{}, 0
	for i, r := range readings {
		if ignore(at[i]) {
			continue
		}
		if drawn[i] = screen.Contrast(r.Colour, ground) >= readLimits.ink; drawn[i] {
			inks = append(inks, r.Colour)
		}
		if r.Spread > readLimits.uneven {
			uneven++
		}
	}
	if len(inks) <= readLimits.traces {
		return "", uneven <= readLimits.traces
	}
	ink := screen.MedianColour(inks)
	type guess struct {
		name   string
		missed int
		colour float64
	}
	var guesses []guess
	for _, n := range names {
		f := g.look[n]
		b := guess{name: n, colour: screen.Distance(ink, color.RGBA(f.colour))}
		for i, p := range at {
			if c := f.covers(p[0], p[1], margin); !ignore(p) && (c == 1 && !drawn[i] || c == -1 && drawn[i]) {
				b.missed++
			}
		}
		guesses = append(guesses, b)
	}
	slices.SortStableFunc(guesses, func(a, b guess) int { return a.missed - b.missed })
	if len(guesses) == 0 || guesses[0].missed > readLimits.missed {
		return "", false
	}
	best := guesses[0]
	for _, o := range guesses[1:] {
		if o.missed >= best.missed+readLimits.more {
			continue
		}
		// Of one form: their colours tell them apart.
		switch {
		case best.colour <= readLimits.clear*o.colour:
		case o.colour <= readLimits.clear*best.colour:
			best = o
		default:
			return "", false
		}
	}
	return best.name, true
}

// named are the names of the look that are of some kind, in order.
func (g *Game) named(ground, sign bool) (names []string) {
	for _, n := range sortedKeys(g.look) {
		if g.look[n].ground == ground && slices.Contains(g.notations[0].signs, n) == sign {
			names = append(names, n)
		}
	}
	return names
}

// groundOf names the ground that a colour is of, empty for that of an empty cell.
func (g *Game) groundOf(names []string, c color.RGBA) (string, bool) {
	best, nearest, next := "", screen.Distance(c, color.RGBA{255, 255, 255, 255}), math.Inf(1)
	for _, n := range names {
		d := screen.Distance(c, color.RGBA(g.look[n].colour))
		if d < nearest {
			best, nearest, next = n, d, nearest
		} else if g.look[n].colour != g.look[best].colourOr() {
			next = min(next, d)
		}
	}
	return best, nearest <= readLimits.clear*next
}

// colourOr is the colour of a figure, or of none.
func (f *figure) colourOr() color.NRGBA {
	if f == nil {
		return color.NRGBA{}
	}
	return f.colour
}

// contents are what the cells show. Where may is true of a cell, something unknown may lie on
// it, such as a line, and it counts as empty.
func (g *Game) contents(seen *screen.Observation, may func(board.Cell) bool) ([]content, error) {
	if len(g.lacks) > 0 {
		return nil, solvers.Refuse("%s: nothing says what %q looks like, expected look = {%q: …} with a figure", g.file, g.lacks[0], g.lacks[0])
	}
	spec := g.Spec()
	if err := squares.CheckSure(spec, seen, "the lines between the cells", readLimits.sure); err != nil {
		return nil, err
	}
	signs := g.signWidth() * 0.75
	r := cellReader{
		Game: g, seen: seen, numbers: spec.Numbers, grounds: g.named(true, false), marks: g.named(false, false),
		at: places(0, 0, readLimits.step), signs: signs, signsFrom: 0.5 - signs - readLimits.dot, may: may,
	}
	return squares.ReadCells(seen, r.read)
}

// cellReader reads cells one by one.
type cellReader struct {
	*Game
	seen             *screen.Observation
	numbers          bool // the eyes look for them
	grounds, marks   []string
	at               [][2]float64
	signs, signsFrom float64 // pitches from a side's middle, and from the cell's: nothing of the cell's is looked for there
	may              func(board.Cell) bool
}

// read reads a cell. It refuses, with a *ReadError, one that is not clear.
func (r *cellReader) read(c board.Cell, readings []screen.Reading) (content, error) {
	to := content{number: -1}
	name := squares.SizeOf(r.seen).Name(c)
	ground, flat := squares.Ground(readings)
	if !flat && !r.may(c) {
		return to, solvers.RefuseAt(c, "the ground of %s has several colours", name)
	}
	var ok bool
	if to.ground, ok = r.groundOf(r.grounds, ground); !ok && !r.may(c) {
		return to, solvers.RefuseAt(c, "the ground of %s is %v, expected clearly one of white, %s", name, ground, strings.Join(r.grounds, ", "))
	}
	if r.numbers && r.seen.Numbers[c].Seen == screen.ReadNumber {
		to.number = r.seen.Numbers[c].Value
	}
	const wide, high = 0.28, 0.2 // pitches from the middle: a number reaches at most as far
	numbered := to.number >= 0
	if !numbered || r.notations[0].numbered { // else nothing stands there but the number
		to.mark, ok = r.figureOf(r.marks, r.at, readings[figuresAt:figuresAt+perFigure], ground, readLimits.margin, func(p [2]float64) bool {
			x, y := math.Abs(p[0]), math.Abs(p[1])
			return numbered && x < wide && y < high || max(x, y) > r.signsFrom && min(x, y) < r.signs
		})
	}
	if r.may(c) {
		return to, nil
	}
	if r.numbers && !numbered && to != (content{number: -1}) && max(readings[middleAt].Spread, readings[middleAt+1].Spread) > readLimits.flat {
		return to, solvers.RefuseAt(c, "what stands at %s is no clear number, expected one, or nothing on its ground", name)
	}
	if unclear := r.numbers && !numbered && to.mark == "" && r.seen.Numbers[c].Seen == screen.UnclearNumber; !ok || unclear {
		what := slices.Clone(r.marks)
		if r.numbers {
			what = append(what, "a number")
		}
		if what == nil {
			return to, solvers.RefuseAt(c, "something stands at %s, expected nothing: the description has no clues and no marks of cells", name)
		}
		return to, solvers.RefuseAt(c, "what stands at %s is not clear, expected %s, or nothing", name, strings.Join(what, ", "))
	}
	return to, nil
}

// linked are the sides of cells that a line through their middles crosses.
func linked(seen *screen.Observation, e board.Edge) bool {
	size := squares.SizeOf(seen)
	d := 1
	if size.Col(e.A) == size.Col(e.B) {
		d = 2
	}
	drawn := func(c board.Cell, d int) bool {
		ground, _ := squares.Ground(seen.Readings[c])
		return screen.Contrast(seen.Readings[c][linksAt+d].Colour, ground) >= readLimits.ink
	}
	return drawn(e.A, d) && drawn(e.B, (d+2)%4)
}

// thick finds out which of some lines are thick, where some may be and others are thin, as those
// within the board are. It fails with the index of one that is neither.
func thick(lines, within []screen.Line, pitch float64) (is []bool, doubtful int) {
	var widths []float64
	for _, l := range within {
		if l.Width > 0 {
			widths = append(widths, l.Width)
		}
	}
	if len(widths) == 0 {
		return make([]bool, len(lines)), -1
	}
	slices.Sort(widths)
	thin := widths[len(widths)/20]
	if thin >= readLimits.rim*pitch { // no thin ones are seen
		thin = readLimits.rim * pitch / readLimits.thick
	}
	doubtful = -1
	for i, l := range lines {
		is = append(is, l.Width >= readLimits.thick*thin && l.Width >= thin+1.5)
		if l.Width > readLimits.widest*thin+1 && !is[i] {
			doubtful = i
		}
	}
	return is, doubtful
}

// linesWithin are the lines between neighbouring cells, in the order of their edges.
func linesWithin(seen *screen.Observation) (lines []screen.Line) {
	for _, e := range squares.SizeOf(seen).Edges() {
		lines = append(lines, squares.LineBetween(seen, e))
	}
	return lines
}

// usualGround is the colour of the ground that most cells have.
func usualGround(seen *screen.Observation) (usual color.RGBA) {
	count := map[color.RGBA]int{}
	for _, readings := range seen.Readings {
		ground, _ := squares.Ground(readings)
		if count[ground]++; count[ground] > count[usual] {
			usual = ground
		}
	}
	return usual
}

// checkRim fails for a board whose rim is thick on some sides alone: it may be a part of a larger one,
// of which the other lines were too faint.
func checkRim(seen *screen.Observation) error {
	size := squares.SizeOf(seen)
	within := linesWithin(seen)
	usual := usualGround(seen)
	sides := map[string][]screen.Line{}
	add := func(side string, l screen.Line, row, col int) {
		// What lies on a cell that is filled may look like a part of the rim.
		if ground, _ := squares.Ground(seen.Readings[size.At(row, col)]); screen.Contrast(usual, ground) < readLimits.ink {
			sides[side] = append(sides[side], l)
		}
	}
	for row := range size.Rows {
		first := row * (size.Cols + 1)
		add("left", seen.Vertical[first], row, 0)
		add("right", seen.Vertical[first+size.Cols], row, size.Cols-1)
	}
	for col := range size.Cols {
		add("upper", seen.Horizontal[col], 0, col)
		add("lower", seen.Horizontal[size.Rows*size.Cols+col], size.Rows-1, col)
	}
	var thickOn, thinOn string
	for _, name := range sortedKeys(sides) {
		is, _ := thick(sides[name], within, seen.Layout.Pitch)
		n := 0
		for _, thick := range is {
			n += number(thick)
		}
		if 2*n > len(is) {
			thickOn = name
		} else {
			thinOn = name
		}
	}
	if thickOn != "" && thinOn != "" {
		return solvers.Refuse("the board's %s rim is thick and its %s one is not, expected a rim that is alike all around: it may be a part of a board", thickOn, thinOn)
	}
	return nil
}

// borders are the sides between cells on which a thick line is.
func thickBorders(seen *screen.Observation) (map[board.Edge]bool, error) {
	size := squares.SizeOf(seen)
	edges := size.Edges()
	lines := linesWithin(seen)
	is, doubtful := thick(lines, lines, seen.Layout.Pitch)
	if doubtful >= 0 {
		e := edges[doubtful]
		return nil, solvers.RefuseBoth(e.A, e.B, "the line between %s and %s is %.1f pixels wide: neither thick nor thin", size.Name(e.A), size.Name(e.B), lines[doubtful].Width)
	}
	found := map[board.Edge]bool{}
	for i, e := range edges {
		if is[i] {
			found[e] = true
		}
	}
	return found, nil
}

// Read makes a puzzle of a board on the screen. What is played already and cannot be told
// from what is given counts as given.
func (g *Game) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	cells, err := g.contents(seen, func(board.Cell) bool { return false })
	if err != nil {
		return nil, err
	}
	found, err := g.givensOf(seen, cells)
	if err != nil {
		return nil, err
	}
	p, err := g.parse(g.notations[0].format(found))
	var mistake *FileError
	switch {
	case errors.As(err, &mistake):
		return nil, solvers.Refuse("on the board that was read the description fails: %v", err)
	case err != nil:
		return nil, solvers.Refuse("misread: %v", err)
	}
	return p, nil
}

// givensOf are the givens that a board shows.
func (g *Game) givensOf(seen *screen.Observation, cells []content) (*givens, error) {
	if !slices.ContainsFunc(g.layers, func(l *layer) bool { return l.kind == fenceLayer }) { // which is drawn on the rim, too
		if err := checkRim(seen); err != nil {
			return nil, err
		}
	}
	n := g.notations[0]
	found := &givens{size: squares.SizeOf(seen), clue: make([]clue, len(cells)), sign: map[string][]board.Edge{}}
	rooms, ofRooms := n.rooms, false
	for _, e := range n.parts {
		rooms, ofRooms = rooms || e.rooms, ofRooms || e.ofRooms
	}
	if rooms {
		if err := g.readRooms(seen, found); err != nil {
			return nil, err
		}
	}
	for i, c := range cells {
		k := n.clueShown(c)
		switch {
		case k.kind == numberClue && ofRooms:
			of := &found.roomClue[found.room[i]]
			if of.kind != noClue {
				return nil, solvers.RefuseAt(board.Cell(i), "a second number in the room of %s, expected one at most", found.size.Name(board.Cell(i)))
			}
			*of = k
		case k.kind == noClue && c.number >= 0:
			return nil, solvers.RefuseAt(board.Cell(i), "a number at %s without what belongs to it", found.size.Name(board.Cell(i)))
		default:
			found.clue[i] = k
		}
	}
	return found, g.readSigns(seen, found)
}

// clueShown is the clue that a cell's content is.
func (n *notation) clueShown(c content) clue {
	names := sortedNames(n)
	switch {
	case n.numbered && slices.Contains(names, c.mark):
		return clue{kind: labelClue, name: c.mark, number: c.number, way: -1}
	case n.numbered:
	case c.number >= 0:
		return numbered(c.number)
	case slices.Contains(names, c.mark):
		return clue{kind: namedClue, name: c.mark}
	case slices.Contains(names, c.ground):
		return clue{kind: namedClue, name: c.ground}
	case c.ground == ofClues || c.mark == ofClues:
		return unknown
	}
	return clue{}
}

// sortedNames are the names of clues.
func sortedNames(n *notation) (names []string) {
	for _, name := range n.names {
		names = append(names, name)
	}
	for _, e := range n.parts {
		for _, c := range slices.Concat(e.clues, e.once) {
			if c.kind == namedClue {
				names = append(names, c.name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// readRooms takes thick lines for the borders of rooms.
func (g *Game) readRooms(seen *screen.Observation, found *givens) error {
	border, err := thickBorders(seen)
	if err != nil {
		return err
	}
	joined := board.NewSets(found.size.Cells())
	for _, e := range found.size.Edges() {
		if !border[e] {
			joined.Join(int(e.A), int(e.B))
		}
	}
	for e := range border {
		if joined.Find(int(e.A)) != joined.Find(int(e.B)) {
			continue
		}
		if g.notations[0].name == "" {
			return solvers.RefuseBoth(e.A, e.B, "the thick line between %s and %s is no border of two rooms", found.size.Name(e.A), found.size.Name(e.B))
		}
		found.border = border // an address tells those as well that end within a room
	}
	found.numberRooms(joined)
	return nil
}

// shifts are by how much the middle between two cells may lie elsewhere than it should, in steps
// between places, the least first: where a board's thick rim is of the screen's colour, its cells
// are found to be a little smaller than they are.
func shifts() (by [][2]float64) {
	for x := -1.0; x <= 1; x += 0.5 {
		for y := -1.0; y <= 1; y += 0.5 {
			by = append(by, [2]float64{x, y})
		}
	}
	slices.SortStableFunc(by, func(a, b [2]float64) int { return cmp.Compare(math.Hypot(a[0], a[1]), math.Hypot(b[0], b[1])) })
	return by
}

// readSigns finds the signs between cells.
func (g *Game) readSigns(seen *screen.Observation, found *givens) error {
	names := g.named(false, true)
	if len(names) == 0 {
		return nil
	}
	step, shifted := readLimits.signStep*g.signWidth(), shifts()
	for _, e := range found.size.Edges() {
		ground, _ := squares.Ground(seen.Readings[e.A])
		from, across := figuresAt+perFigure, 0
		if found.size.Col(e.A) == found.size.Col(e.B) {
			from, across = from+perFigure, 1
		}
		var name string
		ok := false
		for _, by := range shifted {
			if name, ok = g.figureOf(names, places(-by[0]*step, -by[1]*step, step), seen.Readings[e.A][from:from+perFigure], ground, readLimits.signMargin*g.signWidth(),
				func(p [2]float64) bool { return math.Abs(p[across]) < 0.6*step }); ok { // the line between the cells
				break
			}
		}
		if !ok {
			return solvers.RefuseBoth(e.A, e.B, "what stands between %s and %s is not clear, expected one of %s, or nothing", found.size.Name(e.A), found.size.Name(e.B), strings.Join(names, ", "))
		}
		if name != "" {
			found.sign[name] = append(found.sign[name], e)
		}
	}
	return nil
}

// Familiarity is how much of what was seen looks like a board of the game.
func (g *Game) Familiarity(seen *screen.Observation) float64 {
	if len(g.lacks) > 0 || squares.CheckBoard(g.Spec(), seen) != nil {
		return 0
	}
	unclear := 0
	if _, err := g.contents(seen, func(c board.Cell) bool { unclear++; return true }); err != nil {
		return 0
	}
	return seen.Confidence * (1 - float64(min(unclear, len(seen.Readings)))/float64(len(seen.Readings)))
}
