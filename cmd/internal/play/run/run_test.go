package run

import (
	"context"
	"errors"
	"image"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tapwise/adb"
	"tapwise/adb/adbtest"
	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/play/phonelock"
	"tapwise/cmd/internal/play/player"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
)

// told keeps what a run tells.
type told struct {
	begun, levels []int
	complete      int64
	failures      []error
}

func (p *told) Begin(levels, won int) { p.begun = append(p.begun, levels, won) }

func (p *told) Level(number int, _ player.Report, failure error) error {
	p.levels = append(p.levels, number)
	if failure != nil {
		p.failures = append(p.failures, failure)
	}
	return nil
}

func (p *told) Complete(run int64) { p.complete = run }

func (*told) NoMore() {}

// simulated connects a simulated phone with n levels of Flow, and returns it with
// what opens runs on it.
func simulated(t *testing.T, n int) (*simphone.Phone, Opener) {
	t.Helper()
	for _, variable := range []string{"XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(variable, t.TempDir())
	}
	random := rand.New(rand.NewPCG(4, 4))
	levels := make([]solvers.Puzzle, n)
	for i := range levels {
		var err error
		if levels[i], err = (flow.Game{}).Generate(t.Context(), solvers.GenerateOptions{Rows: 5, Cols: 5, Unique: true}, random); err != nil {
			t.Fatal(err)
		}
	}
	app, err := flowapp.New(levels, simapp.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	phone, err := simphone.New(simphone.Config{Size: image.Pt(480, 800), Apps: []simphone.Installed{simphone.Instance(app)}, Foreground: app.Package()})
	if err != nil {
		t.Fatal(err)
	}
	if err := phone.Listen(context.Background(), "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { phone.Close() })
	server := adbtest.Start(t)
	server.Run("connect", phone.Addr())
	return phone, Opener{
		ADB:      adb.Config{Port: server.Port, Timeout: await.Hang},
		Profiles: profiles.Store{Asked: profiles.None},
		Timing: calibration.Timing{SettleInterval: 25 * time.Millisecond, SettleDeadline: await.Hang, SolveDeadline: await.Hang,
			WinDeadline: await.Hang, NextDeadline: await.Hang, RecoverWait: 150 * time.Millisecond},
		Evidence: t.TempDir(),
		Command:  "a test",
		Log:      slog.New(slog.DiscardHandler),
	}
}

// TestRun opens a run on a simulated phone without naming the game, and previews,
// plays and clears levels on it, as a program without a terminal would.
func TestRun(t *testing.T) {
	phone, opener := simulated(t, 3)
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	r, err := opener.Open(t.Context(), Target{Serial: phone.Addr(), Wake: MustBeAwake})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Player.Game.Name(); got != "flow" {
		t.Errorf("the game on the screen is %s, expected flow", got)
	}
	report, lines, err := r.Preview(t.Context())
	if err != nil || report.Solution == "" || len(lines) == 0 {
		t.Errorf("previewed %d commands for %q, %v", len(lines), report.Solution, err)
	}
	if n := len(phone.Events()); n > 0 {
		t.Errorf("%d touches before anything was played", n)
	}

	if err := r.Hold(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	var held *phonelock.HeldError
	other := otherName(t, opener, phone)
	if _, err := opener.Hold(t.Context(), other); !errors.As(err, &held) || held.Holder == nil || held.Holder.Command != "a test" || !strings.Contains(err.Error(), " as "+phone.Addr()) {
		t.Errorf("held a second time: %v, expected that the phone is held by a test as %s", err, phone.Addr())
	}
	calls := 0
	report, err = r.Play(t.Context(), j, func(report player.Report, failure error) error {
		calls++
		return failure
	})
	if err != nil || !report.Won || calls != 1 {
		t.Fatalf("played: won is %v after %d calls, %v", report.Won, calls, err)
	}
	if _, err := r.Play(t.Context(), j, nil); !errors.Is(err, player.ErrComplete) {
		t.Errorf("played once more: %v, expected that the level is complete", err)
	}

	var progress told
	if err := r.Clear(t.Context(), j, Order{Levels: 2}, &progress); err != nil {
		t.Fatal(err)
	}
	if len(progress.levels) != 2 || progress.levels[0] != 1 || progress.levels[1] != 2 || progress.begun[0] != 2 || progress.begun[1] != 0 {
		t.Errorf("told of levels %v and of %v, expected 1 and 2 of a run of 2", progress.levels, progress.begun)
	}
	if err := r.Clear(t.Context(), j, Order{Resume: true}, &progress); err != nil || progress.complete == 0 {
		t.Errorf("resumed: run %d is complete, %v; expected the run that was played", progress.complete, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	progress.complete = 0
	if r, err = opener.Open(t.Context(), Target{Serial: other.Serial, Game: flow.Game{}, Wake: MustBeAwake}); err != nil {
		t.Fatal(err)
	}
	if err := r.Clear(t.Context(), j, Order{Resume: true}, &progress); err != nil || progress.complete == 0 {
		t.Errorf("resumed by another name: run %d is complete, %v; expected the run that was played", progress.complete, err)
	}
	if release, err := opener.Hold(t.Context(), other); err != nil {
		t.Errorf("after the run was closed: %v", err)
	} else if err := release(); err != nil {
		t.Error(err)
	}
	attempts, err := j.Attempts(t.Context(), journal.Filter{Verdict: journal.Won})
	if err != nil || len(attempts) != 3 {
		t.Errorf("the journal has %d won levels, %v, expected 3", len(attempts), err)
	}
}

// otherName connects the phone once more, by another address, and opens it by that.
func otherName(t *testing.T, opener Opener, phone *simphone.Phone) *adb.Device {
	t.Helper()
	client, err := opener.Client()
	if err != nil {
		t.Fatal(err)
	}
	serial, err := client.Connect(t.Context(), strings.Replace(phone.Addr(), "127.0.0.1", "localhost", 1))
	if err != nil {
		t.Fatal(err)
	}
	device, err := client.Open(t.Context(), serial)
	if err != nil {
		t.Fatal(err)
	}
	return device
}

// opened opens a run on a simulated phone with n levels, and a journal.
func opened(t *testing.T, n int) (*Run, *journal.Journal) {
	t.Helper()
	phone, opener := simulated(t, n)
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	r, err := opener.Open(t.Context(), Target{Serial: phone.Addr(), Game: flow.Game{}, Wake: WakeIt})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Hold(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r, j
}

// TestKeptFolder has the journal name what was kept of a level that was won.
func TestKeptFolder(t *testing.T) {
	r, j := opened(t, 1)
	keep := func(game string) string { return "kept of " + game }
	if err := r.Clear(t.Context(), j, Order{Levels: 1, Keep: keep}, &told{}); err != nil {
		t.Fatal(err)
	}
	attempts, err := j.Attempts(t.Context(), journal.Filter{})
	if err != nil || len(attempts) != 1 || attempts[0].Evidence != "kept of flow" {
		t.Errorf("%+v, %v, expected one attempt with what was kept", attempts, err)
	}
}

// TestUnkept: a level that was won while the journal cannot be written is told as a failure,
// the run ends with it, and that is said once.
func TestUnkept(t *testing.T) {
	r, j := opened(t, 2)
	var progress told
	lose := func(string) string { // when a level is won, before that is kept
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		return ""
	}
	err := r.Clear(t.Context(), j, Order{Levels: 2, Keep: lose}, &progress)
	if !errors.Is(err, ErrUnkept) || errors.Is(err, context.Canceled) || strings.Count(err.Error(), "journal.db") != 1 || strings.Contains(err.Error(), "\n") {
		t.Errorf("the run ended with %q, expected one line that a level cannot be kept", err)
	}
	if len(progress.failures) != 1 || !errors.Is(progress.failures[0], ErrUnkept) {
		t.Errorf("the levels were told to have failed with %v, expected %q", progress.failures, ErrUnkept)
	}
}

// TestShared: the parts of an order are one run, with the order's numbers of its levels, also
// of a level that is won once more; what is not accepted was not played.
func TestShared(t *testing.T) {
	r, j := opened(t, 3)
	refused := errors.New("another's")
	number, refuse := 6, false
	shared := &Shared{Name: "order", Number: func(string) int { return number }}
	boards := map[string]bool{}
	shared.Accept = func(board string) error {
		if refuse {
			return refused
		}
		if !boards[board] {
			boards[board] = true
			number++
		}
		return nil
	}
	if err := r.Clear(t.Context(), j, Order{Levels: 2, Shared: shared}, &told{}); err != nil {
		t.Fatal(err)
	}
	refuse = true
	if err := r.Clear(t.Context(), j, Order{Levels: 1, Shared: shared}, &told{}); !errors.Is(err, refused) {
		t.Errorf("a level that is not accepted ends with %v, expected %v", err, refused)
	}
	refuse, number = false, 7 // the third board is another phone's level 8
	if err := r.Clear(t.Context(), j, Order{Levels: 1, Shared: shared}, &told{}); err != nil {
		t.Fatal(err)
	}
	attempts, err := j.Attempts(t.Context(), journal.Filter{Serial: r.Phone.Serial})
	if err != nil {
		t.Fatal(err)
	}
	var levels []int
	for _, a := range attempts {
		if levels = append(levels, a.Level); a.Run != attempts[0].Run || a.Order != "order" || a.Verdict != journal.Won {
			t.Errorf("attempt %+v, expected one that was won of the one run of the order", a)
		}
	}
	if !slices.Equal(levels, []int{7, 8, 8}) || !attempts[2].Again {
		t.Errorf("levels %v were won, expected 7, 8 and 8 again", levels)
	}
	if runs, err := j.Runs(t.Context()); err != nil || len(runs) != 1 || runs[0].Outcome != journal.Done {
		t.Errorf("the journal has the runs %+v (%v), expected one that is done", runs, err)
	}
}
