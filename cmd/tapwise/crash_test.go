package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tapwise/adb/adbtest"
	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/journal"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

var crashes = flag.Int("crashes", 4, "how often TestCrash kills tapwise")

// lab is a simulated phone with a pack of 5x5 levels, and a journal.
type lab struct {
	t      *testing.T
	pack   []solvers.Puzzle
	app    *drawn
	phone  *simphone.Phone
	server *adbtest.Server
	folder string
	file   string // the journal
}

// drawn is an app that counts how often it was drawn.
type drawn struct {
	screen.App
	frames atomic.Int64
}

func (d *drawn) Draw(c screen.Canvas, now time.Duration) {
	d.frames.Add(1)
	d.App.Draw(c, now)
}

func newLab(t *testing.T, levels int, random *rand.Rand) *lab {
	t.Helper()
	r := &lab{t: t, server: adbtest.Start(t), folder: t.TempDir()}
	r.file = filepath.Join(r.folder, "journal.db")
	for range levels {
		p, err := flow.Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: 5, Cols: 5, Unique: true}, random)
		if err != nil {
			t.Fatal(err)
		}
		r.pack = append(r.pack, p)
	}
	r.phone, r.app = r.addPhone(flow.Game{}, r.pack, "")
	return r
}

// addPhone connects one more phone to the lab's server.
func (r *lab) addPhone(game solvers.Game, pack []solvers.Puzzle, style string) (*simphone.Phone, *drawn) {
	r.t.Helper()
	simulated, err := all.Simulate(game, pack, simapp.Options{Seed: 3, Style: style})
	if err != nil {
		r.t.Fatal(err)
	}
	app := &drawn{App: simulated}
	phone, err := simphone.New(simphone.Config{
		Size: image.Pt(480, 800), Apps: []simphone.Installed{simphone.Instance(app)}, Foreground: app.Package(),
		InputDelay: 8 * time.Millisecond, CaptureDelay: 10 * time.Millisecond, // so that there is time to be killed in
	})
	if err != nil {
		r.t.Fatal(err)
	}
	if err := phone.Listen(context.Background(), "127.0.0.1:0"); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { phone.Close() })
	r.server.Run("connect", phone.Addr())
	return phone, app
}

// start starts tapwise clear on the lab's phone with more arguments, and gives
// what it prints.
func (r *lab) start(args ...string) (*exec.Cmd, *bytes.Buffer) {
	r.t.Helper()
	return r.clear(append([]string{"--levels", strconv.Itoa(len(r.pack)), "--serial", r.phone.Addr(), "--game", "flow"}, args...)...)
}

// command is tapwise with the lab's server and journal, ready to be run.
func (r *lab) command(args ...string) *exec.Cmd {
	fixed := []string{"--journal", r.file, "--adb-port", strconv.Itoa(r.server.Port)}
	child := exec.Command("tapwise", slices.Insert(slices.Clone(args), 1, fixed...)...)
	// A tap that a kill cut short leaves the panel where it is, until this deadline passes.
	child.Env = append(os.Environ(), "XDG_CACHE_HOME="+r.folder, "XDG_CONFIG_HOME="+r.folder, "TAPWISE_PLAY_NEXT_DEADLINE=30s")
	return child
}

// clear starts tapwise clear with the lab's server and journal.
func (r *lab) clear(args ...string) (*exec.Cmd, *bytes.Buffer) {
	r.t.Helper()
	var output bytes.Buffer
	child := r.command(append([]string{"clear"}, args...)...)
	child.Stdout, child.Stderr = &output, &output
	if err := child.Start(); err != nil {
		r.t.Fatal(err)
	}
	return child, &output
}

// attempts are those in the journal, which must be whole.
func (r *lab) attempts() []journal.Attempt {
	r.t.Helper()
	ctx := context.Background()
	j, err := journal.OpenExisting(ctx, r.file)
	if errors.Is(err, journal.ErrNone) {
		return nil
	}
	if err != nil {
		r.t.Fatal(err)
	}
	defer j.Close()
	if err := j.Check(ctx); err != nil {
		r.t.Fatal(err)
	}
	attempts, err := j.Attempts(ctx, journal.Filter{})
	if err != nil {
		r.t.Fatal(err)
	}
	return attempts
}

// runs are those in the journal.
func (r *lab) runs() []journal.Run {
	r.t.Helper()
	j, err := journal.OpenExisting(context.Background(), r.file)
	if err != nil {
		r.t.Fatal(err)
	}
	defer j.Close()
	runs, err := j.Runs(context.Background())
	if err != nil {
		r.t.Fatal(err)
	}
	return runs
}

// TestCrash kills clear at random moments and lets it resume: each level of the
// pack is won, counted once and in order, and after each kill the journal is
// whole. `make crash` kills it 200 times.
func TestCrash(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		*crashes = min(*crashes, 1)
	}
	random := rand.New(rand.NewPCG(7, 7))
	levels := 5 + 2**crashes
	r := newLab(t, levels, random)
	killed := map[string]int{} // by what the journal says of the last attempt
	for n := range *crashes {
		frames := r.app.frames.Load()
		child, output := r.start("--resume")
		// One in five is killed while it starts, the others once they have
		// looked at the screen.
		if n%5 == 4 {
			time.Sleep(time.Duration(random.Int64N(int64(300 * time.Millisecond))))
		} else {
			await.Until(t, "it looks at the screen", func() bool { return r.app.frames.Load() != frames })
			time.Sleep(time.Duration(random.Int64N(int64(1500 * time.Millisecond))))
		}
		if err := child.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := child.Wait(); errors.As(err, &exit) && exit.Exited() {
			t.Fatalf("after kill %d: exit code %d before it was killed:\n%s", n, exit.ExitCode(), output)
		}
		killed[r.look()]++
	}
	child, output := r.start("--resume")
	if err := child.Wait(); err != nil {
		t.Fatalf("after %d kills: %v\n%s", *crashes, err, output)
	}
	if last := r.look(); last != "won" {
		t.Errorf("the last attempt is %q, expected won", last)
	}
	shown := r.app.App.(interface {
		Level() int
		Screen() string
	})
	if shown.Level() != levels || shown.Screen() != "complete" {
		t.Errorf("the phone shows level %d, %q, expected %d, complete", shown.Level(), shown.Screen(), levels)
	}
	verdicts := map[journal.Verdict]int{}
	for _, a := range r.attempts() {
		verdicts[a.Verdict]++
	}
	if verdicts[journal.Won] != levels || verdicts[journal.Started] != 0 {
		t.Errorf("%v, expected %d won and none started", verdicts, levels)
	}
	if runs := r.runs(); len(runs) != 1 || runs[0].Outcome != journal.Done {
		t.Errorf("runs %+v, expected one that is done", runs)
	}
	t.Logf("%d levels, %d kills; the last attempt when killed: %v; attempts in the end: %v", levels, *crashes, killed, verdicts)
}

// look tests that the levels won are the first of the pack, each once, and
// returns the verdict of the last attempt.
func (r *lab) look() string {
	r.t.Helper()
	attempts := r.attempts()
	last := "none"
	won := 0
	for i, a := range attempts {
		last = string(a.Verdict)
		if a.Verdict == journal.Started && i < len(attempts)-1 {
			r.t.Fatalf("attempt %d of %d is still open:\n%s", i+1, len(attempts), story(attempts))
		}
		if a.Level > len(r.pack) || gametest.Relettered(a.Board) != gametest.Relettered(r.pack[a.Level-1].String()) {
			r.t.Fatalf("attempt %d at level %d has the board\n%s\n%s", i+1, a.Level, a.Board, story(attempts))
		}
		if a.Verdict == journal.Won {
			if won++; a.Level != won {
				r.t.Fatalf("level %d was won, expected %d:\n%s", a.Level, won, story(attempts))
			}
		}
	}
	return last
}

func story(attempts []journal.Attempt) string {
	var b strings.Builder
	for _, a := range attempts {
		fmt.Fprintf(&b, "run %d level %d %s %s %s\n", a.Run, a.Level, a.Hash, a.Verdict, a.Error)
	}
	return b.String()
}
