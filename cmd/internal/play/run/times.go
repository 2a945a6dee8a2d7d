package run

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tapwise/cmd/internal/play/player"
)

// Times collects how long each stage of the levels took. A nil one collects nothing.
type Times struct{ reports []player.Report }

// Add adds the times of a level.
func (t *Times) Add(r player.Report) {
	if t != nil {
		t.reports = append(t.reports, r)
	}
}

// String returns a table of the stages, their medians and their worst.
func (t *Times) String() string {
	if len(t.reports) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s %10s %10s\n", fmt.Sprintf("of %d levels", len(t.reports)), "median", "worst")
	for _, stage := range []struct {
		name string
		of   func(player.Report) time.Duration
	}{
		{"settle", func(r player.Report) time.Duration { return r.Settle.Duration }},
		{"look and read", func(r player.Report) time.Duration { return r.Read.Duration }},
		{"solve", func(r player.Report) time.Duration { return r.Solve.Duration }},
		{"play", func(r player.Report) time.Duration { return r.Play.Duration }},
		{"verify", func(r player.Report) time.Duration { return r.Verify.Duration }},
		{"waiting for the phone", func(r player.Report) time.Duration { return r.Phone }},
		{"waiting between looks", func(r player.Report) time.Duration { return r.Idle }},
		{"the program's own", func(r player.Report) time.Duration { return r.Own }},
	} {
		all := make([]time.Duration, len(t.reports))
		for i, r := range t.reports {
			all[i] = stage.of(r)
		}
		slices.Sort(all)
		fmt.Fprintf(&b, "%-24s %7.1f ms %7.1f ms\n", stage.name, milliseconds(all[len(all)/2]), milliseconds(all[len(all)-1]))
	}
	captures, pushed, strokes := 0, 0, 0
	received, sent := int64(0), int64(0)
	for _, r := range t.reports {
		captures += r.Captures
		strokes += r.Strokes
		pushed += r.Pushed
		received += r.Received
		sent += r.Sent
	}
	n := float64(len(t.reports))
	fmt.Fprintf(&b, "a level: %.1f frames, %.1f pushed, %.1f gestures, %.1f kB received, %.1f kB sent\n",
		float64(captures)/n, float64(pushed)/n, float64(strokes)/n, float64(received)/1000/n, float64(sent)/1000/n)
	return b.String()
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
