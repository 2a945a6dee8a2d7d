// Package figures tells the figures of a journal.
package figures

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"tapwise/cmd/internal/console/metrics"
	"tapwise/cmd/internal/journal"
)

// Of returns the figures of a journal as a source, which reads only what was added since.
// Open opens it, and returns what closes it; with [journal.ErrNone] there is none yet.
func Of(open func(context.Context) (*journal.Journal, func() error, error)) metrics.Source {
	t := &totals{games: map[string]*game{}}
	return metrics.Source{Name: "journal", Read: func(ctx context.Context, page *metrics.Page) (err error) {
		t.mu.Lock()
		defer t.mu.Unlock()
		defer t.show(page)
		j, end, err := open(ctx)
		if errors.Is(err, journal.ErrNone) {
			return nil
		}
		if err != nil {
			return err
		}
		return errors.Join(j.Over(ctx, &t.counted, func() { clear(t.games) }, t.add), end())
	}}
}

// totals are sums over the attempts of a journal that are over.
type totals struct {
	mu      sync.Mutex
	counted journal.Counted
	games   map[string]*game
}

// game is what was played of a game.
type game struct {
	verdicts      map[journal.Verdict]int
	won, captures int
	lastWin       time.Time
	took          [len(stages)]metrics.Durations
}

// stages are those of an attempt.
var stages = [...]string{"read", "solve", "play"}

// add counts an attempt. A stage that it did not come to took no time, and is not counted.
func (t *totals) add(a journal.Attempt) {
	name := cmp.Or(a.Game, "unknown") // it failed before its game was known
	g := t.games[name]
	if g == nil {
		g = &game{verdicts: map[journal.Verdict]int{}}
		t.games[name] = g
	}
	g.verdicts[a.Verdict]++
	g.captures += a.Captures
	if a.Verdict == journal.Won {
		if !a.Again {
			g.won++
		}
		if a.Ended.After(g.lastWin) {
			g.lastWin = a.Ended
		}
	}
	for stage, took := range [...]time.Duration{a.Settle.Duration + a.Read.Duration, a.Solve.Duration, a.Play.Duration + a.Verify.Duration} {
		if took > 0 {
			g.took[stage].Add(took)
		}
	}
}

func (t *totals) show(page *metrics.Page) {
	for name, g := range t.games {
		for verdict, n := range g.verdicts {
			page.Show(metrics.Attempts, float64(n), name, string(verdict))
		}
		page.Show(metrics.LevelsWon, float64(g.won), name)
		page.Show(metrics.Captures, float64(g.captures), name)
		if !g.lastWin.IsZero() {
			page.Show(metrics.LastWin, float64(g.lastWin.UnixMilli())/1000, name)
		}
		for i, stage := range stages {
			page.ShowTimes(metrics.Stages, &g.took[i], name, stage)
		}
	}
}
