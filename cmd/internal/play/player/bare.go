package player

import (
	"context"
	"fmt"
	"image"
	"time"

	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// bareEnd is how a level was left that was won without a panel.
type bareEnd struct {
	base       sight         // the frame that the level was read from, as cells that look alike if need be
	beforeLast []*image.RGBA // the screen before the last stroke
	board      string        // the puzzle's notation
}

// Why a win is not certain.
const (
	unconfirmedLeft  = "the whole solution was seen, and then the app left the board for another screen"
	unconfirmedNext  = "all but the last stroke was seen on the board, and then another level"
	unconfirmedShort = "the whole solution was played, but not all of it can be seen on the board"
)

// base is the look from which the level was read, with the signs of its cells. Where the
// board was read by its lines, the eyes look once more for cells that look alike: a full
// board of another look may not be found by its lines any more. It reports false where
// the game reads no such boards, or another one.
func (l *level) base() (sight, bool) {
	m := &l.memory
	switch {
	case m.read.empty():
		return sight{}, false
	case len(m.read.Seen.Signs) > 0:
		return m.read, true
	case m.base != nil:
		return *m.base, !m.base.empty()
	}
	m.base = &sight{}
	if !l.Game.About().ReadsSigns {
		return sight{}, false
	}
	spec := l.Game.Spec()
	spec.Signs = true
	seen, err := l.Eyes.Observe(m.read.whole(), m.read.on, spec)
	if err != nil {
		return sight{}, false
	}
	base := m.read
	base.frame, base.factor, base.Sight = m.read.whole(), 0, recognise.Of(l.Game, seen)
	if p, err := base.Read(); err != nil || p.String() != l.report.Board {
		return sight{}, false
	}
	m.base = &base
	return base, true
}

// redraw finds out what is drawn on the level's board by what has changed since it was
// read, and reports whether it is that board.
func (l *level) redraw(s *sight) bool {
	base, ok := l.base()
	if !ok || base.on != s.on {
		return false
	}
	seen, err := vision.Drawn(base.frame, base.Seen, s.frame)
	if err != nil {
		l.log().Debug("the board as it was read is not to be seen", "error", err)
		return false
	}
	now := l.of(seen)
	if _, err := now.Read(); err != nil {
		l.log().Debug("what is drawn on the board makes no sense", "error", err)
		return false
	}
	s.Sight = now
	return true
}

// standsAgain reports whether the whole solution has stood on the board since began for
// as long as is enough in a run whose levels have ended without a panel.
func (l *level) standsAgain(s sight, began time.Time) bool {
	if !l.memory.endsBare || !l.time().After(began.Add(l.Timing.WinDeadline/bareSooner)) {
		return false
	}
	stands, certain := l.stands(s)
	return stands && certain
}

// stands reports whether the whole solution stands on the board, and whether all of it
// can be seen there. A panel that is known to come, and has not, says that the level is
// not won.
func (l *level) stands(s sight) (stands, certain bool) {
	if l.solution == nil || l.memory.endingKnown() || s.Place.Kind != screen.Level {
		return false, false
	}
	rest, err := l.solution.Remaining(s.Seen)
	if err != nil || anyShows(rest) {
		return false, false
	}
	return true, len(rest) == 0
}

// wonBare is the outcome of a level that is won without a panel; unconfirmed is why that
// is not certain, if it is not.
func (l *level) wonBare(s sight, unconfirmed string) outcome {
	l.log().Info("the level is complete, and no panel says so", "unconfirmed", unconfirmed)
	l.report.Unconfirmed = unconfirmed
	base, ok := l.base()
	if !ok {
		base = l.memory.read
	}
	l.memory.bare = &bareEnd{base: base, board: l.report.Board}
	for _, before := range []sight{l.memory.read, l.memory.shownBeforeLast} {
		if !before.empty() && before.on == s.on {
			l.memory.bare.beforeLast = append(l.memory.bare.beforeLast, before.whole())
		}
	}
	return l.wonAt(s)
}

// hasLeft reports whether the app may have left the board because the level is complete:
// the whole solution was seen on it after the last stroke, nothing has led elsewhere since,
// and it is not known that a panel comes.
func (l *level) hasLeft() bool {
	return l.solution != nil && l.progress.touched && !l.ledElsewhere() && !l.memory.endingKnown() && l.allDrawn()
}

// leaveBare leads on from a complete board that no panel covers, in this order: by the
// button that the profile knows, by the level's own, by the one button that has come since
// the last stroke. Otherwise the app may go on by itself; when it does not, BACK may lead
// to its list.
func (p *passage) leaveBare(ctx context.Context, s sight) (outcome, error) {
	at, most, ok := p.wayOn(s)
	switch {
	case p.time().Sub(p.began) > p.Timing.NextDeadline/2 && (!ok || p.tapped >= most):
		return "", fail(ErrUnreadable, troubleWonBefore, "the next level", "the one that was won, with no known way on", nil)
	case !ok || p.tapped >= most:
		return "", nil
	}
	p.tapped++
	p.from = s
	return "", p.tap(ctx, s, at, "next level")
}

// wayOn is the button that leads on from a complete board, and how often it may be tapped.
func (p *passage) wayOn(s sight) (at image.Point, most int, ok bool) {
	if at, ok := p.taught(s.on.Size); ok && !at.In(s.Seen.Layout.Board) { // else it is of a panel
		return at, maxTaps, true
	}
	if b, ok := s.Place.Button("next"); ok {
		return b.At, maxTaps, true
	}
	bare := p.memory.bare
	if bare.base.on != s.on || len(bare.beforeLast) == 0 {
		return image.Point{}, 0, false
	}
	layout, was := s.Seen.Layout, bare.base.Seen.Layout
	moved := image.Point{}
	if len(layout.Centres) == len(was.Centres) && len(was.Centres) > 0 {
		moved = layout.Centres[0].Sub(was.Centres[0])
	}
	rim := int(layout.Pitch / 2)
	found := vision.Appeared(s.frame, bare.beforeLast, layout.Board.Union(was.Board).Inset(-rim/4), moved)
	if len(found) != 1 {
		p.log().Debug("no one button has come with the complete board", "found", fmt.Sprint(found))
		return image.Point{}, 0, false
	}
	return found[0].Min.Add(found[0].Max).Div(2), 1, true
}

// isBare reports whether a look shows the board of the level that was won before, with no
// panel over it.
func (p *passage) isBare(s sight) bool {
	bare := p.memory.bare
	if bare == nil || p.leave || s.Place.Kind != screen.Level {
		return false
	}
	puzzle, err := s.Read()
	return err == nil && puzzle.String() == bare.board
}
