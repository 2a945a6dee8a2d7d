package player

import (
	"context"
	"image"
	"math"
	"slices"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// ownPanel is the panel by which an app says that a level is complete, where it
// does not look like the game's.
type ownPanel struct {
	vision.Card
	beside []vision.Patch // the patches of the screen without it
	proven bool           // its button led to a level
}

// stranger is a panel of unknown looks that covers the level being played.
type stranger struct {
	vision.Card
	sight
	changed bool // it did not always look the same
	backs   int  // the number of times that BACK did not close it
}

// newCard is the panel on a frame that was not there when the board was read.
func (m *memory) newCard(s sight) (vision.Card, bool) {
	if m.read.empty() || m.read.on != s.on || m.read.factor > 0 { // one that was pushed shows less
		return vision.Card{}, false
	}
	if m.readPatches == nil {
		m.readPatches = vision.Patches(m.read.frame)
	}
	if all := vision.Cards(s.frame, m.readPatches); len(all) > 0 {
		return all[0], true
	}
	return vision.Card{}, false
}

// ownPanelOn finds the app's own panel of a won level on a frame, with its button that
// leads on: the one that the profile knows, or the first.
func (l *level) ownPanelOn(s sight) (screen.Place, bool) {
	m := &l.memory
	if m.own == nil {
		return screen.Place{}, false
	}
	all := vision.Cards(s.frame, m.own.beside)
	i := slices.IndexFunc(all, m.own.Like)
	if i < 0 {
		return screen.Place{}, false
	}
	first := all[i].Buttons[0]
	next := first.Min.Add(first.Max).Div(2)
	if at, ok := l.taught(s.on.Size); ok && onCard(at, all[i]) {
		next = at
	}
	return screen.Place{
		Kind:    screen.Won,
		Buttons: []screen.Button{{Name: "next", At: next}},
		Reason:  "the panel that came with the first level that was won",
	}, true
}

// taught is where the profile in use says that the button lies that leads to the next
// level.
func (p *Player) taught(size image.Point) (image.Point, bool) {
	known := p.profile(size)
	if known == nil {
		return image.Point{}, false
	}
	at, ok := known.Buttons["next"]
	return at.In(size), ok
}

// onCard reports whether a place is on one of a card's buttons.
func onCard(at image.Point, c vision.Card) bool {
	return slices.ContainsFunc(c.Buttons, func(b image.Rectangle) bool { return at.In(b) })
}

// isTaught reports whether a panel of unknown looks has the button that the profile knows,
// and has come after the whole level was played and seen: then nothing needs to be tried
// to find out that it is the level's own.
func (l *level) isTaught(s sight, c vision.Card) bool {
	at, ok := l.taught(s.on.Size)
	return ok && onCard(at, c) && l.solution != nil && !l.memory.endingKnown() && !l.ledElsewhere() && (l.memory.beforeLast || l.allDrawn())
}

// lastWords reports whether the button of the app's own panel led to another
// panel in its colours: a message where a level should come.
func (m *memory) lastWords(tapped, s sight) bool {
	if m.own == nil || tapped.empty() || tapped.on != s.on {
		return false
	}
	return slices.ContainsFunc(vision.Cards(s.frame, m.own.beside), func(c vision.Card) bool {
		return c.SameColours(m.own.Card) && !vision.Same(tapped.frame, s.frame, c.Bounds, oneInStill)
	})
}

// earlyFrames is the number of frames kept after the last stroke, for as long as
// it is not known how this app says that a level is complete.
const earlyFrames = 4

// keepEarly keeps one of the first frames after the last stroke.
func (m *memory) keepEarly(s sight) {
	if !m.endingKnown() && len(m.early) < earlyFrames {
		m.early = append(m.early, s)
	}
}

// noteStranger keeps a panel of unknown looks that covers the level.
func (m *memory) noteStranger(s sight, c vision.Card) {
	const oneInUnchanged = 500 // as oneInStill, of the pixels of the panel
	switch {
	case m.stranger == nil:
		m.stranger = &stranger{Card: c, sight: s}
	case m.stranger.on != s.on || m.stranger.Bounds != c.Bounds || !vision.Same(m.stranger.frame, s.frame, c.Bounds, oneInUnchanged):
		m.stranger.changed = true
	}
}

// meet is the failure of a panel of unknown looks that covers the level.
func (l *level) meet(s sight, c vision.Card) error {
	l.memory.noteStranger(s, c)
	s.Place.Kind, s.Place.Reason = screen.Popup, "a panel that was never seen"
	return fail(ErrUnreadable, troubleStrange, "a level of "+l.Game.Name(), s.describe(), nil)
}

// hidden reports whether a panel of unknown looks hides the level being played, or a part
// of it. A level that can be read is no panel, whatever its pipes look like, unless the
// panel lies over its rim, as no pipe does.
func (l *level) hidden(s sight, c vision.Card) bool {
	switch s.Place.Kind {
	case screen.List, screen.Won:
		return false
	case screen.Level:
		puzzle, err := s.Read()
		return err != nil || puzzle.String() == l.report.Board && c.OverRim(s.Seen.Layout)
	}
	return true
}

// takesOver reports whether the panel of unknown looks is how this app says that a
// level is complete: it came after the whole level was played and seen, in the
// app that is played, and stays as it is whatever is done to close it.
func (l *level) takesOver() bool {
	p := l.memory.stranger
	return p != nil && !l.ledElsewhere() && !p.changed && p.backs >= 2 && l.memory.own == nil && (l.memory.beforeLast || l.allDrawn())
}

// ledElsewhere reports whether a step to recover may have led to another level.
func (l *level) ledElsewhere() bool {
	return slices.ContainsFunc([]rung{rungReopen, rungReconnect, rungChoose}, func(led rung) bool {
		return slices.Contains(l.report.Tried, string(led))
	})
}

// wary reports whether it is not known yet how this app says that a level is
// complete. Then the board is looked at before its last stroke: a panel that
// comes right after the stroke comes because of it.
func (l *level) wary(gestures []screen.Gesture) bool {
	n := len(gestures)
	return l.solution != nil && !l.memory.endingKnown() && n > 1 && !gestures[n-1].Tap()
}

// strokePatience is how long strokes may take to show: a large screen of a busy machine is
// drawn late.
const strokePatience = 3 * time.Second

// lookBeforeLast looks at the board on which all strokes but the last were
// played, until they show or the screen stands still: an app may take a while to draw
// them. A panel that covers the board is not played on. It is over where the game's own panel
// says that the level is complete: more may have been on the board than was seen, such as a
// stroke of a run that was killed.
func (l *level) lookBeforeLast(ctx context.Context, last screen.Gesture) (over bool, err error) {
	deadline := l.time().Add(l.Timing.SettleDeadline)
	for {
		s, steady, err := l.standingByStream(ctx, deadline)
		if !steady && err == nil {
			if err = l.wait(ctx, l.Timing.SettleInterval); err == nil {
				s, steady, err = l.glance(ctx)
			}
			if err == nil {
				s, err = l.know(s)
			}
		}
		if err != nil {
			return false, err
		}
		l.memory.shownBeforeLast = s
		if s.Place.Kind == screen.Won {
			return true, nil
		}
		if c, ok := l.memory.newCard(s); ok && l.hidden(s, c) {
			return false, l.meet(s, c)
		}
		if s.Place.Kind == screen.Popup {
			return false, l.misplaced(s)
		}
		readable := false
		l.memory.beforeLast, readable = l.showsAllBut(s, last)
		if l.memory.beforeLast || steady && s.at.Sub(l.progress.ended) >= strokePatience || l.time().After(deadline) {
			l.log().Debug("was all but the last stroke seen?", "seen", l.memory.beforeLast)
			if !readable && l.covered(s, last) {
				return false, l.misplaced(s)
			}
			return false, nil
		}
		if l.memory.stood {
			if err := l.untilFrame(ctx, l.time().Add(answerPatience)); err != nil {
				return false, err
			}
		}
	}
}

// covered reports whether most cells of a gesture that was not made yet do not look as they
// did when the board was read: something lies over them.
func (l *level) covered(s sight, g screen.Gesture) bool {
	read, changed := l.memory.read, 0
	if read.on != s.on {
		return true
	}
	then := read.whole()
	part := image.Pt(1, 1).Mul(int(read.Seen.Layout.Pitch / 4))
	for _, at := range g.Points {
		if !vision.Same(then, s.frame, image.Rectangle{Min: at.Sub(part), Max: at.Add(part)}, oneInPatch) {
			changed++
		}
	}
	return 2*changed > len(g.Points)
}

// showsAllBut reports whether a board shows all strokes but the last, and whether it can be
// read. Some boards are not recognised once they are drawn on.
func (l *level) showsAllBut(s sight, last screen.Gesture) (all, readable bool) {
	if s.Place.Kind != screen.Level {
		return false, false
	}
	rest, err := l.solution.Remaining(s.Seen)
	if err != nil {
		l.log().Debug("the board before its last stroke cannot be read", "error", err)
		return false, false // it may have been in the middle of something
	}
	return len(rest) > 0 && !slices.ContainsFunc(rest, func(g screen.Gesture) bool {
		return !g.Unseen && !l.sameEnds(g, last)
	}), true
}

// sameEnds reports whether two gestures begin and end in the same cells. On a frame on which
// something is drawn, a cell may be found a pixel away from where it was found before.
func (l *level) sameEnds(a, b screen.Gesture) bool {
	pitch := 0.0
	if seen := l.memory.read.Seen; seen != nil {
		pitch = seen.Layout.Pitch
	}
	same := func(a, b image.Point) bool {
		way := a.Sub(b)
		return math.Hypot(float64(way.X), float64(way.Y)) <= pitch/4
	}
	return same(a.Points[0], b.Points[0]) && same(a.Points[len(a.Points)-1], b.Points[len(b.Points)-1])
}

// allDrawn reports whether the whole solution was seen on the screen after its
// last stroke.
func (l *level) allDrawn() bool {
	if l.solution == nil {
		return false
	}
	for _, s := range l.memory.early {
		if l.memory.complete {
			break
		}
		if l.observe(&s) == nil && s.Place.Kind == screen.Level {
			l.memory.complete = drawn(l.solution, s.Seen)
		}
	}
	l.memory.early = nil
	l.log().Debug("was the whole solution seen?", "seen", l.memory.complete)
	return l.memory.complete
}

// movedOn reports whether the app went on to the next level by itself: nothing was touched
// since the last stroke, and now there is another level. The whole solution was seen
// before (certain), or all of it but the last stroke, and nothing is drawn on that level.
func (l *level) movedOn(s sight) (moved, certain bool) {
	if slices.ContainsFunc(l.report.Tried, func(step string) bool { return step != string(rungLook) && step != string(rungWait) }) {
		return false, false
	}
	p, err := s.Read()
	if err != nil || p.String() == l.report.Board {
		return false, false
	}
	if l.allDrawn() {
		return true, true
	}
	filler, ok := p.(solvers.Filler)
	if !ok || !l.memory.beforeLast || !l.progress.touched {
		return false, false
	}
	fill, err := filler.Fill(s.Seen)
	return err == nil && fill == "", false
}

// panelClosed reports whether BACK has closed the panel of the level that was
// played, since the notice that it was meant for had just gone by itself. Then
// the whole solution stands on the screen. Playing it again would complete the
// level twice.
func (l *level) panelClosed(s sight) bool {
	if l.solution == nil || !l.progress.backed || s.Place.Kind != screen.Level {
		return false
	}
	rest, err := l.solution.Remaining(s.Seen)
	return err == nil && len(rest) == 0
}
