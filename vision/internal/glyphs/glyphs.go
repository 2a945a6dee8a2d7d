package glyphs

import (
	"image"
	"math"

	"tapwise/solvers/screen"
)

// Candidate is what a cell shows when one of its colours is taken for the ground that a
// number stands on.
type Candidate struct {
	Ground [3]uint8 // red, green, blue
	Shapes []Shape  // the glyphs from left to right, as far as they are seen; none where the ink is no number
	seen   outcome
	faint  bool // nothing stands out in the cell's middle
}

// Candidates are what a cell of a frame shows on each of its commonest colours.
func Candidates(frame *image.RGBA, cell image.Rectangle) []Candidate {
	p := newPatch(frame, cell)
	if p.w == 0 {
		return nil
	}
	var all []Candidate
	for _, g := range p.grounds() {
		k, faint := newInk(p, g)
		found, labels, seen := k.glyphs()
		c := Candidate{Ground: g.colour, seen: seen, faint: faint}
		if faint && seen == figures {
			c.seen = unclear
		} else {
			for _, f := range found {
				c.Shapes = append(c.Shapes, k.shape(f, labels))
			}
		}
		all = append(all, c)
	}
	return all
}

// Read reads the number in a cell of a frame. The cell may be given with its lines.
func Read(frame *image.RGBA, cell image.Rectangle) screen.Number {
	if isPlain(frame, cell) {
		return screen.Number{Seen: screen.NoNumber}
	}
	return read(Candidates(frame, cell))
}

// read is the number that candidates show: exactly one of them must show one clearly. No
// number is where one shows that nothing stands on it, and none shows anything else.
func read(candidates []Candidate) screen.Number {
	best := screen.Number{Seen: screen.UnclearNumber}
	empty, other := false, false
	for _, c := range candidates {
		empty = empty || c.seen == blank
		other = other || c.seen == unclear || c.seen == figures
		if len(c.Shapes) == 0 {
			continue
		}
		value, confidence, likely := number(c.Shapes)
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

// number is the number that shapes are, the confidence, 0 to 1, of its least certain figure,
// and whether each is likely to be the figure that is said.
func number(shapes []Shape) (value int, confidence float64, likely bool) {
	confidence, likely = 1, true
	for i, s := range shapes {
		figure, sure, may := Judge(s)
		if figure == 0 && i == 0 && len(shapes) > 1 {
			return 0, 0, false
		}
		value = 10*value + figure
		confidence, likely = min(confidence, sure), likely && may
	}
	return value, confidence, likely
}
