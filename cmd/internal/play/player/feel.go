package player

import (
	"slices"

	"tapwise/solvers/screen"
)

// A Feeler is a Device that touches in one of several ways. The phone does not answer some of
// them, so the screen has to show whether a touch landed.
type Feeler interface {
	Device
	// TouchTrusted reports whether touches by the way in use were seen to land.
	TouchTrusted() bool
	// TouchSeen takes how many of the gestures that were made last had an effect on the screen.
	// It reports whether they are worth repeating in another way.
	TouchSeen(made, arrived int) (again bool)
}

// felt is what has to be known of a play to tell a Feeler what was seen of it.
type felt struct {
	made    int  // gestures made; 0 once it was told
	missing int  // gestures that were missing before, these among them
	trial   bool // they were made to see whether touches land
}

// trial is the number of gestures to make first to see whether touches land: up to
// the first one that the board shows, as long as others come after it. 0 means to
// make them all.
func (l *level) trial(gestures []screen.Gesture) int {
	f, ok := l.Device.(Feeler)
	if !ok || f.TouchTrusted() || l.solution == nil {
		return 0
	}
	first := 1 + slices.IndexFunc(gestures, func(g screen.Gesture) bool { return !g.Unseen })
	if first == len(gestures) {
		return 0
	}
	return first
}

// feel tells a Feeler how many of the gestures are missing now, once after each
// play. It reports whether what is missing is to be played without counting it as
// a failure: it was a trial, or another way to touch is there.
func (l *level) feel(missing int) (again bool) {
	last := l.progress.felt
	l.progress.felt = felt{}
	f, ok := l.Device.(Feeler)
	if !ok || last.made == 0 {
		return false
	}
	arrived := min(max(last.missing-missing, 0), last.made)
	if f.TouchSeen(last.made, arrived) {
		l.log().Warn("touches were not seen on the screen; touching in another way")
		return true
	}
	return last.trial && arrived > 0
}
