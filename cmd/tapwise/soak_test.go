package main

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/play/player"
	"tapwise/solvers"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
)

var (
	soakLevels = flag.Int("soak", 30, "levels that TestSoak plays")
	soakSeed   = flag.Uint64("soak-seed", 1, "decides its levels and when what goes wrong")
)

// endings are the faults after which no program can go on by itself, and those that say
// what a phone is from the beginning.
var endings = []string{"unauthorized", "black-frames", "endless-dialogs", "secure-window", "wrong-aspect", "hung-frame", "hung-input",
	"squashed-frames", "sideways-frames", "half-frames", "dual-app"}

// TestSoak plays level after level while everything that can be survived goes
// wrong, each with a chance of 5 in 100 in each level. A touch that is refused
// ends a run, and another one begins, as its user would begin it. At the end
// every level is won or accounted for, none twice, and neither memory nor open
// files have grown.
func TestSoak(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays for a while")
	}
	random := rand.New(rand.NewPCG(*soakSeed, 5))
	levels := make([]solvers.Puzzle, *soakLevels)
	made := map[string]bool{}
	for i := 0; i < len(levels); {
		side := 5 + i%3
		var err error
		if levels[i], err = (flow.Game{}).Generate(t.Context(), solvers.GenerateOptions{Rows: side, Cols: side, Unique: true}, random); err != nil {
			t.Fatal(err)
		}
		// The screen shows colours, so that letters make no difference there.
		if board := gametest.Relettered(levels[i].String()); !made[board] {
			made[board] = true
			i++
		}
	}
	var faults []string
	for _, name := range simphone.FaultNames() {
		if !slices.Contains(endings, name) {
			faults = append(faults, name+"=0.05")
		}
	}
	r := newRig(t, levels, simphone.Config{Size: image.Pt(480, 960)}, faults, *soakSeed)
	r.player.OnFail = player.FailRetry
	// Some deadlines have to pass, as on an animation that never ends. One that passes
	// because the machine is slow costs an attempt, and fails nothing.
	timing := &r.player.Timing
	timing.SettleDeadline, timing.WinDeadline, timing.NextDeadline = 10*time.Second, 20*time.Second, 20*time.Second
	steps := map[string]int{}
	r.player.Watch = func(e player.Event) {
		if e.State == player.StateRecover && e.Err != nil {
			steps[e.Note]++
		}
	}

	began := time.Now()
	won, runs := 0, 0
	var stray []string
	failed := map[string]int{}
	boards := map[string]int{} // reported as won
	var marks []string
	mark := func() {
		marks = append(marks, fmt.Sprintf("%6d levels  %s  %7.0fs", won, footprint(), time.Since(began).Seconds()))
		t.Log(marks[len(marks)-1])
	}
	mark()
	for quarter := 1; ; runs++ {
		_, err := r.player.Clear(t.Context(), 0, func(report player.Report, err error) {
			stray = append(stray, r.strayed()...)
			r.phone.ClearEvents() // the phone keeps only so many
			if report.Won {
				won++
				boards[report.Board]++
			} else {
				failed[reasonOf(err)]++
			}
			if won*4 >= quarter*len(levels) {
				quarter++
				mark()
			}
		})
		if err == nil || t.Context().Err() != nil {
			break
		}
		t.Logf("run %d ended after %d levels: %v", runs+1, won, err)
		if errors.Is(err, player.ErrLocked) {
			r.phone.LockNow(simphone.LockNone) // which takes a person
		}
		if runs > len(levels)/2+5 {
			t.Fatalf("%d runs for %d levels", runs, won)
		}
	}
	mark()

	wins := r.app.Wins()
	twice, never, really := 0, 0, 0
	for _, n := range wins {
		really += min(n, 1)
		if n > 1 {
			twice++
		}
		if n == 0 {
			never++
		}
	}
	lost := 0
	for _, n := range failed {
		lost += n
	}
	t.Logf("%d levels: won and seen %d, in the app %d, left %d, attempts that failed %d %v, runs %d", len(levels), won, really, never, lost, failed, runs+1)
	t.Logf("faults that happened: %v", r.phone.Struck())
	t.Logf("steps to recover: %v", steps)
	for board, n := range boards {
		if n > 1 {
			t.Errorf("reported as won %d times:\n%s", n, board)
		}
	}
	switch {
	case twice > 0:
		t.Errorf("%d levels were won twice", twice)
	case won > really:
		t.Errorf("%d were reported as won, the app counts %d", won, really)
	case len(levels)-won > lost:
		t.Errorf("%d of %d were won and seen, only %d failures account for the rest", won, len(levels), lost)
	}
	if stray = append(stray, r.strayed()...); len(stray) > 0 {
		t.Errorf("touched %q", stray)
	}
}

// reasonOf shortens an error to what is alike in many.
func reasonOf(err error) string {
	var f *player.Failure
	if errors.As(err, &f) {
		return f.Stage + ": " + f.Kind.Error()
	}
	return err.Error()
}

// footprint is what the process holds, after a garbage collection.
func footprint() string {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files := "?"
	if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
		files = fmt.Sprint(len(entries))
	}
	resident := "?"
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range strings.Lines(string(status)) {
			if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				resident = strings.TrimSpace(rest)
			}
		}
	}
	return fmt.Sprintf("heap %5.1f MB  resident %s  open files %s  goroutines %d", float64(m.HeapAlloc)/1e6, resident, files, runtime.NumGoroutine())
}
