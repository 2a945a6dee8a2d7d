package worker_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/fleet/worker"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/journal/attempt"
)

// glass is a shelf of phones that win each level after a time, and counts who touches
// what.
type glass struct {
	serials []string
	takes   time.Duration
	fails   func(serial string, level int) error
	leaves  func(serial string, level int) string // the folder of a failure's evidence
	who     func() string                         // what the phones tell of themselves; nil: nothing

	tells   func(fleet.Phone)             // is told how phones are; nil: nobody is
	unready atomic.Pointer[[]fleet.Phone] // that are there, too; nil for none

	lost atomic.Int64 // how often a phone is still to be lost before a level

	mu      sync.Mutex
	played  map[int]int
	playing map[string]int
	twice   int // moments at which a phone was played on twice
}

func (g *glass) Phones(context.Context) ([]fleet.Phone, error) {
	var phones []fleet.Phone
	for _, s := range g.serials {
		p := fleet.Phone{Serial: s, Model: "Glass"}
		if g.who != nil {
			p.Identity = g.who()
		}
		phones = append(phones, p)
	}
	if more := g.unready.Load(); more != nil {
		phones = append(phones, *more...)
	}
	return phones, nil
}

func (g *glass) Play(ctx context.Context, serial string, task worker.Task) error {
	g.mu.Lock()
	if g.playing == nil {
		g.playing, g.played = map[string]int{}, map[int]int{}
	}
	g.playing[serial]++
	if g.playing[serial] > 1 {
		g.twice++
	}
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		g.playing[serial]--
		g.mu.Unlock()
	}()
	if g.lost.Add(-1) >= 0 {
		return errors.New("no adb server answers")
	}
	for _, l := range task.Left {
		switch err := task.Begin(l.Number); err {
		case nil:
		case worker.ErrBooked:
			continue
		default:
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(g.takes):
		}
		event := fleet.Event{Level: l.Number, Verdict: fleet.Won, Started: time.Now(), Ended: time.Now(), Record: attempt.Record{Board: l.Board}}
		var failure error
		left := ""
		if g.fails != nil {
			failure = g.fails(serial, l.Number)
		}
		if failure != nil {
			event.Verdict, event.Reason = fleet.Failed, failure.Error()
			if g.leaves != nil {
				left = g.leaves(serial, l.Number)
			}
		} else {
			g.mu.Lock()
			g.played[l.Number]++
			g.mu.Unlock()
		}
		if err := task.Done(event, left); err != nil {
			return err
		}
		if failure != nil {
			return failure
		}
	}
	return nil
}

func testLog(t *testing.T) *slog.Logger {
	if os.Getenv("FLEET_LOG") != "" {
		return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return slog.New(slog.DiscardHandler)
}

func startHub(t *testing.T, lease time.Duration) *hub.Hub {
	t.Helper()
	h, err := hub.Start(t.Context(), hub.Config{Listen: "127.0.0.1:0", Folder: t.TempDir(), Lease: lease, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	go func() { _ = h.Run(t.Context()) }()
	return h
}

func startWorker(t *testing.T, h *hub.Hub, name string, shelf worker.Shelf) {
	t.Helper()
	startWorkerOn(t, h, name, shelf, t.TempDir(), func(o worker.Outbox) worker.Outbox { return o })
}

// startWorkerOn starts a worker with its journal in a folder, whose outbox is what through
// makes of the journal's.
func startWorkerOn(t *testing.T, h *hub.Hub, name string, shelf worker.Shelf, folder string, through func(worker.Outbox) worker.Outbox) {
	t.Helper()
	agent, err := fleet.Join(t.Context(), fleet.Config{URL: h.URL(), Name: name, Log: testLog(t), Patience: await.Hang}, true)
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(t.Context(), filepath.Join(folder, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	outbox, err := j.Outbox(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	t.Cleanup(func() {
		cancel()
		<-ended
		agent.Close()
		_ = j.Close()
	})
	go func() {
		defer close(ended)
		w := worker.Worker{Name: name, Agent: agent, Shelf: shelf, Outbox: through(outbox), Code: func(error) int { return 5 }, Log: testLog(t)}
		w.Hint = func(err error) string { return "what helps: " + err.Error() }
		if g, ok := shelf.(*glass); ok {
			w.Tell = g.tells
		}
		w.Evidence, _ = shelf.(worker.Evidence) // nil for a shelf that has none
		_ = w.Run(ctx)
	}()
}

func levels(n int) []fleet.Level {
	all := make([]fleet.Level, n)
	for i := range all {
		all[i] = fleet.Level{Number: i + 1, Board: fmt.Sprintf("board %d", i+1)}
	}
	return all
}

func TestFleetPlaysAnOrder(t *testing.T) {
	t.Parallel()
	h := startHub(t, hub.UsualLease)
	a, b := &glass{serials: []string{"a1", "a2"}, takes: time.Millisecond}, &glass{serials: []string{"b1", "b2"}, takes: time.Millisecond}
	startWorker(t, h, "a", a)
	startWorker(t, h, "b", b)
	operator, err := fleet.Dial(t.Context(), fleet.Config{URL: h.URL(), Name: "operator"}, true)
	if err != nil {
		t.Fatal(err)
	}
	defer operator.Close()
	const n = 40
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "flow"}, levels(n), n, 4)
	if err != nil {
		t.Fatal(err)
	}
	progress, err := operator.Follow(t.Context(), order.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if progress.Won != n || progress.Failed != 0 {
		t.Errorf("%d won and %d failed, expected %d and 0", progress.Won, progress.Failed, n)
	}
	for level := 1; level <= n; level++ {
		if got := a.played[level] + b.played[level]; got != 1 {
			t.Errorf("level %d was played %d times, expected 1", level, got)
		}
	}
}

// TestOnePhoneOrTwo: one phone that two hosts know by other names is played on by one of them,
// and two phones of one name, as containers and cheap phones have it, are both played on.
func TestOnePhoneOrTwo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		first      string // name of the first host's phone
		second     string
		who, other string // they are
		taken      int    // hosts that stand aside
	}{
		{"one phone", "R58M", "10.0.0.5:5555", "one", "one", 1},
		{"two phones", "0123456789ABCDEF", "0123456789ABCDEF", "one", "other", 0},
		{"two phones in containers", "172.17.0.2:5555", "172.17.0.2:5555", "", "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := startHub(t, hub.UsualLease)
			startWorker(t, h, "a", &glass{serials: []string{test.first}, who: func() string { return test.who }})
			startWorker(t, h, "b", &glass{serials: []string{test.second}, who: func() string { return test.other }})
			operator := operatorOf(t, h.URL())
			states := map[string]int{}
			for ; states[fleet.Idle]+states[fleet.Taken] < 2; time.Sleep(10 * time.Millisecond) {
				phones, err := operator.Phones(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				clear(states)
				for _, p := range phones {
					states[p.State]++
				}
			}
			if states[fleet.Taken] != test.taken {
				t.Errorf("%d hosts stand aside, expected %d", states[fleet.Taken], test.taken)
			}
		})
	}
}

// TestReplugged: a phone whose best name becomes another one is played on by that from then
// on; one that was started again is another phone, and is played on as well.
func TestReplugged(t *testing.T) {
	t.Parallel()
	h := startHub(t, hub.UsualLease)
	a := &replugged{}
	startWorker(t, h, "a", a)
	operator := operatorOf(t, h.URL())
	for _, phone := range []fleet.Phone{{Serial: "10.0.0.5:5555", Identity: "one"}, {Serial: "R58M", Identity: "one"}, {Serial: "R58M", Identity: "restarted"}} {
		a.phone.Store(&phone)
		order, err := operator.Submit(t.Context(), fleet.Order{Game: "game", Phones: fleet.Wanted{Serial: phone.Serial}}, levels(2), 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		progress, err := operator.Follow(t.Context(), order.ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		if progress.Won != 2 || progress.Booked[1].Phone != phone.Serial {
			t.Errorf("%d levels won on %s, expected 2 on %s", progress.Won, progress.Booked[1].Phone, phone.Serial)
		}
	}
	for phones := make([]fleet.Phone, 2); len(phones) != 1; time.Sleep(10 * time.Millisecond) { // the hub forgets the phone that it was
		var err error
		if phones, err = operator.Phones(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// replugged is a shelf of one phone, which changes.
type replugged struct {
	glass
	phone atomic.Pointer[fleet.Phone]
}

func (r *replugged) Phones(context.Context) ([]fleet.Phone, error) {
	if p := r.phone.Load(); p != nil {
		return []fleet.Phone{*p}, nil
	}
	return nil, nil
}

// operatorOf connects to a hub as one who gives orders.
func operatorOf(t *testing.T, url string) *fleet.Client {
	t.Helper()
	operator, err := fleet.Dial(t.Context(), fleet.Config{URL: url, Name: "operator"}, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(operator.Close)
	return operator
}

// TestPoison: a level that no phone wins ends with the reason, and the rest is played.
func TestPoison(t *testing.T) {
	t.Parallel()
	h := startHub(t, hub.UsualLease)
	var out atomic.Pointer[fleet.Phone] // the last that said that its job is out of tries
	a := &glass{serials: []string{"a1", "a2"}, fails: func(_ string, level int) error {
		if level == 3 {
			return errors.New("the board cannot be read")
		}
		return nil
	}, tells: func(p fleet.Phone) {
		if p.State == fleet.Failing && strings.Contains(p.Why, "out of tries") {
			out.Store(&p)
		}
	}}
	startWorker(t, h, "a", a)
	operator := operatorOf(t, h.URL())
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game"}, levels(6), 6, 3)
	if err != nil {
		t.Fatal(err)
	}
	progress, err := operator.Follow(t.Context(), order.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b := progress.Booked[3]; progress.Won != 5 || b.Verdict != fleet.Failed || b.Reason != "the board cannot be read" || b.Code != 5 {
		t.Errorf("%d won, and level 3 is booked as %+v, expected 5 and its reason", progress.Won, b)
	}
	if p := out.Load(); p == nil || p.Why != "job 1 is out of tries, of which it has 5: the board cannot be read" || !strings.HasPrefix(p.Helps, "what helps: job 1") {
		t.Errorf("phones said %+v, expected that one is out of tries, and what helps", p)
	}
	await.Until(t, "all attempts are counted", func() bool {
		run, err := operator.Account(t.Context(), progress.Order, nil)
		if err != nil || run.Attempts != 10 || run.Failures != 5 || len(run.Levels) != 6 {
			return false
		}
		return run.Levels[2].Attempts == 5 && run.Levels[2].Failures == 5 && run.Levels[2].PhoneSeconds > 0 && run.PhoneSeconds > run.Levels[2].PhoneSeconds
	})
	for _, level := range []int{1, 2, 4, 5, 6} {
		if a.played[level] != 1 {
			t.Errorf("level %d was won %d times, expected once", level, a.played[level])
		}
	}
}

// TestOnePhoneFails: what fails on one phone is won by another.
func TestOnePhoneFails(t *testing.T) {
	t.Parallel()
	h := startHub(t, hub.UsualLease)
	a := &glass{serials: []string{"good", "bad"}, fails: func(serial string, _ int) error {
		if serial == "bad" {
			return errors.New("the cable is loose")
		}
		return nil
	}}
	startWorker(t, h, "a", a)
	operator := operatorOf(t, h.URL())
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game"}, levels(10), 10, 2)
	if err != nil {
		t.Fatal(err)
	}
	progress, err := operator.Follow(t.Context(), order.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if progress.Won != 10 {
		t.Errorf("%d levels won, expected 10", progress.Won)
	}
}

// TestLostPhones: a host whose phones cannot be reached for a while ends no job.
func TestLostPhones(t *testing.T) {
	t.Parallel()
	h := startHub(t, hub.UsualLease)
	a := &glass{serials: []string{"a1", "a2", "a3", "a4"}}
	a.lost.Store(7)
	startWorker(t, h, "a", a)
	operator := operatorOf(t, h.URL())
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game"}, levels(2), 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	progress, err := operator.Follow(t.Context(), order.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if progress.Won != 2 || a.lost.Load() >= 0 {
		t.Errorf("%d levels won, %d more losses to come, expected 2 and none: %+v", progress.Won, a.lost.Load(), progress.Booked)
	}
}

// TestUnready: the hub knows the phones that cannot be used, and why, as long as they are there
// and cannot; nobody plays on them.
func TestUnready(t *testing.T) {
	t.Parallel()
	h := startHub(t, hub.UsualLease)
	offline := fleet.Phone{Serial: "r", Model: "Glass", State: fleet.Unready, Why: "offline", Helps: "plug it in"}
	a := &glass{serials: []string{"a1"}}
	a.unready.Store(&[]fleet.Phone{offline})
	startWorker(t, h, "a", a)
	operator := operatorOf(t, h.URL())
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game", Phones: fleet.Wanted{Serial: "r"}}, levels(1), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	is := func(state string, n int) func() bool {
		return func() bool {
			phones, err := operator.Phones(t.Context())
			return err == nil && len(phones) == n && phones[n-1].State == state
		}
	}
	await.Until(t, "the hub knows both phones", is(fleet.Unready, 2))
	phones, err := operator.Phones(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	still, err := operator.Standing(t.Context(), phones, fleet.Account{Order: order})
	if err != nil || len(still) != 2 || still[0].State != fleet.Unwanted || still[1].Why != "offline" || still[1].Helps != "plug it in" || still[1].Worker != "a" {
		t.Errorf("%+v (%v) stand still, expected one that the run does not want and one that is offline", still, err)
	}
	ready := fleet.Phone{Serial: "r", Model: "Glass", Identity: "known"}
	a.unready.Store(&[]fleet.Phone{ready})
	if _, err := operator.Follow(t.Context(), order.ID, nil); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the phone is ready, under one name", is(fleet.Idle, 2))
	a.unready.Store(&[]fleet.Phone{offline})
	await.Until(t, "the phone is offline again", is(fleet.Unready, 2))
	a.unready.Store(nil)
	await.Until(t, "the phone is gone", is(fleet.Idle, 1))
}

// TestChosenPhones: an order is played by the phones that it wants, and by no drained one.
func TestChosenPhones(t *testing.T) {
	t.Parallel()
	h := startHub(t, hub.UsualLease)
	a, b := &glass{serials: []string{"a1", "a2"}}, &glass{serials: []string{"b1"}}
	startWorker(t, h, "a", a)
	startWorker(t, h, "b", b)
	operator := operatorOf(t, h.URL())
	if err := operator.Drain(t.Context(), "a", "a1", false); err != nil {
		t.Fatal(err)
	}
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game", Phones: fleet.Wanted{Serial: "a*"}}, levels(10), 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	progress, err := operator.Follow(t.Context(), order.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, booked := range progress.Booked {
		if booked.Phone == "b1" {
			t.Errorf("level %d was played on b1, which nobody wanted", booked.Level)
		}
	}
	if order, err = operator.Submit(t.Context(), fleet.Order{Game: "game", Phones: fleet.Wanted{Serial: "a1"}}, levels(3), 3, 1); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond) // in which nothing must happen
	booked, err := operator.Booked(t.Context(), order.ID)
	if err != nil || len(booked) != 0 {
		t.Errorf("a drained phone won %d levels (%v)", len(booked), err)
	}
	if err := operator.Drain(t.Context(), "a", "a1", true); err != nil {
		t.Fatal(err)
	}
	if _, err := operator.Follow(t.Context(), order.ID, nil); err != nil {
		t.Fatal(err)
	}
}

// TestLostHub: a level that is under way when the hub goes away is finished, and is booked
// when the hub is back, without being played again.
func TestLostHub(t *testing.T) {
	t.Parallel()
	folder, address := t.TempDir(), freeAddress(t)
	begin := func() (*hub.Hub, func()) {
		h, err := hub.Start(t.Context(), hub.Config{Listen: address, Folder: folder, Lease: hub.UsualLease, Log: testLog(t)})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = h.Run(ctx)
		}()
		return h, func() {
			cancel()
			<-ended
			h.Close()
		}
	}
	h, end := begin()
	playing, finish := make(chan struct{}), make(chan struct{})
	a := &glass{serials: []string{"a1"}, fails: func(_ string, level int) error {
		if level == 1 {
			close(playing)
			<-finish
		}
		return nil
	}}
	startWorker(t, h, "a", a)
	order, err := operatorOf(t, h.URL()).Submit(t.Context(), fleet.Order{Game: "game"}, levels(2), 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	<-playing
	end()
	close(finish)
	time.Sleep(300 * time.Millisecond) // the level ends while there is no hub
	h, end = begin()
	t.Cleanup(end)
	progress, err := operatorOf(t, h.URL()).Follow(t.Context(), order.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if progress.Won != 2 || a.played[1] != 1 || a.played[2] != 1 {
		t.Errorf("%d levels are booked and were played %v times, expected 2, once each", progress.Won, a.played)
	}
}

// TestOverview follows a fleet through a run, drained phones and an end of the hub's
// connection.
func TestOverview(t *testing.T) {
	t.Parallel()
	h := startHub(t, hub.UsualLease)
	a := &glass{serials: []string{"a1", "127.0.0.1:5555"}, takes: time.Millisecond, fails: func(_ string, level int) error {
		if level == 3 {
			return errors.New("the board cannot be read")
		}
		return nil
	}}
	startWorker(t, h, "a", a)
	operator := operatorOf(t, h.URL())
	overview := operator.Overview(t.Context())
	until := func(what string, is func(fleet.View) bool) fleet.View {
		t.Helper()
		var v fleet.View
		await.Until(t, what, func() bool {
			v = overview.Now()
			return is(v)
		})
		return v
	}
	until("two phones", func(v fleet.View) bool { return len(v.Phones) == 2 && v.Phones[0].State == fleet.Idle })
	const n = 12
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "flow"}, levels(n), n, 1)
	if err != nil {
		t.Fatal(err)
	}
	v := until("the end of the run", func(v fleet.View) bool {
		return len(v.Runs) == 1 && v.Runs[0].State == fleet.Complete && v.Runs[0].Won+v.Runs[0].Failed == n
	})
	if v.Runs[0].ID != order.ID || v.Runs[0].Failed != 1 {
		t.Errorf("run %s has %d won and %d failed, expected %s with %d and 1", v.Runs[0].ID, v.Runs[0].Won, v.Runs[0].Failed, order.ID, n-1)
	}
	if v.Phones[0].PerHour+v.Phones[1].PerHour <= 0 {
		t.Errorf("%d levels won give no pace: %+v", n-1, v.Phones)
	}
	for _, test := range []struct {
		serial string
		off    bool
		want   [2]bool // of both phones, by serial
	}{{"", false, [2]bool{true, true}}, {"", true, [2]bool{}}, {"127.0.0.1:5555", false, [2]bool{true, false}}, {"127.0.0.1:5555", true, [2]bool{}}} {
		if err := operator.Drain(t.Context(), "a", test.serial, test.off); err != nil {
			t.Fatal(err)
		}
		until(fmt.Sprintf("drain %q, off %v", test.serial, test.off), func(v fleet.View) bool {
			for i, p := range v.Phones {
				if p.Draining != test.want[i] || (p.State == fleet.Drained) != test.want[i] {
					return false
				}
			}
			return len(v.Phones) == 2 && (len(v.Drained) == 1) == (test.serial == "" && !test.off)
		})
	}
	// Another order is counted from its beginning, and one that is cancelled says so.
	if order, err = operator.Submit(t.Context(), fleet.Order{Game: "flow", Phones: fleet.Wanted{Model: "Nothing"}}, levels(n), n, 2); err != nil {
		t.Fatal(err)
	}
	if err := operator.Cancel(t.Context(), order.ID); err != nil {
		t.Fatal(err)
	}
	v = until("the cancelled run first", func(v fleet.View) bool { return len(v.Runs) == 2 && v.Runs[0].State == fleet.Cancelled })
	if v.Runs[0].Won != 0 || v.Runs[1].Won != n-1 {
		t.Errorf("%d and %d levels won, expected 0 and %d", v.Runs[0].Won, v.Runs[1].Won, n-1)
	}
	if err := operator.Trouble(); err != nil {
		t.Errorf("the hub is there, and is said to have trouble: %v", err)
	}
	h.Close()
	until("the trouble", func(fleet.View) bool { return errors.Is(operator.Trouble(), fleet.ErrNoHub) })
	if v := overview.Now(); len(v.Runs) != 2 {
		t.Errorf("%d runs without the hub, expected the 2 that were known", len(v.Runs))
	}
}
