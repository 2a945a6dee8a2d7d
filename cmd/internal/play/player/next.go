package player

import (
	"context"
	"fmt"
	"image"
	"time"

	"tapwise/solvers/screen"
)

const (
	// maxTaps is how often a button is tapped that does not seem to do anything.
	maxTaps = 3
	// tapPatience is how long a tap may take to show.
	tapPatience = 1500 * time.Millisecond
)

// passage is the way from a won level, or from the list, to the next level.
type passage struct {
	*level
	began  time.Time
	tapped int   // the number of taps on buttons that lead on
	from   sight // where the last of them was
	page   sight // the last page of the list, which had no level to play
}

// next leaves the panel of a won level, or the list, for a level that is not
// won. When a message comes instead of one, there are no more levels, and the
// app is left there.
func (l *level) next(ctx context.Context) (outcome, error) {
	began := l.time()
	p := &passage{level: l, began: began}
	if bare := l.memory.bare; bare != nil {
		l.memory.read = bare.base
	}
	l.memory.disturb()
	s, carried := l.memory.takeCarried(began)
	for {
		if !carried {
			var err error
			if s, err = l.standing(ctx, p.deadline()); err != nil {
				return "", err
			}
		}
		carried = false
		if on, err := p.act(ctx, s); on != "" || err != nil {
			return on, err
		}
		if l.time().After(p.deadline()) {
			return "", fail(ErrUnreadable, troubleOther, fmt.Sprintf("a level of %s within %v", l.Game.Name(), l.Timing.NextDeadline), s.describe(), nil)
		}
		if err := l.untilNext(ctx, s); err != nil {
			return "", err
		}
	}
}

// deadline is when the next level has to show. Whatever is touched on the way gives the
// app its time anew.
func (p *passage) deadline() time.Time {
	from := p.began
	if p.progress.ended.After(from) {
		from = p.progress.ended
	}
	return from.Add(p.Timing.NextDeadline)
}

// act does what leads on from a place in the app. The empty outcome means to look
// where it led.
func (p *passage) act(ctx context.Context, s sight) (outcome, error) {
	switch {
	case p.waiting(s):
		return "", nil
	case p.tapped > 0 && p.memory.lastWords(p.from, s):
		p.log().Info("no more levels")
		return p.end(), nil
	}
	switch s.Place.Kind {
	case screen.Level:
		switch {
		case p.leave:
			return p.leaveLevel(ctx, s)
		case p.isBare(s):
			return p.leaveBare(ctx, s)
		}
		return p.takeLevel(s)
	case screen.Won:
		return "", p.leavePanel(ctx, s)
	case screen.List:
		return p.leafThrough(ctx, s)
	case screen.Popup:
		// A message of the game itself where a level should come.
		if p.tapped > 0 && len(s.Place.Buttons) > 0 {
			p.log().Info("no more levels", "reason", s.Place.Reason)
			return p.end(), nil
		}
	}
	return "", p.misplaced(s)
}

// waiting reports whether the place that was tapped still has time to change.
func (p *passage) waiting(s sight) bool {
	return !p.from.empty() && s.Place.Kind == p.from.Place.Kind && p.time().Sub(p.progress.ended) < tapPatience
}

// end notes that there are no more levels.
func (p *passage) end() outcome {
	p.noMore = true
	return outcomeNoMore
}

// found notes how a level to play was seen.
func (p *passage) found(s sight) outcome {
	p.memory.carried = s
	p.memory.endsBare = p.memory.endsBare || p.memory.bare != nil
	p.memory.bare = nil
	return outcomeLevel
}

// leaveLevel leaves a level that is not to be played by its own button for the
// next one. The last level's button does nothing.
func (p *passage) leaveLevel(ctx context.Context, s sight) (outcome, error) {
	if p.left(s) {
		return p.found(s), nil
	}
	button, ok := s.Place.Button("next")
	if !ok {
		return "", fail(ErrUnreadable, troubleWonBefore, "the list of levels or a button that leads on", s.describe(), nil)
	}
	if p.tapped == maxTaps { // one tap may have been lost, not all of them
		return p.end(), nil
	}
	p.tapped++
	p.from, p.memory.left = s, s
	return "", p.tap(ctx, s, button.At, "leave the level for the next one")
}

// left reports whether a level is not the one that was left.
func (p *passage) left(s sight) bool {
	left := p.memory.left
	if left.empty() {
		return false
	}
	before, errBefore := left.Read()
	now, err := s.Read()
	if errBefore != nil || err != nil || left.on != s.on { // then by how it looks
		return !left.same(s, s.Seen.Layout.Board, oneInStill)
	}
	return before.String() != now.String()
}

// takeLevel takes a level to be the next one, unless it was won before. One that cannot be read
// is given time: something that goes by itself may lie over it, or over the message that there
// is none.
func (p *passage) takeLevel(s sight) (outcome, error) {
	puzzle, err := s.Read()
	if err != nil && p.deadline().Sub(p.time()) > p.Timing.NextDeadline/2 {
		return "", nil
	}
	if err == nil && p.wonBefore(puzzle.String()) {
		return "", fail(ErrUnreadable, troubleWonBefore, "the next level", "one that was won in this run", nil)
	}
	if p.memory.own != nil && p.tapped > 0 {
		p.memory.own.proven = true
	}
	return p.found(s), nil
}

// wonBefore reports whether a board was won in this run. After the app was left and opened again
// it may offer one, unless the level was chosen from the list.
func (l *level) wonBefore(board string) bool { return !l.chosen && l.memory.wonBoards[board] }

// leavePanel taps the button of a won level's panel that leads on.
func (p *passage) leavePanel(ctx context.Context, s sight) error {
	most := maxTaps
	if p.memory.own != nil && !p.memory.own.proven {
		most = 1 // whatever it is, it is not tapped again
	}
	button, ok := s.Place.Button("next")
	if !ok || p.tapped >= most {
		return nil
	}
	p.tapped++
	p.from = s
	return p.tap(ctx, s, button.At, "next level")
}

// leafThrough turns the list's page when it has no level to play. A page that
// comes again is the last one.
func (p *passage) leafThrough(ctx context.Context, s sight) (outcome, error) {
	if _, open := p.unplayed(s); open {
		return "", p.misplaced(s) // recovery chooses it
	}
	if p.page.sameFrame(s) {
		return p.end(), nil
	}
	p.page = s
	return "", p.leaf(ctx, s)
}

// unplayed returns the button of the level to choose from the list: the first
// incomplete one after those that were skipped.
func (l *level) unplayed(s sight) (image.Point, bool) {
	n := l.skipped
	for _, b := range s.Place.Buttons {
		if b.Name != "level" {
			continue
		}
		if n == 0 {
			return b.At, true
		}
		n--
	}
	return image.Point{}, false
}
