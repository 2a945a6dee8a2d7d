package worker_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
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

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tapwise/cmd/internal/console/pause"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/fleet/wiretest"
	"tapwise/cmd/internal/fleet/worker"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/journal/attempt"
)

var (
	chaosFull   = flag.Bool("chaos", false, "TestChaos with 3 workers, 12 phones, 400 levels and all faults, some minutes")
	keepNotes   = flag.String("notes", "", "with -chaos: keep what the phones wrote down in that file")
	wrongClocks = flag.Bool("wrong-clocks", false, "with -chaos: have the hub's clock an hour ahead and a worker's an hour behind; for a program built as testdata/wrongclock.sh says")
)

// The processes of TestChaos are this test's program again, with a role, and a clock that
// is wrong by some seconds.
const (
	roleVariable  = "TAPWISE_FLEET_ROLE"
	clockVariable = "TAPWISE_WRONG_CLOCK"
)

// realTime is the machine's time in milliseconds, whatever this process's clock says.
func realTime() int64 {
	var now syscall.Timeval
	_ = syscall.Gettimeofday(&now) // never fails
	return now.Nano() / int64(time.Millisecond)
}

// checkClock reports whether this process's clock is as wrong as it is to be.
func checkClock() error {
	wrong, _ := strconv.Atoi(os.Getenv(clockVariable)) // 0 where it is right
	if got := time.Now().UnixMilli() - realTime(); math.Abs(float64(got-1000*int64(wrong))) > 60_000 {
		return fmt.Errorf("the clock is wrong by %d ms, expected %d s: is this program built as testdata/wrongclock.sh says?", got, wrong)
	}
	return nil
}

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		err := checkClock()
		if err == nil {
			err = play(strings.Fields(role))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play is a process: "hub ADDRESS FOLDER LEASE", "clerk URL LEASE" for a hub whose servers
// are elsewhere, "server NAME ADDRESS ROUTE ROUTES FOLDER" for one of those, or
// "worker URL NAME FOLDER TAKES SERIALS".
func play(role []string) error {
	ctx := context.Background()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	switch role[0] {
	case "hub", "clerk":
		lease, err := time.ParseDuration(role[len(role)-1])
		if err != nil {
			return err
		}
		config := hub.Config{Listen: role[1], Folder: role[2], Lease: lease, Log: log}
		if role[0] == "clerk" {
			config.Elsewhere, config.Replicas = &fleet.Config{URL: role[1], Name: "hub", Log: log}, 3
		}
		h, err := hub.Start(ctx, config)
		if err != nil {
			return err
		}
		return h.Run(ctx)
	case "server":
		return serveInCluster(role[1], role[2], role[3], role[4], role[5])
	}
	url, name, folder := role[1], role[2], role[3]
	takes, err := time.ParseDuration(role[4])
	if err != nil {
		return err
	}
	agent, err := fleet.Join(ctx, fleet.Config{URL: url, Name: name, Log: log}, true)
	if err != nil {
		return err
	}
	j, err := journal.Open(ctx, filepath.Join(folder, name+".db"))
	if err != nil {
		return err
	}
	outbox, err := j.Outbox(ctx, name)
	if err != nil {
		return err
	}
	shelf := &shelfOfFiles{folder: folder, worker: name, takes: takes, serials: strings.Split(role[5], ",")}
	w := worker.Worker{Name: name, Agent: agent, Shelf: shelf, Outbox: outbox, Code: func(error) int { return 5 }, Log: log}
	return w.Run(ctx)
}

// serveInCluster is one server of a cluster of JetStream.
func serveInCluster(name, address, route, routes, folder string) error {
	port := func(address string) int {
		_, text, _ := net.SplitHostPort(address)
		n, _ := strconv.Atoi(text)
		return n
	}
	s, err := server.NewServer(&server.Options{
		ServerName: name, Host: "127.0.0.1", Port: port(address), JetStream: true, StoreDir: folder, NoSigs: true,
		Cluster: server.ClusterOpts{Name: "chaos", Host: "127.0.0.1", Port: port(route)}, Routes: server.RoutesFromStr(routes),
	})
	if err != nil {
		return err
	}
	s.Start()
	select {}
}

// shelfOfFiles is phones that are files: who plays on one holds its lock, which the
// system takes from a process that dies, and writes down each level that was won.
type shelfOfFiles struct {
	folder, worker string
	takes          time.Duration
	serials        []string
}

func (s *shelfOfFiles) Phones(context.Context) ([]fleet.Phone, error) {
	var phones []fleet.Phone
	for _, serial := range s.serials {
		phones = append(phones, fleet.Phone{Serial: serial, Model: "File"})
	}
	return phones, nil
}

// note writes a line into the log of all phones, whole.
func (s *shelfOfFiles) note(words ...any) error {
	file, err := os.OpenFile(filepath.Join(s.folder, "played"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(fmt.Sprintln(words...))
	return errors.Join(err, file.Close())
}

func (s *shelfOfFiles) Play(ctx context.Context, serial string, task worker.Task) error {
	phone, err := os.OpenFile(filepath.Join(s.folder, serial+".phone"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	defer phone.Close()
	if err := syscall.Flock(int(phone.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return errors.Join(errors.New("two workers play on one phone"), s.note("TWICE", serial, s.worker))
	}
	for i, l := range task.Left {
		switch err := task.Begin(l.Number); {
		case errors.Is(err, worker.ErrBooked):
			continue
		case err != nil:
			return err
		}
		began := time.Now()
		if err := s.note("BEGAN", serial, s.worker, l.Number, realTime(), i); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), s.note("LEFT", serial, s.worker, l.Number, realTime()))
		case <-time.After(s.takes):
		}
		if err := s.note("WON", serial, s.worker, l.Number, realTime()); err != nil {
			return err
		}
		if err := task.Done(fleet.Event{Level: l.Number, Verdict: fleet.Won, Started: began, Ended: time.Now(), Record: attempt.Record{Board: l.Board}}, ""); err != nil {
			return err
		}
	}
	return nil
}

// process is a process that is killed and started again.
type process struct {
	t     *testing.T
	role  string
	wrong int // seconds by which its clock is
	cmd   *exec.Cmd
}

func start(t *testing.T, role string, wrong int) *process {
	t.Helper()
	p := &process{t: t, role: role, wrong: wrong}
	p.start()
	t.Cleanup(p.kill)
	return p
}

func (p *process) start() {
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(os.Environ(), roleVariable+"="+p.role, clockVariable+"="+strconv.Itoa(p.wrong))
	if testing.Verbose() {
		p.cmd.Stderr = os.Stderr
	}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
}

// kill ends the process as nothing can prevent.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	_ = p.cmd.Wait()
}

// proxy passes connections on to the hub: not at all while it is cut, late when slow, and
// with messages twice and in another order when it has shufflers.
type proxy struct {
	listener net.Listener
	to       string
	from, up *wiretest.Shuffler // of what the hub sends, and of what it is sent; nil: as it is

	mu    sync.Mutex
	cut   bool
	slow  time.Duration
	conns map[net.Conn]bool
}

func startProxy(t *testing.T, to string, from, up *wiretest.Shuffler) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, to: to, from: from, up: up, conns: map[net.Conn]bool{}}
	t.Cleanup(func() {
		listener.Close()
		p.set(true, 0)
	})
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go p.pass(conn)
		}
	}()
	return p
}

func (p *proxy) set(cut bool, slow time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut, p.slow = cut, slow
	if cut {
		for c := range p.conns {
			c.Close()
		}
		clear(p.conns)
	}
}

func (p *proxy) pass(near net.Conn) {
	defer near.Close()
	p.mu.Lock()
	cut := p.cut
	p.mu.Unlock()
	if cut {
		return
	}
	far, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer far.Close()
	p.mu.Lock()
	p.conns[near], p.conns[far] = true, true
	p.mu.Unlock()
	go p.copy(far, near, p.up)
	p.copy(near, far, p.from)
}

func (p *proxy) copy(to, from net.Conn, s *wiretest.Shuffler) {
	defer to.Close()
	defer from.Close()
	write := func(data []byte) error {
		p.mu.Lock()
		slow := p.slow
		p.mu.Unlock()
		time.Sleep(slow)
		_, err := to.Write(data)
		return err
	}
	if s != nil {
		_ = s.Run(write, from) // the connection has ended
		return
	}
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 && write(buffer[:n]) != nil || err != nil {
			return
		}
	}
}

// freeAddress is an address on which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// chaos is what happens to a fleet while it plays.
type chaos struct {
	workers, phones, levels int // phones for each worker; each is seen by the next worker too
	job                     int
	takes, lease            time.Duration
	workerKills, hubKills   int
	cut                     time.Duration // for which a worker does not reach the hub
	again                   int           // jobs that are handed out twice
}

// shufflers shuffle what the hub sends to a worker, and the results that the worker sends.
func shufflers() (from, up *wiretest.Shuffler) {
	from = wiretest.New(3, func(subject string) (twice, late float64) {
		return 0.15, 0.15
	})
	up = wiretest.New(4, func(subject string) (twice, late float64) {
		if strings.HasSuffix(subject, ".result") {
			return 0.2, 0.2
		}
		return 0, 0
	})
	return from, up
}

// judgeShuffled tells what was shuffled, of which there is to be some where enough is played.
func (c chaos) judgeShuffled(t *testing.T, what string, s *wiretest.Shuffler) {
	t.Helper()
	twice, overtaken := s.Counts()
	t.Logf("%s came twice: %v, and late: %v", what, twice, overtaken)
	if *chaosFull && (len(twice) == 0 || len(overtaken) == 0) {
		t.Errorf("%s came twice: %v, and late: %v, expected some of both", what, twice, overtaken)
	}
}

// TestChaos kills workers and the hub, cuts and slows connections, hands jobs out twice, and
// delivers messages twice and in another order. Each level is booked once, and no two workers
// play on one phone.
func TestChaos(t *testing.T) {
	t.Parallel()
	c := chaos{workers: 2, phones: 2, levels: 60, job: 4, takes: 100 * time.Millisecond, lease: 2 * time.Second, workerKills: 2, hubKills: 1, cut: 3 * time.Second, again: 3}
	if *chaosFull {
		c = chaos{workers: 3, phones: 4, levels: 400, job: 5, takes: 3 * time.Second, lease: 6 * time.Second, workerKills: 20, hubKills: 10, cut: 30 * time.Second, again: 40}
	}
	folder := t.TempDir()
	address := freeAddress(t)
	ahead, behind := 0, 0 // seconds by which clocks are
	if *wrongClocks {
		ahead, behind = 3600, -3600
	}
	hubProcess := start(t, fmt.Sprintf("hub %s %s %v", address, filepath.Join(folder, "hub"), c.lease), ahead)
	var workers []*process
	var proxies []*proxy
	from, up := shufflers()
	for i := range c.workers {
		serials := c.serials(i)
		p := startProxy(t, address, nil, nil)
		if i == c.workers-2 {
			p = startProxy(t, address, from, up)
		}
		proxies = append(proxies, p)
		workers = append(workers, start(t, fmt.Sprintf("worker nats://%s worker-%d %s %v %s", p.listener.Addr(), i, folder, c.takes, strings.Join(serials, ",")), behind*(i%2)))
	}
	operator, err := fleet.Dial(t.Context(), fleet.Config{URL: "nats://" + address, Name: "operator"}, true)
	if err != nil {
		t.Fatal(err)
	}
	defer operator.Close()
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game"}, levels(c.levels), c.levels, c.job)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var faults sync.WaitGroup
	defer faults.Wait()
	defer stop()
	faults.Add(1)
	go func() {
		defer faults.Done()
		c.strike(ctx, folder, address, order.ID, hubProcess, workers, proxies)
	}()
	began := time.Now()
	progress, err := operator.Follow(t.Context(), order.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d levels took %v", c.levels, time.Since(began).Round(time.Millisecond))
	c.judge(t, folder, progress)
	c.judgeShuffled(t, "messages to a worker", from)
	c.judgeShuffled(t, "results of a worker", up)
	c.judgeTimes(t, address, time.Duration(ahead)*time.Second)
}

// strike makes the faults, evenly over the time that playing should take.
func (c chaos) strike(ctx context.Context, folder, address, run string, hubProcess *process, workers []*process, proxies []*proxy) {
	random := rand.New(rand.NewPCG(1, 2))
	type fault func()
	var faults []fault
	for i := range c.workerKills {
		w := workers[i%len(workers)]
		faults = append(faults, func() {
			w.kill()
			c.died(w.t, folder, fmt.Sprintf("worker-%d", i%len(workers)))
			_ = pause.For(ctx, 300*time.Millisecond)
			w.start()
		})
	}
	for range c.hubKills {
		faults = append(faults, func() {
			hubProcess.kill()
			_ = pause.For(ctx, 500*time.Millisecond)
			hubProcess.start()
			c.died(hubProcess.t, folder, "hub")
		})
	}
	faults = append(faults, func() {
		proxies[0].set(true, 0)
		_ = pause.For(ctx, c.cut)
		proxies[0].set(false, 0)
	}, func() {
		proxies[len(proxies)-1].set(false, 50*time.Millisecond)
	}, func() {
		c.twice(ctx, address, run, random)
	})
	random.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
	total := time.Duration(c.levels/(c.workers*c.phones)) * c.takes
	for _, f := range faults {
		if pause.For(ctx, total/time.Duration(len(faults))) != nil {
			return
		}
		f()
	}
}

// died notes that a process was killed.
func (c chaos) died(t *testing.T, folder, process string) {
	shelf := shelfOfFiles{folder: folder}
	if err := shelf.note("KILLED", "-", process, 0, realTime()); err != nil {
		t.Error(err)
	}
}

// serials are the phones that a worker reaches: each phone is within reach of two, as one in
// a wireless network may be.
func (c chaos) serials(worker int) []string {
	var serials []string
	for n := range 2 * c.phones {
		serials = append(serials, fmt.Sprintf("phone-%d", (worker*c.phones+n)%(c.workers*c.phones)))
	}
	return serials
}

// reaches reports whether a process that died may have had a phone: the hub has all.
func (c chaos) reaches(process, phone string) bool {
	for i := range c.workers {
		if process == fmt.Sprintf("worker-%d", i) {
			return slices.Contains(c.serials(i), phone)
		}
	}
	return process == "hub"
}

// twice hands some jobs out once more, the last first, as a broker does that does not
// know duplicates.
func (c chaos) twice(ctx context.Context, address, run string, random *rand.Rand) {
	conn, err := nats.Connect("nats://" + address)
	if err != nil {
		return
	}
	defer conn.Close()
	for range c.again {
		first := random.IntN(c.levels-c.job) + 1
		var list []string
		for n := first; n < first+c.job; n++ {
			list = append(list, fmt.Sprintf(`{"number":%d,"board":"board %d"}`, n, n))
		}
		number := c.levels + random.IntN(1000) + 1
		job := fmt.Sprintf(`{"run":%q,"job":%d,"game":"game","pack":%d,"levels":[%s]}`, run, number, c.levels, strings.Join(list, ","))
		_, _ = conn.RequestWithContext(ctx, fmt.Sprintf("tapwise.job.%s.%d", run, number), []byte(job)) // the hub may be away
	}
}

// judge compares what is booked with what the phones wrote down.
func (c chaos) judge(t *testing.T, folder string, progress fleet.Progress) {
	t.Helper()
	if progress.Won != c.levels || progress.Failed != 0 {
		t.Errorf("%d levels are booked as won and %d as failed, expected %d and 0", progress.Won, progress.Failed, c.levels)
		for n, b := range progress.Booked {
			if b.Verdict != fleet.Won {
				t.Logf("level %d: %s: %s", n, b.Verdict, b.Reason)
			}
		}
	}
	if *keepNotes != "" {
		data, err := os.ReadFile(filepath.Join(folder, "played"))
		if err == nil {
			err = os.WriteFile(*keepNotes, data, 0o644)
		}
		if err != nil {
			t.Error(err)
		}
	}
	played := map[int]int{}
	notes := readNotes(t, folder)
	for _, n := range notes {
		switch n.what {
		case "TWICE":
			t.Errorf("two workers play on one phone: %+v", n)
		case "WON":
			played[n.level]++
		}
	}
	more := 0
	for n := 1; n <= c.levels; n++ {
		if played[n] == 0 {
			t.Errorf("level %d is booked and was never played", n)
		}
		more += max(0, played[n]-1)
	}
	t.Logf("%d levels were played once more than needed", more)
	c.judgeIdle(t, notes)
}

// note is a line that a shelf wrote down.
type note struct {
	what, phone, worker string
	level               int
	at                  int64 // real milliseconds
	first               bool  // of BEGAN: it is the first of its job's levels
}

// readNotes reads what the shelves wrote down, in order.
func readNotes(t *testing.T, folder string) []note {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, "played"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var notes []note
	for lines := bufio.NewScanner(io.LimitReader(file, 1<<24)); lines.Scan(); {
		words := strings.Fields(lines.Text())
		n := note{what: words[0], phone: words[1], worker: words[2]}
		if len(words) > 4 {
			level, err := strconv.Atoi(words[3])
			if err != nil {
				t.Fatal(err)
			}
			if n.at, err = strconv.ParseInt(words[4], 10, 64); err != nil {
				t.Fatal(err)
			}
			n.level, n.first = level, len(words) > 5 && words[5] == "0"
		}
		notes = append(notes, n)
	}
	return notes
}

// judgeIdle finds out for how long phones stood still while there were jobs for them: until
// the last job was begun, and since the last fault that may have concerned the phone. With all
// faults none may stand still for longer than the lease: a phone whose worker dies is free
// after five eighths of it, and so is the job.
func (c chaos) judgeIdle(t *testing.T, notes []note) {
	t.Helper()
	type state struct {
		worker  string // that plays on it; empty for none
		since   int64  // it stands still
		stopped bool
	}
	phones := map[string]*state{}
	var last int64 // a job was begun
	for _, n := range notes {
		if n.what == "BEGAN" && n.first {
			last = n.at
		}
	}
	var gaps []time.Duration
	stood := func(phone, until string, since, at int64) {
		gap := time.Duration(min(at, last)-min(since, last)) * time.Millisecond
		gaps = append(gaps, gap)
		if *chaosFull && gap > c.lease {
			t.Errorf("%s stood still for %v, from %d to %d (%s), while there were jobs, expected no longer than the lease of %v", phone, gap, since, at, until, c.lease)
		}
	}
	for _, n := range notes {
		if phones[n.phone] == nil {
			phones[n.phone] = &state{}
		}
		p := phones[n.phone]
		switch n.what {
		case "BEGAN":
			if p.stopped {
				stood(n.phone, "on "+n.worker, p.since, n.at)
			}
			*p = state{worker: n.worker}
		case "WON", "LEFT":
			*p = state{since: n.at, stopped: true}
		case "KILLED":
			for phone, p := range phones {
				if p.worker == n.worker || p.stopped && c.reaches(n.worker, phone) {
					*p = state{since: n.at, stopped: true}
				}
			}
		}
	}
	for phone, p := range phones {
		if p.stopped && p.since < last {
			stood(phone, "when the last job was begun", p.since, last)
		}
	}
	if len(gaps) == 0 {
		return
	}
	slices.Sort(gaps)
	longer := 0
	for _, gap := range gaps {
		if gap > c.lease {
			longer++
		}
	}
	t.Logf("phones stood still %d times while there were jobs: the median for %v, the longest for %v, %d times for longer than the lease of %v", len(gaps), gaps[len(gaps)/2], gaps[len(gaps)-1], longer, c.lease)
}

// judgeTimes compares when levels ended, as the workers say, with when the hub heard of it.
func (c chaos) judgeTimes(t *testing.T, address string, ahead time.Duration) {
	t.Helper()
	js := streamsOf(t, "nats://"+address)
	consumer, err := js.OrderedConsumer(t.Context(), "TAPWISE_RESULTS", jetstream.OrderedConsumerConfig{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := consumer.FetchNoWait(10 * c.levels)
	if err != nil {
		t.Fatal(err)
	}
	events, off := 0, time.Duration(0)
	for msg := range found.Messages() {
		meta, err := msg.Metadata()
		if err != nil {
			t.Fatal(err)
		}
		e, err := fleet.DecodeEvent(msg.Data())
		if err != nil {
			t.Fatal(err)
		}
		events++
		off = max(off, meta.Timestamp.Sub(e.Ended).Abs())
	}
	if events < c.levels || off > 10*time.Minute {
		t.Errorf("%d events were kept, whose times are up to %v from when they came, expected %d and some minutes at most", events, off, c.levels)
	}
	t.Logf("with the hub's clock %v ahead, levels ended up to %v before or after the hub heard of it, by what is told", ahead, off.Round(time.Millisecond))
}

// TestCluster kills one of three servers, starts it again, and then kills another, while
// levels are played: nothing is lost.
func TestCluster(t *testing.T) {
	if !*chaosFull {
		t.Skip("runs with -chaos")
	}
	t.Parallel()
	c := chaos{levels: 240, job: 4, takes: 500 * time.Millisecond, lease: 10 * time.Second}
	folder := t.TempDir()
	var addresses, routes []string
	for range 3 {
		addresses, routes = append(addresses, freeAddress(t)), append(routes, freeAddress(t))
	}
	url := "nats://" + strings.Join(addresses, ",nats://")
	var servers []*process
	for i := range 3 {
		servers = append(servers, start(t, fmt.Sprintf("server s%d %s %s nats://%s %s", i, addresses[i], routes[i], strings.Join(routes, ",nats://"), filepath.Join(folder, "s"+strconv.Itoa(i))), 0))
	}
	var setup error
	for range 120 { // the servers elect a leader first
		if setup = fleet.Setup(t.Context(), fleet.Config{URL: url, Name: "setup"}, 3, c.lease); setup == nil {
			break
		}
		time.Sleep(500 * time.Millisecond)
	}
	if setup != nil {
		t.Fatal(setup)
	}
	start(t, fmt.Sprintf("clerk %s %v", url, c.lease), 0)
	for i := range 3 {
		start(t, fmt.Sprintf("worker %s worker-%d %s %v phone-%d-a,phone-%d-b", url, i, folder, c.takes, i, i), 0)
	}
	operator, err := fleet.Dial(t.Context(), fleet.Config{URL: url, Name: "operator"}, true)
	if err != nil {
		t.Fatal(err)
	}
	defer operator.Close()
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game"}, levels(c.levels), c.levels, c.job)
	if err != nil {
		t.Fatal(err)
	}
	var faults sync.WaitGroup
	faults.Add(1)
	defer faults.Wait()
	go func() {
		defer faults.Done()
		time.Sleep(4 * time.Second)
		servers[0].kill()
		time.Sleep(6 * time.Second)
		servers[0].start()
		time.Sleep(8 * time.Second) // to take in what it missed
		servers[1].kill()
	}()
	began := time.Now()
	progress, err := operator.Follow(t.Context(), order.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d levels took %v", c.levels, time.Since(began).Round(time.Millisecond))
	c.judge(t, folder, progress)
}
