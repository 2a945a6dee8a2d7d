package web

import (
	"time"

	"tapwise/cmd/internal/play/player"
)

// pace is what the levels of a run took. The session's lock guards it.
type pace struct {
	began, ended time.Time // ended is zero while the run goes on
	levels       int       // that were won
	last, sum    [len(partNames)]time.Duration
}

// partNames are the parts of a level, in their order.
var partNames = [...]string{"settle", "read", "solve", "play", "verify"}

// add takes in a level that has ended; only levels that were won count.
func (t *pace) add(r player.Report) {
	if !r.Won {
		return
	}
	t.levels++
	t.last = [len(partNames)]time.Duration{r.Settle.Duration, r.Read.Duration, r.Solve.Duration, r.Play.Duration, r.Verify.Duration}
	for i, d := range t.last {
		t.sum[i] += d
	}
}

// partState is the time that a part of a level takes, in milliseconds.
type partState struct {
	Name string  `json:"name"`
	Last float64 `json:"last"` // of the last level
	Mean float64 `json:"mean"` // of all levels of the run
}

// parts are the times of the parts; none before the first level was won.
func (t *pace) parts() []partState {
	if t.levels == 0 {
		return nil
	}
	list := make([]partState, len(partNames))
	for i, name := range partNames {
		list[i] = partState{name, milliseconds(t.last[i]), milliseconds(t.sum[i]) / float64(t.levels)}
	}
	return list
}

// perHour is the number of levels won in an hour at the run's pace; 0 is unknown.
func (t *pace) perHour(now time.Time) float64 {
	if !t.ended.IsZero() {
		now = t.ended
	}
	took := now.Sub(t.began).Hours()
	if t.levels == 0 || took <= 0 {
		return 0
	}
	return float64(t.levels) / took
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
