package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"tapwise/cmd/internal/console/metrics"
	"tapwise/cmd/internal/console/tell"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/journal/figures"
)

// Config says how the hub is.
type Config struct {
	Listen string // HOST:PORT; port 0 is any free one
	Folder string // where everything is kept; it is made
	// Elsewhere is how to reach JetStream servers that replace the one within this process;
	// Listen is not used then. Nil: within this process.
	Elsewhere *fleet.Config
	// Secure has the hub ask for TLS and credentials on this machine, too; beyond it
	// there is no other way.
	Secure bool
	// Address is the HOST or HOST:PORT at which workers reach the hub, if it listens on all of
	// its addresses; empty is the first of them.
	Address  string
	Replicas int              // of everything kept; 0 is 1
	Lease    time.Duration    // see [fleet.Setup]; 0 is the usual
	Journal  *journal.Journal // of all phones; nil keeps none
	Tell     tell.Settings    // how news of its runs and phones are told
	Log      *slog.Logger
}

// UsualLease is the lease where none is asked for.
const UsualLease = 30 * time.Second

// The leases that are accepted: shorter than a level takes, nothing is ever finished.
const (
	shortestLease = time.Second
	longestLease  = time.Hour
)

// startTime bounds how long the server may take to be there: it reads what is kept.
const startTime = time.Minute

// Hub is a hub that has started.
type Hub struct {
	config Config
	server *server.Server // nil for one elsewhere
	keys   Keys
	url    string       // at which workers reach it
	inside fleet.Config // how it reaches itself
	own    string       // its public key, when the hub is secure
	// admission lets users in, when the hub is secure.
	admission admission
	// answers is what answers workers, while the hub runs.
	answers atomic.Pointer[fleet.Dispatcher]
}

// Start starts the hub, and makes the streams and buckets.
func Start(ctx context.Context, config Config) (*Hub, error) {
	if config.Lease == 0 {
		config.Lease = UsualLease
	}
	if config.Lease < shortestLease || config.Lease > longestLease {
		return nil, fmt.Errorf("hub: a lease of %v, expected %v to %v", config.Lease, shortestLease, longestLease)
	}
	config.Replicas = max(1, config.Replicas)
	h := &Hub{config: config, keys: OpenKeys(config.Folder), admission: admission{known: make(chan struct{})}}
	if config.Elsewhere != nil {
		h.url, h.inside = config.Elsewhere.URL, *config.Elsewhere
	} else {
		if err := h.serve(); err != nil {
			return nil, err
		}
	}
	// Not the time of a question: on a busy machine each takes its own, one after another.
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := fleet.Setup(ctx, h.inside, config.Replicas, config.Lease); err != nil {
		h.Close()
		return nil, fmt.Errorf("hub: %w", err)
	}
	return h, nil
}

// serve starts the server.
func (h *Hub) serve() error {
	options, err := h.options()
	if err != nil {
		return err
	}
	s, err := server.NewServer(options)
	if err != nil {
		return fmt.Errorf("hub: %w", err)
	}
	if h.config.Log != nil {
		s.SetLoggerV2(logger{h.config.Log}, false, false, false)
	}
	s.Start()
	if !s.ReadyForConnections(startTime) {
		s.Shutdown()
		return fmt.Errorf("hub: nothing listens on %s after %v: is the port taken?", h.config.Listen, startTime)
	}
	h.server = s
	address, ok := s.Addr().(*net.TCPAddr)
	if !ok {
		s.Shutdown()
		return fmt.Errorf("hub: it listens on %v, expected an address of TCP", s.Addr())
	}
	h.url = "nats://" + address.String()
	if h.Secure() {
		err = h.secure(address)
	}
	if err == nil {
		err = h.admitSelf(address)
	}
	if err != nil {
		h.admission.admit(nil) // who waits is not let in
		s.Shutdown()
		return fmt.Errorf("hub: %w", err)
	}
	return nil
}

// options are the server's. Its users are asked for by the hub's admission.
func (h *Hub) options() (*server.Options, error) {
	host, portText, err := net.SplitHostPort(h.config.Listen)
	if err != nil {
		return nil, fmt.Errorf("hub: listen on %q, expected HOST:PORT", h.config.Listen)
	}
	port, err := strconv.Atoi(portText)
	if err != nil || port < 0 || port > 65535 {
		return nil, fmt.Errorf("hub: listen on port %q, expected 0 to 65535", portText)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		h.config.Secure = true
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	options := &server.Options{
		ServerName: "tapwise", Host: host, Port: port, MaxPayload: 2 * fleet.MaxMessage,
		JetStream: true, StoreDir: filepath.Join(h.config.Folder, "jetstream"), SyncAlways: true,
		NoSigs: true, LameDuckDuration: time.Second, LameDuckGracePeriod: -1,
	}
	if !h.Secure() {
		return options, nil
	}
	// The keys are there before anything listens. The address is told when it is known.
	if err := h.keys.prepare(); err != nil {
		return nil, fmt.Errorf("hub: keys: %w", err)
	}
	certificate, err := h.keys.certificate()
	if err != nil {
		return nil, fmt.Errorf("hub: keys: %w", err)
	}
	options.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13}
	options.TLSTimeout = 5
	options.CustomClientAuthentication, options.AlwaysEnableNonce = &h.admission, true
	return options, nil
}

// secure says at which address workers and operators reach the hub.
func (h *Hub) secure(listens *net.TCPAddr) error {
	port := strconv.Itoa(listens.Port)
	address := h.config.Address
	switch {
	case address == "" && listens.IP.IsUnspecified():
		address = net.JoinHostPort(firstAddress(), port)
	case address == "":
		address = listens.String()
	default:
		if _, _, err := net.SplitHostPort(address); err != nil {
			address = net.JoinHostPort(address, port)
		}
	}
	h.url = "tls://" + address
	return h.keys.setAddress(h.url)
}

// firstAddress is an address of this host that others reach.
func firstAddress() string {
	addresses, err := net.InterfaceAddrs()
	if err == nil {
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() && n.IP.To4() != nil {
				return n.IP.String()
			}
		}
	}
	return "127.0.0.1"
}

// Secure reports whether the hub asks for TLS and credentials.
func (h *Hub) Secure() bool { return h.config.Secure && h.config.Elsewhere == nil }

// Keys are the hub's, when it is secure.
func (h *Hub) Keys() Keys { return h.keys }

// KeysKnown is the time within which a running hub notices added or revoked keys, unless its
// machine is very busy.
const KeysKnown = 500 * time.Millisecond

// watchKeys has the server know users that are added, and refuse those that are revoked.
func (h *Hub) watchKeys(ctx context.Context, d *fleet.Dispatcher) {
	ticker := time.NewTicker(KeysKnown / 3)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := h.readKeys(ctx, d); err != nil {
			h.fail("the keys could not be read again", err)
		}
	}
}

func (h *Hub) fail(what string, err error) {
	if h.config.Log != nil {
		h.config.Log.Warn(what, "error", err)
	}
}

// URL is the address at which workers reach the hub.
func (h *Hub) URL() string { return h.url }

// Run answers workers and books what is played until the context ends.
func (h *Hub) Run(ctx context.Context) error {
	client, err := fleet.Dial(ctx, h.inside, true)
	if err != nil {
		return err
	}
	defer client.Close()
	dispatcher := &fleet.Dispatcher{Client: client}
	if h.Secure() {
		dispatcher.Admits = h.admission.isWorker
		go h.watchKeys(ctx, dispatcher)
	}
	h.answers.Store(dispatcher)
	defer h.answers.Store(nil)
	clerk := fleet.Clerk{Client: client}
	if h.config.Journal != nil {
		clerk.Keep = h.keep
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() { cancel(dispatcher.Run(ctx)) }()
	if h.config.Tell.Any() {
		go client.Tell(ctx, h.config.Tell)
	}
	if err := clerk.Run(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// Figures are the fleet's and the journal's.
func (h *Hub) Figures() []metrics.Source {
	sources := []metrics.Source{{Name: "fleet", Read: func(ctx context.Context, page *metrics.Page) error {
		if answers := h.answers.Load(); answers != nil {
			return answers.Figures(ctx, page)
		}
		return errors.New("hub: it does not run yet")
	}}}
	if j := h.config.Journal; j != nil {
		sources = append(sources, figures.Of(func(context.Context) (*journal.Journal, func() error, error) {
			return j, func() error { return nil }, nil
		}))
	}
	return sources
}

// keep writes what happened on the phones into the hub's journal: a run for each order.
func (h *Hub) keep(ctx context.Context, events []fleet.Event) error {
	var all []journal.Foreign
	for _, e := range events {
		verdict := journal.Won
		if e.Verdict != fleet.Won {
			verdict = journal.Failed
		}
		all = append(all, journal.Foreign{
			Name: e.Worker + "." + e.ID,
			Run:  journal.Run{Order: e.Run, Started: e.Started, Ended: e.Ended, Game: e.Game, Outcome: journal.Done},
			Attempt: journal.Attempt{
				Level: e.Level, Serial: e.Phone, Model: e.Model, Started: e.Started, Ended: e.Ended, Verdict: verdict, Error: e.Reason, Record: e.Record,
			},
		})
	}
	return h.config.Journal.Import(ctx, all)
}

// Close ends the server; everything is kept.
func (h *Hub) Close() {
	if h.server != nil {
		h.server.Shutdown()
		h.server.WaitForShutdown()
	}
}

// logger writes what the server says into the log.
type logger struct{ log *slog.Logger }

func (l logger) Noticef(format string, v ...any) { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l logger) Warnf(format string, v ...any)   { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l logger) Fatalf(format string, v ...any)  { l.log.Error(fmt.Sprintf(format, v...)) }
func (l logger) Errorf(format string, v ...any)  { l.log.Warn(fmt.Sprintf(format, v...)) }
func (l logger) Debugf(format string, v ...any)  { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l logger) Tracef(string, ...any)           {}
