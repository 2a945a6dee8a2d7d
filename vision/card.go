package vision

import (
	"image"
	"image/color"
	"slices"

	"tapwise/solvers/screen"
)

// A Card is a panel that no game knows: a patch of one colour with one button,
// or a column of buttons, on it. A button is a patch, too.
type Card struct {
	Bounds  image.Rectangle   // in pixels of its frame
	Buttons []image.Rectangle // from the top, at least one

	fill   color.RGBA // beside the buttons
	button color.RGBA // of the first button
}

// What a card is. The numbers are shares of an area or a length, written as
// integers to be multiplied by: 5*a >= b is a share of at least 1/5.
const (
	cardFilled   = 0.3 // the least share of a card's bounds that has its colour; the rest is buttons and text
	buttonFilled = 0.5 // the same of a button, which has a label only
	cardColours  = 12  // of 255: how much the colours of two cards of one kind differ at most
)

// Cards finds the cards on a frame, the smallest first, except those in the
// place of one of the patches before, which were there earlier. A patch that
// fills most of the frame is no card, nor is one with two buttons side by side.
func Cards(frame *image.RGBA, before []Patch) []Card {
	size := frame.Rect.Size()
	patches := Patches(frame)
	slack := max(4, min(size.X, size.Y)/100)
	var found []Card
	for _, p := range patches {
		if !p.panelSized(size) || slices.ContainsFunc(before, func(b Patch) bool { return sameBounds(b.bounds, p.bounds, slack) }) {
			continue
		}
		if c, ok := p.card(patches, size); ok {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b Card) int { return areaOf(a.Bounds) - areaOf(b.Bounds) })
	return found
}

// Covered reports whether a patch of the size of a panel lies over the middle
// of a frame.
func Covered(frame *image.RGBA) bool {
	size := frame.Rect.Size()
	return slices.ContainsFunc(Patches(frame), func(p Patch) bool {
		return size.Div(2).In(p.bounds) && p.panelSized(size)
	})
}

// panelSized reports whether a patch may be a panel: at least half as wide as
// the frame's shorter side, and at most 7/10 of the frame.
func (p Patch) panelSized(frame image.Point) bool {
	return 10*areaOf(p.bounds) <= 7*frame.X*frame.Y && 2*p.bounds.Dx() >= min(frame.X, frame.Y) && p.filled >= cardFilled
}

// card makes a card of a patch and the buttons on it. It reports false when
// there are none, or when they are not one column.
func (p Patch) card(patches []Patch, frame image.Point) (Card, bool) {
	c := Card{Bounds: p.bounds, fill: p.colour}
	for _, b := range patches {
		if !b.buttonOn(p, frame) {
			continue
		}
		if n := len(c.Buttons); n == 0 {
			c.button = b.colour
		} else if slack := max(4, b.bounds.Dx()/20); !sameColumn(c.Buttons[n-1], b.bounds, slack) {
			return Card{}, false
		}
		c.Buttons = append(c.Buttons, b.bounds)
	}
	return c, len(c.Buttons) > 0
}

// buttonOn reports whether a patch may be a button on another one: it lies
// inside of it, is at least a quarter as wide, and at least twice as wide as
// high; its width is at least 1/5 of the frame's shorter side, its height at most 1/3.
func (p Patch) buttonOn(panel Patch, frame image.Point) bool {
	w, h, shorter := p.bounds.Dx(), p.bounds.Dy(), min(frame.X, frame.Y)
	return p.filled >= buttonFilled && 5*w >= shorter && 4*w >= panel.bounds.Dx() && w >= 2*h && 3*h <= shorter &&
		p.bounds.In(panel.bounds.Inset(2))
}

// Like reports whether two cards are panels of one kind, whatever their text
// is: they have the same colours, the same left and right edges, as many
// buttons, and a first button of the same size.
func (c Card) Like(o Card) bool {
	slack := max(4, o.Bounds.Dx()/25)
	if len(c.Buttons) != len(o.Buttons) || !c.SameColours(o) || !sameColumn(c.Bounds, o.Bounds, slack) {
		return false
	}
	a, b := c.Buttons[0].Size(), o.Buttons[0].Size()
	return within(a.X, b.X, slack) && within(a.Y, b.Y, slack)
}

// SameColours reports whether two cards and their first buttons have the same
// colours.
func (c Card) SameColours(o Card) bool {
	return screen.Contrast(c.fill, o.fill) <= cardColours && screen.Contrast(c.button, o.button) <= cardColours
}

// OverRim reports whether a card lies over the rim of a board, of which most can be seen.
func (c Card) OverRim(l screen.Layout) bool {
	board, half := l.Board, int(l.Pitch/2)
	return c.Bounds.Overlaps(board) && !c.Bounds.In(board.Inset(-half)) && 2*areaOf(c.Bounds.Intersect(board)) < areaOf(board)
}

func areaOf(r image.Rectangle) int { return r.Dx() * r.Dy() }

// sameColumn reports whether two rectangles have the same left and right edges.
func sameColumn(a, b image.Rectangle, slack int) bool {
	return within(a.Min.X, b.Min.X, slack) && within(a.Max.X, b.Max.X, slack)
}

func sameBounds(a, b image.Rectangle, slack int) bool {
	return sameColumn(a, b, slack) && within(a.Min.Y, b.Min.Y, slack) && within(a.Max.Y, b.Max.Y, slack)
}

func within(a, b, slack int) bool { return a-b <= slack && b-a <= slack }
