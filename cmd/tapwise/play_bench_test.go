package main

import (
	"fmt"
	"image"
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/play/run"
	"tapwise/solvers"
	"tapwise/solvers/games/flow"
)

// BenchmarkPlay plays 7x7 Flow levels on a simulated phone of full size without
// any delay, through the real adb server, and prints the median of each stage.
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
	// What the player's own thread computes, the decoding of frames included,
	// does not depend on who else uses the machine.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all run.Times
	var used []time.Duration
	before := threadTime()
	b.ResetTimer()
	_, err := r.player.Clear(b.Context(), b.N, func(report player.Report, err error) {
		all.Add(report)
		now := threadTime()
		used = append(used, now-before)
		before = now
	})
	b.StopTimer()
	if err != nil {
		b.Fatal(err)
	}
	slices.Sort(used)
	b.ReportMetric(used[len(used)/2].Seconds()*1000, "cpu-ms/level")
	if b.N == 1 {
		return // the run that only finds out how long it takes
	}
	fmt.Printf("7x7 on 1080x2340\n%sthe finger was sent %.1f times; the player's thread computed for %.1f ms, at the median\n",
		&all, float64(touches)/float64(len(used)), used[len(used)/2].Seconds()*1000)
}

// threadTime is what this thread has computed so far.
func threadTime() time.Duration {
	const thisThread = 1 // RUSAGE_THREAD of Linux
	var usage syscall.Rusage
	if syscall.Getrusage(thisThread, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
