package hub_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/journal/attempt"
)

// How often the power is cut, see `make fleet-cuts`.
var (
	cuts       = flag.Int("cuts", 0, "cut the hub's power that often, and that of a cluster; 0 is a few times, the hub's alone")
	cutSeed    = flag.Uint64("cut-seed", 1, "draw when, and what is left on the disk, from that seed")
	cutResults = flag.Int("cut-results", 300, "results that are acknowledged before a cut, on average")
	cutEvery   = flag.Int("cut-disk", 10, "begin with an empty disk after so many cuts")
)

// cutServer has this program be a server whose power is cut, in place of testing.
const cutServer = "TAPWISE_CUT_SERVER"

// TestCutServer is a hub, or a server of NATS, of the tests of power cuts.
func TestCutServer(t *testing.T) {
	text := os.Getenv(cutServer)
	if text == "" {
		t.Skip("for TestCut")
	}
	var o serverOptions
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	config := hub.Config{Listen: fmt.Sprintf("127.0.0.1:%d", o.Client), Folder: o.Folder, Lease: cutLease}
	if len(o.Routes) > 0 || o.Interval > 0 {
		s := startServer(t, o)
		config.Elsewhere = &fleet.Config{URL: s.ClientURL(), Name: "hub"}
	}
	if o.Book {
		h, err := hub.Start(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		go func() { _ = h.Run(t.Context()) }()
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin) // until its power is cut
}

// TestCut cuts the power of a hub at random: no result that was acknowledged is lost.
func TestCut(t *testing.T) {
	if lost := cutPower(t, 1, 0, cmp.Or(*cuts, 4)); lost > 0 {
		t.Errorf("%d results are lost that were acknowledged", lost)
	}
}

// TestCutCluster cuts the power of one of three servers, then of all of them, and so on.
func TestCutCluster(t *testing.T) {
	if *cuts == 0 {
		t.Skip("for make fleet-cuts, with -cuts")
	}
	if lost := cutPower(t, 3, 0, *cuts); lost > 0 {
		t.Errorf("%d results are lost that were acknowledged", lost)
	}
}

// TestCutUnsynced sees to it that the tests before would tell: with a sync each ten seconds,
// as the hub had it, results are lost.
func TestCutUnsynced(t *testing.T) {
	if lost := cutPower(t, 1, 10*time.Second, max(4, *cuts/100)); lost == 0 {
		t.Error("nothing is lost without syncs, expected that the tests of power cuts see that")
	}
}

// host is a server, and its disk.
type host struct {
	t       *testing.T
	options serverOptions
	disk    *disk
	process *exec.Cmd
	said    string        // the file with what it warned of
	ready   chan struct{} // closed when it listens, or
	failed  string        // it ended before, which is why
	unmount func()
}

func (h *host) start() {
	h.unmount = h.disk.mount(h.t, h.options.Folder)
	text, err := json.Marshal(h.options)
	if err != nil {
		h.t.Fatal(err)
	}
	h.process = exec.Command(os.Args[0], "-test.run=^TestCutServer$", "-test.timeout=0")
	h.process.Env = append(os.Environ(), cutServer+"="+string(text))
	h.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := h.process.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := h.process.StdinPipe(); err != nil {
		h.t.Fatal(err)
	}
	said, err := os.Create(h.said)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = said.Close() }() // the process has its own
	h.process.Stderr = said
	if err := h.process.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.ready = make(chan struct{})
	go func(ready, dark chan struct{}) {
		defer close(ready)
		said := ""
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if lines.Text() == "ready" {
				return
			}
			said += lines.Text() + "\n"
		}
		select {
		case <-dark:
		default:
			h.failed = said + h.last()
		}
	}(h.ready, h.disk.dark)
}

// last is what the server said last.
func (h *host) last() string {
	data, err := os.ReadFile(h.said)
	if err != nil {
		return err.Error()
	}
	return string(data[max(0, len(data)-4000):])
}

// end ends the process whose power was cut, and takes the disk back to what is left.
func (h *host) end(random *rand.Rand) {
	if err := h.process.Process.Kill(); err != nil {
		h.t.Error(err)
	}
	left := h.disk.remains(random)
	_ = h.process.Wait() // it was killed
	h.unmount()
	h.disk = left
}

// cutPower cuts the power of one server, or by turns of one of several and of all, and returns
// how many results are lost that were acknowledged.
func cutPower(t *testing.T, servers int, interval time.Duration, cuts int) (lost int) {
	t.Helper()
	if inNamespace(t) {
		return 0
	}
	await.Turn(t)
	begin, acknowledged, refused := time.Now(), 0, 0
	every := *cutEvery
	if interval > 0 {
		every = 1 // what is left is too little to go on with
	}
	for first := 0; first < cuts; first += every {
		p := &power{t: t, all: servers > 1, player: newPlayer(t)}
		p.prepare(servers, interval, first)
		for i := first; i < min(first+every, cuts); i++ {
			p.once(i)
		}
		// What was acknowledged is there at last, and booked.
		p.startAll()
		p.check(cuts)
		if interval == 0 {
			p.player.booked(p.url)
		}
		p.close()
		acknowledged, lost, refused = acknowledged+len(p.player.known)+p.player.lost, lost+p.player.lost, refused+p.player.refused
		if t.Failed() {
			break
		}
	}
	t.Logf("%d cuts of %d servers, seed %d: %d results of %d that were acknowledged are lost, %d are refused, in %v", cuts, servers, *cutSeed, lost, acknowledged, refused, time.Since(begin).Round(time.Second))
	if refused > 0 && interval == 0 && servers == 1 { // a leader that is still applying its log knows no job
		t.Errorf("%d results are refused of jobs that were handed out", refused)
	}
	return lost
}

// power is servers whose power is cut, and who plays meanwhile.
type power struct {
	t      *testing.T
	all    bool
	hosts  []*host
	url    string
	player *player
	close  func()
}

// prepare makes servers with empty disks.
func (p *power) prepare(servers int, interval time.Duration, number int) {
	ports := freePorts(p.t, 2*servers)
	var urls []string
	for i := range servers {
		o := serverOptions{Name: "s" + strconv.Itoa(i), Folder: p.t.TempDir(), Client: ports[i], Route: ports[servers+i], Book: servers == 1, Interval: interval}
		if servers > 1 {
			o.Routes = ports[servers:]
		}
		p.hosts = append(p.hosts, &host{t: p.t, options: o, said: filepath.Join(p.t.TempDir(), "said"), disk: newDisk(rand.New(rand.NewPCG(*cutSeed, uint64(number*servers+i))))})
		urls = append(urls, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
	}
	p.url = strings.Join(urls, ",")
	ending := rand.New(rand.NewPCG(*cutSeed, 0))
	p.close = func() { p.endAll(ending) }
	if servers == 1 {
		return
	}
	p.startAll() // a cluster is made before its power is cut
	var h *hub.Hub
	for h == nil {
		var err error
		if h, err = hub.Start(p.t.Context(), hub.Config{Elsewhere: &fleet.Config{URL: p.url, Name: "hub"}, Replicas: servers, Lease: cutLease}); err != nil {
			p.t.Log(err)
			time.Sleep(retry)
		}
	}
	ctx, cancel := context.WithCancel(p.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			_ = h.Run(ctx)
		}
	}()
	p.close = func() {
		cancel()
		p.endAll(ending)
		<-ended
		h.Close()
	}
}

const (
	retry = 200 * time.Millisecond
	// settle is how long the leader of a cluster may take to apply more of what is in its log.
	settle = time.Minute
	// cutLease is short, since what the clerk did not book is told again after twice of it.
	cutLease = 5 * time.Second
)

func (p *power) startAll() {
	for _, h := range p.hosts {
		if h.process == nil {
			h.start()
		}
	}
	for _, h := range p.hosts {
		<-h.ready
	}
}

func (p *power) endAll(random *rand.Rand) {
	for _, h := range p.hosts {
		h.disk.cutAfter(0)
	}
	for _, h := range p.hosts {
		if h.process != nil {
			h.end(random)
			h.process = nil
		}
	}
}

// once starts what does not run, looks whether all is there, plays and cuts the power.
func (p *power) once(number int) {
	random := rand.New(rand.NewPCG(*cutSeed, 1<<32+uint64(number)))
	victims := p.hosts
	if p.all && number%2 == 0 {
		one := random.IntN(len(p.hosts))
		victims = p.hosts[one : one+1]
	}
	target, changes, soon := random.IntN(2**cutResults), random.IntN(100), random.IntN(8) == 0
	if len(p.hosts) == 1 && soon { // while it starts, or soon after that
		p.hosts[0].disk.cutAfter(random.IntN(500))
		p.hosts[0].start()
		select {
		case <-p.hosts[0].ready:
		case <-p.hosts[0].disk.dark:
			p.endAll(random)
			return
		}
	} else {
		p.startAll()
		soon = false
	}
	if !soon {
		p.check(number)
	}
	before := len(p.player.known)
	stop := p.player.play(p.url, func(known int) {
		if known-before >= target && !soon {
			soon = true
			victims[0].disk.cutAfter(changes)
		}
	})
	<-victims[0].disk.dark
	for _, h := range victims[1:] {
		h.disk.cutAfter(0)
	}
	for _, h := range victims {
		h.end(random)
		h.process = nil
	}
	if len(victims) < len(p.hosts) { // the others go on
		p.player.until(len(p.player.known) + target/4)
	}
	stop()
}

// check counts the results that are lost.
func (p *power) check(number int) {
	for _, h := range p.hosts {
		if h.failed != "" {
			p.t.Errorf("before cut %d of seed %d, a server does not start: %s", number, *cutSeed, h.failed)
			p.t.FailNow()
		}
	}
	missing := p.player.missing(p.url)
	// A server that has just become the leader may still be applying what is in its log.
	begin := time.Now()
	for better := begin; len(p.hosts) > 1 && len(missing) > 0 && time.Since(better) < settle; {
		p.t.Logf("before cut %d of seed %d, %d results of %d are not there %v after the start", number, *cutSeed, len(missing), len(p.player.known), time.Since(begin))
		time.Sleep(retry)
		now := p.player.missing(p.url)
		if len(now) < len(missing) {
			better = time.Now()
		}
		missing = now
	}
	if len(missing) > 0 {
		p.t.Logf("before cut %d of seed %d, %d results of %d are lost: %q…", number, *cutSeed, len(missing), len(p.player.known), missing[:min(5, len(missing))])
		for _, h := range p.hosts {
			p.t.Logf("%s said: %s", h.options.Name, h.last())
		}
	}
	p.player.lost += len(missing)
	for _, id := range missing { // each counts once
		delete(p.player.known, id)
	}
}

// player is a worker that wins every level at once, and what it knows: a result that was
// acknowledged it forgets, and sends all others again.
type player struct {
	t      *testing.T
	runs   [cutPhones]string        // that the phones play
	outbox [cutPhones][]fleet.Event // by phone

	mu    sync.Mutex
	known map[string]fleet.Event // that were acknowledged, by ID
	made  int
	more  chan struct{} // closed, and replaced, when there are more
	lost  int           // of those that were acknowledged
	// refused is how many results the hub never believes, since it forgot to whom it handed a
	// job.
	refused int
}

const cutPhones = 8

func newPlayer(t *testing.T) *player {
	return &player{t: t, known: map[string]fleet.Event{}, more: make(chan struct{})}
}

// play plays until it is stopped, and tells how many results are acknowledged.
func (p *player) play(url string, told func(known int)) (stop func()) {
	ctx, cancel := context.WithCancel(p.t.Context())
	var wait sync.WaitGroup
	wait.Go(func() {
		agent, err := fleet.Join(ctx, fleet.Config{URL: url, Name: "worker"}, true)
		if err != nil {
			return
		}
		defer agent.Close()
		operator, err := fleet.Dial(ctx, fleet.Config{URL: url, Name: "operator"}, true)
		if err != nil {
			return
		}
		defer operator.Close()
		var phones sync.WaitGroup
		for i := range cutPhones {
			phones.Go(func() {
				for ctx.Err() == nil {
					if err := p.phone(ctx, agent, operator, i, told); err != nil {
						select {
						case <-ctx.Done():
						case <-time.After(retry):
						}
					}
				}
			})
		}
		phones.Wait()
	})
	return func() {
		cancel()
		wait.Wait()
	}
}

// phone plays runs of its own.
func (p *player) phone(ctx context.Context, agent *fleet.Agent, operator *fleet.Client, i int, told func(known int)) error {
	if err := p.deliver(ctx, agent, i, told); err != nil {
		return err
	}
	phone := fleet.Phone{Worker: "worker", Serial: "p" + strconv.Itoa(i)}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ctx, held, err := agent.Hold(ctx, phone, "session")
	if err != nil {
		return err
	}
	go held.Keep(ctx, func() {})
	for {
		if p.runs[i] == "" {
			levels := make([]fleet.Level, 1024)
			for n := range levels {
				levels[n] = fleet.Level{Number: n + 1, Board: "A"}
			}
			order, err := operator.Submit(ctx, fleet.Order{Game: "flow"}, levels, len(levels), 32)
			if err != nil {
				return err
			}
			p.runs[i] = order.ID
		}
		work, err := agent.Next(ctx, p.runs[i], phone)
		if err != nil {
			return err
		}
		if work == nil { // what is left was handed out before the power was cut
			p.runs[i] = ""
			continue
		}
		for _, l := range work.Levels {
			p.mu.Lock()
			p.made++
			id := "e" + strconv.Itoa(p.made)
			p.mu.Unlock()
			p.outbox[i] = append(p.outbox[i], fleet.Event{
				ID: id, Run: work.Run, Job: work.Number, Level: l.Number, Worker: "worker", Phone: phone.Serial, Game: "flow", Verdict: fleet.Won,
				Record: attempt.Record{Board: strings.Repeat("A......\n", 7)}, Deliveries: work.Deliveries,
			})
		}
		if err := p.deliver(ctx, agent, i, told); err != nil {
			return err
		}
		if err := work.Done(ctx); err != nil {
			return err
		}
	}
}

// deliver delivers what is in a phone's outbox, and forgets what was acknowledged.
func (p *player) deliver(ctx context.Context, agent *fleet.Agent, i int, told func(known int)) (failure error) {
	var events [][]byte
	for _, e := range p.outbox[i] {
		data, err := e.Encode()
		if err != nil {
			p.t.Error(err)
		}
		events = append(events, data)
	}
	var left []fleet.Event
	failures := agent.Deliver(ctx, events...)
	p.mu.Lock()
	defer p.mu.Unlock()
	for n, err := range failures {
		e := p.outbox[i][n]
		switch {
		case err == nil:
			p.known[e.ID] = e
		case errors.Is(err, fleet.ErrNotBelieved):
			if p.refused++; p.refused == 1 {
				p.t.Logf("the hub does not know that it handed a job out: %v", err)
			}
		default:
			left, failure = append(left, e), err
		}
	}
	close(p.more)
	p.more = make(chan struct{})
	told(len(p.known))
	p.outbox[i] = left
	return failure
}

// until waits until so many results are acknowledged.
func (p *player) until(known int) {
	for {
		p.mu.Lock()
		n, more := len(p.known), p.more
		p.mu.Unlock()
		if n >= known {
			return
		}
		<-more
	}
}

// missing returns the results that were acknowledged and that the hub does not have.
func (p *player) missing(url string) []string {
	var there map[string]bool
	for there == nil {
		var err error
		if there, err = p.results(url); err != nil { // a cluster may have no leader yet
			p.t.Log(err)
			time.Sleep(retry)
		}
	}
	var missing []string
	for id := range p.known {
		if !there[id] {
			missing = append(missing, id)
		}
	}
	slices.Sort(missing)
	return missing
}

// results reads the results that the hub has, past the fleet's own code.
func (p *player) results(url string) (map[string]bool, error) {
	conn, err := nats.Connect(url)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	stream, err := js.Stream(p.t.Context(), "TAPWISE_RESULTS")
	if err != nil {
		return nil, err
	}
	last, there := stream.CachedInfo().State.LastSeq, map[string]bool{}
	if stream.CachedInfo().State.Msgs == 0 {
		return there, nil
	}
	consumer, err := stream.OrderedConsumer(p.t.Context(), jetstream.OrderedConsumerConfig{})
	if err != nil {
		return nil, err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return nil, err
	}
	defer messages.Stop()
	for {
		msg, err := messages.Next()
		if err != nil {
			return nil, err
		}
		e, err := fleet.DecodeEvent(msg.Data())
		if err != nil {
			return nil, err
		}
		there[e.ID] = true
		meta, err := msg.Metadata()
		if err != nil {
			return nil, err
		}
		if meta.Sequence.Stream >= last {
			return there, nil
		}
	}
}

// booked waits until each level is booked whose result was acknowledged.
func (p *player) booked(url string) {
	c, err := fleet.Dial(p.t.Context(), fleet.Config{URL: url, Name: "operator"}, true)
	if err != nil {
		p.t.Fatal(err)
	}
	defer c.Close()
	runs := map[string][]int{}
	for _, e := range p.known {
		runs[e.Run] = append(runs[e.Run], e.Level)
	}
	for run, levels := range runs {
		await.Until(p.t, "levels are booked whose results were acknowledged", func() bool {
			all, err := c.Booked(p.t.Context(), run)
			if err != nil {
				return false
			}
			booked := map[int]bool{}
			for _, b := range all {
				booked[b.Level] = true
			}
			return !slices.ContainsFunc(levels, func(n int) bool { return !booked[n] })
		})
	}
}

// inNamespace runs the test again as root of a user namespace, where a file system may be
// mounted, and reports whether it did.
func inNamespace(t *testing.T) bool {
	t.Helper()
	const inside = "TAPWISE_CUT_INSIDE"
	if os.Getuid() == 0 || os.Getenv(inside) != "" {
		return false
	}
	again := exec.Command(os.Args[0], append(os.Args[1:], "-test.run=^"+t.Name()+"$", "-test.v")...)
	again.Env = append(os.Environ(), inside+"=yes")
	again.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := again.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return false // there are no user namespaces for everybody here
	}
	t.Logf("%s", out)
	switch {
	case err != nil:
		t.Fail()
	case strings.Contains(string(out), "--- SKIP"):
		t.Skip("in a user namespace, too")
	}
	return true
}
