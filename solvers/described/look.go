package described

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// figure is what stands in the middle of a cell, or of the border between two: areas and
// lines, in pitches from there; or the whole ground of a cell.
type figure struct {
	value
	name   string
	colour color.NRGBA
	ground bool
	areas  [][][2]float64
	lines  [][][2]float64
	width  float64 // of lines
	size   float64 // of the whole
}

func (f *figure) String() string { return "<" + f.name + ">" }

// Type is "figure".
func (*figure) Type() string { return "figure" }

// palette are the colours that a look may name.
var palette = map[string]color.NRGBA{
	"white": {255, 255, 255, 254}, "black": {20, 22, 26, 255}, "grey": {150, 150, 155, 255}, "red": {215, 50, 45, 255}, "orange": {250, 165, 30, 255},
	"yellow": {245, 215, 60, 255}, "green": {60, 160, 80, 255}, "blue": {50, 100, 205, 255}, "purple": {140, 80, 190, 255}, "pink": {235, 130, 175, 255}, "brown": {140, 95, 60, 255},
}

// circle are points around a place, the first to the right.
func circle(x, y, r float64) (points [][2]float64) {
	const corners = 48
	for i := range corners + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		points = append(points, [2]float64{x + r*cos, y + r*sin})
	}
	return points
}

func rectangle(x, y, w, h float64) [][2]float64 {
	return [][2]float64{{x - w/2, y - h/2}, {x + w/2, y - h/2}, {x + w/2, y + h/2}, {x - w/2, y + h/2}}
}

// crescent is a disc without a smaller one at its upper right.
func crescent(r float64) (points [][2]float64) {
	x, y, inner := 0.45*r, -0.3*r, 0.8*r
	outer, cut := circle(0, 0, r), circle(x, y, inner)
	out := func(p [2]float64) bool { return math.Hypot(p[0]-x, p[1]-y) > inner }
	in := func(p [2]float64) bool { return math.Hypot(p[0], p[1]) < r }
	from := func(points [][2]float64, keep func([2]float64) bool) (arc [][2]float64) {
		n := len(points) - 1 // the last is the first again
		start := 0
		for start < n && (keep(points[start]) == keep(points[(start+n-1)%n]) || !keep(points[start])) {
			start++
		}
		for i := range n {
			if p := points[(start+i)%n]; keep(p) {
				arc = append(arc, p)
			}
		}
		return arc
	}
	arc := from(cut, in)
	slices.Reverse(arc)
	return append(from(outer, out), arc...)
}

// figures are the words of looks: how wide each is if nothing is said, and its form.
var figures = map[string]struct {
	colour string
	size   float64
	make   func(f *figure, w, h float64)
}{
	"filled": {"black", 1, func(f *figure, _, _ float64) { f.ground = true }},
	"disc":   {"black", 0.6, func(f *figure, w, _ float64) { f.areas = [][][2]float64{circle(0, 0, w/2)} }},
	"moon":   {"blue", 0.6, func(f *figure, w, _ float64) { f.areas = [][][2]float64{crescent(w / 2)} }},
	"box":    {"grey", 0.6, func(f *figure, w, h float64) { f.areas = [][][2]float64{rectangle(0, 0, w, h)} }},
	"ring":   {"black", 0.6, func(f *figure, w, _ float64) { f.lines, f.width = [][][2]float64{circle(0, 0, w/2)}, 0.05 }},
	"cross": {"brown", 0.26, func(f *figure, w, h float64) {
		f.lines, f.width = [][][2]float64{{{-w / 2, -h / 2}, {w / 2, h / 2}}, {{-w / 2, h / 2}, {w / 2, -h / 2}}}, 0.18*w
	}},
	"equals": {"brown", 0.26, func(f *figure, w, h float64) {
		f.areas = [][][2]float64{rectangle(0, -0.25*h, w, 0.18*h), rectangle(0, 0.25*h, w, 0.18*h)}
	}},
}

// lookWords are the words of looks and touches.
func lookWords() starlark.StringDict {
	d := starlark.StringDict{"taps": word("taps", tapsWord), "keypad": word("keypad", keypadWord), "drag": word("drag", dragWord)}
	for name, kind := range figures {
		d[name] = word(name, func(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
			f := &figure{name: name}
			named, err := a.text("colour", kind.colour)
			if err != nil {
				return nil, err
			}
			var ok bool
			if f.colour, ok = palette[named]; !ok {
				names := sortedKeys(palette)
				return nil, fmt.Errorf("the colour %q is not known, expected one of %s%s", named, strings.Join(names, ", "), didYouMean(named, names))
			}
			w, err := a.share("size", kind.size)
			if err != nil {
				return nil, err
			}
			h, err := a.share("height", w)
			if err != nil {
				return nil, err
			}
			f.size = w
			kind.make(f, w, h)
			return f, nil
		})
	}
	return d
}

func sortedKeys[V any](m map[string]V) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// share is a part of a cell's width.
func (a *arguments) share(name string, usual float64) (float64, error) {
	v := a.optional(name)
	if v == nil {
		return usual, nil
	}
	x, ok := starlark.AsFloat(v)
	if !ok || !(x > 0 && x <= 1) {
		return 0, fmt.Errorf("%s: got %s, expected a part of a cell's width, above 0 and at most 1", name, kindOf(v))
	}
	return x, nil
}

// touchKind is how an app is touched.
type touchKind uint8

const (
	byTaps    touchKind = iota // tap after tap leads a cell through a cycle
	byKeys                     // a tap on a cell, then one on a key below the board
	byMiddles                  // strokes through the middles of cells
	bySides                    // strokes along the sides of cells
	byCorners                  // strokes from a corner of a rectangle to the opposite one
)

// touch is what one way of touching does.
type touch struct {
	value
	kind  touchKind
	cycle []rune  // of taps, from an empty cell on; of keys, from left to right
	below float64 // pitches from the board to the middles of keys
	// choose: of taps, the first on another cell only chooses it.
	choose bool
}

func (*touch) String() string { return "<touch>" }

// Type is "touch".
func (*touch) Type() string { return "touch" }

func (a *arguments) characters(name string) ([]rune, error) {
	text, err := a.text(name, "")
	runes := []rune(text)
	for i, r := range runes {
		if slices.Contains(runes[:i], r) {
			return nil, fmt.Errorf("%q comes twice in %q, expected different characters", r, text)
		}
	}
	if err == nil && len(runes) < 2 {
		err = fmt.Errorf("got %q, expected at least two characters", text)
	}
	return runes, err
}

func tapsWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	cycle, err := a.characters("cycle")
	choose := a.keyword("choose")
	return &touch{kind: byTaps, cycle: cycle, choose: choose == starlark.True}, err
}

func keypadWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	keys, err := a.characters("keys")
	if err != nil {
		return nil, err
	}
	t := &touch{kind: byKeys, cycle: keys, below: 1}
	if v := a.optional("below"); v != nil {
		x, ok := starlark.AsFloat(v)
		if !ok || !(x >= 0.5 && x <= 20) {
			return nil, fmt.Errorf("below: got %s, expected cells from the board's edge to the middles of the keys, 0.5 to 20", kindOf(v))
		}
		t.below = x
	}
	return t, nil
}

var dragged = map[string]touchKind{"middles": byMiddles, "sides": bySides, "corners": byCorners}

func dragWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	way, err := a.text("way", "")
	kind, ok := dragged[way]
	if err == nil && !ok {
		err = fmt.Errorf("got %q, expected \"middles\" (through cells), \"sides\" (along them) or \"corners\" (of a rectangle)%s", way, didYouMean(way, sortedKeys(dragged)))
	}
	return &touch{kind: kind}, err
}

// usualFigures are those of characters and names that nothing is said of.
var usualFigures = map[string]struct {
	word string
	size float64
}{"#": {"filled", 1}, "x": {"cross", 0.3}, "o": {"disc", 0.5}, "white": {"ring", 0.75}, "black": {"disc", 0.75}}

// ofClues is the key of a look for what every cell with a clue shows.
const ofClues = "clue"

// takeLook takes what the file says of looks and touches, and the usual ones of the rest.
func (g *Game) takeLook(globals starlark.StringDict) error {
	if v := globals["touch"]; v != nil {
		if err := oneOrMore(v, "touch", "taps(…), keypad(…) or drag(…)", &g.touches); err != nil {
			return err
		}
	}
	for _, l := range g.layers {
		if g.touchOf(l) == nil {
			g.touches = append(g.touches, usualTouch(l))
		}
	}
	known := g.shownNames()
	g.look = map[string]*figure{}
	if v := globals["look"]; v != nil {
		d, ok := v.(*starlark.Dict)
		if !ok {
			return fmt.Errorf("look is %s, expected a dict of what is shown and figures, as in {\"S\": disc(\"orange\")}", kindOf(v))
		}
		for _, item := range d.Items() {
			name, _ := starlark.AsString(item[0])
			f, ok := item[1].(*figure)
			switch {
			case !ok:
				return fmt.Errorf("look: %s is %s, expected a figure: %s", item[0], kindOf(item[1]), strings.Join(sortedKeys(figures), ", "))
			case name != ofClues && !slices.Contains(known, name):
				return fmt.Errorf("look: %s is nothing that a board shows, expected %q or one of %q%s", item[0], ofClues, known, didYouMean(name, known))
			}
			g.look[name] = f
		}
	}
	for _, name := range known {
		if usual, ok := usualFigures[name]; ok && g.look[name] == nil {
			f := &figure{name: usual.word, size: usual.size, colour: palette[figures[usual.word].colour]}
			figures[usual.word].make(f, usual.size, usual.size)
			g.look[name] = f
		}
		if g.look[name] == nil {
			g.lacks = append(g.lacks, name)
		}
	}
	return nil
}

// usualTouch is that of a layer.
func usualTouch(l *layer) *touch {
	switch l.kind {
	case lineLayer:
		return &touch{kind: byMiddles}
	case fenceLayer, wallsLayer:
		return &touch{kind: bySides}
	case numbersLayer:
		cycle := []rune{'.'}
		for v := l.lo; v <= l.hi && v <= 9; v++ {
			cycle = append(cycle, rune('0'+v))
		}
		return &touch{kind: byTaps, cycle: cycle}
	}
	if l.marks[0] == '.' {
		return &touch{kind: byTaps, cycle: l.marks}
	}
	return &touch{kind: byTaps, cycle: append([]rune{'.'}, l.marks...)}
}

// touchOf is how a layer's part of a solution is played, nil where nothing says so.
func (g *Game) touchOf(l *layer) *touch {
	for _, t := range g.touches {
		fits := false
		switch l.kind {
		case lineLayer:
			fits = t.kind == byMiddles
		case fenceLayer:
			fits = t.kind == bySides
		case wallsLayer:
			fits = t.kind == bySides || t.kind == byCorners
		default:
			fits = t.kind <= byKeys
		}
		if fits {
			return t
		}
	}
	return nil
}

// shownNames are the names of all that a cell or a border may show, except for numbers and lines.
func (g *Game) shownNames() (names []string) {
	add := func(name string) {
		if name != "." && name != anyNumber && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, l := range g.layers {
		if l.kind == marksLayer || l.kind == symbolsLayer {
			for i, r := range l.marks {
				if i > 0 || l.kind == symbolsLayer {
					add(string(r))
				}
			}
			for i, r := range g.touchOf(l).cycle {
				if i > 0 {
					add(string(r))
				}
			}
		}
	}
	n := g.notations[0]
	for _, r := range keysOf(n.names) {
		add(n.names[r])
	}
	for _, name := range n.signs {
		add(name)
	}
	for _, e := range n.parts {
		if e.coloured {
			add("colours")
		}
		for _, c := range slices.Concat(e.clues, e.once) {
			switch c.kind {
			case namedClue:
				add(c.name)
			case arrowClue:
				add("arrow")
			case listClue:
				add("list of numbers")
			}
		}
	}
	return names
}

// Seen says in words what the eyes look for on a board, or what lacks a look.
func (g *Game) Seen() string {
	if len(g.lacks) > 0 {
		return "not read: no look of " + strings.Join(g.lacks, ", ")
	}
	var seen []string
	if g.showsNumbers() {
		seen = append(seen, "numbers")
	}
	if g.notations[0].rooms || slices.ContainsFunc(g.notations[0].parts, func(e *encoding) bool { return e.rooms }) {
		seen = append(seen, "thick borders")
	}
	for _, name := range sortedKeys(g.look) {
		seen = append(seen, name+" as "+g.look[name].name)
	}
	return "read: " + strings.Join(seen, ", ") + "; " + strings.Join(g.touched(), ", ")
}

// touched says how what is decided is played, as a description would say it.
func (g *Game) touched() (all []string) {
	for _, l := range g.layers {
		t := g.touchOf(l)
		switch t.kind {
		case byTaps:
			all = append(all, fmt.Sprintf("taps(%q)", string(t.cycle)))
		case byKeys:
			all = append(all, "keypad")
		case byMiddles:
			all = append(all, `drag("middles")`)
		case bySides:
			all = append(all, `drag("sides")`)
		case byCorners:
			all = append(all, `drag("corners")`)
		}
	}
	return all
}
