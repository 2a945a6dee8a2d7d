package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb"
	"tapwise/adb/adbtest"
	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/overlay"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/play/run"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// rig is a player on a simulated phone.
type rig struct {
	phone  *simphone.Phone
	app    simulatedFlow
	server *adbtest.Server // nil for a phone within the process
	device run.Phone
	player *player.Player
}

// simulatedFlow is what the simulated app knows of itself.
type simulatedFlow interface {
	screen.App
	Wins() []int
	Screen() string
}

// shippedLevels are so many levels of the pack that comes with tapwise, from
// the beginning again when they run out.
func shippedLevels(t testing.TB, n int) []solvers.Puzzle {
	t.Helper()
	all := gametest.Levels(t, flow.Game{})
	levels := make([]solvers.Puzzle, n)
	for i := range levels {
		levels[i] = all[i%len(all)]
	}
	return levels
}

// breaksOff reports whether one of the faults breaks the phone's connection, or the adb
// server, which only a real server makes anew.
func breaksOff(faults []string) bool {
	return slices.ContainsFunc(faults, func(fault string) bool {
		name, _, _ := strings.Cut(fault, "@")
		return slices.Contains([]string{"dropped-in-frame", "offline", "server-restart", "unauthorized", "cut-stroke"}, name)
	})
}

// newRig is a player on a phone behind a real adb server. Whatever it waits for comes
// some day, since the machine may be slow; a test in which a deadline has to pass plays
// on a linked rig.
func newRig(t testing.TB, levels []solvers.Puzzle, config simphone.Config, faults []string, seed uint64) *rig {
	t.Helper()
	return serverRigBy(t, "", levels, config, faults, seed)
}

func serverRigBy(t testing.TB, capture string, levels []solvers.Puzzle, config simphone.Config, faults []string, seed uint64) *rig {
	t.Helper()
	r := &rig{server: adbtest.Start(t)}
	config.RestartServer = func() {
		go func() {
			if err := r.server.Restart(context.Background()); err != nil && t.Context().Err() == nil {
				t.Errorf("restart: %v", err)
			}
		}()
	}
	r.simulate(t, levels, config)
	if err := r.phone.Listen(context.Background(), "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.phone.Close() })
	client, err := adb.New(adb.Config{Port: r.server.Port, Timeout: await.Hang, Capture: capture})
	if err != nil {
		t.Fatal(err)
	}
	serial, err := client.Connect(t.Context(), r.phone.Addr())
	if err != nil {
		t.Fatal(err)
	}
	r.play(t, client, serial, faults, seed)
	timing := &r.player.Timing
	timing.SettleDeadline, timing.SolveDeadline, timing.WinDeadline, timing.NextDeadline = await.Hang, await.Hang, await.Hang, await.Hang
	return r
}

// newLinkedRig is a player on a phone within the process, for a bubble of synctest: its
// deadlines are kept by the bubble's clock, and what the machine takes is no time.
func newLinkedRig(t testing.TB, levels []solvers.Puzzle, config simphone.Config, faults []string, seed uint64) *rig {
	t.Helper()
	return linkedRigBy(t, "", levels, config, faults, seed)
}

// newStreamRig is a linked rig whose phone pushes frames.
func newStreamRig(t testing.TB, levels []solvers.Puzzle, config simphone.Config, faults []string, seed uint64) *rig {
	t.Helper()
	return linkedRigBy(t, adb.Stream, levels, config, faults, seed)
}

func linkedRigBy(t testing.TB, capture string, levels []solvers.Puzzle, config simphone.Config, faults []string, seed uint64) *rig {
	t.Helper()
	r := new(rig)
	config.CaptureDelay = 200 * time.Millisecond // as phones take; without it looks follow each other in no time
	r.simulate(t, levels, config)
	client, err := adb.New(adb.Config{Dial: adbtest.NewLink(t, r.phone).Dial, Timeout: 10 * time.Second, Capture: capture})
	if err != nil {
		t.Fatal(err)
	}
	r.play(t, client, adbtest.LinkSerial, faults, seed)
	t.Cleanup(func() {
		_ = r.device.CloseEye(context.Background())
		_ = r.device.Hand().Close(context.Background())
	})
	return r
}

// simulate makes the rig's phone.
func (r *rig) simulate(t testing.TB, levels []solvers.Puzzle, config simphone.Config) {
	t.Helper()
	app, err := flowapp.New(levels, simapp.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	r.app = app.(simulatedFlow)
	if config.Size == (image.Point{}) {
		config.Size = image.Pt(540, 1080)
	}
	if testing.Short() { // with the race detector, which draws a frame ten times as slowly
		config.Size = config.Size.Mul(2).Div(3)
	}
	config.Apps, config.Foreground = []simphone.Installed{simphone.Instance(app)}, app.Package()
	if r.phone, err = simphone.New(config); err != nil {
		t.Fatal(err)
	}
}

// play makes the rig's player on the phone of that serial, and injects faults.
func (r *rig) play(t testing.TB, client *adb.Client, serial string, faults []string, seed uint64) {
	t.Helper()
	device, err := client.Open(t.Context(), serial)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := device.Hand().Method(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.device = run.Phone{Device: device}
	r.player = &player.Player{
		Device: r.device, Eyes: calibrated.Eyes{}, Game: flow.Game{}, Evidence: t.TempDir(), Picture: overlay.Draw,
		Timing: calibration.Timing{SettleInterval: 25 * time.Millisecond, SettleDeadline: 2 * time.Second, SolveDeadline: 20 * time.Second,
			WinDeadline: 4 * time.Second, NextDeadline: 5 * time.Second, RecoverWait: 150 * time.Millisecond},
	}
	if testing.Verbose() && os.Getenv("TAPWISE_TEST_LOG") != "" {
		r.player.Log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	var parsed []simphone.Fault
	for _, text := range faults {
		f, err := simphone.ParseFault(text)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	if err := r.phone.Inject(parsed, seed); err != nil {
		t.Fatal(err)
	}
}

// strayed lists what was touched that should not have been.
func (r *rig) strayed() []string {
	stray := r.phone.Tapped()
	for _, e := range r.phone.Events() {
		if e.Kind == simphone.EventDown && e.Package != r.app.Package() && e.Package != "overlay" && e.Package != "" {
			stray = append(stray, e.Package)
		}
	}
	return stray
}

// faultLine is what goes wrong with three levels, and how that ends.
type faultLine struct {
	faults string
	stream string // by a stream, of which each frame counts, too: the same at other moments, when no level is complete; empty: at the same
	onFail player.OnFail
	won    int    // of 3, and seen to be
	unseen int    // won, but the phone failed before it showed in a still; by a stream it is seen
	kind   error  // of what ends the run; nil: it goes through
	says   string // in that error
	tried  string // a rung that must have been climbed
	seen   int    // of those that are unseen by stills
	lucky  bool   // or all three are won: on a slow machine it strikes before a level ends, and the app is opened again
}

// faultLines are what goes wrong, and how that ends.
func faultLines() []faultLine {
	return []faultLine{
		{faults: "", won: 3},
		{faults: "slow-frame@3 slow-frame@9", stream: "slow-frame slow-frame@1", won: 3},
		{faults: "truncated-frame truncated-frame@5", won: 3, tried: "look again"},
		{faults: "frame-text", won: 3},
		{faults: "black-frame@1 black-frame@6", won: 3, tried: "look again"},
		{faults: "black-frames", kind: player.ErrPhone, says: "black", tried: "look again"},
		{faults: "dropped-in-frame@2", won: 3, tried: "reconnect"},
		{faults: "rotated@1", won: 3},
		{faults: "rotated@2 rotated@5 rotated@9", won: 3},
		{faults: "resized@2", won: 3},
		{faults: "offline@2 offline@8", won: 3, tried: "reconnect"},
		{faults: "server-restart@3", won: 3, tried: "reconnect"},
		{faults: "unauthorized@1", kind: player.ErrPhone, says: "unauthorized"},
		{faults: "crash@1", kind: player.ErrUnreadable, says: "launcher3 in front", lucky: true}, // the game was never seen
		{faults: "crash@3", onFail: player.FailRetry, won: 2, unseen: 1, tried: "choose the level", lucky: true},
		{faults: "crash@3", unseen: 1, kind: player.ErrNotWon, says: "another one", lucky: true},
		{faults: "background@2", won: 3, tried: "reopen the app"},
		{faults: "background@5", stream: "background@3", won: 3, tried: "reopen the app"},
		{faults: "screen-off@3", won: 3, tried: "reopen the app"},
		{faults: "swipe-lock@1", kind: player.ErrLocked, says: "the phone is locked"},
		{faults: "locked@4", stream: "locked@2", unseen: 1, kind: player.ErrLocked, says: "the phone is locked"},
		{faults: "lost-touch@1 lost-touch@7 lost-touch@15", won: 3},
		{faults: "cut-stroke@9", won: 3, tried: "reconnect"},
		{faults: "refused-touch", won: 3}, // of `input`: the phone takes touches in other ways
		{faults: "rating@4", won: 3, tried: "BACK"},
		{faults: "rating@6", stream: "rating@3", won: 3, tried: "BACK"},
		{faults: "rating-panel@4", won: 3, tried: "BACK"},
		{faults: "rating-panel@6", stream: "rating-panel@3", won: 3, tried: "BACK"},
		{faults: "ad@6", stream: "ad@3", won: 3, tried: "BACK"},
		{faults: "dialog@1", won: 3, tried: "BACK"},
		{faults: "dialog@6 rating@14", stream: "dialog@2 rating@3", won: 3, tried: "BACK"},
		{faults: "endless-dialogs@1", kind: player.ErrUnreadable, says: "steps to recover", tried: "BACK"},
		{faults: "hint@1", won: 3},
		{faults: "hint@4", won: 3},
		{faults: "stuck-animation@1", stream: "stuck-animation", won: 3, tried: "reopen the app"},
		{faults: "changed-level", onFail: player.FailRetry, won: 2}, // the one that was left is not played
		{faults: "changed-level", kind: player.ErrNotWon, says: "another one"},
		{faults: "offline@3 rating@7 lost-touch@20 black-frame@9 crash@2", onFail: player.FailRetry, won: 3},
		{faults: "linker-text@1", won: 3},
		{faults: "always-on-display@3", won: 3, tried: "reopen the app"},
		{faults: "not-responding@3", onFail: player.FailRetry, won: 2, unseen: 1, tried: "choose the level", lucky: true},
		{faults: "secure-window@3", stream: "secure-window@2", unseen: 1, kind: player.ErrPhone, says: "secure window", tried: "look again"},
		{faults: "wrong-aspect@2", stream: "wrong-aspect@1", kind: player.ErrPhone, says: "frames do not have the size of the screen"},
		{faults: "sideways-frames@2", stream: "sideways-frames@1", kind: player.ErrPhone, says: "frames do not have the size of the screen"},
		{faults: "half-frames@2", won: 3},
		{faults: "java-text@1 shell-text@1", won: 3},
		{faults: "chooser@1 background@5", stream: "chooser@1 background@2", won: 3, tried: "reopen the app"},
		{faults: "dual-app@1 background@5", stream: "dual-app background@2", won: 3, tried: "reopen the app"},
		{faults: "cut-stroke@6", won: 3, tried: "reconnect"}, // within the last step of the first pipe
	}
}

// TestFaults plays three levels with something going wrong, where connections break through the
// real adb server, by stills and by a stream of frames: each fault is a line. What cannot be
// survived ends with the right message, and whatever happens no level counts twice, none counts
// that was not won, and nothing unknown is tapped. With -short it plays every third line.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"stills", adb.Stream} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			for i, test := range faultLines() {
				capture := ""
				if way == adb.Stream {
					capture, test.faults, test.seen = way, cmp.Or(test.stream, test.faults), test.unseen
					if test.stream != "" {
						test.unseen = 0
					}
				}
				t.Run(strings.ReplaceAll(test.faults, " ", ",")+string(test.onFail), func(t *testing.T) {
					if testing.Short() && (i%3 > 0 || strings.Contains(test.faults, " ") || test.unseen > 0 || strings.HasPrefix(test.faults, "half-frames")) {
						t.Skip("-short plays every third line, one fault at a time, none whose moment is a frame of a level's end, and none of half of its smaller screen")
					}
					t.Parallel()
					if breaksOff(strings.Fields(test.faults)) {
						test.play(t, serverRigBy, capture)
						return
					}
					synctest.Test(t, func(t *testing.T) { test.play(t, linkedRigBy, capture) })
				})
			}
		})
	}
}

// play plays three levels on a rig.
func (test faultLine) play(t *testing.T, rigOf func(testing.TB, string, []solvers.Puzzle, simphone.Config, []string, uint64) *rig, capture string) {
	r := rigOf(t, capture, shippedLevels(t, 3), simphone.Config{}, strings.Fields(test.faults), 1)
	r.player.OnFail = test.onFail
	if strings.HasPrefix(test.faults, "hint") { // which stays for two seconds: as configs/default.yaml waits
		r.player.Timing.RecoverWait = time.Second
	}
	var rows, tried []string
	r.player.Watch = func(e player.Event) {
		if e.State == player.StateRecover && e.Err != nil {
			tried = append(tried, e.Note)
		}
	}
	counted := 0
	won, err := r.player.Clear(t.Context(), 0, func(report player.Report, err error) {
		rows = append(rows, fmt.Sprintf("%dx%d won %t tried %q: %v", report.Cols, report.Rows, report.Won, report.Tried, err))
		if report.Won {
			counted++
		}
	})
	var f *player.Failure
	errors.As(err, &f)
	really := 0
	for _, n := range r.app.Wins() {
		really += n
	}
	if test.lucky && err == nil && won == 3 {
		test.won, test.kind, test.unseen = 3, nil, 0
	} else if seen := won - test.won; seen > 0 && seen <= test.seen {
		test.won, test.unseen = won, test.unseen-seen
	}
	story := fmt.Sprintf("\n%s\nends: %v\nthe app counts %v", strings.Join(rows, "\n"), err, r.app.Wins())
	if won != test.won || counted != won || really != won+test.unseen {
		t.Errorf("won %d, reported %d, really %d, expected %d and %d unseen%s", won, counted, really, test.won, test.unseen, story)
	}
	if slices.Max(r.app.Wins()) > 1 {
		t.Errorf("a level was won twice%s", story)
	}
	if !errors.Is(err, test.kind) || (err == nil) != (test.kind == nil) || err != nil && !strings.Contains(err.Error(), test.says) {
		t.Errorf("ended with %v, expected %v with %q%s", err, test.kind, test.says, story)
	}
	if err != nil && (f == nil || f.Evidence == "") {
		t.Errorf("no evidence%s", story)
	}
	if stray := r.strayed(); len(stray) > 0 {
		t.Errorf("touched %q%s", stray, story)
	}
	for _, text := range strings.Fields(test.faults) {
		if name, _, _ := strings.Cut(text, "@"); !slices.Contains([]string{"frame-text", "black-frames", "refused-touch", "dual-app"}, text) && r.phone.Struck()[name] == 0 {
			t.Errorf("%s did not happen%s", text, story)
		}
	}
	if test.tried != "" && !slices.Contains(tried, test.tried) {
		t.Errorf("tried %q, expected %q among it%s", tried, test.tried, story)
	}
}

// TestInterrupt ends a run in the middle of a stroke: the stroke is made to its
// end, nothing after it, and the finger is up.
func TestInterrupt(t *testing.T) { synctest.Test(t, interrupt) }

func interrupt(t *testing.T) {
	r := newLinkedRig(t, shippedLevels(t, 1), simphone.Config{InputDelay: 8 * time.Millisecond}, nil, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var plan []screen.Gesture
	began := 0
	r.player.Watch = func(e player.Event) {
		if e.Stage == "read" {
			plan = e.Plan
		}
		if e.State == player.StatePlay && e.Stroke >= 0 {
			began++
			if e.Stroke == 1 {
				cancel()
			}
		}
	}
	won, err := r.player.Clear(ctx, 0, func(player.Report, error) {})
	if won != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("won %d, %v, expected 0 and the interrupt", won, err)
	}
	time.Sleep(100 * time.Millisecond) // for what is still on its way
	events := r.phone.Events()
	if len(events) == 0 || events[len(events)-1].Kind != simphone.EventUp {
		t.Fatalf("the last of %d events is not the finger going up", len(events))
	}
	whole := len(plan[0].Points) + len(plan[1].Points) + 2
	// The next stroke may have begun before its command could be ended.
	if began != 2 || len(events) < whole || len(events) > whole+6 {
		t.Errorf("%d strokes began and %d events arrived, expected 2 and %d: %d gestures planned", began, len(events), whole, len(plan))
	}
}

// TestNeighbour plays on one of two phones of an adb server: the other one is
// not touched, not connected anew and keeps its settings, and the server is the
// same process.
func TestNeighbour(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	r := newRig(t, shippedLevels(t, 2), simphone.Config{}, []string{"offline@3"}, 1)
	app, err := flowapp.New(shippedLevels(t, 1), simapp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	other, err := simphone.New(simphone.Config{Serial: "OTHER", Size: image.Pt(240, 480), Apps: []simphone.Installed{simphone.Instance(app)}, Foreground: app.Package()})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Listen(context.Background(), "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	r.server.Run("connect", other.Addr())
	list := func() string {
		for line := range strings.Lines(string(r.server.Run("devices", "-l").Stdout)) {
			if strings.HasPrefix(line, other.Addr()) {
				return line // its transport id changes when it is connected anew
			}
		}
		return ""
	}
	before, pid := list(), r.server.PID()
	if !strings.Contains(before, "device") {
		t.Fatalf("the other phone is not connected: %q", before)
	}
	if won, err := r.player.Clear(t.Context(), 0, func(player.Report, error) {}); won != 2 || err != nil {
		t.Fatalf("won %d, %v", won, err)
	}
	if events := other.Events(); len(events) > 0 {
		t.Errorf("the other phone got %v", events)
	}
	if after := list(); after != before {
		t.Errorf("the other phone was %q and is %q", before, after)
	}
	if r.server.PID() != pid {
		t.Error("the adb server is another one")
	}
}

// TestTrace writes the trace of a run and reads it as Chrome would: every span
// lies within the one around it, and a level holds its states, a state what it
// waited for.
func TestTrace(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	synctest.Test(t, trace)
}

func trace(t *testing.T) {
	r := newLinkedRig(t, shippedLevels(t, 2), simphone.Config{}, []string{"black-frame@3"}, 1)
	r.player.Trace = player.NewTrace(time.Now(), "phone")
	if won, err := r.player.Clear(t.Context(), 0, func(player.Report, error) {}); won != 2 || err != nil {
		t.Fatalf("won %d, %v", won, err)
	}
	var data bytes.Buffer
	if err := r.player.Trace.Write(&data); err != nil {
		t.Fatal(err)
	}
	var trace struct {
		Events []struct {
			Name  string  `json:"name"`
			Phase string  `json:"ph"`
			Start float64 `json:"ts"`
			Dur   float64 `json:"dur"`
			Tid   *int    `json:"tid"`
			Pid   *int    `json:"pid"`
		} `json:"traceEvents"`
	}
	if err := json.Unmarshal(data.Bytes(), &trace); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	inside := map[string]bool{} // "inner in outer"
	for i, e := range trace.Events {
		count[e.Name]++
		if e.Tid == nil || e.Pid == nil || e.Phase != "X" && e.Phase != "M" || e.Dur < 0 || e.Start < 0 {
			t.Errorf("event %d is %+v", i, e)
		}
		for _, o := range trace.Events {
			const slack = 0.01 // of a microsecond, for rounding
			within := o.Start <= e.Start+slack && e.Start+e.Dur <= o.Start+o.Dur+slack
			apart := e.Start >= o.Start+o.Dur-slack || o.Start >= e.Start+e.Dur-slack
			around := e.Start <= o.Start+slack && o.Start+o.Dur <= e.Start+e.Dur+slack
			if e.Phase == "X" && o.Phase == "X" && !within && !apart && !around {
				t.Errorf("%+v and %+v overlap", e, o)
			}
			if within && o.Dur > e.Dur {
				inside[e.Name+" in "+o.Name] = true
			}
		}
	}
	for _, want := range []string{"settle in level", "read in level", "capture in verify", "touch in play", "look in next", "capture in level"} {
		if !inside[want] {
			t.Errorf("no span %q among %v", want, slices.Sorted(maps.Keys(inside)))
		}
	}
	if count["read"] != 2 || count["play"] != 2 || count["recover"] == 0 {
		t.Errorf("the spans are %v, expected 2 levels and a recovery", count)
	}
}

// blind is Flow that cannot read a board of one size.
type blind struct {
	flow.Game
	cols int
}

func (b blind) Read(seen *screen.Observation) (solvers.Puzzle, error) {
	if seen.Layout.Cols == b.cols {
		return nil, &solvers.ReadError{Reason: "blind"}
	}
	return b.Game.Read(seen)
}

// TestOnFail plays three levels of which the second cannot be read.
func TestOnFail(t *testing.T) {
	t.Parallel()
	levels := gametest.Parse(t, flow.Game{}, "B..AD\n.AC..\n....E\n.CB..\n...DE", "DCDB.A\n.....E\n.C....\n...BA.\nE.....", "EA..A\n....C\nDB.CB\n...E.\nD....")
	for _, test := range []struct {
		how  player.OnFail
		rows string
		wins string
		says string
	}{
		{player.FailStop, "won failed", "[1 0 0]", "blind"},
		{player.FailRetry, "won failed failed failed", "[1 0 0]", "blind"},
		{player.FailSkip, "won failed won", "[1 0 1]", "1 levels were skipped"},
	} {
		t.Run(string(test.how), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newLinkedRig(t, levels, simphone.Config{}, nil, 1)
				r.player.Game, r.player.OnFail = blind{cols: 6}, test.how
				var rows []string
				_, err := r.player.Clear(t.Context(), 0, func(report player.Report, err error) {
					verdict := "won"
					if err != nil {
						verdict = "failed"
					}
					rows = append(rows, verdict)
				})
				if got := strings.Join(rows, " "); got != test.rows || fmt.Sprint(r.app.Wins()) != test.wins {
					t.Errorf("levels %s, in the app %v, expected %s and %s", got, r.app.Wins(), test.rows, test.wins)
				}
				if !errors.Is(err, player.ErrUnreadable) || !strings.Contains(err.Error(), test.says) {
					t.Errorf("ended with %v, expected %q", err, test.says)
				}
			})
		})
	}
}

// TestPages begins at a list whose first page is complete, and finds the level
// that is not on the second.
func TestPages(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	synctest.Test(t, pages)
}

func pages(t *testing.T) {
	levels := shippedLevels(t, 33)
	r := newLinkedRig(t, levels, simphone.Config{Size: image.Pt(360, 720)}, nil, 1)
	won, err := r.player.Clear(t.Context(), 31, func(player.Report, error) {})
	if won != 31 || err != nil {
		t.Fatalf("won %d, %v", won, err)
	}
	r.phone.ForceStop(r.app.Package())
	if err := r.phone.Launch(r.app.Package()); err != nil {
		t.Fatal(err)
	}
	_ = r.phone.Frame() // it opens its list, on the page of the last level: back to the first
	for _, at := range []int{20, 50, 80} {
		kind := simphone.EventMove
		if at == 20 {
			kind = simphone.EventDown
		}
		r.phone.Touch(kind, float64(360*at/100), 360)
	}
	r.phone.Touch(simphone.EventUp, 290, 360)
	// A new run: nothing is known of the one before.
	fresh := player.Player{Device: r.device, Eyes: calibrated.Eyes{}, Game: flow.Game{}, Timing: r.player.Timing}
	won, err = fresh.Clear(t.Context(), 0, func(player.Report, error) {})
	if won != 2 || err != nil || slices.Max(r.app.Wins()) != 1 || slices.Min(r.app.Wins()) != 1 {
		t.Errorf("won %d, %v, in the app %v", won, err, r.app.Wins())
	}
}
