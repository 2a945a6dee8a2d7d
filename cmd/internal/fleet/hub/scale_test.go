package hub_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/fleet/worker"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/journal/attempt"
)

// The fleet that `make fleet-scale` simulates.
var (
	scalePhones  = flag.Int("phones", 0, "simulate the traffic of that many phones")
	scaleShelf   = flag.Int("shelf", 100, "phones of a worker")
	scaleServers = flag.Int("servers", 1, "servers of NATS, as processes; of several each keeps everything")
	scaleLevel   = flag.Duration("level", 3800*time.Millisecond, "what a phone takes for a level")
	scaleTime    = flag.Duration("for", time.Minute, "for how long to play")
	scaleProfile = flag.String("server-profile", "", "write what the first server's processor time goes into to that file, for go tool pprof")
	scaleLease   = flag.Duration("lease", 30*time.Second, "the lease")
)

// scaleServer has this program be one of the servers, in place of testing.
const scaleServer = "TAPWISE_SCALE_SERVER"

// serverOptions say what a server is.
type serverOptions struct {
	Name, Folder  string
	Client, Route int // ports
	Routes        []int
	Book          bool // it has the clerk, too
	Lease         time.Duration
	Interval      time.Duration // between syncs; 0 is to sync always
}

// usage is what a server has done and used so far.
type usage struct {
	InMsgs, OutMsgs, InBytes, OutBytes int64
	Memory                             int64   // bytes that are resident
	CPU                                float64 // seconds
}

func (u usage) minus(v usage) usage {
	return usage{u.InMsgs - v.InMsgs, u.OutMsgs - v.OutMsgs, u.InBytes - v.InBytes, u.OutBytes - v.OutBytes, u.Memory, u.CPU - v.CPU}
}

// TestScaleServer is a server of TestScale, in a process of its own: it tells what it used
// for each line that it reads.
func TestScaleServer(t *testing.T) {
	text := os.Getenv(scaleServer)
	if text == "" {
		t.Skip("for TestScale")
	}
	var o serverOptions
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, o)
	defer s.Shutdown()
	if o.Book {
		var h *hub.Hub
		var err error
		for h == nil { // until the servers have a leader
			h, err = hub.Start(t.Context(), hub.Config{Elsewhere: &fleet.Config{URL: s.ClientURL(), Name: "hub"}, Replicas: len(o.Routes), Lease: o.Lease})
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				time.Sleep(time.Second)
			}
		}
		go func() { _ = h.Run(t.Context()) }()
	}
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		v, err := s.Varz(nil)
		if err != nil {
			t.Fatal(err)
		}
		u := usage{v.InMsgs, v.OutMsgs, v.InBytes, v.OutBytes, v.Mem, processor(t)}
		line, err := json.Marshal(u)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(string(line))
	}
}

// startServer starts a server of NATS.
func startServer(t *testing.T, o serverOptions) *server.Server {
	t.Helper()
	options := &server.Options{
		ServerName: o.Name, Host: "127.0.0.1", Port: o.Client, MaxPayload: 2 * fleet.MaxMessage,
		JetStream: true, StoreDir: o.Folder, SyncAlways: o.Interval == 0, SyncInterval: o.Interval, NoSigs: true,
	}
	if len(o.Routes) > 1 {
		options.Cluster = server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: o.Route}
		for _, port := range o.Routes {
			options.Routes = append(options.Routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", port)})
		}
	}
	s, err := server.NewServer(options)
	if err != nil {
		t.Fatal(err)
	}
	s.SetLoggerV2(warnings{}, false, false, false)
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not listen")
	}
	return s
}

// warnings prints what a server warns of.
type warnings struct{}

func (warnings) Noticef(string, ...any)           {}
func (warnings) Warnf(format string, v ...any)    { fmt.Fprintf(os.Stderr, "server: "+format+"\n", v...) }
func (w warnings) Fatalf(format string, v ...any) { w.Warnf(format, v...) }
func (w warnings) Errorf(format string, v ...any) { w.Warnf(format, v...) }
func (warnings) Debugf(string, ...any)            {}
func (warnings) Tracef(string, ...any)            {}

// processor returns the seconds that this process has had of a processor.
func processor(t *testing.T) float64 {
	t.Helper()
	data, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := strconv.Atoi(fields[12])
	if err != nil {
		t.Fatal(err)
	}
	return float64(user+kernel) / 100 // ticks of 10 ms
}

// busy returns the seconds that all processes of this machine have had of its processors.
func busy(t *testing.T) (seconds float64) {
	t.Helper()
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	for i, field := range strings.Fields(line)[1:] {
		ticks, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		if i < 3 || i == 5 || i == 6 { // user, nice, system, interrupts
			seconds += float64(ticks) / 100
		}
	}
	return seconds
}

// child is a server as a process.
type child struct {
	url string
	in  io.WriteCloser
	out *bufio.Scanner
}

func (c child) usage(t *testing.T) usage {
	t.Helper()
	if _, err := fmt.Fprintln(c.in); err != nil {
		t.Fatal(err)
	}
	var u usage
	if !c.out.Scan() {
		t.Fatal("a server ended")
	}
	if err := json.Unmarshal(c.out.Bytes(), &u); err != nil {
		t.Fatal(err)
	}
	return u
}

// freePorts returns ports that nobody has.
func freePorts(t *testing.T, n int) []int {
	t.Helper()
	ports := make([]int, n)
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }() // all are taken until all are known
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports
}

// startServers starts the servers and waits until they keep what is sent.
func startServers(t *testing.T) []child {
	t.Helper()
	ports := freePorts(t, 2**scaleServers)
	var children []child
	for i := range *scaleServers {
		o, err := json.Marshal(serverOptions{
			Name: "s" + strconv.Itoa(i), Folder: filepath.Join(t.TempDir(), strconv.Itoa(i)), Client: ports[i], Route: ports[*scaleServers+i],
			Routes: ports[*scaleServers:], Book: i == 0, Lease: *scaleLease,
		})
		if err != nil {
			t.Fatal(err)
		}
		command := exec.Command(os.Args[0], "-test.run=^TestScaleServer$", "-test.timeout=0")
		if i == 0 && *scaleProfile != "" {
			command.Args = append(command.Args, "-test.cpuprofile="+*scaleProfile)
		}
		command.Env = append(os.Environ(), scaleServer+"="+string(o))
		command.Stderr = os.Stderr
		in, err := command.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = in.Close() // then it ends
			_ = command.Wait()
		})
		children = append(children, child{fmt.Sprintf("nats://127.0.0.1:%d", ports[i]), in, bufio.NewScanner(out)})
	}
	for _, c := range children {
		for c.out.Scan() && c.out.Text() != "ready" {
		}
	}
	return children
}

// shelf is phones that win every level after a time.
type shelf struct {
	name  string
	count *counts
}

// counts is what happened on all shelves.
type counts struct {
	levels atomic.Int64
	mu     sync.Mutex
	begun  []time.Time // of jobs
}

func (s shelf) Phones(context.Context) ([]fleet.Phone, error) {
	phones := make([]fleet.Phone, *scaleShelf)
	for i := range phones {
		phones[i] = fleet.Phone{Serial: fmt.Sprintf("%s-%d", s.name, i), Model: "Pixel 7"}
	}
	return phones, nil
}

func (s shelf) Play(ctx context.Context, _ string, task worker.Task) error {
	s.count.mu.Lock()
	s.count.begun = append(s.count.begun, time.Now())
	s.count.mu.Unlock()
	for _, l := range task.Left {
		switch err := task.Begin(l.Number); {
		case errors.Is(err, worker.ErrBooked):
			continue
		case err != nil:
			return err
		}
		timer := time.NewTimer(*scaleLevel)
		select {
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		case <-timer.C:
		}
		e := fleet.Event{Level: l.Number, Verdict: fleet.Won, Started: time.Now(), Ended: time.Now(), Record: attempt.Record{Board: l.Board, Solution: l.Board, Rows: 7, Cols: 7, Captures: 4}}
		if err := task.Done(e, ""); err != nil {
			return err
		}
		s.count.levels.Add(1)
	}
	return nil
}

// memory is an outbox that is gone with its process.
type memory struct {
	mu      sync.Mutex
	parcels []journal.Parcel
}

func (m *memory) Add(_ context.Context, p journal.Parcel) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.parcels = append(m.parcels, p)
	return nil
}

func (m *memory) Oldest(_ context.Context, n int) ([]journal.Parcel, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.parcels[:min(n, len(m.parcels))]), nil
}

func (m *memory) Remove(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.parcels = slices.DeleteFunc(m.parcels, func(p journal.Parcel) bool { return p.ID == id })
	return nil
}

// TestScale simulates the traffic of many phones against servers in processes of their
// own, and prints what it takes: `make fleet-scale`, docs/fleet-scale.md.
func TestScale(t *testing.T) {
	if *scalePhones == 0 {
		t.Skip("for make fleet-scale, with -phones")
	}
	children := startServers(t)
	total := func() (sum usage) {
		for _, c := range children {
			u := c.usage(t)
			sum = usage{sum.InMsgs + u.InMsgs, sum.OutMsgs + u.OutMsgs, sum.InBytes + u.InBytes, sum.OutBytes + u.OutBytes, sum.Memory + u.Memory, sum.CPU + u.CPU}
		}
		return sum
	}
	fmt.Printf("%s, %d processors\n", load(t), runtime.NumCPU())
	empty := total()
	n := *scalePhones
	count := &counts{}
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	for i := range n / *scaleShelf {
		name := fmt.Sprintf("shelf%d", i)
		agent, err := fleet.Join(ctx, fleet.Config{URL: children[i%len(children)].url, Name: name}, true)
		if err != nil {
			t.Fatal(err)
		}
		defer agent.Close()
		w := worker.Worker{Name: name, Agent: agent, Shelf: shelf{name, count}, Outbox: &memory{}, Code: func(error) int { return 1 }, Log: slog.New(slog.DiscardHandler)}
		wait.Go(func() { _ = w.Run(ctx) })
	}
	operator, err := fleet.Dial(ctx, fleet.Config{URL: children[0].url, Name: "operator"}, true)
	if err != nil {
		t.Fatal(err)
	}
	defer operator.Close()
	begin := time.Now()
	for known := 0; known < n; time.Sleep(time.Second) {
		phones, err := operator.Phones(ctx)
		if err != nil {
			fmt.Println("the phones cannot be listed:", err)
		}
		known = len(phones)
		if time.Since(begin) > 3*time.Minute {
			fmt.Printf("after %v the hub knows %d phones of %d\n", time.Since(begin).Round(time.Second), known, n)
			break
		}
	}
	fmt.Printf("the phones were known after %.1f s\n", time.Since(begin).Seconds())
	report := func(what string, d time.Duration, during func()) {
		before, levels, began, mine, machine := total(), count.levels.Load(), time.Now(), processor(t), busy(t)
		during()
		if d > 0 {
			time.Sleep(d)
		}
		u, seconds, played := total().minus(before), time.Since(began).Seconds(), count.levels.Load()-levels
		fmt.Printf("%s: %.0f s; in %.0f messages/s, %.0f kB/s; out %.0f messages/s, %.0f kB/s; servers %.2f of a processor (%.3f ms/s a phone), %.0f MB (%.1f kB a phone); the workers %.2f of a processor; the machine %.2f of %d; %.1f levels/s of %.1f\n",
			what, seconds, float64(u.InMsgs)/seconds, float64(u.InBytes)/1e3/seconds, float64(u.OutMsgs)/seconds, float64(u.OutBytes)/1e3/seconds,
			u.CPU/seconds, 1e3*u.CPU/seconds/float64(n), float64(u.Memory)/1e6, float64(u.Memory-empty.Memory)/1e3/float64(n), (processor(t)-mine)/seconds, (busy(t)-machine)/seconds, runtime.NumCPU(), float64(played)/seconds, float64(n)/scaleLevel.Seconds())
	}
	report("idle", *scaleTime/4, func() {})
	// Enough for each phone to play all the time, in jobs of ten levels.
	levels := make([]fleet.Level, min(fleet.MaxLevels, n*(10+10*int(2**scaleTime / *scaleLevel / 10))))
	for i := range levels {
		levels[i] = fleet.Level{Number: i + 1, Board: strings.Repeat("A......\n", 7)}
	}
	begin = time.Now()
	if _, err := operator.Submit(ctx, fleet.Order{Game: "flow"}, levels, len(levels), 10); err != nil {
		t.Fatal(err)
	}
	ordered := time.Now()
	fmt.Printf("%d levels in %d jobs were ordered in %.1f s\n", len(levels), (len(levels)+9)/10, ordered.Sub(begin).Seconds())
	report("playing", *scaleTime, func() {})
	count.mu.Lock()
	defer count.mu.Unlock()
	var starts []time.Duration
	for _, s := range count.begun[:min(n, len(count.begun))] {
		starts = append(starts, s.Sub(ordered))
	}
	slices.Sort(starts)
	if len(starts) > 0 {
		fmt.Printf("%d of %d phones began a job; the median %.2f s after the order, the last %.2f s\n", len(starts), n, starts[len(starts)/2].Seconds(), starts[len(starts)-1].Seconds())
	}
	fmt.Println(load(t))
}

// load is how busy the machine is.
func load(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		t.Fatal(err)
	}
	return "load " + strings.TrimSpace(string(data))
}
