package main

import (
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/player"
	"tapwise/solvers"
	"tapwise/solvers/flow"
)

// BenchmarkPlay plays 7x7 Flow levels on a simulated phone of full size without
// any delay, through the real adb server, and prints the median of each stage.
// What is the program's own is what is left of a level's time without the waits
// for the phone and between looks; the processor's time is that of the whole
// process, the simulated phone included.
func BenchmarkPlay(b *testing.B) {
	random := rand.New(rand.NewPCG(7, 7))
	levels := make([]solvers.Puzzle, b.N+1)
	for i := range levels {
		var err error
		if levels[i], err = (flow.Game{}).Generate(b.Context(), solvers.GenerateOptions{Rows: 7, Cols: 7, Unique: true}, random); err != nil {
			b.Fatal(err)
		}
	}
	r := newRig(b, levels, simphone.Config{Size: image.Pt(1080, 2340)}, nil, 1)
	r.player.Timing.SettleInterval = 60 * time.Millisecond
	touches := 0
	r.player.Watch = func(e player.Event) {
		if e.Note == "the finger is up" {
			touches++
		}
	}
	var reports []player.Report
	b.ResetTimer()
	began := processorTime()
	_, err := r.player.Clear(b.Context(), b.N, func(report player.Report, err error) {
		reports = append(reports, report)
	})
	used := processorTime() - began
	b.StopTimer()
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\n%d levels of 7x7 on 1080x2340\n%-22s %9s %9s\n", len(reports), "stage", "median", "worst")
	for _, stage := range []struct {
		name string
		of   func(player.Report) time.Duration
	}{
		{"settle", func(r player.Report) time.Duration { return r.Settle }},
		{"look and read", func(r player.Report) time.Duration { return r.Read }},
		{"solve", func(r player.Report) time.Duration { return r.Solve }},
		{"play", func(r player.Report) time.Duration { return r.Play }},
		{"verify", func(r player.Report) time.Duration { return r.Verify }},
		{"waiting for the phone", func(r player.Report) time.Duration { return r.Phone }},
		{"waiting between looks", func(r player.Report) time.Duration { return r.Idle }},
		{"the program's own", func(r player.Report) time.Duration { return r.Own }},
	} {
		all := make([]time.Duration, len(reports))
		for i, report := range reports {
			all[i] = stage.of(report)
		}
		slices.Sort(all)
		median := all[len(all)/2]
		fmt.Fprintf(&text, "%-22s %6.1f ms %6.1f ms\n", stage.name, ms(median), ms(all[len(all)-1]))
		if stage.name == "the program's own" {
			b.ReportMetric(ms(median), "own-ms/level")
		}
	}
	captures, strokes := 0, 0
	for _, report := range reports {
		captures += report.Captures
		strokes += report.Strokes
	}
	n := float64(len(reports))
	fmt.Fprintf(&text, "a level: %.1f captures, %.1f strokes, %.1f times the finger was sent; processor %.0f ms\n",
		float64(captures)/n, float64(strokes)/n, float64(touches)/n, ms(used)/n)
	b.Log(text.String())
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
