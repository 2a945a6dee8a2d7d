package glyphs

import (
	"image"
	"math"
	"slices"

	"tapwise/solvers/screen"
)

// Candidate is what a cell shows when one of its colours is taken for the ground that a
// number stands on.
type Candidate struct {
	Ground [3]uint8 // red, green, blue
	Shapes []Shape  // the glyphs from left to right, as far as they are seen; none where the ink is no number
	seen   outcome
	weak   bool // the ink is so weak that it is nothing unless it is a clear number
	cuts   func() []Cut
}

// Cut is a way to take a glyph for two figures that touch.
type Cut struct {
	At     int // column of the frame at which the right one begins
	Shapes []Shape
}

// Cuts are the ways to cut the only glyph in two.
func (c Candidate) Cuts() []Cut {
	if len(c.Shapes) != 1 {
		return nil
	}
	return c.cuts()
}

// Candidates are what a cell of a frame shows on each of its commonest colours.
func Candidates(frame *image.RGBA, cell image.Rectangle, look Look) []Candidate {
	p := newPatch(frame, cell, look.inset)
	if p.w == 0 {
		return nil
	}
	var all []Candidate
	for _, g := range p.grounds(look.middle) {
		c, faint := p.on(g, 1, look)
		all = append(all, c)
		if !faint {
			continue
		}
		if c, faint = p.on(g, segmentLimits.weak, look); !faint {
			c.weak = true
			all = append(all, c)
		}
	}
	return all
}

// on is what a cell shows on a ground, and whether nothing in its middle has a contrast to it.
func (p patch) on(g ground, share float64, look Look) (c Candidate, faint bool) {
	k, faint := newInk(p, g, share)
	k.level = look.level
	if look.trim && !k.trim() {
		return Candidate{Ground: g.colour, seen: unclear}, faint
	}
	found, labels, seen := k.glyphs()
	c = Candidate{Ground: g.colour, seen: seen}
	if faint && seen == figures {
		c.seen = unclear
		return c, true
	}
	if look.trim && len(found) != 2 {
		c.seen = unclear // a figure may be lost beyond the rim
		return c, faint
	}
	for _, f := range found {
		c.Shapes = append(c.Shapes, k.shape(f, labels))
	}
	c.cuts = func() []Cut {
		var all []Cut
		for _, at := range k.cuts(found[0], labels) {
			left, right := k.part(found[0], labels, 0, at), k.part(found[0], labels, at, k.w)
			if k.placed([]glyph{left, right}, found[0].box) {
				all = append(all, Cut{p.left + p.step*at, []Shape{k.shape(left, labels), k.shape(right, labels)}})
			}
		}
		return all
	}
	return c, faint
}

// Read reads the number in a cell of a frame. The cell may be given with its lines.
func Read(frame *image.RGBA, cell image.Rectangle) screen.Number {
	if isPlain(frame, cell) {
		return screen.Number{Seen: screen.NoNumber}
	}
	n := look(frame, cell)
	if n.Seen == screen.UnclearNumber && n.Confidence > 0 && n.Confidence < judgeLimits.likely {
		n.Value = 0
	}
	return n
}

// look is the number that a cell shows in the first look, or else clearly in another, where none
// of them shows another one.
func look(frame *image.RGBA, cell image.Rectangle) screen.Number {
	candidates := Candidates(frame, cell, Looks[0])
	first := read(candidates)
	weak := func(c Candidate) bool { return c.weak && c.seen >= unclear }
	if first.Seen == screen.ReadNumber || first.Seen == screen.NoNumber && !slices.ContainsFunc(candidates, weak) {
		return first
	}
	n := first
	for _, other := range Looks[1:] {
		m := read(Candidates(frame, cell, other))
		switch {
		case m.Seen != screen.ReadNumber:
		case n.Value > 0 && n.Value != m.Value, n.Seen == screen.ReadNumber && n.Value != m.Value:
			return first
		default:
			n = m
		}
	}
	return n
}

// read is the number that candidates show: exactly one of them must show one clearly. No
// number is where one shows that nothing stands on it, and none shows anything else.
func read(candidates []Candidate) screen.Number {
	best := screen.Number{Seen: screen.UnclearNumber}
	empty, other := false, false
	for _, c := range candidates {
		value, confidence := c.number()
		if c.weak && (c.seen != figures || confidence < judgeLimits.confidence) {
			other = other || c.seen == figures && confidence > 0
			continue
		}
		empty = empty || c.seen == blank
		other = other || c.seen == unclear || c.seen == figures
		if len(c.Shapes) == 0 {
			continue
		}
		likely := confidence > 0
		if c.seen != figures {
			likely, confidence = confidence >= judgeLimits.confidence, 0
		}
		confidence = math.Round(confidence*1000) / 1000
		clear := confidence >= judgeLimits.confidence
		switch {
		case clear && best.Seen == screen.ReadNumber && best.Value != value:
			return screen.Number{Seen: screen.UnclearNumber}
		case clear:
			best = screen.Number{Seen: screen.ReadNumber, Value: value, Confidence: max(best.Confidence, confidence)}
		case best.Seen == screen.UnclearNumber:
			best.Confidence = max(best.Confidence, confidence)
			if likely {
				best.Value = value
			}
		}
	}
	if empty && !other {
		return screen.Number{Seen: screen.NoNumber}
	}
	return best
}

// number is the number that a candidate shows, as a whole or else cut in two, with the
// confidence. All clear cuts must show the same.
func (c Candidate) number() (value int, confidence float64) {
	value, confidence = number(c.Shapes)
	if confidence >= judgeLimits.confidence {
		return value, confidence
	}
	for _, cut := range c.Cuts() {
		v, sure := number(cut.Shapes)
		if min(sure, confidence) >= judgeLimits.confidence && v != value {
			return 0, 0
		}
		if sure > confidence {
			value, confidence = v, sure
		}
	}
	return value, confidence
}

// number is the number that shapes are, with the confidence, 0 to 1, of its least certain figure:
// 0 where one is none.
func number(shapes []Shape) (value int, confidence float64) {
	confidence = 1
	for i := range shapes {
		figure, sure := Judge(&shapes[i])
		if figure == 0 && i == 0 && len(shapes) > 1 {
			return 0, 0
		}
		value, confidence = 10*value+figure, min(confidence, sure)
	}
	return value, confidence
}
