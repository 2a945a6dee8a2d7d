package player

import (
	"context"
	"math"

	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// pushedReads is what is known in a run of boards that are read from frames that are pushed.
type pushedReads struct {
	agree   bool // the last board that was read from a still frame, too, was the same
	differ  bool // one was not: none is read so any more
	levels  int  // read since then
	tried   bool // the level under way could not be read so
	refused int  // levels in a row that could not be read so
}

const (
	// pushedLevels is how many levels are read from frames that are pushed until one is
	// compared with a still frame again.
	pushedLevels = 15
	// pushedRefusals is how many levels in a row are tried that cannot be read so.
	pushedRefusals = 3
	// pushedOff is how far a cell may be from where a still frame shows it, as a part of a
	// pitch: a finger finds it all the same.
	pushedOff = 6
)

// reduced is a look by a frame that was pushed, in pixels of the whole screen, with the level's
// board. It reports false if the frame shows none that the game reads, or one that is played
// already.
func (l *level) reduced(s sight) (sight, bool) {
	began := l.time()
	defer func() { l.report.Read.Duration += l.time().Sub(began) }()
	now, factor, err := recognise.Reduced(l.Eyes, s.frame, s.on, l.Game)
	if err != nil || len(now.Seen.Signs) > 0 {
		return s, false
	}
	puzzle, err := now.Read()
	if err != nil {
		return s, false
	}
	if filler, ok := puzzle.(solvers.Filler); ok {
		if fill, err := filler.Fill(now.Seen); err != nil || fill != "" {
			return s, false
		}
	}
	now.Enlarge(s.on, factor)
	s.Sight, s.factor = l.located(now), factor
	return s, s.Place.Kind == screen.Level
}

// provable reports whether the levels of the app have exactly one solution, which proves a reading.
func (l *level) provable(s sight) bool {
	return l.Game.About().OneSolution && !l.levels(s).Unproved()
}

// readPushed reads the next level's board from a frame that was pushed, on a screen that stands
// still. It reports false if a still frame is to be captured: only a board with one solution is
// read so, in a run in which a still frame has shown the same as the frame that was pushed, and
// in which the win is seen on frames that are pushed, too.
func (l *level) readPushed(ctx context.Context, small sight) (s sight, ok bool) {
	m := &l.memory.pushed
	onTheWay := l.state == StateNext && l.memory.bare == nil && !l.leave || l.state == StateSettle && !l.progress.touched
	m.tried = false
	if !l.provable(small) || !m.agree || m.levels >= pushedLevels || m.refused >= pushedRefusals || !onTheWay || small.empty() || len(l.report.Tried) > 0 ||
		l.memory.celebration == 0 || l.memory.own != nil || l.KeepSolved || l.unproved != "" {
		return s, false
	}
	s, ok = l.reduced(small)
	if ok {
		l.solveAhead(ctx, s, answerPatience)
	}
	if known := l.memory.ahead; !ok || known == nil || known.seen != s.Seen || known.judged.Several {
		m.tried = true
		return s, false
	}
	m.levels++
	m.refused = 0
	l.log().Debug("the board was read from a frame that was pushed", "factor", s.factor)
	l.memory.captured(s)
	l.memory.note(s)
	return s, true
}

// comparePushed compares a level's board on a still frame with the frame that was pushed before:
// whether boards can be read from those.
func (l *level) comparePushed(small, still sight) {
	m := &l.memory.pushed
	switch {
	case still.Place.Kind != screen.Level || len(still.Seen.Signs) > 0 || l.progress.touched && l.state != StateNext:
		return
	case m.tried:
		m.refused++
		return
	case !l.provable(small) || small.empty() || m.differ || m.refused >= pushedRefusals || m.agree && m.levels < pushedLevels:
		return
	}
	puzzle, err := still.Read()
	if err != nil {
		return
	}
	s, ok := l.reduced(small)
	if !ok {
		m.refused++
		return
	}
	pushed, _ := s.Read() // as it was read before
	m.agree, m.levels, m.refused = pushed.String() == puzzle.String() && sameCentres(s.Seen.Layout, still.Seen.Layout), 0, 0
	if m.differ = !m.agree; m.differ {
		l.log().Info("boards are not read from frames that are pushed: one was not what a still frame shows", "pushed", pushed.String(), "still", puzzle.String())
	}
}

// sameCentres reports whether the cells of two layouts lie at the same places for a finger.
func sameCentres(a, b screen.Layout) bool {
	if a.On != b.On || len(a.Centres) != len(b.Centres) {
		return false
	}
	for i, at := range a.Centres {
		way := at.Sub(b.Centres[i])
		if math.Hypot(float64(way.X), float64(way.Y))*pushedOff > b.Pitch {
			return false
		}
	}
	return true
}
