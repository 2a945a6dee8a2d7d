package hub

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"tapwise/cmd/internal/fleet"
)

// Config says how the hub is.
type Config struct {
	Listen string // HOST:PORT; port 0 is any free one
	Folder string // where everything is kept; it is made
	// Elsewhere is the address of servers of JetStream that are used in place of one
	// within this process; Listen is not used then.
	Elsewhere string
	Replicas  int                                      // of everything kept; 0 is 1
	Lease     time.Duration                            // see [fleet.Client.Lease]; 0 is the usual
	Keep      func(context.Context, fleet.Event) error // see [fleet.Clerk]
	Log       *slog.Logger
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
	reach  fleet.Config
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
	h := &Hub{config: config, reach: fleet.Config{URL: config.Elsewhere, Name: "hub", Log: config.Log}}
	if config.Elsewhere == "" {
		if err := h.serve(); err != nil {
			return nil, err
		}
	}
	if err := fleet.Setup(ctx, h.reach, config.Replicas, config.Lease); err != nil {
		h.Close()
		return nil, fmt.Errorf("hub: %w", err)
	}
	return h, nil
}

// serve starts the server.
func (h *Hub) serve() error {
	host, portText, err := net.SplitHostPort(h.config.Listen)
	if err != nil {
		return fmt.Errorf("hub: listen on %q, expected HOST:PORT", h.config.Listen)
	}
	port, err := strconv.Atoi(portText)
	if err != nil || port < 0 || port > 65535 {
		return fmt.Errorf("hub: listen on port %q, expected 0 to 65535", portText)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("hub: listen on %s: beyond this machine only with TLS and credentials", h.config.Listen)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	options := &server.Options{
		ServerName: "tapwise", Host: host, Port: port, MaxPayload: 2 * fleet.MaxMessage,
		JetStream: true, StoreDir: filepath.Join(h.config.Folder, "jetstream"), SyncInterval: 10 * time.Second,
		NoSigs: true, DontListen: false, LameDuckDuration: time.Second, LameDuckGracePeriod: -1,
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
	h.server, h.reach.URL = s, s.ClientURL()
	return nil
}

// URL is the address at which workers reach the hub.
func (h *Hub) URL() string { return h.reach.URL }

// Run books what is played until the context ends.
func (h *Hub) Run(ctx context.Context) error {
	client, err := fleet.Dial(ctx, h.reach, true)
	if err != nil {
		return err
	}
	defer client.Close()
	clerk := fleet.Clerk{Client: client, Keep: h.config.Keep}
	if err := clerk.Run(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
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
