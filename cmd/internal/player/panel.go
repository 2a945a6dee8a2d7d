package player

import (
	"context"
	"image"
	"image/color"
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// card is a panel of any looks: an area of one colour, with one button or a
// column of them on it, each of one colour but for what is written on it.
type card struct {
	bounds  image.Rectangle
	buttons []image.Rectangle // from the top
	fill    color.RGBA        // beside the buttons
	button  color.RGBA        // of the first of them
}

// like reports whether a card is the same kind of panel as another one, if not
// with the same text.
func (c card) like(o card) bool {
	slack := max(4, o.bounds.Dx()/25)
	return len(c.buttons) == len(o.buttons) && c.kin(o) && near(c.bounds.Min.X, o.bounds.Min.X, slack) && near(c.bounds.Max.X, o.bounds.Max.X, slack) &&
		near(c.buttons[0].Dx(), o.buttons[0].Dx(), slack) && near(c.buttons[0].Dy(), o.buttons[0].Dy(), slack)
}

// kin reports whether a card has the colours of another one.
func (c card) kin(o card) bool {
	return screen.Contrast(c.fill, o.fill) <= 12 && screen.Contrast(c.button, o.button) <= 12
}

// place is where the game is when the card is the panel of a won level.
func (c card) place() screen.Place {
	first := c.buttons[0]
	return screen.Place{
		Kind:    screen.Won,
		Buttons: []screen.Button{{Name: "next", At: first.Min.Add(first.Max).Div(2)}},
		Reason:  "the panel that came with the first level that was won",
	}
}

// ownPanel is the panel by which an app says that a level is complete, when it
// is not as the game's.
type ownPanel struct {
	card
	beside []patch // on the screen without it
	proven bool    // its button led to a level
}

// patch is an area of one colour, in pixels of its frame.
type patch struct {
	bounds image.Rectangle
	full   float64 // the share of its bounds
	colour color.RGBA
}

// cards are the panels on a frame, the smallest first. Those that fill the
// screen are none, nor is what has two buttons side by side.
func cards(all []patch, size image.Point) []card {
	shorter := min(size.X, size.Y)
	var found []card
	for _, panel := range all {
		b := panel.bounds
		if 10*b.Dx()*b.Dy() > 7*size.X*size.Y || 2*b.Dx() < shorter || panel.full < 0.3 {
			continue
		}
		c := card{bounds: b, fill: panel.colour}
		column := true
		for _, p := range all {
			r := p.bounds
			if p.full < 0.5 || 5*r.Dx() < shorter || 4*r.Dx() < b.Dx() || r.Dx() < 2*r.Dy() || 3*r.Dy() > shorter || !r.In(b.Inset(2)) {
				continue
			}
			if n := len(c.buttons); n > 0 {
				last, slack := c.buttons[n-1], max(4, r.Dx()/20)
				column = column && near(r.Min.X, last.Min.X, slack) && near(r.Max.X, last.Max.X, slack)
			} else {
				c.button = p.colour
			}
			c.buttons = append(c.buttons, r)
		}
		if len(c.buttons) > 0 && column {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b card) int {
		return a.bounds.Dx()*a.bounds.Dy() - b.bounds.Dx()*b.bounds.Dy()
	})
	return found
}

// patches are the areas of one colour that are large enough for a button, by
// their first pixel from the top.
func patches(frame *image.RGBA) []patch {
	size := frame.Bounds().Size()
	shorter := min(size.X, size.Y)
	step := max(1, shorter/360)
	w, h := size.X/step, size.Y/step
	at := func(i int) color.RGBA {
		o := frame.PixOffset(frame.Rect.Min.X+i%w*step, frame.Rect.Min.Y+i/w*step)
		return color.RGBA{frame.Pix[o], frame.Pix[o+1], frame.Pix[o+2], 255}
	}
	const even, gradual = 48, 3 // how much an area's colours differ in all, and from one pixel to the next
	around := []int{-1, 1, -w, w}
	// Lines and blurred edges belong to no area.
	known := make([]bool, w*h)
	for i := range known {
		x, y := i%w, i/w
		if known[i] = x == 0 || y == 0 || x == w-1 || y == h-1; known[i] {
			continue
		}
		here := at(i)
		known[i] = slices.ContainsFunc(around, func(d int) bool { return screen.Contrast(here, at(i+d)) > gradual })
	}
	var found []patch
	var stack []int
	for first := range known {
		if known[first] {
			continue
		}
		known[first] = true
		colour := at(first)
		bounds := image.Rectangle{}
		pixels := 0
		stack = append(stack[:0], first)
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			bounds = bounds.Union(image.Rect(i%w-1, i/w-1, i%w+2, i/w+2)) // with its edge
			pixels++
			for _, d := range around {
				if next := i + d; !known[next] && screen.Contrast(at(next), colour) <= even {
					known[next] = true
					stack = append(stack, next)
				}
			}
		}
		if 5*step*bounds.Dx() >= shorter && 25*step*bounds.Dy() >= shorter {
			found = append(found, patch{
				bounds: image.Rectangle{bounds.Min.Mul(step), bounds.Max.Mul(step)},
				full:   float64(pixels) / float64(bounds.Dx()*bounds.Dy()),
				colour: colour,
			})
		}
	}
	return found
}

func near(a, b, slack int) bool { return a-b <= slack && b-a <= slack }

// newCard is the panel on a frame that was not there when the board was read:
// what fills the same place as something then is no panel that came since.
func (l *level) newCard(s sight) (card, bool) {
	if l.read.frame == nil || l.read.on != s.on {
		return card{}, false
	}
	if l.patches == nil {
		l.patches = patches(l.read.frame)
	}
	if all := newCards(s, l.patches); len(all) > 0 {
		return all[0], true
	}
	return card{}, false
}

// hidden reports whether the level being played cannot be seen: a level that can
// be read is no panel, whatever its pipes look like.
func (l *level) hidden(s sight) bool {
	switch s.place.Kind {
	case screen.List, screen.Won:
		return false
	case screen.Level:
		_, err := l.Game.Read(s.seen)
		return err != nil
	}
	return true
}

// covered reports whether something of one colour lies over the middle of the
// screen.
func covered(s sight) bool {
	size := s.on.Size
	return slices.ContainsFunc(patches(s.frame), func(p patch) bool {
		return image.Pt(size.X/2, size.Y/2).In(p.bounds) && 2*p.bounds.Dx() >= min(size.X, size.Y) &&
			p.full >= 0.3 && 10*p.bounds.Dx()*p.bounds.Dy() <= 7*size.X*size.Y
	})
}

// newCards are the panels on a frame, the smallest first, but for those in the
// place of what was there before.
func newCards(s sight, before []patch) []card {
	slack := max(4, min(s.on.Size.X, s.on.Size.Y)/100)
	return slices.DeleteFunc(cards(patches(s.frame), s.on.Size), func(c card) bool {
		return slices.ContainsFunc(before, func(p patch) bool { return alike(p.bounds, c.bounds, slack) })
	})
}

func alike(a, b image.Rectangle, slack int) bool {
	return near(a.Min.X, b.Min.X, slack) && near(a.Min.Y, b.Min.Y, slack) && near(a.Max.X, b.Max.X, slack) && near(a.Max.Y, b.Max.Y, slack)
}

// lastWords reports whether the button of the app's own panel led to another
// panel in its colours: a message where a level should come.
func (l *level) lastWords(tapped, s sight) bool {
	if l.own == nil || tapped.frame == nil || tapped.on != s.on {
		return false
	}
	for _, c := range newCards(s, l.own.beside) {
		if c.kin(l.own.card) && !same(tapped.frame, s.frame, c.bounds, 1000) {
			return true
		}
	}
	return false
}

// stranger is a panel of unknown looks that covers the level being played.
type stranger struct {
	card
	sight
	changed bool // it was not always the same
	backs   int  // BACKs that did not close it
}

// meet notes that a panel of unknown looks covers the level.
func (l *level) meet(s sight, c card) error {
	switch {
	case l.stranger == nil:
		l.stranger = &stranger{card: c, sight: s}
	case l.stranger.on != s.on || l.stranger.bounds != c.bounds || !same(l.stranger.frame, s.frame, c.bounds, 500):
		l.stranger.changed = true
	}
	s.place.Kind, s.place.Reason = screen.Popup, "a panel that was never seen"
	return fail(ErrUnreadable, strange, "a level of "+l.Game.Name(), s.describe(), nil)
}

// takesOver reports whether the panel of unknown looks is how this app says that a
// level is complete: it came after the whole level was played and seen, in the
// app that is played, and stays as it is whatever is done to close it.
func (l *level) takesOver() bool {
	p := l.stranger
	for _, led := range []rung{reopen, reconnect, choose} { // who knows where
		if slices.Contains(l.report.Tried, string(led)) {
			return false
		}
	}
	return p != nil && !p.changed && p.backs >= 2 && l.Player.own == nil && (l.beforeLast || l.allDrawn())
}

// wary reports whether nothing is known yet of how this app says that a level is
// complete. Then the board is looked at before its last stroke: what comes right
// after that comes because of it.
func (l *level) wary(gestures []screen.Gesture) bool {
	n := len(gestures)
	return l.solution != nil && l.state == StatePlay && l.own == nil && l.celebration == 0 && n > 1 && !gestures[n-1].Tap()
}

// lookBeforeLast looks at the board of which all but the last stroke was played.
// A panel that covers it is not played on.
func (l *level) lookBeforeLast(ctx context.Context, last screen.Gesture) error {
	if err := l.wait(ctx, l.Timing.SettleInterval); err != nil {
		return err
	}
	s, err := l.see(ctx)
	if err != nil {
		return err
	}
	if c, ok := l.newCard(s); ok && l.hidden(s) {
		return l.meet(s, c)
	}
	switch s.place.Kind {
	case screen.Popup:
		return l.misplaced(s)
	case screen.Level:
	default:
		return nil // some boards cannot be told by what is drawn on them
	}
	rest, err := l.solution.Remaining(s.seen)
	if err != nil {
		l.log().Debug("the board before its last stroke cannot be read", "error", err)
		return nil // it may have been in the middle of something
	}
	l.beforeLast = len(rest) > 0
	for _, g := range rest {
		if long(g) && (g.Points[0] != last.Points[0] || g.Points[len(g.Points)-1] != last.Points[len(last.Points)-1]) {
			l.beforeLast = false
		}
	}
	return nil
}

// earlyFrames is how many of the first frames after the last stroke are kept,
// for as long as it is not known how this app says that a level is complete.
const earlyFrames = 4

// keepEarly keeps one of the first frames after the last stroke.
func (l *level) keepEarly(s sight) {
	if l.own == nil && l.celebration == 0 && len(l.early) < earlyFrames {
		l.early = append(l.early, s)
	}
}

// allDrawn reports whether the whole solution was seen on the screen after its
// last stroke.
func (l *level) allDrawn() bool {
	if l.solution == nil {
		return false
	}
	for _, s := range l.early {
		if l.complete {
			break
		}
		if l.observe(&s) == nil && s.place.Kind == screen.Level {
			l.complete = drawn(l.solution, s.seen)
		}
	}
	l.early = nil
	l.log().Debug("was the whole solution seen?", "seen", l.complete)
	return l.complete
}

// drawn reports whether nothing is missing on the board, but for what looks the
// same before and after it was played.
func drawn(solution solvers.Solution, seen *screen.Observation) bool {
	rest, err := solution.Remaining(seen)
	return err == nil && !slices.ContainsFunc(rest, long)
}

// long reports whether a gesture shows: what is short may look the same before
// and after it was played.
func long(g screen.Gesture) bool { return len(g.Points) > 2 }

// movedOn reports whether the app went on to the next level by itself: the whole
// solution was seen, nothing went wrong since, and now there is another level.
func (l *level) movedOn(s sight) bool {
	if len(l.report.Tried) > 0 || !l.allDrawn() {
		return false
	}
	p, err := l.Game.Read(s.seen)
	return err == nil && p.String() != l.report.Board
}

// panelClosed reports whether BACK has closed the panel of the level that was
// played: what it was meant for may have gone by itself just before. Then the
// whole solution stands on the screen. To play it again would complete the level
// twice.
func (l *level) panelClosed(s sight) bool {
	if l.solution == nil || !l.backed || s.place.Kind != screen.Level {
		return false
	}
	rest, err := l.solution.Remaining(s.seen)
	return err == nil && len(rest) == 0
}
