package report

import (
	"fmt"
	"math"
	"slices"
	"time"

	"tapwise/cmd/internal/journal"
)

// plot shows one duration of each attempt that was won.
type plot struct {
	Title  string
	Median string
	Most   string // the 95th percentile
	Dots   []dot
	Ticks  []tick
}

// dot is an attempt on a plot, which is plotWidth by plotHeight.
type dot struct {
	X, Y  float64
	Class string // the game's, for its colour
	Title string
}

// tick is a line across a plot with its name.
type tick struct {
	Y    float64
	Name string
}

const (
	plotWidth  = 600.0 // units of the SVG picture, as plotHeight
	plotHeight = 160.0
	plotDots   = 2000                  // most dots on a plot; of more attempts, every n-th is shown
	leastTime  = 10 * time.Microsecond // a shorter time is shown as this one: the scale is logarithmic
)

// plots is a plot for each phase of a level: reading, solving and playing.
func plots(attempts []journal.Attempt) []plot {
	var won []journal.Attempt
	for _, t := range attempts {
		if t.Verdict == journal.Won && t.Captures > 0 { // an attempt that was found won by a later process has no times
			won = append(won, t)
		}
	}
	if len(won) == 0 {
		return nil
	}
	var plots []plot
	for _, p := range []struct {
		title string
		of    func(journal.Attempt) time.Duration
	}{
		{"read: settle and read", func(t journal.Attempt) time.Duration { return t.Settle.Duration + t.Read.Duration }},
		{"solve", func(t journal.Attempt) time.Duration { return t.Solve.Duration }},
		{"play: touch and verify", func(t journal.Attempt) time.Duration { return t.Play.Duration + t.Verify.Duration }},
	} {
		plots = append(plots, newPlot(p.title, won, p.of))
	}
	return plots
}

// newPlot puts durations on a logarithmic scale that begins and ends at powers
// of ten.
func newPlot(title string, won []journal.Attempt, of func(journal.Attempt) time.Duration) plot {
	var times []time.Duration
	for _, t := range won {
		times = append(times, max(of(t), leastTime))
	}
	sorted := slices.Sorted(slices.Values(times))
	p := plot{Title: title, Median: readable(median(sorted)), Most: readable(sorted[(len(sorted)-1)*95/100])}
	low, high := leastTime, 10*leastTime
	for low*10 <= sorted[0] {
		low *= 10
	}
	for high < sorted[len(sorted)-1] || high <= low {
		high *= 10
	}
	y := func(d time.Duration) float64 {
		return plotHeight * (1 - math.Log(float64(d)/float64(low))/math.Log(float64(high)/float64(low)))
	}
	for d := low; d <= high; d *= 10 {
		p.Ticks = append(p.Ticks, tick{y(d), d.String()})
	}
	every := (len(won) + plotDots - 1) / plotDots
	for i, t := range won {
		if i%every != 0 {
			continue
		}
		p.Dots = append(p.Dots, dot{
			X: plotWidth * (float64(i) + 0.5) / float64(len(won)), Y: y(times[i]), Class: gameClass(t.Game),
			Title: fmt.Sprintf("%s, run %d level %d: %s", t.Game, t.Run, t.Level, readable(times[i])),
		})
	}
	return p
}
