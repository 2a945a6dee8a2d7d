package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb"
	"tapwise/adb/adbtest"
	"tapwise/adb/simphone"
	"tapwise/calibration"
	"tapwise/cmd/internal/calibrated"
	"tapwise/cmd/internal/overlay"
	"tapwise/cmd/internal/player"
	"tapwise/cmd/internal/run"
	"tapwise/cmd/internal/simulation"
	"tapwise/solvers"
	"tapwise/solvers/flow"
	flowapp "tapwise/solvers/flow/app"
	"tapwise/solvers/simapp"
)

var (
	measureHands = flag.Bool("hands", false, "measure every way to touch on phones that cost what phones cost")
	handsSDK     = flag.String("hands-sdk", "21,23,26,28,29,30,31,34,35", "the API levels to measure on")
	handsRung    = flag.String("hands-rung", "", "the ways to touch to measure, all of them when empty")
)

// handsModel is the phone of a version of Android: the kind that is nearest to it.
func handsModel(t testing.TB, sdk int) simulation.Model {
	name := "new"
	switch {
	case sdk < 24:
		name = "old"
	case sdk < 31:
		name = "mid"
	}
	m, err := simulation.ModelOf(name)
	if err != nil {
		t.Fatal(err)
	}
	m.SDK = sdk
	if sdk == 23 { // Android 6 is the first with slots and 64 bits on most phones
		m.Hands.CatBits, m.Hands.Panel.ProtocolA = 64, false
	}
	return m
}

// handsPhone is a phone with Flow levels, touched in one way only; empty for any. It is
// made in a bubble of package synctest: the time that passes is what the phone takes and
// what is waited for, whatever else the computer does.
func handsPhone(t testing.TB, m simulation.Model, rung string, levels ...solvers.Puzzle) (*simphone.Phone, *adb.Device) {
	app, err := flowapp.New(levels, simapp.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	var config simphone.Config
	m.Configure(&config)
	config.Apps, config.Foreground = []simphone.Installed{simphone.Instance(app)}, app.Package()
	phone, err := simphone.New(config)
	if err != nil {
		t.Fatal(err)
	}
	client, err := adb.New(adb.Config{Dial: adbtest.NewLink(t, phone).Dial, Timeout: 30 * time.Second, Touch: rung})
	if err != nil {
		t.Fatal(err)
	}
	device, err := client.Open(t.Context(), adbtest.LinkSerial)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = device.CloseTouch(context.Background()) })
	return phone, device
}

// handsTasks are the touches to measure, on a screen at least 720 pixels wide.
func handsTasks(size image.Point) []struct {
	name    string
	strokes []adb.Stroke
} {
	pitch := size.X / 10
	at := func(column, row int) image.Point { return image.Pt(pitch/2+column*pitch, pitch*2+row*pitch) }
	stroke := func(points ...image.Point) adb.Stroke { return adb.Stroke{Points: points, Size: size} }
	var flows, taps, slides []adb.Stroke
	for row := range 9 {
		var points []image.Point
		for column := range 9 {
			// Two rows that turn in their middle, as pipes do.
			points = append(points, at(column, row+column/5))
		}
		flows = append(flows, stroke(points...))
	}
	var snake []image.Point
	for i := range 64 {
		column := i % 8
		if i/8%2 == 1 {
			column = 7 - column
		}
		snake = append(snake, at(column, i/8))
	}
	for i := range 12 {
		taps = append(taps, stroke(at(i%4*2, i/4*2)))
	}
	for i := range 40 {
		slides = append(slides, stroke(at(i%5, i/5), at(i%5+3, i/5)))
	}
	return []struct {
		name    string
		strokes []adb.Stroke
	}{{"flow 9x9", flows}, {"alcazar 64", []adb.Stroke{stroke(snake...)}}, {"12 taps", taps}, {"40 slides", slides}}
}

// seen is the share of the strokes' points that the app saw the finger at, in order.
func seen(phone *simphone.Phone, strokes []adb.Stroke, near float64) float64 {
	events := phone.Events()
	points, found := 0, 0
	for _, s := range strokes {
		for _, p := range s.Points {
			points++
			i := slices.IndexFunc(events, func(e simphone.Event) bool {
				dx, dy := e.X-float64(p.X), e.Y-float64(p.Y)
				return e.Kind != simphone.EventKey && dx*dx+dy*dy <= near*near
			})
			if i >= 0 {
				found++
				events = events[i:]
			}
		}
	}
	return float64(found) / float64(points)
}

// handsLevels are so many 9x9 levels of Flow.
func handsLevels(t *testing.T, n int) []solvers.Puzzle {
	levels := make([]solvers.Puzzle, n)
	for i := range levels {
		var err error
		levels[i], err = (flow.Game{}).Generate(t.Context(), solvers.GenerateOptions{Rows: 9, Cols: 9, Unique: true}, rand.New(rand.NewPCG(9, uint64(i))))
		if err != nil {
			t.Fatal(err)
		}
	}
	return levels
}

// TestHandsTable prints how long every way to touch takes on phones of every version
// of Android, which it is to take as long as on real ones. make bench-hands runs it.
func TestHandsTable(t *testing.T) {
	if !*measureHands {
		t.Skip("it takes minutes: run it with -hands")
	}
	levels := handsLevels(t, handsStreamed)
	var mu sync.Mutex
	lines := make(map[int]string)
	t.Run("phones", func(t *testing.T) {
		for _, text := range strings.Split(*handsSDK, ",") {
			sdk, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			for i, rung := range adb.TouchRungs() {
				if *handsRung != "" && !strings.Contains(*handsRung, rung) {
					continue
				}
				t.Run(text+" "+rung, func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						line := handsLine(t, sdk, rung, levels)
						mu.Lock()
						defer mu.Unlock()
						lines[sdk*100+i] = line
					})
				})
			}
		}
	})
	fmt.Print(handsHeads)
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		fmt.Print(lines[key])
	}
}

// handsPlayer is a player of Flow that waits long for slow phones.
func handsPlayer(t *testing.T, device player.Device) *player.Player {
	return &player.Player{
		Device: device, Eyes: calibrated.Eyes{}, Game: flow.Game{}, Evidence: t.TempDir(), Picture: overlay.Draw,
		Timing: calibration.Timing{SettleInterval: 25 * time.Millisecond, SettleDeadline: 20 * time.Second, SolveDeadline: 20 * time.Second,
			WinDeadline: 20 * time.Second, NextDeadline: 20 * time.Second, RecoverWait: 150 * time.Millisecond},
	}
}

// handsHeads are the heads of the table.
const handsHeads = "| SDK | way | open | Flow 9x9 | at the end | 64 cells | 12 taps | 40 slides | first level | later | touch | frames | kB | beside |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"

// The numbers of levels that are played: by a stream as many as it takes to come to
// the fastest pace, and some that the pace is kept for; by input, which has no pace, two.
const (
	handsStreamed = 7
	handsInput    = 2
)

// handsLine measures one way to touch on one phone.
func handsLine(t *testing.T, sdk int, rung string, levels []solvers.Puzzle) string {
	m := handsModel(t, sdk)
	phone, device := handsPhone(t, m, rung, levels...)
	began := time.Now()
	choice, err := device.ChooseTouch(t.Context())
	if err != nil || choice.Rung != rung {
		if err == nil {
			err = errors.New(choice.String())
		}
		return fmt.Sprintf("| %d | %s | not taken: %.110s |\n", sdk, rung, err)
	}
	line := fmt.Sprintf("| %d | %s | %d", sdk, rung, time.Since(began).Milliseconds())
	tasks := handsTasks(m.Size)
	play := func(strokes []adb.Stroke) string {
		phone.ClearEvents()
		began := time.Now()
		if err := device.Play(t.Context(), strokes); err != nil {
			t.Fatal(err)
		}
		took := time.Since(began).Milliseconds()
		time.Sleep(time.Second) // for the last moves, which come with a frame
		return fmt.Sprintf(" | %d (%.0f %%)", took, 100*seen(phone, strokes, float64(m.Size.X)/30))
	}
	line += play(tasks[0].strokes)
	stream := rung != adb.TouchMotion && rung != adb.TouchSwipes
	for last := time.Duration(0); stream && device.Pace("") != last; {
		last = device.Pace("")
		device.TouchSeen(1, 1)
		play(tasks[0].strokes)
	}
	for _, task := range tasks {
		line += play(task.strokes)
	}
	if !stream {
		levels = levels[:handsInput]
	}
	return line + handsClear(t, m, rung, levels)
}

// handsClear plays levels on a phone anew, and tells about the first and the last.
func handsClear(t *testing.T, m simulation.Model, rung string, levels []solvers.Puzzle) string {
	_, device := handsPhone(t, m, rung, levels...)
	p := handsPlayer(t, run.Phone{Device: device})
	if _, err := device.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := device.ChooseTouch(t.Context()); err != nil {
		t.Fatal(err)
	}
	var reports []player.Report
	if _, err := p.Clear(t.Context(), len(levels), func(r player.Report, _ error) { reports = append(reports, r) }); err != nil {
		return fmt.Sprintf(" | %v |\n", err)
	}
	whole := func(r player.Report) int64 {
		return (r.Settle + r.Read + r.Solve + r.Play + r.Verify).Milliseconds()
	}
	first, last := reports[0], reports[len(reports)-1]
	return fmt.Sprintf(" | %d | %d | %d | %d + %d | %d | settle %v verify %v phone %v idle %v own %v |\n", whole(first), whole(last), last.Play.Milliseconds(),
		last.Captures, last.Marks, last.Received/1000, last.Settle, last.Verify, last.Phone, last.Idle, last.Own)
}

// unmarked is a phone that gives frames only.
type unmarked struct{ player.Keeper }

// TestHandsTableOfCaptures prints what looking at the screen costs for a level after the
// first: with whole raw frames, with the method that was the fastest at connect, and with
// marks of the board's rows where they pay.
func TestHandsTableOfCaptures(t *testing.T) {
	if !*measureHands {
		t.Skip("it takes minutes: run it with -hands")
	}
	levels := handsLevels(t, 3)
	fmt.Printf("%-5s %-8s %-10s %-22s | %9s %7s %9s %9s %9s\n", "phone", "looks", "method", "settled by", "level ms", "frames", "checksums", "KB", "KB sent")
	for _, name := range []string{"new", "wifi", "mid", "old"} {
		m, err := simulation.ModelOf(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, looks := range []string{"raw", "fastest", "marks"} {
			synctest.Test(t, func(t *testing.T) { fmt.Print(captureLine(t, m, looks, levels)) })
		}
	}
}

// captureLine measures the levels after the first on one phone.
func captureLine(t *testing.T, m simulation.Model, looks string, levels []solvers.Puzzle) string {
	_, device := handsPhone(t, m, "", levels...)
	if looks != "raw" {
		if _, err := device.Probe(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var on player.Device = run.Phone{Device: device}
	if looks != "marks" {
		on = unmarked{run.Phone{Device: device}}
	}
	p := handsPlayer(t, on)
	var began time.Time
	var reports []player.Report
	before, sent := int64(0), int64(0)
	if _, err := p.Clear(t.Context(), len(levels), func(r player.Report, _ error) {
		if began.IsZero() {
			began = time.Now()
			before, sent = device.Traffic()
			return
		}
		reports = append(reports, r)
	}); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	after, out := device.Traffic()
	frames, marks, n := 0, 0, len(reports)
	for _, r := range reports {
		frames, marks = frames+r.Captures, marks+r.Marks
	}
	by := device.RowsBy()
	if looks != "marks" || by == "" {
		by = "frames"
	}
	return fmt.Sprintf("%-5s %-8s %-10s %-22s | %9d %7.1f %9.1f %9.1f %9.1f\n", m.Name, looks, device.Method(), by, took.Milliseconds()/int64(n),
		float64(frames)/float64(n), float64(marks)/float64(n), float64(after-before)/1000/float64(n), float64(out-sent)/1000/float64(n))
}
