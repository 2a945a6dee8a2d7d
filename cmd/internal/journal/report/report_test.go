package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/journal/attempt"
)

// TestPlot puts durations on scales of whole powers of ten that hold them all.
func TestPlot(t *testing.T) {
	ms := time.Millisecond
	for _, test := range []struct {
		times []time.Duration
		ticks string
		ys    string
	}{
		{[]time.Duration{10 * ms, 100 * ms}, "10ms 100ms", "160 0"},
		{[]time.Duration{0, time.Microsecond}, "10µs 100µs", "160 160"}, // too short to tell
		{[]time.Duration{20 * ms}, "10ms 100ms", "112"},
		{[]time.Duration{100 * ms}, "100ms 1s", "160"},
		{[]time.Duration{11 * time.Second, 100 * ms}, "100ms 1s 10s 1m40s", "51 160"},
	} {
		var won []journal.Attempt
		for _, d := range test.times {
			won = append(won, journal.Attempt{Game: "flow", Record: attempt.Record{Solve: attempt.Seconds{Duration: d}}})
		}
		p := newPlot("solve", won, func(a journal.Attempt) time.Duration { return a.Solve.Duration })
		var ticks, ys []string
		for _, tick := range p.Ticks {
			ticks = append(ticks, tick.Name)
		}
		for _, d := range p.Dots {
			ys = append(ys, fmt.Sprintf("%.0f", d.Y))
			if d.Y < 0 || d.Y > plotHeight || d.X < 0 || d.X > plotWidth || d.Class != "game0" {
				t.Errorf("%v: a dot at %v", test.times, d)
			}
		}
		if got := strings.Join(ticks, " "); got != test.ticks {
			t.Errorf("%v: ticks %s, expected %s", test.times, got, test.ticks)
		}
		if got := strings.Join(ys, " "); got != test.ys {
			t.Errorf("%v: dots at %s, expected %s", test.times, got, test.ys)
		}
	}
}

// TestLongReport stays small: dots are thinned out, failures limited.
func TestLongReport(t *testing.T) {
	var attempts []journal.Attempt
	for i := range 9000 {
		a := journal.Attempt{ID: int64(i + 1), Run: 1, Level: i + 1, Game: "flow", Verdict: journal.Won, Started: time.Unix(int64(i), 0), Ended: time.Unix(int64(i)+1, 0), Record: attempt.Record{Captures: 3}}
		if i%10 == 0 {
			a.Verdict = journal.Failed
		}
		attempts = append(attempts, a)
	}
	r := newPage(t.Context(), attempts, time.Unix(9000, 0))
	if r.Won != 8100 || len(r.Failures) != mostFailures || r.Failures[0].Level != 8991 {
		t.Errorf("%d won, %d failures, the first at level %d", r.Won, len(r.Failures), r.Failures[0].Level)
	}
	for _, p := range r.Plots {
		if len(p.Dots) > plotDots || len(p.Dots) < plotDots/2 {
			t.Errorf("%s: %d dots", p.Title, len(p.Dots))
		}
	}
}

// TestRunOfPhones: a run of an order names how many phones played it.
func TestRunOfPhones(t *testing.T) {
	rows := runRows([]journal.Attempt{{Run: 1, Serial: "a"}, {Run: 2, Serial: "a"}, {Run: 1, Serial: "b"}, {Run: 1, Serial: "a"}})
	if len(rows) != 2 || rows[1].Serial != "2 phones" || rows[0].Serial != "a" {
		t.Errorf("rows are %+v, expected a run of two phones below that of one", rows)
	}
}
